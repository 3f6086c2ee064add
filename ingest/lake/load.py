"""Loading logs into a lake: the steps of a load as tasks, on whatever does tasks.

The one who loads reads and writes no hands: it cuts the logs into parts, gives out tasks, and
publishes the files that these have written. What was staged is found again by the same logs, so a
load that broke off goes on where it was. Very many logs are loaded and published portion by
portion, and a load that broke off passes over the portions that are published.
"""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import msgspec
import pyarrow as pa

from tricklog.ingest.lake import superseding, tables
from tricklog.ingest.lake.cutting import PORTION, RANGE, Portion, portions
from tricklog.ingest.lake.engines import Engine
from tricklog.ingest.lake.plan import BucketTask, Plan, Settled
from tricklog.ingest.lake.publish import UNDONE, Begun, Lake, Snapshot, in_words
from tricklog.ingest.lake.settling import settle_ids
from tricklog.ingest.lake.staging import MANIFEST, Part, StageTask, stage_part
from tricklog.ingest.lake.storage import Storage
from tricklog.ingest.lake.storing import store_games
from tricklog.ingest.lake.superseding import GivenWay, Rewritten
from tricklog.ingest.lake.tables import File
from tricklog.ingest.loading.auditing import Counts, OnWarning
from tricklog.ingest.loading.forecast import Forecast
from tricklog.ingest.loading.report import Account, LoadReport, OnReject
from tricklog.ingest.loading.storing import tricklog_version
from tricklog.ingest.reading.forgotten import Forgotten
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.reading.rejects import Reject
from tricklog.ingest.reading.sources import Source, find_sources
from tricklog.ingest.store import forgotten, loads
from tricklog.ingest.store.forgotten import forgotten_meanwhile
from tricklog.ingest.store.publishing import ForgottenMeanwhileError
from tricklog.ingest.store.warehouse import WarehouseError

STAGING: Final = "_staging"
"""The folder for what tasks set aside, below the root of the lake."""
STAGE_MEMORY: Final = 700_000_000
SETTLE_MEMORY: Final = 700_000_000
STORE_MEMORY: Final = 1_000_000_000
"""Bytes that a task of each step needs, at most."""
# Shares of the processor time of a load, as measured.
_SHARES: Final = {Stage.READING: 0.4, Stage.CHECKING: 0.04, Stage.STORING: 0.56}

R = TypeVar("R")


@contextmanager
def set_aside(storage: Storage, purpose: str) -> Iterator[str]:
    """Give the name of a folder of the lake for what is needed meanwhile; it goes in the end."""
    folder = f"{STAGING}/{purpose}-{uuid.uuid4().hex[:12]}"
    try:
        yield folder
    finally:
        # What cannot be removed now, tidying removes.
        with suppress(OSError):
            storage.delete_folder(folder)


def import_of(load_no: int, paths: Sequence[str], counts: Counts) -> pa.Table:
    """Return the row of table ``imports`` for a load that ends now."""
    row = {"import_id": load_no, "loaded_at": datetime.now(UTC), "paths": paths, **asdict(counts)}
    row["tricklog"] = tricklog_version()
    return pa.Table.from_pylist([row], tables.schema_of("imports"))


@dataclass(frozen=True, slots=True)
class How:
    """How a load into a lake is done."""

    take_over: bool = False
    """Whether to take over from another load that has not finished."""
    dry_run: bool = False
    """Whether nothing is published."""
    buckets: int | None = None
    """Into how many parts ids and games are divided; as many as suit the logs by default."""
    range_size: int = RANGE
    """Bytes of a log that one task reads, at most."""
    portion: int = PORTION
    """Bytes of logs that are published together, about."""
    adapter: str | None = None
    """Whose logs they are; ``None`` for hand logs."""


def load(
    paths: Sequence[str | Path | Source],
    storage: Storage,
    engine: Engine,
    *,
    how: How = How(),
    on_progress: OnProgress | None = None,
    on_reject: OnReject | None = None,
    on_warning: OnWarning | None = None,
) -> LoadReport:
    """Load hand logs into a lake and publish a new snapshot.

    Args:
        paths: files, folders, addresses of object stores or ``-``, as ``tricklog.read`` takes them.
            Whoever does the tasks must find them by the same names.
        storage: the lake; it is made when it is not there.
        engine: what does the tasks.
        how: see ``How``.
        on_progress: called now and then with how far the load is.
        on_reject: called for lines put into quarantine, the first ``staging.NOTED`` of each part.
        on_warning: called with the file and what may not be meant of a hand written as text, for
            as many.

    Raises:
        UnknownAdapterError: there is no such adapter.
        WarehouseError: another load holds the lake (``BusyError``) or has taken it over
            (``FencedError``), the store fails (``StorageError``), or a process was lost again and
            again (``WorkerError``). Nothing is published then, and readers see what they saw.
    """
    ears = _Ears(on_progress, on_reject, on_warning)
    sources = list(find_sources(paths))
    cut = list(
        portions(
            sources,
            engine.slots,
            range_size=how.range_size,
            together=how.portion,
            buckets=how.buckets,
            reader=how.adapter,
        )
    )
    if len(cut) == 1:
        names = [path.name if isinstance(path, Source) else str(path) for path in paths]
        return _Load(cut[0], names, storage, engine, how, ears).run()
    if how.dry_run:
        raise WarehouseError(
            f"A dry run looks at {how.portion >> 30} GiB of logs at most, and these are "
            f"{len(cut)} times as many. Name some of them."
        )
    return _load_each(cut, storage, engine, how, ears)


class _Ears(NamedTuple):
    on_progress: OnProgress | None
    on_reject: OnReject | None
    on_warning: OnWarning | None


def _load_each(
    cut: Sequence[Portion],
    storage: Storage,
    engine: Engine,
    how: How,
    ears: _Ears,
) -> LoadReport:
    """Load portion after portion, but for those that a load which broke off has published."""
    snapshots = Lake(storage).snapshots()
    undone = {each.counts.get(UNDONE) for each in snapshots}
    published = {
        each.counts.get("portion"): each for each in snapshots if each.number not in undone
    }
    whole = sum(portion.size for portion in cut)
    total: LoadReport | None = None
    done = 0
    for portion in cut:
        if portion.key in published:
            report = _again(published[portion.key], storage)
        else:
            share = done / whole, portion.size / whole
            on_progress = ears.on_progress and _told_of(ears.on_progress, total, *share)
            here = ears._replace(on_progress=on_progress)
            report = _Load(portion, portion.names, storage, engine, how, here).run()
        total = total.and_then(report) if total else report
        done += portion.size
    assert total
    return total


def _again(snapshot: Snapshot, storage: Storage) -> LoadReport:
    """Return the report of loading logs again that nobody has changed since a load published it."""
    counts = snapshot.counts
    known = {name: counts[name] for name in ("lines", "quarantined", "blank")}
    return LoadReport(
        **known,
        accepted=0,
        duplicate=counts["accepted"] + counts["duplicate"],
        snapshot=f"{storage} {snapshot.number}",
        published=False,
        verdicts={},
        findings={},
    )


def _told_of(
    on_progress: OnProgress, before: LoadReport | None, done: float, share: float
) -> OnProgress:
    """Return what reports the progress of a portion as part of that of the whole load."""
    lines, hands = (before.lines, before.accepted) if before else (0, 0)
    findings = sum(before.findings.values()) if before else 0

    def tell(progress: Progress) -> None:
        on_progress(
            replace(
                progress,
                lines=lines + progress.lines,
                hands=hands + progress.hands,
                findings=findings + progress.findings,
                share=done + share * (progress.share or 0.0),
            )
        )

    return tell


@dataclass(slots=True)
class _Done:
    """What a load has written, and what it is about to replace."""

    added: list[File] = field(default_factory=list)
    rejected_lines: int = 0
    given_way: list[GivenWay] = field(default_factory=list)
    superseded: list[int] = field(default_factory=list)
    """Numbers of stored games that are derived again."""
    moved: list[int] = field(default_factory=list)
    """Those of them that may be of another day now."""


class _Load:
    def __init__(
        self,
        portion: Portion,
        logs: Sequence[str],
        storage: Storage,
        engine: Engine,
        how: How,
        ears: _Ears,
    ) -> None:
        self._portion = portion
        self._logs = loads.as_named(logs, how.adapter)
        self._storage = storage
        self._engine = engine
        self._how = how
        self._account = Account(Forecast(), *ears)
        self._key = portion.key
        self._folder = f"{STAGING}/{self._key}"
        with in_words(storage):
            self._listed = forgotten.read(storage)
        self._done = _Done()
        self._hands = 0

    def run(self) -> LoadReport:
        lake = Lake(self._storage)
        folders = self._storage.made_folders()
        if not self._how.dry_run:
            lake.want_free(take_over=self._how.take_over)
        parts = self._stage()
        counts, done = self._account.counts, self._done
        self._hands = counts.accepted
        with ExitStack() as held:
            begun = None
            if not self._how.dry_run:
                name = uuid.uuid4().hex[:12]
                begin = lake.begin(name, take_over=self._how.take_over)
                begun = held.enter_context(begin)
            with in_words(self._storage):
                listed = forgotten.read(self._storage)
            if listed != self._listed:
                raise ForgottenMeanwhileError(forgotten_meanwhile(self._storage))
            before = begun.before if begun else lake.current()
            number = begun.number if begun else 1 + (before.number if before else 0)
            if begun is None:
                held.callback(self._forget, folders)
            plan = Plan(number, self._portion.buckets, before, parts, [])
            plan = msgspec.structs.replace(plan, settled=self._settle(plan, begun))
            self._store(plan, begun)
            snapshot = before
            if begun and (counts.accepted or done.rejected_lines):
                self._note_load(plan)
                stored = before.counts.get("hands", 0) if before else 0
                told = {
                    "hands": stored + counts.accepted - len(done.given_way),
                    "portion": self._key,
                    **asdict(counts),
                }
                rewritten = Rewritten()
                if before and done.given_way:
                    rewritten = superseding.without(lake, before, done.given_way, number)
                if before and done.moved:
                    superseding.leave_sessions(
                        lake, before, done.moved, done.superseded, number, rewritten
                    )
                done.added += rewritten.added
                snapshot = begun.publish(done.added, told, gone=rewritten.gone)
        # What cannot be removed now, tidying removes.
        with suppress(OSError):
            self._storage.delete_folder(self._folder)
        self._tell(Stage.STORING, self._hands, self._hands)
        assert counts.accepted == self._account.verdicts.total()
        state = f"{self._storage} {snapshot.number}" if snapshot else None
        return self._account.report(state, published=snapshot is not before)

    # --- Steps

    def _stage(self) -> list[Part]:
        """Stage all logs that are not staged yet; return the parts in order."""
        found = self._staged_before()
        tasks = [
            StageTask(
                number,
                sources,
                log,
                self._portion.buckets,
                self._storage,
                self._folder,
                self._how.adapter,
            )
            for number, (log, sources) in enumerate(self._portion.cuts)
            if number not in found
        ]
        for part in found.values():
            self._note_part(part)
        total = self._portion.size or None
        done = sum(part.size for part in found.values())
        self._tell(Stage.READING, done, total)
        streams = [task for task in tasks if any(each.is_pipe for each in task.sources)]
        shared = [task for task in tasks if task not in streams]
        staged = self._engine.map(stage_part, shared, memory=STAGE_MEMORY)
        for part in itertools.chain(map(stage_part, streams), staged):
            found[part.number] = part
            self._note_part(part)
            done += part.size
            self._tell(Stage.READING, done, total)
        return [found[number] for number in sorted(found)]

    def _staged_before(self) -> dict[int, Part]:
        """Return what a load of the same logs that broke off has staged, by number."""
        names = {entry.name for entry in self._storage.list(self._folder)}
        found: dict[int, Part] = {}
        for name in sorted(names):
            if name.endswith(f"/{MANIFEST}"):
                with suppress(msgspec.MsgspecError):
                    part = msgspec.msgpack.decode(self._storage.read(name), type=Part)
                    is_whole = names.issuperset(part.path(each) for each in part.groups)
                    if is_whole and part.listed == forgotten.named(self._listed):
                        found.setdefault(part.number, part)
        return found

    def _settle(self, plan: Plan, begun: Begun | None) -> list[Settled]:
        tasks = self._tasks(plan, "settle")
        settled: list[Settled] = []
        done, account = self._done, self._account
        for result in self._each(settle_ids, tasks, SETTLE_MEMORY, Stage.CHECKING, begun):
            account.counts.accepted -= result.duplicates + result.conflicts
            account.counts.duplicate += result.duplicates
            account.counts.quarantined += result.conflicts
            account.completed += len(result.given_way)
            done.added += result.added
            done.given_way += result.given_way
            settled += [result.fates] if result.fates else []
        return settled

    def _store(self, plan: Plan, begun: Begun | None) -> None:
        tasks = self._tasks(plan, "store")
        done = self._done
        for result in self._each(store_games, tasks, STORE_MEMORY, Stage.STORING, begun):
            self._account.verdicts.update(result.verdicts)
            self._account.findings.update(result.findings)
            done.rejected_lines += result.rejected_lines
            done.added += result.added
            done.superseded += result.superseded
            done.moved += result.moved
            self._note(result.noted)

    def _each(
        self,
        work: Callable[[BucketTask], R],
        tasks: Sequence[BucketTask],
        memory: int,
        stage: Stage,
        begun: Begun | None,
    ) -> Iterator[R]:
        self._tell(stage, 0, self._hands)
        for count, result in enumerate(self._engine.map(work, tasks, memory=memory), 1):
            if begun:
                begun.check()
            yield result
            self._tell(stage, self._hands * count // len(tasks), self._hands)

    def _tasks(self, plan: Plan, step: str) -> list[BucketTask]:
        path = f"{self._folder}/{step}-{uuid.uuid4().hex[:12]}.plan"
        plan.write(self._storage, path)
        buckets = range(self._portion.buckets)
        return [BucketTask(bucket, path, self._storage) for bucket in buckets]

    def _note_load(self, plan: Plan) -> None:
        paths = Forgotten(self._listed).in_each(self._logs) if self._listed else self._logs
        rows = import_of(plan.load, paths, self._account.counts)
        added = tables.write(self._storage, "imports", rows, plan.load, 0)
        self._done.added += [added] if added else []

    def _forget(self, folders: set[str]) -> None:
        """Remove the files of tables that nobody will publish, and all but these ``folders``."""
        with suppress(OSError):
            self._storage.delete(each.name for each in self._done.added)
            self._storage.delete_folder(self._folder)
            self._storage.delete_empty(self._storage.made_folders() - folders)

    # --- Telling

    def _note_part(self, part: Part) -> None:
        account = self._account
        account.counts.add(part.counts)
        account.forgotten += part.forgotten
        self._note(part.noted)
        for file, warning in part.warned:
            account.warned(file, [warning])

    def _note(self, rejects: Iterable[Reject]) -> None:
        for each in rejects:
            self._account.quarantined(each)

    def _tell(self, stage: Stage, done: int, total: int | None) -> None:
        if on_progress := self._account.on_progress:
            stages = list(_SHARES)
            before = sum(_SHARES[each] for each in stages[: stages.index(stage)])
            of_stage = min(1.0, done / total) if total else float(total == 0)
            lines, account = self._account.counts.lines, self._account
            hands, findings = account.verdicts.total(), account.findings.total()
            share = before + _SHARES[stage] * of_stage
            on_progress(Progress(stage, lines, hands, findings, done, total, share))
