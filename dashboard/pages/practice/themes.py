"""What a player loses by theme, below the questions, with the way to those of each theme."""

from __future__ import annotations

from typing import Any

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.kit import addresses, figures
from tricklog.dashboard.kit.page_parts import need, refusals_said
from tricklog.dashboard.kit.tables import Cell, Link, show_table
from tricklog.dashboard.pages.practice.finding import THEMES, Wanted
from tricklog.ingest.metrics import METRIC
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.theme_costs import cells, heads, theme_costs
from tricklog.ingest.metrics.themes import NO_PAIR
from tricklog.schemas.languages.messages import message, say


@refusals_said()
def show(facts: DuckDBPyConnection, wanted: Wanted) -> None:
    """Show the themes of the game that is chosen, which cost the player most first."""
    filters = Filters.of({"variant": wanted.variant} if wanted.variant else {})
    frame = snapshot.kept(theme_costs, facts, wanted.player, filters)
    need(frame, message("No decision of this player is solved. tricklog solve solves hands."))
    rows = [_row(each, wanted, filters) for each in frame.iter_rows(named=True)]
    show_table(heads(), rows, name=say("What costs most, by theme"))
    st.caption(
        say(
            "With all cards open. Each choice that cost something is of the first theme that fits, "
            "so that points and shares add up. A chance is a decision in which the theme could "
            "have cost something; others are held to the same roles. The name of a theme may give "
            "the answer away."
        )
    )


def _row(row: dict[str, Any], wanted: Wanted, filters: Filters) -> tuple[Cell, ...]:
    name, _, _, share, _, *others = cells(row)
    theme: Cell = name
    if row["times"] and row["theme"] == NO_PAIR.title:
        # To declare is never worse, so that this is no question; there are the hands instead.
        picked = {"player": wanted.player, "theme": row["theme"]}
        cost = METRIC["cost-per-decision"]
        theme = figures.link_to_hands(Chosen(filters), name, cost, picked)
    elif row["times"] and row["theme"] in THEMES:
        address = addresses.of_practice(wanted.player, wanted.variant, row["theme"])
        theme = Link(name, address)
    chances = "–" if row["chances"] is None else row["chances"]
    return theme, row["times"], round(row["lost"]), share, chances, *others
