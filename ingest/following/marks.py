"""How far each followed file was taken: marks, kept in the warehouse beside what they brought.

The table is made when logs are first followed, so that no warehouse has to be rebuilt for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.reading.forgotten import Forgotten
from tricklog.ingest.sql import sql_text
from tricklog.ingest.store.database import has_table

TABLE: Final = "followed"
KEPT: Final = timedelta(days=30)
"""How long the mark of a file is kept that nobody sees any more."""
MAKE: Final = sql_text("tricklog.ingest.following", "followed.sql")
_COLUMNS: Final = (
    *("device", "inode", "file", "head_bytes", "head", "byte", "line", "from_byte", "from_line"),
    *("keys", "is_whole", "taken_at"),
)


@dataclass(frozen=True, slots=True)
class Identity:
    """Which file it is on this machine, whatever it is called."""

    device: int
    inode: int


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a file was taken, and what it is known by."""

    identity: Identity
    file: str
    """What the log was called when it was first seen; its hands are stored under this name."""
    head_bytes: int
    head: str
    """Digest of its first ``head_bytes`` bytes."""
    byte: int
    line: int
    from_byte: int
    """Where lines begin that are read again, for records that are not complete; else ``byte``."""
    from_line: int
    keys: tuple[tuple[str, int], ...]
    """The keys of these records, and the byte at which each begins."""
    is_whole: bool
    taken_at: datetime
    """UTC, without saying so."""


def without_names(mark: Mark, forgotten: Forgotten) -> Mark:
    """Return a mark in which neither log nor records are called after somebody forgotten."""
    keys = tuple((forgotten.in_text(key), byte) for key, byte in mark.keys)
    return replace(mark, file=forgotten.in_text(mark.file), keys=keys)


def now() -> datetime:
    """Return the time as it is written into the table."""
    return datetime.now(UTC).replace(tzinfo=None)


def read(connection: DuckDBPyConnection, adapter: str | None) -> dict[Identity, Mark]:
    """Return the marks of all files that were read as logs of ``adapter``."""
    if not has_table(connection, TABLE):
        return {}
    found = connection.execute(
        f"SELECT {', '.join(_COLUMNS)} FROM {TABLE} WHERE adapter = ?",  # noqa: S608 - names of our own
        [adapter or ""],
    ).fetchall()
    marks = {}
    for row in found:
        told = dict(zip(_COLUMNS, row, strict=True))
        identity = Identity(told.pop("device"), told.pop("inode"))
        told["keys"] = tuple((each["key"], each["byte"]) for each in told["keys"])
        marks[identity] = Mark(identity, **told)
    return marks


def write(connection: DuckDBPyConnection, adapter: str | None, marks: Iterable[Mark]) -> None:
    """Put marks in the place of those of the same files, and forget those nobody sees any more."""
    connection.execute(MAKE)
    connection.execute(f"DELETE FROM {TABLE} WHERE taken_at < ?", [now() - KEPT])  # noqa: S608 - our own name
    for mark in marks:
        key = [adapter or "", mark.identity.device, mark.identity.inode]
        told = {name: getattr(mark, name) for name in _COLUMNS[2:]}
        told["keys"] = [{"key": record, "byte": byte} for record, byte in mark.keys]
        connection.execute(
            f"DELETE FROM {TABLE} WHERE adapter = ? AND device = ? AND inode = ?",  # noqa: S608 - our own name
            key,
        )
        values = [*key, *told.values()]
        places = ", ".join("?" * len(values))
        connection.execute(f"INSERT INTO {TABLE} VALUES ({places})", values)  # noqa: S608 - our own name


def latest(connection: DuckDBPyConnection, most: int) -> list[tuple[str, int, int, datetime]]:
    """Return how far files were taken, the latest first: file, lines, bytes, and when (UTC)."""
    if not has_table(connection, TABLE):
        return []
    return connection.execute(
        f"SELECT file, line - 1, byte, taken_at FROM {TABLE} "  # noqa: S608 - our own name
        "ORDER BY taken_at DESC, file LIMIT ?",
        [most],
    ).fetchall()
