"""Variants: how the games compare in shares, now and over time."""

from __future__ import annotations

from typing import Final, cast

import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard import asked, figures, filters, snapshot, urls
from dashboard.escaping import as_markdown
from dashboard.figures import Figure, measured
from dashboard.filters import Chosen
from ingest.metrics import DIMENSION, METRIC, FigureError, dimensions_of

SHARES: Final = ("score-share", "margin-share", "made-rate", "win-rate", "points-share", "set-rate")
# Figures in the points of a game, each with the share that can be compared instead.
AMOUNTS: Final = {"score-change": "score-share", "margin": "margin-share", "final-lead": "win-rate"}
OF_SIDES: Final = ("score-share", "points-share", "score-change")
OVER: Final = "over"
STEPS: Final = ("month", "week", "day", "session", "hand-number")


def show() -> None:
    """Show one figure for every variant: side by side, by side of the table, and over time."""
    st.header("Variants")
    facts = snapshot.facts()
    chosen = filters.choose(facts)
    figures.show_left_out(facts, chosen)
    asked.allows(urls.METRIC, [METRIC[each].title for each in (*SHARES, *AMOUNTS)])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox(
            "Figure",
            [*SHARES, *AMOUNTS],
            format_func=lambda each: METRIC[each].title,
            key=urls.METRIC,
            bind="query-params",
            width=280,
            help="Shares can be compared between games. Points mean something else in each.",
        )
        allowed = {each.name for each in dimensions_of(METRIC[name])}
        steps = [each for each in STEPS if each in allowed]
        asked.allows(OVER, [DIMENSION[each].title for each in steps])
        picked = st.segmented_control(
            "Over time by",
            steps,
            format_func=lambda each: DIMENSION[each].title,
            default=STEPS[0],
            required=True,
            key=OVER,
            bind="query-params",
        )
        step = cast("str | None", picked) or STEPS[0]
    figures.heading(name)
    series = "side" if name in OF_SIDES else None
    refused = _refused(facts, chosen, name)
    if not refused:
        Figure(name, "variant", series=series).show(facts, chosen)
    st.subheader(
        f"By {DIMENSION[step].title}",
        help="Each game has a chart of its own. Charts of shares have one scale.",
    )
    over_time = Figure(
        name, step, series=series, separate=True, panels=("variant",), one_scale=not refused
    )
    over_time.show(facts, chosen)


def _refused(facts: DuckDBPyConnection, chosen: Chosen, name: str) -> bool:
    """Say why points of several games do not go into one figure, and which share does."""
    try:
        measured(facts, chosen, name)
    except FigureError as error:
        st.info(as_markdown(str(error)))
        st.button(
            f"Compare the games by “{METRIC[AMOUNTS[name]].title}” instead",
            on_click=_compare_by,
            args=(AMOUNTS[name],),
        )
        return True
    return False


def _compare_by(share: str) -> None:
    st.session_state[urls.METRIC] = share


show()
