"""Hands: every stored hand, found by anything it was; a click leads to its replay."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard import asked, drilldown, exports, filters, snapshot, urls
from dashboard.drilldown import Wanted
from dashboard.escaping import as_markdown
from dashboard.filters import Chosen
from dashboard.hand_table import as_file, as_table
from dashboard.labels import counted, title_of
from dashboard.tables import show_table
from ingest.metrics import METRIC, FigureError
from ingest.store import queries

PAGE: Final = 50


def show() -> None:
    """Show the list, filtered as the URL says."""
    st.header("Hands")
    facts = snapshot.facts()
    asked.takes("find", urls.CAME_FROM, urls.WHICH)
    asked.allows(urls.FIGURE, METRIC)
    asked.allows_if(urls.PART, asked.is_digits)
    chosen = filters.choose(facts)
    wanted = _choose_more(facts)
    metric = drilldown.metric_asked_for()
    try:
        cases = drilldown.choose_cases(facts, chosen, metric, wanted) if metric else None
        _show_list(facts, chosen, {**wanted, "cases": cases})
    except FigureError as error:
        st.info(as_markdown(str(error)))


def _choose_more(facts: DuckDBPyConnection) -> Wanted:
    """Show what hands are found by beside the filters, and return it for ``listings.hand_list``."""
    codes = filters.labels_of(facts, "code")
    asked.allows("finding", map(title_of, codes))
    left, right = st.columns(2)
    text = left.text_input(
        "Find",
        key="find",
        bind="query-params",
        placeholder="Hand, game, player or day (2026-11-20)",
    )
    code = right.selectbox(
        "Finding",
        list(codes),
        index=None,
        format_func=title_of,
        placeholder="With or without findings",
        key="finding",
        bind="query-params",
    )
    return {"code": code, "text": text.strip() or None}


def _show_list(facts: DuckDBPyConnection, chosen: Chosen, wanted: dict[str, Any]) -> None:
    total = snapshot.kept(queries.hand_count, facts, chosen.filters, **wanted)
    if not total:
        st.info("No hand matches. Remove a filter, or look for less.")
        return
    last = -(-total // PAGE)
    page = max(1, urls.number_of(urls.PART, 1))
    if page > last:
        page = st.session_state[urls.PART] = 1
    part = {"limit": PAGE, "offset": (page - 1) * PAGE}
    rows = snapshot.kept(queries.hand_list, facts, chosen.filters, **wanted, **part)
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        st.caption(f"{counted(total, 'hand')}. Click a row to replay the hand.", width="content")
        _offer_file(facts, chosen, wanted, total)
    show_table(*as_table(rows, snapshot.titles()), name="Hands", whole_rows=True)
    if last > 1:
        st.pagination(last, key=urls.PART, bind="query-params")


def _offer_file(
    facts: DuckDBPyConnection, chosen: Chosen, wanted: dict[str, Any], total: int
) -> None:
    label = "Save as CSV"
    if total > exports.MOST_ROWS:
        label = f"Save the latest {exports.MOST_ROWS:,} as CSV"
    st.download_button(
        label,
        partial(_file, facts, chosen, wanted, snapshot.titles()),
        "hands.csv",
        exports.CSV,
        key="hands-csv",
        on_click="ignore",
    )


def _file(
    facts: DuckDBPyConnection, chosen: Chosen, wanted: dict[str, Any], titles: dict[str, str]
) -> bytes:
    rows = queries.hand_list(facts, chosen.filters, **wanted, limit=exports.MOST_ROWS)
    return as_file(rows, titles)


show()
