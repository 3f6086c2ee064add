"""Dealing at random, for practice and for generated games."""

from __future__ import annotations

import random

from msgspec.structs import replace

from replay.rulesets.ruleset import Ruleset
from schemas.cards import CARD_NAMES, cards_in
from schemas.hand import Hand


def deal_out(hand: Hand, ruleset: Ruleset, chance: random.Random) -> Hand:
    """Return ``hand`` with the pack dealt at random: hands packet by packet, kitty, stock."""
    seats = len(hand.players)
    rules = ruleset.rules(seats)
    cards = cards_in(rules.pack)
    chance.shuffle(cards)
    hands: list[list[int]] = [[] for _ in range(seats)]
    for packet in (rules.packet, rules.dealt - rules.packet):
        for seat in range(seats):
            hands[seat] += cards[:packet]
            del cards[:packet]
    kitty, stock = cards[: rules.kitty_size], cards[rules.kitty_size :]
    texts = [" ".join(CARD_NAMES[card] for card in each) for each in (*hands, kitty, stock)]
    return replace(hand, deal=texts[:seats], kitty=texts[-2], stock=texts[-1])
