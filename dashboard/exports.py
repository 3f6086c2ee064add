"""Tables as files to keep: CSV that no spreadsheet takes for formulas, and JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from schemas.show import clean

MOST_ROWS: Final = 100_000
"""Rows of one file: spreadsheets take few more."""
CSV: Final = "text/csv"
JSON: Final = "application/json"

_BEGINS_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def as_csv(heads: Sequence[str], rows: Iterable[Iterable[Any]]) -> bytes:
    """Return a table as CSV in UTF-8, with the mark by which spreadsheets know the encoding."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(heads)
    writer.writerows([cell(each) for each in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")


def cell(value: object) -> object:
    """Return a cell of a spreadsheet: text that would begin a formula gets an apostrophe before it.

    Numbers stay numbers. Control characters and marks that turn text round are left out.
    """
    if value is None or isinstance(value, int | float):
        return value
    text = str(value)
    shown = clean(text)
    is_formula = text.startswith(_BEGINS_FORMULA) or shown.lstrip().startswith(_BEGINS_FORMULA)
    return f"'{shown}" if is_formula else shown


def as_json(rows: Iterable[dict[str, Any]]) -> bytes:
    """Return rows as a JSON list, one row on a line; days are written ``2026-11-20``."""
    lines = b",\n".join(msgspec.json.encode(row) for row in rows)
    return b"[\n" + lines + b"\n]\n"
