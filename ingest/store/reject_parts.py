"""Where the lines of rejected records stand that take several lines: a table beside the rejects.

It is made when the first such record is stored, so that a warehouse without any, and one that was
made before there were any, do without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.reading.rejects import Part
from tricklog.ingest.sql import sql_text
from tricklog.ingest.store.database import has_table

TABLE: Final = "reject_parts"
MAKE: Final = sql_text("tricklog.ingest.store", "reject_parts.sql")


def write(connection: DuckDBPyConnection, parts: Mapping[str, Sequence[Part]]) -> None:
    """Write down where the lines of rejects stand, by the keys of the rejects."""
    if not parts:
        return
    connection.execute(MAKE)
    for key, of_reject in parts.items():
        told = [each._asdict() for each in of_reject]
        connection.execute(f"INSERT OR REPLACE INTO {TABLE} VALUES (?, ?)", [key, told])  # noqa: S608 - our own name


def read(connection: DuckDBPyConnection, keys: Iterable[str]) -> dict[str, tuple[Part, ...]]:
    """Return where the lines of rejects stand, as far as they take several lines."""
    if not has_table(connection, TABLE):
        return {}
    found = connection.execute(
        f"SELECT reject, parts FROM {TABLE} WHERE reject IN (SELECT unnest($1::VARCHAR[]))",  # noqa: S608 - our own name
        [list(keys)],
    ).fetchall()
    return {key: tuple(Part(**each) for each in parts) for key, parts in found}


def take_over(connection: DuckDBPyConnection, database: str) -> None:
    """Copy what an attached warehouse says of rejects that are stored here, too."""
    if not has_table(connection, TABLE, database):
        return
    connection.execute(MAKE)
    connection.execute(
        f"INSERT OR IGNORE INTO {TABLE} FROM {database}.{TABLE} SEMI JOIN rejects USING (reject)"
    )


def tidy(connection: DuckDBPyConnection) -> None:
    """Leave out what is said of rejects that are not stored any more."""
    if has_table(connection, TABLE):
        connection.execute(f"DELETE FROM {TABLE} WHERE reject NOT IN (SELECT reject FROM rejects)")  # noqa: S608 - our own name
