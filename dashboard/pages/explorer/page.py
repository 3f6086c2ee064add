"""Explorer: any figure by any dimension, coloured by another, over any hands."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.kit import exports, figures
from tricklog.dashboard.kit.choices import choose_in_box
from tricklog.dashboard.kit.figures import Figure
from tricklog.dashboard.text.questions import QUESTIONS
from tricklog.ingest.metrics import (
    DIMENSION,
    FigureError,
    Metric,
    dimensions_of,
    known_metrics,
    wording,
)
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

    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = choose_in_box(say("Figure"), urls.METRIC, listed, titled, width=300)
        metric = known[name]
        offered = [each.name for each in dimensions_of(metric)]
        offered.sort(key=lambda each: each != "player")
        by = _dimension(
            say_in("above a choice of a dimension", "by"), urls.BY, offered, needed=True
        )
        others = [each for each in offered if each != by]
        also = _dimension(say("and, by colour,"), urls.AND, others, needed=False)
    every = metric.every_verdict or chosen.filters.every_verdict
    figures.show_chosen_on_paper(facts, chosen)
    assert by is not None
    with place:
        _offer_questions(name, by, also)
    figure = Figure(name, by, series=also, order=_order(by))
    left, right = st.columns([3, 1], gap="large")
    with left:
        figures.heading(name)
        figure.show(facts, chosen)
    with right:
        _show_definition(metric, by, also)
        _offer_file(figure, facts, chosen)
    figures.show_left_out(
        facts, replace(chosen, filters=replace(chosen.filters, every_verdict=every))
    )


def _offer_questions(name: str, by: str, also: str | None) -> None:
    """Offer questions in plain words, the one that is answered chosen."""
    shown = next((e for e in QUESTIONS if (e.metric, e.by, e.also) == (name, by, also)), None)
    st.session_state[_QUESTION] = shown
    st.selectbox(
        say("Ask a question"),
        QUESTIONS,
        index=None,
        format_func=lambda question: translated(question.text),
        placeholder=say("Whose contracts are set? Where do we lose pedros?"),
        key=_QUESTION,
        on_change=_answer,
        width=360,
    )


def _answer() -> None:
    question = st.session_state[_QUESTION]
    if question:
        st.session_state[urls.METRIC] = question.metric
        st.session_state[urls.BY] = question.by
        st.session_state[urls.AND] = question.also


def _dimension(label: str, key: str, offered: list[str], *, needed: bool) -> str | None:
    """Offer dimensions, the first of which is the usual one where one is needed."""
    default = parameters.FIRST if needed else None
    return st.selectbox(
        label,
        offered,
        index=0 if needed else None,
        format_func=_words,
        placeholder=say("nothing else"),
        key=parameters.choice(key, offered, _words, default=default),
        width=230,
    )


def _words(name: str) -> str:
    return wording.title(DIMENSION[name])


def _order(by: str) -> Literal["own", "value"]:
    ordered = DIMENSION[by].ordered or by == "variant"
    return "own" if ordered else "value"


def _show_definition(metric: Metric, by: str, also: str | None) -> None:
    st.markdown(say("**What this is**"))
    figures.show_pairs(
        [
            (say("counted"), wording.numerator(metric)),
            (say("out of (n)"), wording.denominator(metric)),
            (say("unit"), wording.unit(metric)),
            *(
                (wording.title(DIMENSION[each]), wording.sentence(DIMENSION[each]))
                for each in (by, also)
                if each
            ),
        ]
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
