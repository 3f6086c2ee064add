"""Charts of figures with their 95 % intervals, from the frames of ``ingest.metrics``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import altair as alt
import polars as pl
import streamlit as st

COLOURS: Final = ("#3d7fd9", "#d9822b", "#3f9a7b", "#8a63c9", "#b5484f", "#7a7f87")
"""Blue and orange first: told apart with every kind of colour vision, on light and dark."""
PICK: Final = "pick"

# Beside the rows themselves a chart holds its title, its axis and a legend.
_AROUND: Final = 130
_BAND: Final = 30
_TALL: Final = 190
_PALE: Final = 0.4
_LEGEND: Final = alt.Legend(orient="bottom", direction="horizontal", columns=4)


@dataclass(frozen=True, slots=True)
class IntervalChart:
    """A figure for each category: a point with its interval, pale when there are few cases.

    The frame has ``label`` (what the category is called), ``key`` (its value in filters),
    ``value``, ``low``, ``high``, ``n`` and ``enough``; with ``series`` also ``series`` and
    ``series_key``.
    """

    title: str
    category: str
    """What the categories are, as people say it: player, bid."""
    measure: str
    """What the axis shows, with its unit."""
    cases: str
    """What ``n`` counts."""
    percent: bool
    along: Literal["x", "y"] = "y"
    """Whether the categories stand side by side or one under the other."""
    series: str | None = None
    """What the colours are."""
    in_time: bool = False
    """Whether the categories are days, which a line joins."""

    def show(self, frame: pl.DataFrame, key: str) -> dict[str, str] | None:
        """Draw the chart; return ``key`` and ``series_key`` of the point clicked on, if any."""
        pick = alt.selection_point(
            name=PICK, fields=["key", *(["series_key"] if self.series else [])]
        )
        base = alt.Chart(frame).encode(**self._encoding(frame))
        layers = []
        if self.in_time and self.series is None:
            layers.append(base.mark_line(strokeWidth=1, opacity=0.5).encode(**self._position()))
        layers.append(base.mark_rule(strokeWidth=2.5).encode(**self._span()))
        layers.append(
            base.mark_point(filled=True, size=110, cursor="pointer")
            .encode(**self._position(), **self._shape(frame))
            .add_params(pick)
        )
        chart = alt.layer(*layers).properties(title=self.title, height=self._height(frame))
        event: Any = st.altair_chart(
            chart,
            key=key,
            on_select="rerun",
            selection_mode=PICK,
            alt=f"{self.title}: {self.measure} by {self.category}",
        )
        picked = event.selection.get(PICK) or []
        return dict(picked[0]) if picked else None

    def _height(self, frame: pl.DataFrame) -> int:
        rows = frame["label"].n_unique()
        if self.along == "x":
            return _AROUND + _TALL
        series = frame["series"].n_unique() if self.series else 1
        return _AROUND + max(2, rows) * max(_BAND, 14 * series)

    def _encoding(self, frame: pl.DataFrame) -> dict[str, Any]:
        kind = alt.X if self.along == "x" else alt.Y
        form = ".1%" if self.percent else ",.2f"
        tooltip = [
            alt.Tooltip("label:N", title=self.category),
            alt.Tooltip("value:Q", title=self.measure, format=form),
            alt.Tooltip("low:Q", title="95 % from", format=form),
            alt.Tooltip("high:Q", title="to", format=form),
            alt.Tooltip("n:Q", title=f"n ({self.cases})", format=","),
        ]
        order = frame["label"].unique(maintain_order=True).to_list()
        encoding: dict[str, Any] = {
            self.along: kind(
                "label:N",
                title=self.category,
                sort=order,
                axis=alt.Axis(labelLimit=190, labelAngle=0, labelOverlap=self.along == "x"),
            ),
            "opacity": alt.condition("datum.enough", alt.value(1), alt.value(_PALE)),
            "color": alt.value(COLOURS[0]),
            "tooltip": tooltip,
        }
        if self.series is not None:
            names = self._series_names(frame)
            offset = alt.XOffset if self.along == "x" else alt.YOffset
            scale = alt.Scale(domain=names, range=list(COLOURS))
            encoding["color"] = alt.Color("series:N", title=None, scale=scale, legend=_LEGEND)
            encoding[f"{self.along}Offset"] = offset("series:N", sort=names)
            tooltip.insert(1, alt.Tooltip("series:N", title=self.series))
        return encoding

    def _series_names(self, frame: pl.DataFrame) -> Sequence[str]:
        return frame["series"].unique(maintain_order=True).to_list()

    def _shape(self, frame: pl.DataFrame) -> dict[str, Any]:
        if self.series is None:
            return {}
        scale = alt.Scale(domain=self._series_names(frame))
        return {"shape": alt.Shape("series:N", title=None, scale=scale, legend=_LEGEND)}

    def _span(self) -> dict[str, Any]:
        if self.along == "y":
            return {"x": self._axis(alt.X, "low"), "x2": "high:Q"}
        return {"y": self._axis(alt.Y, "low"), "y2": "high:Q"}

    def _position(self) -> dict[str, Any]:
        if self.along == "y":
            return {"x": self._axis(alt.X, "value")}
        return {"y": self._axis(alt.Y, "value")}

    def _axis(self, kind: type[alt.X | alt.Y], column: str) -> alt.X | alt.Y:
        axis = alt.Axis(format="%") if self.percent else alt.Axis()
        return kind(f"{column}:Q", title=self.measure, scale=alt.Scale(zero=True), axis=axis)
