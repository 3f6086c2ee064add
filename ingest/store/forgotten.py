"""The list of those who were forgotten, beside the warehouse: two files that say the same.

Whoever loads logs reads it first. Without it a log would bring a name back, so one that cannot be
read stops a load.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

import msgspec

from tricklog.ingest.reading.forgotten import Forgotten, ForgottenList
from tricklog.ingest.store import disk, seals
from tricklog.ingest.store.warehouse import DamagedError, WarehouseError

FILE: Final = "forgotten.json"
COPY: Final = "forgotten-copy.json"


class UnfinishedError(WarehouseError):
    """Somebody is only half forgotten, and nothing else may be done before that is finished."""


def encoded(listed: ForgottenList) -> bytes:
    """Return what a file holds: the list, and a digest of it on a line of its own."""
    return seals.with_digest(msgspec.json.encode(listed))


def decoded(content: bytes) -> ForgottenList:
    """Return the list in a file. Raises ``ValueError`` where it is not what was written."""
    return msgspec.json.decode(seals.without_digest(content), type=ForgottenList)


class Store(Protocol):
    """Where a warehouse of many machines keeps its files, by their names."""

    def read(self, name: str) -> bytes:
        """Return what a file holds; raises ``FileNotFoundError`` without it, and ``OSError``."""

    def put(self, name: str, content: bytes) -> None:
        """Put a file in the place of the one before, in one step. Raises ``OSError``."""


def read(db: Path | Store) -> ForgottenList | None:
    """Return the list of a warehouse, ``None`` where nobody was forgotten.

    Raises ``DamagedError`` where neither of the files can be read, and ``OSError`` when the store
    fails.
    """
    troubles = []
    for name in (FILE, COPY):
        try:
            return decoded((db / name).read_bytes() if isinstance(db, Path) else db.read(name))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError) as error:
            if isinstance(error, OSError) and not isinstance(db, Path):
                raise
            troubles.append(f"{name}: {error}")
    if troubles:
        why = "; ".join(troubles)
        raise DamagedError(
            f"The list of players who were forgotten cannot be read ({why}). Without it logs would "
            f"bring their names back. Put {FILE} back into {db} from a copy of yours; if there is "
            f"none, remove {FILE} and {COPY} and run tricklog forget once more for each of them."
        )
    return None


def named(listed: ForgottenList | None) -> str:
    """Return what names a list, empty without one."""
    return seals.digest_of(encoded(listed)) if listed else ""


def known(db: Path | Store) -> Forgotten | None:
    """Return the list at work, ``None`` where nobody was forgotten. Raises as ``read`` does."""
    listed = read(db)
    return Forgotten(listed) if listed else None


def write(db: Path | Store, listed: ForgottenList) -> None:
    """Put a list in the place of the one before, in one step. Raises ``OSError``."""
    content = encoded(listed)
    for name in (FILE, COPY):
        if isinstance(db, Path):
            disk.put(db / name, content)
        else:
            db.put(name, content)


def require_finished(db: Path | Store) -> None:
    """Raise ``UnfinishedError`` where somebody is only half forgotten.

    Until that is finished a log would meet hands with the old names as well as with the new.
    """
    with suppress(DamagedError):
        listed = read(db)
        if listed and listed.unfinished:
            raise UnfinishedError(
                f"tricklog forget did not come to its end in {db}. Run it again for the same "
                "player first; nothing is lost."
            )


def forgotten_meanwhile(db: object) -> str:
    """Return the sentence of a load that began before somebody was forgotten."""
    return (
        f"While the logs were read somebody was forgotten in {db}. Nothing was published; do the "
        "same again."
    )


def troubles(db: Path | Store) -> list[tuple[str, str, str]]:
    """Return what is wrong with the files: name, sentence, what to do; raises ``OSError``."""
    there = {}
    for name in (FILE, COPY):
        with suppress(FileNotFoundError, IsADirectoryError):
            there[name] = (db / name).read_bytes() if isinstance(db, Path) else db.read(name)
    found = []
    said: set[bytes] = set()
    for name, content in there.items():
        try:
            said.add(encoded(decoded(content)))
        except ValueError as error:
            found.append((name, f"It is damaged: {error}.", _PUT_BACK))
    if len(there) == 1 or len(said) > 1:
        name = COPY if FILE in there else FILE
        found.append((name, "It does not say what the other file of the list says.", _PUT_BACK))
    return found


_PUT_BACK: Final = (
    f"Copy the other one of {FILE} and {COPY} over it; loads read the first that is in order."
)
