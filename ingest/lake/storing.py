"""The third step on a lake: a bucket of games becomes a small warehouse, and that files of tables.

Games lie whole in a bucket, so everything that an embedded load does with all hands is done here
with those of the bucket, by the same code. Where hands belong to games that are stored, these are
brought back beside them; such a game is checked and counted again whole and gets another number,
and the old one is put on the list of what readers leave out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from duckdb import DuckDBPyConnection

from tricklog.core import Verdict
from tricklog.ingest.lake import groups, recalling, tables
from tricklog.ingest.lake.plan import BucketTask, Plan, read_plan
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.staging import CAREFUL, REJECTS, SEATINGS, VALID, noting
from tricklog.ingest.lake.tables import File
from tricklog.ingest.loading.forecast import Forecast
from tricklog.ingest.loading.report import Account
from tricklog.ingest.loading.settling import Fates
from tricklog.ingest.loading.spool import entry_in
from tricklog.ingest.loading.staging import Staged
from tricklog.ingest.loading.storing import Numbers, store
from tricklog.ingest.loading.superseding import Superseded
from tricklog.ingest.loading.workers import Team
from tricklog.ingest.reading.intake import Entry, moved
from tricklog.ingest.reading.reader import LogLine
from tricklog.ingest.reading.rejects import Reject, RejectCode
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.score_sheets.layout import CORRECT_IN_LAKE
from tricklog.ingest.store import database, publishing

SUPERSEDED: Final = "superseded"
_MEMORY_LIMIT: Final = "200MB"
"""What DuckDB may take beside the process itself, so that a task stays below a gigabyte."""


@dataclass(frozen=True, slots=True)
class StoredBucket:
    """What came of a bucket of games."""

    rejected_lines: int = 0
    """Those that were not stored before. A place that cannot be read has no line."""
    verdicts: dict[Verdict, int] = field(default_factory=dict)
    """New hands by verdict."""
    findings: dict[str, int] = field(default_factory=dict)
    """Findings by code."""
    added: list[File] = field(default_factory=list)
    """Files of tables that are not published yet."""
    superseded: list[int] = field(default_factory=list)
    """Numbers of stored games that are derived again."""
    moved: list[int] = field(default_factory=list)
    """Those of them that may be of another day now."""
    noted: list[Reject] = field(default_factory=list)
    """Of the hands in conflict."""


def store_games(task: BucketTask) -> StoredBucket:
    """Store the new hands of a bucket, and the facts of their games.

    Raises ``WarehouseError`` for a stored hand that can no longer be replayed and when there is no
    room for temporary files, and ``OSError`` when the store fails.
    """
    plan = read_plan(task.storage, task.plan)
    noted: list[Reject] = []
    with Staged(correct_it=CORRECT_IN_LAKE) as staged, Team(1) as alone, Scratch() as folder:
        account = Account(Forecast(), on_reject=noting(noted))
        bucket = _Bucket(plan, task)
        bucket.fill(staged, account)
        pa.default_memory_pool().release_unused()
        keys = {row[0] for batch in staged.intake.rejects() for row in batch}
        if keys and plan.before:
            lake = Lake(task.storage)
            staged.intake.drop_rejects(recalling.stored_rejects(lake, plan.before, keys))
        has_rejects = any(True for _ in staged.intake.rejects())
        rejected_lines = sum(bool(row[-1]) for batch in staged.intake.rejects() for row in batch)
        if not (staged.new_valid or has_rejects or not staged.intake.is_empty()):
            return StoredBucket()
        given_way = bucket.given_way
        added, superseded, moved = _written(
            plan, task, Path(folder), staged, account, alone, given_way
        )
        return StoredBucket(
            rejected_lines=rejected_lines,
            verdicts=dict(account.verdicts),
            findings=dict(account.findings),
            added=added,
            superseded=superseded,
            moved=moved,
            noted=noted,
        )


def _written(
    plan: Plan,
    task: BucketTask,
    folder: Path,
    staged: Staged,
    account: Account,
    team: Team,
    given_way: Sequence[int],
) -> tuple[list[File], list[int], list[int]]:
    """Write the tables of the bucket; return their files, and ``superseded`` and ``moved`` games.

    ``given_way`` are the numbers of stored hands in whose place new ones come.
    """
    draft = folder / "games.duckdb"
    publishing.put_empty(draft)
    with database.connect(draft, memory_limit=_MEMORY_LIMIT) as connection:
        connection.execute(database.UNPACKED)
        stored = _bring_back(plan, task, staged, connection)
        there = dict(connection.execute(_GIVEN_WAY, [list(given_way)]).fetchall())
        staged.superseded = Superseded(completed=list(there.values()))
        # A hand without a game is one by itself.
        by_themselves = sorted(set(given_way) - there.keys())
        superseded = stored["game_no"].to_pylist() + by_themselves
        first = recalling.first_seating(connection)
        numbers = Numbers(plan.load, tables.first_number(plan.load, task.bucket), first)
        store(staged, connection, numbers, account, team)
        connection.execute(_RENUMBER_GAMES, {"load": plan.load})
        connection.register("stored", stored)
        elsewhere = [number for (number,) in connection.execute(_MOVED).fetchall()]
    added = tables.export(draft, task.storage, plan.load, task.bucket, plan.load)
    if superseded:
        rows = pa.table({"game_no": superseded, "load": [plan.load] * len(superseded)})
        file = tables.write(task.storage, SUPERSEDED, rows, plan.load, task.bucket)
        added += [file] if file else []
    return added, superseded, elsewhere + by_themselves


def _bring_back(
    plan: Plan, task: BucketTask, staged: Staged, connection: DuckDBPyConnection
) -> pa.Table:
    """Put the stored hands of continued games into a draft; return these games."""
    if plan.before is None:
        return recalling.NO_GAMES
    names = [name for batch in staged.intake.game_names() for name in batch]
    names += staged.spool.games(staged.dropped)
    return recalling.bring_back(Lake(task.storage), plan.before, names, connection)


_GIVEN_WAY: Final = (
    "SELECT hand_no, hand_id FROM hands WHERE hand_no IN (SELECT unnest($1::BIGINT[]))"
)
_MOVED: Final = """
SELECT stored.game_no
FROM stored
LEFT JOIN games USING (game)
WHERE stored.first_day IS DISTINCT FROM games.first_day
"""
_RENUMBER_GAMES: Final = """
UPDATE games
SET game_no = first
FROM (SELECT game, min(hand_no) AS first FROM hands WHERE import_id = $load GROUP BY game) AS newest
WHERE newest.game = games.game
"""
"""A game that is continued gets another number than it has in what is stored."""


class _Bucket:
    """What the parts of a load have for one bucket."""

    def __init__(self, plan: Plan, task: BucketTask) -> None:
        self._plan = plan
        self._task = task
        self._base = tables.first_number(plan.load, task.bucket)
        self.given_way: list[int] = []
        """Numbers of stored hands in whose place new ones come."""

    def fill(self, staged: Staged, account: Account) -> None:
        """Put hands and rejects into ``staged``, and leave out the hands that are not new."""
        seatings = 0
        each_part = zip(*map(self._of_each_part, (SEATINGS, VALID, CAREFUL, REJECTS)), strict=True)
        for number, (part, read) in enumerate(zip(self._plan.parts, each_part, strict=True)):
            new_seatings, valid, careful, rejects = read
            files = [staged.spool.file_number(file) for file in part.files]
            shift = self._plan.first_lines[number]
            known = _Renumbered(new_seatings, seatings)
            for hands in valid:
                there = _with(hands, "file_no", pa.array(files, pa.int32()).take(hands["file_no"]))
                staged.spool.add_hands(known.renumbered(_shifted(there, "line", shift)))
            for table in known.tables:
                staged.spool.add_seatings(table)
            seatings += known.count
            for table in careful:
                for line, entry in _lines_of(table, part.files, shift):
                    staged.spool.add_line(line, entry)
            for table in rejects:
                for row in table.to_pylist():
                    staged.intake.add_reject(_reject(row, shift))
        staged.spool.finish()
        staged.drop_lost(self._fates(), account)

    def _of_each_part(self, name: str) -> Iterator[list[pa.Table]]:
        files = [(part.path(name), part.groups.get(name, [])) for part in self._plan.parts]
        return groups.read_each(self._task.storage, files, self._task.bucket)

    def _fates(self) -> Fates:
        """Return what became of the hands of the bucket that are not new."""
        files = [(settled.path, settled.groups) for settled in self._plan.settled]
        read = groups.read_each(self._task.storage, files, self._task.bucket)
        found = [table for each in read for table in each]
        if not found:
            return Fates()
        fates = pa.concat_tables(found)
        self.given_way = fates["gives_way"].drop_null().to_pylist()
        lost = fates.filter(pc.is_null(fates["gives_way"])).drop_columns("gives_way")
        return Fates(_shifted(lost, "hand_no", -self._base))


class _Renumbered:
    """The seatings that a part has for a bucket, numbered one after the other."""

    def __init__(self, found: list[pa.Table], first: int) -> None:
        numbers = [table["seating_id"].to_numpy().astype(np.int64) for table in found]
        self._numbers = np.sort(np.concatenate([np.zeros(0, np.int64), *numbers]))
        self._first = first
        self.tables = [self.renumbered(table) for table in found]

    @property
    def count(self) -> int:
        return len(self._numbers)

    def renumbered(self, table: pa.Table) -> pa.Table:
        numbers = table["seating_id"].to_numpy().astype(np.int64)
        places = np.searchsorted(self._numbers, numbers) + self._first
        return _with(table, "seating_id", pa.array(places.astype(np.int32)))


def _with(table: pa.Table, name: str, column: pa.Array | pa.ChunkedArray) -> pa.Table:
    return table.set_column(table.schema.get_field_index(name), name, column)


def _shifted(table: pa.Table, name: str, by: int) -> pa.Table:
    return _with(table, name, pc.add(table[name], pa.scalar(by, table[name].type)))


def _lines_of(table: pa.Table, files: list[str], shift: int) -> Iterator[tuple[LogLine, Entry]]:
    for row in table.to_pylist():
        line = LogLine(files[row["file_no"]], row["line"], row["byte"], text=row["text"])
        yield moved(entry_in(row), line, shift)


def _reject(row: dict[str, Any], shift: int) -> Reject:
    return Reject(
        row["file"],
        row["line"] + shift,
        row["byte"],
        RejectCode(row["code"]),
        row["pointer"],
        row["message"],
        row["hint"],
        row["text"],
    )
