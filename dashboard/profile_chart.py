"""A player's figures against the field: the chart of one group of metrics, and its words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import polars as pl
import streamlit as st

from dashboard.charts import COLOURS, PICK, nominal, quantity
from dashboard.escaping import as_html
from dashboard.figures import value_text
from dashboard.tables import Cell, Link
from ingest.metrics import Metric
from ingest.metrics.telling import figure_text, is_share

FIELD: Final = "the field"
_ROW: Final = 34
_AROUND: Final = 90


def show_chart(
    frame: pl.DataFrame, player: str, metrics: dict[str, Metric], title: str
) -> str | None:
    """Draw the shares of a frame of ``against_field``; return the metric clicked on, if any.

    The player is a point with its interval, the field a tick.
    """
    shares = frame.filter(
        pl.col("metric").is_in([name for name in metrics if is_share(metrics[name])]),
        pl.col("value").is_not_null(),
    )
    if shares.is_empty():
        return None
    titles = {name: metric.title for name, metric in metrics.items()}
    shares = shares.with_columns(
        label=pl.col("metric").replace(titles),
        player=pl.lit(player),
        field=pl.lit(FIELD),
        said=pl.Series([percentile_words(row) for row in shares.iter_rows(named=True)]),
    )
    order = shares["label"].to_list()
    scale = {"domain": [player, FIELD], "range": COLOURS[:2]}
    of_player, of_field = (
        {"color": nominal(whose, scale=scale, legend={"orient": "top", "title": None})}
        for whose in ("player", "field")
    )
    enough = {"test": "datum.enough", "value": 1}
    encoding = {
        "y": nominal("label", sort=order, title=None, axis={"labelLimit": 190}),
        "opacity": {"condition": enough, "value": 0.4},
        "tooltip": [
            nominal("label", title="figure"),
            quantity("value", title=player, format=".1%"),
            quantity("low", title="95 % from", format=".1%"),
            quantity("high", title="to", format=".1%"),
            quantity("n", title="n", format=","),
            quantity("field_value", title=FIELD, format=".1%"),
            quantity("field_n", title="n of the field", format=","),
            nominal("said", title="among the players"),
        ],
    }
    share = quantity("field_low", title="share", axis={"format": "%", "tickCount": 8})
    layers = [
        {
            "mark": {"type": "bar", "size": 18, "color": "#8a8f98", "fillOpacity": 0.25},
            "encoding": {"x": share, "x2": {"field": "field_high"}},
        },
        {
            "mark": {"type": "tick", "thickness": 3, "size": 18},
            "encoding": {"x": quantity("field_value")} | of_field,
        },
        {
            "mark": {"type": "rule", "strokeWidth": 2.5},
            "encoding": {"x": quantity("low"), "x2": {"field": "high"}} | of_player,
        },
        {
            "mark": {"type": "point", "filled": True, "size": 110, "cursor": "pointer"},
            "encoding": {"x": quantity("value")} | of_player,
            "params": [{"name": PICK, "select": {"type": "point", "fields": ["metric"]}}],
        },
    ]
    st.html(
        f'<p class="tl-chart-title"><b>{as_html(title)}</b><span>share, 95 % intervals</span></p>'
    )
    event: Any = st.vega_lite_chart(
        shares,
        {"height": _AROUND + _ROW * len(order), "encoding": encoding, "layer": layers},
        key=f"tendencies-{'-'.join(metrics)}",
        on_select="rerun",
        selection_mode=PICK,
        alt=f"{title}: shares of {player} with 95 % intervals, and those of {FIELD}",
    )
    picked = event.selection.get(PICK) or []
    return str(picked[0]["metric"]) if picked else None


def rows_of_table(
    frame: pl.DataFrame, metrics: dict[str, Metric], to_hands: Callable[[Metric], Link]
) -> list[tuple[Cell, ...]]:
    """Return the rows of the table: figure, n, the player's, the field's, place and difference."""
    return [
        (
            to_hands(metrics[row["metric"]]),
            row["n"],
            figure_text(metrics[row["metric"]], row, cases=False),
            value_text(metrics[row["metric"]], row["field_value"]),
            percentile_words(row),
            difference_words(row),
        )
        for row in frame.iter_rows(named=True)
    ]


def percentile_words(row: dict[str, Any]) -> str:
    """Return the place among the players with enough cases: ``higher than 83 % of 12 others``."""
    share, others = row["percentile"], row["ranked"]
    if share is None:
        return ""
    if share in (0, 1):
        return f"{'highest' if share else 'lowest'} of {others + 1:,}"
    return f"higher than {share:.0%} of {others:,} others".replace("%", " %")


def difference_words(row: dict[str, Any]) -> str:
    """Return whether the player and the field are surely apart."""
    if row["apart"] is None:
        return ""
    if not row["apart"]:
        return "not sure"
    return "above" if row["value"] > row["field_value"] else "below"


def standing_out(frame: pl.DataFrame, metrics: dict[str, Metric]) -> list[str]:
    """Return a phrase for each figure that is surely apart from the field, the widest gap first."""
    apart = frame.filter(pl.col("apart").fill_null(value=False)).with_columns(
        gap=(pl.col("value") - pl.col("field_value")).abs()
        / (pl.col("high") - pl.col("low")).clip(lower_bound=1e-9)
    )
    return [
        f"{metrics[row['metric']].title.lower()} "
        f"{value_text(metrics[row['metric']], row['value'])} against "
        f"{value_text(metrics[row['metric']], row['field_value'])}"
        for row in apart.sort("gap", descending=True).iter_rows(named=True)
    ]
