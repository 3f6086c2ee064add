"""The place where one hand after the other is replayed by the library.

Numpy would do as elsewhere, but loading it takes as long as replaying some hundred hands.
"""

from __future__ import annotations

from array import array
from typing import Any, Final, TypeAlias

from tricklog.core.compiled import driver
from tricklog.core.engine.records import SEATS, Rules, State, cells_of, places_in
from tricklog.core.engine.rules.game_end import Result
from tricklog.core.engine.rules.history import History
from tricklog.core.native.library import Call
from tricklog.schemas.limits import MAX_ACTIONS
from tricklog.schemas.scan.actions import MAX_CARDS, ScannedAction
from tricklog.schemas.scan.line import ScannedLine

Cells: TypeAlias = "array[int]"
"""Whole numbers of 64 bits that follow each other in memory."""

_LONGEST: Final = 1 << 18
"""Bytes of a line; with the most of everything it takes less."""
_KEPT_RULES: Final = 100
_NEW_STATE: Final = array("q", cells_of(State()))
_NEW_RESULT: Final = array("q", cells_of(Result()))
_PART, _COUNT, _ENDING, _TEXT, _SIZE, _RULES, _STATES, _ROOM = range(8)
"""Where these stand among the words of the arguments of ``replay_hand``."""


class ReplayPlace:
    """Where one thread replays hands; its memory, half a megabyte, is used again for each."""

    def __init__(self) -> None:
        """Make the place; the library must be there."""
        self._text = array("B", bytes(_LONGEST))
        self._line = memoryview(self._text)
        self._known: dict[int, tuple[Rules, Cells]] = {}
        self.faults, self.wanted = _numbers(MAX_ACTIONS), _numbers(SEATS + 2)
        self.state, self.result = _NEW_STATE[:], _NEW_RESULT[:]
        self.history = array("q", cells_of(History()))
        self._others = [
            array("q", cells_of(ScannedLine())),
            array("q", cells_of(ScannedAction()) * MAX_ACTIONS),
            *map(_numbers, (2 * MAX_ACTIONS, (SEATS + 2) * MAX_CARDS, MAX_CARDS, SEATS + 3)),
        ]
        line, actions, named, cards, other_cards, bounds = self._others
        workspace = (
            *(_words(line)[0], _words(cards), _words(bounds), _words(self.wanted)),
            *(_words(actions, MAX_ACTIONS), _words(self.faults), _words(self.state)[0]),
            *(_words(self.history)[0], _words(self.result)[0]),
        )
        none = 0, 0
        buffers = driver.Buffers(
            workspace=workspace,
            states=_words(self.state, 1),
            new_state=_words(_NEW_STATE, 1),
            new_facts=none,
            named=_words(named),
            other_cards=_words(other_cards),
            unknown=(*none, 0),
            unknown_count=none,
        )
        self._call = Call("replay", 0, 0, 0, _words(self._text), 0, none, buffers)

    def lay_out(self, line: bytes, rules: Rules, count: int) -> bool | None:
        """Read a hand of so many actions and lay its cards out; return whether they are right.

        Returns ``None`` for a line that is to be read with care.
        """
        if len(line) > _LONGEST:
            return None
        known = self._known.get(id(rules))
        if known is None:
            if len(self._known) == _KEPT_RULES:
                self._known.clear()
            # The rules are kept, so that no other record gets their id.
            known = self._known[id(rules)] = rules, array("q", cells_of(rules))
        self._line[: len(line)] = line
        self.result[:] = _NEW_RESULT
        words = self._call.words
        words[_PART], words[_COUNT], words[_SIZE] = driver.LAY_OUT, count, len(line)
        words[_RULES] = known[1].buffer_info()[0]
        right = self._call()
        return None if right == driver.UNREAD else right == 1

    def carry_on(self, ending: int, *, closing: bool = True) -> int:
        """Return what ``hand_replay.carry_on`` does for the hand that is laid out.

        Without ``closing`` it is what ``carry_out`` does: 1 where no action has a fault, else 0.
        """
        words = self._call.words
        words[_PART], words[_ENDING] = driver.CARRY_ON if closing else driver.CARRY_OUT, ending
        return self._call()

    def states(self, count: int) -> Cells:
        """Return the states of the hand that is laid out before its first actions, one by one."""
        states = array("q", bytes(8 * len(_NEW_STATE) * count))
        words = self._call.words
        words[_PART], words[_ROOM] = driver.KEEP_STATES, count
        words[_STATES] = states.buffer_info()[0]
        self._call()
        return states

    def written(self) -> History:
        """Return the history of the hand; lists are as long as what there is to list."""
        cells = self.history
        calls, plays, on_table, tricks, captures = (cells[at] for at in _COUNTS)
        sizes = {
            "call": calls,
            "play": plays + on_table,
            "first": tricks,
            "trick": tricks,
            "capture": captures,
        }
        values: list[Any] = [
            cells[at : at + sizes[kind]].tolist() if kind else cells[at] for kind, at in _FIELDS
        ]
        return History(*values)


_HISTORY: Final = places_in(History)
_COUNTS: Final = [_HISTORY[name] for name in ("calls", "plays", "on_table", "tricks", "captures")]
_FIELDS: Final = [
    (name.partition("_")[0], at.start) if isinstance(at, slice) else ("", at)
    for name, at in _HISTORY.items()
]
"""By field of a history: for a list what its name begins with, and where the field is."""


def _numbers(count: int) -> Cells:
    return array("q", bytes(8 * count))


def _words(cells: array[int], rows: int = 0) -> tuple[int, int]:
    """Return where an array lies, and its length, in cells or in ``rows`` of them."""
    place, length = cells.buffer_info()
    return place, rows or length
