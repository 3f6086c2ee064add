"""The search: alpha-beta with a table of known bounds, and the value found by narrow windows."""

from __future__ import annotations

from typing import Final, NamedTuple

from replay.engine.records import Rules
from replay.solver.bounds import easy_limits, limits
from replay.solver.choices import NO_RUN, list_moves
from replay.solver.known import (
    NO_HINT,
    NOTHING,
    entry_of,
    find,
    high_in,
    hint_in,
    keep,
    key_of,
    low_in,
    tag_of,
)
from replay.solver.moves import ASKED, after, before_choice, begin_trick, closing
from replay.solver.position import NOBODY, Board, Position

FAR: Final = 1 << 20
"""Beyond every value."""
LOOKS_AHEAD: Final = 14
"""With so many cards left the last to play looks into the table before it tries a card."""


class Known(NamedTuple):
    """What is known of a position before any move of it is tried."""

    key: int
    tag: int
    """The place in the table, at the beginning of a trick."""
    low: int
    high: int
    hint: int
    """The move that was best before, or ``NO_HINT``."""


def search(board: Board, rules: Rules, at: Position, alpha: int, beta: int) -> int:
    """Return what the makers get from a position on, if it lies between ``alpha`` and ``beta``.

    Else a bound: what is not above ``alpha`` is the most they get, what is not below ``beta`` the
    least. Worthless once the limit of nodes is reached, when ``board.stopped`` is 1.
    """
    board.nodes += 1
    if board.nodes > board.limit:
        board.stopped = 1
        return 0
    first = board.top
    at, got, count = to_next_choice(board, rules, at)
    begins = at.turn == NOBODY
    at = begin_trick(board, at) if begins else at
    floor, ceiling = alpha - got, beta - got
    known = known_at_lead(board, rules, at, floor, ceiling) if begins else known_later(board, at)
    least, most = max(floor, known.low), min(ceiling, known.high)
    if least >= most:
        board.top = first
        return got + (known.low if known.low > floor else known.high)
    if begins:
        count = list_moves(board, rules, at, known.hint)
    else:
        seen = seen_before(board, rules, at, first, least, most)
        if seen != FAR:
            board.top = first
            return got + seen
    maximizes = board.makers >> at.turn & 1
    best, best_move = -FAR if maximizes else FAR, NO_HINT
    floor, ceiling = least, most
    index, end = first, first + count
    while index < end:
        move = take_best(board, index, end)
        then, gain = after(board, rules, at, move)
        value = gain + search(board, rules, then, least - gain, most - gain)
        if maximizes and value > best:
            best, best_move = value, move
            least = max(least, value)
        elif not maximizes and value < best:
            best, best_move = value, move
            most = min(most, value)
        if board.stopped or least >= most:
            break
        if board.runs[index] != NO_RUN:
            slack = least - value if maximizes else value - most
            best, end = rule_out(board, index, end, best, value, slack)
        index += 1
    board.top = first
    if least >= most and count > 1:
        note_cut(board, at, best_move)
    if begins and not board.stopped:
        keep_value(board, known, best, best_move, floor, ceiling)
    return got + best


def known_later(board: Board, at: Position) -> Known:
    """Return what is known of a position in the middle of a trick."""
    low, high = easy_limits(board, at)
    return Known(0, 0, low, high, NO_HINT)


def known_at_lead(board: Board, rules: Rules, at: Position, alpha: int, beta: int) -> Known:
    """Return what bounds and the table say of a position at the beginning of a trick.

    The last trick, in which there is nothing to choose, is known by playing it.
    """
    if at.waiting and at.left.bit_count() == at.waiting.bit_count():
        first = board.top
        over, gain, count = to_next_choice(board, rules, at)
        board.top = first
        if count == 0:
            gain += closing(board, over)
            return Known(0, 0, gain, gain, NO_HINT)
    low, high = limits(board, rules, at)
    if low >= high or low >= beta or high <= alpha:
        return Known(0, 0, low, high, NO_HINT)
    key, tag = key_of(board, at), tag_of(board, at)
    entry = find(board, key, tag)
    if entry == NOTHING:
        return Known(key, tag, low, high, NO_HINT)
    return Known(key, tag, max(low, low_in(entry)), min(high, high_in(entry)), hint_in(entry))


def keep_value(
    board: Board, known: Known, best: int, best_move: int, floor: int, ceiling: int
) -> None:
    """Keep what the moves of a position have shown in a window: a value, or a bound."""
    low, high = known.low, known.high
    if best > floor:
        low = max(low, best)
    if best < ceiling:
        high = min(high, best)
    keep(board, known.key, entry_of(known.tag, low, high, min(best_move, NO_HINT)))


def to_next_choice(board: Board, rules: Rules, at: Position) -> tuple[Position, int, int]:
    """Play what is forced in the middle of a trick; return where that leads, and the gain.

    Thirdly how many moves there are then, which are on the stack; none at the beginning of a trick.
    """
    first = board.top
    gain, count = 0, 0
    while at.turn != NOBODY:
        at, more = before_choice(board, rules, at)
        gain += more
        count = list_moves(board, rules, at, NO_HINT)
        if count != 1:
            break
        board.top = first
        at, more = after(board, rules, at, board.moves[first])
        gain += more
        count = 0
    return at, gain, count


def seen_before(board: Board, rules: Rules, at: Position, first: int, least: int, most: int) -> int:
    """Return a value outside the window that some move leads to, by the table alone; else ``FAR``.

    One move is enough for the side to act to get as much as the window asks for. Only the last to
    play looks, with many cards still to be played after the trick.
    """
    if at.waiting & (at.waiting - 1) or at.left.bit_count() < LOOKS_AHEAD:
        return FAR
    maximizes = board.makers >> at.turn & 1
    for index in range(first, board.top):
        then, gain = after(board, rules, at, board.moves[index])
        if then.turn != NOBODY:
            return FAR
        then = begin_trick(board, then)
        if then.waiting:
            entry = find(board, key_of(board, then), tag_of(board, then))
            if entry != NOTHING:
                if maximizes and gain + low_in(entry) >= most:
                    return gain + low_in(entry)
                if not maximizes and gain + high_in(entry) <= least:
                    return gain + high_in(entry)
    return FAR


def take_best(board: Board, index: int, end: int) -> int:
    """Move the best of the moves from ``index`` on to its place; return it."""
    best = index
    for other in range(index + 1, end):
        if board.scores[other] > board.scores[best]:
            best = other
    move = board.moves[best]
    run = board.runs[best]
    board.moves[best] = board.moves[index]
    board.scores[best] = board.scores[index]
    board.runs[best] = board.runs[index]
    board.moves[index] = move
    board.runs[index] = run
    return move


def rule_out(
    board: Board, index: int, end: int, best: int, value: int, slack: int
) -> tuple[int, int]:
    """Drop moves that differ by too few points from the one at ``index`` to do better.

    They differ from it in nothing else, so each is worth its ``value`` up to as many points more or
    less. ``slack``: what the value lacks to matter, for the side to act. Return the bound for all
    moves so far, and where the rest ends.
    """
    card = board.moves[index] & (ASKED - 1)
    maximizes = board.makers >> board.owner[card] & 1
    other = index + 1
    while other < end:
        if board.runs[other] == board.runs[index]:
            more = abs(board.worth[board.moves[other] & (ASKED - 1)] - board.worth[card])
            if more <= slack:
                best = max(best, value + more) if maximizes else min(best, value - more)
                end -= 1
                board.moves[other] = board.moves[end]
                board.scores[other] = board.scores[end]
                board.runs[other] = board.runs[end]
                continue
        other += 1
    return best, end


def note_cut(board: Board, at: Position, move: int) -> None:
    """Remember a card that proved enough, for positions like this one."""
    if move >= ASKED:
        return
    place = 2 * at.left.bit_count()
    if board.killers[place] != move:
        board.killers[place + 1] = board.killers[place]
        board.killers[place] = move


def solve(board: Board, rules: Rules, at: Position, guess: int) -> None:
    """Narrow ``board.low`` and ``board.high`` down to what the makers get from a position on.

    They stay apart when the limit of nodes is reached. Windows of one point are tried, near the
    guess first and then in longer and longer steps.
    """
    step, last = 1, 0
    first = board.top
    board.stopped = 0
    while board.low < board.high:
        if last > 0:
            edge = board.low + step
        elif last < 0:
            edge = board.high - step + 1
        else:
            edge = guess
        edge = max(board.low + 1, min(board.high, edge))
        value = search(board, rules, at, edge - 1, edge)
        if board.stopped:
            board.top = first
            return
        if value < edge:
            board.high = max(board.low, min(board.high, value))
            step = 2 * step if last < 0 else 1
            last = -1
        else:
            board.low = min(board.high, max(board.low, value))
            step = 2 * step if last > 0 else 1
            last = 1
