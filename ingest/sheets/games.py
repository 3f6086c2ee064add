"""The games of a warehouse: lists of them, those of one evening, and ids close to one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import listings
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.query import hands_behind
from tricklog.ingest.sql import run

if TYPE_CHECKING:
    import polars as pl

CLOSE: Final = 3
"""Games that are offered for an id that no game has."""


def game_list(
    facts: DuckDBPyConnection,
    filters: Filters = EVERYTHING,
    *,
    text: str | None = None,
    limit: int = 100,
    offset: int = 0,
) -> pl.DataFrame:
    """Return stored games, one row each, the latest first; ``game_count`` tells how many there are.

    Columns: ``game``, ``variant``, ``first_day``, ``last_day``, ``hands``, ``missing``,
    ``left_out`` (hands that are not valid), ``findings``, ``scores`` and ``winner_side`` as in
    table ``games``, and of the last hand ``players`` (ids, by seat) and ``seat_sides``.

    ``filters`` choose games with a hand in which at least one player fits, ``text`` those with a
    hand that ``listings.hand_list`` finds by it. Of them ``limit`` rows behind the first ``offset``
    are returned. Raises ``FigureError`` for filters that hands do not have.
    """
    chosen, parameters = _chosen(filters, text)
    page = parameters | {"limit": limit, "offset": offset}
    return run(facts, _GAME_LIST.replace("{chosen}", chosen), page)


def game_count(
    facts: DuckDBPyConnection, filters: Filters = EVERYTHING, *, text: str | None = None
) -> int:
    """Return how many games ``game_list`` has in all."""
    chosen, parameters = _chosen(filters, text)
    found = run(facts, f"SELECT count(*) AS games FROM ({chosen})", parameters)  # noqa: S608 - names of our own
    return int(found["games"].item())


def _chosen(filters: Filters, text: str | None) -> tuple[str, dict[str, Any]]:
    if not (text or filters.chosen or filters.since or filters.until):
        return "FROM games.games", {}
    hands, parameters = hands_behind(None, filters)
    if text:
        hands = f"FROM ({hands}) WHERE {listings.is_named(text)}"
        parameters["text"] = text
    fitting = f"SELECT game_no FROM ({hands})"  # noqa: S608 - names of our own
    return f"FROM games.games WHERE game_no IN ({fitting})", parameters


def games_beside(facts: DuckDBPyConnection, game: str) -> pl.DataFrame:
    """Return the games of the sessions a game belongs to, itself among them, in the order of play.

    Columns: ``game``, ``variant``. Empty for a game without a day.
    """
    return run(facts, _GAMES_BESIDE, {"game": game})


def close_games(connection: DuckDBPyConnection, game: str) -> list[str]:
    """Return the ids of games most like one that no game has, the closest first."""
    return _close(connection, "games", "game", game)


def close_hands(connection: DuckDBPyConnection, hand_id: str) -> list[str]:
    """Return the ids of hands most like one that no hand has, the closest first."""
    return _close(connection, "hands", "hand_id", hand_id)


def _close(connection: DuckDBPyConnection, table: str, name: str, asked: str) -> list[str]:
    sql = _CLOSE.format(name=name, table=table)
    return list(run(connection, sql, {"asked": asked, "limit": CLOSE})[name])


def game_of_hand(connection: DuckDBPyConnection, hand_id: str) -> str | None:
    """Return the game of a stored hand; ``None`` without such a hand, or without a game."""
    found = run(connection, "SELECT game FROM hands WHERE hand_id = $hand_id", {"hand_id": hand_id})
    return next(iter(found["game"]), None)


_GAME_LIST: Final = """
WITH page AS MATERIALIZED (
    SELECT *
    FROM ({chosen})
    ORDER BY first_day DESC NULLS LAST, game_no DESC
    LIMIT $limit OFFSET $offset
), ends AS (
    SELECT
        game_no,
        max_by(hand_no, {'hand': coalesce(hand, 0), 'hand_no': hand_no}) AS hand_no,
        count(*) FILTER (verdict NOT IN ('valid', 'partial')) AS left_out
    FROM seat_rows
    WHERE first_of_hand AND game_no IN (SELECT game_no FROM page)
    GROUP BY game_no
), found AS (
    SELECT game_no, count(*) AS findings
    FROM finding_facts
    WHERE game_no IN (SELECT game_no FROM page)
    GROUP BY game_no
)
SELECT
    page.game,
    variant,
    first_day,
    last_day,
    page.hands,
    missing,
    left_out,
    coalesce(findings, 0) AS findings,
    page.scores,
    page.winner_side,
    [each.id FOR each IN players] AS players,
    seat_sides
FROM page
JOIN ends USING (game_no)
JOIN games.hands ON hands.hand_no = ends.hand_no
JOIN games.seatings USING (seating_id)
JOIN games.rulesets USING (ruleset)
LEFT JOIN found USING (game_no)
ORDER BY first_day DESC NULLS LAST, game_no DESC
"""

_GAMES_BESIDE: Final = """
WITH met AS (
    SELECT DISTINCT session
    FROM seat_rows
    WHERE
        first_of_hand
        AND session IS NOT NULL
        AND game_no = (SELECT game_no FROM games.games WHERE game = $game)
), firsts AS (
    SELECT
        game_no,
        any_value(variant) AS variant,
        min_by(hand_no, {'hand': coalesce(hand, 0), 'hand_no': hand_no}) AS hand_no
    FROM seat_rows
    WHERE first_of_hand AND session IN (FROM met)
    GROUP BY game_no
)
SELECT games.game, variant
FROM firsts
JOIN games.games USING (game_no)
JOIN games.hands ON hands.hand_no = firsts.hand_no
ORDER BY started_at NULLS LAST, firsts.game_no
"""

_CLOSE: Final = """
SELECT {name}
FROM (
    SELECT
        {name},
        contains(lower({name}), lower($asked::VARCHAR)) AS has_it,
        jaro_winkler_similarity(
            lower(left({name}, 100)), lower(left($asked::VARCHAR, 100))
        ) AS likeness
    FROM {table}
)
WHERE has_it OR likeness > 0.7
ORDER BY has_it DESC, likeness DESC, {name}
LIMIT $limit
"""
