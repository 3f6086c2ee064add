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
)

_DELIMITERS: Final = (",", ";", "\t", "|", ":")
_SAMPLE: Final = 1 << 16
"""Characters of the beginning that tell the delimiter."""
_SAID: Final = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)
"""How spreadsheets name the delimiter in a first line."""
_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_FEW_ZEROS: Final = 16
"""Bytes of 0 that a damaged text may have; the rows with them are refused, not the file."""
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
csv.field_size_limit(1 << 20)


def read_text_grid(content: bytes, most: int = MAX_ROWS) -> Grid:
    """Return the table in a text, ``most`` rows of it.

    Raises ``SheetError`` for bytes that are no text.
    """
    text, encoding = _decoded(content)
    mark = len(content) - len(text.encode(encoding, "replace"))
    said = _SAID.match(text)
    delimiter = said[1] if said else _delimiter_of(text[:_SAMPLE])
    first = 1 if said else 0
    kept: list[Row] = []
    try:
        for row in _rows(text, encoding, delimiter, mark):
            if len(kept) == MAX_ROWS:
                message = (
                    f"The sheet has more than {MAX_ROWS:,} rows; what stands from row "
                    f"{row.number} on was not read."
                )
                hint = "Save it as several files, such as one for each year."
                return Grid(kept, trouble=SheetError(message, hint))
            if len(kept) == most:
                return Grid(kept[first:], is_cut=True)
            kept.append(row)
    except csv.Error as error:
        message = f"Row {kept[-1].number + 1 if kept else 1} cannot be read: {error}."
        hint = "Check the quotes there: a quoted cell needs one at its end."
        return Grid(kept, trouble=SheetError(message, hint))
    return Grid(kept[first:])


def _decoded(content: bytes) -> tuple[str, str]:
    """Return a text and its encoding: a mark says it, else UTF-8, else that of Windows.

    Raises ``SheetError`` for what no spreadsheet saves as text.
    """
    for mark, encoding in _MARKS:
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


def _delimiter_of(text: str) -> str:
    """Return what separates the cells: what stands as often in one row as in the next."""
    unquoted = re.sub(r'"(?:[^"]|"")*"', '""', text)
    lines = [line for line in unquoted.splitlines()[:200] if line.strip()]
    best, delimiter = (0.0, 0), ","
    for each in _DELIMITERS:
        counts = Counter(line.count(each) for line in lines if each in line)
        if not counts:
            continue
        columns, agreeing = counts.most_common(1)[0]
        # A decimal comma, or the colon of a time, is in some rows alone.
        rank = (agreeing / len(lines) / (4 if each == ":" else 1), columns)
        if rank > best:
            best, delimiter = rank, each
    return delimiter


def _rows(text: str, encoding: str, delimiter: str, mark: int) -> Iterator[Row]:
    places: list[tuple[int, int]] = []
    """Number and byte of each line of the row that is read."""

    def lines() -> Iterator[str]:
        byte = mark
        for number, found in enumerate(_LINE.finditer(text), 1):
            places.append((number, byte))
            byte += len(found[0].encode(encoding, "replace"))
            yield found[0]

    for cells in csv.reader(lines(), delimiter=delimiter, skipinitialspace=delimiter != "\t"):
        said = (cell.strip().strip("\ufeff\xa0")[:MAX_CELL] or None for cell in cells[:MAX_COLUMNS])
        number, byte = places[0]
        yield Row(number, tuple(said), byte)
        places.clear()
