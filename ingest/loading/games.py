"""Games and players: what follows from all hands of a game or of a player, made again by loads."""

from __future__ import annotations

from typing import Final

from duckdb import DuckDBPyConnection

SHARE: Final = 4_000_000
"""Hands whose games are gone through at a time, about."""
NAMES: Final = 100
"""Names of a player that are kept, at most."""


def refresh(connection: DuckDBPyConnection) -> None:
    """Make all games and players again from the hands."""
    connection.execute("DELETE FROM games; DELETE FROM players")
    connection.execute(f"CREATE TEMP TABLE touched_games AS {_ALL_GAMES}")
    connection.execute(f"CREATE TEMP TABLE touched_players AS {_ALL_PLAYERS}")
    _refresh_touched(connection, 0)


def refresh_import(connection: DuckDBPyConnection, import_id: int) -> None:
    """Make the games and players of the hands of a load again; the others are as they were."""
    of_import = {"import": import_id}
    connection.execute(f"CREATE TEMP TABLE touched_games AS {_NEW_GAMES}", of_import)
    connection.execute(f"CREATE TEMP TABLE touched_players AS {_NEW_PLAYERS}", of_import)
    _refresh_touched(connection, first_hand_of(connection, import_id))


def _refresh_touched(connection: DuckDBPyConnection, first_hand: int) -> None:
    """Make the games and players again that two tables name, and drop these tables."""
    connection.execute("DELETE FROM games WHERE game IN (FROM touched_games)")
    for share in shares_of_games(connection):
        connection.execute(_REFRESH_GAMES, {**share, "first": first_hand})
    connection.execute("DELETE FROM players WHERE player IN (FROM touched_players)")
    connection.execute(_REFRESH_PLAYERS)
    connection.execute("DROP TABLE touched_games; DROP TABLE touched_players")


def first_hand_of(connection: DuckDBPyConnection, import_id: int) -> int:
    """Return a number that no hand of a load is below, nor any other hand of its games.

    A game has the number of its first hand, so that most of what is stored need not be looked
    through. It is 0 where games have no numbers yet.
    """
    ((first,),) = connection.execute(_FIRST_HAND, {"import": import_id}).fetchall()
    return int(first)


def shares_of_games(connection: DuckDBPyConnection) -> list[dict[str, int]]:
    """Return the shares in which all games are gone through, so that each fits into memory."""
    ((hands,),) = connection.execute("SELECT count(*) FROM hands").fetchall()
    shares = 1 + hands // SHARE
    return [{"shares": shares, "share": share} for share in range(shares)]


# A game is in order at first sight when its hands are valid and numbered from 1, and each takes up
# the table, the deal and the scores as the one before leaves them. What it takes up and leaves is
# compared by hashes, as is the game: sorting rows of numbers takes a tenth of the memory, and games
# that share a hash are checked, no more.
GAMES_TO_CHECK: Final = """
INSERT INTO games_to_check
WITH tables AS (
    SELECT
        seating_id,
        len(seat_sides) AS seats,
        CASE policies->>'direction' WHEN 'clockwise' THEN 1 ELSE len(seat_sides) - 1 END AS step,
        hash(ruleset, [player.id FOR player IN players]) AS sitting
    FROM seatings
    JOIN rulesets USING (ruleset)
), touched AS (
    SELECT DISTINCT hash(game) AS game
    FROM hands
    WHERE import_id = $import AND game IS NOT NULL AND hash(game) % $shares = $share
), ends AS (
    SELECT
        hash(game) AS game,
        hand,
        verdict = 'valid' AND hand IS NOT NULL AND scores_before IS NOT NULL
            AND (started_at IS NULL) = (day IS NULL) AS is_whole,
        started_at,
        hand = 1 AND list_min(scores_before) = 0 AND list_max(scores_before) = 0 AS is_first,
        hash(sitting, dealer::BIGINT, scores_before) AS takes_up,
        hash(sitting, ((dealer + step) % seats)::BIGINT, scores) AS leaves,
        winner_side IS NOT NULL AS is_last
    FROM hands
    JOIN tables USING (seating_id)
    WHERE
        hand_no >= $first
        AND hash(game) % $shares = $share
        AND hash(game) IN (FROM touched)
), steps AS (
    SELECT
        *,
        lag(hand) OVER course AS hand_before,
        lag(leaves) OVER course AS left_before,
        lag(is_last) OVER course AS is_after_end,
        lag(started_at IGNORE NULLS) OVER course AS began_before
    FROM ends
    WINDOW course AS (PARTITION BY game ORDER BY hand)
), wrong AS (
    SELECT DISTINCT game
    FROM steps
    WHERE NOT is_whole OR CASE
        WHEN hand_before IS NULL THEN NOT is_first
        ELSE hand <> hand_before + 1 OR takes_up <> left_before OR is_after_end
            OR coalesce(started_at < began_before, false)
    END
)
SELECT DISTINCT game
FROM hands
WHERE hand_no >= $first AND hash(game) IN (FROM wrong)
"""
_FIRST_HAND: Final = """
SELECT CASE
    WHEN EXISTS (FROM games) THEN coalesce(
        least(
            min(hand_no), (SELECT min(game_no) FROM games WHERE game IN (
                SELECT game FROM hands WHERE import_id = $import
            ))
        ),
        0
    )
    ELSE 0
END
FROM hands
WHERE import_id = $import
"""

_ALL_GAMES: Final = "SELECT DISTINCT game FROM hands WHERE game IS NOT NULL"
_NEW_GAMES: Final = f"{_ALL_GAMES} AND import_id = $import"
_ALL_PLAYERS: Final = "SELECT DISTINCT unnest(players).id AS player FROM seatings"
_NEW_PLAYERS: Final = (
    f"{_ALL_PLAYERS} WHERE seating_id IN (SELECT seating_id FROM hands WHERE import_id = $import)"  # noqa: S608 - names of our own
)

# Games and players follow from the hands alone, so that their order of arrival leaves no trace; nor
# do ids, which are others when somebody is forgotten.
_REFRESH_GAMES: Final = """
INSERT INTO games
SELECT
    min(hand_no),
    game,
    list_sort(list(DISTINCT ruleset)),
    count(*),
    max(hand) - count(DISTINCT hand),
    first(day ORDER BY hand, started_at, day) FILTER (day IS NOT NULL),
    max(day),
    last(scores ORDER BY hand, started_at, scores) FILTER (scores IS NOT NULL),
    last(winner_side ORDER BY hand, started_at, scores, winner_side)
        FILTER (winner_side IS NOT NULL)
FROM hands
JOIN seatings USING (seating_id)
WHERE
    hand_no >= $first
    AND game IN (FROM touched_games)
    AND hash(game) % $shares = $share
GROUP BY game
"""
NAMED: Final = f"""
names AS (
    SELECT DISTINCT player.id AS id, player.name AS name FROM seats WHERE player.name IS NOT NULL
), named_often AS (
    SELECT id FROM names GROUP BY id HAVING count(*) > {NAMES}
), aliases AS (
    -- Room for so many names would be kept for each player, so only who needs it is asked this way.
    SELECT id, min(name, {NAMES}) AS names FROM names SEMI JOIN named_often USING (id) GROUP BY id
    UNION ALL
    SELECT id, list_sort(list(name)) FROM names ANTI JOIN named_often USING (id) GROUP BY id
)
"""  # noqa: S608 - names of our own
"""The parts of a query that give the names of who has any, from ``seats``, as ``aliases``."""
# Who sat at a table is looked up once for all its hands, and written out: DuckDB 2.0 joins packed
# rows in a way that stops at those which the same load has added and not yet packed.
_REFRESH_PLAYERS: Final = f"""
INSERT INTO players
WITH seated AS MATERIALIZED (
    SELECT *
    FROM (SELECT seating_id, unnest(players) AS player FROM seatings)
    WHERE player.id IN (FROM touched_players)
), tables AS (
    SELECT
        seating_id,
        count(*) AS hands,
        -- A game counts where it began.
        min(coalesce(began, day)) AS first_day,
        max(coalesce(began, day)) AS last_day,
        coalesce(max(started_at), '-infinity'::TIMESTAMP) AS latest
    FROM hands
    SEMI JOIN seated USING (seating_id)
    LEFT JOIN (SELECT game, first_day AS began FROM games) USING (game)
    GROUP BY seating_id
), seats AS (
    SELECT * FROM tables JOIN seated USING (seating_id)
), {NAMED}
SELECT
    player.id,
    coalesce(
        last(player.name ORDER BY latest, player.name) FILTER (player.name IS NOT NULL), player.id
    ),
    coalesce(any_value(aliases.names), []),
    last(player.kind ORDER BY latest, player.kind) FILTER (player.kind IS NOT NULL),
    sum(hands)::INTEGER,
    min(first_day),
    max(last_day)
FROM seats
LEFT JOIN aliases ON aliases.id = player.id
GROUP BY player.id
"""  # noqa: S608 - names of our own
