"""The auction: who may call, what may be bid, when it is over.

Sources: 1.auction, 4.auction, 8.auction, 14.auction; S05, S10, S51, S52, S78, S79.
"""

from __future__ import annotations

from replay.faults import Fault
from replay.policies import AllPass, Auction
from replay.records import Rules, State
from replay.rules.table import Legal, all_seats, bids, next_of, next_seat, only
from schemas.actions import Action, Verb

CALLS = 1 << Verb.BID | 1 << Verb.PASS


def start_auction(state: State, rules: Rules) -> None:
    """The seat after the dealer speaks first."""
    state.turn = next_seat(rules, state.dealer)


def is_forced(state: State, rules: Rules, seat: int) -> bool:
    """Is this the dealer whom the passes of all others oblige to bid (1.auction, 14.auction)?"""
    if rules.all_pass != AllPass.DEALER_FORCED or state.high_bid or seat != state.dealer:
        return False
    others = all_seats(rules) & ~(1 << seat)
    return state.passed & others == others


def legal_call(state: State, rules: Rules, seat: int) -> Legal:
    """A seat may pass, or bid over the standing bid; a forced dealer bids just the forced bid."""
    if is_forced(state, rules, seat):
        return bids(1 << Verb.BID, rules.forced_bid, rules.forced_bid)
    low = rules.min_bid if rules.min_bid > state.high_bid else state.high_bid + 1
    if low > rules.max_bid:
        return only(1 << Verb.PASS)
    return bids(CALLS, low, rules.max_bid)


def call_faults(state: State, rules: Rules, action: Action) -> int:
    """What is wrong with a call."""
    seat = action.seat
    bid = action.verb == Verb.BID
    faults = 0
    if seat != state.turn and not state.owed >> seat & 1:
        faults |= Fault.BID_OUT_OF_TURN
    if rules.auction == Auction.ONE_TURN:
        if state.spoken >> seat & 1:
            return Fault.SPOKE_TWICE | 0
    elif rules.pass_final and state.passed >> seat & 1:
        return (Fault.BID_AFTER_PASS if bid else Fault.PASS_AFTER_PASS) | 0
    if bid:
        return faults | bid_faults(state, rules, seat, action.amount)
    if is_forced(state, rules, seat):
        faults |= Fault.DEALER_MUST_BID
    return faults


def bid_faults(state: State, rules: Rules, seat: int, amount: int) -> int:
    """What is wrong with the number bid."""
    if amount > 999:
        return Fault.BID_UNKNOWN | 0
    if amount <= state.high_bid:
        return Fault.BID_NOT_HIGHER | 0
    if is_forced(state, rules, seat):
        return 0 if amount == rules.forced_bid else Fault.FORCED_BID_WRONG | 0
    if amount < rules.min_bid:
        return Fault.BID_TOO_LOW | 0
    if amount > rules.max_bid:
        return Fault.BID_TOO_HIGH | 0
    return 0


def do_call(state: State, rules: Rules, action: Action) -> None:
    """Enter a call as recorded and pass the turn on."""
    seat = action.seat
    if action.verb == Verb.BID:
        state.forced = 1 if is_forced(state, rules, seat) else 0
        state.high_bid = action.amount
        state.maker = seat
        state.passes = 0
    else:
        state.passed |= 1 << seat
        state.passes += 1
    state.spoken |= 1 << seat
    pass_turn(state, rules, seat, callers(state, rules))
    nobody = state.maker < 0 and state.passed == all_seats(rules)
    if nobody and rules.all_pass == AllPass.DEALER_FORCED:
        # A dealer who passed before his turn is forced to bid all the same.
        state.passed &= ~(1 << state.dealer)
        state.spoken &= ~(1 << state.dealer)
        state.turn = state.dealer


def pass_turn(state: State, rules: Rules, seat: int, waiting: int) -> None:
    """Pass the turn on after ``seat`` has acted, ``waiting`` being the seats that still may.

    A seat that was skipped is owed its turn: it may act late without being at fault itself, so
    that one player's haste is one finding.
    """
    if state.owed >> seat & 1:
        state.owed &= ~(1 << seat)
    else:
        passed_over = state.turn
        while passed_over >= 0 and passed_over != seat:
            if waiting >> passed_over & 1:
                state.owed |= 1 << passed_over
            passed_over = next_seat(rules, passed_over)
        state.turn = seat
    state.owed &= waiting
    in_time = waiting & ~state.owed
    start = state.turn
    if in_time >> start & 1 and start != seat:
        return
    following = next_of(rules, in_time & ~(1 << seat), start)
    if following < 0:
        following = next_of(rules, waiting & ~(1 << seat), start)
    state.turn = following if following >= 0 else start


def callers(state: State, rules: Rules) -> int:
    """Return the seats that may still call."""
    if rules.auction == Auction.ONE_TURN:
        return all_seats(rules) & ~state.spoken
    if rules.pass_final:
        return all_seats(rules) & ~state.passed
    return all_seats(rules)


def auction_over(state: State, rules: Rules) -> bool:
    """Is the auction over: everybody has spoken, or the others have passed (S05, S52, S78)?"""
    everybody = all_seats(rules)
    if rules.auction == Auction.ONE_TURN:
        return state.spoken == everybody
    if state.maker < 0:
        return state.passed == everybody
    if state.forced:
        return True
    if rules.pass_final:
        return state.passed | 1 << state.maker == everybody
    return state.passes >= rules.seats - 1
