"""Writing a replayed hand in the codes of the warehouse (``tricklog.schemas.codes``), byte by byte.

Each function appends one code to ``out``, a buffer with room enough, from ``at`` on and returns the
place after it. They run in plain Python and compiled; ``tricklog.schemas.codes`` reads what they
write.
"""

from collections.abc import MutableSequence, Sequence

from tricklog.core.engine import facts
from tricklog.core.engine.hand_replay import Workspace
from tricklog.core.engine.records import Rules, lowest_first, union
from tricklog.core.engine.rules.history import NOBODY, History
from tricklog.schemas.actions import Verb
from tricklog.schemas.cards import HIDDEN
from tricklog.schemas.codes import (
    BID_BASE,
    FIRST_PLAYER,
    FIRST_SEAT,
    NO_LEADER,
    NOBODY_BID,
    NOT_RECORDED,
    PAIR_BASE,
    UNKNOWN_WINNER,
    ZERO,
)

Out = MutableSequence[int]

_BETWEEN_SEATS = 32
_COMMA = 44
_COMMAS = 3
_NOT_RECORDED = ord(NOT_RECORDED)
_FOR_PLAY = 1 << Verb.PLAY | 1 << Verb.BURY
_PLAIN_CALLS = 1 << Verb.BID | 1 << Verb.PASS | 1 << Verb.TENNY


def write_pair(out: Out, at: int, number: int) -> int:
    """Append a number from 0 to 6240."""
    out[at] = ZERO + number // PAIR_BASE
    out[at + 1] = ZERO + number % PAIR_BASE
    return at + 2


def write_cards(out: Out, at: int, cards: Sequence[int], first: int, last: int) -> int:
    """Append the cards ``cards[first:last]``."""
    for index in range(first, last):
        out[at + index - first] = ZERO + cards[index]
    return at + last - first


def write_deal(out: Out, at: int, workspace: Workspace) -> int:
    """Append the hands as dealt, the stock and the kitty, as far as recorded."""
    line, bounds, seats = workspace.line, workspace.bounds, workspace.line.seats
    if line.deal_start < 0:
        at = write_byte(out, at, _NOT_RECORDED)
    else:
        for seat in range(seats):
            if seat:
                at = write_byte(out, at, _BETWEEN_SEATS)
            at = write_cards(out, at, workspace.cards, bounds[seat], bounds[seat + 1])
    at = write_byte(out, at, _COMMA)
    if line.stock_start < 0:
        at = write_byte(out, at, _NOT_RECORDED)
    at = write_cards(out, at, workspace.cards, bounds[seats + 1], bounds[seats + 2])
    at = write_byte(out, at, _COMMA)
    if line.kitty_start < 0:
        at = write_byte(out, at, _NOT_RECORDED)
    return write_cards(out, at, workspace.cards, bounds[seats], bounds[seats + 1])


def write_byte(out: Out, at: int, byte: int) -> int:
    """Append one character."""
    out[at] = byte
    return at + 1


def write_deeds(
    out: Out, at: int, workspace: Workspace, named: Sequence[int], begin: int, end: int
) -> int:
    """Append the actions from ``begin`` to ``end``; ``named``: all cards that actions name."""
    next_player = -1
    seats = workspace.line.seats
    last = 0
    for index in range(end):
        action = workspace.actions[index]
        first = last
        last += action.size
        if index < begin:
            continue
        if action.verb == Verb.PLAY:
            if action.seat != next_player:
                at = write_byte(out, at, FIRST_PLAYER + action.seat)
            at = write_byte(out, at, ZERO + action.card)
            next_player = action.seat + 1 if action.seat + 1 < seats else 0
            continue
        next_player = -1
        out[at] = FIRST_SEAT + action.seat
        out[at + 1] = ZERO + action.verb
        at += 2
        if action.verb == Verb.BID:
            at = write_bid(out, at, action.amount)
        elif action.verb in (Verb.TRUMP, Verb.REVEAL):
            at = write_byte(out, at, ZERO - HIDDEN + action.amount)
        else:
            at = write_cards(out, at, named, first, last)
    return at


def write_bid(out: Out, at: int, amount: int) -> int:
    """Append a bid: digits to the base of 50, the highest first."""
    weight = 1
    while weight * BID_BASE <= amount:
        weight *= BID_BASE
    while weight:
        out[at] = ZERO + amount // weight
        amount %= weight
        weight //= BID_BASE
        at += 1
    return at


def write_details(out: Out, at: int, workspace: Workspace, count: int) -> int:
    """Append what the ``count`` deeds and the tricks leave open: at play, buried, calls, plays."""
    first = at
    at = write_at_play(out, at, workspace, count)
    at = write_byte(out, at, _COMMA)
    at = write_set(out, at, workspace.history.buried)
    at = write_byte(out, at, _COMMA)
    at = write_calls(out, at, workspace, count)
    at = write_byte(out, at, _COMMA)
    at = write_plays(out, at, workspace, count)
    return at if at - first > _COMMAS else first


def write_calls(out: Out, at: int, workspace: Workspace, count: int) -> int:
    """Append the calls, unless they are just the bids, passes and tennies of the actions."""
    history, actions = workspace.history, workspace.actions
    plain = sum(_PLAIN_CALLS >> actions[index].verb & 1 for index in range(count))
    ditto = any(
        actions[history.call_action[call]].verb == Verb.DITTO for call in range(history.calls)
    )
    if plain == history.calls and not ditto:
        return at
    for call in range(history.calls):
        index = history.call_action[call]
        at = write_pair(out, at, index)
        out[at] = ZERO + actions[index].seat
        out[at + 1] = ZERO + actions[index].verb
        at = write_pair(out, at + 2, history.call_amount[call])
    return at


def write_plays(out: Out, at: int, workspace: Workspace, count: int) -> int:
    """Append the plays to complete tricks, unless they are just the first ones of the actions."""
    history = workspace.history
    if plays_as_written(workspace, count):
        return at
    for play in range(history.plays):
        at = write_pair(out, at, history.play_action[play])
        out[at] = ZERO + history.play_seat[play]
        out[at + 1] = ZERO + history.play_card[play]
        at += 2
    return at


def plays_as_written(workspace: Workspace, count: int) -> bool:
    """Are the plays to complete tricks the first cards played among the actions?"""
    history, play = workspace.history, 0
    for index in range(count):
        if play == history.plays:
            return True
        action = workspace.actions[index]
        if action.verb != Verb.PLAY:
            continue
        if history.play_action[play] != index or history.play_card[play] != action.card:
            return False
        play += 1
    return play == history.plays


def write_set(out: Out, at: int, cards: int) -> int:
    """Append a set of cards, in the order of the cards."""
    for card in lowest_first(cards):
        out[at] = ZERO + card
        at += 1
    return at


def write_at_play(out: Out, at: int, workspace: Workspace, count: int) -> int:
    """Append what each seat held when play began, unless it is what it played and buried."""
    seats = workspace.line.seats
    if held_what_they_played(workspace, count):
        return at
    for seat in range(seats):
        if seat:
            at = write_byte(out, at, _BETWEEN_SEATS)
        at = write_set(out, at, workspace.state.at_play[seat])
    return at


def held_what_they_played(workspace: Workspace, count: int) -> bool:
    """Did every seat hold just the known cards that it went on to play or bury?"""
    at_play, seats, shown = workspace.state.at_play, workspace.line.seats, 0
    held = union(at_play[seat] for seat in range(seats))
    count_held = sum(at_play[seat].bit_count() for seat in range(seats))
    for index in range(count):
        action = workspace.actions[index]
        if _FOR_PLAY >> action.verb & 1:
            if action.cards & ~at_play[action.seat]:
                return False
            shown |= action.cards
    # Where no card is in two hands, each seat has shown all of its own.
    return shown == held and held.bit_count() == count_held


def trick_of(history: History, trick: int) -> int:
    """Return the integer of one complete trick."""
    last = history.first_play[trick + 1] if trick + 1 < history.tricks else history.plays
    size = last - history.first_play[trick]
    winner = history.trick_winner[trick]
    if winner < 0:
        winner = UNKNOWN_WINNER
    return history.trick_points[trick] << 6 | size << 3 | winner


def capture_of(workspace: Workspace, rules: Rules, suit: int, capture: int) -> int:
    """Return the integer of one capture; ``suit``: the trump suit of the hand, or ``NO_TRUMPS``."""
    history = workspace.history
    leader = facts.led_by(history, capture)
    under = facts.is_under_trump(workspace.state, rules, history, suit, capture)
    return (
        history.capture_points[capture] << 23
        | (1 << 22 if under else 0)
        | facts.place_in_trick(history, capture) << 19
        | (NO_LEADER if leader == NOBODY else leader) << 16
        | history.capture_trick[capture] << 12
        | history.capture_card[capture] << 6
        | history.capture_from[capture] << 3
        | history.capture_by[capture]
    )


def call_of(workspace: Workspace, call: int) -> int:
    """Return the integer of one call of the auction.

    It never takes more than 31 bits: seats go up to 6, the verbs of calls up to 3, numbers to bid
    up to 999, which takes 10 bits, and bids above all numbers up to 2999, which takes 12. What is
    mostly 0 stands highest, as the place of the highest bit decides how much room a column takes:
    so the lowest number is in two parts. Where bids go up to 14, a call takes 19 bits.
    """
    history = workspace.history
    standing, lowest = history.call_standing[call], history.call_lowest[call]
    return (
        lowest >> 6 << 27
        | history.call_amount[call] << 15
        | (lowest & 63) << 9
        | history.call_choice[call] << 8
        | (NOBODY_BID if standing == NOBODY else standing) << 5
        | workspace.actions[history.call_action[call]].verb << 3
        | facts.caller(workspace, call)
    )
