"""Workbooks are archives: what is too large or not what it says is refused before it is read.

The reader of workbooks keeps whole sheets in memory, as wide and high as the cells that are
furthest out. So what they would come to is counted first, in bounded memory.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from typing import Final
from xml.parsers import expat

from tricklog.ingest.reading.rejects import RejectCode
from tricklog.ingest.score_sheets.grid import MAX_COLUMNS, MAX_ROWS, SheetError, column_of

MAX_UNPACKED: Final = 128 << 20
"""Bytes that all parts of a workbook may have together."""
MAX_CELLS: Final = 4_000_000
"""Cells of a workbook, the empty ones between others included."""
_PIECE: Final = 1 << 16
_MAX_PARTS: Final = 2_000
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


def guard(content: bytes) -> None:
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
        # A part that is longer than it says fails its checksum, and is not read further.
        with archive.open(part) as stream:
            counter = _counter_of(part.filename)
            while piece := stream.read(_PIECE):
                if counter is not None:
                    counter.feed(piece)
                    if cells + counter.cells > MAX_CELLS:
                        raise _too_wide()
            cells += counter.end() if counter is not None else 0
    if cells > MAX_CELLS:
        raise _too_wide()


def _too_wide() -> SheetError:
    return SheetError(
        f"The sheets of the workbook are more than {MAX_CELLS:,} cells large, empty ones between "
        "others included.",
        _TRUST,
        RejectCode.EXPANDS_TOO_FAR,
    )


def _counter_of(name: str) -> _Cells | None:
    if re.fullmatch(r"xl/worksheets/[^/]+\.xml", name):
        return _XlsxCells()
    return _OdsCells() if name == "content.xml" else None


class _Cells:
    """Counts the cells that the sheets of a part come to while it is read."""

    def __init__(self) -> None:
        self.cells = 0
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self.start
        self._parser.EndElementHandler = self.stop
        self._parser.StartDoctypeDeclHandler = self._refuse

    def feed(self, piece: bytes) -> None:
        """Take in a piece of the part."""
        self._parser.Parse(piece, False)  # noqa: FBT003 - the parser takes it by position alone

    def end(self) -> int:
        """Return how many cells there are."""
        self._parser.Parse(b"", True)  # noqa: FBT003 - likewise
        return self.cells

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take in an element."""

    def stop(self, name: str) -> None:
        """Take in the end of an element."""

    def _refuse(self, *_: object) -> None:
        raise SheetError("The workbook defines entities, as no spreadsheet does.", _TRUST)


class _XlsxCells(_Cells):
    """A worksheet is as large as the last column times the last row in which a cell is."""

    def __init__(self) -> None:
        super().__init__()
        self._column = self._row = self._seen = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(":")[2] != "c":
            return
        self._seen += 1
        found = _REFERENCE.fullmatch(attributes.get("r", ""))
        if found:
            self._column = max(self._column, (column_of(found[1]) or 0) + 1)
            self._row = max(self._row, int(found[2]))
        self.cells = max(self._seen, self._column * self._row)


class _OdsCells(_Cells):
    """A table is as large as its filled rows times the widest; empty ones at the end are none."""

    def __init__(self) -> None:
        super().__init__()
        self._width = self._filled = 0
        self._times = self._at = 0
        self._is_open = self._is_filled = False
        self._rows = self._widest = self._before = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        if local == "table":
            self._rows = self._widest = 0
            self._before = self.cells
        elif local == "table-row":
            self._times = _repeated(attributes, "rows")
            self._width = self._at = 0
        elif local in ("table-cell", "covered-table-cell"):
            self._at += _repeated(attributes, "columns")
            if any(key.endswith(":value-type") for key in attributes):
                self._width = self._at
        elif local == "p" and self._times:
            self._width = self._at

    def stop(self, name: str) -> None:
        if name.rpartition(":")[2] != "table-row":
            return
        self._filled += self._times
        if self._width:
            self._rows, self._filled = self._rows + self._filled, 0
            self._widest = max(self._widest, self._width)
        self.cells = self._before + self._rows * self._widest
        self._times = 0


def _repeated(attributes: dict[str, str], of: str) -> int:
    said = next(
        (value for key, value in attributes.items() if key.endswith(f":number-{of}-repeated")), "1"
    )
    return int(said) if said.isdecimal() and len(said) < 10 else MAX_ROWS * MAX_COLUMNS  # noqa: PLR2004 - digits of any count
