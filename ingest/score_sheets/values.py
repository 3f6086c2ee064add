"""What stands in the cells: numbers and dates, as people write them.

Each reader returns ``None`` for an empty cell and raises ``ValueError`` with a sentence for one
that it cannot read.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from tricklog.ingest.score_sheets.grid import Value, shown
from tricklog.ingest.score_sheets.words import MONTHS
from tricklog.ingest.text_form.folding import fold
from tricklog.schemas.limits import MAX_SCORE

_NOTHING: Final = frozenset({"", "-", "–", "—", "?", "n/a", "…", "..."})
"""What people write where nothing is to be written."""
_NUMBER: Final = re.compile(r"([+-]?)(\d{1,9})")
_THOUSANDS: Final = re.compile(r"([+-]?)(\d{1,3}(?:[., ]\d{3})+)")
_WHOLE: Final = re.compile(r"([+-]?)(\d{1,9})[.,]0{1,6}")
_PARENS: Final = re.compile(r"\((\d{1,9})\)")
_SPACES: Final = re.compile(r"[\s\u00a0\u202f\u2009]+")
_YMD: Final = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?")
_COMPACT: Final = re.compile(r"((?:19|20)\d{2})(\d{2})(\d{2})")
_THREE: Final = re.compile(r"(\d{1,2})([-/.])\s?(\d{1,2})\2?\s?(\d{4}|\d{2})?(?:\s.*)?")
_MONTH_NAMED: Final = re.compile(
    r"(?:[a-z]+,?\s+)?(?:(\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:de\s+)?([a-z]+)\.?|([a-z]+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?)"
    r",?\s+(?:de\s+|del\s+)?(\d{4})"
)
_WEEKDAY: Final = re.compile(r"[^\W\d]+\.?,?\s+(?=\d)")
_SERIAL: Final = range(20_000, 80_000)
"""Days since the end of 1899, as spreadsheets count them: 1954 to 2119."""
_MONTHS: Final = len(MONTHS)
_WHOLE_YEAR: Final = 4
_SPELLED_OUT: Final = 4
"""Letters of a month from which on others may follow, as in Finnish."""


class Order(NamedTuple):
    """In which order day and month of a date stand, where both are numbers."""

    day_first: bool = True


def is_empty(value: Value) -> bool:
    """Whether a cell says nothing, by itself or by a dash."""
    return value is None or (isinstance(value, str) and value.strip() in _NOTHING)


def number(value: Value) -> int | None:
    """Return a whole number, however its sign and its thousands are written."""
    if value is None or isinstance(value, bool | dt.date | dt.time):
        if value is None:
            return None
        raise ValueError(f"{shown(value)!r} is no number")
    if isinstance(value, int | float):
        if value != value or abs(value) > MAX_SCORE or value != int(value):  # noqa: PLR0124 - a NaN
            raise ValueError(f"{shown(value)} is no whole number that a score can be")
        return int(value)
    if value.strip() in _NOTHING:
        return None
    return _number_in(value)


def _number_in(said: str) -> int:
    text = _SPACES.sub(" ", said).strip().replace("−", "-").replace("–", "-")
    text = text.replace("- ", "-").replace("+ ", "+")
    if text.endswith("-") and text[:-1].isdecimal():
        text = f"-{text[:-1]}"
    if found := _PARENS.fullmatch(text):
        return -int(found[1])
    for pattern in (_NUMBER, _WHOLE, _THOUSANDS):
        if found := pattern.fullmatch(text):
            digits = int(re.sub(r"\D", "", found[2]))
            if digits > MAX_SCORE:
                raise ValueError(f"{said!r} is larger than any score")
            return -digits if found[1] == "-" else digits
    raise ValueError(f"{said[:40]!r} is no whole number")


def is_number(value: Value) -> bool:
    """Whether a number stands in a cell."""
    try:
        return number(value) is not None
    except ValueError:
        return False


# --- Dates


def date(value: Value, order: Order = Order()) -> dt.date | None:  # noqa: B008 - a tuple never changes
    """Return the day a cell names."""
    if value is None:
        return None
    if isinstance(value, dt.datetime):
        return value.date()
    if isinstance(value, dt.date):
        return value
    if isinstance(value, bool | dt.time):
        raise ValueError(f"{shown(value)!r} is no date")  # noqa: TRY004 - of a cell
    if isinstance(value, int | float):
        return _serial(value)
    text = _SPACES.sub(" ", value).strip()
    if text in _NOTHING:
        return None
    found = _written_date(text, order)
    if found is None:
        raise ValueError(f"{text[:40]!r} is no date; write it as 2026-11-20")
    return found


def _serial(value: float) -> dt.date:
    compact = _COMPACT.fullmatch(shown(value))
    if compact:
        return _day(int(compact[1]), int(compact[2]), int(compact[3]))
    if int(value) not in _SERIAL:
        raise ValueError(f"{shown(value)} is no date")
    return dt.date(1899, 12, 30) + dt.timedelta(days=int(value))


def _written_date(text: str, order: Order) -> dt.date | None:
    if found := _YMD.fullmatch(text) or _COMPACT.fullmatch(text):
        return _day(int(found[1]), int(found[2]), int(found[3]))
    if text.isdecimal() and int(text) in _SERIAL:
        return _serial(int(text))
    if found := _MONTH_NAMED.fullmatch(fold(text)):
        month = _month(found[2] or found[3])
        return _day(int(found[5]), month, int(found[1] or found[4])) if month else None
    found = _THREE.fullmatch(_WEEKDAY.sub("", text, count=1))
    if not found or not found[4]:
        return None
    first, second = int(found[1]), int(found[3])
    year = int(found[4]) + (0 if len(found[4]) == _WHOLE_YEAR else 2000)
    # Dots are not written with the month first.
    day_first = order.day_first or found[2] == "."
    if first > _MONTHS or second > _MONTHS:
        day_first = first > _MONTHS
    return _day(year, second, first) if day_first else _day(year, first, second)


def _month(word: str) -> int:
    return next(
        (
            place
            for place, names in enumerate(MONTHS, 1)
            if any(
                word == name or (len(name) >= _SPELLED_OUT and word.startswith(name))
                for name in names
            )
        ),
        0,
    )


def _day(year: int, month: int, day: int) -> dt.date:
    try:
        return dt.date(year, month, day)
    except ValueError:
        raise ValueError(f"there is no day {year:04}-{month:02}-{day:02}") from None


def order_of(values: Iterable[Value]) -> Order:
    """Return in which order day and month stand in a column: the one that all dates allow.

    Where both do, it is the one in which the dates come in order, else the day is first.
    """
    parts = [
        (int(found[1]), int(found[3]), int(found[4]))
        for value in values
        if isinstance(value, str)
        and (found := _THREE.fullmatch(_WEEKDAY.sub("", value.strip(), count=1)))
        and found[4]
    ]
    if any(first > _MONTHS for first, _, _ in parts) or not parts:
        return Order(day_first=True)
    if any(second > _MONTHS for _, second, _ in parts):
        return Order(day_first=False)
    by_day = [(year, second, first) for first, second, year in parts]
    by_month = [(year, first, second) for first, second, year in parts]
    in_order = [
        each == sorted(each) or each == sorted(each, reverse=True) for each in (by_day, by_month)
    ]
    return Order(day_first=in_order[0] or not in_order[1])
