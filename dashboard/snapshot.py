"""What the pages read: the snapshot that was the newest when the page began, and its facts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import duckdb
import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard.escaping import as_markdown
from dashboard.launch import database
from ingest.facts.files import explained, open_facts_of
from ingest.store import queries
from ingest.store.warehouse import (
    NoSnapshotError,
    WarehouseError,
    current_snapshot,
    hand,
    is_trouble,
    open_file,
)
from replay import Replay, replay

_SETTLED: Final = "snapshot"

Answer = TypeVar("Answer")


def folder() -> Path:
    """Return the folder of the warehouse this server shows."""
    return database(sys.argv[1:])


def settle() -> None:
    """Take the newest snapshot for this run of a page, whatever is published before it ends.

    Raises ``NoSnapshotError`` before the first load and ``WarehouseError`` for a folder whose
    pointer is damaged.
    """
    path = current_snapshot(folder())
    if path is None:
        raise NoSnapshotError(f"{folder()} holds no warehouse yet.")
    st.session_state[_SETTLED] = str(path)


def key() -> str:
    """Return what changes when this run is of another snapshot; caches are keyed by it."""
    return str(st.session_state[_SETTLED])


def connection() -> DuckDBPyConnection:
    """Return a connection to the snapshot, for this run of a page alone.

    Raises ``WarehouseError`` for a snapshot that cannot be read.
    """
    with _begun_over_without(key()):
        return _opened(key()).cursor()


def facts() -> DuckDBPyConnection:
    """Return a connection to the facts of the snapshot, for this run of a page alone.

    They are counted first when nobody has asked for them before. Raises as ``connection`` does.
    """
    with _begun_over_without(key()):
        return _facts(key()).cursor()


def replayed_hand(hand_id: str) -> Replay:
    """Return a stored hand replayed. Raises ``LookupError`` when there is no such hand."""
    return _replayed(key(), hand_id)


def totals() -> dict[str, Any]:
    """Return the row of ``listings.overview``."""
    with _begun_over_without(key()):
        return _totals(key())


def kept(
    ask: Callable[..., Answer], facts: DuckDBPyConnection, *given: object, **named: object
) -> Answer:
    """Return what a function finds in the facts, kept for all viewers, who may only read it."""
    return _kept(key(), f"{ask.__module__}.{ask.__name__}", ask, facts, given, named)


def titles() -> dict[str, str]:
    """Return the title of every variant that hands are stored of, by its id."""
    return _titles(key())


def names() -> dict[str, str]:
    """Return the name of every player by id, those with the most hands first."""
    return _names(key())


@contextmanager
def damage_told() -> Iterator[None]:
    """Show a sentence in the place of a page whose files are damaged or cannot be read."""
    try:
        yield
    except WarehouseError as error:
        st.error(as_markdown(str(error)))
    except duckdb.Error as error:
        if not is_trouble(error):
            raise
        st.error(as_markdown(str(explained(folder(), error))))
        # What has been opened stays damaged, whatever is put in its place.
        for kept_open in (_opened, _facts):
            kept_open.clear()


@contextmanager
def _begun_over_without(path: str) -> Iterator[None]:
    """Begin the page over when its snapshot was removed before it was opened."""
    try:
        yield
    except WarehouseError:
        if Path(path).exists():
            raise
        st.rerun()


# The path stands for the content: a published snapshot never changes, and no name is used twice.
@st.cache_resource(max_entries=2, show_spinner=False)
def _opened(path: str) -> DuckDBPyConnection:
    return open_file(Path(path))


@st.cache_resource(
    max_entries=2, show_spinner="Counting what figures are made of, once for each load"
)
def _facts(path: str) -> DuckDBPyConnection:
    return open_facts_of(Path(path))


@st.cache_resource(max_entries=64, show_spinner=False)
def _replayed(path: str, hand_id: str) -> Replay:
    replayed = replay(hand(_opened(path).cursor(), hand_id))
    # All states are made here, once, and only read by the viewers that share them.
    replayed.state_at(0)
    return replayed


@st.cache_resource(max_entries=2, show_spinner=False)
def _totals(path: str) -> dict[str, Any]:
    return queries.overview(_opened(path).cursor()).row(0, named=True)


@st.cache_resource(max_entries=300, show_spinner=False)
def _kept(
    path: str,  # noqa: ARG001 - stands for the content of the facts
    name: str,  # noqa: ARG001 - stands for the function
    _ask: Callable[..., Answer],
    _facts: DuckDBPyConnection,
    given: tuple[object, ...],
    named: dict[str, object],
) -> Answer:
    return _ask(_facts, *given, **named)


@st.cache_resource(max_entries=2, show_spinner=False)
def _titles(path: str) -> dict[str, str]:
    rows = queries.variants(_opened(path).cursor()).select("variant", "title")
    return dict(rows.iter_rows())


@st.cache_resource(max_entries=2, show_spinner=False)
def _names(path: str) -> dict[str, str]:
    rows = queries.players(_opened(path).cursor()).select("player", "name")
    return dict(rows.iter_rows())
