"""Short words for calls, trumps and codes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from ingest.metrics import DIMENSION
from ingest.metrics.filters import range_of
from schemas import words
from schemas.actions import VERB_NAMES, Verb, bid_name
from schemas.cards import SUITS
from schemas.render import one_line


def call_words(verb: int, amount: int) -> str:
    """Return a call as the auction shows it: ``9``, ``pass``."""
    return bid_name(amount) if verb == Verb.BID else VERB_NAMES[Verb(verb)]


_WORDS: Final = {
    "A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten", "9": "nine", "8": "eight",
    "7": "seven", "6": "six", "5": "five", "4": "four", "3": "three", "2": "two",
}  # fmt: skip
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SUITS: Final = dict(zip(SUITS, ("♠ spades", "♥ hearts", "♦ diamonds", "♣ clubs"), strict=True))
_OTHERS: Final = {
    "thrown_in": "thrown in",
    "true": "yes",
    "false": "no",
    "NT": "no trump",
    "own": "the holder",
    "opponents": "an opponent",
    "seventh": "the seventh card",
}
_FIVES: Final = {"right": "right five", "left": "left five"}
_PLAYED: Final = {
    "led": "led",
    "over": "to take the trick",
    "under": "under a higher trump",
    "not played": "not played",
}


def value_words(dimension: str, value: str) -> str:
    """Return what people call a value of a dimension: the card ``T`` is a ten."""
    if dimension == "card":
        return _WORDS.get(value, value)
    if dimension == "trump":
        return _SUITS.get(value, _OTHERS.get(value, value))
    if dimension == "weekday" and value.isascii() and value.isdigit():
        return _DAYS[(int(value) - 1) % len(_DAYS)]
    if dimension == "bid" and value.isascii() and value.isdigit():
        return bid_name(int(value))
    if dimension in ("holder", "leader", "taker"):
        return seat_words(value)
    if dimension in ("five", "played"):
        return {**_FIVES, **_PLAYED}.get(value, one_line(value))
    if dimension == "forced":
        return {"true": "forced", "false": "chosen"}.get(value, one_line(value))
    if dimension == "loss-kind":
        return "no kind of its own" if value == "other" else one_line(value)
    if dimension == "code":
        return title_of(value)
    return one_line(_OTHERS.get(value, value))


def seat_words(seat: str) -> str:
    """Return what people call a seat as seen from the maker: ``1 after`` the maker."""
    return one_line(f"{seat} the maker" if seat.endswith(" after") else seat)


def chosen_words(dimension: str, value: str) -> str:
    """Return what people call a value that a filter lets through, or a range of numbers.

    A range is ``10 or more``, ``−2 or less``, ``7 to 9``.
    """
    if not DIMENSION[dimension].is_number:
        return value_words(dimension, value)
    least, most = range_of(value) or (value, value)
    first, last = (
        None if end is None else value_words(dimension, str(end)).replace("-", "−")
        for end in (least, most)
    )
    if first == last:
        return str(first)
    if first is None or last is None:
        return f"{last} or less" if first is None else f"{first} or more"
    return f"{first} to {last}"


def title_of(code: str) -> str:
    """Return a code as a heading: ``bid-too-low`` as ``Bid too low``."""
    return code.replace("-", " ").replace("_", " ").capitalize()


def short_name(file: str, folders: int = 0) -> str:
    """Return the name of a log with the last ``folders`` it lies in."""
    parts = re.split(r"[/\\]", file)
    return "/".join(parts[-1 - folders :])


def short_names(files: Iterable[str]) -> dict[str, str]:
    """Return for each log its name, with as many folders as it takes to tell it from the others."""
    left, named = set(files), dict[str, str]()
    folders = 0
    while left:
        count = Counter(short_name(each, folders) for each in left)
        told = {each for each in left if count[short_name(each, folders)] == 1}
        told |= {each for each in left if folders > each.count("/") + each.count("\\")}
        named |= {each: one_line(short_name(each, folders)) for each in told}
        left -= told
        folders += 1
    return named


def are(count: int) -> str:
    """Return the verb that goes with a number of things."""
    return "is" if count == 1 else "are"


counted = words.counted
