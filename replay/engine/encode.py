"""Writing a clean hand in the codes of the warehouse (``schemas.codes``), byte by byte.

Each function appends one code to ``out``, a buffer with room enough, from ``at`` on and returns the
place after it. They run in plain Python and compiled; ``schemas.codes`` writes the same codes from
a hand and its replay.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from replay.engine.fast_replay import Desk
from replay.engine.rules.history import Course
from schemas.actions import Verb
from schemas.cards import CARD_COUNT, HIDDEN
from schemas.codes import BID_BASE, FIRST_PLAYER, FIRST_SEAT, NOT_RECORDED, PAIR_BASE, ZERO

Out = MutableSequence[int]

_BETWEEN_SEATS = 32
_COMMA = 44
_COMMAS = 3
_NOT_RECORDED = ord(NOT_RECORDED)
_BID = int(Verb.BID)
_DITTO = int(Verb.DITTO)
_PASS = int(Verb.PASS)
_TENNY = int(Verb.TENNY)
_PLAY = int(Verb.PLAY)
_TRUMP = int(Verb.TRUMP)
_REVEAL = int(Verb.REVEAL)
_PLAIN_CALLS = 1 << _BID | 1 << _PASS | 1 << _TENNY


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


def write_deal(out: Out, at: int, desk: Desk) -> int:
    """Append the hands as dealt, the stock and the kitty, as far as recorded."""
    line, bounds, seats = desk.line, desk.bounds, desk.line.seats
    if line.deal_start < 0:
        at = write_byte(out, at, _NOT_RECORDED)
    else:
        for seat in range(seats):
            if seat:
                at = write_byte(out, at, _BETWEEN_SEATS)
            at = write_cards(out, at, desk.cards, bounds[seat], bounds[seat + 1])
    at = write_byte(out, at, _COMMA)
    if line.stock_start < 0:
        at = write_byte(out, at, _NOT_RECORDED)
    at = write_cards(out, at, desk.cards, bounds[seats + 1], bounds[seats + 2])
    at = write_byte(out, at, _COMMA)
    if line.kitty_start < 0:
        at = write_byte(out, at, _NOT_RECORDED)
    return write_cards(out, at, desk.cards, bounds[seats], bounds[seats + 1])


def write_byte(out: Out, at: int, byte: int) -> int:
    """Append one character."""
    out[at] = byte
    return at + 1


def write_deeds(out: Out, at: int, desk: Desk, named: Sequence[int], count: int) -> int:
    """Append the first ``count`` actions; ``named``: all cards they name."""
    next_player = -1
    seats = desk.line.seats
    for index in range(count):
        action = desk.actions[index]
        if action.verb == _PLAY:
            if action.seat != next_player:
                out[at] = FIRST_PLAYER + action.seat
                at += 1
            out[at] = ZERO + action.card
            at += 1
            next_player = action.seat + 1 if action.seat + 1 < seats else 0
            continue
        next_player = -1
        out[at] = FIRST_SEAT + action.seat
        out[at + 1] = ZERO + action.verb
        at += 2
        if action.verb == _BID:
            at = write_bid(out, at, action.amount)
        elif action.verb == _TRUMP or action.verb == _REVEAL:  # noqa: PLR1714 - compiled code
            out[at] = ZERO - HIDDEN + action.amount
            at += 1
        else:
            at = write_cards(out, at, named, action.first, action.first + action.size)
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


def write_details(out: Out, at: int, desk: Desk, count: int) -> int:
    """Append what deeds and tricks leave open: at play, buried, calls, plays."""
    first = at
    at = write_at_play(out, at, desk)
    at = write_byte(out, at, _COMMA)
    at = write_set(out, at, desk.course.buried)
    at = write_byte(out, at, _COMMA)
    at = write_calls(out, at, desk, count)
    at = write_byte(out, at, _COMMA)
    at = write_plays(out, at, desk, count)
    return at if at - first > _COMMAS else first


def write_calls(out: Out, at: int, desk: Desk, count: int) -> int:
    """Append the calls, unless they are just the bids, passes and tennies of the actions."""
    plain, ditto = 0, False
    for index in range(count):
        plain += _PLAIN_CALLS >> desk.actions[index].verb & 1
    course = desk.course
    for call in range(course.calls):
        ditto = ditto or desk.actions[course.call_action[call]].verb == _DITTO
    if plain == course.calls and not ditto:
        return at
    for call in range(course.calls):
        index = course.call_action[call]
        at = write_pair(out, at, index)
        out[at] = ZERO + desk.actions[index].seat
        out[at + 1] = ZERO + desk.actions[index].verb
        at = write_pair(out, at + 2, course.call_amount[call])
    return at


def write_plays(out: Out, at: int, desk: Desk, count: int) -> int:
    """Append the plays to complete tricks, unless they are just the first ones of the actions."""
    course = desk.course
    if plays_as_written(desk, count):
        return at
    for play in range(course.plays):
        at = write_pair(out, at, course.play_action[play])
        out[at] = ZERO + course.play_seat[play]
        out[at + 1] = ZERO + course.play_card[play]
        at += 2
    return at


def plays_as_written(desk: Desk, count: int) -> bool:
    """Are the plays to complete tricks the first cards played among the actions?"""
    course, play = desk.course, 0
    for index in range(count):
        if play == course.plays:
            return True
        action = desk.actions[index]
        if action.verb != _PLAY:
            continue
        if course.play_action[play] != index or course.play_card[play] != action.card:
            return False
        play += 1
    return play == course.plays


def write_set(out: Out, at: int, cards: int) -> int:
    """Append a set of cards, in the order of the cards."""
    for card in range(CARD_COUNT):
        if cards >> card & 1:
            out[at] = ZERO + card
            at += 1
    return at


def write_at_play(out: Out, at: int, desk: Desk) -> int:
    """Append what each seat held when play began, unless it is what it played and buried."""
    seats = desk.line.seats
    if held_what_they_played(desk):
        return at
    for seat in range(seats):
        if seat:
            at = write_byte(out, at, _BETWEEN_SEATS)
        at = write_set(out, at, desk.state.at_play[seat])
    return at


def held_what_they_played(desk: Desk) -> bool:
    """Did every seat hold just the known cards that it went on to play or bury?"""
    for seat in range(desk.line.seats):
        if desk.state.will_play[seat] != desk.state.at_play[seat]:
            return False
    return True


def trick_of(course: Course, trick: int) -> int:
    """Return the integer of one complete trick."""
    last = course.first_play[trick + 1] if trick + 1 < course.tricks else course.plays
    size = last - course.first_play[trick]
    return course.trick_points[trick] << 6 | size << 3 | course.trick_winner[trick]


def capture_of(course: Course, capture: int) -> int:
    """Return the integer of one capture."""
    return (
        course.capture_points[capture] << 16
        | course.capture_trick[capture] << 12
        | course.capture_card[capture] << 6
        | course.capture_from[capture] << 3
        | course.capture_by[capture]
    )
