"""A figure over time: a line with its interval, and the line of the field beside it."""

from __future__ import annotations

from datetime import date
from typing import Any, Final, NamedTuple

import altair as alt
import polars as pl

from tricklog.dashboard.kit.chart_kinds import ROWS, ChartKind, clickable, pale_where_few
from tricklog.dashboard.kit.palette import palette
from tricklog.schemas.languages.messages import say, say_in

SMALL: Final = 90
LARGE: Final = 300
_ROOM: Final = 0.05
_COLUMNS: Final = {
    "label": pl.String,
    "key": pl.String,
    "moment": pl.Date,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "field": pl.Float64,
    "games": pl.Int64,
    "enough": pl.Boolean,
}


class Structure(NamedTuple):
    """Which parts a chart of a trend has."""

    small: bool = False
    """Whether it is one of many, which share a scale and say less."""
    percent: bool = True
    signed: bool = False
    """Whether values are above or below something."""
    form: str | None = None
    """How days are written; without it periods stand side by side by their labels."""
    given_days: bool = False
    """Whether the days below the chart are named one by one, as there are few."""


class Content(NamedTuple):
    """What stands in a chart of a trend, apart from its rows."""

    ends: list[float]
    order: list[str]
    days: list[dict[str, Any]]
    span: list[dict[str, Any]]
    """The first and the last day of the axis."""
    measure: str
    period: str
    one: str
    grey: str


def show_trend(  # noqa: PLR0913 - each is a part of what the chart says
    rows: pl.DataFrame,
    structure: Structure,
    *,
    ends: tuple[float, float],
    measure: str,
    period: str,
    key: str,
    said: str,
    span: tuple[date, date] | None = None,
) -> str | None:
    """Draw a row for each period; return the ``key`` of the one clicked on, if any.

    Columns: ``label``, ``key``, ``moment`` (its first day, or null), ``value``, ``low``, ``high``,
    ``field``, ``games`` and ``enough``. ``span`` are the ends of the axis of days, else those of
    the rows.
    """
    colours = palette()
    moments: list[date] = rows["moment"].drop_nulls().unique().sort().to_list()
    content = Content(
        ends=list(ends),
        order=rows["label"].unique(maintain_order=True).to_list(),
        days=[_day(each) for each in moments] if structure.given_days else [],
        span=[_day(each) for each in span or (moments[0], moments[-1])] if structure.form else [],
        measure=measure,
        period=period,
        one=colours.one,
        grey=colours.field,
    )
    drawn = rows.select([pl.col(name).cast(kind) for name, kind in _COLUMNS.items()])
    picked = TREND.show(drawn, structure, content, key=key, said=said)
    return picked["key"] if picked else None


def ends_of(rows: pl.DataFrame, least: float = 0.0) -> tuple[float, float]:
    """Return the ends of an axis with room for all values, and for zero.

    What few games leave wide does not set the scale: an interval may end at its edge. ``least`` is
    how far it reaches to either side of zero at least.
    """
    values = [*rows["value"], *rows["field"].drop_nulls()]
    bands = rows.filter(pl.col("low").is_not_null())
    if not bands.is_empty():
        values += [bands["low"].quantile(0.1), bands["high"].quantile(0.9)]
    low, high = min(-least, 0.0, *values), max(least, 0.0, *values)
    room = (high - low or 1.0) * _ROOM
    return (low - room if low else 0.0, high + room)


def _day(day: date) -> dict[str, Any]:
    return {"year": day.year, "month": day.month, "date": day.day, "utc": True}


def _draw(structure: Structure, content: Content) -> alt.LayerChart:
    along = alt.Y(
        "value:Q",
        title=None,
        scale=alt.Scale(domain=content.ends, nice=False, zero=False),
        axis=alt.Axis(
            format=_form(structure),
            labelExpr="datum.value == 0 ? '0' : datum.label",
            tickCount=3 if structure.small else 5,
            grid=not structure.small,
        ),
    )
    across = _across(structure, content)
    one, grey = alt.value(content.one), alt.value(content.grey)
    zero = alt.Chart().mark_rule(aria=False, strokeDash=[4, 3]).encode(
        alt.Y(datum=0), color=grey
    )  # fmt: skip
    layers = [zero] if structure.signed else []
    band = alt.Chart().transform_filter("isValid(datum.low)")
    if structure.form:
        band = band.mark_area(aria=False, opacity=0.18, clip=True)
    else:
        band = band.mark_rule(aria=False, opacity=0.4, strokeWidth=3, clip=True)
    layers.append(band.encode(across, alt.Y("low:Q", title=None), alt.Y2("high"), color=one))
    if not structure.small:
        layers.append(
            alt.Chart()
            .transform_filter("isValid(datum.field)")
            .mark_line(aria=False, strokeDash=[6, 3], strokeWidth=2)
            .encode(across, alt.Y("field:Q", title=None), color=grey)
        )
    layers.append(alt.Chart().mark_line(aria=False, strokeWidth=2).encode(across, along, color=one))
    points = alt.Chart().mark_point(
        cursor="pointer", filled=True, size=45 if structure.small else 80
    )
    layers.append(
        clickable(
            points.encode(
                across,
                along,
                color=one,
                opacity=pale_where_few(),
                tooltip=_tooltip(structure, content),
            ),
            ["key"],
        )
    )
    return alt.LayerChart(data=ROWS, layer=layers, height=SMALL if structure.small else LARGE)


def _across(structure: Structure, content: Content) -> alt.X:
    if structure.form is None:
        return alt.X(
            "label:N",
            title=None,
            sort=content.order,
            scale=alt.Scale(domain=content.order),
            axis=alt.Axis(labelAngle=0, labelLimit=110, labelOverlap=True),
        )
    return alt.X(
        "moment:T",
        title=None,
        scale=alt.Scale(type="utc", domain=content.span, padding=8),
        axis=alt.Axis(
            format=structure.form,
            labelOverlap=True,
            grid=False,
            tickCount=3 if structure.small else 8,
            values=content.days if structure.given_days else alt.Undefined,
        ),
    )


def _form(structure: Structure) -> str:
    sign = "+" if structure.signed else ""
    return f"{sign}.0%" if structure.percent else f"{sign},~r"


def _tooltip(structure: Structure, content: Content) -> list[alt.Tooltip]:
    sign = "+" if structure.signed else ""
    form = f"{sign}.1%" if structure.percent else f"{sign},.2f"
    field = [] if structure.small else [alt.Tooltip("field:Q", title=say("the field"), format=form)]
    return [
        alt.Tooltip("label:N", title=content.period),
        alt.Tooltip("value:Q", title=content.measure, format=form),
        alt.Tooltip("low:Q", title=say("95 % from"), format=form),
        alt.Tooltip("high:Q", title=say_in("the end of an interval", "to"), format=form),
        *field,
        alt.Tooltip("games:Q", title=say("games"), format=","),
    ]


TREND: Final = ChartKind(
    _draw,
    Content(
        ends=[-987_654_321.0, 987_654_321.0],
        order=["<order>"],
        days=[{"year": 9876}],
        span=[{"year": 9875}, {"year": 9877}],
        measure="<measure>",
        period="<period>",
        one="<one>",
        grey="<grey>",
    ),
)
