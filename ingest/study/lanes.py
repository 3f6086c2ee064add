"""Solving the hands of a block, on one thread: their records read, replayed and solved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import astuple, dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray

from tricklog.core import RulesetError, replay
from tricklog.core.compiled import study_lines as codes
from tricklog.core.compiled.batch import lines_of
from tricklog.core.compiled.solving import StudyPlace
from tricklog.core.compiled.study_lines import Studied
from tricklog.core.engine.records import Rules
from tricklog.core.native import library
from tricklog.core.rulesets.ruleset import resolved
from tricklog.core.solver import score
from tricklog.core.study import refusals
from tricklog.ingest.store import record_codec
from tricklog.ingest.store.warehouse import NO_RECORD, RecordError, read_record, records
from tricklog.ingest.study import rows
from tricklog.ingest.study.rows import DECISION, SCHEMA, Row
from tricklog.schemas.hand import RulesRef

_RULES: Final = 3
_PLAYERS: Final = 4
"""Columns of the record that say who plays under which rules."""


class Record(NamedTuple):
    """What is stored of a hand."""

    key: bytes
    """Its content, as ``content_hash`` has it."""
    ruleset: str
    """The hash of its rules when it was loaded."""
    columns: tuple[Any, ...]
    """Those of ``record_codec.COLUMNS``."""

    @property
    def rules(self) -> tuple[str | None, int]:
        """Its rules as recorded, and how many sit at the table."""
        return self.columns[_RULES], len(self.columns[_PLAYERS])


def read_records(tables: DuckDBPyConnection, numbers: NDArray[np.int64]) -> list[Record]:
    """Return the records of hands by their numbers, the newest first."""
    where = (
        "hand_no BETWEEN $first AND $last "
        "AND hand_no IN (SELECT unnest($numbers::BIGINT[])) ORDER BY hand_no DESC"
    )
    wanted = {"first": int(numbers.min()), "last": int(numbers.max()), "numbers": numbers.tolist()}
    also = ("replace(content_hash::VARCHAR, '-', '')", "ruleset")
    return [
        Record(bytes.fromhex(content), ruleset, tuple(columns))
        for content, ruleset, *columns in records(tables, where, wanted, *also)
    ]


@lru_cache(maxsize=4_000)
def known_rules(text: str | None, seats: int) -> tuple[str, Rules] | None:
    """Return hash and record of rules as recorded; ``None`` where nobody knows them now."""
    if text is None:
        return None
    try:
        ruleset = resolved(msgspec.json.decode(text, type=RulesRef))
        return ruleset.hash, ruleset.rules(seats)
    except (msgspec.DecodeError, RulesetError):
        return None


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
        return sum(astuple(self))

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
        self._solvers = rows.Solvers()
        self._done = np.zeros(1, np.int64)

    @property
    def done(self) -> int:
        """Hands dealt with so far."""
        return int(self._done[0])

    def solve(
        self, numbers: NDArray[np.int64], others: Set[bytes] = frozenset()
    ) -> tuple[pa.Table, Outcome]:
        """Solve hands but those of ``others`` until told to stop; return rows and what they are."""
        tables: list[pa.Table] = []
        outcome = Outcome()
        groups: dict[tuple[tuple[str | None, int], str], list[Record]] = {}
        for each in read_records(self._reading, numbers):
            if each.key in others:
                outcome += Outcome(elsewhere=1)
                self._done += 1
            else:
                groups.setdefault((each.rules, each.ruleset), []).append(each)
        for (as_recorded, ruleset), alike in groups.items():
            if self._stop[0]:
                break
            known = known_rules(*as_recorded)
            if known is None or known[0] != ruleset:
                outcome += Outcome(outdated=len(alike))
                self._done += len(alike)
                continue
            table, unreadable = self._group(known[1], ruleset, alike)
            tables.append(table)
            count = Counter(table["status"].to_pylist())
            outcome += Outcome(
                count["solved"], count["limits"], count["refused"], unreadable=unreadable
            )
        return pa.concat_tables([SCHEMA.empty_table(), *tables]), outcome

    def _group(self, rules: Rules, ruleset: str, records: Sequence[Record]) -> tuple[pa.Table, int]:
        """Solve hands of the same rules; return their rows, and how many make no record."""
        solver = self._solvers.of(ruleset, rules)
        tables: list[pa.Table] = []
        left = records
        if self._place and not isinstance(solver, str):
            log = lines_of(b"".join([_line(each.columns) + b"\n" for each in records]))
            studied = self._place.study(log, rules, rows.NODES, self._stop, self._done)
            tables.append(table_of(studied, [each.key for each in records], ruleset))
            left = [records[index] for index in careful(studied)]
        found: list[Row] = []
        unreadable = 0
        for key, _, columns in left:
            if self._stop[0]:
                break
            try:
                hand = read_record(columns)[1]
            except RecordError:
                unreadable += 1
            else:
                row = (
                    rows.refusal_row(solver)
                    if isinstance(solver, str)
                    else rows.row_of(replay(hand), solver)
                )
                found.append({**row, "content_hash": key, "ruleset": ruleset})
            self._done += not tables
        return pa.concat_tables([*tables, rows.table_of(found, SCHEMA)]), unreadable


def _line(columns: tuple[Any, ...]) -> bytes:
    """Return the line of a hand, an empty one where its columns make no record."""
    try:
        return record_codec.line_of(columns)
    except NO_RECORD:
        return b""


# --- What compiled code has found, as rows of a block

Array = NDArray[Any]

_STATUS: Final = {codes.SOLVED: "solved", codes.LIMITS: "limits", codes.REFUSED: "refused"}
_REASONS: Final = refusals.SENTENCES | {
    codes.NO_PLAY: refusals.NO_PLAY,
    codes.NOT_NAMED: refusals.NOT_NAMED,
}
_NO_SCORE: Final = refusals.NO_SCORE | {codes.STOPPED: refusals.STOPPED, score.SCORES: None}
_FLAGS: Final = ("made_open", "showed", "by_makers")
_COUNTS: Final = ("decisions", "choices")


def careful(studied: Studied) -> list[int]:
    """Return the lines that are left to careful reading, of those that were dealt with."""
    found: list[int] = np.flatnonzero(studied.status == codes.CAREFUL).tolist()
    return found


def table_of(studied: Studied, keys: Sequence[bytes], ruleset: str) -> pa.Table:
    """Return the other lines as a table of ``rows.SCHEMA``, by the ``content_hash`` of each."""
    kept = np.flatnonzero(studied.status != codes.CAREFUL)
    status = studied.status[kept]
    refused = status == codes.REFUSED
    # A line left out has no decisions, so that those of the others follow each other.
    offsets = np.append(studied.ends[kept], studied.ends[-1]).astype(np.int32)
    found = {
        "content_hash": pa.array([keys[line] for line in kept.tolist()], pa.uuid()),
        "ruleset": pa.array([ruleset] * len(kept), pa.string()),
        "status": _said(_STATUS, status, np.zeros_like(refused)),
        "reason": _said(_REASONS, studied.reason[kept], ~refused),
        "unit": _said({0: "points", 1: "tricks"}, studied.alone[kept], refused),
        "no_score": _said(_NO_SCORE, studied.no_score[kept], refused),
    }
    for field in SCHEMA:
        name = field.name
        if name in found:
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
