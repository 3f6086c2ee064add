"""Files that came through the browser: under which names they are kept, and where."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Final, Protocol

from tricklog.ingest.reading.sources import Opener, Source
from tricklog.ingest.score_sheets.files import read_text_grid
from tricklog.ingest.score_sheets.layout import sections_of
from tricklog.ingest.score_sheets.settings import SUFFIXES
from tricklog.ingest.score_sheets.values import is_number

FOLDER: Final = "uploaded"
"""Folder of uploads below that of a job; the names under which hands are stored begin with it."""
TYPES: Final = ("jsonl", "ndjson", "json", "trick", "gz", "zst", *(each[1:] for each in SUFFIXES))
LONGEST: Final = 120
_LOOKED_AT: Final = 40
"""Lines of a pasted text that say what it is."""

_UNSAFE: Final = re.compile(r"[^\w.\- ]")
_SEPARATOR: Final = re.compile(r"[/\\]")


class Upload(Protocol):
    """A file as the browser sent it."""

    name: str

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Move to a place of the file."""

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes."""


class Pasted(BytesIO):
    """Text that was pasted into the page, as a file that the browser sent."""

    def __init__(self, text: str, called: str) -> None:
        content = text.encode()
        super().__init__(content)
        self.name = f"{called.strip(' .-_') or 'pasted'}{_suffix_of(text)}"
        self.size = len(content)
        self.file_id = sha256(content + self.name.encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        """Whether the same was pasted under the same name."""
        return isinstance(other, Pasted) and other.file_id == self.file_id

    def __hash__(self) -> int:
        """Return a number that goes with it."""
        return hash(self.file_id)


def _suffix_of(text: str) -> str:
    """Return the suffix of files such as a text is: a log, a score sheet, hands as text.

    A score sheet has hands below a row of headings, or several numbers in its first row.
    """
    told = text.removeprefix("\ufeff").replace("\0", "")
    lines = [line for line in told.splitlines() if line.strip()]
    if "".join(lines[:1]).lstrip().startswith(("{", "[")):
        return ".jsonl"
    grid = read_text_grid("\n".join(lines[:_LOOKED_AT]).encode())
    numbers = [is_number(cell) for row in grid.rows[:1] for cell in row.filled.values()]
    has_headings = any(any(each.headings) and each.hands for each in sections_of(grid))
    if sum(numbers) > 1 or has_headings:
        return ".tsv" if "\t" in lines[0] else ".csv"
    return ".trick"


@dataclass(frozen=True, slots=True)
class _Sent(Opener):
    """Opens what the browser sent."""

    upload: Upload
    sent: int

    @property
    def size(self) -> int:
        """How many bytes were sent."""
        return self.sent

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
            shutil.copyfileobj(upload, file)
        paths.append(name)
    return paths


def _unused(name: str, taken: list[str]) -> str:
    path, number = f"{FOLDER}/{name}", 2
    # Some systems take names that differ in capitals alone for the same.
    while path.casefold() in (each.casefold() for each in taken):
        path = f"{FOLDER}/{number}-{name}"
        number += 1
    return path
