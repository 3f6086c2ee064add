"""The file of facts beside each snapshot: made when first asked for, opened read-only.

One run at a time makes facts in a folder; others that ask for the same wait for it. The file gets
its name when it is complete, so that what a killed run leaves behind is never taken for facts.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import duckdb
from duckdb import DuckDBPyConnection

from ingest.facts.build import FACTS_VERSION, definition, derive, spill_folder
from ingest.reading.progress import Progress, Stage, Watch
from ingest.store import database, publishing, seals
from ingest.store.publishing import StorageError
from ingest.store.warehouse import (
    DamagedError,
    NoSnapshotError,
    WarehouseError,
    current_snapshot,
    damage_of,
    facts_file,
    first_line,
    held,
    is_trouble,
    open_file,
)

LOCK: Final = "FACTS-LOCK"
_ATTEMPTS: Final = 5
_POLL: Final = 0.05


def open_facts(db: str | Path, watch: Watch | None = None) -> DuckDBPyConnection:
    """Open the facts of the newest snapshot in the folder ``db``, read-only, with the snapshot.

    The snapshot is attached as ``games``. Like that of ``warehouse.open_snapshot``, the connection
    can read these two files and nothing more. Facts that are missing, damaged, of another version
    or of another snapshot are derived first, about a minute for a million hands; ``watch`` is told
    how far that is.

    Raises ``NoSnapshotError`` when nothing has been loaded yet, and ``WarehouseError`` for files
    that cannot be read or written.
    """
    for attempt in range(_ATTEMPTS):
        snapshot = current_snapshot(db)
        if snapshot is None:
            raise NoSnapshotError(
                f"{db} holds no warehouse yet: tricklog load LOGS --db {db} makes one."
            )
        try:
            return open_facts_of(snapshot, watch)
        except WarehouseError:
            # Since the pointer was read, the snapshot may have been superseded and removed.
            if snapshot.exists() or attempt + 1 == _ATTEMPTS:
                raise
    raise AssertionError("the loop returns or raises")


def open_facts_of(snapshot: Path, watch: Watch | None = None) -> DuckDBPyConnection:
    """Open the facts of one snapshot by its file, in the way of ``open_facts``.

    Raises ``WarehouseError`` for files that cannot be read or written.
    """
    try:
        return _opened(snapshot, watch)
    except (duckdb.Error, MemoryError) as error:
        if isinstance(error, duckdb.Error) and not is_trouble(error):
            raise
        raise explained(snapshot.parent, error) from error


def explained(db: str | Path, error: Exception) -> WarehouseError:
    """Return what to raise in the place of an error of DuckDB that came of reading figures.

    It names the damaged file. Facts that are damaged are removed, as they can be counted again.
    """
    if damaged := damage_of(db):
        return DamagedError(damaged)
    try:
        snapshot = current_snapshot(db)
    except WarehouseError as trouble:
        return trouble
    if snapshot and (wrong := damage(snapshot)):
        facts = facts_file(snapshot)
        with suppress(OSError):
            facts.unlink()
        done = "Remove it" if facts.exists() else "It has been removed"
        return DamagedError(
            f"{facts} is damaged: {wrong}. {done}; what figures are made of is counted again when "
            "you do the same again."
        )
    return StorageError(
        f"{snapshot or db} could not be read: {first_line(error)}. Check the disk and the memory "
        f"that is free, then do the same again; tricklog verify --db {db} says whether the "
        "warehouse is in order."
    )


def damage(snapshot: Path) -> str:
    """Return in what the facts of a snapshot differ from those that were derived, if there are any.

    Reads the whole file.
    """
    path = facts_file(snapshot)
    try:
        return seals.difference(path, seals.read(path)) if path.exists() else ""
    except OSError as error:
        return f"it cannot be read: {error.strerror}"


def facts_are_ready(snapshot: Path) -> bool:
    """Return whether the facts of a snapshot are there, so that nothing need be derived.

    Raises ``WarehouseError`` when the snapshot cannot be read.
    """
    connection = _if_current(snapshot, _fingerprint(snapshot))
    if connection is None:
        return False
    connection.close()
    return True


def _opened(snapshot: Path, watch: Watch | None) -> DuckDBPyConnection:
    fingerprint = _fingerprint(snapshot)
    connection = _if_current(snapshot, fingerprint)
    if connection is None:
        with _deriving(snapshot, watch):
            # Whoever held the lock before may have made them.
            connection = _if_current(snapshot, fingerprint)
            if connection is None:
                _make(snapshot, fingerprint, watch)
                connection = _if_current(snapshot, fingerprint)
    if connection is None:
        raise StorageError(
            f"{facts_file(snapshot)} was made and cannot be read, or is still open in an older "
            "state. Close what has it open and check the disk, then do the same again."
        )
    return connection


def _fingerprint(snapshot: Path) -> str:
    """Return what tells the hands of a snapshot, and what is derived of them, from any other."""
    with open_file(snapshot) as games:
        found = games.execute(
            "SELECT count(*), bit_xor(hash("
            "rowid, content_hash, verdict, import_id, file, result, change)) FROM hands"
        ).fetchall()
    return f"{definition()} {found[0]}"


def _if_current(snapshot: Path, fingerprint: str) -> DuckDBPyConnection | None:
    """Open the facts of a snapshot, ``None`` without any of this version and these hands."""
    path = facts_file(snapshot)
    if not path.exists():
        return None
    found: list[tuple[Any, ...]] = []
    try:
        connection = database.open_shut_off(path, games=snapshot)
    except duckdb.Error as error:
        if database.is_held_here(error):
            raise WarehouseError(held(path, error)) from error
        return None
    with suppress(duckdb.Error):
        found = connection.execute("SELECT version, fingerprint FROM facts").fetchall()
    if found != [(FACTS_VERSION, fingerprint)]:
        connection.close()
        return None
    return connection


@contextmanager
def _deriving(snapshot: Path, watch: Watch | None) -> Iterator[None]:
    """Hold the lock of whoever derives facts in the folder; the system frees it in any case."""
    path = snapshot.parent / LOCK
    try:
        file = path.open("a")
    except OSError as error:
        raise StorageError(
            f"The figures of {snapshot} are kept beside it, and {path.parent} cannot be written: "
            f"{error.strerror}. Make it writable, or copy the warehouse to a folder that is."
        ) from error
    with file:
        while not publishing.try_lock(file):
            if watch:
                watch(Progress(Stage.AWAITING))
            time.sleep(_POLL)
        yield


def _make(snapshot: Path, fingerprint: str, watch: Watch | None) -> None:
    path = facts_file(snapshot)
    draft = path.with_name(f"{path.name}.draft")
    _remove_draft(draft)
    try:
        derive(snapshot, draft, fingerprint, watch)
        publishing.flush(draft)
        publishing.put_seal(draft, path)
        draft.replace(path)
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written: {first_line(error)}. The warehouse itself is as it was. "
            "Check the disk and how much of it is free, then do the same again."
        ) from error
    finally:
        _remove_draft(draft)
    publishing.remove_facts_without_snapshot(snapshot.parent)


def _remove_draft(draft: Path) -> None:
    """Remove a draft with its journal and seal, and what was put aside while it was written."""
    for path in (draft, draft.with_name(f"{draft.name}.wal"), seals.seal_of(draft)):
        path.unlink(missing_ok=True)
    shutil.rmtree(spill_folder(draft), ignore_errors=True)
