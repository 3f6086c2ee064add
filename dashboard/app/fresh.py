"""New hands, noticed while a page is open: said quietly, and shown when the viewer wants them."""

from __future__ import annotations

from typing import Final

import streamlit as st

from tricklog.dashboard.data import snapshot
from tricklog.schemas.languages.messages import say, say_counted

EVERY: Final = 2.0
"""Seconds between two looks."""
ALWAYS: Final = "fresh-always"
"""Key: whether new hands are shown as they come."""


@st.fragment(run_every=EVERY)
def watch() -> None:
    """Keep looking for new hands as long as this page is open, and say so where they came."""
    shown, newest = snapshot.shown(), snapshot.newest()
    is_old = newest is not None and newest != shown
    if is_old and (shown is None or st.session_state.get(ALWAYS)):
        # Nothing is lost where there was nothing, or where the viewer has asked for it.
        st.rerun()
    new = snapshot.hands_since(shown, newest) if is_old and shown and newest else 0
    if not new and not st.session_state.get(ALWAYS):
        return
    with st.container(
        horizontal=True, horizontal_alignment="right", vertical_alignment="center", key="fresh"
    ):
        if new:
            said = say_counted("Show {count} new hand", "Show {count} new hands", new)
            if st.button(said, type="tertiary", icon=":material/refresh:", key="fresh-show"):
                st.rerun()
        st.toggle(
            say("as they come"),
            key=ALWAYS,
            help=say("Show new hands at once, whatever is open."),
        )
