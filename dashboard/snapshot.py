"""What the pages read: the newest snapshot and its facts, opened anew after each publish."""

from __future__ import annotations

import sys
from pathlib import Path

import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard.launch import database
from ingest import listings
from ingest.facts.files import open_facts
from ingest.warehouse import NoSnapshotError, current_snapshot, hand, open_snapshot
from replay import Replay, replay


def folder() -> Path:
    """Return the folder of the warehouse this server shows."""
    return database(sys.argv[1:])


def key() -> str:
    """Return what changes when another snapshot is published; caches are keyed by it.

    Raises ``NoSnapshotError`` before the first load and ``WarehouseError`` for a folder whose
    pointer is damaged.
    """
    path = current_snapshot(folder())
    if path is None:
        raise NoSnapshotError(f"{folder()} holds no warehouse yet.")
    return str(path)


def connection() -> DuckDBPyConnection:
    """Return a connection to the newest snapshot, for this run of a page alone.

    Raises ``NoSnapshotError`` before the first load and ``WarehouseError`` for a snapshot that
    cannot be read.
    """
    return _opened(key()).cursor()


def facts() -> DuckDBPyConnection:
    """Return a connection to the facts of the newest snapshot, for this run of a page alone.

    They are counted first when nobody has asked for them before. Raises as ``connection`` does.
    """
    return _facts(key()).cursor()


def replayed_hand(hand_id: str) -> Replay:
    """Return a stored hand replayed. Raises ``LookupError`` when there is no such hand."""
    return _replayed(key(), hand_id)


def titles() -> dict[str, str]:
    """Return the title of every variant that hands are stored of, by its id."""
    return _titles(key())


def names() -> dict[str, str]:
    """Return the name of every player by id, those with the most hands first."""
    return _names(key())


# The path stands for the content: a published snapshot never changes, and no name is used twice.
@st.cache_resource(max_entries=2, show_spinner=False)
def _opened(path: str) -> DuckDBPyConnection:
    return open_snapshot(Path(path).parent)


@st.cache_resource(
    max_entries=2, show_spinner="Counting what figures are made of, once for each load"
)
def _facts(path: str) -> DuckDBPyConnection:
    return open_facts(Path(path).parent)


@st.cache_resource(max_entries=64, show_spinner=False)
def _replayed(path: str, hand_id: str) -> Replay:
    replayed = replay(hand(_opened(path).cursor(), hand_id))
    # All states are made here, once, and only read by the viewers that share them.
    replayed.state_at(0)
    return replayed


@st.cache_resource(max_entries=2, show_spinner=False)
def _titles(path: str) -> dict[str, str]:
    rows = listings.variants(_opened(path).cursor()).select("variant", "title")
    return dict(rows.iter_rows())


@st.cache_resource(max_entries=2, show_spinner=False)
def _names(path: str) -> dict[str, str]:
    rows = listings.players(_opened(path).cursor()).select("player", "name")
    return dict(rows.iter_rows())
