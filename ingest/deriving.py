"""Deriving again: stored hands loaded anew, to see what the rules make of them now.

The hands are written to a log and loaded like any other log, into a warehouse of its own, so that
there is one way only in which facts come out of records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import duckdb
from duckdb import DuckDBPyConnection

from ingest import loading, publishing, warehouse
from ingest.progress import Watch
from ingest.warehouse import CONTENT, StoredHand
from schemas.hand import encode_hand

STORED_LOG: Final = "stored.jsonl"
KEYS: Final = {
    "imports": ("import_id",),
    "rulesets": ("ruleset",),
    "hands": ("id",),
    "games": ("game",),
    "players": ("player",),
    "findings": ("hand_id", "scope", "ordinal"),
    "rejects": ("reject",),
}
"""What identifies a row of each table."""
_BATCH: Final = 1_000


def write_log(hands: Iterable[StoredHand], path: Path) -> int:
    """Write stored hands as a hand log and return how many there are."""
    count = 0
    with path.open("wb") as log:
        for stored in hands:
            log.write(encode_hand(stored.hand) + b"\n")
            count += 1
    return count


def derive(hands: Iterable[StoredHand], folder: Path, watch: Watch | None = None) -> Path:
    """Load stored hands into a warehouse of their own below ``folder`` and return its snapshot.

    Where each row came from is ``STORED_LOG`` in ``folder``. A hand that cannot be loaded any more
    is in the rejects.
    """
    log = folder / STORED_LOG
    write_log(hands, log)
    return load_apart(folder / "derived", log, watch=watch)


def load_apart(db: Path, *paths: Path | str, watch: Watch | None = None) -> Path:
    """Load logs into a warehouse that nobody else knows, and return its snapshot."""
    report = loading.load(*paths, db=db, watch=watch)
    if report.snapshot is None:
        with publishing.writing(db, wait=0), publishing.draft(db):
            pass
    snapshot = warehouse.current_snapshot(db)
    assert snapshot
    return snapshot


def attach(connection: DuckDBPyConnection, **snapshots: Path) -> None:
    """Attach snapshots, read-only, under the names given."""
    for name, path in snapshots.items():
        quoted = str(path).replace("'", "''")
        connection.execute(f"ATTACH '{quoted}' AS {name} (READ_ONLY)")


def side_by_side(stored: Path, derived: Path) -> DuckDBPyConnection:
    """Open two snapshots in one connection, as ``stored`` and ``derived``."""
    connection = duckdb.connect(config={"memory_limit": publishing.MEMORY_LIMIT})
    attach(connection, stored=stored, derived=derived)
    return connection


def differing(
    connection: DuckDBPyConnection, table: str, among: str = "true"
) -> Iterator[tuple[tuple[Any, ...], bool, bool]]:
    """Return the rows of a table that two attached snapshots do not have alike.

    Each is its key, and whether ``stored`` and ``derived`` have a row with it. ``among`` is a
    condition that chooses rows of ``stored``.
    """
    key = ", ".join(KEYS[table])
    digests = (
        f"SELECT {key}, md5_number(to_json(item)::VARCHAR) AS digest "  # noqa: S608 - names of our own
        f"FROM (SELECT {CONTENT[table]} FROM {{}}.{table} WHERE {{}}) AS item"
    )
    rows = connection.cursor().execute(
        f"SELECT {key}, old.digest IS NOT NULL, new.digest IS NOT NULL "  # noqa: S608 - names of our own
        f"FROM ({digests.format('stored', among)}) AS old "
        f"FULL JOIN ({digests.format('derived', 'true')}) AS new USING ({key}) "
        f"WHERE old.digest IS DISTINCT FROM new.digest ORDER BY {key}"
    )
    while batch := rows.fetchmany(_BATCH):
        for row in batch:
            yield row[:-2], row[-2], row[-1]


def rows_of(
    connection: DuckDBPyConnection, table: str, column: str, values: Sequence[Any]
) -> list[dict[str, Any]]:
    """Return the rows of a table in which a column has one of ``values``, by column name."""
    found = connection.cursor().execute(
        f"FROM {table} WHERE list_contains($1, {column}) ORDER BY ALL",
        [list(values)],
    )
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]
