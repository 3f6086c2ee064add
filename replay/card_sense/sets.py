"""Sets of cards, looked through in the order in which a log writes them."""

from __future__ import annotations

_SUITS = 5
_RANKS = 13
_OF_SUIT = (1 << _RANKS) - 1


def first_in(cards: int) -> int:
    """Return the first card of a set: the lowest suit there is, its highest card; -1 without."""
    for suit in range(_SUITS):
        found = cards >> _RANKS * suit & _OF_SUIT
        if found:
            return _RANKS * suit + found.bit_length() - 1
    return -1


def card_at(cards: int, place: int) -> int:
    """Return the card of a set at a place, from 0, in that order."""
    for _ in range(place):
        cards &= ~(1 << first_in(cards))
    return first_in(cards)
