"""The study of a recorded hand: what it was worth, what each decision cost, and what came of it.

"With all cards open" means that everybody sees all hands and plays as well as can be for the own
side. It measures cards, not judgement: nobody at the table could see what it sees.
"""

from tricklog.core.study.open_cards import (
    Choice,
    Decision,
    LossKind,
    OpenHand,
    Solver,
    Value,
    costs_among,
    first_card,
    open_hand,
    start_of_play,
    state_in_play,
)
from tricklog.core.study.refusals import OpenScore, Refused, refusal, refusal_of_state

__all__ = [
    "Choice",
    "Decision",
    "LossKind",
    "OpenHand",
    "OpenScore",
    "Refused",
    "Solver",
    "Value",
    "costs_among",
    "first_card",
    "open_hand",
    "refusal",
    "refusal_of_state",
    "start_of_play",
    "state_in_play",
]
