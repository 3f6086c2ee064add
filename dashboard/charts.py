"""Charts of figures with their 95 % intervals, from the frames of ``ingest.metrics``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import polars as pl
import streamlit as st

from dashboard.escaping import as_html

COLOURS: Final = ("#3d7fd9", "#d9822b", "#3f9a7b", "#8a63c9", "#b5484f", "#7a7f87")
"""Blue and orange first: told apart with every kind of colour vision, on light and dark."""
PICK: Final = "pick"

# Beside the rows themselves a chart holds its axis and a legend.
_AROUND: Final = 55
_LEGEND_HEIGHT: Final = 40
_BAND: Final = 27
_TALL: Final = 230
_PALE: Final = 0.4
_LEGEND: Final = {"orient": "bottom", "direction": "horizontal", "columns": 4, "labelLimit": 150}
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

Encoding = dict[str, Any]
"""Channels of Vega-Lite with what they show."""


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
        layers = [self._bars()] if self.bars else [*self._lines(frame), self._points(frame)]
        fields = ["key", *(["series_key"] if self.series else [])]
        layers[-1]["params"] = [{"name": PICK, "select": {"type": "point", "fields": fields}}]
        spec = {
            "height": self._height(frame),
            "encoding": self._encoding(frame),
            "layer": layers,
        }
        st.html(self._caption_html(frame))
        # Dictionaries: Altair checks every part of a chart against a schema, 50 ms of each.
        event: Any = st.vega_lite_chart(
            frame.select(each for each in _DRAWN if each in frame.columns),
            spec,
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

    def _bars(self) -> dict[str, Any]:
        mark = {"type": "bar", "cursor": "pointer", "cornerRadiusEnd": 2}
        return {"mark": mark, "encoding": self._position()}

    def _lines(self, frame: pl.DataFrame) -> list[dict[str, Any]]:
        layers: list[dict[str, Any]] = []
        if self.mark:
            mark = {"type": "line", "aria": False, "strokeDash": [5, 4], "strokeWidth": 1.5}
            position = {("y" if self.along == "x" else "x"): self._axis("mark")}
            grey = {"color": {"value": COLOURS[5]}, "opacity": {"value": 1}}
            layers.append({"mark": mark, "encoding": grey | position})
        if self.in_time and frame["key"].n_unique() > _MANY:
            mark = {"type": "area", "aria": False, "opacity": 0.18}
        else:
            mark = {"type": "rule", "aria": False, "strokeWidth": 2.5}
        layers.append({"mark": mark, "encoding": self._span()})
        if self.in_time:
            mark = {"type": "line", "aria": False, "opacity": 0.6, "strokeWidth": 1.5}
            layers.append({"mark": mark, "encoding": self._position()})
        return layers

    def _points(self, frame: pl.DataFrame) -> dict[str, Any]:
        size = 45 if self.in_time and frame["key"].n_unique() > _MANY else 110
        mark = {"type": "point", "cursor": "pointer", "filled": True, "size": size}
        return {"mark": mark, "encoding": self._position() | self._shape(frame)}

    def _height(self, frame: pl.DataFrame) -> int:
        legend = _LEGEND_HEIGHT if self.series else 0
        if self.along == "x":
            return _AROUND + _TALL + legend
        series = frame["series"].n_unique() if self.series and not self.bars else 1
        rows = max(2, frame["label"].n_unique())
        return _AROUND + legend + rows * max(_BAND, 14 * series)

    def _encoding(self, frame: pl.DataFrame) -> Encoding:
        """Return the channels that all layers share."""
        encoding: Encoding = {
            self.along: self._categories(frame),
            "color": {"value": COLOURS[0]},
            "tooltip": self._tooltip(),
        }
        if not self.bars:
            enough = {"test": "datum.enough", "value": 1}
            encoding["opacity"] = {"condition": enough, "value": _PALE}
        if self.series is not None:
            names = self._series_names(frame)
            scale = {"domain": names, "range": COLOURS}
            encoding["color"] = nominal("series", title=None, scale=scale, legend=_LEGEND)
            if not (self.bars or self.in_time):
                encoding[f"{self.along}Offset"] = nominal("series", sort=names)
        return encoding

    def _tooltip(self) -> list[dict[str, Any]]:
        form = ".1%" if self.percent else ",.0f" if self.bars else ",.2f"
        tooltip = [nominal("label", title=self.category)]
        if self.series is not None:
            tooltip.append(nominal("series", title=self.series))
        tooltip.append(quantity("value", title=self.measure, format=form))
        if not self.bars:
            tooltip += [
                quantity("low", title="95 % from", format=form),
                quantity("high", title="to", format=form),
                quantity("n", title="n", format=","),
            ]
        return tooltip

    def _categories(self, frame: pl.DataFrame) -> dict[str, Any]:
        axis: dict[str, Any]
        if self.in_time:
            axis = {"format": self.in_time, "labelOverlap": True, "tickCount": 6}
            days = frame["moment"].unique().sort()
            if len(days) <= _FEW:
                axis["values"] = [
                    {"year": day.year, "month": day.month, "date": day.day, "utc": True}
                    for day in days
                ]
            # A day is the same day wherever the viewer is.
            scale = {"type": "utc", "padding": 15}
            return {
                "field": "moment",
                "type": "temporal",
                "title": None,
                "scale": scale,
                "axis": axis,
            }
        order: list[str] = frame["label"].unique(maintain_order=True).to_list()
        if self.every_number:
            numbers = [int(each) for each in order]
            order = [str(each) for each in range(min(numbers), max(numbers) + 1)]
        axis = {"labelLimit": 150, "labelAngle": 0, "labelOverlap": self.along == "x"}
        title = self.category if self.along == "x" else None
        return nominal("label", title=title, sort=order, axis=axis, scale={"domain": order})

    def _series_names(self, frame: pl.DataFrame) -> Sequence[str]:
        found = frame.select("series", "series_key").unique().sort("series_key")
        return found["series"].to_list()

    def _shape(self, frame: pl.DataFrame) -> Encoding:
        if self.series is None:
            return {}
        scale = {"domain": self._series_names(frame)}
        return {"shape": nominal("series", title=None, scale=scale, legend=_LEGEND)}

    def _span(self) -> Encoding:
        end = "x2" if self.along == "y" else "y2"
        return {end[0]: self._axis("low"), end: {"field": "high"}}

    def _position(self) -> Encoding:
        return {("x" if self.along == "y" else "y"): self._axis("value")}

    def _axis(self, column: str) -> dict[str, Any]:
        axis: dict[str, Any] = {"format": ".0%" if self.percent else ",~r", "tickCount": 5}
        if self.bars:
            axis["tickMinStep"] = 1
        scale = {"zero": True} if self.domain is None else {"domain": self.domain}
        # The unit stands above the chart, where it has room.
        return quantity(column, title=None, scale=scale, axis=axis)


def nominal(field: str, **more: object) -> dict[str, Any]:
    """Return a channel of Vega-Lite that shows names."""
    return {"field": field, "type": "nominal"} | more


def quantity(field: str, **more: object) -> dict[str, Any]:
    """Return a channel of Vega-Lite that shows numbers."""
    return {"field": field, "type": "quantitative"} | more


def shared_domain(frame: pl.DataFrame) -> tuple[float, float]:
    """Return the ends of an axis that has room for every interval of a frame, and for zero."""
    found = frame.select(pl.min("low", "value").name.suffix("-least"), pl.max("high", "value"))
    ends = [each for each in found.row(0) if each is not None]
    low, high = min(0.0, *ends), max(0.0, *ends)
    room = (high - low or 1.0) * _ROOM
    return (low - room if low else 0.0, high + room if high else 0.0)
