"""The roll-up of games in a large lake, so that its figures need not read every game.

``tricklog.ingest.metrics.rolls`` says what is rolled up. A lake has none until it is so large that
figures from tallies would take long; then tidying rolls up all that is there, and from that time on
every load what it adds. Games that a load continues count again, and what they said before is taken
away by rows with the signs turned round.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pyarrow as pa
from duckdb import DuckDBPyConnection

from tricklog.ingest.lake import reading, tables
from tricklog.ingest.lake.publish import Lake, Snapshot
from tricklog.ingest.lake.storage import Storage
from tricklog.ingest.lake.tables import File
from tricklog.ingest.metrics import rolls
from tricklog.ingest.metrics.rolls import REST, TABLE
from tricklog.ingest.store import database

WORTH_ROLLING: Final = 5_000_000
"""Hands from which on a lake is rolled up."""
TABLES: Final = (TABLE, REST)
PORTION: Final = 12_000
"""Rows of tallies that are rolled up at a time, about: they take some 400 MB."""
MEMORY_LIMIT: Final = "300MB"
_FACTS: Final = ("tallies", "game_facts")
"""What a roll-up is made of."""


def is_rolled(lake: Lake, snapshot: Snapshot | None) -> bool:
    """Return whether a lake has a roll-up."""
    return bool(snapshot and lake.files(snapshot, TABLE))


def is_due(lake: Lake, snapshot: Snapshot) -> bool:
    """Return whether a lake has none, and is so large that it should."""
    hands = sum(file.rows for file in lake.files(snapshot, "hands"))
    return hands >= WORTH_ROLLING and not is_rolled(lake, snapshot)


def of_bucket(
    facts: Path, lake: Lake, before: Snapshot, superseded: list[int], load: int, bucket: int
) -> list[File]:
    """Write what the games of a bucket add to the roll-up; return the files.

    ``facts`` are those of the bucket, ``superseded`` the numbers that its games had ``before`` as
    far as they were stored. Raises ``WarehouseError`` when what is stored cannot be read.
    """
    with database.connect(memory_limit=MEMORY_LIMIT) as connection:
        database.attach(connection, "facts", facts)
        if superseded:
            with reading.open_facts(lake, before) as stored:
                for table in _FACTS:
                    rows = stored.sql(_OLD.format(table=table), params=[superseded])
                    connection.register(f"old_{table}", rows.to_arrow_table())
        old = ("old_tallies", "old_game_facts") if superseded else None
        written: list[File] = []
        for now in _portions(connection, "facts.", ""):
            written += _written(connection, lake.storage, now, old, load, bucket)
            old = None
        return written


def of_lake(lake: Lake, snapshot: Snapshot, load: int) -> Iterator[File]:
    """Write the roll-up of all games of a snapshot, some at a time; give the files.

    Raises ``WarehouseError`` when the lake cannot be read.
    """
    firsts = sorted({file.low["game_no"] for file in lake.files(snapshot, "tallies") if file.rows})
    with reading.open_facts(lake, snapshot) as facts:
        for number, (first, behind) in enumerate(zip(firsts, [*firsts[1:], None], strict=True)):
            of_games = f"game_no >= {first}" + (f" AND game_no < {behind}" if behind else "")
            for now in _portions(facts, "", of_games):
                yield from _written(facts, lake.storage, now, None, load, number)


def _portions(connection: DuckDBPyConnection, of: str, condition: str) -> Iterator[tuple[str, str]]:
    """Give queries for the tallies and the facts of some games at a time, so that each fits in."""
    chosen = condition or "true"
    rows = f"{of}tallies WHERE {chosen}"
    for portion in tables.split(connection, rows, "game_no", PORTION):
        within = f"{chosen} AND {portion}"
        tallies, facts = (f"(FROM {of}{table} WHERE {within})" for table in _FACTS)
        yield tallies, facts


def _written(
    connection: DuckDBPyConnection,
    storage: Storage,
    now: tuple[str, str],
    old: tuple[str, str] | None,
    load: int,
    bucket: int,
) -> Iterator[File]:
    def cells() -> Iterator[pa.RecordBatch]:
        for rows in rolls.rows(connection, *now, before=old):
            yield from rows.to_batches()

    rest = connection.sql(rolls.rest(*now)).to_arrow_reader()
    for table, batches in ((REST, rest), (TABLE, cells())):
        added = tables.write(storage, table, batches, load, bucket)
        if added:
            yield added


_OLD: Final = "FROM {table} WHERE game_no IN (SELECT unnest($1::BIGINT[]))"
