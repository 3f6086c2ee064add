"""Solving the hands of a block, on one thread: their records read, replayed and solved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import astuple, dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray

from tricklog.core import replay
from tricklog.core.compiled import study_lines as codes
from tricklog.core.compiled.batch import lines_of
from tricklog.core.compiled.solving import StudyPlace
from tricklog.core.compiled.study_lines import Studied
from tricklog.core.engine.records import Rules
from tricklog.core.native import library
from tricklog.core.solver import score
from tricklog.core.study import Solver, refusals
from tricklog.core.study.refusals import NO_SCORE
from tricklog.ingest.store import record_codec
from tricklog.ingest.store.warehouse import NO_RECORD, RecordError, read_record
from tricklog.ingest.study import plain, records
from tricklog.ingest.study.blocks import DECISION, SCHEMA
from tricklog.ingest.study.records import Record, read_records


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of hands: how many."""

    solved: int = 0
    limits: int = 0
    refused: int = 0
    outdated: int = 0
    """Hands whose rules are others now than when they were loaded: not solved."""
    unreadable: int = 0
    """Hands whose columns make no record: not solved."""
    elsewhere: int = 0
    """Hands that another run has solved meanwhile."""

    @property
    def hands(self) -> int:
        """How many hands these are."""
        known = self.solved + self.limits + self.refused
        return known + self.outdated + self.unreadable + self.elsewhere

    def __add__(self, other: Outcome) -> Outcome:
        return Outcome(*map(sum, zip(astuple(self), astuple(other), strict=True)))


class Lane:
    """Where one block at a time is solved."""

    def __init__(
        self, reading: DuckDBPyConnection, stop: NDArray[np.int64], *, compiled: bool | None = None
    ) -> None:
        """Read from a connection to the tables of a snapshot.

        ``stop`` is one number, looked at between two hands: whoever makes it 1 ends the work.

        ``compiled``: whether hands are replayed and walked through by the library; by default where
        there is one. Plain Python says the same.
        """
        self._reading = reading
        self._stop = stop
        is_compiled = library.is_there() if compiled is None else compiled
        self._place = StudyPlace() if is_compiled else None
        self._solvers = plain.Solvers()
        self._done = np.zeros(1, np.int64)

    @property
    def done(self) -> int:
        """Hands dealt with so far."""
        return int(self._done[0])

    def solve(
        self, numbers: NDArray[np.int64], others: Set[bytes] = frozenset()
    ) -> tuple[pa.Table, Outcome]:
        """Solve the hands of these numbers, until told to stop; return rows and what they are.

        ``others``: the content of hands that somebody else has solved.
        """
        tables: list[pa.Table] = []
        outcome = Outcome()
        groups: dict[tuple[str | None, int, str], list[Record]] = {}
        for each in read_records(self._reading, numbers):
            if each.key in others:
                outcome += Outcome(elsewhere=1)
                self._done += 1
                continue
            groups.setdefault((each.rules, each.seats, each.ruleset), []).append(each)
        for (text, seats, ruleset), alike in groups.items():
            if self._stop[0]:
                break
            known = records.known_rules(text, seats)
            if known is None or known[0] != ruleset:
                outcome += Outcome(outdated=len(alike))
                self._done += len(alike)
                continue
            table, unreadable = self._group(known[1], ruleset, alike)
            tables.append(table)
            outcome += _counted(table) + Outcome(unreadable=unreadable)
        return pa.concat_tables([SCHEMA.empty_table(), *tables]), outcome

    def _group(self, rules: Rules, ruleset: str, records: Sequence[Record]) -> tuple[pa.Table, int]:
        """Solve hands of the same rules; return their rows, and how many make no record."""
        solver = self._solvers.of(ruleset, rules)
        tables: list[pa.Table] = []
        left = records
        if self._place and not isinstance(solver, str):
            table, left = self._compiled(self._place, rules, ruleset, records)
            tables.append(table)
        rows: list[plain.Row] = []
        unreadable = 0
        for key, _, columns in left:
            if self._stop[0]:
                break
            row = self._row(solver, columns)
            if row is None:
                unreadable += 1
            else:
                rows.append({**row, "content_hash": key, "ruleset": ruleset})
            self._done += not tables
        return pa.concat_tables([*tables, plain.table_of(rows)]), unreadable

    def _compiled(
        self, place: StudyPlace, rules: Rules, ruleset: str, records: Sequence[Record]
    ) -> tuple[pa.Table, list[Record]]:
        """Solve hands by compiled code; return their rows, and the hands that are left."""
        log = lines_of(b"".join([_line(each.columns) + b"\n" for each in records]))
        studied = place.study(log, rules, plain.NODES, self._stop, self._done)
        table = table_of(studied, [each.key for each in records], ruleset)
        return table, [records[index] for index in careful(studied)]

    def _row(self, solver: Solver | str, columns: tuple[Any, ...]) -> plain.Row | None:
        """Return the row of a hand, ``None`` where its columns make no record."""
        try:
            hand = read_record(columns)[1]
        except RecordError:
            return None
        return (
            plain.refusal_row(solver)
            if isinstance(solver, str)
            else plain.row_of(replay(hand), solver)
        )


def _line(columns: tuple[Any, ...]) -> bytes:
    """Return the line of a hand, an empty one where its columns make no record."""
    try:
        return record_codec.line_of(columns)
    except NO_RECORD:
        return b""


def _counted(table: pa.Table) -> Outcome:
    found = Counter(table["status"].to_pylist())
    return Outcome(found["solved"], found["limits"], found["refused"])


# --- What compiled code has found, as rows of a block

Array = NDArray[Any]

_STATUS: Final = {codes.SOLVED: "solved", codes.LIMITS: "limits", codes.REFUSED: "refused"}
_REASONS: Final = refusals.SENTENCES | {
    codes.NO_PLAY: refusals.NO_PLAY,
    codes.NOT_NAMED: refusals.NOT_NAMED,
}
_NO_SCORE: Final = NO_SCORE | {codes.STOPPED: refusals.STOPPED, score.SCORES: None}
_WORDS: Final = ("content_hash", "ruleset", "status", "reason", "unit", "no_score")
_FLAGS: Final = ("made_open", "showed", "by_makers")
_COUNTS: Final = ("decisions", "choices")


def careful(studied: Studied) -> list[int]:
    """Return the lines that are left to careful reading, of those that were dealt with."""
    found: list[int] = np.flatnonzero(studied.status == codes.CAREFUL).tolist()
    return found


def table_of(studied: Studied, keys: Sequence[bytes], ruleset: str) -> pa.Table:
    """Return the other lines as a table of ``blocks.SCHEMA``.

    ``keys``: the content of the hand of each line, as ``content_hash`` has it.
    """
    kept = np.flatnonzero(studied.status != codes.CAREFUL)
    status = studied.status[kept].tolist()
    refused = studied.status[kept] == codes.REFUSED
    # A line left out has no decisions, so that those of the others follow each other.
    offsets = np.append(studied.ends[kept], studied.ends[-1]).astype(np.int32)
    found = {
        "content_hash": pa.ExtensionArray.from_storage(
            pa.uuid(), pa.array([keys[line] for line in kept.tolist()], pa.binary(16))
        ),
        "ruleset": pa.array([ruleset] * len(kept), pa.string()),
        "status": pa.array([_STATUS[each] for each in status], pa.string()),
        "reason": _said(_REASONS, studied.reason[kept], ~refused),
        "unit": _said({0: "points", 1: "tricks"}, studied.alone[kept], refused),
        "no_score": _said(_NO_SCORE, studied.no_score[kept], refused),
    }
    for field in SCHEMA:
        name = field.name
        if name in _WORDS:
            continue
        values = getattr(studied, name)
        if name in DECISION:
            entries = _numbers(values, name, field.type.value_type)
            found[name] = pa.ListArray.from_arrays(pa.array(offsets), entries)
        else:
            unknown = None if name in _COUNTS else refused
            found[name] = _numbers(values[kept], name, field.type, unknown)
    return pa.table([found[field.name] for field in SCHEMA], schema=SCHEMA)


def _numbers(values: Array, name: str, kind: pa.DataType, unknown: Array | None = None) -> pa.Array:
    """Return numbers, or flags, as Arrow has them; none where they are not known."""
    mask = values == codes.UNKNOWN
    if unknown is not None:
        mask |= unknown
    shown = np.where(mask, 0, values)
    if name in _FLAGS:
        return pa.array(shown.astype(np.bool_), mask=mask)
    return pa.array(shown.astype(kind.to_pandas_dtype()), kind, mask=mask)


def _said(words: dict[int, Any], numbers: Array, unknown: Array) -> pa.Array:
    pairs = zip(numbers.tolist(), unknown.tolist(), strict=True)
    return pa.array([None if gone else words[number] for number, gone in pairs], pa.string())
