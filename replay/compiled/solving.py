"""The solver's place to work at: its records and arrays, compiled or plain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, Final

import numpy as np

from replay.compiled.kernel import solver
from replay.engine.records import Rules, State, dtype_of, pack
from replay.solver import answer
from replay.solver.placed import PLACED
from replay.solver.position import ALL_SWITCHES, Board
from replay.solver.weights import WEIGHTS

Array = np.ndarray[Any, Any]
Rows = list[list[int]]
DEEDS: Final = 128
"""What a record shows of the play of one hand, at the most: cards, surplus and words."""
UNLIMITED: Final = 1 << 60

STATE: Final = dtype_of(State())
RULES: Final = dtype_of(Rules())
BOARD: Final = dtype_of(Board())


def new_boards() -> Array:
    """Return an array whose first record is a board for compiled code, on which nothing is known.

    For two boards, which are larger than 4 MB, numpy asks for large pages; one is never touched.
    """
    boards = np.zeros(2, BOARD)
    boards["switches"][0], boards["weights"][0] = ALL_SWITCHES, WEIGHTS
    return boards


class Place:
    """Where one thread asks the solver; its memory, some 3 MB, is used again for each hand."""

    def __init__(self, *, compiled: bool) -> None:
        """Make the place. The first question compiles when nobody has (``solver_is_ready``)."""
        self._ask: Callable[..., int] = solver() if compiled else answer.answer
        self._compiled = compiled
        self._boards = new_boards() if compiled else None
        self._board: Any = Board() if self._boards is None else self._boards[0]
        self._known: dict[int, tuple[Rules, Array]] = {}
        self._loaded: Rules | None = None
        self._last: Rules | None = None
        """Under which rules the question before was asked."""
        self._rules: Any = None
        """Compiled, two records of the loaded rules; into the second one the solver writes."""
        self._dense: Any = None
        """In plain Python, a copy of the rules for the solver to write into."""
        shape = (answer.STEPS + 1, answer.ROW)
        self._rows = np.zeros(shape, np.int64)
        self._deeds = np.zeros((DEEDS, 3), np.int64)
        self._numbers = np.zeros(4, np.int64)
        placed = np.zeros((answer.STEPS + 1, PLACED), np.int64)
        self._placed = placed.tolist()
        """What the last question has written down, in plain Python."""
        self._sheet = answer.Sheet(self._deeds, self._numbers, self._rows, placed)
        self._states = np.zeros(1, STATE)

    @property
    def nodes(self) -> int:
        """Nodes that the last answer took: cards chosen, or dealt with by the table."""
        return int(self._board["nodes"] if self._compiled else self._board.nodes)

    def switch(self, switches: int) -> None:
        """Turn parts of the search on and off, bits of ``position.ALL_SWITCHES``, for proofs."""
        if self._compiled:
            self._board["switches"] = switches
        else:
            self._board.switches = switches

    def weigh(self, weights: Sequence[int]) -> None:
        """Try moves by other ``weights`` than those of ``solver.weights``, to find better ones."""
        if self._compiled:
            self._board["weights"] = weights
        else:
            self._board.weights = [*weights]

    def ask(
        self,
        question: int,
        state: State,
        rules: Rules,
        *,
        budget: int = UNLIMITED,
        need: int = 0,
        deeds: Sequence[Sequence[int]] = (),
    ) -> Rows:
        """Return the rows of ``solver.answer.answer`` for a state in the play."""
        if not self._compiled:
            rows = [[0] * answer.ROW for _ in range(answer.STEPS + 1)]
            numbers = [len(deeds), budget, need, 0 if rules is self._last else 1]
            if rules is not self._last:
                self._last, self._dense = rules, deepcopy(rules)
            sheet = answer.Sheet(deeds, numbers, rows, self._placed)
            return rows[: self._ask(question, self._board, self._dense, state, rules, sheet)]
        self.load(state, rules, deeds, budget, need)
        found: Rows = self._rows[: self.run(question)].tolist()
        return found

    def load(
        self,
        state: State,
        rules: Rules,
        deeds: Sequence[Sequence[int]],
        budget: int,
        need: int,
    ) -> None:
        """Copy what a question is about to where compiled code finds it."""
        known = self._known.get(id(rules))
        if known is None:
            rows = np.zeros(2, RULES)
            pack(rules, rows[0])
            rows[1] = rows[0]
            # The rules are kept, so that no other record gets their id.
            known = self._known[id(rules)] = (rules, rows)
        self._loaded, self._rules = known
        pack(state, self._states[0])
        self._numbers[:3] = len(deeds), budget, need
        if deeds:
            self._deeds[: len(deeds)] = deeds

    def run(self, question: int) -> int:
        """Ask the compiled solver about what was loaded; return how many rows it has filled."""
        self._numbers[3] = 0 if self._loaded is self._last else 1
        self._last = self._loaded
        return self._ask(
            question,
            self._boards,
            self._rules,
            self._states,
            tuple(self._sheet),
        )


def warm_up() -> None:
    """Compile the solver, if nobody has, by asking about a hand that is over."""
    over = State(maker=0, trump=0, leader=0)
    Place(compiled=True).ask(answer.VALUE, over, Rules())
