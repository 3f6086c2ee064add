"""First answers in plain words: who or what stands out in a figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl


@dataclass(frozen=True, slots=True)
class StandsOut:
    """The row of a share that lies above all others together, beyond what chance explains."""

    row: dict[str, Any]
    """Of the frame of the figure."""
    others: float
    """The share over all other rows together."""


def highest(frame: pl.DataFrame) -> StandsOut | None:
    """Return the row of a share with the highest value, if its interval lies above the others.

    ``frame`` is that of a metric of kind share grouped by something. Rows with too few cases
    are passed over. ``None`` when no row stands out.
    """
    # One of four players may have most of the contracts, and would hide in a whole of which they
    # are the larger part.
    hits, cases = pl.col("hits"), pl.col("n")
    others = (hits.sum() - hits) / (cases.sum() - cases)
    rows = frame.with_columns(others=others).filter(
        pl.col("enough") & (pl.col("n") < pl.col("n").sum()) & (pl.col("low") > pl.col("others"))
    )
    if rows.is_empty():
        return None
    row = rows.sort("value", descending=True).row(0, named=True)
    return StandsOut(row, float(row.pop("others")))
