"""Which hand comes before or after another."""

from __future__ import annotations

from typing import Any, Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.sql import run
from tricklog.ingest.store.scopes import EVERYBODY, Scope


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
    passed = abs(by) - 1
    if here["game"] is not None:
        own = _in_game(connection, here, listed, parameters, after=by > 0)
        if passed < len(own):
            return own[passed]
        passed -= len(own)
    # A game is looked through before all others are, as whoever goes on goes on in it.
    return _elsewhere(connection, here, passed, listed, parameters, after=by > 0)


def _in_game(
    connection: DuckDBPyConnection,
    here: dict[str, Any],
    listed: str,
    parameters: dict[str, list[str]],
    *,
    after: bool,
) -> list[str]:
    """Return the hands of the same game in that direction, the nearest first."""
    sql = _IN_GAME.format(listed=listed, beyond=">" if after else "<", order=_ORDER[after])
    wanted = {name: here[name] for name in ("game", "hand", "hand_id")}
    return [str(each) for each in run(connection, sql, wanted | parameters)["hand_id"]]


def _elsewhere(
    connection: DuckDBPyConnection,
    here: dict[str, Any],
    passed: int,
    listed: str,
    parameters: dict[str, list[str]],
    *,
    after: bool,
) -> str | None:
    """Return the hand of another game in that direction, so many being passed over."""
    day = here["day"]
    # Days lie together in the table, so what was played before is not even read; what was played
    # after may be of a game that began before.
    within = "day >= $day OR day IS NULL" if after else "true"
    sql = _ELSEWHERE.format(
        listed=listed,
        within="true" if day is None else within,
        beyond=">" if after else "<",
        order=_ORDER[after],
    )
    rows = run(connection, sql, {**here, "passed": passed, **parameters})
    return None if rows.is_empty() else str(rows["hand_id"].item())


_ORDER: Final = {True: "ASC", False: "DESC"}
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
