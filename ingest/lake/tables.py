"""The tables of a lake: which there are, what they hold, and how their files are written.

They are those of ``ingest/store/warehouse.sql`` and ``ingest/facts/tables.sql``. What Delta lacks
is put otherwise: numbers without a sign are wider ones with a sign, those of 64 bits (``layout``,
``session``) the signed ones of the same bits, enums are texts, a UUID is its 16 bytes, and times
say that they are UTC. What follows from other columns is left out and made again
by ``tricklog.ingest.lake.reading``.
"""

from __future__ import annotations

import itertools
import json
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tricklog.ingest.facts import build
from tricklog.ingest.sql import sql_text
from tricklog.ingest.store import database, publishing
from tricklog.ingest.store.warehouse import SCHEMA_VERSION

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from tricklog.ingest.lake.storage import Storage

# --- Layouts

_ROW_GROUP: Final = 122_880


@dataclass(frozen=True, slots=True)
class Layout:
    """How the files of a table are written."""

    sorted_by: tuple[str, ...]
    """Columns by which the rows of a file are sorted; the first also splits an export."""
    statistics: tuple[str, ...] = ()
    """Columns of which the lowest and the highest value of a file are known before it is read."""
    row_group: int = _ROW_GROUP
    """Rows of a row group, at most."""
    deltas: tuple[str, ...] = ()
    """Columns of numbers that are stored as what they differ from the one before."""
    extra: dict[str, str] = field(default_factory=dict)
    """Columns that the tables of a warehouse lack, and their SQL types."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Columns that a reader makes again, and the SQL that does."""


SOLVER: Final = "solver"
"""The column of tables of solved hands that says by which version they were made."""


def _of_solved(*within: str, row_group: int = _ROW_GROUP) -> Layout:
    """Return the layout of a table of solved hands, sorted by hand and ``within`` it."""
    order, by_solver = ("hand_no", *within), {SOLVER: "VARCHAR"}
    return Layout(order, ("hand_no", SOLVER), row_group, deltas=("hand_no",), extra=by_solver)


LAYOUTS: Final = {
    "hands": Layout(
        ("hand_no",),
        ("hand_no", "import_id", "day"),
        row_group=20_480,
        deltas=("hand_no", "line", "started_at"),
    ),
    "ids": Layout(
        ("id_hash",),
        ("id_hash",),
        row_group=65_536,
        deltas=("id_hash", "hand_no"),
        extra={"id_hash": "UBIGINT", "content": "BLOB", "hand_no": "BIGINT"},
    ),
    "seatings": Layout(
        ("seating_id",),
        ("seating_id",),
        deltas=("seating_id",),
        extra={
            "hands": "INTEGER",
            "latest": 'STRUCT("at" TIMESTAMP, id VARCHAR)',
        },
    ),
    "rulesets": Layout(("ruleset",)),
    "findings": Layout(
        ("hand_no", "scope", "ordinal"),
        ("hand_no", "game_no"),
        deltas=("hand_no", "game_no"),
        extra={"hand_no": "BIGINT", "game_no": "BIGINT"},
    ),
    "games": Layout(
        ("game_hash",),
        ("game_hash", "game_no", "first_day", "last_day"),
        row_group=16_384,
        deltas=("game_hash", "game_no"),
        extra={"game_hash": "UBIGINT", "hand_nos": "BIGINT[]"},
    ),
    "rejects": Layout(("reject",), ("import_id",), row_group=8_192),
    "imports": Layout(("import_id",), ("import_id",)),
    "long_texts": Layout(("text_hash", "piece"), row_group=2_048),
    "chairs": Layout(("chair",), ("chair", "seating_id"), deltas=("chair", "seating_id")),
    "seat_rows": Layout(
        ("game_no", "hand_no", "seat"),
        ("game_no", "hand_no", "chair", "day"),
        row_group=245_760,
        deltas=("game_no", "hand_no"),
        left_out={"first_of_hand": "seat = 0"},
    ),
    "card_rows": Layout(
        ("game_no", "hand_no", "seat"),
        ("game_no", "hand_no", "chair", "day"),
        row_group=245_760,
        deltas=("game_no", "hand_no"),
        left_out={"kept": "won_by <> 'opponents'"},
    ),
    "game_facts": Layout(("game_no", "seat"), ("game_no", "day"), deltas=("game_no",)),
    "finding_facts": Layout(
        ("game_no", "hand_no"), ("game_no", "hand_no", "day"), deltas=("game_no", "hand_no")
    ),
    "tallies": Layout(("game_no", "seat"), ("game_no", "day"), deltas=("game_no",)),
    "sessions": Layout(("day", "session"), ("day", "session")),
    "solved_hands": _of_solved(),
    "decision_rows": _of_solved("action", row_group=245_760),
    "hidden_hands": _of_solved(),
    "hidden_rows": _of_solved("action"),
    "par_hands": _of_solved(),
    "par_sides": _of_solved("side_no"),
    "ledger_rows": _of_solved("part", "seat"),
    "ledger_seats": _of_solved("seat"),
    "superseded": Layout(
        ("game_no",),
        ("game_no", "load"),
        deltas=("game_no",),
        extra={"game_no": "BIGINT", "load": "INTEGER"},
    ),
}
"""All tables but ``snapshots``: ``tricklog.ingest.lake.publish`` says of them what is published."""
BY_GAME: Final = (
    "games", "findings", "seat_rows", "card_rows", "game_facts", "finding_facts", "tallies",
)  # fmt: skip
"""Tables of which the rows of superseded games do not count."""


# --- Files

MEMORY_LIMIT: Final = "200MB"
"""What DuckDB may take for an export."""
BATCH: Final = 20_480
"""Rows that are taken out of DuckDB at a time."""
LOAD_BITS: Final = 40
"""A hand that a load brings has a number from ``load << LOAD_BITS`` on."""
BUCKET_BITS: Final = 28
"""A hand of a bucket has a number from ``load << LOAD_BITS | bucket << BUCKET_BITS`` on."""
_LEVEL: Final = 3
"""Of zstd."""


@dataclass(frozen=True, slots=True)
class File:
    """A file of a table, which is complete; nobody sees it until it is published."""

    table: str
    path: str
    """Below the folder of the table."""
    size: int
    """In bytes."""
    rows: int
    low: Mapping[str, Any]
    """The least value of each column that has statistics."""
    high: Mapping[str, Any]
    """The greatest value of each."""
    nulls: Mapping[str, int] = field(default_factory=dict)
    """How many rows have no value, where that is known."""

    @property
    def name(self) -> str:
        """Its name below the root of the lake."""
        return f"{self.table}/{self.path}"

    @property
    def stats(self) -> str:
        """What is known of its rows, in the JSON of Delta."""
        told = {
            "numRecords": self.rows,
            "minValues": self.low,
            "maxValues": self.high,
            "nullCount": self.nulls,
        }
        return json.dumps(told, default=date.isoformat)


_WIDER: Final = {
    "UTINYINT": "SMALLINT",
    "USMALLINT": "INTEGER",
    "UINTEGER": "BIGINT",
    "UBIGINT": "BIGINT",
    "UUID": "BLOB",
}
"""What stands for the types that Delta lacks."""
_TYPES: Final = re.compile(rf"\b({'|'.join(_WIDER)})\b")
_ENUM: Final = re.compile(r"ENUM\([^)]*\)")
_GLOBAL: Final = ("seating_id", "chair")
"""Columns of which the numbers of a draft are small, and those of a lake are not."""


def first_number(load: int, bucket: int) -> int:
    """Return the number from which on the hands of a bucket of a load are numbered."""
    return load << LOAD_BITS | bucket << BUCKET_BITS


# --- Columns


@cache
def tables_of_this_version() -> str:
    """Return what changes with the tables, and with what is stored of figures in them."""
    return f"{SCHEMA_VERSION} {build.definition()}"


def former_names(made_by: str) -> Mapping[str, Mapping[str, str]]:
    """Return by table what columns are called that have another name now.

    ``made_by``: ``tables_of_this_version`` of the program that wrote the files. That of the version
    before is read, so that a lake can be made again from what it stores.
    """
    is_before = made_by.partition(" ")[0] == str(SCHEMA_VERSION - 1)
    return _FORMER if is_before else {}


_FORMER: Final = {"hands": {"hand_id": "id"}}


def columns_of(table: str) -> dict[str, str]:
    """Return the columns of a table's files in order, with the SQL types that readers get.

    Those of the warehouse, but that numbers of seatings and chairs have 64 bits.
    """
    layout = LAYOUTS[table]
    stored = {
        name: "BIGINT" if name in _GLOBAL else kind
        for name, kind in of_warehouse().get(table, {}).items()
        if name not in layout.left_out
    }
    return stored | layout.extra


def schema_of(table: str) -> pa.Schema:
    """Return the columns of the files of a table, in Arrow. Raises ``KeyError`` for no table."""
    return _schemas()[table]


@cache
def _schemas() -> dict[str, pa.Schema]:
    schemas = {}
    with database.connect() as connection:
        for table in LAYOUTS:
            empty = ", ".join(
                f'NULL::{stored_type(kind)} AS "{name}"' for name, kind in columns_of(table).items()
            )
            found = connection.sql(f"SELECT {empty} LIMIT 0").to_arrow_table().schema
            schemas[table] = pa.schema([(each.name, _arrow(each.type)) for each in found])
    return schemas


def stored_type(kind: str) -> str:
    """Return the SQL type in which a lake stores values of an SQL type."""
    return _TYPES.sub(lambda found: _WIDER[found[0]], _ENUM.sub("VARCHAR", kind))


def stored_value(expression: str, kind: str) -> str:
    """Return the SQL that puts a value of an SQL type as a lake stores it."""
    stored = stored_type(kind)
    if kind == "UBIGINT":
        return (
            f"CASE WHEN {expression} < {_HALF} THEN ({expression})::BIGINT "
            f"ELSE ({expression} - {_HALF})::BIGINT - {_MOST} - 1 END"
        )
    return expression if stored == kind else f"({expression})::{stored}"


def unsigned(column: str) -> str:
    """Return the SQL that gives a number of 64 bits back its meaning as one without a sign."""
    return (
        f"CASE WHEN {column} >= 0 THEN {column}::UBIGINT "
        f"ELSE ({column} & {_MOST})::UBIGINT + {_HALF} END"
    )


def signed_hash(text: str) -> str:
    """Return the SQL for the hash of a text by which ``ids`` and ``games`` find their rows."""
    return stored_value(f"md5_number_lower({text})", "UBIGINT")


_MOST: Final = 2**63 - 1
_HALF: Final = f"{2**63}::UBIGINT"


@cache
def of_warehouse() -> dict[str, dict[str, str]]:
    """Return by table the columns of a warehouse and its facts in order, with their SQL types."""
    with database.connect() as connection:
        connection.execute("PRAGMA disable_optimizer")
        connection.execute("ATTACH ':memory:' AS facts; ATTACH ':memory:' AS games; USE games")
        publishing.create_tables(connection)
        connection.execute("USE memory")
        build.make_tables(connection, tallied=True)
        tables: dict[str, dict[str, str]] = {}
        for table, name, kind in connection.execute(_COLUMNS).fetchall():
            tables.setdefault(table, {})[name] = kind
    return tables


_COLUMNS: Final = """
SELECT table_name, column_name, data_type
FROM duckdb_columns()
WHERE database_name IN ('games', 'facts') AND schema_name = 'main' AND NOT internal
ORDER BY database_name, table_name, column_index
"""


def _arrow(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_list(kind):
        return pa.list_(pa.field("element", _arrow(kind.value_type)))
    if pa.types.is_struct(kind):
        return pa.struct([(each.name, _arrow(each.type)) for each in kind])
    return pa.timestamp("us", "UTC") if pa.types.is_timestamp(kind) else kind


# --- Writing files


def write(
    storage: Storage,
    table: str,
    rows: pa.Table | Iterable[pa.RecordBatch],
    load: int,
    bucket: int,
) -> File | None:
    """Write rows as a new file of a table, in bounded memory; ``None`` where there are none.

    ``rows`` are in the order of its layout, in types that can be cast to those of ``schema_of``.
    ``load`` and ``bucket`` say no more than who wrote a file: two attempts of one task write two.
    """
    layout = LAYOUTS[table]
    schema = schema_of(table)
    path = f"{load:06d}-{bucket:04d}-{secrets.token_hex(8)}.parquet"
    batches = rows.to_batches() if isinstance(rows, pa.Table) else rows
    stream = Stream(batch.select(schema.names).cast(schema) for batch in batches)
    group = [*stream.take(layout.row_group)]
    if not group:
        return None
    told: list[pq.FileMetaData] = []
    with storage.open_output(f"{table}/{path}") as sink:
        options = _options(table)
        with pq.ParquetWriter(sink, schema, metadata_collector=told, **options) as writer:
            # A row group without rows would shift the numbers of those behind it.
            while group:
                writer.write_table(pa.Table.from_batches(group), row_group_size=layout.row_group)
                group = [*stream.take(layout.row_group)]
        size = sink.tell()
    return File(table, path, size, told[0].num_rows, *_bounds(told[0], layout.statistics))


def _options(table: str) -> dict[str, Any]:
    layout = LAYOUTS[table]
    return {
        "compression": "zstd",
        "compression_level": _LEVEL,
        # Nobody passes over rows by what other columns have.
        "write_statistics": list(layout.statistics) or False,
        "use_dictionary": [name for name in _leaves(schema_of(table)) if name not in layout.deltas],
        "column_encoding": dict.fromkeys(layout.deltas, "DELTA_BINARY_PACKED"),
        # A page of each column of a row group, as far as a page may be so large: many small ones
        # take twice the room.
        "max_rows_per_page": layout.row_group,
        "write_page_checksum": True,
    }


def _leaves(schema: pa.Schema) -> list[str]:

    def below(path: str, kind: pa.DataType) -> Iterator[str]:
        if pa.types.is_list(kind):
            yield from below(f"{path}.list.element", kind.value_type)
        elif pa.types.is_struct(kind):
            for each in kind:
                yield from below(f"{path}.{each.name}", each.type)
        else:
            yield path

    return [path for each in schema for path in below(each.name, each.type)]


class Stream:
    """Rows of which so many at a time are taken."""

    def __init__(self, batches: Iterable[pa.RecordBatch]) -> None:
        self._batches = iter(batches)

    def take(self, count: int) -> Iterator[pa.RecordBatch]:
        """Give the next ``count`` rows, as far as there are any; no batch is empty."""
        for batch in self._batches:
            if len(batch) > count:
                self._batches = itertools.chain([batch.slice(count)], self._batches)
                yield batch.slice(0, count)
                return
            if len(batch):
                yield batch
            count -= len(batch)
            if not count:
                return


def _bounds(
    file: pq.FileMetaData, columns: Iterable[str]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, int]]:
    """Return what a file says of some columns: their least and greatest values, and the nulls."""
    places = {file.schema.column(place).path: place for place in range(file.num_columns)}
    groups = [file.row_group(number) for number in range(file.num_row_groups)]
    low, high, nulls = {}, {}, {}
    for name in columns:
        found = [group.column(places[name]).statistics for group in groups]
        nulls[name] = sum(each.null_count for each in found)
        if bounds := [each for each in found if each.has_min_max]:
            low[name] = min(each.min for each in bounds)
            high[name] = max(each.max for each in bounds)
    return low, high, nulls


# --- Exporting a bucket


def export(
    draft: Path,
    storage: Storage,
    load: int,
    bucket: int,
    import_id: int | None = None,
) -> list[File]:
    """Write the new rows of a draft, and what figures are made of, as files of a lake.

    There is one a table at most, and the facts are left beside the draft.

    Args:
        draft: file with the tables of ``ingest/store/warehouse.sql``, which nobody has open. The
            numbers of its hands and games are those of the lake. Hands of other imports are there
            for the sake of their games: all is written of them but themselves.
        storage: the lake.
        load: number of the load, under which its hands and rejects are stored.
        bucket: which of its buckets this is.
        import_id: the import of the draft whose hands are new; by default all that it has are,
            which then keep their imports.
    """
    settings = {
        "memory_limit": MEMORY_LIMIT,
        "threads": "1",
        "temp_directory": build.spill_folder(draft),
    }
    numbers = {"load": load, "base": first_number(load, bucket), "import": import_id}
    added, facts = [], draft.with_name("facts.duckdb")
    with database.connect(None, **settings) as connection:
        for name, number in numbers.items():
            connection.execute(f"SET VARIABLE {name} = $1", [number])
        database.attach(connection, "games", draft)
        sat = sql_text("tricklog.ingest.lake", "sat.sql")
        views = sql_text("tricklog.ingest.lake", "export.sql").replace("JOIN $sat", f"JOIN ({sat})")
        connection.execute(views)
        if connection.execute("SELECT count(*) FROM games.hands").fetchall() != [(0,)]:
            build.derive(draft, facts, tallied=True, passing=True)
            database.attach(connection, "facts", facts)
            connection.execute(sql_text("tricklog.ingest.lake", "export_facts.sql"))
        for (table,) in connection.execute(_EXPORTED).fetchall():
            file = write(storage, table, batches(connection, table), load, bucket)
            pa.default_memory_pool().release_unused()
            added += [] if file is None else [file]
    shutil.rmtree(build.spill_folder(draft), ignore_errors=True)
    return added


def batches(
    connection: DuckDBPyConnection,
    table: str,
    where: str = "",
    params: Mapping[str, object] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Return the rows of a view as a table stores them, in its order; or those of a condition.

    What is large is sorted a row group at a time, and has no condition.
    """
    layout = LAYOUTS[table]
    quoted = {f'"{name}"': kind for name, kind in columns_of(table).items()}
    columns = ", ".join(f"{stored_value(each, kind)} AS {each}" for each, kind in quoted.items())
    parts = [where]
    if table in _LARGE:
        column = layout.sorted_by[0]
        parts = [f" WHERE {each}" for each in split(connection, table, column, layout.row_group)]
    order = ", ".join(f'"{name}"' for name in layout.sorted_by)
    for part in parts:
        yield from connection.sql(
            f"SELECT {columns} FROM {table}{part} ORDER BY {order}",  # noqa: S608 - names of our own
            params=params,
        ).to_arrow_reader(BATCH)


def split(connection: DuckDBPyConnection, rows: str, column: str, size: int) -> list[str]:
    """Return conditions that split rows by a column of theirs, each with about so many rows."""
    found = connection.execute(
        f"SELECT {column} AS value, count(*) AS rows FROM {rows} GROUP BY value ORDER BY value"  # noqa: S608 - names of our own
    ).fetchnumpy()
    part = (np.cumsum(found["rows"]) - found["rows"]) // size
    starts = found["value"][np.flatnonzero(np.diff(part, prepend=-1))].tolist()
    return [
        f"{column} >= {start}" + (f" AND {column} < {behind}" if behind else "")
        for start, behind in itertools.zip_longest(starts, starts[1:])
    ]


_EXPORTED: Final = """
SELECT view_name
FROM duckdb_views()
WHERE database_name = 'memory' AND schema_name = 'main' AND NOT internal
ORDER BY view_name
"""
_LARGE: Final = ("hands", "seat_rows", "card_rows", "tallies", "decision_rows")
"""Tables that are sorted a part at a time: by a number that spreads over them."""
