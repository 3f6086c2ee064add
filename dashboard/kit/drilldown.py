"""The hands behind a figure: which figure the URL asks for, and the same in words."""

from __future__ import annotations

from typing import Final, TypedDict
from urllib.parse import parse_qs

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import asked, urls
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.dashboard.text.labels import chosen_words
from tricklog.ingest.metrics import DIMENSION, Kind, Metric, known_metrics, listings, wording
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.query import Cases, Which
from tricklog.schemas.languages.messages import either, message_in, say
from tricklog.schemas.languages.numbers import number, plain_day
from tricklog.schemas.words import hands_counted

_CASES: Final = {
    Which.ALL: message_in("cases of a figure", "all"),
    Which.COUNTED: message_in("cases of a figure", "counted"),
    Which.OTHERS: message_in("cases of a figure", "others"),
}


class Wanted(TypedDict):
    """What hands are found by beside the filters, for ``listings.hand_list``."""

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
    words = [wording.title(metric), *filter_words(facts, chosen.filters)]
    st.markdown(say("Hands behind: **{figure}**", figure=as_markdown(", ".join(words))))
    with st.container(horizontal=True, vertical_alignment="center"):
        which = Which.ALL
        if metric.kind == Kind.SHARE:
            asked.allows(urls.WHICH, [str(_CASES[each]) for each in Which])
            picked = st.segmented_control(
                say("Which of them"),
                [each.value for each in Which],
                format_func=lambda each: str(_CASES[Which(each)]),
                default=Which.ALL.value,
                required=True,
                key=urls.WHICH,
                bind="query-params",
                label_visibility="collapsed",
            )
            which = Which(picked or Which.ALL)
        st.button(say("Show every hand"), type="tertiary", on_click=_forget_figure)
        _show_way_back()
    if metric.kind == Kind.SHARE:
        counts = {
            each: listings.hand_count(facts, chosen.filters, cases=Cases(metric, each), **wanted)
            for each in Which
        }
        st.caption(
            say(
                "{hands}: {counted} counted ({what}), {others} others. Out of: {cases}.",
                hands=hands_counted(counts[Which.ALL]),
                counted=number(counts[Which.COUNTED]),
                what=wording.numerator(metric),
                others=number(counts[Which.OTHERS]),
                cases=wording.denominator(metric),
            )
        )
    else:
        st.caption(
            say(
                "Counted: {what}. Out of: {cases}.",
                what=wording.numerator(metric),
                cases=wording.denominator(metric),
            )
        )
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
            label=say(":blue[Back to the figure]"),
            query_params=parse_qs(query, errors="replace"),
        )


def filter_words(facts: DuckDBPyConnection, chosen: Filters) -> list[str]:
    """Return what filters let through, each in the words of the filter bar: ``Ann``, ``bid 9``."""
    words = []
    for name, values in chosen.chosen:
        of_numbers = DIMENSION[name].is_number
        labels = {} if of_numbers else labels_of(facts, name)
        listed = either(
            [labels.get(value) or chosen_words(name, value) for value in values], commas=False
        )
        told = name in ("variant", "player", "verdict")
        words.append(str(listed) if told else f"{wording.title(DIMENSION[name])} {listed}")
    if chosen.since:
        words.append(say("from {day}", day=plain_day(chosen.since)))
    if chosen.until:
        words.append(say("to {day}", day=plain_day(chosen.until)))
    return words
