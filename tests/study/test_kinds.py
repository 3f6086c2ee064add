"""What was done where a decision cost something: one kind for each, decided by the rules."""

from collections.abc import Mapping

import pytest

from tests.kit.page_blocks import REPOSITORY
from tests.kit.support import Options, play_table, plays, rules_of
from tricklog.core.engine import engine
from tricklog.core.engine.records import copy_state
from tricklog.core.engine.rules.history import History, record_action
from tricklog.core.solver.answer import CARD, SILENCE, SURPLUS
from tricklog.core.solver.losses import kind_of_loss
from tricklog.core.study import LossKind as Kind
from tricklog.core.study.open_cards import LOSS_KINDS
from tricklog.schemas.actions import parse_action

Hands = Mapping[int, str]


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


HANDS = {0: "5S 2C 9C", 1: "AS 3C TC", 2: "KS 4C JC", 3: "JS QS 6C"}
"""Spades are trumps; 0 and 2 are the makers."""
GONE_ON = "0 AC 1 3C 2 4C 3 6C 0 2C"
# Trumps are led, and one who has a trump plays it (1.follow).
FORCED = HANDS | {0: "9C 2C 3H", 2: "5S 4C JC"}
# A five is out, no trump above it lies, the third has one to play (1.play, 4.play).
CINCH = {0: "2C 9C 3H", 1: "TC 3C 4H", 2: "AS 4C 7H", 3: "5S JS 6C"}
GIVEN = {0: "JS 2S 9C", 1: "AS 3C TC", 2: "KS 4C JC", 3: "TS QS 6C"}
LED = {0: "JS 2S 9C", 1: "AS 3C TC", 2: "KS JH JC", 3: "TS 2H 6C"}
OURS = {0: "AC 2C 3H", 1: "TC 3C 4H", 2: "8S 4C 7H", 3: "5S JS 6C"}
LET_GO = {0: "8C 2C 3H", 1: "TC 3C 4H", 2: "AC 4C 7H", 3: "6C 7C 2H"}


@pytest.mark.parametrize(
    ("hands", "course", "more", "expected"),
    [
        pytest.param(HANDS, "0 5S", "1 AS 2 KS 3 QS", Kind.PEDRO_GIVEN, id="five-led-to-their-ace"),
        pytest.param(
            *(HANDS | {1: "3S 3C TC"}, "0 5S", "1 3S 2 KS 3 QS", Kind.LED_TRUMPS),
            id="five-that-the-own-side-takes",
        ),
        pytest.param(
            *(FORCED, "0 2C 1 3C 2 4C 3 6C 3 QS 0 9C 1 AS 2 5S", "", Kind.OTHER),
            id="the-only-card-there-was",
        ),
        pytest.param(HANDS, "0 2C", "1 3C 2 4C 3 6C", Kind.OPENED_SUIT, id="a-suit-opened"),
        pytest.param(
            *(HANDS | {0: "QS 2C AC", 3: "JS 8C 6C"}, GONE_ON, "", Kind.TRUMPS_NOT_LED),
            id="a-suit-gone-on-with",
        ),
        pytest.param(HANDS | {0: "7H 2C AC"}, GONE_ON, "", Kind.OTHER, id="no-trumps-to-lead"),
        pytest.param(
            *(CINCH, "0 2C 1 3C 2 4C", "3 5S 3 JS 0 3H 1 4H 2 AS", Kind.CINCH_MISSED),
            id="the-third-can-cinch",
        ),
        pytest.param(
            *(CINCH | {2: "4S 4C 7H"}, "0 2C 1 3C 2 4C", "3 5S 3 JS 0 3H 1 4H 2 4S", Kind.OTHER),
            id="the-third-cannot-cinch",
        ),
        pytest.param(GIVEN, "0 2S 1 AS", "2 KS 3 TS", Kind.OTHER, id="no-point-card"),
        pytest.param(
            *(GIVEN, "0 2S 1 AS 2 KS 3 TS 1 TC 2 JC", "3 QS 0 JS", Kind.OTHER),
            id="a-plain-card-put-to-a-trick",
        ),
        pytest.param(
            *(LED, "0 9C 1 TC 2 KS 3 TS", "2 JH 3 2H 0 2S 1 3C", Kind.POINT_CARD_GIVEN),
            id="a-point-card-goes-to-the-other-side",
        ),
        pytest.param(OURS, "0 AC 1 TC 2 8S", "3 6C", Kind.TRUMP_WASTED, id="trump-on-own-trick"),
        pytest.param(
            *(OURS | {1: "QS 3C 4H"}, "0 AC 1 QS 2 8S", "3 6C", Kind.TRUMP_WASTED),
            id="trump-under-a-higher-one-where-a-plain-card-can-go",
        ),
        pytest.param(LET_GO, "0 8C 1 TC 2 4C", "3 6C", Kind.TRICK_LET_GO, id="trick-let-go"),
        pytest.param(
            *(LET_GO, "0 8C 1 TC 2 4C", "3 6C 1 3C 2 AC 3 7C 0 2C", Kind.TRICK_LET_GO),
            id="trick-let-go-whatever-comes",
        ),
    ],
)
def test_a_costly_card_is_of_one_kind(hands: Hands, course: str, more: str, expected: Kind) -> None:
    assert kind(hands, course, more) == expected


def test_a_pair_surplus_and_a_second_hand_that_need_not_cinch() -> None:
    assert kind(HANDS, "0 2C", deed=SILENCE) == Kind.PAIR_NOT_DECLARED
    assert kind(HANDS, "0 2C", deed=SURPLUS) == Kind.SURPLUS_PUT_DOWN
    assert kind(CINCH, "0 2C 1 3C", "2 AS 3 6C") != Kind.CINCH_MISSED


FREE: tuple[str, Options] = ("twenty-nine", {"ask": "optional"})
NINE: tuple[str, Options] = ("twenty-nine", {})
POINTS = {0: "JC 7C 7D", 1: "8C QC 8D", 2: "KC TC 9D", 3: "9C AC QD"}
"""Tricks in clubs with points in every suit (14.points)."""
ASKING = POINTS | {1: "8S QD 8D"}


@pytest.mark.parametrize(
    ("course", "more", "expected"),
    [
        pytest.param("0 JC 1 8C 2 KC", "3 AC", Kind.POINTS_KEPT_BACK, id="kept-back"),
        pytest.param("0 JC 1 8C 2 TC", "3 AC", Kind.OTHER, id="the-most-there-was"),
        pytest.param("0 JC 1 8C 2 KC 3 9C", "", Kind.POINT_CARD_GIVEN, id="given-away"),
        pytest.param("0 JC 1 8C 2 KC 3 AC", "", Kind.OTHER, id="the-cheapest-there-was"),
    ],
)
def test_point_cards_of_any_suit_in_twenty_nine(course: str, more: str, expected: Kind) -> None:
    assert kind(POINTS, course, more, game=NINE) == expected


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
