"""Cards as small integers and as the two letters a log writes.

A card is ``suit * 13 + rank``; the joker is 52. Suits are ordered so that the suit of the same
colour is ``3 - suit`` (spades and clubs, hearts and diamonds), which is what makes the other five
of a colour a trump. A set of cards is an ``int`` used as a bit mask, bit ``n`` for card ``n``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

SUITS: Final = "SHDC"
RANKS: Final = "23456789TJQKA"
RANK_COUNT: Final = len(RANKS)
FIVE: Final = RANKS.index("5")
JACK: Final = RANKS.index("J")
JOKER: Final = 52
CARD_COUNT: Final = 53
NOT_RECORDED: Final = -1
"""A card written ``?``: it was there, the record does not say which."""
HIDDEN: Final = -2
"""A card written ``*``: the recorder could not see it at that moment."""

CARD_NAMES: Final[tuple[str, ...]] = (*(rank + suit for suit in SUITS for rank in RANKS), "JO")
_INDEX: Final = {name: index for index, name in enumerate(CARD_NAMES)} | {
    "?": NOT_RECORDED,
    "*": HIDDEN,
}
TRUMP_RANKS: Final = ("joker", *RANKS[:FIVE], "off five", *RANKS[FIVE:], "off jack")
"""What a trump can be, each at the place of its bit in what is stored of a set of trumps."""
OFF_JACK: Final = len(TRUMP_RANKS) - 1
TRUMPS_DOWN: Final = (
    *(*reversed(RANKS[JACK:]), "off jack", *reversed(RANKS[FIVE:JACK]), "off five"),
    *(*reversed(RANKS[:FIVE]), "joker"),
)
"""The same from the highest to the lowest, as most games rank them."""
SUIT_GLYPHS: Final = "♠♥♦♣"
SUIT_WORDS: Final = ("spades", "hearts", "diamonds", "clubs")


def parse_card(text: str) -> int:
    """Return the index of a card written as rank and suit (``TH``), ``JO``, ``?`` or ``*``.

    Raises ``ValueError`` that names the text when it is no card.
    """
    index = _INDEX.get(text)
    if index is None:
        raise ValueError(
            f"{text!r} is not a card: write rank and suit such as AS, TD or 5H, JO for the joker, "
            "? for a card not recorded, * for a card hidden at the time"
        )
    return index


def parse_cards(text: str) -> list[int]:
    """Return the cards of a space-separated list, in the order written; empty text is no card."""
    return cards_named(text.split(" ")) if text else []


def cards_named(words: list[str]) -> list[int]:
    """Return the cards that words name. Raises ``ValueError`` as ``parse_card`` does."""
    try:
        return [_INDEX[word] for word in words]
    except KeyError:
        return [parse_card(word) for word in words]


def card_name(card: int) -> str:
    """Return how a log writes ``card``: ``AS``, ``JO``, ``?`` or ``*``."""
    if card == NOT_RECORDED:
        return "?"
    return "*" if card == HIDDEN else CARD_NAMES[card]


def pretty_card(card: int) -> str:
    """Return ``card`` for people: rank and suit glyph, ``10♥`` for the ten of hearts."""
    if card < 0:
        return card_name(card)
    if card == JOKER:
        return "Joker"
    rank = RANKS[card % 13]
    return ("10" if rank == "T" else rank) + SUIT_GLYPHS[card // 13]


def mask_of(cards: Iterable[int]) -> int:
    """Return the set of the known cards in ``cards``; unknown ones are left out."""
    mask = 0
    for card in cards:
        if card >= 0:
            mask |= 1 << card
    return mask


_IN_ORDER: Final = sorted(range(CARD_COUNT), key=lambda card: (card // 13, -card))


def cards_in(mask: int) -> list[int]:
    """Return the cards of a set, suit by suit, high to low within the suit."""
    return [card for card in _IN_ORDER if mask >> card & 1]


def names_in(mask: int) -> str:
    """Return the cards of a set as a log writes them, suit by suit, high to low."""
    return " ".join(CARD_NAMES[card] for card in cards_in(mask))


def pretty_cards(mask: int) -> str:
    """Return the cards of a set for people, suit by suit, high to low; ``none`` when empty."""
    return " ".join(pretty_card(card) for card in cards_in(mask)) or "none"
