"""Workbooks: .xlsx and .ods, every sheet of them; formulas by the values they had when saved."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Sequence
from typing import Any, Final

from tricklog.ingest.reading.rejects import RejectCode
from tricklog.ingest.score_sheets.grid import (
    MAX_CELL,
    MAX_COLUMNS,
    MAX_ROWS,
    Grid,
    Row,
    SheetError,
    Value,
)
from tricklog.ingest.score_sheets.ods_spans import Range, merged_ranges
from tricklog.ingest.score_sheets.zip_guard import guard

_MAX_MERGED: Final = 2_000
"""Merged cells, and rows of one, that are filled; beyond are no headings."""
_BROKEN: Final = (
    "The workbook cannot be read: {}.",
    "Save it again in a spreadsheet program, or save the sheet as CSV.",
)


def read_workbook(content: bytes, most: int = MAX_ROWS) -> list[Grid]:
    """Return the sheets of a workbook in their order, ``most`` rows of each.

    Hidden ones and charts are left out.

    A value that stands once for several merged cells stands in each of them. Raises ``SheetError``
    for what is no workbook, damaged, or larger than any score sheet.
    """
    from python_calamine import (
        CalamineError,
        CalamineWorkbook,
        SheetTypeEnum,
        SheetVisibleEnum,
    )

    guard(content)
    try:
        merged = merged_ranges(content, _MAX_MERGED)
        with CalamineWorkbook.from_filelike(io.BytesIO(content)) as book:
            return [
                _grid(book.get_sheet_by_name(each.name), merged.get(each.name, []), most)
                for each in book.sheets_metadata
                if each.visible == SheetVisibleEnum.Visible and each.typ == SheetTypeEnum.WorkSheet
            ]
    # The reader raises ``Exception`` of its own for some damage.
    except (CalamineError, OSError, ValueError, OverflowError) as error:
        message, hint = _BROKEN
        raise SheetError(message.format(error), hint, RejectCode.DAMAGED_ARCHIVE) from error


def _grid(sheet: Any, merged: Sequence[Range], most: int) -> Grid:  # noqa: ANN401 - the reader is imported where it is used
    """Return a sheet with its rows counted from 1, wherever its first cell is.

    ``merged`` are ranges of cells that the reader does not tell.
    """
    if sheet.start is None:
        return Grid([], sheet.name)
    read = sheet.to_python(skip_empty_area=False, nrows=min(most, MAX_ROWS))
    rows = [[_value(cell) for cell in row[:MAX_COLUMNS]] for row in read]
    for (top, left), (bottom, right) in (sheet.merged_cell_ranges or merged)[:_MAX_MERGED]:
        _fill(rows, top, left, bottom, right)
    kept = [Row(number, tuple(cells)) for number, cells in enumerate(rows, 1)]
    trouble = None
    if most >= MAX_ROWS and sheet.total_height > MAX_ROWS:
        trouble = SheetError(
            f"The sheet has more than {MAX_ROWS:,} rows; the rest was not read.",
            "Save it as several sheets, such as one for each year.",
        )
    return Grid(kept, sheet.name, trouble, is_cut=sheet.total_height > most)


def _fill(rows: list[list[Value]], top: int, left: int, bottom: int, right: int) -> None:
    """Put the value of merged cells into each of them: a heading, the date of an evening."""
    for row in rows[top : bottom + 1][:_MAX_MERGED]:
        for column in range(left, min(right + 1, len(row))):
            if row[column] is None and top < len(rows) and left < len(rows[top]):
                row[column] = rows[top][left]


def _value(cell: object) -> Value:
    if isinstance(cell, str):
        text = cell.strip().strip("\xa0")[:MAX_CELL]
        return text or None
    if isinstance(cell, bool | int | float | dt.date | dt.time):
        return cell
    return str(cell) if cell is not None else None
