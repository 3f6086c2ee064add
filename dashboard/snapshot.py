"""The snapshot the pages read: the newest one published, reopened when a load publishes another."""

from __future__ import annotations

import sys
from pathlib import Path

import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard.launch import database
from ingest.warehouse import NoSnapshotError, current_snapshot, hand, open_snapshot
from replay import Replay, replay


def folder() -> Path:
    """Return the folder of the warehouse this server shows."""
    return database(sys.argv[1:])


def connection() -> DuckDBPyConnection:
    """Return a connection to the newest snapshot, for this run of a page alone.

    Raises ``NoSnapshotError`` before the first load and ``WarehouseError`` for a snapshot that
    cannot be read.
    """
    return _opened(_newest()).cursor()


def replayed_hand(hand_id: str) -> Replay:
    """Return a stored hand replayed. Raises ``LookupError`` when there is no such hand."""
    return _replayed(_newest(), hand_id)


def _newest() -> str:
    path = current_snapshot(folder())
    if path is None:
        raise NoSnapshotError(f"{folder()} holds no warehouse yet.")
    return str(path)


# The path stands for the content: a published snapshot never changes, and no name is used twice.
@st.cache_resource(max_entries=2, show_spinner=False)
def _opened(path: str) -> DuckDBPyConnection:
    return open_snapshot(Path(path).parent)


@st.cache_resource(max_entries=64, show_spinner=False)
def _replayed(path: str, hand_id: str) -> Replay:
    replayed = replay(hand(_opened(path).cursor(), hand_id))
    # All states are made here, once, and only read by the viewers that share them.
    replayed.state_at(0)
    return replayed
