"""Point capture: who takes the point cards, by card and by trick."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
import streamlit as st

from dashboard import figures, filters, snapshot
from dashboard.charts import Column, ShareChart
from ingest.metrics import measure

_CARDS: Final = {
    "A": "ace",
    "K": "king",
    "Q": "queen",
    "J": "jack",
    "T": "ten",
    "9": "nine",
    "5": "five",
    "3": "three",
    "2": "two",
}


def show() -> None:
    """Show which point cards are kept and which the makers take, card by card and by trick."""
    connection = snapshot.connection()
    st.header("Point capture")
    chosen = filters.choose(connection)
    titles = filters.variant_titles(connection)
    figures.show_left_out(connection, chosen)

    figures.heading("point-capture-by-card")
    frame = measure(connection, "point-capture-by-card", chosen)
    frame = frame.with_columns(pl.col("role").replace(_CARDS).alias("name"))
    figures.by_variant(frame, titles, _by_card)

    figures.heading("point-capture-by-trick")
    figures.by_variant(measure(connection, "point-capture-by-trick", chosen), titles, _by_trick)


def _by_card(frame: pl.DataFrame, title: str) -> None:
    ShareChart(
        f"{title}: point cards kept",
        category=Column("name", "card", frame["name"].to_list()),
        share=Column("share", "kept by the side that held them"),
        cases="cards played",
        more=(Column("points", "points"), Column("kept", "kept"), Column("lost", "lost")),
    ).show(frame)
    rows = [
        (row["name"], row["points"], row["kept"], row["lost"], row["n"], _kept(row), _makers(row))
        for row in frame.iter_rows(named=True)
    ]
    heads = ["card", "points", "kept", "lost", "n", "kept, 95 % interval", "taken by the makers"]
    with st.expander("The figures"):
        figures.show_table(heads, rows)


def _by_trick(frame: pl.DataFrame, title: str) -> None:
    frame = frame.with_columns(pl.col("trick").cast(pl.String).alias("name"))
    ShareChart(
        f"{title}: point cards to the makers",
        category=Column("name", "trick", frame["name"].to_list()),
        share=Column("share", "taken by the makers"),
        cases="point cards",
        along="x",
        more=(Column("makers", "taken by the makers"),),
    ).show(frame)
    rows = [
        (row["name"], row["makers"], row["n"], _kept(row), row["makers_points"] or 0, row["points"])
        for row in frame.iter_rows(named=True)
    ]
    heads = [
        *("trick", "cards to makers", "n", "to makers, 95 % interval"),
        *("points to makers", "points in all"),
    ]
    with st.expander("The figures"):
        figures.show_table(heads, rows)


def _kept(row: dict[str, Any]) -> str:
    return figures.share_words(row["share"], row["low"], row["high"], row["n"])


def _makers(row: dict[str, Any]) -> str:
    return figures.share_words(row["makers_share"], row["makers_low"], row["makers_high"], row["n"])


show()
