"""A figure and its interval: from the sums over games of what is asked to the rows of a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import duckdb
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics.built_in import METRIC, metric_named
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.intervals import Sums, interval, sums_of, typical_of_each
from tricklog.ingest.metrics.model import TOO_FEW, FigureError, Kind, Metric
from tricklog.ingest.metrics.query import Asked, alias, ask, games_in, plan, some_games
from tricklog.ingest.sql import run

if TYPE_CHECKING:
    import polars as pl

FIGURE: Final = {
    "n": "Int64",
    "games": "Int64",
    "value": "Float64",
    "low": "Float64",
    "high": "Float64",
    "enough": "Boolean",
}
"""The columns of a figure in a row, with the names of their types in Polars."""
_GAMES_OF_FIELD: Final = 4_000
"""Games enough to know how far games scatter."""


def measure(
    connection: DuckDBPyConnection,
    metric: str | Metric,
    by: Sequence[str] = (),
    filters: Filters = EVERYTHING,
    minimum: int = TOO_FEW,
) -> pl.DataFrame:
    """Return a figure, one row for each combination of the values of ``by`` that has a case.

    Columns: the dimensions by name, then ``n`` (cases), ``hits`` for a share, ``games`` (games the
    cases come from; no more than ``CLUSTERS`` are counted in a warehouse of very many), ``value``,
    ``low`` and ``high`` (95 % interval) and ``enough``: whether ``n`` reaches ``minimum`` and there
    are as many games as an interval takes. Without so many games there is none. A count has neither
    ``games`` nor an interval.

    ``metric``: the name of one that is built in, or one of your own. Raises ``FigureError`` as
    ``ask`` does, for a name that no metric has, and for SQL of your own that DuckDB cannot read.
    """
    if isinstance(metric, str):
        metric = metric_named(metric)
    elif metric != METRIC.get(metric.name) and not metric.source:
        metric = replace(metric, source="tricklog.Metric")
    try:
        rows = summed(connection, metric, by, filters)
    except (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException) as error:
        raise FigureError(
            f"The metric {metric.name!r} cannot be counted: {error}. Its cases, amount and weight "
            f"are SQL over the columns of {metric.grain}, see the views in "
            "ingest/facts."
        ) from error
    if metric.kind == Kind.COUNT:
        return rows
    field = rows
    if filters.values("player") and not rows.is_empty():
        # How the games of one player scatter is seen beside those of the others, or, where there
        # are very many games, of some of them.
        some = some_games(max(1, games_in(connection) // _GAMES_OF_FIELD))
        each = tuple(dict.fromkeys((*by, "player")))
        field = _run(connection, ask(connection, metric, each, filters.also("player"), *some))
    return with_intervals(rows, field, metric, minimum)


def kinds_of_tables(
    connection: DuckDBPyConnection, metric: Metric, filters: Filters = EVERYTHING
) -> pl.DataFrame:
    """Return the kinds of tables with cases of a metric, those with the most first.

    Columns: ``variant``, ``seating`` and ``n``, the cases.
    """
    found = summed(connection, metric, ("variant", "seating"), filters)
    return found.select("variant", "seating", "n").sort("n", descending=True, maintain_order=True)


def summed(
    connection: DuckDBPyConnection, metric: Metric, by: Sequence[str], filters: Filters
) -> pl.DataFrame:
    """Return what a figure is made of, a row for each combination of ``by``.

    Columns: the dimensions by name, ``n`` (cases) and the sums over games of ``intervals.Sums``; of
    a count those of its figure. In a warehouse of very many games these are put together into
    ``CLUSTERS``.

    Raises ``FigureError`` as ``ask`` does.
    """
    return _run(connection, plan(connection, metric, by, filters))


def with_intervals(
    rows: pl.DataFrame, field: pl.DataFrame, metric: Metric, minimum: int
) -> pl.DataFrame:
    """Put the value, its interval and whether there is enough in the place of the sums.

    ``rows`` have cases ``n`` and sums over games, like ``field``, the rows by which is known how
    far games scatter: those of the same variant, where there is that column.
    """
    import numpy as np
    import polars as pl

    of_field, of_row = (
        each["variant"].to_list() if "variant" in each.columns else [""] * len(each)
        for each in (field, rows)
    )
    scale, least, sums = metric.scale, metric.least or 0.0, sums_of(rows)
    typical = typical_of_each(sums_of(field), of_field, scale, least)
    scatter = np.array([typical.get(each, np.nan) for each in of_row], dtype=float)
    low, high = interval(sums, scatter, scale, least)
    known = sums.games >= metric.fewest_games
    hits = [pl.col("y").cast(pl.Int64).alias("hits")] if metric.kind == Kind.SHARE else []
    names = [name for name in rows.columns if name not in ("n", *Sums.__slots__)]
    return (
        rows.select(*names, "n", *hits, "games")
        .with_columns(
            value=sums.ratio,
            low=np.where(known, low, np.nan),
            high=np.where(known, high, np.nan),
            enough=known & (rows["n"].to_numpy() >= minimum),
        )
        .with_columns(pl.col("low", "high").fill_nan(None))
    )


def _run(connection: DuckDBPyConnection, asked: Asked) -> pl.DataFrame:
    """Return the sums, with the names of dimensions, the texts of numbers, and rows in order."""
    columns, joins, order = [], "", []
    for each in asked.dimensions:
        key = alias(each)
        is_enum = each.type.endswith("_key")
        if each.names:
            table, column = each.names
            joins += f" JOIN {table} AS {key}_named ON {key}_named.{each.sql} = {key}"
            columns.append(f'{key}_named.{column} AS "{each.name}"')
            order += [] if each.order else [f"{key}_named.{column}"]
        else:
            text = "::VARCHAR" if is_enum else ""
            columns.append(f'{key}{text} AS "{each.name}"')
        if each.order:
            joins += f" LEFT JOIN ({each.order}) AS {key}_order ON {key}_order.ordered = {key}"
            order.append(f"{key}_order.place")
        # In a lake it is a text.
        order.append(f"{key}::{each.type}" if is_enum else key)
    summed = _counted(asked) if asked.metric.kind == Kind.COUNT else _sums(asked)
    keys = ", ".join(asked.keys)
    listed = ", ".join([*columns, f"summed.* EXCLUDE ({keys})" if keys else "summed.*"])
    ordered = f" ORDER BY {', '.join(order)}" if order else ""
    query = f"WITH summed AS ({summed}) SELECT {listed} FROM summed{joins}{ordered}"  # noqa: S608 - our own
    return run(connection, query, asked.parameters)


def _sums(asked: Asked) -> str:
    """Return the query for cases and sums over games of what ``asked`` is about."""
    cases = asked.cases()
    listed = "".join(f"{key}, " for key in asked.keys)
    # DuckDB's sums of whole numbers are wide; as floating point they are exact up to 2 ** 53.
    games = (
        f"SELECT {listed}{asked.n} AS cases, sum(y)::DOUBLE AS y, sum(w)::DOUBLE AS w "  # noqa: S608 - our own
        f"FROM ({cases}) {'WHERE NOT alone' if asked.alone else ''} GROUP BY {listed}game_no"
    )
    if asked.alone:
        # Nearly all rows are alone, and grouping them would take most of the time.
        games += (
            f" UNION ALL SELECT {listed}cases, y::DOUBLE AS y, w::DOUBLE AS w "  # noqa: S608 - our own
            f"FROM ({cases}) WHERE alone"
        )
    n = "sum(w)" if asked.metric.kind == Kind.SHARE else "sum(cases)"
    grouped = f"GROUP BY {', '.join(asked.keys) or '()'} HAVING sum(w) > 0"
    return (
        f"SELECT {listed}{n}::BIGINT AS n, count(*) AS games, sum(y) AS y, sum(w) AS w, "  # noqa: S608 - our own
        f"sum(y * y) AS yy, sum(y * w) AS yw, sum(w * w) AS ww FROM ({games}) {grouped}"
    )


def _counted(asked: Asked) -> str:
    """Return the query for the cases of what is asked, as the row of a count."""
    listed = "".join(f"{key}, " for key in asked.keys)
    return (
        f"SELECT {listed}coalesce({asked.n}, 0)::BIGINT AS n, n::DOUBLE AS value, "  # noqa: S608 - our own
        "NULL::DOUBLE AS low, NULL::DOUBLE AS high, true AS enough "
        f"FROM ({asked.cases()}) GROUP BY {', '.join(asked.keys) or '()'}"
    )
