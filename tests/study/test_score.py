"""What points are worth in score, where points do not tell, and how points were lost."""

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.open_play import SHAPES, some_plays
from tests.kit.page_blocks import REPOSITORY
from tests.kit.rule_cases import rows_in
from tests.kit.support import Options, card_set, play_table, plays, rules_of
from tests.kit.tiers import scaled
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Defenders
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules.history import History, record_action
from tricklog.core.solver import score
from tricklog.core.solver.answer import CARD, SILENCE, SURPLUS
from tricklog.core.solver.losses import kind_of_loss
from tricklog.core.study import LossKind as Kind
from tricklog.core.study import OpenScore, Refused
from tricklog.core.study.open_cards import LOSS_KINDS
from tricklog.core.study.refusals import NO_SCORE
from tricklog.schemas.actions import TRUMP_CODES, parse_action
from tricklog.schemas.cards import parse_cards

Hands = Mapping[int, str]
PEDRO = {0: "AS KS 9C", 1: "5S 2H 3H", 2: "JS 4H 6H", 3: "TS 7H 8H"}
"""On the table lie AS JS TS, 1 each, and 5S: 8 points."""
EVEN = {
    0: "JS 9S JH 9H JD 9D JC 9C",
    1: "AS TS AH TH AD TD AC TC",
    2: "KS 8S KH 8H KD 8D KC 8C",
    3: "QS 7S QH 7H QD 7D QC 7C",
}
"""As many cards of each suit in all hands, king and queen of no suit in one of them."""
UNEVEN = EVEN | {0: "JS 9S JH 9H JD 9D 8D JC", 2: "KS 8S KH 8H KD KC 8C 9C"}
LONG = {
    0: "JS 9S AS JH 9H JD 9D JC",
    1: "TS AH TH AD TD AC TC 9C",
    2: "KS QS KH 8H KD 8D KC 8C",
    3: "8S 7S QH 7H QD 7D QC 7C",
}
"""King and queen of spades are in one hand."""


def table(rules: Rules, hands: Hands = PEDRO, bid: int = 7, *, shown: bool = True) -> State:
    state = play_table(rules, "S", hands, shown=shown)
    state.high_bid = bid
    return state


def reason(state: State, rules: Rules, need: int) -> str | None:
    """Return why there is no score by points, if there is none: the name of its sentence."""
    before = copy_state(state)
    sentences = {sentence: name for name, sentence in NAMED.items()}
    try:
        OpenScore(state, rules, need)
    except Refused as why:
        assert state == before
        return sentences[str(why)]
    assert state == before
    return None


NAMED = {
    name: NO_SCORE[getattr(score, name)]
    for name in (
        *("NOT_MONOTONE", "MAY_BE_VOID", "SWEEP", "PAIR_AND_POINTS", "GAME_BY_COUNT", "SHARED"),
        *("POINTS_LOST", "NO_MAKER"),
    )
}
HALF: Options = {"half_rule": "less-than-half"}
O13: Options = {"made": "difference", "failed": "nothing", "defenders": "bid-and-own-if-set"}


@pytest.mark.parametrize(
    ("game", "options", "hands", "bid", "due"),
    [
        # Makers score what they take, or lose the bid, and others what they take.
        ("pedro", {}, PEDRO, 7, {8: 8, 7: 7 - 1, 6: -7 - 2, 0: -7 - 8}),
        # By the difference only the side ahead scores.
        ("pedro", O13, PEDRO, 7, {7: 7 - 1, 6: -(7 + 2)}),
        # Half of the bid costs double.
        ("twenty-nine", HALF, UNEVEN, 16, {0: -2, 7: -2, 8: -1, 15: -1, 16: 1, 28: 1}),
    ],
)
def test_points_have_their_score(
    game: str, options: Options, hands: Hands, bid: int, due: dict[int, int]
) -> None:
    """By points that the makers take: their score less that of the others."""
    rules = rules_of(game, options)
    found = OpenScore(table(rules, hands, bid, shown=game == "pedro"), rules, bid)
    assert {points: found.change(points) for points in due} == due


def test_points_lost_stakes_and_tricks_of_a_hand_alone_are_in_the_score() -> None:
    rules = rules_of("king-pedro", {"failed": "minus-points"})
    found = OpenScore(table(rules), rules, 7)
    spades = rules.points[TRUMP_CODES["S"]]
    there = sum(spades[card] for card in parse_cards("AS KS 5S JS TS"))
    assert {found.change(points) for points in range(7)} == {-there}
    rules = rules_of("twenty-nine")
    state = table(rules, UNEVEN, 16, shown=False)
    state.doubles = 2
    found = OpenScore(state, rules, 16)
    assert (found.change(15), found.change(16)) == (-4, 4)
    rules = rules_of("twenty-nine", {"solo": "partner-hidden"})
    state = play_table(rules, "S", UNEVEN)
    state.solo = 0
    found = OpenScore(state, rules, 8)
    stake = rules.solo_stake
    assert [found.change(tricks) for tricks in (0, 7, 8)] == [-stake, -stake, stake]


@pytest.mark.parametrize(
    ("hands", "options", "shown", "due"),
    [
        # 2 of each suit in all hands: trumps may never come out, and the hand is void (S81).
        (EVEN, {}, False, "MAY_BE_VOID"),
        (UNEVEN, {}, False, None),
        (EVEN, {}, True, None),
        (EVEN, {"unshown": "counts"}, False, None),
        # Where asking is free any hand can be void.
        (UNEVEN, {"ask": "optional"}, False, "MAY_BE_VOID"),
        (UNEVEN, {"ask": "optional"}, True, None),
        (UNEVEN, {"sweep": "doubles"}, False, "SWEEP"),
        # Half of the bid, and a pair.
        (LONG, HALF, False, "PAIR_AND_POINTS"),
        (LONG, {}, False, None),
        (UNEVEN, HALF, False, None),
    ],
)
def test_twenty_nine_has_a_score_by_points_or_a_reason(
    hands: Hands, options: Options, due: str | None, *, shown: bool
) -> None:
    rules = rules_of("twenty-nine", options)
    assert reason(table(rules, hands, 16, shown=shown), rules, 16) == due


def test_elsewhere_there_is_a_score_by_points_or_a_reason() -> None:
    """Minus the points taken (C18), the game point by count (C15), several others, no maker."""
    rules = deepcopy(rules_of("king-pedro", {"failed": "minus-points"}))
    assert reason(table(rules), rules, 7) is None
    rules.defenders = Defenders.NOTHING
    assert reason(table(rules), rules, 7) == "NOT_MONOTONE"
    rules = SHAPES["pitch-with-fives-C15"].rules
    assert reason(table(rules), rules, 7) == "GAME_BY_COUNT"
    rules = deepcopy(rules_of("sancho", seats=5))
    hands = PEDRO | {4: "9S 9H TH"}
    assert reason(table(rules, hands), rules, 7) is None
    rules.made = rules_of("cinch", {"made": "bid-less-others"}).made
    assert reason(table(rules, hands), rules, 7) == "SHARED"
    rules = rules_of("pedro")
    state = play_table(rules, "S", PEDRO)
    state.maker = -1
    assert reason(state, rules, 0) == "NO_MAKER"
    # Points that are thrown in are not told by those of the makers.
    rules = deepcopy(rules_of("king-pedro"))
    ace_of_clubs = card_set("AC").bit_length() - 1
    spades = TRUMP_CODES["S"]
    rules.points[spades][ace_of_clubs] = 1
    rules.point_cards[spades] |= 1 << ace_of_clubs
    assert reason(table(rules), rules, 7) == "POINTS_LOST"


@settings(max_examples=scaled(20))
@given(st.sampled_from(sorted(SHAPES)), st.integers(0, 5), st.integers(0, 14), st.integers(0, 30))
def test_more_points_are_never_a_worse_score(name: str, play: int, bid: int, points: int) -> None:
    played = some_plays(name, 6)[play]
    state = copy_state(played.first)
    state.high_bid = state.high_bid and max(state.high_bid, bid)
    try:
        found = OpenScore(state, played.rules, state.high_bid)
    except Refused:
        return
    assert found.change(points) <= found.change(points + 1)


# --- Of which kind a loss is
def kind(
    hands: Hands,
    course: str,
    more: str = "",
    *,
    deed: int = CARD,
    game: tuple[str, Options] = ("pedro", {}),
    shown: bool = True,
    showed: bool = False,
) -> Kind:
    """Return the kind of a loss with the last card of `course`; `more` is what came after it."""
    rules = rules_of(*game)
    state = play_table(rules, "S", hands, shown=shown)
    history, before = History(), state
    decided = len(plays(course)) - 1
    actions = plays(*(each for each in (course, more) if each))
    for index, text in enumerate(actions):
        action = parse_action(text)
        if index == decided:
            before = copy_state(state)
        trick = state.trick
        assert not engine.apply(state, rules, action), text
        record_action(state, rules, history, index, action, trick)
    last = parse_action(actions[decided])
    number = kind_of_loss(before, rules, history, deed, last.seat, last.card, int(showed))
    return LOSS_KINDS[number]


KINDS = rows_in(Path(__file__).with_suffix(".txt"))


@pytest.mark.parametrize("case", KINDS, ids=lambda case: case[1])
def test_a_costly_card_is_of_one_kind(case: list[str]) -> None:
    game, _, hands, course, more, expected = case
    assert kind(dict(enumerate(hands.split("; "))), course, more, game=(game, {})) == expected


HANDS = {0: "5S 2C 9C", 1: "AS 3C TC", 2: "KS 4C JC", 3: "JS QS 6C"}
CINCH = {0: "2C 9C 3H", 1: "TC 3C 4H", 2: "AS 4C 7H", 3: "5S JS 6C"}


def test_a_pair_surplus_and_a_second_hand_that_need_not_cinch() -> None:
    assert kind(HANDS, "0 2C", deed=SILENCE) == Kind.PAIR_NOT_DECLARED
    assert kind(HANDS, "0 2C", deed=SURPLUS) == Kind.SURPLUS_PUT_DOWN
    assert kind(CINCH, "0 2C 1 3C", "2 AS 3 6C") != Kind.CINCH_MISSED


FREE: tuple[str, Options] = ("twenty-nine", {"ask": "optional"})
NINE: tuple[str, Options] = ("twenty-nine", {})
ASKING = {0: "JC 7C 7D", 1: "8S QD 8D", 2: "KC TC 9D", 3: "9C AC QD"}


def test_where_asking_is_free_it_is_done_or_left_and_a_duty_is_no_kind_of_a_loss() -> None:
    asked = ("0 JC 1 QD", "2 KC 3 AC")
    assert kind(ASKING, *asked, game=FREE, showed=True) == Kind.ASKED
    assert kind(ASKING, *asked, game=FREE, shown=False) == Kind.DID_NOT_ASK
    assert kind(ASKING, *asked, game=NINE) not in (Kind.ASKED, Kind.DID_NOT_ASK)


def test_the_documentation_says_what_each_kind_is() -> None:
    page = (REPOSITORY / "docs" / "solver.md").read_text("utf-8")
    for each in Kind:
        name = "no kind of its own" if each == Kind.OTHER else each
        assert f"\n| {name} | " in page
