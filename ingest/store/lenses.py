"""A lens: what users have written that figures use beside what was loaded."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from tricklog.ingest.store import aliases, marks, userdata
from tricklog.ingest.store.scopes import Scope
from tricklog.ingest.store.warehouse import DamagedError


@dataclass(frozen=True, slots=True)
class Lens:
    """What facts are seen through; nothing that was loaded is changed by it."""

    tags: tuple[tuple[str, str], ...] = ()
    """Content hash and tag of hands, sorted."""
    aliases: tuple[tuple[str, str], ...] = ()
    """Ids of players, each with that of the player whom they stand for, sorted."""

    @property
    def key(self) -> str:
        """What stands for the lens where something found through it is kept."""
        if self == NOTHING:
            return ""
        return hashlib.sha256(repr((self.tags, self.aliases)).encode()).hexdigest()[:16]

    def of_scope(self, scope: Scope) -> Scope:
        """Return a scope that knows its people by all of their ids."""
        if not (scope.people and self.aliases):
            return scope
        known = dict(self.aliases)
        people = {known.get(each, each) for each in scope.people}
        people |= {each for each, whom in self.aliases if whom in people}
        return replace(scope, people=tuple(sorted({*people, *scope.people})))


NOTHING: Final = Lens()


def lens_of(folder: str | Path) -> Lens:
    """Return what users wrote in a folder; ``UserDataError`` where its copy is damaged, too."""
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
    """Return what ``lens_of`` does; or raises ``DamagedError``: figures never change quietly."""
    try:
        return lens_of(folder)
    except userdata.UserDataError as error:
        raise DamagedError(
            f"{error} Figures by tag and of merged players need it; tricklog db rebuild mends what "
            "has a copy."
        ) from error


def _read(folder: str | Path) -> Lens:
    return Lens(marks.marks(folder).tags, aliases.aliases(folder))
