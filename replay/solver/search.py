"""The search: alpha-beta with a table of known bounds, and the value found by narrow windows.

A recorded hand is solved from its end: at each decision the value after the move that was made is
known, so that only the others are still to be tried. In the last two tricks every card is tried:
making, ordering and ruling out moves would take longer.
"""

from typing import Final, NamedTuple

from tricklog.core.engine.records import Rules, lowest_first
from tricklog.core.solver import memory, moves, position
from tricklog.core.solver.bounds import easy_limits, limits
from tricklog.core.solver.choices import is_plain, list_moves
from tricklog.core.solver.moves import ASKED
from tricklog.core.solver.position import NO_RANKS, NOBODY, SHOWN, Board, Position, ranks_taken


class Known(NamedTuple):
    """What is known of a position before any move of it is tried."""

    key: int
    like: int
    """What the table is asked for, at the beginning of a trick."""
    low: int
    high: int
    ranks: int
    """What the limits rest on."""
    hint: int
    """The move that was best before, or ``NO_HINT``."""


UNKNOWN: Final = Known(0, 0, memory.LEAST, memory.MOST, NO_RANKS, memory.NO_HINT)


def search(board: Board, rules: Rules, at: Position, edge: int) -> tuple[int, int]:
    """Find out whether the makers get as much as ``edge`` from a position on.

    Return the least they get, not below ``edge``, or the most; secondly the ranks that this rests
    on. Worthless once the limit of nodes is reached, when ``board.stopped`` is 1.
    """
    board.nodes += 1
    if board.nodes > board.limit:
        board.stopped = 1
        return 0, NO_RANKS
    first = board.top
    at, got, ranks, count = to_next_choice(board, rules, at)
    edge -= got
    start = board.top - count
    known = UNKNOWN
    begins = at.turn == NOBODY
    if begins:
        at = moves.begin_trick(board, at)
        known = known_at_lead(board, rules, at, edge)
        if known.low >= edge or known.high < edge:
            ranks = without_forced(board, first, start, ranks | known.ranks)
            return got + (known.low if known.low >= edge else known.high), ranks
        if is_open(at) and have_all(board, at, 2):
            best, rests = last_but_one(board, rules, at, edge)
            keep_value(board, known, at, edge, best, memory.NO_HINT, rests)
            ranks = without_forced(board, first, start, ranks | rests)
            return got + best, ranks
        count = list_moves(board, rules, at, known.hint)
    maximizes = board.makers >> at.turn & 1
    best, best_move, rests = -FAR if maximizes else FAR, memory.NO_HINT, NO_RANKS
    index, end = start, start + count
    while index < end:
        move = take_best(board, index, end)
        then, gain = moves.after(board, rules, at, move)
        is_known, value = at_a_glance(board, then, edge - gain)
        on = ranks_taken(board, then)
        if not is_known:
            value, more = search(board, rules, then, edge - gain)
            on |= more
        value += gain
        if board.stopped:
            break
        if (value >= edge) == (maximizes == 1):
            best, best_move, rests = value, move, on
            break
        best = max(best, value) if maximizes else min(best, value)
        on = with_span(board, index, on)
        slack = edge - 1 - value if maximizes else value - edge
        best, end, on = rule_out(board, index, end, best, value, slack, on)
        rests |= on
        index += 1
    if best_move != memory.NO_HINT and count > 1:
        note_cut(board, at, best_move)
    if begins and not board.stopped:
        keep_value(board, known, at, edge, best, best_move, rests)
    ranks = without_forced(board, first, start, ranks | rests)
    return got + best, ranks


def at_a_glance(board: Board, then: Position, edge: int) -> tuple[bool, int]:
    """Say whether the points left after a trick settle ``edge``, and the limit that does."""
    if then.turn != NOBODY:
        return False, 0
    low, high = easy_limits(board, then)
    if low < edge <= high:
        return False, 0
    board.nodes += 1
    return True, low if low >= edge else high


def known_at_lead(board: Board, rules: Rules, at: Position, edge: int) -> Known:
    """Return what bounds, the table, or playing the last trick say of a position at a lead."""
    if at.waiting and is_open(at) and have_all(board, at, 1):
        gain, ranks = last_trick(board, rules, at)
        return Known(0, 0, gain, gain, ranks, memory.NO_HINT)
    low, high, ranks = limits(board, rules, at, edge)
    if low >= edge or high < edge:
        return Known(0, 0, low, high, ranks, memory.NO_HINT)
    like, shape = memory.forms_of(board, at.left)
    key = memory.key_of(at, shape)
    place = memory.find(board, key, like, memory.tag_of(board, at), edge)
    if place == memory.NOTHING:
        return Known(key, like, memory.LEAST, memory.MOST, NO_RANKS, memory.NO_HINT)
    entry = board.known[place + memory.BOUNDS]
    low, high, hint = memory.low_in(entry), memory.high_in(entry), entry & memory.NO_HINT
    ranks = memory.ranks_at(board, place, at.left) if low >= edge or high < edge else NO_RANKS
    return Known(key, like, low, high, ranks, hint)


def keep_value(
    board: Board, known: Known, at: Position, edge: int, best: int, best_move: int, ranks: int
) -> None:
    """Keep what the moves of a position have shown: a bound, and the ranks that it rests on."""
    pattern = memory.pattern_of(board, known.like, at.left, ranks)
    low, high = (best, memory.MOST) if best >= edge else (memory.LEAST, best)
    tag = memory.tag_of(board, at)
    memory.keep(board, known.key, pattern, tag, low, high, min(best_move, memory.NO_HINT))


def to_next_choice(board: Board, rules: Rules, at: Position) -> tuple[Position, int, int, int]:
    """Play what is forced in the middle of a trick; return where that leads, and the gain.

    Thirdly the ranks that this rests on, and fourthly how many moves there are then; none at the
    beginning of a trick. They are on the stack, above those forced ones that stand for others.
    """
    gain, ranks, count = 0, NO_RANKS, 0
    while at.turn != NOBODY:
        at, more = moves.before_choice(board, rules, at)
        gain += more
        count = list_moves(board, rules, at, memory.NO_HINT)
        if count != 1:
            break
        index = board.top - 1
        at, more = moves.after(board, rules, at, board.moves[index])
        gain += more
        count = 0
        if board.spans[index] & (board.spans[index] - 1) == 0 and board.rests[index] == NO_RANKS:
            # It stands for no other one, so nothing rests on that.
            board.top = index
        ranks |= ranks_taken(board, at)
    return at, gain, ranks, count


def without_forced(board: Board, first: int, end: int, ranks: int) -> int:
    """Take forced moves, and all after them, off the stack; return the ranks with theirs."""
    for index in range(end - 1, first - 1, -1):
        ranks = with_span(board, index, ranks)
    board.top = first
    return ranks


def with_span(board: Board, index: int, ranks: int) -> int:
    """Return the ranks on which it rests that a move fails, and those of its run not tried."""
    ranks |= board.rests[index]
    if ranks & board.spans[index]:
        ranks |= position.down_to_lowest(board, board.spans[index])
    return ranks


def take_best(board: Board, index: int, end: int) -> int:
    """Move the best of the moves from ``index`` on to its place; return it."""
    best = index
    for other in range(index + 1, end):
        if board.scores[other] >= board.scores[best]:
            best = other
    move = board.moves[best]
    if best != index:
        span, rests = board.spans[best], board.rests[best]
        copy_move(board, index, best)
        board.moves[index] = move
        board.spans[index] = span
        board.rests[index] = rests
    return move


def copy_move(board: Board, source: int, to: int) -> None:
    """Put a move of the stack into the place of another one."""
    board.moves[to] = board.moves[source]
    board.scores[to] = board.scores[source]
    board.spans[to] = board.spans[source]
    board.rests[to] = board.rests[source]


def rule_out(
    board: Board, index: int, end: int, best: int, value: int, slack: int, ranks: int
) -> tuple[int, int, int]:
    """Drop moves that differ by too few points from the one at ``index`` to do better.

    Each is worth its ``value`` up to as many points: cards of the run, and of the suit if neither
    rank is among ``ranks``. ``slack``: what the value lacks to matter. Return the bound so far,
    where the rest ends, and the ranks this rests on.
    """
    span = board.spans[index]
    if not span:
        return best, end, ranks
    move = board.moves[index]
    card = move & (ASKED - 1)
    if not is_plain(board, card):
        return best, end, ranks
    maximizes = board.makers >> board.owner[card] & 1
    alike = span
    if board.switches & position.USE_RANKS and not ranks >> card & 1:
        alike |= board.suit_set[board.suit_of[card]] & ~ranks
    other = index + 1
    while other < end:
        rival = board.moves[other]
        number = rival & (ASKED - 1)
        if alike >> number & 1 and not (rival ^ move) & ASKED and is_plain(board, number):
            more = abs(board.worth[number] - board.worth[card])
            if more <= slack:
                best = max(best, value + more) if maximizes else min(best, value - more)
                ranks = with_span(board, other, ranks)
                end -= 1
                copy_move(board, end, other)
                continue
        other += 1
    return best, end, ranks


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
        value, rests = search(board, rules, at, edge)
        if board.stopped:
            board.top = first
            return
        if value < edge:
            board.high, board.high_rests = max(board.low, min(board.high, value)), rests
            step = 2 * step if last < 0 else 1
            last = -1
        else:
            board.low, board.low_rests = min(board.high, max(board.low, value)), rests
            step = 2 * step if last > 0 else 1
            last = 1


# --- From the value after one of the moves: only the others are still to be tried


def solve_others(board: Board, rules: Rules, at: Position, move: int) -> None:
    """Narrow ``board.low`` and ``board.high`` as ``solve`` does, from the value after ``move`` on.

    It is what the side to act wants to move, ``low_rests`` and ``high_rests`` the ranks of it.
    """
    board.stopped = 0
    known = UNKNOWN
    begins = at.turn == NOBODY
    if begins:
        at = moves.begin_trick(board, at)
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
    then, gain = moves.after(board, rules, at, board.moves[index])
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
    tag = memory.tag_of(board, at)
    pattern = memory.pattern_of(board, known.like, at.left, board.low_rests)
    memory.keep(board, known.key, pattern, tag, board.low, memory.MOST, memory.NO_HINT)
    pattern = memory.pattern_of(board, known.like, at.left, board.high_rests)
    memory.keep(board, known.key, pattern, tag, memory.LEAST, board.high, memory.NO_HINT)


# --- The last two tricks, by trying every card


FAR: Final = 1 << 20
"""Beyond every value."""


def is_open(at: Position) -> bool:
    """Is there nothing to a trick but the cards: no trump to be shown, no surplus to bury?"""
    return at.flags & (SHOWN | position.FIRST_TRICK) == SHOWN


def have_all(board: Board, at: Position, count: int) -> bool:
    """Have all who play to the trick that is to begin as many cards?"""
    return at.left.bit_count() == count * at.waiting.bit_count() and all(
        (board.own[seat] & at.left).bit_count() == count for seat in lowest_first(at.waiting)
    )


def last_trick(board: Board, rules: Rules, at: Position) -> tuple[int, int]:
    """Return what the makers get when all play their last card, and the ranks it rests on."""
    led = moves.top(board.own[at.leader] & at.left)
    table = at.left & ~moves.thrown_in_to(board, led, at.left & ~(1 << led))
    over = Position(0, table, NOBODY, 0, at.leader, led, led, at.weight, 0, at.ahead, at.flags)
    over = over._replace(best=moves.best_of(board, rules, over))
    then = moves.take_trick(board, rules, over)
    gain = moves.trick_gain(board, rules, over) + moves.closing(board, then)
    return gain, ranks_taken(board, then)


def last_but_one(board: Board, rules: Rules, at: Position, edge: int) -> tuple[int, int]:
    """Return, as ``search`` does, whether the makers get ``edge`` in the last trick but one."""
    board.nodes += 1
    maximizes = board.makers >> at.turn & 1
    best, rests = -FAR if maximizes else FAR, NO_RANKS
    cards = moves.legal_cards(board, rules, at)
    low_first = gives_up(board, at, cards)
    while cards:
        card = (cards & -cards).bit_length() - 1 if low_first else moves.top(cards)
        cards &= ~(1 << card)
        then, gain = moves.after(board, rules, at, card)
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
    at = moves.begin_trick(board, then)
    if not at.waiting:
        return moves.closing(board, at), ranks
    gain, rests = last_trick(board, rules, at)
    return gain, ranks | rests
