"""Recording on a phone: one component that shows what the server says is next and keeps each tap.

The component knows no rules. A tap is kept in the browser until the server has taken it in, so that
a lost connection or a closed tab loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import streamlit as st

from tricklog.dashboard.card_table.spoken import SHARED, script, spoken

KEY: Final = "recorder"
"""Key of the component; ``session_state[KEY]`` has the taps it sends, as ``taps.Sent`` says."""
SCRIPTS: Final = (*SHARED, Path(__file__).with_name("recorder.js"))

_mount = st.components.v2.component(
    "tricklog.recorder",
    css=Path(__file__).with_name("recorder.css").read_text("utf-8"),
    js=script(SCRIPTS),
)


def recorder(data: dict[str, Any], on_taps: Callable[[], None]) -> None:
    """Show what ``screen_of`` of ``screen`` says; ``on_taps`` is called for taps."""
    _mount(key=KEY, data=data | {"spoken": spoken(SCRIPTS)}, on_taps_change=on_taps)
