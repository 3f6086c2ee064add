"""When a hand began, as its record writes it: a time with its offset, without one, or a date."""

import re
from datetime import UTC, date, datetime
from typing import Final

_RFC_3339: Final = re.compile(
    r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII
)
_WITHOUT_OFFSET: Final = re.compile(r"\d{4}-\d\d-\d\d([Tt]\d\d:\d\d(:\d\d(\.\d+)?)?)?", re.ASCII)
_OFFSET: Final = re.compile(r"[+-]\d\d:\d\d$", re.ASCII)


def has_offset(text: str) -> bool:
    """Does a time say how far its clock was from UTC?"""
    return text[-1:] in ("Z", "z") or _OFFSET.search(text) is not None


def lacks_offset(text: str) -> bool:
    """Is it a date, or a time without its offset, as version 2 writes them?"""
    return _WITHOUT_OFFSET.fullmatch(text) is not None


def parse_day(text: str) -> date:
    """Return the day of a date or a time without offset, of version 2; else ``ValueError``."""
    if not lacks_offset(text):
        raise ValueError(
            f"{text!r} is neither a time such as 2026-11-20T19:03:00Z or 2026-11-20T19:03 nor a "
            "date such as 2026-11-20"
        )
    try:
        return datetime.fromisoformat(text.upper()).date()
    except ValueError as error:
        raise ValueError(f"{text!r} is not a time that exists: {error}") from None


def order_time(text: str) -> float:
    """Return when a hand began, in seconds, to put hands in order.

    Where the offset is not recorded the time at the table counts as UTC, a date as its midnight.
    """
    if has_offset(text):
        return parse_time(text).timestamp()
    return datetime.fromisoformat(text.upper()).replace(tzinfo=UTC).timestamp()


def parse_time(text: str) -> datetime:
    """Return an RFC 3339 time with offset; its date is the local day of that offset.

    Raises ``ValueError`` for anything else.
    """
    if not _RFC_3339.fullmatch(text):
        raise ValueError(f"{text!r} is not a time such as 2026-11-20T19:03:00Z")
    try:
        time = datetime.fromisoformat(text.upper())
        time.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{text!r} is not a time that exists: {error}") from None
    return time
