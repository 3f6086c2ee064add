"""A player's figures against the field: the chart of one group of metrics, and its words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import altair as alt
import polars as pl
import streamlit as st

from tricklog.dashboard.kit.chart_kinds import ROWS, ChartKind, clickable, pale_where_few
from tricklog.dashboard.kit.charts import COLOURS
from tricklog.dashboard.kit.compared import cells
from tricklog.dashboard.kit.tables import Cell, Link
from tricklog.dashboard.text.escaping import as_html
from tricklog.ingest.metrics import Metric, wording
from tricklog.ingest.metrics.figure_words import is_share, standing_text, value_text
from tricklog.schemas.languages.messages import say, say_in

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
        pl.col("enough"),
    )
    if shares.is_empty():
        return None
    titles = {name: wording.title(metric) for name, metric in metrics.items()}
    field = say("the field")
    shares = shares.with_columns(
        label=pl.col("metric").replace(titles),
        player=pl.lit(player),
        field=pl.lit(field),
        said=pl.Series([standing_text(row) for row in shares.iter_rows(named=True)]),
    )
    order = shares["label"].to_list()
    st.html(
        f'<p class="tl-chart-title"><b>{as_html(title)}</b>'
        f"<span>{as_html(say('share, 95 % intervals'))}</span></p>"
    )
    picked = AGAINST_FIELD.show(
        shares,
        None,
        Content(
            height=_AROUND + _ROW * len(order), order=order, names=[player, field], player=player
        ),
        key=f"tendencies-{'-'.join(metrics)}",
        said=say(
            "{title}: shares of {player} with 95 % intervals, and those of the field",
            title=title,
            player=player,
        ),
    )
    return picked["metric"] if picked else None


class Content(NamedTuple):
    """What stands in a chart of a player against the field, apart from its rows."""

    height: int
    order: list[str]
    """Titles of the metrics."""
    names: list[str]
    """What the player and the field are called, in the order of their colours."""
    player: str


def _draw(_: None, content: Content) -> alt.LayerChart:
    scale = alt.Scale(domain=content.names, range=COLOURS[:2])
    legend = alt.Legend(orient="top", title=None)
    of_player, of_field = (
        alt.Color(f"{whose}:N", scale=scale, legend=legend) for whose in ("player", "field")
    )
    share = alt.X("low:Q", title=say("share"), axis=alt.Axis(format="%", tickCount=8))
    points = alt.Chart().mark_point(filled=True, size=110, cursor="pointer")
    layers = [
        alt.Chart().mark_rule(strokeWidth=2.5).encode(share, alt.X2("high"), of_player),
        alt.Chart().mark_tick(thickness=3, size=18).encode(alt.X("expected:Q"), of_field),
        clickable(points.encode(alt.X("value:Q"), of_player), ["metric"]),
    ]
    return alt.LayerChart(data=ROWS, layer=layers, height=content.height).encode(
        alt.Y("label:N", sort=content.order, title=None, axis=alt.Axis(labelLimit=190)),
        pale_where_few(),
        tooltip=[
            alt.Tooltip("label:N", title=say_in("a column", "figure")),
            alt.Tooltip("value:Q", title=content.player, format=".1%"),
            alt.Tooltip("low:Q", title=say("95 % from"), format=".1%"),
            alt.Tooltip("high:Q", title=say_in("the end of an interval", "to"), format=".1%"),
            alt.Tooltip("n:Q", title="n", format=","),
            alt.Tooltip("expected:Q", title=say("the field"), format=".1%"),
            alt.Tooltip("said:N", title=say("among the players")),
        ],
    )


AGAINST_FIELD: Final = ChartKind(
    _draw,
    Content(height=987_654_321, order=["<order>"], names=["<names>"], player="<player>"),
)


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
