"""Whose profile is shown, for all parts of the page of a player."""

from __future__ import annotations

from dataclasses import dataclass

from duckdb import DuckDBPyConnection

from tricklog.dashboard.data.filters import Chosen


@dataclass(frozen=True, slots=True)
class Profile:
    """Whose profile is shown, and what it is made from."""

    facts: DuckDBPyConnection
    chosen: Chosen
    """What the viewer has chosen, of players this one alone."""
    player: str
    name: str
