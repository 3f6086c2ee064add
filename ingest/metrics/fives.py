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
from ingest.metrics.dimensions import DIMENSION
from ingest.metrics.filters import EVERYTHING, Filters, run
from ingest.metrics.intervals import typical
from ingest.metrics.measuring import (
    CLUSTERS,
    MANY_GAMES,
    games_in,
    interval_columns,
    sums_of,
)
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
    parts = {name: f"part_{place}" for place, name in enumerate(PARTS)}
    also = {column: f"({DIMENSION[name].sql})::VARCHAR" for name, column in parts.items()}
    parts[LEAD] = "of_lead"
    also["of_lead"] = (
        "CASE WHEN led_by = 'opponents' THEN 'defenders' WHEN led_by IS NOT NULL THEN 'makers' END"
    )
    also |= {"taken": DIMENSION["taker"].sql, "by_whom": "taker", "against": "opponents"}
    query = _WHERE_LOST.format(
        cases=asked.cases(**also),
        names=", ".join(f"'{name}'" for name in parts),
        values=", ".join(parts.values()),
    )
    rows = run(connection, query, asked.parameters)
    scatter = {
        part: typical(sums_of(of_part), metric.scale)
        for (part,), of_part in rows.partition_by("part", as_dict=True).items()
    }
    each = np.array([scatter[part] for part in rows["part"]], dtype=float)
    return rows.select("part", "of", "n", pl.col("y").cast(pl.Int64).alias("hits"), "games").hstack(
        interval_columns(rows, each, metric, minimum)
    )


_WHERE_LOST: Final = """
WITH cases AS MATERIALIZED ({cases}),
apart AS (
    SELECT unnest(['all', {names}]) AS part, unnest(['all', {values}]) AS of, game_no, y, w
    FROM cases
),
seats AS (SELECT DISTINCT taken FROM cases WHERE y > 0),
taken AS (
    SELECT 'taker' AS part, seats.taken AS of, game_no,
        CASE WHEN cases.taken = seats.taken THEN y ELSE 0 END AS y, w
    FROM cases, seats
),
taken_by AS (
    SELECT 'lost-to' AS part, each AS of, game_no,
        CASE WHEN by_whom = each THEN y ELSE 0 END AS y, w
    FROM cases, unnest(against) AS listed(each)
),
games AS (
    SELECT part, of, game_no, sum(y)::DOUBLE AS y, sum(w)::DOUBLE AS w
    FROM (FROM apart UNION ALL FROM taken UNION ALL FROM taken_by)
    WHERE of IS NOT NULL
    GROUP BY ALL
)
SELECT part, of, sum(w)::BIGINT AS n, count(*) AS games, sum(y) AS y, sum(w) AS w,
    sum(y * y) AS yy, sum(y * w) AS yw, sum(w * w) AS ww
FROM games GROUP BY part, of
ORDER BY part, try_cast(of AS INTEGER), of
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
    if games_in(connection) > MANY_GAMES:
        asked = replace(asked, cluster=f"hash(game_no) % {CLUSTERS}")
    return asked
