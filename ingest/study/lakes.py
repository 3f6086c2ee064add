"""Solved hands of a lake: blocks beside its tables, and the tables that readers see.

Several runs may solve one lake at once, on one machine or on many: each begins somewhere else, and
passes over hands that another has solved meanwhile. Blocks have no list here. What readers see is
published as a load is (``ingest.lake.publish``), with its lease and its fence: rows of all blocks
that hands of the newest snapshot lack, as files of the tables.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ingest.facts import kept, solved
from ingest.facts.kept import Kind
from ingest.lake import tables
from ingest.lake.publish import HANDS, Begun, Lake, Snapshot, in_words
from ingest.lake.storage import AT_ONCE, Storage
from ingest.reading.progress import OnProgress, Progress, Stage
from ingest.store import database
from ingest.store.publishing import BusyError, StorageError
from ingest.study import blocks
from ingest.study.folders import left_of_valid, not_written
from ingest.study.homes import MEMORY, Numbers

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from duckdb import DuckDBPyConnection

    from ingest.lake.door import LakeWarehouse

SOLVE: Final = "solve"
"""What a lake is said to be held by while solved hands are published."""
WAIT: Final = 60.0
"""Seconds to wait for a load that holds the lake, before what was solved waits for another run."""
_LOOK: Final = 20.0
"""Seconds between two looks at what others have solved."""
_MANY: Final = 4_000
"""Hands from which on several machines may be at work."""
_OLD: Final = 86_400.0
"""Seconds after which a block that is not complete belongs to a run that was killed."""
_TICK: Final = 0.5
_KEYS: Final = ("content_hash", "ruleset")
_ASKED: Final = "asked"


class LakeHome:
    """See ``Home``."""

    def __init__(self, lake: LakeWarehouse) -> None:
        """Raises ``NoSnapshotError`` when nothing has been loaded yet."""
        self._warehouse = lake
        self._lake = lake.lake
        self._storage = lake.storage
        self._snapshot = lake.snapshot()
        self._kept: dict[Kind, list[str]] = {}
        self._seen: dict[Kind, set[str]] = {}
        self._others: dict[Kind, frozenset[bytes]] = {}
        self._looked = time.monotonic()

    def alone(
        self, patience: float, on_progress: OnProgress | None
    ) -> AbstractContextManager[object]:
        """See ``Home.alone``."""
        del patience, on_progress
        return nullcontext()

    def tables(self) -> DuckDBPyConnection:
        """See ``Home.tables``."""
        return self._warehouse.tables(self._state, once=True)

    def facts(self, on_progress: OnProgress | None) -> DuckDBPyConnection:
        """See ``Home.facts``."""
        return self._warehouse.facts(self._state, on_progress)

    @property
    def _state(self) -> str:
        return f"{self._warehouse.address} {self._snapshot.number}"

    def wanted(self, kind: Kind, chosen: Numbers | None, asked: int = 0) -> tuple[Numbers, int]:
        """See ``Home.wanted``."""
        if self._storage.is_local:
            blocks.clear(Path(self._storage.path(kind.folder)), older_than=_OLD)
        with (
            self.tables() as stored,
            database.connect(memory_limit=MEMORY) as connection,
            database.interruptible(connection),
            in_words(self._storage),
        ):
            _take_over(stored, connection, "valid", solved.VALID.replace("games.", ""))
            connection.execute(
                "CREATE TABLE known AS SELECT content_hash, ruleset FROM valid LIMIT 0"
            )
            self._kept[kind] = []
            for name, found in self._sound(kind, _names(self._storage, kind)):
                self._kept[kind].append(name)
                keys = found.filter(pc.greater_equal(found[_ASKED], asked)) if asked else found
                connection.register("keys", keys.select(_KEYS))
                connection.execute("INSERT INTO known FROM keys")
            self._seen[kind] = set(self._kept[kind])
            return left_of_valid(connection, chosen)

    def _sound(self, kind: Kind, names: Sequence[str]) -> Iterator[tuple[str, pa.Table]]:
        """Give the blocks that are what was written, and whom they are about; others go."""

        def read(name: str) -> tuple[str, pa.Table | None]:
            content = read_block(self._storage, kind, name)
            if content is None:
                return name, None
            schema = pq.read_schema(pa.BufferReader(content))
            columns = [*_KEYS, *([_ASKED] if _ASKED in schema.names else [])]
            return name, pq.read_table(pa.BufferReader(content), columns=columns)

        with ThreadPoolExecutor(AT_ONCE) as pool:
            for name, keys in pool.map(read, names):
                if keys is not None:
                    yield name, keys
                else:
                    self._storage.delete([f"{kind.folder}/{name}"])

    def order(self, wanted: Numbers) -> Numbers:
        """See ``Home.order``."""
        if len(wanted) < _MANY:
            return wanted
        # Whoever else solves this lake now begins elsewhere.
        return np.roll(wanted, random.SystemRandom().randrange(len(wanted)))

    def others(self, kind: Kind) -> frozenset[bytes]:
        """See ``Home.others``."""
        now = time.monotonic()
        if now - self._looked >= _LOOK:
            self._looked = now
            with suppress(OSError, pa.ArrowException):
                new = [each for each in _names(self._storage, kind) if each not in self._seen[kind]]
                found = set(self._others.get(kind, ()))
                for name, keys in self._sound(kind, new):
                    self._seen[kind].add(name)
                    self._kept[kind].append(name)
                    column = keys["content_hash"].combine_chunks()
                    found.update(column.storage.to_pylist())
                self._others[kind] = frozenset(found)
        return self._others.get(kind, frozenset())

    def write(self, kind: Kind, table: pa.Table) -> str:
        """See ``Home.write``."""
        name, content = blocks.packed(table)
        try:
            _write_block(self._storage, kind, name, content)
        except OSError as error:
            raise StorageError(not_written(f"{self._storage} {kind.folder}", error)) from error
        self._seen[kind].add(name)
        return name

    def publish(
        self, new: Mapping[Kind, Sequence[str]], on_progress: OnProgress | None
    ) -> str | None:
        """See ``Home.publish``."""
        found = {kind: [*names, *new.get(kind, ())] for kind, names in self._kept.items()}
        if not any(found.values()):
            return None
        try:
            number = publish(self._lake, found, on_progress)
        except BusyError as error:
            raise BusyError(
                f"{error} What was solved is kept, and shows once tricklog solve has run again."
            ) from error
        return f"{self._warehouse.address} {number}"


def _names(storage: Storage, kind: Kind) -> list[str]:
    entries = (entry.name.rpartition("/")[2] for entry in storage.list(kind.folder))
    return sorted(filter(kept.is_block, entries))


def read_block(storage: Storage, kind: Kind, name: str) -> bytes | None:
    """Return what a block holds, ``None`` where it is not what was written or is gone.

    Raises ``OSError`` when the store fails.
    """
    with suppress(FileNotFoundError):
        content = storage.read(f"{kind.folder}/{name}")
        if kept.name_of_block(content) == name:
            return content
    return None


def _write_block(storage: Storage, kind: Kind, name: str, content: bytes) -> None:
    if storage.is_local:
        blocks.write_content(Path(storage.path(kind.folder)), name, content)
        return
    # A store has the whole of a file, or nothing.
    with storage.open_output(f"{kind.folder}/{name}") as stream:
        stream.write(content)


def copy_blocks(source: Storage, target: Storage) -> None:
    """Have another lake keep what is kept here: sound blocks of this version.

    Raises ``WarehouseError`` when a store fails.
    """

    def copy(block: tuple[Kind, str]) -> None:
        content = read_block(source, *block)
        if content is not None:
            _write_block(target, *block, content)

    with in_words(source), ThreadPoolExecutor(AT_ONCE) as pool:
        found = [(kind, name) for kind in kept.KINDS for name in _names(source, kind)]
        for _ in pool.map(copy, found):
            pass


def troubles(storage: Storage) -> Iterator[tuple[str, str, str]]:
    """Give the blocks that are not what was written: the file, a sentence, what to do.

    Raises ``WarehouseError`` when the store fails.
    """
    for kind in kept.KINDS:
        with in_words(storage), ThreadPoolExecutor(AT_ONCE) as pool:
            names = _names(storage, kind)
            found = pool.map(lambda name, of=kind: read_block(storage, of, name), names)
            for name, content in zip(names, found, strict=True):
                if content is None:
                    yield f"{kind.folder}/{name}", kept.CHANGED, kept.AGAIN


def _take_over(
    stored: DuckDBPyConnection, connection: DuckDBPyConnection, table: str, query: str
) -> None:
    """Make a table of what a query over the lake gives, a batch at a time."""
    connection.register("rows", stored.sql(query).to_arrow_reader(tables.BATCH))
    connection.execute(f"CREATE TABLE {table} AS FROM rows")
    connection.unregister("rows")


# --- Publishing


def publish_all(lake: Lake, on_progress: OnProgress | None = None) -> None:
    """Have readers see what all blocks say of the newest snapshot.

    Where a load holds the lake that is left to the next run that solves.
    """
    with in_words(lake.storage):
        found = {kind: _names(lake.storage, kind) for kind in kept.KINDS}
    if any(found.values()):
        with suppress(BusyError):
            publish(lake, found, on_progress)


def publish(
    lake: Lake, found: Mapping[Kind, Sequence[str]], on_progress: OnProgress | None = None
) -> int:
    """Publish what blocks say of hands of the newest snapshot that it does not say yet.

    Returns the number of the snapshot that says it. A block that is damaged is left out. Raises
    ``WarehouseError`` as ``Lake.begin`` does; readers see what they saw then.
    """
    with (
        _begun(lake, on_progress) as begun,
        tempfile.TemporaryDirectory(prefix="tricklog-", ignore_cleanup_errors=True) as folder,
    ):
        assert begun.before
        making = _Making(lake, begun, begun.before, Path(folder), on_progress)
        added = [file for kind in found for file in making.files(kind, found[kind])]
        gone = making.outdated
        if not (added or gone):
            return begun.before.number
        counts = {SOLVE: sum(file.rows for file in added if file.table == kept.OPEN.tables[0])}
        if HANDS in begun.before.counts:
            counts[HANDS] = begun.before.counts[HANDS]
        return begun.publish(added, counts, replaced=gone).number


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


class _Making:
    """Files with the rows that are to be published."""

    def __init__(
        self,
        lake: Lake,
        begun: Begun,
        before: Snapshot,
        folder: Path,
        on_progress: OnProgress | None,
    ) -> None:
        self._lake = lake
        self._begun = begun
        self._before = before
        self._folder = folder
        self._on_progress = on_progress
        self.outdated: set[str] = set()
        """Tables that are written anew as a whole."""

    def files(self, kind: Kind, names: Sequence[str]) -> list[tables.Added]:
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
            self._want(connection, kind)
            for first in range(0, len(names), solved.AT_ONCE):
                self._begun.check()
                if self._on_progress:
                    self._on_progress(Progress(Stage.PUTTING, done=first, total=len(names)))
                paths = self._fetched(kind, names[first : first + solved.AT_ONCE])
                if paths:
                    solved.add_rows(connection, kind, paths)
                for path in paths:
                    path.unlink()
            return [
                file for table in kind.tables for file in self._written(connection, kind, table)
            ]

    def _want(self, connection: DuckDBPyConnection, kind: Kind) -> None:
        """Make the table ``wanted``: valid hands of which nothing is published."""
        first = kind.tables[0]
        files = {table: self._lake.files(self._before, table) for table in kind.tables}
        is_current = kind.grows and all(
            each.low.get(tables.SOLVER) == each.high.get(tables.SOLVER) == kind.definition
            for those in files.values()
            for each in those
        )
        if not is_current:
            self.outdated.update(table for table in kind.tables if files[table])
        query = solved.VALID.replace("games.", "")
        if is_current and files[first]:
            query = f"SELECT * FROM ({query}) ANTI JOIN {first} USING (hand_no)"  # noqa: S608 - our own
        with self._opened() as stored:
            _take_over(stored, connection, "wanted", query)

    def _opened(self) -> DuckDBPyConnection:
        from ingest.lake import reading

        return reading.open_solved(self._lake, self._before)

    def _fetched(self, kind: Kind, names: Sequence[str]) -> list[Path]:
        """Put sound blocks into files of this machine."""

        def fetch(name: str) -> Path | None:
            content = read_block(self._lake.storage, kind, name)
            if content is None:
                return None
            path = self._folder / name
            path.write_bytes(content)
            return path

        with in_words(self._lake.storage), ThreadPoolExecutor(AT_ONCE) as pool:
            return [path for path in pool.map(fetch, names) if path]

    def _written(
        self, connection: DuckDBPyConnection, kind: Kind, table: str
    ) -> Iterator[tables.Added]:
        connection.execute(
            f"CREATE VIEW {table} AS SELECT *, '{kind.definition}' AS {tables.SOLVER} "  # noqa: S608 - our own
            f"FROM {solved.DATABASE}.main.{table}"
        )
        rows = tables.batches(connection, table)
        with in_words(self._lake.storage):
            added = tables.write(self._lake.storage, table, rows, self._begun.number, 0)
        if added:
            yield added
