"""The filters above the figures. They live in the URL, so a link shows the same hands."""

from __future__ import annotations

from collections import Counter

import streamlit as st
from duckdb import DuckDBPyConnection

from ingest import listings
from ingest.filters import Filters
from schemas.show import clean


def choose(connection: DuckDBPyConnection) -> Filters:
    """Show the filters every page has and return what is chosen."""
    titles = variant_titles(connection)
    names = player_names(connection)
    left, right = st.columns(2)
    variant = left.selectbox(
        "Variant",
        list(titles),
        index=None,
        format_func=lambda each: titles[each],
        placeholder="Every variant",
        key="variant",
        bind="query-params",
    )
    player = right.selectbox(
        "Player",
        list(names),
        index=None,
        format_func=lambda each: names[each],
        placeholder="Everybody",
        key="player",
        bind="query-params",
    )
    return Filters(variants=(variant,) if variant else (), players=(player,) if player else ())


def variant_titles(connection: DuckDBPyConnection) -> dict[str, str]:
    """Return the title of every variant that hands are stored of, by its id."""
    rows = listings.variants(connection).iter_rows(named=True)
    return _told_apart({row["variant"]: row["title"] for row in rows})


def player_names(connection: DuckDBPyConnection) -> dict[str, str]:
    """Return the name of every player by id, those with the most hands first."""
    rows = listings.players(connection).iter_rows(named=True)
    return _told_apart({row["player"]: row["name"] for row in rows})


def _told_apart(names: dict[str, str]) -> dict[str, str]:
    """Clean names for the screen; where several share one, the id stands with it."""
    cleaned = {key: clean(name) or clean(key) for key, name in names.items()}
    count = Counter(cleaned.values())
    return {
        key: f"{name} ({clean(key)})" if count[name] > 1 else name for key, name in cleaned.items()
    }
