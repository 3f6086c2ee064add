"""Solved hands of a lake: blocks beside its tables, and the tables that readers see.

Several runs may solve one lake at once, on one machine or on many: each begins somewhere else, and
passes over hands that another has solved meanwhile. Blocks have no list here. What readers see is
published as a load is (``tricklog.ingest.lake.publish``), with its lease and its fence: rows of all
blocks that hands of the newest snapshot lack, as files of the tables.
"""

from __future__ import annotations

import random
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
from duckdb import DuckDBPyConnection

from tricklog.ingest.facts import kept, solved
from tricklog.ingest.facts.kept import Kind
from tricklog.ingest.lake import reading, tables
from tricklog.ingest.lake.door import LakeWarehouse
from tricklog.ingest.lake.publish import Begun, Lake, Snapshot, in_words
from tricklog.ingest.lake.storage import Storage
from tricklog.ingest.lake.upkeep import TIDYING, Held
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.store import database
from tricklog.ingest.store.publishing import BusyError
from tricklog.ingest.study.blocks import ASKED, Blocks, portions, replaced
from tricklog.ingest.study.homes import MEMORY, Home, Numbers, Which, query_of_valid, take_over

SOLVE: Final = "solve"
"""What a lake is said to be held by while solved hands are published."""
WAIT: Final = 60.0
"""Seconds to wait for a load that holds the lake, before what was solved waits for another run."""
_TICK: Final = 0.5
_LOOK: Final = 20.0
"""Seconds between two looks at what others have solved."""
_MANY: Final = 4_000
"""Hands from which on several machines may be at work."""


class LakeHome(Home):
    """A lake whose hands are solved."""

    _old = 86_400.0
    _is_alone = False

    def __init__(self, lake: LakeWarehouse) -> None:
        self._lake, self._snapshot = lake.lake, lake.snapshot()
        super().__init__(lake, f"{lake.address} {self._snapshot.number}", Blocks(lake.storage))
        self._others: dict[Kind, frozenset[bytes]] = {}
        self._looked = time.monotonic()

    def order(self, wanted: Numbers) -> Numbers:
        """Begin elsewhere than others who solve this lake now."""
        if len(wanted) < _MANY:
            return wanted
        return np.roll(wanted, random.SystemRandom().randrange(len(wanted)))

    def others(self, kind: Kind) -> frozenset[bytes]:
        """See ``Home.others``."""
        if time.monotonic() - self._looked >= _LOOK:
            self._looked = time.monotonic()
            with suppress(OSError, pa.ArrowException):
                found = set(self._others.get(kind, ()))
                for keys in self._keys_in(kind, self._new_names(kind)):
                    found.update(keys["content_hash"].combine_chunks().storage.to_pylist())
                self._others[kind] = frozenset(found)
        return self._others.get(kind, frozenset())

    @contextmanager
    def in_words(self) -> Iterator[None]:
        """See ``Home.in_words``."""
        with in_words(self._blocks.storage):
            yield

    def publish(self, on_progress: OnProgress | None) -> str | None:
        """See ``Home.publish``."""
        # What this run is not about stays, unless it is of another version.
        found = [
            kind
            for kind in kept.KINDS
            if kind in self._seen or not _is_of_this_version(self._lake, self._snapshot, kind)
        ]
        if not any(map(self._blocks.names, found)):
            return None
        try:
            number = publish(self._lake, found, on_progress)
        except BusyError as error:
            raise BusyError(
                f"{error} What was solved is kept, and shows once tricklog solve has run again."
            ) from error
        return f"{self._warehouse.address} {number}"


# --- Publishing


def publish_all(lake: Lake, on_progress: OnProgress | None = None) -> None:
    """Have readers see what all blocks say; where a load holds the lake, the next run does."""
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
    with _begun(lake, on_progress) as begun, Scratch() as folder:
        before = begun.before
        assert before
        added: list[tables.File] = []
        outdated: set[str] = set()
        for kind in kinds:
            files, gone = _files(lake, begun, before, kind, Path(folder), on_progress)
            added += files
            outdated |= gone
        if not (added or outdated):
            return before.number
        counts = {SOLVE: sum(file.rows for file in added if file.table == kept.OPEN.tables[0])}
        return begun.publish(added, counts, replaced=outdated).number


def _is_of_this_version(lake: Lake, snapshot: Snapshot, kind: Kind) -> bool:
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


def _files(
    lake: Lake,
    begun: Begun,
    before: Snapshot,
    kind: Kind,
    folder: Path,
    on_progress: OnProgress | None,
) -> tuple[list[tables.File], set[str]]:
    """Write the rows of a kind that are lacking, as files that nobody sees yet.

    Returns them, and the tables that they are all of; nothing where nothing else is to be said.
    """
    with (
        database.connect(memory_limit=MEMORY, temp_directory=str(folder / "spill")) as connection,
        database.interruptible(connection),
    ):
        made = folder / f"{kind.name}.duckdb"
        database.attach(connection, solved.DATABASE, made, read_only=False)
        solved.make_tables(connection, solved.DATABASE)
        is_current = _is_of_this_version(lake, before, kind)
        adds = kind.grows and is_current
        wanted = query_of_valid(Which())
        if adds:
            wanted = f"SELECT * FROM ({wanted}) ANTI JOIN {kind.tables[0]} USING (hand_no)"  # noqa: S608 - our own
        with reading.open_solved(lake, before) as stored:
            take_over(stored, connection, "wanted", wanted)
        _add_rows(connection, Blocks(lake.storage), begun, kind, folder, on_progress)
        if is_current and not adds and _says_the_same(connection, lake, before, kind):
            return [], set()
        files = []
        for table in kind.tables:
            connection.execute(
                f"CREATE VIEW {table} AS SELECT *, '{kind.definition}' AS {tables.SOLVER} "  # noqa: S608 - our own
                f"FROM {solved.DATABASE}.main.{table}"
            )
            rows = tables.batches(connection, table)
            with in_words(lake.storage):
                files.append(tables.write(lake.storage, table, rows, begun.number, 0))
        outdated = set() if adds else {each for each in kind.tables if lake.files(before, each)}
        return [each for each in files if each], outdated


def _add_rows(
    connection: DuckDBPyConnection,
    blocks: Blocks,
    begun: Begun,
    kind: Kind,
    folder: Path,
    on_progress: OnProgress | None,
) -> None:
    """Add the rows of all sound blocks that are wanted."""
    added: set[str] = set()
    while True:
        with in_words(blocks.storage):
            # What is put together meanwhile is there under another name.
            names = [each for each in blocks.names(kind) if each not in added]
        if not names:
            return
        for first in range(0, len(names), solved.AT_ONCE):
            begun.check()
            if on_progress:
                on_progress(Progress(Stage.PUTTING, done=first, total=len(names)))
            paths = []
            with in_words(blocks.storage):
                some = names[first : first + solved.AT_ONCE]
                for name, content in blocks.read_all(kind, some):
                    if content is not None:
                        paths.append(folder / name)
                        paths[-1].write_bytes(content)
            if paths:
                solved.add_rows(connection, kind, paths)
            for path in paths:
                path.unlink()
        added.update(names)


def _says_the_same(
    connection: DuckDBPyConnection, lake: Lake, before: Snapshot, kind: Kind
) -> bool:
    """Return whether the same hands, as much asked of each, are published already."""
    query = f"SELECT hand_no, {ASKED} FROM {kind.tables[0]}"  # noqa: S608 - our own
    with reading.open_solved(lake, before) as stored:
        take_over(stored, connection, "published", query)
    made = query.replace("FROM ", f"FROM {solved.DATABASE}.main.")
    found = connection.execute(
        f"SELECT 1 FROM (({made}) EXCEPT FROM published) "  # noqa: S608 - our own
        f"UNION ALL SELECT 1 FROM (FROM published EXCEPT ({made})) LIMIT 1"
    ).fetchall()
    return not found


# --- Putting blocks together


def merge_blocks(storage: Storage, *, dry_run: bool = False) -> tuple[Held, Held]:
    """Put small blocks together; return what all blocks of this version had, and have now.

    Who reads the lake never opens one, so the old ones go as soon as the new one is there: a run
    that was about to read one looks once more, and finds the other. With ``dry_run`` nothing is
    done, and the second number is what it would come to, with the old size. Raises
    ``WarehouseError`` as ``Lake.begin`` does, and where the store fails.
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
    sizes = [
        entry.size
        for kind in kept.KINDS
        for entry in storage.list(kind.folder)
        if kept.is_block(entry.name.rpartition("/")[2])
    ]
    return Held(len(sizes), sum(sizes))
