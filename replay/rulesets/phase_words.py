"""The phases of a hand in words: what is done in each, and which part of the hand it is."""

from typing import Final

from tricklog.core.engine.policies import Phase, value_name
from tricklog.schemas.languages.messages import Message, message, message_in

_WORDS: Final = {
    "auction": (message("the auction"), message_in("a part of the hand", "auction")),
    "trump": (message("naming trumps"), message_in("a part of the hand", "trump")),
    "kitty": (message("taking the kitty"), message_in("a part of the hand", "kitty")),
    "double": (message("doubling"), message_in("a part of the hand", "double")),
    "deal-rest": (message("the second deal"), message_in("a part of the hand", "deal rest")),
    "fold": (message("folding"), message_in("a part of the hand", "fold")),
    "give": (message("giving to the partner"), message_in("a part of the hand", "give")),
    "discard": (message("laying off"), message_in("a part of the hand", "discard")),
    "refill": (message("filling the hands"), message_in("a part of the hand", "refill")),
    "rob": (message("robbing the stock"), message_in("a part of the hand", "rob")),
    "dealer-give": (
        message("the dealer's giving"),
        message_in("a part of the hand", "dealer give"),
    ),
    "come-down": (message("coming down to size"), message_in("a part of the hand", "come down")),
    "show": (message("showing what is left"), message_in("a part of the hand", "show")),
    "solo": (message("announcing a hand alone"), message_in("a part of the hand", "solo")),
    "play": (message("the play"), message_in("a part of the hand", "play")),
    "over": (message("the hand is over"), message("the end")),
}


def phase_said(phase: int) -> Message:
    """Return what is done in a phase, to be shown."""
    return _WORDS[value_name(Phase(phase))][0]


def phase_words(name: str) -> str:
    """Return what is done in a phase of this name, for people: ``naming trumps``."""
    return str(_WORDS[name][0])


def part_words(name: str) -> str:
    """Return which part of the hand a phase is, for people: ``trump``, ``the end``."""
    return str(_WORDS[name][1])
