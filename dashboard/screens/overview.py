"""Overview: what is in the snapshot, what is wrong in it, and where to look."""

from __future__ import annotations

from typing import Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard import figures, filters, findings, links, snapshot
from dashboard.plain import as_markdown
from dashboard.words import counted, title_of
from ingest import listings
from ingest.metrics import measure
from replay import Verdict

FIRST_HANDS: Final = 6
FIRST_FINDINGS: Final = 3


def show() -> None:
    """Show the front page."""
    connection = snapshot.connection()
    totals = listings.overview(connection).row(0, named=True)
    st.title("Tricklog")
    days = ""
    if totals["first_day"] is not None:
        days = f" played from {totals['first_day']} to {totals['last_day']}"
    st.markdown(
        f"{counted(totals['hands'], 'hand')}{days}, in {counted(totals['games'], 'game')} by "
        f"{counted(totals['players'], 'player')}."
    )
    with st.container(horizontal=True):
        for label, value in (
            ("Hands", totals["hands"]),
            ("Used for figures", totals["analysed"]),
            ("Left out", totals["left_out"]),
            ("Findings", totals["findings"]),
            ("Lines not readable", totals["rejects"]),
        ):
            st.metric(label, f"{value:,}", border=True, width=160)
    left, right = st.columns(2, gap="large")
    with left:
        _show_verdicts(connection)
        _show_rejects(connection)
    with right:
        _show_findings(connection)


def _show_verdicts(connection: DuckDBPyConnection) -> None:
    frame = measure(connection, "verdicts")
    figures.heading("verdicts")
    rows = [
        (verdict.capitalize(), count, figures.MEANINGS[verdict])
        for verdict, count in figures.verdict_counts(frame).items()
    ]
    figures.show_table(["verdict", "hands", "the hand was or had"], rows)
    titles = filters.variant_titles(connection)
    valid = pl.when("analysed").then("hits").otherwise(0).sum().alias("valid")
    per_variant = frame.group_by("variant", maintain_order=True).agg(pl.col("hits").sum(), valid)
    figures.show_table(
        ["variant", "hands", "valid", "left out"],
        [(titles[variant], n, used, n - used) for variant, n, used in per_variant.iter_rows()],
    )


def _show_rejects(connection: DuckDBPyConnection) -> None:
    rejects = listings.rejects(connection)
    if rejects.is_empty():
        return
    st.subheader("Lines that could not be read")
    figures.show_table(
        ["what was wrong", "lines"],
        [(title_of(code), lines) for code, lines in rejects.select("code", "lines").iter_rows()],
    )


def _show_findings(connection: DuckDBPyConnection) -> None:
    st.subheader("Findings")
    frame = measure(connection, "findings-by-code")
    if frame.is_empty():
        st.markdown("None: every hand was played and scored by the rules.")
        return
    st.caption("What was against the rules, and in how many hands. Each leads to its hands.")
    hands = frame.group_by("code").agg(pl.col("hands").sum()).sort("hands", descending=True)
    with st.container(horizontal=True):
        for code, count in hands.iter_rows():
            title = title_of(code)
            st.page_link(
                links.HANDS,
                label=f":blue[{as_markdown(title)} · {count:,}]",
                query_params=links.to_hands(title),
            )
    st.caption("The latest hands with findings, each with the step where it shows.")
    left = FIRST_HANDS
    for verdict in (Verdict.IRREGULAR, Verdict.REJECTED):
        rows = listings.hand_list(connection, verdict=verdict, limit=left)
        left -= len(rows)
        for hand_id in rows["id"]:
            _show_hand(connection, hand_id)
        if not left:
            return


def _show_hand(connection: DuckDBPyConnection, hand_id: str) -> None:
    replayed = snapshot.replayed_hand(hand_id)
    found = findings.of_hand(connection, replayed)
    with st.container(border=True, gap="xsmall"):
        for finding, step in found[:FIRST_FINDINGS]:
            st.html(findings.finding_html(finding))
            st.page_link(
                links.STEPS,
                label=f":blue[{as_markdown(hand_id)}, {findings.place_words(step).lower()}]",
                query_params=links.to_step(hand_id, step or 0),
            )
        if len(found) > FIRST_FINDINGS:
            st.caption(f"and {counted(len(found) - FIRST_FINDINGS, 'finding')} more")


show()
