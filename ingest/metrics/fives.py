"""The fives of trumps at one kind of table: where makers lose them, who does, to whom.

A five is a pedro: the right or left five of trumps, with five points or more. What its fate was is
a fact of its trick (``card_facts``). Every function takes filters that leave one variant and one
kind of table, as fives of different games are not to be thrown together.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import polars as pl
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import metric_named
from tricklog.ingest.metrics.dimensions import DIMENSION
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.intervals import over_games
from tricklog.ingest.metrics.measuring import with_intervals
from tricklog.ingest.metrics.model import TOO_FEW
from tricklog.ingest.metrics.query import plan
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.sql import run

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
    metric = metric_named(LOST)
    asked = plan(connection, metric, ("five",), filters)
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
    return pl.concat(
        with_intervals(sums, sums, metric, minimum).select(pl.lit(part).alias("part"), pl.all())
        for part, sums in ((part, _sums(each)) for part, each in by_game.items())
    )


def taken_by_one(where: pl.DataFrame) -> float | None:
    """Return the share of the makers' fives that one opponent takes on average.

    ``where`` is the frame of ``where_lost``. It is the share lost divided by the number of
    opponents; where their number is not always the same, each five counts once for each of them.
    ``None`` without a five.
    """
    taken, against = (
        where.filter(pl.col("part") == "lost-to").select(pl.col("hits", "n").sum()).row(0)
    )
    return taken / against if against else None


def _sums(cases: pl.DataFrame) -> pl.DataFrame:
    """Return the sums over games for each value of the column ``of``, in the order of these."""
    y, w = pl.col("y"), pl.col("w")
    return (
        cases.filter(pl.col("of").is_not_null())
        .group_by("of", "game_no")
        .agg(y.sum().cast(pl.Float64), w.sum().cast(pl.Float64))
        .group_by("of")
        .agg(over_games(y, w))
        .sort("of")
        .with_columns(
            pl.col("of").cast(pl.String), pl.col("games").cast(pl.Int64), n=w.cast(pl.Int64)
        )
    )


def _taken(cases: pl.DataFrame) -> pl.DataFrame:
    """Return for each game what each seat took of all its fives, of seats that ever took one."""
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
    metric = metric_named(LOST)
    asked = plan(connection, metric, ("five",), filters)
    cases = asked.cases(player="player", taken=DIMENSION["taker"].sql, trick="trick")
    counts = run(
        connection,
        f"SELECT player, taken, trick, count(*) AS lost FROM ({cases}) WHERE y > 0 "  # noqa: S608 - our own
        "GROUP BY ALL ORDER BY ALL",
        asked.parameters,
    )
    last = int(counts["trick"].max() or 0)  # type: ignore[arg-type]
    frame = standings(connection, metric, "player", filters, minimum)
    by_player = counts.partition_by("player", as_dict=True, maintain_order=True)
    lost = []
    for player in frame["player"]:
        tricks, seats = [0] * last, Counter[str]()
        for _, taken, trick, count in by_player.get((player,), counts.clear()).iter_rows():
            seats[taken] += count
            if trick:
                tricks[trick - 1] += count
        # Of several seats with as many, the first one.
        most = seats.most_common(1)[0] if seats else (None, None)
        lost.append((tricks, seats.total(), *most))
    schema: dict[str, Any] = {"tricks": pl.List(pl.Int64), "lost": pl.Int64, "to": pl.String}
    schema["to_count"] = pl.Int64
    return frame.hstack(pl.DataFrame(lost, schema=schema, orient="row"))
