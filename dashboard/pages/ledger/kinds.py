"""What cards cost by kind of loss, below the ledgers of many hands: how often and how much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.kit import addresses, figures
from tricklog.dashboard.kit.addresses import link_html
from tricklog.dashboard.kit.page_parts import refusals_said
from tricklog.dashboard.kit.tables import Cell, show_table
from tricklog.dashboard.sections.work_panel import solving_button
from tricklog.dashboard.text.escaping import as_html
from tricklog.dashboard.text.labels import loss_words
from tricklog.ingest.metrics import METRIC, can_be_asked
from tricklog.ingest.metrics.figure_words import figure_text
from tricklog.ingest.study.season import Season
from tricklog.schemas.languages.messages import say
from tricklog.schemas.languages.numbers import number

if TYPE_CHECKING:
    import polars as pl

KIND: Final = "loss-kind"
COST: Final = "cost"
_MOST: Final = 5
"""Decisions of a kind that make a list of the dearest, where no more cost the same."""
_OPEN: Final = {"points": "cost-per-decision", "score": "score-cost-per-decision"}
_JUDGED: Final = {"points": "judged-cost-per-decision", "score": "judged-score-cost-per-decision"}


@refusals_said()
def show(facts: DuckDBPyConnection, chosen: Chosen, found: Season) -> None:
    """Show the table for the game of a season, in its unit; say how to get it where it is not."""
    title = say("What cards cost, by kind of loss")
    st.markdown(f"**{title}**")
    metric = METRIC[_OPEN[found.unit]]
    if not can_be_asked(facts, metric):
        st.caption(say("No hand is solved yet."))
        solving_button()
        return
    of_game = chosen.also("variant", found.variant)
    costs = figures.measured(facts, of_game, metric.name, [KIND])
    by_cost = figures.measured(facts, of_game, metric.name, [KIND, COST])
    judged, graded = {}, METRIC[_JUDGED[found.unit]]
    if can_be_asked(facts, graded):
        rows_graded = figures.measured(facts, of_game, graded.name, [KIND]).to_dicts()
        judged = {each[KIND]: each for each in rows_graded}
    dearest = dearest_of(by_cost)

    def link(text: str | int, **values: str) -> Cell:
        return figures.link_to_hands(of_game, text, metric, values)

    def cells(row: dict[str, Any]) -> tuple[Cell, ...]:
        """Return the cells of a kind."""
        kind, hidden, last = row[KIND], judged.get(row[KIND]), dearest.get(row[KIND])
        deepest: Cell = "–"
        if last is not None:
            within = str(last.least) if last.is_all else f"{last.least}.."
            deepest = link(last.words, **{KIND: kind, COST: within})
        return (
            loss_words(kind),
            link(row["n"], **{KIND: kind}),
            round(row["value"] * row["n"]),
            figure_text(metric, row),
            figure_text(graded, hidden) if hidden else "–",
            deepest,
        )

    costly = [each for each in costs.to_dicts() if each[KIND] is not None and each["value"]]
    costly.sort(key=lambda each: (-each["value"] * each["n"], each[KIND]))
    rows = [cells(each) for each in costly]
    if not rows:
        st.caption(say("No decision of these hands cost anything."))
        return
    in_points = found.unit == "points"
    heads = [say("kind"), say("times")]
    heads += [say("points together") if in_points else say("score together")]
    heads += [say("each, cards open"), say("each, cards hidden"), say("the dearest, by points")]
    with st.container(key="ledger-kinds"):
        show_table(heads, rows, name=title)
    st.caption(
        say(
            "Costs are counted as lost, of hands that are solved, with all cards open; in brackets "
            "95 % by games. Cards hidden: of the graded ones, what the player could have known. "
            "The number of times leads to all these hands, what stands under the dearest to those "
            "alone. A kind says what was done, and not that anybody could know better."
        )
    )
    players = chosen.filters.values("player")
    if len(players) == 1:
        there = addresses.of_practice(players[0], found.variant)
        st.html(f"<p>{link_html(there, as_html(say('Practise the ten dearest')))}</p>")


class Dearest(NamedTuple):
    """The decisions of a kind that cost most."""

    least: int
    """What each of them cost, or more, in card points."""
    times: int
    is_all: bool
    """Whether all of them cost just that."""

    @property
    def words(self) -> str:
        """How many they are, and what they cost."""
        values = {"times": number(self.times), "cost": self.least}
        more = say("{times} cost {cost} or more", **values)
        return say("{times} cost {cost}", **values) if self.is_all else more


def dearest_of(costs: pl.DataFrame) -> dict[str, Dearest]:
    """Return the dearest decisions of each kind: some five, or all that cost the most.

    ``costs`` is a figure by kind of loss and cost.
    """
    steps: dict[str, list[tuple[int, int]]] = {}
    for row in costs.sort(COST, descending=True, nulls_last=True).to_dicts():
        if row[KIND] is not None and row[COST]:
            steps.setdefault(row[KIND], []).append((int(row[COST]), row["n"]))
    return {kind: _dearest(each) for kind, each in steps.items()}


def _dearest(steps: Sequence[tuple[int, int]]) -> Dearest:
    """Return the dearest of one kind; ``steps`` are costs and how often, from the highest down."""
    least, times = steps[0]
    taken = 1
    for cost, often in steps[1:]:
        # All of them together are no dearest ones.
        if times + often > _MOST or taken + 1 == len(steps):
            break
        least, times, taken = cost, times + often, taken + 1
    return Dearest(least, times, taken == 1)
