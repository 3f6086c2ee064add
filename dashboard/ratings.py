"""Ratings on pages: everybody's as a table, and those of one player in sentences."""

from __future__ import annotations

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard import addresses, cells, snapshot
from dashboard.escaping import as_markdown
from dashboard.filters import Chosen
from dashboard.profile import Profile
from dashboard.tables import Lines, Link, show_table
from dashboard.value_labels import labels_of
from ingest.metrics import FigureError
from ingest.metrics.figure_words import chance_text, place_text, standing_text
from ingest.metrics.filters import Filters
from ingest.ratings import Ratings, ratings_of, words
from schemas.languages.messages import message, say, say_counted, say_in
from schemas.languages.numbers import number

ABOUT = message(
    "What each brings their side a hand, from the mean of those who met, with partners and "
    "opponents taken out: bids and play together, whoever they sat with."
)


def ratings_in(facts: DuckDBPyConnection, filters: Filters) -> Ratings:
    """Return the ratings of everybody in the hands chosen. Raises as ``ratings_of`` does."""
    return snapshot.kept(ratings_of, facts, filters.also("player"))


def show_player(profile: Profile) -> None:
    """Say what a player brings, where they stand, and how sure that is."""
    try:
        found = ratings_in(profile.facts, profile.chosen.filters)
    except FigureError as error:
        st.caption(as_markdown(str(error)))
        return
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
    track = cells.Track(-reach, reach, 0.0)
    several = found.frame["group"].n_unique() > 1
    table = []
    for row in rows.iter_rows(named=True):
        who = [each for each in (row["player"], row["partner"]) if each]
        name = " & ".join(names[each] for each in who)
        link = Link(name, addresses.of_page(addresses.PLAYERS, facts, chosen, player=who[0]))
        rating = words.rating_text(row)
        ends = (row["rating"], row["low"], row["high"])
        picture = cells.interval(track, *ends, rating, cells.Colour.ONE)
        hands = say_counted("{count} hand", "{count} hands", row["hands"])
        standing, remark = standing_text(row), words.remark_text(row)
        table.append(
            (
                *([row["group"]] if several else []),
                *(place_text(row), link, row["hands"], rating, picture),
                *(chance_text(row["first"]), standing if row["better_than"] else "", remark),
                *(link, Lines((rating, hands, standing, *filter(None, [remark])), picture)),
            )
        )
    unit, player = words.unit_text(found), say_in("a column", "player")
    scale = say(
        "{low} to {high}", low=number(-reach, 2, sign=True), high=number(reach, 2, sign=True)
    )
    heads = [
        *([say_in("a column", "group")] if several else []),
        *(say("place, and between which (95 %)"), player, say_in("a column", "hands")),
        *(say("{unit} a hand, 95 % interval", unit=unit), scale, say("chance to be the best")),
        *(say("among those like them, 90 %"), "", player),
        say("{unit} a hand, {scale}", unit=unit, scale=scale),
    ]
    show_table(heads, table, name=say("Ratings"), whole_rows=True, for_phones=2)
