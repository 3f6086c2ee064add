"""One game at one kind of table, for figures that are never made of several."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import polars as pl
import streamlit as st

from tricklog.dashboard.address import asked
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.text.labels import value_words
from tricklog.ingest.metrics.field import Table
from tricklog.schemas.languages.messages import say

TABLE: Final = "table"
"""Parameter and key: the kind of table shown."""


def choose_table(tables: pl.DataFrame) -> Table:
    """Let the viewer choose among kinds of tables, the first of them at first.

    ``tables`` has the columns ``variant`` and ``seating``, and a row at least.
    """
    kinds = [Table(*row) for row in tables.select("variant", "seating").iter_rows()]
    words = {table_words(each): each for each in kinds}
    asked.allows(TABLE, lambda: map(table_words, kinds))
    picked = st.selectbox(say("Game"), list(words), key=TABLE, bind="query-params", width=360)
    return words[picked or next(iter(words))]


def at_table(chosen: Chosen, table: Table) -> Chosen:
    """Return what is chosen, of one kind of table."""
    filters = chosen.filters.also("variant", table.variant).also("seating", table.seating)
    return replace(chosen, filters=filters)


def table_words(table: Table) -> str:
    """Return what a kind of table is called."""
    return (
        f"{snapshot.titles().get(table.variant, table.variant)}, "
        f"{value_words('seating', table.seating)}"
    )
