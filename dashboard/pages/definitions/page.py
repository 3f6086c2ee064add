"""Definitions: what every figure and every dimension is, as it is counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import streamlit as st

from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.kit import addresses, figures
from tricklog.dashboard.text.escaping import as_html, as_markdown
from tricklog.ingest.metrics import DIMENSION, DIMENSIONS, Dimension, Metric, known_metrics, wording
from tricklog.ingest.metrics.leaks import LEAKS, Leak
from tricklog.ingest.metrics.page import (
    FIELD,
    LEAKS_READ,
    PAIRS,
    PLAYERS,
    PRINCIPLES,
    TWO_VARIANTS,
    definition,
)
from tricklog.ingest.metrics.versus import OWN
from tricklog.schemas.languages.messages import say, translated, translated_in
from tricklog.schemas.languages.numbers import short_day


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
        if self.text and _has_all(searched, f"{self.title} {self.text}"):
            return self
        entries = tuple(each for each in self.entries if _has_all(searched, each.words))
        return Group(self.name, self.title, entries) if entries else None


def show() -> None:
    """Show the definitions that contain what is searched for; without a search, what there is."""
    st.header(say("Definitions"))
    figures.show_metric_problems()
    st.caption(
        say(
            "Every figure is defined once. The pages, the command line and the Python API count by "
            "the same definition, so they cannot disagree."
        )
    )
    typed = st.text_input(
        say("Search"),
        key=parameters.typed(urls.SEARCHED),
        placeholder=say("pedro, margin, who led"),
        width=320,
    )
    searched = (typed or "").strip()
    if not searched:
        st.html(_contents_html(_groups()))
        with st.expander(say("How figures are made")):
            st.html(_pairs_html((str(head), str(text)) for head, text in PRINCIPLES))
        return
    address = as_html(addresses.of(urls.DEFINITIONS_PATH))
    st.html(f'<a class="tl-link" href="{address}">{as_html(say("All definitions"))}</a>')
    groups = _found(searched, _groups())
    if not groups:
        st.info(
            say(
                "No definition mentions “{searched}”. Try a shorter word.",
                searched=as_markdown(searched),
            )
        )
    for group in groups:
        st.subheader(group.title, anchor=False)
        if group.text:
            with st.container(width=832):
                st.markdown(group.text)
        if group.entries:
            st.html("".join(each.html for each in group.entries))


def _contents_html(groups: Iterable[Group]) -> str:
    listed = "".join(
        f"<section><p>{_link_html(group.name, group.title)}</p><ul>"
        + "".join(f"<li>{_link_html(each.name, each.title)}</li>" for each in group.entries)
        + "</ul></section>"
        for group in groups
    )
    return f'<nav class="tl-contents" aria-label="{as_html(say("Contents"))}">{listed}</nav>'


def _link_html(name: str, title: str) -> str:
    return f'<a href="{as_html(addresses.of_definition(name))}">{as_html(title)}</a>'


# --- What there is


def _found(searched: str, groups: Sequence[Group]) -> list[Group]:
    exact = [group for group in groups if group.name == searched] or [
        Group(group.name, group.title, (each,))
        for group in groups
        for each in group.entries
        if each.name == searched
    ]
    if exact:
        return exact
    words = searched.lower()
    return [found for group in groups if (found := group.found(words))]


def _has_all(searched: str, text: str) -> bool:
    return all(word in text.lower() for word in searched.split())


def _metric_entry(metric: Metric) -> Entry:
    title = wording.title(metric)
    counted = (wording.numerator(metric), wording.denominator(metric))
    words = (metric.name, title, wording.sentence(metric), *counted)
    return Entry(metric.name, title, _metric_html(metric), " ".join(words).lower())


def _metric_html(metric: Metric) -> str:
    told = definition(metric)
    address = as_html(addresses.of(addresses.EXPLORER, {urls.METRIC: metric.name}))
    link = f' <a href="{address}">{as_html(say("Explore"))}</a>'
    explore = link if metric.name in known_metrics() else ""
    dimensions = ", ".join(wording.title(DIMENSION[name]) for name in told.dimensions)
    changed = say("{day} {year}", day=short_day(told.dated), year=told.dated.year)
    facts = (*told.facts, (say("last changed"), changed))
    return (
        f'<article class="tl-definition" id="{told.name}"><h4>{as_html(told.title)}'
        f"<code>{told.name}</code></h4>"
        f"<p>{as_html(told.sentence)}{explore}</p>"
        f"{_pairs_html(facts)}"
        f"<details><summary>{as_html(say('Grouped and filtered by'))}</summary>"
        f"<p>{as_html(dimensions)}</p>"
        f"</details>{_sql_html(told.sql)}</article>"
    )


def _leak_entry(leak: Leak) -> Entry:
    name = f"leak-{leak.name}"
    title, sentence = wording.title(leak), wording.sentence(leak)
    amount = translated_in(wording.DEFINED, leak.share_of)
    facts = ((say("costs"), say("a share of {amount}", amount=amount)),)
    text = (
        f'<article class="tl-definition" id="{name}"><h4>{as_html(title)}</h4>'
        f"<p>{as_html(sentence)}</p>{_pairs_html(facts)}{_sql_html(leak.cost)}</article>"
    )
    return Entry(name, title, text, f"{name} {title} {sentence}".lower())


def _dimension_entry(dimension: Dimension) -> Entry:
    name = f"by-{dimension.name}"
    title, sentence = wording.title(dimension), wording.sentence(dimension)
    text = (
        f'<article class="tl-definition" id="{name}"><h4>{as_html(title)}'
        f"<code>{dimension.name}</code></h4><p>{as_html(sentence)}</p>"
        f"{_sql_html(dimension.sql)}</article>"
    )
    words = f"{dimension.name} {title} {sentence}"
    return Entry(name, title, text, words.lower())


def _sql_html(sql: str) -> str:
    lines = "\n".join(as_html(line) for line in sql.splitlines())
    return f"<details><summary>SQL</summary><pre>{lines}</pre></details>"


def _pairs_html(pairs: Iterable[tuple[str, str]]) -> str:
    items = "".join(f"<dt>{as_html(term)}</dt><dd>{as_html(said)}</dd>" for term, said in pairs)
    return f'<dl class="tl-pairs tl-beside">{items}</dl>'


def _groups() -> tuple[Group, ...]:
    """Return all definitions, in the order of the page."""
    known = known_metrics()
    of_metrics = [
        Group(
            name.lower().replace(" ", "-"),
            wording.group(name),
            tuple(_metric_entry(each) for each in known.values() if each.group == name),
        )
        for name in dict.fromkeys(each.group for each in known.values())
    ]
    return (
        *of_metrics,
        Group(
            "two-games",
            say("Two games side by side"),
            tuple(map(_metric_entry, OWN)),
            f"{translated(TWO_VARIANTS)}\n{say('Figures that stand on the page Variants alone:')}",
        ),
        Group("against-field", say("Players against the field"), (), translated(PLAYERS)),
        Group("two-partners", say("Pairs"), (), translated(PAIRS)),
        Group(
            "leaks",
            say("Where points are lost"),
            tuple(map(_leak_entry, LEAKS)),
            translated(LEAKS_READ),
        ),
        Group("same-cards", say("Bidding apart from play"), (), translated(FIELD)),
        Group(
            "dimensions",
            say("Dimensions"),
            tuple(map(_dimension_entry, DIMENSIONS)),
            say("What figures can be grouped and filtered by."),
        ),
    )


show()
