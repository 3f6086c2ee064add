"""Point capture: who takes the points, and which point cards are lost, when and to whom."""

from __future__ import annotations

from typing import Final

from tricklog.dashboard.kit import figure_page
from tricklog.dashboard.kit.figure_page import Topic, of_players
from tricklog.dashboard.kit.figures import Figure
from tricklog.dashboard.pages.capture.lost_fives import LOST_FIVES
from tricklog.schemas.languages.messages import mark, message

_RIGHT_IS_BETTER: Final = message("Further to the right is better.")

figure_page.show_page(
    mark("Point capture"),
    {
        mark("Sides"): (
            Topic(
                Figure("points-share", "variant", series="side"),
                message("What makers and defenders take"),
            ),
            of_players("points-share", message("Whose side takes the points?"), _RIGHT_IS_BETTER),
            of_players("own-points-share", message("Who wins the points, partner aside?")),
        ),
        mark("Pedros"): (
            LOST_FIVES,
            of_players(
                "pedros-lost",
                message("Who loses the makers’ pedros?"),
                message("Further to the left is better."),
            ),
            of_players(
                "pedros-kept", message("Who brings pedros home, on either side?"), _RIGHT_IS_BETTER
            ),
        ),
        mark("Cards"): (
            Topic(
                Figure("cards-kept", "card", series="side", separate=True),
                message("Which point cards are kept?"),
                message("Makers and defenders by colour."),
            ),
            Topic(
                Figure("cards-kept", "trick", separate=True),
                message("In which trick are point cards lost?"),
                message("Trick 0 is what was left with the last player."),
            ),
            of_players("low-kept", message("Who saves the low?"), _RIGHT_IS_BETTER),
        ),
        mark("Seats and leads"): (
            Topic(
                Figure("cards-kept", "from-maker"),
                message("From which seat are point cards kept?"),
                message("0 is the maker, 1 the player after them."),
            ),
            Topic(
                Figure(
                    "cards-kept",
                    "led-by",
                    series="side",
                    title=message("Point cards kept by who led"),
                ),
                message("Does it matter who led?"),
            ),
            Topic(Figure("taken-by-opponents-lead", "card")),
        ),
    },
    {
        "Tricks": ("Cards", "cards-kept-by-trick"),
        "Low and own tricks": ("Cards", "low-kept-by-player"),
    },
)
