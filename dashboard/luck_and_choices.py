"""Luck and choices: what each brought players, as shares of the score at stake, over all games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard import figures, filters, snapshot
from dashboard.against_par import show_held, show_how_to_ask
from dashboard.escaping import as_markdown
from dashboard.figure_page import Topic
from dashboard.figures import Figure
from dashboard.filters import Chosen
from ingest.metrics import METRIC, FigureError, can_be_asked, par_held
from ingest.metrics.figure_words import difference_text
from ingest.metrics.standings import standings

LUCK_AND_CHOICES: Final = "Luck and choices"
_LUCK: Final = METRIC["luck-share"]
_CHOICES: Final = METRIC["own-choices-share"]
_MOST_TOLD: Final = 3

_TOPICS: Final = (
    Topic(
        "own-choices-share",
        Figure("own-choices-share", "player", order="value"),
        "Whose own choices bring the most?",
        "Cards always cost something, as nobody sees all cards: compare players with each other, "
        "and not with nothing.",
    ),
    Topic(
        "luck-share",
        Figure("luck-share", "player", order="value"),
        "Who was lucky?",
        "Chance gives as often as it takes, so next month need not repeat it.",
    ),
    Topic("own-bids-share", Figure("own-bids-share", "player", order="value")),
    Topic("own-cards-share", Figure("own-cards-share", "player", order="value")),
)


def show_luck_and_choices(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Show who was lucky and whose choices brought the most, compared within each game."""
    st.caption(
        "Parts of the ledger, divided by what a hand could bring, so that players of different "
        "games can be compared. Above 0 a part brought the player’s side something, below 0 it "
        "cost that side something. All cards are open for it: it measures choices, and reproaches "
        f"nobody. {figures.definition_link(_CHOICES.name)}"
    )
    if not can_be_asked(facts, _CHOICES):
        show_how_to_ask()
        return
    everybody = chosen.filters.also("player")
    try:
        found = snapshot.kept(par_held.held, facts, chosen.filters)
        show_held(found, (*found.without_par, *found.without_share))
        choices, luck = (
            snapshot.kept(standings, facts, metric, "player", everybody, chosen.minimum)
            for metric in (_CHOICES, _LUCK)
        )
    except FigureError as error:
        st.info(as_markdown(str(error)))
        return
    if choices.is_empty():
        st.info(
            "No hand here has a ledger in score. Choose other hands, or see above why these have "
            "none."
        )
        return
    labels = filters.labels_of(facts, "player")
    st.markdown(sentence(choices, luck, labels))
    for topic in _TOPICS:
        topic.show(facts, chosen)


def sentence(choices: pl.DataFrame, luck: pl.DataFrame, labels: Mapping[str, str]) -> str:
    """Return in markdown who is named by their choices and by their luck.

    The frames are those of ``standings`` by player.
    """
    if not choices["difference"].is_not_null().any():
        return "There are too few games with a ledger to compare players yet."
    told = [
        _named(choices, labels, "own choices brought", _CHOICES.name),
        _named(luck, labels, "cards brought", _LUCK.name),
    ]
    if not any(told):
        return "Neither in choices nor in luck does anybody differ by more than chance may give."
    by_choices, by_luck = (
        each or f"nobody is apart in {what} by more than chance may give"
        for each, what in zip(told, ("choices", "luck"), strict=True)
    )
    return (
        "Beside the others in the same games, in points of 100 at stake (99 %): "
        f"{by_choices}; {by_luck}."
    )


def _named(frame: pl.DataFrame, labels: Mapping[str, str], what: str, metric: str) -> str:
    rows: Sequence[dict[str, Any]] = frame.filter("named").head(_MOST_TOLD).to_dicts()
    return ", ".join(
        f"**{as_markdown(labels.get(row['player'], row['player']))}**’s {what} "
        f"{difference_text(METRIC[metric], row)}"
        for row in rows
    )
