"""Ranks that matter: on which ranks the bound of a position rests.

They are sets of cards that reach, in each suit, from some card up to the highest. What is proved
with a set of ranks holds for every deal of the cards below them: each player has as many of each
suit and kind, but which of them is higher does not matter. A trick adds the ranks down to the
card that took it, where that had to beat another one of its suit. A move that proves enough
adds its own ranks; when all moves fail, all of theirs are added.
"""

from __future__ import annotations

from typing import Final

from tricklog.core.solver.position import NO_CARD, NOBODY, Board, Position

NO_RANKS: Final = 0
ALL_RANKS: Final = -1


def down_to(board: Board, card: int) -> int:
    """Return the ranks of a suit from its highest down to a card."""
    return board.suit_set[board.suit_of[card]] & -(1 << card)


def highest(cards: int, count: int) -> int:
    """Return the ``count`` highest of a set of cards."""
    for _ in range(cards.bit_count() - count):
        cards &= cards - 1
    return cards


def down_to_lowest(board: Board, cards: int) -> int:
    """Return the ranks down to the lowest of some cards of one suit."""
    return down_to(board, (cards & -cards).bit_length() - 1)


def ranks_taken(board: Board, then: Position) -> int:
    """Return the ranks that a trick rests on; none if it goes on. ``then`` is where a move led."""
    if then.turn != NOBODY or then.best == NO_CARD:
        return NO_RANKS
    if board.reversed:
        return board.suit_set[board.suit_of[then.best]]
    return down_to(board, then.best)
