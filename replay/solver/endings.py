"""The last two tricks, by trying every card.

With two cards each there are sixteen ways to play a trick, and the one after it is known as soon as
it begins: making, ordering and ruling out moves would take longer than trying them.
"""

from typing import Final

from tricklog.core.engine.records import Rules, lowest_first
from tricklog.core.solver.bounds import easy_limits
from tricklog.core.solver.moves import (
    after,
    begin_trick,
    best_of,
    closing,
    legal_cards,
    take_trick,
    thrown_in_to,
    top,
    trick_gain,
)
from tricklog.core.solver.position import (
    FIRST_TRICK,
    NO_RANKS,
    NOBODY,
    SHOWN,
    Board,
    Position,
    ranks_taken,
)

FAR: Final = 1 << 20
"""Beyond every value."""


def is_open(at: Position) -> bool:
    """Is there nothing to a trick but the cards: no trump to be shown, no surplus to bury?"""
    return at.flags & (SHOWN | FIRST_TRICK) == SHOWN


def have_all(board: Board, at: Position, count: int) -> bool:
    """Have all who play to the trick that is to begin as many cards?"""
    if at.left.bit_count() != count * at.waiting.bit_count():
        return False
    return all(
        (board.own[seat] & at.left).bit_count() == count for seat in lowest_first(at.waiting)
    )


def last_trick(board: Board, rules: Rules, at: Position) -> tuple[int, int]:
    """Return what the makers get when all play their last card, and the ranks it rests on."""
    led = top(board.own[at.leader] & at.left)
    table = at.left & ~thrown_in_to(board, led, at.left & ~(1 << led))
    over = Position(0, table, NOBODY, 0, at.leader, led, led, at.weight, 0, at.ahead, at.flags)
    over = over._replace(best=best_of(board, rules, over))
    then = take_trick(board, rules, over)
    return trick_gain(board, rules, over) + closing(board, then), ranks_taken(board, then)


def last_but_one(board: Board, rules: Rules, at: Position, edge: int) -> tuple[int, int]:
    """Return, as ``search`` does, whether the makers get ``edge`` in the last trick but one."""
    board.nodes += 1
    maximizes = board.makers >> at.turn & 1
    best, rests = -FAR if maximizes else FAR, NO_RANKS
    cards = legal_cards(board, rules, at)
    low_first = gives_up(board, at, cards)
    while cards:
        card = (cards & -cards).bit_length() - 1 if low_first else top(cards)
        cards &= ~(1 << card)
        then, gain = after(board, rules, at, card)
        if then.turn == NOBODY:
            value, on = rest_of(board, rules, then, edge - gain)
        else:
            value, on = last_but_one(board, rules, then, edge - gain)
        value += gain
        if (value >= edge) == (maximizes == 1):
            return value, on
        best = max(best, value) if maximizes else min(best, value)
        rests |= on
    return best, rests


def gives_up(board: Board, at: Position, cards: int) -> bool:
    """Is the trick the other side's, and not taken from it by the highest of some cards?"""
    if at.led < 0 or board.makers >> board.owner[at.best] & 1 == board.makers >> at.turn & 1:
        return False
    suit = board.suit_set[board.suit_of[at.best]] | board.trumps
    return cards & suit <= 1 << at.best


def rest_of(board: Board, rules: Rules, then: Position, edge: int) -> tuple[int, int]:
    """Return what the makers get after the last trick but one, or a limit, and all its ranks."""
    ranks = ranks_taken(board, then)
    low, high = easy_limits(board, then)
    if low >= edge or high < edge:
        return low if low >= edge else high, ranks
    at = begin_trick(board, then)
    if not at.waiting:
        return closing(board, at), ranks
    gain, rests = last_trick(board, rules, at)
    return gain, ranks | rests
