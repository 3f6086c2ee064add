"""Ratings on pages: everybody's as a table, and those of one player in sentences."""

from __future__ import annotations

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.profile import Profile
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import addresses, cells
from tricklog.dashboard.kit.page_parts import refusals_said
from tricklog.dashboard.kit.tables import Cell, Link, show_table
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.metrics.figure_words import chance_text, place_text
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.ratings import Ratings, ratings_of, words
from tricklog.schemas.languages.messages import message, say, say_in
from tricklog.schemas.languages.numbers import number

ABOUT = message(
    "What each brings their side a hand, from the mean of those who met, with partners and "
    "opponents taken out: bids and play together, whoever they sat with."
)


def ratings_in(facts: DuckDBPyConnection, filters: Filters) -> Ratings:
    """Return the ratings of everybody in the hands chosen. Raises as ``ratings_of`` does."""
    return snapshot.kept(ratings_of, facts, filters.also("player"))


@refusals_said()
def show_player(profile: Profile) -> None:
    """Say what a player brings, where they stand, and how sure that is."""
    found = ratings_in(profile.facts, profile.chosen.filters)
    said = words.player_sentences(found, profile.player, profile.name)
    st.markdown(as_markdown(" ".join(said)))


def show_everybody(
    facts: DuckDBPyConnection, chosen: Chosen, found: Ratings, rows: pl.DataFrame
) -> None:
    """Show who is the best and how sure that is, and ``rows`` of the table of ratings."""
    names = labels_of(facts, "player")
    st.subheader(say("Rating"), help=str(ABOUT))
    st.markdown(as_markdown(words.best_sentence(found, names)))
    st.caption(as_markdown(" ".join(words.notes_text(found))))
    reach = max(map(abs, (*found.frame["low"], *found.frame["high"])))
    table: list[tuple[Cell, ...]] = []
    for row in rows.iter_rows(named=True):
        name = words.name_text(row, names)
        link = Link(name, addresses.of_page("players", chosen, player=row["player"]))
        rating, remark, place = words.rating_text(row), words.remark_text(row), place_text(row)
        ends = (row["rating"], row["low"], row["high"])
        picture = cells.interval(cells.Track(-reach, reach, 0.0), *ends, rating)
        figures = (row["hands"], rating, picture, chance_text(row["first"]), remark)
        table.append((row["group"], place, link, *figures))
    unit, player = words.unit_text(found), say_in("a column", "player")
    low, high = (number(each, 2, sign=True) for each in (-reach, reach))
    scale = say("{low} to {high}", low=low, high=high)
    heads = [
        *(say_in("a column", "group"), say("place, and between which (95 %)"), player, "n"),
        *(say("{unit} a hand, 95 % interval", unit=unit), scale, say("chance to be the best")),
        "",
    ]
    if found.frame["group"].n_unique() == 1:
        heads, table = heads[1:], [each[1:] for each in table]
    show_table(heads, table, name=say("Ratings"), whole_rows=True)
