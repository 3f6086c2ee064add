"""What a damaged warehouse still gives a rebuild: the names of its logs, and what can be read.

Any file may be damaged, so nothing here depends on a single one: the logs stand in the seals and in
the snapshots, and hands that the newest snapshot does not give any more are looked for in older
ones.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

import duckdb
from duckdb import DuckDBPyConnection

from tricklog.ingest.store import database, long_texts, publishing, seals, warehouse
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.store.seals import Loaded
from tricklog.ingest.store.warehouse import WarehouseError, is_trouble, number_of
from tricklog.ingest.upkeep import rederive

Said = TypeVar("Said")
_SMALLEST: Final = 2_048
"""Rows that are given up together when one cannot be read: DuckDB reads so many at once."""
TAKEN: Final = ("hands", "seatings", "rulesets", "findings", "rejects", "long_texts")
"""Tables that a rebuild takes rows from."""


@dataclass(slots=True)
class Remains:
    """What is left of a warehouse."""

    stored: Path | None = None
    """A snapshot of what can be read: the newest one where it can be read whole."""
    checksum: str = ""
    """Of ``stored``, where it is a published snapshot."""
    unreadable: list[str] = field(default_factory=list)
    """Snapshots newer than that which cannot be read whole, the newest first."""
    hands: int = 0
    """Hands that the newest snapshot had, as far as anything says so."""
    loads: list[Loaded] = field(default_factory=list)
    """Loads that are known, in the order of loading."""
    knows_all_loads: bool = True
    """Whether these are all that the newest snapshot was made from."""


def remains_of(db: Path, scratch: Path) -> Remains:
    """Look for what can be read in the folder ``db``; what is put together goes to ``scratch``.

    The newest snapshot is the one that the pointer names or, when that is damaged or lost, the one
    with the highest number.

    Raises ``StorageError`` when the disk or the memory fails in reading what is not damaged.
    """
    remains = Remains()
    candidates = _candidates(db)
    for path in candidates:
        loads = _loads_of(path)
        if loads is not None:
            remains.loads, remains.hands = loads, sum(load.accepted for load in loads)
            break
        remains.knows_all_loads = False
    for path in candidates:
        remains.checksum = _asked(path, _checksum_of_whole, otherwise="")
        if remains.checksum:
            remains.stored = path
            break
        remains.unreadable.append(str(path))
    opened = [
        path
        for path in map(Path, remains.unreadable)
        if _asked(path, lambda _: True, otherwise=False)
    ]
    if opened:
        _put_together(opened, scratch, remains)
    return remains


def _candidates(db: Path) -> list[Path]:
    """Return the snapshots that there are, or were, the newest first."""
    if not db.is_dir():
        return []
    sealed = {path.with_suffix(".duckdb") for path in db.glob(f"games-*{seals.SUFFIX}")}
    known = {*warehouse.snapshots(db), *sealed}
    try:
        current = warehouse.current_snapshot(db)
    except WarehouseError:
        current = None
    if current:
        known = {path for path in known if number_of(path) < number_of(current)} | {current}
    return sorted(known, key=number_of, reverse=True)


def _loads_of(path: Path) -> list[Loaded] | None:
    """Return the loads of a snapshot as its seal has them or, without one, as it says itself."""
    with suppress(OSError):
        if seal := seals.read(path):
            return seal.loads
    return _asked(path, publishing.loads_in, otherwise=None)


def _checksum_of_whole(connection: DuckDBPyConnection) -> str:
    """Return the checksum of a snapshot all of which can be read, nothing where texts are lost."""
    for table in rederive.KEYS:
        connection.execute(f"SELECT max(hash(item)) FROM {table} AS item")  # noqa: S608 - names of our own
    return "" if any(long_texts.lost(connection)) else warehouse.checksum(connection)


def _asked(path: Path, ask: Callable[[DuckDBPyConnection], Said], *, otherwise: Said) -> Said:
    """Return what a snapshot says, or ``otherwise`` where it is damaged."""
    try:
        with closing(warehouse.open_file(path, once=True)) as connection:
            return ask(connection)
    except (WarehouseError, duckdb.Error) as error:
        _require_damage(path, error)
        return otherwise


def _require_damage(path: Path, error: WarehouseError | duckdb.Error) -> None:
    """Raise ``StorageError`` when a file cannot be read just now, and is not damaged."""
    cause = error.__cause__ if isinstance(error, WarehouseError) else error
    if cause and warehouse.fails_now(path, cause):
        raise StorageError(
            f"{path} could not be read: {warehouse.first_line(cause)}. Nothing was published, the "
            "warehouse is as it was. Check the disk and the memory that is free, then do the same "
            "again."
        ) from error


# --- Putting together


def _put_together(opened: list[Path], scratch: Path, remains: Remains) -> None:
    """Make a snapshot of what can be read of damaged ones, and of the whole one before them."""
    made = scratch / "remains.duckdb"
    publishing.put_empty(made)
    with database.connect(made, memory_limit=publishing.MEMORY_LIMIT) as connection:
        for path in opened:
            database.attach(connection, "damaged", path)
            connection.execute("ATTACH ':memory:' AS stored")
            for table in TAKEN:
                _copy_readable(connection, path, table)
            long_texts.leave_out_lost(connection, "stored.")
            _take(connection)
            connection.execute("DETACH stored; DETACH damaged")
        if remains.stored:
            database.attach(connection, "stored", remains.stored)
            _take(connection)
            connection.execute("DETACH stored")
    remains.stored, remains.checksum = made, ""


def _copy_readable(connection: DuckDBPyConnection, path: Path, table: str) -> None:
    """Copy the rows of ``damaged`` that can be read to ``stored``, in ever smaller pieces."""
    connection.execute(f"CREATE TABLE stored.{table} AS FROM {table} LIMIT 0")
    try:
        ((rows,),) = connection.execute(
            f"SELECT coalesce(max(rowid) + 1, 0) FROM damaged.{table}"  # noqa: S608 - names of our own
        ).fetchall()
    except duckdb.Error as error:
        _require_damage(path, error)
        return
    pieces = [(0, rows)]
    while pieces:
        first, end = pieces.pop()
        try:
            connection.execute(
                f"INSERT INTO stored.{table} BY NAME "  # noqa: S608 - names of our own
                f"SELECT * FROM damaged.{table} WHERE rowid >= $first AND rowid < $end",
                {"first": first, "end": end},
            )
        except duckdb.Error as error:
            if not is_trouble(error):
                raise
            _require_damage(path, error)
            if end - first > _SMALLEST:
                middle = (first + end) // 2
                pieces += [(middle, end), (first, middle)]


def _take(connection: DuckDBPyConnection) -> None:
    """Take over the hands and lines in quarantine of ``stored`` that are not there yet."""
    rederive.keep_hands(connection, _HANDS)
    connection.execute("INSERT INTO rejects BY NAME FROM stored.rejects ON CONFLICT DO NOTHING")
    long_texts.insert_used(connection, "stored")


_HANDS: Final = """
FROM stored.hands SEMI JOIN stored.seatings USING (seating_id) ANTI JOIN hands USING (hand_id)
"""
