"""What was done where a decision cost something: one kind for each, decided by the rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest

from tests.kit.page_blocks import REPOSITORY
from tests.kit.support import play_table, plays, rules_of
from tricklog.core.engine import engine
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules.history import History, record_action
from tricklog.core.solver.answer import CARD, SILENCE, SURPLUS
from tricklog.core.solver.losses import kind_of_loss
from tricklog.core.study import LossKind
from tricklog.core.study.open_cards import LOSS_KINDS
from tricklog.schemas.actions import parse_action


@dataclass
class Course:
    """What was done in a hand up to a decision, and the record of what came after."""

    before: State
    history: History
    seat: int
    card: int


def course_of(state: State, rules: Rules, actions: Sequence[str], decided: int) -> Course:
    """Carry out actions from a table on; the decision is that of index `decided`."""
    history = History()
    before = state
    for index, text in enumerate(actions):
        action = parse_action(text)
        if index == decided:
            before = copy_state(state)
        trick = state.trick
        assert not engine.apply(state, rules, action), text
        record_action(state, rules, history, index, action, trick)
    last = parse_action(actions[decided])
    return Course(before, history, last.seat, last.card)


def kind(hands: Mapping[int, str], course: str, more: str = "", *, deed: int = CARD) -> LossKind:
    """Return the kind of a loss with the last card of `course`; `more` is what came after it."""
    rules = rules_of("pedro")
    state = play_table(rules, "S", hands)
    actions = plays(*(each for each in (course, more) if each))
    found = course_of(state, rules, actions, len(plays(course)) - 1)
    return told(found, rules, deed)


def kind_in_secret(hands: Mapping[int, str], course: str, more: str = "", **how: bool) -> LossKind:
    """Return the same in Twenty-Nine; `how`: are trumps shown, is asking free, was it done."""
    rules = rules_of("twenty-nine", {"ask": "optional"} if how.get("free") else None)
    state = play_table(rules, "S", hands, shown=how.get("shown", True))
    actions = plays(*(each for each in (course, more) if each))
    found = course_of(state, rules, actions, len(plays(course)) - 1)
    return told(found, rules, CARD, showed=int(how.get("showed", False)))


def told(found: Course, rules: Rules, deed: int, *, showed: int = 0) -> LossKind:
    number = kind_of_loss(found.before, rules, found.history, deed, found.seat, found.card, showed)
    return LOSS_KINDS[number]


HANDS = {0: "5S 2C 9C", 1: "AS 3C TC", 2: "KS 4C JC", 3: "JS QS 6C"}
"""Spades are trumps; 0 and 2 are the makers."""


def test_a_pair_and_surplus_are_kinds_of_their_own() -> None:
    assert kind(HANDS, "0 2C", deed=SILENCE) == LossKind.PAIR_NOT_DECLARED
    assert kind(HANDS, "0 2C", deed=SURPLUS) == LossKind.SURPLUS_PUT_DOWN


def test_a_five_led_to_the_ace_of_the_other_side_is_given_away() -> None:
    assert kind(HANDS, "0 5S", "1 AS 2 KS 3 QS") == LossKind.PEDRO_GIVEN


def test_a_five_that_the_own_side_takes_is_not_given_away() -> None:
    hands = HANDS | {1: "3S 3C TC"}
    assert kind(hands, "0 5S", "1 3S 2 KS 3 QS") == LossKind.LED_TRUMPS


def test_the_only_card_there_was_is_not_given_away() -> None:
    hands = HANDS | {0: "9C 2C 3H", 2: "5S 4C JC"}
    course = "0 2C 1 3C 2 4C 3 6C 3 QS 0 9C 1 AS 2 5S"
    # Trumps are led, and one who has a trump plays it (1.follow).
    assert kind(hands, course) == LossKind.OTHER


def test_plain_leads_open_a_suit_or_go_on_with_one() -> None:
    after = "1 3C 2 4C 3 6C"
    assert kind(HANDS, "0 2C", after) == LossKind.OPENED_SUIT
    hands = HANDS | {0: "QS 2C AC", 3: "JS 8C 6C"}
    course = "0 AC 1 3C 2 4C 3 6C 0 2C"
    assert kind(hands, course) == LossKind.TRUMPS_NOT_LED


def test_a_plain_lead_without_trumps_in_hand_is_no_lead_of_trumps_left_out() -> None:
    hands = HANDS | {0: "7H 2C AC"}
    course = "0 AC 1 3C 2 4C 3 6C 0 2C"
    assert kind(hands, course) == LossKind.OTHER


def test_the_third_of_four_can_cinch() -> None:
    # A five is out, no trump above it lies, the third has one to play (1.play, 4.play).
    hands = {0: "2C 9C 3H", 1: "TC 3C 4H", 2: "AS 4C 7H", 3: "5S JS 6C"}
    course, after = "0 2C 1 3C 2 4C", "3 5S 3 JS 0 3H 1 4H 2 AS"
    assert kind(hands, course, after) == LossKind.CINCH_MISSED
    assert kind(hands | {2: "4S 4C 7H"}, course, "3 5S 3 JS 0 3H 1 4H 2 4S") == LossKind.OTHER
    assert kind(hands, "0 2C 1 3C", "2 AS 3 6C") != LossKind.CINCH_MISSED


def test_a_point_card_goes_to_the_other_side() -> None:
    hands = {0: "JS 2S 9C", 1: "AS 3C TC", 2: "KS 4C JC", 3: "TS QS 6C"}
    course = "0 2S 1 AS 2 KS 3 TS 1 TC 2 JC"
    assert kind(hands, "0 2S 1 AS", "2 KS 3 TS") == LossKind.OTHER
    assert kind(hands, course, "3 QS 0 JS") == LossKind.OTHER
    lead = {0: "JS 2S 9C", 1: "AS 3C TC", 2: "KS JH JC", 3: "TS 2H 6C"}
    assert kind(lead, "0 9C 1 TC 2 KS 3 TS", "2 JH 3 2H 0 2S 1 3C") == (LossKind.POINT_CARD_GIVEN)


def test_a_trump_is_wasted_on_a_trick_of_the_own_side() -> None:
    hands = {0: "AC 2C 3H", 1: "TC 3C 4H", 2: "8S 4C 7H", 3: "5S JS 6C"}
    assert kind(hands, "0 AC 1 TC 2 8S", "3 6C") == LossKind.TRUMP_WASTED


def test_a_trump_is_wasted_under_a_higher_one_where_a_plain_card_can_go() -> None:
    hands = {0: "AC 2C 3H", 1: "QS 3C 4H", 2: "8S 4C 7H", 3: "5S JS 6C"}
    assert kind(hands, "0 AC 1 QS 2 8S", "3 6C") == LossKind.TRUMP_WASTED


def test_a_trick_is_let_go_that_could_be_taken() -> None:
    hands = {0: "8C 2C 3H", 1: "TC 3C 4H", 2: "AC 4C 7H", 3: "6C 7C 2H"}
    assert kind(hands, "0 8C 1 TC 2 4C", "3 6C") == LossKind.TRICK_LET_GO
    assert kind(hands, "0 8C 1 TC 2 4C", "3 6C 1 3C 2 AC 3 7C 0 2C") == (LossKind.TRICK_LET_GO)


TWENTY_NINE = {0: "JC 7C 7D", 1: "8C QC 8D", 2: "KC TC 9D", 3: "9C AC QD"}
"""Tricks in clubs with points in every suit (14.points)."""


def test_points_can_be_kept_back_from_a_trick_of_the_own_side() -> None:
    course = "0 JC 1 8C 2 KC"
    assert kind_in_secret(TWENTY_NINE, course, "3 AC") == LossKind.POINTS_KEPT_BACK
    best = "0 JC 1 8C 2 TC"
    assert kind_in_secret(TWENTY_NINE, best, "3 AC") == LossKind.OTHER


def test_a_point_card_of_any_suit_can_be_given_away() -> None:
    course = "0 JC 1 8C 2 KC 3 9C"
    assert kind_in_secret(TWENTY_NINE, course) == LossKind.POINT_CARD_GIVEN
    cheaper = "0 JC 1 8C 2 KC 3 AC"
    assert kind_in_secret(TWENTY_NINE, cheaper) == LossKind.OTHER


@pytest.mark.parametrize(("showed", "expected"), [(1, LossKind.ASKED), (0, LossKind.DID_NOT_ASK)])
def test_where_asking_is_free_it_is_done_or_left(showed: int, expected: LossKind) -> None:
    hands = {0: "JC 7C 7D", 1: "8S QD 8D", 2: "KC TC 9D", 3: "9C AC QD"}
    found = kind_in_secret(
        hands, "0 JC 1 QD", "2 KC 3 AC", free=True, showed=bool(showed), shown=bool(showed)
    )
    assert found == expected


def test_where_asking_is_a_duty_it_is_no_kind_of_a_loss() -> None:
    hands = {0: "JC 7C 7D", 1: "8S QD 8D", 2: "KC TC 9D", 3: "9C AC QD"}
    found = kind_in_secret(hands, "0 JC 1 QD", "2 KC 3 AC")
    assert found not in (LossKind.ASKED, LossKind.DID_NOT_ASK)


def test_the_documentation_says_what_each_kind_is() -> None:
    page = (REPOSITORY / "docs" / "solver.md").read_text("utf-8")
    for each in LossKind:
        name = "no kind of its own" if each == LossKind.OTHER else each
        assert f"\n| {name} | " in page
