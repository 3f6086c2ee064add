"""Dealing at random, for practice and for generated games."""

from __future__ import annotations

import random
from collections.abc import Sequence

from msgspec.structs import replace

from replay.engine.records import Rules
from schemas.cards import CARD_NAMES, cards_in
from schemas.hand import Hand


def shuffled(rules: Rules, chance: random.Random) -> list[int]:
    """Return the pack dealt at random, packet by packet: hand after hand, then kitty and stock."""
    cards = cards_in(rules.pack)
    chance.shuffle(cards)
    hands: list[list[int]] = [[] for _ in range(rules.seats)]
    for packet in (rules.packet, rules.dealt - rules.packet):
        for seat in range(rules.seats):
            hands[seat] += cards[:packet]
            del cards[:packet]
    return [*(card for each in hands for card in each), *cards]


def with_cards(hand: Hand, rules: Rules, cards: Sequence[int]) -> Hand:
    """Return ``hand`` with the cards of ``shuffled``."""
    names = [CARD_NAMES[card] for card in cards]
    dealt, kitty = rules.seats * rules.dealt, rules.kitty_size
    return replace(
        hand,
        deal=[" ".join(names[at : at + rules.dealt]) for at in range(0, dealt, rules.dealt)],
        kitty=" ".join(names[dealt : dealt + kitty]),
        stock=" ".join(names[dealt + kitty :]),
    )
