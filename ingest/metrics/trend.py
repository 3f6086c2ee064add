"""Figures over time: each player by period beside all others, and whether somebody has changed.

What a player did in a game is taken less what the others' figure of the whole time gives for it, so
that games of several variants go together; the others by period then show how far the field itself
moved. A change is the slope of a line through the player's games by their days, weighted by cases,
less that of the others' line. Both vary from game to game, and share the games in which both sat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import intervals
from tricklog.ingest.metrics.comparing import (
    FEWEST_COMPARED,
    FEWEST_EXPECTED,
    FEWEST_OF_OTHERS,
    games_of,
)
from tricklog.ingest.metrics.dimensions import DIMENSION
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.intervals import Estimate, Numbers, Scale, sums_of
from tricklog.ingest.metrics.model import Metric
from tricklog.ingest.metrics.naming import name_rows
from tricklog.ingest.metrics.query import alias
from tricklog.ingest.sql import run

FEWEST_DAYS: Final = 4
"""Days that games lie on for a change to be looked for."""
_TAIL: Final = 0.005
"""What an interval of 99 % leaves out at either end."""
MOST_LOOKED_AT: Final = 50
"""Players that are looked at for a change when all are, those with the most games."""
_LEAST_LEFT: Final = 0.05
"""The least part of a residual that a game far from all others keeps."""


@dataclass(frozen=True, slots=True)
class Course:
    """What everybody did in each game."""

    own: pl.DataFrame
    """A row for each player, game and period in it: ``who``, ``game_no``, ``variant`` (with the
    kind of table), ``period``, and the sums ``y``, ``w`` of the player, ``o``, ``p`` of the others,
    ``t``, ``u`` of all."""
    whole: pl.DataFrame
    """A row for each game and period in it: ``game_no``, ``variant``, ``period``, ``t``, ``u``."""


def course(
    connection: DuckDBPyConnection, metric: Metric, period: str, filters: Filters = EVERYTHING
) -> Course:
    """Return what every player did in each game, by a dimension of time.

    Filters are those of the cases; a player among them is passed over. Of a session ``period`` is
    its number. Raises ``FigureError`` as ``comparing.sums`` does.
    """
    games, asked = games_of(connection, metric, "player", filters.also("player"), period)
    own = run(
        connection,
        f"WITH {games} SELECT who, game_no, variant, {alias(asked.dimensions[1])} AS period, "  # noqa: S608 - our own
        "y, w, o, p, t, u FROM games WHERE w > 0",
        asked.parameters,
    )
    # Whatever counts in a game counts for somebody in it.
    whole = own.unique(["game_no", "period"]).filter(pl.col("u") > 0)
    return Course(own, whole.select("game_no", "variant", "period", "t", "u"))


# --- By period


def above_field(
    connection: DuckDBPyConnection,
    metric: Metric,
    period: str,
    filters: Filters = EVERYTHING,
    *,
    pairs: bool = False,
    players: Sequence[str] | None = None,
) -> pl.DataFrame:
    """Return how far each player was from the others of the whole time, by period.

    With ``players`` these alone; the scatter of games is then theirs. With ``pairs`` that of each
    two partners, from the games in which they had no other, of a figure that both share.

    Columns: ``who``, ``partner`` (of a pair the other one, by id; else null), ``period``,
    ``games``, ``n`` (weight of the cases), ``value`` (observed less expected), ``low`` and ``high``
    (95 %; null where games show nothing of their scatter), ``field``, how far the others of the
    period were from the same, and ``expected``, what the others of the whole time give for these
    cases. In order of player and period; a period is what its dimension calls it, of a session the
    name.

    Variants in which the others have fewer than five games do not count. Raises ``FigureError`` as
    ``course`` does.
    """
    found = course(connection, metric, period, filters)
    played = found.own.with_columns(partner=pl.lit(None, pl.String))
    if pairs:
        # The others of a pair are all but the two.
        alone = {"o": pl.col("t") - pl.col("y"), "p": pl.col("u") - pl.col("w")}
        sat = run(connection, _PAIRED, {})
        played = found.own.join(sat, on=["who", "game_no"]).with_columns(**alone)
    if players is not None:
        played = played.filter(pl.col("who").is_in(players))
    whose, w = ["who", "partner"], pl.col("w")
    rates = _others(played, found.whole)
    moved = _others(played, found.whole, "period").rename({"rate": "now"})
    games = played.join(rates, on=[*whose, "variant"], nulls_equal=True).with_columns(
        e=pl.col("y") - pl.col("rate") * w
    )
    sums = intervals.over_games(pl.col("e"), w)
    usual = intervals.typical(sums_of(games.group_by(whose).agg(*sums)), Scale.FREE)
    rows = games.group_by(*whose, "period").agg(*sums).sort(*whose, "period")
    own = sums_of(rows)
    low, high = intervals.interval(own, np.full(len(rows), usual), Scale.FREE)
    # A few games that happen to be alike say nothing of how games scatter.
    enough = np.isfinite(usual) | (own.games >= intervals.FEWEST_GAMES)
    known = np.isfinite(low) & (high > low) & enough
    field = (
        games.join(moved, on=[*whose, "variant", "period"], how="left", nulls_equal=True)
        .group_by(*whose, "period")
        .agg(
            # What the others did in variants of which they have nothing in the period is not known.
            field=(w * (pl.col("now") - pl.col("rate"))).sum()
            / w.filter(pl.col("now").is_not_null()).sum(),
            expected=(w * pl.col("rate")).sum() / w.sum(),
        )
    )
    ends = {"low": np.where(known, low, np.nan), "high": np.where(known, high, np.nan)}
    of_periods = (
        rows.select(*whose, "period", "games", n="w")
        .with_columns(value=own.ratio, **ends)
        .join(field, on=[*whose, "period"], how="left", maintain_order="left", nulls_equal=True)
        .with_columns(pl.col("low", "high", "field").fill_nan(None))
    )
    named = DIMENSION[period].names
    if named is None:
        return of_periods
    # Sessions have names in the place of their numbers, and come in the order of their days.
    table, column = named
    names = run(
        connection,
        f"SELECT session AS period, {column} AS name FROM {table} ORDER BY day, {column}",  # noqa: S608 - our own
        {},
    ).with_row_index("place")
    ordered = of_periods.join(names, on="period").sort(*whose, "place", nulls_last=True)
    return ordered.with_columns(period=pl.col("name")).drop("name", "place")


def _others(own: pl.DataFrame, whole: pl.DataFrame, *by: str) -> pl.DataFrame:
    """Return the others' figure, ``rate``, for each player and variant, by further columns.

    With none the others need a few games; those of one period are as many as there are.
    """
    keys = ["variant", *by]
    total = whole.group_by(keys).agg(
        pl.col("t", "u").sum().name.prefix("all_"), pl.col("game_no").n_unique().alias("games")
    )
    mine = own.group_by("who", "partner", *keys).agg(pl.col("o", "p", "t", "u").sum())
    others_w = pl.col("all_u") - pl.col("u") + pl.col("p")
    others_y = pl.col("all_t") - pl.col("t") + pl.col("o")
    return (
        mine.join(total, on=keys)
        .filter(others_w > 0, pl.col("games") >= (1 if by else FEWEST_OF_OTHERS))
        .select("who", "partner", *keys, rate=others_y / others_w)
    )


_PAIRED: Final = """
SELECT game_no, player AS who, any_value(partners[1]) AS partner
FROM seat_facts
WHERE len(partners) = 1
GROUP BY game_no, player
HAVING count(DISTINCT partners[1]) = 1 AND player < any_value(partners[1])
"""


# --- Changes


class Change(NamedTuple):
    """How a player changed against the others from their first day to their last."""

    change: float
    low: float
    high: float
    """The 99 % interval of the change."""
    chance: float
    """How often chance alone gives such a change."""
    games: int
    days: int
    first: date
    last: date
    when: date
    """The day from which on one level before and one after it fit best."""
    when_low: date
    when_high: date
    """The days between which that is with 99 %."""


def changes(
    connection: DuckDBPyConnection,
    metrics: Sequence[Metric],
    filters: Filters = EVERYTHING,
    *,
    player: str | None = None,
) -> pl.DataFrame:
    """Return who changed against the field, over the days that the filters choose.

    Columns: ``metric``, ``player``, ``change`` from the player's first day to the last, by a line
    through their games less that of the others, with ``low`` and ``high`` (99 %), ``chance`` of as
    much by chance alone, ``games``, ``days``, ``first``, ``last``; ``when``, the day from which on
    they were at another level, if it was one step, with ``when_low`` and ``when_high`` (99 %); and
    ``named``: whether it stands among all rows (Holm, at 3 %) and is of a relevant size.

    Only players with ten games over at least four days are looked at, of a share those of whom
    enough hits and misses are expected; with ``player`` only that one, else the
    ``MOST_LOOKED_AT`` with the most games. Raises ``FigureError`` as ``course`` does.
    """
    rows: list[tuple[Any, ...]] = []
    for metric in metrics:
        found = course(connection, metric, "day", filters)
        changed = changes_in(found, metric.scale, player=player)
        rows += [(metric.name, who, *each) for who, each in changed.items()]
    texts = dict.fromkeys(("metric", "player"), pl.String)
    numbers = dict.fromkeys(Change._fields[:4], pl.Float64)
    counts = dict.fromkeys(("games", "days"), pl.Int64)
    schema = texts | dict.fromkeys(Change._fields, pl.Date) | numbers | counts
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return name_rows(frame, {metric.name: metric.relevant for metric in metrics}, "change")


def changes_in(found: Course, scale: Scale, *, player: str | None = None) -> dict[str, Change]:
    """Return the change of each player in a course whose periods are days, by player.

    Who is left out is said at ``changes``.
    """
    played = (
        found.own.group_by("who")
        .agg(pl.len().alias("games"), pl.col("period").n_unique().alias("days"))
        .filter(pl.col("games") >= FEWEST_COMPARED, pl.col("days") >= FEWEST_DAYS)
        .sort("games", "who", descending=[True, False])
    )
    if player is not None:
        played = played.filter(pl.col("who") == player)
    wanted = played["who"].head(MOST_LOOKED_AT).to_list()
    if not wanted:
        return {}
    whole = found.whole.with_row_index("at").with_columns(
        day=pl.col("period").cast(int), kind=pl.col("variant").rank("dense").cast(int) - 1
    )
    # One join for all of them: one for each takes longer than all else here.
    placed = found.own.filter(pl.col("who").is_in(wanted)).join(
        whole.select("game_no", "period", "at"),
        on=["game_no", "period"],
        how="left",
        maintain_order="left",
    )
    games = placed.partition_by("who", as_dict=True)
    changed = ((who, _change(whole, games[who,], scale)) for who in wanted)
    return {who: each for who, each in changed if each}


def _change(whole: pl.DataFrame, games: pl.DataFrame, scale: Scale) -> Change | None:
    """Return the change of one player, whose ``games`` have their place ``at`` in ``whole``.

    There ``kind`` numbers the variants.
    """
    places = games["at"].to_numpy().astype(np.int64)
    kind, day = (whole[name].to_numpy() for name in ("kind", "day"))
    others_y, others_w = (whole[name].to_numpy().copy() for name in ("t", "u"))
    others_y[places], others_w[places] = games["o"].to_numpy(), games["p"].to_numpy()
    total_y, total_w = np.bincount(kind, others_y), np.bincount(kind, others_w)
    counts = (np.bincount(kind) >= FEWEST_OF_OTHERS) & (total_w > 0)
    rate = np.divide(total_y, total_w, out=np.zeros(len(counts)), where=counts)
    mine = counts[kind[places]]
    places = places[mine]
    y, w = (games[name].to_numpy()[mine] for name in ("y", "w"))
    days = day[places].astype(float)
    if len(places) < FEWEST_COMPARED or len(np.unique(days)) < FEWEST_DAYS:
        return None
    expected = rate[kind[places]] * w
    least = min(expected.sum(), w.sum() - expected.sum())
    if scale == Scale.SHARE and least < FEWEST_EXPECTED:
        return None
    own = _line(y - expected, w, days)
    theirs = np.isin(kind, kind[places]) & (others_w > 0)
    residuals = (others_y - rate[kind] * others_w)[theirs]
    field = _line(residuals, others_w[theirs], day[theirs].astype(float))
    if own is None or field is None:
        return None
    pulls = np.zeros(len(kind))
    pulls[theirs] = field.pulls
    together = float((own.pulls * pulls[places]).sum())
    beside = (y - expected) / w - field.slope.value * days
    return _changed(own.slope.less(field.slope, together), days, _step(beside, w, days))


class _Line(NamedTuple):
    """A weighted line through games by their days."""

    slope: Estimate
    pulls: Numbers
    """By how much each game moves the slope beyond what the line says of it."""


def _line(residuals: Numbers, weights: Numbers, days: Numbers) -> _Line | None:
    """Return the line through residuals; ``None`` where the days do not differ."""
    total = weights.sum()
    away = days - (weights * days).sum() / total
    squares = float((weights * away**2).sum())
    freedom = total**2 / (weights**2).sum() - 2
    if squares <= 0 or freedom <= 0:
        return None
    level = residuals.sum() / total
    slope = float((away * residuals).sum()) / squares
    left = np.maximum(1 - weights * (1 / total + away**2 / squares), _LEAST_LEFT)
    beyond = (residuals - level * weights - slope * weights * away) / left
    pulls = away * beyond / squares
    return _Line(Estimate(slope, float((pulls**2).sum()), float(freedom)), pulls)


def _step(values: Numbers, weights: Numbers, days: Numbers) -> tuple[float, float, float]:
    """Return the day on which values step from one level to another, and its 99 % interval.

    How likely each day is follows from how little is left around both levels, whatever these and
    the scatter of games are; there are two days at least on either side.
    """
    known = np.unique(days)[2:-1]
    sides = days[None, :] >= known[:, None]
    left = np.zeros(len(known))
    scale = np.ones(len(known))
    for side in (sides, ~sides):
        own = side * weights
        total = own.sum(axis=1)
        level = (own @ values) / total
        left += (own * (values[None, :] - level[:, None]) ** 2).sum(axis=1)
        scale *= total
    left = np.maximum(left, 1e-12)
    logs = -0.5 * np.log(scale) - (len(values) - 2) / 2 * np.log(left / left.min())
    likely = np.exp(logs - logs.max())
    summed = np.cumsum(likely) / likely.sum()
    low, high = np.searchsorted(summed, [_TAIL, 1 - _TAIL])
    return float(known[np.argmax(likely)]), float(known[low]), float(known[high])


def _changed(slope: Estimate, days: Numbers, step: tuple[float, float, float]) -> Change:
    """Return what a slope beyond that of the others comes to over the days of the player."""
    span = float(days.max() - days.min())
    change = Estimate(slope.value * span, slope.variance * span**2, slope.freedom).apart()
    first, last, *when = (
        date.fromordinal(date(1970, 1, 1).toordinal() + int(day))
        for day in (days.min(), days.max(), *step)
    )
    return Change(*change, len(days), len(np.unique(days)), first, last, *when)
