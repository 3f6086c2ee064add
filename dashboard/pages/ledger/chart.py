"""The ledger of a hand as a chart: a bar for each part, from where the one before has ended.

What was luck is hatched, what was chosen is solid, so that the two are kept apart in print as well;
a stroke at the end of a bar is how far sampling may be off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Any, Final, Literal

import altair as alt
import polars as pl

from tricklog.dashboard.kit import drawing
from tricklog.dashboard.kit.drawing import layer
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


def show(bars: Sequence[Bar], *, unit: str, need: int | None, key: str, said: str) -> None:
    """Show the bars; ``need`` is drawn as a dashed line."""
    drawing.show(specification_of(bars, unit, need), rows_of(bars, need), key=key, said=said)


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


def specification_of(bars: Sequence[Bar], unit: str, need: int | None) -> drawing.Spec:
    """Return the specification of the chart of bars."""
    colours = palette()
    order = [label_of(bar) for bar in bars]
    x = alt.X(
        "label:N",
        title=None,
        sort=order,
        scale=alt.Scale(domain=order, paddingInner=1 - _WIDE, paddingOuter=0.1),
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
        title=unit,
        scale=alt.Scale(domain=[*ends_of(bars, need)], nice=False),
        axis=alt.Axis(tickCount=6, format="~r"),
    )
    kinds = alt.Scale(
        domain=["total", "luck", "gain", "cost"],
        range=[colours.ink, colours.field, colours.one, colours.two],
    )
    ink = alt.ColorValue(colours.ink)
    bold: dict[str, Any] = {"aria": False, "fontWeight": "bold"}
    layers = [
        layer(
            alt.MarkDef("rule", strokeDash=[2, 2], aria=False),
            where=_of("joint"), x=x, y=y, x2=alt.X2("said:N"), color=alt.ColorValue(colours.field),
        ),
        layer(
            alt.MarkDef("bar", strokeWidth=1.5),
            where=_of("bar"),
            x=x,
            y=y,
            y2=alt.Y2("high:Q"),
            fill=alt.Fill("kind:N", scale=kinds, legend=None),
            stroke=alt.Stroke("kind:N", scale=kinds, legend=None),
            fillOpacity=alt.FillOpacityValue(
                1.0, condition={"test": "datum.kind == 'luck'", "value": 0.12}
            ),
            tooltip=[
                alt.Tooltip("label:N", title=say_in("of a ledger", "part")),
                alt.Tooltip("told:N", title=unit),
            ],
        ),
        layer(
            alt.MarkDef("tick", orient="horizontal", thickness=1.5, size=_BAND, aria=False),
            where=_of("stripe"), x=x, y=y, color=alt.Color("kind:N", scale=kinds, legend=None),
        ),
        layer(
            alt.MarkDef("rule", strokeWidth=2.5, xOffset=_ASIDE, aria=False),
            where=_of("sampling"), x=x, y=y, y2=alt.Y2("high:Q"), color=ink,
        ),
        layer(
            alt.MarkDef("text", baseline="bottom", dy=-5, fontSize=15, **bold),
            where=_of("bar"), x=x, y=alt.Y("high:Q"), text=alt.Text("said:N"), color=ink,
        ),
    ]  # fmt: skip
    if need is not None:
        rule = alt.MarkDef("rule", strokeDash=[6, 4], strokeWidth=1.5, aria=False)
        text = alt.MarkDef("text", align="left", baseline="middle", dx=4, **bold)
        end = alt.PositionValueDef(value="width")
        layers += [
            layer(rule, where=_of("need"), y=y, color=ink),
            layer(text, where=_of("need"), x=end, y=y, text=alt.Text("said:N"), color=ink),
        ]
    return drawing.specification(layers, _HEIGHT)


def _of(drawn: str) -> str:
    return f"datum.drawn == '{drawn}'"
