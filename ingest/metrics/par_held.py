"""Which auctions were held against par, which were refused and why, and how far bids were off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import METRIC, measure
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.margins import by_margin
from tricklog.ingest.metrics.query import conditions_for
from tricklog.ingest.sql import run

if TYPE_CHECKING:
    import polars as pl

BIDS: Final = "above-par"
"""The metric whose cases are the contracts that somebody chose to bid."""


class WithoutOne(NamedTuple):
    """Hands of one game that have none, for one reason."""

    variant: str
    reason: str
    """A sentence without a full stop."""
    hands: int


@dataclass(frozen=True, slots=True)
class Held:
    """How many of some hands were held against par."""

    hands: int
    """Hands that figures are made of."""
    held: int
    """Those of them that have a par."""
    ledgers: int
    """Those with a ledger in score."""
    without_par: tuple[WithoutOne, ...]
    """Most hands first."""
    without_share: tuple[WithoutOne, ...]
    """Hands with a par that have no ledger in score: but for deals passed out, which have none."""


def held(connection: DuckDBPyConnection, filters: Filters = EVERYTHING) -> Held:
    """Return how many of the hands of filters were held against par, and why others were not.

    Raises ``FigureError`` for filters that hands do not have, and ``UnsolvedError`` where no
    auction was held against par.
    """
    hands, valued, ledgers = (
        int(measure(connection, name, (), filters)["n"].item())
        for name in ("hands", "par-auctions", "ledger-hands")
    )
    conditions, parameters = conditions_for(METRIC["par-auctions"], filters)
    found = run(connection, _REASONS.format(where=" AND ".join(["true", *conditions])), parameters)
    rows = [
        (kind, WithoutOne(variant, reason, hands))
        for kind, variant, reason, hands in found.iter_rows()
    ]
    return Held(
        hands,
        valued,
        ledgers,
        tuple(each for kind, each in rows if kind == "par"),
        tuple(each for kind, each in rows if kind == "share"),
    )


def bid_over_par(connection: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return how many contracts were bid how far above par; below it that is less than nothing.

    Columns: ``variant`` and ``seating``, those with the most contracts first; ``margin``, the bid
    less the most that the side could make, rising; ``result``; and ``n``.

    Raises ``FigureError`` as ``ask`` does.
    """
    return by_margin(connection, METRIC[BIDS], "over-par", filters)


_REASONS: Final = """
SELECT kind, variant::VARCHAR AS variant, why, count(*) AS hands
FROM (
    SELECT
        variant,
        CASE WHEN status = 'refused' THEN 'par' ELSE 'share' END AS kind,
        coalesce(reason, no_ledger, no_score) AS why
    FROM par_facts
    WHERE first_of_hand AND NOT coalesce(passed_out, false) AND {where}
)
WHERE why IS NOT NULL
GROUP BY ALL
ORDER BY hands DESC, variant, why
"""
