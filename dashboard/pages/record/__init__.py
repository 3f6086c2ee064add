"""Recording on a phone: one component that shows what the server says is next and keeps each tap.

The component knows no rules. A tap is kept in the browser until the server has taken it in, so that
a lost connection or a closed tab loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import streamlit as st

KEY: Final = "recorder"
"""Key of the component; ``session_state[KEY]`` has the taps it sends, as ``taps.Sent`` says."""

_FOLDER: Final = Path(__file__).parent

_mount = st.components.v2.component(
    "tricklog.recorder",
    css=(_FOLDER / "recorder.css").read_text("utf-8"),
    js=(_FOLDER / "recorder.js").read_text("utf-8"),
)


def recorder(data: dict[str, Any], on_taps: Callable[[], None]) -> None:
    """Show what ``screen_of`` of ``screen`` says; ``on_taps`` is called for taps."""
    _mount(key=KEY, data=data, on_taps_change=on_taps)
