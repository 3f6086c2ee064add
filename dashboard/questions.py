"""Questions in plain words, each with the figure that answers it in the explorer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and what the explorer shows for it."""

    text: str
    metric: str
    by: str
    also: str | None = None
    """A second dimension, shown by colour."""


QUESTIONS: Final = (
    Question("Whose contracts are set?", "set-rate", "player"),
    Question("Who bids too low?", "margin-share", "player"),
    Question("Who fights for the bid?", "aggression", "player"),
    Question("Which bids pay?", "made-rate", "bid"),
    Question("How many trumps make a bid?", "made-rate", "trumps-held"),
    Question("Does the dealer’s seat matter?", "made-rate", "from-dealer"),
    Question("Do we bid wildly when behind?", "set-rate", "standing"),
    Question("Which partner suits whom?", "points-share", "partner", "player"),
    Question("Where do we lose pedros?", "pedros-lost", "trick"),
    Question("Who loses pedros?", "pedros-lost", "player"),
    Question("Which cards get away?", "cards-lost", "card", "side"),
    Question("Against whom do we suffer?", "points-share", "opponent"),
    Question("Who cinches?", "cinching", "player"),
    Question("Who leads trumps?", "trump-leads", "player", "side"),
    Question("Do bots play better?", "score-share", "kind"),
    Question("Are we better late in a game?", "score-share", "hand-number", "side"),
    Question("On which day do we play best?", "made-rate", "weekday"),
    Question("Are we getting better?", "made-rate", "month"),
    Question("Which game do we play best?", "win-rate", "variant"),
    Question("What goes wrong most often?", "findings", "code"),
    Question("Whose hands are at fault?", "fault-rate", "player"),
    Question("Which logs are in order?", "valid-rate", "source"),
)
"""The questions, those on bidding first."""
