"""The place where lines of hands are studied by compiled code, and what comes of them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from replay.compiled import batch, solving
from replay.compiled.driver import Buffers, Lines
from replay.compiled.kernel import study
from replay.compiled.study_lines import Room, Studied
from replay.engine.records import Rules, pack
from replay.solver import answer
from replay.solver.placed import PLACED
from schemas.limits import MAX_ACTIONS
from schemas.scan.actions import ScannedAction

Array = np.ndarray[Any, Any]
Flag = np.ndarray[Any, np.dtype[np.int64]]
"""An array of one number."""

_MOST_STEPS: Final = answer.STEPS
_PER_LINE: Final = (
    *("status", "reason", "alone", "need", "par_low", "par_high", "outcome", "made_open"),
    *("losses_makers", "losses_others", "no_score", "score_par", "score_outcome", "decisions"),
    "choices",
)
_PER_DECISION: Final = (
    *("action", "seat", "trick", "turn", "kind", "showed", "by_makers", "before", "after"),
    *("loss", "score_loss", "choice_count", "loss_kind"),
)


class StudyPlace:
    """Where one thread studies hands; its memory, some 3 MB, is used again for each call."""

    def __init__(self) -> None:
        """Make the place. The first call compiles when nobody has (``kernel.study_is_ready``)."""
        self._run = study()
        self._place: Buffers = batch.buffers()
        self._board = solving.new_boards()[0]
        self._known: dict[int, tuple[Rules, Array]] = {}
        states = np.zeros(3, solving.STATE)
        self._room = Room(
            states[0:1],
            states[1:2],
            states[2:3],
            np.zeros(1, self._place.actions.dtype),
            np.zeros(MAX_ACTIONS, np.int64),
        )
        pack(ScannedAction(), self._room.words[0])
        self._sheet = answer.Sheet(
            np.zeros((MAX_ACTIONS, 3), np.int64),
            np.zeros(3, np.int64),
            np.zeros((answer.STEPS + 1, answer.ROW), np.int64),
            np.zeros((answer.STEPS + 1, PLACED), np.int64),
        )

    def study(self, log: Lines, rules: Rules, budget: int, stop: Flag, done: Flag) -> Studied:
        """Study hands of one set of rules; return an entry for each line that was dealt with.

        ``budget``: nodes for each value. ``stop`` may be set by others, ``done`` counts lines.
        """
        count = len(log.starts)
        out = Studied(
            ends=np.zeros(count + 1, np.int64),
            stop=stop,
            done=done,
            cards=np.zeros(count * _MOST_STEPS, np.int64),
            **{name: np.zeros(count, np.int32) for name in _PER_LINE},
            **{name: np.zeros(count * _MOST_STEPS, np.int32) for name in _PER_DECISION},
        )
        known = self._known.get(id(rules))
        if known is None:
            rows = np.zeros(2, solving.RULES)
            pack(rules, rows[0])
            rows[1] = rows[0]
            # The rules are kept, so that no other record gets their id.
            known = self._known[id(rules)] = rules, rows
        rows = known[1]
        dealt = self._run(
            log,
            self._place,
            self._room,
            rows[0],
            rows[1],
            self._board,
            self._sheet,
            budget,
            out,
        )
        return _kept(out, dealt)


def _kept(out: Studied, lines: int) -> Studied:
    """Return what was written of so many lines."""
    steps = int(out.ends[lines])
    kept: dict[str, Array] = {name: getattr(out, name)[:lines] for name in _PER_LINE}
    kept |= {name: getattr(out, name)[:steps] for name in (*_PER_DECISION, "cards")}
    return Studied(ends=out.ends[: lines + 1], stop=out.stop, done=out.done, **kept)


def warm_up() -> None:
    """Compile all of it, if nobody has, by studying no hand."""
    nothing = np.zeros(1, np.int64)
    StudyPlace().study(batch.lines_of(b""), Rules(), 0, nothing, nothing)
