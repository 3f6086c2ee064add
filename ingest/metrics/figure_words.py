"""Figures in words: a value with its interval and cases, a difference, a place, or too few."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ingest.metrics.model import Grain, Kind, Metric

_THINGS: Final = {
    Grain.SEAT: "hands",
    Grain.CARD: "cards",
    Grain.GAME: "games",
    Grain.FINDING: "findings",
    Grain.STUDY: "solved hands",
    Grain.DECISION: "decisions",
    Grain.JUDGED: "decisions",
    Grain.LUCK: "graded hands",
    Grain.PAR: "auctions held against par",
}
"""What a row of the facts of each grain is one of."""
_WIDE: Final = 0.02
"""From this width of an interval on, a share is given in whole percents."""
_WIDE_AMOUNT: Final = 20.0
_ONE: Final = 0.01
_TEENS: Final = range(11, 14)
_ENDINGS: Final = {1: "st", 2: "nd", 3: "rd"}


def is_share(metric: Metric) -> bool:
    """Return whether the values of a metric are parts of a whole, given in percent."""
    return metric.unit.startswith("share ")


def too_few(metric: Metric, row: Mapping[str, Any]) -> str:
    """Return what stands instead of a figure that has not enough: ``too few games``.

    ``row`` has ``games``, unless the metric is a count.
    """
    if row["games"] < metric.fewest_games:
        return "too few games"
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

    Without ``cases`` their number is left out, where it stands elsewhere. An amount that is at its
    least in every case has no interval.
    """
    if metric.kind == Kind.COUNT:
        return value_text(metric, row["value"])
    said = f", n {row['n']:,}" if cases else ""
    if not row["enough"]:
        return f"{too_few(metric, row)}{said}"
    if row["low"] is None:
        return f"{value_text(metric, row['value'])}{said}"
    width = row["high"] - row["low"]
    value, low, high = (value_text(metric, row[name], width) for name in ("value", "low", "high"))
    return f"{value} ({low.removesuffix(' %')} to {high}){said}"


def difference_text(metric: Metric, row: Mapping[str, Any]) -> str:
    """Return how far somebody is from others, with its 99 % interval: ``+4.1 (−1.0 to +9.2)``.

    Differences of shares are in points of a hundred. ``row`` has ``difference``,
    ``difference_low`` and ``difference_high``; where there is too little to compare, it says so.
    """
    if row["difference"] is None:
        return "cannot tell yet"
    names = ("difference", "difference_low", "difference_high")
    value, low, high = (signed_text(metric, row[name]) for name in names)
    return f"{value} ({low} to {high})"


def signed_text(metric: Metric, value: float) -> str:
    """Return a difference with its sign, of shares in points of a hundred: ``+4.1``, ``−0.32``."""
    text = f"{value * 100:+z.1f}" if is_share(metric) else f"{value:+z,.2f}"
    # Nothing is neither above nor below.
    return text.removeprefix("+") if not text.strip("+0.") else text.replace("-", "−")


def change_text(metric: Metric, row: Mapping[str, Any]) -> str:
    """Return a change over time with its 99 % interval: ``+24.1 in 100 (+15.0 to +34.2)``.

    ``row`` has ``change``, ``low`` and ``high``.
    """
    value, low, high = (signed_text(metric, row[name]) for name in ("change", "low", "high"))
    unit = "in 100" if is_share(metric) else metric.unit
    return f"{value} {unit} ({low} to {high})"


def place_text(row: Mapping[str, Any]) -> str:
    """Return a place with the range it lies in: ``6th of 8, 4th to 7th``; empty without one."""
    if row["place"] is None:
        return ""
    said = f"{ordinal(row['place'])} of {row['of']:,}"
    if row["from_place"] == row["to_place"]:
        return said
    return f"{said}, {ordinal(row['from_place'])} to {ordinal(row['to_place'])}"


def chance_text(chance: float) -> str:
    """Return a chance in whole percent; what rounds to none or all says so: ``under 1 %``."""
    if chance < _ONE:
        return "under 1 %"
    if chance > 1 - _ONE:
        return "over 99 %"
    return f"{chance:.0%}".replace("%", " %")


def ordinal(number: int) -> str:
    """Return a place: ``1st``, ``12th``, ``23rd``."""
    ending = "th" if number % 100 in _TEENS else _ENDINGS.get(number % 10, "th")
    return f"{number:,}{ending}"
