"""Who led what to a trick, who won it, and whether the third player could cinch it.

A trick is the number of a complete one from 0, ``suit`` the trump suit of the hand or
``NO_TRUMPS``. Of a card that the record does not name nothing is said. Sources: 1.play, 1.points,
4.play.
"""

from __future__ import annotations

from typing import Final

from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules.history import History
from tricklog.core.engine.rules.table import side_of
from tricklog.schemas.cards import FIVE, RANK_COUNT

FOUR_HANDED: Final = 4
THIRD: Final = 2
"""The place in a trick after which one more player follows, the lead being 0."""


def first_play(history: History, trick: int) -> int:
    """Return where the plays of a trick begin; for the number of tricks, where all end."""
    return history.first_play[trick] if trick < history.tricks else history.plays


def size_of(history: History, trick: int) -> int:
    """Return how many cards were played to a trick."""
    return first_play(history, trick + 1) - first_play(history, trick)


def leader_of(history: History, trick: int) -> int:
    """Return the seat that led to a trick."""
    return history.play_seat[history.first_play[trick]]


def card_led(history: History, trick: int) -> int:
    """Return the card led to a trick, below 0 when the record does not name it."""
    return history.play_card[history.first_play[trick]]


def is_trump(rules: Rules, suit: int, card: int) -> bool:
    """Is a card, which the record may not name, a trump?"""
    return card >= 0 and rules.trump_cards[suit] >> card & 1 == 1


def has_points(rules: Rules, suit: int, card: int) -> bool:
    """Has a card, which the record may not name, points?"""
    return card >= 0 and rules.points[suit][card] > 0


def is_won_by_leading_side(rules: Rules, history: History, trick: int) -> bool:
    """Did the side that led to a trick win it?"""
    winner = history.trick_winner[trick]
    return winner >= 0 and side_of(rules, winner) == side_of(rules, leader_of(history, trick))


def trumps_drawn(rules: Rules, history: History, suit: int, trick: int) -> int:
    """Return how many trumps of opponents fell when a trump was led; 0 when none was."""
    if not is_trump(rules, suit, card_led(history, trick)):
        return 0
    own = side_of(rules, leader_of(history, trick))
    drawn = 0
    for play in range(first_play(history, trick), first_play(history, trick + 1)):
        if side_of(rules, history.play_seat[play]) != own:
            drawn += 1 if is_trump(rules, suit, history.play_card[play]) else 0
    return drawn


def fives(rules: Rules, suit: int) -> int:
    """Return the set of the pedros: fives that are trumps and have points."""
    found = 0
    left = rules.trump_cards[suit] & rules.point_cards[suit]
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        if card % RANK_COUNT == FIVE:
            found |= 1 << card
    return found


def trumps_above(rules: Rules, suit: int, cards: int) -> int:
    """Return the set of the trumps that beat each of a set of trumps."""
    found = rules.trump_cards[suit]
    left = found
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        others = cards
        while others:
            other = (others & -others).bit_length() - 1
            others &= others - 1
            if rules.strength[suit][card] <= rules.strength[suit][other]:
                found &= ~(1 << card)
    return found


def played_before(history: History, play: int) -> int:
    """Return the set of the cards played to complete tricks before a play."""
    cards = 0
    for index in range(play):
        if history.play_card[index] >= 0:
            cards |= 1 << history.play_card[index]
    return cards


def still_played_by(history: History, seat: int, play: int) -> int:
    """Return the set of the cards that a seat played to complete tricks, from a play on."""
    cards = 0
    for index in range(play, history.plays):
        if history.play_seat[index] == seat and history.play_card[index] >= 0:
            cards |= 1 << history.play_card[index]
    return cards


def can_cinch(rules: Rules, history: History, trick: int, pedros: int, higher: int) -> bool:
    """Could the third of four partners keep a pedro of the fourth, an opponent, from winning?

    There is one left to play that is not their own, no trump above it lies in the trick, and they
    have such a trump still to play. ``pedros``: the fives of trumps; ``higher``: the trumps above.
    """
    if not pedros or rules.side_count == rules.seats or size_of(history, trick) != FOUR_HANDED:
        return False
    first = history.first_play[trick]
    for play in range(first, first + THIRD):
        card = history.play_card[play]
        if card < 0 or higher >> card & 1:
            return False
    own = still_played_by(history, history.play_seat[first + THIRD], first + THIRD)
    if not own & higher:
        return False
    return pedros & ~own & ~played_before(history, first + THIRD) != 0


def is_cinched(history: History, trick: int, higher: int) -> bool:
    """Did the third to play put a trump above the pedros, which are ``higher``, to a trick?"""
    card = history.play_card[history.first_play[trick] + THIRD]
    return card >= 0 and higher >> card & 1 == 1
