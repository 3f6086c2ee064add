"""Explorer: any figure by any dimension, coloured by another, over any hands."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard import export, figures, filters, links, snapshot
from dashboard.figures import Figure
from dashboard.filters import Chosen
from dashboard.questions import QUESTIONS
from ingest.metrics import DIMENSION, METRIC, FigureError, Metric, dimensions_of


def show() -> None:
    """Show questions, the choice of figure and dimensions, the figure and its file."""
    st.header("Explorer")
    facts = snapshot.facts()
    chosen = filters.choose(facts)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _show_questions(facts, chosen)
        name = st.selectbox(
            "Figure",
            list(METRIC),
            index=list(METRIC).index("made-rate"),
            format_func=lambda each: METRIC[each].title,
            key=links.METRIC,
            bind="query-params",
            width=300,
        )
        metric = METRIC[name]
        offered = [each.name for each in dimensions_of(metric)]
        by = _dimension("by", links.BY, offered, "player")
        others = [each for each in offered if each != by]
        also = _dimension("and, by colour,", links.AND, others, None)
    every = metric.every_verdict or chosen.filters.every_verdict
    figures.show_left_out(
        facts, replace(chosen, filters=replace(chosen.filters, every_verdict=every))
    )
    assert by is not None
    figure = Figure(name, by, series=also, order=_order(by))
    left, right = st.columns([3, 1], gap="large")
    with left:
        figures.heading(name)
        figure.show(facts, chosen)
    with right:
        _show_definition(metric, by, also)
        _offer_file(figure, facts, chosen)


def _show_questions(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Offer questions in plain words; each is a link that keeps the filters."""
    kept = filters.parameters(facts, chosen)
    with st.popover("Ask a question", type="primary"):
        for heading, questions in QUESTIONS.items():
            st.markdown(f"**{heading}**")
            for question in questions:
                query = {
                    links.METRIC: [METRIC[question.metric].title],
                    links.BY: [DIMENSION[question.by].title],
                }
                if question.also:
                    query[links.AND] = [DIMENSION[question.also].title]
                st.page_link(links.EXPLORER, label=question.text, query_params=kept | query)


def _dimension(label: str, key: str, offered: list[str], usual: str | None) -> str | None:
    if st.session_state.get(key) not in (None, *offered):
        del st.session_state[key]
    return st.selectbox(
        label,
        offered,
        index=offered.index(usual) if usual else None,
        format_func=lambda each: DIMENSION[each].title,
        placeholder="nothing else",
        key=key,
        bind="query-params",
        width=230,
    )


def _order(by: str) -> Literal["own", "value"]:
    ordered = DIMENSION[by].ordered or by == "variant"
    return "own" if ordered else "value"


def _show_definition(metric: Metric, by: str, also: str | None) -> None:
    st.markdown("**What this is**")
    figures.show_pairs(
        [
            ("counted", metric.numerator),
            ("out of (n)", metric.denominator),
            ("unit", metric.unit),
            *((DIMENSION[each].title, DIMENSION[each].sentence) for each in (by, also) if each),
        ]
    )


def _offer_file(figure: Figure, facts: DuckDBPyConnection, chosen: Chosen) -> None:
    try:
        frame = figure.measured(facts, chosen)
    except FigureError:
        return
    parts = [figure.metric, "by", figure.by, *(["and", figure.series] if figure.series else [])]
    st.download_button(
        "Save as CSV",
        lambda: export.csv_of(frame),
        file_name=f"{'-'.join(parts)}.csv",
        mime="text/csv",
        on_click="ignore",
        help="All rows, also those the chart has no room for.",
    )


show()
