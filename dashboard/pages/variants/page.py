"""Variants: two games side by side, and one figure of all games, now and over time."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.kit import figures
from tricklog.dashboard.kit.choices import choose_beside, choose_in_box
from tricklog.dashboard.kit.figures import Figure, measured
from tricklog.dashboard.kit.page_parts import refusals_said, show_parts
from tricklog.dashboard.pages.variants.two_games import PARAMETERS, show_two_games
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.metrics import DIMENSION, METRIC, FigureError, dimensions_of, wording
from tricklog.schemas.languages.messages import mark, say

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
    figures.show_chosen_on_paper(facts, chosen)
    parameters.knows(*PARAMETERS)
    parameters.knows(urls.METRIC, OVER)
    if any(map(parameters.is_asked, (urls.METRIC, OVER))) and not parameters.get(urls.VIEW):
        # Only all games have such a figure.
        parameters.put(urls.VIEW, urls.id_of(ALL_GAMES))
    show_parts(
        {
            TWO_GAMES: partial(show_two_games, facts, chosen),
            ALL_GAMES: partial(_show_all_games, facts, chosen),
        }
    )
    figures.show_left_out(facts, chosen)


@refusals_said()
def _show_all_games(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Show one figure for every variant: side by side, by side of the table, and over time."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = choose_in_box(
            say("Figure"),
            urls.METRIC,
            (*SHARES, *AMOUNTS),
            lambda each: wording.title(METRIC[each]),
            width=280,
            help=say("Shares can be compared between games. Points mean something else in each."),
        )
        allowed = {each.name for each in dimensions_of(METRIC[name])}
        offered = [each for each in STEPS if each in allowed]
        step = choose_beside(
            say("Over time by"), OVER, offered, lambda each: wording.title(DIMENSION[each])
        )
    figures.heading(name)
    series, mixed = "side" if name in OF_SIDES else None, False
    try:
        measured(facts, chosen, name)
    except FigureError as error:
        # Filters that it cannot be asked of in one game either raise this once more.
        measured(facts, chosen, name, ("variant",))
        mixed, share = True, AMOUNTS[name]
        st.info(as_markdown(str(error)))
        st.button(
            say("Compare the games by “{figure}” instead", figure=wording.title(METRIC[share])),
            on_click=lambda: st.session_state.update({urls.METRIC: share}),
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


show()
