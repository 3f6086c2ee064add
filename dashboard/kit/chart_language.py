"""How charts write numbers and days in a language, for Vega-Lite."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from tricklog.schemas.languages.current import ENGLISH
from tricklog.schemas.languages.numbers import MINUS

_DAYS: Final = {
    "sv": "%Y-%m-%d",
    "fi": "%-d.%-m.%Y",
    "es": "%-d/%-m/%Y",
    "hi": "%-d/%-m/%Y",
    "bn": "%-d/%-m/%Y",
}
# After the last group D3 begins again with the first, so there are as many as a number can have.
_GROUPS: Final = {"hi": [3, *[2] * 8], "bn": [3, *[2] * 8]}


@cache
def config_of(language: str) -> dict[str, Any]:
    """Return the part of a chart's ``config`` that belongs to a language; none for English.

    It is what D3 takes for a locale of numbers and one of days.
    """
    if language == ENGLISH:
        return {}
    from babel import Locale

    locale = Locale.parse(language)
    symbols = locale.number_symbols["latn"]
    months = [locale.months["stand-alone"]["wide"][each] for each in range(1, 13)]
    short_months = [locale.months["stand-alone"]["abbreviated"][each] for each in range(1, 13)]
    # Babel begins the week with Monday, D3 with Sunday.
    week = (6, *range(6))
    return {
        "locale": {
            "number": {
                "decimal": symbols["decimal"],
                "thousands": symbols["group"],
                "grouping": _GROUPS.get(language, [3]),
                "currency": ["", ""],
                "percent": "\N{NO-BREAK SPACE}%",
                "minus": MINUS,
            },
            "time": {
                "dateTime": "%A %-d %B %Y %H:%M",
                "date": _DAYS[language],
                "time": "%H:%M",
                "periods": [
                    locale.day_periods["format"]["abbreviated"][each] for each in ("am", "pm")
                ],
                "days": [locale.days["stand-alone"]["wide"][each] for each in week],
                "shortDays": [locale.days["stand-alone"]["abbreviated"][each] for each in week],
                "months": months,
                "shortMonths": short_months,
            },
        }
    }
