"""Raising the stake after trumps are chosen: double, redouble, super.

Sources: O42 to O45, S89, C27, C28.
"""

from __future__ import annotations

from tricklog.core.engine.faults import Fault
from tricklog.core.engine.policies import Doubling, Phase
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules.table import next_of, side_of
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import AnyAction

RAISES = 1 << Verb.DOUBLE | 1 << Verb.REDOUBLE | 1 << Verb.SUPER
CALLS = RAISES | 1 << Verb.PASS
NO_RAISE = -1


def is_automatic(state: State, rules: Rules) -> bool:
    """Is the bid so high that it counts double by itself (O45)?"""
    return rules.auto_double > 0 and state.high_bid >= rules.auto_double


def next_raise(state: State, rules: Rules) -> int:
    """Return what can be said about the stake now, a verb, ``NO_RAISE`` when it stays.

    What is doubled by itself the opponents may double once more, and no further (O45).
    """
    if is_automatic(state, rules):
        may_double = state.doubles == 0 and rules.doubling != Doubling.NONE
        return Verb.DOUBLE if may_double else NO_RAISE
    if state.doubles >= rules.doubling:
        return NO_RAISE
    return (Verb.DOUBLE) + state.doubles


def raisers(state: State, rules: Rules) -> int:
    """Return the seats of the side whose turn it is: defenders, makers, defenders (S89)."""
    if next_raise(state, rules) == NO_RAISE:
        return 0
    makers = next_raise(state, rules) == Verb.REDOUBLE
    seats = 0
    for seat in range(rules.seats):
        if (side_of(rules, seat) == side_of(rules, state.maker)) == makers:
            seats |= 1 << seat
    return seats


def open_stake(state: State, rules: Rules) -> bool:
    """Let the side speak whose turn it is; return whether it can, and the record has it speak."""
    state.pending = raisers(state, rules)
    state.turn = next_of(rules, state.pending, state.maker)
    return state.pending != 0 and state.will_raise != 0


def may_raise(state: State, rules: Rules, seat: int, verb: int) -> bool:
    """May this seat raise the stake with these words? Who of two partners does is free (S89)."""
    if state.phase != Phase.DOUBLE or verb != next_raise(state, rules):
        return False
    return state.pending >> seat & 1 == 1


def stake_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with raising the stake, or with leaving it as it is."""
    if action.verb == Verb.PASS:
        waited_for = state.phase == Phase.DOUBLE and state.pending >> action.seat & 1
        return 0 if waited_for else Fault.NOT_NOW
    if rules.doubling == Doubling.NONE:
        return Fault.NOT_NOW
    if may_raise(state, rules, action.seat, action.verb):
        return 0
    return Fault.DOUBLE_NOT_ALLOWED


def do_stake(state: State, rules: Rules, action: AnyAction) -> bool:
    """Raise the stake, or leave it; return whether somebody may still raise it."""
    if action.verb == Verb.PASS:
        state.pending &= ~(1 << action.seat)
        state.turn = next_of(rules, state.pending, state.turn)
        return state.pending != 0 and state.will_raise != 0
    state.doubles += 1
    return open_stake(state, rules)
