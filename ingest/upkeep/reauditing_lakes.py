"""Reauditing a lake: stored hands replayed in portions of whole games, as tasks of bounded size.

Each portion becomes a small warehouse of its own, of which the same code finds out what changed as
of a warehouse of one machine. Where nothing changed anywhere, nothing more is done. Else all tables
that follow from the rules are written again, and published in the place of the old ones. Hands keep
their numbers, so the index of ids stays as it is.
"""

from __future__ import annotations

import shutil
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
import pyarrow as pa

from ingest.facts import build
from ingest.lake import groups, portions, reading, tables
from ingest.lake.door import LakeWarehouse
from ingest.lake.engines import Engine, engine_of
from ingest.lake.groups import GroupedWriter, Groups
from ingest.lake.load import set_aside
from ingest.lake.plan import BUCKETS
from ingest.lake.portions import Portion
from ingest.lake.publish import Begun, Lake, Snapshot
from ingest.lake.storage import Storage
from ingest.lake.tables import Added
from ingest.loading import workers
from ingest.reading.progress import OnProgress, Progress, Stage
from ingest.reading.scratch import Scratch
from ingest.store import database, publishing, warehouse
from ingest.study import lake_tables
from ingest.upkeep import reauditing, rederive
from ingest.upkeep.reauditing import BATCH, HandChange, OnChange, ReauditReport

STAYING: Final = frozenset({"ids", "imports", "rejects", "long_texts"})
"""Tables of which no row follows from the rules; long texts may be added to them."""
REAUDIT: Final = "reaudit"
"""What a lake is said to be held by while it is reaudited."""
_WRITTEN: Final = 1 << 20
"""Bytes of changes that are written at a time, about."""
_PACKED: Final = pa.schema({"id": pa.string(), "packed": pa.binary()})


@dataclass(frozen=True, slots=True)
class ReplayTask:
    """A portion of the stored hands to be replayed."""

    number: int
    portion: Portion
    folder: str
    """Where the run sets things aside."""
    keep: bool
    """Whether what a portion says now is to be kept where it is something else than before."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of replaying a portion."""

    number: int
    changed: int
    unplayable: int
    verdicts: dict[str, int]
    changes: str
    """The file with what changed, in the order of the ids; empty where nothing did."""
    batches: Groups
    """The batches of that file."""
    draft: str
    """The file with the tables of the portion as they are now; empty where it was not kept."""


@dataclass(frozen=True, slots=True)
class StoreTask:
    """A portion to be written again."""

    number: int
    """Its bucket."""
    portion: Portion
    load: int
    draft: str
    """That of ``Replayed``; without one the portion is written as it is stored."""


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
    where = "here" if on is None and not workers.can_start() else on
    with engine_of(where) as engine, ExitStack() as held:
        before, begun = lake.snapshot(), None
        if not dry_run:
            begun = held.enter_context(lake.lake.begin(REAUDIT, take_over=take_over))
            assert begun.before
            before = begun.before
        folder = held.enter_context(set_aside(lake.storage, REAUDIT))
        run = _Run(lake.lake, before, begun, engine, folder, on_progress)
        report = run.replay(on_change)
        if begun and report.changed:
            run.publish(report)
    if report.published:
        # Of hands that follow other rules now nothing is known.
        lake_tables.publish_all(lake.lake, on_progress)
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
    portions: list[Portion] = field(default_factory=list)
    drafts: dict[int, str] = field(default_factory=dict)
    """The file of each portion that is something else than before, by number."""

    def replay(self, on_change: OnChange) -> ReauditReport:
        """Replay all portions, and tell what changed."""
        hands = sum(file.rows for file in self.lake.files(self.before, "hands"))
        self.portions = portions_of(self.lake, self.before)
        tasks = [
            ReplayTask(number, portion, self.folder, keep=self.begun is not None)
            for number, portion in enumerate(self.portions)
        ]
        report = ReauditReport()
        verdicts: Counter[str] = Counter()
        changes: list[Replayed] = []
        for replayed in self.engine.map(replay_portion, tasks, memory=portions.MEMORY):
            self._check()
            report.changed += replayed.changed
            report.unplayable += replayed.unplayable
            verdicts.update(replayed.verdicts)
            if replayed.changes:
                changes.append(replayed)
            if replayed.draft:
                self.drafts[replayed.number] = replayed.draft
            self._tell(Stage.CHECKING, verdicts.total(), hands)
        report.verdicts = dict(sorted(verdicts.items()))
        report.hands = verdicts.total()
        for change in _merged(self.lake.storage, changes):
            on_change(change)
        return report

    def publish(self, report: ReauditReport) -> None:
        """Write all portions again and publish them in the place of what was stored."""
        assert self.begun
        tasks = [
            StoreTask(number, portion, self.begun.number, self.drafts.get(number, ""))
            for number, portion in enumerate(self.portions)
        ]
        added: list[Added] = []
        try:
            stored = self.engine.map(store_portion, tasks, memory=portions.MEMORY)
            for count, files in enumerate(stored, 1):
                added += files
                self._check()
                self._tell(Stage.DERIVING, count, len(tasks))
            counts = {"hands": report.hands, REAUDIT: report.changed}
            replaced = self.before.versions.keys() - STAYING
            self.begun.publish(added, counts, replaced=replaced)
        except BaseException:
            # Where it is not sure that nobody publishes them, tidying finds out.
            if not added or self._is_published():
                raise
            with suppress(OSError):
                self.lake.storage.delete(f"{each.table}/{each.path}" for each in added)
            raise
        report.published = True

    def _is_published(self) -> bool:
        with suppress(warehouse.WarehouseError, OSError):
            return self.lake.current() != self.before
        return True

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
    """Replay the hands of a portion, and set aside what changed.

    Raises ``WarehouseError`` when what is stored cannot be read, and ``OSError`` when the store
    fails.
    """
    storage = task.portion.storage
    token = uuid.uuid4().hex[:12]
    name = f"{task.folder}/{task.number:04d}-{token}"
    with Scratch() as folder:
        stored, scratch = Path(folder) / "games.duckdb", Path(folder) / "scratch"
        scratch.mkdir()
        portions.extract(task.portion, stored)
        with rederive.out_of_sight():
            derived = reauditing.replay(stored, scratch, cores=1)
        with GroupedWriter(storage, f"{name}.changes", buckets=1) as writer:
            told = _Writing(writer)
            report = reauditing.compare(stored, derived, told.note)
            told.flush()
        draft = ""
        if task.keep and report.changed:
            draft = f"{name}.duckdb"
            made = Path(folder) / "draft.duckdb"
            publishing.put_empty(made)
            with database.connect(made, memory_limit=publishing.MEMORY_LIMIT) as connection:
                reauditing.assemble(connection, stored, derived)
            with made.open("rb") as source, storage.open_output(draft) as target:
                shutil.copyfileobj(source, target)
    return Replayed(
        task.number,
        report.changed,
        report.unplayable,
        report.verdicts,
        f"{name}.changes" if writer.groups else "",
        writer.groups,
        draft,
    )


class _Writing:
    """Writes changes as they come, a few at a time."""

    def __init__(self, writer: GroupedWriter) -> None:
        self._writer = writer
        self._ids: list[str] = []
        self._packed: list[bytes] = []
        self._size = 0

    def note(self, change: HandChange) -> None:
        packed = msgspec.msgpack.encode(change)
        self._ids.append(change.id)
        self._packed.append(packed)
        self._size += len(packed)
        if self._size >= _WRITTEN:
            self.flush()

    def flush(self) -> None:
        if self._ids:
            table = pa.table([self._ids, self._packed], schema=_PACKED)
            self._writer.add(table, np.zeros(len(table), np.int64))
        self._ids, self._packed, self._size = [], [], 0


def _merged(storage: Storage, replayed: list[Replayed]) -> Iterator[HandChange]:
    """Return the changes of all portions in the order of the ids."""
    with Scratch() as folder:
        path = Path(folder) / "changes.duckdb"
        connection = database.connect(path, memory_limit=publishing.MEMORY_LIMIT)
        with closing(connection):
            connection.execute("CREATE TABLE changes (id VARCHAR, packed BLOB)")
            for each in replayed:
                for rows in groups.read(storage, each.changes, each.batches, 0):
                    connection.register("rows", rows)
                    connection.execute("INSERT INTO changes FROM rows")
                    connection.unregister("rows")
            found = connection.execute("SELECT packed FROM changes ORDER BY id")
            while batch := found.fetchmany(BATCH):
                for (packed,) in batch:
                    yield msgspec.msgpack.decode(packed, type=HandChange)


# --- Storing


def store_portion(task: StoreTask) -> list[Added]:
    """Write a portion, and the facts of its games, as files of the tables.

    Raises as ``replay_portion`` does.
    """
    storage = task.portion.storage
    with Scratch() as folder:
        games, facts = Path(folder) / "games.duckdb", Path(folder) / "facts.duckdb"
        if task.draft:
            with storage.open_input(task.draft) as source, games.open("wb") as target:
                shutil.copyfileobj(source, target)
        else:
            portions.extract(task.portion, games)
        build.derive(games, facts, tallied=True, passing=True)
        _leave_out_stored_texts(games, task.portion)
        return tables.export(games, facts, storage, task.load, task.number, None)


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
