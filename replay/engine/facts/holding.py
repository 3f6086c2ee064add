"""What a player held during the auction, and how strong that was.

Sources: 0.deal, 1.points, 1.trumps, 14.points.
"""

from __future__ import annotations

from tricklog.core.engine.facts.seat_facts import NOT_KNOWN
from tricklog.core.engine.hand_replay import Workspace
from tricklog.core.engine.records import NO_TRUMPS, Rules
from tricklog.schemas.cards import FIVE, JACK, JOKER, OFF_JACK, RANK_COUNT


def first_packet(workspace: Workspace, rules: Rules, seat: int) -> int:
    """Return the set of cards a seat was dealt before the auction.

    ``NOT_KNOWN`` when the record does not name all of them.
    """
    first, last = workspace.bounds[seat], workspace.bounds[seat + 1]
    if last - first < rules.packet:
        return NOT_KNOWN
    cards = 0
    for index in range(first, first + rules.packet):
        if workspace.cards[index] < 0:
            return NOT_KNOWN
        cards |= 1 << workspace.cards[index]
    return cards


def trumps_among(rules: Rules, suit: int, cards: int) -> int:
    """Return how many of a set of cards are trumps when a suit is."""
    return (cards & rules.trump_cards[suit]).bit_count()


def trump_points_among(rules: Rules, suit: int, cards: int) -> int:
    """Return the card points of the trumps in a set of cards when a suit is trumps."""
    left = cards & rules.trump_cards[suit] & rules.point_cards[suit]
    points = 0
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        points += rules.points[suit][card]
    return points


def trump_ranks_among(rules: Rules, suit: int, cards: int) -> int:
    """Return the ranks of the trumps in a set of cards when a suit is trumps, one bit each.

    Each at its place in ``tricklog.schemas.cards.TRUMP_RANKS``.
    """
    left = cards & rules.trump_cards[suit]
    ranks = 0
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        ranks |= 1 << rank_of_trump(suit, card)
    return ranks


def rank_of_trump(suit: int, card: int) -> int:
    """Return the place in ``tricklog.schemas.cards.TRUMP_RANKS`` when a suit is trumps."""
    if card == JOKER:
        return 0
    rank = card % RANK_COUNT
    is_off = card // RANK_COUNT != suit
    if is_off and rank == JACK:
        return OFF_JACK
    if rank < FIVE or (is_off and rank == FIVE):
        # The off five comes right under the five (1.trumps).
        return rank + 1
    return rank + 2


def best_suit(rules: Rules, cards: int) -> int:
    """Return the suit with the most trumps in a set of cards, then with the most points in them."""
    best = 0
    for suit in range(1, NO_TRUMPS):
        more = trumps_among(rules, suit, cards) - trumps_among(rules, best, cards)
        if more > 0:
            best = suit
        elif more == 0:
            points = trump_points_among(rules, suit, cards)
            if points > trump_points_among(rules, best, cards):
                best = suit
    return best
