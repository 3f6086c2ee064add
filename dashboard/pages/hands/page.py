"""Hands: every stored hand, found by anything it was; a click leads to its replay."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import addresses, drilldown, exports, figures
from tricklog.dashboard.kit.choices import choose_in_box, choose_or_not, find_text
from tricklog.dashboard.kit.drilldown import Wanted, choose_load, filter_words
from tricklog.dashboard.kit.figures import games_played
from tricklog.dashboard.kit.page_parts import first_row, offer_parts, refusals_said
from tricklog.dashboard.kit.tables import show_table
from tricklog.dashboard.pages.hands.hand_table import ORDERS, as_file, as_table
from tricklog.dashboard.sections.marks_panel import show_bulk
from tricklog.dashboard.text.escaping import as_html, as_markdown
from tricklog.dashboard.text.labels import title_of
from tricklog.dashboard.text.questions import HandQuestion, hand_questions
from tricklog.ingest.metrics import FigureError, known_metrics, listings
from tricklog.ingest.metrics.listings import Order
from tricklog.ingest.metrics.standings import not_countable
from tricklog.schemas.languages.messages import say
from tricklog.schemas.languages.numbers import number
from tricklog.schemas.words import hands_counted

PAGE: Final = 50
_ASKED: Final = "looked-for"


@refusals_said()
def show() -> None:
    """Show the list, filtered as the URL says."""
    st.header(say("Hands"))
    facts = snapshot.facts()
    parameters.knows("find", urls.CAME_FROM, urls.WHICH, urls.PART)
    figures.show_metric_problems()
    parameters.allows(urls.FIGURE, known_metrics())
    chosen = filters.choose(facts)
    _offer_questions(facts, chosen)
    load = choose_load()
    wanted, order = _choose_more(facts, load)
    metric = drilldown.metric_asked_for()
    # A metric of one's own may be one that the rows show to be wrong.
    for problem in snapshot.kept(not_countable, facts, [metric] if metric else []).values():
        raise FigureError(problem)
    cases = drilldown.choose_cases(facts, chosen, metric, wanted) if metric else None
    _show_list(facts, chosen, {**wanted, "cases": cases}, order)


def _offer_questions(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Offer hands that people look for, several at once; those that are asked for are chosen."""
    offered = hand_questions(chosen.filters.values("variant") or games_played(facts)["variant"])
    asked = [each for each in offered if each.is_asked(chosen.filters)]
    st.session_state[_ASKED] = asked
    st.pills(
        say("Look for"),
        offered,
        selection_mode="multi",
        format_func=lambda question: str(question.text),
        key=_ASKED,
        on_change=_ask,
        args=(facts, asked),
    )


def _ask(facts: DuckDBPyConnection, before: list[HandQuestion]) -> None:
    picked = st.session_state[_ASKED]
    for question in before:
        if question not in picked:
            for name, _ in question.filters.chosen:
                filters.put(facts, name, ())
    # Those that stay may share a filter with one that goes, and the last one asked decides.
    for question in sorted(picked, key=lambda each: each not in before):
        for name, values in question.filters.chosen:
            filters.put(facts, name, values)
    st.session_state[urls.PART] = 1


def _choose_more(facts: DuckDBPyConnection, load: int | None) -> tuple[Wanted, Order]:
    """Show what hands are found by beside the filters, and in which order; return both.

    They are for ``listings.hand_list``.
    """
    codes = labels_of(facts, "code")
    left, right = st.columns([2, 3])
    with left:
        text = find_text()
    # The style sheet hides these two on a phone, as it does the filters.
    with right, st.container(horizontal=True, key="hands-more"):
        every = say("With or without findings")
        code = choose_or_not(say("Finding"), "finding", codes, title_of, every)
        order = choose_in_box(
            say("In this order"),
            urls.SORT,
            ORDERS,
            ORDERS.__getitem__,
            on_change=lambda: st.session_state.update({urls.PART: 1}),
            help=say(
                "The margin is what the makers took beyond what they needed; points are theirs. "
                "Hands without a contract come last."
            ),
        )
    return {"code": code, "text": text or None, "load": load}, order


def _show_list(
    facts: DuckDBPyConnection, chosen: Chosen, wanted: dict[str, Any], order: Order
) -> None:
    total = snapshot.kept(listings.hand_count, facts, chosen.filters, **wanted)
    if not total:
        st.info(say("No hand matches. Remove a filter, or look for less."))
        return
    part = {"limit": PAGE, "offset": first_row(total, PAGE), "order": order}
    rows = snapshot.kept(listings.hand_list, facts, chosen.filters, **wanted, **part)
    words = "" if wanted["cases"] else ", ".join(filter_words(facts, chosen.filters))
    values = {"hands": hands_counted(total), "filters": as_markdown(words)}
    said = say("{hands}. Click a row to replay the hand.", **values)
    if words:
        said = say("{hands}: {filters}. Click a row to replay the hand.", **values)
    titles, most = snapshot.titles(), exports.MOST_ROWS
    given = {**wanted, "order": order, "limit": most}

    def as_csv() -> bytes:
        return as_file(listings.hand_list(facts, chosen.filters, **given), titles)

    label = say("Save as CSV")
    if total > most:
        label = say("Save the first {rows} as {kind}", rows=number(most), kind="CSV")
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        st.caption(said, width="content")
        with st.container(key="hands-file", width="content", horizontal=True):
            show_bulk(partial(listings.hashes_behind, facts, chosen.filters, **wanted), total)
            st.download_button(
                label, as_csv, "hands.csv", exports.CSV, key="hands-csv", on_click="ignore"
            )
    show_table(*as_table(rows, titles, order), name=say("Hands"), whole_rows=True)
    offer_parts(total, PAGE)
    same = as_html(say("Deals played at several tables"))
    st.html(addresses.link_html(addresses.of(urls.SAME_DEAL_PATH), same))


show()
