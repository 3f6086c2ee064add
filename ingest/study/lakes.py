"""Solved hands of a lake: blocks beside its tables, and the tables that readers see.

Several runs may solve one lake at once, on one machine or on many: each begins somewhere else, and
passes over hands that another has solved meanwhile. Blocks have no list here. What readers see is
published as a load is (``tricklog.ingest.lake.publish``), with its lease and its fence: rows of all
blocks that hands of the newest snapshot lack, as files of the tables.
"""

from __future__ import annotations

import random
import time
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa

from tricklog.ingest.facts import kept
from tricklog.ingest.facts.kept import Kind
from tricklog.ingest.lake.publish import in_words
from tricklog.ingest.reading.progress import OnProgress
from tricklog.ingest.store.publishing import BusyError
from tricklog.ingest.study import lake_tables
from tricklog.ingest.study.blocks import Blocks
from tricklog.ingest.study.homes import Home, Numbers

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from duckdb import DuckDBPyConnection

    from tricklog.ingest.lake.door import LakeWarehouse

_LOOK: Final = 20.0
"""Seconds between two looks at what others have solved."""
_MANY: Final = 4_000
"""Hands from which on several machines may be at work."""


class LakeHome(Home):
    """See ``Home``."""

    _old = 86_400.0

    def __init__(self, lake: LakeWarehouse) -> None:
        """Raises ``NoSnapshotError`` when nothing has been loaded yet."""
        super().__init__(Blocks(lake.storage))
        self._warehouse = lake
        self._lake = lake.lake
        self._snapshot = lake.snapshot()
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

    def in_words(self) -> AbstractContextManager[object]:
        """See ``Home.in_words``."""
        return in_words(self._blocks.storage)

    def publish(self, on_progress: OnProgress | None) -> str | None:
        """See ``Home.publish``."""
        # What this run is not about stays, unless it is of another version.
        found = [
            kind
            for kind in kept.KINDS
            if kind in self._seen
            or not lake_tables.is_of_this_version(self._lake, self._snapshot, kind)
        ]
        if not any(map(self._blocks.names, found)):
            return None
        try:
            number = lake_tables.publish(self._lake, found, on_progress)
        except BusyError as error:
            raise BusyError(
                f"{error} What was solved is kept, and shows once tricklog solve has run again."
            ) from error
        return f"{self._warehouse.address} {number}"
