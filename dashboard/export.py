"""Tables as CSV files that a spreadsheet opens without carrying anything out."""

from __future__ import annotations

from typing import Final

import polars as pl

from schemas.show import clean

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What makes a spreadsheet take the text of a cell for a formula."""


def csv_of(frame: pl.DataFrame) -> bytes:
    """Return a table as CSV in UTF-8, with a byte order mark by which spreadsheets know it.

    Text that a spreadsheet would take for a formula gets an apostrophe in front of it.
    """
    text = pl.col(pl.String, pl.Categorical, pl.Enum).cast(pl.String)
    safe = frame.with_columns(text.map_elements(safe_cell, return_dtype=pl.String))
    return safe.write_csv(include_bom=True).encode()


def safe_cell(text: str) -> str:
    """Return the text of a cell that no spreadsheet takes for a formula."""
    shown = clean(text)
    return f"'{shown}" if text.startswith(_FORMULA) or shown.startswith(_FORMULA) else shown
