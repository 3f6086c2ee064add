"""The metrics there are: those built in, one file for each group, in the form of those of users."""

from __future__ import annotations

from datetime import date
from typing import Final

from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.ingest.metrics.model import FigureError, Metric
from tricklog.ingest.metrics.own import metrics_in, own_metrics
from tricklog.ingest.sql import toml_data

_FILES: Final = (
    *("bidding", "capture", "play", "open-cards", "hidden-cards", "par", "luck-and-choices"),
    *("scoring", "audit"),
)
_DATED: Final = date(2026, 11, 21)
"""The day of the definitions that say none."""
METRICS: Final = tuple(
    metric
    for name in _FILES
    for _, metric in metrics_in(f"{name}.toml", toml_data(__name__, f"{name}.toml"), _DATED)
)
METRIC: Final = {each.name: each for each in METRICS}
"""The metrics that are built in, by name."""


def known_metrics() -> dict[str, Metric]:
    """Return all metrics by name: those built in, then those of files and packages."""
    return METRIC | {each.name: each for each in own_metrics(METRIC).metrics}


def metric_problems() -> tuple[str, ...]:
    """Return why metrics of files and packages are left out, one sentence each."""
    return own_metrics(METRIC).problems


def metric_named(name: str) -> Metric:
    """Return a metric. Raises ``FigureError`` for a name that none has."""
    if name in METRIC:
        return METRIC[name]
    known = known_metrics()
    if name not in known:
        near = did_you_mean(name, known)
        others = "" if near else f" Known are {', '.join(known)}."
        raise FigureError(f"There is no metric {name!r}{near}.{others}")
    return known[name]
