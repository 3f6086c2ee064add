"""Pages of figures in sections, of which only the question chosen is measured and drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import figures
from tricklog.dashboard.kit.choices import choose_in_box
from tricklog.dashboard.kit.figures import Figure
from tricklog.dashboard.kit.page_parts import show_parts
from tricklog.ingest.metrics import METRIC, wording
from tricklog.schemas.languages.messages import Message, say, translated

QUESTION: Final = "question"
"""Parameter: the question of a section that is answered, by its name."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a section, and what answers it."""

    name: str
    """What the address calls it."""
    title: Message
    show: Callable[[DuckDBPyConnection, Chosen], None]

    @property
    def asks(self) -> str:
        """The question, in the language of the page."""
        return str(self.title)


@dataclass(frozen=True, slots=True)
class Topic:
    """A question that a figure answers, under its heading."""

    figure: Figure
    question: Message | None = None
    """The heading, when it is not the title of the metric."""
    reading: str | Message = ""
    """How to read the chart."""
    one_variant: Message | None = None
    """What to say unless one variant is chosen or all hands are of one."""

    @property
    def name(self) -> str:
        """What the address calls it."""
        return f"{self.figure.metric}-by-{self.figure.by}"

    @property
    def asks(self) -> str:
        """The question, in the language of the page."""
        return str(self.question or wording.title(METRIC[self.figure.metric]))

    def show(self, facts: DuckDBPyConnection, chosen: Chosen) -> None:
        """Draw heading and figure."""
        picked = chosen.filters.values("variant")
        if self.one_variant and len(picked or labels_of(facts, "variant")) != 1:
            st.info(str(self.one_variant))
            return
        figures.heading(self.figure.metric, self.question, self.reading)
        self.figure.show(facts, chosen)


def of_players(
    metric: str,
    question: Message | None = None,
    reading: str | Message = "",
    one_variant: Message | None = None,
) -> Topic:
    """Return the question of what players have of a metric, the highest value first."""
    figure = Figure(metric, "player", order="value")
    return Topic(figure, question, reading, one_variant)


def show_page(
    title: str,
    sections: Mapping[str, Sequence[Question | Topic]],
    moved: Mapping[str, tuple[str, str]],
) -> None:
    """Show a page: its filters, what its figures are made of, and a question of the open section.

    ``sections`` are by their titles, marked texts, which stand in the URL.
    ``moved`` leads from what was a section once to the section and the question of today.
    """
    st.header(translated(title))
    if parameters.get(urls.VIEW) in moved:
        view, question = moved[parameters.get(urls.VIEW)]
        parameters.put(urls.VIEW, urls.id_of(view))
        parameters.put(QUESTION, question)
    parameters.knows(QUESTION)
    facts = snapshot.facts()
    chosen = filters.choose(facts)
    figures.show_chosen_on_paper(facts, chosen)
    show_parts({each: partial(show_one, sections[each], facts, chosen) for each in sections})
    figures.show_left_out(facts, chosen)


def show_one(topics: Sequence[Question | Topic], facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Let the viewer choose one of several questions, and answer it."""
    by_name = {each.name: each for each in topics}
    name, *others = by_name
    if others:
        name = choose_in_box(
            say("Question"),
            QUESTION,
            by_name,
            lambda each: by_name[each].asks,
            label_visibility="collapsed",
            width=480,
        )
    by_name[name].show(facts, chosen)
