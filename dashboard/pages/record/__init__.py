"""Recording on a phone: one component that shows what the server says is next and keeps each tap.

The component knows no rules. A tap is kept in the browser until the server has taken it in, so that
a lost connection or a closed tab loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import streamlit as st

from tricklog.schemas.languages.catalogs import catalog
from tricklog.schemas.languages.current import current
from tricklog.schemas.languages.messages import mark_counted, message, message_in

KEY: Final = "recorder"
"""Key of the component; ``session_state[KEY]`` has the taps it sends, as ``taps.Sent`` says."""

_FOLDER: Final = Path(__file__).parent

_mount = st.components.v2.component(
    "tricklog.recorder",
    css=(_FOLDER / "recorder.css").read_text("utf-8"),
    js=(_FOLDER / "recorder.js").read_text("utf-8"),
)
_TEXTS: Final = {
    "pad": message("Score pad"),
    "score": message_in("a heading", "Score"),
    "last": message("Nothing can be recorded after it in this hand."),
    "long": message(
        "A remark has {most} characters at most; this has {length} and is not kept.",
        most="{most}",
        length="{length}",
    ),
    "unseen": message("Not seen"),
    "one": message("+ 1 not seen"),
    "cancel": message_in("a button", "Cancel"),
    "done": message_in("a button", "Done"),
    "hand": message_in("column of a table", "hand"),
    "mend": message_in("a button", "Mend"),
    "none": message("No hand is finished yet."),
    "undo": message_in("a button", "Undo"),
}
"""By the names that the component knows; it fills in what stands in braces."""
_COUNTED: Final = {
    "late": mark_counted(
        "No connection: {count} tap is kept on this phone and sent when it is back.",
        "No connection: {count} taps are kept on this phone and sent when it is back.",
    ),
    "cards": mark_counted("{count} card", "{count} cards"),
}


def recorder(data: dict[str, Any], on_taps: Callable[[], None]) -> None:
    """Show what ``screen_of`` of ``screen`` says; ``on_taps`` is called for taps."""
    _mount(key=KEY, data=data | {"texts": spoken()}, on_taps_change=on_taps)


def spoken() -> dict[str, str | list[str]]:
    """Return the texts by name; of those with a number that for one, and that for any other."""
    found = catalog(current())
    counted = {
        name: [found.ngettext(one, many, count) for count in (1, 2)]
        for name, (one, many) in _COUNTED.items()
    }
    return {name: str(text) for name, text in _TEXTS.items()} | counted
