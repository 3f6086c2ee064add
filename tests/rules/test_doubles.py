"""Raising the stake after trumps are chosen (docs/rules/15; O42 to O45, S89, C27)."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from replay import Verdict, replay
from replay.engine import engine
from replay.engine.policies import Phase
from schemas.actions import VERB_NAMES
from schemas.hand import Hand
from tests.kit.sound_hands import instead, twenty_nine
from tests.kit.support import Options, auction_table, codes, do, hand_of, judged, places, rules_of

# Seat 0 bids 16 with spades as trumps, and takes just 16 points.
WORDS = ("double", "redouble", "super")


def raised(*words: str, options: Options | None = None, bid: int = 16) -> Hand:
    hand = instead(replace(twenty_nine(), claimed=UNSET), "0 trump S", "0 trump S", *words)
    hand = instead(hand, "0 bid 16", f"0 bid {bid}")
    return replace(hand, rules=replace(hand.rules, options=dict(options) if options else UNSET))


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ((), 1),
        (("1 double",), 2),
        (("3 double", "2 redouble"), 4),
        (("1 double", "0 redouble", "3 super"), 6),
    ],
)
def test_t122_o42_o43_o44_each_word_raises_the_stake(words: tuple[str, ...], change: int) -> None:
    for bid, sign in ((16, 1), (17, -1)):
        hand = raised(*words, options={"doubling": "super"}, bid=bid)
        replayed = replay(hand)
        assert replayed.verdict == Verdict.VALID
        assert replayed.outcome is not None
        assert replayed.outcome.change == (sign * change, 0)
    won = replay(replace(raised(*words, options={"doubling": "super"}), scores=[-2, 3])).outcome
    assert won is not None
    assert won.scores == (-2 + change, 3)


@pytest.mark.parametrize("reach", range(4))
def test_o42_o43_o44_c27_each_word_needs_its_option(reach: int) -> None:
    options: Options = {"doubling": ("none", *WORDS)[reach]}
    words = ("1 double", "0 redouble", "3 super")
    found = codes(replay(raised(*words, options=options)))
    if reach == 0:
        assert found == ["not-now"]
        return
    # What goes too far is a finding, and the stake stays where it was.
    assert found == ["double-not-allowed"] * (3 - reach)
    outcome = replay(raised(*words, options=options)).outcome
    assert outcome is not None
    assert outcome.stake == (2, 4, 6)[reach - 1]


@pytest.mark.parametrize(
    "words",
    [
        ("0 double",),
        ("2 double",),
        ("1 redouble",),
        ("1 super",),
        ("1 double", "3 double"),
        ("1 double", "3 redouble"),
        ("1 double", "0 redouble", "2 super"),
        ("1 double", "0 redouble", "1 super", "0 super"),
    ],
)
def test_s89_once_each_doublers_makers_doublers(words: tuple[str, ...]) -> None:
    replayed = replay(raised(*words, options={"doubling": "super"}))
    last = 4 + len(words)
    assert places(replayed.findings) == [("double-not-allowed", f"/actions/{last}")]
    assert replayed.findings[0].rule.split()[0] == "O44"
    assert replayed.outcome is not None
    assert replayed.outcome.stake == (1, 2, 4, 6)[len(words) - 1]


def test_s89_who_of_the_partners_speaks_is_free() -> None:
    rules = rules_of("twenty-nine", {"doubling": "super"})
    state = auction_table(rules)
    for text in ("0 bid 16", "1 pass", "2 pass", "3 pass", "0 trump S"):
        assert do(state, rules, text) == []
    for word, sides in (("double", (1, 3)), ("redouble", (0, 2)), ("super", (1, 3))):
        for seat in range(4):
            verbs = engine.legal(state, rules, seat).verbs
            names = {name for verb, name in VERB_NAMES.items() if verbs >> verb & 1}
            assert names == ({word, "pass"} if seat in sides else set())
            expected = [] if seat in sides else ["double-not-allowed"]
            assert judged(state, rules, f"{seat} {word}") == expected
            assert judged(state, rules, f"{seat} pass") == ([] if seat in sides else ["not-now"])
        assert do(state, rules, f"{sides[1]} {word}") == []
    assert state.phase == Phase.PLAY
    assert state.doubles == 3


def test_s89_that_nobody_raises_it_may_be_said_or_left_out() -> None:
    options: Options = {"doubling": "double"}
    said = replay(raised("1 pass", "3 pass", options=options))
    left_out = replay(raised(options=options))
    assert said.findings == left_out.findings == ()
    assert said.outcome == left_out.outcome
    assert (said.at(5).phase, said.at(5).choice.sentence) == ("double", "bo may double or pass.")
    # A record that shows no such word has the cards dealt at once.
    assert left_out.at(5).phase == "play"
    assert codes(replay(raised("1 pass", "1 double", options=options))) == ["double-not-allowed"]


@pytest.mark.parametrize("text", ["0 bid 16", "0 reveal S", "3 play KC"])
def test_o42_only_between_trumps_and_the_second_deal(text: str) -> None:
    hand = instead(raised(options={"doubling": "double"}), text, text, "1 double")
    expected = "not-now" if text == "0 bid 16" else "double-not-allowed"
    assert codes(replay(hand)) == [expected]


def test_o42_before_the_second_four_are_dealt() -> None:
    hand = raised("1 double", options={"doubling": "double"})
    replayed = replay(hand)
    assert [holding.bit_count() for holding in replayed.at(5).holdings] == [4, 4, 4, 4]
    assert [holding.bit_count() for holding in replayed.at(6).holdings] == [8, 8, 8, 8]


# --- Automatic double


AUTOMATIC: Options = {"auto_double": 21, "doubling": "redouble"}


@pytest.mark.parametrize(
    ("bid", "words", "stake"),
    [
        (20, (), 1),
        (20, ("1 double",), 2),
        (20, ("1 double", "0 redouble"), 4),
        (21, (), 2),
        (21, ("1 double",), 4),
    ],
)
def test_o45_c28_bids_from_21_start_at_two(bid: int, words: tuple[str, ...], stake: int) -> None:
    replayed = replay(raised(*words, options=AUTOMATIC, bid=bid))
    assert replayed.verdict == Verdict.VALID
    assert replayed.outcome is not None
    assert (replayed.outcome.stake, replayed.outcome.change) == (stake, (-stake, 0))


@pytest.mark.parametrize("doubling", ["redouble", "super"])
def test_o45_no_further_step_above_four(doubling: str) -> None:
    options: Options = {**AUTOMATIC, "doubling": doubling}
    for word in ("0 redouble", "0 super", "3 super", "0 double"):
        replayed = replay(raised("1 double", word, options=options, bid=21))
        assert places(replayed.findings) == [("double-not-allowed", "/actions/6")]
        assert replayed.outcome is not None
        assert replayed.outcome.stake == 4


def test_o45_without_doubles_it_stays_at_two() -> None:
    replayed = replay(raised("1 double", options={"auto_double": 21}, bid=21))
    assert codes(replayed) == ["not-now"]


def test_17_score_double_and_redouble_in_bangladesh() -> None:
    calls = ["2 bid 16", "1 pass", "3 pass", "0 pass", "2 trump S"]
    for words, found in (
        (["3 double", "0 redouble"], []),
        (["3 double", "0 redouble", "1 super"], ["double-not-allowed"]),
    ):
        hand = hand_of("bangladesh", [*calls, *words])
        assert codes(replay(hand)) == found
