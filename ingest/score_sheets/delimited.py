"""Sheets as text: which encoding, which delimiter, and the rows, with line ends in quotes."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from tricklog.ingest.score_sheets.grid import (
    MAX_CELL,
    MAX_COLUMNS,
    MAX_ROWS,
    Grid,
    Row,
    SheetError,
    Value,
)

_DELIMITERS: Final = (",", ";", "\t", "|", ":")
_SAMPLE: Final = 1 << 16
"""Characters of the beginning that tell the delimiter."""
_SAID: Final = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)
"""How spreadsheets name the delimiter in a first line."""
_FEW_ZEROS: Final = 16
"""Bytes of 0 that a damaged text may have; the rows with them are refused, not the file."""
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
csv.field_size_limit(1 << 20)


def read_text_grid(content: bytes, most: int = MAX_ROWS) -> Grid:
    """Return the table in a text, ``most`` rows of it.

    Raises ``SheetError`` for bytes that are no text.
    """
    text, encoding = decoded(content)
    mark = len(content) - len(text.encode(encoding, "replace"))
    said = _SAID.match(text)
    delimiter = said[1] if said else delimiter_of(text[:_SAMPLE])
    rows = _rows(text, encoding, delimiter, mark)
    kept: list[Row] = []
    try:
        for row in rows:
            if len(kept) == MAX_ROWS:
                return Grid(kept, trouble=_too_long(row.number))
            if len(kept) == most:
                return Grid(kept[1:] if said else kept, is_cut=True)
            kept.append(row)
    except csv.Error as error:
        message = f"Row {kept[-1].number + 1 if kept else 1} cannot be read: {error}."
        hint = "Check the quotes there: a quoted cell needs one at its end."
        return Grid(kept, trouble=SheetError(message, hint))
    return Grid(kept[1:] if said else kept)


def _too_long(number: int) -> SheetError:
    return SheetError(
        f"The sheet has more than {MAX_ROWS:,} rows; what stands from row {number} on was not "
        "read.",
        "Save it as several files, such as one for each year.",
    )


def decoded(content: bytes) -> tuple[str, str]:
    """Return a text and its encoding: a mark says it, else UTF-8, else that of Windows.

    Raises ``SheetError`` for what no spreadsheet saves as text.
    """
    for mark, encoding in (
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
    ):
        if content.startswith(mark):
            try:
                return content[len(mark) :].decode(encoding), encoding
            except UnicodeDecodeError as error:
                raise _no_text(error.start + len(mark)) from None
    for encoding in ("utf-16-le", "utf-16-be"):
        if _has_every_other_zero(content, encoding):
            return content.decode(encoding), encoding
    zeros = content.count(0)
    if zeros > max(_FEW_ZEROS, len(content) // 200) or zeros * 8 > len(content):
        raise _no_text(content.index(b"\0"))
    try:
        return content.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        # ASCII aside, the letters of our languages are the same in it and in Latin-1.
        text = content.decode("cp1252", "replace")
        return (text, "cp1252") if "\ufffd" not in text else (content.decode("latin-1"), "latin-1")


def _has_every_other_zero(content: bytes, encoding: str) -> bool:
    sample = content[:2000]
    zeros, others = sample[1::2], sample[0::2]
    if encoding == "utf-16-be":
        zeros, others = others, zeros
    is_text = zeros.count(0) >= 0.7 * len(zeros) and others.count(0) <= 0.3 * len(others)
    if len(content) % 2 or not zeros or not is_text:
        return False
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _no_text(at: int) -> SheetError:
    return SheetError(
        f"From byte {at} on this is no text.",
        "Save the sheet as CSV in UTF-8, or as .xlsx or .ods.",
    )


def delimiter_of(text: str) -> str:
    """Return what separates the cells: what stands as often in one row as in the next."""
    lines = [line for line in _unquoted(text).splitlines()[:200] if line.strip()]
    best, delimiter = (0.0, 0), ","
    for each in _DELIMITERS:
        counts = Counter(line.count(each) for line in lines if each in line)
        if not counts:
            continue
        columns, agreeing = counts.most_common(1)[0]
        # A decimal comma, or the colon of a time, is in some rows alone.
        rank = (agreeing / len(lines) if columns else 0.0, columns)
        if each == ":":
            rank = (rank[0] / 4, columns)
        if rank > best:
            best, delimiter = rank, each
    return delimiter


def _unquoted(text: str) -> str:
    return re.sub(r'"(?:[^"]|"")*"', '""', text)


def _rows(text: str, encoding: str, delimiter: str, mark: int) -> Iterator[Row]:
    lines = _Lines(text, encoding, mark)
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=delimiter != "\t")
    lines.begin()
    for cells in reader:
        number, byte = lines.begin()
        yield Row(number, tuple(_value(cell) for cell in cells[:MAX_COLUMNS]), byte)


class _Lines:
    """The lines of a text, which remember where a row began."""

    def __init__(self, text: str, encoding: str, mark: int) -> None:
        self._text = text
        self._encoding = encoding
        self._at = 0
        self._number = 0
        self._byte = mark
        self._begun: tuple[int, int] | None = None

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        if self._at >= len(self._text):
            raise StopIteration
        end = _LINE_END.search(self._text, self._at)
        stop = end.end() if end else len(self._text)
        line = self._text[self._at : stop]
        self._number += 1
        if self._begun is None:
            self._begun = (self._number, self._byte)
        self._byte += len(line.encode(self._encoding, "replace"))
        self._at = stop
        return line

    def begin(self) -> tuple[int, int]:
        """Return number and byte of the first line since this was called last."""
        begun = self._begun or (1, self._byte)
        self._begun = None
        return begun


def _value(cell: str) -> Value:
    text = cell.strip().strip("\ufeff\xa0")[:MAX_CELL]
    return text or None
