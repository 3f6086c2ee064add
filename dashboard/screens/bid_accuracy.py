"""Bid accuracy: how often contracts are made, by bid and by player."""

from __future__ import annotations

from typing import Any

import altair as alt
import polars as pl
import streamlit as st

from dashboard import figures, filters, snapshot
from dashboard.charts import COLOURS, Column, ShareChart
from ingest.metrics import measure

CHOSEN, FORCED = "chosen", "forced dealer"


def show() -> None:
    """Show the made rate by bid and by player, and how far contracts end from the bid."""
    connection = snapshot.connection()
    st.header("Bid accuracy")
    chosen = filters.choose(connection)
    titles = filters.variant_titles(connection)
    names = filters.player_names(connection)
    figures.show_left_out(connection, chosen)

    figures.heading("bid-accuracy-by-bid")
    figures.by_variant(measure(connection, "bid-accuracy-by-bid", chosen), titles, _by_bid)

    figures.heading("bid-accuracy-by-player")
    frame = measure(connection, "bid-accuracy-by-player", chosen)
    frame = frame.with_columns(pl.col("player").replace(names).alias("name"))
    figures.by_variant(frame, titles, _by_player)

    figures.heading("bid-margin")
    figures.by_variant(measure(connection, "bid-margin", chosen), titles, _by_margin)


def _by_bid(frame: pl.DataFrame, title: str) -> None:
    kind = pl.when("forced").then(pl.lit(FORCED)).otherwise(pl.lit(CHOSEN)).alias("kind")
    frame = frame.with_columns(kind)
    ShareChart(
        f"{title}: made rate by bid",
        category=Column("bid_name", "bid", frame["bid_name"].unique(maintain_order=True).to_list()),
        share=Column("share", "contracts made"),
        cases="contracts",
        along="x",
        series=Column("kind", "bid was", [CHOSEN, FORCED]),
        more=(Column("made", "made"),),
    ).show(frame)
    rows = [
        (row["bid_name"], row["kind"], row["made"], row["n"], _share(row))
        for row in frame.iter_rows(named=True)
    ]
    with st.expander("The figures"):
        figures.show_table(["bid", "", "made", "n", "made rate, 95 % interval"], rows)


def _by_player(frame: pl.DataFrame, title: str) -> None:
    frame = figures.most_cases(frame)
    bidders = frame.filter(pl.col("n") > 0)
    if len(bidders):
        ShareChart(
            f"{title}: made rate by player",
            category=Column("name", "player", bidders["name"].to_list()),
            share=Column("share", "contracts made"),
            cases="contracts",
            more=(Column("made", "made"), Column("forced_n", "forced bids")),
        ).show(bidders)
    rows = [
        (
            row["name"],
            row["made"],
            row["n"],
            _share(row),
            "" if row["mean_margin"] is None else f"{row['mean_margin']:+.1f}",
            f"{row['forced_made']} of {row['forced_n']}" if row["forced_n"] else "none",
        )
        for row in frame.iter_rows(named=True)
    ]
    heads = ["player", "made", "n", "made rate, 95 % interval", "points over need", "forced made"]
    with st.expander("The figures"):
        figures.show_table(heads, rows)


def _by_margin(frame: pl.DataFrame, title: str) -> None:
    chart = (
        alt.Chart(frame, title=f"{title}: points above the need")
        .mark_bar()
        .encode(
            x=alt.X("margin:Q", title="card points above the need (below 0: set)"),
            y=alt.Y("share:Q", title="share of contracts", axis=alt.Axis(format="%")),
            color=alt.condition("datum.margin < 0", alt.value(COLOURS[1]), alt.value(COLOURS[0])),
            tooltip=[
                alt.Tooltip("margin:Q", title="points above need"),
                alt.Tooltip("hits:Q", title="contracts"),
                alt.Tooltip("share:Q", title="share", format=".1%"),
                alt.Tooltip("n:Q", title="n (contracts)", format=","),
            ],
        )
        .properties(height=300)
    )
    st.altair_chart(chart, alt="How far contracts ended above or below the need")


def _share(row: dict[str, Any]) -> str:
    return figures.share_words(row["share"], row["low"], row["high"], row["n"])


show()
