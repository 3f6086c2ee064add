"""Auctions held against par: how far bids were from what sides could make, and what was passed."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard import bid_charts, figures, snapshot
from dashboard.bid_charts import MarginContent
from dashboard.escaping import as_html, as_markdown
from dashboard.figure_page import Topic
from dashboard.figures import MOST_CHARTS, Figure
from dashboard.filters import Chosen
from dashboard.labels import counted
from dashboard.margin_bars import bars
from dashboard.one_table import at_table, table_words
from dashboard.palette import palette
from dashboard.tables import Cell, show_table
from ingest.metrics import METRIC, FigureError, can_be_asked, par_held
from ingest.metrics.field import Table
from ingest.metrics.par_held import Held, WithoutOne

_BIDS: Final = METRIC[par_held.BIDS]
_TITLE: Final = "bid above par"
_ABOVE: Final = 1
"""The least bid above par, which stands right of the line."""
_SPLIT: Final = (
    ("the play", "set-by-play"),
    ("the bid", "set-by-bid"),
    ("the cards that came", "set-by-cards"),
)
_MOST_REASONS: Final = 4

_TOPICS: Final = (
    Topic(
        "bid-over-par-share",
        Figure("bid-over-par-share", "player", order="value"),
        "Who bids above par, and who below?",
        "Right of zero more was bid than the side makes on half of the stocks; left of it less.",
    ),
    Topic(
        "overbids",
        Figure("overbids", "player", order="value"),
        "Who bids what no play makes?",
    ),
    Topic(
        "set-by-play",
        Figure("set-by-play", "variant", versions=_SPLIT, title="Contracts set, by what set them"),
        "What sets contracts?",
        "By the play: best play makes it with the cards as they lay. By the bid: it was above par, "
        "and no play makes it. By the cards that came: it was not, and they did not let it.",
    ),
    Topic(
        "left-to-others",
        Figure("left-to-others", "player", order="value"),
        "Who leaves contracts to the others?",
    ),
    Topic(
        "passed-could-make",
        Figure("passed-could-make", "trumps-held", separate=True),
        "With which hands is a contract passed?",
        "By the trumps of the player in the suit they would best have named.",
    ),
    Topic(
        "passed-out-makeable",
        Figure(
            "passed-out-makeable",
            "variant",
            nothing="No deal was passed out in these hands: in some games somebody has to bid.",
        ),
        "Which deals passed out could be made?",
    ),
)


class AgainstPar:
    """The part of the page on bidding that holds bids against what could be made."""

    def show(self, facts: DuckDBPyConnection, chosen: Chosen) -> None:
        """Show the answer, bids less par at each kind of table, and who is how far from it."""
        st.subheader("Do bids stay within what the cards make?")
        st.caption(
            "Par of a side is the highest number that it makes on at least half of the stocks, "
            "when all play as well as can be with all cards open. A stock is the cards that nobody "
            "had at the bidding, shuffled once more. Nobody at the table saw all cards: it "
            f"measures bids, and reproaches nobody. {_definitions()}"
        )
        if not can_be_asked(facts, _BIDS):
            show_how_to_ask()
            return
        try:
            found = snapshot.kept(par_held.held, facts, chosen.filters)
            show_held(found, found.without_par)
            st.markdown(_sentence(facts, chosen))
            _show_bars(facts, chosen)
        except FigureError as error:
            st.info(as_markdown(str(error)))
            return
        for topic in _TOPICS:
            topic.show(facts, chosen)


def _definitions() -> str:
    return figures.definition_link(_BIDS.name)


def show_how_to_ask() -> None:
    """Say that no auction was held against par yet, and how that is done."""
    name = snapshot.warehouse().name
    st.info(
        "No auction here has been held against par yet. It takes a tenth of a second to a second a "
        "hand, so begin with ten minutes; the newest hands come first, and the next run goes on."
    )
    st.code(f"tricklog solve --par --budget 10m --db {shlex.quote(name)}", language="sh")


def show_held(found: Held, without: Sequence[WithoutOne]) -> None:
    """Say how many hands were held against par, and which ones have none and why."""
    text = f"Held against par: {found.held:,} of {counted(found.hands, 'hand')}."
    if without:
        titles = snapshot.titles()
        told = "; ".join(
            f"{counted(each.hands, 'hand')} of {titles.get(each.variant, each.variant)}, as "
            f"{each.reason}"
            for each in without[:_MOST_REASONS]
        )
        more = len(without) - _MOST_REASONS
        text += f" Left out: {told}{f'; and {more} other reasons' if more > 0 else ''}."
    if found.held + sum(each.hands for each in without) < found.hands:
        text += " The others are not held against par yet."
    st.caption(as_markdown(text))


def _sentence(facts: DuckDBPyConnection, chosen: Chosen) -> str:
    """Return in markdown how often bids were above par, how often beyond all play, and what set."""
    rows = {
        name: figures.measured(facts, chosen, name)
        for name in (par_held.BIDS, "overbids", *(name for _, name in _SPLIT))
    }
    return sentence(
        {name: each.row(0, named=True) if len(each) else None for name, each in rows.items()}
    )


def sentence(rows: Mapping[str, Mapping[str, Any] | None]) -> str:
    """Return the answer in markdown from the rows of figures by their names."""
    above, beyond = rows[par_held.BIDS], rows["overbids"]
    if above is None:
        return "In these hands nobody chose to bid a contract that was held against par."
    if not above["enough"] or beyond is None:
        return f"There are too few games to say it yet: {counted(above['n'], 'contract')} so far."
    told = (
        f"Of 100 contracts {_in_100(above)} were bid above what the side makes on half of the "
        f"stocks, and {_in_100(beyond)} at a number that no play makes on any."
    )
    split = [(words, rows[name]) for words, name in _SPLIT]
    if all(row and row["enough"] for _, row in split):
        by = [f"{_in_100(row)} by {words}" for words, row in split if row]
        told += f" Of 100 that were set, {', '.join(by[:-1])} and {by[-1]}."
    return f"{told} Over {counted(above['n'], 'contract')}; in brackets 95 %."


def _in_100(row: Mapping[str, Any]) -> str:
    return f"**{100 * row['value']:.0f}** ({100 * row['low']:.0f} to {100 * row['high']:.0f})"


def _show_bars(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    st.markdown("**How far were bids from par?**")
    st.caption(
        "Right of the line bids were above par: more than the side makes on half of the stocks. "
        "At 0 they were at par, further left points were left to bid. Neither end is good: who "
        "bids too high is set, who bids too low leaves contracts to the others. Pale bars were "
        "set. A click on a bar leads to its hands."
    )
    found = snapshot.kept(par_held.bid_over_par, facts, chosen.filters)
    if found.is_empty():
        figures.show_nothing("Nobody chose to bid in these hands.")
        return
    parts = found.partition_by("variant", "seating", maintain_order=True)
    if len(parts) > MOST_CHARTS:
        st.caption(
            f"The {MOST_CHARTS} of {len(parts)} with the most contracts. Choose a variant above to "
            "see the others."
        )
    shown = parts[:MOST_CHARTS]
    for start in range(0, len(shown), 2):
        places = st.columns(2, gap="medium") if len(shown) > 1 else [st.container()]
        for place, part in zip(places, shown[start : start + 2], strict=False):
            with place:
                table = Table(*part.select("variant", "seating").row(0))
                _show_table_of(facts, at_table(chosen, table), table, part)


def _show_table_of(
    facts: DuckDBPyConnection, chosen: Chosen, table: Table, found: pl.DataFrame
) -> None:
    title, whole = table_words(table), int(found["n"].sum())
    rows = bars(found, _ABOVE)
    st.html(
        f'<p class="tl-chart-title"><b>{as_html(title)}</b><span>share of '
        f"{counted(whole, 'contract')}</span></p>"
    )
    colours = palette()
    picked = bid_charts.MARGINS.show(
        rows,
        None,
        MarginContent(
            colours.one,
            colours.ink,
            [min(-2.5, *rows["start"]), max(2.5, *rows["end"])],
            _TITLE,
            _ABOVE - 0.5,
        ),
        key=f"par-{table.variant}-{table.seating}",
        said=f"{title}: contracts by points bid above par; the table below has all numbers",
    )
    if picked:
        figures.go_to_hands(chosen, _BIDS, behind(picked))
    with st.expander("The figures, and the hands behind each"):
        show_table(
            [_TITLE, "outcome", "share of contracts", "contracts"],
            [_table_row(facts, chosen, row) for row in rows.iter_rows(named=True)],
            name=f"{title}: contracts by points bid above par",
        )


def behind(row: Mapping[str, str]) -> dict[str, str]:
    """Return the values of dimensions that a bar stands for."""
    return {"over-par": row["margin_key"], "result": row["result_key"]}


def _table_row(facts: DuckDBPyConnection, chosen: Chosen, row: Mapping[str, Any]) -> list[Cell]:
    return [
        row["margin"],
        row["result"],
        f"{100 * row['share']:.1f} %",
        figures.link_to_hands(facts, chosen, row["n"], _BIDS, behind(row)),
    ]
