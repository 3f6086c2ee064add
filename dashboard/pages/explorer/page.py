"""Explorer: any figure by any dimension, coloured by another, over any hands."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import urls
from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.kit import exports, figures
from tricklog.dashboard.kit.choices import choose_in_box, choose_or_not
from tricklog.dashboard.kit.figures import Figure
from tricklog.dashboard.text.questions import QUESTIONS
from tricklog.ingest.metrics import DIMENSION, FigureError, dimensions_of, known_metrics, wording
from tricklog.schemas.languages.messages import say, say_in, translated

USUAL: Final = "made-rate"
_QUESTION: Final = "explorer-question"


def show() -> None:
    """Show questions, the choice of figure and dimensions, the figure and its file."""
    st.header(say("Explorer"))
    facts = snapshot.facts()
    figures.show_metric_problems()
    known = known_metrics()
    listed = sorted(known, key=lambda each: each != USUAL)
    chosen = filters.choose(facts)
    place = st.container()

    def titled(name: str) -> str:
        return wording.title(known[name])

    def words(name: str) -> str:
        return wording.title(DIMENSION[name])

    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = choose_in_box(say("Figure"), urls.METRIC, listed, titled, width=300)
        metric = known[name]
        offered = [each.name for each in dimensions_of(metric)]
        # The first is the usual one.
        offered.sort(key=lambda each: each != "player")
        called = say_in("above a choice of a dimension", "by")
        by = choose_in_box(called, urls.BY, offered, words, width=230)
        others = [each for each in offered if each != by]
        coloured = say("and, by colour,")
        also = choose_or_not(coloured, urls.AND, others, words, say("nothing else"), width=230)
    figures.show_chosen_on_paper(facts, chosen)
    with place:
        _offer_questions(name, by, also)
    is_own = DIMENSION[by].ordered or by == "variant"
    figure = Figure(name, by, series=also, order="own" if is_own else "value")
    left, right = st.columns([3, 1], gap="large")
    with left:
        figures.heading(name)
        figure.show(facts, chosen)
    with right:
        st.markdown(say("**What this is**"))
        defined = [DIMENSION[each] for each in (by, also) if each]
        figures.show_pairs(
            [
                (say("counted"), wording.numerator(metric)),
                (say("out of (n)"), wording.denominator(metric)),
                (say("unit"), wording.unit(metric)),
                *((wording.title(each), wording.sentence(each)) for each in defined),
            ]
        )
        _offer_file(figure, facts, chosen)
    every = metric.every_verdict or chosen.filters.every_verdict
    made_of = replace(chosen.filters, every_verdict=every)
    figures.show_left_out(facts, replace(chosen, filters=made_of))


def _offer_questions(name: str, by: str, also: str | None) -> None:
    """Offer questions in plain words, the one that is answered chosen."""
    shown = next((e for e in QUESTIONS if (e.metric, e.by, e.also) == (name, by, also)), None)
    st.session_state[_QUESTION] = shown

    def answer() -> None:
        if question := st.session_state[_QUESTION]:
            st.session_state[urls.METRIC] = question.metric
            st.session_state[urls.BY] = question.by
            st.session_state[urls.AND] = question.also

    st.selectbox(
        say("Ask a question"),
        QUESTIONS,
        index=None,
        format_func=lambda question: translated(question.text),
        placeholder=say("Whose contracts are set? Where do we lose pedros?"),
        key=_QUESTION,
        on_change=answer,
        width=360,
    )


def _offer_file(figure: Figure, facts: DuckDBPyConnection, chosen: Chosen) -> None:
    try:
        frame = figure.measured(facts, chosen)
    except FigureError:
        return
    parts = [figure.metric, "by", figure.by, *(["and", figure.series] if figure.series else [])]
    st.download_button(
        say("Save as CSV"),
        lambda: exports.as_csv(frame.columns, frame.iter_rows()),
        f"{'-'.join(parts)}.csv",
        exports.CSV,
        on_click="ignore",
        help=say("All rows, also those the chart has no room for."),
    )


show()
