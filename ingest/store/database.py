"""How every connection to DuckDB is opened."""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Final

import duckdb
from duckdb import DuckDBPyConnection

from tricklog.ingest.reading.interrupts import heard_at_work
from tricklog.ingest.reading.scratch import scratch_of_process

_NO_BAR: Final = "SET enable_progress_bar = false"
"""Where Python is used interactively DuckDB draws a bar of its own on standard output."""
UNPACKED: Final = "PRAGMA force_compression = 'uncompressed'"
"""What is written from then on is not packed, which takes a tenth less time and more room."""
READING_LIMIT: Final = "600MB"
"""What DuckDB may keep in memory of a file that is read."""
PASSING_LIMIT: Final = "160MB"
"""The same where each row is read once: 2,048 of the longest as text at a time, on each core."""
_SHUT_OFF: Final = "SET enable_external_access = false; SET lock_configuration = true"
_IS_LOCKED: Final = "SELECT current_setting('lock_configuration')::BOOLEAN"
_OPENING: Final = threading.Lock()
"""Connections of one process to one file share what is attached and what is set."""


def connect(path: Path | None = None, **settings: str) -> DuckDBPyConnection:
    """Open a database to work in: the file ``path``, or one in memory; raises ``duckdb.Error``."""
    connection = duckdb.connect(":memory:" if path is None else str(path), config={**settings})
    try:
        connection.execute(_NO_BAR)
    except duckdb.Error:
        # One that stays open would keep everybody else of this process from the file.
        connection.close()
        raise
    return connection


def open_shut_off(path: Path, *, once: bool = False, **attached: Path) -> DuckDBPyConnection:
    """Open a file read-only, with further files attached under the names given, and nothing more.

    SQL on the connection reaches no other file, no network, and no setting. Whoever else has the
    file open to read it, in this process or another, is not touched and does no harm. Whoever reads
    each row ``once`` is given less memory.

    Raises ``duckdb.Error`` for a file that cannot be read.
    """
    # All connections of a process to one name share their settings, and DuckDB refuses a connection
    # that wants others. With the prefix the name is ours alone.
    whole = path.absolute()
    name = f"duckdb:{whole.parent}/./{whole.name}" if once else f"duckdb:{whole}"
    limit = PASSING_LIMIT if once else READING_LIMIT
    limits = {"memory_limit": limit, "temp_directory": _spill_folder(name)}
    with _OPENING:
        connection = duckdb.connect(name, read_only=True, config={**limits})
        try:
            ((is_locked,),) = connection.execute(_IS_LOCKED).fetchall()
            if not is_locked:
                connection.execute(_NO_BAR)
                for alias, each in attached.items():
                    attach(connection, alias, each)
                connection.execute(_SHUT_OFF)
        except duckdb.Error:
            connection.close()
            raise
    return connection


def open_views(
    make: Callable[[DuckDBPyConnection], None],
    attached: Mapping[str, Path] | None = None,
    *,
    once: bool = False,
) -> DuckDBPyConnection:
    """Open a database in memory with files attached, read-only, and what ``make`` makes of them.

    Like a connection of ``open_shut_off`` it reaches nothing more, but for files that ``make``
    allows by their names. Raises ``duckdb.Error`` for a
    file that cannot be read, and what ``make`` raises.
    """
    name = f"views-{secrets.token_hex(8)}"
    limit = PASSING_LIMIT if once else READING_LIMIT
    connection = connect(memory_limit=limit, temp_directory=_spill_folder(name))
    try:
        for alias, each in (attached or {}).items():
            attach(connection, alias, each)
        make(connection)
        connection.execute(_SHUT_OFF)
    except BaseException:
        connection.close()
        raise
    return connection


def _spill_folder(name: str) -> str:
    """Return a folder of this process and this database alone, which DuckDB makes when it needs it.

    Two databases would overwrite each other's files; the folder of a warehouse may be read-only.
    Empty where there is no room for temporary files: DuckDB then makes do with the memory.
    """
    database = hashlib.blake2b(name.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
    try:
        return str(Path(scratch_of_process().name, database))
    except OSError:
        return ""


def literal(text: object) -> str:
    """Return a text, or what ``str`` makes of another value, as SQL has it."""
    return "'" + str(text).replace("'", "''") + "'"


def attach(
    connection: DuckDBPyConnection, name: str, path: Path, *, read_only: bool = True
) -> None:
    """Attach a file under a name. Raises ``duckdb.Error`` when it cannot be opened."""
    how = " (READ_ONLY)" if read_only else ""
    connection.execute(f"ATTACH {literal(path)} AS {name}{how}")


def has_table(connection: DuckDBPyConnection, table: str, of: str = "") -> bool:
    """Whether there is a table in the database in use, or in the attached one ``of``."""
    found = connection.execute(
        "SELECT 1 FROM duckdb_tables() WHERE table_name = $table AND schema_name = 'main' "
        "AND database_name = coalesce(nullif($of, ''), current_database())",
        {"table": table, "of": of},
    ).fetchall()
    return bool(found)


@contextmanager
def interruptible(connection: DuckDBPyConnection) -> Iterator[None]:
    """Let Ctrl-C end what the connection, but no cursor of it, does, as ``KeyboardInterrupt``."""
    try:
        with heard_at_work(connection.interrupt):
            yield
    except duckdb.InterruptException as error:
        raise KeyboardInterrupt from error


def is_held_here(error: duckdb.Error) -> bool:
    """Return whether a file cannot be opened as this process has it open for writing."""
    return isinstance(error, duckdb.ConnectionException | duckdb.ResourceInUseException)


def is_held_elsewhere(error: duckdb.Error) -> bool:
    """Return whether a file cannot be opened as another process has it open for writing."""
    return isinstance(error, duckdb.IOException) and "Could not set lock on file" in str(error)


# --- New files

_made: Final[dict[tuple[object, ...], bytes]] = {}
"""What is in a file without rows, half a megabyte at most, by its name and what makes its tables.
These, views and what is said of columns take some two hundred statements: once a process."""


def lay_out(
    path: Path,
    name: str,
    make: Callable[..., None],
    within: DuckDBPyConnection | None = None,
    **given: bool,
) -> None:
    """Write the new file ``path``, with the tables that ``make`` makes in the database ``name``.

    ``make`` is a function of a module; it finds the database attached and empty, and makes the same
    each time of what is ``given``. It is made in the connection ``within`` where one is open.
    Raises ``OSError`` or ``duckdb.Error`` when the file cannot be written.
    """
    key = (name, make, *given.items())
    if key in _made:
        path.write_bytes(_made[key])
        return
    with nullcontext(within) if within else connect() as connection:
        # It takes longer than what it could do for statements without rows.
        connection.execute("PRAGMA disable_optimizer")
        attach(connection, name, path, read_only=False)
        make(connection, **given)
        connection.execute(f"DETACH {name}")
        connection.execute("PRAGMA enable_optimizer")
    _made[key] = path.read_bytes()
