"""Charts of shares with their 95 % intervals, from the frames of ``ingest.metrics``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import altair as alt
import polars as pl
import streamlit as st

from ingest.metrics import TOO_FEW

COLOURS: Final = ("#3d7fd9", "#d9822b")
"""Blue and orange: told apart with every kind of colour vision, on light and dark."""

# Beside the rows themselves a chart holds its title, its axis and a legend.
_AROUND: Final = 130
_BAND: Final = 34
_TALL: Final = 190
_PALE: Final = 0.45


_LEGEND: Final = alt.Legend(orient="bottom", direction="horizontal")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a frame, what people call it, and the order of its values."""

    name: str
    title: str
    order: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class ShareChart:
    """A share for each category: a point with its interval, pale when there are few cases.

    The frame has ``n`` and the bounds ``low`` and ``high``; ``series`` sets kinds of cases apart
    by colour and shape; ``bounded`` draws the whole of 0 to 100 %.
    """

    title: str
    category: Column
    share: Column
    cases: str
    """What ``n`` counts."""
    along: Literal["x", "y"] = "y"
    """Whether the categories stand side by side or one under the other."""
    low: str = "low"
    high: str = "high"
    series: Column | None = None
    bounded: bool = True
    more: tuple[Column, ...] = field(default=())
    """Further whole numbers for the tooltip."""

    def show(self, frame: pl.DataFrame) -> None:
        """Draw the chart."""
        base = alt.Chart(frame).encode(**self._encoding())
        interval = base.mark_rule(strokeWidth=2.5).encode(**self._span())
        point = base.mark_point(filled=True, size=110).encode(**self._position(), **self._shape())
        rows = frame[self.category.name].n_unique()
        height = _AROUND + max(2, rows) * _BAND if self.along == "y" else _AROUND + _TALL
        chart = (interval + point).properties(title=self.title, height=height)
        st.altair_chart(chart, alt=f"{self.title}: {self.share.title} by {self.category.title}")

    def _encoding(self) -> dict[str, Any]:
        category = self.category
        axis = alt.Axis(labelLimit=180, labelAngle=0)
        kind = alt.X if self.along == "x" else alt.Y
        tooltip = [
            alt.Tooltip(f"{category.name}:N", title=category.title),
            alt.Tooltip(f"{self.share.name}:Q", title=self.share.title, format=".1%"),
            alt.Tooltip(f"{self.low}:Q", title="95 % from", format=".1%"),
            alt.Tooltip(f"{self.high}:Q", title="to", format=".1%"),
            alt.Tooltip("n:Q", title=f"n ({self.cases})", format=","),
            *(alt.Tooltip(f"{each.name}:Q", title=each.title, format=",") for each in self.more),
        ]
        encoding: dict[str, Any] = {
            self.along: kind(
                f"{category.name}:N", title=category.title, sort=list(category.order), axis=axis
            ),
            "opacity": alt.condition(f"datum.n < {TOO_FEW}", alt.value(_PALE), alt.value(1)),
            "color": alt.value(COLOURS[0]),
            "tooltip": tooltip,
        }
        if self.series is not None:
            encoding |= self._series(self.series, kind)
            tooltip.insert(1, alt.Tooltip(f"{self.series.name}:N", title=self.series.title))
        return encoding

    def _series(self, series: Column, kind: type[alt.X | alt.Y]) -> dict[str, Any]:
        offset = alt.XOffset if kind is alt.X else alt.YOffset
        scale = alt.Scale(domain=list(series.order), range=list(COLOURS))
        return {
            "color": alt.Color(f"{series.name}:N", title=None, scale=scale, legend=_LEGEND),
            f"{self.along}Offset": offset(f"{series.name}:N", sort=list(series.order)),
        }

    def _shape(self) -> dict[str, Any]:
        if self.series is None:
            return {}
        scale = alt.Scale(domain=list(self.series.order))
        shape = alt.Shape(f"{self.series.name}:N", title=None, scale=scale, legend=_LEGEND)
        return {"shape": shape}

    def _span(self) -> dict[str, Any]:
        if self.along == "y":
            return {"x": self._axis(alt.X, self.low), "x2": f"{self.high}:Q"}
        return {"y": self._axis(alt.Y, self.low), "y2": f"{self.high}:Q"}

    def _position(self) -> dict[str, Any]:
        if self.along == "y":
            return {"x": self._axis(alt.X, self.share.name)}
        return {"y": self._axis(alt.Y, self.share.name)}

    def _axis(self, kind: type[alt.X | alt.Y], column: str) -> alt.X | alt.Y:
        scale = alt.Scale(domain=[0, 1]) if self.bounded else alt.Scale(zero=True)
        return kind(f"{column}:Q", title=self.share.title, scale=scale, axis=alt.Axis(format="%"))
