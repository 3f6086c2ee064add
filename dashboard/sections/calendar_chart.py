"""The calendar of play: hands of each evening, month by week, or week by day of the week."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

import altair as alt
import polars as pl

from tricklog.dashboard.kit.chart_kinds import ROWS, ChartKind, clickable
from tricklog.dashboard.kit.palette import is_dark, palette
from tricklog.schemas.languages.messages import message_in, say, say_in
from tricklog.schemas.languages.numbers import plain_day, short_month

MOST_MONTHS: Final = 18
MOST_WEEKS: Final = 53
_FEWEST_WEEKS: Final = 12
_FEWEST_MONTHS: Final = 6
"""What is drawn at least, so that a few evenings are no broad bars."""
_DAYS_OF_PLAY: Final = 3
"""Days of the week on which is played, from which on each has a row."""
_WEEKDAYS: Final = (
    message_in("a day of the week", "Mon"),
    message_in("a day of the week", "Tue"),
    message_in("a day of the week", "Wed"),
    message_in("a day of the week", "Thu"),
    message_in("a day of the week", "Fri"),
    message_in("a day of the week", "Sat"),
    message_in("a day of the week", "Sun"),
)
_WEEKS: Final = (
    message_in("a week of a month", "1st week"),
    message_in("a week of a month", "2nd"),
    message_in("a week of a month", "3rd"),
    message_in("a week of a month", "4th"),
    message_in("a week of a month", "5th"),
)
_WEEK: Final = 7
_ROW: Final = 30
_AROUND: Final = 30
_DARK_INK: Final = "#12161d"
_STEPS: Final = {
    False: (
        ("#e6eef8", _DARK_INK),
        ("#b3cbe9", _DARK_INK),
        ("#2f6cb5", "#ffffff"),
        ("#173f73", "#ffffff"),
    ),
    True: (
        ("#1c2c42", "#ffffff"),
        ("#29507f", "#ffffff"),
        ("#7db2f5", _DARK_INK),
        ("#c8dffb", _DARK_INK),
    ),
}
"""Grounds and inks from few hands to many, by whether the page is dark."""


class Content(NamedTuple):
    """What stands in a calendar, apart from its rows."""

    across: list[str]
    along: list[str]
    height: int
    frame: str
    """The colour round the evening that is chosen."""
    page: str


def show_calendar(days: pl.DataFrame, chosen: date | None, key: str) -> date | None:
    """Draw days of ``evening.evenings``; return the one clicked on, if any.

    Of very many the latest months or weeks are drawn.
    """
    by_weekday = is_by_weekday(days["day"].to_list())
    places = [_place(day, by_weekday=by_weekday) for day in days["day"]]
    across = _across(days["day"].to_list(), by_weekday=by_weekday)
    hands_of: list[int] = days["hands"].to_list()
    least, most = min(hands_of), max(hands_of)
    steps = _STEPS[is_dark()]
    rows = [
        {
            "across": x,
            "along": y,
            "day": day.isoformat(),
            "evening": plain_day(day),
            "hands": hands,
            "games": games,
            "ground": steps[len(steps) * (hands - least) // (most - least + 1)][0],
            "ink": steps[len(steps) * (hands - least) // (most - least + 1)][1],
            "chosen": day == chosen,
        }
        for (x, y), day, hands, games in zip(
            places, days["day"], hands_of, days["games"], strict=True
        )
        if x in across
    ]
    along = list(map(str, _WEEKDAYS if by_weekday else _WEEKS))
    used = [each for each in along if any(row["along"] == each for row in rows)]
    colours = palette()
    picked = CALENDAR.show(
        pl.DataFrame(rows),
        by_weekday,
        Content(across, used, _AROUND + _ROW * len(used), colours.ink, colours.page),
        key=key,
        said=say("Calendar of play: hands of each evening"),
    )
    return date.fromisoformat(picked["day"]) if picked else None


def is_by_weekday(days: Sequence[date]) -> bool:
    """Return whether each day of the week has a row: there are several evenings in a week.

    A club that meets once a week has a row for each week of the month.
    """
    weeks = {(day.year, day.month, (day.day - 1) // _WEEK) for day in days}
    return len(weeks) < len(days) or len({day.weekday() for day in days}) >= _DAYS_OF_PLAY


def _place(day: date, *, by_weekday: bool) -> tuple[str, str]:
    if by_weekday:
        return _week_text(day), str(_WEEKDAYS[day.weekday()])
    return _month_text(day), str(_WEEKS[(day.day - 1) // _WEEK])


def _across(days: Sequence[date], *, by_weekday: bool) -> list[str]:
    """Return all months, or weeks, from the first day to the last, of very many the latest."""
    first, last = min(days), max(days)
    if by_weekday:
        monday = last - timedelta(days=last.weekday())
        found = (monday - first + timedelta(days=first.weekday())).days // _WEEK + 1
        count = max(_FEWEST_WEEKS, min(found, MOST_WEEKS))
        return [_week_text(monday - timedelta(weeks=back)) for back in range(count - 1, -1, -1)]
    end = last.year * 12 + last.month
    months = range(min(first.year * 12 + first.month - 1, end - _FEWEST_MONTHS), end)
    return [_month_text(date(each // 12, each % 12 + 1, 1)) for each in months[-MOST_MONTHS:]]


def _month_text(day: date) -> str:
    return f"{short_month(day)} {day.year % 100:02}"


def _week_text(day: date) -> str:
    monday = day - timedelta(days=day.weekday())
    return f"{monday.day} {_month_text(monday)}"


def _draw(by_weekday: bool, content: Content) -> alt.LayerChart:  # noqa: FBT001 - what there are two kinds of
    axis = alt.Axis(
        labelOverlap=True, labelAngle=0, orient="top", grid=False, ticks=False, domain=False
    )
    across = alt.X(
        "across:N", title=None, sort=content.across, axis=axis,
        scale=alt.Scale(domain=content.across, paddingInner=0.06, paddingOuter=0.02),
    )  # fmt: skip
    along = alt.Y(
        "along:N", title=None, sort=content.along,
        axis=alt.Axis(grid=False, ticks=False, domain=False),
        scale=alt.Scale(domain=content.along, paddingInner=0.1, paddingOuter=0.02),
    )  # fmt: skip
    tooltip = [
        alt.Tooltip("evening:N", title=say_in("a column", "evening")),
        alt.Tooltip("hands:Q", title=say_in("a column", "hands"), format=","),
        alt.Tooltip("games:Q", title=say_in("a column", "games"), format=","),
    ]
    cells = (
        alt.Chart()
        .mark_rect(cursor="pointer", cornerRadius=2)
        .encode(
            across,
            along,
            alt.Color("ground:N", scale=None),
            tooltip=tooltip,
            stroke=alt.StrokeValue(
                content.page, condition={"test": "datum.chosen", "value": content.frame}
            ),
            strokeWidth=alt.StrokeWidthValue(0, condition={"test": "datum.chosen", "value": 2}),
        )
    )
    layers = [clickable(cells, ["day"])]
    if not by_weekday:
        # Where a row is a day of the week, columns are too narrow for numbers.
        layers.append(
            alt.Chart()
            .mark_text(aria=False, fontSize=12)
            .encode(across, along, alt.Text("hands:Q"), alt.Color("ink:N", scale=None))
        )
    return alt.LayerChart(data=ROWS, layer=layers, height=content.height)


CALENDAR: Final = ChartKind(
    _draw,
    Content(
        across=["<across>"],
        along=["<along>"],
        height=987_654_321,
        frame="<frame>",
        page="<page>",
    ),
)
