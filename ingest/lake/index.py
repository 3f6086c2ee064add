"""Rows of a table straight from its files: by the numbers of the column that sorts them, or all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from tricklog.ingest.lake.groups import Places
from tricklog.ingest.lake.publish import Lake, Snapshot

Chosen = npt.NDArray[np.bool_]


def rows_with(
    lake: Lake, snapshot: Snapshot, table: str, column: str, numbers: Places
) -> Iterator[pa.Table]:
    """Return the rows of a table whose ``column`` has one of some numbers, which are sorted.

    Of the files and row groups whose statistics may hold one only that column is read, and whole
    rows only where it does. Rows of superseded games are among them. Raises ``WarehouseError`` when
    the table cannot be read, and ``OSError`` for one of its files.
    """

    def chosen(there: Places) -> Chosen:
        nearest = np.minimum(np.searchsorted(numbers, there), len(numbers) - 1)
        found: Chosen = numbers[nearest] == there
        return found

    if len(numbers):
        yield from _rows(lake, snapshot, table, column, partial(may_hold, numbers), chosen)


def rows_between(
    lake: Lake, snapshot: Snapshot, table: str, column: str, least: int, most: int
) -> Iterator[pa.Table]:
    """Return those whose ``column`` is in a range, both ends included; see ``rows_with``."""

    def may_reach(low: int, high: int) -> bool:
        return low <= most and high >= least

    def chosen(there: Places) -> Chosen:
        return (there >= least) & (there <= most)

    yield from _rows(lake, snapshot, table, column, may_reach, chosen)


def _rows(
    lake: Lake,
    snapshot: Snapshot,
    table: str,
    column: str,
    may_reach: Callable[[int, int], bool],
    chosen: Callable[[Places], Chosen],
) -> Iterator[pa.Table]:
    for file in lake.files(snapshot, table):
        if column not in file.low or not may_reach(file.low[column], file.high[column]):
            continue
        with lake.storage.open_input(file.name) as opened:
            found = pq.ParquetFile(opened)
            place = _leaf(found, column)
            for group in range(found.num_row_groups):
                bounds = found.metadata.row_group(group).column(place).statistics
                if bounds and bounds.has_min_max and not may_reach(bounds.min, bounds.max):
                    continue
                there = found.read_row_group(group, columns=[column])[column].to_numpy()
                is_wanted = chosen(there)
                if is_wanted.any():
                    yield found.read_row_group(group).filter(pa.array(is_wanted))


def columns_of(
    lake: Lake, snapshot: Snapshot, table: str, columns: list[str]
) -> Iterator[pa.Table]:
    """Return some columns of all rows of a table, file by file. Raises as ``rows_with`` does."""
    for file in lake.files(snapshot, table):
        with lake.storage.open_input(file.name) as opened:
            yield pq.ParquetFile(opened).read(columns=columns)


def _leaf(file: pq.ParquetFile, column: str) -> int:
    """Return the number of a column among those with values, of which a nested one has many."""
    return [file.schema.column(each).path for each in range(len(file.schema))].index(column)


def may_hold(numbers: Places, low: int, high: int) -> bool:
    """Return whether one of some numbers, which are sorted, lies in a range."""
    first = int(np.searchsorted(numbers, low))
    return first < len(numbers) and int(numbers[first]) <= high
