"""Figures on a page: heading, chart and table of a metric, and how many hands it leaves out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard.plain import as_html
from dashboard.words import counted
from ingest.filters import Filters
from ingest.metrics import METRICS, TOO_FEW, Metric, measure
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

_METRICS: Final[dict[str, Metric]] = {metric.name: metric for metric in METRICS}


def heading(name: str) -> None:
    """Show the title of a metric and what it counts."""
    metric = _METRICS[name]
    st.subheader(
        metric.title, help=f"Counted: {metric.numerator}. Out of (n): {metric.denominator}."
    )
    st.caption(f"{metric.sentence} Unit: {metric.unit}.")


def show_left_out(connection: DuckDBPyConnection, filters: Filters) -> None:
    """Say how many hands the figures of a page are made of, and which ones they leave out."""
    counts = verdict_counts(measure(connection, "verdicts", filters))
    analysed = counts.pop(Verdict.VALID, 0)
    text = f"Made from {counted(analysed, 'valid hand')}."
    if counts:
        parts = ", ".join(f"{count:,} {verdict}" for verdict, count in counts.items())
        text += f" Left out: {parts}."
    text += f" Points are pale where n is below {TOO_FEW}: that is too few to say much."
    st.caption(text)


def verdict_counts(frame: pl.DataFrame) -> dict[Verdict, int]:
    """Return the hands with each verdict over all variants, in the order of ``Verdict``."""
    totals = dict(frame.group_by("verdict").agg(pl.col("hits").sum()).iter_rows())
    return {verdict: totals[verdict] for verdict in Verdict if verdict in totals}


def by_variant(
    frame: pl.DataFrame, titles: dict[str, str], draw: Callable[[pl.DataFrame, str], None]
) -> None:
    """Draw the rows of each variant and seating apart, two of them side by side.

    ``draw`` gets the rows of one variant at one seating, and their title.
    """
    if frame.is_empty():
        st.info("There is no valid hand to measure. Choose other filters, or load more logs.")
        return
    frame = with_names(frame, titles)
    parts = frame.partition_by("variant_name", maintain_order=True)
    for start in range(0, len(parts), 2):
        places = st.columns(2, gap="medium") if len(parts) > 1 else [st.container()]
        for place, part in zip(places, parts[start : start + 2], strict=False):
            with place:
                draw(part, part["variant_name"][0])


def with_names(frame: pl.DataFrame, titles: dict[str, str]) -> pl.DataFrame:
    """Return the rows with ``variant_name``: the title, and the seating where there are several."""
    title = pl.col("variant").replace(titles)
    several = pl.col("seating").n_unique().over("variant") > 1
    name = pl.when(several).then(title + ", " + pl.col("seating")).otherwise(title)
    return frame.with_columns(name.alias("variant_name"))


def most_cases(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with the most cases, as many as a chart can show, in their order."""
    if len(frame) <= MOST_ROWS:
        return frame
    st.caption(f"The {MOST_ROWS} of {len(frame):,} with the most cases.")
    return frame.with_row_index("place").top_k(MOST_ROWS, by="n").sort("place").drop("place")


def share_words(share: float | None, low: float | None, high: float | None, n: int) -> str:
    """Return a share with its interval, or that there are too few cases to give one."""
    if share is None or low is None or high is None or n < TOO_FEW:
        return "too few hands"
    return f"{share:.0%} ({low:.0%} to {high:.0%})"


def show_table(heads: Sequence[str], rows: Sequence[Sequence[str | int]]) -> None:
    """Show a table; numbers stand to the right, all text is shown as it is."""
    numbers = [bool(rows) and isinstance(cell, int) for cell in (rows[0] if rows else heads)]
    head = "".join(
        f'<th scope="col"{_NUMBER if is_number else ""}>{as_html(each)}</th>'
        for each, is_number in zip(heads, numbers, strict=True)
    )
    body = "".join(f"<tr>{''.join(_cell_html(cell) for cell in row)}</tr>" for row in rows)
    st.html(
        '<div class="tl-scroll"><table class="tl-figures">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell_html(cell: str | int) -> str:
    if isinstance(cell, int):
        return f"<td{_NUMBER}>{cell:,}</td>"
    return f"<td><bdi>{as_html(cell)}</bdi></td>"
