"""What is published in a warehouse, in a folder or in a lake."""

from pathlib import Path
from typing import Any

from tricklog.ingest.lake.storage import Storage
from tricklog.ingest.store.warehouse import checksum
from tricklog.ingest.warehouses import open_snapshot


def rows(db: Storage | Path | str, query: str, *values: object) -> list[tuple[Any, ...]]:
    """What a query finds."""
    with open_snapshot(str(db)) as connection:
        return connection.execute(query, values or None).fetchall()


def content(db: Storage | Path | str) -> str:
    """The checksum of all."""
    with open_snapshot(str(db)) as connection:
        return checksum(connection)


def where(db: Storage | Path | str) -> str | None:
    """Where the work on a lake is done, which of a folder is not said: in this process."""
    return "here" if isinstance(db, Storage) or str(db).startswith("lake:") else None
