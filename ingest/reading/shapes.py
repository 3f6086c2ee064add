"""How the hands of a log stand in it: one a line, as JSON over many lines, or as text.

The name tells, where it ends as logs do; else the beginning of the content, after decompression.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from pathlib import Path
from typing import Final

LINE_SUFFIXES: Final = (".jsonl", ".ndjson")
TEXT_SUFFIX: Final = ".trick"
LOG_SUFFIXES: Final = (*LINE_SUFFIXES, TEXT_SUFFIX)
"""What the logs of a folder end in, packed or not."""
READ_ARCHIVES: Final = (".gz", ".zst")
LOOKED_AT: Final = 1 << 16
"""Bytes of the beginning that are looked at, at most."""
_OPENED: Final = re.compile(rb"\s*+(?:\[\s*+(?:[{\]]|\Z)|\{[ \t\r]*\n)")
"""JSON over many lines: a list of objects, or an object with nothing on its first line."""
_NOT_SURE: Final = re.compile(rb"\s*+(?:\[\s*+|\{[ \t\r]*+)?\Z")
_FIRST_SAID: Final = re.compile(rb"(?:\s*+#[^\n]*+\n)*+\s*+([^#\s][^\n]*+)\n")
"""The first line of a text that is no comment."""
FIRST_HAND: Final = 1 << 12
"""Bytes of the beginning of a ``.json`` file in which a hand has to begin."""
_HAND: Final = re.compile(rb'"format"\s*+:\s*+"tricklog/')
_BOM: Final = b"\xef\xbb\xbf"


class Shape(Enum):
    """How hands stand in a log."""

    LINES = auto()
    """One hand a line, as JSON."""
    JSON = auto()
    """JSON values over any number of lines, by themselves or as one list."""
    TEXT = auto()
    """What people write, see ``tricklog.ingest.text_form``."""


def shape_of_name(name: str) -> Shape | None:
    """Return the shape that the name of a log tells, if it does."""
    name = name.lower()
    for suffix in READ_ARCHIVES:
        name = name.removesuffix(suffix)
    if name.endswith(TEXT_SUFFIX):
        return Shape.TEXT
    return Shape.LINES if name.endswith(LINE_SUFFIXES) else None


def shape_of_content(head: bytes) -> Shape | None:
    """Return the shape that the beginning of a log tells; ``None`` when more of it is needed."""
    head = head.removeprefix(_BOM)
    if _NOT_SURE.match(head):
        return None
    if _OPENED.match(head):
        return Shape.JSON
    if head.lstrip()[:1] in {b"{", b"["}:
        return Shape.LINES
    first = _FIRST_SAID.match(head)
    if first is None:
        return None
    from tricklog.ingest.text_form.reader import begins_text

    line = first[1].decode("utf-8", "replace")
    return Shape.TEXT if begins_text(line) else Shape.LINES


def with_shape(
    name: str, pieces: Iterator[tuple[int, bytes]]
) -> tuple[Shape, Iterator[tuple[int, bytes]]]:
    """Return the shape of a log, and its pieces, of which the first may have been looked at.

    What reading the first pieces raises is raised by the pieces that are returned.
    """
    shape = shape_of_name(name)
    if shape is not None:
        return shape, pieces
    looked_at: list[tuple[int, bytes]] = []
    head = b""
    failure: Iterable[tuple[int, bytes]] = ()
    try:
        for piece in pieces:
            looked_at.append(piece)
            head += piece[1]
            shape = shape_of_content(head)
            if shape is not None or len(head) >= LOOKED_AT:
                break
    except Exception as error:  # noqa: BLE001 - whoever reads on meets it where it belongs
        failure = map(_raise, [error])
    if shape is None and _OPENED.match(head.removeprefix(_BOM)):
        shape = Shape.JSON
    return shape or Shape.LINES, itertools.chain(looked_at, failure, pieces)


def _raise(error: Exception) -> tuple[int, bytes]:
    raise error


def begins_with_a_hand(path: Path) -> bool:
    """Whether a file begins as JSON with a hand in it does; false for what cannot be opened.

    It tells logs from all the other files of JSON that a folder may hold.
    """
    try:
        with path.open("rb", buffering=0) as file:
            return bool(_HAND.search(file.read(FIRST_HAND)))
    except OSError:
        return False
