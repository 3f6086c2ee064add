"""A whole warehouse as files for other programs: tables, facts and views, in Parquet or CSV.

An export is one state of the warehouse. It is written beside its folder and takes its place when it
is complete, with ``export.json``, which says what every column means.
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.ingest.loading.storing import tricklog_version
from tricklog.ingest.metrics.tallies import about
from tricklog.ingest.sql import sql_text, table_names
from tricklog.ingest.store import database
from tricklog.ingest.store import warehouse as stored
from tricklog.ingest.store.columns import about_table
from tricklog.ingest.store.database import literal
from tricklog.ingest.store.disk import flush
from tricklog.ingest.store.warehouse import SCHEMA_VERSION, NoSnapshotError, checksum
from tricklog.ingest.warehouses import warehouse_at

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

    from tricklog.ingest.reading.progress import OnProgress

MANIFEST: Final = "export.json"
"""The file that says what is in an export."""
TABLES: Final = tuple(name for name in table_names() if name != "warehouse")
"""Everything that is stored, in the codes in which it is stored."""
READABLE: Final = "readable_hands"
"""Every hand in one row of words, which no file of a warehouse has."""
VIEWS: Final = (
    *(READABLE, "stored", "seats", "holdings", "calls", "call_facts", "plays", "tricks"),
    "captures",
)
"""The same hand by hand, with the names of cards."""
FACTS: Final = (
    *("seat_facts", "card_facts", "game_facts", "finding_facts", "study_facts", "decision_facts"),
    *("solved_hands", "judged_facts", "luck_facts", "hidden_hands"),
    *("par_facts", "par_hands", "par_sides", "ledger_rows", "session_names"),
)
"""What figures are counted from."""
MARKS: Final = ("hand_tags",)
"""What users have written about hands; exported only where it is asked for."""
GROUPS: Final = {"tables": TABLES, "views": VIEWS, "facts": FACTS, "marks": MARKS}
NAMES: Final = tuple(name for group in GROUPS.values() for name in group)
USUAL: Final = (*TABLES, READABLE, *FACTS)
"""What is exported where nothing is asked for."""
ALL: Final = "all"


class UnknownTableError(ValueError):
    """A table that cannot be exported; the sentence names the nearest."""


def chosen_tables(names: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the tables that names choose, in one order; without a name the usual ones.

    A name is that of a table, of a group, or ``all``. Raises ``UnknownTableError``.
    """
    known = {**GROUPS, ALL: NAMES, **{name: (name,) for name in NAMES}}
    wanted: set[str] = set()
    for name in names:
        if name not in known:
            raise UnknownTableError(
                f"There is no table {name!r}{did_you_mean(name, known)}. Known are "
                f"{', '.join(NAMES)}, and the groups {', '.join(GROUPS)} and {ALL}."
            )
        wanted |= {*known[name]}
    return tuple(name for name in NAMES if name in wanted) if wanted else USUAL


def place_of(name: str) -> str:
    """Return what stands after FROM for a table in a connection to facts."""
    if name == READABLE:
        return f"({sql_text('tricklog.ingest.store', 'readable_hands.sql')})"
    return name if name in (*FACTS, *MARKS) else f"games.{name}"


Format = Literal["parquet", "csv"]
_BATCH: Final = 100_000
"""Rows that are in memory at a time."""


class ExportError(Exception):
    """A folder that an export cannot be put into; the sentence says what to do."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    folder: Path
    rows: dict[str, int]
    """By table."""
    checksum: str
    """That of all that the warehouse says, as ``tricklog db verify`` prints it."""


def export(
    db: str | Path,
    to: str | Path,
    tables: Sequence[str] = (),
    format: Format = "parquet",  # noqa: A002 - what it is
    on_progress: OnProgress | None = None,
) -> Exported:
    """Write tables of the warehouse ``db`` into the folder ``to``, as one state of it.

    Args:
        db: the warehouse, or a lake.
        to: a folder that does not exist, is empty, or holds an earlier export, which is replaced.
        tables: names of tables or groups, see ``chosen_tables``; without one the usual ones.
        format: ``parquet``, or ``csv`` with lists as JSON.
        on_progress: hears how far facts are that have to be derived first.

    Raises ``UnknownTableError``, ``ExportError`` for a folder with something else in it,
    ``WarehouseError``, and ``OSError``; the folder is then as it was.
    """
    names = chosen_tables(tables)
    folder = Path(to)
    _require_free(folder)
    warehouse = warehouse_at(db)
    state = warehouse.current()
    if state is None:
        raise NoSnapshotError(f"Nothing has been loaded into {warehouse.name} yet.")
    folder.absolute().parent.mkdir(parents=True, exist_ok=True)
    draft = folder.absolute().with_name(f".{folder.absolute().name}-{secrets.token_hex(4)}")
    draft.mkdir()
    try:
        with warehouse.facts(state, on_progress) as facts:
            described = {name: _written(facts, name, draft, format) for name in names}
        with warehouse.tables(state) as tables_of_state:
            digest = checksum(tables_of_state)
        says = {
            "export": "tricklog/export/1",
            "tricklog": tricklog_version(),
            "schema_version": SCHEMA_VERSION,
            "format": format,
            "checksum": digest,
            "tables": described,
        }
        text = msgspec.json.format(msgspec.json.encode(says), indent=2)
        (draft / MANIFEST).write_bytes(text + b"\n")
        _put(draft, folder.absolute())
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return Exported(folder, {name: each["rows"] for name, each in described.items()}, digest)


def _require_free(folder: Path) -> None:
    if not folder.exists() or (folder / MANIFEST).is_file():
        return
    if not folder.is_dir():
        raise ExportError(f"{folder} is not a folder. Name another one.")
    if any(folder.iterdir()):
        raise ExportError(
            f"{folder} holds something that is no export. Name a new folder, or an empty one."
        )


def _written(facts: DuckDBPyConnection, name: str, folder: Path, format_: Format) -> dict[str, Any]:
    """Write a table, unless it is empty, and return what the manifest says of it."""
    place = place_of(name)
    described = facts.cursor().execute(f"DESCRIBE FROM {place}").fetchall()
    columns = [{"name": row[0], "type": row[1], "about": about(name, row[0])} for row in described]
    listed = (
        ["*"] if format_ == "parquet" else [_as_text(f'"{row[0]}"', row[1]) for row in described]
    )
    query = f"SELECT {', '.join(listed)} FROM {place}"  # noqa: S608 - names of our own
    reader = facts.cursor().sql(query).to_arrow_reader(_BATCH)
    path = folder / f"{name}.{format_}"
    rows = _write_csv(reader, path) if format_ == "csv" else _write_parquet(reader, path)
    if rows:
        flush(path)
    else:
        path.unlink()
    file = path.name if rows else None
    return {"file": file, "rows": rows, "about": about_table(name), "columns": columns}


def _as_text(name: str, kind: str) -> str:
    """Return a column as a table of text can have it: lists as JSON, bytes in base 64."""
    if kind.endswith("]") or kind.startswith("STRUCT"):
        return f"to_json({name})::VARCHAR AS {name}"
    if kind == "BLOB":
        return f"base64({name}) AS {name}"
    return f"{name}::VARCHAR AS {name}" if kind == "UUID" or kind.startswith("ENUM") else name


def _write_parquet(reader: pa.RecordBatchReader, path: Path) -> int:
    import pyarrow.parquet as pq

    rows = 0
    with pq.ParquetWriter(path, reader.schema, compression="zstd") as writer:
        for batch in reader:
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def _write_csv(reader: pa.RecordBatchReader, path: Path) -> int:
    """Write batches as CSV whose cells no spreadsheet takes for formulas."""
    import polars as pl
    import pyarrow as pa

    from tricklog.ingest.store.exports import as_csv

    rows = 0
    with path.open("wb") as file:
        for batch in reader:
            frame: Any = pl.from_arrow(pa.Table.from_batches([batch]))
            head, line_end, body = as_csv(frame).partition(b"\n")
            file.write(body if rows else head + line_end + body)
            rows += batch.num_rows
    return rows


def _put(draft: Path, folder: Path) -> None:
    """Put a complete export in its place; one that was there goes when the new one stands."""
    before = draft.with_name(f"{draft.name}-before")
    if folder.exists():
        folder.rename(before)
    try:
        draft.rename(folder)
    except OSError:
        with suppress(OSError):
            before.rename(folder)
        raise
    shutil.rmtree(before, ignore_errors=True)


def checksum_of_export(folder: str | Path) -> str:
    """Return the checksum of all that an export in Parquet says; that of its warehouse is equal.

    Raises ``duckdb.Error`` where a file of a table is missing or cannot be read, ``OSError`` for
    the manifest.
    """
    tables = json.loads((Path(folder) / MANIFEST).read_bytes())["tables"]
    with database.connect() as connection:
        for name in ("seatings", *stored.TABLES):
            rows = f"FROM read_parquet({literal(Path(folder) / f'{name}.parquet')})"
            if name in tables and tables[name]["file"] is None:
                columns = (
                    f'NULL::{each["type"]} AS "{each["name"]}"' for each in tables[name]["columns"]
                )
                rows = f"SELECT {', '.join(columns)} WHERE false"
            connection.execute(f"CREATE VIEW {name} AS {rows}")
        return checksum(connection)
