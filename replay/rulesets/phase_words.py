"""The phases of a hand in words."""

from typing import Final

from schemas.languages.messages import Message, message

PHASE_WORDS: Final = (
    message("the auction"),
    message("naming trumps"),
    message("taking the kitty"),
    message("doubling"),
    message("the second deal"),
    message("folding"),
    message("giving to the partner"),
    message("laying off"),
    message("filling the hands"),
    message("robbing the stock"),
    message("the dealer's giving"),
    message("coming down to size"),
    message("showing what is left"),
    message("announcing a hand alone"),
    message("the play"),
    message("the hand is over"),
)


def phase_words(phase: int) -> str:
    """Return a phase for people."""
    return str(PHASE_WORDS[phase])


def phase_said(phase: int) -> Message:
    """Return a phase, to be shown."""
    return PHASE_WORDS[phase]
