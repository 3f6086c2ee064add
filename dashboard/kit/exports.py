"""Tables as files to keep: CSV that no spreadsheet takes for formulas, and JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from tricklog.ingest.store.exports import safe_cell

MOST_ROWS: Final = 100_000
"""Rows of one file: spreadsheets take few more."""
CSV: Final = "text/csv"
JSON: Final = "application/json"


def as_csv(heads: Sequence[str], rows: Iterable[Iterable[Any]]) -> bytes:
    """Return a table as CSV in UTF-8, with the mark by which spreadsheets know the encoding."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(heads)
    writer.writerows([cell(each) for each in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")


def cell(value: object) -> object:
    """Return a cell of a spreadsheet: text is made plain, numbers stay numbers."""
    return value if value is None or isinstance(value, int | float) else safe_cell(str(value))


def as_json(rows: Iterable[dict[str, Any]]) -> bytes:
    """Return rows as a JSON list, one row on a line; days are written ``2026-11-20``."""
    lines = b",\n".join(msgspec.json.encode(row) for row in rows)
    return b"[\n" + lines + b"\n]\n"
