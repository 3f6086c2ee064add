"""Solved hands of a warehouse of one machine: blocks and their list in its folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from duckdb import DuckDBPyConnection

from tricklog.ingest.facts import files, kept, solved
from tricklog.ingest.facts.kept import Kind
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.store import database, publishing, warehouse
from tricklog.ingest.store.absent import no_warehouse
from tricklog.ingest.store.lenses import own_lens
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.store.warehouse import NoSnapshotError, first_line
from tricklog.ingest.study import blocks, merging
from tricklog.ingest.study.homes import MEMORY, Numbers, Which
from tricklog.ingest.study.merging import Held

LOCK: Final = "STUDY-LOCK"


class Folder:
    """See ``Home``. One run at a time solves, by a lock that the system frees in any case."""

    def __init__(self, db: Path) -> None:
        """Raises ``NoSnapshotError`` when nothing has been loaded yet."""
        snapshot = warehouse.current_snapshot(db)
        if snapshot is None:
            raise NoSnapshotError(no_warehouse(db))
        self._db = db
        self._snapshot = snapshot
        self._sound: dict[Kind, dict[str, Held]] = {}

    @contextmanager
    def alone(self, patience: float, on_progress: OnProgress | None) -> Iterator[None]:
        """See ``Home.alone``."""
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
        """See ``Home.tables``."""
        return warehouse.open_file(self._snapshot, once=True)

    def facts(self, on_progress: OnProgress | None) -> DuckDBPyConnection:
        """See ``Home.facts``."""
        return files.open_facts_of(self._snapshot, on_progress, own_lens(self._snapshot.parent))

    def wanted(self, kind: Kind, which: Which) -> tuple[Numbers, int]:
        """See ``Home.wanted``."""
        folder = kept.blocks_folder(self._db, kind)
        blocks.clear(folder)
        self._sound[kind] = blocks.sound(folder)
        paths = [str(folder / name) for name in self._sound[kind]]
        with (
            database.connect(memory_limit=MEMORY) as connection,
            database.interruptible(connection),
        ):
            database.attach(connection, "games", self._snapshot)
            connection.execute(f"CREATE TABLE valid AS {query_of_valid(which)}")
            if paths:
                listed = ", ".join(f"'{path.replace(chr(39), chr(39) * 2)}'" for path in paths)
                least = f" WHERE asked >= {int(which.asked)}" if which.asked else ""
                connection.execute(f"CREATE VIEW known AS FROM read_parquet([{listed}]){least}")
            else:
                connection.execute("CREATE VIEW known AS FROM valid LIMIT 0")
            return left_of_valid(connection, which)

    def order(self, wanted: Numbers) -> Numbers:
        """See ``Home.order``."""
        return wanted

    def others(self, kind: Kind) -> frozenset[bytes]:
        """See ``Home.others``."""
        del kind
        return frozenset()

    def write(self, kind: Kind, table: pa.Table) -> str:
        """See ``Home.write``."""
        folder = kept.blocks_folder(self._db, kind)
        try:
            return blocks.write(folder, table)
        except OSError as error:
            raise StorageError(not_written(folder, error)) from error

    def publish(
        self, new: Mapping[Kind, Sequence[str]], on_progress: OnProgress | None
    ) -> str | None:
        """See ``Home.publish``."""
        counting: dict[Kind, list[str]] = {}
        gone: dict[Kind, set[str]] = {}
        for kind, sound in self._sound.items():
            written = {name: self._held(kind, name) for name in new.get(kind, ())}
            found = self._put_together(kind, sound | written)
            gone[kind] = found.keys() & merging.replaced(found.values())
            counting[kind] = [name for name in found if name not in gone[kind]]
        path = files.publish_solved(self._db, counting, on_progress)
        # Whoever makes tables looks at the list first, which has no place for these any more.
        for kind, names in gone.items():
            blocks.remove(kept.blocks_folder(self._db, kind), sorted(names))
        return str(path) if path else None

    def _held(self, kind: Kind, name: str) -> Held:
        return merging.held_by(self._content(kind, name))

    def _content(self, kind: Kind, name: str) -> bytes:
        path = kept.blocks_folder(self._db, kind) / name
        try:
            return path.read_bytes()
        except OSError as error:
            raise StorageError(
                f"{path} cannot be read: {error.strerror}. Check the disk, then do the same again."
            ) from error

    def _put_together(self, kind: Kind, found: Mapping[str, Held]) -> dict[str, Held]:
        """Put small blocks together; return all, with those that were there and now have others."""
        after = dict(found)
        over = merging.replaced(found.values())
        counting = {name: held for name, held in found.items() if name not in over}
        for names in merging.portions(counting):
            tables = [pq.read_table(pa.BufferReader(self._content(kind, name))) for name in names]
            replaces = {*names, *(found.keys() & merging.replaced(found[name] for name in names))}
            name = self.write(kind, merging.merged(tables, replaces))
            after[name] = self._held(kind, name)
        return after


def query_of_valid(which: Which) -> str:
    """Return the query for the hands that count, with what a sample is drawn by.

    That is a hash of what was dealt and done: as good as chance, and who is forgotten changes none.
    """
    if which.sample is None:
        return solved.VALID
    return solved.VALID.replace("ruleset\n", "ruleset, md5(concat(deal, deeds)) AS mixed\n", 1)


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


def not_written(place: object, error: Exception) -> str:
    """Return what to say where a block cannot be kept."""
    return (
        f"{place} cannot be written: {first_line(error)}. Free space there, or make it writable, "
        "and do the same again: blocks of hands that are complete are kept, and it goes on after "
        "them."
    )
