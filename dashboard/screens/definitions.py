"""Definitions: what every figure and every dimension is, as it is counted."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

import streamlit as st

from dashboard import links
from dashboard.plain import as_html, as_markdown
from ingest.metrics import (
    DIMENSIONS,
    METRIC,
    METRICS,
    Dimension,
    Grain,
    Kind,
    Level,
    Metric,
    dimensions_of,
)

INTERVALS: Final = {
    Kind.SHARE: "95 % by Wilson’s formula, for hits among cases.",
    Kind.MEAN: (
        "95 %, each game taken as one draw, because hands of one game are alike: from how far the "
        "games lie apart, with Student’s t for the number of games."
    ),
    Kind.COUNT: "None: a count is what it is.",
}
ONCE: Final = {
    Level.HAND: "once for each hand or game",
    Level.SIDE: "once for each side",
    Level.SEAT: "for each player",
}
GRAINS: Final = {
    Grain.SEAT: "players in hands",
    Grain.CARD: "point cards",
    Grain.GAME: "complete games",
    Grain.FINDING: "findings",
}


def show() -> None:
    """Show the definitions that contain what is searched for, all of them without a search."""
    st.header("Definitions")
    st.caption(
        "Every figure is defined once. The pages, the command line and the Python API count by "
        "the same definition, so they cannot disagree. Figures are made of valid hands unless "
        "a filter says otherwise."
    )
    searched = st.text_input(
        "Search",
        key=links.SEARCHED,
        bind="query-params",
        placeholder="pedro, margin, who led",
        width=320,
    )
    metrics, dimensions = _found(searched or "")
    if not metrics and not dimensions:
        st.info(f"No definition speaks of “{as_markdown(searched or '')}”. Try a shorter word.")
    for group in dict.fromkeys(each.group for each in metrics):
        st.subheader(group)
        st.html("".join(_metric_html(each) for each in metrics if each.group == group))
    if dimensions:
        st.subheader("Dimensions")
        st.caption("What figures can be told apart and filtered by.")
        st.html("".join(_dimension_html(each) for each in dimensions))


def _found(searched: str) -> tuple[list[Metric], list[Dimension]]:
    if searched in METRIC:
        return [METRIC[searched]], []
    words = searched.lower().split()

    def has_all(*texts: str) -> bool:
        text = " ".join(texts).lower()
        return all(word in text for word in words)

    metrics = [
        each
        for each in METRICS
        if has_all(each.name, each.title, each.sentence, each.numerator, each.denominator)
    ]
    return metrics, [e for e in DIMENSIONS if has_all(e.name, e.title, e.sentence)]


def _metric_html(metric: Metric) -> str:
    address = urlencode({links.METRIC: metric.title})
    dimensions = as_html(", ".join(each.title for each in dimensions_of(metric)))
    pairs = [
        ("counted", metric.numerator),
        ("out of (n)", metric.denominator),
        ("unit", metric.unit),
        ("interval", INTERVALS[metric.kind]),
        ("defined", f"{metric.dated:%-d %B %Y}"),
    ]
    if not metric.comparable:
        pairs.insert(3, ("variants", "one at a time: its unit means something else in each"))
    if metric.every_verdict:
        pairs.insert(3, ("hands", "of every verdict"))
    return (
        f'<article class="tl-definition" id="{metric.name}"><h4>{as_html(metric.title)}'
        f"<code>{metric.name}</code></h4>"
        f'<p>{as_html(metric.sentence)} <a href="explorer?{address}">Explore</a></p>'
        f"{_pairs_html(pairs)}"
        f"<details><summary>Told apart and filtered by</summary><p>{dimensions}</p></details>"
        f"<details><summary>SQL</summary><pre>{as_html_lines(sql_of(metric))}</pre></details>"
        "</article>"
    )


def _dimension_html(dimension: Dimension) -> str:
    grains = ", ".join(GRAINS[each] for each in dimension.grains)
    return (
        f'<article class="tl-definition"><h4>{as_html(dimension.title)}'
        f"<code>{dimension.name}</code></h4><p>{as_html(dimension.sentence)}</p>"
        f"{_pairs_html([('of', grains)])}<details><summary>SQL</summary>"
        f"<pre>{as_html_lines(dimension.sql)}</pre></details></article>"
    )


def _pairs_html(pairs: list[tuple[str, str]]) -> str:
    items = "".join(f"<dt>{as_html(term)}</dt><dd>{as_html(said)}</dd>" for term, said in pairs)
    return f'<dl class="tl-pairs tl-beside">{items}</dl>'


def as_html_lines(text: str) -> str:
    """Return a text of several lines for HTML."""
    return "\n".join(as_html(line) for line in text.splitlines())


def sql_of(metric: Metric) -> str:
    """Return what is counted as SQL over the facts."""
    counted = {
        Kind.SHARE: f"sum({metric.amount}) / sum({metric.weight})",
        Kind.MEAN: f"sum({metric.amount}) / sum({metric.weight})",
        Kind.COUNT: "count(*)",
    }[metric.kind]
    verdict = "" if metric.every_verdict else "\n    AND verdict = 'valid'"
    return (
        f"SELECT {counted}\nFROM {metric.grain.value}\nWHERE {metric.cases}{verdict}\n"
        f"-- {ONCE[metric.level]}"
    )


show()
