"""Pairs of partners: what they win together, beside what both win with others.

In a game of two sides of two, somebody who adds as much to every partner is as far above half with
each of them. So a pair is expected to win half of its games, and what each of the two wins above
half with others on top; what it wins beyond that is the pair's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from duckdb import DuckDBPyConnection

from ingest.metrics import METRIC
from ingest.metrics.comparing import FEWEST_COMPARED
from ingest.metrics.filters import EVERYTHING, Filters, run
from ingest.metrics.intervals import WORTH, Z_99, Numbers, student
from ingest.metrics.naming import chance_of, named_among
from ingest.metrics.query import rows_of
from ingest.sessions.evening import of_tables

if TYPE_CHECKING:
    import polars as pl

_HALF: Final = 0.5
_FIELD: Final = 0.25
"""The variance of a game that either side wins alike."""


def pairs(facts: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return pairs of partners by complete games won, those with the most games first.

    Columns: ``one`` and ``two`` (ids, in their order), ``games`` and ``won`` together,
    ``one_games``, ``one_won``, ``two_games``, ``two_won`` of each with other partners, ``together``
    (share won), ``expected`` from what both win with others, ``difference`` with its 99 % interval
    ``low`` and ``high``, ``chance`` of as much by chance alone, and ``named``: whether it stands
    among all pairs compared (Holm, at 3 %) and is of a relevant size.

    Only tables of two partnerships of two count. The comparison is null unless the pair has ten
    games together, and both have ten with others. Filters about single players are passed over.
    """
    import polars as pl

    condition, parameters = rows_of(facts, METRIC["games"], of_tables(filters))
    found = run(facts, _PAIRS.format(condition=condition), parameters)
    able = pl.all_horizontal(pl.col("games", "one_games", "two_games") >= FEWEST_COMPARED)
    judged = found.filter(able)
    compared = judged.select("one", "two").with_columns(
        **{name: pl.Series(each, dtype=pl.Float64) for name, each in _compared(judged).items()}
    )
    known = pl.Series(named_among(compared["chance"]), dtype=pl.Boolean)
    large = pl.col("difference").abs() >= METRIC["win-rate"].relevant
    return found.with_columns(together=pl.col("won") / pl.col("games")).join(
        compared.with_columns(named=known & large),
        on=["one", "two"],
        how="left",
        maintain_order="left",
    )


def _compared(rows: pl.DataFrame) -> dict[str, Numbers | list[float]]:
    """Return how far each pair is from what both win with others; arrays have one number a pair."""
    column = {name: rows[name].to_numpy().astype(float) for name in rows.columns[2:]}
    games, one, two = (column[name] for name in ("games", "one_games", "two_games"))
    if not len(rows):
        return dict.fromkeys(("expected", "difference", "low", "high", "chance"), np.zeros(0))
    share, one_share, two_share = (
        column[won] / column[of]
        for won, of in (("won", "games"), ("one_won", "one_games"), ("two_won", "two_games"))
    )
    expected = np.clip(one_share + two_share - _HALF, 0.0, 1.0)
    difference = share - expected
    # Where both meet as opponents one wins what the other loses, which is in both their shares.
    met, met_won = column["met"], column["met_won"]
    products = met_won * (1 - one_share) * (0 - two_share)
    products += (met - met_won) * (0 - one_share) * (1 - two_share)
    variance = (
        _variance(share, games)
        + _variance(one_share, one)
        + _variance(two_share, two)
        + 2 * products / (one * two)
    )
    least = 0.25 * (_variance(share, games) + _variance(one_share, one) + _variance(two_share, two))
    variance = np.maximum(variance, least)
    freedom = (games + WORTH - 1) ** 2 / (games - 1)
    reach = student(freedom, Z_99) * np.sqrt(variance)
    chances = [
        chance_of(float(apart), float(of), float(free))
        for apart, of, free in zip(difference, variance, freedom, strict=True)
    ]
    return {
        "expected": expected,
        "difference": difference,
        "low": np.maximum(difference - reach, -expected),
        "high": np.minimum(difference + reach, 1 - expected),
        "chance": chances,
    }


def _variance(share: Numbers, games: Numbers) -> Numbers:
    """Return the variance of a share of games won, each of which stands for itself.

    Few games say little about it: an even game counts as much as four of them.
    """
    own = games * share * (1 - share)
    variance: Numbers = (own + WORTH * _FIELD) / (games - 1 + WORTH) / games
    return variance


_PAIRS: Final = """
WITH sat AS MATERIALIZED (
    SELECT game_no, player, partners[1] AS partner, opponents, won
    FROM game_facts
    WHERE len(partners) = 1 AND len(opponents) = 2 AND {condition}
), alone AS (
    SELECT player, count(*) AS games, count(*) FILTER (won) AS won FROM sat GROUP BY player
), together AS (
    SELECT player AS one, partner AS two, count(*) AS games, count(*) FILTER (won) AS won
    FROM sat
    WHERE player < partner
    GROUP BY ALL
), met AS (
    SELECT player AS one, opponent AS two, count(*) AS met, count(*) FILTER (won) AS met_won
    FROM (SELECT player, won, unnest(opponents) AS opponent FROM sat)
    WHERE player < opponent
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
    second.won - together.won AS two_won,
    coalesce(met, 0) AS met,
    coalesce(met_won, 0) AS met_won
FROM together
JOIN alone AS first ON first.player = one
JOIN alone AS second ON second.player = two
LEFT JOIN met USING (one, two)
ORDER BY together.games DESC, one, two
"""
