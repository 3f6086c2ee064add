"""One table as a Parquet or CSV file, a batch of rows at a time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ingest.exporting.contents import Source

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

BATCH: Final = 100_000
"""Rows that are in memory at a time."""


def write_table(
    facts: DuckDBPyConnection,
    source: Source,
    columns: Sequence[dict[str, str]],
    path: Path,
    format_: str,
) -> int:
    """Write a table to ``path`` and flush it; return how many rows it has. Raises ``OSError``."""
    select = _plain(columns) if format_ == "csv" else "*"
    query = f"SELECT {select} FROM {source.place}"  # noqa: S608 - names of our own
    reader = facts.cursor().sql(query).to_arrow_reader(BATCH)
    rows = _write_csv(reader, path) if format_ == "csv" else _write_parquet(reader, path)
    with path.open("rb+") as file:
        os.fsync(file.fileno())
    return rows


def _plain(columns: Sequence[dict[str, str]]) -> str:
    """Return the columns as a table of text can have them: lists as JSON, bytes in base 64."""
    return ", ".join(_as_text(f'"{each["name"]}"', each["type"]) for each in columns)


def _as_text(name: str, kind: str) -> str:
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

    from ingest.store.exports import as_csv

    rows = 0
    with path.open("wb") as file:
        head: Any = pl.from_arrow(pa.Table.from_batches([], reader.schema))
        file.write(as_csv(head))
        for batch in reader:
            frame: Any = pl.from_arrow(pa.Table.from_batches([batch]))
            file.write(as_csv(frame).partition(b"\n")[2])
            rows += batch.num_rows
    return rows
