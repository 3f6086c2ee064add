"""Facts of mixed games with a roll-up beside them, as a lake has it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import polars as pl
import pyarrow as pa
from duckdb import DuckDBPyConnection

from tests.kit.evening_logs import two_evenings
from tests.kit.log_lines import write_lines
from tricklog import ingest
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.facts.scope import open_scope_of
from tricklog.ingest.metrics import rolls
from tricklog.ingest.store.scopes import EVERYBODY
from tricklog.ingest.store.warehouse import current_snapshot
from tricklog.schemas.hand import Hand, encode_hand

Parts = tuple[str, str]
"""Tables, or queries in brackets, with tallies and with facts of games."""


def mixed_warehouse(folder: Path, hands: list[Hand] | None = None) -> Path:
    """A warehouse of two logs, the second of which goes on with games of the first.

    There are games over midnight, over the end of a month, among four and seven who play alone,
    with people who give way to others, with irregular hands, and hands without a game or a day.
    """
    lines = [encode_hand(hand) for hand in hands or []]
    lines += [msgspec.json.encode(record) for record in two_evenings()]
    write_lines(folder / "logs" / "one.jsonl", lines[::2])
    write_lines(folder / "logs" / "two.jsonl", lines[1::2])
    ingest.load(folder / "logs", db=folder / "db")
    return folder / "db"


def open_views(db: Path) -> DuckDBPyConnection:
    """Open the facts so that tables can be put beside them."""
    open_facts(db).close()
    snapshot = current_snapshot(db)
    assert snapshot is not None
    return open_scope_of(snapshot, EVERYBODY)


def roll_up(connection: DuckDBPyConnection, *added: Parts, before: Parts | None = None) -> None:
    """Add the roll-up of some games; ``before`` are those that the last of them replace."""
    for number, parts in enumerate(added):
        taken = before if number == len(added) - 1 else None
        for table in rolls.rows(connection, *parts, before=taken):
            _insert(connection, rolls.TABLE, table)
        rest = connection.sql(rolls.rest(*parts)).to_arrow_table()
        _insert(connection, rolls.REST, rest)


def merged(parts: pl.DataFrame) -> pl.DataFrame:
    """Rows of moments with each cell in one row, and none of zeros."""
    added = parts.group_by(rolls.KEYS).agg(pl.col(rolls.sums()).sum())
    return added.filter(pl.any_horizontal(pl.col(rolls.sums()) != 0)).sort(rolls.KEYS)


def _insert(connection: DuckDBPyConnection, table: str, rows: pa.Table) -> None:
    connection.register("arriving", rows)
    connection.execute(f"CREATE TABLE IF NOT EXISTS {table} AS FROM arriving LIMIT 0")
    connection.execute(f"INSERT INTO {table} BY NAME FROM arriving")
    connection.unregister("arriving")


@contextmanager
def without_roll_up(connection: DuckDBPyConnection) -> Iterator[None]:
    """Hide the roll-up, so that figures come of tallies."""
    hidden = ("moments", "moments_aside"), ("moments_aside", "moments")
    connection.execute("ALTER TABLE {} RENAME TO {}".format(*hidden[0]))
    try:
        yield
    finally:
        connection.execute("ALTER TABLE {} RENAME TO {}".format(*hidden[1]))
