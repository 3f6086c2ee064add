"""The card table in the browser: one component that gets a whole hand and draws every step itself.

The scripts beside this file are parts of one module: what a Streamlit component is given as text
can import nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import streamlit as st

from tricklog.dashboard.card_table.spoken import TABLE, script, spoken

QUESTION: Final = "question-table"
"""Key of the component with a question; ``session_state[QUESTION]`` has the cards chosen."""
KEY: Final = "card-table"
"""Key of the component; ``session_state[KEY]`` has what it asks for, as ``card_table`` tells."""

_mount = st.components.v2.component(
    "tricklog.card_table",
    css=Path(__file__).with_name("table.css").read_text("utf-8"),
    js=script(TABLE),
)


def card_table(data: dict[str, Any], on_go: Callable[[], None], on_ask: Callable[[], None]) -> None:
    """Show a hand, and what is asked about it.

    The hand is that of ``tricklog.dashboard.data.hand_data.hand_data``, studied by
    ``tricklog.dashboard.pages.replay.study``.

    ``on_go`` is called when another hand is asked for: ``go`` is ``{"hand": ID, "by": 2,
    "number": "..."}`` for the second after the hand shown, less than 0 for one before it. The table
    sends it again with what it asks until ``data["gone"]`` has it, as Streamlit keeps only the last
    of what a component sends while it is busy. ``on_ask`` is called for values and
    branches: ``ask`` is what ``tricklog.dashboard.pages.replay.study.Asked`` says.
    """
    _mount(key=KEY, data=data | {"spoken": spoken(TABLE)}, on_go_change=on_go, on_ask_change=on_ask)


def question_table(data: dict[str, Any], on_choose: Callable[[], None] = lambda: None) -> None:
    """Show the table at one moment, with cards to choose from, or what came of the choice.

    ``data["question"]`` says what is asked; the rest is as for a hand of one step.

    ``on_choose`` is called for cards that are marked: ``choose`` is ``{"question": "...", "cards":
    "8D", "number": 7}``, and with that number in ``data["question"]["heard"]`` the table takes over
    the cards in ``picked``.
    """
    _mount(key=QUESTION, data=data | {"spoken": spoken(TABLE)}, on_choose_change=on_choose)
