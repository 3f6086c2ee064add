"""Rows of a table straight from its files: by the numbers of the column that sorts them, or all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import dataset

from tricklog.ingest.lake import tables
from tricklog.ingest.lake.groups import Places
from tricklog.ingest.lake.publish import Lake, Snapshot


def rows(
    lake: Lake,
    snapshot: Snapshot,
    table: str,
    columns: Sequence[str] | None = None,
    *,
    within: tuple[str, int, int] | None = None,
    where: pc.Expression | None = None,
) -> pa.Table:
    """Return rows of a table, those of superseded games among them.

    Args:
        lake: the lake.
        snapshot: one of its snapshots.
        table: one of ``tables.LAYOUTS``.
        columns: which of its columns; by default all.
        within: a column with statistics, and the range in which its numbers are, both ends
            included. Files and row groups that have none there are not read.
        where: what else is asked of the rows.

    Raises ``WarehouseError`` when it cannot be told which files there are, and ``OSError`` or
    ``ArrowException`` for a file that cannot be read.
    """
    files = lake.files(snapshot, table)
    if within:
        column, least, most = within
        files = [
            each
            for each in files
            if column in each.low and each.low[column] <= most and each.high[column] >= least
        ]
        lies_there = (pc.field(column) >= least) & (pc.field(column) <= most)
        where = lies_there if where is None else lies_there & where
    schema = tables.schema_of(table)
    names = list(columns or schema.names)
    if not files:
        return schema.empty_table().select(names)
    paths = [lake.storage.path(each.name) for each in files]
    there = dataset.dataset(paths, schema, "parquet", lake.storage.filesystem)
    # A row group at a time: they may be all that fits.
    return there.to_table(names, where, batch_readahead=1, fragment_readahead=1, use_threads=False)


def rows_with(
    lake: Lake,
    snapshot: Snapshot,
    table: str,
    column: str,
    numbers: Places,
    columns: Sequence[str] | None = None,
) -> pa.Table:
    """Return the rows whose ``column`` has one of some numbers, which are sorted; see ``rows``."""
    least, most = (int(numbers[0]), int(numbers[-1])) if len(numbers) else (1, 0)
    where = pc.field(column).isin(pa.array(numbers, pa.int64()))
    return rows(lake, snapshot, table, columns, within=(column, least, most), where=where)


def may_hold(numbers: Places, low: int, high: int) -> bool:
    """Return whether one of some numbers, which are sorted, lies in a range."""
    first = int(np.searchsorted(numbers, low))
    return first < len(numbers) and int(numbers[first]) <= high
