"""What stands in the cells, as people write it: numbers, dates, bids, trumps, stakes and results.

Each reader returns ``None`` for an empty cell and raises ``ValueError`` with a sentence for one
that it cannot read. What a letter or a mark stands for, the whole column says.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from tricklog.ingest.score_sheets.grid import Value, shown
from tricklog.ingest.score_sheets.words import (
    HEADERS,
    MONTHS,
    NEUTRAL,
    NO,
    OPEN_SUITS,
    PASSES,
    RESULTS,
    STAKES,
    TRUMPS,
    YES,
    Means,
    key,
)
from tricklog.ingest.text_form.folding import fold
from tricklog.schemas.actions import MAX_BID
from tricklog.schemas.limits import MAX_SCORE

_NOTHING: Final = frozenset({"", "-", "–", "—", "?", "n/a", "…", "..."})
"""What people write where nothing is to be written."""
_NUMBER: Final = re.compile(r"([+-]?)(?:(\d{1,9})(?:[.,]0{1,6})?|(\d{1,3}(?:[., ]\d{3})+))")
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

_BID: Final = re.compile(
    r"(?P<who>[^\d\W][^\d]*?)?\s*[:=]?\s*(?P<number>\d{1,3}(?:-56|-double)?)\s*(?P<rest>[^\d]*)"
)
_LONGEST_BID: Final = 100
_RESULT: Final = re.compile(r"(?P<word>[^\d]*?)\s*(?:by|med|erolla|por|:)?\s*(?P<by>\d{1,3})?")
_WORDS: Final = re.compile(r"[^\s(),;/]+")
_RAISE: Final = re.compile(r"r?d|r?dbl|xx|(?:re)?double[ds]?")
_UNSAID: Final = frozenset({"", "?", "…", "..."})
_NONE: Final[Mapping[str, str]] = MappingProxyType({})
_SPANISH: Final = frozenset({"triunfo", "triunfos", "palo", "palo de triunfo"})
_SWEDISH: Final = frozenset({"trumf", "trumffarg", "farg"})
_OF_PICAS_AND_TREBOLES: Final = frozenset({"p", "t"})
_NOT_SPANISH: Final = frozenset({"s", "h", "k", "x"})

_T = TypeVar("_T")


def attempt(reader: Callable[[Value], _T | None], value: Value) -> _T | None:
    """Return what a reader reads in a cell; nothing where it cannot."""
    try:
        return reader(value)
    except ValueError:
        return None


def is_empty(value: Value) -> bool:
    """Whether a cell says nothing, by itself or by a dash."""
    return value is None or (isinstance(value, str) and value.strip() in _NOTHING)


def number(value: Value) -> int | None:
    """Return a whole number, however its sign and its thousands are written."""
    if value is None or is_empty(value):
        return None
    if isinstance(value, bool | dt.date | dt.time):
        raise ValueError(f"{shown(value)!r} is no number")  # noqa: TRY004 - of a cell
    if isinstance(value, int | float):
        if value != value or abs(value) > MAX_SCORE or value != int(value):  # noqa: PLR0124 - a NaN
            raise ValueError(f"{shown(value)} is no whole number that a score can be")
        return int(value)
    text = _SPACES.sub(" ", value).strip().replace("−", "-").replace("–", "-")
    text = text.replace("- ", "-").replace("+ ", "+")
    if text.endswith("-") and text[:-1].isdecimal():
        text = f"-{text[:-1]}"
    if found := _PARENS.fullmatch(text):
        return -int(found[1])
    if not (found := _NUMBER.fullmatch(text)):
        raise ValueError(f"{value[:40]!r} is no whole number")
    digits = int(found[2] or re.sub(r"\D", "", found[3]))
    if digits > MAX_SCORE:
        raise ValueError(f"{value!r} is larger than any score")
    return -digits if found[1] == "-" else digits


def is_number(value: Value) -> bool:
    """Whether a number stands in a cell."""
    return attempt(number, value) is not None


# --- Dates


def date(value: Value, *, day_first: bool = True) -> dt.date | None:
    """Return the day a cell names; ``day_first`` where day and month are numbers."""
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
    found = _written_date(text, day_first=day_first)
    if found is None:
        raise ValueError(f"{text[:40]!r} is no date; write it as 2026-11-20")
    return found


def _serial(value: float) -> dt.date:
    compact = _COMPACT.fullmatch(shown(value))
    if compact:
        return _day(*map(int, compact.groups()))
    if int(value) not in _SERIAL:
        raise ValueError(f"{shown(value)} is no date")
    return dt.date(1899, 12, 30) + dt.timedelta(days=int(value))


def _written_date(text: str, *, day_first: bool) -> dt.date | None:
    if found := _YMD.fullmatch(text) or _COMPACT.fullmatch(text):
        return _day(*map(int, found.groups()))
    if text.isdecimal() and int(text) in _SERIAL:
        return _serial(int(text))
    if found := _MONTH_NAMED.fullmatch(fold(text)):
        word = found[2] or found[3]
        for month, names in enumerate(MONTHS, 1):
            spelled_out = tuple(name for name in names if len(name) >= _SPELLED_OUT)
            if word in names or word.startswith(spelled_out):
                return _day(int(found[5]), month, int(found[1] or found[4]))
        return None
    found = _day_and_month(text)
    if not found:
        return None
    first, second = int(found[1]), int(found[3])
    year = int(found[4]) + (0 if len(found[4]) == _WHOLE_YEAR else 2000)
    # Dots are not written with the month first.
    day_first = day_first or found[2] == "."
    if first > _MONTHS or second > _MONTHS:
        day_first = first > _MONTHS
    return _day(year, second, first) if day_first else _day(year, first, second)


def _day_and_month(text: str) -> re.Match[str] | None:
    found = _THREE.fullmatch(_WEEKDAY.sub("", text, count=1))
    return found if found and found[4] else None


def _day(year: int, month: int, day: int) -> dt.date:
    try:
        return dt.date(year, month, day)
    except ValueError:
        raise ValueError(f"there is no day {year:04}-{month:02}-{day:02}") from None


def is_day_first(values: Iterable[Value]) -> bool:
    """Whether the day stands before the month in a column: as all of its dates allow.

    Where both orders do, it is the one in which the dates come in order, else the day is first.
    """
    texts = (value.strip() for value in values if isinstance(value, str))
    dates = [found for text in texts if (found := _day_and_month(text))]
    parts = [(int(found[1]), int(found[3]), int(found[4])) for found in dates]
    if any(first > _MONTHS for first, _, _ in parts) or not parts:
        return True
    if any(second > _MONTHS for _, second, _ in parts):
        return False
    by_day = [(year, second, first) for first, second, year in parts]
    by_month = [(year, first, second) for first, second, year in parts]
    in_order = [
        each == sorted(each) or each == sorted(each, reverse=True) for each in (by_day, by_month)
    ]
    return in_order[0] or not in_order[1]


# --- The contract


class Bid(NamedTuple):
    """What stands in the column of the bids."""

    bid: int | str | None = None
    """The number, or a special bid as the log has it."""
    who: str = ""
    """Who bid it, where that stands with it."""
    trump: str = ""
    """What was named trumps, likewise, as the log has it."""
    is_passed: bool = False
    """Whether it says that nobody bid and the deal was thrown in."""


def bid(value: Value, suits: Mapping[str, str] = _NONE) -> Bid | None:
    """Return a bid, alone or as ``Ann 8 hearts``; ``suits`` are those of open letters."""
    if is_empty(value):
        return None
    text = shown(value).strip()
    if key(text) in PASSES:
        return Bid(is_passed=True)
    found = _BID.fullmatch(text) if len(text) <= _LONGEST_BID else None
    if not found:
        raise ValueError(f"{text[:40]!r} is no bid")
    said, rest, who = found["number"], key(found["rest"]), found["who"] or ""
    trump = _suit(rest, suits) or ""
    if rest and not trump:
        if who:
            raise ValueError(f"{text[:40]!r} is no bid: {found['rest'].strip()!r} is no suit")
        who = found["rest"]
    if said.isdecimal() and not 1 <= int(said) <= MAX_BID:
        raise ValueError(f"{said} is no bid")
    return Bid(int(said) if said.isdecimal() else said, who.strip(), trump)


def trump(value: Value, suits: Mapping[str, str] = _NONE) -> str | None:
    """Return what was trumps, as the log has it; ``suits`` are those of open letters."""
    if is_empty(value):
        return None
    found = _suit(key(shown(value)), suits)
    if found is None:
        raise ValueError(f"{shown(value)[:40]!r} is no suit")
    return found


def _suit(word: str, suits: Mapping[str, str]) -> str | None:
    found = suits.get(word, TRUMPS.get(word))
    if found or word not in OPEN_SUITS:
        return found
    first, other = OPEN_SUITS[word]
    raise ValueError(f"{word.upper()!r} may be {first} or {other}; write the suit out")


def suits_of(heading: str, cells: Iterable[Value]) -> dict[str, str]:
    """Return the suits of the letters that languages use for different ones.

    The other letters of the column tell the language, or else its heading does.
    """
    letters = {word for cell in cells if len(word := key(shown(cell))) == 1}
    said = key(heading)
    is_spanish = said in _SPANISH or letters & _OF_PICAS_AND_TREBOLES
    found = {"c": "H" if is_spanish and not letters & _NOT_SPANISH else "C"}
    # Swedish has K for clubs, and Finnish X where R is not both of its red and black suits.
    if ("k" in letters and "p" not in letters) or "x" in letters or said in _SWEDISH:
        found["r"] = "D"
    return found


def stake(value: Value) -> str | None:
    """Return how far the stake was raised, empty where it was not."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "double" if value else ""
    found = STAKES.get(key(shown(value)))
    if found is None:
        raise ValueError(f"{shown(value)[:40]!r} does not say how far the stake was raised")
    return found


def without_stake(value: Value) -> tuple[Value, str]:
    """Return what is left of a result without the raise of the stake beside it: ``made D``, ``RD``.

    A sign and a number by themselves say no stake.
    """
    words = _WORDS.findall(value) if isinstance(value, str) else []
    raises = [word for word in words if STAKES.get(key(word)) and _RAISE.fullmatch(key(word))]
    if len(raises) != 1:
        return value, ""
    left = " ".join(word for word in words if word != raises[0])
    return left or None, STAKES[key(raises[0])]


class Result(NamedTuple):
    """What stands in the column of the results."""

    result: str
    """``made`` or ``set``."""
    by: int | None = None


def result(value: Value, marks: Mapping[str, str] = _NONE) -> Result | None:
    """Return whether a contract was made, perhaps with by how many points: ``set 2``, ``-1``.

    ``marks`` say what marks stand for that may say either.
    """
    if isinstance(value, bool):
        return Result("made" if value else "set")
    text = shown(value).strip()
    if text in _UNSAID:
        return None
    word = key(text) or text
    if word in marks:
        return Result(_marked(text, marks[word]))
    if isinstance(value, int | float):
        margin = number(value) or 0
        return Result("made" if margin >= 0 else "set", abs(margin))
    if RESULTS.get(word):
        return Result(RESULTS[word])
    found = _RESULT.fullmatch(text)
    word = (found["word"].strip() if found else "") or "+"
    word = key(word) or word
    said = _marked(word, marks[word]) if word in marks else RESULTS.get(word)
    if found is None or said is None:
        raise ValueError(f"{text[:40]!r} says neither made nor set")
    return Result(said, None if found["by"] is None else int(found["by"]))


def _marked(text: str, said: str) -> str:
    if not said:
        raise ValueError(f"{text!r} may say made or set; write which")
    return said


def marks_of(heading: str, cells: Iterable[Value]) -> dict[str, str]:
    """Return what ``x``, ``s``, ``1`` and ``0`` say in a column of results; nothing if either.

    The heading tells, as in ``Made it?``, or the other words of the column.
    """
    words = {key(text) or text for cell in cells if (text := shown(cell).strip())}
    said = key(heading)
    asks = HEADERS.get(said) == Means.RESULT and said not in NEUTRAL
    others = {RESULTS[word] for word in words if word in RESULTS and word != "m"}
    found = {"x": "", "s": "set"}
    if others == {"made"}:
        found["x"] = "set"
    elif others == {"set"} or (asks and not others):
        found["x"] = "made"
    if "n" in words and "m" not in words:
        found["s"] = "made"
    elif not others and "m" not in words:
        found["s"] = ""
    if words <= {"0", "1"}:
        if asks:
            found |= {"1": "made", "0": "set"}
        elif words == {"0", "1"}:
            found |= {"1": "", "0": ""}
    return found


def was_set(value: Value) -> Result | None:
    """Return what stands below a heading such as ``Set?``, where yes says that it was set."""
    if isinstance(value, bool):
        return Result("set" if value else "made")
    text = shown(value).strip()
    if text in _UNSAID or text in {"-", "–", "—"}:
        return None
    word = key(text) or text
    if word in YES or word in NO:
        return Result("set" if word in YES else "made")
    said = result(value)
    return Result("set", said.by) if said and said.by is not None and text.isdecimal() else said
