"""New files with the tables of Tricklog and no rows.

Tables, views and what is said of their columns take some two hundred statements. A process makes a
file of each kind once, and copies it from then on.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.store import database

_made: Final[dict[tuple[str, Callable[[DuckDBPyConnection], None]], bytes]] = {}
"""What is in such a file, half a megabyte at most, by its name and what makes its tables."""


def lay_out(
    path: Path,
    name: str,
    make: Callable[[DuckDBPyConnection], None],
    within: DuckDBPyConnection | None = None,
) -> None:
    """Write the new file ``path``, with the tables that ``make`` makes in the database ``name``.

    ``make`` is a function of a module; it finds the database attached and empty, and makes the same
    each time. It is made in the connection ``within`` where one is open. Raises ``OSError`` or
    ``duckdb.Error`` when the file cannot be written.
    """
    known = _made.get((name, make))
    if known is not None:
        path.write_bytes(known)
        return
    with nullcontext(within) if within else database.connect() as connection:
        # It takes longer than what it could do for statements without rows.
        connection.execute("PRAGMA disable_optimizer")
        database.attach(connection, name, path, read_only=False)
        make(connection)
        connection.execute(f"DETACH {name}")
        connection.execute("PRAGMA enable_optimizer")
    _made[name, make] = path.read_bytes()
