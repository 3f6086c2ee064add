"""How cards are written: ``10h``, ``♥10``, ``Th``, ``H10``, ``hearts 10``, ``ace of hearts``."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from tricklog.ingest.text_form import languages
from tricklog.ingest.text_form.folding import fold, name_key

_RANK: Final = "(?:10|[2-9tjqka])"
_SUIT: Final = "[shdc♠♤♥♡♦♢♣♧]"
RANKS_ONLY: Final = re.compile(f"(?:{_RANK})+")
_RANK_FIRST: Final = re.compile(f"(?:{_RANK}{_SUIT})+")
_SUIT_FIRST: Final = re.compile(f"(?:{_SUIT}(?:{_RANK})+)+")
_ONE: Final = re.compile(f"({_RANK})({_SUIT})|({_SUIT})({_RANK})")
_EACH_RANK_FIRST: Final = re.compile(f"({_RANK})({_SUIT})")
_EACH_SUIT_FIRST: Final = re.compile(f"({_SUIT})((?:{_RANK})+)")
_EACH_RANK: Final = re.compile(_RANK)
_COUNTED: Final = re.compile(r"([1-9][0-9]?)[x×]?([?*])")
_LONGEST: Final = 120
"""Characters of the longest word that is looked at as cards."""

UNKNOWN: Final = frozenset("?*")
SUIT_SIGNS: Final = {
    sign: suit
    for suit, signs in zip("SHDC", ("s♠♤", "h♥♡", "d♦♢", "c♣♧"), strict=True)
    for sign in signs
}
SUIT_WORDS: Final = {
    fold(word): suit for suit, part in languages.SUITS.items() for words in part for word in words
}
RANK_WORDS: Final = {
    fold(word): rank for rank, part in languages.RANKS.items() for words in part for word in words
}
_JOKERS: Final = frozenset(map(fold, languages.JOKERS))
_RUN: Final = 4
"""Unknown cards in a row from which on they are counted."""


def rank_of(text: str) -> str:
    """Return the rank as the log writes it."""
    return "T" if text == "10" else text.upper()


def suit_of(word: str) -> str | None:
    """Return the suit that a folded word, letter or sign stands for."""
    return SUIT_SIGNS.get(word) or SUIT_WORDS.get(word)


def rank_in_words(word: str) -> str | None:
    """Return the rank that a folded word stands for by itself."""
    return RANK_WORDS.get(word) or (rank_of(word) if _EACH_RANK.fullmatch(word) else None)


@lru_cache(maxsize=1 << 14)
def one_card(text: str) -> str | None:
    """Return the card that a word is, as the log writes it."""
    word = fold(text)
    found = _ONE.fullmatch(word)
    if found:
        return rank_of(found[1] or found[4]) + SUIT_SIGNS[found[2] or found[3]]
    if word in UNKNOWN:
        return word
    return "JO" if word in _JOKERS else _with_suit_in_words(word)


def _with_suit_in_words(word: str) -> str | None:
    """Return the card of a word such as ``hearts10`` or ``10hj``."""
    if len(word) > _LONGEST:
        return None
    for place in range(1, min(3, len(word))):
        rank, suit = word[:place], SUIT_WORDS.get(word[place:])
        if suit and _EACH_RANK.fullmatch(rank):
            return rank_of(rank) + suit
        rank, suit = word[-place:], SUIT_WORDS.get(word[:-place])
        if suit and _EACH_RANK.fullmatch(rank):
            return rank_of(rank) + suit
    return None


@lru_cache(maxsize=1 << 14)
def cards_of(text: str) -> tuple[str, ...] | None:
    """Return the cards of a word in a list: ``10h``, ``♠KQ7``, ``10h9h7d``, ``3?``, ``8*``."""
    one = one_card(text)
    if one:
        return (one,)
    word = fold(text)
    if len(word) > _LONGEST:
        return None
    if counted := _COUNTED.fullmatch(word):
        return (counted[2],) * int(counted[1])
    if _RANK_FIRST.fullmatch(word):
        return tuple(
            rank_of(rank) + SUIT_SIGNS[suit] for rank, suit in _EACH_RANK_FIRST.findall(word)
        )
    if _SUIT_FIRST.fullmatch(word):
        return tuple(
            rank_of(rank) + SUIT_SIGNS[suit]
            for suit, ranks in _EACH_SUIT_FIRST.findall(word)
            for rank in _EACH_RANK.findall(ranks)
        )
    return None


def ranks_of(word: str, suit: str) -> list[str]:
    """Return the cards of one suit whose ranks a folded word names: ``akq10``."""
    return [rank_of(rank) + suit for rank in _EACH_RANK.findall(word)]


# --- What somebody meant

_MISREAD: Final = str.maketrans({"o": "0", "l": "1", "i": "1"})
_MEANT_RANKS: Final = {
    "11": "j",
    "12": "q",
    "13": "k",
    "14": "a",
    "1": "a",
    "0": "10",
    "b": "j",
    "v": "j",
    "e": "a",
    "r": "k",
}


def nearest_card(text: str) -> str:
    """Return the card that was meant by ``1Oh``, ``l0h`` or ``11s``, as people write it."""
    word = fold(text[:_LONGEST]).translate(_MISREAD)
    for suit, rank in ((word[-1:], word[:-1]), (word[:1], word[1:])):
        if suit in SUIT_SIGNS:
            card = one_card(_MEANT_RANKS.get(rank, rank) + suit)
            if card:
                return written_card(card)
    for size in (3, 2):
        card = one_card(word[:size]) if len(word) > size else None
        if card:
            return written_card(card)
    return ""


# --- How cards are written


def written_card(card: str, taken: Collection[str] = ()) -> str:
    """Return a card as people write it, in another spelling where a player is called like it.

    ``taken`` are the keys of the names of the players.
    """
    if card in UNKNOWN:
        return card
    if card == "JO":
        return _first_free(languages.JOKERS, taken)
    rank, suit = ("10" if card[0] == "T" else card[0]), card[1]
    plain = rank + suit.lower()
    if plain.casefold() not in taken:
        return plain
    signs = [sign for sign, of in SUIT_SIGNS.items() if of == suit]
    words = [word for part in languages.SUITS[suit] for word in part]
    spellings = [two for sign in (*signs, *words) for two in (sign + rank, rank + sign)]
    return _first_free([plain, *spellings], taken)


def _first_free(spellings: Collection[str], taken: Collection[str]) -> str:
    return next((each for each in spellings if name_key(each) not in taken), next(iter(spellings)))


def written_cards(text: str, language: int, taken: Collection[str] = ()) -> str:
    """Return a list of cards of a log as people write it; many unknown ones are counted."""
    if not text:
        return languages.NONE[0][language]
    words: list[str] = []
    run: list[str] = []
    for card in [*text.split(" "), ""]:
        if run and card != run[0]:
            words += [f"{len(run)}{run[0]}"] if len(run) >= _RUN else run
            run = []
        if card in UNKNOWN:
            run.append(card)
        elif card:
            words.append(written_card(card, taken))
    return " ".join(words)
