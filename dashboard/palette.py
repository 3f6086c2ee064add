"""The colours of sides in charts, light and dark; ``style.css`` has the same for tables."""

from __future__ import annotations

from typing import Final, NamedTuple

import streamlit as st


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
    field: str
    """Everybody else."""


LIGHT: Final = Palette(
    page="#ffffff",
    ink="#1b2430",
    sunk="#ecebe5",
    one="#1f5aa6",
    two="#a8480c",
    three="#1d5f4f",
    field="#5d6571",
)
DARK: Final = Palette(
    page="#12161d",
    ink="#e9ecf1",
    sunk="#262d38",
    one="#7db2f5",
    two="#f0a05c",
    three="#8fd0b9",
    field="#98a2b0",
)


def is_dark() -> bool:
    """Return whether the page of the viewer is dark."""
    return st.context.theme.type == "dark"


def palette() -> Palette:
    """Return the colours for the theme of the viewer."""
    return DARK if is_dark() else LIGHT
