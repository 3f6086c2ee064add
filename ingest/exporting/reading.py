"""An export read back: whether it says what the warehouse says."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ingest.store.database import connect
from ingest.store.warehouse import checksum

_READ: Final = ("hands", "seatings", "rulesets", "games", "players", "findings", "rejects")
"""Tables that the checksum of a warehouse is made of."""


def checksum_of_export(folder: str | Path) -> str:
    """Return the checksum of all that an export in Parquet says; that of its warehouse is equal.

    Raises ``duckdb.Error`` where a file is missing or cannot be read.
    """
    with connect() as connection:
        for name in _READ:
            path = str(Path(folder) / f"{name}.parquet").replace("'", "''")
            connection.execute(f"CREATE VIEW {name} AS FROM read_parquet('{path}')")
        return checksum(connection)
