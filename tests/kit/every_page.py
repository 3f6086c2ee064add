"""Every page of the dashboard: its title, its address and its file."""

from typing import Final, NamedTuple

from dashboard import urls


class Screen(NamedTuple):
    """A page."""

    title: str
    path: str
    file: str


SCREENS: Final = (
    Screen("Overview", "", urls.OVERVIEW),
    Screen("Bid accuracy", "bids", urls.BIDS),
    Screen("Point capture", "capture", urls.CAPTURE),
    Screen("Explorer", "explorer", urls.EXPLORER),
    Screen("Players", "players", urls.PLAYERS),
    Screen("Variants", "variants", urls.VARIANTS),
    Screen("Hands", "hands", urls.HANDS),
    Screen("Replay", "replay", urls.STEPS),
    Screen("Audit", "audit", urls.AUDIT),
    Screen("Import", "import", urls.IMPORT),
    Screen("Definitions", "definitions", urls.DEFINITIONS),
)
"""In the order of the menu."""
