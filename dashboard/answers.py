"""First answers in plain words: who or what stands out in a figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl


@dataclass(frozen=True, slots=True)
class StandsOut:
    """The row of a share that lies above all rows together, beyond what chance explains."""

    row: dict[str, Any]
    """Of the frame of the figure."""
    all_together: float
    """The share over all rows."""


def highest(frame: pl.DataFrame) -> StandsOut | None:
    """Return the row of a share with the highest value, if its interval lies above the whole.

    ``frame`` is that of a metric of kind share told apart by something. Rows with too few cases
    are passed over. ``None`` when no row stands out.
    """
    if frame.is_empty():
        return None
    whole = float(frame["hits"].sum()) / float(frame["n"].sum())
    rows = frame.filter(pl.col("enough") & (pl.col("low") > whole))
    if rows.is_empty():
        return None
    return StandsOut(rows.sort("value", descending=True).row(0, named=True), whole)
