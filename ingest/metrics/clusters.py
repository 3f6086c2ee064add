"""Games put together, where there are very many of them.

Which games go together follows from what they are called, so every warehouse of the same hands puts
the same ones together and says the same to the last digit, however its loads numbered them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ingest.metrics.rolled import are_rolled, games_rolled_up

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

CLUSTERS: Final = 4_096
"""Into how many parts games are put together where there are very many: whole games in each, so
that the parts scatter as the games do, and few enough to be added up quickly."""
MANY_GAMES: Final = 8 * CLUSTERS


def cluster_of_game(connection: DuckDBPyConnection) -> str:
    """Return as SQL over the facts what stands for the game of a row in sums over games.

    That is ``game_no``, or where there are very many games one of ``CLUSTERS`` numbers.
    """
    if games_in(connection) <= MANY_GAMES:
        return "game_no"
    return f"(SELECT mixed % {CLUSTERS} FROM ({_MIXED}) WHERE numbered = game_no)"  # noqa: S608 - our own


def some_games(share: int) -> list[str]:
    """Return the condition that leaves one of so many games, none where all are left."""
    if share == 1:
        return []
    some = f"SELECT numbered FROM ({_MIXED}) WHERE mixed // {CLUSTERS} % {share} = 0"  # noqa: S608 - our own
    return [f"game_no IN ({some})"]


def games_in(connection: DuckDBPyConnection) -> int:
    """Return how many complete games there are."""
    if are_rolled(connection):
        return games_rolled_up(connection)
    complete = "SELECT count(*) FROM game_facts WHERE first_of_game"
    return int(connection.cursor().execute(complete).fetchall()[0][0])


# A hand without a game counts as a game under its own number.
_MIXED: Final = """
SELECT game_no AS numbered, md5_number_lower(game) AS mixed FROM games.games
UNION ALL
SELECT hand_no, md5_number_lower(id) FROM games.hands WHERE game_no IS NULL
"""
