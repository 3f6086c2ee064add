"""Definitions: what every figure and every dimension is, as it is counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import streamlit as st

from dashboard import addresses, asked, figures, urls
from dashboard.escaping import as_html, as_markdown
from ingest.metrics import DIMENSION, DIMENSIONS, Dimension, Metric, known_metrics
from ingest.metrics.leaks import LEAKS, Leak
from ingest.metrics.page import (
    FIELD,
    LEAKS_READ,
    PAIRS,
    PLAYERS,
    PRINCIPLES,
    TWO_VARIANTS,
    definition,
)
from ingest.metrics.two_variants import OWN

CONTENTS: Final = "contents"
"""Id of the table of contents, to which every group leads back."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One definition: what its link in the contents says, and what it is found by."""

    name: str
    """Its id on the page; an address asks for it alone by this name."""
    title: str
    html: str
    words: str
    """In small letters, what a search looks through."""


@dataclass(frozen=True, slots=True)
class Group:
    """Definitions under one heading."""

    name: str
    title: str
    entries: tuple[Entry, ...]
    text: str = ""
    """Markdown that stands before them."""

    def found(self, searched: str) -> Group | None:
        """Return what a search finds in the group, nothing where that is none of it."""
        if not searched:
            return self
        if self.text and _has_all(searched, f"{self.title} {self.text}"):
            return self
        entries = tuple(each for each in self.entries if _has_all(searched, each.words))
        return Group(self.name, self.title, entries) if entries else None


def show() -> None:
    """Show the definitions that contain what is searched for, all of them without a search."""
    st.header("Definitions")
    asked.takes(urls.SEARCHED)
    figures.show_metric_problems()
    st.caption(
        "Every figure is defined once. The pages, the command line and the Python API count by "
        "the same definition, so they cannot disagree."
    )
    typed = st.text_input(
        "Search",
        key=urls.SEARCHED,
        bind="query-params",
        placeholder="pedro, margin, who led",
        width=320,
    )
    searched = (typed or "").strip()
    groups = _found(searched)
    if searched:
        address = as_html(addresses.of(urls.DEFINITIONS_PATH))
        st.html(f'<a class="tl-link" href="{address}">All definitions</a>')
    if not groups:
        st.info(f"No definition speaks of “{as_markdown(searched)}”. Try a shorter word.")
        return
    if sum(len(group.entries) for group in groups) > 1:
        st.html(_contents_html(groups))
    with st.expander("How figures are made"):
        st.html(_pairs_html(PRINCIPLES))
    for group in groups:
        _show_group(group, back=not searched)


def _show_group(group: Group, *, back: bool) -> None:
    st.subheader(group.title, anchor=f"group-{group.name}")
    if group.text:
        with st.container(width=832):
            st.markdown(group.text)
    way_back = f'<p><a class="tl-link" href="#{CONTENTS}">Contents</a></p>' if back else ""
    if shown := "".join(each.html for each in group.entries) + way_back:
        st.html(shown)


def _contents_html(groups: Iterable[Group]) -> str:
    listed = "".join(
        f'<section><p><a href="#group-{group.name}">{as_html(group.title)}</a></p><ul>'
        + "".join(
            f'<li><a href="#{each.name}">{as_html(each.title)}</a></li>' for each in group.entries
        )
        + "</ul></section>"
        for group in groups
    )
    return f'<nav class="tl-contents" id="{CONTENTS}" aria-label="Contents">{listed}</nav>'


# --- What there is


def _found(searched: str) -> list[Group]:
    exact = [group for group in GROUPS if group.name == searched] or [
        Group(group.name, group.title, (each,))
        for group in GROUPS
        for each in group.entries
        if each.name == searched
    ]
    if exact:
        return exact
    words = searched.lower()
    return [found for group in GROUPS if (found := group.found(words))]


def _has_all(searched: str, text: str) -> bool:
    return all(word in text.lower() for word in searched.split())


def _metric_entry(metric: Metric) -> Entry:
    words = (metric.name, metric.title, metric.sentence, metric.numerator, metric.denominator)
    return Entry(metric.name, metric.title, _metric_html(metric), " ".join(words).lower())


def _metric_html(metric: Metric) -> str:
    told = definition(metric)
    address = as_html(addresses.of(addresses.EXPLORER, {urls.METRIC: metric.title}))
    explore = f' <a href="{address}">Explore</a>' if metric.name in known_metrics() else ""
    dimensions = ", ".join(DIMENSION[name].title for name in told.dimensions)
    facts = (*told.facts, ("last changed", f"{told.dated:%-d %B %Y}"))
    return (
        f'<article class="tl-definition" id="{told.name}"><h4>{as_html(told.title)}'
        f"<code>{told.name}</code></h4>"
        f"<p>{as_html(told.sentence)}{explore}</p>"
        f"{_pairs_html(facts)}"
        f"<details><summary>Grouped and filtered by</summary><p>{as_html(dimensions)}</p>"
        f"</details>{_sql_html(told.sql)}</article>"
    )


def _leak_entry(leak: Leak) -> Entry:
    name = f"leak-{leak.name}"
    facts = (("costs", f"a share of {leak.share_of}"),)
    text = (
        f'<article class="tl-definition" id="{name}"><h4>{as_html(leak.title)}</h4>'
        f"<p>{as_html(leak.sentence)}</p>{_pairs_html(facts)}{_sql_html(leak.cost)}</article>"
    )
    return Entry(name, leak.title, text, f"{name} {leak.title} {leak.sentence}".lower())


def _dimension_entry(dimension: Dimension) -> Entry:
    name = f"by-{dimension.name}"
    text = (
        f'<article class="tl-definition" id="{name}"><h4>{as_html(dimension.title)}'
        f"<code>{dimension.name}</code></h4><p>{as_html(dimension.sentence)}</p>"
        f"{_sql_html(dimension.sql)}</article>"
    )
    words = f"{dimension.name} {dimension.title} {dimension.sentence}"
    return Entry(name, dimension.title, text, words.lower())


def _sql_html(sql: str) -> str:
    lines = "\n".join(as_html(line) for line in sql.splitlines())
    return f"<details><summary>SQL</summary><pre>{lines}</pre></details>"


def _pairs_html(pairs: Iterable[tuple[str, str]]) -> str:
    items = "".join(f"<dt>{as_html(term)}</dt><dd>{as_html(said)}</dd>" for term, said in pairs)
    return f'<dl class="tl-pairs tl-beside">{items}</dl>'


def _groups() -> tuple[Group, ...]:
    known = known_metrics()
    of_metrics = [
        Group(
            name.lower().replace(" ", "-"),
            name,
            tuple(_metric_entry(each) for each in known.values() if each.group == name),
        )
        for name in dict.fromkeys(each.group for each in known.values())
    ]
    return (
        *of_metrics,
        Group(
            "two-games",
            "Two games side by side",
            tuple(map(_metric_entry, OWN)),
            f"{TWO_VARIANTS}\nFigures that stand on the page Variants alone:",
        ),
        Group("against-field", "Players against the field", (), PLAYERS),
        Group("pairs", "Pairs", (), PAIRS),
        Group("leaks", "Where points are lost", tuple(map(_leak_entry, LEAKS)), LEAKS_READ),
        Group("same-cards", "Bidding apart from play", (), FIELD),
        Group(
            "dimensions",
            "Dimensions",
            tuple(map(_dimension_entry, DIMENSIONS)),
            "What figures can be grouped and filtered by.",
        ),
    )


GROUPS: Final = _groups()
"""All definitions, in the order of the page."""

show()
