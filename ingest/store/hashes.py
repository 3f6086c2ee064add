"""Hands by their content hashes, by which users write about them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from tricklog.ingest.sql import run

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

REFERENCE: Final = "~"
"""Begins what stands in an address that names nobody: the content hash in the place of the id."""
HASH: Final = "replace(content_hash::VARCHAR, '-', '')"
"""The content hash of a hand, as 32 hex digits."""


def hashes_of(tables: DuckDBPyConnection, ids: Sequence[str]) -> dict[str, str]:
    """Return the content hash of each hand by its id; ids that no hand has are left out.

    ``tables`` are those of a snapshot.
    """
    sql = f"SELECT hand_id, {HASH} AS hash FROM hands WHERE list_contains($ids::VARCHAR[], hand_id)"  # noqa: S608 - our own
    return dict(run(tables, sql, {"ids": list(ids)}).iter_rows())


def reference_of(tables: DuckDBPyConnection, hand: str) -> str:
    """Return what stands in an address for a hand where its id may name somebody.

    Raises ``KeyError`` where no hand has the id.
    """
    return f"{REFERENCE}{hashes_of(tables, [hand])[hand]}"


def ids_of(tables: DuckDBPyConnection, hashes: Collection[str]) -> dict[str, str]:
    """Return the id of each hand by its content hash; hashes that no hand has are left out."""
    sql = (
        f"SELECT {HASH} AS hash, hand_id FROM hands "  # noqa: S608 - names of our own
        "WHERE content_hash IN (SELECT TRY_CAST(unnest($hashes::VARCHAR[]) AS UUID))"
    )
    return dict(run(tables, sql, {"hashes": list(hashes)}).iter_rows())
