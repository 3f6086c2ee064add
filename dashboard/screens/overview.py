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
from dashboard.news import show_news
from dashboard.questions import BY_ONE, HIGH_BID
from dashboard.tables import Link, show_table
from ingest.metrics.filters import EVERYTHING, Filters
from ingest.sessions import evening as sessions
from ingest.store import quarantine, queries
from replay import Verdict
from schemas.languages.numbers import day_text

ALL_HANDS: Final = Chosen(EVERYTHING)
HANDS_LOOKED_FOR: Final = {
    "a bid of 10 or more": HIGH_BID.filters,
    "a contract failed by one": BY_ONE.filters,
    "both": HIGH_BID.filters.also("margin", *BY_ONE.filters.values("margin")),
}
FIRST_HANDS: Final = 5
FIRST_FINDINGS: Final = 2
EVENINGS: Final = 6
MOST_CODES: Final = 10
MOST_REJECTS: Final = 4
FURTHER: Final = (
    ("Which bids are made?", urls.BIDS, "By bid"),
    ("Which bids pay?", urls.BIDS, "Same cards"),
    ("Bid or pass with a hand?", urls.BIDS, "Same cards"),
    ("Where, and to whom, do we lose pedros?", urls.CAPTURE, "Pedros"),
    ("Which point cards get away?", urls.CAPTURE, "Cards"),
    ("How do two games differ?", urls.VARIANTS, "Two games"),
    ("How does the season stand?", urls.EVENINGS, "Season"),
)
"""Questions that other pages answer: what they are called, the page, and the part of it."""
ONE: Final = "about-one"
TWO: Final = "about-two"
"""Keys of the boxes with the people that questions are about."""
Query = dict[str, str | list[str]]


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
    with st.container(key="front-answers"):
        st.subheader("What your hands say")
        st.caption("One answer for each question and game, and how sure it is.")
        show_answers(facts)
    with st.container(horizontal=True, gap="small"):
        for label, page, view in FURTHER:
            query = {urls.VIEW: view, **urls.whose_parameter()}
            st.page_link(page, label=f":blue[{label}]", query_params=query)
    _show_people_questions(facts)
    _show_hand_questions()
    left, right = st.columns(2, gap="large")
    with left, st.container(key="front-news"):
        show_news(facts)
        _show_evenings(facts)
    with right:
        _show_findings(connection, facts)
        _show_verdicts(facts)
        _show_rejects(connection)


def _show_people_questions(facts: DuckDBPyConnection) -> None:
    """Lead to what other pages say of one player, or two, that the viewer chooses."""
    labels = filters.labels_of(facts, "player")
    if len(labels) <= 1:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        player = _chosen_person("About", list(labels), labels, ONE)
        other = _chosen_person("and", [each for each in labels if each != player], labels, TWO)
        name, of_one = labels[player], filters.parameters(ALL_HANDS, player=player)
        asked: tuple[tuple[str, Query], ...] = (
            (f"Best partner for {name}?", {**of_one, urls.VIEW: "Partners"}),
            (f"Is {name} improving?", {**of_one, urls.VIEW: "Over time"}),
            (f"Where does {name} lose points?", {**of_one, urls.VIEW: "Leaks"}),
            (
                f"{name} and {labels[other]} side by side",
                {**of_one, urls.VIEW: "Side by side", urls.WITH: labels[other]},
            ),
        )
        for label, query in asked:
            st.page_link(urls.PLAYERS, label=f":blue[{as_markdown(label)}]", query_params=query)


def _chosen_person(title: str, people: list[str], labels: dict[str, str], key: str) -> str:
    """Let the viewer choose one of the people, and return who it is: at first who plays most."""
    chosen = st.selectbox(title, people, format_func=labels.__getitem__, key=key, width=200)
    return chosen or people[0]


def _summary(totals: dict[str, Any]) -> str:
    played = ""
    if totals["first_day"] is not None:
        played = f" played from {totals['first_day']} to {totals['last_day']}"
        if totals["first_day"] == totals["last_day"]:
            played = f" played on {totals['first_day']}"
    text = f"{counted(totals['hands'], 'hand')}{played}."
    gaps = totals["partial"]
    if not totals["left_out"] and not gaps:
        return f"{text} All are in order, and figures are made of them all."
    says = [f"Figures are made of the {totals['analysed']:,} in order"]
    if gaps:
        says.append(f"{counted(gaps, 'record')} with gaps count where no cards are needed")
    if totals["left_out"]:
        says.append(f"{totals['left_out']:,} {are(totals['left_out'])} left out")
    return f"{text} {'; '.join(says)}."


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


def _show_evenings(facts: DuckDBPyConnection) -> None:
    st.subheader("Last evenings")
    days = snapshot.kept(sessions.evenings, facts).tail(EVENINGS).reverse()
    if days.is_empty():
        st.page_link(urls.HANDS, label="No hand has a day. See all hands")
        return
    rows = [
        (
            Link(day_text(row["day"]), addresses.of_evening(row["day"])),
            row["hands"],
            row["games"],
            row["left_out"],
        )
        for row in days.iter_rows(named=True)
    ]
    heads = ["evening", "hands in order", "games", "left out"]
    show_table(heads, rows, name="Last evenings", whole_rows=True)


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
    rejects = quarantine.codes(connection)
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
    query = {urls.VIEW: urls.UNREADABLE} | urls.whose_parameter()
    st.page_link(urls.AUDIT, label=label, query_params=query)


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
