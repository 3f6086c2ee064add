"""Scores by variant: what a hand brings, as a share of what it can bring."""

from __future__ import annotations

import streamlit as st

from dashboard import figures, filters, snapshot
from dashboard.charts import Column, ShareChart
from ingest.metrics import measure
from schemas.show import clean

MAKERS, DEFENDERS = "makers", "defenders"


def show() -> None:
    """Show what makers and defenders score a hand in each variant."""
    connection = snapshot.connection()
    st.header("Scores by variant")
    chosen = filters.choose(connection)
    figures.show_left_out(connection, chosen)
    figures.heading("scores-by-variant")
    titles = filters.variant_titles(connection)
    frame = figures.with_names(measure(connection, "scores-by-variant", chosen), titles)
    if frame.is_empty():
        st.info("There is no valid hand to measure. Choose other filters, or load more logs.")
        return
    names = frame["variant_name"].unique(maintain_order=True).to_list()
    ShareChart(
        "Score change a hand, as a share of what the hand can bring",
        category=Column("variant_name", "variant", names),
        share=Column("share", "share of the points available"),
        cases="sides",
        series=Column("role", "side", [MAKERS, DEFENDERS]),
        bounded=False,
    ).show(frame)
    st.caption(
        "A side that is set loses points, so a share can be below zero. Points of different "
        "variants are never added up: a point is worth something else in each."
    )
    rows = [
        (
            row["variant_name"],
            row["role"],
            row["n"],
            figures.share_words(row["share"], row["low"], row["high"], row["n"]),
            f"{row['mean_change']:+.2f} {clean(row['scored_in'])}",
        )
        for row in frame.iter_rows(named=True)
    ]
    heads = ["variant", "side", "n", "share, 95 % interval", "on average a hand"]
    figures.show_table(heads, rows)


show()
