"""Charts of contracts: made by bid and holding, what bids bring, and by how much they were made."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import altair as alt

from tricklog.dashboard.kit.chart_kinds import ROWS, ChartKind, clickable
from tricklog.dashboard.kit.palette import HIGH, STEPS
from tricklog.schemas.languages.messages import say, say_in

LEFT: Final = 74
"""Room for the labels of holdings and scores, the same in both charts of the same bids."""
_CELL: Final = 44
_SCORES: Final = 130
_MARGINS: Final = 150


class MadeContent(NamedTuple):
    """What stands in the map of contracts made, apart from its rows."""

    height: int
    bids: list[str]
    holdings: list[str]
    """Labels of the rows, the most held first."""
    holding: str
    steps: list[str]
    ink: str
    on_high: str
    quiet: str
    line: str


def made_height(rows: int) -> int:
    """Return the height of the map with so many rows."""
    return 34 + _CELL * rows


def _draw_made(_: None, content: MadeContent) -> alt.LayerChart:
    """Draw cells: ``bid``, ``holding``, ``value``, ``known`` (0 or 1), ``large``, ``small``."""
    across = alt.X(
        "bid:N",
        sort=content.bids,
        scale=alt.Scale(domain=content.bids, paddingInner=0.06, paddingOuter=0.03),
        axis=alt.Axis(title=None, labelAngle=0, orient="top", labelFontSize=13, labelOverlap=True),
    )
    along = alt.Y(
        "holding:N",
        sort=content.holdings,
        scale=alt.Scale(domain=content.holdings, paddingInner=0.06, paddingOuter=0.03),
        axis=alt.Axis(
            title=None, labelFontSize=13, labelFlush=False, minExtent=LEFT, maxExtent=LEFT
        ),
    )
    colour = alt.Color(
        "value:Q",
        scale=alt.Scale(type="threshold", domain=list(STEPS), range=content.steps),
        legend=None,
    )
    text = alt.condition(
        f"datum.value >= {HIGH}", alt.value(content.on_high), alt.value(content.ink)
    )
    known, few = _where("datum.known == 1"), _where("datum.known == 0")
    cell: dict[str, Any] = {"aria": False, "cornerRadius": 3}
    words: dict[str, Any] = {"aria": False}
    target = alt.Chart().mark_rect(opacity=0, cursor="pointer", cornerRadius=3)
    tooltip = [
        alt.Tooltip("bid:N", title=say_in("a heading", "bid")),
        alt.Tooltip("holding:N", title=content.holding),
        alt.Tooltip("said:N", title=say_in("contracts", "made")),
    ]
    layers = [
        few.mark_rect(fillOpacity=0, stroke=content.line, **cell).encode(across, along),
        known.mark_rect(**cell).encode(across, along, colour),
        known.mark_text(dy=-6, fontSize=16, fontWeight=600, **words).encode(
            across, along, alt.Text("large:N"), color=text
        ),
        known.mark_text(dy=10, fontSize=12, **words).encode(
            across, along, alt.Text("small:N"), color=text
        ),
        few.mark_text(fontSize=12, color=content.quiet, **words).encode(
            across, along, alt.Text("small:N")
        ),
        clickable(
            target.encode(across, along, alt.Description("said:N"), tooltip=tooltip),
            ["bid_key", "held_key"],
        ),
    ]
    return alt.LayerChart(data=ROWS, layer=layers, height=content.height)


class ScoreContent(NamedTuple):
    """What stands in the chart of scores by bid, apart from its rows."""

    bids: list[str]
    colour: str
    quiet: str
    """The colour of the line at nothing."""
    ink: str


def _draw_scores(_: None, content: ScoreContent) -> alt.LayerChart:
    """Draw ``value`` with ``low`` to ``high`` over each ``bid``; ``text`` is the value in words."""
    across = alt.X(
        "bid:N",
        sort=content.bids,
        scale=alt.Scale(domain=content.bids, paddingInner=0.06, paddingOuter=0.03),
        axis=alt.Axis(title=None, labelAngle=0, labelFontSize=13, labelOverlap=True),
    )
    axis = alt.Axis(
        format="+,~r",
        labelExpr="datum.value == 0 ? '0' : replace(datum.label, '-', '−')",
        tickCount=4,
        minExtent=LEFT,
        maxExtent=LEFT,
        title=None,
    )
    layers = [
        _once().mark_rule(aria=False, color=content.quiet).encode(y=alt.datum(0)),
        alt.Chart()
        .mark_rule(aria=False, strokeWidth=4, opacity=0.45, color=content.colour)
        .encode(across, alt.Y("low:Q", scale=alt.Scale(zero=True), axis=axis), alt.Y2("high")),
        alt.Chart()
        .mark_text(aria=False, align="left", dx=10, fontSize=13, color=content.ink)
        .encode(across, alt.Y("value:Q"), alt.Text("text:N")),
        clickable(
            alt.Chart()
            .mark_point(filled=True, size=95, opacity=1, color=content.colour, cursor="pointer")
            .encode(
                across,
                alt.Y("value:Q"),
                alt.Description("said:N"),
                tooltip=[
                    alt.Tooltip("bid:N", title=say_in("a heading", "bid")),
                    alt.Tooltip("said:N", title=say("score a contract")),
                ],
            ),
            ["bid_key"],
        ),
    ]
    return alt.LayerChart(data=ROWS, layer=layers, height=_SCORES)


def _once() -> alt.Chart:
    """Return a layer of one mark, however many rows there are."""
    chart: alt.Chart = alt.Chart().transform_aggregate(rows="count()")
    return chart


def _where(condition: str) -> alt.Chart:
    chart: alt.Chart = alt.Chart().transform_filter(condition)
    return chart


MADE: Final = ChartKind(
    _draw_made,
    MadeContent(
        height=987_654_321,
        bids=["<bids>"],
        holdings=["<holdings>"],
        holding="<holding>",
        steps=["<steps>"],
        ink="<ink>",
        on_high="<on high>",
        quiet="<quiet>",
        line="<line>",
    ),
)
SCORES: Final = ChartKind(
    _draw_scores, ScoreContent(bids=["<bids>"], colour="<colour>", quiet="<quiet>", ink="<ink>")
)


class MarginContent(NamedTuple):
    """What stands in the chart of margins, apart from its rows."""

    colour: str
    ink: str
    ends: list[float]
    """Least and greatest margin on the axis."""
    title: str
    """What the margin is."""
    line: float = -0.5
    """Where the line stands: between contracts set and made, unless said."""


def _draw_margins(_: None, content: MarginContent) -> alt.LayerChart:
    """Draw bars from ``start`` to ``end`` as high as ``share``; those of ``set`` (1) are pale."""
    across = alt.X(
        "start:Q",
        title=content.title,
        scale=alt.Scale(domain=content.ends, nice=False),
        axis=alt.Axis(
            format="+d",
            labelExpr="datum.value == 0 ? '0' : replace(datum.label, '-', '−')",
            tickMinStep=1,
            grid=False,
        ),
    )
    along = alt.Y("base:Q", title=None, axis=alt.Axis(format=".0%", tickCount=4))
    bars = (
        alt.Chart()
        .mark_bar(color=content.colour, stroke=content.colour, strokeWidth=1, cursor="pointer")
        .encode(
            across,
            along,
            alt.X2("end"),
            alt.Y2("top"),
            alt.Description("said:N"),
            fillOpacity=alt.condition("datum.set == 1", alt.value(0.2), alt.value(0.85)),
            tooltip=[
                alt.Tooltip("margin:N", title=content.title),
                alt.Tooltip("result:N", title=say_in("of a contract", "outcome")),
                alt.Tooltip("share:Q", title=say("share of contracts"), format=".1%"),
                alt.Tooltip("n:Q", title=say("contracts"), format=","),
            ],
        )
    )
    layers = [
        clickable(bars, ["margin_key", "result_key"]),
        _once()
        .mark_rule(aria=False, color=content.ink, strokeWidth=1.5)
        .encode(x=alt.datum(content.line)),
    ]
    return alt.LayerChart(data=ROWS, layer=layers, height=_MARGINS)


MARGINS: Final = ChartKind(
    _draw_margins,
    MarginContent(
        colour="<colour>",
        ink="<ink>",
        ends=[-987_654_321.0, 987_654_321.0],
        title="<title>",
        line=-987_654_320.0,
    ),
)
