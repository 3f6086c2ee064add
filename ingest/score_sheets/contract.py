"""What cells say of the contract: bid, trumps, stake, and whether it was made.

Each reader returns ``None`` for an empty cell and raises ``ValueError`` with a sentence for one
that it cannot read. What a letter or a mark stands for, the whole column says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from tricklog.ingest.score_sheets.grid import Value, shown
from tricklog.ingest.score_sheets.values import is_empty, number
from tricklog.ingest.score_sheets.words import (
    HEADERS,
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
from tricklog.schemas.actions import MAX_BID

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
_OF_ENGLISH: Final = frozenset({"s", "h"})


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
    found = {}
    is_spanish = said in _SPANISH or letters & _OF_PICAS_AND_TREBOLES
    found["c"] = "H" if is_spanish and not letters & {*_OF_ENGLISH, "k", "x"} else "C"
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
    if text in _UNSAID:
        return None
    word = key(text) or text
    if word in YES or word in NO:
        return Result("set" if word in YES else "made")
    if text in {"-", "–", "—"}:
        return None
    said = result(value)
    return (
        said if said is None or said.by is None or not text.isdecimal() else Result("set", said.by)
    )
