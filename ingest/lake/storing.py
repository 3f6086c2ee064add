"""The third step on a lake: a bucket of games becomes a small warehouse, and that files of tables.

Games lie whole in a bucket, so everything that an embedded load does with all hands is done here
with those of the bucket, by the same code. Where hands belong to games that are stored, these are
brought back beside them; such a game is checked and counted again whole and gets another number,
and the old one is put on the list of what readers leave out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from tricklog.core import Verdict
from tricklog.ingest.lake import groups, recalling, tables
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.staging import (
    FATES,
    REJECTS,
    BucketTask,
    Plan,
    noting,
    read_groups,
    read_hands,
    read_plan,
    shifted,
)
from tricklog.ingest.lake.tables import File
from tricklog.ingest.loading.report import Account, Forecast, Superseded
from tricklog.ingest.loading.staging import Staged
from tricklog.ingest.loading.storing import Numbers, store
from tricklog.ingest.loading.workers import Team
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
    account = Account(Forecast(), on_reject=noting(noted))
    with Staged(account, correct_it=CORRECT_IN_LAKE) as staged, Scratch() as folder:
        read_hands(plan, task.storage, task.bucket, staged.spool)
        _read_rejects(plan, task, staged)
        lost, given_way = _fates(plan, task)
        staged.drop_lost(lost)
        pa.default_memory_pool().release_unused()
        keys = {row[0] for batch in staged.intake.rejects() for row in batch}
        if keys and plan.before:
            lake = Lake(task.storage)
            staged.intake.drop_rejects(recalling.stored_rejects(lake, plan.before, keys))
        lines = [bool(row[-1]) for batch in staged.intake.rejects() for row in batch]
        if not (staged.new_valid or lines or not staged.intake.is_empty()):
            return StoredBucket()
        added, superseded, moved = _written(plan, task, Path(folder), staged, given_way)
        return StoredBucket(
            rejected_lines=sum(lines),
            verdicts=dict(account.verdicts),
            findings=dict(account.findings),
            added=added,
            superseded=superseded,
            moved=moved,
            noted=noted,
        )


def _read_rejects(plan: Plan, task: BucketTask, to: Staged) -> None:
    """Put the rejects of the bucket into what is staged."""
    for number, found in read_groups(plan, task.storage, REJECTS, task.bucket):
        for table in found:
            there = shifted(table, "line", plan.first_lines[number]).drop_columns("reject")
            for row in there.to_pylist():
                to.intake.add_reject(Reject(**row | {"code": RejectCode(row["code"])}))


def _fates(plan: Plan, task: BucketTask) -> tuple[pa.Table, list[int]]:
    """Return the hands of the bucket that are not new, numbered from 0 as ``Fates.lost``.

    And the numbers of stored hands in whose place new ones come.
    """
    files = [(settled.path, settled.groups) for settled in plan.settled]
    read = groups.read_each(task.storage, files, task.bucket)
    found = pa.concat_tables([FATES.empty_table(), *(table for each in read for table in each)])
    lost = found.filter(pc.is_null(found["gives_way"])).drop_columns("gives_way")
    base = tables.first_number(plan.load, task.bucket)
    return shifted(lost, "hand_no", -base), found["gives_way"].drop_null().to_pylist()


def _written(
    plan: Plan,
    task: BucketTask,
    folder: Path,
    staged: Staged,
    given_way: list[int],
) -> tuple[list[File], list[int], list[int]]:
    """Write the tables of the bucket; return their files, and ``superseded`` and ``moved`` games.

    ``given_way`` are the numbers of stored hands in whose place new ones come.
    """
    draft = folder / "games.duckdb"
    publishing.put_empty(draft)
    with database.connect(draft, memory_limit=_MEMORY_LIMIT) as connection, Team(1) as alone:
        connection.execute(database.UNPACKED)
        stored = recalling.NO_GAMES
        if plan.before:
            names = [name for batch in staged.intake.game_names() for name in batch]
            names += staged.spool.games(staged.dropped)
            lake = Lake(task.storage)
            stored = recalling.bring_back(lake, plan.before, names, connection)
        there = dict(connection.execute(_GIVEN_WAY, [given_way]).fetchall())
        staged.superseded = Superseded(completed=list(there.values()))
        # A hand without a game is one by itself.
        by_themselves = sorted(set(given_way) - there.keys())
        superseded = stored["game_no"].to_pylist() + by_themselves
        first = recalling.first_seating(connection)
        numbers = Numbers(plan.load, tables.first_number(plan.load, task.bucket), first)
        store(staged, connection, numbers, alone)
        connection.execute(_RENUMBER_GAMES, {"load": plan.load})
        connection.register("stored", stored)
        elsewhere = [number for (number,) in connection.execute(_MOVED).fetchall()]
    added = tables.export(draft, task.storage, plan.load, task.bucket, plan.load)
    if superseded:
        rows = pa.table({"game_no": superseded, "load": [plan.load] * len(superseded)})
        file = tables.write(task.storage, SUPERSEDED, rows, plan.load, task.bucket)
        added += [file] if file else []
    return added, superseded, elsewhere + by_themselves


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
