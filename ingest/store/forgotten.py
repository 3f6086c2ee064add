"""The list of those who were forgotten, beside the warehouse: two files that say the same.

Whoever loads logs reads it first. Without it a log would bring a name back, so one that cannot be
read stops a load.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from tricklog.ingest.reading.forgotten import Forgotten, ForgottenList
from tricklog.ingest.store import seals
from tricklog.ingest.store.warehouse import DamagedError, WarehouseError

FILE: Final = "forgotten.json"
COPY: Final = "forgotten-copy.json"


class UnfinishedError(WarehouseError):
    """Somebody is only half forgotten, and nothing else may be done before that is finished."""


def encoded(listed: ForgottenList) -> bytes:
    """Return what a file holds: the list, and a digest of it on a line of its own."""
    line = msgspec.json.encode(listed)
    return line + b"\n" + seals.digest_of(line).encode() + b"\n"


def decoded(content: bytes) -> ForgottenList:
    """Return the list in a file. Raises ``ValueError`` where it is not what was written."""
    line, digest, rest = content.split(b"\n")
    if rest or seals.digest_of(line).encode() != digest:
        raise ValueError("its bytes are others than written")
    return msgspec.json.decode(line, type=ForgottenList)


def read(db: Path) -> ForgottenList | None:
    """Return the list of the warehouse in a folder, ``None`` where nobody was forgotten.

    Raises ``DamagedError`` where neither of the files can be read.
    """
    troubles = []
    for name in (FILE, COPY):
        try:
            return decoded((db / name).read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError) as error:
            troubles.append(f"{db / name}: {error}")
    if troubles:
        raise DamagedError(damaged(db, "; ".join(troubles)))
    return None


def damaged(db: object, why: str) -> str:
    """Return the sentence about a list that cannot be read."""
    return (
        f"The list of players who were forgotten cannot be read ({why}). Without it logs would "
        f"bring their names back. Put {FILE} back into {db} from a copy of yours; if there is "
        f"none, remove {FILE} and {COPY} and run tricklog forget once more for each of them."
    )


def known(db: Path) -> Forgotten | None:
    """Return the list of a folder at work, ``None`` where nobody was forgotten.

    Raises as ``read`` does.
    """
    listed = read(db)
    return Forgotten(listed) if listed else None


def write(db: Path, listed: ForgottenList) -> None:
    """Put a list in the place of the one before, in one step. Raises ``OSError``."""
    content = encoded(listed)
    for name in (FILE, COPY):
        draft = db / f"{name}.draft"
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(db / name)
    descriptor = os.open(db, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def require_finished(db: Path) -> None:
    """Raise ``UnfinishedError`` where somebody is only half forgotten.

    Until that is finished a log would meet hands with the old names as well as with the new.
    """
    with suppress(DamagedError):
        listed = read(db)
        if listed and listed.unfinished:
            raise UnfinishedError(unfinished(db))


def unfinished(db: object) -> str:
    """Return the sentence about somebody who is only half forgotten."""
    return (
        f"tricklog forget did not come to its end in {db}. Run it again for the same player first; "
        "nothing is lost."
    )


def forgotten_meanwhile(db: object) -> str:
    """Return the sentence of a load that began before somebody was forgotten."""
    return (
        f"While the logs were read somebody was forgotten in {db}. Nothing was published; do the "
        "same again."
    )


def troubles(db: Path) -> list[tuple[str, str, str]]:
    """Return what is wrong with the files in a folder: the file, a sentence, what to do.

    Raises ``OSError`` when one cannot be read.
    """
    there = (name for name in (FILE, COPY) if (db / name).is_file())
    return troubles_of({name: (db / name).read_bytes() for name in there})


def troubles_of(there: Mapping[str, bytes]) -> list[tuple[str, str, str]]:
    """Return what is wrong with the files that are there, given what each holds."""
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
