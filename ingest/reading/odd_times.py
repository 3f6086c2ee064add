"""Times at which no hand can have begun: a clock that was never set, or one that runs ahead."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec import UNSET

from tricklog.ingest.reading.log_line import LogLine
from tricklog.ingest.text_form.problems import Problem, Severity
from tricklog.schemas.times import order_time

_ZERO: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""What a clock says that was never set."""
_FIRST: Final = datetime(1901, 1, 1, tzinfo=UTC).timestamp()
"""Sheets count their days from 1900: where one has no day, it says that it was then."""
_DAY: Final = timedelta(days=1).total_seconds()
"""By so much, at most, the clock at a table differs from UTC."""


def odd_time(line: LogLine) -> tuple[Problem, ...]:
    """Return what to note of the time of a hand; nothing where it may be right."""
    if line.hand is None or line.hand.started_at is UNSET:
        return ()
    return odd_time_at(line.line, order_time(line.hand.started_at))


def odd_time_at(line: int, started: float) -> tuple[Problem, ...]:
    """Return what to note of a hand that began so many seconds after 1970."""
    is_to_come = started > latest()
    if not is_to_come and started >= _FIRST and abs(started) > _DAY:
        return ()
    day = (_ZERO + timedelta(seconds=started)).date()
    why = "which is still to come" if is_to_come else "where a clock begins that was never set"
    message = f"the hand began on {day}, {why}: check what wrote its field started_at"
    return (Problem(line, 1, Severity.WARNING, message),)


def are_plain(first: float, last: float) -> bool:
    """Is there nothing to note of any time between these two, in seconds since 1970?"""
    return first > _DAY and last <= latest()


def latest() -> float:
    """Return when the last hand may have begun, in seconds since 1970."""
    return time.time() + _DAY
