"""Overview: what is in the warehouse, the first answers, what was played and found last."""

from __future__ import annotations

from typing import Any, Final

import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard import addresses, figures, filters, findings, snapshot, urls
from dashboard.answers import show_answers
from dashboard.escaping import as_markdown
from dashboard.figures import measured
from dashboard.filters import Chosen
from dashboard.labels import are, counted, title_of
from dashboard.questions import BY_ONE, HIGH_BID
from dashboard.tables import Link, show_table
from ingest.metrics.filters import EVERYTHING, Filters
from ingest.store import queries
from replay import Verdict

ALL_HANDS: Final = Chosen(EVERYTHING)
HANDS_LOOKED_FOR: Final = {
    "a bid of 10 or more": HIGH_BID.filters,
    "a contract failed by one": BY_ONE.filters,
    "both": HIGH_BID.filters.also("margin", *BY_ONE.filters.values("margin")),
}
FIRST_HANDS: Final = 5
FIRST_FINDINGS: Final = 2
SESSIONS: Final = 6
MOST_NAMED: Final = 3
MOST_CODES: Final = 10
MOST_REJECTS: Final = 4
FURTHER: Final = (
    ("Which bids are made?", urls.BIDS, "By bid"),
    ("Which bids pay? Bid or pass?", urls.BIDS, "Same cards"),
    ("In which trick do we lose pedros?", urls.CAPTURE, "Pedros"),
    ("Which point cards get away?", urls.CAPTURE, "Cards"),
)
"""Questions that other pages answer: what they are called, the page, and the part of it."""


def show() -> None:
    """Show the front page."""
    connection, facts = snapshot.connection(), snapshot.facts()
    totals = snapshot.totals()
    st.header("Tricklog")
    st.markdown(_summary(totals))
    with st.container(horizontal=True):
        for label, value in (
            ("Hands", totals["hands"]),
            ("Games", totals["games"]),
            ("Players", totals["players"]),
            ("Days", totals["days"]),
            ("Findings", totals["findings"]),
            ("Lines not readable", totals["rejects"]),
        ):
            st.metric(label, f"{value:,}", border=True, width=150)
    st.subheader("What your hands say")
    st.caption("One answer for each question and game, and how sure it is.")
    show_answers(facts)
    with st.container(horizontal=True, gap="small"):
        for label, page, view in FURTHER:
            st.page_link(page, label=f":blue[{label}]", query_params={urls.VIEW: view})
    _show_hand_questions()
    left, right = st.columns(2, gap="large")
    with left:
        _show_sessions(facts)
        _show_verdicts(facts)
        _show_rejects(connection)
    with right:
        _show_findings(connection, facts)


def _summary(totals: dict[str, Any]) -> str:
    played = ""
    if totals["first_day"] is not None:
        played = f" played from {totals['first_day']} to {totals['last_day']}"
        if totals["first_day"] == totals["last_day"]:
            played = f" played on {totals['first_day']}"
    text = f"{counted(totals['hands'], 'hand')}{played}."
    if not totals["left_out"]:
        return f"{text} All are in order, and figures are made of them all."
    return (
        f"{text} Figures are made of the {totals['analysed']:,} in order; "
        f"{totals['left_out']:,} {are(totals['left_out'])} left out."
    )


def _show_hand_questions() -> None:
    """Lead to hands that people look for."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown("Hands with:", width="content")
        for text, wanted in HANDS_LOOKED_FOR.items():
            st.page_link(
                urls.HANDS,
                label=f":blue[{text}]",
                query_params=filters.parameters(Chosen(wanted)),
            )


def _show_sessions(facts: DuckDBPyConnection) -> None:
    st.subheader("Played last")
    sessions = snapshot.kept(queries.latest_sessions, facts, SESSIONS)
    if sessions.is_empty():
        st.page_link(urls.HANDS, label="No hand has a day. See all hands")
        return
    titles = snapshot.titles()
    for row in sessions.iter_rows(named=True):
        games = ", ".join(titles.get(each, each) for each in row["variants"])
        if len(row["variants"]) > MOST_NAMED:
            games = counted(len(row["variants"]), "variant")
        said = f"{counted(row['hands'], 'hand')} of {games}"
        if row["left_out"]:
            said += f", {row['left_out']:,} left out"
        st.page_link(
            urls.EVENINGS,
            label=f":blue[{as_markdown(row['session'])}]  \n{as_markdown(said)}",
            query_params={urls.EVENING: row["day"].isoformat()},
        )


def _show_verdicts(facts: DuckDBPyConnection) -> None:
    figures.heading("verdicts", "Hands in order, and left out")
    found = snapshot.kept(queries.left_out, facts, EVERYTHING)
    rows = [
        (
            Link(
                verdict.capitalize(),
                addresses.of_page(addresses.HANDS, facts, ALL_HANDS, verdict=verdict),
                f"{verdict.capitalize()}: its hands",
            ),
            count,
            figures.MEANINGS[Verdict(verdict)],
        )
        for verdict, count in found.items()
    ]
    show_table(["verdict", "hands", "the hand was or had"], rows)
    frame = measured(facts, ALL_HANDS, "valid-rate", ("variant",))
    titles = snapshot.titles()
    rows_of_games = [
        (titles.get(row["variant"], row["variant"]), row["n"], row["hits"], row["n"] - row["hits"])
        for row in frame.sort("n", descending=True).iter_rows(named=True)
    ]
    show_table(["game", "hands", "in order", "left out"], rows_of_games)


def _show_rejects(connection: DuckDBPyConnection) -> None:
    rejects = queries.rejects(connection)
    if rejects.is_empty():
        return
    st.subheader("Lines that could not be read")
    show_table(
        ["what was wrong", "lines"],
        [(title_of(code), lines) for code, lines in rejects.head(MOST_REJECTS).iter_rows()],
    )
    label = "See these lines"
    if len(rejects) > MOST_REJECTS:
        others = len(rejects) - MOST_REJECTS
        label = f"See these lines, and those of {counted(others, 'other kind')}"
    st.page_link(urls.AUDIT, label=label, query_params={urls.VIEW: urls.UNREADABLE})


def _show_findings(connection: DuckDBPyConnection, facts: DuckDBPyConnection) -> None:
    st.subheader("What was against the rules")
    frame = measured(facts, ALL_HANDS, "findings", ("code",))
    if frame.is_empty():
        st.markdown("Nothing: every hand was played and scored by the rules.")
        return
    st.caption("Each kind of finding leads to its hands.")
    frame = frame.sort("n", descending=True).select("code", "n")
    with st.container(horizontal=True, gap="small"):
        for code, count in frame.head(MOST_CODES).iter_rows():
            title = title_of(code)
            st.page_link(
                urls.HANDS,
                label=f":blue[{as_markdown(title)} · {count:,}]",
                query_params=urls.to_hands(title),
            )
        if len(frame) > MOST_CODES:
            others = f"and {counted(len(frame) - MOST_CODES, 'other kind')}"
            st.page_link(urls.AUDIT, label=f":blue[{others}]")
    st.caption("The latest hands with findings, each with the step where it shows.")
    left = FIRST_HANDS
    for verdict in (Verdict.IRREGULAR, Verdict.REJECTED):
        rows = queries.hand_list(facts, Filters.of({"verdict": verdict}), limit=left)
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
                urls.STEPS,
                label=f":blue[{as_markdown(hand_id)}, {findings.place_words(step).lower()}]",
                query_params=urls.to_step(hand_id, step or 0),
            )
        if len(found) > FIRST_FINDINGS:
            st.caption(f"and {counted(len(found) - FIRST_FINDINGS, 'finding')} more")


show()
