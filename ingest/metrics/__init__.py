"""Every figure Tricklog shows, each defined once in SQL, with its sentence, unit and interval.

A metric is defined over the columns of one table of facts (``tricklog.ingest.facts``): which rows
are its cases, what each adds to the numerator and to the denominator. It can be grouped and
filtered by any dimension of its table. Figures are made of valid hands, unless the filters say
otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import duckdb
from duckdb import DuckDBPyConnection

from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.ingest.metrics.built_in import METRIC, METRICS
from tricklog.ingest.metrics.dimensions import DIMENSION, DIMENSIONS
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.measuring import measure_metric
from tricklog.ingest.metrics.model import (
    TOO_FEW,
    Better,
    Dimension,
    FigureError,
    Grain,
    Kind,
    Level,
    Metric,
    OwnMetricError,
    UnsolvedError,
)
from tricklog.ingest.metrics.own import own_metrics
from tricklog.ingest.metrics.query import can_be_asked, dimension_named

if TYPE_CHECKING:
    import polars as pl


def known_metrics() -> dict[str, Metric]:
    """Return all metrics by name: those built in, then those of files and packages."""
    return METRIC | {each.name: each for each in own_metrics(METRIC).metrics}


def metric_problems() -> tuple[str, ...]:
    """Return why metrics of files and packages are left out, one sentence each."""
    return own_metrics(METRIC).problems


def metric_named(name: str) -> Metric:
    """Return a metric. Raises ``FigureError`` for a name that none has."""
    if name in METRIC:
        return METRIC[name]
    known = known_metrics()
    if name not in known:
        near = did_you_mean(name, known)
        others = "" if near else f" Known are {', '.join(known)}."
        raise FigureError(f"There is no metric {name!r}{near}.{others}")
    return known[name]


def dimensions_of(metric: Metric) -> tuple[Dimension, ...]:
    """Return the dimensions a metric can be grouped and filtered by."""
    return tuple(each for each in DIMENSIONS if metric.grain in each.grains)


def measure(
    connection: DuckDBPyConnection,
    metric: str | Metric,
    by: Sequence[str] = (),
    filters: Filters = EVERYTHING,
    minimum: int = TOO_FEW,
) -> pl.DataFrame:
    """Return the rows of a metric, see ``tricklog.ingest.metrics.measuring.measure_metric``.

    ``metric``: the name of one that is built in, or one of your own.

    Raises ``FigureError`` as that does, for a name that no metric has, and for SQL of your own that
    DuckDB cannot read.
    """
    if isinstance(metric, str):
        return measure_metric(connection, metric_named(metric), by, filters, minimum)
    if metric != METRIC.get(metric.name) and not metric.source:
        metric = replace(metric, source="tricklog.Metric")
    try:
        return measure_metric(connection, metric, by, filters, minimum)
    except (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException) as error:
        raise FigureError(
            f"The metric {metric.name!r} cannot be counted: {error}. Its cases, amount and weight "
            f"are SQL over the columns of {metric.grain}, see the views in "
            "ingest/facts."
        ) from error


__all__ = [
    "DIMENSION",
    "DIMENSIONS",
    "METRIC",
    "METRICS",
    "TOO_FEW",
    "Better",
    "Dimension",
    "FigureError",
    "Grain",
    "Kind",
    "Level",
    "Metric",
    "OwnMetricError",
    "UnsolvedError",
    "can_be_asked",
    "dimension_named",
    "dimensions_of",
    "known_metrics",
    "measure",
    "metric_named",
    "metric_problems",
]
