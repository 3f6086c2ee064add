"""What the columns of a warehouse mean, those that are named after a metric among them."""

from __future__ import annotations

from functools import cache
from typing import Final

from tricklog.ingest.metrics import METRICS, tallies
from tricklog.ingest.store import columns

_OF_TALLIES: Final = (
    "How many cases count for the metric {0.name}.",
    "Numerator of the metric {0.name}, summed up: {0.numerator}.",
    "Denominator of the metric {0.name}, summed up: {0.denominator}.",
)


def about(table: str, column: str) -> str:
    """Return what a column of a table or view means, "" for one that is not known."""
    tallied = _tallied().get(column) if table == "tallies" else None
    return tallied or columns.written(table, column)


@cache
def _tallied() -> dict[str, str]:
    """Return what columns of tallies mean that are named after a metric."""
    said: dict[str, str] = {}
    for metric in METRICS:
        if metric.grain not in tallies.TALLIES:
            continue
        names = tallies.columns(metric.grain)
        for each, text in zip(("1", metric.amount, metric.weight), _OF_TALLIES, strict=True):
            said.setdefault(names[metric.cases, each], text.format(metric))
    return said
