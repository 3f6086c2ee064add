"""The file of facts beside each snapshot: made when first asked for, opened read-only."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import duckdb
from duckdb import DuckDBPyConnection

from ingest.facts.build import FACTS_VERSION, derive
from ingest.progress import Watch
from ingest.publishing import snapshots
from ingest.warehouse import (
    NoSnapshotError,
    WarehouseError,
    current_snapshot,
    open_file,
)

_ATTEMPTS: Final = 5


def open_facts(db: str | Path, watch: Watch | None = None) -> DuckDBPyConnection:
    """Open the facts of the newest snapshot in the folder ``db``, read-only, with the snapshot.

    The snapshot is attached as ``games``. Like that of ``warehouse.open_snapshot``, the connection
    can read these two files and nothing more. Facts that are missing, of another version or of
    another snapshot are derived first, about a minute for a million hands; ``watch`` is told how
    far that is.

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
            return _opened(snapshot, watch)
        except (WarehouseError, duckdb.Error) as error:
            # Since the pointer was read, the snapshot may have been superseded and removed.
            if not snapshot.exists() and attempt + 1 < _ATTEMPTS:
                continue
            if isinstance(error, WarehouseError):
                raise
            raise WarehouseError(
                f"The figures of {snapshot} could not be counted: {error}. Check the disk; "
                f"tricklog verify --db {db} tells whether the warehouse is in order."
            ) from error
    raise AssertionError("the loop returns or raises")


def facts_file(snapshot: Path) -> Path:
    """Return where the facts of a snapshot are kept."""
    return snapshot.with_name(snapshot.name.replace("games-", "facts-", 1))


def _opened(snapshot: Path, watch: Watch | None) -> DuckDBPyConnection:
    with open_file(snapshot) as games:
        fingerprint = _fingerprint(games)
    path = facts_file(snapshot)
    connection = _if_current(path, snapshot, fingerprint)
    if connection is None:
        _make(snapshot, path, fingerprint, watch)
        connection = _if_current(path, snapshot, fingerprint)
        if connection is None:
            raise WarehouseError(f"{path} was replaced while it was being made. Try again.")
    return connection


def _fingerprint(games: DuckDBPyConnection) -> str:
    """Return what tells the hands of a snapshot, in their order, from those of any other."""
    found = games.execute(
        "SELECT count(*), bit_xor(hash(rowid, content_hash, verdict, import_id)) FROM hands"
    ).fetchall()
    return str(found[0])


def _if_current(path: Path, snapshot: Path, fingerprint: str) -> DuckDBPyConnection | None:
    """Open a file of facts, ``None`` when there is none of this version and these hands."""
    if not path.exists():
        return None
    connection = duckdb.connect(str(path), read_only=True)
    found: list[tuple[Any, ...]] = []
    # A file of an earlier version may have no such table.
    with suppress(duckdb.CatalogException, duckdb.BinderException):
        found = connection.execute("SELECT version, fingerprint FROM facts").fetchall()
    if found != [(FACTS_VERSION, fingerprint)]:
        connection.close()
        return None
    quoted = str(snapshot).replace("'", "''")
    connection.execute(f"ATTACH '{quoted}' AS games (READ_ONLY)")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


def _make(snapshot: Path, path: Path, fingerprint: str, watch: Watch | None) -> None:
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    try:
        derive(snapshot, draft, fingerprint, watch)
        draft.replace(path)
    except OSError as error:
        raise WarehouseError(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        draft.unlink(missing_ok=True)
    kept = {facts_file(each) for each in snapshots(snapshot.parent)}
    for old in snapshot.parent.glob("facts-*.duckdb"):
        if old not in kept:
            old.unlink(missing_ok=True)
