"""Loading logs into a lake: the steps of a load as tasks, on whatever does tasks.

The one who loads reads and writes no hands: it cuts the logs into parts, gives out tasks, and
publishes the files that these have written. What was staged is found again by the same logs, so a
load that broke off goes on where it was. Very many logs are loaded and published portion by
portion, and a load that broke off passes over the portions that are published.
"""

from __future__ import annotations

import hashlib
import itertools
import sys
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

import msgspec
import pyarrow as pa

from tricklog.core.native.sources import digest_of_all
from tricklog.ingest.lake import tables
from tricklog.ingest.lake.engines import Engine
from tricklog.ingest.lake.publish import UNDONE, Begun, Lake, Snapshot, in_words
from tricklog.ingest.lake.settling import settle_ids
from tricklog.ingest.lake.staging import (
    BUCKETS,
    MANIFEST,
    BucketTask,
    Part,
    Plan,
    Settled,
    StageTask,
    stage_part,
)
from tricklog.ingest.lake.storage import Storage, in_lots
from tricklog.ingest.lake.storing import store_games
from tricklog.ingest.lake.superseding import GivenWay, Rewriting
from tricklog.ingest.lake.tables import File
from tricklog.ingest.loading.auditing import Counts, OnWarning
from tricklog.ingest.loading.foreign import Reach, reach_of
from tricklog.ingest.loading.report import Account, Forecast, LoadReport, OnReject
from tricklog.ingest.loading.storing import tricklog_version
from tricklog.ingest.reading.forgotten import Forgotten
from tricklog.ingest.reading.object_stores import StoredObject
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.reading.shapes import READ_ARCHIVES
from tricklog.ingest.reading.sources import LocalPath, Source, find_sources, split
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
# Shares of the processor time of a load, before each step and of it, as measured.
_SHARES: Final = {
    Stage.READING: (0.0, 0.4),
    Stage.CHECKING: (0.4, 0.04),
    Stage.STORING: (0.44, 0.56),
}
RANGE: Final = 1 << 27
"""Bytes of a log that one task reads, at most, where a log can be read in ranges."""
TOGETHER: Final = 1 << 25
"""Bytes of small logs that one task reads one after the other, about."""
BUCKET: Final = 1 << 28
"""Bytes of logs whose hands are in one bucket, about: a quarter of a million hands."""
WORTH_SHARING: Final = 1 << 22
"""Bytes of logs from which on it pays to share them among tasks."""
EXPANSION: Final = 8
"""How far a compressed log expands, about."""
PORTION: Final = 1 << 34
"""Bytes of logs that are published together, about: what parts and buckets say of each other grows
with the square of it."""

_MOST: Final = 1 << 15
"""Parts times buckets of a portion, at most: every task knows of each what lies where."""

Cut = tuple[int | None, tuple[Source, ...]]
"""A part: its logs, or a range of one with the number of its log."""
R = TypeVar("R")


# --- How logs are cut


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


@dataclass(frozen=True, slots=True)
class Portion:
    """Logs that are loaded and published together."""

    size: int
    """Bytes of text, about."""
    buckets: int
    cuts: tuple[Cut, ...]
    reader: str | None = None
    """The name of what reads the logs, where they are another program's."""

    @property
    def names(self) -> list[str]:
        """The logs, as they are called."""
        return list(dict.fromkeys(each.name for _, sources in self.cuts for each in sources))

    @property
    def key(self) -> str:
        """What names the work on these logs: the same logs, read alike."""
        told = [tricklog_version(), digest_of_all(), str(self.buckets)]
        if self.reader is not None:
            # What an adapter makes of a log may change without anything of ours.
            told += [self.reader, uuid.uuid4().hex]
        for log, sources in self.cuts:
            told.append(str(log))
            told += [f"{each.name} {each.start} {each.end} {_state_of(each)}" for each in sources]
        if any(source.may_be_endless for _, sources in self.cuts for source in sources):
            # What comes through a pipe comes once.
            told.append(uuid.uuid4().hex)
        return hashlib.sha256("\n".join(told).encode("utf-8", "surrogateescape")).hexdigest()[:24]


def portions(sources: Iterable[Source], slots: int, how: How) -> Iterator[Portion]:
    """Cut logs into portions of ``how.portion`` bytes of text at most, or of one log.

    ``slots`` is how many tasks are done at a time. Where records of another program are put
    together from several lines, one task reads a log whole, and all logs where records go over the
    ends of files.

    Raises ``WarehouseError`` for one log that is far larger than a portion.
    """
    reach = Reach.LINE if how.adapter is None else reach_of(how.adapter)
    weighed = [(_absolute(each), _expanded_size(each)) for each in sources]
    if reach is Reach.FILES:
        lots = [([source for source, _ in weighed], sum(size for _, size in weighed))]
    else:
        lots = list(in_lots(weighed, how.portion)) or [([], 0)]
    for some, size in lots:
        cuts: tuple[Cut, ...] = ((None, tuple(some)),)
        if reach is not Reach.FILES:
            # So many bytes of small logs go into one part that all slots have some.
            small = min(TOGETHER, max(WORTH_SHARING, size // (2 * slots)))
            cuts = tuple(_cut(some, sys.maxsize if reach is Reach.FILE else how.range_size, small))
        most = min(BUCKETS, max(1, _MOST // max(1, len(cuts))))
        needed = 1 + size // BUCKET
        if max(needed, how.buckets or 0) > most:
            raise WarehouseError(
                f"{cuts[0][1][0].name} is too large to be loaded at once: it has {size >> 30} GiB. "
                f"Divide it into logs of {PORTION >> 30} GiB or less, at the end of a line."
            )
        shared = min(slots, 1 + size // WORTH_SHARING, most)
        yield Portion(size, how.buckets or max(needed, shared), cuts, how.adapter)


def _absolute(source: Source) -> Source:
    """Return a source by a path that another process finds, too; it is called as before."""
    opener = source.opener
    if isinstance(opener, LocalPath):
        return replace(source, opener=replace(opener, path=opener.path.absolute()))
    return source


def _expanded_size(source: Source) -> int:
    """Return how many bytes of text a log holds, about."""
    return (source.size or 0) * (EXPANSION if source.name.endswith(READ_ARCHIVES) else 1)


def _cut(sources: Iterable[Source], range_size: int, together: int) -> Iterator[Cut]:
    """Cut logs into parts: small ones together, large ones in ranges with the number of the log."""

    def weight(source: Source) -> int:
        size = source.size or 0
        return together + 1 if source.is_pipe or size > range_size else size

    logs = [((log, each), weight(each)) for log, each in enumerate(sources)]
    for some, _ in in_lots(logs, together):
        (log, first), *more = some
        ranges = [first] if more or first.is_pipe else split(first, range_size)
        if len(ranges) > 1:
            yield from ((log, (each,)) for each in ranges)
        else:
            yield None, tuple(each for _, each in some)


def _state_of(source: Source) -> str:
    """Return what changes when a log does."""
    changed = source.opener.changed if isinstance(source.opener, StoredObject) else ""
    if source.path:
        with suppress(OSError, ValueError):
            changed = str(source.path.stat().st_mtime_ns)
    return f"{source.opener.size} {changed}"


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
    cut = list(portions(find_sources(paths), engine.slots, how))
    is_one = len(cut) == 1
    if how.dry_run and not is_one:
        raise WarehouseError(
            f"A dry run looks at {how.portion >> 30} GiB of logs at most, and these are "
            f"{len(cut)} times as many. Name some of them."
        )
    # What a load of many portions has published before it broke off is passed over.
    published = {} if is_one else _published(storage)
    whole = sum(portion.size for portion in cut)
    total: LoadReport | None = None
    done = 0
    for portion in cut:
        names = portion.names
        tell = on_progress
        if is_one:
            names = [path.name if isinstance(path, Source) else str(path) for path in paths]
        elif on_progress:
            tell = _told_of(on_progress, total, done / whole, portion.size / whole)
        if portion.key in published:
            report = _again(published[portion.key], storage)
        else:
            account = Account(Forecast(), tell, on_reject, on_warning)
            report = _Load(portion, names, storage, engine, how, account).run()
        total = total.and_then(report) if total else report
        done += portion.size
    assert total
    return total


def _published(storage: Storage) -> dict[object, Snapshot]:
    """Return the snapshots that loads have published and nobody has undone, by their portions."""
    snapshots = Lake(storage).snapshots()
    undone = {each.counts.get(UNDONE) for each in snapshots}
    return {each.counts.get("portion"): each for each in snapshots if each.number not in undone}


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


class _Load:
    def __init__(
        self,
        portion: Portion,
        logs: Sequence[str],
        storage: Storage,
        engine: Engine,
        how: How,
        account: Account,
    ) -> None:
        self._portion = portion
        self._logs = loads.as_named(logs, how.adapter)
        self._storage = storage
        self._engine = engine
        self._how = how
        self._account = account
        self._key = portion.key
        self._folder = f"{STAGING}/{self._key}"
        with in_words(storage):
            self._listed = forgotten.read(storage)
        self._begun: Begun | None = None
        self._hands = 0
        """How many were read."""
        self._added: list[File] = []
        self._rejected_lines = 0
        self._given_way: list[GivenWay] = []
        self._superseded: list[int] = []
        """Numbers of stored games that are derived again."""
        self._moved: list[int] = []
        """Those of them that may be of another day now."""

    def run(self) -> LoadReport:
        lake = Lake(self._storage)
        folders = self._storage.made_folders()
        take_over, is_kept = self._how.take_over, not self._how.dry_run
        if is_kept:
            lake.want_free(take_over=take_over)
        parts = self._stage()
        counts = self._account.counts
        self._hands = counts.accepted
        with ExitStack() as held:
            if is_kept:
                begin = lake.begin(uuid.uuid4().hex[:12], take_over=take_over)
                self._begun = held.enter_context(begin)
            else:
                held.callback(self._forget, folders)
            begun = self._begun
            with in_words(self._storage):
                listed = forgotten.read(self._storage)
            if listed != self._listed:
                raise ForgottenMeanwhileError(forgotten_meanwhile(self._storage))
            before = begun.before if begun else lake.current()
            number = begun.number if begun else 1 + (before.number if before else 0)
            plan = Plan(number, self._portion.buckets, before, parts, [])
            plan = msgspec.structs.replace(plan, settled=self._settle(plan))
            self._store(plan)
            snapshot = before
            if begun and (counts.accepted or self._rejected_lines):
                snapshot = self._publish(lake, begun)
        # What cannot be removed now, tidying removes.
        with suppress(OSError):
            self._storage.delete_folder(self._folder)
        self._account.finished()
        assert counts.accepted == self._account.verdicts.total()
        state = f"{self._storage} {snapshot.number}" if snapshot else None
        return self._account.report(state, published=snapshot is not before)

    def _publish(self, lake: Lake, begun: Begun) -> Snapshot:
        before, number, counts = begun.before, begun.number, self._account.counts
        paths = Forgotten(self._listed).in_each(self._logs) if self._listed else self._logs
        row = tables.write(self._storage, "imports", import_of(number, paths, counts), number, 0)
        stored = before.counts.get("hands", 0) if before else 0
        told = {
            "hands": stored + counts.accepted - len(self._given_way),
            "portion": self._key,
            **asdict(counts),
        }
        self._added += [row] if row else []
        gone: list[File] = []
        if before and (self._given_way or self._moved):
            rewriting = Rewriting(lake, before, number)
            if self._given_way:
                rewriting.leave_hands(self._given_way)
            if self._moved:
                rewriting.leave_sessions(self._moved, self._superseded)
            self._added += rewriting.added
            gone = rewriting.gone
        return begun.publish(self._added, told, gone=gone)

    def _forget(self, folders: set[str]) -> None:
        """Remove the files of tables that nobody will publish, and all but these ``folders``."""
        with suppress(OSError):
            self._storage.delete(each.name for each in self._added)
            self._storage.delete_folder(self._folder)
            self._storage.delete_empty(self._storage.made_folders() - folders)

    # --- Steps

    def _stage(self) -> list[Part]:
        """Stage all logs that are not staged yet; return the parts in order."""
        found = self._staged_before()
        buckets, storage, folder = self._portion.buckets, self._storage, self._folder
        tasks = [
            StageTask(number, sources, log, buckets, storage, folder, self._how.adapter)
            for number, (log, sources) in enumerate(self._portion.cuts)
            if number not in found
        ]
        streams = [task for task in tasks if any(each.is_pipe for each in task.sources)]
        shared = [task for task in tasks if task not in streams]
        done, total = 0, self._portion.size or None
        self._tell(Stage.READING, done, total)
        for part in itertools.chain(
            list(found.values()),
            map(stage_part, streams),
            self._engine.map(stage_part, shared, memory=STAGE_MEMORY),
        ):
            found[part.number] = part
            account = self._account
            account.counts.add(part.counts)
            account.forgotten += part.forgotten
            for reject in part.noted:
                account.quarantined(reject)
            for file, warning in part.warned:
                account.warned(file, [warning])
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

    def _settle(self, plan: Plan) -> list[Settled]:
        settled: list[Settled] = []
        account = self._account
        for result in self._each(settle_ids, plan, SETTLE_MEMORY, Stage.CHECKING):
            account.counts.accepted -= result.duplicates + result.conflicts
            account.counts.duplicate += result.duplicates
            account.counts.quarantined += result.conflicts
            account.completed += len(result.given_way)
            self._added += result.added
            self._given_way += result.given_way
            settled += [result.fates] if result.fates else []
        return settled

    def _store(self, plan: Plan) -> None:
        for result in self._each(store_games, plan, STORE_MEMORY, Stage.STORING):
            self._account.verdicts.update(result.verdicts)
            self._account.findings.update(result.findings)
            self._rejected_lines += result.rejected_lines
            self._added += result.added
            self._superseded += result.superseded
            self._moved += result.moved
            for reject in result.noted:
                self._account.quarantined(reject)

    def _each(
        self, work: Callable[[BucketTask], R], plan: Plan, memory: int, stage: Stage
    ) -> Iterator[R]:
        """Have work done on each bucket, as long as nobody takes over."""
        path = f"{self._folder}/{uuid.uuid4().hex[:12]}.plan"
        with self._storage.open_output(path) as file:
            file.write(msgspec.msgpack.encode(plan))
        tasks = [BucketTask(bucket, path, self._storage) for bucket in range(plan.buckets)]
        self._tell(stage, 0, self._hands)
        for count, result in enumerate(self._engine.map(work, tasks, memory=memory), 1):
            if self._begun:
                self._begun.check()
            yield result
            self._tell(stage, self._hands * count // len(tasks), self._hands)

    def _tell(self, stage: Stage, done: int, total: int | None) -> None:
        before, whole = _SHARES[stage]
        of_stage = min(1.0, done / total) if total else float(total == 0)
        self._account.tick(0, stage, done, total, before + whole * of_stage)
