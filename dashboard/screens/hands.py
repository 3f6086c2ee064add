"""Hands: every stored hand, found by what it was; a click leads to its replay."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
import streamlit as st

from dashboard import filters, links, snapshot
from dashboard.words import counted, title_of
from ingest import listings, metrics
from replay import Verdict
from schemas.cards import SUIT_GLYPHS, SUITS
from schemas.show import clean

PAGE: Final = 50
_GLYPHS: Final = dict(zip(SUITS, SUIT_GLYPHS, strict=True))


def show() -> None:
    """Show the list, filtered as the URL says."""
    connection = snapshot.connection()
    st.header("Hands")
    chosen = filters.choose(connection)
    codes = metrics.measure(connection, "findings-by-code")["code"].unique().sort().to_list()
    left, middle, right = st.columns(3)
    verdict = left.selectbox(
        "Verdict",
        [each.value for each in Verdict],
        index=None,
        placeholder="Every verdict",
        key="verdict",
        bind="query-params",
    )
    code = middle.selectbox(
        "Finding",
        codes,
        index=None,
        format_func=title_of,
        placeholder="With or without findings",
        key="finding",
        bind="query-params",
    )
    text = right.text_input(
        "Name of the hand or game", key="find", bind="query-params", placeholder="Any part of it"
    )
    place = st.container()
    wanted: dict[str, Any] = {"verdict": verdict, "code": code, "text": text or None, "limit": PAGE}
    page = max(1, links.number_of(links.PART, 1))
    rows = listings.hand_list(connection, chosen, **wanted, offset=(page - 1) * PAGE)
    if rows.is_empty() and page > 1:
        st.session_state[links.PART] = 1
        rows = listings.hand_list(connection, chosen, **wanted)
    total = rows["total"][0] if len(rows) else 0
    place.caption(f"{counted(total, 'hand')}. Click a row to replay the hand.")
    if rows.is_empty():
        st.info("No hand is like that. Take a filter away.")
        return
    titles = filters.variant_titles(connection)
    shown = pl.DataFrame([_row(row, titles) for row in rows.iter_rows(named=True)])
    state: Any = st.dataframe(
        shown,
        key="hand-list",
        on_select="rerun",
        selection_mode="single-cell",
        hide_index=True,
        height="content",
        column_config={"Day": st.column_config.DateColumn(format="YYYY-MM-DD")},
        alt="Hands",
    )
    if state.selection.cells:
        place_of_row = state.selection.cells[0][0]
        st.switch_page(links.STEPS, query_params=links.to_step(rows["id"][place_of_row]))
    if total > PAGE:
        st.pagination(-(-total // PAGE), key=links.PART, bind="query-params")


def _row(row: dict[str, Any], titles: dict[str, str]) -> dict[str, Any]:
    players = [clean(name) for name in row["players"]]
    maker = "" if row["maker"] is None else players[row["maker"]]
    return {
        "Hand": clean(row["id"]),
        "Verdict": row["verdict"],
        "Findings": ", ".join(title_of(code) for code in row["codes"]),
        "Maker": maker,
        "Bid": _contract(row),
        "Result": "" if row["result"] is None else title_of(row["result"]),
        "Points": " : ".join(str(points) for points in row["points"] or ()),
        "Day": row["day"],
        "Variant": titles[row["variant"]],
        "Players": ", ".join(players),
    }


def _contract(row: dict[str, Any]) -> str:
    """Return what was undertaken: ``9 ♥ (forced)``, ``no bid, ♠``, ``all tricks alone``."""
    if row["maker"] is None:
        return ""
    if row["alone"]:
        return "all tricks alone"
    suit, _, turned = (row["trump"] or "").partition("-")
    trump = f"{_GLYPHS.get(suit, suit)} {turned}".strip()
    if row["no_contract"]:
        return f"no bid, {trump}"
    return f"{row['bid']} {trump}{' (forced)' if row['forced'] else ''}"


show()
