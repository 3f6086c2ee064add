"""Merged cells of the open format, which the reader of workbooks does not tell."""

from __future__ import annotations

import io
import zipfile
from collections import defaultdict
from typing import Final
from xml.parsers import expat

Range = tuple[tuple[int, int], tuple[int, int]]
"""The first and the last cell of a range, each as row and column from 0."""
_CONTENT: Final = "content.xml"
_PIECE: Final = 1 << 16


def merged_ranges(content: bytes, most: int) -> dict[str, list[Range]]:
    """Return the merged cells of each sheet by its name, ``most`` a sheet; none of other formats.

    The workbook has to be one that ``zip_guard`` lets pass.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if _CONTENT not in archive.namelist():
            return {}
        spans = _Spans(most)
        with archive.open(_CONTENT) as stream:
            while piece := stream.read(_PIECE):
                spans.feed(piece)
    return spans.found


class _Spans:
    """Counts rows and cells while the content is read, and notes those that span several."""

    def __init__(self, most: int) -> None:
        self.found: dict[str, list[Range]] = defaultdict(list)
        self._most = most
        self._name = ""
        self._depth = self._row = self._column = self._times = 0
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._stop

    def feed(self, piece: bytes) -> None:
        """Take in a piece of the content."""
        self._parser.Parse(piece, False)  # noqa: FBT003 - the parser takes it by position alone

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        if local == "table":
            # A table within a cell is none of its own.
            self._depth += 1
            if self._depth == 1:
                self._name, self._row = _of(attributes, "name") or "", 0
        elif self._depth != 1:
            return
        elif local == "table-row":
            self._column, self._times = 0, _number(attributes, "number-rows-repeated")
        elif local in ("table-cell", "covered-table-cell"):
            self._note(attributes)
            self._column += _number(attributes, "number-columns-repeated")

    def _note(self, attributes: dict[str, str]) -> None:
        rows = _number(attributes, "number-rows-spanned")
        columns = _number(attributes, "number-columns-spanned")
        listed = self.found[self._name]
        if (rows, columns) != (1, 1) and len(listed) < self._most:
            last = (self._row + rows - 1, self._column + columns - 1)
            listed.append(((self._row, self._column), last))

    def _stop(self, name: str) -> None:
        local = name.rpartition(":")[2]
        if local == "table":
            self._depth -= 1
        elif local == "table-row" and self._depth == 1:
            self._row += self._times


def _of(attributes: dict[str, str], name: str) -> str | None:
    return next((said for key, said in attributes.items() if key.rpartition(":")[2] == name), None)


def _number(attributes: dict[str, str], name: str) -> int:
    said = _of(attributes, name) or "1"
    return max(1, int(said)) if said.isdecimal() and len(said) < 8 else 1  # noqa: PLR2004 - digits
