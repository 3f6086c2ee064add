"""Short words for calls, trumps and codes."""

from __future__ import annotations

from schemas.actions import VERB_NAMES, Verb, bid_name, trump_name, trump_suit
from schemas.cards import SUIT_GLYPHS


def call_words(verb: int, amount: int) -> str:
    """Return a call as the auction shows it: ``9``, ``pass``."""
    return bid_name(amount) if verb == Verb.BID else VERB_NAMES[Verb(verb)]


def trump_sign(code: int) -> str:
    """Return a trump as short as can be: ``♥``, ``NT``, ``♥ reversed``."""
    suit = trump_suit(code)
    name, _, turned = trump_name(code).partition("-")
    return f"{SUIT_GLYPHS[suit] if suit < len(SUIT_GLYPHS) else name} {turned}".strip()


def title_of(code: str) -> str:
    """Return a code as a heading: ``bid-too-low`` as ``Bid too low``."""
    return code.replace("-", " ").replace("_", " ").capitalize()


def counted(count: int, word: str) -> str:
    """Return a number with its noun: ``1 card``, ``1,204 hands``."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"
