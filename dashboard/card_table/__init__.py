"""The card table in the browser: one component that gets a whole hand and draws every step itself.

The scripts beside this file are parts of one module, read in the order of ``_SCRIPTS``: what a
Streamlit component is given as text can import nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import streamlit as st

KEY: Final = "card-table"
"""Key of the component; ``session_state[KEY]["go"]`` is which hand it asks for."""

_FOLDER: Final = Path(__file__).parent
_SCRIPTS: Final = ("elements", "cards", "hand", "address", "seats", "lists", "controls", "table")

_mount = st.components.v2.component(
    "tricklog.card_table",
    css=(_FOLDER / "table.css").read_text("utf-8"),
    js="\n".join((_FOLDER / f"{name}.js").read_text("utf-8") for name in _SCRIPTS),
)


def card_table(data: dict[str, Any], on_go: Callable[[], None]) -> None:
    """Show the hand of ``dashboard.hand_data.hand_data``.

    ``on_go`` is called when another hand is asked for: ``{"hand": ID, "by": 2}`` for the second
    after the hand shown, less than 0 for one before it.
    """
    _mount(key=KEY, data=data, on_go_change=on_go)
