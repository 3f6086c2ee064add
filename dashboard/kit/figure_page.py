"""Pages of figures in sections, of which only the open one is measured and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import figures
from tricklog.dashboard.kit.figures import Figure
from tricklog.dashboard.kit.page_parts import show_parts
from tricklog.schemas.languages.messages import Message, translated


@dataclass(frozen=True, slots=True)
class Topic:
    """A figure under its heading."""

    metric: str
    """The metric whose sentence and definition stand there."""
    figure: Figure
    question: str | Message | None = None
    """The heading, when it is not the title of the metric."""
    reading: str | Message = ""
    """How to read the chart."""

    def show(self, facts: DuckDBPyConnection, chosen: Chosen) -> None:
        """Draw heading and figure."""
        figures.heading(self.metric, self.question, self.reading)
        self.figure.show(facts, chosen)


class Shown(Protocol):
    """What a section shows, one below the other."""

    def show(self, facts: DuckDBPyConnection, chosen: Chosen) -> None:
        """Draw it."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page, opened by its title, which stands in the URL."""

    title: str
    topics: tuple[Shown, ...]
    one_variant: Message | None = None
    """What to say unless one variant is chosen or all hands are of one."""


def show_page(title: str, sections: Sequence[Section]) -> None:
    """Show a page: its filters, what its figures are made of, and the open section."""
    st.header(translated(title))
    facts = snapshot.facts()
    chosen = filters.choose(facts)
    figures.show_left_out(facts, chosen)
    tabs = show_parts([each.title for each in sections])
    for tab, section in zip(tabs, sections, strict=True):
        if not tab.open:
            continue
        with tab:
            if section.one_variant and not _one_variant(facts, chosen):
                st.info(str(section.one_variant))
                continue
            for topic in section.topics:
                topic.show(facts, chosen)


def _one_variant(facts: DuckDBPyConnection, chosen: Chosen) -> bool:
    picked = chosen.filters.values("variant")
    played = labels_of(facts, "variant")
    return len(picked) == 1 or (not picked and len(played) == 1)
