"""Scanning the time a hand began: the usual way to write it, and nothing else."""

from __future__ import annotations

from typing import Final

from tricklog.schemas.scan.text import CAREFUL, SCANNED, past, past_pattern

_EPOCH: Final = 719_163
"""Day number of 1970-01-01, counted from 0001-01-01 as day 1."""
_FIRST_YEAR: Final = 1900
_LAST_YEAR: Final = 2199
_NO_DAY: Final = -1_000_000
_MAX_FRACTION: Final = 6
_MONTH_DAYS: Final = bytes([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])


def read_time(text: bytes, start: int, end: int) -> tuple[int, int, int]:
    """Return ``SCANNED`` or ``CAREFUL``, the moment and the local day of an RFC 3339 time.

    The moment is in microseconds since 1970 in UTC; the day, of the offset written, in days since
    1970. The usual form is capitals, a year from 1900 to 2199, at most six digits of a second.
    """
    at = past_pattern(text, start, end, b"0000-00-00T00:00:00")
    if at < 0:
        return CAREFUL, 0, 0
    day = _day_number(
        _digits(text, start, start + 4),
        _digits(text, start + 5, start + 7),
        _digits(text, start + 8, start + 10),
    )
    hour = _digits(text, start + 11, start + 13)
    minute = _digits(text, start + 14, start + 16)
    second = _digits(text, start + 17, start + 19)
    at, fraction = _read_fraction(text, at, end)
    code, offset = _read_offset(text, at, end)
    if day == _NO_DAY or hour > 23 or minute > 59 or second > 59 or code != SCANNED:
        return CAREFUL, 0, 0
    minutes = (day * 24 + hour) * 60 + minute - offset
    return SCANNED, (minutes * 60 + second) * 1_000_000 + fraction, day


def _day_number(year: int, month: int, day: int) -> int:
    if not (_FIRST_YEAR <= year <= _LAST_YEAR and 1 <= month <= 12 and day >= 1):
        return _NO_DAY
    leap = 1 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 0
    if day > _MONTH_DAYS[month] + (leap if month == 2 else 0):
        return _NO_DAY
    before = year - 1
    days = 365 * before + before // 4 - before // 100 + before // 400 - _EPOCH
    days += (367 * month - 362) // 12 + day
    return days if month <= 2 else days + leap - 2


def _read_fraction(text: bytes, at: int, end: int) -> tuple[int, int]:
    """Return the place after the fraction of a second, if there is one, and its microseconds."""
    first = past(text, at, end, b".")
    if first < 0:
        return at, 0
    micros = 0
    last = first
    while last < min(end, first + _MAX_FRACTION) and 48 <= text[last] <= 57:
        micros = micros * 10 + text[last] - 48
        last += 1
    if last == first:
        return CAREFUL, 0
    for _ in range(first + _MAX_FRACTION - last):
        micros *= 10
    return last, micros


def _read_offset(text: bytes, at: int, end: int) -> tuple[int, int]:
    """Return ``SCANNED`` or ``CAREFUL``, and the minutes by which local time is ahead of UTC."""
    if past(text, at, end, b"Z") == end:
        return SCANNED, 0
    ahead = past(text, at, end, b"+")
    first = ahead if ahead >= 0 else past(text, at, end, b"-")
    if first < 0 or past_pattern(text, first, end, b"00:00") != end:
        return CAREFUL, 0
    hours = _digits(text, first, first + 2)
    minutes = _digits(text, first + 3, first + 5)
    if hours > 23 or minutes > 59:
        return CAREFUL, 0
    offset = hours * 60 + minutes
    return SCANNED, offset if ahead >= 0 else -offset


def _digits(text: bytes, start: int, end: int) -> int:
    """Return the number whose digits these bytes are known to be."""
    number = 0
    for index in range(start, end):
        number = number * 10 + text[index] - 48
    return number
