"""Publishing a snapshot: write a new file, then turn the pointer to it in one step.

A draft starts as a copy of the current snapshot. It is written in one transaction, checkpointed,
closed, and only then becomes the current one. Whatever fails before that leaves the warehouse as it
was.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import resources
from pathlib import Path
from typing import IO, Final

import duckdb
from duckdb import DuckDBPyConnection

from ingest.warehouse import POINTER, SCHEMA_VERSION, WarehouseError, current_snapshot

LOCK: Final = "LOCK"
KEPT: Final = 3
"""Snapshots kept, the current one included, for readers that opened one before."""
MEMORY_LIMIT: Final = "1GB"
_SNAPSHOT: Final = re.compile(r"games-(\d{6,})\.duckdb")
_POLL: Final = 0.05


class BusyError(WarehouseError):
    """Another load is publishing into the same folder."""


def prepare(db: Path) -> Path:
    """Make sure that ``db`` is a folder that can be written, and return it.

    Raises ``WarehouseError`` when it is not.
    """
    try:
        db.mkdir(parents=True, exist_ok=True)
        (db / LOCK).touch()
    except OSError as error:
        raise WarehouseError(
            f"{db} cannot be written as the folder of a warehouse: {error.strerror}."
        ) from error
    return db


@contextmanager
def writing(db: Path, *, wait: float) -> Iterator[None]:
    """Hold the folder's lock, so that one load at a time decides what is new.

    The system frees the lock when a process ends, however it ends. Raises ``BusyError`` when
    another load has not finished within ``wait`` seconds.
    """
    with (prepare(db) / LOCK).open("a") as file:
        _acquire(file, db, wait)
        yield


def _acquire(file: IO[str], db: Path, wait: float) -> None:
    deadline = time.monotonic() + wait
    while not _try_lock(file):
        if time.monotonic() >= deadline:
            raise BusyError(
                f"Another load is publishing into {db}. Try again when it has finished."
            )
        time.sleep(_POLL)


def _try_lock(file: IO[str]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextmanager
def draft(db: Path) -> Iterator[DuckDBPyConnection]:
    """Write the next snapshot: commit and publish at the end of the block, undo on any error.

    Meant to be used while ``writing`` holds the lock. The connection is inside a transaction.
    """
    current = current_snapshot(db)
    _remove_unpublished(db, current)
    path = db / f"games-{_number(current) + 1:06d}.duckdb"
    try:
        if current:
            shutil.copyfile(current, path)
        with duckdb.connect(str(path), config={"memory_limit": MEMORY_LIMIT}) as connection:
            connection.execute("BEGIN")
            if not current:
                create_tables(connection)
            yield connection
            connection.execute("COMMIT")
            connection.execute("CHECKPOINT")
        _flush(path)
        _point_to(db, path)
    except BaseException:
        _remove(path)
        raise
    _prune(db)


def create_tables(connection: DuckDBPyConnection) -> None:
    """Make the tables, macros and views of an empty warehouse."""
    connection.execute(resources.files("schemas").joinpath("warehouse.sql").read_text("utf-8"))
    connection.execute("INSERT INTO warehouse VALUES (?)", [SCHEMA_VERSION])


def _number(snapshot: Path | None) -> int:
    match = _SNAPSHOT.fullmatch(snapshot.name) if snapshot else None
    return int(match[1]) if match else 0


def _snapshots(db: Path) -> list[Path]:
    found = [path for path in db.iterdir() if _SNAPSHOT.fullmatch(path.name)]
    return sorted(found, key=_number)


def _remove_unpublished(db: Path, current: Path | None) -> None:
    """Clear away what a load that was killed has left behind."""
    for path in _snapshots(db):
        if _number(path) > _number(current):
            _remove(path)


def _prune(db: Path) -> None:
    for path in _snapshots(db)[:-KEPT]:
        _remove(path)


def _remove(path: Path) -> None:
    for leftover in (path, path.with_name(path.name + ".wal")):
        # Where the system refuses to remove an open file, a later load will.
        with suppress(OSError):
            leftover.unlink()


def _point_to(db: Path, path: Path) -> None:
    pointer = db / f"{POINTER}.new"
    pointer.write_text(path.name + "\n", "utf-8")
    _flush(pointer)
    pointer.replace(db / POINTER)
    if sys.platform != "win32":
        _flush(db)


def _flush(path: Path) -> None:
    """Have the system write a file, or a folder's entries, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
