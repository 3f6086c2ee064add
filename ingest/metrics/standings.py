"""Where each player stands in a figure, or each value of another dimension, and who is named."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics.built_in import METRIC
from tricklog.ingest.metrics.comparing import compare, sums
from tricklog.ingest.metrics.dimensions import DIMENSION
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.intervals import Sums
from tricklog.ingest.metrics.measuring import FIGURE, measure, with_intervals
from tricklog.ingest.metrics.model import TOO_FEW, Better, Metric
from tricklog.ingest.metrics.naming import FEWEST_HANDS, FEWEST_OTHERS, name_rows, places

if TYPE_CHECKING:
    import polars as pl


def standings(
    connection: DuckDBPyConnection,
    metric: Metric,
    by: str = "player",
    filters: Filters = EVERYTHING,
    minimum: int = TOO_FEW,
) -> pl.DataFrame:
    """Return each value of a dimension beside all others in the same variants, the best first.

    Columns: ``by``; ``n``, ``games``, ``value``, ``low``, ``high`` and ``enough`` as ``measure``
    gives them; ``expected``, what the others' figures give for the same cases in each variant;
    ``difference`` to that, with its 99 % interval ``difference_low`` and ``difference_high``;
    ``chance``, how often chance alone gives such a difference; ``named``, whether it stands among
    all that are compared here (Holm, at 3 %) and is of a relevant size; ``drawn``, the difference
    drawn towards the middle of all; ``place`` by that, ``from_place`` and ``to_place`` (90 %),
    ``first``, the chance of being first, ``of``, how many have a place; of players, where one
    direction is better, ``better_than``, the share of the others like them (people or bots, 300
    hands or more) that they are better than, with ``better_low`` and ``better_high`` (90 %), null
    below 50 of them; ``narrower``, how many times as many hands make that range about half as wide,
    null where ten thousand times would not; and ``left_out``, the variants in which the others have
    too few games.

    What is compared is null where there are too few cases or games to judge by. Where no direction
    is better, the highest comes first.

    Raises ``FigureError`` as ``comparing.sums`` does.
    """
    import polars as pl

    rows, totals = sums(connection, metric, by, filters)
    frame = figures(rows, metric, minimum)
    found = compare(rows, totals, metric.scale)
    enough = frame.filter("enough")["who"]
    # Where nothing varies, as an amount that is 0 in every case, there is nothing to judge by.
    varies = pl.col("variance").fill_nan(0.0) > 0
    judged = found.filter("judged", varies, pl.col("who").is_in(enough.implode()))
    placed = places(
        judged["difference"].to_list(),
        judged["variance"].to_list(),
        lowest_first=metric.better == Better.LOWER,
        like=_like(connection, metric, by, filters, judged["who"].to_list()),
    )
    ends = {"difference_low": "low", "difference_high": "high"}
    compared = judged.select("who", "expected", "difference", **ends, chance="chance")
    compared = name_rows(compared, metric.relevant).hstack(placed)
    joined = frame.join(compared, on="who", how="left", maintain_order="left")
    if metric.within:
        # What the others' figures give for the same cases, each among its like.
        joined = joined.with_columns(expected=pl.col("value") - pl.col("difference"))
    return (
        joined.join(found.select("who", "left_out"), on="who", how="left", maintain_order="left")
        .with_columns(of=pl.lit(len(judged), pl.Int64))
        .sort("place", "n", descending=[False, True], nulls_last=True, maintain_order=True)
        .rename({"who": by})
    )


def _like(
    connection: DuckDBPyConnection, metric: Metric, by: str, filters: Filters, who: list[str]
) -> list[bool | None]:
    """Return of each player who is company for others whether they are a bot."""
    if by != "player" or len(who) <= FEWEST_OTHERS or metric.better == Better.NEITHER:
        return []
    played = hands_of(connection, filters)
    bots = hands_of(connection, filters.also("kind", "bot"))
    is_bot = {player: player in bots for player, n in played.items() if n >= FEWEST_HANDS}
    return [is_bot.get(each) for each in who]


def hands_of(connection: DuckDBPyConnection, filters: Filters) -> dict[str, int]:
    """Return how many hands each player has; a card or a call chosen leaves out none of them."""
    hands = METRIC["hands"]
    those = tuple(each for each in filters.chosen if hands.grain in DIMENSION[each[0]].grains)
    filters = replace(filters, chosen=those)
    return dict(measure(connection, hands, ("player",), filters).select("player", "n").rows())


def figures(rows: pl.DataFrame, metric: Metric, minimum: int) -> pl.DataFrame:
    """Return the figure of each over all variants, from the rows of ``comparing.sums``.

    Columns: ``who``, ``n``, ``games``, ``value``, ``low``, ``high`` and ``enough``, as ``measure``
    gives them.
    """
    import polars as pl

    if metric.within:
        rows = rows.drop("y", "yy", "yw").rename({"raw_y": "y", "raw_yy": "yy", "raw_yw": "yw"})
    pooled = (
        rows.rename({"cases": "n"})
        .group_by("who", maintain_order=True)
        .agg(pl.col("n", *Sums.__slots__).sum())
        .filter(pl.col("w") > 0)
    )
    return with_intervals(pooled, pooled, metric, minimum).select("who", *FIGURE)
