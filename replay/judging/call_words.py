"""What players do and call, as people say it: ``name trumps``, ``bid 17 to 28, or pass``."""

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

_BESIDE_BIDS: Final = (
    *(Verb.DITTO, Verb.TENNY, Verb.DOUBLE, Verb.REDOUBLE, Verb.SUPER, Verb.PASS),
)
"""Calls without a number, in the order in which they are said."""


def verbs_said(options: Legal) -> Message | Listing:
    """Return the verbs of a legal set, to be shown: ``name trumps or lay off``."""
    names = [doing(verb) for verb in Verb if options.verbs >> verb & 1]
    return either(names, commas=False) if names else message_in("what to do", "act")


def doing(verb: Verb) -> Message:
    """Return what a verb means, for people: ``name trumps``."""
    return _DOING[verb]


_DOING: Final = {
    Verb.BID: message_in("what to do", "bid"),
    Verb.PASS: message_in("what to do", "pass"),
    Verb.DITTO: message_in("what to do", "say ditto"),
    Verb.TENNY: message_in("what to do", "call tenny"),
    Verb.TRUMP: message_in("what to do", "name trumps"),
    Verb.KITTY: message_in("what to do", "take the kitty"),
    Verb.DISCARD: message_in("what to do", "lay off"),
    Verb.DISCARD_UP: message_in("what to do", "lay off face up"),
    Verb.CLAIM: message_in("what to do", "claim a discard"),
    Verb.DRAW: message_in("what to do", "draw"),
    Verb.ROB: message_in("what to do", "rob the stock"),
    Verb.GIVE: message_in("what to do", "give to the partner"),
    Verb.FOLD: message_in("what to do", "fold"),
    Verb.BURY: message_in("what to do", "bury surplus"),
    Verb.PLAY: message_in("what to do", "play"),
    Verb.OUT: message_in("what to do", "drop out"),
    Verb.ASK: message_in("what to do", "ask for the trump"),
    Verb.REVEAL: message_in("what to do", "show the trump"),
    Verb.PAIR: message_in("what to do", "declare king and queen of trumps"),
    Verb.DOUBLE: message_in("what to do", "double"),
    Verb.REDOUBLE: message_in("what to do", "redouble"),
    Verb.SUPER: message_in("what to do", "raise the redoubled stake"),
    Verb.SOLO: message_in("what to do", "announce all tricks alone"),
    Verb.SHOW: message_in("what to do", "show cards"),
    Verb.THROW_IN: message_in("what to do", "throw the deal in"),
    Verb.CONCEDE: message_in("what to do", "give up the rest"),
    Verb.DECIDED: message_in("what to do", "stop play, as the contract is decided"),
}


# --- Calls


def bids_said(options: Legal) -> Listing:
    """Return the bids of a legal set, to be shown: ``7, 14 or 28-56``, ``31 to 83``."""
    bids: list[object] = [bid_name(bid) for bid in (options.top, options.special) if bid]
    if options.high:
        low, high = options.low, options.high
        numbers = message("{least} to {most}", least=low, most=high)
        bids.insert(0, low if low == high else numbers)
    return either(bids)


def calls_said(options: Legal) -> Listing:
    """Return the calls of a legal set, to be shown: ``bid 17 to 28, say ditto or pass``."""
    may_bid = options.verbs >> Verb.BID & 1
    bids = [message_in("what to do", "bid {bids}", bids=bids_said(options))] if may_bid else []
    return either([*bids, *(doing(verb) for verb in _BESIDE_BIDS if options.verbs >> verb & 1)])


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
