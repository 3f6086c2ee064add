"""Where evenings are kept while they are recorded, and the logs that their hands are added to.

A file for each evening, replaced as a whole with every change, so that what was said last is never
lost and never half written. Each change names the one it builds on: of two devices at one evening,
the one that has not seen the other's change is told.
"""

from __future__ import annotations

import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

import msgspec

from tricklog.core.recording.evening import Evening
from tricklog.schemas.hand import encode_hand
from tricklog.schemas.languages.messages import message, say

FOLDER: Final = "recorded"
"""Folder below that of what users write: logs, and evenings that are not finished."""
CHANGED_ELSEWHERE: Final = message(
    "Another device has recorded since. What it recorded is shown now; what you did last was not "
    "taken. Look, and do it again if it is still missing."
)
_DRAFTS: Final = "evenings"
_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_LOG: Final = re.compile(r"[^\W_][\w. -]{0,79}")
_MOST_REMEMBERED: Final = 50


class KeepingError(Exception):
    """An evening or a log that cannot be read or written; the sentence says why and what to do."""


class ChangedElsewhereError(KeepingError):
    """Somebody else has changed the evening since it was read; nothing was written."""


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """An evening as it is kept."""

    revision: int
    """Grows with every change."""
    evening: Evening
    log: str
    """Name of the log its hands go to."""
    asked: str = ""
    """What was typed or tapped, and has to be confirmed before it is taken down."""
    seen: str = ""
    """The last message of a device that was taken in, so that none is taken in twice."""


def new_id() -> str:
    """Return a name for an evening that nobody can guess."""
    return secrets.token_hex(6)


def evening_file(folder: Path, evening_id: str) -> Path:
    """Return where an evening is kept. Raises ``KeepingError`` for what is no name of one."""
    if not _ID.fullmatch(evening_id):
        raise KeepingError(say("{name} is no name of an evening.", name=repr(evening_id)))
    return folder / FOLDER / _DRAFTS / f"{evening_id}.json"


def read_file(path: Path) -> Kept | None:
    """Return the evening kept in a file, ``None`` where there is none.

    Raises ``KeepingError`` where it cannot be read.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Kept)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise KeepingError(f"{path} cannot be read: {error.strerror}.") from error
    except msgspec.DecodeError as error:
        raise KeepingError(
            f"{path} is no evening that this version wrote ({error}). Move it away to begin again."
        ) from error


def write_file(path: Path, kept: Kept, *, builds_on: int) -> Kept:
    """Keep an evening, and return it with its new revision.

    Raises ``ChangedElsewhereError`` where what is kept is not the revision it builds on, and
    ``KeepingError`` where it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.with_suffix(".lock").open("ab") as lock, _held(lock):
            before = read_file(path)
            if (before.revision if before else 0) != builds_on:
                raise ChangedElsewhereError(str(CHANGED_ELSEWHERE))
            now = msgspec.structs.replace(kept, revision=builds_on + 1)
            unfinished = path.with_suffix(".new")
            with unfinished.open("wb") as file:
                file.write(msgspec.json.encode(now))
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
    except OSError as error:
        raise KeepingError(f"{path} cannot be written: {error.strerror}.") from error
    return now


def latest(folder: Path) -> list[Kept]:
    """Return the evenings kept last, the latest first; those that cannot be read are left out."""
    files: list[tuple[float, Path]] = []
    with suppress(OSError):
        files = [(f.stat().st_mtime, f) for f in (folder / FOLDER / _DRAFTS).glob("*.json")]
    found = []
    for _, path in sorted(files, reverse=True)[:_MOST_REMEMBERED]:
        with suppress(KeepingError):
            found.append(read_file(path))
    return [kept for kept in found if kept]


def log_file(folder: Path, name: str) -> Path:
    """Return the path of a log of recorded hands. Raises ``KeepingError`` for an unfit name."""
    stem = name.strip().removesuffix(".jsonl")
    if not _LOG.fullmatch(stem) or ".." in stem:
        raise KeepingError(
            say(
                "{name} cannot be the name of a log: use letters, figures, spaces, dots and "
                "hyphens.",
                name=repr(name),
            )
        )
    return folder / FOLDER / f"{stem}.jsonl"


def hand_over(log: Path, path: Path, kept: Kept) -> tuple[Kept, int]:
    """Add the hands of an evening to its log that it lacks, and note that in the evening's file.

    Returns the evening as it is kept now, and how many hands were added. Both are done or neither:
    raises what ``write_file`` does, and the log is then as it was.
    """
    hands = kept.evening.unwritten()
    evening = msgspec.structs.replace(kept.evening, written=len(kept.evening.done))
    written = msgspec.structs.replace(kept, evening=evening)
    if not hands:
        return write_file(path, written, builds_on=kept.revision), 0
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        # Without a buffer nothing is left that would be written later.
        with log.open("a+b", buffering=0) as file, _held(file):
            file.seek(0)
            before = file.read()
            present = set(before.split(b"\n"))
            lines = [line for line in map(encode_hand, hands) if line not in present]
            try:
                if lines:
                    joined = b"\n" if before and not before.endswith(b"\n") else b""
                    text = memoryview(joined + b"\n".join(lines) + b"\n")
                    while text:
                        text = text[file.write(text) :]
                    os.fsync(file.fileno())
                return write_file(path, written, builds_on=kept.revision), len(lines)
            except BaseException:
                file.truncate(len(before))
                raise
    except OSError as error:
        raise KeepingError(f"{log} cannot be written: {error.strerror}.") from error


@contextmanager
def _held(file: IO[bytes]) -> Iterator[None]:
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)
