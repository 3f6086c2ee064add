"""What a word of the text form can mean, whatever language it is in.

Nothing here knows of players, so a word always means the same, and what it means is kept.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tricklog.ingest.text_form import languages
from tricklog.ingest.text_form.cards import cards_of, one_card
from tricklog.ingest.text_form.folding import fold, name_key

_Rows = Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]

_BID: Final = re.compile(r"28-56|[1-9][0-9]{0,2}(?:-double)?")
_MOMENT: Final = re.compile(r"\+([0-9]{1,9})(?:\.([0-9]{1,3}))?s")


def _meanings(rows: _Rows) -> dict[str, str]:
    """Return the meaning of each folded word; no word may have two."""
    meanings: dict[str, str] = {}
    for meaning, (written, read) in rows.items():
        for word in (*written, *read):
            known = meanings.setdefault(fold(word), meaning)
            assert known == meaning, f"{word!r} means {known} and {meaning}"
        for word in written:
            assert cards_of(word) is None, f"{word!r} reads as cards"
    return meanings


KEYWORDS: Final = _meanings(languages.KEYWORDS)
VERBS: Final = _meanings(languages.VERBS)
MISSING: Final = _meanings(languages.MISSING)
THEN: Final = _meanings(languages.THEN)
TRUMPS: Final = _meanings(languages.TRUMPS)
STATUSES: Final = _meanings(languages.STATUSES)
RESULTS: Final = _meanings(languages.RESULTS)
NONES: Final = frozenset(fold(word) for part in languages.NONE for word in part)
BY: Final = frozenset(map(fold, languages.BY))
AGAINST: Final = frozenset(map(fold, languages.AGAINST))


@dataclass(frozen=True, slots=True)
class Word:
    """A word and everything that it can mean."""

    text: str
    folded: str
    key: str
    """As names are compared."""
    card: str | None
    """The one card that it is, as the log writes it."""
    keyword: str | None
    verb: str | None
    bid: str | None
    """What it bids, as an action says it."""
    moment: int | None
    """Milliseconds, of a word such as ``+21.4s``."""
    is_name: bool
    """Whether it has a letter or a digit, as every name has."""


@lru_cache(maxsize=1 << 14)
def word_of(text: str) -> Word:
    """Return what a word can mean."""
    folded = fold(text)
    bid = _BID.fullmatch(folded)
    moment = _MOMENT.fullmatch(folded)
    return Word(
        text,
        folded,
        name_key(text),
        one_card(text),
        KEYWORDS.get(folded),
        VERBS.get(folded),
        bid[0] if bid else None,
        int(moment[1]) * 1000 + int((moment[2] or "0").ljust(3, "0")) if moment else None,
        any(map(str.isalnum, text)),
    )


def is_only_word(word: Word) -> bool:
    """Whether a word is no keyword, verb, bid or time."""
    return not (word.keyword or word.verb or word.bid or word.moment is not None)


def _plain_cards() -> dict[str, str]:
    ranks = ("10", *"AKQJT98765432akqjt")
    words = [rank + suit for rank in ranks for suit in "shdcSHDC♠♥♦♣"]
    found = {word: word_of(word) for word in (*words, "?")}
    return {word: of.card for word, of in found.items() if of.card and is_only_word(of)}


PLAIN_CARDS: Final = _plain_cards()
"""Cards as they are mostly written, each a word that means nothing else, as the log has them."""
PLAIN_CARD_KEYS: Final = frozenset(word_of(word).key for word in PLAIN_CARDS)


def meaning_of(words: Iterable[str], table: Mapping[str, str], most: int = 3) -> tuple[str, int]:
    """Return what the first words mean together, and how many they are; ``("", 0)`` for nothing.

    ``words`` are folded.
    """
    first = list(words)[:most]
    for count in range(len(first), 0, -1):
        found = table.get(" ".join(first[:count]))
        if found:
            return found, count
    return "", 0


def is_printable(character: str) -> bool:
    """Whether a character stands for itself in a text, and no editor or mail would change it."""
    return character == " " or unicodedata.category(character)[0] not in "ZC"


def status_of(text: str) -> str | None:
    """Return the status that words stand for, as the log writes it."""
    words = fold(text)
    for spelled in (words, words.replace("_", " "), words.replace("-", " ")):
        if spelled in STATUSES:
            return STATUSES[spelled]
    return None
