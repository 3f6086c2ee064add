"""Questions in plain words: with figures that answer them, and with the hands they ask for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tricklog.core import load_variant, variants
from tricklog.ingest.metrics.filters import Filters, Range
from tricklog.schemas.languages.messages import Message, mark, message


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and what the explorer shows for it."""

    text: str
    """In English, as it is marked to be translated."""
    metric: str
    by: str
    also: str | None = None
    """A second dimension, shown by colour."""


QUESTIONS: Final = (
    Question(mark("Whose contracts are set?"), "set-rate", "player"),
    Question(mark("Who bids too low?"), "margin-share", "player"),
    Question(mark("Who fights for the bid?"), "aggression", "player"),
    Question(mark("Which bids pay?"), "made-rate", "bid"),
    Question(mark("How many trumps make a bid?"), "made-rate", "trumps-held"),
    Question(mark("Does the dealer’s seat matter?"), "made-rate", "from-dealer"),
    Question(mark("Do we bid wildly when behind?"), "set-rate", "standing"),
    Question(mark("Which partner suits whom?"), "points-share", "partner", "player"),
    Question(mark("Where do we lose pedros?"), "pedros-lost", "trick"),
    Question(mark("Who loses pedros?"), "pedros-lost", "player"),
    Question(mark("Which cards get away?"), "cards-lost", "card", "side"),
    Question(mark("Against whom do we suffer?"), "points-share", "opponent"),
    Question(mark("Who cinches?"), "cinching", "player"),
    Question(mark("Who leads trumps?"), "trump-leads", "player", "side"),
    Question(mark("Do bots play better?"), "score-share", "kind"),
    Question(mark("Are we better late in a game?"), "score-share", "hand-number", "side"),
    Question(mark("On which day do we play best?"), "made-rate", "weekday"),
    Question(mark("Are we getting better?"), "made-rate", "month"),
    Question(mark("Which game do we play best?"), "win-rate", "variant"),
    Question(mark("What goes wrong most often?"), "findings", "code"),
    Question(mark("Whose hands are at fault?"), "fault-rate", "player"),
    Question(mark("Which logs are in order?"), "valid-rate", "source"),
)
"""The questions, those on bidding first."""


@dataclass(frozen=True, slots=True)
class HandQuestion:
    """Hands of one kind, and the filters that find them."""

    text: Message
    filters: Filters

    def is_asked(self, filters: Filters) -> bool:
        """Return whether filters ask for these hands, whatever else they ask for."""
        return all(set(filters.values(name)) == set(values) for name, values in self.filters.chosen)


_OF_EVERY_GAME: Final = (
    HandQuestion(message("Failed by one"), Filters().within("margin", -1, -1)),
    HandQuestion(message("Made exactly"), Filters().within("margin", 0, 0)),
    HandQuestion(message("Forced to bid"), Filters.of({"forced": "true"})),
    HandQuestion(
        message("The maker was behind"), Filters.of({"role": "maker", "standing": "behind"})
    ),
    HandQuestion(
        message("The maker held 7 trumps or more"),
        Filters.of({"role": "maker", "trumps-held": Range(7)}),
    ),
    HandQuestion(message("Against the rules"), Filters.of({"verdict": ("irregular", "rejected")})),
)


def high_bid(variant: str) -> HandQuestion:
    """Return the question for contracts in the upper half of the bids of a game."""
    game = load_variant(variant)
    least = (game.values["min_bid"] + game.values["max_bid"]) // 2
    return HandQuestion(
        message("{game}: bid {least} or more", game=game.title, least=least),
        Filters.of({"variant": variant, "bid": Range(least)}),
    )


def hand_questions(games: Iterable[str]) -> tuple[HandQuestion, ...]:
    """Return hands that people look for; several can be asked for at once.

    What a high bid is, the first of ``games`` that Tricklog has rules of decides.
    """
    known = [each for each in games if each in variants()]
    return (*map(high_bid, known[:1]), *_OF_EVERY_GAME)
