"""Tables of solved hands that readers of a lake see, made of blocks and published as a load is."""

from __future__ import annotations

import itertools
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tricklog.ingest.facts import kept, solved
from tricklog.ingest.facts.kept import Kind
from tricklog.ingest.lake import reading, tables
from tricklog.ingest.lake.publish import Begun, Lake, Snapshot, in_words
from tricklog.ingest.lake.storage import Storage
from tricklog.ingest.lake.upkeep import TIDYING, Held
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.store import database
from tricklog.ingest.store.publishing import BusyError
from tricklog.ingest.study.blocks import ASKED, Blocks, portions, replaced
from tricklog.ingest.study.homes import MEMORY, Which, query_of_valid, take_over

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SOLVE: Final = "solve"
"""What a lake is said to be held by while solved hands are published."""
WAIT: Final = 60.0
"""Seconds to wait for a load that holds the lake, before what was solved waits for another run."""
_TICK: Final = 0.5


def publish_all(lake: Lake, on_progress: OnProgress | None = None) -> None:
    """Have readers see what all blocks say of the newest snapshot.

    Where a load holds the lake that is left to the next run that solves.
    """
    with in_words(lake.storage):
        found = list(filter(Blocks(lake.storage).names, kept.KINDS))
    if found:
        with suppress(BusyError):
            publish(lake, found, on_progress)


def publish(lake: Lake, kinds: Collection[Kind], on_progress: OnProgress | None = None) -> int:
    """Publish what blocks say of hands of the newest snapshot that it does not say yet.

    Returns the number of the snapshot that says it. A block that is damaged is left out. Raises
    ``WarehouseError`` as ``Lake.begin`` does; readers see what they saw then.
    """
    with (
        _begun(lake, on_progress) as begun,
        Scratch() as folder,
    ):
        assert begun.before
        making = _Making(lake, begun, begun.before, Path(folder), on_progress)
        added = [file for kind in kinds for file in making.files(kind)]
        gone = making.outdated
        if not (added or gone):
            return begun.before.number
        counts = {SOLVE: sum(file.rows for file in added if file.table == kept.OPEN.tables[0])}
        return begun.publish(added, counts, replaced=gone).number


def is_of_this_version(lake: Lake, snapshot: Snapshot, kind: Kind) -> bool:
    """Return whether all that a snapshot says of a kind is of this version."""
    return all(
        each.low.get(tables.SOLVER) == each.high.get(tables.SOLVER) == kind.definition
        for table in kind.tables
        for each in lake.files(snapshot, table)
    )


@contextmanager
def _begun(lake: Lake, on_progress: OnProgress | None) -> Iterator[Begun]:
    """Hold the lake; wait for a load that does, as long as that is worth while."""
    until = time.monotonic() + WAIT
    while True:
        try:
            begun = lake.begin(SOLVE)
            break
        except BusyError:
            if time.monotonic() >= until:
                raise
            if on_progress:
                on_progress(Progress(Stage.WAITING))
            time.sleep(_TICK)
    with begun:
        yield begun


@dataclass(frozen=True, slots=True)
class _Making:
    """Files with the rows that are to be published."""

    _lake: Lake
    _begun: Begun
    _before: Snapshot
    _folder: Path
    _on_progress: OnProgress | None
    outdated: set[str] = field(default_factory=set)
    """Tables that are written again as a whole."""

    @property
    def _blocks(self) -> Blocks:
        return Blocks(self._lake.storage)

    def files(self, kind: Kind) -> list[tables.File]:
        """Write the rows of a kind that are lacking, as files that nobody sees yet."""
        made = self._folder / f"{kind.name}.duckdb"
        with (
            database.connect(
                memory_limit=MEMORY, temp_directory=str(self._folder / "spill")
            ) as connection,
            database.interruptible(connection),
        ):
            database.attach(connection, solved.DATABASE, made, read_only=False)
            solved.make_tables(connection, solved.DATABASE)
            is_current = is_of_this_version(self._lake, self._before, kind)
            self._want(connection, kind, only_new=kind.grows and is_current)
            self._add(connection, kind)
            if is_current and not kind.grows and self._says_the_same(connection, kind):
                return []
            if not (kind.grows and is_current):
                self.outdated.update(t for t in kind.tables if self._lake.files(self._before, t))
            written = (self._written(connection, kind, table) for table in kind.tables)
            return list(itertools.chain.from_iterable(written))

    def _add(self, connection: DuckDBPyConnection, kind: Kind) -> None:
        """Add the rows of all blocks that are wanted."""
        added: set[str] = set()
        # What is put together meanwhile is there under another name.
        while names := [each for each in self._names(kind) if each not in added]:
            for first in range(0, len(names), solved.AT_ONCE):
                self._begun.check()
                if self._on_progress:
                    self._on_progress(Progress(Stage.PUTTING, done=first, total=len(names)))
                paths = self._fetched(kind, names[first : first + solved.AT_ONCE])
                if paths:
                    solved.add_rows(connection, kind, paths)
                for path in paths:
                    path.unlink()
            added.update(names)

    def _names(self, kind: Kind) -> list[str]:
        with in_words(self._lake.storage):
            return self._blocks.names(kind)

    def _want(self, connection: DuckDBPyConnection, kind: Kind, *, only_new: bool) -> None:
        """Make the table ``wanted``: valid hands, those alone of which nothing is published."""
        query = query_of_valid(Which())
        if only_new:
            query = f"SELECT * FROM ({query}) ANTI JOIN {kind.tables[0]} USING (hand_no)"  # noqa: S608 - our own
        with self._opened() as stored:
            take_over(stored, connection, "wanted", query)

    def _says_the_same(self, connection: DuckDBPyConnection, kind: Kind) -> bool:
        """Return whether the same hands, as much asked of each, are published already."""
        query = f"SELECT hand_no, {ASKED} FROM {kind.tables[0]}"  # noqa: S608 - our own
        with self._opened() as stored:
            take_over(stored, connection, "published", query)
        made = query.replace("FROM ", f"FROM {solved.DATABASE}.main.")
        found = connection.execute(
            f"SELECT 1 FROM (({made}) EXCEPT FROM published) "  # noqa: S608 - our own
            f"UNION ALL SELECT 1 FROM (FROM published EXCEPT ({made})) LIMIT 1"
        ).fetchall()
        return not found

    def _opened(self) -> DuckDBPyConnection:
        return reading.open_solved(self._lake, self._before)

    def _fetched(self, kind: Kind, names: Sequence[str]) -> list[Path]:
        """Put sound blocks into files of this machine."""
        paths = []
        with in_words(self._lake.storage):
            for name, content in self._blocks.read_all(kind, names):
                if content is not None:
                    paths.append(self._folder / name)
                    paths[-1].write_bytes(content)
        return paths

    def _written(
        self, connection: DuckDBPyConnection, kind: Kind, table: str
    ) -> Iterator[tables.File]:
        connection.execute(
            f"CREATE VIEW {table} AS SELECT *, '{kind.definition}' AS {tables.SOLVER} "  # noqa: S608 - our own
            f"FROM {solved.DATABASE}.main.{table}"
        )
        rows = tables.batches(connection, table)
        with in_words(self._lake.storage):
            added = tables.write(self._lake.storage, table, rows, self._begun.number, 0)
        if added:
            yield added


# --- Putting blocks together


def merge_blocks(storage: Storage, *, dry_run: bool = False) -> tuple[Held, Held]:
    """Put small blocks together; return what all blocks of this version had, and have now.

    Blocks are for runs that solve and for what publishes tables; who reads the lake never opens
    one. So the old ones go as soon as the new one is there. A run that was about to read one of
    them finds it gone, looks once more, and finds the other.

    With ``dry_run`` nothing is done, and the second number is what it would come to, with the
    old size. Raises ``WarehouseError`` as ``Lake.begin`` does, and where the store fails.
    """
    blocks = Blocks(storage)
    with in_words(storage):
        before = _held(storage)
        fewer = 0
        for kind in kept.KINDS:
            found = blocks.held(kind)
            over = found.keys() & replaced(found.values())
            counting = {name: held for name, held in found.items() if name not in over}
            fewer += len(over) + sum(len(names) - 1 for names in portions(counting))
        if dry_run:
            return before, Held(before.files - fewer, before.size)
        if fewer:
            with Lake(storage).begin(TIDYING) as begun:
                for kind in kept.KINDS:
                    found = blocks.held(kind)
                    blocks.remove(kind, found.keys() & replaced(found.values()))
                    for _, made in blocks.put_together(kind, found):
                        begun.check()
                        blocks.remove(kind, found.keys() & made.replaces)
        return before, _held(storage)


def _held(storage: Storage) -> Held:
    return Held.of(
        entry
        for kind in kept.KINDS
        for entry in storage.list(kind.folder)
        if kept.is_block(entry.name.rpartition("/")[2])
    )
