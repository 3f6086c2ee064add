"""Choices of one of several options that stand in the address, each by its id."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from typing import Any, Final, TypeVar

import polars as pl
import streamlit as st

from tricklog.dashboard.address import parameters
from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.text.labels import value_words
from tricklog.ingest.metrics.field import Table
from tricklog.ingest.metrics.listings import MOST
from tricklog.schemas.languages.messages import say

TABLE: Final = "table"
"""Parameter and key: the kind of table shown."""
T = TypeVar("T", bound=Hashable)


def choose_beside(
    label: str,
    name: str,
    options: Collection[T],
    words: Callable[[T], object] = str,
    *,
    default: T | str = parameters.FIRST,
    ids: Callable[[T], str] = str,
    hides_label: bool = False,
) -> T:
    """Show options beside each other, and return the chosen one.

    The rest is as for ``parameters.choice``.
    """
    key = parameters.choice(name, options, words, default=default, ids=ids)
    said = {each: str(words(each)) for each in options}
    st.segmented_control(
        label,
        options,
        format_func=said.__getitem__,
        required=True,
        key=key,
        label_visibility="collapsed" if hides_label else "visible",
    )
    found: T = st.session_state[key]
    return found


def choose_in_box(
    label: str,
    name: str,
    options: Collection[T],
    words: Callable[[T], object] = str,
    *,
    default: T | str = parameters.FIRST,
    ids: Callable[[T], str] = str,
    **looks: Any,  # noqa: ANN401 - as Streamlit has it
) -> T:
    """Show a box with options, and return the chosen one.

    ``looks`` are more arguments of the box of Streamlit, the rest is as for ``parameters.choice``.
    """
    key = parameters.choice(name, options, words, default=default, ids=ids)
    said = {each: str(words(each)) for each in options}
    st.selectbox(label, options, format_func=said.__getitem__, key=key, **looks)
    found: T = st.session_state[key]
    return found


def choose_or_not(
    label: str,
    name: str,
    options: Collection[T],
    words: Callable[[T], str],
    nothing: str,
    **looks: Any,  # noqa: ANN401 - as Streamlit has it
) -> T | None:
    """Show a box that may stay empty, where it says ``nothing``, and return what is chosen."""
    key = parameters.choice(name, options, words, default=None)
    found: T | None = st.selectbox(
        label, [*options], index=None, format_func=words, placeholder=nothing, key=key, **looks
    )
    return found


def choose_player(
    label: str,
    name: str,
    labels: Mapping[str, str],
    *,
    but: Collection[str] = (),
    nothing: str = "",
    in_address: bool = False,
    **looks: Any,  # noqa: ANN401 - as Streamlit has it
) -> str | None:
    """Show a box with the players of ``labels``, without ``but``, and return the chosen one.

    With ``nothing`` the box may stay empty and says that; else the first is chosen. Of many players
    the first are offered, and others can be typed.
    """
    chosen = st.session_state.get(name)
    if chosen is not None and (chosen in but or chosen not in labels):
        meant = chosen if chosen in labels else filters.typed_as(chosen, labels)
        st.session_state.pop(name)
        if meant is not None and meant not in but:
            st.session_state[name] = meant
    people = [each for each in labels if each not in but]
    if in_address:
        parameters.choice(name, people, labels.__getitem__, default=None)
    chosen = st.session_state.get(name)
    offered = [*people[:MOST], *(each for each in people[MOST:] if each == chosen)]
    found: str | None = st.selectbox(
        label,
        offered,
        index=None if nothing else 0,
        format_func=lambda each: labels.get(each, each),
        placeholder=nothing or None,
        key=name,
        accept_new_options=len(people) > MOST,
        **looks,
    )
    return found


def find_text() -> str:
    """Show the box that finds hands, games, players and days, and return what was typed."""
    typed: str = st.text_input(
        say("Find"),
        key=parameters.typed("find"),
        placeholder=say("Hand, game, player or day (2026-11-20)"),
    )
    return typed.strip()


# --- One game at one kind of table, for figures that are never made of several


def choose_table(tables: pl.DataFrame) -> Table:
    """Let the viewer choose among kinds of tables, the first of them at first.

    ``tables`` has the columns ``variant`` and ``seating``, and a row at least.
    """
    kinds = [Table(*row) for row in tables.select("variant", "seating").iter_rows()]
    return choose_in_box(
        say("Game"),
        TABLE,
        kinds,
        table_words,
        ids=lambda each: f"{each.variant}-{each.seating}",
        width=360,
    )


def at_table(chosen: Chosen, table: Table) -> Chosen:
    """Return what is chosen, of one kind of table."""
    return chosen.also("variant", table.variant).also("seating", table.seating)


def table_words(table: Table) -> str:
    """Return what a kind of table is called."""
    return (
        f"{snapshot.titles().get(table.variant, table.variant)}, "
        f"{value_words('seating', table.seating)}"
    )
