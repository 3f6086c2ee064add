"""What follows from the rows of a lake and is not stored there, as SQL over its files.

Each query has ``{files}`` in the place of the rows of all files of a table, with the columns that
``tables.columns_of`` names.
"""

from __future__ import annotations

from typing import Final

from tricklog.ingest.loading.games import NAMES
from tricklog.ingest.sql import sql_text

ROW: Final = ("row_in", "row_no")
"""Which file a row is in, and which of its rows it is; of tables where that is of use."""

RULESETS: Final = """
SELECT DISTINCT ON (ruleset) *
FROM {files}
ORDER BY ruleset, length(options), options, title, family
"""
"""Hands of several loads bring the same rules; of several ways to put them the least stays."""

REJECTS: Final = """
SELECT * EXCLUDE (row_in, row_no)
FROM {files}
SEMI JOIN (
    SELECT kept.row_in, kept.row_no
    FROM (
        SELECT arg_min({{'row_in': row_in, 'row_no': row_no}}, (import_id, file, line)) AS kept
        FROM {files}
        GROUP BY reject
    )
) USING (row_in, row_no)
"""
"""The same line with the same trouble stays as the first load met it."""

SESSIONS: Final = """
SELECT session, any_value(day) AS day, min(player_ids) AS player_ids
FROM {files}
GROUP BY session
"""
"""Of several tables of a session the first, as ``ingest/facts/finish.sql`` has it."""

PLAYERS: Final = f"""
WITH seats AS (
    SELECT
        hands, latest, unnest(players) AS player
    FROM {{files}}
    WHERE hands > 0
), days AS (
    SELECT id, min(day) AS first_day, max(day) AS last_day
    FROM (SELECT day, unnest(player_ids) AS id FROM {{sessions}})
    GROUP BY id
), names AS (
    SELECT DISTINCT player.id AS id, player.name AS name FROM seats WHERE player.name IS NOT NULL
), named_often AS (
    SELECT id FROM names GROUP BY id HAVING count(*) > {NAMES}
), aliases AS (
    SELECT id, min(name, {NAMES}) AS names FROM names SEMI JOIN named_often USING (id) GROUP BY id
    UNION ALL
    SELECT id, list_sort(list(name)) FROM names ANTI JOIN named_often USING (id) GROUP BY id
)
SELECT
    player.id AS player,
    coalesce(
        arg_max(player.name, (latest."at", player.name)) FILTER (player.name IS NOT NULL), player.id
    ) AS name,
    coalesce(any_value(aliases.names), []) AS aliases,
    arg_max(player.kind, (latest."at", player.kind)) FILTER (player.kind IS NOT NULL) AS kind,
    sum(hands)::INTEGER AS hands,
    any_value(first_day) AS first_day,
    any_value(last_day) AS last_day
FROM seats
LEFT JOIN days ON days.id = player.id
LEFT JOIN aliases ON aliases.id = player.id
GROUP BY player.id
"""  # noqa: S608 - names of our own
"""From what each load noted of each seating, and from the sessions, in the place of ``{sessions}``;
as ``ingest/loading/games.py`` makes it from hands."""


def session_names(facts: str, games: str) -> str:
    """Return the query for the names of sessions, with the databases of facts and snapshot."""
    query = sql_text("tricklog.ingest.facts", "session_names.sql").rstrip().rstrip(";")
    return query.replace("facts.sessions", f"{facts}.sessions").replace(
        "games.players", f"{games}.players"
    )
