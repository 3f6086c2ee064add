"""One player against the field, against another, and beside each partner, opponent and seat.

Every figure here is that of ``ingest.metrics``: the same cases, amounts, weights and intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from duckdb import DuckDBPyConnection

from ingest.metrics.filters import EVERYTHING, Filters, run
from ingest.metrics.model import TOO_FEW, Kind, Level, Metric
from ingest.metrics.query import SUMMED, Counted, FigureError, count_from, measure_metric, rows_of

if TYPE_CHECKING:
    import polars as pl

_FIGURE: Final = ("n", "value", "low", "high")
_NONE: Final[dict[str, Any]] = dict.fromkeys(_FIGURE) | {"n": 0}

_WHO: Final = "$who::VARCHAR"
_ONE_OF_SIDE: Final = (
    f"CASE WHEN list_contains(partners, {_WHO}) "
    f"THEN player = list_min(list_append(list_filter(partners, lambda p: p <> {_WHO}), player)) "
    "ELSE first_of_side END"
)
"""Which row of all players but one stands for what partners share."""


def require_player(connection: DuckDBPyConnection, player: str) -> None:
    """Raise ``FigureError`` when no hand of the snapshot has the player."""
    found = run(
        connection,
        "SELECT count(*) AS n FROM games.players WHERE player = $player",
        {"player": player},
    )
    if not found["n"].item():
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
) -> pl.DataFrame:
    """Return figures of a player beside those of all other players under the same filters.

    One row for each metric that has a case: ``metric``, ``n``, ``value``, ``low``, ``high`` and
    ``enough`` as ``measure`` gives them for the player; ``field_n``, ``field_value``, ``field_low``
    and ``field_high`` for the others, among whom what partners share counts once; ``percentile``,
    the share of the other players with enough cases whose value is lower, equal ones by half;
    ``ranked``, how many these are; and ``apart``, whether the intervals do not overlap. A player
    among the filters is passed over. ``percentile`` and ``apart`` are null where there are too few
    cases.

    Raises ``FigureError`` for an unknown player, for metrics that tell no player from another, and
    as ``measure`` does.
    """
    require_player(connection, player)
    everybody = filters.also("player")
    rows = []
    for metric in metrics:
        counts = f"(player = {_WHO} OR {_ONE_OF_SIDE})" if metric.level == Level.SIDE else "true"
        cases = _cases(connection, metric, everybody, f"player = {_WHO}", counts)
        figures = cases.figures(connection, who=player)
        own, field = figures.get(True, _NONE), figures.get(False, _NONE)
        enough = own["n"] >= minimum
        percentile, ranked = None, 0
        if enough:
            everyone = _cases(connection, metric, everybody, "player")
            percentile, ranked = _percentile(everyone.values(connection, minimum), player)
        rows.append(
            {"metric": metric.name, **own, "enough": enough}
            | {f"field_{name}": value for name, value in field.items()}
            | {"percentile": percentile, "ranked": ranked}
            | {"apart": _apart(own, field) if enough else None}
        )
    return _as_frame(rows, "field", {"percentile": "Float64", "ranked": "Int64"})


def two_players(
    connection: DuckDBPyConnection,
    player: str,
    other: str,
    metrics: Sequence[Metric],
    filters: Filters = EVERYTHING,
    minimum: int = TOO_FEW,
) -> pl.DataFrame:
    """Return figures of two players side by side, each over their own hands.

    One row for each metric that has a case: ``metric``, ``n``, ``value``, ``low``, ``high`` and
    ``enough``, the first four again for the other player with ``other_`` before the name,
    ``difference`` (the first less the second) and ``apart``, whether the intervals do not overlap;
    both are null where one has too few cases, and ``enough`` is false.

    Raises ``FigureError`` as ``against_field`` does.
    """
    for each in (player, other):
        require_player(connection, each)
    rows = []
    for metric in metrics:
        cases = _cases(connection, metric, filters.also("player", player, other), "player::VARCHAR")
        figures = cases.figures(connection)
        one, two = figures.get(player, _NONE), figures.get(other, _NONE)
        enough = min(one["n"], two["n"]) >= minimum
        rows.append(
            {"metric": metric.name, **one, "enough": enough}
            | {f"other_{name}": value for name, value in two.items()}
            | {"difference": one["value"] - two["value"] if enough else None}
            | {"apart": _apart(one, two) if enough else None}
        )
    return _as_frame(rows, "other", {"difference": "Float64"})


def beside(
    connection: DuckDBPyConnection,
    player: str,
    dimension: str,
    metrics: Sequence[Metric],
    filters: Filters = EVERYTHING,
    minimum: int = TOO_FEW,
) -> pl.DataFrame:
    """Return figures of a player by partner, opponent, seat or another dimension.

    One row for each metric and value: ``metric``, ``key`` (the value as text), ``n``, ``value``,
    ``low``, ``high`` and ``enough``.

    Raises ``FigureError`` for an unknown player and as ``measure`` does.
    """
    import polars as pl

    require_player(connection, player)
    own = filters.also("player", player)
    return pl.concat(
        measure_metric(connection, metric, (dimension,), own, minimum).select(
            pl.lit(metric.name).alias("metric"),
            pl.col(dimension).cast(pl.String).alias("key"),
            *(pl.col(name) for name in _FIGURE),
            "enough",
        )
        for metric in metrics
    )


@dataclass(frozen=True, slots=True)
class _Cases:
    """The cases of a metric, by whom they are grouped."""

    metric: Metric
    sql: str
    """Query for ``who``, ``game_no`` and the columns of ``counted``."""
    counted: Counted
    parameters: dict[str, Any]

    def figures(self, connection: DuckDBPyConnection, **who: str) -> dict[Any, dict[str, Any]]:
        """Return n, value and interval by ``who``."""
        summed = SUMMED[self.metric.kind](self.sql, ["who"], self.counted)
        frame = run(
            connection,
            f"SELECT who, n, value, low, high FROM ({summed})",  # noqa: S608 - names of our own
            self.parameters | who,
        )
        return {
            row["who"]: {name: row[name] for name in _FIGURE} for row in frame.iter_rows(named=True)
        }

    def values(self, connection: DuckDBPyConnection, minimum: int) -> dict[str, float]:
        """Return the value by ``who``, of those with enough cases."""
        n = "sum(w)" if self.metric.kind == Kind.SHARE else self.counted.n
        frame = run(
            connection,
            f"SELECT who::VARCHAR AS who, sum(y)::DOUBLE / sum(w) AS value FROM ({self.sql}) "  # noqa: S608 - names of our own
            f"GROUP BY who HAVING {n} >= {int(minimum)}",
            self.parameters,
        )
        return dict(frame.iter_rows())


def _cases(
    connection: DuckDBPyConnection, metric: Metric, filters: Filters, who: str, counts: str = "true"
) -> _Cases:
    if metric.level == Level.HAND or metric.kind == Kind.COUNT:
        raise FigureError(
            f"{metric.title} tells no player from another. Take a figure of players or of sides."
        )
    condition, parameters = rows_of(connection, metric, filters)
    counted = count_from(connection, metric, (), filters)
    columns = "".join(f", {sql} AS {name}" for name, sql in counted.columns.items())
    sql = (
        f"SELECT {who} AS who, game_no{columns} FROM {counted.source('player')} "  # noqa: S608 - our own
        f"WHERE ({counted.condition}) AND {condition} AND {counts} AND player IS NOT NULL"
    )
    return _Cases(metric, sql, counted, parameters)


def _percentile(values: dict[str, float], player: str) -> tuple[float | None, int]:
    """Return the share of the others below the player, and how many others there are."""
    own = values[player]
    others = [value for who, value in values.items() if who != player]
    if not others:
        return None, 0
    below = sum(value < own for value in others) + sum(value == own for value in others) / 2
    return below / len(others), len(others)


def _apart(one: dict[str, Any], two: dict[str, Any]) -> bool | None:
    if one["low"] is None or two["low"] is None:
        return None
    return bool(one["low"] > two["high"] or one["high"] < two["low"])


def _as_frame(rows: list[dict[str, Any]], second: str, own: dict[str, str]) -> pl.DataFrame:
    """Return the rows of metrics that somebody has a case of."""
    import polars as pl

    numbers = {"n": pl.Int64, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    schema = {
        "metric": pl.String,
        **numbers,
        "enough": pl.Boolean,
        **{f"{second}_{name}": kind for name, kind in numbers.items()},
        **{name: getattr(pl, kind) for name, kind in own.items()},
        "apart": pl.Boolean,
    }
    return pl.DataFrame([row for row in rows if row["n"] or row[f"{second}_n"]], schema=schema)
