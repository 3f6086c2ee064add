"""What each value of a dimension is called on a page, told from the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.data import snapshot
from tricklog.dashboard.text.labels import value_words
from tricklog.ingest.metrics import DIMENSION, listings
from tricklog.schemas.languages.current import current
from tricklog.schemas.printable import distinct_words


def labels_of(facts: DuckDBPyConnection, name: str) -> dict[str, str]:
    """Return what people call each value of a dimension, by the value."""
    return _labels(facts, name, current())


def labels_with(facts: DuckDBPyConnection, name: str, asked: Sequence[str]) -> dict[str, str]:
    """Return ``labels_of``, with words for those of ``asked`` that a long list leaves out."""
    labels = labels_of(facts, name)
    if len(labels) < listings.MOST or labels.keys() >= set(asked):
        return labels
    more = snapshot.kept(listings.values, facts, DIMENSION[name], among=tuple(asked))
    return labels | {each: value_words(name, each) for each in more if each not in labels}


@st.cache_resource(max_entries=200, show_spinner=False, hash_funcs=snapshot.OF_FACTS)
def _labels(
    facts: DuckDBPyConnection,
    name: str,
    language: str,  # noqa: ARG001 - in another one they are others
) -> dict[str, str]:
    # Links lead to any player, so that all of them have words.
    most = None if DIMENSION[name].players else listings.MOST
    found = listings.values(facts, DIMENSION[name], most)
    return labelled(name, found, snapshot.titles(), snapshot.names())


def labelled(
    name: str, values: list[str], titles: Mapping[str, str], names: Mapping[str, str]
) -> dict[str, str]:
    """Return words for values of a dimension; where several would be the same, the value too."""
    if name == "variant":
        words = {value: titles.get(value, value) for value in values}
    elif DIMENSION[name].players:
        words = {value: names.get(value, value) for value in values}
    else:
        words = {value: value_words(name, value) for value in values}
    return distinct_words(words)
