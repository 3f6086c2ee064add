"""Contracts by how far they ended from a line: bars on both sides of it, and what they lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import polars as pl
import streamlit as st

from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.kit import figures
from tricklog.dashboard.kit.choices import at_table, table_words
from tricklog.dashboard.kit.drawing import Spec, layer, show, specification, title_html
from tricklog.dashboard.kit.page_parts import in_twos, show_figures
from tricklog.dashboard.kit.palette import palette
from tricklog.dashboard.kit.tables import Cell, in_columns
from tricklog.dashboard.text.labels import value_words
from tricklog.ingest.metrics import Metric
from tricklog.ingest.metrics.field import Table
from tricklog.ingest.metrics.filters import Range
from tricklog.schemas.languages.messages import say, say_counted, say_in
from tricklog.schemas.languages.numbers import number, percent

if TYPE_CHECKING:
    import altair as alt
else:
    from tricklog.dashboard.kit import vega as alt

_HEIGHT: Final = 150
_HALF: Final = 0.5
"""What a bar reaches to each side of its margin."""
_MOST_BARS: Final = 60
"""Different margins from which on several stand in one bar."""
_DRAWN: Final = {
    **dict.fromkeys(("start", "end", "base", "top", "share"), pl.Float64),
    **dict.fromkeys(("margin", "result", "said", "margin_key", "result_key"), pl.String),
    **dict.fromkeys(("n", "set"), pl.Int64),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MarginBars:
    """Bars of the contracts of one game; those set are pale."""

    title: str
    along: str
    """What the margins are, with their unit."""
    behind: tuple[Metric, str] | None
    """The metric whose hands bars lead to, and the dimension of their margins; or none."""
    first: int = 0
    """The least margin to the right of the line."""
    width: int = 1
    """How many margins stand in one bar at least."""
    colour: str | None = None
    """That of the first side, unless it is another one."""
    ends: tuple[float, float] | None = None
    """Least and greatest margin on the axis, where charts share it."""
    highest: float | None = None
    """Share of contracts at the top, where charts share it."""

    def show(self, chosen: Chosen, found: pl.DataFrame, key: str, more: str) -> None:
        """Draw a frame of ``bid_map.margins`` of one game, with a table below; ``more`` is HTML."""
        rows = bars(found, self.first, self.width)
        st.html(title_html(self.title, share_of(int(found["n"].sum())), more))
        said = say("{game}: contracts by {along}", game=self.title, along=self.along)
        picked = show(self.spec(rows), rows, key=key, said=said)
        if picked and self.behind:
            figures.go_to_hands(chosen, self.behind[0], self._values(picked))
        outcome = say_in("of a contract", "outcome")
        show_figures(
            *in_columns(
                rows.iter_rows(named=True),
                (self.along, "margin"),
                (outcome, "result"),
                (say("share of contracts"), lambda row: percent(row["share"], 1)),
                (say("contracts"), partial(self._count, chosen)),
            ),
            name=said,
        )

    def _values(self, row: Mapping[str, str]) -> dict[str, str]:
        """Return the values of dimensions that a bar stands for."""
        name = self.behind[1] if self.behind else ""
        return {name: row["margin_key"], "result": row["result_key"]}

    def _count(self, chosen: Chosen, row: Mapping[str, Any]) -> Cell:
        if self.behind is None:
            return int(row["n"])
        return figures.link_to_hands(chosen, row["n"], self.behind[0], self._values(row))

    def spec(self, rows: pl.DataFrame) -> Spec:
        """Return the specification of the chart of ``bars``."""
        colours = palette()
        colour = self.colour or colours.one
        ends = self.ends or ends_of(rows)
        across = alt.X(
            "start:Q",
            title=self.along,
            scale=alt.Scale(domain=[*ends], nice=False),
            axis=alt.Axis(
                format="+,d",
                labelExpr="datum.value == 0 ? '0' : datum.label",
                tickMinStep=1,
                grid=False,
            ),
        )
        scale = alt.Scale(domain=[0, self.highest], nice=False) if self.highest else alt.Undefined
        axis = alt.Axis(format=".0%", tickCount=4, tickMinStep=0.01)
        clicks: dict[str, Any] = {"cursor": "pointer"} if self.behind else {}
        drawn = layer(
            alt.MarkDef("bar", color=colour, stroke=colour, strokeWidth=1, **clicks),
            picks=["margin_key", "result_key"] if self.behind else [],
            x=across,
            x2=alt.X2("end"),
            y=alt.Y("base:Q", title=None, axis=axis, scale=scale),
            y2=alt.Y2("top"),
            description=alt.Description("said:N"),
            fillOpacity=alt.FillOpacityValue(0.85, condition={"test": "datum.set", "value": 0.2}),
            tooltip=[
                alt.Tooltip("margin:N", title=self.along),
                alt.Tooltip("result:N", title=say_in("of a contract", "outcome")),
                alt.Tooltip("share:Q", title=say("share of contracts"), format=".1%"),
                alt.Tooltip("n:Q", title=say("contracts"), format=","),
            ],
        )
        rule = alt.MarkDef("rule", aria=False, color=colours.ink, strokeWidth=1.5)
        line = layer(rule, once=True, x=alt.X(datum=self.first - _HALF))
        return specification([drawn, line], _HEIGHT)


def show_each_game(
    chosen: Chosen,
    found: pl.DataFrame,
    *,
    along: str,
    behind: tuple[Metric, str],
    first: int = 0,
    more: Callable[[Table, Chosen], str] | None = None,
) -> None:
    """Draw a frame of ``bid_map.margins``, a chart for each kind of table, as ``MarginBars`` does.

    ``more`` gives HTML that stands beside the title of one.
    """
    parts = found.partition_by("variant", "seating", maintain_order=True)
    if len(parts) > figures.MOST_CHARTS:
        figures.show_most_cases(figures.MOST_CHARTS, len(parts), charts=True)
        parts = parts[: figures.MOST_CHARTS]
    for place, part in zip(in_twos(len(parts)), parts, strict=True):
        with place:
            table = Table(*part.select("variant", "seating").row(0))
            of_table = at_table(chosen, table)
            bars = MarginBars(title=table_words(table), along=along, behind=behind, first=first)
            key = f"{behind[1]}-{table.variant}-{table.seating}"
            bars.show(of_table, part, key, more(table, of_table) if more else "")


def ends_of(rows: pl.DataFrame) -> tuple[float, float]:
    """Return the ends of an axis with room for bars, and for some on both sides of the line."""
    return min(-2.5, *rows["start"]), max(2.5, *rows["end"])


def share_of(contracts: int) -> str:
    """Return what the height of bars is, of so many contracts."""
    return say_counted("share of {count} contract", "share of {count} contracts", contracts)


def bars(found: pl.DataFrame, first: int = 0, width: int = 1) -> pl.DataFrame:
    """Return the bars of one kind of table, from a frame of ``bid_map.margins``.

    ``first``: the least margin to the right of the line. Where there are very many margins, several
    times ``width`` of them stand in one bar, never some of both sides of the line. Contracts that
    were made and set with one margin stand one above the other.
    """
    among = found["margin"].to_list()
    width *= -(-(max(among) - min(among) + 1) // (_MOST_BARS * width))
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
