"""A lake as ``tricklog.ingest.warehouses`` shows it to whoever reads it or loads into it."""

from __future__ import annotations

import functools
import hashlib
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platformdirs import user_data_path

from tricklog.ingest.lake import reading
from tricklog.ingest.lake.checking import damage_behind
from tricklog.ingest.lake.publish import Lake, Snapshot, damaged_file
from tricklog.ingest.lake.storage import Storage
from tricklog.ingest.store.absent import db_option
from tricklog.ingest.store.lenses import own_lens
from tricklog.ingest.store.publishing import StorageError, require_place
from tricklog.ingest.store.warehouse import (
    DamagedError,
    WarehouseError,
    first_line,
    is_damage_of_file,
    is_trouble,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from duckdb import DuckDBPyConnection

    from tricklog.ingest.reading.progress import OnProgress
    from tricklog.ingest.store.lenses import Lens
    from tricklog.ingest.store.scopes import Scope

_ATTEMPTS: Final = 5
_REMEMBERED: Final = 64
"""Snapshots that can be opened by their states without looking for them."""


class LakeWarehouse:
    """A lake; a state is its address and the number of a snapshot."""

    def __init__(self, db: str | Path, storage: Storage) -> None:
        self._db = db
        self.storage = storage
        self.lake, self._snapshots = _lake_of(self.storage)

    @property
    def name(self) -> str:
        """What messages call it."""
        return str(self._db)

    @property
    def address(self) -> str:
        """What ``--db`` takes in any working folder."""
        return str(self.storage)

    def current(self) -> str | None:
        """Return address and number of what is published now."""
        snapshot = self.lake.current()
        return self._state_of(snapshot) if snapshot else None

    def mark(self) -> object:
        """Return the state."""
        return self.current()

    def is_there(self, state: str) -> bool:
        """Return whether it is the newest. What tidying removes of an older one shows late."""
        with suppress(WarehouseError):
            return self.current() == state
        return True

    def snapshot(self, state: str | None = None) -> Snapshot:
        """Return what a state names, by default the one that is published now.

        Raises ``NoSnapshotError`` before the first load, and ``WarehouseError`` for a state that is
        not known any more.
        """
        if state is None:
            return self.lake.opened()
        found = self._snapshots.get(state)
        if found is None:
            for each in self.lake.snapshots():
                if f"{self.address} {each.number}" == state:
                    self.lake.want_readable(each)
                    return each
            raise WarehouseError(f"There is no snapshot {state} any more: open the newest.")
        return found

    def tables(self, state: str | None = None, *, once: bool = False) -> DuckDBPyConnection:
        """See ``Warehouse.tables``."""
        return self._opened(state, partial(reading.open_tables, once=once))

    def facts(
        self,
        state: str | None = None,
        on_progress: OnProgress | None = None,
        lens: Lens | None = None,
        scope: Scope | None = None,
    ) -> DuckDBPyConnection:
        """See ``Warehouse.facts``. A load has derived them."""
        del on_progress
        seen = own_lens(self.user_folder()) if lens is None else lens
        return self._opened(state, partial(reading.open_facts, lens=seen, scope=scope))

    def facts_are_ready(self, state: str) -> bool:
        """Return that they are: a load publishes both together."""
        del state
        return True

    def explained(self, error: Exception) -> WarehouseError | None:
        """Return which file is missing or another one than was published, or what else it is.

        A number or a text that was damaged shows as one that a statement cannot use; ``None`` where
        no file is behind that.
        """
        try:
            wrong = damage_behind(self.lake, self.lake.opened(), error)
        except WarehouseError as trouble:
            return trouble
        if wrong:
            return damaged_file(self.name, *wrong)
        if not is_trouble(error):
            return None
        if is_damage_of_file(error):
            return DamagedError(
                f"{self.name} is damaged: {first_line(error)}. tricklog db verify "
                f"{db_option(self.name)} looks at every file of it."
            )
        return StorageError(
            f"{self.name} could not be read: {first_line(error)}. Check the store and the memory "
            f"that is free, then do the same again; tricklog db verify {db_option(self.name)} says "
            "whether the lake is in order."
        )

    def require_place(self) -> None:
        """Raise ``OSError`` where a folder cannot be written; of a store only a load finds out."""
        if self.storage.is_local:
            require_place(Path(self.storage.root))

    def user_folder(self) -> Path:
        """Return the lake's own folder; of an object store one of this machine and this user.

        It is made when it is not there. An object store cannot hold a file that changes in place.
        """
        if self.storage.is_local:
            return Path(self.storage.root)
        digest = hashlib.sha256(self.storage.uri.encode()).hexdigest()[:16]
        from tricklog.core.study.averages import users_folder

        folder = users_folder(user_data_path) / "lakes" / digest
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        return folder

    def _state_of(self, snapshot: Snapshot) -> str:
        state = f"{self.address} {snapshot.number}"
        while len(self._snapshots) >= _REMEMBERED:
            self._snapshots.pop(next(iter(self._snapshots)), None)
        self._snapshots[state] = snapshot
        return state

    def _opened(
        self, state: str | None, opening: Callable[[Lake, Snapshot], DuckDBPyConnection]
    ) -> DuckDBPyConnection:
        """Open a snapshot; where the newest is tidied away meanwhile, the one after it."""
        for attempt in range(_ATTEMPTS):
            snapshot = self.snapshot(state)
            try:
                return opening(self.lake, snapshot)
            except WarehouseError:
                if state or attempt + 1 == _ATTEMPTS or self.lake.opened() == snapshot:
                    raise
        raise AssertionError("the loop returns or raises")


@functools.lru_cache(maxsize=8)
def _lake_of(storage: Storage) -> tuple[Lake, dict[str, Snapshot]]:
    """Return the lake of a storage, and its snapshots by state as far as they were seen."""
    return Lake(storage), {}
