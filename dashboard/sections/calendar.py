"""The calendar of play: hands of each evening, month by week, or week by day of the week."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

import polars as pl

from tricklog.dashboard.kit.heat_map import show_heat_map
from tricklog.ingest.sessions.words import hands_text
from tricklog.schemas.languages.messages import message_in, say, say_in
from tricklog.schemas.languages.numbers import number, plain_day, short_month

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


def show_calendar(days: pl.DataFrame, chosen: date | None, key: str) -> date | None:
    """Draw days of ``evening.evenings``; return the one clicked on, if any.

    Of very many the latest months or weeks are drawn.
    """
    every: list[date] = days["day"].to_list()
    first, last = min(every), max(every)
    by_weekday = is_by_weekday(every)
    if by_weekday:
        places = [(_week_text(day), str(_WEEKDAYS[day.weekday()])) for day in every]
        monday = last - timedelta(days=last.weekday())
        found = (monday - first + timedelta(days=first.weekday())).days // _WEEK + 1
        count = max(_FEWEST_WEEKS, min(found, MOST_WEEKS))
        across = [_week_text(monday - timedelta(weeks=back)) for back in range(count - 1, -1, -1)]
    else:
        places = [(_month_text(day), str(_WEEKS[(day.day - 1) // _WEEK])) for day in every]
        end = last.year * 12 + last.month
        months = range(min(first.year * 12 + first.month - 1, end - _FEWEST_MONTHS), end)
        shown = months[-MOST_MONTHS:]
        across = [_month_text(date(each // 12, each % 12 + 1, 1)) for each in shown]
    hands_of: list[int] = days["hands"].to_list()
    least, most = min(hands_of), max(hands_of)
    rows = [
        {
            "across": x,
            "along": y,
            "day": day.isoformat(),
            "evening": plain_day(day),
            "hands": number(hands),
            "games": number(games),
            "share": (hands - least + 1) / (most - least + 1),
            # Where a row is a day of the week, columns are too narrow for numbers.
            "large": "" if by_weekday else number(hands),
            "framed": day == chosen,
            "said": f"{plain_day(day)}: {hands_text(hands)}",
        }
        for (x, y), day, hands, games in zip(places, every, hands_of, days["games"], strict=True)
        if x in across
    ]
    along = list(map(str, _WEEKDAYS if by_weekday else _WEEKS))
    picked = show_heat_map(
        pl.DataFrame(rows),
        across=across,
        along=[each for each in along if any(row["along"] == each for row in rows)],
        cell=_ROW,
        tooltip={
            "evening": say_in("a column", "evening"),
            "hands": say_in("a column", "hands"),
            "games": say_in("a column", "games"),
        },
        picks=["day"],
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


def _month_text(day: date) -> str:
    return f"{short_month(day)} {day.year % 100:02}"


def _week_text(day: date) -> str:
    monday = day - timedelta(days=day.weekday())
    return f"{monday.day} {_month_text(monday)}"
