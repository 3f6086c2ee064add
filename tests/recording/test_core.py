"""The recorder without a page: any hand goes in, action by action, and nothing is lost."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.sound_hands import alone_with_trumps
from tests.kit.tiers import some
from tricklog.core import Verdict, generate, replay, variants
from tricklog.core.recording import finishing
from tricklog.core.recording.draft import PASSED_OVER, Draft, RecordingError
from tricklog.core.recording.evening import begin, mend, next_hand, undo_hand
from tricklog.core.recording.moment import moment_of
from tricklog.ingest.recording.people import calls, known_people, person, players_of, seat_called
from tricklog.ingest.recording.words import quick_choices
from tricklog.schemas.actions import Verb, parse_action
from tricklog.schemas.hand import Hand, Known, Player, RulesRef, decode_hand, encode_hand
from tricklog.schemas.player_ids import id_of_name

FOUR = [Player(id=name) for name in ("ann", "bo", "cy", "dee")]
PEDRO = RulesRef("pedro")


def after(draft: Draft, *choices: str) -> Draft:
    for choice in choices:
        draft = draft.taking(choice)
    return draft


def begun(*choices: str, rules: RulesRef = PEDRO) -> Draft:
    return after(begin("sunday", rules, FOUR, dealer=3).draft, *choices)


CALLED = ("0 bid 7", "1 pass", "2 pass", "3 pass", "0 trump S")


def draft_of(hand: Hand) -> Draft:
    draft = Draft(
        id=hand.id,
        game=str(hand.game),
        number=int(hand.hand or 1),
        rules=hand.rules,
        players=tuple(hand.players),
        dealer=hand.dealt_by,
        scores=tuple(hand.scores or ()),
        started_at=str(hand.started_at),
    )
    dealt = (f"deal {seat} {cards}" for seat, cards in enumerate(hand.deal or ()))
    return after(draft, *dealt, f"kitty {hand.kitty}", f"stock {hand.stock}")


def taken(draft: Draft, text: str) -> Draft:
    """Return the draft after an action that is offered, once others have let the turn pass."""
    action = parse_action(text)
    for _ in range(30):
        moment = moment_of(draft)
        if moment.offer(action.seat, Verb(action.verb)):
            return draft.taking(text)
        out = moment.turn is not None and moment.offer(moment.turn, Verb.OUT)
        assert out or moment.may_pass_over, (text, moment.sentence)
        draft = draft.taking(f"{moment.turn} out" if out else PASSED_OVER)
    raise AssertionError(f"{text} is never offered")


def sampled(folder: Path) -> list[Hand]:
    paths = some(sorted(folder.glob("*.jsonl")), 2)
    logs = [path.read_bytes().splitlines() for path in paths]
    return [decode_hand(line) for line in (*(log[0] for log in logs), logs[0][-1])]


def question(draft: Draft, choice: str) -> str:
    asked = finishing.asked_before(draft, [choice])
    return asked.sentence if asked else ""


@pytest.mark.parametrize("variant", variants())
def test_any_hand_is_recorded_action_by_action(variant: str, repository: Path) -> None:
    hands = sampled(repository / "sample_logs/valid" / variant)
    for hand in some(hands, 1):
        draft = draft_of(hand)
        for text in hand.actions:
            assert question(draft, text) == ""
            draft = taken(draft, text)
            assert draft.undo().choices == draft.choices[:-1]
            assert draft.undo().redo() == draft
        moment = moment_of(draft)
        assert moment.is_over or moment.may_pass_over
        assert encode_hand(finishing.finished(draft).hand) == encode_hand(hand)
    # 0.record: who records at the table sees no hand but what is played of it.
    draft = replace(draft_of(hands[0]), choices=())
    for text in hands[0].actions:
        assert question(draft, text) == ""
        draft = taken(draft, text)
    ended = finishing.finished(draft)
    assert ended.replayed.verdict in (Verdict.VALID, Verdict.DOUBTFUL)
    assert ended.hand.deal is UNSET


@pytest.mark.parametrize(
    ("variant", "number", "verb"),
    [("twenty-nine", 3, "pair"), ("bangladesh", 12, "throw-in"), ("bangladesh", 5, "reveal")],
)
@pytest.mark.parametrize("trump", ["*", ""])
def test_what_hangs_on_cards_that_nobody_sees_is_offered(
    variant: str, number: int, verb: str, trump: str
) -> None:
    """0.record: neither hands nor hidden trumps are known to who records at the table."""
    hand = next(each for each in generate(variant, 1, seed=11) if each.hand == number)
    draft = replace(draft_of(hand), choices=())
    for text in hand.actions:
        seat, done, *what = text.split()
        draft = taken(draft, f"{seat} trump {trump or what[0]}" if done == "trump" else text)
    assert verb in " ".join(draft.told().actions)
    assert finishing.finished(draft).replayed.verdict != Verdict.IRREGULAR


def test_who_announces_a_single_hand_is_asked_for_its_trumps() -> None:
    """O87: nothing else may be done before, and the play goes on with them."""
    hand = replace(alone_with_trumps(), stock="", kitty="")
    draft = draft_of(hand)
    for text in hand.actions:
        offers = moment_of(draft).offers
        if text == "0 trump S":
            assert [(each.seat, each.verb, each.trumps) for each in offers] == [
                (0, Verb.TRUMP, (0, 1, 2, 3))
            ]
        draft = taken(draft, text)
    ended = finishing.finished(draft).replayed
    assert (ended.verdict, ended.hand.actions) == (Verdict.VALID, hand.actions)


def test_an_illegal_card_is_a_question_and_is_kept_as_it_happened() -> None:
    """1.follow: a card of the suit led, shown later, makes the plain card before it a revoke."""
    draft = begun(*CALLED, "gap exchange")
    for text in ("0 play AS", "1 play 2S", "2 play 3S", "3 play 4S", "0 play AH", "1 play 3C"):
        assert question(draft, text) == ""
        assert moment_of(draft).offer(int(text[0]), Verb.PLAY)
        draft = draft.taking(text)
    draft = after(draft, "2 play 3H", "3 play 4H", "0 play KS")
    asked = finishing.asked_before(draft, ["1 play QH"])
    assert asked is not None
    assert "while holding" in asked.sentence
    assert not asked.is_last
    kept = draft.taking("1 play QH")
    assert [finding.code for finding in finishing.finished(kept).replayed.findings] == ["revoke"]
    assert question(kept, "2 play 5S") == ""
    assert "Q♥" in question(kept, "2 play QH")


def bid_for_hearts(*choices: str) -> Draft:
    """King Pedro up to the exchange, with some of that."""
    called = ("0 bid 30", "1 pass", "2 pass", "3 pass", "0 trump H")
    return begun(*called, *choices, rules=RulesRef("king-pedro"))


KITTY = "0 kitty 2S 3S 4S 5S"


def test_a_gap_accuses_nobody() -> None:
    """8.surplus: surplus that was not laid off is buried, but who knows what was laid off?"""
    for exchange, play, at, told in (
        ([KITTY], "0 play AH", 6, "is to lay off"),
        (["0 kitty ? ? ? ?"], "0 play AH", 6, "to be buried"),
        ([KITTY, "0 discard 2S 3S 4S 5S ? ? ? ? ? ?", "0 play AH"], "1 play 2H", 7, "to be buried"),
    ):
        draft = bid_for_hearts(*exchange)
        assert told in question(draft, play)
        left_out = finishing.exchange_left_out(draft, [play])
        assert left_out.choices == (*draft.choices[:at], "gap exchange", *draft.choices[at:])
        assert question(left_out, play) == ""
        assert not finishing.finished(left_out.taking(play)).replayed.findings


def test_who_has_laid_off_too_little_is_asked_about_the_surplus() -> None:
    draft = bid_for_hearts(KITTY, "0 discard 2S 3S")
    assert finishing.exchange_left_out(draft, ["0 play AH"]) is draft
    assert "to be buried" in question(draft, "0 play AH")
    # What has no exchange gets no gap.
    draft = begun(*CALLED)
    assert finishing.exchange_left_out(draft, ["0 play AS"]) is draft


def test_points_alone_give_change_and_scores() -> None:
    """1.score: the side that is set loses its bid, the others score what they took."""
    evening = begin("sunday", PEDRO, FOUR, dealer=3, scores=(16, 3), quick=True)
    draft = after(evening.draft, "maker 2", "bid 9", "trump D", "points 0 8", "points 1 6")
    ended = finishing.finished(draft)
    assert (ended.change, ended.scores, ended.outcome.result) == ((-9, 6), (7, 9), "set")
    assert ended.replayed.verdict == Verdict.PARTIAL
    assert ended.hand.known == Known(maker=2, bid=9, trump="D")
    following = next_hand(replace(evening, draft=draft)).draft
    assert (following.dealer, following.number, following.scores) == (0, 2, (7, 9))
    assert following.told().is_quick
    assert replay(ended.hand).findings == ()
    # A game that is won is followed by another.
    evening = begin("sunday", PEDRO, FOUR, dealer=1, scores=(55, 20), quick=True)
    draft = after(evening.draft, "maker 0", "bid 7", "points 0 14", "points 1 0")
    then = next_hand(replace(evening, draft=draft)).draft
    assert (then.game, then.number, then.scores, then.dealer) == ("sunday/2", 1, (0, 0), 2)


def test_made_or_set_is_said_where_a_pair_or_hidden_trumps_may_decide_it() -> None:
    """T110, S81: 19 of 16 points are too few if the other side declared king and queen."""
    evening = begin("sunday", RulesRef("twenty-nine"), FOUR, dealer=3, quick=True)
    open_ended = evening.draft
    for choice in quick_choices("cy 16 19 9", open_ended):
        open_ended = open_ended.taking(choice)
    ended = finishing.finished(open_ended)
    asked = finishing.asked_before_saving(ended)
    assert asked
    assert "Say made or set" in asked.sentence
    assert ended.scores == (None, None)
    for result, change in (("made", (1, 0)), ("set", (-1, 0))):
        told = after(evening.draft, *quick_choices(f"cy 16 19 9 {result}", evening.draft))
        ended = finishing.finished(told)
        assert (ended.change, ended.scores, ended.outcome.result) == (change, change, result)
        assert finishing.asked_before_saving(ended) is None
        assert ended.replayed.findings == ()
        assert finishing.finished(after(told, "result -")).scores == (None, None)
    refused = finishing.asked_before(evening.draft, quick_choices("cy 20 9 made", evening.draft))
    assert refused
    assert "with 9 of 16 or 20 or 24 points it was set" in refused.sentence


def test_a_mended_hand_carries_to_those_after_it() -> None:
    evening = begin("sunday", PEDRO, FOUR, dealer=0, quick=True)
    for points in (("points 0 10", "points 1 4"), ("points 0 9", "points 1 5")):
        draft = after(evening.draft, "maker 0", "bid 8", *points)
        evening = next_hand(replace(evening, draft=draft))
    assert evening.draft.scores == (19, 9)
    opened = mend(evening, 0)
    mended = next_hand(replace(opened, draft=after(opened.draft, "points 0 7", "points 1 7")))
    assert mended.draft.scores == (1, 12)
    assert [each.scores for each in mended.hands()] == [(-8, 7), (1, 12)]
    assert undo_hand(mended).draft == mended.done[1]
    with pytest.raises(RecordingError, match="in the log already"):
        mend(replace(mended, written=2), 1)


def test_a_hand_that_stops_says_that_the_rest_is_missing() -> None:
    draft = begun(*CALLED)
    assert finishing.finished(draft).replayed.verdict == Verdict.INCOMPLETE
    ended = finishing.finished(after(draft, "rest", "points 0 9", "points 1 5"))
    assert ended.replayed.verdict == Verdict.PARTIAL
    assert (ended.outcome.result, ended.change) == ("made", (9, 5))


def test_deals_are_entered_from_the_tricks(repository: Path) -> None:
    hand = sampled(repository / "sample_logs/valid/pidro")[0]
    draft = replace(draft_of(hand), choices=tuple(hand.actions))
    if hand.deal is not UNSET:
        draft = after(draft, *finishing.dealt_from_play(draft))
        assert finishing.finished(draft).replayed.findings == ()
        for seat, cards in draft.told().deal.items():
            named = {card for card in cards.split() if card != "?"}
            assert named
            assert named <= set(hand.deal[seat].split())
    # Two packets are not guessed.
    hand = sampled(repository / "sample_logs/valid/twenty-nine")[0]
    draft = replace(draft_of(hand), choices=tuple(hand.actions))
    with pytest.raises(RecordingError, match="two packets"):
        finishing.dealt_from_play(draft)


def test_what_makes_no_sense_or_no_log_can_hold_is_refused() -> None:
    for choice, why in (
        ("0 fly 7", "is not a verb"),
        ("6 pass", "seats are 0 to 3"),
        ("maker 4", "seats are 0 to 3"),
        ("points 0 many", "not a whole number"),
        ("trump X", "name one of"),
        ("result won", "say one of made, set"),
        ("deal 0 ZZ", "is not a card"),
        (f"remark {'x' * 2001}", r"2,000 characters at most; this has 2,001"),
    ):
        with pytest.raises(RecordingError, match=why):
            begun(choice)
        assert begun(f"remark {'x' * 2000}").told().remark == "x" * 2000


def test_a_wrong_table_is_refused() -> None:
    for players, scores, why in (
        (FOUR[:3], (0, 0), "player"),
        ([*FOUR[:3], FOUR[0]], (0, 0), "two seats"),
        ([Player(id="A" * 201), *FOUR[1:]], (0, 0), "200 characters"),
        (FOUR, (1_000_001, 0), "within 1,000,000"),
    ):
        with pytest.raises(RecordingError, match=why):
            begin("sunday", PEDRO, players, dealer=0, scores=scores)


# --- Who sits at the table
def test_an_id_that_is_known_for_a_name_is_kept() -> None:
    known = known_people([("club:7", "Ann"), ("Bo", "Bo"), ("bo", "bo"), ("other", "ann")])
    assert known == {"Ann": "club:7", "Bo": "bo"}
    assert [person(name, known).id for name in (" ANN ", "Bo", "Eve")] == ["club:7", "bo", "eve"]


def test_a_seat_is_called_by_name_or_id_in_any_case() -> None:
    players = players_of("Ann Lee, Bo <bo7>, Cy, Robo (bot)")
    found = [seat_called(players, name) for name in ("ann  lee", "BO7", "cy", "eve")]
    assert found == [0, 1, 2, None]
    assert players[3].kind == "bot"
    with pytest.raises(RecordingError, match="'<>' is no player"):
        players_of("Ann, <>, Cy, Dee")
    # A name that two have is asked back.
    players = players_of("Ann, Ann <ann-2>, Åsa, Asa")
    assert [seat_called(players, name) for name in ("ann", "ANN-2", "åsa", "ASA")] == [0, 1, 2, 3]
    assert calls(players) == ["ann", "ann-2", "åsa", "asa"]
    with pytest.raises(RecordingError, match="Ann is ann or ann-2: type the id"):
        seat_called(players, "Ann")


@given(st.text(max_size=30))
def test_the_id_of_a_name_has_no_spaces_and_is_its_own_id(name: str) -> None:
    found = id_of_name(name)
    assert not any(map(str.isspace, found))
    assert id_of_name(f"  {name} ") == found
    assert id_of_name(unicodedata.normalize("NFD", name)) == id_of_name(
        unicodedata.normalize("NFC", name)
    )
