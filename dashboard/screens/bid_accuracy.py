"""Bid accuracy: how often contracts are made, by bid and by player, and how far they miss."""

from __future__ import annotations

import streamlit as st

from dashboard import figures, filters, snapshot
from dashboard.figures import Figure


def show() -> None:
    """Show made rates, margins and calibration."""
    st.header("Bid accuracy")
    facts = snapshot.facts()
    chosen = filters.choose(facts)
    figures.show_left_out(facts, chosen)
    for figure in (
        Figure("made-rate", "bid", series="forced", apart=True, along="x"),
        Figure("made-rate", "player", order="value"),
    ):
        figures.heading(figure.metric)
        figure.show(facts, chosen)


show()
