"""The first page of an empty warehouse: what this is, and three ways to begin."""

from __future__ import annotations

from typing import Final

import streamlit as st

from tricklog.dashboard.address import urls
from tricklog.dashboard.text.escaping import as_html, sentence_html
from tricklog.schemas.languages.messages import message, say

_DOORS: Final = (
    (
        message("Record a hand"),
        message("Tap what happens at the table, or enter the score sheet of an evening."),
        urls.RECORD,
    ),
    (
        message("Drop a file"),
        message("A log of hands, a score sheet as CSV, Excel or LibreOffice, or a ZIP of them."),
        urls.IMPORT,
    ),
    (
        message("Look at the samples"),
        message("Games of all kinds that bots played: one button on the next page loads them."),
        urls.IMPORT,
    ),
)


def show() -> None:
    """Say what this is, and what to do."""
    st.title("Tricklog")
    said = say(
        "Keeps the hands you play: who bids well, where the points go, and what was against the "
        "rules."
    )
    st.html(f'<p class="tl-lead">{as_html(said)}</p>')
    st.html(f'<p class="tl-hand">{sentence_html("A♥ J♥ 10♥ 5♥ 5♦ 2♥")}</p>')
    for column, (title, text, page) in zip(st.columns(3), _DOORS, strict=True):
        with column, st.container(border=True, height="stretch"):
            st.page_link(page, label=f"**:blue[{title}]**")
            st.markdown(str(text))
    st.page_link(
        urls.DEFINITIONS, label=say(":blue[What there will be to see: every figure, defined]")
    )
