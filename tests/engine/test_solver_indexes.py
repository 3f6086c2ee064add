"""The search takes no index below 0, which in machine code does not count from the end.

In plain Python all its tables are lists here that refuse such an index.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import fields
from itertools import islice
from typing import Any, SupportsIndex, TypeVar

import pytest

from tests.kit.open_play import SHAPES, endings, random_plays
from tests.kit.tiers import scaled, some
from tricklog.core import replay
from tricklog.core.engine.records import Rules, State
from tricklog.core.solver import answer
from tricklog.core.solver.answer import PLACED
from tricklog.core.solver.position import Board
from tricklog.core.study import Solver
from tricklog.core.study.open_cards import deeds_of
from tricklog.schemas.hand import Hand, Player, RulesRef

Record = TypeVar("Record", Board, State, Rules)

BUDGET = 60


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
    """Return a copy of a record whose lists are careful ones."""
    other = copy(record)
    for item in fields(record):
        setattr(other, item.name, careful(getattr(record, item.name)))
    return other


class Asker:
    """Asks all questions of the solver, in plain Python, on careful lists."""

    def __init__(self, rules: Rules) -> None:
        self.rules = with_careful_lists(rules)
        self.dense = with_careful_lists(rules)
        self.board = with_careful_lists(Board())
        self.placed = careful([[0] * PLACED for _ in range(answer.STEPS + 1)])

    def ask(
        self, question: int, state: State, deeds: Sequence[Sequence[int]] = (), need: int = 0
    ) -> int:
        """Return how many rows the answer has."""
        rows = careful([[0] * answer.ROW for _ in range(answer.STEPS + 1)])
        shown = careful([[*each] for each in deeds])
        numbers = Careful([len(shown), BUDGET, need, 0])
        sheet = answer.Sheet(shown, numbers, rows, self.placed)
        state = with_careful_lists(state)
        return answer.answer(question, self.board, self.dense, state, self.rules, sheet)


def test_careful_lists_refuse_indexes_below_0() -> None:
    board = with_careful_lists(Board())
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
    rules = RulesRef("bangladesh", options={"ask": "optional-thrown-dead"})
    dealt = (
        "TS JC 9H AS TH QC KC AD, KH KD 7H AH KS QH TD 7D, "
        "7C QD 8C JH 9D 9S JD QS, JS 8D 7S AC TC 8H 8S 9C"
    )
    done = (
        "1 pass, 3 bid 18, 0 pass, 2 pass, 3 trump seventh, 1 play QH, 0 play 9H, 3 play 8H, "
        "2 play JH, 2 play 9D, 1 play KD, 0 play AD, 3 play 8D, 2 play 9S, 1 play KS, 0 play TS, "
        "3 play JS"
    )
    hand = Hand(
        format="tricklog/1",
        id="led",
        rules=rules,
        players=[Player(each) for each in ("ann", "bo", "cy", "dee")],
        dealer=2,
        deal=dealt.split(", "),
        actions=done.split(", "),
    )
    played = replay(hand)
    assert played.findings == ()
    state = played.state_at(len(played))
    plain = Solver(played.rules, compiled=False).value(state)
    assert plain == Solver(played.rules).value(state)


def every_third(found: Iterator[tuple[State, Rules]]) -> list[tuple[State, Rules]]:
    """Return every third of some endings, up to seven, or twenty of them."""
    return list(islice(found, 0, scaled(21, most=60), 3))
