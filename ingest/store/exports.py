"""Tables as files for other programs: CSV that no spreadsheet takes for formulas, and Parquet."""

from __future__ import annotations

import io
from typing import Final

import polars as pl

from tricklog.schemas.printable import one_line

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a cell begins with that a spreadsheet would calculate."""


def safe_cell(text: str) -> str:
    """Return a text from a log for a cell of a spreadsheet, where it is not calculated.

    What would begin a formula gets an apostrophe in front. Control characters, and marks that turn
    the direction of text, are left out.
    """
    shown = one_line(text)
    is_formula = text.startswith(_FORMULA) or shown.lstrip().startswith(_FORMULA)
    return f"'{shown}" if is_formula else shown


def as_csv(frame: pl.DataFrame) -> bytes:
    """Return a frame as CSV with a head, in UTF-8; text is made plain, numbers stay as they are."""
    text = pl.selectors.string()
    plain = frame.with_columns(text.map_elements(safe_cell, return_dtype=pl.String))
    return plain.write_csv().encode()


def as_parquet(frame: pl.DataFrame) -> bytes:
    """Return a frame as a Parquet file, all text as it is."""
    file = io.BytesIO()
    frame.write_parquet(file)
    return file.getvalue()
