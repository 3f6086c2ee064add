"""Commits to one Delta table: what a version holds, and the next version, made by one writer only.

A commit names the version that it follows. It is made when nobody has followed that version before,
and never tried again behind what somebody else made: whether that may be is for the caller to say.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Final

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, PostCommitHookProperties
from deltalake.exceptions import DeltaError, TableNotFoundError
from deltalake.transaction import AddAction, RemoveAction

from tricklog.ingest.lake.storage import LOG, Storage
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
