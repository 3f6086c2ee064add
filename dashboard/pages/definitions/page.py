"""Definitions: what every figure and every dimension is, as it is counted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

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

Defined = Metric | Leak | Dimension


class Group(NamedTuple):
    """Definitions under one heading."""

    name: str
    title: str
    defined: tuple[Defined, ...] = ()
    text: str = ""
    """Markdown that stands before them."""


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
            + "".join(
                f"<li>{_link_html(_name(each), wording.title(each))}</li>" for each in group.defined
            )
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
    groups = _found(searched)
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
        if group.defined:
            st.html("".join(map(_definition_html, group.defined)))


def _link_html(name: str, title: str) -> str:
    return f'<a href="{as_html(addresses.of_definition(name))}">{as_html(title)}</a>'


# --- What there is


def _name(of: Defined) -> str:
    """Return the id of a definition on the page; an address asks for it alone by this name."""
    if isinstance(of, Metric):
        return of.name
    return f"leak-{of.name}" if isinstance(of, Leak) else f"by-{of.name}"


def _found(searched: str) -> list[Group]:
    groups, wanted = _groups(), searched.lower().split()
    exact = [group for group in groups if group.name == searched]
    exact = exact or [
        Group(group.name, group.title, (each,))
        for group in groups
        for each in group.defined
        if _name(each) == searched
    ]
    if exact:
        return exact

    def has_all(*texts: str) -> bool:
        text = " ".join(texts).lower()
        return all(word in text for word in wanted)

    def fits(of: Defined) -> bool:
        name = _name(of) if isinstance(of, Leak) else of.name
        more = (wording.numerator(of), wording.denominator(of)) if isinstance(of, Metric) else ()
        return has_all(name, wording.title(of), wording.sentence(of), *more)

    found = [
        group
        if group.text and has_all(group.title, group.text)
        else Group(group.name, group.title, tuple(filter(fits, group.defined)))
        for group in groups
    ]
    return [group for group in found if group.text or group.defined]


def _definition_html(of: Defined) -> str:
    code, explore, more, folded = f"<code>{of.name}</code>", "", "", ""
    if isinstance(of, Metric):
        told = definition(of)
        sql = told.sql
        if of.name in known_metrics():
            address = as_html(addresses.of(addresses.EXPLORER, {urls.METRIC: of.name}))
            explore = f' <a href="{address}">{as_html(say("Explore"))}</a>'
        changed = say("{day} {year}", day=short_day(told.dated), year=told.dated.year)
        more = _pairs_html((*told.facts, (say("last changed"), changed)))
        dimensions = ", ".join(wording.title(DIMENSION[each]) for each in told.dimensions)
        folded = (
            f"<details><summary>{as_html(say('Grouped and filtered by'))}</summary>"
            f"<p>{as_html(dimensions)}</p></details>"
        )
    elif isinstance(of, Leak):
        code, sql = "", of.cost
        amount = translated_in(wording.DEFINED, of.share_of)
        more = _pairs_html([(say("costs"), say("a share of {amount}", amount=amount))])
    else:
        sql = of.sql
    lines = "\n".join(as_html(line) for line in sql.splitlines())
    return (
        f'<article class="tl-definition" id="{_name(of)}"><h4>{as_html(wording.title(of))}{code}'
        f"</h4><p>{as_html(wording.sentence(of))}{explore}</p>{more}{folded}"
        f"<details><summary>SQL</summary><pre>{lines}</pre></details></article>"
    )


def _pairs_html(pairs: Iterable[tuple[str, str]]) -> str:
    items = "".join(f"<dt>{as_html(term)}</dt><dd>{as_html(said)}</dd>" for term, said in pairs)
    return f'<dl class="tl-pairs tl-beside">{items}</dl>'


def _groups() -> list[Group]:
    known = known_metrics().values()
    of_metrics = [
        Group(
            urls.id_of(name),
            wording.group(name),
            tuple(each for each in known if each.group == name),
        )
        for name in dict.fromkeys(each.group for each in known)
    ]
    own = f"{translated(TWO_VARIANTS)}\n{say('Figures that stand on the page Variants alone:')}"
    by = say("What figures can be grouped and filtered by.")
    return [
        *of_metrics,
        Group("two-games", say("Two games side by side"), tuple(OWN), own),
        Group("against-field", say("Players against the field"), text=translated(PLAYERS)),
        Group("two-partners", say("Pairs"), text=translated(PAIRS)),
        Group("leaks", say("Where points are lost"), tuple(LEAKS), translated(LEAKS_READ)),
        Group("same-cards", say("Bidding apart from play"), text=translated(FIELD)),
        Group("dimensions", say("Dimensions"), tuple(DIMENSIONS), by),
    ]


show()
