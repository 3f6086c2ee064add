"""Charts of figures with their 95 % intervals, from the frames of ``ingest.metrics``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import altair as alt
import polars as pl
import streamlit as st

from dashboard.plain import as_html

COLOURS: Final = ("#3d7fd9", "#d9822b", "#3f9a7b", "#8a63c9", "#b5484f", "#7a7f87")
"""Blue and orange first: told apart with every kind of colour vision, on light and dark."""
PICK: Final = "pick"

# Beside the rows themselves a chart holds its axis and a legend.
_AROUND: Final = 55
_LEGEND_HEIGHT: Final = 40
_BAND: Final = 27
_TALL: Final = 230
_PALE: Final = 0.4
_LEGEND: Final = alt.Legend(orient="bottom", direction="horizontal", columns=4, labelLimit=150)
_MANY: Final = 40
"""From so many days on, the intervals are drawn as one band."""
_FEW: Final = 8
"""Up to so many days, each is named below the chart."""
_ROOM: Final = 0.04


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

    def show(self, frame: pl.DataFrame, key: str) -> dict[str, str] | None:
        """Draw the chart; return ``key`` and ``series_key`` of the point clicked on, if any."""
        pick = alt.selection_point(
            name=PICK, fields=["key", *(["series_key"] if self.series else [])]
        )
        base = alt.Chart(frame).encode(**self._encoding(frame))
        if self.bars:
            layers = [
                base.mark_bar(cursor="pointer", cornerRadiusEnd=2)
                .encode(**self._position())
                .add_params(pick)
            ]
        else:
            layers = [*self._lines(base, frame), self._points(base, frame).add_params(pick)]
        chart = alt.layer(*layers).properties(height=self._height(frame))
        st.html(self._caption_html(frame))
        event: Any = st.altair_chart(
            chart,
            key=key,
            on_select="rerun",
            selection_mode=PICK,
            alt=f"{self.title}: {self.measure} by {self.category}",
        )
        picked = event.selection.get(PICK) or []
        return dict(picked[0]) if picked else None

    def _caption_html(self, frame: pl.DataFrame) -> str:
        notes = [self.measure, f"n = {frame['n'].sum():,}"]
        if self.mark:
            notes.append(f"dashed: {self.mark}")
        return (
            f'<p class="tl-chart-title"><b>{as_html(self.title)}</b>'
            f"<span>{as_html(' · '.join(notes))}</span></p>"
        )

    def _lines(self, base: alt.Chart, frame: pl.DataFrame) -> list[alt.Chart]:
        layers = []
        if self.in_time and frame["key"].n_unique() > _MANY:
            layers.append(base.mark_area(opacity=0.18, aria=False).encode(**self._span()))
        else:
            layers.append(base.mark_rule(strokeWidth=2.5, aria=False).encode(**self._span()))
        if self.in_time:
            line = base.mark_line(strokeWidth=1.5, opacity=0.6, aria=False)
            layers.append(line.encode(**self._position()))
        if self.mark:
            position = {("y" if self.along == "x" else "x"): self._axis("mark")}
            drawn = base.mark_line(strokeDash=[5, 4], strokeWidth=1.5, aria=False)
            grey = {"color": alt.value(COLOURS[5]), "opacity": alt.value(1)}
            layers.insert(0, drawn.encode(**grey, **position))
        return layers

    def _points(self, base: alt.Chart, frame: pl.DataFrame) -> alt.Chart:
        size = 45 if self.in_time and frame["key"].n_unique() > _MANY else 110
        points = base.mark_point(filled=True, size=size, cursor="pointer")
        drawn: alt.Chart = points.encode(
            opacity=alt.condition("datum.enough", alt.value(1), alt.value(_PALE)),
            **self._position(),
            **self._shape(frame),
        )
        return drawn

    def _height(self, frame: pl.DataFrame) -> int:
        legend = _LEGEND_HEIGHT if self.series else 0
        if self.along == "x":
            return _AROUND + _TALL + legend
        series = frame["series"].n_unique() if self.series and not self.bars else 1
        rows = max(2, frame["label"].n_unique())
        return _AROUND + legend + rows * max(_BAND, 14 * series)

    def _encoding(self, frame: pl.DataFrame) -> dict[str, Any]:
        form = ".1%" if self.percent else ",.0f" if self.bars else ",.2f"
        tooltip = [
            alt.Tooltip("label:N", title=self.category),
            alt.Tooltip("value:Q", title=self.measure, format=form),
        ]
        if not self.bars:
            tooltip += [
                alt.Tooltip("low:Q", title="95 % from", format=form),
                alt.Tooltip("high:Q", title="to", format=form),
                alt.Tooltip("n:Q", title="n", format=","),
            ]
        encoding: dict[str, Any] = {
            self.along: self._categories(frame),
            "color": alt.value(COLOURS[0]),
            "tooltip": tooltip,
        }
        if not self.bars:
            encoding["opacity"] = alt.condition("datum.enough", alt.value(1), alt.value(_PALE))
        if self.series is not None:
            names = self._series_names(frame)
            scale = alt.Scale(domain=names, range=list(COLOURS))
            encoding["color"] = alt.Color("series:N", title=None, scale=scale, legend=_LEGEND)
            if not (self.bars or self.in_time):
                offset = alt.XOffset if self.along == "x" else alt.YOffset
                encoding[f"{self.along}Offset"] = offset("series:N", sort=names)
            tooltip.insert(1, alt.Tooltip("series:N", title=self.series))
        return encoding

    def _categories(self, frame: pl.DataFrame) -> alt.X | alt.Y:
        kind = alt.X if self.along == "x" else alt.Y
        if self.in_time:
            # A day is the same day wherever the viewer is.
            axis = alt.Axis(format=self.in_time, labelOverlap=True, tickCount=6)
            days = frame["moment"].unique().sort()
            if len(days) <= _FEW:
                axis.values = [
                    alt.DateTime(year=day.year, month=day.month, date=day.day, utc=True)
                    for day in days
                ]
            scale = alt.Scale(type="utc", padding=15)
            return kind("moment:T", title=None, scale=scale, axis=axis)
        order: list[str] = frame["label"].unique(maintain_order=True).to_list()
        if self.every_number:
            numbers = [int(each) for each in order]
            order = [str(each) for each in range(min(numbers), max(numbers) + 1)]
        axis = alt.Axis(labelLimit=150, labelAngle=0, labelOverlap=self.along == "x")
        title = self.category if self.along == "x" else None
        return kind("label:N", title=title, sort=order, axis=axis, scale=alt.Scale(domain=order))

    def _series_names(self, frame: pl.DataFrame) -> Sequence[str]:
        found = frame.select("series", "series_key").unique().sort("series_key")
        return found["series"].to_list()

    def _shape(self, frame: pl.DataFrame) -> dict[str, Any]:
        if self.series is None:
            return {}
        scale = alt.Scale(domain=self._series_names(frame))
        return {"shape": alt.Shape("series:N", title=None, scale=scale, legend=_LEGEND)}

    def _span(self) -> dict[str, Any]:
        end = "x2" if self.along == "y" else "y2"
        return {end[0]: self._axis("low"), end: "high:Q"}

    def _position(self) -> dict[str, Any]:
        return {("x" if self.along == "y" else "y"): self._axis("value")}

    def _axis(self, column: str) -> alt.X | alt.Y:
        kind = alt.X if self.along == "y" else alt.Y
        axis = alt.Axis(format=".0%" if self.percent else ",~r", tickCount=5)
        if self.bars:
            axis.tickMinStep = 1
        scale = alt.Scale(zero=True) if self.domain is None else alt.Scale(domain=self.domain)
        # The unit stands above the chart, where it has room.
        return kind(f"{column}:Q", title=None, scale=scale, axis=axis)


def shared_domain(frame: pl.DataFrame) -> tuple[float, float]:
    """Return the ends of an axis that has room for every interval of a frame, and for zero."""
    found = frame.select(pl.min("low", "value").name.suffix("-least"), pl.max("high", "value"))
    ends = [each for each in found.row(0) if each is not None]
    low, high = min(0.0, *ends), max(0.0, *ends)
    room = (high - low or 1.0) * _ROOM
    return (low - room if low else 0.0, high + room if high else 0.0)
