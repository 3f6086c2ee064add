"""Files of a warehouse in which a table is damaged."""

from pathlib import Path

import duckdb

from tricklog.ingest.store import seals
from tricklog.ingest.store.warehouse import current_snapshot

HEADERS = 3 * 4096
"""Bytes with which a DuckDB file begins before its blocks."""
BLOCK = 256 * 1024


def damage_table(file: Path, table: str) -> None:
    """Flip one bit in a block of a table of a DuckDB file, so that the table cannot be read."""
    with duckdb.connect(str(file), read_only=True) as connection:
        ((block, offset),) = connection.execute(
            "SELECT block_id, block_offset FROM pragma_storage_info($1) "
            "WHERE block_id >= 0 LIMIT 1",
            [table],
        ).fetchall()
    data = bytearray(file.read_bytes())
    data[HEADERS + block * BLOCK + offset] ^= 1
    file.write_bytes(data)


def reseal(db: Path) -> None:
    """Seal the current snapshot as it is now, as if it had been published so."""
    snapshot = current_snapshot(db)
    assert snapshot
    seal = seals.read(snapshot)
    assert seal
    seals.write(snapshot, snapshot.name, seals.seal_of(snapshot), seal.loads)
