"""By how much contracts were made or set: bars on both sides of the line for each game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.kit import figures
from tricklog.dashboard.kit.figures import MOST_CHARTS
from tricklog.dashboard.kit.one_table import at_table, table_words
from tricklog.dashboard.kit.palette import palette
from tricklog.dashboard.kit.tables import Cell, show_table
from tricklog.dashboard.sections import bid_charts
from tricklog.dashboard.sections.bid_charts import MarginContent
from tricklog.dashboard.text.escaping import as_html, as_markdown
from tricklog.dashboard.text.labels import value_words
from tricklog.ingest.metrics import FigureError, margins, metric_named
from tricklog.ingest.metrics.field import Table
from tricklog.ingest.metrics.figure_words import figure_text, too_few
from tricklog.ingest.metrics.filters import Range
from tricklog.schemas.languages.messages import say, say_counted, say_in
from tricklog.schemas.languages.numbers import number, percent

MOST_TOLD: Final = 3
_METRIC: Final = metric_named(margins.METRIC)
_HALF: Final = 0.5
"""What a bar reaches to each side of its margin."""
_MOST_BARS: Final = 60
"""Different margins from which on several stand in one bar."""


def most_contracts(found: int) -> str:
    """Return which kinds of tables have a chart, where there are too many."""
    return say(
        "The {shown} of {number} with the most contracts. Choose a variant above to see the "
        "others.",
        shown=MOST_CHARTS,
        number=number(found),
    )


class MarginBars:
    """The part of a page that shows how far contracts ended from the need."""

    name = "margins"

    @property
    def asks(self) -> str:
        """The question, in the language of the page."""
        return say("By how much were contracts made or set?")

    def show(self, facts: DuckDBPyConnection, chosen: Chosen) -> None:
        """Show a chart for each kind of table, and how often one point was missing."""
        figures.heading(
            "margin",
            say("By how much were contracts made or set?"),
            say("Pale bars on the left were set. A click on a bar leads to its hands."),
        )
        try:
            found = snapshot.kept(margins.margins, facts, chosen.filters)
            by_one = snapshot.kept(margins.by_one, facts, chosen.filters, chosen.minimum)
        except FigureError as error:
            st.info(as_markdown(str(error)))
            return
        if found.is_empty():
            figures.show_nothing()
            return
        parts = found.partition_by("variant", "seating", maintain_order=True)
        if len(parts) > MOST_CHARTS:
            st.caption(most_contracts(len(parts)))
        missed = {(row["variant"], row["seating"]): row for row in by_one.iter_rows(named=True)}
        tables = [Table(*part.select("variant", "seating").row(0)) for part in parts[:MOST_CHARTS]]
        told = [(table_words(each), missed.get((each.variant, each.seating))) for each in tables]
        st.markdown(sentence(told))
        for start in range(0, len(tables), 2):
            places = st.columns(2, gap="medium") if len(tables) > 1 else [st.container()]
            for place, at in zip(places, range(start, min(start + 2, len(tables))), strict=False):
                with place:
                    row = missed.get((tables[at].variant, tables[at].seating))
                    _show_table_of(facts, at_table(chosen, tables[at]), tables[at], parts[at], row)


def sentence(missed: Sequence[tuple[str, Mapping[str, Any] | None]]) -> str:
    """Return in markdown how often exactly one point was missing in the games played most.

    ``missed`` has the names of games and their rows of ``margins.by_one``.
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


def _show_table_of(
    facts: DuckDBPyConnection,
    chosen: Chosen,
    table: Table,
    found: pl.DataFrame,
    missed: Mapping[str, Any] | None,
) -> None:
    title = table_words(table)
    whole = int(found["n"].sum())
    rows = bars(found)
    st.html(
        f'<p class="tl-chart-title"><b>{as_html(title)}</b><span>{as_html(share_of(whole))}'
        f"{_by_one_html(facts, chosen, missed)}</span></p>"
    )
    colours = palette()
    picked = bid_charts.MARGINS.show(
        rows,
        None,
        MarginContent(
            colours.one,
            colours.ink,
            [min(-2.5, *rows["start"]), max(2.5, *rows["end"])],
            say("points over the need"),
        ),
        key=f"margins-{table.variant}-{table.seating}",
        said=say(
            "{game}: contracts by points over the need; the table below has all numbers",
            game=title,
        ),
    )
    if picked:
        values = {"margin": picked["margin_key"], "result": picked["result_key"]}
        figures.go_to_hands(chosen, _METRIC, values)
    with st.expander(say("The figures, and the hands behind each")):
        show_table(
            heads(say("points over the need")),
            [_table_row(facts, chosen, row) for row in rows.iter_rows(named=True)],
            name=say("{game}: contracts by points over the need", game=title),
        )


def share_of(contracts: int) -> str:
    """Return what the height of bars is, of so many contracts."""
    return say_counted("share of {count} contract", "share of {count} contracts", contracts)


def heads(margin: str) -> list[str]:
    """Return the headings of a table of bars; ``margin`` is what they stand along."""
    outcome = say_in("of a contract", "outcome")
    return [margin, outcome, say("share of contracts"), say("contracts")]


def _by_one_html(
    facts: DuckDBPyConnection, chosen: Chosen, missed: Mapping[str, Any] | None
) -> str:
    """Return how often one point was missing, which leads to these hands."""
    if missed is None:
        return ""
    text = figure_text(margins.BY_ONE, missed, cases=False)
    if not missed["enough"]:
        text = too_few(margins.BY_ONE, missed)
    link = figures.link_to_hands(facts, chosen, "", _METRIC, {"margin": "-1", "result": "set"})
    said = say("set by exactly one: {figure}", figure=text)
    return f' · <a class="tl-link" href="{as_html(link.address)}">{as_html(said)}</a>'


def _table_row(facts: DuckDBPyConnection, chosen: Chosen, row: Mapping[str, Any]) -> list[Cell]:
    values = {"margin": row["margin_key"], "result": row["result_key"]}
    return [
        row["margin"],
        row["result"],
        percent(row["share"], 1),
        figures.link_to_hands(facts, chosen, row["n"], _METRIC, values),
    ]


_DRAWN: Final = {
    **dict.fromkeys(("start", "end", "base", "top", "share"), pl.Float64),
    **dict.fromkeys(("margin", "result", "said", "margin_key", "result_key"), pl.String),
    **dict.fromkeys(("n", "set"), pl.Int64),
}


def bars(found: pl.DataFrame, first: int = 0) -> pl.DataFrame:
    """Return the bars of one kind of table, from a frame of ``margins.margins``.

    ``first``: the least margin to the right of the line. Where there are very many margins, several
    stand in one bar, never some of both sides of the line. Contracts that were made and set with
    one margin stand one above the other.
    """
    among = found["margin"].to_list()
    width = -(-(max(among) - min(among) + 1) // _MOST_BARS)
    whole = int(found["n"].sum())
    grouped = (
        found.with_columns(((pl.col("margin") - first) // width * width + first).alias("margin"))
        .group_by("margin", "result", maintain_order=True)
        .agg(pl.col("n").sum())
        .sort("margin", "result")
    )
    return pl.DataFrame(list(_bars(grouped, width, whole)), schema=_DRAWN)


def _bars(grouped: pl.DataFrame, width: int, whole: int) -> Iterator[dict[str, Any]]:
    tops: dict[int, float] = {}
    for least, result, n in grouped.rows():
        base = tops.get(least, 0.0)
        tops[least] = base + n / whole
        words = _margin_words(least, least + width - 1)
        outcome = value_words("result", result)
        yield {
            "start": least - _HALF + 0.08 * width,
            "end": least - _HALF + 0.92 * width,
            "base": base,
            "top": tops[least],
            "share": n / whole,
            "margin": words,
            "result": outcome,
            "said": say_counted(
                "{margin}, {outcome}: {count} contract",
                "{margin}, {outcome}: {count} contracts",
                n,
                margin=words,
                outcome=outcome,
            ),
            "margin_key": str(Range(least, least + width - 1)),
            "result_key": result,
            "n": n,
            "set": int(result == "set"),
        }


def _margin_words(least: int, most: int) -> str:
    ends = [number(each, sign=True) for each in (least, most)]
    return ends[0] if least == most else say("{least} to {most}", least=ends[0], most=ends[1])
