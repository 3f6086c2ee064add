"""What stands in a snapshot (``warehouse.open_snapshot``): totals, findings, variants, players."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.sql import run
from tricklog.ingest.store.scopes import EVERYBODY, Scope

if TYPE_CHECKING:
    import polars as pl


def hand_beside(
    connection: DuckDBPyConnection, hand_id: str, *, by: int, scope: Scope = EVERYBODY
) -> str | None:
    """Return the id of the hand ``by`` hands after another, or before it for less than 0.

    ``None`` where there are not so many. First come the other hands of its game by number, then all
    hands in the order of ``hand_list``, read from the earliest to the latest. ``by`` is not 0. Only
    hands of the scope count, unless the hand itself is outside.
    """
    condition, parameters = scope.condition()
    listed = "true" if scope == EVERYBODY else _OF_TABLES.format(condition=condition)
    found = run(connection, _HERE.format(listed=listed), {"hand_id": hand_id, **parameters})
    if found.is_empty():
        return None
    here = found.row(0, named=True)
    if not here.pop("is_listed"):
        listed, parameters = "true", {}
    after, day, passed = by > 0, here["day"], abs(by) - 1
    how = {"listed": listed, "beyond": "<>"[after], "order": "ASC" if after else "DESC"}
    if here["game"] is not None:
        wanted = {name: here[name] for name in ("game", "hand", "hand_id")}
        own = run(connection, _IN_GAME.format(**how), wanted | parameters)["hand_id"].to_list()
        if passed < len(own):
            return str(own[passed])
        passed -= len(own)
    # A game is looked through before all others are, as whoever goes on goes on in it. Days lie
    # together in the table, so what was played before is not even read; what was played after may
    # be of a game that began before.
    within = "day >= $day OR day IS NULL" if after and day is not None else "true"
    query = _ELSEWHERE.format(within=within, **how)
    rows = run(connection, query, {**here, "passed": passed, **parameters})
    return None if rows.is_empty() else str(rows["hand_id"].item())


_OF_TABLES: Final = (
    "seating_id IN (SELECT seating_id FROM seatings JOIN rulesets USING (ruleset) "
    "WHERE {condition})"
)
_HERE: Final = """
SELECT
    hand_id,
    hands.game AS game,
    coalesce(hand, -1) AS hand,
    coalesce(first_day, day) AS day,
    coalesce(game_no, hand_no) AS game_no,
    {listed} AS is_listed
FROM hands
LEFT JOIN games ON games.game = hands.game
WHERE hand_id = $hand_id
"""
_IN_GAME: Final = """
SELECT hand_id
FROM hands
WHERE game = $game AND (coalesce(hand, -1), hand_id) {beyond} ($hand, $hand_id) AND {listed}
ORDER BY coalesce(hand, -1) {order}, hand_id {order}
"""
_ELSEWHERE: Final = """
WITH placed AS (
    SELECT
        hand_id,
        (
            coalesce(first_day, day, DATE '0001-01-01'),
            coalesce(game_no, hand_no),
            coalesce(hand, -1),
            hand_id
        ) AS place
    FROM hands
    LEFT JOIN games ON games.game = hands.game
    WHERE hands.game IS DISTINCT FROM $game AND ({within}) AND {listed}
)
SELECT hand_id
FROM placed
WHERE place {beyond} (coalesce($day, DATE '0001-01-01'), $game_no, $hand, $hand_id)
ORDER BY place {order}
LIMIT 1 OFFSET $passed
"""


REFERENCE: Final = "~"
"""Begins what stands in an address that names nobody: the content hash in the place of the id."""
HASH: Final = "replace(content_hash::VARCHAR, '-', '')"
"""The content hash of a hand, as 32 hex digits."""


def hashes_of(tables: DuckDBPyConnection, ids: Sequence[str]) -> dict[str, str]:
    """Return the content hash of each hand by its id; ids that no hand has are left out."""
    sql = f"SELECT hand_id, {HASH} AS hash FROM hands WHERE list_contains($ids::VARCHAR[], hand_id)"  # noqa: S608 - our own
    return dict(run(tables, sql, {"ids": list(ids)}).iter_rows())


def reference_of(tables: DuckDBPyConnection, hand: str) -> str:
    """Return what stands in an address for a hand whose id may name somebody; or ``KeyError``."""
    return f"{REFERENCE}{hashes_of(tables, [hand])[hand]}"


def ids_of(tables: DuckDBPyConnection, hashes: Collection[str]) -> dict[str, str]:
    """Return the id of each hand by its content hash; hashes that no hand has are left out."""
    sql = (
        f"SELECT {HASH} AS hash, hand_id FROM hands "  # noqa: S608 - names of our own
        "WHERE content_hash IN (SELECT TRY_CAST(unnest($hashes::VARCHAR[]) AS UUID))"
    )
    return dict(run(tables, sql, {"hashes": list(hashes)}).iter_rows())


def overview(connection: DuckDBPyConnection) -> pl.DataFrame:
    """Return a row: hands, analysed ones, games, players, days, findings, lines in quarantine."""
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
