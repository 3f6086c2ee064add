"""Short words for calls, trumps and codes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date
from typing import Final

from tricklog.core.judging.findings import finding_codes, finding_said
from tricklog.core.study.open_cards import LossKind
from tricklog.dashboard.text.value_texts import CALLS, OTHERS, VALUES
from tricklog.ingest.metrics import DIMENSION, wording
from tricklog.ingest.metrics.filters import range_of
from tricklog.schemas.actions import VERB_NAMES, Verb, bid_name
from tricklog.schemas.languages.messages import say, say_in, translated_in
from tricklog.schemas.languages.numbers import month_text, plain_day, weekday_text
from tricklog.schemas.printable import one_line


def call_words(verb: int, amount: int) -> str:
    """Return a call as the auction shows it: ``9``, ``pass``."""
    if verb == Verb.BID:
        return bid_name(amount)
    said = CALLS.get(Verb(verb))
    return VERB_NAMES[Verb(verb)] if said is None else str(said)


def value_words(dimension: str, value: str) -> str:
    """Return what people call a value of a dimension: the card ``T`` is a ten."""
    if (said := VALUES.get(dimension, {}).get(value)) is not None:
        return str(said)
    if (written := _WRITTEN.get(dimension)) is not None and (told := written(value)):
        return told
    return str(OTHERS[value]) if value in OTHERS else one_line(value)


def seat_words(seat: str) -> str:
    """Return what people call a seat as seen from the maker: ``1 after`` the maker."""
    if (said := VALUES["holder"].get(seat)) is not None:
        return str(said)
    places, after, _ = seat.partition(" after")
    return say("{places} after the maker", places=one_line(places)) if after else one_line(seat)


def _of_number(words: Callable[[int], str]) -> Callable[[str], str]:
    return lambda value: words(int(value)) if value.isascii() and value.isdigit() else ""


def loss_words(value: str) -> str:
    """Return what was done where something was lost: ``cinch missed``."""
    if value == LossKind.OTHER:
        return say_in("a kind of loss", "no kind of its own")
    return one_line(translated_in("a kind of loss", value))


def _table_words(value: str) -> str:
    players, _, kind = value.partition(" ")
    if kind == "partners":
        return say_in("a table", "{players} partners", players=players)
    return say_in("a table", "{players} singles", players=players) if kind == "singles" else ""


def _of_day(words: Callable[[date], str]) -> Callable[[str], str]:
    def written(value: str) -> str:
        try:
            return words(date.fromisoformat(value))
        except ValueError:
            return ""

    return written


def title_of(code: str) -> str:
    """Return a code as a heading: ``bid-too-low`` as ``Bid too low``."""
    words = code.replace("_", "-")
    said = str(finding_said(words)) if words in _FINDINGS else words.replace("-", " ")
    return said.capitalize()


_FINDINGS: Final = frozenset(finding_codes())
_WRITTEN: Final[dict[str, Callable[[str], str]]] = {
    "weekday": _of_number(lambda day: weekday_text((day - 1) % 7)),
    "bid": _of_number(bid_name),
    "holder": seat_words,
    "leader": seat_words,
    "taker": seat_words,
    "loss-kind": loss_words,
    "theme": wording.theme,
    "seating": _table_words,
    "day": _of_day(plain_day),
    "week": _of_day(plain_day),
    "month": _of_day(month_text),
    "code": title_of,
}
"""How the values of a dimension are written that have no table."""


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
        less = say("{most} or less", most=last)
        return less if first is None else say("{least} or more", least=first)
    return say("{least} to {most}", least=first, most=last)


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
