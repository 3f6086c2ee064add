"""Point capture: who takes the points, and which point cards are lost, when and to whom."""

from __future__ import annotations

from typing import Final

from tricklog.dashboard.kit import figure_page
from tricklog.dashboard.kit.figure_page import Section, Topic
from tricklog.dashboard.kit.figures import Figure
from tricklog.dashboard.pages.capture.lost_fives import LostFives
from tricklog.schemas.languages.messages import mark, message

_RIGHT_IS_BETTER: Final = message("Further to the right is better.")

figure_page.show_page(
    mark("Point capture"),
    (
        Section(
            mark("Sides"),
            (
                Topic(
                    "points-share",
                    Figure("points-share", "variant", series="side"),
                    message("What makers and defenders take"),
                ),
                Topic(
                    "points-share",
                    Figure("points-share", "player", order="value"),
                    message("Whose side takes the points?"),
                    _RIGHT_IS_BETTER,
                ),
                Topic(
                    "own-points-share",
                    Figure("own-points-share", "player", order="value"),
                    message("Who wins the points, partner aside?"),
                ),
            ),
        ),
        Section(
            mark("Pedros"),
            (
                LostFives(),
                Topic(
                    "pedros-lost",
                    Figure("pedros-lost", "player", order="value"),
                    message("Who loses the makers’ pedros?"),
                    message("Further to the left is better."),
                ),
                Topic(
                    "pedros-kept",
                    Figure("pedros-kept", "player", order="value"),
                    message("Who brings pedros home, on either side?"),
                    _RIGHT_IS_BETTER,
                ),
            ),
        ),
        Section(
            mark("Cards"),
            (
                Topic(
                    "cards-kept",
                    Figure("cards-kept", "card", series="side", separate=True),
                    message("Which point cards are kept?"),
                    message("Makers and defenders by colour."),
                ),
                Topic(
                    "cards-kept",
                    Figure("cards-kept", "trick", separate=True),
                    message("In which trick are point cards lost?"),
                    message("Trick 0 is what was left with the last player."),
                ),
                Topic(
                    "low-kept",
                    Figure("low-kept", "player", order="value"),
                    message("Who saves the low?"),
                    _RIGHT_IS_BETTER,
                ),
            ),
        ),
        Section(
            mark("Seats and leads"),
            (
                Topic(
                    "cards-kept",
                    Figure("cards-kept", "from-maker"),
                    message("From which seat are point cards kept?"),
                    message("0 is the maker, 1 the player after them."),
                ),
                Topic(
                    "cards-kept",
                    Figure(
                        "cards-kept",
                        "led-by",
                        series="side",
                        title=message("Point cards kept by who led"),
                    ),
                    message("Does it matter who led?"),
                ),
                Topic(
                    "taken-by-opponents-lead",
                    Figure("taken-by-opponents-lead", "card"),
                ),
            ),
        ),
    ),
    {
        "Tricks": ("Cards", "cards-kept-by-trick"),
        "Low and own tricks": ("Cards", "low-kept-by-player"),
    },
)
