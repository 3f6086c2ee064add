"""Solved hands of a lake: blocks beside its tables, and the tables that readers see.

Several runs may solve one lake at once, on one machine or on many: each begins somewhere else, and
passes over hands that another has solved meanwhile. Blocks have no list here. What readers see is
published as a load is (``tricklog.ingest.lake.publish``), with its lease and its fence: rows of all
blocks that hands of the newest snapshot lack, as files of the tables.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tricklog.ingest.facts import kept
from tricklog.ingest.facts.kept import Kind
from tricklog.ingest.lake.publish import in_words
from tricklog.ingest.lake.storage import AT_ONCE
from tricklog.ingest.reading.progress import OnProgress
from tricklog.ingest.store import database
from tricklog.ingest.store.publishing import BusyError, StorageError
from tricklog.ingest.study import blocks, lake_blocks, lake_tables
from tricklog.ingest.study.folders import left_of_valid, not_written, query_of_valid
from tricklog.ingest.study.homes import ASKED, MEMORY, Numbers, Which

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from duckdb import DuckDBPyConnection

    from tricklog.ingest.lake.door import LakeWarehouse

_LOOK: Final = 20.0
"""Seconds between two looks at what others have solved."""
_MANY: Final = 4_000
"""Hands from which on several machines may be at work."""
_OLD: Final = 86_400.0
"""Seconds after which a block that is not complete belongs to a run that was killed."""
_KEYS: Final = ["content_hash", "ruleset"]


class LakeHome:
    """See ``Home``."""

    def __init__(self, lake: LakeWarehouse) -> None:
        """Raises ``NoSnapshotError`` when nothing has been loaded yet."""
        self._warehouse = lake
        self._lake = lake.lake
        self._storage = lake.storage
        self._snapshot = lake.snapshot()
        self._seen: dict[Kind, set[str]] = {}
        self._others: dict[Kind, frozenset[bytes]] = {}
        self._asked: dict[Kind, int] = {}
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

    def wanted(self, kind: Kind, which: Which) -> tuple[Numbers, int]:
        """See ``Home.wanted``."""
        if self._storage.is_local:
            blocks.clear(Path(self._storage.path(kind.folder)), older_than=_OLD)
        with (
            self.tables() as stored,
            database.connect(memory_limit=MEMORY) as connection,
            database.interruptible(connection),
            in_words(self._storage),
        ):
            valid = query_of_valid(which).replace("games.", "")
            lake_tables.take_over(stored, connection, "valid", valid)
            connection.execute(
                "CREATE TABLE known AS SELECT content_hash, ruleset FROM valid LIMIT 0"
            )
            self._asked[kind], self._seen[kind] = which.asked, set()
            # What is put together meanwhile is there under another name.
            while names := self._new_names(kind):
                for keys in self._keys_in(kind, names):
                    connection.register("keys", keys)
                    connection.execute("INSERT INTO known FROM keys")
            return left_of_valid(connection, which)

    def _new_names(self, kind: Kind) -> list[str]:
        """Return the names of blocks that this run has not seen."""
        seen = self._seen[kind]
        return [each for each in lake_blocks.names_in(self._storage, kind) if each not in seen]

    def _keys_in(self, kind: Kind, names: Sequence[str]) -> Iterator[pa.Table]:
        """Give whom blocks are about that are what was written; others go.

        Hands of which less was asked than this run asks for are left out.
        """
        asked = self._asked[kind]

        def read(name: str) -> tuple[str, pa.Table | None]:
            content = lake_blocks.read_block(self._storage, kind, name)
            if content is None:
                return name, None
            enough = pc.field(ASKED) >= asked if asked else None
            return name, pq.read_table(pa.BufferReader(content), columns=_KEYS, filters=enough)

        with ThreadPoolExecutor(AT_ONCE) as pool:
            for name, keys in pool.map(read, names):
                self._seen[kind].add(name)
                if keys is not None:
                    yield keys
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
                found = set(self._others.get(kind, ()))
                for keys in self._keys_in(kind, self._new_names(kind)):
                    column = keys["content_hash"].combine_chunks()
                    found.update(column.storage.to_pylist())
                self._others[kind] = frozenset(found)
        return self._others.get(kind, frozenset())

    def write(self, kind: Kind, table: pa.Table) -> str:
        """See ``Home.write``."""
        name, content = blocks.packed(table)
        try:
            lake_blocks.write_block(self._storage, kind, name, content)
        except OSError as error:
            raise StorageError(not_written(f"{self._storage} {kind.folder}", error)) from error
        self._seen[kind].add(name)
        return name

    def publish(
        self, new: Mapping[Kind, Sequence[str]], on_progress: OnProgress | None
    ) -> str | None:
        """See ``Home.publish``."""
        del new
        # What this run is not about stays, unless it is of another version.
        found = [
            kind
            for kind in kept.KINDS
            if kind in self._seen
            or not lake_tables.is_of_this_version(self._lake, self._snapshot, kind)
        ]
        if not any(lake_blocks.names_in(self._storage, kind) for kind in found):
            return None
        try:
            number = lake_tables.publish(self._lake, found, on_progress)
        except BusyError as error:
            raise BusyError(
                f"{error} What was solved is kept, and shows once tricklog solve has run again."
            ) from error
        return f"{self._warehouse.address} {number}"
