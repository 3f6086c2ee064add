"""Bid accuracy: how often contracts are made, what bids are worth, who bids too much, and par."""

from __future__ import annotations

from typing import Final

from tricklog.dashboard.address import parameters
from tricklog.dashboard.kit import figure_page
from tricklog.dashboard.kit.figure_page import Topic, of_players
from tricklog.dashboard.kit.figures import Figure
from tricklog.dashboard.pages.bids.contracts import MADE_MAP, MARGINS
from tricklog.dashboard.sections.against_par import AGAINST_PAR
from tricklog.dashboard.sections.given_hand import HELD
from tricklog.dashboard.sections.same_cards import SAME_CARDS
from tricklog.schemas.languages.messages import mark, message, message_in

_AMOUNTS: Final = message("Choose one variant above to see it: points mean something else in each.")
_NOT_FORCED: Final = message(
    "Nobody had to bid in these hands: in some games all may pass, and the hand is thrown in."
)

# Whoever names the cards of a hand asks about it.
if parameters.is_asked(HELD) and not parameters.get(figure_page.QUESTION):
    parameters.put(figure_page.QUESTION, "bid-or-pass")

figure_page.show_page(
    mark("Bid accuracy"),
    {
        mark("By bid"): (
            MADE_MAP,
            Topic(
                Figure(
                    "made-rate",
                    "bid",
                    separate=True,
                    title=message("Contracts made by bid"),
                    versions=(
                        (message_in("bids", "chosen"), "made-rate"),
                        (message_in("bids", "forced"), "forced-made-rate"),
                    ),
                ),
                message("How often is each bid made, chosen and forced?"),
            ),
            Topic(Figure("made-rate", "trumps-held"), message("How many trumps are enough?")),
            Topic(
                Figure("made-rate", "points-held", separate=True),
                message("How many points in the hand are enough?"),
            ),
            Topic(Figure("set-cost", "bid"), message("What does a set contract cost?")),
        ),
        mark("Same cards"): (
            *SAME_CARDS,
            Topic(
                Figure(
                    "captured-by-makers",
                    "bid",
                    itself=message("the bid itself"),
                    only=("forced", "false"),
                ),
                message("Do bids mean what they say?"),
                message(
                    "Above the dashed line the makers took more than they bid, below it less. "
                    "Bids that the last to speak had to make do not count here."
                ),
            ),
        ),
        mark("Against par"): (AGAINST_PAR,),
        mark("By player"): (
            of_players(
                "set-rate",
                message("Whose contracts are set?"),
                message("The further to the right, the more of their own contracts were set."),
            ),
            MARGINS,
            of_players(
                "margin-share",
                message("How far above or below the need do contracts end?"),
                message("Right of zero: points beyond the need. Left: points short."),
            ),
            of_players("aggression", message("Who bids the most?")),
            of_players("overbid", one_variant=_AMOUNTS),
            of_players("underbid", one_variant=_AMOUNTS),
            Topic(Figure("forced-made-rate", "player", order="value", nothing=_NOT_FORCED)),
            of_players("forced-rate"),
        ),
    },
    {
        "Calibration": ("Same cards", "captured-by-makers-by-bid"),
        "Points short and hindsight": ("By player", "overbid-by-player"),
        "Margins": ("By player", "margins"),
        "By holding": ("By bid", "made-rate-by-trumps-held"),
        "Forced bids and sets": ("By player", "forced-made-rate-by-player"),
    },
)
