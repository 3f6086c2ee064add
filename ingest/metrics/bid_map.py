"""Which bids are made with which holding, and what they bring, at one kind of table.

The contracts are those that makers chose to bid: forced ones, and those whose maker's cards are not
all recorded, are left out. Every function takes filters that leave one variant and one kind of
table, as bids mean something else in each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import measure, metric_named
from tricklog.ingest.metrics.dimensions import DIMENSION
from tricklog.ingest.metrics.filters import EVERYTHING, Filters, Range
from tricklog.ingest.metrics.intervals import (
    FEWEST_GAMES_OF_AMOUNTS,
    Z_95,
    Scale,
    chance_of,
    interval,
    over_games,
    sums_of,
    typical,
)
from tricklog.ingest.metrics.model import TOO_FEW
from tricklog.ingest.metrics.naming import named_among
from tricklog.ingest.metrics.query import ask, plan
from tricklog.ingest.sql import run
from tricklog.schemas.actions import MAX_BID

if TYPE_CHECKING:
    import polars as pl

METRIC: Final = "made-rate"
"""The metric whose cases the contracts are."""
FORCED: Final = "forced-made-rate"
MOST_GROUPS: Final = 9
"""Bids, and holdings, that stand beside each other; more are put together."""
FEWEST_AT_END: Final = 10
"""Contracts below which a group at an end goes with the one beside it."""
_WIDTHS: Final = (1, 2, 3, 4, 5, 10, 20, 25, 50, 100)


class Group(NamedTuple):
    """Whole numbers from ``least`` to ``most``, both included."""

    least: int
    most: int

    def __str__(self) -> str:
        return str(Range(self.least, self.most))


@dataclass(frozen=True, slots=True)
class BidMap:
    """What came of the contracts of one kind of table."""

    bids: tuple[Group, ...]
    """Groups of bids, the lowest first; a bid above all numbers is a group of its own."""
    holdings: tuple[Group, ...]
    cells: pl.DataFrame
    """A row for each ``bid`` and ``held``, numbers of groups, with a contract: ``n``, ``made``."""
    scores: pl.DataFrame
    """A row for each ``bid`` with a known score: ``n``, ``games``, ``value``, ``low``, ``high``,
    ``enough`` and ``named``, whether it differs from nothing with all bids compared (Holm)."""
    forced: int
    """Forced contracts, which are left out."""
    unknown: int
    """Chosen contracts that are left out, as the cards of their maker are not all recorded."""


def tables(connection: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return the kinds of tables with contracts that were chosen, those with the most first.

    Columns: ``variant``, ``seating`` and ``n``, the contracts.
    """
    found = measure(connection, METRIC, ("variant", "seating"), filters)
    return found.select("variant", "seating", "n").sort("n", descending=True, maintain_order=True)


def bid_map(
    connection: DuckDBPyConnection,
    filters: Filters = EVERYTHING,
    holding: Literal["trumps-held", "points-held"] = "trumps-held",
    minimum: int = TOO_FEW,
) -> BidMap:
    """Return how often each bid was made with each holding, and what it brought.

    The value of a score is what the hand added to the makers' score, less what it added to that of
    the others (the mean of the other sides), with its 95 % interval over games. ``enough`` says
    whether there are ``minimum`` contracts in ten games.

    Raises ``FigureError`` as ``ask`` does.
    """
    import polars as pl

    contracts = _contracts(connection, filters, holding)
    unknown = contracts["held"].null_count()
    known = contracts.filter(pl.col("held").is_not_null())
    bids = grouped(known["bid"].to_list())
    holdings = grouped(known["held"].to_list())
    known = known.with_columns(
        bid=pl.Series(_places(known["bid"].to_list(), bids), dtype=pl.Int64),
        held=pl.Series(_places(known["held"].to_list(), holdings), dtype=pl.Int64),
    )
    cells = known.group_by("bid", "held").agg(pl.len().cast(pl.Int64).alias("n"), pl.sum("made"))
    forced = ask(connection, metric_named(FORCED), ("bid",), filters)
    (left_out,) = run(
        connection,
        f"SELECT count(*) AS n FROM ({forced.cases()})",  # noqa: S608 - our own
        forced.parameters,
    )["n"]
    return BidMap(
        bids,
        holdings,
        cells.sort("bid", "held"),
        _scores(known, minimum),
        int(left_out),
        unknown,
    )


def grouped(values: Sequence[int]) -> tuple[Group, ...]:
    """Return groups of whole numbers, the lowest first, of equal width but for the ends.

    There are no more than ``MOST_GROUPS`` for bids up to the highest number; what is bid above all
    numbers follows, each by itself. A group at an end has ``FEWEST_AT_END`` values at least, if
    there are so many.
    """
    numbers = np.sort([each for each in values if each <= MAX_BID])
    above = [Group(each, each) for each in sorted({each for each in values if each > MAX_BID})]
    if not len(numbers):
        return tuple(above)
    least, most = int(numbers[0]), int(numbers[-1])
    low, high = least, most
    # What is rare at the ends does not make all groups wide.
    if len(numbers) >= 2 * FEWEST_AT_END:
        low, high = int(numbers[FEWEST_AT_END - 1]), int(numbers[-FEWEST_AT_END])
    width = next((each for each in _WIDTHS if (high - low) // each < MOST_GROUPS), high - low + 1)
    starts = [*range(low, high + 1, width)]
    ends = [*(start - 1 for start in starts[1:]), max(most, high)]
    starts[0] = min(least, low)
    # A group in between that nobody has keeps its place, as numbers do on a scale.
    return (*map(Group, starts, ends), *above)


def _places(values: Sequence[int], groups: Sequence[Group]) -> list[int]:
    """Return the number of the group of each value."""
    starts = [each.least for each in groups]
    return (np.searchsorted(starts, values, side="right") - 1).tolist() if groups else []


def _contracts(connection: DuckDBPyConnection, filters: Filters, holding: str) -> pl.DataFrame:
    """Return a row for each contract: ``bid``, ``held``, ``made``, ``gain`` and its ``game_no``."""
    asked = plan(connection, metric_named(METRIC), ("bid",), filters)
    cases = asked.cases(hand_no="hand_no", held=DIMENSION[holding].sql, change="side_change")
    return run(
        connection,
        _CONTRACTS.format(cases=cases),
        asked.parameters,
    )


_CONTRACTS: Final = """
WITH cases AS MATERIALIZED ({cases}),
others AS (
    SELECT hand_no, avg(side_change) AS change
    FROM seat_rows
    WHERE side = 'defenders' AND first_of_side AND hand_no IN (SELECT hand_no FROM cases)
    GROUP BY hand_no
)
SELECT by_bid::BIGINT AS bid, held::BIGINT AS held, y::BIGINT AS made, game_no,
    (cases.change - others.change)::DOUBLE AS gain
FROM cases
LEFT JOIN others USING (hand_no)
"""


def _scores(known: pl.DataFrame, minimum: int) -> pl.DataFrame:
    """Return what the contracts of each group of bids brought."""
    import polars as pl

    games = (
        known.filter(pl.col("gain").is_not_null())
        .group_by("bid", "game_no")
        .agg(pl.sum("gain").alias("y"), pl.len().cast(pl.Float64).alias("w"))
    )
    rows = games.group_by("bid").agg(over_games(pl.col("y"), pl.col("w"))).sort("bid")
    sums = sums_of(rows)
    scatter = np.full(len(rows), typical(sums, Scale.FREE) if len(rows) else np.nan)
    low, high = interval(sums, scatter, Scale.FREE)
    enough = (sums.w >= minimum) & (sums.games >= FEWEST_GAMES_OF_AMOUNTS)
    low, high = (np.where(enough, each, np.nan) for each in (low, high))
    chances = [
        chance_of(float(value), ((end - start) / (2 * Z_95)) ** 2, inf) if is_enough else None
        for value, start, end, is_enough in zip(sums.ratio, low, high, enough, strict=True)
    ]
    return (
        rows.select("bid", pl.col("w").cast(pl.Int64).alias("n"), "games")
        .with_columns(value=sums.ratio, low=low, high=high, enough=enough)
        .with_columns(
            pl.col("low", "high").fill_nan(None),
            pl.Series("named", [bool(each) for each in named_among(chances)], pl.Boolean),
        )
    )
