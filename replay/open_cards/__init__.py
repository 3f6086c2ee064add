"""What a hand is worth with all cards open, what each card cost, and whether a bid could be made.

"With all cards open" means that everybody sees all hands and plays as well as can be for the own
side. It measures cards, not judgement: nobody at the table could see what it sees.
"""

from replay.open_cards.answers import (
    Choice,
    Decision,
    OpenHand,
    Solver,
    Value,
    first_card,
    open_hand,
    start_of_play,
    state_in_play,
)
from replay.open_cards.refusals import Refused, refusal, refusal_of_state

__all__ = [
    "Choice",
    "Decision",
    "OpenHand",
    "Refused",
    "Solver",
    "Value",
    "first_card",
    "open_hand",
    "refusal",
    "refusal_of_state",
    "start_of_play",
    "state_in_play",
]
