"""A lens: what users have written that figures heed beside what was loaded."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from ingest.store import marks, userdata
from ingest.store.warehouse import WarehouseError


@dataclass(frozen=True, slots=True)
class Lens:
    """What facts are seen through; nothing that was loaded is changed by it."""

    tags: tuple[tuple[str, str], ...] = ()
    """Content hash and tag of hands, sorted."""

    @property
    def key(self) -> str:
        """What stands for the lens where something found through it is kept."""
        if self == NOTHING:
            return ""
        return hashlib.sha256(repr(self.tags).encode()).hexdigest()[:16]


NOTHING: Final = Lens()


def lens_of(folder: str | Path) -> Lens:
    """Return the lens of what users wrote in a folder.

    Raises ``UserDataError`` for a file that can be read neither itself nor as a copy.
    """
    path = userdata.user_file(folder)
    try:
        state = path.stat()
    except OSError:
        # The copy, or the sentence that says what is wrong.
        return _read(folder)
    return _kept(str(folder), state.st_mtime_ns, state.st_size, state.st_ino)


@lru_cache(maxsize=16)
def _kept(folder: str, *_state: int) -> Lens:
    return _read(folder)


def own_lens(folder: str | Path) -> Lens:
    """Return what ``lens_of`` does; whoever cannot go on without it hears of it.

    Raises ``WarehouseError`` where that raises, as figures would silently be others without it.
    """
    try:
        return lens_of(folder)
    except userdata.UserDataError as error:
        raise WarehouseError(
            f"{error} Figures by tag need it; tricklog rebuild mends what has a copy."
        ) from error


def _read(folder: str | Path) -> Lens:
    return Lens(marks.marks(folder).tags)
