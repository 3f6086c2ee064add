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
from tricklog.core.engine.records import Rules, State
from tricklog.core.solver import answer
from tricklog.core.solver.answer import PLACED
from tricklog.core.solver.position import Board
from tricklog.core.study.open_cards import deeds_of

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


def every_third(found: Iterator[tuple[State, Rules]]) -> list[tuple[State, Rules]]:
    """Return every third of some endings, up to seven, or twenty of them."""
    return list(islice(found, 0, scaled(21, most=60), 3))
