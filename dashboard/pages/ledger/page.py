"""Ledger: where results came from, of one hand or of many."""

from __future__ import annotations

from typing import Final

import streamlit as st

from tricklog.dashboard.address import asked, urls
from tricklog.dashboard.pages.ledger import hand as ledger_hand
from tricklog.dashboard.pages.ledger import many as ledger_many
from tricklog.schemas.languages.messages import mark, say, translated

ONE: Final = mark("One hand")
MANY: Final = mark("Many hands")
VIEWS: Final = (ONE, MANY)


def show() -> None:
    """Show the ledger of the hand of the URL, or that of all hands that filters choose."""
    asked.allows(urls.VIEW, map(translated, VIEWS))
    view = st.segmented_control(
        say("Ledger of"),
        VIEWS,
        format_func=translated,
        default=ONE,
        required=True,
        key=urls.VIEW,
        bind="query-params",
        label_visibility="collapsed",
    )
    if view == MANY:
        ledger_many.show()
    else:
        ledger_hand.show()


show()
