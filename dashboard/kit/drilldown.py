"""The hands behind a figure, or of one load: which the URL asks for, and the same in words."""

from __future__ import annotations

from typing import Final, TypedDict
from urllib.parse import parse_qs

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit.choices import choose_beside
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.dashboard.text.labels import chosen_words
from tricklog.ingest.metrics import DIMENSION, Kind, Metric, known_metrics, listings, wording
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.query import Cases, Which
from tricklog.ingest.store import loads
from tricklog.schemas.languages.messages import either, message_in, say
from tricklog.schemas.languages.numbers import number, plain_day, short_day
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
    return known_metrics().get(parameters.get(urls.FIGURE))


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
            which = choose_beside(
                say("Which of them"), urls.WHICH, [*Which], _CASES.__getitem__, hides_label=True
            )
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
    for name in (urls.FIGURE, urls.CAME_FROM, urls.WHICH):
        parameters.put(name)


def _show_way_back() -> None:
    page, is_told, query = parameters.get(urls.CAME_FROM).partition("?")
    if is_told and page in urls.PAGES and urls.PAGES[page].figures:
        st.page_link(
            urls.PAGES[page].file,
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


def choose_load() -> int | None:
    """Return the load that the address asks for, and offer to see all again; nothing without one.

    A load that does not exist is reported and passed over.
    """
    parameters.knows(urls.LOAD)
    text = parameters.get(urls.LOAD)
    if not text:
        return None
    connection = snapshot.connection()
    load = int(text) if parameters.is_digits(text) else 0
    found = loads.told(connection, load) if load else None
    if found is None:
        parameters.allows_if(urls.LOAD, lambda _: False)
        return None
    when = found["loaded_at"]
    st.button(
        say(
            "Load of {day} {year}, {time} UTC: {hands} ✕",
            day=short_day(when),
            year=when.year,
            time=f"{when:%H:%M}",
            hands=hands_counted(found["accepted"]),
        ),
        key="one-load",
        help=say("Only what this load brought is shown. Take it away to see everything."),
        on_click=parameters.put,
        args=(urls.LOAD,),
    )
    return load
