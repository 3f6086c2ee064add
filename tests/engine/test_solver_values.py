"""Values of the solver: those of trying everything, from any side; and what is refused."""

import random
from collections.abc import Iterator, Sequence
from copy import copy, deepcopy
from dataclasses import fields
from itertools import islice, pairwise
from typing import Any, Final, SupportsIndex, TypeVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.open_play import SHAPES, Played, endings, random_plays, set_on_board, some_plays
from tests.kit.page_blocks import REPOSITORY
from tests.kit.support import Options, do, hand_of, play_table, ruleset_for
from tests.kit.tiers import is_thorough, scaled, some
from tests.kit.trial import tried_value
from tricklog import Replay, Verb, Verdict, generate, replay
from tricklog.core.compiled.solving import Place
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import NO_TRUMPS, Rules, State, copy_state
from tricklog.core.engine.rules import scoring
from tricklog.core.engine.rules.table import side_of
from tricklog.core.solver import answer, position
from tricklog.core.solver.answer import PLACED
from tricklog.core.solver.setting import GENERATIONS
from tricklog.core.solver.weights import WEIGHTS
from tricklog.core.study import Refused, Solver, open_hand, refusal, refusal_of_state
from tricklog.core.study.open_cards import deeds_of
from tricklog.core.study.refusals import OpenScore, pair_points
from tricklog.schemas.hand import Hand, OptionValue

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
    ((*_, low, high),) = place.ask(answer.VALUE, state, rules)
    assert low == high
    return low


def some_endings(name: str, count: int, most: int = MOST) -> list[tuple[State, Rules]]:
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
        others = ((question, ()) for question in (answer.CHOICES, answer.VALUE, answer.WINDOW))
        for question, deeds in ((answer.HAND, deeds_of(played.actions)), *others):
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
    assert max(place._board.forms) >> 2 * position.LONGEST_SUIT < len(found)


# --- Switches
SWITCHES: Final = (
    *(position.USE_BOUNDS, position.USE_LIKENESS, position.USE_KEYS, position.USE_ORDER),
    *(position.USE_TABLE, position.USE_RANKS),
)


@pytest.mark.parametrize("name", SPREAD)
def test_no_part_of_the_search_changes_a_value(name: str, place: Place) -> None:
    for state, rules in some_endings(name, 12, 16):
        set_on_board(place, "switches", position.ALL_SWITCHES)
        right = value_at(place, state, rules)
        for switch in SWITCHES:
            set_on_board(place, "switches", position.ALL_SWITCHES & ~switch)
            assert value_at(place, state, rules) == right, switch
    set_on_board(place, "switches", position.ALL_SWITCHES)


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
def random_hands(name: str, count: int) -> list[Played]:
    return list(islice(random_plays(name, "hands"), count))


BUDGET = 300_000


@pytest.mark.parametrize("name", SPREAD)
def test_nobody_gains_by_an_own_choice(name: str) -> None:
    rules = SHAPES[name].rules
    solver = Solver(rules, compiled=True)
    exact = 0
    for played in random_hands(name, 3):
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
    moments = [state for state, _ in endings(random_hands(name, 3), 2, 14)]
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
        value, choices = solver.value(state), solver.choices(state)
        values = [each.value.low for each in choices]
        seat, maker = choices[0].seat, state.maker
        mine = seat == maker if rules.sides else (seat - maker) % 2 == 0
        if state.solo >= 0:
            mine = seat == state.solo
        assert value.low == (max(values) if mine else min(values))
        need = solver.need(state)
        assert solver.is_made(state) == (None if need is None else value.low >= need)


def test_a_budget_gives_limits_that_hold() -> None:
    solver = Solver(SHAPES["sancho-7"].rules, compiled=True)
    narrow = 0
    for played in random_hands("sancho-7", 12):
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
    for played in random_hands(name, 8):
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
    sides = rules.side_count
    for name in ("points", "discard_points", "counted"):
        for side in range(sides):
            getattr(then, name)[(side + by) % sides] = getattr(state, name)[side]
    for name in ("pending", "active", "buriers", "won_any", "won_since_shown"):
        count = sides if name.startswith("won") else seats
        bits = [(one + by) % count for one in range(count) if getattr(state, name) >> one & 1]
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
    for seat, card in enumerate(state.trick_cards):
        if card >= 0:
            then.trick_cards[seat] = exchanged(1 << card, one, other).bit_length() - 1
    if state.led_card >= 0:
        then.led_card = exchanged(1 << state.led_card, one, other).bit_length() - 1
        then.led_suit = {one: other, other: one}.get(state.led_suit, state.led_suit)
    return then


# --- After a declared pair
LOGS = ("lucknow/one-game", "lucknow/two-games-to-6", "twenty-nine/five-games")


def with_pair(log: str) -> list[tuple[Replay, int]]:
    """The hands of a sample in which a pair was declared, and at which action."""
    path = REPOSITORY / "sample_logs" / "valid" / f"{log}.jsonl"
    found = []
    for line in path.read_bytes().splitlines():
        item = replay(msgspec.json.decode(line, type=Hand))
        verbs = [action.verb for action in item.actions]
        if Verb.PAIR in verbs:
            found.append((item, verbs.index(Verb.PAIR)))
    return found


@pytest.mark.parametrize("log", LOGS)
def test_values_choices_and_the_whole_hand_count_a_declared_pair_alike(log: str) -> None:
    shifted = 0
    for item, declared in with_pair(log)[:3]:
        solver = Solver(item.rules)
        opened = open_hand(item, solver)
        for each in opened.decisions:
            state = item.state_at(each.action)
            assert solver.value(state) == each.before
            assert solver.need(state) == opened.need
            after = {choice.value for choice in solver.choices(state) if choice.cards == each.cards}
            assert each.after in after
            makes = None if opened.need is None else each.before.low >= opened.need
            assert solver.is_made(state) == makes
        shifted += abs(pair_points(item.state_at(declared + 1), item.rules))
    assert shifted


@pytest.mark.parametrize("log", LOGS[2:])
def test_the_score_by_points_is_the_same_before_and_after_the_pair(log: str) -> None:
    for item, declared in with_pair(log):
        solver = Solver(item.rules)
        opened = open_hand(item, solver)
        later = item.state_at(declared + 1)
        if item.state_at(item.played).revealed:
            score = OpenScore(later, item.rules, solver.need(later))
            made = opened.outcome.low >= (opened.need or 0)
            assert (score.change(opened.outcome.low) > 0) == made


# --- No index below 0
Record = TypeVar("Record", position.Board, State, Rules)

FEW_NODES = 60


class Careful(list[Any]):
    """A list, of lists perhaps, that refuses indexes below 0."""

    def __getitem__(self, index: SupportsIndex | slice) -> Any:  # noqa: ANN401 - as in lists
        assert isinstance(index, slice) or index.__index__() >= 0
        return super().__getitem__(index)

    def __setitem__(self, index: SupportsIndex | slice, value: Any) -> None:  # noqa: ANN401
        assert isinstance(index, slice) or index.__index__() >= 0
        super().__setitem__(index, value)


def careful(value: Any) -> Any:  # noqa: ANN401 - whatever a field holds
    """Return a value with careful lists in place of all lists."""
    return Careful(map(careful, value)) if isinstance(value, list) else value


def with_careful_lists(record: Record) -> Record:
    other = copy(record)
    for item in fields(record):
        setattr(other, item.name, careful(getattr(record, item.name)))
    return other


class Asker:
    """Asks all questions of the solver, in plain Python, on careful lists."""

    def __init__(self, rules: Rules) -> None:
        self.rules = with_careful_lists(rules)
        self.dense = with_careful_lists(rules)
        self.board = with_careful_lists(position.Board())
        self.placed = careful([[0] * PLACED for _ in range(answer.STEPS + 1)])

    def ask(
        self, question: int, state: State, deeds: Sequence[Sequence[int]] = (), need: int = 0
    ) -> int:
        """Return how many rows the answer has."""
        rows = careful([[0] * answer.ROW for _ in range(answer.STEPS + 1)])
        shown = careful([[*each] for each in deeds])
        numbers = Careful([len(shown), FEW_NODES, need, 0])
        sheet = answer.Sheet(shown, numbers, rows, self.placed)
        state = with_careful_lists(state)
        return answer.answer(question, self.board, self.dense, state, self.rules, sheet)


def test_careful_lists_refuse_indexes_below_0() -> None:
    board = with_careful_lists(position.Board())
    assert board.own[0] == 0
    with pytest.raises(AssertionError):
        board.own[-1] = 0
    with pytest.raises(AssertionError):
        _ = with_careful_lists(Rules()).suit[0][-1]


@pytest.mark.parametrize("name", some([*SHAPES], 6))
def test_no_index_is_below_0(name: str) -> None:
    asker = Asker(SHAPES[name].rules)
    plays = list(islice(random_plays(name, "indexes"), scaled(1, most=6)))
    for played in plays:
        assert asker.ask(answer.HAND, played.first, deeds_of(played.actions)) > 1
        assert asker.ask(answer.VALUE, played.first) == 1
        assert asker.ask(answer.WINDOW, played.first, need=asker.board.low + 1) == 1
    asked = 0
    for state, _ in every_third(endings(plays, 2, 20)):
        assert asker.ask(answer.VALUE, state) == 1
        asked += asker.ask(answer.CHOICES, state)
    assert asked > 5


def test_a_seventh_card_may_be_led_where_trumps_thrown_before_are_dead() -> None:
    """It shows the trump, and no card was led to which a trump could have been thrown."""
    dealt = (
        "TS JC 9H AS TH QC KC AD, KH KD 7H AH KS QH TD 7D, "
        "7C QD 8C JH 9D 9S JD QS, JS 8D 7S AC TC 8H 8S 9C"
    )
    done = (
        "1 pass, 3 bid 18, 0 pass, 2 pass, 3 trump seventh, 1 play QH, 0 play 9H, 3 play 8H, "
        "2 play JH, 2 play 9D, 1 play KD, 0 play AD, 3 play 8D, 2 play 9S, 1 play KS, 0 play TS, "
        "3 play JS"
    )
    options: Options = {"ask": "optional-thrown-dead"}
    deal, actions = (each.split(", ") for each in (dealt, done))
    played = replay(hand_of("bangladesh", actions, options=options, dealer=2, deal=deal))
    assert played.findings == ()
    state = played.state_at(len(played))
    plain = Solver(played.rules, compiled=False).value(state)
    assert plain == Solver(played.rules).value(state)


def every_third(found: Iterator[tuple[State, Rules]]) -> list[tuple[State, Rules]]:
    """Return every third of some endings, up to seven, or twenty of them."""
    return list(islice(found, 0, scaled(21, most=60), 3))


# --- What is not taken on is refused
def rules_of(variant: str, seats: int, **options: OptionValue) -> Rules:
    # A ruleset keeps its record, and these are to be changed.
    return deepcopy(ruleset_for(variant, options).rules(seats))


@pytest.mark.parametrize("name", SHAPES)
def test_every_way_of_playing_is_taken_on(name: str) -> None:
    assert refusal(SHAPES[name].rules) is None


def off_five_in_secret() -> Rules:
    rules = rules_of("twenty-nine", 4)
    rules.suit[0][3 * 13 + 3], rules.suit[NO_TRUMPS][3 * 13 + 3] = 0, 3
    rules.pack |= 1 << 3 * 13 + 3
    return rules


def with_points(points: int) -> Rules:
    rules = rules_of("pedro", 4)
    rules.points[0][12] = points
    return rules


def rules_with(**fields: int) -> Rules:
    rules = rules_of("twenty-nine", 4)
    for name, value in fields.items():
        setattr(rules, name, value)
    return rules


COUNTED: dict[str, OptionValue] = {"game_point": "count", "both_over": "makers"}


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (
            rules_of("sancho", 5, **COUNTED, points={"A": 1, "J": 1, "5": 5, "2": 1}),
            "game_point is count where each plays alone",
        ),
        (rules_with(sides=1, side_count=4), "pair changes the contract where each plays alone"),
        (off_five_in_secret(), "trump_call is secret while a card changes its suit"),
        (with_points(1600), "points come to more than 1500"),
        (with_points(-1), "points below nothing"),
        (rules_with(pair_shift=500), "pair_shift is more than 400"),
    ],
)
def test_rules_are_refused_with_the_rule_and_the_reason(rules: Rules, words: str) -> None:
    assert (refusal(rules) or "").startswith(words)
    with pytest.raises(Refused, match=words):
        Solver(rules, compiled=False)


@pytest.fixture(scope="module")
def played() -> Replay:
    return replay(next(iter(generate("pedro", 1, 3))))


def first_lead(played: Replay) -> State:
    states = (played.state_at(index) for index in range(len(played)))
    return copy_state(next(state for state in states if state.phase == Phase.PLAY))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"thrown_in": 1}, "the deal is thrown in"),
        ({"trick": 0}, "the play has not begun"),
        ({"maker": -1}, "nobody is the maker"),
        ({"trump": -1}, "the record does not say what trumps are"),
        ({"seventh_unknown": 1}, "the record does not say what trumps"),
        ({"owed": 2}, "somebody has played out of turn"),
        ({"unknown": 1}, "the record does not name every card in hand"),
        ({"played": 1, "trick_cards": -1}, "the record does not name every card of the trick"),
        ({"trick": 3}, "somebody holds more cards than there are tricks"),
    ],
)
def test_moments_are_refused_with_the_reason(
    played: Replay, fields: dict[str, int], words: str
) -> None:
    """A field that has an entry for each seat is changed for who is to play."""
    state = first_lead(played)
    assert refusal_of_state(state, played.rules) is None
    for name, value in fields.items():
        if isinstance(getattr(state, name), list):
            getattr(state, name)[state.turn] = value
        else:
            setattr(state, name, value)
    assert (refusal_of_state(state, played.rules) or "").startswith(words)
    with pytest.raises(Refused, match=words):
        Solver(played.rules, compiled=False).value(state)


def test_records_that_are_not_valid_have_no_values(played: Replay) -> None:
    hand = played.hand
    plays = [index for index, text in enumerate(hand.actions) if " play " in text]
    moved = next(at for at, text in enumerate(hand.actions) if text.split()[1] in ("bury", "play"))
    spoilt = replace(hand, actions=[each for at, each in enumerate(hand.actions) if at != plays[5]])
    with pytest.raises(Refused, match="only valid play has a value"):
        open_hand(replay(spoilt))
    bare = replace(hand, actions=hand.actions[:moved], claimed=UNSET, status="incomplete")
    with pytest.raises(Refused, match="the record shows no play"):
        open_hand(replay(bare))


def test_a_record_that_stops_early_has_no_value_after_a_fault() -> None:
    hand = next(iter(generate("pedro", 1, 5)))
    first = next(place for place, deed in enumerate(hand.actions) if " play " in deed)
    leader = int(hand.actions[first][0])
    dealt = (hand.deal or [])[(leader + 1) % 4].split()
    kept = replace(hand, claimed=UNSET, status="in_progress")
    played = replay(replace(kept, actions=hand.actions[: first + 4]))
    assert not played.findings
    assert open_hand(played, budget=50).decisions
    played = wrong_lead(kept, first, (leader + 1) % 4, dealt)
    assert played.verdict is Verdict.INCOMPLETE
    with pytest.raises(Refused, match="the record is irregular"):
        open_hand(played, budget=50)


def wrong_lead(hand: Hand, first: int, seat: int, cards: list[str]) -> Replay:
    """Another player leads, a card that they have kept, and the record stops."""
    for card in cards:
        found = replay(replace(hand, actions=[*hand.actions[:first], f"{seat} play {card}"]))
        if [each.code for each in found.findings] == ["wrong-leader"]:
            return found
    raise AssertionError("nobody can lead wrongly")
