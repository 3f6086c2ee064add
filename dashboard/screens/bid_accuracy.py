"""Bid accuracy: how often contracts are made, what bids are worth, who bids too much, and par."""

from __future__ import annotations

from typing import Final

from dashboard import figure_page
from dashboard.against_par import AgainstPar
from dashboard.figure_page import Section, Topic
from dashboard.figures import Figure
from dashboard.made_map import MadeMap
from dashboard.margin_bars import MarginBars
from dashboard.same_cards import SameCards

_AMOUNTS: Final = "Choose one variant above to see it: points mean something else in each."

_NOT_FORCED: Final = (
    "Nobody had to bid in these hands: in some games all may pass, and the hand is thrown in."
)

figure_page.show_page(
    "Bid accuracy",
    (
        Section(
            "By bid",
            (
                MadeMap(),
                Topic(
                    "made-rate",
                    Figure(
                        "made-rate",
                        "bid",
                        separate=True,
                        title="Contracts made by bid",
                        versions=(("chosen", "made-rate"), ("forced", "forced-made-rate")),
                    ),
                ),
            ),
        ),
        Section(
            "Calibration",
            (
                Topic(
                    "captured-by-makers",
                    Figure(
                        "captured-by-makers",
                        "bid",
                        itself="the bid itself",
                        only=("forced", "false"),
                    ),
                    "Do bids mean what they say?",
                    "Above the dashed line the makers took more than they bid, below it less. "
                    "Bids that the last to speak had to make do not count here.",
                ),
            ),
        ),
        Section("Same cards", (SameCards(),)),
        Section("Against par", (AgainstPar(),)),
        Section(
            "By player",
            (
                Topic(
                    "set-rate",
                    Figure("set-rate", "player", order="value"),
                    "Whose contracts are set?",
                    "The further to the right, the more of their own contracts were set.",
                ),
                Topic(
                    "margin-share",
                    Figure("margin-share", "player", order="value"),
                    "How far above or below the need do contracts end?",
                    "Right of zero: points beyond the need. Left: points short.",
                ),
                Topic(
                    "aggression",
                    Figure("aggression", "player", order="value"),
                    "Who bids the most?",
                ),
            ),
        ),
        Section(
            "Points short and hindsight",
            (
                Topic("overbid", Figure("overbid", "player", order="value")),
                Topic("underbid", Figure("underbid", "player", order="value")),
            ),
            one_variant=_AMOUNTS,
        ),
        Section(
            "Margins",
            (MarginBars(),),
        ),
        Section(
            "By holding",
            (
                Topic(
                    "made-rate", Figure("made-rate", "trumps-held"), "How many trumps are enough?"
                ),
                Topic(
                    "made-rate",
                    Figure("made-rate", "points-held", separate=True),
                    "How many points in the hand are enough?",
                ),
            ),
        ),
        Section(
            "Forced bids and sets",
            (
                Topic(
                    "forced-made-rate",
                    Figure("forced-made-rate", "player", order="value", nothing=_NOT_FORCED),
                ),
                Topic("forced-rate", Figure("forced-rate", "player", order="value")),
                Topic("set-cost", Figure("set-cost", "bid"), "What a set contract costs"),
            ),
        ),
    ),
)
