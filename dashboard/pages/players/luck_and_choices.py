"""Luck and choices: what each brought players, as shares of the score at stake, over all games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import figures
from tricklog.dashboard.kit.figure_page import of_players, show_one
from tricklog.dashboard.kit.page_parts import need, refusals_said
from tricklog.dashboard.sections.against_par import offer_par, show_held
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.metrics import METRIC, Metric, bid_map, can_be_asked
from tricklog.ingest.metrics.figure_words import difference_text
from tricklog.ingest.metrics.standings import standings
from tricklog.schemas.languages.messages import mark, message, say

LUCK_AND_CHOICES: Final = mark("Luck and choices")
_LUCK: Final = METRIC["luck-share"]
_CHOICES: Final = METRIC["own-choices-share"]
_MOST_TOLD: Final = 3

_TOPICS: Final = (
    of_players(
        "own-choices-share",
        message("Whose own choices bring the most?"),
        message(
            "Cards always cost something, as nobody sees all cards: compare players with each "
            "other, and not with nothing."
        ),
    ),
    of_players(
        "luck-share",
        message("Who was lucky?"),
        message("Chance gives as often as it takes, so next month need not repeat it."),
    ),
    of_players("own-bids-share"),
    of_players("own-cards-share"),
)


@refusals_said()
def show_luck_and_choices(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Show who was lucky and whose choices brought the most, compared within each game."""
    said = say(
        "Parts of the ledger, divided by what a hand could bring, so that players of different "
        "games can be compared. Above 0 a part brought the player’s side something, below 0 it "
        "cost that side something. All cards are open for it: it measures choices, and reproaches "
        "nobody."
    )
    st.caption(f"{said} {figures.definition_link(_CHOICES.name)}")
    if not can_be_asked(facts, _CHOICES):
        offer_par()
        return
    everybody = chosen.filters.also("player")
    found = snapshot.kept(bid_map.held, facts, chosen.filters)
    show_held(found, (*found.without_par, *found.without_share))
    choices, luck = (
        snapshot.kept(standings, facts, metric, "player", everybody, chosen.minimum)
        for metric in (_CHOICES, _LUCK)
    )
    none = message(
        "No hand here has a ledger in score. Choose other hands, or see above why these have none."
    )
    need(choices, none)
    st.markdown(sentence(choices, luck, labels_of(facts, "player")))
    show_one(_TOPICS, facts, chosen)


def sentence(choices: pl.DataFrame, luck: pl.DataFrame, labels: Mapping[str, str]) -> str:
    """Return in markdown who is named by their choices and by their luck.

    The frames are those of ``standings`` by player.
    """
    if not choices["difference"].is_not_null().any():
        return say("There are too few games with a ledger to compare players yet.")

    def named(frame: pl.DataFrame, metric: Metric) -> list[dict[str, str]]:
        return [
            {
                "player": f"**{as_markdown(labels.get(row['player'], row['player']))}**",
                "difference": difference_text(metric, row),
            }
            for row in frame.filter("named").head(_MOST_TOLD).to_dicts()
        ]

    by_choices = [
        say("{player}’s own choices brought {difference}", **each)
        for each in named(choices, _CHOICES)
    ]
    by_luck = [say("{player}’s cards brought {difference}", **each) for each in named(luck, _LUCK)]
    if not by_choices and not by_luck:
        return say(
            "Neither in choices nor in luck does anybody differ by more than chance may give."
        )
    return say(
        "Beside the others in the same games, in points of 100 at stake (99 %): {choices}; {luck}.",
        choices=", ".join(by_choices)
        or say("nobody is apart in choices by more than chance may give"),
        luck=", ".join(by_luck) or say("nobody is apart in luck by more than chance may give"),
    )
