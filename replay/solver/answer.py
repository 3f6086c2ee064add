"""What is asked of the search: one value, one window, every choice, or all of a recorded hand.

``answer`` is the one function that Python calls. Its numbers are points of the makers, those taken
before included; with a hand alone they are tricks. A declared king and queen counts for as many
points as it changes the number that the makers need, so that they make their contract when they get
what they needed before.
"""

from typing import Any, Final, NamedTuple, TypeAlias

from tricklog.core.engine.records import Rules, State
from tricklog.core.solver import moves, position, setting
from tricklog.core.solver.bounds import easy_limits
from tricklog.core.solver.choices import list_moves
from tricklog.core.solver.memory import NO_HINT
from tricklog.core.solver.moves import ASKED, HAS_TO_SHOW, MAY_SHOW
from tricklog.core.solver.position import FIELDS, NOBODY, PAIR_DUE, Board, Position, ranks_taken
from tricklog.core.solver.search import search, solve, solve_others
from tricklog.schemas.actions import Verb

Array: TypeAlias = Any
"""A numpy array, or in plain Python a list or a list of lists."""

VALUE, WINDOW, CHOICES, HAND = range(4)
"""Questions."""
CARD, SURPLUS, SILENCE = range(3)
"""Kinds of decisions; of the last king and queen could be declared, and were not."""
KIND, SEAT, CARDS, SHOWED, DEED, LOW, HIGH, ROW = range(8)
"""The numbers in a row of what is answered, and how many there are. ``SHOWED``: 1 when the trump
was shown for it although it need not have been. ``DEED``: which of the deeds it was; of surplus the
last one, of silence the one that came instead."""
STEPS: Final = 128
"""Rows that any hand needs at the most."""
SHARE: Final = 9
OF: Final = 16
"""A first guess of the value: this share of what is left."""
GOT: Final = FIELDS
"""After the fields of a position: what the makers have got by then; of one that a choice leads to
the least that they get from there on."""
AT_MOST: Final = FIELDS + 1
"""Of one that a choice leads to: the most that they get from there on."""
PLACED: Final = FIELDS + 2
"""Numbers in a position written down."""


class Sheet(NamedTuple):
    """What a question is about besides a state, and where the answer goes."""

    deeds: Array
    """What the record shows from the state on: verb, seat, and cards as a set."""
    numbers: Array
    """How many deeds there are, the nodes that each value may cost, the value of a window, with a
    hand alone in tricks; 1 where the question before was about other rules."""
    rows: Array
    """Room for ``STEPS`` rows, and one more."""
    placed: Array
    """Room for as many positions."""


def answer(
    question: int, board: Board, dense: Rules, state: State, rules: Rules, sheet: Sheet
) -> int:
    """Answer a question about a state in the play; return how many rows of the sheet are filled.

    ``dense`` is a copy of ``rules`` to be written into. Of a value or a window there is one row:
    the least and the most that it may be. Of choices there is a row each, of a hand one for every
    decision with the value before it, and one with the value at the end.
    """
    numbers, rows = sheet.numbers, sheet.rows
    if question != CHOICES or numbers[3] or not setting.goes_on(board, state, rules):
        setting.set_up(board, dense, state, rules)
    # Nodes are counted from 0, with no moves on the stack.
    board.top, board.stopped, board.nodes = 0, 0, 0
    at = setting.locate(board, dense, state, rules)
    if question == HAND:
        return answer_hand(board, dense, at, sheet)
    at, gain = moves.declare(board, at)
    if question == CHOICES:
        return answer_choices(board, dense, at, gain, sheet)
    if question == WINDOW:
        narrow(board, dense, at, numbers[2] - board.base - gain, numbers[1])
    else:
        find_value(board, dense, at, numbers[1])
    return fill_row(board, rows, 0, gain)


def fill_row(board: Board, rows: Array, index: int, gain: int) -> int:
    """Enter what the board has found; return how many rows are filled by now."""
    rows[index][LOW] = board.base + gain + board.low
    rows[index][HIGH] = board.base + gain + board.high
    return index + 1


def find_value(board: Board, rules: Rules, at: Position, budget: int) -> None:
    """Find what the makers get from a position on."""
    board.low, board.high = easy_limits(board, at)
    board.limit = board.nodes + budget
    solve(board, rules, at, board.low + (board.high - board.low) * SHARE // OF)


def narrow(board: Board, rules: Rules, at: Position, edge: int, budget: int) -> None:
    """Find whether the makers get as much as ``edge`` from a position on."""
    board.low, board.high = easy_limits(board, at)
    board.limit = board.nodes + budget
    if not board.low < edge <= board.high:
        return
    value, _ = search(board, rules, at, edge)
    if board.stopped:
        board.top = 0
    elif value >= edge:
        board.low = min(board.high, value)
    else:
        board.high = max(board.low, value)


# --- Every choice


def answer_choices(board: Board, rules: Rules, at: Position, gain: int, sheet: Sheet) -> int:
    """Fill a row for every legal choice.

    Often the choices of the position before were asked for last: then its value is known. Cards of
    one suit often have the same value, so that of the one before is the first guess.
    """
    budget, rows, placed = sheet.numbers[1], sheet.rows, sheet.placed
    if at.turn != NOBODY:
        at, more = moves.before_choice(board, rules, at)
        gain += more
    if not recall(board, at, placed):
        find_value(board, rules, at, budget)
    low, high = board.low, board.high
    if at.turn == NOBODY:
        at = moves.begin_trick(board, at)
        if at.waiting == 0:
            return 0
    makers = board.makers >> at.turn & 1
    first = board.top
    surplus = moves.surplus_of(board, at)
    # Like ones too; there is room to answer so many.
    switches = board.switches
    board.switches = switches & ~position.USE_LIKENESS
    count = min(list_moves(board, rules, at, NO_HINT), STEPS - 1)
    board.switches = switches
    last, before = high if makers else low, -1
    for index in range(count):
        move = board.moves[first + index]
        then, more = moves.after(board, rules, at, move)
        board.low, board.high = easy_limits(board, then)
        suit = -1 if surplus else board.suit_of[move & (ASKED - 1)]
        if suit < 0 or suit != before:
            last = high if makers else low
        if makers:
            board.high = max(board.low, min(board.high, high - more))
            guess = last - more + 1
        else:
            board.low = min(board.high, max(board.low, low - more))
            guess = last - more
        board.limit = board.nodes + budget
        solve(board, rules, then, guess)
        last, before = board.low + more, suit
        keep_position(then, board.low, placed[index])
        placed[index][AT_MOST] = board.high
        row = rows[index]
        row[KIND] = SURPLUS if surplus else CARD
        row[SEAT] = setting.seat_at(board, at.turn)
        row[CARDS] = setting.cards_meant(board, move if surplus else 1 << (move & (ASKED - 1)))
        row[SHOWED] = 1 if not surplus and move & ASKED else 0
        fill_row(board, rows, index, gain + more)
    board.top = first
    board.answered = count
    return count


# --- A recorded hand


def answer_hand(board: Board, rules: Rules, at: Position, sheet: Sheet) -> int:
    """Fill a row for every decision of a recorded hand, with the value before it, and a last one.

    The values are found from the end: each bounds the one before, as nobody gains by an own choice.
    """
    rows, placed = sheet.rows, sheet.placed
    steps = walk(board, rules, at, sheet)
    for step in range(steps, -1, -1):
        at = position_in(placed[step])
        got = placed[step][GOT]
        low, high = easy_limits(board, at)
        board.low, board.high = low, high
        guess = low + (high - low) * SHARE // OF
        board.limit = board.nodes + sheet.numbers[1]
        if step < steps:
            # What the makers get after the decision is a limit, and a first guess.
            if board.makers >> setting.place_of(board, rows[step][SEAT]) & 1:
                guess = board.low = min(high, max(low, rows[step + 1][LOW] - board.base - got))
            else:
                guess = board.high = max(low, min(high, rows[step + 1][HIGH] - board.base - got))
            if rows[step][KIND] != SILENCE and rows[step + 1][LOW] == rows[step + 1][HIGH]:
                # It rests on the ranks of the trick that the decision ends as well.
                taken = ranks_taken(board, position_in(placed[step + 1]))
                board.low_rests |= taken
                board.high_rests |= taken
                move = setting.numbers_of(board, rows[step][CARDS])
                if rows[step][KIND] != SURPLUS:
                    move = moves.top(move) | (ASKED if rows[step][SHOWED] else 0)
                solve_others(board, rules, at, move)
                fill_row(board, rows, step, got)
                continue
        # What a limit rests on that comes from the next position is not asked.
        rests = position.ALL_RANKS if step < steps else position.NO_RANKS
        board.low_rests, board.high_rests = rests, rests
        solve(board, rules, at, guess)
        fill_row(board, rows, step, got)
    return steps + 1


def walk(board: Board, rules: Rules, at: Position, sheet: Sheet) -> int:
    """Play a recorded hand on; note each decision and the position before it. Return how many."""
    deeds, count = sheet.deeds, sheet.numbers[0]
    steps, got, index = 0, 0, 0
    silent = is_silent(deeds, count)
    asked = False
    at, got, steps = at_moment(board, at, got, steps, 0 if silent else -1, sheet)
    while index < count:
        verb, seat, cards = deeds[index][0], deeds[index][1], deeds[index][2]
        moment = index if silent else -1
        index += 1
        asked = asked or verb in (Verb.ASK, Verb.REVEAL)
        if verb == Verb.BURY:
            while index < count and deeds[index][0] == Verb.BURY and deeds[index][1] == seat:
                cards |= deeds[index][2]
                index += 1
        elif verb != Verb.PLAY:
            continue
        before = at
        if at.turn == NOBODY:
            at = moves.begin_trick(board, at)
        if verb == Verb.BURY:
            keep_position(before, got, sheet.placed[steps])
            note_card(sheet.rows[steps], index - 1, seat, cards)
            sheet.rows[steps][KIND] = SURPLUS
            at, steps = moves.bury(board, rules, at, setting.numbers_of(board, cards)), steps + 1
            continue
        card = moves.top(setting.numbers_of(board, cards))
        shows = moves.showing(board, rules, at)
        if shows == HAS_TO_SHOW:
            at = moves.show(board, rules, at)
            at, got, steps = at_moment(board, at, got, steps, moment, sheet)
            before = at
        keep_position(before, got, sheet.placed[steps])
        note_card(sheet.rows[steps], index - 1, seat, cards)
        chose = shows == MAY_SHOW and asked
        sheet.rows[steps][SHOWED] = 1 if chose else 0
        steps += 1
        if chose or moves.shows_by_playing(board, at, card):
            noted = steps
            at = moves.show(board, rules, at)
            at, got, steps = at_moment(board, at, got, steps, moment, sheet)
            if steps > noted:
                # After the silence the card is still to be chosen.
                keep_position(at, got, sheet.placed[steps])
                note_card(sheet.rows[steps], index - 1, seat, cards)
                steps += 1
        asked = False
        at, gain = put(board, rules, at, card)
        at, got, steps = at_moment(board, at, got + gain, steps, moment, sheet)
    keep_position(at, got, sheet.placed[steps])
    return steps


def put(board: Board, rules: Rules, at: Position, card: int) -> tuple[Position, int]:
    """Play a card, and take the trick if it is complete; return what the makers gain by that."""
    at = moves.play_card(board, rules, at, card)
    if at.waiting:
        return at, 0
    at = moves.show_after_trick(board, rules, at)
    gain = moves.trick_gain(board, rules, at)
    return moves.take_trick(board, rules, at), gain


def note_card(row: Array, deed: int, seat: int, cards: int) -> None:
    """Note that a seat has played a card."""
    row[KIND], row[SEAT], row[CARDS], row[SHOWED], row[DEED] = CARD, seat, cards, 0, deed


def is_silent(deeds: Array, count: int) -> bool:
    """Are king and queen never declared in a record?"""
    return all(deeds[index][0] != Verb.PAIR for index in range(count))


def at_moment(
    board: Board, at: Position, got: int, steps: int, deed: int, sheet: Sheet
) -> tuple[Position, int, int]:
    """Declare king and queen if it is the moment, or note that nobody did although they could.

    ``deed``: what was done instead; below 0 where the record has them declared at some time. Then
    it counts from the first moment on: to wait gains nothing.
    """
    if not at.flags & PAIR_DUE:
        return at, got, steps
    gain = moves.pair_gain(board)
    if deed < 0:
        return moves.declared(at, board), got + gain, steps
    if gain:
        row = sheet.rows[steps]
        row[KIND], row[SEAT], row[SHOWED] = SILENCE, setting.seat_at(board, board.pair_holder), 0
        row[CARDS], row[DEED] = setting.cards_meant(board, board.pair_cards), deed
        keep_position(moves.declared(at, board), got + gain, sheet.placed[steps])
        steps += 1
    return at._replace(flags=at.flags & ~PAIR_DUE), got, steps


# --- Positions written down: of a recorded hand, and those that the last choices lead to


def keep_position(at: Position, got: int, row: Array) -> None:
    """Write a position down."""
    row[0], row[1], row[2], row[3], row[4] = at.left, at.table, at.turn, at.waiting, at.leader
    row[5], row[6], row[7], row[8], row[9] = at.led, at.best, at.stake, at.weight, at.ahead
    row[10], row[GOT] = at.flags, got


def position_in(row: Array) -> Position:
    """Return a position that was written down."""
    return Position(
        row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8], row[9], row[10]
    )


def recall(board: Board, at: Position, placed: Array) -> bool:
    """Narrow the board to what was written down of a position, if it was."""
    for index in range(board.answered):
        if is_same(at, position_in(placed[index])):
            board.low, board.high = placed[index][GOT], placed[index][AT_MOST]
            return True
    return False


def is_same(at: Position, other: Position) -> bool:
    """Are two positions the same in all that decides what comes of them?"""
    same = at.left == other.left and at.table == other.table and at.turn == other.turn
    same = same and at.leader == other.leader and at.flags == other.flags
    same = same and at.stake == other.stake and at.weight == other.weight
    if not same or at.ahead != other.ahead:
        return False
    # Before a trick they say only how the last one ended.
    return at.turn == NOBODY or (
        at.waiting == other.waiting and at.led == other.led and at.best == other.best
    )
