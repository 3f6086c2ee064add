"""Contracts that makers chose to bid: with which holding, by how much made or set, and beside par.

Forced contracts are left out: of those the margin says nothing of the bid. A margin is the card
points of the makers less those they needed. ``bid_map`` takes filters that leave one variant and
one kind of table, as bids mean something else in each, and leaves out contracts whose maker's cards
are not all recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final, Literal, NamedTuple

import numpy as np
import polars as pl
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import METRIC, measure
from tricklog.ingest.metrics.dimensions import DIMENSION
from tricklog.ingest.metrics.filters import EVERYTHING, Filters, Range
from tricklog.ingest.metrics.intervals import Z_95, chance_of, over_games
from tricklog.ingest.metrics.measuring import with_intervals
from tricklog.ingest.metrics.model import TOO_FEW, Grain, Kind, Metric
from tricklog.ingest.metrics.naming import named_among
from tricklog.ingest.metrics.query import ask, conditions_for, plan
from tricklog.ingest.sql import run
from tricklog.schemas.actions import MAX_BID

CHOSEN: Final = "made-rate"
"""The metric whose cases the contracts are."""
FORCED: Final = "forced-made-rate"
MOST_GROUPS: Final = 9
"""Bids, and holdings, that stand beside each other; more are put together."""
FEWEST_AT_END: Final = 10
"""Contracts below which a group at an end goes with the one beside it."""
_WIDTHS: Final = (1, 2, 3, 4, 5, 10, 20, 25, 50, 100)
_GAIN: Final = replace(METRIC[CHOSEN], kind=Kind.MEAN)
"""An amount of each contract, as far as its interval goes."""


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
    asked = plan(connection, METRIC[CHOSEN], ("bid",), filters)
    cases = asked.cases(hand_no="hand_no", held=DIMENSION[holding].sql, change="side_change")
    contracts = run(connection, _CONTRACTS.format(cases=cases), asked.parameters)
    known = contracts.filter(pl.col("held").is_not_null())
    groups = {name: grouped(known[name].to_list()) for name in ("bid", "held")}
    for name, listed in groups.items():
        starts = [each.least for each in listed]
        places = np.searchsorted(starts, known[name].to_numpy(), side="right") - 1
        known = known.with_columns(pl.Series(name, places, pl.Int64))
    cells = known.group_by("bid", "held").agg(pl.len().cast(pl.Int64).alias("n"), pl.sum("made"))
    forced = ask(connection, METRIC[FORCED], ("bid",), filters)
    left_out = run(connection, f"SELECT count(*) FROM ({forced.cases()})", forced.parameters)  # noqa: S608 - our own
    return BidMap(
        groups["bid"],
        groups["held"],
        cells.sort("bid", "held"),
        _scores(known, minimum),
        int(left_out.item()),
        contracts["held"].null_count(),
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
    games = (
        known.filter(pl.col("gain").is_not_null())
        .group_by("bid", "game_no")
        .agg(pl.sum("gain").alias("y"), pl.len().cast(pl.Float64).alias("w"))
    )
    w = pl.col("w")
    sums = games.group_by("bid").agg(over_games(pl.col("y"), w)).sort("bid")
    sums = sums.with_columns(n=w.cast(pl.Int64))
    rows = with_intervals(sums, sums, _GAIN, minimum)
    rows = rows.with_columns(pl.when("enough").then(pl.col("low", "high")))
    chances = [
        None if low is None else chance_of(value, ((high - low) / (2 * Z_95)) ** 2, inf)
        for value, low, high in rows.select("value", "low", "high").iter_rows()
    ]
    named = [bool(each) for each in named_among(chances)]
    return rows.with_columns(pl.Series("named", named, pl.Boolean))


# --- By how much they were made or set

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
    cases=f"{METRIC[CHOSEN].cases} AND maker_points IS NOT NULL AND need IS NOT NULL",
    amount="(result = 'set' AND maker_points - need = -1)::INTEGER",
)
"""How often one point was missing."""


def margins(
    connection: DuckDBPyConnection, filters: Filters = EVERYTHING, *also: str
) -> pl.DataFrame:
    """Return how many contracts ended how far above or below the need.

    Columns: ``variant`` and ``seating``, those with the most contracts first; ``margin``, points
    over the need, rising; ``result``, ``made`` or ``set``; numbers of the facts by the names in
    ``also``, such as ``need``; and ``n``.

    Raises ``FigureError`` as ``ask`` does.
    """
    return _by_margin(connection, METRIC[CHOSEN], "margin", filters, *also)


def _by_margin(
    connection: DuckDBPyConnection, metric: Metric, margin: str, filters: Filters, *also: str
) -> pl.DataFrame:
    """Return what ``margins`` does, for contracts of any metric by any dimension of numbers."""
    asked = ask(connection, metric, ("variant", "seating", margin, "result"), filters)
    variant, seating, points, result = asked.keys
    numbers = "".join(f", {name}::BIGINT AS {name}" for name in also)
    query = _MARGINS.format(
        columns=f"{variant}::VARCHAR AS variant, {seating}::VARCHAR AS seating, "
        f"{points}::BIGINT AS margin, {result}::VARCHAR AS result{numbers}",
        cases=asked.cases(**{name: name for name in also}),
    )
    return run(connection, query, asked.parameters)


_MARGINS: Final = """
FROM (SELECT {columns}, count(*) AS n FROM ({cases}) GROUP BY ALL)
ORDER BY sum(n) OVER (PARTITION BY variant, seating) DESC, variant, seating, margin, result
"""


def by_one(
    connection: DuckDBPyConnection, filters: Filters = EVERYTHING, minimum: int = TOO_FEW
) -> pl.DataFrame:
    """Return how often exactly one point was missing, by ``variant`` and ``seating``.

    The other columns are those of ``measure``.
    """
    return measure(connection, BY_ONE, ("variant", "seating"), filters, minimum)


# --- Held against par

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
    without_par: tuple[WithoutOne, ...]
    """Most hands first."""
    without_share: tuple[WithoutOne, ...]
    """Hands with a par that have no ledger in score: but for deals passed out, which have none."""


def held(connection: DuckDBPyConnection, filters: Filters = EVERYTHING) -> Held:
    """Return how many of the hands of filters were held against par, and why others were not.

    Raises ``FigureError`` for filters that hands do not have, and ``UnsolvedError`` where no
    auction was held against par.
    """
    hands, valued = (
        int(measure(connection, name, (), filters)["n"].item())
        for name in ("hands", "par-auctions")
    )
    conditions, parameters = conditions_for(METRIC["par-auctions"], filters)
    found = run(connection, _REASONS.format(where=" AND ".join(["true", *conditions])), parameters)
    without_par, without_share = (
        tuple(WithoutOne(*each) for _, *each in found.filter(kind=kind).iter_rows())
        for kind in ("par", "share")
    )
    return Held(hands, valued, without_par, without_share)


def bid_over_par(connection: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return how many contracts were bid how far above par; below it that is less than nothing.

    Columns: ``variant`` and ``seating``, those with the most contracts first; ``margin``, the bid
    less the most that the side could make, rising; ``result``; and ``n``.

    Raises ``FigureError`` as ``ask`` does.
    """
    return _by_margin(connection, METRIC[BIDS], "over-par", filters)


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
