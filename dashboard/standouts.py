"""First answers in plain words: who or what is named in a figure."""

from __future__ import annotations

from typing import Any

import polars as pl


def highest(frame: pl.DataFrame) -> dict[str, Any] | None:
    """Return the row of ``standings`` furthest above all others, ``None`` when none is named."""
    above = frame.filter(pl.col("named").fill_null(value=False) & (pl.col("difference") > 0))
    if above.is_empty():
        return None
    return above.sort("difference", descending=True).row(0, named=True)
