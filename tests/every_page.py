"""Every page of the dashboard: its title, its address and its file."""

from typing import Final, NamedTuple

from dashboard import links


class Screen(NamedTuple):
    """A page."""

    title: str
    path: str
    file: str


SCREENS: Final = (
    Screen("Overview", "", links.OVERVIEW),
    Screen("Bid accuracy", "bids", links.BIDS),
    Screen("Point capture", "capture", links.CAPTURE),
    Screen("Explorer", "explorer", links.EXPLORER),
    Screen("Players", "players", links.PLAYERS),
    Screen("Variants", "variants", links.VARIANTS),
    Screen("Hands", "hands", links.HANDS),
    Screen("Replay", "replay", links.STEPS),
    Screen("Audit", "audit", links.AUDIT),
    Screen("Import", "import", links.IMPORT),
    Screen("Definitions", "definitions", links.DEFINITIONS),
)
"""In the order of the menu."""
