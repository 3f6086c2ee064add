"""A player's figures against the field: the chart of one group of metrics, and its words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from tricklog.dashboard.kit.charts import IntervalChart
from tricklog.dashboard.kit.compared import cells
from tricklog.dashboard.kit.tables import Cell, Link
from tricklog.ingest.metrics import Metric, wording
from tricklog.ingest.metrics.figure_words import is_share, value_text
from tricklog.schemas.languages.messages import say, say_in


def show_chart(frame: pl.DataFrame, metrics: dict[str, Metric], title: str) -> str | None:
    """Draw the shares of a frame of ``against_field``; return the metric clicked on, if any.

    The player is a point with its interval, the field a tick.
    """
    shares = frame.filter(
        pl.col("metric").is_in([name for name in metrics if is_share(metrics[name])]),
        pl.col("enough"),
    )
    if shares.is_empty():
        return None
    titles = {name: wording.title(metric) for name, metric in metrics.items()}
    rows = shares.with_columns(
        label=pl.col("metric").replace(titles), key=pl.col("metric"), mark=pl.col("expected")
    )
    picked = IntervalChart(
        title=title,
        category=say_in("a column", "figure"),
        measure=say("share, 95 % intervals"),
        percent=True,
        mark=say("the field"),
    ).show(rows, key=f"tendencies-{'-'.join(metrics)}")
    return picked["key"] if picked else None


def rows_of_table(
    frame: pl.DataFrame, metrics: dict[str, Metric], to_hands: Callable[[Metric], Link]
) -> list[tuple[Cell, ...]]:
    """Return the rows of the table: figure, n, the player's, difference, place, what to say."""
    return [
        (
            to_hands(metrics[row["metric"]]),
            *cells(metrics[row["metric"]], row),
            difference_words(row),
        )
        for row in frame.iter_rows(named=True)
    ]


def difference_words(row: dict[str, Any]) -> str:
    """Return whether the player differs from the field, all figures shown being compared."""
    if row["difference"] is None:
        return ""
    if not row["named"]:
        return say("cannot tell yet")
    if row["difference"] > 0:
        return say_in("the field", "above")
    return say_in("the field", "below")


def standing_out(frame: pl.DataFrame, metrics: dict[str, Metric]) -> list[str]:
    """Return a phrase for each figure that differs from the field, the surest first."""
    named = frame.filter(pl.col("named").fill_null(value=False)).sort("chance", maintain_order=True)
    return [
        say(
            "{figure} {value} against {others}",
            figure=wording.title(metrics[row["metric"]]).lower(),
            value=value_text(metrics[row["metric"]], row["value"]),
            others=value_text(metrics[row["metric"]], row["expected"]),
        )
        for row in named.iter_rows(named=True)
    ]
