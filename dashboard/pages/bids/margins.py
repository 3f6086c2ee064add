"""By how much contracts were made or set: bars on both sides of the line for each game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.kit import figures
from tricklog.dashboard.kit.addresses import link_html
from tricklog.dashboard.kit.choices import table_words
from tricklog.dashboard.kit.figure_page import Question
from tricklog.dashboard.kit.margin_bars import show_each_game
from tricklog.dashboard.kit.page_parts import need, refusals_said
from tricklog.dashboard.text.escaping import as_html, as_markdown
from tricklog.ingest.metrics import bid_map, metric_named
from tricklog.ingest.metrics.field import Table
from tricklog.ingest.metrics.figure_words import figure_text, too_few
from tricklog.schemas.languages.messages import message, say
from tricklog.schemas.languages.numbers import number

MOST_TOLD: Final = 3
_METRIC: Final = metric_named(bid_map.CHOSEN)


@refusals_said()
def _show(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Show a chart for each kind of table, and how often one point was missing."""
    reading = say("Pale bars on the left were set. A click on a bar leads to its hands.")
    figures.heading("margin", MARGINS.title, reading)
    found = snapshot.kept(bid_map.margins, facts, chosen.filters)
    by_one = snapshot.kept(bid_map.by_one, facts, chosen.filters, chosen.minimum)
    need(found)
    missed = {Table(row["variant"], row["seating"]): row for row in by_one.to_dicts()}
    kinds = found.select("variant", "seating").unique(maintain_order=True)
    tables = [Table(*row) for row in kinds.rows()]
    st.markdown(sentence([(table_words(each), missed.get(each)) for each in tables]))

    def by_one_html(table: Table, of_table: Chosen) -> str:
        """Return how often one point was missing, which leads to these hands."""
        row = missed.get(table)
        if row is None:
            return ""
        text = figure_text(bid_map.BY_ONE, row, cases=False)
        if not row["enough"]:
            text = too_few(bid_map.BY_ONE, row)
        values = {"margin": "-1", "result": "set"}
        link = figures.link_to_hands(of_table, "", _METRIC, values)
        return link_html(link.address, as_html(say("set by exactly one: {figure}", figure=text)))

    along, behind = say("points over the need"), (_METRIC, "margin")
    show_each_game(chosen, found, along=along, behind=behind, more=by_one_html)


MARGINS: Final = Question("margins", message("By how much were contracts made or set?"), _show)
"""The part of the page that shows how far contracts ended from the need."""


def sentence(missed: Sequence[tuple[str, Mapping[str, Any] | None]]) -> str:
    """Return in markdown how often exactly one point was missing in the games played most.

    ``missed`` has the names of games and their rows of ``bid_map.by_one``.
    """
    told = [
        say(
            "**{value}** ({low} to {high}) in {game}",
            game=as_markdown(name),
            **{each: number(100 * row[each]) for each in ("value", "low", "high")},
        )
        for name, row in missed
        if row and row["enough"]
    ]
    if not told:
        return say("There are too few contracts to say how often exactly one point was missing.")
    return say(
        "Of 100 contracts exactly one point was missing in {games}.",
        games="; ".join(told[:MOST_TOLD]),
    )
