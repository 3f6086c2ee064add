"""When an evening ends: at an hour of the morning after, at the table."""

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


class MorningError(ValueError):
    """The setting names no hour of a morning."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{SETTING} is {text!r}, which is no hour from 0 to {LATEST}")


def morning() -> int:
    """Return the hour of the local day until which an evening of the day before lasts.

    Raises ``MorningError`` where the setting names none.
    """
    text = os.environ.get(SETTING, "").strip()
    if not text:
        return MORNING
    is_short = text.isascii() and text.isdecimal() and len(text) <= len(str(LATEST))
    if not is_short or int(text) > LATEST:
        raise MorningError(text)
    return int(text)


def evening_of(day: date, hour: int) -> date:
    """Return the day on which the evening of a local day and hour began."""
    is_before = hour < morning() and day > date.min
    return day - timedelta(days=1) if is_before else day


def evenings_of(hours: NDArray[Any]) -> NDArray[Any]:
    """Return the same for local hours since 1970, in days since then."""
    return (hours - morning()) // HOURS
