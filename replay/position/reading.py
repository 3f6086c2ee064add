"""Cards, trumps and plays as people write them in a question."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from replay.rulesets.suggestions import did_you_mean
from schemas.actions import TRUMP_CODES
from schemas.cards import CARD_NAMES, JOKER, SUIT_GLYPHS, SUIT_WORDS, SUITS, parse_card

_LETTERS: Final = dict(zip(SUIT_GLYPHS, SUITS, strict=True))
_TRUMPS: Final = {name.lower(): code for name, code in TRUMP_CODES.items()} | {
    word: code for code, word in enumerate(SUIT_WORDS)
}


class PositionError(ValueError):
    """A question that cannot be answered: where in it the trouble is, and what to write instead."""

    def __init__(self, where: str, message: str) -> None:
        """Keep the parts beside the sentence made of them."""
        super().__init__(f"{where}: {message}")
        self.where = where
        self.message = message


def words_of(cards: str | Iterable[str]) -> tuple[str, ...]:
    """Return the cards of a list, or of a text with spaces or commas between them."""
    words = cards.replace(",", " ").split() if isinstance(cards, str) else cards
    return tuple(words)


def card_of(word: str, where: str) -> int:
    """Return a card written as in a log, with a glyph, in lower case, or with 10 for the ten.

    Raises ``PositionError`` for what is none.
    """
    text = "".join(_LETTERS.get(sign, sign) for sign in word.strip()).upper().replace("10", "T")
    if text in {"JOKER", CARD_NAMES[JOKER]}:
        return JOKER
    if len(text) == 2 and text[0] in SUITS and text[1] not in SUITS:
        text = text[::-1]
    try:
        return parse_card(text)
    except ValueError:
        raise PositionError(
            where,
            f"{word!r} is not a card; write rank and suit, such as AS, 10D or 5H, JO for the "
            "joker, ? for a card that is not known.",
        ) from None


def trump_of(word: str) -> int:
    """Return the code of a trump. Raises ``PositionError`` for what is none."""
    text = "".join(_LETTERS.get(sign, sign) for sign in word.strip()).lower()
    if text not in _TRUMPS:
        raise PositionError(
            "trump", f"{word!r} is no trump{did_you_mean(word, TRUMP_CODES)}; write S, H, D or C."
        )
    return _TRUMPS[text]


def play_of(text: str, where: str) -> tuple[str, int]:
    """Return who plays which card in ``ann 9S`` or ``ann: 9S``. Raises ``PositionError``."""
    name, _, card = text.strip().rpartition(" ")
    name = name.strip().removesuffix(":").rstrip()
    if not name:
        raise PositionError(
            where, f"{text!r} is no play; write a player and a card, such as ann 9S."
        )
    if any(map(_is_card, name.split()[1:])):
        raise PositionError(
            where,
            f"{text!r} names more than one card; a play is a player and a card, as ann 9S, "
            "and commas stand between plays.",
        )
    return name, card_of(card, where)


def _is_card(word: str) -> bool:
    """Return whether a word is a card by its rank and suit, and so hardly a part of a name."""
    try:
        return len(word) > 1 and card_of(word, "") not in (-1, JOKER)
    except PositionError:
        return False
