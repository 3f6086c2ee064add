"""Definitions: what every figure and every dimension is, as it is counted."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

import streamlit as st

from dashboard import asked, urls
from dashboard.escaping import as_html, as_markdown
from ingest.metrics import DIMENSION, DIMENSIONS, METRIC, METRICS, Dimension, Metric
from ingest.metrics.page import PRINCIPLES, definition


def show() -> None:
    """Show the definitions that contain what is searched for, all of them without a search."""
    st.header("Definitions")
    asked.takes(urls.SEARCHED)
    st.caption(
        "Every figure is defined once. The pages, the command line and the Python API count by "
        "the same definition, so they cannot disagree."
    )
    with st.expander("How figures are made"):
        st.html(_pairs_html(PRINCIPLES))
    searched = st.text_input(
        "Search",
        key=urls.SEARCHED,
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
        st.caption("What figures can be grouped and filtered by.")
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
    told = definition(metric)
    address = urlencode({urls.METRIC: metric.title})
    dimensions = ", ".join(DIMENSION[name].title for name in told.dimensions)
    facts = (*told.facts, ("last changed", f"{told.dated:%-d %B %Y}"))
    return (
        f'<article class="tl-definition" id="{told.name}"><h4>{as_html(told.title)}'
        f"<code>{told.name}</code></h4>"
        f'<p>{as_html(told.sentence)} <a href="explorer?{address}">Explore</a></p>'
        f"{_pairs_html(facts)}"
        f"<details><summary>Grouped and filtered by</summary><p>{as_html(dimensions)}</p>"
        f"</details>{_sql_html(told.sql)}</article>"
    )


def _dimension_html(dimension: Dimension) -> str:
    return (
        f'<article class="tl-definition"><h4>{as_html(dimension.title)}'
        f"<code>{dimension.name}</code></h4><p>{as_html(dimension.sentence)}</p>"
        f"{_sql_html(dimension.sql)}</article>"
    )


def _sql_html(sql: str) -> str:
    lines = "\n".join(as_html(line) for line in sql.splitlines())
    return f"<details><summary>SQL</summary><pre>{lines}</pre></details>"


def _pairs_html(pairs: Iterable[tuple[str, str]]) -> str:
    items = "".join(f"<dt>{as_html(term)}</dt><dd>{as_html(said)}</dd>" for term, said in pairs)
    return f'<dl class="tl-pairs tl-beside">{items}</dl>'


show()
