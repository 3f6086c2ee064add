"""Ledger: where results came from, of one hand or of many."""

from __future__ import annotations

from typing import Final

import streamlit as st

from dashboard import asked, ledger_hand, ledger_many, urls

ONE: Final = "One hand"
MANY: Final = "Many hands"
VIEWS: Final = (ONE, MANY)


def show() -> None:
    """Show the ledger of the hand of the URL, or that of all hands that filters choose."""
    asked.allows(urls.VIEW, VIEWS)
    view = st.segmented_control(
        "Ledger of",
        VIEWS,
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
