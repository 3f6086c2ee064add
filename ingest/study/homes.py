"""Where solved hands are kept: what a run that solves needs of a warehouse, wherever it lies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray

from tricklog.ingest.facts import files, kept, solved
from tricklog.ingest.facts.kept import Kind, Listed
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.store import database, publishing
from tricklog.ingest.store.absent import no_warehouse
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.store.warehouse import NoSnapshotError, first_line
from tricklog.ingest.study import blocks
from tricklog.ingest.study.blocks import ASKED, Blocks, Held, of_folder, replaced
from tricklog.ingest.warehouses import Warehouse

Numbers = NDArray[np.int64]
LOCK: Final = "STUDY-LOCK"
MEMORY: Final = "400MB"
"""What DuckDB may take to find out which hands are wanted."""
_BATCH: Final = 20_480
"""Rows that are taken over at a time."""
_ATTEMPTS: Final = 5
"""How often blocks are copied where the list changes meanwhile."""


@dataclass(frozen=True, slots=True)
class Which:
    """Which hands a run is about: valid ones, unless more is said."""

    chosen: Numbers | None = None
    """The numbers of those that filters let through."""
    sample: int | None = None
    """So many of them at the most, by chance, which is the same for every run."""
    asked: int = 0
    """Blocks that say how much was asked of a hand do not count where that was less."""


class Home:
    """A warehouse whose hands are solved: one of one machine, where one run at a time solves."""

    _old: ClassVar[float] = 0.0
    """Seconds after which a block that is not complete belongs to a run that was killed."""
    _is_alone: ClassVar[bool] = True

    def __init__(
        self, warehouse: Warehouse, state: str | None = None, found: Blocks | None = None
    ) -> None:
        """Raises ``NoSnapshotError`` when nothing has been loaded yet."""
        self._warehouse = warehouse
        state = state or warehouse.current()
        if state is None:
            raise NoSnapshotError(no_warehouse(warehouse.name))
        self._state = state
        self._db = Path(warehouse.name)
        self._blocks = found or of_folder(self._db)
        self._seen: dict[Kind, dict[str, Held]] = {}
        """The sound blocks that this run has found or written, by name."""
        self._asked: dict[Kind, int] = {}

    @contextmanager
    def alone(self, patience: float, on_progress: OnProgress | None) -> Iterator[None]:
        """Keep other runs away; ``BusyError`` when one does not end within ``patience``."""
        if not self._is_alone:
            yield
            return
        busy = (
            f"Another run is solving hands of {self._db}. It goes on by itself; try again when "
            "it has finished."
        )

        def tell() -> None:
            if on_progress:
                on_progress(Progress(Stage.QUEUEING))

        try:
            held = publishing.taken(self._db / LOCK, patience, tell, busy)
        except OSError as error:
            raise StorageError(
                f"{self._db} cannot be written: {error.strerror}. What is solved is kept there: "
                "make it writable, or copy the warehouse to a folder that is."
            ) from error
        with held:
            yield

    def tables(self) -> DuckDBPyConnection:
        """Open the tables of the snapshot that is solved."""
        return self._warehouse.tables(self._state, once=True)

    def facts(self, on_progress: OnProgress | None) -> DuckDBPyConnection:
        """Open its facts, as ``open_facts`` does."""
        return self._warehouse.facts(self._state, on_progress)

    @contextmanager
    def in_words(self) -> Iterator[None]:
        """Say in a sentence where blocks cannot be read."""
        try:
            yield
        except OSError as error:
            raise StorageError(
                f"{self._db / kept.FOLDER} cannot be read: {error.strerror}. Check the disk, then "
                "do the same again."
            ) from error

    def order(self, wanted: Numbers) -> Numbers:
        """Return the numbers of hands in the order in which they are to be solved."""
        return wanted

    def others(self, kind: Kind) -> frozenset[bytes]:  # noqa: ARG002 - where others may solve
        """Return the content of hands that other runs have solved since this one looked."""
        return frozenset()

    def publish(self, on_progress: OnProgress | None) -> str | None:
        """Have readers see all that is kept; return what shows it, ``None`` without anything."""
        counting: dict[Kind, list[str]] = {}
        gone: dict[Kind, set[str]] = {}
        for kind, seen in self._seen.items():
            with self.in_words():
                found = seen | dict(self._blocks.put_together(kind, seen))
            gone[kind] = found.keys() & replaced(found.values())
            counting[kind] = [name for name in found if name not in gone[kind]]
        path = files.publish_solved(self._db, counting, on_progress)
        # Whoever makes tables looks at the list first, which has no place for these any more.
        for kind, names in gone.items():
            self._blocks.remove(kind, names)
        return str(path) if path else None

    def wanted(self, kind: Kind, which: Which) -> tuple[Numbers, int]:
        """Return the numbers of the hands that no block has yet, and of how many these are.

        The newest come first. Blocks that are not what was written go: their hands are solved once
        more.
        """
        storage = self._blocks.storage
        if storage.is_local:
            blocks.clear(Path(storage.path(kind.folder)), self._old)
        with (
            self.tables() as stored,
            database.connect(memory_limit=MEMORY) as connection,
            database.interruptible(connection),
            self.in_words(),
        ):
            take_over(stored, connection, "valid", query_of_valid(which))
            connection.execute(
                "CREATE TABLE known AS SELECT content_hash, ruleset FROM valid LIMIT 0"
            )
            self._asked[kind], self._seen[kind] = which.asked, {}
            # What is put together meanwhile is there under another name.
            while names := self._new_names(kind):
                for keys in self._keys_in(kind, names):
                    connection.register("keys", keys)
                    connection.execute("INSERT INTO known FROM keys")
            return _left_of_valid(connection, which)

    def _new_names(self, kind: Kind) -> list[str]:
        return [each for each in self._blocks.names(kind) if each not in self._seen[kind]]

    def _keys_in(self, kind: Kind, names: Sequence[str]) -> Iterator[pa.Table]:
        """Give whom blocks are about, but for hands of which less was asked than now."""
        asked = self._asked[kind]
        enough = pc.field(ASKED) >= asked if asked else None
        for name, content in self._blocks.read_all(kind, names):
            if content is None:
                self._blocks.remove(kind, [name])
                continue
            self._seen[kind][name] = blocks.held_by(content)
            columns = ["content_hash", "ruleset"]
            yield pq.read_table(pa.BufferReader(content), columns=columns, filters=enough)

    def write(self, kind: Kind, table: pa.Table) -> str:
        """Keep a block, and return its name. Raises ``StorageError`` where that cannot be done."""
        try:
            name = self._blocks.write(kind, table)
        except OSError as error:
            raise StorageError(
                f"{self._blocks.place(kind)} cannot be written: {first_line(error)}. Free space "
                "there, or make it writable, and do the same again: blocks of hands that are "
                "complete are kept, and it goes on after them."
            ) from error
        self._seen.setdefault(kind, {})[name] = Held(len(table))
        return name


def take_over(
    stored: DuckDBPyConnection, connection: DuckDBPyConnection, table: str, query: str
) -> None:
    """Make a table of what a query over the tables of a snapshot gives, a batch at a time."""
    connection.register("rows", stored.sql(query).to_arrow_reader(_BATCH))
    connection.execute(f"CREATE TABLE {table} AS FROM rows")
    connection.unregister("rows")


def query_of_valid(which: Which) -> str:
    """Return the query for the hands that count, with what a sample is drawn by.

    That is a hash of what was dealt and done: as good as chance, and who is forgotten changes none.
    """
    valid = solved.VALID.replace("games.", "")
    if which.sample is None:
        return valid
    return valid.replace("ruleset\n", "ruleset, md5(concat(deal, deeds)) AS mixed\n", 1)


def _left_of_valid(connection: DuckDBPyConnection, which: Which) -> tuple[Numbers, int]:
    """Return the numbers in table ``valid`` that ``known`` lacks, and how many there are in all."""
    if which.chosen is not None:
        connection.register("chosen", {"hand_no": which.chosen})
        connection.execute("DELETE FROM valid WHERE hand_no NOT IN (SELECT hand_no FROM chosen)")
    if which.sample is not None:
        # A larger sample holds the smaller one.
        connection.execute(
            "DELETE FROM valid WHERE hand_no NOT IN "
            "(SELECT hand_no FROM valid ORDER BY mixed, hand_no LIMIT $1)",
            [which.sample],
        )
    ((count,),) = connection.execute("SELECT count(*) FROM valid").fetchall()
    found = connection.execute(
        "SELECT hand_no FROM valid ANTI JOIN known USING (content_hash, ruleset) "
        "ORDER BY hand_no DESC"
    ).fetchnumpy()
    return np.asarray(found["hand_no"], np.int64), int(count)


# --- Blocks in the folder of a warehouse


def copy_solved(db: Path, to: Path) -> None:
    """Have another warehouse keep sound blocks of this version, and the list; or ``OSError``."""
    found: dict[str, set[str]] = {kind.digest: set() for kind in kept.KINDS}
    for _ in range(_ATTEMPTS):
        counting = kept.listed(db)
        for kind in kept.KINDS:
            found[kind.digest] |= of_folder(db).copy_to(of_folder(to), kind)
        # A run that ends meanwhile puts blocks together, and removes those it had been copying.
        if kept.listed(db) == counting:
            break
    if counting:
        both = {
            digest: [name for name in names if name in found.get(digest, ())]
            for digest, names in counting.blocks.items()
        }
        kept.put_on_list(to, Listed(both))


def troubles(db: Path) -> Iterator[tuple[str, str, str]]:
    """Give what is wrong with list and blocks: file, sentence, what to do; raises ``OSError``."""
    if not (db / kept.FOLDER).exists():
        # Which blocks would be of this version hangs on many sources, which need not be read.
        return
    try:
        kept.read_list(db)
    except (OSError, ValueError):
        says = "It is damaged, so that all blocks that are there count."
        name = f"{kept.FOLDER}/{kept.LIST}"
        yield name, says, "tricklog solve writes it again; no value is lost."
    yield from of_folder(db).troubles()
    for kind in kept.KINDS:
        # A run that ends meanwhile puts others in their place.
        for name in sorted(_missing(db, kind) & _missing(db, kind)):
            yield f"{kind.folder}/{name}", "It is missing.", kept.AGAIN


def _missing(db: Path, kind: Kind) -> set[str]:
    found = kept.listed(db)
    return {path.name for path in (found.paths(db, kind) if found else ()) if not path.exists()}
