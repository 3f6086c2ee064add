"""Contracts that makers chose: which bids are made with what and which pay, and by how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import parameters
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.kit import figures
from tricklog.dashboard.kit.addresses import link_html
from tricklog.dashboard.kit.charts import IntervalChart
from tricklog.dashboard.kit.choices import TABLE, at_table, choose_beside, choose_table, table_words
from tricklog.dashboard.kit.drawing import title_html
from tricklog.dashboard.kit.figure_page import Question
from tricklog.dashboard.kit.heat_map import show_heat_map
from tricklog.dashboard.kit.margin_bars import show_each_game
from tricklog.dashboard.kit.page_parts import need, refusals_said
from tricklog.dashboard.kit.tables import Cell, in_columns, show_table
from tricklog.dashboard.text.escaping import as_html, as_markdown
from tricklog.ingest.metrics import bid_map, metric_named
from tricklog.ingest.metrics.bid_map import BidMap, Group
from tricklog.ingest.metrics.field import Table
from tricklog.ingest.metrics.figure_words import figure_text, interval_text
from tricklog.ingest.metrics.intervals import FEWEST_GAMES_OF_AMOUNTS
from tricklog.ingest.metrics.measuring import kinds_of_tables
from tricklog.schemas.actions import MAX_BID, bid_name
from tricklog.schemas.languages.messages import mark, message, say, say_counted, say_in, translated
from tricklog.schemas.languages.numbers import number, percent

HOLDING: Final = "holding"
"""Parameter and key: what the rows of the map are."""
MOST_TOLD: Final = 3
FEWEST: Final = 10
"""Contracts below which a cell says only how many there are."""
_HELD: Final = {"trumps-held": mark("trumps held"), "points-held": mark("points held")}
_METRIC: Final = metric_named(bid_map.CHOSEN)
_CELL: Final = 44
_TALL: Final = 130
"""Heights in pixels, of a cell of the map and of the scores below it."""
_LEFT: Final = 74
"""Pixels for the labels of holdings and scores, the same in both charts of the same bids."""


@refusals_said()
def _show_made(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Show in a sentence which bids pay, the map, the scores below it, and all numbers."""
    figures.heading(bid_map.CHOSEN, MADE_MAP.title)
    parameters.knows(TABLE, HOLDING)
    tables = snapshot.kept(kinds_of_tables, facts, _METRIC, chosen.filters)
    nobody = message(
        "No hand matches in which a maker chose to bid. Remove a filter, or load more logs."
    )
    need(tables, nobody)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        table = choose_table(tables)
        holding = choose_beside(
            say("by bid and"), HOLDING, _HELD, lambda each: translated(_HELD[each])
        )
    of_table = at_table(chosen, table)
    filters, least = of_table.filters, chosen.minimum
    found = snapshot.kept(bid_map.bid_map, facts, filters, holding, minimum=least)
    st.markdown(paying_sentence(found, chosen.minimum))
    _show_map(of_table, found, holding, table_words(table))


MADE_MAP: Final = Question(
    "bids-and-holdings", message("Which bids are made, and which pay?"), _show_made
)
"""The part of the page that lays bids beside holdings."""


# --- The answer first


def paying_sentence(found: BidMap, minimum: int) -> str:
    """Return in markdown which bids pay, which cost, and which cannot be told yet."""
    rows = found.scores.filter("enough").to_dicts()
    if not rows:
        return say(
            "There are too few contracts of any bid to say whether it pays: it takes {minimum} in "
            "{games} games.",
            minimum=number(minimum),
            games=FEWEST_GAMES_OF_AMOUNTS,
        )
    # Bids that follow each other, and of which the same is said, stand together.
    runs: dict[str, list[str]] = {"pay": [], "cost": [], "open": []}
    kinds = ["open" if not row["named"] else "pay" if row["value"] > 0 else "cost" for row in rows]
    steps = [row["bid"] - place for place, row in enumerate(rows)]
    for (kind, _), run in groupby(zip(kinds, steps, rows, strict=True), itemgetter(0, 1)):
        runs[kind].append(_run_words(found, [row for *_, row in run]))
    pay, cost, unsure = (", ".join(told) for told in runs.values())
    said = {
        "pay": message("**Bids that pay:** {bids}.", bids=pay),
        "cost": message("**Bids that cost:** {bids}.", bids=cost),
        "open": message(
            "Whether these bids pay is not sure yet, with all bids compared: {bids}.", bids=unsure
        ),
    }
    return " ".join(str(said[kind]) for kind, told in runs.items() if told)


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
    words, bid = translated(_HELD[holding]), say_in("a heading", "bid")
    made = say_in("contracts", "made")
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
    cells = [_cell(found, row) for row in found.cells.to_dicts()]
    picked = show_heat_map(
        pl.DataFrame(cells, schema=_CELLS),
        across=bids,
        along=[group_words(each) for each in reversed(found.holdings)],
        cell=_CELL,
        tooltip={"across": bid, "along": words, "said": made},
        picks=["bid_key", "held_key"],
        key=f"made-{holding}-{title}",
        said=say(
            "Contracts made by bid and {holding}; the table below has all numbers", holding=words
        ),
        left=_LEFT,
    )

    def behind(cell: dict[str, Any]) -> dict[str, str]:
        return {"bid": cell["bid_key"], holding: cell["held_key"], "role": "maker"}

    def hands(cell: dict[str, Any]) -> Cell:
        return figures.link_to_hands(chosen, cell["n"], _METRIC, behind(cell))

    if picked:
        figures.go_to_hands(chosen, _METRIC, behind(picked))
    scores = found.scores.filter("enough")
    if not scores.is_empty():
        of_scores = [found.bids[each] for each in scores["bid"]]
        picked = IntervalChart(
            title=say("Do these bids pay?"),
            category=bid,
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
        ).show(
            scores.with_columns(
                pl.Series("label", map(group_words, of_scores)),
                pl.Series("key", map(str, of_scores)),
                pl.col("value", "low", "high").cast(pl.Float64),
            ),
            key=f"pays-{title}",
        )
        if picked:
            figures.go_to_hands(chosen, _METRIC, {"bid": picked["key"]})
    st.caption(_left_out(found))
    contracts = say("contracts")
    with st.expander(say("The figures, and the hands behind each")):
        show_table(
            *in_columns(
                cells, (bid, "across"), (words, "along"), (made, "made"), (contracts, hands)
            ),
            name=say("Contracts made by bid and {holding}", holding=words),
        )
        show_table(
            *in_columns(
                found.scores.to_dicts(),
                (bid, lambda row: group_words(found.bids[row["bid"]])),
                (
                    say("score a contract, 95 % interval"),
                    lambda row: (
                        interval_text(row, _signed) if row["enough"] else say("too few games")
                    ),
                ),
                (contracts, "n"),
            ),
            name=say("Score a contract by bid"),
        )


def _left_out(found: BidMap) -> str:
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
    **dict.fromkeys(
        ("across", "along", "large", "small", "said", "bid_key", "held_key"), pl.String
    ),
    "share": pl.Float64,
    "framed": pl.Boolean,
}


def _cell(found: BidMap, row: dict[str, Any]) -> dict[str, Any]:
    bid, held, n = found.bids[row["bid"]], found.holdings[row["held"]], row["n"]
    share = row["made"] / n if n >= FEWEST else None
    return {
        "across": group_words(bid),
        "along": group_words(held),
        "large": "" if share is None else number(100 * share),
        "made": say("too few") if share is None else percent(share),
        "small": say("of {number}", number=number(n)),
        "said": say_counted(
            "{made} of {count} contract", "{made} of {count} contracts", n, made=number(row["made"])
        ),
        "bid_key": str(bid),
        "held_key": str(held),
        "share": share,
        "framed": False,
        "n": n,
    }


# --- Margins


@refusals_said()
def _show_margins(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Show a chart for each kind of table, and how often one point was missing."""
    reading = say("Pale bars on the left were set. A click on a bar leads to its hands.")
    figures.heading("margin", MARGINS.title, reading)
    found = snapshot.kept(bid_map.margins, facts, chosen.filters)
    by_one = snapshot.kept(bid_map.by_one, facts, chosen.filters, chosen.minimum)
    need(found)
    missed = {Table(row["variant"], row["seating"]): row for row in by_one.to_dicts()}
    kinds = found.select("variant", "seating").unique(maintain_order=True)
    tables = [Table(*row) for row in kinds.rows()]
    st.markdown(by_one_sentence([(table_words(each), missed.get(each)) for each in tables]))

    def by_one_html(table: Table, of_table: Chosen) -> str:
        """Return how often one point was missing, which leads to these hands."""
        row = missed.get(table)
        if row is None:
            return ""
        text = figure_text(bid_map.BY_ONE, row, cases=False)
        hands = figures.hands_behind(of_table, _METRIC, {"margin": "-1", "result": "set"})
        return link_html(hands, as_html(say("set by exactly one: {figure}", figure=text)))

    along, behind = say("points over the need"), (_METRIC, "margin")
    show_each_game(chosen, found, along=along, behind=behind, more=by_one_html)


MARGINS: Final = Question(
    "margins", message("By how much were contracts made or set?"), _show_margins
)
"""The part of the page that shows how far contracts ended from the need."""


def by_one_sentence(missed: Sequence[tuple[str, Mapping[str, Any] | None]]) -> str:
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
