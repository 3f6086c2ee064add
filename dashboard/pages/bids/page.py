"""Bid accuracy: how often contracts are made, what bids are worth, who bids too much, and par."""

from __future__ import annotations

from typing import Final

import streamlit as st

from tricklog.dashboard.kit import figure_page
from tricklog.dashboard.kit.figure_page import Section, Topic
from tricklog.dashboard.kit.figures import Figure
from tricklog.dashboard.pages.bids.made_map import MadeMap
from tricklog.dashboard.pages.bids.margins import Margins
from tricklog.dashboard.sections.against_par import AgainstPar
from tricklog.dashboard.sections.given_hand import HELD
from tricklog.dashboard.sections.same_cards import SAME_CARDS
from tricklog.schemas.languages.messages import mark, message, message_in

_AMOUNTS: Final = message("Choose one variant above to see it: points mean something else in each.")

_NOT_FORCED: Final = message(
    "Nobody had to bid in these hands: in some games all may pass, and the hand is thrown in."
)

_MOVED: Final = {
    "Calibration": ("Same cards", "captured-by-makers-by-bid"),
    "Points short and hindsight": ("By player", "overbid-by-player"),
    "Margins": ("By player", "margins"),
    "By holding": ("By bid", "made-rate-by-trumps-held"),
    "Forced bids and sets": ("By player", "forced-made-rate-by-player"),
}

# Whoever names the cards of a hand asks about it.
if HELD in st.query_params and figure_page.QUESTION not in st.query_params:
    st.query_params[figure_page.QUESTION] = "bid-or-pass"

figure_page.show_page(
    mark("Bid accuracy"),
    (
        Section(
            mark("By bid"),
            (
                MadeMap(),
                Topic(
                    "made-rate",
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
                Topic(
                    "made-rate",
                    Figure("made-rate", "trumps-held"),
                    message("How many trumps are enough?"),
                ),
                Topic(
                    "made-rate",
                    Figure("made-rate", "points-held", separate=True),
                    message("How many points in the hand are enough?"),
                ),
                Topic(
                    "set-cost", Figure("set-cost", "bid"), message("What does a set contract cost?")
                ),
            ),
        ),
        Section(
            mark("Same cards"),
            (
                *SAME_CARDS,
                Topic(
                    "captured-by-makers",
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
        ),
        Section(mark("Against par"), (AgainstPar(),)),
        Section(
            mark("By player"),
            (
                Topic(
                    "set-rate",
                    Figure("set-rate", "player", order="value"),
                    message("Whose contracts are set?"),
                    message("The further to the right, the more of their own contracts were set."),
                ),
                Margins(),
                Topic(
                    "margin-share",
                    Figure("margin-share", "player", order="value"),
                    message("How far above or below the need do contracts end?"),
                    message("Right of zero: points beyond the need. Left: points short."),
                ),
                Topic(
                    "aggression",
                    Figure("aggression", "player", order="value"),
                    message("Who bids the most?"),
                ),
                Topic("overbid", Figure("overbid", "player", order="value"), one_variant=_AMOUNTS),
                Topic(
                    "underbid", Figure("underbid", "player", order="value"), one_variant=_AMOUNTS
                ),
                Topic(
                    "forced-made-rate",
                    Figure("forced-made-rate", "player", order="value", nothing=_NOT_FORCED),
                ),
                Topic("forced-rate", Figure("forced-rate", "player", order="value")),
            ),
        ),
    ),
    _MOVED,
)
