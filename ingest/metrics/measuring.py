"""A figure and its interval: from the sums over games of what is asked to the rows of a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from duckdb import DuckDBPyConnection

from ingest.metrics.clusters import cluster_of_game, games_in, some_games
from ingest.metrics.filters import EVERYTHING, Filters, run
from ingest.metrics.intervals import Numbers, Sums, interval, typical_of_each
from ingest.metrics.model import TOO_FEW, Dimension, Kind, Metric
from ingest.metrics.query import Asked, alias, ask
from ingest.metrics.rolled import Rolled, rolled

if TYPE_CHECKING:
    import polars as pl


def measure_metric(
    connection: DuckDBPyConnection,
    metric: Metric,
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

    Raises ``FigureError`` as ``ask`` does.
    """
    if metric.kind == Kind.COUNT:
        kept = rolled(connection, metric, by, filters)
        asked = kept.rest if kept else ask(connection, metric, by, filters)
        counted = _count_rolled(kept) if kept else _count(asked)
        return run(connection, _named(counted, asked.dimensions, _COUNTS), asked.parameters)
    rows = summed(connection, metric, by, filters)
    field = rows
    if filters.values(_PLAYER) and not rows.is_empty():
        # How the games of one player scatter is seen beside those of the others.
        field = _of_field(connection, metric, tuple(dict.fromkeys((*by, _PLAYER))), filters)
    return _with_intervals(rows, field, metric, minimum)


def summed(
    connection: DuckDBPyConnection, metric: Metric, by: Sequence[str], filters: Filters
) -> pl.DataFrame:
    """Return what a figure that is no count is made of, a row for each combination of ``by``.

    Columns: the dimensions by name, ``n`` (cases) and the sums over games of ``intervals.Sums``.
    In a warehouse of very many games these are put together into ``CLUSTERS``.

    Raises ``FigureError`` as ``ask`` does.
    """
    kept = rolled(connection, metric, by, filters)
    if kept:
        return _run_rolled(connection, kept)
    asked = ask(connection, metric, by, filters)
    if not asked.counted.tallies:
        asked = replace(asked, cluster=cluster_of_game(connection))
    return run(connection, _named(_sums(asked), asked.dimensions, _SUMS), asked.parameters)


def _of_field(
    connection: DuckDBPyConnection, metric: Metric, by: Sequence[str], filters: Filters
) -> pl.DataFrame:
    """Return the sums of every player, or, where there are very many games, of some of them."""
    share = max(1, games_in(connection) // _GAMES_OF_FIELD)
    everybody = filters.also(_PLAYER)
    some = f"hash(player) % {min(share, _SHARE_OF_PLAYERS)} = 0"
    if kept := rolled(connection, metric, by, everybody, *([some] if share > 1 else [])):
        return _run_rolled(connection, kept)
    asked = ask(connection, metric, by, everybody, *some_games(share))
    return run(connection, _named(_sums(asked), asked.dimensions, _SUMS), asked.parameters)


def _run_rolled(connection: DuckDBPyConnection, kept: Rolled) -> pl.DataFrame:
    """Return the sums of a question that is answered from the roll-up."""
    asked = kept.rest
    listed = ", ".join((*asked.keys, *_SUMS))
    added = ", ".join(
        f"sum({name})::{'BIGINT' if name in ('n', 'games') else 'DOUBLE'} AS {name}"
        for name in _SUMS
    )
    # Whole numbers, so that the order in which they are added up makes no difference.
    query = (
        f"SELECT {''.join(f'{key}, ' for key in asked.keys)}{added} "  # noqa: S608 - names of our own
        f"FROM ({kept.add_up(kept.sums())} UNION ALL SELECT {listed} FROM ({_sums(asked)})) "
        f"GROUP BY {', '.join(asked.keys) or '()'} HAVING sum(w) > 0"
    )
    return run(connection, _named(query, asked.dimensions, _SUMS), asked.parameters)


_PLAYER: Final = "player"
_GAMES_OF_FIELD: Final = 4_000
"""Games enough to know how far games scatter."""
_SHARE_OF_PLAYERS: Final = 64
"""One of so many players at least is looked at for that in a roll-up, which has whole players."""


def sums_of(rows: pl.DataFrame) -> Sums:
    """Return the sums over games that the columns of a frame are."""
    return Sums(*(rows[name].cast(float).to_numpy() for name in Sums.__slots__))


def _with_intervals(
    rows: pl.DataFrame, field: pl.DataFrame, metric: Metric, minimum: int
) -> pl.DataFrame:
    """Put the value, its interval and whether there is enough in the place of the sums."""
    import numpy as np
    import polars as pl

    scale, least = metric.scale, metric.least or 0.0
    whole = [""] * len(field)
    groups = field["variant"].to_list() if "variant" in field.columns else whole
    typical = typical_of_each(sums_of(field), groups, scale, least)
    of_row = rows["variant"].to_list() if "variant" in rows.columns else [""] * len(rows)
    scatter = np.array([typical.get(each, np.nan) for each in of_row], dtype=float)
    hits = [pl.col("y").cast(pl.Int64).alias("hits")] if metric.kind == Kind.SHARE else []
    names = [name for name in rows.columns if name not in ("n", *Sums.__slots__)]
    return rows.select(*names, "n", *hits, "games").with_columns(
        interval_columns(rows, scatter, metric, minimum)
    )


def interval_columns(
    rows: pl.DataFrame, scatter: Numbers, metric: Metric, minimum: int
) -> pl.DataFrame:
    """Return value, interval and whether there is enough, from sums over games and cases ``n``.

    ``scatter``: what ``intervals.typical`` says of the rows that each row is one of.
    """
    import numpy as np
    import polars as pl

    sums = sums_of(rows)
    low, high = interval(sums, scatter, metric.scale, metric.least or 0.0)
    known = sums.games >= metric.fewest_games
    return pl.DataFrame(
        {
            "value": sums.ratio,
            "low": np.where(known, low, np.nan),
            "high": np.where(known, high, np.nan),
            "enough": known & (rows["n"].to_numpy() >= minimum),
        }
    ).with_columns(pl.col("low", "high").fill_nan(None))


def _sums(asked: Asked) -> str:
    """Return the query for cases and sums over games of what ``asked`` is about."""
    counted, cases = asked.counted, asked.cases()
    listed = "".join(f"{key}, " for key in asked.keys)
    # DuckDB's sums of whole numbers are wide; as floating point they are exact up to 2 ** 53.
    games = (
        f"SELECT {listed}{counted.n} AS cases, sum(y)::DOUBLE AS y, sum(w)::DOUBLE AS w "  # noqa: S608 - our own
        f"FROM ({cases}) {'WHERE NOT alone' if counted.alone else ''} GROUP BY {listed}game_no"
    )
    if counted.alone:
        # Nearly all rows are alone, and grouping them would take most of the time.
        games += (
            f" UNION ALL SELECT {listed}cases, y::DOUBLE AS y, w::DOUBLE AS w "  # noqa: S608 - our own
            f"FROM ({cases}) WHERE alone"
        )
    n = "sum(w)" if asked.metric.kind == Kind.SHARE else "sum(cases)"
    return (
        f"SELECT {listed}{n}::BIGINT AS n, count(*) AS games, sum(y) AS y, sum(w) AS w, "  # noqa: S608 - our own
        "sum(y * y) AS yy, sum(y * w) AS yw, sum(w * w) AS ww "
        f"FROM ({games}) GROUP BY {', '.join(asked.keys) or '()'} HAVING sum(w) > 0"
    )


def _count(asked: Asked) -> str:
    grouped = f"GROUP BY {', '.join(asked.keys)}" if asked.keys else ""
    return (
        f"SELECT {''.join(f'{key}, ' for key in asked.keys)}"  # noqa: S608 - names of our own
        f"coalesce({asked.counted.n}, 0)::BIGINT AS n, n::DOUBLE AS value, "
        "NULL::DOUBLE AS low, NULL::DOUBLE AS high, true AS enough "
        f"FROM ({asked.cases()}) {grouped}"
    )


def _count_rolled(kept: Rolled) -> str:
    asked = kept.rest
    keys = "".join(f"{key}, " for key in asked.keys)
    grouped = f"GROUP BY {', '.join(asked.keys)}" if asked.keys else ""
    having = "HAVING sum(cases) > 0" if asked.keys else ""
    return (
        f"SELECT {keys}coalesce(sum(cases), 0)::BIGINT AS n, n::DOUBLE AS value, "  # noqa: S608 - our own
        "NULL::DOUBLE AS low, NULL::DOUBLE AS high, true AS enough "
        f"FROM ({kept.add_up({'cases': kept.names.cases})} UNION ALL "
        f"SELECT {keys}{asked.counted.n} FROM ({asked.cases()}) {grouped}) {grouped} {having}"
    )


_SUMS: Final = ("n", *Sums.__slots__)
_COUNTS: Final = ("n", "value", "low", "high", "enough")


def _named(summed: str, dimensions: Sequence[Dimension], numbers: Sequence[str]) -> str:
    """Give dimensions their names, numbers the text they stand for, and rows their order."""
    columns, joins, order = [], "", []
    for each in dimensions:
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
    ordered = f" ORDER BY {', '.join(order)}" if order else ""
    listed = "".join(f"{column}, " for column in columns)
    return (
        f"SELECT {listed}{', '.join(numbers)} "  # noqa: S608 - names of our own
        f"FROM ({summed}){joins}{ordered}"
    )
