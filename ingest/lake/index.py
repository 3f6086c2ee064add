"""Rows of a table straight from its files: by the numbers of the column that sorts them, or all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ingest.lake.groups import Places
from ingest.lake.publish import Lake, Snapshot


def rows_with(
    lake: Lake, snapshot: Snapshot, table: str, column: str, numbers: Places
) -> Iterator[pa.Table]:
    """Return the rows of a table whose ``column`` has one of some numbers, which are sorted.

    Of the files and row groups whose statistics may hold one only that column is read, and whole
    rows only where it does. Raises ``WarehouseError`` when the table cannot be read, and
    ``OSError`` for one of its files.
    """
    if not len(numbers):
        return
    for file in lake.files(snapshot, table):
        if may_hold(numbers, file.low[column], file.high[column]):
            with lake.storage.open_input(f"{table}/{file.path}") as opened:
                yield from _rows_of(pq.ParquetFile(opened), column, numbers)


def columns_of(
    lake: Lake, snapshot: Snapshot, table: str, columns: list[str]
) -> Iterator[pa.Table]:
    """Return some columns of all rows of a table, file by file. Raises as ``rows_with`` does."""
    for file in lake.files(snapshot, table):
        with lake.storage.open_input(f"{table}/{file.path}") as opened:
            yield pq.ParquetFile(opened).read(columns=columns)


def _rows_of(file: pq.ParquetFile, column: str, numbers: Places) -> Iterator[pa.Table]:
    place = file.schema_arrow.get_field_index(column)
    for group in range(file.num_row_groups):
        bounds = file.metadata.row_group(group).column(_leaf(file, place)).statistics
        if bounds and bounds.has_min_max and not may_hold(numbers, bounds.min, bounds.max):
            continue
        there = file.read_row_group(group, columns=[column])[column].to_numpy()
        nearest = np.minimum(np.searchsorted(numbers, there), len(numbers) - 1)
        is_wanted = numbers[nearest] == there
        if is_wanted.any():
            yield file.read_row_group(group).filter(pa.array(is_wanted))


def _leaf(file: pq.ParquetFile, place: int) -> int:
    """Return the number of a column among those with values, of which a nested one has many."""
    name = file.schema_arrow.names[place]
    paths = [file.schema.column(each).path for each in range(len(file.schema))]
    return paths.index(name)


def may_hold(numbers: Places, low: int, high: int) -> bool:
    """Return whether one of some numbers, which are sorted, lies in a range."""
    first = int(np.searchsorted(numbers, low))
    return first < len(numbers) and int(numbers[first]) <= high
