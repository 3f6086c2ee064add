"""Charts of figures with their 95 % intervals, from the frames of ``tricklog.ingest.metrics``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

import altair as alt
import polars as pl
import streamlit as st

from tricklog.dashboard.kit.chart_kinds import ROWS, ChartKind, Spec, clickable, pale_where_few
from tricklog.dashboard.text.escaping import as_html
from tricklog.schemas.languages.messages import say, say_in

COLOURS: Final = ("#3d7fd9", "#d9822b", "#3f9a7b", "#8a63c9", "#b5484f", "#7a7f87")
"""Blue and orange first: distinct with every kind of colour vision, on light and dark."""

# Beside the rows themselves a chart holds its axis and a legend.
_AROUND: Final = 55
_LEGEND_HEIGHT: Final = 40
_BAND: Final = 27
_TALL: Final = 230
_LEGEND: Final = alt.Legend(orient="bottom", direction="horizontal", columns=4, labelLimit=150)
_MANY: Final = 40
"""From so many days on, the intervals are drawn as one band."""
_FEW: Final = 8
"""Up to so many days, each is named below the chart."""
_ROOM: Final = 0.04
_DRAWN: Final = (
    *("label", "key", "value", "low", "high", "n", "enough"),
    *("series", "series_key", "mark", "moment"),
)
"""Columns that are sent to the browser, where a frame has them."""

Channels = dict[str, Any]
"""Channels of Altair by their names."""


@dataclass(frozen=True, slots=True)
class IntervalChart:
    """A figure for each category: a point with its interval, pale when there are few cases.

    The frame has ``label`` (what the category is called), ``key`` (its value in filters),
    ``value``, ``low``, ``high``, ``n`` and ``enough``; with ``series`` also ``series`` and
    ``series_key``, with ``mark`` also ``mark``, in time also ``moment``, the day.
    """

    title: str
    category: str
    """What the categories are, as people say it: player, bid."""
    measure: str
    """What the axis shows, with its unit."""
    percent: bool
    along: Literal["x", "y"] = "y"
    """Whether the categories stand side by side or one under the other."""
    series: str | None = None
    """What the colours are."""
    in_time: str | None = None
    """How days are written, where the categories are days, which a line joins."""
    bars: bool = False
    """Whether values are amounts without interval, which bars show, one series on the other."""
    mark: str | None = None
    """What a dashed line through the values of ``mark`` is."""
    every_number: bool = False
    """Whether categories are whole numbers, of which those without a case keep their place."""
    domain: tuple[float, float] | None = None
    """Ends of the axis, where several charts share one."""
    interval: str = "95 %"
    """How sure the intervals are."""

    def show(self, frame: pl.DataFrame, key: str) -> dict[str, str] | None:
        """Draw the chart; return ``key`` and ``series_key`` of the point clicked on, if any."""
        st.html(self._caption_html(frame))
        return INTERVALS.show(
            frame.select(each for each in _DRAWN if each in frame.columns),
            self._structure(frame),
            self._content(frame),
            key=key,
            said=f"{self.title}: {self.measure} by {self.category}",
        )

    def _caption_html(self, frame: pl.DataFrame) -> str:
        notes = [self.measure, f"n = {frame['n'].sum():,}"]
        if self.mark:
            notes.append(f"dashed: {self.mark}")
        return (
            f'<p class="tl-chart-title"><b>{as_html(self.title)}</b>'
            f"<span>{as_html(' · '.join(notes))}</span></p>"
        )

    def _structure(self, frame: pl.DataFrame) -> Structure:
        days = frame["key"].n_unique() if self.in_time else 0
        return Structure(
            along=self.along,
            percent=self.percent,
            bars=self.bars,
            coloured=self.series is not None,
            dashed=self.mark is not None,
            in_time=self.in_time,
            many_days=days > _MANY,
            few_days=0 < days <= _FEW,
            given_ends=self.domain is not None,
        )

    def _content(self, frame: pl.DataFrame) -> Content:
        return Content(
            height=self._height(frame),
            category=self.category,
            measure=self.measure,
            series=self.series or "",
            order=[] if self.in_time else self._order(frame),
            names=self._series_names(frame),
            days=_days(frame) if self.in_time else [],
            ends=list(self.domain or ()),
            interval=say("{interval} from", interval=self.interval),
        )

    def _height(self, frame: pl.DataFrame) -> int:
        legend = _LEGEND_HEIGHT if self.series else 0
        if self.along == "x":
            return _AROUND + _TALL + legend
        series = frame["series"].n_unique() if self.series and not self.bars else 1
        rows = max(2, frame["label"].n_unique())
        return _AROUND + legend + rows * max(_BAND, 14 * series)

    def _order(self, frame: pl.DataFrame) -> list[str]:
        order: list[str] = frame["label"].unique(maintain_order=True).to_list()
        if self.every_number:
            numbers = [int(each) for each in order]
            order = [str(each) for each in range(min(numbers), max(numbers) + 1)]
        return order

    def _series_names(self, frame: pl.DataFrame) -> list[str]:
        if self.series is None:
            return []
        found = frame.select("series", "series_key").unique().sort("series_key")
        return found["series"].to_list()


class Structure(NamedTuple):
    """Which parts a chart of intervals has."""

    along: Literal["x", "y"] = "y"
    percent: bool = True
    bars: bool = False
    coloured: bool = False
    dashed: bool = False
    in_time: str | None = None
    many_days: bool = False
    """Whether there are too many days for an interval of each, which one band then shows."""
    few_days: bool = False
    """Whether each day is named below the chart."""
    given_ends: bool = False
    """Whether the axis has given ends, rather than those of the values and zero."""


class Content(NamedTuple):
    """What stands in a chart of intervals, apart from its rows."""

    height: int
    category: str
    measure: str
    series: str
    order: list[str]
    """Labels of the categories."""
    names: list[str]
    """Series, in the order of their colours."""
    days: list[Spec]
    """Days that are named below the chart."""
    ends: list[float]
    """Least and greatest value on the axis."""
    interval: str
    """What the lower end of an interval is called."""


def _draw(structure: Structure, content: Content) -> alt.LayerChart:
    layers = (
        [_bars()] if structure.bars else [*_lines(structure, content), _points(structure, content)]
    )
    layers[-1] = clickable(
        layers[-1].encode(**_position(structure, content, "value")),
        ["key", "series_key"] if structure.coloured else ["key"],
    )
    return (
        alt.LayerChart(data=ROWS, layer=layers, height=content.height)
        .encode(tooltip=_tooltip(structure, content), **_categories(structure, content))
        .encode(**_looks(structure, content))
    )


def _bars() -> alt.Chart:
    layer: alt.Chart = alt.Chart().mark_bar(cursor="pointer", cornerRadiusEnd=2)
    return layer


def _points(structure: Structure, content: Content) -> alt.Chart:
    size = 45 if structure.many_days else 110
    layer: alt.Chart = alt.Chart().mark_point(cursor="pointer", filled=True, size=size)
    if not structure.coloured:
        return layer
    scale = alt.Scale(domain=content.names)
    return layer.encode(alt.Shape("series:N", title=None, scale=scale, legend=_LEGEND))


def _lines(structure: Structure, content: Content) -> list[alt.Chart]:
    layers = []
    if structure.dashed:
        dashes = alt.Chart().mark_line(aria=False, strokeDash=[5, 4], strokeWidth=1.5)
        grey = dashes.encode(color=alt.value(COLOURS[5]), opacity=alt.value(1))
        layers.append(grey.encode(**_position(structure, content, "mark")))
    if structure.many_days:
        spans = alt.Chart().mark_area(aria=False, opacity=0.18)
    else:
        spans = alt.Chart().mark_rule(aria=False, strokeWidth=2.5)
    end = alt.Y2("high") if structure.along == "x" else alt.X2("high")
    layers.append(spans.encode(end, **_position(structure, content, "low")))
    if structure.in_time:
        line = alt.Chart().mark_line(aria=False, opacity=0.6, strokeWidth=1.5)
        layers.append(line.encode(**_position(structure, content, "value")))
    return layers


def _position(structure: Structure, content: Content, column: str) -> Channels:
    """Return where a value stands. Its unit stands above the chart, where it has room."""
    along, channel = ("y", alt.Y) if structure.along == "x" else ("x", alt.X)
    scale = alt.Scale(domain=content.ends) if structure.given_ends else alt.Scale(zero=True)
    axis = alt.Axis(
        format=".0%" if structure.percent else ",~r",
        tickCount=5,
        tickMinStep=1 if structure.bars else alt.Undefined,
    )
    return {along: channel(f"{column}:Q", title=None, scale=scale, axis=axis)}


def _categories(structure: Structure, content: Content) -> Channels:
    across = structure.along == "x"
    channel = alt.X if across else alt.Y
    if structure.in_time:
        axis = alt.Axis(
            format=structure.in_time,
            labelOverlap=True,
            tickCount=6,
            values=content.days if structure.few_days else alt.Undefined,
        )
        # A day is the same day wherever the viewer is.
        scale = alt.Scale(type="utc", padding=15)
        return {structure.along: channel("moment:T", title=None, scale=scale, axis=axis)}
    place = channel(
        "label:N",
        title=content.category if across else None,
        sort=content.order,
        # The first label would else stand beside its mark rather than in line with it.
        axis=alt.Axis(labelLimit=150, labelAngle=0, labelOverlap=across, labelFlush=False),
        scale=alt.Scale(domain=content.order),
    )
    if structure.bars or not structure.coloured:
        return {structure.along: place}
    beside = (alt.XOffset if across else alt.YOffset)("series:N", sort=content.names)
    return {structure.along: place, f"{structure.along}Offset": beside}


def _looks(structure: Structure, content: Content) -> Channels:
    """Return colour, and paleness where there are few cases."""
    looks: Channels = {"color": alt.value(COLOURS[0])}
    if structure.coloured:
        scale = alt.Scale(domain=content.names, range=COLOURS)
        looks["color"] = alt.Color("series:N", title=None, scale=scale, legend=_LEGEND)
    if not structure.bars:
        looks["opacity"] = pale_where_few()
    return looks


def _tooltip(structure: Structure, content: Content) -> list[alt.Tooltip]:
    form = ".1%" if structure.percent else ",.0f" if structure.bars else ",.2f"
    tooltip = [alt.Tooltip("label:N", title=content.category)]
    if structure.coloured:
        tooltip.append(alt.Tooltip("series:N", title=content.series))
    tooltip.append(alt.Tooltip("value:Q", title=content.measure, format=form))
    if not structure.bars:
        tooltip += [
            alt.Tooltip("low:Q", title=content.interval, format=form),
            alt.Tooltip("high:Q", title=say_in("the end of an interval", "to"), format=form),
            alt.Tooltip("n:Q", title="n", format=","),
        ]
    return tooltip


INTERVALS: Final = ChartKind(
    _draw,
    Content(
        height=987_654_321,
        category="<category>",
        measure="<measure>",
        series="<series>",
        order=["<order>"],
        names=["<names>"],
        days=[{"year": 9876}],
        ends=[-987_654_321.0, 987_654_321.0],
        interval="<interval>",
    ),
)


def _days(frame: pl.DataFrame) -> list[Spec]:
    return [
        {"year": day.year, "month": day.month, "date": day.day, "utc": True}
        for day in frame["moment"].unique().sort()
    ]


def shared_domain(frame: pl.DataFrame) -> tuple[float, float]:
    """Return the ends of an axis that has room for every interval of a frame, and for zero."""
    found = frame.select(pl.min("low", "value").name.suffix("-least"), pl.max("high", "value"))
    ends = [each for each in found.row(0) if each is not None]
    low, high = min(0.0, *ends), max(0.0, *ends)
    room = (high - low or 1.0) * _ROOM
    return (low - room if low else 0.0, high + room if high else 0.0)
