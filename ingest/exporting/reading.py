"""An export read back: whether it says what the warehouse says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from ingest.exporting.contents import MANIFEST
from ingest.store.database import connect
from ingest.store.warehouse import checksum

_READ: Final = ("hands", "seatings", "rulesets", "games", "players", "findings", "rejects")
"""Tables that the checksum of a warehouse is made of."""


def checksum_of_export(folder: str | Path) -> str:
    """Return the checksum of all that an export in Parquet says; that of its warehouse is equal.

    Raises ``duckdb.Error`` where a file of a table is missing or cannot be read, ``OSError`` for
    the manifest.
    """
    tables = json.loads((Path(folder) / MANIFEST).read_bytes())["tables"]
    with connect() as connection:
        for name in _READ:
            path = str(Path(folder) / f"{name}.parquet").replace("'", "''")
            rows = f"FROM read_parquet('{path}')"
            if name in tables and tables[name]["file"] is None:
                columns = (
                    f'NULL::{each["type"]} AS "{each["name"]}"' for each in tables[name]["columns"]
                )
                rows = f"SELECT {', '.join(columns)} WHERE false"
            connection.execute(f"CREATE VIEW {name} AS {rows}")
        return checksum(connection)
