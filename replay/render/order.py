"""The order of cards in a hand."""

from __future__ import annotations

from tricklog.core.engine.records import NO_TRUMPS, Rules
from tricklog.schemas.actions import trump_suit
from tricklog.schemas.cards import cards_in


def in_order(rules: Rules, trump: int | None, cards: int) -> list[int]:
    """Return cards as a player sorts them: all trumps first, high to low."""
    suit_of_trumps = NO_TRUMPS if trump is None else trump_suit(trump)

    def place(card: int) -> tuple[bool, int, int]:
        if not rules.pack >> card & 1:
            return (True, card // 13, 0)
        suit = rules.suit[suit_of_trumps][card]
        return (suit != suit_of_trumps, suit, -rules.strength[suit_of_trumps][card])

    return sorted(cards_in(cards), key=place)
