"""Calls in words: what may be bid, what was called, and the facts behind a finding about it."""

from __future__ import annotations

from typing import Final

from replay.engine.records import Rules, State
from replay.engine.rules import auction
from replay.engine.rules.table import Legal
from replay.model import Fact
from schemas.actions import BID_28_56, MAX_BID, Action, Verb, bid_name, trump_name
from schemas.cards import names_in
from schemas.render import trump_words

_TO_SAY: Final = {
    Verb.DITTO: "say ditto",
    Verb.TENNY: "call tenny",
    Verb.DOUBLE: "double",
    Verb.REDOUBLE: "redouble",
    Verb.SUPER: "raise the redoubled stake",
    Verb.PASS: "pass",
}


def bids_text(options: Legal) -> str:
    """Return the bids of a legal set for people: ``7, 14 or 28-56``, ``31 to 83 or 83-double``."""
    words = [bid_name(bid) for bid in (options.top, options.special) if bid]
    if options.high:
        one = options.low == options.high
        words.insert(0, f"{options.low}" if one else f"{options.low} to {options.high}")
    return _either(words)


def calls_text(options: Legal) -> str:
    """Return the calls of a legal set for people: ``bid 17 to 28, say ditto or pass``."""
    words = [f"bid {bids_text(options)}"] if options.verbs >> Verb.BID & 1 else []
    others = [said for verb, said in _TO_SAY.items() if options.verbs >> verb & 1]
    return _either([*words, *others])


def _either(words: list[str]) -> str:
    return " or ".join([*filter(None, [", ".join(words[:-1])]), *words[-1:]])


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


def called(state: State, action: Action) -> str:
    """Return what was called, for people; a suit is named on the bid that won the auction."""
    if action.verb == Verb.BID:
        return f"bid {bid_name(action.amount)}"
    if action.verb == Verb.TRUMP:
        return f"named {trump_words(action.amount)} after {bid_name(state.high_bid)}"
    return "said ditto" if action.verb == Verb.DITTO else "called"


def no_ditto(state: State) -> str:
    """Return why nobody may say ditto who did, for people."""
    if state.high_bid == 0:
        return "there is no bid to hold"
    return f"may not hold the bid of {bid_name(state.high_bid)}"
