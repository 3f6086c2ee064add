"""Giving surplus trumps to the partner.

Sources: 10.give, 11.give; S66, S71, S76; O30.
"""

from __future__ import annotations

from tricklog.core.engine.faults import Fault
from tricklog.core.engine.policies import Discard, Phase, Rob, Surplus
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules.discard import gives_after_discard, must_lay_off
from tricklog.core.engine.rules.table import (
    Legal,
    cannot_hold,
    hand_count,
    lay_down,
    named_trump,
    only,
    partner_of,
    pick_up,
)
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import AnyAction


def legal_give(state: State, rules: Rules, seat: int, named: int) -> Legal:
    """The trumps beyond the hand size, or the point cards beyond it (S71, S66).

    Blanks may be laid off instead, before the gift or after it. Point cards may not: those beyond
    the hand size are given, and no more of them than the partner may hold. ``named`` are cards the
    seat names out of those the record did not know.
    """
    trump = named_trump(state)
    held = state.holding[seat] | named
    given = held & rules.trump_cards[trump]
    points = given & rules.point_cards[trump]
    gone = state.discarded[seat] & rules.trump_cards[trump] & ~rules.point_cards[trump]
    if gives_points_only(state, rules):
        given, gone = points, 0
    count = hand_count(state, seat)
    hidden = count - held.bit_count()
    over = given.bit_count() + gone.bit_count() - rules.hand_size
    most = min(over + hidden, count - rules.hand_size)
    floor = max(0, points.bit_count() - rules.hand_size)
    limit = point_room(state, rules, partner_of(rules, seat))
    if not may_give(state, rules, seat) or most <= 0 or floor > limit + hidden:
        return only(0)
    least = most if has_laid_off(state, rules, seat) else max(1, floor)
    return Legal(1 << Verb.GIVE, 0, 0, 0, given, least, most, points, floor, limit, 0, 0, 0)


def has_laid_off(state: State, rules: Rules, seat: int) -> bool:
    """Is the seat through with laying off, so that the gift leaves just a hand?"""
    through = state.laid_off >> seat & 1 == 1 and state.discards_ahead[seat] == 0
    return through and not gives_after_discard(rules)


def gives_points_only(state: State, rules: Rules) -> bool:
    """Are blanks laid off instead: down to size, plain cards first, or by a dealer who has robbed?

    Only the point cards beyond the hand size have nowhere else to go then (S66, S76).
    """
    return rules.discard == Discard.TO_SIZE or state.phase == Phase.DEALER_GIVE


def may_give(state: State, rules: Rules, seat: int) -> bool:
    """Is the seat one that may give: before its partner lays off, once and one way (S71)?

    The point cards that a dealer robs beyond the hand size have nowhere else to go (S76).
    """
    if rules.surplus != Surplus.TO_PARTNER:
        return False
    if state.phase == Phase.DEALER_GIVE:
        return seat == state.dealer and rules.rob != Rob.NOTHING
    partner = partner_of(rules, seat)
    if state.gave & (1 << seat | 1 << partner):
        return False
    if gives_after_discard(rules):
        waits = must_lay_off(state, rules, seat) or must_lay_off(state, rules, partner)
        return state.phase == Phase.GIVE or not waits
    return not state.laid_off >> partner & 1


def point_room(state: State, rules: Rules, seat: int) -> int:
    """Return how many point cards the seat may still be given: no more than a hand holds (S71)."""
    points = state.holding[seat] & rules.point_cards[named_trump(state)]
    return max(0, rules.hand_size - points.bit_count())


def give_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with giving cards to the partner."""
    seat = action.seat
    if cannot_hold(state, rules, seat, action.cards, action.size):
        return Fault.CARD_NOT_HELD
    legal = legal_give(state, rules, seat, action.cards)
    if not legal.verbs or action.cards & ~legal.may:
        return Fault.GIVE_NOT_ALLOWED
    if not legal.least <= action.size <= legal.most:
        return Fault.GIVE_COUNT
    points = (action.cards & legal.limited).bit_count()
    unnamed = action.size - action.cards.bit_count()
    return Fault.GIVE_NOT_ALLOWED if not legal.floor - unnamed <= points <= legal.limit else 0


def do_give(state: State, rules: Rules, action: AnyAction) -> None:
    """Hand the cards over; who has laid off and now holds too many has to lay off again."""
    seat = action.seat
    partner = partner_of(rules, seat)
    given = lay_down(state, rules, seat, action.cards, action.size)
    pick_up(state, partner, given, action.size)
    state.gave |= 1 << seat
    if state.phase == Phase.DEALER_GIVE:
        state.late_gift = 0
    state.gifts_ahead &= ~(1 << seat)
    through = state.laid_off >> seat & 1 == 1 and state.discards_ahead[seat] == 0
    if through or hand_count(state, seat) <= rules.hand_size:
        state.pending &= ~(1 << seat)
    if state.phase == Phase.DISCARD and hand_count(state, partner) > rules.hand_size:
        state.pending |= 1 << partner


def gives_due(state: State, rules: Rules) -> int:
    """Return the seats that may give now."""
    due = 0
    for seat in range(rules.seats):
        if state.unknown[seat] == 0 and legal_give(state, rules, seat, 0).verbs:
            due |= 1 << seat
    return due


def must_give(state: State, rules: Rules, seat: int) -> bool:
    """Has the seat more point cards than a hand holds, none of which may be laid off (S66, S76)?"""
    points = state.holding[seat] & rules.point_cards[named_trump(state)]
    return points.bit_count() > rules.hand_size
