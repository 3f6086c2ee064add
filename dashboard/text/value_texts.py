"""What values of dimensions are called: cards, suits, roles, outcomes and the like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tricklog.core.model import Verdict
from tricklog.core.render.sentences import verdict_said
from tricklog.schemas.actions import Verb
from tricklog.schemas.languages.messages import Message, message, message_in

CARDS: Final = {
    "A": message("ace"),
    "K": message("king"),
    "Q": message("queen"),
    "J": message("jack"),
    "off jack": message("off jack"),
    "T": message("ten"),
    "9": message("nine"),
    "8": message("eight"),
    "7": message("seven"),
    "6": message("six"),
    "5": message("five"),
    "off five": message("off five"),
    "4": message("four"),
    "3": message("three"),
    "2": message("two"),
    "joker": message("joker"),
}
"""Ranks by how a log writes them."""
TRUMPS: Final = {
    "S": message("♠ spades"),
    "H": message("♥ hearts"),
    "D": message("♦ diamonds"),
    "C": message("♣ clubs"),
    "NT": message("no trump"),
    "seventh": message("the seventh card"),
}
_RESULTS: Final = {
    "made": message_in("how a contract ended", "made"),
    "set": message_in("how a contract ended", "set"),
    "void": message_in("how a contract ended", "void"),
    "thrown_in": message_in("how a contract ended", "thrown in"),
}
_FROM_HOLDER: Final = {
    "own": message("the holder"),
    "partner": message_in("a role", "partner"),
    "opponents": message("an opponent"),
}
_SEATS: Final = {
    "maker": message_in("a role", "maker"),
    "partner": message_in("a role", "partner"),
    "left": message_in("a seat from the maker", "left"),
    "right": message_in("a seat from the maker", "right"),
}
_YES_NO: Final = {"true": message("yes"), "false": message("no")}
VALUES: Final[Mapping[str, Mapping[str, Message]]] = {
    "card": CARDS,
    "trump": TRUMPS,
    "result": _RESULTS,
    "verdict": {each.value: verdict_said(each) for each in Verdict},
    "forced": {"true": message("forced"), "false": message("chosen")},
    "alone": _YES_NO,
    "side": {
        "makers": message_in("a side", "makers"),
        "defenders": message_in("a side", "defenders"),
    },
    "standing": {
        "behind": message_in("the score", "behind"),
        "level": message_in("the score", "level"),
        "ahead": message_in("the score", "ahead"),
    },
    "kind": {
        "human": message_in("a kind of player", "human"),
        "bot": message_in("a kind of player", "bot"),
    },
    "role": {
        "maker": message_in("a role", "maker"),
        "partner": message_in("a role", "partner"),
        "defender": message_in("a role", "defender"),
    },
    "won-by": _FROM_HOLDER,
    "led-by": _FROM_HOLDER,
    "holder": _SEATS,
    "leader": _SEATS,
    "taker": _SEATS,
    "five": {"right": message("right five"), "left": message("left five")},
    "played": {
        "led": message_in("how a five was played", "led"),
        "over": message_in("how a five was played", "to take the trick"),
        "under": message_in("how a five was played", "under a higher trump"),
        "not played": message_in("how a five was played", "not played"),
    },
    "decision": {
        "card": message_in("a decision", "card"),
        "silence": message_in("a decision", "silence"),
        "surplus": message_in("a decision", "surplus"),
    },
}
"""By dimension, what a value is called, where that is not the value itself."""
OTHERS: Final = {
    "thrown_in": _RESULTS["thrown_in"],
    "true": _YES_NO["true"],
    "false": _YES_NO["false"],
    "NT": TRUMPS["NT"],
    "own": _FROM_HOLDER["own"],
    "opponents": _FROM_HOLDER["opponents"],
    "seventh": TRUMPS["seventh"],
}
"""What values of any other dimension are called."""
CALLS: Final = {
    Verb.PASS: message_in("a call", "pass"),
    Verb.DITTO: message_in("a call", "ditto"),
    Verb.TENNY: message_in("a call", "tenny"),
    Verb.DOUBLE: message_in("a call", "double"),
    Verb.REDOUBLE: message_in("a call", "redouble"),
    Verb.SUPER: message_in("a call", "super"),
    Verb.SOLO: message_in("a call", "solo"),
}
"""What is called, by its verb, where it is not a bid."""
