"""Figures in words: a value with its interval and its cases, or that there are too few."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ingest.metrics.model import Grain, Kind, Metric

_THINGS: Final = {
    Grain.SEAT: "hands",
    Grain.CARD: "cards",
    Grain.GAME: "games",
    Grain.FINDING: "findings",
}
"""What a row of the facts of each grain is one of."""
_WIDE: Final = 0.02
"""From this width of an interval on, a share is given in whole percents."""
_WIDE_AMOUNT: Final = 20.0


def is_share(metric: Metric) -> bool:
    """Return whether the values of a metric are parts of a whole, told in percent."""
    return metric.unit.startswith("share ")


def too_few(metric: Metric) -> str:
    """Return what stands instead of a figure with fewer cases than the minimum."""
    return f"too few {_THINGS[metric.grain]}"


def value_text(metric: Metric, value: float, width: float = _WIDE) -> str:
    """Return a value for people: ``63 %``, ``1.42``, ``1,204``.

    ``width`` is that of its interval: a figure that is known well gets one more digit. What rounds
    to nothing has no sign.
    """
    if metric.kind == Kind.COUNT:
        return f"{value:z,.0f}"
    if is_share(metric):
        return f"{value:z.{0 if width >= _WIDE else 1}%}".replace("%", " %")
    return f"{value:z,.{1 if width >= _WIDE_AMOUNT else 2}f}"


def figure_text(metric: Metric, row: Mapping[str, Any], *, cases: bool = True) -> str:
    """Return a row of ``measure`` for people: ``63 % (58 to 68 %), n 341``.

    Without ``cases`` their number is left out, where it stands elsewhere. A mean over the hands of
    one game has no interval: nothing says how much games differ.
    """
    if metric.kind == Kind.COUNT:
        return value_text(metric, row["value"])
    said = f", n {row['n']:,}" if cases else ""
    if not row["enough"]:
        return f"{too_few(metric)}{said}"
    if row["low"] is None:
        return f"{value_text(metric, row['value'])}{said}, all of one game"
    width = row["high"] - row["low"]
    value, low, high = (value_text(metric, row[name], width) for name in ("value", "low", "high"))
    return f"{value} ({low.removesuffix(' %')} to {high}){said}"
