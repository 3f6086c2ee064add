"""Numbers and days as a language writes them: ``1,204`` and ``1 204``, ``12.5 %`` and ``12,5 %``.

English is written as Tricklog always has: ``20 November 2026``, with the day first.
"""

import re
from collections.abc import Mapping
from datetime import date
from typing import Final

from tricklog.schemas.languages.current import ENGLISH, current

MINUS: Final = "−"
_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
_TEENS: Final = range(11, 14)
_ENDINGS: Final = {1: "st", 2: "nd", 3: "rd"}
_AFTER_PLACES: Final = {"fi": ".", "es": ".º"}
_FIRST_PLACES: Final = {
    "hi": ("1ला", "2रा", "3रा", "4था", "5वाँ", "6ठा"),
    "bn": ("1ম", "2য়", "3য়", "4র্থ", "5ম", "6ষ্ঠ", "7ম", "8ম", "9ম", "10ম"),
}
_LATER_PLACES: Final = {"hi": "वाँ", "bn": "তম"}
_BY_TWOS: Final = re.compile(r"(?<=\d)(?=(?:\d\d)+$)")
_DAYS: Final = {
    "sv": ("EEEE d MMMM y", "d MMMM", "MMMM y", "MMM", "y-MM-dd"),
    "fi": ("cccc d. MMMM y", "d. MMMM", "LLLL y", "LLL", "d.M.y"),
    "es": ("EEEE d 'de' MMMM 'de' y", "d 'de' MMMM", "MMMM 'de' y", "LLL", "d/M/y"),
    "hi": ("EEEE, d MMMM y", "d MMMM", "MMMM y", "LLL", "d/M/y"),
    "bn": ("EEEE, d MMMM y", "d MMMM", "MMMM y", "LLL", "d/M/y"),
}
"""By language, patterns of Unicode TR 35 for a day in full, one without its year, a month, a month
in short, and a day in figures."""


def number(value: float, digits: int = 0, *, sign: bool = False) -> str:
    """Return a number with so many digits after the point: ``1,204``, with a sign ``−3.1``.

    What rounds to nothing has no sign.
    """
    text = f"{value:{'+' if sign else ''}z,.{digits}f}"
    if sign and not text.strip("+-0.,"):
        text = text.removeprefix("+")
    if sign:
        text = text.replace("-", MINUS)
    return localised(text)


def percent(share: float, digits: int = 0, *, sign: bool = False) -> str:
    """Return a share as percents, with a space before the sign: ``12.5 %``, ``12,5 %``."""
    return f"{number(share * 100, digits, sign=sign)} %"


def ordinal(number_: int) -> str:
    """Return a place: ``1st``, ``12th``, ``23rd``; ``1:a``, ``1.``, ``1.º``, ``1ला``, ``1ম``."""
    language = current()
    teens = number_ % 100 in _TEENS
    if language == "sv":
        return f"{number(number_)}:{'a' if number_ % 10 in (1, 2) and not teens else 'e'}"
    if language in _AFTER_PLACES:
        return f"{number(number_)}{_AFTER_PLACES[language]}"
    if language in _FIRST_PLACES:
        first = _FIRST_PLACES[language]
        if 1 <= number_ <= len(first):
            return first[number_ - 1]
        return f"{number(number_)}{_LATER_PLACES[language]}"
    ending = "th" if teens else _ENDINGS.get(number_ % 10, "th")
    return f"{number(number_)}{ending}"


def localised(text: str) -> str:
    """Return a number that Python wrote with the signs of the language."""
    language = current()
    if language == ENGLISH:
        return text
    from babel import Locale

    symbols = Locale.parse(language).number_symbols["latn"]
    signs = {",": symbols["group"], ".": symbols["decimal"], "-": MINUS}
    if language == "es" and len(text.partition(".")[0].strip("+-−")) == len("1,204"):
        # Four digits stand together in Spanish.
        signs[","] = ""
    if language in _LATER_PLACES:
        text = _in_lakhs(text)
    return "".join(signs.get(sign, sign) for sign in text)


def _in_lakhs(text: str) -> str:
    """Return a number with its groups as in India and Bangladesh: ``12,34,567.8``.

    Only the last group before the point has three digits, all others two.
    """
    whole, point, rest = text.partition(".")
    *before, last = whole.split(",")
    first = "".join(before)
    return f"{_BY_TWOS.sub(',', first)},{last}{point}{rest}" if first else text


def day_text(day: date) -> str:
    """Return a day as people say it: ``Friday 20 November 2026``."""
    if current() == ENGLISH:
        return f"{_WEEKDAYS[day.weekday()]} {short_day(day)} {day.year}"
    return _formatted(day, 0)


def weekday_text(weekday: int) -> str:
    """Return the name of a day of the week, 0 for Monday."""
    if current() == ENGLISH:
        return _WEEKDAYS[weekday]
    from babel import Locale

    names: Mapping[int, str] = Locale.parse(current()).days["stand-alone"]["wide"]
    return names[weekday]


def short_day(day: date) -> str:
    """Return a day without its year: ``20 November``."""
    return f"{day.day} {_MONTHS[day.month - 1]}" if current() == ENGLISH else _formatted(day, 1)


def month_text(day: date) -> str:
    """Return a month in words: ``November 2026``."""
    return f"{_MONTHS[day.month - 1]} {day.year}" if current() == ENGLISH else _formatted(day, 2)


def short_month(day: date) -> str:
    """Return the name of a month in short: ``Nov``."""
    return _MONTHS[day.month - 1][:3] if current() == ENGLISH else _formatted(day, 3)


def plain_day(day: date) -> str:
    """Return a day in figures: ``2026-11-20``, ``20.11.2026``."""
    return day.isoformat() if current() == ENGLISH else _formatted(day, 4)


def _formatted(day: date, pattern: int) -> str:
    from babel.dates import format_date

    return format_date(day, _DAYS[current()][pattern], locale=current())
