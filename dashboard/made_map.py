"""Which bids are made with which holding, and which of them pay, at one kind of table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard import asked, bid_charts, figures, snapshot
from dashboard.bid_charts import MadeContent, ScoreContent
from dashboard.escaping import as_html, as_markdown
from dashboard.filters import Chosen
from dashboard.labels import are, counted
from dashboard.one_table import TABLE, at_table, choose_table, table_words
from dashboard.palette import palette
from dashboard.tables import Cell, show_table
from ingest.metrics import FigureError, bid_map, metric_named
from ingest.metrics.bid_map import BidMap, Group
from schemas.actions import MAX_BID, bid_name

HOLDING: Final = "holding"
"""Parameter and key: what the rows of the map are."""
FEWEST: Final = 10
"""Contracts below which a cell says only how many there are."""
_HELD: Final[dict[Literal["trumps-held", "points-held"], str]] = {
    "trumps-held": "trumps held",
    "points-held": "points held",
}
_METRIC: Final = metric_named(bid_map.METRIC)
_WHOLE: Final = 10
"""Scores from which on a chart has no room for parts of a point."""


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

    def show(self, facts: DuckDBPyConnection, chosen: Chosen) -> None:
        """Show in a sentence which bids pay, the map, the scores below it, and all numbers."""
        figures.heading(bid_map.METRIC, "Which bids are made, and which pay?")
        asked.takes(TABLE)
        asked.allows(HOLDING, _HELD.values())
        try:
            tables = snapshot.kept(bid_map.tables, facts, chosen.filters)
        except FigureError as error:
            st.info(as_markdown(str(error)))
            return
        if tables.is_empty():
            figures.show_nothing(
                "No hand matches in which a maker chose to bid. Remove a filter, or load more logs."
            )
            return
        with st.container(horizontal=True, vertical_alignment="bottom"):
            table = choose_table(tables)
            picked = st.segmented_control(
                "by bid and",
                list(_HELD),
                format_func=lambda each: _HELD[each],
                default="trumps-held",
                required=True,
                key=HOLDING,
                bind="query-params",
            )
        holding = picked
        of_table = at_table(chosen, table)
        found = snapshot.kept(
            bid_map.bid_map, facts, of_table.filters, holding, minimum=chosen.minimum
        )
        st.markdown(sentence(found, chosen.minimum))
        _show_map(facts, of_table, found, holding, table_words(table))


# --- The answer first


def sentence(found: BidMap, minimum: int) -> str:
    """Return in markdown which bids pay, which cost, and which cannot be told yet."""
    rows = found.scores.filter("enough").to_dicts()
    if not rows:
        return (
            f"There are too few contracts of any bid to say whether it pays: it takes {minimum:,} "
            f"in {bid_map.FEWEST_GAMES} games."
        )
    said = []
    for kind, words in _KINDS.items():
        runs = [_run_words(found, run) for run in _runs(rows) if _kind(run[0]) == kind]
        if runs:
            said.append(f"{words} {', '.join(runs)}.")
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
    "pay": "**Bids that pay:**",
    "cost": "**Bids that cost:**",
    "open": "Whether these bids pay is not sure yet, with all bids compared:",
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
        ends = f"{_signed(row['low'])} to {_signed(row['high'])}"
        return f"{group_words(bids[0])} ({_signed(row['value'])} a contract, {ends})"
    values = sorted(row["value"] for row in rows)
    named = f"{group_words(bids[0])} to {group_words(bids[-1])}"
    if all(each.most <= MAX_BID for each in bids):
        named = group_words(Group(bids[0].least, bids[-1].most))
    return f"{named} (means from {_signed(values[0])} to {_signed(values[-1])} a contract)"


def group_words(group: Group) -> str:
    """Return what a group of bids or holdings is called: ``30–31``, ``7``."""
    least, most = (
        bid_name(each) if each > MAX_BID else f"{each:,}" for each in (group.least, group.most)
    )
    return least if least == most else f"{least}–{most}"


def _signed(value: float, digits: int = 1) -> str:
    text = f"{value:+z.{digits}f}".replace("-", "−")
    return text.removeprefix("+") if not text.strip("+0.") else text


# --- Map and scores


def _show_map(
    facts: DuckDBPyConnection, chosen: Chosen, found: BidMap, holding: str, title: str
) -> None:
    colours = palette()
    words = _HELD["points-held" if holding == "points-held" else "trumps-held"]
    bids = [group_words(each) for each in found.bids]
    holdings = [group_words(each) for each in reversed(found.holdings)]
    n = int(found.cells["n"].sum())
    st.html(
        f'<p class="tl-chart-title"><b>Contracts made out of 100</b><span>{as_html(title)}: '
        f"{as_html(words)} before any exchange (down) by bid (across); {counted(n, 'contract')}, "
        f"fewer than {FEWEST} in a cell stay uncoloured. A click leads to the hands.</span></p>"
    )
    rows = pl.DataFrame(list(_cells(found)), schema=_CELLS)
    picked = bid_charts.MADE.show(
        rows,
        None,
        MadeContent(
            bid_charts.made_height(len(holdings)),
            bids,
            holdings,
            words,
            list(colours.steps),
            colours.ink,
            colours.on_high,
            colours.field,
            colours.line,
        ),
        key=f"made-{holding}-{title}",
        said=f"Contracts made by bid and {words}; the table below has all numbers",
    )
    if picked:
        link = _Link(picked["bid_key"], picked["held_key"])
        figures.go_to_hands(chosen, _METRIC, link.values(holding))
    scores = pl.DataFrame(list(_scores(found)), schema=_SCORES)
    if not scores.is_empty():
        st.html(
            '<p class="tl-chart-title"><b>Do these bids pay?</b><span>score a contract: what the '
            "hand added to the makers’ score, less what it added to the others’; 95 % "
            "interval</span></p>"
        )
        picked = bid_charts.SCORES.show(
            scores,
            None,
            ScoreContent(bids, colours.one, colours.field, colours.ink),
            key=f"pays-{title}",
            said="Score a contract by bid; the table below has all numbers",
        )
        if picked:
            figures.go_to_hands(chosen, _METRIC, _Link(picked["bid_key"], None).values(holding))
    st.caption(_left_out(found))
    with st.expander("The figures, and the hands behind each"):
        show_table(
            ["bid", words, "made", "contracts"],
            _table_rows(facts, chosen, found, holding),
            name=f"Contracts made by bid and {words}",
        )
        show_table(
            ["bid", "score a contract, 95 % interval", "contracts"],
            [
                [
                    group_words(found.bids[row["bid"]]),
                    f"{_signed(row['value'])} ({_signed(row['low'])} to {_signed(row['high'])})"
                    if row["enough"]
                    else "too few games",
                    row["n"],
                ]
                for row in found.scores.iter_rows(named=True)
            ],
            name="Score a contract by bid",
        )


def _left_out(found: BidMap) -> str:
    """Return what the map does not count."""
    said = [
        f"Left out: {counted(found.forced, 'bid')} that the last to speak had to make"
        if found.forced
        else "Nobody had to bid in these hands"
    ]
    if found.unknown:
        said.append(
            f"{counted(found.unknown, 'contract')} of which the maker’s cards {are(found.unknown)} "
            "not all recorded"
        )
    return "; ".join(said) + "."


_CELLS: Final = {
    **dict.fromkeys(("bid", "holding", "large", "small", "said", "bid_key", "held_key"), pl.String),
    "value": pl.Float64,
    "known": pl.Int64,
}
_SCORES: Final = {
    **dict.fromkeys(("bid", "text", "said", "bid_key"), pl.String),
    **dict.fromkeys(("value", "low", "high"), pl.Float64),
}


def _cells(found: BidMap) -> Iterator[dict[str, Any]]:
    for row in found.cells.iter_rows(named=True):
        bid, held = found.bids[row["bid"]], found.holdings[row["held"]]
        value = row["made"] / row["n"]
        yield {
            "bid": group_words(bid),
            "holding": group_words(held),
            "large": f"{100 * value:.0f}",
            "small": f"of {row['n']:,}",
            "said": f"{row['made']:,} of {counted(row['n'], 'contract')}",
            "bid_key": str(bid),
            "held_key": str(held),
            "value": value,
            "known": int(row["n"] >= FEWEST),
        }


def _scores(found: BidMap) -> Iterator[dict[str, Any]]:
    for row in found.scores.filter("enough").iter_rows(named=True):
        bid = found.bids[row["bid"]]
        ends = f"{_signed(row['low'])} to {_signed(row['high'])}"
        yield {
            "bid": group_words(bid),
            "text": _signed(row["value"], digits=int(abs(row["value"]) < _WHOLE)),
            "said": f"{_signed(row['value'])} ({ends}), n {row['n']:,}",
            "bid_key": str(bid),
            **{name: row[name] for name in ("value", "low", "high")},
        }


def _table_rows(
    facts: DuckDBPyConnection, chosen: Chosen, found: BidMap, holding: str
) -> Sequence[Sequence[Cell]]:
    rows: list[list[Cell]] = []
    for row in found.cells.iter_rows(named=True):
        bid, held = found.bids[row["bid"]], found.holdings[row["held"]]
        values = _Link(str(bid), str(held)).values(holding)
        made = f"{100 * row['made'] / row['n']:.0f} %" if row["n"] >= FEWEST else "too few"
        link = figures.link_to_hands(facts, chosen, row["n"], _METRIC, values)
        rows.append([group_words(bid), group_words(held), made, link])
    return rows
