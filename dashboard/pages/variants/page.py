"""Variants: two games side by side, and one figure of all games, now and over time."""

from __future__ import annotations

from typing import Final, cast

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import asked, bound, urls
from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.kit import figures
from tricklog.dashboard.kit.figures import Figure, measured
from tricklog.dashboard.kit.page_parts import refusals_said
from tricklog.dashboard.pages.variants.two_games import PARAMETERS, show_two_games
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.metrics import DIMENSION, METRIC, FigureError, dimensions_of, wording
from tricklog.schemas.languages.messages import mark, say, translated

TWO_GAMES: Final = mark("Two games")
ALL_GAMES: Final = mark("All games")
SHARES: Final = ("score-share", "margin-share", "made-rate", "win-rate", "points-share", "set-rate")
# Figures in the points of a game, each with the share that can be compared instead.
AMOUNTS: Final = {"score-change": "score-share", "margin": "margin-share", "final-lead": "win-rate"}
OF_SIDES: Final = ("score-share", "points-share", "score-change")
OVER: Final = "over"
STEPS: Final = ("month", "week", "day", "session", "hand-number")


def show() -> None:
    """Show the part of the page that is open."""
    st.header(say("Variants"))
    facts = snapshot.facts()
    chosen = filters.choose(facts)
    figures.show_left_out(facts, chosen)
    asked.takes(*PARAMETERS)
    asked.allows(urls.METRIC, [wording.title(METRIC[each]) for each in (*SHARES, *AMOUNTS)])
    asked.allows(OVER, [wording.title(DIMENSION[each]) for each in STEPS])
    parts = [translated(each) for each in (TWO_GAMES, ALL_GAMES)]
    asked.allows(urls.VIEW, parts)
    _open_part_asked_for()
    first, second = st.tabs(parts, key=urls.VIEW, bind="query-params")
    if first.open:
        with first:
            show_two_games(facts, chosen)
    if second.open:
        with second:
            _show_all_games(facts, chosen)


def _open_part_asked_for() -> None:
    """Open all games for an address without a part that has a figure of theirs."""
    asks = {urls.METRIC, OVER} & set(st.query_params)
    if not asks or urls.VIEW in st.session_state or urls.VIEW in st.query_params:
        return
    st.session_state[urls.VIEW] = translated(ALL_GAMES)
    bound.write(urls.VIEW, [translated(ALL_GAMES)])


@refusals_said()
def _show_all_games(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Show one figure for every variant: side by side, by side of the table, and over time."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox(
            say("Figure"),
            [*SHARES, *AMOUNTS],
            format_func=lambda each: wording.title(METRIC[each]),
            key=urls.METRIC,
            bind="query-params",
            width=280,
            help=say("Shares can be compared between games. Points mean something else in each."),
        )
        allowed = {each.name for each in dimensions_of(METRIC[name])}
        picked = st.segmented_control(
            say("Over time by"),
            [each for each in STEPS if each in allowed],
            format_func=lambda each: wording.title(DIMENSION[each]),
            default=STEPS[0],
            required=True,
            key=OVER,
            bind="query-params",
        )
        step = cast("str | None", picked) or STEPS[0]
    figures.heading(name)
    series = "side" if name in OF_SIDES else None
    mixed = _is_mixed(facts, chosen, name)
    if mixed:
        st.info(as_markdown(mixed))
        st.button(
            say(
                "Compare the games by “{figure}” instead",
                figure=wording.title(METRIC[AMOUNTS[name]]),
            ),
            on_click=_compare_by,
            args=(AMOUNTS[name],),
        )
    else:
        Figure(name, "variant", series=series).show(facts, chosen)
    st.subheader(
        say("By {dimension}", dimension=wording.title(DIMENSION[step])),
        help=say("Each game has a chart of its own. Charts of shares have one scale."),
    )
    over_time = Figure(
        name, step, series=series, separate=True, panels=("variant",), one_scale=not mixed
    )
    over_time.show(facts, chosen)


def _is_mixed(facts: DuckDBPyConnection, chosen: Chosen, name: str) -> str:
    """Return why points of several games do not go into one figure, empty where they may.

    Raises ``FigureError`` for filters that the figure cannot be asked of in one game either.
    """
    try:
        measured(facts, chosen, name)
    except FigureError as error:
        measured(facts, chosen, name, ("variant",))
        return str(error)
    return ""


def _compare_by(share: str) -> None:
    st.session_state[urls.METRIC] = share


show()
