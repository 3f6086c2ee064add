"""Where each player stands in a figure, or each value of another dimension, and who is named.

Every figure here is that of ``tricklog.ingest.metrics``: the same cases, amounts, weights and
intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import call
from typing import Any, Final

import polars as pl
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import METRIC, METRICS, known_metrics
from tricklog.ingest.metrics.comparing import compare, sums
from tricklog.ingest.metrics.dimensions import DIMENSION
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.intervals import Sums
from tricklog.ingest.metrics.measuring import FIGURE, measure, with_intervals
from tricklog.ingest.metrics.model import TOO_FEW, Better, FigureError, Kind, Level, Metric
from tricklog.ingest.metrics.naming import (
    FEWEST_HANDS,
    FEWEST_OTHERS,
    in_two_digits,
    name_rows,
    places,
)
from tricklog.ingest.sql import run

_MIRRORS: Final = ("set-rate", "cards-lost")
"""Figures that say the same as another one beside them."""


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
    rows, totals = sums(connection, metric, by, filters)
    frame = figures(rows, metric, minimum)
    found = compare(rows, totals, metric.scale)
    enough = frame.filter("enough")["who"]
    # Where nothing varies, as an amount that is 0 in every case, there is nothing to judge by.
    varies = pl.col("variance").fill_nan(0.0) > 0
    judged = found.filter("judged", varies, pl.col("who").is_in(enough.implode()))
    like: list[bool | None] = []
    if by == "player" and len(judged) > FEWEST_OTHERS and metric.better != Better.NEITHER:
        played, bots = (
            _hands_of(connection, each) for each in (filters, filters.also("kind", "bot"))
        )
        is_bot = {player: player in bots for player, n in played.items() if n >= FEWEST_HANDS}
        like = [is_bot.get(each) for each in judged["who"]]
    placed = places(
        judged["difference"].to_list(),
        judged["variance"].to_list(),
        lowest_first=metric.better == Better.LOWER,
        like=like,
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


def _hands_of(connection: DuckDBPyConnection, filters: Filters) -> dict[str, int]:
    """Return how many hands each player has; a card or a call chosen leaves out none of them."""
    hands = METRIC["hands"]
    those = tuple(each for each in filters.chosen if hands.grain in DIMENSION[each[0]].grains)
    found = measure(connection, hands, ("player",), replace(filters, chosen=those))
    return dict(found.select("player", "n").rows())


def figures(rows: pl.DataFrame, metric: Metric, minimum: int) -> pl.DataFrame:
    """Return the figure of each over all variants, from the rows of ``comparing.sums``.

    Columns: ``who``, ``n``, ``games``, ``value``, ``low``, ``high`` and ``enough``, as ``measure``
    gives them.
    """
    if metric.within:
        rows = rows.drop("y", "yy", "yw").rename({"raw_y": "y", "raw_yy": "yy", "raw_yw": "yw"})
    pooled = (
        rows.rename({"cases": "n"})
        .group_by("who", maintain_order=True)
        .agg(pl.col("n", *Sums.__slots__).sum())
        .filter(pl.col("w") > 0)
    )
    return with_intervals(pooled, pooled, metric, minimum).select("who", *FIGURE)


# --- One player against the field


def metrics_of_players(*, amounts: bool, own: bool = False) -> dict[str, Metric]:
    """Return the metrics that a player can be known by; ``amounts``: those of one game, too.

    ``own`` says whether metrics of one's own are among them; they come last.
    """
    return {
        metric.name: metric
        for metric in (known_metrics().values() if own else METRICS)
        if metric.level > Level.HAND
        and metric.kind != Kind.COUNT
        and metric.name not in _MIRRORS
        and (amounts or metric.comparable)
    }


def not_countable(connection: DuckDBPyConnection, metrics: Sequence[Metric]) -> dict[str, str]:
    """Return which of one's own metrics cannot be counted over the facts there are, and why."""
    found: dict[str, str] = {}
    for metric in metrics:
        if metric.name not in METRIC:
            try:
                measure(connection, metric, (), EVERYTHING, 1)
            except FigureError as error:
                found[metric.name] = str(error)
    return found


def require_player(connection: DuckDBPyConnection, player: str) -> None:
    """Raise ``FigureError`` when no hand of the snapshot has the player."""
    found = run(connection, "FROM games.players WHERE player = $player", {"player": player})
    if found.is_empty():
        raise FigureError(
            f"There is no player {player!r}. A player is named by the id in the records: "
            "queries.players lists them."
        )


def against_field(
    connection: DuckDBPyConnection,
    player: str,
    metrics: Sequence[Metric],
    filters: Filters = EVERYTHING,
    minimum: int = TOO_FEW,
    *,
    kept: Callable[..., Any] = call,
) -> pl.DataFrame:
    """Return figures of a player beside those of all other players in the same variants.

    One row for each metric of which the player has a case: ``metric``, and the columns of
    ``standings``, but that ``named`` is corrected for all these metrics instead of all
    players, and that ``narrower_from`` says from how many hands on it is better known where they
    stand, null where no direction is better. A player among the filters is passed over.
    ``kept(ask, connection, *given)`` returns what ``ask(connection, *given)`` does, which may be
    from an earlier time: the standings are the same for every player.

    Raises ``FigureError`` for an unknown player, for metrics that are the same for all at a table,
    and as ``measure`` does.
    """
    require_player(connection, player)
    everybody = filters.also("player")
    rows = [
        frame.filter(pl.col("player") == player).select(
            pl.lit(metric.name).alias("metric"), pl.exclude("player")
        )
        for metric in metrics
        for frame in [kept(standings, connection, metric, "player", everybody, minimum)]
    ]
    if not rows:
        raise FigureError("Name at least one metric to compare.")
    frame = name_rows(pl.concat(rows), {metric.name: metric.relevant for metric in metrics})
    hands = _hands_of(connection, filters.also("player", player)).get(player, 0)
    neither = [metric.name for metric in metrics if metric.better == Better.NEITHER]
    narrower = pl.when(~pl.col("metric").is_in(neither)).then(hands * pl.col("narrower"))
    return frame.with_columns(narrower_from=in_two_digits(narrower))
