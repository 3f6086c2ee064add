"""Clean hands: legal to the end, every claim right, nothing unknown that could matter.

A hand is clean when the careful replay would call it valid at first sight. ``play_clean`` says so
from the figures of a scanned line, and leaves state, course and result filled; of any other hand
it says nothing more, and the careful replay judges it. Everything here runs in plain Python and
compiled. Source: 0.record.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import NamedTuple

from replay.engine import engine
from replay.engine.faults import Fault
from replay.engine.records import Rules, State
from replay.engine.rules import history as course
from replay.engine.rules import opening
from replay.engine.rules import result as closing
from replay.engine.rules.history import Course
from replay.engine.rules.result import Result
from schemas.actions import Action
from schemas.scan.actions import ScannedAction
from schemas.scan.line import ScannedLine

CLEAN = 0
NOT_CLEAN = -1
ANY_FAULT = -1
"""Every fault: a hand with one is not clean, and nothing more needs to be known of it."""


class Desk(NamedTuple):
    """What one hand is read into and replayed on."""

    line: ScannedLine
    cards: Sequence[int]
    """All cards listed: the hands as dealt, then kitty, then stock."""
    bounds: Sequence[int]
    """Where in ``cards`` the part of each seat, of the kitty and of the stock begins, and the end.
    A part that is not listed is empty."""
    actions: Sequence[ScannedAction]
    faults: MutableSequence[int]
    """By action, as far as they were carried out: its faults, as ``engine.apply`` returns them."""
    state: State
    course: Course
    result: Result


def play_clean(desk: Desk, rules: Rules, count: int, ending: int) -> int:
    """Replay the first ``count`` actions of a scanned hand; return ``CLEAN`` or ``NOT_CLEAN``.

    ``desk.state`` is new but for its dealer, ``desk.course`` new; both are filled, and for a clean
    hand ``desk.result`` is. ``ending``: the faults at which to stop.
    """
    right = lay_out(desk, rules, count)
    if not right and ending == ANY_FAULT:
        return NOT_CLEAN
    sound = carry_out(desk, rules, count, ending)
    if not sound or not right:
        return NOT_CLEAN
    return CLEAN if close(desk, rules) else NOT_CLEAN


def carry_out(desk: Desk, rules: Rules, count: int, ending: int) -> bool:
    """Carry out the actions, up to the first fault of those in ``ending``; return if all is well.

    What each is faulted for stands in ``desk.faults``.
    """
    state = desk.state
    sound = True
    engine.start(state, rules)
    for index in range(count):
        row = desk.actions[index]
        action = Action(row.seat, row.verb, row.amount, row.card, row.cards, row.size)
        before = course.standing_before(state)
        faults = engine.apply(state, rules, action)
        desk.faults[index] = faults
        sound = sound and faults == 0
        if faults & ending:
            break
        if not faults & Fault.PLAYED_WHEN_OUT:
            course.note(state, rules, desk.course, index, action, before)
    return sound


def close(desk: Desk, rules: Rules) -> bool:
    """Close a hand carried out to its end; return whether nothing is open and every claim right."""
    state = desk.state
    alone = state.turn
    left = state.holding[alone] if alone >= 0 else 0
    if not engine.finish(state, rules) or state.doubt:
        return False
    course.close(state, rules, desk.course, alone, left)
    closing.sum_up(state, rules, desk.result)
    if desk.line.score_count:
        closing.stand(rules, desk.line.scores, desk.result)
    return claims_hold(rules, desk.course, desk.result, desk.line)


def lay_out(desk: Desk, rules: Rules, count: int) -> bool:
    """Lay the cards as listed and note what the first ``count`` actions show.

    Returns whether everything is there in the right number, and no card twice.
    """
    state, line, cards, bounds = desk.state, desk.line, desk.cards, desk.bounds
    seats = rules.seats
    if line.seats != seats:
        return False
    right = line.score_count in (0, rules.side_count)
    right = right and each_once(rules, cards, bounds[seats + 2])
    dealt = line.deal_start >= 0
    short = dealt
    for seat in range(seats):
        short = short and bounds[seat + 1] - bounds[seat] == rules.packet
    listed = bounds[seats + 2] - bounds[seats + 1] if line.stock_start >= 0 else -1
    undealt = short and opening.leaves_undealt(rules, desk.actions, count, listed)
    for seat in range(seats):
        first, last = bounds[seat], bounds[seat + 1]
        size = last - first if dealt and (undealt or not short) else rules.dealt
        odd = opening.odd_cards(rules) if seat == state.dealer else 0
        right = right and (undealt or size in (rules.dealt, rules.dealt + odd))
        opening.deal_seat(state, rules, seat, cards, first, last, size)
    first, last = bounds[seats], bounds[seats + 1]
    if line.kitty_start < 0:
        last = first - 1
    right = right and (line.kitty_start < 0 or last - first == rules.kitty_size)
    opening.lay_kitty(state, rules, cards, first, last)
    first, last = bounds[seats + 1], bounds[seats + 2]
    left = opening.undealt(rules) if undealt else opening.stock_size(state, rules)
    whole = last - first == left
    opening.lay_stock(state, rules, cards, first, last, left)
    opening.look_ahead(state, rules, desk.actions, count)
    opening.look_at_trumps(state, desk.actions, count)
    return right and (whole or line.stock_start < 0)


def each_once(rules: Rules, cards: Sequence[int], count: int) -> bool:
    """Is each known card one of the pack, and listed once (0.conservation)?"""
    seen = 0
    for index in range(count):
        if cards[index] < 0:
            continue
        bit = 1 << cards[index]
        if seen & bit or not rules.pack & bit:
            return False
        seen |= bit
    return True


def claims_hold(rules: Rules, course_of: Course, result: Result, line: ScannedLine) -> bool:
    """Is everything the record claims just what the rules give?"""
    sides = rules.side_count
    if line.winner_count > course_of.tricks:
        return False
    for trick in range(line.winner_count):
        if line.winners[trick] != course_of.trick_winner[trick]:
            return False
    if line.score_count == 0 and line.after_count:
        # Without scores before the hand those after it are taken as they are.
        return same(line.points, line.points_count, result.points, sides) and same(
            line.change, line.change_count, result.change, sides
        )
    return (
        same(line.points, line.points_count, result.points, sides)
        and same(line.change, line.change_count, result.change, sides)
        and same(line.after, line.after_count, result.scores, sides)
    )


def same(claimed: Sequence[int], count: int, right: Sequence[int], sides: int) -> bool:
    """Are the numbers claimed, if any are, one for each side and the right ones?"""
    if count == 0:
        return True
    if count != sides:
        return False
    for side in range(sides):  # noqa: SIM110 - compiled code has no generators
        if claimed[side] != right[side]:
            return False
    return True
