"""Where solved hands are kept: what a run that solves needs of a warehouse, wherever it lies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray

from tricklog.ingest.facts import solved
from tricklog.ingest.facts.kept import Kind
from tricklog.ingest.reading.progress import OnProgress
from tricklog.ingest.store import database
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.store.warehouse import first_line
from tricklog.ingest.study import blocks
from tricklog.ingest.study.blocks import ASKED, Blocks, Held

Numbers = NDArray[np.int64]
MEMORY: Final = "400MB"
"""What DuckDB may take to find out which hands are wanted."""
_BATCH: Final = 20_480
"""Rows that are taken over at a time."""
_KEYS: Final = ["content_hash", "ruleset"]


@dataclass(frozen=True, slots=True)
class Which:
    """Which hands a run is about: valid ones, unless more is said."""

    chosen: Numbers | None = None
    """The numbers of those that filters let through."""
    sample: int | None = None
    """So many of them at the most, by chance, which is the same for every run."""
    asked: int = 0
    """Blocks that say how much was asked of a hand do not count where that was less."""


class Home(ABC):
    """A warehouse whose hands are solved."""

    _old: ClassVar[float] = 0.0
    """Seconds after which a block that is not complete belongs to a run that was killed."""

    def __init__(self, kept: Blocks) -> None:
        self._blocks = kept
        self._seen: dict[Kind, dict[str, Held]] = {}
        """The sound blocks that this run has found or written, by name."""
        self._asked: dict[Kind, int] = {}

    @abstractmethod
    def alone(
        self, patience: float, on_progress: OnProgress | None
    ) -> AbstractContextManager[object]:
        """Keep other runs away, where two must not solve at once.

        Raises ``BusyError`` when another does not end within ``patience`` seconds.
        """

    @abstractmethod
    def tables(self) -> DuckDBPyConnection:
        """Open the tables of the snapshot that is solved."""

    @abstractmethod
    def facts(self, on_progress: OnProgress | None) -> DuckDBPyConnection:
        """Open its facts, as ``open_facts`` does."""

    @abstractmethod
    def publish(self, on_progress: OnProgress | None) -> str | None:
        """Have readers see all that is kept; return what shows it.

        ``None`` where nothing has ever been found.
        """

    @abstractmethod
    def in_words(self) -> AbstractContextManager[object]:
        """Say in a sentence where blocks cannot be read."""

    def order(self, wanted: Numbers) -> Numbers:
        """Return the numbers of hands in the order in which they are to be solved."""
        return wanted

    def others(self, kind: Kind) -> frozenset[bytes]:  # noqa: ARG002 - where others may solve
        """Return the content of hands that other runs have solved since this one looked."""
        return frozenset()

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
            return left_of_valid(connection, which)

    def _new_names(self, kind: Kind) -> list[str]:
        """Return the names of blocks that this run has not seen."""
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
            yield pq.read_table(pa.BufferReader(content), columns=_KEYS, filters=enough)

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


def left_of_valid(connection: DuckDBPyConnection, which: Which) -> tuple[Numbers, int]:
    """Return the numbers in table ``valid`` that ``known`` lacks, and how many there are in all.

    The newest first; ``which`` leaves out others.
    """
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
