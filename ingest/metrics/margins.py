"""By how much contracts were made or set, at each kind of table.

The contracts are those that makers chose to bid; of a forced one the margin says nothing of the
bid. A margin is the card points of the makers less those they needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import measure, metric_named
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.model import TOO_FEW, Grain, Kind, Metric
from tricklog.ingest.metrics.query import ask
from tricklog.ingest.sql import run

if TYPE_CHECKING:
    import polars as pl

METRIC: Final = "made-rate"
"""The metric whose cases the contracts are."""
BY_ONE: Final = Metric(
    name="set-by-one",
    title="Set by exactly one",
    sentence="How often a contract that the maker chose to bid was one point short.",
    unit="share of contracts",
    numerator="contracts set with one card point less than needed",
    denominator="contracts made or set that the maker chose to bid",
    group="Bidding",
    grain=Grain.SEAT,
    kind=Kind.SHARE,
    cases=f"{metric_named(METRIC).cases} AND maker_points IS NOT NULL AND need IS NOT NULL",
    amount="(result = 'set' AND maker_points - need = -1)::INTEGER",
)
"""How often one point was missing."""


def margins(connection: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return how many contracts ended how far above or below the need.

    Columns: ``variant`` and ``seating``, those with the most contracts first; ``margin``, points
    over the need, rising; ``result``, ``made`` or ``set``; and ``n``.

    Raises ``FigureError`` as ``ask`` does.
    """
    return by_margin(connection, metric_named(METRIC), "margin", filters)


def by_margin(
    connection: DuckDBPyConnection, metric: Metric, margin: str, filters: Filters
) -> pl.DataFrame:
    """Return what ``margins`` does, for contracts of any metric by any dimension of numbers."""
    asked = ask(connection, metric, ("variant", "seating", margin, "result"), filters)
    listed = ", ".join(
        f"{key}::{'BIGINT' if name == 'margin' else 'VARCHAR'} AS {name}"
        for key, name in zip(asked.keys, ("variant", "seating", "margin", "result"), strict=True)
    )
    return run(
        connection,
        f"FROM (SELECT {listed}, count(*) AS n FROM ({asked.cases()}) GROUP BY ALL) "  # noqa: S608 - our own
        "ORDER BY sum(n) OVER (PARTITION BY variant, seating) DESC, "
        "variant, seating, margin, result",
        asked.parameters,
    )


def by_one(
    connection: DuckDBPyConnection, filters: Filters = EVERYTHING, minimum: int = TOO_FEW
) -> pl.DataFrame:
    """Return how often exactly one point was missing, by ``variant`` and ``seating``.

    The other columns are those of ``measure``.
    """
    return measure(connection, BY_ONE, ("variant", "seating"), filters, minimum)
