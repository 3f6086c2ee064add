"""What stands in a snapshot (``warehouse.open_snapshot``): totals, findings, variants, players."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.sql import run

if TYPE_CHECKING:
    import polars as pl


def overview(connection: DuckDBPyConnection) -> pl.DataFrame:
    """Return one row: hands, how many of them figures are made of, games, players, days, findings.

    ``rejects`` counts the lines in quarantine.
    """
    return run(connection, _OVERVIEW, {})


def findings_of(connection: DuckDBPyConnection, hand_id: str) -> pl.DataFrame:
    """Return the findings of a hand: its own in the order of the record, then those of its game."""
    return run(connection, _FINDINGS_OF, {"hand_id": hand_id})


def variants(connection: DuckDBPyConnection) -> pl.DataFrame:
    """Return the variants that hands are stored of: id, title and number of hands."""
    return run(connection, _VARIANTS, {})


def hands_in(connection: DuckDBPyConnection) -> int:
    """Return how many hands are stored."""
    return int(run(connection, "SELECT count(*) AS hands FROM hands", {}).item())


def players(connection: DuckDBPyConnection) -> pl.DataFrame:
    """Return the players, those with the most hands first."""
    return run(connection, "FROM players ORDER BY hands DESC, player", {})


class Named(StrEnum):
    """What has an id."""

    HAND = "hand"
    GAME = "game"
    PLAYER = "player"


def what_is_named(connection: DuckDBPyConnection, text: str) -> Named | None:
    """Return what has an id: a hand, else a game, else a player; ``None`` if nothing has it."""
    found = run(connection, _NAMED_SO, {"id": text})["named"].to_list()
    return next((each for each in Named if each in found), None)


_OVERVIEW: Final = """
WITH days AS MATERIALIZED (
    -- A game counts where it began.
    SELECT first_day AS day FROM games
    UNION
    SELECT day FROM hands WHERE game IS NULL
)
SELECT
    count(*) AS hands,
    count(*) FILTER (verdict = 'valid') AS analysed,
    count(*) FILTER (verdict = 'partial') AS partial,
    count(*) FILTER (verdict NOT IN ('valid', 'partial')) AS left_out,
    (SELECT count(*) FROM games) AS games,
    (SELECT count(*) FROM players) AS players,
    (SELECT min(day) FROM days) AS first_day,
    (SELECT max(day) FROM days) AS last_day,
    (SELECT count(day) FROM days) AS days,
    (SELECT count(*) FROM findings) AS findings,
    (SELECT count(*) FROM rejects) AS rejects
FROM hands
"""

_FINDINGS_OF: Final = """
SELECT scope, code, "action", pointer, seat, facts, legal, rule, message
FROM findings
WHERE hand_id = $hand_id
ORDER BY scope DESC, ordinal
"""

_VARIANTS: Final = """
SELECT variant, any_value(title ORDER BY version DESC, ruleset) AS title, count(*) AS hands
FROM hands
JOIN seatings USING (seating_id)
JOIN rulesets USING (ruleset)
GROUP BY variant
ORDER BY variant
"""

_NAMED_SO: Final = """
SELECT 'hand' AS named FROM hands WHERE hand_id = $id
UNION ALL SELECT 'game' FROM games WHERE game = $id
UNION ALL SELECT 'player' FROM players WHERE player = $id
"""
