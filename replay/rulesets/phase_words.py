"""The phases of a hand in words."""

from typing import Final

PHASE_WORDS: Final = (
    "the auction",
    "naming trumps",
    "taking the kitty",
    "doubling",
    "the second deal",
    "folding",
    "giving to the partner",
    "laying off",
    "filling the hands",
    "robbing the stock",
    "the dealer's giving",
    "coming down to size",
    "showing what is left",
    "announcing a hand alone",
    "the play",
    "the hand is over",
)


def phase_words(phase: int) -> str:
    """Return a phase for people."""
    return PHASE_WORDS[phase]
