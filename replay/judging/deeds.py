"""What players do, as people say it: ``name trumps``, ``lay off``."""

from __future__ import annotations

from typing import Final

from replay.engine.rules.table import Legal
from schemas.actions import Verb
from schemas.languages.messages import Listing, Message, either, message_in


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
