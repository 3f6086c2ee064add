"""Writing the files of a lake again: few in the place of many, sorted, and without dead rows.

A row is dead when its game was derived again by a later load. Only files are written again that are
small beside what they are put together with, or that have dead rows, so a file is read and written
a handful of times in its life, however often a lake is tidied. Nothing is held in memory but some
row groups; what has to be sorted is sorted on the disk.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tricklog.ingest.lake import index, tables
from tricklog.ingest.lake.storage import in_lots
from tricklog.ingest.lake.tables import File
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.store import database

if TYPE_CHECKING:
    from tricklog.ingest.lake.publish import Lake, Snapshot
    from tricklog.ingest.lake.storage import Storage

GAME: Final = "game_no"
HAND: Final = "hand_no"
SUPERSEDED: Final = "superseded"
MEMORY_LIMIT: Final = "400MB"
"""What DuckDB may take to sort; the rest goes to the disk."""
_RATIO: Final = 2
"""How much larger than all the others together a file may be to be put together with them."""
_ONCE: Final = {
    "rulesets": (("ruleset",), "ruleset, length(options), options, title, family"),
    "rejects": (("reject",), 'reject, import_id, "file", line'),
    "long_texts": (("text_hash", "piece"), "text_hash, piece"),
}
"""Tables in which the first row counts of those with the same key, in the order given."""
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large files are meant to be, in bytes."""

    small: int = 64 << 20
    """Smaller files are put together with others."""
    target: int = 128 << 20
    """About as large are those that come of it, at most."""
    group: int = 512 << 20
    """As much is put together at a time, at most."""


USUAL: Final = Sizes()


@dataclass(frozen=True, slots=True)
class Group:
    """Files of a table that are written again together."""

    table: str
    files: tuple[File, ...]
    dead: int
    """Rows of theirs that go."""
    is_in_order: bool
    """Whether each holds greater numbers than those before it, so that nothing has to be sorted."""

    @property
    def size(self) -> int:
        """How many bytes the files have."""
        return sum(file.size for file in self.files)

    def files_after(self, sizes: Sizes) -> int:
        """How many files come of it, about."""
        left = sum(file.rows for file in self.files) - self.dead
        return -(-self.size // sizes.target) if left else 0


@dataclass(frozen=True, slots=True)
class Plan:
    """What is worth being written again."""

    groups: tuple[Group, ...]
    games: Numbers
    """Superseded games whose rows go, by their numbers, which are sorted."""

    def __bool__(self) -> bool:
        return bool(self.groups or len(self.games))

    @property
    def size(self) -> int:
        """How many bytes are written again."""
        return sum(group.size for group in self.groups)

    @property
    def files(self) -> list[File]:
        """What is written again."""
        return [file for group in self.groups for file in group.files]


def plan(lake: Lake, snapshot: Snapshot, sizes: Sizes) -> Plan:
    """Look for what is worth being written again, which reads the numbers of games at most.

    Raises ``WarehouseError`` when the lake cannot be read, and ``OSError`` for one of its files.
    """
    files = lake.all_files(snapshot)
    superseded = dead_games(lake, snapshot)
    groups: list[Group] = []
    for table, layout in tables.LAYOUTS.items():
        if table == SUPERSEDED:
            continue
        dead = {
            file.path: dead_rows(lake.storage, file, superseded)
            for file in files.get(table, [])
            if table in tables.BY_GAME
            and index.may_hold(superseded, file.low[GAME], file.high[GAME])
        }
        groups += _groups(table, layout.sorted_by[0], files.get(table, []), dead, sizes)
    return Plan(tuple(groups), superseded)


def dead_games(lake: Lake, snapshot: Snapshot) -> Numbers:
    """Return the numbers of superseded games, sorted. Raises as ``plan`` does."""
    return np.unique(index.rows(lake, snapshot, SUPERSEDED, [GAME])[GAME].to_numpy())


def rewrite(storage: Storage, group: Group, dead: Numbers, load: int, sizes: Sizes) -> list[File]:
    """Write the rows of a group as new files of about these ``sizes``, which nobody sees yet.

    Not those of games ``dead``, by their numbers, which are sorted; of a table that knows no games,
    of hands. The files are named after ``load``. Raises ``OSError`` and ``duckdb.Error`` when
    something cannot be read or written.
    """
    rows: Iterable[pa.RecordBatch]
    rows = live_rows(storage, group.files, dead if group.dead else None)
    layout = tables.LAYOUTS[group.table]
    with ExitStack() as held:
        if group.table in _ONCE or not group.is_in_order:
            columns, order = _ONCE.get(group.table, ((), ", ".join(layout.sorted_by)))
            spill = held.enter_context(Scratch())
            settings = {"memory_limit": MEMORY_LIMIT, "temp_directory": spill, "threads": "1"}
            connection = held.enter_context(closing(database.connect(None, **settings)))
            schema = tables.schema_of(group.table)
            connection.register("stored", pa.RecordBatchReader.from_batches(schema, rows))
            query = f"FROM stored ORDER BY {order}"
            rows = connection.sql(query).to_arrow_reader(layout.row_group)
            rows = _first_of_each(rows, columns) if columns else rows
        count = sum(file.rows for file in group.files)
        at_most = max(layout.row_group, count * sizes.target // max(1, group.size))
        stream = tables.Stream(rows)
        added: list[File] = []
        while file := tables.write(storage, group.table, stream.take(at_most), load, 0):
            added.append(file)
    return added


def dead_rows(storage: Storage, file: File, numbers: Numbers) -> int:
    """Return how many rows of a file are of games with some numbers, or of hands."""
    column = _counted_by(file.table)
    with storage.open_input(file.name) as stream:
        found = pq.read_table(stream, columns=[column])[column]
    return int(pc.sum(pc.is_in(found, pa.array(numbers))).as_py() or 0)


def _counted_by(table: str) -> str:
    return GAME if table in tables.BY_GAME else HAND


# --- What is worth it


def _groups(
    table: str, column: str, files: Sequence[File], dead: dict[str, int], sizes: Sizes
) -> Iterator[Group]:
    """Choose what is put together of a table whose files are sorted by a column."""
    by_load = sorted(files, key=lambda file: file.path)
    has_order = all(column in file.low for file in files)
    ordered = by_load
    if has_order:
        ordered = sorted(files, key=lambda file: (file.low[column], file.high[column]))
    is_in_order = has_order and all(
        one.high[column] <= other.low[column] for one, other in itertools.pairwise(ordered)
    )

    def is_chosen(file: File) -> bool:
        return file.size < sizes.small or bool(dead.get(file.path))

    # Where ranges follow each other, what is put together must not reach over a file that stays.
    runs = (
        [list(run) for chosen, run in itertools.groupby(ordered, is_chosen) if chosen]
        if is_in_order
        else [list(filter(is_chosen, ordered))]
    )
    for run in runs:
        for part, _ in in_lots(((file, file.size) for file in run), sizes.group):
            for chosen in _worth_it(part, dead):
                rows = sum(dead.get(file.path, 0) for file in chosen)
                yield Group(table, tuple(chosen), rows, is_in_order)


def _worth_it(files: list[File], dead: dict[str, int]) -> Iterator[list[File]]:
    """Give what of neighbours is worth being written again, together."""
    if not files:
        return
    largest = max(range(len(files)), key=lambda number: files[number].size)
    has_dead = bool(dead.get(files[largest].path))
    rest = sum(file.size for file in files) - files[largest].size
    if has_dead or (len(files) > 1 and files[largest].size <= _RATIO * rest):
        yield files
        return
    # To write a large file again for a few small ones would cost more than it saves.
    yield from _worth_it(files[:largest], dead)
    yield from _worth_it(files[largest + 1 :], dead)


# --- Rows


def live_rows(
    storage: Storage, files: Iterable[File], dead: Numbers | None
) -> Iterator[pa.RecordBatch]:
    """Give the rows of files, but for those of some games; of tables without games, of hands."""
    gone = None if dead is None else pa.array(dead)
    for file in files:
        for rows in rows_of(storage, file):
            if gone is None:
                yield rows
            else:
                yield rows.filter(pc.invert(pc.is_in(rows[_counted_by(file.table)], gone)))


def rows_of(storage: Storage, file: File) -> Iterator[pa.RecordBatch]:
    """Give the rows of a file in the columns of its table. Raises ``OSError``."""
    schema = tables.schema_of(file.table)
    with storage.open_input(file.name) as stream:
        for rows in pq.ParquetFile(stream).iter_batches(tables.BATCH, columns=schema.names):
            yield rows.select(schema.names).cast(schema)


def _first_of_each(
    batches: Iterable[pa.RecordBatch], columns: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    """Leave out rows with the same key as the one before them."""
    last: tuple[object, ...] | None = None
    for batch in batches:
        keys = [*zip(*(batch[column].to_pylist() for column in columns), strict=True)]
        is_first = [one != other for one, other in zip(keys, [last, *keys], strict=False)]
        last = keys[-1] if keys else last
        yield batch.filter(pa.array(is_first, pa.bool_()))
