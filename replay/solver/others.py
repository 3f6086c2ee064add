"""The value of a position, from that after one of its moves: only the others are still to be tried.

A recorded hand is solved from its end. So at each decision the value after the move that was made
is known, and what it rests on. What is left to show is that no other move is better.
"""

from __future__ import annotations

from tricklog.core.engine.records import Rules
from tricklog.core.solver.choices import list_moves
from tricklog.core.solver.known import LEAST, MOST, NO_HINT, keep, pattern_of, tag_of
from tricklog.core.solver.moves import ASKED, after, begin_trick
from tricklog.core.solver.position import NOBODY, Board, Position
from tricklog.core.solver.ranks import NO_RANKS, ranks_taken
from tricklog.core.solver.search import (
    UNKNOWN,
    Known,
    known_at_lead,
    rule_out,
    search,
    solve,
    take_best,
    with_span,
)


def solve_others(board: Board, rules: Rules, at: Position, move: int) -> None:
    """Narrow ``board.low`` and ``board.high`` down to what the makers get from a position on.

    The one that the side to act wants to move is what the makers get after ``move``, and exact;
    ``board.low_rests`` and ``board.high_rests`` are the ranks on which that rests. They stay apart
    when the limit of nodes is reached.
    """
    board.stopped = 0
    known = UNKNOWN
    begins = at.turn == NOBODY
    if begins:
        at = begin_trick(board, at)
        known = known_at_lead(board, rules, at, next_edge(board, at))
    makers = board.makers >> at.turn & 1
    first = board.top
    index, end = first, first + list_moves(board, rules, at, known.hint)
    rests = board.high_rests if makers else board.low_rests
    if known.low >= next_edge(board, at) or known.high < next_edge(board, at):
        take_over(board, known)
    while index < end and board.low < board.high and not board.stopped:
        take_best(board, index, end)
        if stands_for(board, index, move):
            rests = with_span(board, index, rests)
        else:
            more, end = try_other(board, rules, at, index, end)
            rests |= more
        index += 1
    board.top = first
    if board.low < board.high and not board.stopped:
        if makers:
            board.high, board.high_rests = board.low, rests
        else:
            board.low, board.low_rests = board.high, rests
    if begins and not board.stopped:
        keep_both(board, known, at)


def next_edge(board: Board, at: Position) -> int:
    """Return the edge that shows whether another move is better."""
    return board.low + 1 if board.makers >> at.turn & 1 else board.high


def take_over(board: Board, known: Known) -> None:
    """Take limits over that are narrower than those of the board."""
    if known.low > board.low:
        board.low, board.low_rests = min(known.low, board.high), known.ranks
    if known.high < board.high:
        board.high, board.high_rests = max(known.high, board.low), known.ranks


def stands_for(board: Board, index: int, move: int) -> bool:
    """Is the move on the stack the one asked for, or a card of its run that is just like it?"""
    listed = board.moves[index]
    if listed == move:
        return True
    if not board.spans[index] >> (move & (ASKED - 1)) & 1 or (listed ^ move) & ASKED:
        return False
    return board.kind[listed & (ASKED - 1)] == board.kind[move & (ASKED - 1)]


def try_other(board: Board, rules: Rules, at: Position, index: int, end: int) -> tuple[int, int]:
    """Try the move at ``index``; narrow the limit of the side to act if it is better.

    Return the ranks on which it rests that it is not, or not by more, and where the moves end that
    may still be better.
    """
    makers = board.makers >> at.turn & 1
    then, gain = after(board, rules, at, board.moves[index])
    taken = ranks_taken(board, then)
    edge = next_edge(board, at)
    value, on = search(board, rules, then, edge - gain)
    value += gain
    if board.stopped:
        return NO_RANKS, end
    if (value >= edge) != (makers == 1):
        on = with_span(board, index, on | taken)
        slack = edge - 1 - value if makers else value - edge
        _, end, on = rule_out(board, index, end, value, value, slack, on)
        return on, end
    low, high, low_rests, high_rests = board.low, board.high, board.low_rests, board.high_rests
    board.low, board.high = low - gain, high - gain
    if makers:
        board.low, board.low_rests = value - gain, on
    else:
        board.high, board.high_rests = value - gain, on
    solve(board, rules, then, board.low + 1 if makers else board.high)
    board.low, board.high = board.low + gain, board.high + gain
    board.low_rests, board.high_rests = board.low_rests | taken, board.high_rests | taken
    if makers:
        rests = board.high_rests
        board.high, board.high_rests = high, high_rests
    else:
        rests = board.low_rests
        board.low, board.low_rests = low, low_rests
    return with_span(board, index, rests), end


def keep_both(board: Board, known: Known, at: Position) -> None:
    """Keep the value of a position at the beginning of a trick, and the ranks that it rests on."""
    if not known.key:
        return
    tag = tag_of(board, at)
    pattern = pattern_of(board, known.like, at.left, board.low_rests)
    keep(board, known.key, pattern, tag, board.low, MOST, NO_HINT)
    pattern = pattern_of(board, known.like, at.left, board.high_rests)
    keep(board, known.key, pattern, tag, LEAST, board.high, NO_HINT)
