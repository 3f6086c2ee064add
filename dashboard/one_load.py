"""One load: a page shows only what it brought, as the address asks, and says so."""

from __future__ import annotations

import streamlit as st

from dashboard import asked, snapshot, urls
from dashboard.labels import counted
from ingest.store import loads


def choose_load() -> int | None:
    """Return the load that the address asks for, and offer to see all again; nothing without one.

    A load that there is not is told, and passed over.
    """
    asked.takes(urls.LOAD)
    text = st.query_params.get(urls.LOAD, "")
    if not text:
        return None
    connection = snapshot.connection()
    number = int(text) if asked.is_digits(text) else 0
    found = loads.told(connection, number) if number else None
    if found is None:
        asked.allows_if(urls.LOAD, lambda _: False)
        return None
    brought = counted(found["accepted"], "hand")
    st.button(
        f"Load of {found['loaded_at']:%-d %B %Y, %H:%M} UTC: {brought} ✕",
        key="one-load",
        help="Only what this load brought is shown. Take it away to see everything.",
        on_click=_forget,
    )
    return number


def _forget() -> None:
    st.query_params.pop(urls.LOAD, None)
