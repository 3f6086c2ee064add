"""Raising the stake after trumps are chosen: double, redouble, super.

Sources: O42 to O45, S89, C27, C28.
"""

from tricklog.core.engine.faults import Fault
from tricklog.core.engine.policies import Doubling, Phase
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules.table import next_of, side_of
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import AnyAction

RAISES = 1 << Verb.DOUBLE | 1 << Verb.REDOUBLE | 1 << Verb.SUPER
CALLS = RAISES | 1 << Verb.PASS
NO_RAISE = -1


def next_raise(state: State, rules: Rules) -> int:
    """Return the verb by which the stake can be raised now (O45), ``NO_RAISE`` when it stays."""
    if 0 < rules.auto_double <= state.high_bid:
        may_double = state.doubles == 0 and rules.doubling != Doubling.NONE
        return Verb.DOUBLE if may_double else NO_RAISE
    return NO_RAISE if state.doubles >= rules.doubling else Verb.DOUBLE + state.doubles


def raisers(state: State, rules: Rules) -> int:
    """Return the seats of the side whose turn it is: defenders, makers, defenders (S89)."""
    verb = next_raise(state, rules)
    if verb == NO_RAISE:
        return 0
    return sum(
        1 << seat
        for seat in range(rules.seats)
        if (side_of(rules, seat) == side_of(rules, state.maker)) == (verb == Verb.REDOUBLE)
    )


def open_stake(state: State, rules: Rules) -> bool:
    """Let the side speak whose turn it is; return whether it can, and the record has it speak."""
    state.pending = raisers(state, rules)
    state.turn = next_of(rules, state.pending, state.maker)
    return state.pending != 0 and state.will_raise != 0


def stake_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with raising the stake, or with leaving it as it is."""
    waited_for = state.phase == Phase.DOUBLE and state.pending >> action.seat & 1
    if action.verb == Verb.PASS:
        return 0 if waited_for else Fault.NOT_NOW
    if rules.doubling == Doubling.NONE:
        return Fault.NOT_NOW
    # Who of two partners raises the stake is free (S89).
    may_raise = waited_for and action.verb == next_raise(state, rules)
    return 0 if may_raise else Fault.DOUBLE_NOT_ALLOWED


def do_stake(state: State, rules: Rules, action: AnyAction) -> bool:
    """Raise the stake, or leave it; return whether somebody may still raise it."""
    if action.verb == Verb.PASS:
        state.pending &= ~(1 << action.seat)
        state.turn = next_of(rules, state.pending, state.turn)
        return state.pending != 0 and state.will_raise != 0
    state.doubles += 1
    return open_stake(state, rules)
