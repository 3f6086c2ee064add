"""What cards cost by kind of loss, below the ledgers of many hands: how often and how much."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard import figures
from dashboard.escaping import as_markdown
from dashboard.filters import Chosen
from dashboard.labels import value_words
from dashboard.tables import Cell, Lines, show_table
from ingest.metrics import METRIC, FigureError, can_be_asked
from ingest.study.season import Season

if TYPE_CHECKING:
    import polars as pl

KIND: Final = "loss-kind"
_OPEN: Final = {"points": "cost-per-decision", "score": "score-cost-per-decision"}
_JUDGED: Final = {"points": "judged-cost-per-decision", "score": "judged-score-cost-per-decision"}


def show(facts: DuckDBPyConnection, chosen: Chosen, found: Season) -> None:
    """Show the table for the game of a season, in its unit; say how to get it where it is not."""
    st.markdown("**What cards cost, by kind of loss**")
    metric = METRIC[_OPEN[found.unit]]
    if not can_be_asked(facts, metric):
        st.caption("No hand is solved yet: `tricklog solve` does it.")
        return
    of_game = replace(chosen, filters=chosen.filters.also("variant", found.variant))
    try:
        costs = figures.measured(facts, of_game, metric.name, [KIND])
        judged = _judged(facts, of_game, found.unit)
    except FigureError as error:
        st.caption(as_markdown(str(error)))
        return
    rows = [
        _row(facts, of_game, found.unit, each, judged.get(each[KIND]))
        for each in dearest_first(costs)
    ]
    if not rows:
        st.caption("No decision of these hands cost anything.")
        return
    heads = ["kind", "times", f"{found.unit} together", "each, cards open", "each, cards hidden"]
    show_table(
        [*heads, f"kind, {found.unit} together and each"],
        rows,
        name="What cards cost, by kind of loss",
        for_phones=1,
    )
    st.caption(
        "Costs are counted as lost, of hands that are solved, with all cards open; in brackets "
        "95 % by games. Cards hidden: of the graded ones, what the player could have known. The "
        "number of times leads to the hands. A kind says what was done, and not that anybody "
        "could know better."
    )


def dearest_first(costs: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a figure by kind of loss that cost something, dearest together first."""
    rows = [each for each in costs.to_dicts() if each[KIND] is not None and each["value"]]
    return sorted(rows, key=lambda each: (-each["value"] * each["n"], each[KIND]))


def _judged(facts: DuckDBPyConnection, chosen: Chosen, unit: str) -> dict[str, dict[str, Any]]:
    metric = METRIC[_JUDGED[unit]]
    if not can_be_asked(facts, metric):
        return {}
    found = figures.measured(facts, chosen, metric.name, [KIND])
    return {each[KIND]: each for each in found.to_dicts()}


def _row(
    facts: DuckDBPyConnection,
    chosen: Chosen,
    unit: str,
    row: dict[str, Any],
    judged: dict[str, Any] | None,
) -> tuple[Cell, ...]:
    kind = value_words(KIND, row[KIND])
    together = f"{row['value'] * row['n']:,.0f}"
    times = figures.link_to_hands(
        facts, chosen, f"{row['n']:,}", METRIC[_OPEN[unit]], {KIND: row[KIND]}
    )
    each, hidden = mean_words(row), mean_words(judged) if judged else "–"
    phone = Lines((f"{kind}: {row['n']:,} times", f"{together} together, {each} each"))
    return kind, times, together, each, hidden, phone


def mean_words(row: dict[str, Any]) -> str:
    """Return a mean with its interval, or with its number where games are too few for one."""
    text = f"{row['value']:.1f}".replace("-", "−")
    if not row["enough"] or row["low"] is None:
        return f"{text} (n {row['n']:,}, too few games)"
    ends = f"{row['low']:.1f} to {row['high']:.1f}".replace("-", "−")
    return f"{text} ({ends})"
