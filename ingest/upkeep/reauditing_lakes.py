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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec
import pyarrow as pa

from tricklog.ingest.lake import portions, reading, tables
from tricklog.ingest.lake.door import LakeWarehouse
from tricklog.ingest.lake.engines import Engine, engine_of
from tricklog.ingest.lake.load import set_aside
from tricklog.ingest.lake.portions import Portion
from tricklog.ingest.lake.publish import Begun, Lake, Snapshot
from tricklog.ingest.lake.staging import BUCKETS
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

    number: int
    changed: int
    unplayable: int
    verdicts: dict[str, int]
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
    """Replay all hands of a lake as ``reauditing.reaudit`` says.

    ``on`` is what does the tasks, as for a load; ``take_over`` does not wait for another run.
    """
    with engine_of(on) as engine, ExitStack() as held:
        before, begun = lake.snapshot(), None
        if not dry_run:
            begun = held.enter_context(lake.lake.begin(REAUDIT, take_over=take_over))
            assert begun.before
            before = begun.before
        folder = held.enter_context(set_aside(lake.storage, REAUDIT))
        run = _Run(lake.lake, before, begun, engine, folder, on_progress)
        try:
            report = run.replay(on_change)
            if begun and report.changed:
                run.publish(report)
        except BaseException:
            if begun:
                begun.drop(run.added)
            raise
    if report.published:
        # Of hands that follow other rules now nothing is known.
        study.publish_all(lake.lake, on_progress)
    report.snapshot = lake.current()
    return report


@dataclass(slots=True)
class _Run:
    lake: Lake
    before: Snapshot
    begun: Begun | None
    engine: Engine
    folder: str
    on_progress: OnProgress | None
    same: list[ReplayTask] = field(default_factory=list)
    """The portions that are what they were."""
    added: list[File] = field(default_factory=list)

    def replay(self, on_change: OnChange) -> ReauditReport:
        hands = sum(file.rows for file in self.lake.files(self.before, "hands"))
        load = self.begun.number if self.begun else None
        tasks = [
            ReplayTask(number, portion, self.folder, load)
            for number, portion in enumerate(portions_of(self.lake, self.before))
        ]
        report = ReauditReport()
        verdicts: Counter[str] = Counter()
        changes: list[str] = []
        for replayed in self.engine.map(replay_portion, tasks, memory=portions.MEMORY):
            self._check()
            report.changed += replayed.changed
            report.unplayable += replayed.unplayable
            verdicts.update(replayed.verdicts)
            changes += [replayed.changes] if replayed.changes else []
            self.added += replayed.added
            self.same += [] if replayed.added else [tasks[replayed.number]]
            self._tell(Stage.CHECKING, verdicts.total(), hands)
        report.verdicts = dict(sorted(verdicts.items()))
        report.hands = verdicts.total()
        for change in _merged(self.lake.storage, changes):
            on_change(change)
        return report

    def publish(self, report: ReauditReport) -> None:
        """Write the other portions again, too, and publish all in the place of what was stored."""
        assert self.begun
        stored = self.engine.map(write_portion, self.same, memory=portions.MEMORY)
        for count, files in enumerate(stored, 1):
            self.added += files
            self._check()
            self._tell(Stage.DERIVING, count, len(self.same))
        counts = {"hands": report.hands, REAUDIT: report.changed}
        replaced = self.before.versions.keys() - STAYING
        self.begun.publish(self.added, counts, replaced=replaced)
        report.published = True

    def _check(self) -> None:
        if self.begun:
            self.begun.check()

    def _tell(self, stage: Stage, done: int, total: int) -> None:
        if self.on_progress:
            hands = done if stage is Stage.CHECKING else 0
            self.on_progress(Progress(stage, hands=hands, done=done, total=total))


def portions_of(lake: Lake, snapshot: Snapshot) -> list[Portion]:
    """Divide all hands of a snapshot into portions, of which each can be a bucket of a load.

    Raises as ``portions.portions`` does.
    """
    hands = sum(file.rows for file in lake.files(snapshot, "hands"))
    size = max(portions.PORTION, hands // (BUCKETS - 1) + 1)
    return portions.portions(lake, snapshot, size) if hands else []


# --- Replaying


def replay_portion(task: ReplayTask) -> Replayed:
    """Replay the hands of a portion, set aside what changed, and write its tables where it did.

    Raises ``WarehouseError`` when what is stored cannot be read, and ``OSError`` when the store
    fails.
    """
    storage = task.portion.storage
    name = f"{task.folder}/{task.number:04d}-{uuid.uuid4().hex[:12]}.changes"
    ids: list[str] = []
    packed: list[bytes] = []

    def note(change: HandChange) -> None:
        ids.append(change.id)
        packed.append(msgspec.msgpack.encode(change))

    with Scratch() as folder:
        stored, scratch = Path(folder) / "games.duckdb", Path(folder) / "scratch"
        scratch.mkdir()
        portions.extract(task.portion, stored)
        with rederive.out_of_sight():
            derived = reauditing.replay(stored, scratch, cores=1)
        report = reauditing.compare(stored, derived, note)
        if ids:
            with storage.open_output(name) as file, pa.ipc.new_stream(file, _PACKED) as writer:
                writer.write_table(pa.table([ids, packed], schema=_PACKED))
        added: list[File] = []
        if task.load is not None and report.changed:
            made = Path(folder) / "draft.duckdb"
            publishing.put_empty(made)
            with database.connect(made, memory_limit=publishing.MEMORY_LIMIT) as connection:
                reauditing.assemble(connection, stored, derived)
            added = _written(task, made)
    return Replayed(
        task.number,
        report.changed,
        report.unplayable,
        report.verdicts,
        name if ids else "",
        added,
    )


def _merged(storage: Storage, names: list[str]) -> Iterator[HandChange]:
    with Scratch() as folder:
        path = Path(folder) / "changes.duckdb"
        connection = database.connect(path, memory_limit=publishing.MEMORY_LIMIT)
        with closing(connection):
            connection.execute("CREATE TABLE changes (id VARCHAR, packed BLOB)")
            for name in names:
                rows = pa.ipc.open_stream(storage.read(name)).read_all()  # noqa: F841 - DuckDB finds it by its name
                connection.execute("INSERT INTO changes FROM rows")
            found = connection.execute("SELECT packed FROM changes ORDER BY id")
            while batch := found.fetchmany(BATCH):
                for (packed,) in batch:
                    yield msgspec.msgpack.decode(packed, type=HandChange)


def write_portion(task: ReplayTask) -> list[File]:
    """Write a portion as it is stored under another load. Raises as ``replay_portion`` does."""
    with Scratch() as folder:
        games = Path(folder) / "games.duckdb"
        portions.extract(task.portion, games)
        return _written(task, games)


def _written(task: ReplayTask, games: Path) -> list[File]:
    assert task.load is not None
    _leave_out_stored_texts(games, task.portion)
    return tables.export(games, task.portion.storage, task.load, task.number)


def _leave_out_stored_texts(games: Path, portion: Portion) -> None:
    """Delete the long texts of a draft that the lake has, as its own stay."""
    with database.connect(games) as connection:
        found = connection.execute("SELECT DISTINCT text_hash::VARCHAR FROM long_texts").fetchall()
        if not found:
            return
        with closing(reading.open_tables(*portion.opened(), once=True)) as stored:
            known = stored.execute(_KNOWN, [[text for (text,) in found]]).fetchall()
        connection.execute(_DELETE, [[text for (text,) in known]])


_KNOWN: Final = """
SELECT DISTINCT text_hash::VARCHAR
FROM long_texts
WHERE text_hash IN (SELECT unnest($1::VARCHAR[])::UUID)
"""
_DELETE: Final = "DELETE FROM long_texts WHERE text_hash IN (SELECT unnest($1::VARCHAR[])::UUID)"
