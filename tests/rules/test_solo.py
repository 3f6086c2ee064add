"""Hands played alone: all eight tricks, tenny (docs/rules/15 and 16; O46, O47, O52, O53)."""

import pytest
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from replay import Outcome, Replay, Verdict, replay
from replay.engine import engine
from replay.engine.records import State
from replay.engine.rules import solo
from schemas.actions import Verb
from schemas.hand import Hand
from tests.kit.sound_hands import instead, up_to
from tests.kit.support import (
    Options,
    auction_table,
    card_set,
    codes,
    do,
    hand_of,
    judged,
    places,
    plays,
    rules_of,
)

ALONE: Options = {"solo": "partner-hidden"}

# Seat 0 holds the four best of two suits: no card of that hand can lose.
SURE_DEAL = [
    "JS 9S AS TS JH 9H AH TH",
    "KS QS 8S 7S KH QH 8H 7H",
    "JD 9D AD TD KD QD 8D 7D",
    "JC 9C AC TC KC QC 8C 7C",
]
SURE_TRICKS = plays(
    *("0 JS 1 KS 3 JC", "0 9S 1 QS 3 9C", "0 AS 1 8S 3 AC", "0 TS 1 7S 3 TC"),
    *("0 JH 1 KH 3 KC", "0 9H 1 QH 3 QC", "0 AH 1 8H 3 8C", "0 TH 1 7H 3 7C"),
)
# The ten of hearts has changed places with the eight: it beats the eight of seat 0.
THIN_DEAL = [SURE_DEAL[0].replace("TH", "8H"), SURE_DEAL[1].replace("8H", "TH"), *SURE_DEAL[2:]]
THIN_TRICKS = plays(
    *("0 JS 1 KS 3 JC", "0 9S 1 QS 3 9C", "0 AS 1 8S 3 AC", "0 8H 1 TH 3 TC"),
    *("1 7S 3 KC 0 TS", "0 JH 1 KH 3 QC", "0 9H 1 QH 3 8C", "0 AH 1 7H 3 7C"),
)


def solo_hand(
    tricks: list[str],
    *,
    variant: str = "twenty-nine",
    options: Options | None = ALONE,
    deal: list[str] | None = None,
    scores: list[int] | UnsetType = UNSET,
) -> Hand:
    """Seat 1 wins the auction, and seat 0, who would lead anyway, announces all tricks alone."""
    calls = ["0 pass", "1 bid 16", "2 pass", "3 pass", "0 pass", "1 trump D"]
    actions = [*calls, "0 solo", *tricks]
    return hand_of(variant, actions, options=options, deal=deal or SURE_DEAL, scores=scores)


def outcome_of(replayed: Replay) -> Outcome:
    assert replayed.verdict == Verdict.VALID, replayed.findings
    assert replayed.outcome is not None
    return replayed.outcome


# --- The single hand


def test_t124_all_eight_tricks_win_three() -> None:
    outcome = outcome_of(replay(solo_hand(SURE_TRICKS, scores=[1, 2])))
    assert (outcome.result, outcome.maker, outcome.alone) == ("made", 0, "solo")
    assert (outcome.stake, outcome.change, outcome.scores) == (3, (3, 0), (4, 2))
    assert (outcome.bid, outcome.points) == (None, (21, 0))


def test_t124_o53_a_29_wins_eight() -> None:
    hand = solo_hand(SURE_TRICKS, variant="lucknow", options=None)
    assert outcome_of(replay(hand)).change == (8, 0)
    lost = solo_hand(THIN_TRICKS, variant="lucknow", options=None, deal=THIN_DEAL)
    assert outcome_of(replay(lost)).change == (-8, 0)


def test_s90_a_lost_trick_loses_as_much() -> None:
    outcome = outcome_of(replay(solo_hand(THIN_TRICKS, deal=THIN_DEAL)))
    assert (outcome.result, outcome.change) == ("set", (-3, 0))


def test_s90_the_record_may_stop_at_the_first_lost_trick() -> None:
    stopped = up_to(solo_hand(THIN_TRICKS, deal=THIN_DEAL), "3 play TC")
    assert outcome_of(replay(stopped)).change == (-3, 0)
    earlier = up_to(stopped, "3 play AC")
    assert replay(earlier).verdict == Verdict.INCOMPLETE
    assert replay(up_to(solo_hand(SURE_TRICKS), "3 play 8C")).verdict == Verdict.INCOMPLETE


def test_s90_it_may_be_said_that_it_is_lost() -> None:
    for text in ("1 decided", "0 decided", "0 concede", "2 concede"):
        stopped = up_to(solo_hand(THIN_TRICKS, deal=THIN_DEAL), "3 play TC")
        stopped = replace(stopped, actions=[*stopped.actions, text])
        assert outcome_of(replay(stopped)).change == (-3, 0)
    # Not before, and not by those who have beaten it.
    early = up_to(solo_hand(THIN_TRICKS, deal=THIN_DEAL), "3 play AC")
    assert codes(replay(replace(early, actions=[*early.actions, "0 decided"]))) == ["not-now"]
    late = up_to(solo_hand(THIN_TRICKS, deal=THIN_DEAL), "3 play TC")
    wrong = replay(replace(late, actions=[*late.actions, "1 concede"]))
    assert codes(wrong) == ["stopped-without-cause"]


def test_o46_without_the_option_there_is_no_such_call() -> None:
    hand = solo_hand(SURE_TRICKS, options=None)
    assert places(replay(hand).findings) == [("not-now", "/actions/6")]


def test_o46_the_announcer_leads_and_the_partner_is_out() -> None:
    assert codes(replay(solo_hand(["1 play KS"]))) == ["wrong-leader"]
    partner = instead(solo_hand(SURE_TRICKS), "1 play KS", "1 play KS", "2 play JD")
    replayed = replay(partner)
    assert places(replayed.findings) == [("played-when-out", "/actions/9")]
    assert replayed.findings[0].rule == "O46 14.players"
    view = replay(solo_hand(SURE_TRICKS)).at(8)
    assert view.out == (False, False, True, False)
    assert view.turn == 1


def test_s90_any_of_the_four_may_announce_and_then_leads() -> None:
    hand = solo_hand([])
    announced = replace(hand, actions=[*hand.actions[:-1], "3 solo", "3 play JC"])
    replayed = replay(announced)
    assert replayed.findings == ()
    assert replayed.at(8).out == (False, True, False, False)


def test_s90_bid_doubles_and_hidden_trumps_are_void() -> None:
    options: Options = {**ALONE, "doubling": "super"}
    hand = instead(solo_hand(SURE_TRICKS, options=options), "1 trump D", "1 trump D", "0 double")
    assert outcome_of(replay(hand)).change == (3, 0)
    # Seat 3 has no spade, and there is nothing to ask for.
    asked = instead(solo_hand(SURE_TRICKS), "3 play JC", "3 ask", "3 play JC")
    assert codes(replay(asked)) == ["ask-without-cause"]


def test_s90_the_usual_order_of_cards_holds() -> None:
    options: Options = {**ALONE, "twos": "suit-reversed"}
    hand = instead(solo_hand(SURE_TRICKS, options=options), "1 trump D", "1 trump S-reversed")
    assert outcome_of(replay(hand)).change == (3, 0)


def test_s90_the_seventh_card_is_part_of_the_hand_again() -> None:
    options: Options = {**ALONE, "seventh_card": True}
    hand = instead(solo_hand(SURE_TRICKS, options=options), "1 trump D", "1 trump seventh")
    assert outcome_of(replay(hand)).change == (3, 0)


@pytest.mark.parametrize(
    ("first", "second", "plays_it", "found"),
    [
        (3, 1, 1, []),
        (1, 3, 1, ["solo-not-allowed"]),
        (2, 0, 0, []),
        (3, 3, 3, ["solo-not-allowed"]),
    ],
)
def test_s90_of_two_who_want_it_the_nearer_in_turn_has_it(
    first: int, second: int, plays_it: int, found: list[str]
) -> None:
    hand = solo_hand([])
    actions = [*hand.actions[:-1], f"{first} solo", f"{second} solo"]
    replayed = replay(replace(hand, actions=actions))
    assert codes(replayed) == found
    assert replayed.at(len(actions)).turn == plays_it


def test_o46_not_after_the_first_lead() -> None:
    hand = solo_hand([])
    late = [*hand.actions[:-1], "0 play JS", "1 solo"]
    assert codes(replay(replace(hand, actions=late))) == ["solo-not-allowed"]


def test_o53_the_partner_lays_the_hand_open() -> None:
    def shown(options: Options | None, text: str) -> list[str]:
        hand = solo_hand(SURE_TRICKS, variant="lucknow", options=options)
        return codes(replay(instead(hand, "0 solo", "0 solo", text)))

    assert shown(None, f"2 show {SURE_DEAL[2]}") == []
    assert shown(None, "2 show JC") == ["card-not-held"]
    assert shown(None, f"1 show {SURE_DEAL[1]}") == ["not-now"]
    hidden: Options = {"solo": "partner-hidden", "solo_stake": 3}
    assert shown(hidden, f"2 show {SURE_DEAL[2]}") == ["not-now"]


def test_o53_what_the_partner_shows_is_known() -> None:
    hand = instead(
        replace(solo_hand(SURE_TRICKS, variant="lucknow", options=None), deal=UNSET),
        "0 solo",
        *("0 solo", f"2 show {SURE_DEAL[2]}"),
    )
    replayed = replay(hand)
    assert replayed.verdict == Verdict.VALID
    assert replayed.at(8).holdings[2] == card_set(SURE_DEAL[2])


def test_o47_s91_not_with_a_certain_hand() -> None:
    options: Options = {**ALONE, "certain_solo": False}
    certain = replay(solo_hand(SURE_TRICKS, options=options))
    assert places(certain.findings) == [("solo-not-allowed", "/actions/6")]
    assert certain.findings[0].rule == "O46 14.players O47"
    assert certain.outcome is not None
    assert certain.outcome.change == (3, 0)
    assert outcome_of(replay(solo_hand(THIN_TRICKS, options=options, deal=THIN_DEAL))).stake == 3
    # What is not known cannot be proved certain.
    unknown = replace(solo_hand(SURE_TRICKS, options=options), deal=UNSET)
    assert replay(up_to(unknown, "0 solo")).findings == ()


@pytest.mark.parametrize(
    ("hand", "certain"),
    [
        # n cards in hand, m outside, t of them on top: certain if t >= min(n, m) in each suit.
        ("JS 9S AS TS JH 9H AH TH", True),
        ("JS 9S AS TS JH 9H AH 8H", False),
        ("JS 9S AS TS KS 8S JH 9H", True),
        ("JS 9S AS TS 8S 7S JH 9H", True),
        ("JS 9S AS KS 8S 7S JH 9H", True),
        ("JS 9S TS KS 8S 7S JH 9H", True),
        ("9S AS TS KS QS 8S 7S JH", False),
        ("JS 9S AS TS KS QS 8S 7S", True),
        ("JS AS TS KS QS 8S 7S JH", True),
        ("JS JH JD JC 9S 9H 9D 9C", True),
        ("JS JH JD JC 9S 9H 9D AC", False),
        ("JS 9S AS TS KS QS 8S 8H", False),
    ],
)
def test_s91_when_a_hand_is_certain(hand: str, *, certain: bool) -> None:
    state = State(maker=2)
    state.holding[0] = card_set(hand)
    assert solo.is_certain(state, rules_of("twenty-nine"), 0) == certain


# --- Tenny


FIRST_CARDS = ["JS 9S JH 9H", "AS TS AH TH", "JD 9D AD TD", "JC 9C AC TC"]
TENNY_TRICKS = plays("0 JS 1 AS 3 JC", "0 9S 1 TS 3 9C", "0 JH 1 AH 3 AC", "0 9H 1 TH 3 TC")
# Without the nine of hearts the last trick is lost.
THREE_TRICKS = ["JS 9S JH 8H", *FIRST_CARDS[1:]]
LOST_TRICKS = plays("0 JS 1 AS 3 JC", "0 9S 1 TS 3 9C", "0 JH 1 AH 3 AC", "0 8H 1 TH 3 TC")


def tenny_hand(tricks: list[str], *calls: str, deal: list[str] | None = None) -> Hand:
    actions = [*(calls or ["0 tenny"]), *tricks]
    return hand_of("lucknow", actions, deal=deal or FIRST_CARDS, scores=[0, 0])


def test_t131_four_tricks_win_four() -> None:
    outcome = outcome_of(replay(tenny_hand(TENNY_TRICKS)))
    assert (outcome.alone, outcome.stake, outcome.change) == ("tenny", 4, (4, 0))
    assert outcome.points == (21, 0)


def test_t131_three_tricks_lose_four_and_the_record_may_stop_there() -> None:
    replayed = replay(tenny_hand(LOST_TRICKS, deal=THREE_TRICKS))
    assert outcome_of(replayed).change == (-4, 0)
    led_low = plays("0 8H 1 AH 3 JC")
    assert outcome_of(replay(tenny_hand(led_low, deal=THREE_TRICKS))).change == (-4, 0)
    won = plays("0 JS 1 AS 3 JC")
    assert replay(tenny_hand(won)).verdict == Verdict.INCOMPLETE


def test_t131_no_second_deal() -> None:
    deal = [f"{first} {second}" for first, second in zip(FIRST_CARDS, SECOND_CARDS, strict=True)]
    replayed = replay(tenny_hand(TENNY_TRICKS, deal=deal))
    assert outcome_of(replayed).change == (4, 0)
    view = replayed.at(1)
    assert [holding.bit_count() for holding in view.holdings] == [4, 4, 4, 4]
    # The nine of clubs is out, the king of spades was never dealt.
    wrong = instead(tenny_hand(TENNY_TRICKS, deal=deal), "1 play AS", "1 play KS")
    assert codes(replay(wrong)) == ["card-not-held"]


SECOND_CARDS = ["KD QD 8D 7D", "KS QS 8S 7S", "KH QH 8H 7H", "KC QC 8C 7C"]


def test_o52_the_declarer_leads_and_the_partner_is_out() -> None:
    lead = tenny_hand(["1 play AS"])
    assert codes(replay(lead)) == ["wrong-leader"]
    partner = replay(tenny_hand(["0 play JS", "2 play JD"]))
    assert codes(partner) == ["played-when-out"]
    assert partner.findings[0].rule == "16.auction O52 S95"
    assert codes(replay(tenny_hand([f"2 show {FIRST_CARDS[2]}", *TENNY_TRICKS]))) == []


def test_s95_three_players_follow_suit_in_the_usual_order() -> None:
    revoke = tenny_hand(plays("0 JS 1 AH"))
    assert codes(replay(revoke)) == ["revoke"]
    assert codes(replay(tenny_hand(["0 play JS", "1 play AS", "3 ask"]))) == ["ask-without-cause"]


def test_o52_without_the_option_the_call_is_illegal() -> None:
    for variant in ("twenty-nine", "bangladesh"):
        hand = replace(hand_of(variant, ["0 tenny"]), dealer=3)
        assert codes(replay(hand)) == ["not-now"]


def test_s95_in_the_place_of_a_call_or_before_the_auction() -> None:
    rules = rules_of("lucknow")
    state = auction_table(rules)
    offered = [engine.legal(state, rules, seat).verbs for seat in range(4)]
    for seat, verbs in enumerate(offered):
        assert verbs >> Verb.TENNY & 1
        assert judged(state, rules, f"{seat} tenny") == []
    assert do(state, rules, "0 bid 16") == []
    assert judged(state, rules, "1 tenny") == []
    for seat in (0, 2, 3):
        assert judged(state, rules, f"{seat} tenny") == ["bid-out-of-turn"]


def test_s95_it_ends_the_auction() -> None:
    bid = replay(tenny_hand([], "0 tenny", "1 bid 16"))
    assert codes(bid) == ["not-now"]
    late = replay(tenny_hand([], "0 bid 16", "1 tenny"))
    assert late.findings == ()
    assert late.at(2).phase == "play"
    assert late.at(2).turn == 1


@pytest.mark.parametrize(
    ("first", "second", "plays_it", "found"),
    [(2, 0, 0, []), (0, 2, 0, ["solo-not-allowed"]), (3, 1, 1, [])],
)
def test_s95_of_two_who_want_it_the_first_in_turn_has_it(
    first: int, second: int, plays_it: int, found: list[str]
) -> None:
    replayed = replay(tenny_hand([], f"{first} tenny", f"{second} tenny"))
    assert codes(replayed) == found
    assert replayed.at(2).turn == plays_it


def test_s95_after_a_call_the_turn_decides() -> None:
    replayed = replay(tenny_hand([], "0 pass", "1 tenny", "0 tenny"))
    assert codes(replayed) == ["solo-not-allowed"]
    assert replayed.at(3).turn == 1
