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
        contents = "".join(
            f"<section><p>{_link_html(group.name, group.title)}</p><ul>"
            + "".join(f"<li>{_link_html(each.name, each.title)}</li>" for each in group.entries)
            + "</ul></section>"
            for group in _groups()
        )
        called = as_html(say("Contents"))
        st.html(f'<nav class="tl-contents" aria-label="{called}">{contents}</nav>')
        with st.expander(say("How figures are made")):
            st.html(_pairs_html((str(head), str(text)) for head, text in PRINCIPLES))
        return
    every = as_html(say("All definitions"))
    st.html(addresses.link_html(addresses.of(urls.DEFINITIONS_PATH), every))
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


def _entry(of: Metric | Leak | Dimension) -> Entry:
    name, title, sentence = of.name, wording.title(of), wording.sentence(of)
    code, explore, more, folded = f"<code>{of.name}</code>", "", "", ""
    words = [name, title, sentence]
    if isinstance(of, Metric):
        told = definition(of)
        sql = told.sql
        words += [wording.numerator(of), wording.denominator(of)]
        if name in known_metrics():
            address = as_html(addresses.of(addresses.EXPLORER, {urls.METRIC: name}))
            explore = f' <a href="{address}">{as_html(say("Explore"))}</a>'
        changed = say("{day} {year}", day=short_day(told.dated), year=told.dated.year)
        more = _pairs_html((*told.facts, (say("last changed"), changed)))
        dimensions = ", ".join(wording.title(DIMENSION[each]) for each in told.dimensions)
        folded = (
            f"<details><summary>{as_html(say('Grouped and filtered by'))}</summary>"
            f"<p>{as_html(dimensions)}</p></details>"
        )
    elif isinstance(of, Leak):
        name, code, sql = f"leak-{name}", "", of.cost
        words[0] = name
        amount = translated_in(wording.DEFINED, of.share_of)
        more = _pairs_html([(say("costs"), say("a share of {amount}", amount=amount))])
    else:
        name, sql = f"by-{name}", of.sql
    lines = "\n".join(as_html(line) for line in sql.splitlines())
    text = (
        f'<article class="tl-definition" id="{name}"><h4>{as_html(title)}{code}</h4>'
        f"<p>{as_html(sentence)}{explore}</p>{more}{folded}"
        f"<details><summary>SQL</summary><pre>{lines}</pre></details></article>"
    )
    return Entry(name, title, text, " ".join(words).lower())


def _pairs_html(pairs: Iterable[tuple[str, str]]) -> str:
    items = "".join(f"<dt>{as_html(term)}</dt><dd>{as_html(said)}</dd>" for term, said in pairs)
    return f'<dl class="tl-pairs tl-beside">{items}</dl>'


def _groups() -> tuple[Group, ...]:
    known = known_metrics()
    of_metrics = [
        Group(
            name.lower().replace(" ", "-"),
            wording.group(name),
            tuple(_entry(each) for each in known.values() if each.group == name),
        )
        for name in dict.fromkeys(each.group for each in known.values())
    ]
    return (
        *of_metrics,
        Group(
            "two-games",
            say("Two games side by side"),
            tuple(map(_entry, OWN)),
            f"{translated(TWO_VARIANTS)}\n{say('Figures that stand on the page Variants alone:')}",
        ),
        Group("against-field", say("Players against the field"), (), translated(PLAYERS)),
        Group("two-partners", say("Pairs"), (), translated(PAIRS)),
        Group(
            "leaks",
            say("Where points are lost"),
            tuple(map(_entry, LEAKS)),
            translated(LEAKS_READ),
        ),
        Group("same-cards", say("Bidding apart from play"), (), translated(FIELD)),
        Group(
            "dimensions",
            say("Dimensions"),
            tuple(map(_entry, DIMENSIONS)),
            say("What figures can be grouped and filtered by."),
        ),
    )


show()
