"""What the first cards of a maker are worth: a share of all points, from 0 to 1.

Fractions are added up one after the other, so the same cards are worth the same on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from tricklog.core.engine.records import NO_TRUMPS, Rules, lowest_first
from tricklog.core.engine.rules.counting import strongest
from tricklog.schemas.cards import CARD_COUNT

FEATURES = 7
ALL_SUITS = 15
_COMMAND = (20, 16, 13, 10, 8)
"""What the highest trumps are worth in command of the suit, in twentieths."""
_OTHER_COMMAND = 5


@dataclass(slots=True)
class Mind:
    """How one player judges and plays."""

    weights: list[float] = field(default_factory=lambda: [0.0] * FEATURES)
    """By feature."""
    reach: float = 0.0
    """How much more than what it expects to take it bids, as a share of all points."""
    careless: float = 0.0
    """Chance to play any legal card, of ``1 << 53``."""


class Features(NamedTuple):
    """What is seen of the cards held, with a suit as trumps."""

    one: float
    """Always 1."""
    highest: float
    """1 with the highest trump."""
    second: float
    """1 with the second highest."""
    command: float
    """What the trumps are worth in command of the suit."""
    trumps: float
    points: float
    """The share of all points that they bring."""
    sides: float
    """Plain cards that will win."""


def features_of(rules: Rules, held: int, trump: int) -> Features:
    """Return what is seen of the cards ``held`` with ``trump`` as trumps."""
    command = 0.0
    place, highest, second = 0, 0, 0
    left = rules.trump_cards[trump]
    while left:
        card = strongest(rules, trump, left, 1)
        left &= ~(1 << card)
        if held >> card & 1:
            command += (_COMMAND[place] if place < len(_COMMAND) else _OTHER_COMMAND) / 20
            highest |= 1 if place == 0 else 0
            second |= 1 if place == 1 else 0
        place += 1
    points = rules.points[trump]
    all_points = sum(points[card] for card in range(CARD_COUNT))
    own_points = sum(points[card] for card in lowest_first(held))
    sides = 0.0
    plain = held & ~rules.trump_cards[trump]
    while plain:
        card = first_in(plain)
        plain &= ~(1 << card)
        over = stronger(rules, trump, rules.suit_cards[trump][rules.suit[trump][card]], card)
        if over == 0:
            sides += 1.0
        elif over == 1:
            sides += 0.4
    trumps = (held & rules.trump_cards[trump]).bit_count()
    share = own_points / max(1, all_points)
    return Features(1.0, highest / 1, second / 1, command, trumps / 1, share, sides)


def stronger(rules: Rules, trump: int, cards: int, card: int) -> int:
    """Return how many of some cards are stronger than ``card``."""
    strength = rules.strength[trump]
    return sum(1 for other in lowest_first(cards) if strength[other] > strength[card])


def share_of(mind: Mind, seen: Features) -> float:
    """Return the share of all points that the side may expect, 0 to 1."""
    weights = mind.weights
    found = weights[0] * seen.one
    found += weights[1] * seen.highest
    found += weights[2] * seen.second
    found += weights[3] * seen.command
    found += weights[4] * seen.trumps
    found += weights[5] * seen.points
    found += weights[6] * seen.sides
    return min(1.0, max(0.0, found))


def best_trump(rules: Rules, mind: Mind, held: int, codes: int) -> int:
    """Return the suit among those of ``codes``, a set, with the largest share expected."""
    best = -1
    share = -1.0
    for trump in range(4):
        if codes >> trump & 1:
            expected = share_of(mind, features_of(rules, held, trump))
            if expected > share:
                best, share = trump, expected
    return best


def worth(rules: Rules, mind: Mind, held: int) -> int:
    """Return the bid that the cards are worth to this player."""
    trump = best_trump(rules, mind, held, ALL_SUITS)
    share = share_of(mind, features_of(rules, held, trump)) + mind.reach
    return int(share * rules.all_points)


def sure_tricks(rules: Rules, held: int) -> int:
    """Return how many tricks without trumps no cards of the others can take."""
    sure = 0
    for suit in range(4):
        own = held & rules.suit_cards[NO_TRUMPS][suit]
        outside = rules.suit_cards[NO_TRUMPS][suit] & ~held
        top = sum(1 for card in lowest_first(own) if stronger(rules, NO_TRUMPS, outside, card) == 0)
        certain = top >= min(own.bit_count(), outside.bit_count())
        sure += own.bit_count() if certain else top
    return sure


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
