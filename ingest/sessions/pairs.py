"""Pairs of partners: what they win together, beside what both win with others.

How far that is from what both bring is compared as in ``tricklog.ingest.metrics.pairs``, by games
won.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import METRIC
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.pairs import partners
from tricklog.ingest.metrics.query import rows_of
from tricklog.ingest.sessions.evening import of_tables
from tricklog.ingest.sql import run

if TYPE_CHECKING:
    import polars as pl


def pairs(facts: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return pairs of partners by complete games won, those with the most games first.

    Columns: ``one`` and ``two`` (ids, in their order), ``games`` and ``won`` together,
    ``one_games``, ``one_won``, ``two_games``, ``two_won`` of each with other partners, ``together``
    (share won), ``expected`` from what both bring, ``difference`` with its 99 % interval ``low``
    and ``high``, ``chance`` of as much by chance alone, and ``named``: whether it stands among all
    pairs compared (Holm, at 3 %) and is of a relevant size.

    Only tables of two partnerships of two count. The comparison is null for pairs with fewer than
    ten games together, and where the two hardly ever sat with others.
    """
    import polars as pl

    whole = of_tables(filters)
    condition, parameters = rows_of(facts, METRIC["games"], whole)
    found = run(facts, _PAIRS.format(condition=condition), parameters)
    compared = partners(facts, whole, METRIC["win-rate"]).rows.select(
        "one", "difference", "low", "high", "chance", "named", two="other"
    )
    together = pl.col("won") / pl.col("games")
    return found.join(compared, on=["one", "two"], how="left", maintain_order="left").with_columns(
        together=together, expected=(together - pl.col("difference")).clip(0, 1)
    )


_PAIRS: Final = """
WITH sat AS MATERIALIZED (
    SELECT game_no, player, partners[1] AS partner, won
    FROM game_facts
    WHERE len(partners) = 1 AND len(opponents) = 2 AND {condition}
), alone AS (
    SELECT player, count(*) AS games, count(*) FILTER (won) AS won FROM sat GROUP BY player
), together AS (
    SELECT player AS one, partner AS two, count(*) AS games, count(*) FILTER (won) AS won
    FROM sat
    WHERE player < partner
    GROUP BY ALL
)
SELECT
    one,
    two,
    together.games,
    together.won,
    first.games - together.games AS one_games,
    first.won - together.won AS one_won,
    second.games - together.games AS two_games,
    second.won - together.won AS two_won
FROM together
JOIN alone AS first ON first.player = one
JOIN alone AS second ON second.player = two
ORDER BY together.games DESC, one, two
"""
