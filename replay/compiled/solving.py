"""The places where hands are solved, compiled or plain, and where lines of hands are studied."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Final

import numpy as np

from tricklog.core.compiled import batch
from tricklog.core.compiled.batch import RULES, STATE
from tricklog.core.compiled.driver import Lines
from tricklog.core.compiled.study_lines import Desk, Studied
from tricklog.core.engine.records import Rules, State, dtype_of, pack
from tricklog.core.native.library import Call
from tricklog.core.solver import answer
from tricklog.core.solver.answer import PLACED
from tricklog.core.solver.position import ALL_SWITCHES, Board
from tricklog.core.solver.weights import WEIGHTS
from tricklog.schemas.limits import MAX_ACTIONS
from tricklog.schemas.scan.actions import ScannedAction

Array = np.ndarray[Any, Any]
Rows = list[list[int]]
UNLIMITED: Final = 1 << 60


def new_boards() -> Array:
    """Return an array whose first record is a board for the library, on which nothing is known.

    For two boards, which are larger than 4 MB, numpy asks for large pages; one is never touched.
    """
    boards = np.zeros(2, dtype_of(Board()))
    boards["switches"][0], boards["weights"][0] = ALL_SWITCHES, WEIGHTS
    return boards


def new_sheet() -> answer.Sheet:
    """Return the arrays by which the solver is asked and answers."""
    return answer.Sheet(
        np.zeros((MAX_ACTIONS, 3), np.int64),
        np.zeros(4, np.int64),
        np.zeros((answer.STEPS + 1, answer.ROW), np.int64),
        np.zeros((answer.STEPS + 1, PLACED), np.int64),
    )


class Place:
    """Where one thread asks the solver; its memory, some 3 MB, is used again for each hand."""

    def __init__(self, *, compiled: bool) -> None:
        """Make the place, for the library, which must be there, or for plain Python."""
        self._last: Rules | None = None
        """Under which rules the question before was asked."""
        self._sheet = new_sheet()
        self._call: Call | None = None
        self._dense: Any = None
        """In plain Python, a copy of the rules for the solver to write into."""
        self._placed: list[list[int]] = []
        """What the last question has written down, in plain Python."""
        if compiled:
            self._board: Any = new_boards()[0]
            self._states, self._rules = np.zeros(1, STATE), np.zeros(2, RULES)
            rules, dense = self._rules
            self._call = Call("ask", 0, self._board, dense, self._states[0], rules, self._sheet)
        else:
            self._board = Board()
            self._placed = self._sheet.placed.tolist()

    @property
    def nodes(self) -> int:
        """Nodes that the last answer took: cards chosen, or dealt with by the table."""
        return int(self._board["nodes"] if self._call else self._board.nodes)

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
        if self._call is None:
            rows = [[0] * answer.ROW for _ in range(answer.STEPS + 1)]
            numbers = [len(deeds), budget, need, 0 if rules is self._last else 1]
            if rules is not self._last:
                self._last, self._dense = rules, deepcopy(rules)
            sheet = answer.Sheet(deeds, numbers, rows, self._placed)
            found = answer.answer(question, self._board, self._dense, state, rules, sheet)
            return rows[:found]
        self.load(state, rules, deeds, budget, need)
        compiled: Rows = self._sheet.rows[: self.run(question)].tolist()
        return compiled

    def load(
        self, state: State, rules: Rules, deeds: Sequence[Sequence[int]], budget: int, need: int
    ) -> None:
        """Copy what a question is about to where the library finds it."""
        self._sheet.numbers[:] = len(deeds), budget, need, 0 if rules is self._last else 1
        if rules is not self._last:
            self._last = rules
            pack(rules, self._rules[0])
            self._rules[1] = self._rules[0]
        pack(state, self._states[0])
        if deeds:
            self._sheet.deeds[: len(deeds)] = deeds

    def run(self, question: int) -> int:
        """Ask about what was loaded; return how many rows were filled."""
        assert self._call
        self._call.words[_QUESTION] = question
        return self._call()


_QUESTION: Final = 0
"""Where this stands among the arguments of ``solver.answer.answer``."""


# --- Lines of hands


Flag = np.ndarray[Any, np.dtype[np.int64]]
"""An array of one number."""

_FIRST, _DECISION = map(Studied._fields.index, ("status", "action"))
_PER_LINE: Final = Studied._fields[_FIRST:_DECISION]
_PER_DECISION: Final = tuple(name for name in Studied._fields[_DECISION:] if name != "cards")


def new_desk(rules: Array) -> Desk:
    """Return what one thread studies hands with, under ``rules``: two records of the same."""
    states = np.zeros((3, 1), STATE)
    words = np.zeros(1, dtype_of(ScannedAction()))
    pack(ScannedAction(), words[0])
    return Desk(
        place=batch.buffers(),
        starts=states[0],
        ends=states[1],
        shown=states[2],
        words=words,
        places=np.zeros(MAX_ACTIONS, np.int64),
        rules=rules[0],
        dense=rules[1],
        board=new_boards()[0],
        sheet=new_sheet(),
        out=new_columns(1),
    )


def new_columns(lines: int) -> Studied:
    """Return room for what is found out about so many lines; nobody has stopped them."""
    return Studied(
        ends=np.zeros(lines + 1, np.int64),
        stop=np.zeros(1, np.int64),
        done=np.zeros(1, np.int64),
        cards=np.zeros(lines * answer.STEPS, np.int64),
        **{name: np.zeros(lines, np.int32) for name in _PER_LINE},
        **{name: np.zeros(lines * answer.STEPS, np.int32) for name in _PER_DECISION},
    )


class StudyPlace:
    """Where one thread studies hands; its memory, some 3 MB, is used again for each call."""

    def __init__(self) -> None:
        """Make the place; the library must be there."""
        self._rules = np.zeros(2, RULES)
        self._desk = new_desk(self._rules)

    def study(self, log: Lines, rules: Rules, budget: int, stop: Flag, done: Flag) -> Studied:
        """Study hands of one set of rules; return an entry for each line that was dealt with.

        ``budget``: nodes for each value. ``stop`` may be set by others, ``done`` counts lines.
        """
        out = new_columns(len(log.starts))._replace(stop=stop, done=done)
        for row in self._rules:
            pack(rules, row)
        return _kept(out, Call("study", log, self._desk._replace(out=out), budget)())


def _kept(out: Studied, lines: int) -> Studied:
    steps = int(out.ends[lines])
    kept: dict[str, Array] = {name: getattr(out, name)[:lines] for name in _PER_LINE}
    kept |= {name: getattr(out, name)[:steps] for name in (*_PER_DECISION, "cards")}
    return out._replace(ends=out.ends[: lines + 1], **kept)
