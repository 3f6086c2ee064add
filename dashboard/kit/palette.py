"""The colours of sides in charts, light and dark; ``style.css`` has the same for tables."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final, NamedTuple

import streamlit as st

STEPS: Final = (0.3, 0.45, 0.6, 0.75, 0.9)
"""Shares at which the colour of a cell changes."""
HIGH: Final = STEPS[2]
"""From this share on text stands on a strong colour."""


class Palette(NamedTuple):
    """Colours on one ground. Text in each has a contrast of at least 4.5 to 1."""

    page: str
    ink: str
    sunk: str
    """A band behind a part of a chart."""
    one: str
    """The first side, or whoever came first."""
    two: str
    three: str
    four: str
    five: str
    field: str
    """Everybody else."""
    line: str
    """The frame of a cell without a colour."""
    steps: tuple[str, ...]
    """Six steps of a share, ``STEPS`` between them; each is read in grey as well."""
    on_high: str
    """Text on the upper three of them; on the others it is ``ink``."""

    @property
    def series(self) -> tuple[str, ...]:
        """Colours of several of a kind, the first two distinct with every kind of sight."""
        return (self.one, self.two, self.three, self.four, self.five, self.field)

    def of_share(self, share: float) -> tuple[str, str]:
        """Return the colour of a cell for a share from 0 to 1, and that of the text on it."""
        step = bisect_right(STEPS, share)
        return self.steps[step], self.on_high if share >= HIGH else self.ink


LIGHT: Final = Palette(
    page="#ffffff",
    ink="#1b2430",
    sunk="#ecebe5",
    one="#1f5aa6",
    two="#a8480c",
    three="#1d5f4f",
    four="#6a45a8",
    five="#96303c",
    field="#5d6571",
    line="#d9d7ce",
    steps=("#eef2f5", "#cadceb", "#9fc2e1", "#2f6fb3", "#1f5592", "#153a68"),
    on_high="#ffffff",
)
DARK: Final = Palette(
    page="#12161d",
    ink="#e9ecf1",
    sunk="#262d38",
    one="#7db2f5",
    two="#f0a05c",
    three="#8fd0b9",
    four="#bda4f2",
    five="#f19aa3",
    field="#98a2b0",
    line="#3a4350",
    steps=("#1f2a38", "#24405f", "#2a5688", "#6fa8e6", "#97c3f3", "#c4defb"),
    on_high="#10151c",
)


def is_dark() -> bool:
    """Return whether the page of the viewer is dark."""
    return st.context.theme.type == "dark"


def palette() -> Palette:
    """Return the colours for the theme of the viewer."""
    return DARK if is_dark() else LIGHT
