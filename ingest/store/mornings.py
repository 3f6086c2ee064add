"""On which day an evening was: until an hour of the morning after, at the table."""

from __future__ import annotations

import os
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from numpy.typing import NDArray

SETTING: Final = "TRICKLOG_MORNING"
"""The variable that names the hour; the same for all that write one warehouse."""
MORNING: Final = 6
HOURS: Final = 24
LATEST: Final = 12
"""A morning is over at noon."""
_FIRST: Final = date(1901, 1, 1)
"""Sheets count their days from 1900: where one has no day, it says that it was then."""
_END: Final = date(2100, 1, 1)
_ZERO: Final = date(1970, 1, 1)
"""What a clock says that was never set, wherever it stands."""
_NEVER_SET: Final = timedelta(days=2)


class MorningError(ValueError):
    """The setting names no hour of a morning."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{SETTING} is {text!r}, which is no hour from 0 to {LATEST}")


def morning() -> int:
    """Return the hour until which an evening lasts. Raises ``MorningError`` for a wrong setting."""
    text = os.environ.get(SETTING, "").strip()
    if not text:
        return MORNING
    is_short = text.isascii() and text.isdecimal() and len(text) <= len(str(LATEST))
    if not is_short or int(text) > LATEST:
        raise MorningError(text)
    return int(text)


def evening_of(day: date, hour: int) -> date | None:
    """Return the day on which an evening began; ``None`` for a time that says nothing."""
    is_before = hour < morning() and day > date.min
    return likely(day - timedelta(days=1) if is_before else day)


def likely(day: date) -> date | None:
    """Return a day on which somebody may have played; ``None`` for another one."""
    return day if _FIRST <= day < _END and abs(day - _ZERO) > _NEVER_SET else None


def evenings_of(hours: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the same for local hours since 1970, in days since then, and which of them count."""
    days = (hours - morning()) // HOURS
    first, end = ((each - _ZERO).days for each in (_FIRST, _END))
    return days, (days >= first) & (days < end) & (abs(days) > _NEVER_SET.days)
