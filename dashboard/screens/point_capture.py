"""Point capture: who takes the points, and which point cards are lost, when and to whom."""

from __future__ import annotations

from dashboard import figure_page
from dashboard.figure_page import Section, Topic
from dashboard.figures import Figure
from dashboard.lost_fives import LostFives

_RIGHT_IS_BETTER = "Further to the right is better."

figure_page.show_page(
    "Point capture",
    (
        Section(
            "Sides",
            (
                Topic(
                    "points-share",
                    Figure("points-share", "variant", series="side"),
                    "What makers and defenders take",
                ),
                Topic(
                    "points-share",
                    Figure("points-share", "player", order="value"),
                    "Whose side takes the points?",
                    _RIGHT_IS_BETTER,
                ),
            ),
        ),
        Section(
            "Pedros",
            (
                LostFives(),
                Topic(
                    "pedros-lost",
                    Figure("pedros-lost", "player", order="value"),
                    "Who loses the makers’ pedros?",
                    "Further to the left is better.",
                ),
                Topic(
                    "pedros-kept",
                    Figure("pedros-kept", "player", order="value"),
                    "Who brings pedros home, on either side?",
                    _RIGHT_IS_BETTER,
                ),
            ),
        ),
        Section(
            "Cards",
            (
                Topic(
                    "cards-kept",
                    Figure("cards-kept", "card", series="side", separate=True),
                    "Which point cards are kept?",
                    "Makers and defenders by colour.",
                ),
            ),
        ),
        Section(
            "Tricks",
            (
                Topic(
                    "cards-kept",
                    Figure("cards-kept", "trick", separate=True),
                    "In which trick are point cards lost?",
                    "Trick 0 is what was left with the last player.",
                ),
            ),
        ),
        Section(
            "Seats and leads",
            (
                Topic(
                    "cards-kept",
                    Figure("cards-kept", "from-maker"),
                    "From which seat are point cards kept?",
                    "0 is the maker, 1 the player after them.",
                ),
                Topic(
                    "cards-kept",
                    Figure(
                        "cards-kept", "led-by", series="side", title="Point cards kept by who led"
                    ),
                    "Does it matter who led?",
                ),
                Topic(
                    "taken-by-opponents-lead",
                    Figure("taken-by-opponents-lead", "card"),
                ),
            ),
        ),
        Section(
            "Low and own tricks",
            (
                Topic(
                    "low-kept",
                    Figure("low-kept", "player", order="value"),
                    "Who saves the low?",
                    _RIGHT_IS_BETTER,
                ),
                Topic(
                    "own-points-share",
                    Figure("own-points-share", "player", order="value"),
                    "Who wins the points, partner aside?",
                ),
            ),
        ),
    ),
)
