"""Commits to Delta tables: what a version holds, and the next version, made by one writer only.

A commit names the version that it follows. It is made when nobody has followed that version before,
and never tried again behind what somebody else made: whether that may be is for the caller to say.

The table ``snapshots`` has a row for each load. Number and state of every row stand in the
statistics of its file too, so that nobody reads hundreds of files to find the newest.
"""

from __future__ import annotations

import functools
import json
import os
import time
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
from deltalake import CommitProperties, DeltaTable, PostCommitHookProperties
from deltalake.exceptions import DeltaError, TableNotFoundError
from deltalake.transaction import AddAction, RemoveAction

from tricklog.ingest.lake.storage import LOG, SNAPSHOTS, Storage
from tricklog.ingest.lake.tables import File

TROUBLE: Final = (DeltaError, OSError)
"""What a table raises that cannot be read or written."""
_ONCE: Final = CommitProperties(max_commit_retries=0)
_ALONE: Final = PostCommitHookProperties(cleanup_expired_logs=False)
"""A log without what was published would do harm."""
_SETTINGS: Final = {
    # After so many versions the files of a table are written down in one place.
    "delta.checkpointInterval": "20",
    # Statistics of all columns, not of the first 32 alone.
    "delta.dataSkippingNumIndexedCols": "-1",
    "delta.enableExpiredLogCleanup": "false",
}


def table_at(storage: Storage, name: str, version: int | None = None) -> DeltaTable:
    """Return a table as of a version, by default of the newest one, committed or left behind.

    Raises ``TableNotFoundError`` when there is none, and other ``TROUBLE``.
    """
    return DeltaTable(storage.file_uri(name), version=version, storage_options=storage.options)


def newest(storage: Storage, name: str) -> DeltaTable | None:
    """Return the newest version of a table, ``None`` when there is no table."""
    try:
        return table_at(storage, name)
    except TableNotFoundError:
        return None


def files_of(name: str, table: DeltaTable) -> list[File]:
    """Return the files of a table, with the statistics that they were added with."""
    found = []
    for row in pa.table(table.get_add_actions()).to_pylist():
        low, high = (
            {column: value for column, value in (row.get(end) or {}).items() if value is not None}
            for end in ("min", "max")
        )
        found.append(File(name, row["path"], row["size_bytes"], row["num_records"], low, high))
    return found


def paths_of(table: DeltaTable) -> set[str]:
    """Return the paths of a table's files."""
    return set(pa.table(table.get_add_actions())["path"].to_pylist())


def arrow_schema(table: DeltaTable) -> pa.Schema:
    """Return the columns of a table."""
    return pa.schema(table.schema().to_arrow())


def create(storage: Storage, name: str, schema: pa.Schema) -> DeltaTable:
    """Make a table without rows, version 0; return what is there when somebody else just did."""
    try:
        return DeltaTable.create(
            storage.file_uri(name),
            schema,
            storage_options=storage.options,
            configuration=_SETTINGS,
            commit_properties=_ONCE,
            post_commithook_properties=_ALONE,
        )
    except TROUBLE:
        if found := newest(storage, name):
            return found
        raise


def commit(
    storage: Storage,
    name: str,
    table: DeltaTable,
    added: Sequence[File],
    *,
    gone: Collection[str] = (),
    schema: pa.Schema | None = None,
) -> int | None:
    """Commit the version that follows ``table``: with files more, and the paths ``gone`` less.

    With a ``schema``, which the table has from then on, all files that it had are gone.

    Returns the version, which is on the disk, or ``None`` when somebody else has followed that one.
    Raises ``TROUBLE`` when neither is so.
    """
    version = table.version() + 1
    now = int(time.time() * 1000)
    before = paths_of(table)
    less = before if schema is not None else before & set(gone)
    actions: list[AddAction | RemoveAction] = [
        AddAction(file.path, file.size, {}, now, data_change=True, stats=file.stats)
        for file in added
    ]
    if schema is None:
        actions += [RemoveAction(path, True, now, None, {}) for path in sorted(less)]  # noqa: FBT003
    try:
        table.create_write_transaction(
            actions,
            "append" if schema is None else "overwrite",
            table.schema() if schema is None else schema,
            commit_properties=_ONCE,
            post_commithook_properties=_ALONE,
        )
    except TROUBLE as error:
        # It may be there all the same: an answer can be lost on the way.
        try:
            made = paths_of(table_at(storage, name, version))
        except TROUBLE:
            raise error from None
        if made != (before - less) | {file.path for file in added}:
            return None
    storage.flush(f"{name}/{LOG}/{version:020d}.json")
    return version


# --- The table snapshots

_TIME: Final = pa.timestamp("us", tz="UTC")
SCHEMA: Final = pa.schema(
    {
        "number": pa.int64(),
        "state": pa.string(),
        "load": pa.string(),
        "holder": pa.string(),
        "at": _TIME,
        "lease_until": _TIME,
        "versions": pa.string(),
        "counts": pa.string(),
    }
)

_PACKED: Final = ("versions", "counts")
"""Columns with JSON."""
_TABLES: Final = "tables"
"""What the column ``counts`` calls ``Row.tables``."""


class LostError(Exception):
    """Somebody else has changed the table first."""


class State(StrEnum):
    """How far a load has come."""

    BEGUN = "begun"
    PUBLISHED = "published"
    RELEASED = "released"


@dataclass(frozen=True, slots=True)
class Row:
    """What is known of a load."""

    number: int
    """Later ones are greater."""
    state: State
    load: str
    """How the load called itself."""
    holder: str
    at: datetime
    """When it came to this state."""
    lease_until: datetime
    """Until when others wait for it."""
    versions: Mapping[str, int] = field(hash=False)
    """The version of each table; one that is not named has no rows."""
    counts: Mapping[str, Any] = field(hash=False)
    """What it says that it did; of one that has begun, in which process it is."""
    tables: str = ""
    """What ``tables_of_this_version`` said in the program that published it."""

    def is_held(self, now: datetime) -> bool:
        """Whether others have to wait for this load."""
        is_held = self.state == State.BEGUN and self.lease_until > now
        return is_held and not has_died(self.counts)

    def with_state(self, state: State, until: datetime, **said: Any) -> Row:  # noqa: ANN401 - its other fields
        """Return the row of the same load when it has come further, with what it says now."""
        return replace(self, state=state, at=datetime.now(UTC), lease_until=until, **said)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row stands."""

    number: int
    state: State
    path: str


@dataclass(frozen=True, slots=True)
class Head:
    """The table as of one version."""

    version: int
    places: tuple[Place, ...]
    """Of all rows, by their numbers."""

    @property
    def last(self) -> Place | None:
        """The row with the greatest number."""
        return self.places[-1] if self.places else None


class Ledger:
    """The table ``snapshots`` of a storage. Raises ``TROUBLE`` when it fails."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._read = functools.lru_cache(maxsize=256)(self._read_file)

    def head(self) -> Head | None:
        """Return the newest version, ``None`` when there is no table."""
        table = newest(self._storage, SNAPSHOTS)
        return _head_of(table) if table else None

    def made(self) -> Head:
        """Return the newest version; the table is made when there is none."""
        return self.head() or _head_of(create(self._storage, SNAPSHOTS, SCHEMA))

    def last(self, head: Head | None) -> Row | None:
        """Return the row of the load that began last, if any did."""
        return self._read(head.last.path) if head and head.last else None

    def published(self, head: Head | None) -> Iterator[Row]:
        """Give the published rows, the newest first; each is read when it is asked for."""
        for place in reversed(head.places if head else ()):
            if place.state == State.PUBLISHED:
                yield self._read(place.path)

    def follow(self, head: Head, row: Row, *gone: Place | None) -> Head:
        """Write a row behind ``head`` and take those ``gone`` away; return the table then.

        Raises ``LostError`` when somebody else has changed it since.
        """
        path = f"{row.number:012d}-{row.state}-{uuid.uuid4().hex}.parquet"
        values = {**asdict(row), "state": str(row.state)}
        values["counts"] |= {_TABLES: row.tables} if row.tables else {}
        values |= {name: json.dumps(values[name], sort_keys=True) for name in _PACKED}
        name = f"{SNAPSHOTS}/{path}"
        with self._storage.open_output(name) as stream:
            pq.write_table(pa.Table.from_pylist([values], SCHEMA), stream)
        key = {"number": row.number, "state": str(row.state)}
        file = File(SNAPSHOTS, path, self._storage.size(name), 1, key, key)
        paths = {place.path for place in gone if place}
        table = table_at(self._storage, SNAPSHOTS, head.version)
        version = commit(self._storage, SNAPSHOTS, table, [file], gone=paths)
        if version is None:
            raise LostError
        places = [place for place in head.places if place.path not in paths]
        return _head(version, [*places, Place(row.number, row.state, path)])

    def _read_file(self, path: str) -> Row:
        with self._storage.open_input(f"{SNAPSHOTS}/{path}") as stream:
            (values,) = pq.read_table(stream).to_pylist()
        values |= {name: json.loads(values[name]) for name in _PACKED}
        values |= {"state": State(values["state"]), "tables": values["counts"].pop(_TABLES, "")}
        return Row(**values)


def _head_of(table: DeltaTable) -> Head:
    files = files_of(SNAPSHOTS, table)
    return _head(
        table.version(),
        [Place(file.low["number"], State(file.low["state"]), file.path) for file in files],
    )


def _head(version: int, places: list[Place]) -> Head:
    return Head(version, tuple(sorted(places, key=lambda place: place.number)))


# --- Which process it is, so that others on its machine see when it has died

_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")
_SPACE: Final = Path("/proc/self/ns/pid")
_STATE, _STARTED = 0, 19
"""Places behind the name of a process in what the system says of it."""
_DEAD: Final = "ZX"


def this_process() -> dict[str, Any]:
    """Return what identifies this process; nothing where the system does not say it."""
    with suppress(OSError):
        return {**_here(), "process": os.getpid(), "started": _said_of(os.getpid())[_STARTED]}
    return {}


def has_died(noted: Mapping[str, Any]) -> bool:
    """Whether a process of this machine lives no more, of which ``this_process`` said this.

    Of one on another machine, or in another container, nothing is known.
    """
    try:
        here = _here()
    except OSError:
        return False
    if any(noted.get(name) != value for name, value in here.items()):
        return False
    try:
        said = _said_of(int(noted["process"]))
    except FileNotFoundError:
        return True
    return said[_STATE] in _DEAD or said[_STARTED] != noted["started"]


def _here() -> dict[str, str]:
    return {"boot": _BOOT.read_text().strip(), "space": str(_SPACE.readlink())}


def _said_of(process: int) -> list[str]:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
