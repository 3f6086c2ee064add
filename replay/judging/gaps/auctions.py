"""The auction of a record with gaps: calls after others that are left out, and what they come to.

Sources: the auction section of each system; 0.record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from replay.engine import engine
from replay.engine.faults import FATAL, Fault
from replay.engine.policies import Doubling, EqualBid
from replay.engine.records import Rules, State
from replay.engine.rules import auction
from replay.engine.rules.table import all_seats
from replay.judging.gaps.readings import NOBODY, maker_named_by
from schemas.actions import BID_28_56, BID_DOUBLE, MAX_BID, Action, Verb

if TYPE_CHECKING:
    from replay.judging.gaps.crossing import Walk


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


def settle_contract(walk: Walk, state: State, index: int) -> None:
    """Say who won the auction and with what, as far as that is known."""
    known = walk.hand.known or None
    namer = maker_named_by(walk.hand, walk.rules, walk.actions)
    covered = state.maker >= 0 and not _misses_calls(walk, index, Verb.BID, Verb.DITTO)
    if covered and namer == state.low_caller != NOBODY:
        auction.settle_low_call(state, namer)
    # Whether the table took a bid that went over none shows by who goes on as the maker.
    covered = covered and (namer >= 0 or state.low_caller < 0)
    # Who says "ditto" takes over the bid before it, whatever it was.
    walk.bid_known = covered and not _misses_calls(walk, index, Verb.BID)
    bid = state.high_bid if walk.bid_known else None
    walk.auction = (state.maker, bid) if covered else (None, None)
    if namer >= 0 and not covered:
        walk.auction = namer, None
    alone = known is not None and known.alone is not UNSET
    # Whoever plays alone takes over from who won the auction, once it is said.
    to_come = {each.verb for each in walk.actions[index:]}
    taken_over = alone and not to_come.isdisjoint((Verb.TRUMP, Verb.SOLO))
    if known is not None and known.maker is not UNSET and not taken_over:
        state.maker = known.maker
    elif not covered:
        walk.supposes_maker = namer < 0
        state.maker = namer if namer >= 0 else max(walk.reading.maker, 0)
    if known is not None and known.bid is not UNSET:
        state.high_bid = bid_code(known.bid)
        state.no_contract = 1 if known.bid == "none" else 0
        walk.bid_known = True
    if alone and not taken_over:
        walk.undertake(state, index)
    state.passed = all_seats(walk.rules) & ~(1 << state.maker)
    state.holders = 1 << state.maker
    state.owed = 0


def _misses_calls(walk: Walk, index: int, *bids_with: Verb) -> bool:
    """Are calls missing between the last bid with one of these words and action ``index``?"""
    bids = [place for place, each in enumerate(walk.actions[:index]) if each.verb in bids_with]
    return not bids or any(bids[-1] < place <= index for place in walk.gaps)
