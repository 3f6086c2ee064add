"""Figures on a page: heading, chart and table of a metric, hands behind it and hands left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard import filters, links
from dashboard.charts import IntervalChart
from dashboard.filters import Chosen
from dashboard.plain import as_html
from dashboard.words import counted, value_words
from ingest import listings
from ingest.metrics import (
    DIMENSION,
    FigureError,
    Kind,
    Metric,
    dimensions_of,
    measure,
    metric_named,
)
from replay import Verdict

MEANINGS: Final = {
    Verdict.VALID: "played and scored by the rules",
    Verdict.IRREGULAR: "something was against the rules, or the written result is wrong",
    Verdict.DOUBTFUL: "a card that is not recorded could change what was legal or the score",
    Verdict.INCOMPLETE: "the record stops before the hand is over",
    Verdict.REJECTED: "from some action on the record makes no sense",
}
MOST_ROWS: Final = 25
_NUMBER: Final = ' class="tl-number"'


@dataclass(frozen=True, slots=True)
class Figure:
    """A metric told apart by one dimension, or two: categories, and series set apart by colour."""

    metric: str
    by: str
    series: str | None = None
    apart: bool = False
    """Whether each variant and table gets a chart of its own; amounts always do."""
    along: Literal["x", "y"] = "y"
    order: Literal["own", "value", "n"] = "own"
    """Whether rows keep the order of the dimension, or the highest value or n comes first."""

    def show(self, facts: DuckDBPyConnection, chosen: Chosen) -> None:
        """Draw the figure, one chart or one for each variant, and the table of its numbers.

        A click on a point leads to the hands behind it.
        """
        metric = metric_named(self.metric)
        apart = self.apart or not metric.comparable
        by = [self.by, *([self.series] if self.series else [])]
        own = [name for name in ("variant", "seating") if apart and name not in by]
        try:
            frame = measure(facts, self.metric, (*own, *by), chosen.filters, chosen.minimum)
        except FigureError as error:
            st.info(str(error))
            return
        if frame.is_empty():
            show_nothing()
            return
        parts = frame.partition_by(own, maintain_order=True) if own else [frame]
        several = {part["variant"][0] for part in parts} if own else set()
        for start in range(0, len(parts), 2):
            places = st.columns(2, gap="medium") if len(parts) > 1 else [st.container()]
            for place, part in zip(places, parts[start : start + 2], strict=False):
                with place:
                    self._draw(facts, chosen, metric, part, own, tables=len(parts) > len(several))

    def _draw(
        self,
        facts: DuckDBPyConnection,
        chosen: Chosen,
        metric: Metric,
        frame: pl.DataFrame,
        own: list[str],
        *,
        tables: bool,
    ) -> None:
        fixed = {name: str(frame[name][0]) for name in own}
        title = metric.title
        if fixed:
            labels = filters.labels_of(facts, "variant")
            where = labels.get(fixed["variant"], fixed["variant"])
            title = f"{where}{', ' + fixed['seating'] if tables else ''}: {title.lower()}"
        dimension = DIMENSION[self.by]
        rows = self._labelled(facts, frame)
        rows = self._ordered(rows)
        picked = IntervalChart(
            f"{title} by {dimension.title}",
            category=dimension.title,
            measure=metric.unit,
            cases=metric.denominator if metric.kind != Kind.COUNT else metric.unit,
            percent=is_percent(metric),
            along=self.along,
            series=DIMENSION[self.series].title if self.series else None,
            in_time=dimension.type == "DATE",
        ).show(rows, key="-".join(["chart", self.metric, self.by, *fixed.values()]))
        if picked:
            values = fixed | {self.by: picked["key"]}
            if self.series:
                values[self.series] = picked["series_key"]
            go_to_hands(facts, chosen, metric, values)
        with st.expander("The figures"):
            heads = [dimension.title, *([DIMENSION[self.series].title] if self.series else [])]
            show_table(
                [*heads, "n", f"{metric.unit}, 95 % interval"],
                [
                    (
                        row["label"],
                        *([row["series"]] if self.series else []),
                        row["n"],
                        figure_words(metric, row),
                    )
                    for row in rows.iter_rows(named=True)
                ],
            )

    def _labelled(self, facts: DuckDBPyConnection, frame: pl.DataFrame) -> pl.DataFrame:
        columns = {"key": self.by} | ({"series_key": self.series} if self.series else {})
        frame = frame.with_columns(
            pl.col(name).cast(pl.String).alias(alias) for alias, name in columns.items()
        )
        for key, label in (("key", "label"), ("series_key", "series")):
            if key in columns:
                found = words_for(facts, columns[key] or "", frame[key].unique().to_list())
                frame = frame.with_columns(pl.col(key).replace(found).alias(label))
        return frame

    def _ordered(self, rows: pl.DataFrame) -> pl.DataFrame:
        if len(rows) > MOST_ROWS and not DIMENSION[self.by].ordered:
            st.caption(f"The {MOST_ROWS} of {len(rows):,} with the most cases.")
            rows = rows.with_row_index("place").top_k(MOST_ROWS, by="n").sort("place")
        if self.order != "own":
            rows = rows.sort("value" if self.order == "value" else "n", descending=True)
        return rows


def words_for(facts: DuckDBPyConnection, name: str, found: Sequence[str]) -> dict[str, str]:
    """Return what people call values of a dimension."""
    if DIMENSION[name].type.endswith("_key"):
        labels = filters.labels_of(facts, name)
        return {value: labels.get(value) or value_words(name, value) for value in found}
    return {value: value_words(name, value) for value in found}


def is_percent(metric: Metric) -> bool:
    """Whether the values of a metric are shares."""
    return metric.unit.startswith("share")


def heading(name: str, title: str | None = None) -> None:
    """Show the title of a metric and what it counts."""
    metric = metric_named(name)
    st.subheader(
        title or metric.title,
        help=f"Counted: {metric.numerator}. Out of (n): {metric.denominator}.",
    )
    st.caption(metric.sentence)


def show_left_out(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Say how many hands the figures of a page are made of, and which ones they leave out."""
    counts = listings.left_out(facts, chosen.filters)
    valid = counts.pop(Verdict.VALID, 0)
    parts = ", ".join(f"{count:,} {verdict}" for verdict, count in counts.items())
    if chosen.filters.every_verdict:
        text = f"Made from {counted(valid + sum(counts.values()), 'hand')}"
        text += f", of which {parts}." if counts else ", all in order."
    else:
        text = f"Made from {counted(valid, 'valid hand')}."
        if counts:
            text += f" Left out: {parts}."
    st.caption(f"{text} Points are pale where n is below {chosen.minimum}: too few to say much.")


def show_nothing() -> None:
    """Say that nothing is left to count, and what to do."""
    st.info("No hand fits. Take a filter away, or load more logs.")


def go_to_hands(
    facts: DuckDBPyConnection, chosen: Chosen, metric: Metric, values: dict[str, str]
) -> None:
    """Open the list of the hands behind a figure: its cases with these values of dimensions."""
    picked = {name.replace("-", "_"): value for name, value in values.items()}
    query = filters.parameters(facts, chosen, **picked) | {links.FIGURE: [metric.name]}
    st.switch_page(links.HANDS, query_params=query)


def measured(
    facts: DuckDBPyConnection, chosen: Chosen, name: str, by: Sequence[str] = ()
) -> pl.DataFrame:
    """Return the rows of a metric for what the viewer has chosen."""
    return measure(facts, name, by, chosen.filters, chosen.minimum)


def can_be_told_apart(metric: Metric, name: str) -> bool:
    """Whether a metric has a dimension."""
    return any(each.name == name for each in dimensions_of(metric))


def value_text(metric: Metric, value: float | None) -> str:
    """Return a value as people write it: ``63 %``, ``+1.4``, ``1,204``."""
    if value is None:
        return ""
    if is_percent(metric):
        return f"{value:.0%}".replace("%", " %")
    if metric.kind == Kind.COUNT:
        return f"{value:,.0f}"
    return f"{value:,.2f}"


def figure_words(metric: Metric, row: dict[str, Any]) -> str:
    """Return a figure with its interval, or that there are too few cases to give one."""
    if metric.kind == Kind.COUNT:
        return value_text(metric, row["value"])
    if not row["enough"]:
        return "too few hands"
    if row["low"] is None:
        return value_text(metric, row["value"])
    bounds = f"{value_text(metric, row['low'])} to {value_text(metric, row['high'])}"
    return f"{value_text(metric, row['value'])} ({bounds})"


def show_table(heads: Sequence[str], rows: Sequence[Sequence[str | int]]) -> None:
    """Show a table; numbers stand to the right, all text is shown as it is."""
    numbers = [bool(rows) and isinstance(cell, int) for cell in (rows[0] if rows else heads)]
    head = "".join(
        f'<th scope="col"{_NUMBER if is_number else ""}>{as_html(each)}</th>'
        for each, is_number in zip(heads, numbers, strict=True)
    )
    body = "".join(f"<tr>{''.join(_cell_html(cell) for cell in row)}</tr>" for row in rows)
    st.html(
        '<div class="tl-scroll" tabindex="0" role="region" aria-label="Table">'
        '<table class="tl-figures">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell_html(cell: str | int) -> str:
    if isinstance(cell, int):
        return f"<td{_NUMBER}>{cell:,}</td>"
    return f"<td><bdi>{as_html(cell)}</bdi></td>"
