"""The metrics that are built in: one file for each group, in the form that those of users have."""

from __future__ import annotations

from datetime import date
from typing import Final

from tricklog.ingest.metrics.model import Metric
from tricklog.ingest.metrics.own import metrics_in
from tricklog.ingest.sql import toml_data

_FILES: Final = (
    *("bidding", "capture", "play", "open-cards", "hidden-cards", "par", "luck-and-choices"),
    *("scoring", "audit"),
)
_DATED: Final = date(2026, 11, 21)
"""The day of the definitions that say none."""


def _of_file(name: str) -> tuple[Metric, ...]:
    return tuple(metric for _, metric in metrics_in(name, toml_data(__name__, name), _DATED))


METRICS: Final = tuple(metric for name in _FILES for metric in _of_file(f"{name}.toml"))
METRIC: Final = {each.name: each for each in METRICS}
"""The metrics that are built in, by name."""
