"""The hands behind a figure: which figure the URL asks for, and the same in words."""

from __future__ import annotations

from typing import TypedDict
from urllib.parse import parse_qs

import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard import asked, filters, urls
from dashboard.escaping import as_markdown
from dashboard.filters import Chosen
from dashboard.labels import chosen_words, counted
from ingest.metrics import DIMENSION, Kind, Metric, known_metrics
from ingest.metrics.filters import Filters
from ingest.metrics.query import Cases, Which
from ingest.store import queries


class Wanted(TypedDict):
    """What hands are found by beside the filters, for ``queries.hand_list``."""

    code: str | None
    text: str | None
    load: int | None


def metric_asked_for() -> Metric | None:
    """Return the metric whose hands the URL asks for, ``None`` for hands of any kind."""
    return known_metrics().get(st.query_params.get(urls.FIGURE, ""))


def choose_cases(
    facts: DuckDBPyConnection, chosen: Chosen, metric: Metric, wanted: Wanted
) -> Cases:
    """Say which figure the hands are behind, let the viewer choose among them, and return them.

    ``wanted`` is what else narrows the list down. Raises ``FigureError`` when the figure cannot be
    filtered like that.
    """
    words = [metric.title, *filter_words(facts, chosen.filters)]
    st.markdown(f"Hands behind: **{as_markdown(', '.join(words))}**")
    with st.container(horizontal=True, vertical_alignment="center"):
        which = Which.ALL
        if metric.kind == Kind.SHARE:
            asked.allows(urls.WHICH, [each.value for each in Which])
            picked = st.segmented_control(
                "Which of them",
                [each.value for each in Which],
                default=Which.ALL.value,
                required=True,
                key=urls.WHICH,
                bind="query-params",
                label_visibility="collapsed",
            )
            which = Which(picked or Which.ALL)
        st.button("Show every hand", type="tertiary", on_click=_forget_figure)
        _show_way_back()
    if metric.kind == Kind.SHARE:
        counts = {
            each: queries.hand_count(facts, chosen.filters, cases=Cases(metric, each), **wanted)
            for each in Which
        }
        st.caption(
            f"{counted(counts[Which.ALL], 'hand')}: {counts[Which.COUNTED]:,} counted "
            f"({metric.numerator}), {counts[Which.OTHERS]:,} others. Out of: {metric.denominator}."
        )
    else:
        st.caption(f"Counted: {metric.numerator}. Out of: {metric.denominator}.")
    return Cases(metric, which)


def _forget_figure() -> None:
    for name in (urls.FIGURE, urls.CAME_FROM):
        st.query_params.pop(name, None)
    st.session_state[urls.WHICH] = Which.ALL.value


def _show_way_back() -> None:
    """Offer the way back to the page on which the viewer clicked on the figure."""
    page, is_told, query = st.query_params.get(urls.CAME_FROM, "").partition("?")
    if is_told and page in urls.PAGES:
        st.page_link(
            urls.PAGES[page],
            label=":blue[Back to the figure]",
            query_params=parse_qs(query, errors="replace"),
        )


def filter_words(facts: DuckDBPyConnection, chosen: Filters) -> list[str]:
    """Return what filters let through, each in the words of the filter bar: ``Ann``, ``bid 9``."""
    words = []
    for name, values in chosen.chosen:
        of_numbers = DIMENSION[name].is_number
        labels = {} if of_numbers else filters.labels_of(facts, name)
        listed = " or ".join(labels.get(value) or chosen_words(name, value) for value in values)
        told = name in ("variant", "player", "verdict")
        words.append(listed if told else f"{DIMENSION[name].title} {listed}")
    if chosen.since:
        words.append(f"from {chosen.since}")
    if chosen.until:
        words.append(f"to {chosen.until}")
    return words
