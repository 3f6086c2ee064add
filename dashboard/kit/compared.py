"""Players compared within each game: how far each is from the others in the same games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import polars as pl
import streamlit as st

from tricklog.dashboard.kit.charts import IntervalChart
from tricklog.dashboard.kit.page_parts import few_words, show_figures
from tricklog.dashboard.kit.tables import Cell, Link
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.metrics import DIMENSION, Metric, wording
from tricklog.ingest.metrics.figure_words import (
    difference_text,
    figure_text,
    is_share,
    outlook_text,
    too_few,
)
from tricklog.schemas.languages.messages import message, say, say_in

_READING: Final = message(
    "Several games are taken together: of everybody it shows how far they are above or below the "
    "others in the same games, each weighted by their own cases in it. Choose one game to see "
    "the figure itself."
)


def show_compared(
    frame: pl.DataFrame,
    metric: Metric,
    by: str,
    titles: dict[str, str],
    link: Callable[[str, str], Link],
) -> str | None:
    """Draw a frame of ``standings`` with a column ``label``; return the value clicked on, if any.

    ``titles`` are those of the variants; ``link`` makes a cell from a label and a value of ``by``.
    """
    st.caption(" ".join([str(_READING), *_left_out_words(frame, titles)]))
    picked = None
    judged = frame.filter(pl.col("difference").is_not_null())
    listed = frame if judged.is_empty() else judged
    if judged.is_empty():
        st.info(say("There are too few games to compare yet."))
    else:
        rows = judged.select(
            "label",
            "n",
            key=by,
            value="difference",
            low="difference_low",
            high="difference_high",
            enough=pl.lit(value=True),
        )
        picked = IntervalChart(
            title=say("{figure}: above or below the others", figure=wording.title(metric)),
            category=wording.title(DIMENSION[by]),
            measure=say("{unit}, less that of the others", unit=wording.unit(metric)),
            percent=is_share(metric),
            interval="99 %",
            signed=True,
        ).show(rows, key=f"compared-{metric.name}-{by}")
    show_figures(
        [
            wording.title(DIMENSION[by]),
            "n",
            say("{unit}, 95 % interval", unit=wording.unit(metric)),
            heading(metric),
            say_in("a rank", "place"),
        ],
        [
            (link(row["label"], row[by]), *cells(metric, row))
            for row in listed.iter_rows(named=True)
        ],
    )
    if few := len(frame) - len(listed):
        st.caption(few_words(few))
    return picked["key"] if picked else None


def heading(metric: Metric) -> str:
    """Return what stands above a column of differences."""
    if is_share(metric):
        return say("above or below the others, points in 100, 99 % interval")
    return say("above or below the others, {unit}, 99 % interval", unit=wording.unit(metric))


def cells(metric: Metric, row: dict[str, object]) -> tuple[Cell, ...]:
    """Return n, figure, difference and place of a row of ``standings``."""
    difference = difference_text(metric, row)
    if not row["enough"]:
        difference = too_few(metric, row)
    figure = figure_text(metric, row, cases=False)
    return (int(str(row["n"])), figure, difference, outlook_text(row))


def _left_out_words(frame: pl.DataFrame, titles: dict[str, str]) -> Iterator[str]:
    left_out = frame["left_out"].explode().drop_nulls().unique().sort().to_list()
    if not left_out:
        return
    tables = (each.partition(", ") for each in left_out)
    named = "; ".join(as_markdown(f"{titles.get(each, each)}, {of}") for each, _, of in tables)
    yield say("Not counted, as the others have too few games of it: {tables}.", tables=named)
