"""Files that came through the browser: under which names they are kept, and where."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Protocol

from tricklog.ingest.reading.sources import Source
from tricklog.ingest.score_sheets.settings import SUFFIXES

FOLDER: Final = "uploaded"
"""Folder of uploads below that of a job; the names under which hands are stored begin with it."""
TYPES: Final = ("jsonl", "ndjson", "json", "trick", "gz", "zst", *(each[1:] for each in SUFFIXES))
LONGEST: Final = 120

_UNSAFE: Final = re.compile(r"[^\w.\- ]")
_SEPARATOR: Final = re.compile(r"[/\\]")


class Upload(Protocol):
    """A file as the browser sent it."""

    name: str

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Move to a place of the file."""

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """Opens what the browser sent."""

    upload: Upload
    size: int
    is_pipe: bool = False

    def open(self, start: int = 0) -> AbstractContextManager[Upload]:
        """Open the bytes from ``start`` on."""
        self.upload.seek(start)
        return nullcontext(self.upload)


def as_source(upload: Upload, size: int) -> Source:
    """Return an upload of so many bytes as a source of lines, to be read before it is kept."""
    return Source(safe_name(upload.name), _Sent(upload, size))


def safe_name(name: str) -> str:
    """Return a name for a file that came with the name ``name``, which may be anything.

    Nothing of it leads out of a folder, hides a file, looks like an option or turns text round.
    """
    last = _SEPARATOR.split(name)[-1]
    kept = _UNSAFE.sub("_", last).strip().lstrip(".-_ ")
    stem, dot, suffix = kept.rpartition(".")
    if len(kept) > LONGEST and dot and len(suffix) < LONGEST:
        return f"{stem[: LONGEST - len(suffix) - 1]}.{suffix}"
    return kept[:LONGEST] or "log"


def keep(uploads: Sequence[Upload], folder: Path) -> list[str]:
    """Write uploads into a folder of their own below ``folder``; return their paths below it.

    Raises ``OSError`` when there is no room.
    """
    (folder / FOLDER).mkdir()
    paths: list[str] = []
    for upload in uploads:
        name = _unused(safe_name(upload.name), paths)
        upload.seek(0)
        with (folder / name).open("xb") as file:
            _copy(upload, file)
        paths.append(name)
    return paths


def _unused(name: str, taken: list[str]) -> str:
    path, number = f"{FOLDER}/{name}", 2
    # Some systems take names that differ in capitals alone for the same.
    while path.casefold() in (each.casefold() for each in taken):
        path = f"{FOLDER}/{number}-{name}"
        number += 1
    return path


def _copy(upload: Upload, file: IO[bytes]) -> None:
    shutil.copyfileobj(upload, file)
