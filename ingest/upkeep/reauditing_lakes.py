"""Reauditing a lake: stored hands replayed in portions of whole games, as tasks of bounded size.

Each portion becomes a small warehouse of its own, of which the same code finds out what changed as
of a warehouse of one machine. Where nothing changed anywhere, nothing more is done. Else all tables
that follow from the rules are written again, and published in the place of the old ones. Hands keep
their numbers, so the index of ids stays as it is.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
import pyarrow as pa

from tricklog.ingest.lake import portions, reading, tables
from tricklog.ingest.lake.door import LakeWarehouse
from tricklog.ingest.lake.engines import engine_of
from tricklog.ingest.lake.load import set_aside
from tricklog.ingest.lake.portions import Portion
from tricklog.ingest.lake.storage import Storage
from tricklog.ingest.lake.tables import File
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.store import database, publishing
from tricklog.ingest.study import lakes as study
from tricklog.ingest.upkeep import reauditing, rederive
from tricklog.ingest.upkeep.reauditing import BATCH, HandChange, OnChange, ReauditReport

STAYING: Final = frozenset({"ids", "imports", "rejects", "long_texts"})
"""Tables of which no row follows from the rules; long texts may be added to them."""
REAUDIT: Final = "reaudit"
"""What a lake is said to be held by while it is reaudited."""
_PACKED: Final = pa.schema({"id": pa.string(), "packed": pa.binary()})


@dataclass(frozen=True, slots=True)
class ReplayTask:
    """A portion of the stored hands to be replayed."""

    number: int
    portion: Portion
    folder: str
    """Where the run sets things aside."""
    load: int | None
    """The load that is at work; ``None`` where nothing is to be written."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of replaying a portion."""

    task: ReplayTask
    report: ReauditReport
    changes: str
    """The file with what changed; empty where nothing did."""
    added: list[File]
    """The tables of the portion as they are now, where they are other ones than before."""


def reaudit(
    lake: LakeWarehouse,
    *,
    dry_run: bool,
    on_change: OnChange,
    on_progress: OnProgress | None,
    on: str | None,
    take_over: bool,
) -> ReauditReport:
    """Replay all hands of a lake as ``reauditing.reaudit`` says."""

    def tell(stage: Stage, done: int, total: int) -> None:
        if on_progress:
            hands = done if stage is Stage.CHECKING else 0
            on_progress(Progress(stage, hands=hands, done=done, total=total))

    report = ReauditReport()
    with engine_of(on) as engine, ExitStack() as held:
        before, begun = lake.snapshot(), None
        if not dry_run:
            begun = held.enter_context(lake.lake.begin(REAUDIT, take_over=take_over))
            assert begun.before
            before = begun.before
        folder = held.enter_context(set_aside(lake.storage, REAUDIT))
        stored = sum(file.rows for file in lake.lake.files(before, "hands"))
        load = begun.number if begun else None
        tasks = [
            ReplayTask(number, portion, folder, load)
            for number, portion in enumerate(portions.buckets(lake.lake, before))
        ]
        verdicts: Counter[str] = Counter()
        changes: list[str] = []
        same: list[ReplayTask] = []
        for each in engine.map(replay_portion, tasks, memory=portions.MEMORY):
            report.changed += each.report.changed
            report.unplayable += each.report.unplayable
            verdicts.update(each.report.verdicts)
            changes += filter(None, [each.changes])
            same += [] if each.added else [each.task]
            if begun:
                begun.check()
                begun.written += each.added
            tell(Stage.CHECKING, verdicts.total(), stored)
        report.verdicts, report.hands = dict(sorted(verdicts.items())), verdicts.total()
        for change in _merged(lake.storage, changes):
            on_change(change)
        if begun and report.changed:
            # The other portions are written again, too.
            others = engine.map(write_portion, same, memory=portions.MEMORY)
            for count, files in enumerate(others, 1):
                begun.written += files
                begun.check()
                tell(Stage.DERIVING, count, len(same))
            counts = {"hands": report.hands, REAUDIT: report.changed}
            replaced = before.versions.keys() - STAYING
            begun.publish(begun.written, counts, replaced=replaced)
            report.published = True
    if report.published:
        # Of hands that follow other rules now nothing is known.
        study.publish_all(lake.lake, on_progress)
    report.snapshot = lake.current()
    return report


# --- Replaying


def replay_portion(task: ReplayTask) -> Replayed:
    """Replay the hands of a portion, set aside what changed, and write its tables where it did."""
    name = f"{task.folder}/{task.number:04d}-{uuid.uuid4().hex[:12]}.changes"
    ids: list[str] = []
    packed: list[bytes] = []

    def note(change: HandChange) -> None:
        ids.append(change.id)
        packed.append(msgspec.msgpack.encode(change))

    with portions.extracted(task.portion) as stored:
        scratch = stored.with_name("scratch")
        scratch.mkdir()
        with rederive.out_of_sight():
            derived = reauditing.replay(stored, scratch, cores=1)
        report = reauditing.compare(stored, derived, note)
        if ids:
            output = task.portion.storage.open_output(name)
            with output as file, pa.ipc.new_stream(file, _PACKED) as writer:
                writer.write_table(pa.table([ids, packed], schema=_PACKED))
        added: list[File] = []
        if task.load is not None and report.changed:
            made = stored.with_name("draft.duckdb")
            publishing.put_empty(made)
            with database.connect(made, memory_limit=publishing.MEMORY_LIMIT) as connection:
                reauditing.assemble(connection, stored, derived)
            added = _written(task, made)
    return Replayed(task, report, name if ids else "", added)


def _merged(storage: Storage, names: list[str]) -> Iterator[HandChange]:
    with Scratch() as folder:
        path = Path(folder) / "changes.duckdb"
        with closing(database.connect(path, memory_limit=publishing.MEMORY_LIMIT)) as connection:
            connection.execute("CREATE TABLE changes (id VARCHAR, packed BLOB)")
            for name in names:
                rows = pa.ipc.open_stream(storage.read(name)).read_all()  # noqa: F841 - DuckDB finds it by its name
                connection.execute("INSERT INTO changes FROM rows")
            found = connection.execute("SELECT packed FROM changes ORDER BY id")
            while batch := found.fetchmany(BATCH):
                for (packed,) in batch:
                    yield msgspec.msgpack.decode(packed, type=HandChange)


def write_portion(task: ReplayTask) -> list[File]:
    """Write a portion as it is stored under another load."""
    with portions.extracted(task.portion) as games:
        return _written(task, games)


def _written(task: ReplayTask, games: Path) -> list[File]:
    """Write a draft as files of tables, but for the long texts that the lake has: these stay."""
    assert task.load is not None
    with database.connect(games) as connection:
        found = connection.execute("SELECT DISTINCT text_hash::VARCHAR FROM long_texts").fetchall()
        if found:
            opened = reading.open_tables(*task.portion.opened(), once=True)
            with closing(opened) as stored:
                known = stored.execute(_KNOWN, [[text for (text,) in found]]).fetchall()
            connection.execute(_DELETE, [[text for (text,) in known]])
    return tables.export(games, task.portion.storage, task.load, task.number)


_OF_THESE: Final = "FROM long_texts WHERE text_hash IN (SELECT unnest($1::VARCHAR[])::UUID)"
_KNOWN: Final = f"SELECT DISTINCT text_hash::VARCHAR {_OF_THESE}"
_DELETE: Final = f"DELETE {_OF_THESE}"
