"""Which bids are made with which holding, and which of them pay, at one kind of table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import parameters
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.kit import figures
from tricklog.dashboard.kit.charts import IntervalChart
from tricklog.dashboard.kit.choices import choose_beside
from tricklog.dashboard.kit.drawing import title_html
from tricklog.dashboard.kit.heat_map import show_heat_map
from tricklog.dashboard.kit.one_table import TABLE, at_table, choose_table, table_words
from tricklog.dashboard.kit.page_parts import need, refusals_said
from tricklog.dashboard.kit.tables import Cell, show_table
from tricklog.ingest.metrics import bid_map, metric_named
from tricklog.ingest.metrics.bid_map import BidMap, Group
from tricklog.ingest.metrics.figure_words import between_text
from tricklog.ingest.metrics.intervals import FEWEST_GAMES_OF_AMOUNTS
from tricklog.ingest.metrics.measuring import kinds_of_tables
from tricklog.schemas.actions import MAX_BID, bid_name
from tricklog.schemas.languages.messages import (
    mark,
    message,
    message_of,
    say,
    say_counted,
    say_in,
    translated,
)
from tricklog.schemas.languages.numbers import number, percent

HOLDING: Final = "holding"
"""Parameter and key: what the rows of the map are."""
FEWEST: Final = 10
"""Contracts below which a cell says only how many there are."""
_HELD: Final[dict[Literal["trumps-held", "points-held"], str]] = {
    "trumps-held": mark("trumps held"),
    "points-held": mark("points held"),
}
_METRIC: Final = metric_named(bid_map.CHOSEN)
_CELL: Final = 44
_TALL: Final = 130
"""Heights in pixels, of a cell of the map and of the scores below it."""
_LEFT: Final = 74
"""Pixels for the labels of holdings and scores, the same in both charts of the same bids."""


class _Link(NamedTuple):
    """What the hands of a cell are found by."""

    bid: str
    held: str | None

    def values(self, holding: str) -> dict[str, str]:
        """Return values of dimensions."""
        held = {} if self.held is None else {holding: self.held, "role": "maker"}
        return {"bid": self.bid, **held}


class MadeMap:
    """The part of a page that lays bids beside holdings."""

    name = "bids-and-holdings"

    @property
    def asks(self) -> str:
        """The question, in the language of the page."""
        return say("Which bids are made, and which pay?")

    @refusals_said()
    def show(self, facts: DuckDBPyConnection, chosen: Chosen) -> None:
        """Show in a sentence which bids pay, the map, the scores below it, and all numbers."""
        figures.heading(bid_map.CHOSEN, self.asks)
        parameters.knows(TABLE, HOLDING)
        tables = snapshot.kept(kinds_of_tables, facts, _METRIC, chosen.filters)
        nobody = message(
            "No hand matches in which a maker chose to bid. Remove a filter, or load more logs."
        )
        need(tables, nobody)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            table = choose_table(tables)
            holding = choose_beside(say("by bid and"), HOLDING, _HELD, _held_words)
        of_table = at_table(chosen, table)
        found = snapshot.kept(
            bid_map.bid_map, facts, of_table.filters, holding, minimum=chosen.minimum
        )
        st.markdown(sentence(found, chosen.minimum))
        _show_map(of_table, found, holding, table_words(table))


def _held_words(holding: Literal["trumps-held", "points-held"]) -> str:
    return translated(_HELD[holding])


# --- The answer first


def sentence(found: BidMap, minimum: int) -> str:
    """Return in markdown which bids pay, which cost, and which cannot be told yet."""
    rows = found.scores.filter("enough").to_dicts()
    if not rows:
        return say(
            "There are too few contracts of any bid to say whether it pays: it takes {minimum} in "
            "{games} games.",
            minimum=number(minimum),
            games=FEWEST_GAMES_OF_AMOUNTS,
        )
    said = []
    for kind, template in _KINDS.items():
        runs = [_run_words(found, run) for run in _runs(rows) if _kind(run[0]) == kind]
        if runs:
            said.append(str(message_of(template, {"bids": ", ".join(runs)})))
    return " ".join(said)


def _runs(rows: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Return rows of bids that follow each other and of which the same is said, together."""
    runs: list[list[Mapping[str, Any]]] = []
    for row in rows:
        last = runs[-1][-1] if runs else None
        if last and row["bid"] == last["bid"] + 1 and _kind(row) == _kind(last):
            runs[-1].append(row)
        else:
            runs.append([row])
    return runs


_KINDS: Final = {
    "pay": mark("**Bids that pay:** {bids}."),
    "cost": mark("**Bids that cost:** {bids}."),
    "open": mark("Whether these bids pay is not sure yet, with all bids compared: {bids}."),
}


def _kind(row: Mapping[str, Any]) -> str:
    if not row["named"]:
        return "open"
    return "pay" if row["value"] > 0 else "cost"


def _run_words(found: BidMap, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a run of bids, with what one brings, or the least and the most of several."""
    bids = [found.bids[row["bid"]] for row in rows]
    if len(rows) == 1:
        (row,) = rows
        return say(
            "{bid} ({value} a contract, {low} to {high})",
            bid=group_words(bids[0]),
            **{name: _signed(row[name]) for name in ("value", "low", "high")},
        )
    values = sorted(row["value"] for row in rows)
    named = say("{least} to {most}", least=group_words(bids[0]), most=group_words(bids[-1]))
    if all(each.most <= MAX_BID for each in bids):
        named = group_words(Group(bids[0].least, bids[-1].most))
    return say(
        "{bids} (means from {low} to {high} a contract)",
        bids=named,
        low=_signed(values[0]),
        high=_signed(values[-1]),
    )


def group_words(group: Group) -> str:
    """Return what a group of bids or holdings is called: ``30–31``, ``7``."""
    least, most = (
        bid_name(each) if each > MAX_BID else number(each) for each in (group.least, group.most)
    )
    return least if least == most else f"{least}–{most}"


def _signed(value: float, digits: int = 1) -> str:
    return number(value, digits, sign=True)


# --- Map and scores


def _show_map(chosen: Chosen, found: BidMap, holding: str, title: str) -> None:
    words = translated(_HELD["points-held" if holding == "points-held" else "trumps-held"])
    bids = [group_words(each) for each in found.bids]
    n = int(found.cells["n"].sum())
    said = say(
        "{game}: {holding} before any exchange (down) by bid (across); {contracts}, fewer than "
        "{fewest} in a cell stay uncoloured. A click leads to the hands.",
        game=title,
        holding=words,
        contracts=say_counted("{count} contract", "{count} contracts", n),
        fewest=FEWEST,
    )
    st.html(title_html(say("Contracts made out of 100"), said))
    picked = show_heat_map(
        pl.DataFrame(list(_cells(found)), schema=_CELLS),
        across=bids,
        along=[group_words(each) for each in reversed(found.holdings)],
        cell=_CELL,
        tooltip={
            "across": say_in("a heading", "bid"),
            "along": words,
            "said": say_in("contracts", "made"),
        },
        picks=["bid_key", "held_key"],
        key=f"made-{holding}-{title}",
        said=say(
            "Contracts made by bid and {holding}; the table below has all numbers", holding=words
        ),
        left=_LEFT,
    )
    if picked:
        link = _Link(picked["bid_key"], picked["held_key"])
        figures.go_to_hands(chosen, _METRIC, link.values(holding))
    scores = pl.DataFrame(list(_scores(found)), schema=_SCORES)
    if not scores.is_empty():
        picked = IntervalChart(
            title=say("Do these bids pay?"),
            category=say_in("a heading", "bid"),
            measure=say(
                "score a contract: what the hand added to the makers’ score, less what it added to "
                "the others’; 95 % interval"
            ),
            percent=False,
            along="x",
            order=tuple(bids),
            signed=True,
            tall=_TALL,
            left=_LEFT,
            written=True,
        ).show(scores, key=f"pays-{title}")
        if picked:
            figures.go_to_hands(chosen, _METRIC, _Link(picked["key"], None).values(holding))
    st.caption(_left_out(found))
    _show_figures(chosen, found, holding, words)


def _show_figures(chosen: Chosen, found: BidMap, holding: str, words: str) -> None:
    bid = say_in("a heading", "bid")
    with st.expander(say("The figures, and the hands behind each")):
        show_table(
            [bid, words, say_in("contracts", "made"), say("contracts")],
            _table_rows(chosen, found, holding),
            name=say("Contracts made by bid and {holding}", holding=words),
        )
        show_table(
            [bid, say("score a contract, 95 % interval"), say("contracts")],
            [
                [
                    group_words(found.bids[row["bid"]]),
                    _interval(row) if row["enough"] else say("too few games"),
                    row["n"],
                ]
                for row in found.scores.iter_rows(named=True)
            ],
            name=say("Score a contract by bid"),
        )


def _interval(row: Mapping[str, Any]) -> str:
    return between_text(*(_signed(row[name]) for name in ("value", "low", "high")))


def _left_out(found: BidMap) -> str:
    """Return what the map does not count."""
    if not found.unknown:
        if not found.forced:
            return say("Nobody had to bid in these hands.")
        return say_counted(
            "Left out: {count} bid that the last to speak had to make.",
            "Left out: {count} bids that the last to speak had to make.",
            found.forced,
        )
    unknown = say_counted(
        "{count} contract of which the maker’s cards are not all recorded",
        "{count} contracts of which the maker’s cards are not all recorded",
        found.unknown,
    )
    if not found.forced:
        return say("Nobody had to bid in these hands; {unknown}.", unknown=unknown)
    return say_counted(
        "Left out: {count} bid that the last to speak had to make; {unknown}.",
        "Left out: {count} bids that the last to speak had to make; {unknown}.",
        found.forced,
        unknown=unknown,
    )


_CELLS: Final = {
    **dict.fromkeys(("across", "along", "large", "small", "said", "bid_key"), pl.String),
    "held_key": pl.String,
    "share": pl.Float64,
    "framed": pl.Boolean,
}
_SCORES: Final = {
    **dict.fromkeys(("label", "key"), pl.String),
    **dict.fromkeys(("value", "low", "high"), pl.Float64),
    "n": pl.Int64,
    "enough": pl.Boolean,
}


def _cells(found: BidMap) -> Iterator[dict[str, Any]]:
    for row in found.cells.iter_rows(named=True):
        bid, held = found.bids[row["bid"]], found.holdings[row["held"]]
        value, known = row["made"] / row["n"], row["n"] >= FEWEST
        yield {
            "across": group_words(bid),
            "along": group_words(held),
            "large": number(100 * value) if known else "",
            "small": say("of {number}", number=number(row["n"])),
            "said": say_counted(
                "{made} of {count} contract",
                "{made} of {count} contracts",
                row["n"],
                made=number(row["made"]),
            ),
            "bid_key": str(bid),
            "held_key": str(held),
            "share": value if known else None,
            "framed": False,
        }


def _scores(found: BidMap) -> Iterator[dict[str, Any]]:
    for row in found.scores.filter("enough").iter_rows(named=True):
        bid = found.bids[row["bid"]]
        names = ("value", "low", "high", "n", "enough")
        yield {"label": group_words(bid), "key": str(bid), **{name: row[name] for name in names}}


def _table_rows(chosen: Chosen, found: BidMap, holding: str) -> Sequence[Sequence[Cell]]:
    rows: list[list[Cell]] = []
    for row in found.cells.iter_rows(named=True):
        bid, held = found.bids[row["bid"]], found.holdings[row["held"]]
        values = _Link(str(bid), str(held)).values(holding)
        made = percent(row["made"] / row["n"]) if row["n"] >= FEWEST else say("too few")
        link = figures.link_to_hands(chosen, row["n"], _METRIC, values)
        rows.append([group_words(bid), group_words(held), made, link])
    return rows
