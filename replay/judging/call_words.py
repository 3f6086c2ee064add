"""Calls in words: what may be bid, what was called, and the facts behind a finding about it."""

from __future__ import annotations

from typing import Final

from replay.engine.records import Rules, State
from replay.engine.rules import auction
from replay.engine.rules.table import Legal
from replay.model import Fact
from schemas.actions import BID_28_56, MAX_BID, Action, Verb, bid_name, trump_name
from schemas.cards import names_in
from schemas.languages.messages import Listing, Message, either, message, message_in
from schemas.render import trump_said

_TO_SAY: Final = {
    Verb.DITTO: message_in("what to do", "say ditto"),
    Verb.TENNY: message_in("what to do", "call tenny"),
    Verb.DOUBLE: message_in("what to do", "double"),
    Verb.REDOUBLE: message_in("what to do", "redouble"),
    Verb.SUPER: message_in("what to do", "raise the redoubled stake"),
    Verb.PASS: message_in("what to do", "pass"),
}


def bids_said(options: Legal) -> Listing:
    """Return the bids of a legal set, to be shown: ``7 or 14``, ``31 to 83 or 83-double``."""
    bids: list[object] = [bid_name(bid) for bid in (options.top, options.special) if bid]
    if options.high:
        low, high = options.low, options.high
        numbers = message("{least} to {most}", least=low, most=high)
        bids.insert(0, low if low == high else numbers)
    return either(bids)


def calls_text(options: Legal) -> str:
    """Return the calls of a legal set for people: ``bid 17 to 28, say ditto or pass``."""
    return str(calls_said(options))


def calls_said(options: Legal) -> Listing:
    """Return the calls of a legal set, to be shown."""
    may_bid = options.verbs >> Verb.BID & 1
    bids = [message_in("what to do", "bid {bids}", bids=bids_said(options))] if may_bid else []
    return either([*bids, *(said for verb, said in _TO_SAY.items() if options.verbs >> verb & 1)])


def call_facts(state: State, rules: Rules, action: Action) -> dict[str, Fact]:
    """Return the facts a finding about a call rests on, or about a suit named on a special bid."""
    special = state.high_bid > MAX_BID
    facts: dict[str, Fact] = {}
    if action.verb == Verb.BID:
        facts["bid"] = bid_name(action.amount)
    if action.verb in (Verb.BID, Verb.DITTO):
        facts["standing"] = bid_name(state.high_bid) if special else state.high_bid
        facts |= {"min": rules.min_bid, "max": rules.max_bid}
    if auction.is_forced(state, rules, action.seat):
        facts["forced"] = rules.forced_bid
    if action.verb == Verb.TRUMP:
        facts["named"] = trump_name(action.amount)
    if action.verb == Verb.TRUMP and state.high_bid:
        facts["bid"] = bid_name(state.high_bid)
    if action.amount == BID_28_56 or (action.verb == Verb.TRUMP and special):
        facts["holding"] = names_in(state.holding[action.seat])
    return facts


def called(state: State, action: Action) -> Message:
    """Return what was called, for people; a suit is named on the bid that won the auction."""
    if action.verb == Verb.BID:
        return message_in("what was called", "bid {bid}", bid=bid_name(action.amount))
    if action.verb == Verb.TRUMP:
        return message_in(
            "what was called",
            "named {trump} after {bid}",
            trump=trump_said(action.amount),
            bid=bid_name(state.high_bid),
        )
    if action.verb == Verb.DITTO:
        return message_in("what was called", "said ditto")
    return message_in("what was called", "called")


def no_ditto(state: State) -> Message:
    """Return why nobody may say ditto who did, for people."""
    if state.high_bid == 0:
        return message("there is no bid to hold")
    return message("may not hold the bid of {bid}", bid=bid_name(state.high_bid))
