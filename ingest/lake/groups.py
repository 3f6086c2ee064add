"""Files of the steps between reading and storing: batches of rows, each of one bucket.

A file is written once, by one task, and read by many: of each it takes the batches of its bucket
alone. They are Arrow files, which cost next to nothing to write and to read, and live no longer
than the load.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from types import TracebackType
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from duckdb import DuckDBPyConnection

from tricklog.ingest.lake.storage import AT_ONCE, Storage, at_once

Places = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]
Groups = list[tuple[int, int]]
"""The batches of a file in order: the bucket of each, and how many rows it has."""
_OPTIONS: Final = pa.ipc.IpcWriteOptions(compression="lz4")


class GroupedWriter:
    """Writes one file; used as a context manager. There is no file when nothing was written."""

    def __init__(self, storage: Storage, name: str, buckets: int) -> None:
        self.groups: Groups = []
        self._storage = storage
        self._name = name
        self._filled = np.zeros(buckets, np.int64)
        self._output: Any = None
        self._writer: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._output:
            if error is None:
                self._writer.close()
            self._output.__exit__(kind, error, trace)

    def add(self, table: pa.Table, buckets: Places) -> Places:
        """Write rows, of which ``buckets`` says where each belongs.

        Returns the place of each row among those of its bucket in this file, counted from 0.
        """
        order = np.argsort(buckets, kind="stable")
        sizes = np.bincount(buckets, minlength=len(self._filled))
        starts = np.cumsum(sizes) - sizes
        places = np.empty(len(buckets), np.int64)
        places[order] = np.arange(len(buckets)) - np.repeat(starts, sizes)
        places += self._filled[buckets]
        self._filled += sizes
        rows = table.take(pa.array(order)).combine_chunks()
        if self._output is None and len(rows):
            self._output = self._storage.open_output(self._name)
            self._writer = pa.ipc.new_file(self._output.__enter__(), rows.schema, options=_OPTIONS)
        for bucket in np.flatnonzero(sizes).tolist():
            first, size = int(starts[bucket]), int(sizes[bucket])
            for batch in rows.slice(first, size).to_batches():
                self._writer.write_batch(batch)
            self.groups.append((bucket, size))
        return places


def sizes(groups: Groups, buckets: int) -> Places:
    """Return how many rows each bucket has in a file."""
    found = np.zeros(buckets, np.int64)
    for bucket, rows in groups:
        found[bucket] += rows
    return found


def read_each(
    storage: Storage, files: Sequence[tuple[str, Groups]], bucket: int
) -> Iterator[list[pa.Table]]:
    """Return the batches of a bucket in each of some files, one file after the other.

    An object store takes longer to answer than the rows take to be worked on, so several files are
    read at once. Raises ``OSError`` when one cannot be read.
    """

    def read(file: tuple[str, Groups]) -> list[pa.Table]:
        name, groups = file
        wanted = [place for place, (each, _) in enumerate(groups) if each == bucket]
        if not wanted:
            return []
        with storage.open_input(name) as opened:
            reader = pa.ipc.open_file(opened)
            return [pa.Table.from_batches([reader.get_batch(place)]) for place in wanted]

    waiting = iter(files)
    while some := list(islice(waiting, AT_ONCE)):
        yield from at_once(read, some)


def hashes_of(connection: DuckDBPyConnection, texts: pa.ChunkedArray | pa.Array) -> Hashes:
    """Return a number of 64 bits for each text, the same on every machine and for ever."""
    connection.register("keys", pa.table({"key": texts}))
    found = connection.sql("SELECT md5_number_lower(key) AS hash FROM keys").to_arrow_table()
    connection.unregister("keys")
    return np.asarray(found["hash"].to_numpy(), np.uint64)
