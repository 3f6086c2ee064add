"""Keeping a lake in shape: few files in the place of many, and none that nobody needs.

Both halves are safe at any time. What is written again becomes visible by a publish like that of a
load, with the same fence; what is removed was replaced, or left behind by a load that died, longer
ago than anybody may still be reading it.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Final

import duckdb

from tricklog.ingest.lake import commits, compaction, tables
from tricklog.ingest.lake.commits import TROUBLE
from tricklog.ingest.lake.compaction import SUPERSEDED, Plan, Sizes
from tricklog.ingest.lake.publish import Begun, Lake, Snapshot, in_words
from tricklog.ingest.lake.storage import LOG, SNAPSHOTS, Entry, Storage
from tricklog.ingest.lake.tables import File
from tricklog.ingest.store.publishing import BusyError, StorageError
from tricklog.ingest.store.warehouse import first_line, is_trouble

KEEP: Final = 7.0
"""Days for which a snapshot can still be read after another has taken its place."""
STAGING: Final = "_staging"
"""The folder of what loads set aside before they publish."""
TIDYING: Final = "tidy"
"""What a lake is said to be held by while it is tidied."""
_SETTLED: Final = timedelta(hours=1)
"""What is younger may be just about to be committed."""
_MANY: Final = 10
"""Commits behind the newest checkpoint of a table from which on it gets another."""
_HALF: Final = re.compile(rf"^{LOG}/(_commit_.*\.tmp|.*#\d+)$")
"""What a commit that was killed leaves behind."""
_COMMIT: Final = re.compile(rf"/{LOG}/(\d{{20}})\.(json|checkpoint\.parquet)$")


@dataclass(frozen=True, slots=True)
class Held:
    """What a table, or all of them, have."""

    files: int = 0
    size: int = 0
    """In bytes."""

    @classmethod
    def of(cls, files: Iterable[File | Entry]) -> Held:
        """Return what so many files are."""
        sizes = [each.size for each in files]
        return cls(len(sizes), sum(sizes))

    def __add__(self, other: Held) -> Held:
        return Held(self.files + other.files, self.size + other.size)


@dataclass(frozen=True, slots=True)
class Tidied:
    """What tidying did, or would do."""

    before: Mapping[str, Held]
    """Of each table, what the snapshot had."""
    after: Mapping[str, Held]
    """What it has; of what is not done yet, the number of files is estimated and the size old."""
    games: int
    """Superseded games whose rows went."""
    rows: int
    """Rows of theirs."""
    removed: Held
    """Files that nobody needs any more."""
    snapshots: int
    """Old snapshots that cannot be opened any more."""
    snapshot: Snapshot
    """What is published now."""
    busy: str = ""
    """Why nothing was removed, when another load has begun in between."""

    @property
    def total_before(self) -> Held:
        """What all tables had."""
        return sum(self.before.values(), Held())

    @property
    def total_after(self) -> Held:
        """What all tables have."""
        return sum(self.after.values(), Held())


@dataclass(slots=True)
class _Garbage:
    entries: list[Entry] = field(default_factory=list)
    snapshots: list[int] = field(default_factory=list)
    folders: dict[str, list[Entry]] = field(default_factory=dict)
    """What goes as a whole."""

    @property
    def held(self) -> Held:
        return Held.of(chain(self.entries, *self.folders.values()))


def tidy(
    storage: Storage,
    *,
    keep: float = KEEP,
    dry_run: bool = False,
    take_over: bool = False,
    sizes: Sizes = compaction.USUAL,
    on_progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Tidied:
    """Put small files together, take out dead rows, and remove what nobody needs.

    Args:
        storage: the lake.
        keep: days for which replaced files stay. Readers that are open for longer fail, and so do
            loads that staged their logs longer ago and have not begun to publish.
        dry_run: whether to look only.
        take_over: whether not to wait for another load that holds the lake.
        sizes: how large files are meant to be.
        on_progress: called with how many bytes are written again, and how many there are.

    Raises:
        NoSnapshotError: there is no lake.
        WarehouseError: another load holds it (``BusyError``) or has taken it over
            (``FencedError``), or it cannot be read or written.
    """
    lake, busy, garbage = Lake(storage), "", _Garbage()
    with in_words(storage):
        before = snapshot = lake.opened()
        if dry_run:
            planned = compaction.plan(lake, before, sizes)
            held = _held(lake, before)
            after = held | _foretold(held, planned, sizes)
            # What is replaced goes at once where nothing is kept.
            gone = [] if keep else [*planned.files, *lake.files(before, SUPERSEDED)]
            garbage = _garbage(lake, datetime.now(UTC) - timedelta(days=keep), gone)
        else:
            with lake.begin(TIDYING, take_over=take_over) as begun:
                assert begun.before is not None, "only what is published can be tidied"
                before = snapshot = begun.before
                planned = compaction.plan(lake, before, sizes)
                if planned:
                    snapshot = _compact(storage, begun, planned, sizes, on_progress)
            # What was published before may be gone when this is over.
            held, after = _held(lake, before), _held(lake, snapshot)
            _write_checkpoints(lake, snapshot)
            try:
                with lake.begin(TIDYING) as begun:
                    garbage = _remove(lake, begun, datetime.now(UTC) - timedelta(days=keep))
            except BusyError as error:
                busy = str(error)
    rows = sum(group.dead for group in planned.groups)
    told = garbage.held, len(garbage.snapshots), snapshot, busy
    return Tidied(held, after, len(planned.games), rows, *told)


def _foretold(held: Mapping[str, Held], planned: Plan, sizes: Sizes) -> dict[str, Held]:
    """Return what those tables would have that are written again."""
    after: dict[str, Held] = {}
    for group in planned.groups:
        fewer = Held(group.files_after(sizes) - len(group.files), 0)
        after[group.table] = after.get(group.table, held[group.table]) + fewer
    return after | ({SUPERSEDED: Held()} if len(planned.games) else {})


def _held(lake: Lake, snapshot: Snapshot) -> dict[str, Held]:
    return {table: Held.of(files) for table, files in lake.all_files(snapshot).items()}


def _compact(
    storage: Storage,
    begun: Begun,
    planned: Plan,
    sizes: Sizes,
    on_progress: Callable[[int, int], None],
) -> Snapshot:
    done = 0
    for group in planned.groups:
        begun.check()
        on_progress(done, planned.size)
        try:
            added = compaction.rewrite(storage, group, planned.games, begun.number, sizes)
        except duckdb.Error as error:
            if not is_trouble(error):
                raise
            raise StorageError(
                f"{storage} could not be tidied: {first_line(error)}. It is as it was. Free some "
                "memory, or space for temporary files, or set TMPDIR to a folder on a larger disk."
            ) from error
        begun.written += added
        done += group.size
    on_progress(done, planned.size)
    gone, games = planned.files, len(planned.games)
    counts = {"files": len(begun.written), "replaced": len(gone), "games": games}
    replaced = [SUPERSEDED] if games else []
    return begun.publish(begun.written, {TIDYING: counts}, replaced=replaced, gone=gone)


def _write_checkpoints(lake: Lake, snapshot: Snapshot) -> None:
    """Write down what each table holds, so that the commits before that can go."""
    versions = {**snapshot.versions, SNAPSHOTS: lake.head().version}
    for table, version in versions.items():
        if version - _checkpoint(_commits(lake.storage.list(f"{table}/{LOG}"))) >= _MANY:
            # Nothing depends on it but the time that opening takes.
            with suppress(*TROUBLE):
                commits.table_at(lake.storage, table, version).create_checkpoint()


# --- Removing


def _remove(lake: Lake, begun: Begun, until: datetime) -> _Garbage:
    garbage = _garbage(lake, until, ())
    if garbage.snapshots:
        begun.forget(garbage.snapshots)
    # Who takes over writes files only after this, so none of theirs is among these.
    begun.check_now()
    lake.storage.delete([entry.name for entry in garbage.entries])
    for folder in garbage.folders:
        lake.storage.delete_folder(folder)
    return garbage


def remove_all_old(lake: Lake) -> int:
    """Remove all that the newest snapshot does not need; return how many files that were."""
    with in_words(lake.storage):
        for table, version in lake.opened().versions.items():
            commits.table_at(lake.storage, table, version).create_checkpoint()
        with lake.begin(TIDYING) as begun:
            return _remove(lake, begun, datetime.now(UTC)).held.files


def _garbage(lake: Lake, until: datetime, gone: Iterable[File]) -> _Garbage:
    """Find what nobody needs, ``gone`` being files that the newest snapshot is about to lose."""
    snapshots = lake.snapshots()
    # A reader may have opened a snapshot until the moment when another took its place.
    kept = [
        one
        for one, follower in zip(snapshots, [*snapshots[1:], None], strict=True)
        if follower is None or follower.at >= until
    ]
    garbage = _Garbage(snapshots=[each.number for each in snapshots if each not in kept])
    staged: dict[str, list[Entry]] = defaultdict(list)
    for entry in lake.storage.list(STAGING):
        staged["/".join(entry.name.split("/")[:2])].append(entry)
    for folder, entries in staged.items():
        if max(entry.modified for entry in entries) < until.timestamp():
            garbage.folders[folder] = entries
    # A folder of somebody else's may lie beside those of the tables.
    ours = {*tables.LAYOUTS, *(name for each in snapshots for name in each.versions)}
    lost = {file.name for file in gone}
    for table in sorted(ours.intersection(lake.storage.folders())):
        needed = {file.name for each in kept for file in lake.files(each, table)} - lost
        oldest = min((each.versions[table] for each in kept if table in each.versions), default=0)
        garbage.entries += _old(lake.storage, table, needed, oldest, until, until.timestamp())
    head = lake.head()
    needed = {f"{SNAPSHOTS}/{place.path}" for place in head.places}
    # Who begins writes a row before it is committed.
    garbage.entries += _old(lake.storage, SNAPSHOTS, needed, head.version, until, _settled(until))
    return garbage


def _old(
    storage: Storage,
    table: str,
    needed: Collection[str],
    version: int,
    until: datetime,
    files_until: float,
) -> Iterator[Entry]:
    """Give the files of a table that are not needed, and those of its log.

    That has halves of commits, and some before the checkpoint that ``version`` is read from.
    """
    entries = list(storage.list(table))
    for entry in entries:
        path = entry.name.removeprefix(f"{table}/")
        is_data = not path.startswith(LOG) and entry.name not in needed
        if is_data and entry.modified < files_until:
            yield entry
        if _HALF.search(path) and entry.modified < _settled(until):
            yield entry
    log = _commits(entries)
    read_from = _checkpoint(log, version)
    for number, entry in log:
        if number < read_from and entry.modified < until.timestamp():
            yield entry


def _settled(until: datetime) -> float:
    """Return the time before which whatever was written has been committed, or never will be."""
    return min(until, datetime.now(UTC) - _SETTLED).timestamp()


def _commits(entries: Iterable[Entry]) -> list[tuple[int, Entry]]:
    found = [(_COMMIT.search(entry.name), entry) for entry in entries]
    return [(int(match[1]), entry) for match, entry in found if match]


def _checkpoint(log: Iterable[tuple[int, Entry]], most: float = math.inf) -> int:
    """Return the version of the newest checkpoint up to ``most``, 0 without one."""
    found = (number for number, entry in log if entry.name.endswith(".parquet") and number <= most)
    return max(found, default=0)
