"""The keys of links: ``r`` opens the whole hand, ``w`` plays on from the answer.

Shortcuts of Streamlit are for buttons, and it keeps ``r`` for itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

WHOLE: Final = "practice-whole"
"""Key of the container with the link to the whole hand."""
BRANCH: Final = "practice-branch"
"""Key of the container with the link that plays on from the answer."""

_mount = st.components.v2.component(
    "tricklog.practice_keys", js=Path(__file__).with_name("keys.js").read_text("utf-8")
)


def listen() -> None:
    """Follow links of this page by their keys."""
    _mount(key="practice-keys", height="content")
