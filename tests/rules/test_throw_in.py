"""Deals thrown in because of the cards (docs/rules/17-bangladesh.md; O59, O61, O62, S101)."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from replay import Replay, Verdict, replay
from replay.engine import engine
from replay.engine.rules import throw_in
from schemas.actions import Verb
from schemas.hand import Hand
from tests.kit.support import Options, codes, hand_of, judged, places, play_table, rules_of

# Seat 3 deals, and play goes round anticlockwise: 2, 1, 0, 3. Seat 2 bids 16 in clubs.
CALLS = ["2 bid 16", "1 pass", "3 pass", "0 pass"]
FIRST = ["JS KS 8S 7S", "JH 9H KH QH", "JC 9C 8C KC", "JD 9D KD QD"]
REST = ["AD TD 8D 7D", "9S AS TS QS", "AC TC QC 7C", "AH TH 8H 7H"]


def deal_of(first: list[str], rest: list[str]) -> list[str]:
    return [f"{now} {later}" for now, later in zip(first, rest, strict=True)]


def given(*actions: str, deal: list[str] | None = None, options: Options | None = None) -> Hand:
    return hand_of("bangladesh", list(actions), options=options, deal=deal or deal_of(FIRST, REST))


def is_thrown_in(replayed: Replay) -> bool:
    assert replayed.outcome is not None
    assert replayed.outcome.change == (0, 0)
    return replayed.outcome.result == "thrown_in"


# --- The first two players need a point card among their first four (O59)


def without_points(seat: int) -> list[str]:
    """Return first cards of which those of a seat carry no points."""
    worthless = {0: "KS QS 8S 7S", 1: "KH QH 8H 7H", 2: "KC QC 8C 7C", 3: "KD QD 8D 7D"}
    return [worthless[each] if each == seat else cards for each, cards in enumerate(FIRST)]


def deal_without_points(seat: int) -> list[str]:
    first = without_points(seat)
    pack = {rank + suit for suit in "SHDC" for rank in "J9ATKQ87"}
    spare = sorted(pack - set(" ".join(first).split()))
    return deal_of(first, [" ".join(spare[4 * each : 4 * each + 4]) for each in range(4)])


@pytest.mark.parametrize("seat", [2, 1])
def test_o59_a_first_player_without_points(seat: int) -> None:
    deal = deal_without_points(seat)
    said = replay(given(f"{seat} throw-in", deal=deal))
    assert said.verdict == Verdict.VALID
    assert is_thrown_in(said)
    # The record may just end there: nobody has a choice (S101).
    silent = replay(given(deal=deal))
    assert silent.verdict == Verdict.VALID
    assert is_thrown_in(silent)
    # The first four are all that was dealt.
    assert is_thrown_in(replay(given(deal=[cards[:11] for cards in deal])))


@pytest.mark.parametrize("seat", [2, 1])
def test_s101_it_is_no_choice(seat: int) -> None:
    replayed = replay(given(*CALLS, "2 trump C", deal=deal_without_points(seat)))
    assert places(replayed.findings) == [("not-thrown-in", "/actions/0")]
    assert replayed.findings[0].rule == "17.deal O59 S101"
    # The record is followed, and may throw the cards in later.
    assert replayed.at(5).phase == "play"
    late = replay(given(*CALLS, "2 throw-in", deal=deal_without_points(seat)))
    assert places(late.findings) == [("not-thrown-in", "/actions/0")]
    assert is_thrown_in(late)


@pytest.mark.parametrize("seat", [0, 3])
def test_o59_only_the_first_two_players(seat: int) -> None:
    deal = deal_without_points(seat)
    assert replay(given(*CALLS, deal=deal)).findings == ()
    thrown = replay(given(f"{seat} throw-in", deal=deal))
    assert places(thrown.findings) == [("stopped-without-cause", "/actions/0")]
    assert is_thrown_in(thrown)


def test_o59_without_the_option_it_is_an_ordinary_hand() -> None:
    deal = deal_without_points(2)
    options: Options = {"weak_start": "played"}
    assert replay(given(*CALLS, deal=deal, options=options)).findings == ()
    assert replay(given(deal=deal, options=options)).verdict == Verdict.INCOMPLETE
    thrown = replay(given("2 throw-in", deal=deal, options=options))
    assert codes(thrown) == ["stopped-without-cause"]


def test_o59_the_first_two_in_the_direction_of_play() -> None:
    # Clockwise the first two are seats 0 and 1.
    options: Options = {"weak_start": "thrown-in"}
    deal = deal_without_points(0)
    clockwise = hand_of("twenty-nine", [], options=options, deal=deal)
    assert is_thrown_in(replay(clockwise))
    assert replay(replace(clockwise, rules=replace(clockwise.rules, options=UNSET))).outcome is None


@pytest.mark.parametrize("seen", ["? ? ? ?", "KC QC 8C ?"])
def test_o59_a_record_that_leaves_the_cards_open_is_believed(seen: str) -> None:
    deal = [FIRST[0], FIRST[1], seen, FIRST[3]]
    for actions, verdict in (((), Verdict.INCOMPLETE), (("2 throw-in",), Verdict.VALID)):
        replayed = replay(given(*actions, deal=deal))
        assert (replayed.findings, replayed.verdict) == ((), verdict)
    assert replay(given(*CALLS, deal=deal)).findings == ()
    # A point card that shows settles it.
    deal[2] = "KC QC 8C AC"
    assert codes(replay(given("2 throw-in", deal=deal))) == ["stopped-without-cause"]
    # And so does the lack of any that could be there.
    others = ["JS 9S AS TS", "JH 9H AH TH", "? ? ? ?", "JD 9D AD TD"]
    points = "JC 9C AC TC"
    assert replay(given(deal=others)).verdict == Verdict.INCOMPLETE
    whole = deal_of(others, [points, "? ? ? ?", "? ? ? ?", "? ? ? ?"])
    assert is_thrown_in(replay(given(deal=whole)))


def test_o60_three_passes_are_another_reason() -> None:
    passes = ["2 pass", "0 pass", "1 pass"]
    for actions in (passes, [*passes, "3 throw-in"]):
        replayed = replay(given(*actions))
        assert replayed.verdict == Verdict.VALID
        assert is_thrown_in(replayed)


# --- The maker who called the seventh card needs another trump with points (O61)


def seventh_deal(clubs: str, others: str) -> list[str]:
    """Seat 2 holds `clubs` and hearts, and TC is dealt to it last but one."""
    hand = f"JH {clubs} {others}".split()
    hand = [*hand[:6], "TC", hand[6]]
    pack = {rank + suit for suit in "SHDC" for rank in "J9ATKQ87"}
    rest = sorted(pack - set(hand), key=lambda card: (card[1], "J9ATKQ87".index(card[0])))
    hands = [rest[each::3] for each in range(3)]
    return [" ".join(cards) for cards in (*hands[:2], hand, hands[2])]


THROWN_IN_CALLS = [*CALLS, "2 trump seventh"]


def test_t139_o61_no_other_trump_with_points() -> None:
    bare = seventh_deal("8C KC", "9H AH KH QH")
    for actions in (THROWN_IN_CALLS, [*THROWN_IN_CALLS, "2 throw-in"]):
        replayed = replay(given(*actions, deal=bare))
        assert replayed.verdict == Verdict.VALID, replayed.findings
        assert is_thrown_in(replayed)
    went_on = replay(given(*THROWN_IN_CALLS, "2 play JH", "1 play 8H", deal=bare))
    assert places(went_on.findings)[0] == ("not-thrown-in", "/actions/5")
    assert went_on.findings[0].rule == "17.deal O61"


def test_t139_o61_with_the_nine_it_is_played() -> None:
    kept = seventh_deal("9C KC", "9H AH KH QH")
    assert replay(given(*THROWN_IN_CALLS, "2 play JH", deal=kept)).findings == ()
    thrown = replay(given(*THROWN_IN_CALLS, "2 throw-in", deal=kept))
    assert places(thrown.findings) == [("stopped-without-cause", "/actions/5")]
    assert is_thrown_in(thrown)


def test_o61_without_the_option_it_is_played() -> None:
    bare = seventh_deal("8C KC", "9H AH KH QH")
    options: Options = {"bare_seventh": "played"}
    lead = replay(given(*THROWN_IN_CALLS, "2 play JH", deal=bare, options=options))
    assert lead.findings == ()


def test_o61_only_with_the_seventh_card() -> None:
    bare = seventh_deal("8C KC", "9H AH KH QH")
    assert replay(given(*CALLS, "2 trump C", "2 play JH", deal=bare)).findings == ()
    # Without a ten of clubs in the hand the suit named has no point card at all.
    named = replay(given(*CALLS, "2 trump S", "2 play JH", deal=bare))
    assert named.findings == ()


def test_o61_after_the_last_four_are_dealt() -> None:
    bare = seventh_deal("8C KC", "9H AH KH QH")
    doubled = replay(given(*THROWN_IN_CALLS, "1 double", "2 throw-in", deal=bare))
    assert doubled.verdict == Verdict.VALID
    assert is_thrown_in(doubled)
    assert doubled.at(5).phase == "double"


# --- The defenders need a trump above the seven (O62)


def clubs_with(defenders: str) -> list[str]:
    """Seats 1 and 3 hold the clubs `defenders`; seats 0 and 2 all others, with points each."""
    theirs = defenders.split()
    ours = [rank + "C" for rank in "J9ATKQ87" if rank + "C" not in theirs]
    plain = [rank + suit for rank in "J9ATKQ87" for suit in "HSD"]
    hands: list[list[str]] = [[], theirs[:1], [], theirs[1:]]
    hands[2], hands[0] = ours[:4], ours[4:]
    for seat in (2, 1, 0, 3):
        while len(hands[seat]) < 8:
            hands[seat].append(plain.pop(0))
    return [" ".join(hand) for hand in (hands[0], hands[1], hands[2], hands[3])]


@pytest.mark.parametrize("held", ["", "7C"])
def test_t140_o62_no_trump_or_only_the_seven(held: str) -> None:
    deal = clubs_with(held)
    for actions in ([*CALLS, "2 trump C"], [*CALLS, "2 trump C", "1 throw-in"]):
        replayed = replay(given(*actions, deal=deal))
        assert replayed.verdict == Verdict.VALID, replayed.findings
        assert is_thrown_in(replayed)
    went_on = replay(given(*CALLS, "2 trump C", f"2 play {deal[2][:2]}", deal=deal))
    assert places(went_on.findings) == [("not-thrown-in", "/actions/5")]
    assert (went_on.findings[0].legal, went_on.findings[0].rule) == ("throw-in", "17.deal O62")


@pytest.mark.parametrize("held", ["8C", "7C 8C", "JC"])
def test_t140_o62_with_another_trump_it_is_played(held: str) -> None:
    deal = clubs_with(held)
    lead = f"2 play {deal[2][:2]}"
    assert replay(given(*CALLS, "2 trump C", lead, deal=deal)).findings == ()
    thrown = replay(given(*CALLS, "2 trump C", "2 throw-in", deal=deal))
    assert codes(thrown) == ["stopped-without-cause"]


def test_o62_holds_for_every_contract_and_not_without_the_option() -> None:
    deal = clubs_with("7C")
    lead = f"2 play {deal[2][:2]}"
    options: Options = {"weak_defence": "played"}
    assert replay(given(*CALLS, "2 trump C", lead, deal=deal, options=options)).findings == ()
    # The suit named counts, and there is none at no trumps.
    assert replay(given(*CALLS, "2 trump D", lead, deal=deal)).findings == ()
    joker: Options = {"no_trump": "joker"}
    assert replay(given(*CALLS, "2 trump NT", lead, deal=deal, options=joker)).findings == ()


def test_o62_a_hand_alone_has_no_trumps_to_lack() -> None:
    options: Options = {"solo": "partner-hidden"}
    deal = clubs_with("7C")
    replayed = replay(given(*CALLS, "2 trump C", "2 solo", deal=deal, options=options))
    assert places(replayed.findings) == [("not-thrown-in", "/actions/5")]
    assert replayed.at(6).turn == 2


def test_o62_what_the_defenders_play_later_proves_it() -> None:
    # No deal is recorded, but every card comes to light.
    rules = rules_of("bangladesh")
    deal = clubs_with("7C")
    state = play_table(rules, "C", dict(enumerate(deal)), leader=2)
    assert throw_in.by_defence(state, rules) == throw_in.DUE
    hidden = play_table(rules, "C", {}, leader=2, size=8)
    assert throw_in.by_defence(hidden, rules) == throw_in.OPEN
    half = play_table(rules, "C", {2: deal[2], 0: deal[0]}, leader=2, size=8)
    assert throw_in.by_defence(half, rules) == throw_in.DUE
    assert judged(hidden, rules, "2 throw-in") == ["stopped-without-cause"]


def test_o62_cards_that_are_not_recorded_are_believed() -> None:
    unknown = given(*CALLS, "2 trump C", "2 throw-in", deal=["? ? ? ?"] * 4)
    assert replay(unknown).verdict == Verdict.VALID
    secret = given(*CALLS, "2 trump *", "2 throw-in")
    assert replay(secret).verdict == Verdict.VALID


def test_s101_nothing_else_is_offered_where_the_deal_is_thrown_in() -> None:
    replayed = replay(given(*CALLS, deal=deal_without_points(2)))
    state = replayed.state_at(0)
    rules = rules_of("bangladesh")
    for seat in range(4):
        assert engine.legal(state, rules, seat).verbs == 1 << Verb.THROW_IN
    assert replayed.at(0).choice.sentence == "cy is to throw the deal in."


@pytest.mark.parametrize("variant", ["twenty-nine", "pedro", "king-pedro"])
def test_a_deal_thrown_in_for_no_reason_is_over_all_the_same(variant: str) -> None:
    replayed = replay(hand_of(variant, ["0 throw-in", "0 pass"]))
    assert codes(replayed) == ["stopped-without-cause", "after-the-end"]
    only = replay(hand_of(variant, ["0 throw-in"]))
    assert is_thrown_in(only)


@pytest.mark.parametrize(
    ("ranks", "held", "found"),
    [
        ("J9ATKQ87", "7C", throw_in.DUE),
        ("J9ATKQ78", "8C", throw_in.DUE),
        ("J9ATKQ78", "7C", throw_in.NO_CAUSE),
        ("J9ATKQ6", "6C", throw_in.DUE),
    ],
)
def test_o62_the_lowest_trump_is_that_of_the_pack_in_play(
    ranks: str, held: str, found: int
) -> None:
    packets: Options = {"ranks": ranks, "packets": [4, len(ranks) - 4], "hand_size": len(ranks)}
    rules = rules_of("bangladesh", packets)
    clubs = [rank + "C" for rank in ranks if rank + "C" != held]
    hands = {0: "AS", 1: held, 2: " ".join(clubs), 3: "AD"}
    state = play_table(rules, "C", hands, leader=2)
    assert throw_in.by_defence(state, rules) == found


def test_o62_o39_with_ranks_reversed_the_jack_is_the_lowest() -> None:
    rules = rules_of("bangladesh", {"twos": "suit-reversed"})
    for held, found in (("JC", throw_in.DUE), ("7C", throw_in.NO_CAUSE)):
        clubs = [rank + "C" for rank in "J9ATKQ87" if rank + "C" != held]
        hands = {0: "AS", 1: held, 2: " ".join(clubs), 3: "AD"}
        state = play_table(rules, "C-reversed", hands, leader=2)
        assert throw_in.by_defence(state, rules) == found


# --- Undealt cards as stock


def undealt(*actions: str, first: list[str], **fields: str) -> Replay:
    dealt = {card for cards in first for card in cards.split()}
    pack = [rank + suit for suit in "SHDC" for rank in "J9ATKQ87"]
    stock = " ".join(card for card in pack if card not in dealt)
    hand = hand_of("lucknow", list(actions), deal=first, stock=stock)
    return replay(replace(hand, **fields))


def test_o52_a_tenny_hand_may_write_its_undealt_cards_as_stock() -> None:
    first = ["JS 9S AS TS", "KS QS 8S 7S", "JD 9D AD TD", "JC 9C AC TC"]
    tricks = ("0 play JS", "1 play KS", "3 play JC", "0 play 9S", "1 play QS", "3 play 9C")
    rest = ("0 play AS", "1 play 8S", "3 play AC", "0 play TS", "1 play 7S", "3 play TC")
    replayed = undealt("0 tenny", *tricks, *rest, first=first)
    assert (replayed.findings, replayed.verdict) == ((), Verdict.VALID)
    assert replayed.at(1).stock == 16
    # Each card exists once, in the stock as well.
    twice = undealt("0 tenny", *tricks, *rest, first=first, stock=" ".join(["JS"] + ["?"] * 15))
    assert [code for code, _ in places(twice.findings)] == ["card-twice"]
    short = undealt("0 tenny", *tricks, *rest, first=first, stock="JH 9H")
    assert [code for code, _ in places(short.findings)] == ["stock-size"]


def test_0_deal_a_deal_that_goes_on_has_no_such_stock() -> None:
    first = ["JS 9S AS TS", "KS QS 8S 7S", "JD 9D AD TD", "JC 9C AC TC"]
    went_on = undealt("0 bid 16", "1 pass", "2 pass", "3 pass", "0 trump S", first=first)
    assert [code for code, _ in places(went_on.findings)] == ["stock-size"]
