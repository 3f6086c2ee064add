"""The auction of a record with gaps: calls after others that are left out, and what they come to.

Sources: the auction section of each system; 0.record.
"""

from __future__ import annotations

from tricklog.core.engine import engine
from tricklog.core.engine.faults import FATAL, Fault
from tricklog.core.engine.policies import Doubling, EqualBid
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules import auction
from tricklog.core.engine.rules.table import all_seats
from tricklog.core.judging.gaps.readings import NOBODY
from tricklog.schemas.actions import BID_28_56, BID_DOUBLE, MAX_BID, Action, Verb


def bid_code(bid: int | str) -> int:
    """Return the code of a bid that ``known`` has; 0 for none."""
    if isinstance(bid, int):
        return bid
    if bid == "28-56":
        return BID_28_56
    return 0 if bid == "none" else BID_DOUBLE + int(bid.partition("-")[0])


def least_bid(rules: Rules) -> int:
    """Return the lowest number that somebody may bid, a forced bid among them."""
    if auction.forces_a_bid(rules):
        return min(rules.min_bid, rules.forced_bid)
    return rules.min_bid


def call(state: State, rules: Rules, action: Action) -> int:
    """Enter a call after others that are not recorded: what was said before may be anything."""
    seat = action.seat
    if seat >= rules.seats:
        return Fault.NO_SUCH_SEAT
    must_bid = auction.forces_a_bid(rules) and seat == auction.forced_caller(state, rules)
    if action.verb == Verb.BID and state.maker < 0 and must_bid:
        # All others may have passed since.
        state.passed &= ~(1 << seat)
        state.spoken &= ~(1 << seat)
    if seat == state.low_caller:
        auction.take_back(state, rules)
        state.low_caller = NOBODY
    faults = auction.second_call_faults(state, rules, action)
    if faults and action.verb == Verb.PASS and rules.doubling != Doubling.NONE:
        # It may leave the stake as it is, after trumps that nobody recorded.
        return 0
    if faults:
        return faults
    if action.verb == Verb.TENNY:
        state.turn = seat
        return engine.apply(state, rules, action)
    if action.verb == Verb.BID:
        faults = _bid_faults(state, rules, action)
        if faults & FATAL:
            return faults
    if must_bid and _leaves_only_passes(state, rules, action):
        state.passed |= all_seats(rules) & ~(1 << seat)
    if faults & Fault.BID_NOT_HIGHER:
        auction.call_too_low(state, action)
    elif action.verb in (Verb.BID, Verb.DITTO):
        auction.enter_bid(state, rules, action)
    else:
        auction.enter_pass(state, seat)
    state.spoken |= 1 << seat
    return faults


def _leaves_only_passes(state: State, rules: Rules, action: Action) -> bool:
    """Can all that is left out before the bid of the last to speak only have been passes?

    A bid would have been as high at least, and they could not have taken it over.
    """
    if state.high_bid or action.seat != auction.last_caller(state, rules):
        return False
    lowest = action.verb == Verb.BID and action.amount == rules.forced_bid <= rules.min_bid
    return lowest and rules.equal_bid not in (EqualBid.DEALER, EqualBid.ANYONE)


def _bid_faults(state: State, rules: Rules, action: Action) -> int:
    amount = action.amount
    if amount > MAX_BID and amount != auction.special_amount(rules):
        return Fault.BID_UNKNOWN
    if not auction.goes_over(state, rules, action.seat, amount):
        return Fault.BID_NOT_HIGHER
    if amount > MAX_BID:
        return 0
    if amount > rules.max_bid:
        return Fault.BID_TOO_HIGH
    return Fault.BID_TOO_LOW if amount < least_bid(rules) else 0
