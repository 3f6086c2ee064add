"""Questions in plain words: with figures that answer them, and with the hands they ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ingest.metrics.filters import Filters, Range


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


@dataclass(frozen=True, slots=True)
class HandQuestion:
    """Hands of one kind, and the filters that find them."""

    text: str
    filters: Filters

    def is_asked(self, filters: Filters) -> bool:
        """Return whether filters ask for these hands, whatever else they ask for."""
        return all(set(filters.values(name)) == set(values) for name, values in self.filters.chosen)


HIGH_BID: Final = HandQuestion("Bid 10 or more", Filters().within("bid", least=10))
BY_ONE: Final = HandQuestion("Failed by one", Filters().within("margin", -1, -1))
HAND_QUESTIONS: Final = (
    HIGH_BID,
    BY_ONE,
    HandQuestion("Made exactly", Filters().within("margin", 0, 0)),
    HandQuestion("Forced to bid", Filters.of({"forced": "true"})),
    HandQuestion("The maker was behind", Filters.of({"role": "maker", "standing": "behind"})),
    HandQuestion(
        "The maker held 7 trumps or more", Filters.of({"role": "maker", "trumps-held": Range(7)})
    ),
    HandQuestion("Against the rules", Filters.of({"verdict": ("irregular", "rejected")})),
)
"""Hands that people look for; several can be asked for at once."""
