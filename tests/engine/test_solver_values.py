"""Values of the solver: those of trying everything, whatever is switched on, from any side."""

import random
from itertools import islice, pairwise
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.boards import set_on_board
from tests.kit.open_play import (
    SHAPES,
    Played,
    endings,
    random_plays,
    some_plays,
    tried_value,
)
from tests.kit.support import do, play_table
from tests.kit.tiers import is_thorough, scaled, some
from tricklog.core.compiled.solving import Place
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules import scoring
from tricklog.core.engine.rules.table import side_of
from tricklog.core.solver import answer
from tricklog.core.solver.position import (
    ALL_SWITCHES,
    LONGEST_SUIT,
    USE_BOUNDS,
    USE_KEYS,
    USE_LIKENESS,
    USE_ORDER,
    USE_RANKS,
    USE_TABLE,
)
from tricklog.core.solver.setting import GENERATIONS
from tricklog.core.solver.weights import WEIGHTS
from tricklog.core.study import Solver
from tricklog.core.study.open_cards import deeds_of
from tricklog.schemas.actions import Verb

HANDS = 48 if is_thorough() else 4
"""How many hands endings are taken from."""
SHORT = {"pidro": 3, "king-pedro": 2}
"""How many times as many of a system whose hands have few of them."""
ENDINGS = 240 if is_thorough() else 5
NODES, WANTED = 60, 8
"""How many nodes a value may take where plain Python looks for it, and what makers are to reach."""
LEAST, MOST = 3, 7
"""Cards left in an ending; ``python -m tests.long.solver`` takes larger ones."""
SPREAD = some([*SHAPES], 4)
"""Shapes for what depends little on them."""


@pytest.fixture(scope="module")
def place() -> Place:
    return Place(compiled=True)


def value_at(place: Place, state: State, rules: Rules) -> int:
    """Return the value that the solver gives."""
    ((*_, low, high),) = place.ask(answer.VALUE, state, rules)
    assert low == high
    return low


def some_endings(name: str, count: int, most: int = MOST) -> list[tuple[State, Rules]]:
    """Return random endings of a shape."""
    # Where players drop out, or cards are few, a hand has fewer endings.
    times = next((SHORT[each] for each in SHORT if name.startswith(each)), 1)
    plays = some_plays(name, HANDS * times)
    found = [*endings(plays, LEAST, most)]
    random.Random(name).shuffle(found)
    return found[:count]


@pytest.mark.parametrize("name", SHAPES)
def test_values_are_those_of_trying_everything(name: str, place: Place) -> None:
    compared = 0
    for state, rules in some_endings(name, ENDINGS):
        assert value_at(place, state, rules) == tried_value(state, rules)
        compared += 1
    assert compared >= ENDINGS * 0.9


def test_o83_a_trump_thrown_before_the_showing_takes_no_trick(place: Place) -> None:
    rules = SHAPES["twenty-nine-O55-O83"].rules
    hands = {0: "7H 7C", 1: "9S 8C", 2: "8S QC", 3: "JH KC"}
    state = play_table(rules, "S", hands, shown=False)
    values = []
    for text in ("0 play 7H", "1 play 9S", "2 ask", "0 reveal S", "2 play 8S"):
        assert do(state, rules, text) == []
        values.append(value_at(place, state, rules))
        assert values[-1] == tried_value(state, rules), text
    assert values == [0, 5, 5, 5, 5]


def test_a_plain_search_gives_the_same_values() -> None:
    plain, compiled = Place(compiled=False), Place(compiled=True)
    for name in ("pedro", "king-pedro", "twenty-nine-O41-O48"):
        for state, rules in some_endings(name, 5, 12):
            assert plain.ask(answer.VALUE, state, rules) == compiled.ask(answer.VALUE, state, rules)
            assert plain.nodes == compiled.nodes


@pytest.mark.parametrize("name", some([*SHAPES], 10))
def test_plain_python_answers_every_question_as_the_library_does(name: str) -> None:
    """Whole hands, too, up to so many nodes: limits, nodes and what is written down of each."""
    plain, library = Place(compiled=False), Place(compiled=True)
    for played in some_plays(name, scaled(1, most=6)):
        asked = (
            (answer.HAND, deeds_of(played.actions)),
            (answer.CHOICES, ()),
            (answer.VALUE, ()),
            (answer.WINDOW, ()),
        )
        for question, deeds in asked:
            given = question, played.first, played.rules
            # Cells that a question does not fill keep what the one before has left there.
            library._sheet.rows[:] = 0
            here, there = (
                place.ask(*given, budget=NODES, need=WANTED, deeds=deeds)
                for place in (plain, library)
            )
            assert here == there
            assert plain.nodes == library.nodes
            assert plain._placed[: len(here)] == library._sheet.placed[: len(here)].tolist()


def test_hands_may_be_numbered_from_1_again() -> None:
    place = Place(compiled=False)
    found = some_endings("pedro", 40, 16)
    right = [value_at(place, state, rules) for state, rules in found]
    place._board.generation = GENERATIONS - 10
    again = [value_at(place, state, rules) for state, rules in found]
    assert again == right
    assert place._board.generation == len(found) - 9
    # What was noted under the numbers of before is gone.
    assert max(place._board.forms) >> 2 * LONGEST_SUIT < len(found)


# --- Switches


SWITCHES: Final = (USE_BOUNDS, USE_LIKENESS, USE_KEYS, USE_ORDER, USE_TABLE, USE_RANKS)


@pytest.mark.parametrize("name", SPREAD)
def test_no_part_of_the_search_changes_a_value(name: str, place: Place) -> None:
    for state, rules in some_endings(name, 12, 16):
        set_on_board(place, "switches", ALL_SWITCHES)
        right = value_at(place, state, rules)
        for switch in SWITCHES:
            set_on_board(place, "switches", ALL_SWITCHES & ~switch)
            assert value_at(place, state, rules) == right, switch
    set_on_board(place, "switches", ALL_SWITCHES)


@pytest.mark.parametrize("name", ["pedro", "king-pedro", "twenty-nine", "lucknow-alone"])
def test_no_order_of_moves_changes_a_value(name: str, place: Place) -> None:
    chance = random.Random(name)
    counts: set[int] = set()
    for state, rules in some_endings(name, 12, 16):
        right, nodes = value_at(place, state, rules), place.nodes
        for _ in range(4):
            set_on_board(place, "weights", [chance.randrange(-400, 400) for _ in WEIGHTS])
            assert value_at(place, state, rules) == right
            counts.add(place.nodes - nodes)
        set_on_board(place, "weights", [*WEIGHTS])
    assert len(counts) > 1


# --- Whole hands


def hands_of(name: str, count: int) -> list[Played]:
    return list(islice(random_plays(name, "hands"), count))


BUDGET = 300_000


@pytest.mark.parametrize("name", SPREAD)
def test_nobody_gains_by_an_own_choice(name: str) -> None:
    rules = SHAPES[name].rules
    solver = Solver(rules, compiled=True)
    exact = 0
    for played in hands_of(name, 3):
        steps = solver.hand(played.first, played.actions, budget=BUDGET)
        if not all(each.value.is_exact for each in steps):
            continue
        exact += 1
        makers = side_of(rules, scoring.maker_of(played.first))
        for each, then in pairwise(steps):
            gained = then.value.low - each.value.low
            assert gained <= 0 if side_of(rules, each.seat) == makers else gained >= 0
        if all(action.verb != Verb.PAIR for action in played.actions):
            firsts = {each.action: each for each in reversed(steps[:-1])}
            for index, each in firsts.items():
                if not each.showed:
                    assert solver.value(played.states[index]) == each.value
    assert exact >= 1


@pytest.mark.parametrize("name", SPREAD)
def test_choices_are_the_same_whatever_was_asked_before(name: str) -> None:
    asked, alone = (Solver(SHAPES[name].rules, compiled=True) for _ in range(2))
    moments = [state for state, _ in endings(hands_of(name, 3), 2, 14)]
    assert len(moments) > 8
    shuffled = random.Random(name).sample(moments, len(moments) // 2)
    for state in (*moments, *shuffled):
        # A value begins with what is known of no hand.
        alone.value(state)
        assert asked.choices(state) == alone.choices(state)


@pytest.mark.parametrize("name", SPREAD)
def test_every_card_one_value_and_one_window_agree(name: str) -> None:
    solver = Solver(SHAPES[name].rules, compiled=True)
    for state, rules in some_endings(name, 25, 14):
        value = solver.value(state)
        choices = solver.choices(state)
        values = [each.value.low for each in choices]
        makers = state.solo if state.solo >= 0 else state.maker
        mine = (
            (choices[0].seat - makers) % 2 == 0 if rules.sides == 0 else choices[0].seat == makers
        )
        if state.solo >= 0:
            mine = choices[0].seat == state.solo
        assert value.low == (max(values) if mine else min(values))
        need = solver.need(state)
        assert solver.is_made(state) == (None if need is None else value.low >= need)


def test_a_budget_gives_limits_that_hold() -> None:
    solver = Solver(SHAPES["sancho-7"].rules, compiled=True)
    narrow = 0
    for played in hands_of("sancho-7", 12):
        right = solver.value(played.first, budget=3_000_000)
        rough = solver.value(played.first, budget=200)
        assert rough.low <= right.low
        assert right.high <= rough.high
        narrow += not rough.is_exact
    assert narrow


@pytest.mark.parametrize("name", ["pedro", "king-pedro", "twenty-nine", "sancho-5"])
def test_a_budget_gives_limits_that_hold_all_through_a_hand(name: str) -> None:
    solver = Solver(SHAPES[name].rules, compiled=True)
    narrow = 0
    for played in hands_of(name, 8):
        right = solver.hand(played.first, played.actions, budget=BUDGET)
        rough = solver.hand(played.first, played.actions, budget=40)
        for exact, limits in zip(right, rough, strict=True):
            assert limits.value.low <= exact.value.low
            assert exact.value.high <= limits.value.high
            narrow += not limits.value.is_exact
    assert narrow


# --- The same hand seen otherwise


def turned(state: State, rules: Rules, by: int) -> State:
    """Return the state with everybody sitting ``by`` seats further on, sides and all."""
    then, seats = copy_state(state), rules.seats
    for name in ("holding", "buried", "trick_cards", "tricks_won", "discarded", "at_play"):
        old = getattr(state, name)
        new = getattr(then, name)
        for seat in range(seats):
            new[(seat + by) % seats] = old[seat]
    for name in ("turn", "leader", "maker", "dealer", "winner", "must_trump", "shown_for", "solo"):
        seat = getattr(state, name)
        if seat >= 0:
            setattr(then, name, (seat + by) % seats)
    for name in ("pending", "active", "buriers"):
        old = getattr(state, name)
        bits = [(seat + by) % seats for seat in range(seats) if old >> seat & 1]
        setattr(then, name, sum(1 << bit for bit in bits))
    sides = rules.side_count
    for name in ("points", "discard_points", "counted"):
        for side in range(sides):
            getattr(then, name)[(side + by) % sides] = getattr(state, name)[side]
    for name in ("won_any", "won_since_shown"):
        bits = [(side + by) % sides for side in range(sides) if getattr(state, name) >> side & 1]
        setattr(then, name, sum(1 << bit for bit in bits))
    if state.pair_side >= 0:
        then.pair_side = (state.pair_side + by) % sides
    return then


@pytest.mark.parametrize("name", SPREAD)
def test_seats_may_be_turned(name: str, place: Place) -> None:
    for state, rules in some_endings(name, 20, 14):
        right = value_at(place, state, rules)
        for by in range(1, rules.seats):
            assert value_at(place, turned(state, rules, by), rules) == right


OPEN = ("pedro", "cinch", "pedro-O12", "king-pedro-C16-C17", "sixty-three", "ukrainian", "pidro")


@pytest.mark.parametrize("name", OPEN)
def test_what_one_side_gets_the_other_does_not(name: str, place: Place) -> None:
    for state, rules in some_endings(name, 40, 14):
        other = copy_state(state)
        other.maker = (state.maker + 1) % 4
        if state.trick == 1:
            continue
        together = value_at(place, state, rules) + value_at(place, other, rules)
        left = sum(rules.points[state.trump][card] for card in cards_in_play(state))
        assert together == left + sum(state.points[:2]) + sum(state.discard_points[:2])


def cards_in_play(state: State) -> list[int]:
    """Return the cards that somebody holds or has put to the trick on the table."""
    cards = sum(state.holding[seat] for seat in range(4) if state.active >> seat & 1)
    if state.played:
        cards |= state.on_table
    return [card for card in range(53) if cards >> card & 1]


def exchanged(cards: int, one: int, other: int) -> int:
    """Return a set of cards with two suits exchanged."""
    suit = 0x1FFF
    kept = cards & ~(suit << 13 * one | suit << 13 * other)
    return (
        kept | (cards >> 13 * one & suit) << 13 * other | (cards >> 13 * other & suit) << 13 * one
    )


@given(st.integers(0, 10**9), st.sampled_from(["pedro-O11", "twenty-nine", "twenty-nine-O48-O71"]))
def test_plain_suits_may_be_exchanged(number: int, name: str) -> None:
    found = some_endings(name, ENDINGS, 14)
    state, rules = found[number % len(found)]
    if state.trump == 4:
        return
    # In Pedro the suit of the other five is not like the two others.
    same_colour = 3 - state.trump
    suits = [suit for suit in range(4) if suit not in (state.trump, same_colour)]
    other = exchanged_state(state, rules, suits[0], suits[1])
    place = Place(compiled=True)
    assert value_at(place, other, rules) == value_at(place, state, rules)


def exchanged_state(state: State, rules: Rules, one: int, other: int) -> State:
    then = copy_state(state)
    for name in ("holding", "buried", "at_play"):
        for seat in range(rules.seats):
            getattr(then, name)[seat] = exchanged(getattr(state, name)[seat], one, other)
    then.on_table = exchanged(state.on_table, one, other)
    for seat in range(rules.seats):
        if state.trick_cards[seat] >= 0:
            then.trick_cards[seat] = (
                exchanged(1 << state.trick_cards[seat], one, other).bit_length() - 1
            )
    if state.led_card >= 0:
        then.led_card = exchanged(1 << state.led_card, one, other).bit_length() - 1
        then.led_suit = {one: other, other: one}.get(state.led_suit, state.led_suit)
    return then
