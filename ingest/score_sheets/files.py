"""Workbooks: .xlsx and .ods, every sheet of them; formulas by the values they had when saved.

They are archives, and the reader keeps whole sheets in memory, as wide and high as the cells that
are furthest out. So what they would come to is counted first, in bounded memory, and what is too
large or not what it says is refused before it is read.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
import struct
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final
from xml.parsers import expat

from tricklog.ingest.reading.rejects import RejectCode
from tricklog.ingest.score_sheets.grid import (
    MAX_CELL,
    MAX_COLUMNS,
    MAX_ROWS,
    Grid,
    Row,
    SheetError,
    Value,
    column_of,
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


MAX_UNPACKED: Final = 128 << 20
"""Bytes that all parts of a workbook may have together."""
MAX_CELLS: Final = 4_000_000
"""Cells of a workbook, the empty ones between others included."""
_MAX_PARTS: Final = 2_000
_MAX_MERGED: Final = 2_000
"""Merged cells, and rows of one, that are filled; beyond are no headings."""
_PIECE: Final = 1 << 16
_CONTENT: Final = "content.xml"
"""The part of a workbook of the open format that has its sheets."""
_XLSX_SHEET: Final = re.compile(r"xl/worksheets/[^/]+\.xml")
_REFERENCE: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_DAMAGE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    ValueError,
    OverflowError,
)
"""What archives raise that are damaged; a place before the beginning is a ``ValueError``."""
_TRUST: Final = "Copy the cells with the scores into a new workbook, or save the sheet as CSV."

_Range = tuple[tuple[int, int], tuple[int, int]]
"""The first and the last cell of a range, each as row and column from 0."""


def read_workbook(content: bytes, most: int = MAX_ROWS) -> list[Grid]:
    """Return the sheets of a workbook in their order, ``most`` rows of each.

    Hidden ones and charts are left out. A value that stands once for several merged cells stands in
    each of them. Raises ``SheetError`` for what is no workbook, damaged, or larger than any score
    sheet.
    """
    from python_calamine import (
        CalamineError,
        CalamineWorkbook,
        SheetTypeEnum,
        SheetVisibleEnum,
    )

    _guard(content)
    try:
        merged = _merged_ranges(content)
        with CalamineWorkbook.from_filelike(io.BytesIO(content)) as book:
            return [
                _grid(book.get_sheet_by_name(each.name), merged.get(each.name, []), most)
                for each in book.sheets_metadata
                if each.visible == SheetVisibleEnum.Visible and each.typ == SheetTypeEnum.WorkSheet
            ]
    # The reader raises ``Exception`` of its own for some damage.
    except (CalamineError, OSError, ValueError, OverflowError) as error:
        raise SheetError(
            f"The workbook cannot be read: {error}.",
            "Save it again in a spreadsheet program, or save the sheet as CSV.",
            RejectCode.DAMAGED_ARCHIVE,
        ) from error


def _grid(sheet: Any, merged: Sequence[_Range], most: int) -> Grid:  # noqa: ANN401 - the reader is imported where it is used
    """Return a sheet with its rows counted from 1, wherever its first cell is.

    ``merged`` are ranges of cells that the reader does not tell; the value of merged cells, such as
    a heading or the date of an evening, is put into each of them.
    """
    if sheet.start is None:
        return Grid([], sheet.name)
    read = sheet.to_python(skip_empty_area=False, nrows=min(most, MAX_ROWS))
    rows = [[_value(cell) for cell in row[:MAX_COLUMNS]] for row in read]
    for (top, left), (bottom, right) in (sheet.merged_cell_ranges or merged)[:_MAX_MERGED]:
        for row in rows[top : bottom + 1][:_MAX_MERGED]:
            for column in range(left, min(right + 1, len(row))):
                if row[column] is None and top < len(rows) and left < len(rows[top]):
                    row[column] = rows[top][left]
    kept = [Row(number, tuple(cells)) for number, cells in enumerate(rows, 1)]
    trouble = None
    if most >= MAX_ROWS and sheet.total_height > MAX_ROWS:
        trouble = SheetError(
            f"The sheet has more than {MAX_ROWS:,} rows; the rest was not read.",
            "Save it as several sheets, such as one for each year.",
        )
    return Grid(kept, sheet.name, trouble, is_cut=sheet.total_height > most)


def _value(cell: object) -> Value:
    if isinstance(cell, str):
        return cell.strip().strip("\xa0")[:MAX_CELL] or None
    if isinstance(cell, bool | int | float | dt.date | dt.time):
        return cell
    return str(cell) if cell is not None else None


# --- Before they are read


def _guard(content: bytes) -> None:
    """Raise ``SheetError`` for a workbook that is damaged, or larger than any score sheet."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _guard_archive(archive)
    except _DAMAGE as error:
        raise SheetError(
            f"The workbook is damaged: {error}.",
            "Copy or download the file again, or save it again.",
            RejectCode.DAMAGED_ARCHIVE,
        ) from error
    except RuntimeError as error:
        raise SheetError(
            "The workbook is protected by a password.", "Save it without one, then read that."
        ) from error
    except expat.ExpatError as error:
        raise SheetError(
            f"The workbook is damaged: its XML ends at line {error.lineno}, column {error.offset}.",
            "Save it again in a spreadsheet program, then read that.",
            RejectCode.DAMAGED_ARCHIVE,
        ) from error


def _guard_archive(archive: zipfile.ZipFile) -> None:
    parts = archive.infolist()
    total = sum(part.file_size for part in parts)
    if len(parts) > _MAX_PARTS or total > MAX_UNPACKED:
        raise SheetError(
            f"The workbook unpacks to {total:,} bytes in {len(parts):,} parts; the most is "
            f"{MAX_UNPACKED:,} in {_MAX_PARTS:,}.",
            _TRUST,
            RejectCode.EXPANDS_TOO_FAR,
        )
    cells = 0
    for part in parts:
        counter: _Cells | None = None
        if _XLSX_SHEET.fullmatch(part.filename):
            counter = _XlsxCells()
        elif part.filename == _CONTENT:
            counter = _OdsCells()
        # A part that is longer than it says fails its checksum, and is not read further.
        with archive.open(part) as stream:
            while piece := stream.read(_PIECE):
                if counter is not None:
                    counter.feed(piece)
                    _check_size(cells + counter.cells)
        if counter is not None:
            counter.feed(b"", is_last=True)
            cells += counter.cells
            _check_size(cells)


def _check_size(cells: int) -> None:
    if cells > MAX_CELLS:
        raise SheetError(
            f"The sheets of the workbook are more than {MAX_CELLS:,} cells large, empty ones "
            "between others included.",
            _TRUST,
            RejectCode.EXPANDS_TOO_FAR,
        )


class _Part:
    """A part of a workbook, whose elements are taken in while it is read."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = lambda name, said: self.start(_local(name), said)
        self._parser.EndElementHandler = lambda name: self.stop(_local(name))
        self._parser.StartDoctypeDeclHandler = self._refuse

    def feed(self, piece: bytes, *, is_last: bool = False) -> None:
        """Take in a piece."""
        self._parser.Parse(piece, is_last)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take in an element."""

    def stop(self, name: str) -> None:
        """Take in the end of an element."""

    def _refuse(self, *_: object) -> None:
        raise SheetError("The workbook defines entities, as no spreadsheet does.", _TRUST)


class _Cells(_Part):
    """Counts the cells that the sheets of a part come to."""

    cells = 0


class _XlsxCells(_Cells):
    """A worksheet is as large as the last column times the last row in which a cell is."""

    _column = _row = _seen = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name != "c":
            return
        self._seen += 1
        found = _REFERENCE.fullmatch(attributes.get("r", ""))
        if found:
            self._column = max(self._column, (column_of(found[1]) or 0) + 1)
            self._row = max(self._row, int(found[2]))
        self.cells = max(self._seen, self._column * self._row)


class _OdsCells(_Cells):
    """A table is as large as its filled rows times the widest; empty ones at the end are none."""

    _width = _filled = _times = _at = 0
    _rows = _widest = _before = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "table":
            self._rows = self._widest = 0
            self._before = self.cells
        elif name == "table-row":
            self._times = _number(attributes, "number-rows-repeated", MAX_ROWS * MAX_COLUMNS)
            self._width = self._at = 0
        elif name in ("table-cell", "covered-table-cell"):
            self._at += _number(attributes, "number-columns-repeated", MAX_ROWS * MAX_COLUMNS)
            if any(key.endswith(":value-type") for key in attributes):
                self._width = self._at
        elif name == "p" and self._times:
            self._width = self._at

    def stop(self, name: str) -> None:
        if name != "table-row":
            return
        self._filled += self._times
        if self._width:
            self._rows, self._filled = self._rows + self._filled, 0
            self._widest = max(self._widest, self._width)
        self.cells = self._before + self._rows * self._widest
        self._times = 0


class _OdsSpans(_Part):
    """Notes the cells that span several, which the reader of workbooks does not tell."""

    _name = ""
    _depth = _row = _column = _times = 0

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, list[_Range]] = defaultdict(list)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "table":
            # A table within a cell is none of its own.
            self._depth += 1
            if self._depth == 1:
                named = (said for key, said in attributes.items() if _local(key) == "name")
                self._name, self._row = next(named, ""), 0
        elif self._depth != 1:
            return
        elif name == "table-row":
            self._column, self._times = 0, _number(attributes, "number-rows-repeated", 1)
        elif name in ("table-cell", "covered-table-cell"):
            rows = _number(attributes, "number-rows-spanned", 1)
            columns = _number(attributes, "number-columns-spanned", 1)
            listed = self.found[self._name]
            if (rows, columns) != (1, 1) and len(listed) < _MAX_MERGED:
                last = (self._row + rows - 1, self._column + columns - 1)
                listed.append(((self._row, self._column), last))
            self._column += _number(attributes, "number-columns-repeated", 1)

    def stop(self, name: str) -> None:
        if name == "table":
            self._depth -= 1
        elif name == "table-row" and self._depth == 1:
            self._row += self._times


def _merged_ranges(content: bytes) -> dict[str, list[_Range]]:
    """Return the merged cells of each sheet of the open format by its name."""
    spans = _OdsSpans()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if _CONTENT in archive.namelist():
            with archive.open(_CONTENT) as stream:
                while piece := stream.read(_PIECE):
                    spans.feed(piece)
    return spans.found


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _number(attributes: dict[str, str], name: str, large: int) -> int:
    """Return how often an element stands, or how far it spans; ``large`` for what is too long."""
    said = next((said for key, said in attributes.items() if _local(key) == name), "1")
    return max(1, int(said)) if said.isdecimal() and len(said) < 8 else large  # noqa: PLR2004 - digits of any count
