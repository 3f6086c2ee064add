"""What the columns of a warehouse mean, those that are named after a metric among them."""

from __future__ import annotations

from functools import cache
from typing import Final

from tricklog.ingest.metrics import rolls, tallies
from tricklog.ingest.store import columns

_LEVELS: Final = {"HAND": "once a hand", "SIDE": "once a side", "SEAT": "by player"}
_OF_TALLIES: Final = (
    "How many cases count for the metric {0.name}.",
    "Numerator of the metric {0.name}, summed up: {0.numerator}.",
    "Denominator of the metric {0.name}, summed up: {0.denominator}.",
)


def about(table: str, column: str) -> str:
    """Return what a column of a table or view means, "" for one that is not known."""
    return _made_of_metrics().get(table, {}).get(column) or columns.written(table, column)


@cache
def _made_of_metrics() -> dict[str, dict[str, str]]:
    """Return what columns mean that are named after a metric, by table."""
    cells = rolls.columns_of_cells()
    moments = {
        name: f"{column} of tallies, {_LEVELS[level.name]}: the sum over the games of the cell."
        for name, (level, column) in cells.sums.items()
    }
    for each in cells.cases:
        moments[rolls.games_of(each)] = f"How many games of the cell have {each}."
    for each, cases in cells.compared.items():
        moments[rolls.of_all(each)] = f"{each} of all at the table, in the games with {cases}."
    for one, other in (*cells.products, *cells.crossed):
        moments[rolls.product(one, other)] = f"The sum over the games of {one} times {other}."
    flags = {
        rolls.left_out(whole, span, scope): f"Whether it is in no cell of a {span} and a {whole}, "
        f"as far as hands of {scope} verdict go."
        for whole, span in rolls.WHOLE
        for scope in (rolls.EACH, rolls.EVERY)
    }
    return {"tallies": _tallied(), rolls.TABLE: moments, rolls.REST: _tallied() | flags}


def _tallied() -> dict[str, str]:
    """Return what columns of tallies mean that are named after a metric."""
    said: dict[str, str] = {}
    for grain in rolls.ROLLED:
        names = tallies.columns(grain)
        for metric in tallies.BUILT_IN:
            if metric.grain == grain:
                added = ("1", metric.amount, metric.weight)
                for each, text in zip(added, _OF_TALLIES, strict=True):
                    said.setdefault(names[metric.cases, each], text.format(metric))
    return said
