"""The place where lines of hands are studied by compiled code, and what comes of them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from tricklog.core.compiled import batch, solving
from tricklog.core.compiled.driver import Lines
from tricklog.core.compiled.reading import Buffers
from tricklog.core.compiled.study_lines import Room, Studied
from tricklog.core.engine.records import Rules, pack
from tricklog.core.native.library import Call
from tricklog.core.solver import answer
from tricklog.schemas.limits import MAX_ACTIONS
from tricklog.schemas.scan.actions import ScannedAction

Array = np.ndarray[Any, Any]
Flag = np.ndarray[Any, np.dtype[np.int64]]
"""An array of one number."""

_MOST_STEPS: Final = answer.STEPS
_FIRST, _DECISION = map(Studied._fields.index, ("status", "action"))
_PER_LINE: Final = Studied._fields[_FIRST:_DECISION]
_PER_DECISION: Final = tuple(name for name in Studied._fields[_DECISION:] if name != "cards")


def new_room(place: Buffers) -> Room:
    """Return the records that one thread works with beside ``place``."""
    states = np.zeros(3, solving.STATE)
    words = np.zeros(1, place.actions.dtype)
    pack(ScannedAction(), words[0])
    places = np.zeros(MAX_ACTIONS, np.int64)
    return Room(states[0:1], states[1:2], states[2:3], words, places)


def new_columns(lines: int) -> Studied:
    """Return room for what is found out about so many lines; nobody has stopped them."""
    return Studied(
        ends=np.zeros(lines + 1, np.int64),
        stop=np.zeros(1, np.int64),
        done=np.zeros(1, np.int64),
        cards=np.zeros(lines * _MOST_STEPS, np.int64),
        **{name: np.zeros(lines, np.int32) for name in _PER_LINE},
        **{name: np.zeros(lines * _MOST_STEPS, np.int32) for name in _PER_DECISION},
    )


class StudyPlace:
    """Where one thread studies hands; its memory, some 3 MB, is used again for each call."""

    def __init__(self) -> None:
        """Make the place; the library must be there."""
        self._place: Buffers = batch.buffers()
        self._board = solving.new_boards()[0]
        self._rows = solving.RulesRows()
        self._room = new_room(self._place)
        self._sheet = solving.new_sheet()

    def study(self, log: Lines, rules: Rules, budget: int, stop: Flag, done: Flag) -> Studied:
        """Study hands of one set of rules; return an entry for each line that was dealt with.

        ``budget``: nodes for each value. ``stop`` may be set by others, ``done`` counts lines.
        """
        count = len(log.starts)
        out = new_columns(count)._replace(stop=stop, done=done)
        rows = self._rows.of(rules)
        given = log, self._place, self._room, rows[0], rows[1], self._board, self._sheet
        return _kept(out, Call("study", *given, budget, out)())


def _kept(out: Studied, lines: int) -> Studied:
    """Return what was written of so many lines."""
    steps = int(out.ends[lines])
    kept: dict[str, Array] = {name: getattr(out, name)[:lines] for name in _PER_LINE}
    kept |= {name: getattr(out, name)[:steps] for name in (*_PER_DECISION, "cards")}
    return Studied(ends=out.ends[: lines + 1], stop=out.stop, done=out.done, **kept)
