"""Calls that lead to a contract under other rules: those recorded, or the shortest that do.

A contract is the player who has it, and their number, or that nobody bid one. Sources: 1.auction,
6.auction, 8.auction, 14.auction; S21, S52, S104.
"""

from typing import Final

from msgspec.structs import replace

from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules import early_end
from tricklog.core.engine.rules.auction import throws_in
from tricklog.core.judging.replayer import Replay
from tricklog.core.judging.setup import first_state
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.schemas.actions import MAX_BID, Action, Verb, action_text, bid_name
from tricklog.schemas.hand import Hand

_MOST_CALLS: Final = 100
"""No auction in which all but one pass is longer."""


class NoSuchCalls(ValueError):
    """No calls lead to the contract; the message says why, ``policy`` what it is about."""

    def __init__(self, policy: str, message: str) -> None:
        """Keep the policy beside the sentence."""
        super().__init__(message)
        self.policy = policy


def calls_in(replay: Replay) -> int:
    """Return how many of the recorded actions are the auction."""
    return next(
        (at for at in range(len(replay) + 1) if replay.state_at(at).phase != Phase.AUCTION),
        len(replay),
    )


def calls_to(replay: Replay, spoken: int, hand: Hand, ruleset: Ruleset) -> list[str]:
    """Return calls that lead to the recorded contract under other rules.

    ``spoken``: how many actions of the record are its auction; ``hand``: the record, of the same
    deal. The recorded calls are returned where they are legal and lead there, and where a hand is
    undertaken alone in the auction, which no other calls can stand for. Raises ``NoSuchCalls``.
    """
    recorded = replay.actions[:spoken]
    state, rules, _ = first_state(replace(hand, actions=[]), ruleset, [])
    engine.start(state, rules)
    reached = replay.state_at(spoken)
    alone = any(each.verb == Verb.TENNY for each in recorded)
    if alone or _leads_there(copy_state(state), rules, recorded, reached):
        return list(hand.actions[:spoken])
    if state.due_thrown_in == early_end.DUE:
        raise NoSuchCalls("weak_start", "the deal is thrown in before anybody bids.")
    return [*map(action_text, _shortest(state, rules, reached))]


def _leads_there(state: State, rules: Rules, calls: tuple[Action, ...], reached: State) -> bool:
    """Carry out calls; return whether all are legal and end the auction with the contract."""
    for call in calls:
        if state.phase != Phase.AUCTION or engine.apply(state, rules, call):
            return False
    return state.phase != Phase.AUCTION and _same_contract(state, reached)


def _same_contract(state: State, reached: State) -> bool:
    return not state.thrown_in and (state.maker, state.high_bid, state.no_contract) == (
        reached.maker,
        reached.high_bid,
        reached.no_contract,
    )


def _shortest(state: State, rules: Rules, reached: State) -> list[Action]:
    """Return calls in which the maker names the number at once and nobody else more than need be.

    All others pass; where the number cannot be named so, as the last to speak is then bound to
    another one, the first of the others opens at the lowest number.
    """
    bid = 0 if reached.no_contract else reached.high_bid
    # Special bids are left to the engine.
    least = rules.min_bid if throws_in(rules) else min(rules.min_bid, rules.forced_bid)
    if bid and not (bid > MAX_BID or least <= bid <= rules.max_bid):
        raise NoSuchCalls(
            "max_bid" if bid > rules.max_bid else "min_bid",
            f"{bid} cannot be bid; bids go from {rules.min_bid} to {rules.max_bid}.",
        )
    try:
        return _called(copy_state(state), rules, reached, opening=False)
    except NoSuchCalls as refused:
        if not bid:
            raise
        try:
            return _called(copy_state(state), rules, reached, opening=True)
        except NoSuchCalls:
            raise refused from None


def _called(state: State, rules: Rules, reached: State, *, opening: bool) -> list[Action]:
    bid = 0 if reached.no_contract else reached.high_bid
    calls: list[Action] = []
    while state.phase == Phase.AUCTION and len(calls) < _MOST_CALLS:
        seat = engine.to_act(state)
        lowest = engine.legal(state, rules, seat).low
        if opening and not calls and seat != reached.maker and 0 < lowest < bid:
            calls.append(Action(seat, Verb.BID, lowest))
        else:
            calls.append(_next_call(state, rules, reached.maker, bid))
        engine.apply(state, rules, calls[-1])
    if _same_contract(state, reached):
        return calls
    if state.thrown_in:
        raise NoSuchCalls("all_pass", "the deal is thrown in when nobody bids.")
    if reached.no_contract:
        raise NoSuchCalls("all_pass", "somebody has to bid, and here the hand had no number.")
    raise NoSuchCalls("auction", f"no calls end with {bid_name(bid)} of this player.")


def _next_call(state: State, rules: Rules, maker: int, bid: int) -> Action:
    seat = engine.to_act(state)
    if bid and seat == maker and state.high_bid != bid:
        call = Action(seat, Verb.BID, bid)
        if not engine.apply(copy_state(state), rules, call):
            return call
    options = engine.legal(state, rules, seat)
    if options.verbs >> Verb.PASS & 1:
        return Action(seat, Verb.PASS)
    if options.verbs >> Verb.THROW_IN & 1:
        raise NoSuchCalls("weak_start", "the deal is thrown in before anybody bids.")
    if seat == maker and bid:
        raise NoSuchCalls("forced_bid", f"whoever has to bid cannot bid {bid_name(bid)}.")
    raise NoSuchCalls("all_pass", "somebody else has to bid when all others have passed.")
