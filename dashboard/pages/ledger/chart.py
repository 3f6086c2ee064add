"""The ledger of a hand as a chart: a bar for each part, from where the one before has ended.

What was luck is hatched, what was chosen is solid, so that the two are kept apart in print as well;
a stroke at the end of a bar is how far sampling may be off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Any, Final, Literal, NamedTuple

import altair as alt
import polars as pl

from tricklog.dashboard.kit.chart_kinds import ROWS, ChartKind, clickable
from tricklog.dashboard.kit.palette import palette
from tricklog.schemas.languages.messages import say_in
from tricklog.schemas.languages.numbers import localised, number

_HEIGHT: Final = 330
_WIDE: Final = 0.72
"""Share of its place that a bar takes."""
_STRIPES: Final = 48
"""Stripes that hatching would have over the whole height of the chart."""
_ROOM: Final = 0.09
_BAND: Final = 50
"""Pixels that a stripe is wide."""
_ASIDE: Final = 18
"""Pixels from the middle of a bar to the stroke of sampling."""
_SCHEMA: Final = {
    "drawn": pl.String,
    "label": pl.String,
    "kind": pl.String,
    "low": pl.Float64,
    "high": pl.Float64,
    "said": pl.String,
    "told": pl.String,
}

Kind = Literal["total", "luck", "gain", "cost"]


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: a sum that stands on the line, or a part that leads from one sum to the next."""

    name: str
    below: tuple[str, ...]
    """Further lines under its name."""
    start: float
    end: float
    reach: float
    """How far its end may be off either way, 95 % sure; 0 where it is exact."""
    luck: bool = False
    total: bool = False

    @property
    def kind(self) -> Kind:
        """How it is drawn."""
        if self.total:
            return "total"
        if self.luck:
            return "luck"
        return "gain" if self.end >= self.start else "cost"

    @property
    def text(self) -> str:
        """The number on it."""
        return number_text(self.end) if self.total else signed_text(self.end - self.start)


def number_text(value: float) -> str:
    """Return a number with one place where it needs one, and a minus people can see."""
    text = f"{value:,.0f}" if abs(value - round(value)) < 0.05 else f"{value:,.1f}"  # noqa: PLR2004
    return "0" if text == "-0" else localised(text).replace("-", "−")


def signed_text(value: float) -> str:
    """Return a difference with its sign."""
    text = number_text(value)
    return text if text == "0" or text.startswith("−") else f"+{text}"


class Content(NamedTuple):
    """What stands in the chart, apart from its rows."""

    order: list[str]
    ends: list[float]
    unit: str
    ink: str
    gain: str
    cost: str
    luck: str
    part: str
    """What a part of the chart is called."""


def show(bars: Sequence[Bar], *, unit: str, need: int | None, key: str, said: str) -> None:
    """Show the bars; ``need`` is drawn as a dashed line."""
    colours = palette()
    low, high = ends_of(bars, need)
    content = Content(
        [label_of(bar) for bar in bars],
        [low, high],
        unit,
        *(colours.ink, colours.one, colours.two, colours.field),
        say_in("of a ledger", "part"),
    )
    WATERFALL.show(rows_of(bars, need), need is not None, content, key=key, said=said)


def label_of(bar: Bar) -> str:
    """Return what stands under a bar, its lines separated by bars."""
    return "|".join((bar.name, *bar.below))


def ends_of(bars: Sequence[Bar], need: int | None) -> tuple[float, float]:
    """Return the ends of the axis, with room for numbers and strokes."""
    values = [0.0, float(need or 0)]
    for bar in bars:
        values += [bar.start, bar.end - bar.reach, bar.end + bar.reach]
    room = (max(values) - min(values) or 1.0) * _ROOM
    return min(values) - room, max(values) + room


def rows_of(bars: Sequence[Bar], need: int | None) -> pl.DataFrame:
    """Return what is drawn, a row for each mark; ``drawn`` says which."""
    low, high = ends_of(bars, need)
    step = _stripe(high - low)
    rows: list[dict[str, Any]] = []
    for index, bar in enumerate(bars):
        start = 0.0 if bar.total else bar.start
        ends = sorted((start, bar.end))
        label = label_of(bar)
        off = f" ± {number(bar.reach, 1)}" if bar.reach else ""
        told = bar.text + off
        rows.append(_row("bar", label, bar.kind, ends[0], ends[1], bar.text, told))
        if bar.kind == "luck":
            first = floor(ends[0] / step) + 1
            stripes = range(first, floor(ends[1] / step) + 1)
            rows += [_row("stripe", label, bar.kind, at * step, at * step) for at in stripes]
        if bar.reach:
            low, high = bar.end - bar.reach, bar.end + bar.reach
            rows.append(_row("sampling", label, bar.kind, low, high))
        if index + 1 < len(bars):
            following = label_of(bars[index + 1])
            rows.append(_row("joint", label, bar.kind, bar.end, bar.end, following))
    if need is not None:
        bid = say_in("what is needed", "bid {need}", need=need)
        rows.append(_row("need", label_of(bars[0]), "total", need, need, bid))
    return pl.DataFrame(rows, schema=_SCHEMA)


def _stripe(height: float) -> float:
    """Return the distance of stripes: a round number."""
    raw = height / _STRIPES
    size = 10.0 ** floor(log10(raw))
    return float(next(size * each for each in (1, 2, 5, 10) if size * each >= raw))


def _row(
    drawn: str, label: str, kind: str, low: float, high: float, said: str = "", told: str = ""
) -> dict[str, Any]:
    return {
        "drawn": drawn,
        "label": label,
        "kind": kind,
        "low": float(low),
        "high": float(high),
        "said": said,
        "told": told,
    }


def _draw(needed: bool, content: Content) -> alt.LayerChart:  # noqa: FBT001 - what there are two kinds of
    x = alt.X(
        "label:N",
        title=None,
        sort=content.order,
        scale=alt.Scale(domain=content.order, paddingInner=1 - _WIDE, paddingOuter=0.1),
        axis=alt.Axis(
            labelAngle=0,
            labelExpr="split(datum.label, '|')",
            labelLimit=140,
            labelLineHeight=15,
            labelOverlap=False,
            ticks=False,
            domain=False,
        ),
    )
    y = alt.Y(
        "low:Q",
        title=content.unit,
        scale=alt.Scale(domain=content.ends, nice=False),
        axis=alt.Axis(tickCount=6, format="~r"),
    )
    kinds = alt.Scale(
        domain=["total", "luck", "gain", "cost"],
        range=[content.ink, content.luck, content.gain, content.cost],
    )
    colour = alt.Color("kind:N", scale=kinds, legend=None)
    layers: list[Any] = [
        _of("joint")
        .mark_rule(strokeDash=[2, 2], aria=False)
        .encode(x, y, alt.X2("said:N"), color=alt.value(content.luck)),
        clickable(_of("bar").mark_bar(strokeWidth=1.5), ["label"]).encode(
            x,
            y,
            alt.Y2("high:Q"),
            fill=alt.Fill("kind:N", scale=kinds, legend=None),
            stroke=alt.Stroke("kind:N", scale=kinds, legend=None),
            fillOpacity=alt.FillOpacityValue(
                1.0, condition={"test": "datum.kind == 'luck'", "value": 0.12}
            ),
            tooltip=[
                alt.Tooltip("label:N", title=content.part),
                alt.Tooltip("told:N", title=content.unit),
            ],
        ),
        _of("stripe")
        .mark_tick(orient="horizontal", thickness=1.5, size=_BAND, aria=False)
        .encode(x, y, color=colour),
        _of("sampling")
        .mark_rule(strokeWidth=2.5, xOffset=_ASIDE, aria=False)
        .encode(x, y, alt.Y2("high:Q"), color=alt.value(content.ink)),
        _of("bar")
        .mark_text(baseline="bottom", dy=-5, fontSize=15, fontWeight="bold", aria=False)
        .encode(x, alt.Y("high:Q"), alt.Text("said:N"), color=alt.value(content.ink)),
    ]
    if needed:
        layers += [
            _of("need")
            .mark_rule(strokeDash=[6, 4], strokeWidth=1.5, aria=False)
            .encode(y, color=alt.value(content.ink)),
            _of("need")
            .mark_text(align="left", baseline="middle", dx=4, fontWeight="bold", aria=False)
            .encode(y, alt.Text("said:N"), x=alt.value("width"), color=alt.value(content.ink)),
        ]
    return alt.LayerChart(data=ROWS, layer=layers, height=_HEIGHT)


def _of(drawn: str) -> alt.Chart:
    chart: alt.Chart = alt.Chart().transform_filter(f"datum.drawn == '{drawn}'")
    return chart


WATERFALL: Final = ChartKind(
    _draw,
    Content(
        order=["<order>"],
        ends=[-987_654_321.0, 987_654_321.0],
        unit="<unit>",
        ink="<ink>",
        gain="<gain>",
        cost="<cost>",
        luck="<luck>",
        part="<part>",
    ),
)
