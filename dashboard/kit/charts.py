"""Charts of figures with their intervals, in rows, side by side or over time."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from datetime import date
from math import ceil, log10
from typing import TYPE_CHECKING, Any, Final, Literal

import polars as pl
import streamlit as st

from tricklog.dashboard.kit.drawing import (
    Spec,
    layer,
    pale_where_few,
    show,
    specification,
    title_html,
)
from tricklog.dashboard.kit.palette import palette
from tricklog.schemas.languages.messages import say, say_in
from tricklog.schemas.languages.numbers import number

if TYPE_CHECKING:
    import altair as alt
else:
    from tricklog.dashboard.kit import vega as alt

# Beside the rows themselves a chart holds its axis and a legend.
_AROUND: Final = 55
_LEGEND_HEIGHT: Final = 40
_BAND: Final = 27
_LINE: Final = 14
"""Height of a line of text, and of one of several marks in a row."""
_TALL: Final = 230
_WIDEST: Final = 22
"""Characters in a line of a label beside a row: a phone has room for them and the marks."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
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
    order: tuple[str, ...] = ()
    """Labels of the categories, those without a row as well; else they are those of the rows."""
    series: str | None = None
    """What the colours are."""
    names: tuple[str, ...] = ()
    """Series in the order of their colours, where charts beside each other share them."""
    in_time: str | None = None
    """How days are written, where the categories are days, which a line joins."""
    span: tuple[date, date] | None = None
    """First and last day of the axis, else those of the rows."""
    bars: bool = False
    """Whether values are amounts without interval, which bars show, one series on the other."""
    signed: bool = False
    """Whether values are above or below something, where a line stands."""
    mark: str | None = None
    """What the values of ``mark`` are: a dashed line, or a tick in each of several rows."""
    domain: tuple[float, float] | None = None
    """Ends of the axis, where several charts share one or some intervals end at its edge."""
    interval: str = "95 %"
    """How sure the intervals are."""
    counted: str = "n"
    """What ``n`` counts."""
    mixed: bool = False
    """Whether rows are of different figures, so that what they count has no sum."""
    written: bool = False
    """Whether each value stands beside its point."""
    small: bool = False
    """Whether it is one of many beside each other."""
    tall: int = _TALL
    """Height in pixels, where categories stand side by side."""
    left: int | None = None
    """Pixels for what is written on the axis, where charts stand below each other in line."""

    def show(self, frame: pl.DataFrame, key: str) -> dict[str, str] | None:
        """Draw the chart; return ``key`` and ``series_key`` of the point clicked on, if any."""
        st.html(title_html(self.title, self.notes(frame)))
        return self.draw(frame, key, f"{self.title}: {self.measure}, {self.category}")

    def draw(self, frame: pl.DataFrame, key: str, said: str) -> dict[str, str] | None:
        """Draw the chart without its title, ``said`` aloud; return what ``show`` does."""
        rows = frame.select(each for each in _DRAWN if each in frame.columns)
        lines = pl.Series("row", [self._in_lines(each) for each in frame["label"]], pl.String)
        return show(self.spec(frame), rows.with_columns(lines), key=key, said=said)

    def spec(self, frame: pl.DataFrame) -> Spec:
        """Return the specification of the chart of a frame."""
        places = self._categories(frame)
        layers = [self._bars(places)] if self.bars else self._layers(frame, places)
        return specification(
            layers, self._height(frame), tooltip=self._tooltip(), **self._looks(frame),
        )  # fmt: skip

    def notes(self, frame: pl.DataFrame) -> str:
        """Return what stands below the title: what is shown, of how many cases, with what."""
        notes = [self.measure]
        if not self.mixed:
            notes.append(f"{self.counted} = {number(int(frame['n'].sum()))}")
        if self.mark:
            tick, line = say("tick: {what}", what=self.mark), say("dashed: {what}", what=self.mark)
            notes.append(tick if self._in_rows() else line)
        return " · ".join(notes)

    def _in_rows(self) -> bool:
        return self.along == "y" and not self.in_time

    def _in_lines(self, label: str) -> str:
        """Return a label with breaks where it goes on in the next line, beside a row."""
        return "\n".join(textwrap.wrap(label, _WIDEST)) if self._in_rows() else label

    def _height(self, frame: pl.DataFrame) -> int:
        legend = _LEGEND_HEIGHT if len(self._series_names(frame)) > 1 else 0
        if not self._in_rows():
            return self.tall if self.small or self.left else _AROUND + self.tall + legend
        series = frame["series"].n_unique() if self.series and not self.bars else 1
        lines = max((self._in_lines(each).count("\n") + 1 for each in frame["label"]), default=1)
        rows = max(2, len(self._order(frame)))
        return _AROUND + legend + rows * max(_BAND, _LINE * series, (_LINE + 2) * lines)

    def _order(self, frame: pl.DataFrame) -> list[str]:
        return [*(self.order or dict.fromkeys(frame["label"]))]

    def _series_names(self, frame: pl.DataFrame) -> list[str]:
        return [*(self.names or series_names(frame))] if self.series else []

    def _legend(self, frame: pl.DataFrame) -> alt.Legend | None:
        if len(self._series_names(frame)) <= 1:
            return None
        return alt.Legend(orient="bottom", direction="horizontal", columns=4, labelLimit=150)

    # --- Layers

    def _bars(self, places: dict[str, Any]) -> Spec:
        mark = alt.MarkDef("bar", cursor="pointer", cornerRadiusEnd=2)
        axis = alt.Axis(format=",~r", tickCount=5, tickMinStep=1)
        return layer(mark, picks=self._picks(), **places, **self._position("value", axis=axis))

    def _layers(self, frame: pl.DataFrame, places: dict[str, Any]) -> list[Spec]:
        colours, axis = palette(), self._axis(frame)
        many = self.in_time is not None and frame["key"].n_unique() > _MANY
        grey = alt.ColorValue(colours.field)
        solid = alt.OpacityValue(1)
        layers = []
        if self.signed:
            rule = alt.MarkDef("rule", aria=False, strokeWidth=1)
            zero = self._across(datum=0) | {"opacity": solid, "tooltip": alt.TooltipValue(None)}
            layers.append(layer(rule, once=True, color=grey, **zero))
        if self.mark:
            dashes = alt.MarkDef("line", aria=False, strokeDash=[5, 4], strokeWidth=1.5)
            tick = alt.MarkDef("tick", aria=False, thickness=3, size=18)
            layers.append(
                layer(
                    tick if self._in_rows() else dashes,
                    where="isValid(datum.mark)",
                    color=grey,
                    opacity=solid,
                    **places,
                    **self._position("mark", axis=axis),
                )
            )
        if many:
            spans = alt.MarkDef("area", opacity=0.18, aria=False)
        else:
            spans = alt.MarkDef("rule", strokeWidth=2.5, aria=False)
        ends = self._across("high", end="2") | places | self._position("low", axis=axis)
        layers.append(layer(spans, where="isValid(datum.low)", **ends))
        if self.in_time:
            line = alt.MarkDef("line", aria=False, opacity=0.6, strokeWidth=1.5)
            layers.append(layer(line, **places, **self._position("value", axis=axis)))
        size = 45 if many or self.small else 110
        points = alt.MarkDef("point", cursor="pointer", filled=True, size=size)
        shapes: dict[str, Any] = {}
        if self.series:
            scale = alt.Scale(domain=self._series_names(frame))
            legend = self._legend(frame)
            shapes["shape"] = alt.Shape("series:N", title=None, scale=scale, legend=legend)
        position = places | self._position("value", axis=axis)
        if self.written:
            beside = alt.MarkDef("text", aria=False, align="left", dx=10, fontSize=13)
            # What rounds to nothing has no sign.
            nothing = {"test": "abs(datum.value) < 0.05", "value": "0"}
            form = "+,.1f" if self.signed else ",.1f"
            text = alt.Text("value:Q", format=form, condition=nothing)
            ink = alt.ColorValue(colours.ink)
            layers.append(layer(beside, text=text, color=ink, **position))
        return [*layers, layer(points, picks=self._picks(), **shapes, **position)]

    def _picks(self) -> list[str]:
        return ["key", "series_key"] if self.series else ["key"]

    def _across(self, *given: str, end: str = "", **looks: Any) -> dict[str, Any]:  # noqa: ANN401 - as Altair has them
        """Return the channel along which the values are, or where they ``end``."""
        name = f"{'y' if self.along == 'x' else 'x'}{end}"
        return {name: getattr(alt, name.upper())(*given, **looks)}

    # --- Channels

    def _position(self, column: str, *, axis: alt.Axis) -> dict[str, Any]:
        """Return where a value stands. Its unit stands above the chart, where it has room."""
        scale = alt.Scale(zero=True)
        if self.domain:
            scale = alt.Scale(domain=[*self.domain], nice=False, clamp=True)
        return self._across(f"{column}:Q", title=None, scale=scale, axis=axis)

    def _axis(self, frame: pl.DataFrame) -> alt.Axis:
        low, high = self.domain or shared_domain(frame)
        return axis_of_values(
            high - low,
            percent=self.percent,
            signed=self.signed,
            ticks=3 if self.small else 5,
            left=self.left,
        )

    def _categories(self, frame: pl.DataFrame) -> dict[str, Any]:
        across = self.along == "x"
        channel = alt.X if across else alt.Y
        if self.in_time:
            days: list[date] = frame["moment"].unique().sort().to_list()
            ends = [*map(_day, self.span)] if self.span else alt.Undefined
            axis = alt.Axis(
                format=self.in_time,
                grid=not self.small,
                labelOverlap=True,
                tickCount=3 if self.small else 6,
                values=[*map(_day, days)] if len(days) <= _FEW else alt.Undefined,
            )
            # A day is the same day wherever the viewer is.
            scale = alt.Scale(type="utc", padding=8 if self.small else 15, domain=ends)
            return {self.along: channel("moment:T", title=None, scale=scale, axis=axis)}
        order = self._order(frame)
        shown = alt.Axis(
            labelAngle=0,
            labelExpr=alt.Undefined if across else "split(datum.label, '\\n')",
            # The first label would else stand beside its mark rather than in line with it.
            labelFlush=False,
            labelLimit=150,
            labelLineHeight=alt.Undefined if across else _LINE,
            labelOverlap=across,
        )
        labels = [*map(self._in_lines, order)]
        place = channel(
            "row:N",
            title=self.category if across and not self.left else None,
            sort=labels,
            axis=shown,
            scale=alt.Scale(domain=labels),
        )
        if self.bars or not self.series:
            return {self.along: place}
        beside = (alt.XOffset if across else alt.YOffset)(
            "series:N", sort=self._series_names(frame)
        )
        return {self.along: place, f"{self.along}Offset": beside}

    def _looks(self, frame: pl.DataFrame) -> dict[str, Any]:
        """Return colour, and paleness where there are few cases."""
        colours = palette()
        looks: dict[str, Any] = {"color": alt.ColorValue(colours.one)}
        if self.series:
            names = self._series_names(frame)
            scale = alt.Scale(domain=names, range=[*colours.series[: len(names)]])
            legend = self._legend(frame)
            looks["color"] = alt.Color("series:N", title=None, scale=scale, legend=legend)
        if not self.bars:
            looks["opacity"] = pale_where_few()
        return looks

    def _form(self) -> str:
        sign = "+" if self.signed else ""
        if self.bars:
            return ",.0f"
        return f"{sign}.1%" if self.percent else f"{sign},.2f"

    def _tooltip(self) -> list[alt.Tooltip]:
        form = self._form()
        tooltip = [alt.Tooltip("label:N", title=self.category)]
        if self.series:
            tooltip.append(alt.Tooltip("series:N", title=self.series))
        tooltip.append(alt.Tooltip("value:Q", title=self.measure, format=form))
        if self.bars:
            return tooltip
        from_ = say("{interval} from", interval=self.interval)
        tooltip += [
            alt.Tooltip("low:Q", title=from_, format=form),
            alt.Tooltip("high:Q", title=say_in("the end of an interval", "to"), format=form),
            alt.Tooltip("n:Q", title=self.counted, format=","),
        ]
        if self.mark:
            tooltip.append(alt.Tooltip("mark:Q", title=self.mark, format=form))
        return tooltip


def axis_of_values(
    length: float, *, percent: bool, signed: bool, ticks: int, left: int | None = None
) -> alt.Axis:
    """Return an axis of so many ``ticks`` at most, of which no two are written alike.

    ``length`` is from its one end to the other, ``left`` the room for what is written, in pixels.
    """
    per_tick = length * (100 if percent else 1) / ticks
    digits = max(0, ceil(-log10(per_tick))) if per_tick > 0 else 0
    least = 10.0**-digits / (100 if percent else 1)
    sign = "+" if signed else ""
    return alt.Axis(
        format=f"{sign}.{digits}%" if percent else f"{sign},.{digits}f",
        labelExpr="datum.value == 0 ? '0' : datum.label" if signed else alt.Undefined,
        tickCount=ticks,
        tickMinStep=least,
        minExtent=alt.Undefined if left is None else left,
        maxExtent=alt.Undefined if left is None else left,
    )


def series_names(frame: pl.DataFrame) -> list[str]:
    """Return the series of a frame in the order of their keys, which is that of their colours."""
    found: list[str] = (
        frame.select("series", "series_key").unique().sort("series_key")["series"].to_list()
    )
    return found


def _day(day: date) -> dict[str, Any]:
    return {"year": day.year, "month": day.month, "date": day.day, "utc": True}


def shared_domain(
    frame: pl.DataFrame, *, least: float = 0.0, within: float = 1.0
) -> tuple[float, float]:
    """Return the ends of an axis that has room for every value of a frame, and for zero.

    It has room for the intervals as well, or for ``within`` that share of their ends, so that a few
    wide ones do not set the scale. ``least`` is how far it reaches to either side of zero.
    """
    known = [each for name in ("value", "mark") if name in frame.columns for each in frame[name]]
    known += [frame["low"].quantile(1 - within), frame["high"].quantile(within)]
    ends = [each for each in known if each is not None]
    low, high = min(-least, 0.0, *ends), max(least, 0.0, *ends)
    room = (high - low or 1.0) * _ROOM
    return (low - room if low else 0.0, high + room if high else 0.0)
