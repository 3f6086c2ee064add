"""Bid accuracy: how often contracts are made, what bids are worth, who bids too much, and par."""

from __future__ import annotations

from typing import Final

from tricklog.dashboard.kit import figure_page
from tricklog.dashboard.kit.figure_page import Section, Topic
from tricklog.dashboard.kit.figures import Figure
from tricklog.dashboard.pages.bids.made_map import MadeMap
from tricklog.dashboard.sections.against_par import AgainstPar
from tricklog.dashboard.sections.margin_bars import MarginBars
from tricklog.dashboard.sections.same_cards import SameCards
from tricklog.schemas.languages.messages import mark, message, message_in

_AMOUNTS: Final = message("Choose one variant above to see it: points mean something else in each.")

_NOT_FORCED: Final = message(
    "Nobody had to bid in these hands: in some games all may pass, and the hand is thrown in."
)

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
                ),
            ),
        ),
        Section(
            mark("Calibration"),
            (
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
        Section(mark("Same cards"), (SameCards(),)),
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
            ),
        ),
        Section(
            mark("Points short and hindsight"),
            (
                Topic("overbid", Figure("overbid", "player", order="value")),
                Topic("underbid", Figure("underbid", "player", order="value")),
            ),
            one_variant=_AMOUNTS,
        ),
        Section(
            mark("Margins"),
            (MarginBars(),),
        ),
        Section(
            mark("By holding"),
            (
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
            ),
        ),
        Section(
            mark("Forced bids and sets"),
            (
                Topic(
                    "forced-made-rate",
                    Figure("forced-made-rate", "player", order="value", nothing=_NOT_FORCED),
                ),
                Topic("forced-rate", Figure("forced-rate", "player", order="value")),
                Topic("set-cost", Figure("set-cost", "bid"), message("What a set contract costs")),
            ),
        ),
    ),
)
