"""The fives of trumps at one kind of table: where makers lose them, who does, to whom; their way.

A five is a pedro: the right or left five of trumps, with five points or more. What its fate was is
a fact of its trick (``card_facts``). Every function takes filters that leave one variant and one
kind of table, as fives of different games are not to be thrown together.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from duckdb import DuckDBPyConnection

from ingest.metrics import measure, metric_named
from ingest.metrics.clusters import cluster_of_game
from ingest.metrics.dimensions import DIMENSION
from ingest.metrics.filters import EVERYTHING, Filters, run
from ingest.metrics.intervals import typical
from ingest.metrics.measuring import interval_columns, sums_of
from ingest.metrics.model import TOO_FEW, Metric
from ingest.metrics.query import Asked, ask
from ingest.metrics.standings import standings

if TYPE_CHECKING:
    import polars as pl

LOST: Final = "pedros-lost"
"""The metric of the makers' fives that were lost."""
KEPT: Final = "pedros-kept"
"""The metric of all fives, of makers and defenders."""
ALL: Final = "all"
"""In place of a part: all fives of the makers."""
PARTS: Final = ("five", "holder", "leader", "trick", "played")
"""Dimensions by which ``where_lost`` takes the fives apart."""
LEAD: Final = "lead"
"""A part as well: the side that led to the trick, ``makers`` or ``defenders``."""
TAKERS: Final = ("taker", "lost-to")
"""Dimensions of who took the lost ones: a seat, and a player."""


def tables(connection: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return the kinds of tables at which fives were played, those with the most first.

    Columns: ``variant``, ``seating`` and ``n``, the fives of makers and defenders.
    """
    found = measure(connection, KEPT, ("variant", "seating"), filters)
    return found.select("variant", "seating", "n").sort("n", descending=True, maintain_order=True)


def where_lost(
    connection: DuckDBPyConnection, filters: Filters = EVERYTHING, minimum: int = TOO_FEW
) -> pl.DataFrame:
    """Return how often the makers' fives were lost, for each value of each part.

    Columns: ``part``, a dimension, ``LEAD`` or ``ALL``; ``of``, its value as in filters; ``n`` and
    ``hits``; ``games``, ``value``, ``low``, ``high`` (95 %) and ``enough``, as ``measure`` gives
    them. Of ``PARTS`` the value is the share lost of the fives that ``of`` is about. Of ``TAKERS``
    it is the share that this one took: of all fives for a seat, of those of makers they sat against
    for a player.

    Raises ``FigureError`` as ``ask`` does.
    """
    import polars as pl

    metric = metric_named(LOST)
    asked = _asked(connection, metric, filters)
    columns = {name: DIMENSION[name].sql for name in (*PARTS, "taker")}
    columns[LEAD] = (
        "CASE WHEN led_by = 'opponents' THEN 'defenders' WHEN led_by IS NOT NULL THEN 'makers' END"
    )
    cases = run(connection, asked.cases(**columns), asked.parameters)
    lost_to = _TAKEN_BY.format(cases=asked.cases(by_whom="taker", against="opponents"))
    by_game = {ALL: cases.with_columns(of=pl.lit(ALL))}
    by_game |= {name: cases.with_columns(of=pl.col(name)) for name in (*PARTS, LEAD)}
    by_game["taker"] = _taken(cases)
    by_game["lost-to"] = run(connection, lost_to, asked.parameters)
    tables = {part: _sums(each) for part, each in by_game.items()}
    rows = pl.concat(each.with_columns(part=pl.lit(part)) for part, each in tables.items())
    scatter = np.concatenate(
        [np.full(len(each), typical(sums_of(each), metric.scale)) for each in tables.values()]
    )
    rows = rows.with_columns(n=pl.col("w").cast(pl.Int64))
    return rows.select("part", "of", "n", pl.col("y").cast(pl.Int64).alias("hits"), "games").hstack(
        interval_columns(rows, scatter, metric, minimum)
    )


def taken_by_one(where: pl.DataFrame) -> float | None:
    """Return the share of the makers' fives that one opponent takes on average.

    ``where`` is the frame of ``where_lost``. It is the share lost divided by the number of
    opponents; where their number is not always the same, each five counts once for each of them.
    ``None`` without a five.
    """
    import polars as pl

    taken, against = (
        where.filter(pl.col("part") == "lost-to").select(pl.col("hits", "n").sum()).row(0)
    )
    return taken / against if against else None


def _sums(cases: pl.DataFrame) -> pl.DataFrame:
    """Return the sums over games for each value of the column ``of``, in the order of these."""
    import polars as pl

    y, w = pl.col("y"), pl.col("w")
    return (
        cases.filter(pl.col("of").is_not_null())
        .group_by("of", "game_no")
        .agg(y.sum().cast(pl.Float64), w.sum().cast(pl.Float64))
        .group_by("of")
        .agg(
            pl.len().cast(pl.Int64).alias("games"),
            pl.sum("y", "w"),
            *((y * y).sum().alias("yy"), (y * w).sum().alias("yw"), (w * w).sum().alias("ww")),
        )
        .sort("of")
        .with_columns(pl.col("of").cast(pl.String))
    )


def _taken(cases: pl.DataFrame) -> pl.DataFrame:
    """Return for each game what each seat took of all its fives, of seats that ever took one."""
    import polars as pl

    seats = cases.filter(pl.col("y") > 0).select(pl.col("taker").alias("of").unique())
    whole = cases.group_by("game_no").agg(pl.sum("w")).join(seats, how="cross")
    taken = cases.group_by("game_no", pl.col("taker").alias("of")).agg(pl.sum("y"))
    return whole.join(taken, on=["game_no", "of"], how="left").with_columns(
        pl.col("y").fill_null(0)
    )


_TAKEN_BY: Final = """
SELECT each AS of, game_no, sum(CASE WHEN by_whom = each THEN y ELSE 0 END)::DOUBLE AS y,
    sum(w)::DOUBLE AS w
FROM ({cases}), unnest(against) AS listed(each)
GROUP BY ALL
"""


def losers(
    connection: DuckDBPyConnection, filters: Filters = EVERYTHING, minimum: int = TOO_FEW
) -> pl.DataFrame:
    """Return who loses the fives of their side as makers, with what they lost in which way.

    The columns of ``standings`` by ``player``, and ``tricks``: how many they lost in each trick,
    from the first to the last in which anybody lost one; ``lost``, how many in all; ``to``, the
    seat that took most of these, as of the dimension ``taker``, and ``to_count``, how many, both
    null without a loss.

    Raises ``FigureError`` as ``standings`` does.
    """
    import polars as pl

    metric = metric_named(LOST)
    asked = _asked(connection, metric, filters)
    cases = asked.cases(player="player", taken=DIMENSION["taker"].sql, trick="trick")
    counts = run(
        connection,
        f"SELECT player, taken, trick, count(*) AS lost FROM ({cases}) WHERE y > 0 "  # noqa: S608 - our own
        "GROUP BY ALL ORDER BY ALL",
        asked.parameters,
    )
    last = int(counts["trick"].max() or 0)  # type: ignore[arg-type]
    by_trick = dict[str, list[int]]()
    by_seat = dict[str, dict[str, int]]()
    for player, taken, trick, lost in counts.iter_rows():
        if trick:
            by_trick.setdefault(player, [0] * last)[trick - 1] += lost
        seats = by_seat.setdefault(player, {})
        seats[taken] = seats.get(taken, 0) + lost
    most = {
        player: max(seats.items(), key=lambda each: each[1]) for player, seats in by_seat.items()
    }
    frame = standings(connection, metric, "player", filters, minimum)
    players = frame["player"].to_list()
    return frame.with_columns(
        pl.Series(
            "tricks", [by_trick.get(each, [0] * last) for each in players], pl.List(pl.Int64)
        ),
        pl.Series("lost", [sum(by_seat.get(each, {}).values()) for each in players], pl.Int64),
        pl.Series("to", [most.get(each, (None, None))[0] for each in players], pl.String),
        pl.Series("to_count", [most.get(each, (None, None))[1] for each in players], pl.Int64),
    )


def ways(connection: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return how many fives went which way, of makers and of defenders.

    Columns: ``holder`` and ``leader``, seats as of these dimensions, ``leader`` null where no trick
    took the five; ``side`` of the holder; ``kept``, whether it stayed with that side; and ``n``.
    Fives of hands without a maker are left out.

    Raises ``FigureError`` as ``ask`` does.
    """
    asked = _asked(connection, metric_named(KEPT), filters)
    columns = {name: DIMENSION[name].sql for name in ("holder", "leader")}
    cases = asked.cases(**columns, side="side::VARCHAR", kept="kept")
    return run(
        connection,
        f"SELECT holder, leader, side, kept, count(*) AS n FROM ({cases}) "  # noqa: S608 - our own
        "WHERE side IS NOT NULL GROUP BY ALL ORDER BY ALL",
        asked.parameters,
    )


def _asked(connection: DuckDBPyConnection, metric: Metric, filters: Filters) -> Asked:
    """Return a metric of fives as SQL over the facts themselves, which alone know their fates."""
    asked = ask(connection, metric, ("five",), filters)
    return replace(asked, cluster=cluster_of_game(connection))
