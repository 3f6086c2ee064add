"""The databases of a snapshot and its facts, in which merged players are one.

Users say that the player with one id is the one with another (``tricklog.ingest.store.aliases``).
What was loaded stays as it is: over the tables of both databases stand views of the same names in
which the first id reads as the second. So whatever counts, lists or compares knows of one player
only.
"""

from __future__ import annotations

from typing import Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.facts.views import OF_STUDY, make_types, tables_in
from tricklog.ingest.sql import sql_text
from tricklog.ingest.store.database import has_table, literal
from tricklog.ingest.store.lenses import Lens

RECORDED_FACTS: Final = "as_derived"
"""The database with the facts as they were derived, below that of merged players."""
RECORDED_GAMES: Final = "as_stored"
"""The same of the snapshot."""
SET_ASIDE: Final = "set_aside"
"""Table of the aliases that cannot hold, as both ids sit at one table; beside the facts."""
_OWN: Final = "merging"
_PEOPLE: Final = ("player", "dealer_id", "partners", "opponents", "sitting", "player_ids")
"""Columns that hold ids of players, where they are texts or lists of them."""
_HOW: Final = {"VARCHAR": "known_as", "VARCHAR[]": "all_as"}
_LEFT_OUT: Final = (*OF_STUDY, "seat_facts", "card_facts")
"""Views that are made again over the others."""


def make(connection: DuckDBPyConnection, lens: Lens, facts: str, games: str) -> None:
    """Make databases ``facts`` and ``games`` over the recorded ones, which are attached."""
    for name in (_OWN, facts, games):
        connection.execute(f"ATTACH ':memory:' AS {name}")
    connection.execute(f"USE {_OWN}")
    connection.execute(
        "CREATE TABLE wanted AS "
        "SELECT unnest($1::VARCHAR[]) AS player, unnest($2::VARCHAR[]) AS stands_for",
        [list(column) for column in zip(*lens.aliases, strict=True)],
    )
    connection.execute(_SETTLED)
    merged = connection.execute("FROM merged").fetchall()
    pairs = ", ".join(f"{literal(player)}: {literal(whom)}" for player, whom in merged)
    named = f"MAP {{{pairs}}}" if pairs else "MAP([]::VARCHAR[], []::VARCHAR[])"
    connection.execute(_MACROS.format(named=named))
    connection.execute(_MOVED)
    connection.execute(_CLEARED)
    connection.execute(f"USE {games}")
    # A lake has views in the place of tables, and beside them those that both have.
    for name in set(tables_in(connection, RECORDED_GAMES)).difference(_VIEWS_OF_GAMES):
        query = _GAMES.get(name, f"FROM {RECORDED_GAMES}.main.{name}")
        connection.execute(f"CREATE VIEW {name} AS {query}")
    connection.execute(sql_text("tricklog.ingest.store", "warehouse_views.sql"))
    _make_facts(connection, facts, games)
    connection.execute("USE memory")


def set_aside(facts: DuckDBPyConnection) -> list[tuple[str, str, str]]:
    """Return the aliases that do not hold in facts through a lens: id, whom, a hand with both."""
    if not has_table(facts.cursor(), SET_ASIDE, _OWN):
        return []
    return facts.cursor().execute(f"FROM {_OWN}.main.{SET_ASIDE} ORDER BY ALL").fetchall()


def merged(facts: DuckDBPyConnection) -> dict[str, str]:
    """Return the aliases that hold in facts: id, and whom it stands for."""
    if not has_table(facts.cursor(), "merged", _OWN):
        return {}
    return dict(facts.cursor().execute(f"FROM {_OWN}.main.merged").fetchall())


def _make_facts(connection: DuckDBPyConnection, facts: str, games: str) -> None:
    connection.execute(f"USE {facts}")
    make_types(connection, RECORDED_FACTS)
    for name in tables_in(connection, RECORDED_FACTS):
        if name not in (*_LEFT_OUT, "sessions", "session_names", "game_facts"):
            connection.execute(f"CREATE VIEW {name} AS {_merged(connection, name)}")
    _make_game_facts(connection, facts, games)
    connection.execute(_SESSIONS)
    names = sql_text("tricklog.ingest.facts", "session_names.sql").rstrip().rstrip(";")
    names = names.replace("facts.sessions", f"{facts}.main.sessions")
    names = names.replace("games.players", f"{games}.main.players")
    connection.execute(f"CREATE TABLE session_names AS {names}")
    connection.execute(sql_text("tricklog.ingest.facts", "views.sql"))


def _make_game_facts(connection: DuckDBPyConnection, facts: str, games: str) -> None:
    """Make the facts of games; one in which a player has several of the ids is counted again."""
    merged = _merged(connection, "game_facts")
    connection.execute(f"CREATE TABLE {_OWN}.main.renewed AS {merged} LIMIT 0")
    connection.execute(f"USE {_OWN}")
    connection.execute(
        "CREATE TABLE counted AS FROM changed; SET VARIABLE first = 0; "  # noqa: S608 - our own
        "SET VARIABLE behind = 9223372036854775807; "
        f"CREATE VIEW contracts AS SELECT game_no, hand_no, hand FROM {facts}.main.seat_rows "
        "WHERE first_of_hand AND game_no IN (FROM counted)"
    )
    query = sql_text("tricklog.ingest.facts", "games.sql").replace("facts.game_facts", "renewed", 1)
    query = query.replace("facts.", f"{facts}.main.")
    for name in ("games", "hands", "rulesets"):
        query = query.replace(f"games.{name}", f"{games}.main.{name}")
    connection.execute(query)
    connection.execute(f"USE {facts}")
    connection.execute(
        f"CREATE VIEW game_facts AS FROM ({merged}) WHERE game_no NOT IN "
        f"(FROM {_OWN}.main.changed) UNION ALL BY NAME FROM {_OWN}.main.renewed"
    )


_VIEWS_OF_GAMES: Final = (
    *("recorded", "seats", "holdings", "calls", "call_facts", "plays", "tricks", "trick_plays"),
    *("captures", "stored"),
)
"""Views of ``ingest/store/warehouse_views.sql``."""


def _merged(connection: DuckDBPyConnection, name: str) -> str:
    """Return the query for a table of facts in which merged players are one."""
    source = f"{RECORDED_FACTS}.main.{name}"
    columns = {row[0]: row[1] for row in connection.execute(f"DESCRIBE {source}").fetchall()}
    replaced = [
        f"{_OWN}.main.{_HOW[kind]}({each}) AS {each}"
        for each, kind in columns.items()
        if each in _PEOPLE and kind in _HOW
    ]
    joined = ""
    if "session" in columns:
        replaced.append("coalesce(moved.new_session, session) AS session")
        joined = f" LEFT JOIN {_OWN}.main.moved ON moved.old_session = session"
    if "only_row" in columns:
        replaced.append(
            f"only_row AND game_no NOT IN (SELECT game_no FROM {_OWN}.main.changed) AS only_row"  # noqa: S608 - our own
        )
    if not replaced:
        return f"FROM {source}"
    within = ""
    if name == "finding_facts":
        within = (
            " WHERE code <> 'players-changed' "  # noqa: S608 - names of our own
            f"OR {name}.hand_no NOT IN (SELECT hand_no FROM {_OWN}.main.cleared)"
        )
    replacing = ", ".join(replaced)
    return f"SELECT {name}.* REPLACE ({replacing}) FROM {source} AS {name}{joined}{within}"  # noqa: S608 - our own


_SETTLED: Final = f"""
CREATE TABLE members AS
SELECT player, stands_for FROM wanted UNION SELECT stands_for, stands_for FROM wanted;
CREATE TABLE meetings AS
SELECT stands_for, min(seating_id) AS seating_id
FROM (
    SELECT seating_id, unnest(players).id AS player
    FROM {RECORDED_GAMES}.main.seatings
    WHERE list_has_any([each.id FOR each IN players], (SELECT list(player) FROM wanted))
)
JOIN members USING (player)
GROUP BY stands_for, seating_id
HAVING count(DISTINCT player) > 1;
CREATE TABLE {SET_ASIDE} AS
SELECT player, stands_for, any_value(hand_id)::VARCHAR AS hand_id
FROM wanted
JOIN (SELECT stands_for, min(seating_id) AS seating_id FROM meetings GROUP BY ALL)
    USING (stands_for)
JOIN {RECORDED_GAMES}.main.hands USING (seating_id)
GROUP BY ALL;
CREATE TABLE merged AS
FROM wanted WHERE stands_for NOT IN (SELECT stands_for FROM {SET_ASIDE});
"""  # noqa: S608 - names of our own
"""Which aliases hold: whoever sat at a table with somebody cannot be them."""

_MACROS: Final = """
CREATE MACRO known_as(id) AS coalesce({named}[id], id);
CREATE MACRO all_as(ids) AS CASE
    WHEN list_has_any(ids, map_keys({named})) THEN [coalesce({named}[each], each) FOR each IN ids]
    ELSE ids
END;
CREATE MACRO seated_as(people) AS CASE
    WHEN list_has_any([each.id FOR each IN people], map_keys({named})) THEN [
        {{'id': coalesce({named}[each.id], each.id), 'name': each.name, 'kind': each.kind}}
        FOR each IN people
    ]
    ELSE people
END;
"""
_CLEARED: Final = f"""
CREATE TABLE cleared AS
WITH told AS (
    SELECT hand_id FROM {RECORDED_GAMES}.main.findings WHERE code = 'players-changed'
), sat AS (
    SELECT hand_id, hand_no, all_as([each.id FOR each IN players]) AS sitting, game, hand,
        started_at, md5(concat(deal, deeds)) AS mixed
    FROM {RECORDED_GAMES}.main.hands
    JOIN {RECORDED_GAMES}.main.seatings USING (seating_id)
    WHERE game IN (
        SELECT game FROM {RECORDED_GAMES}.main.hands WHERE hand_id IN (SELECT hand_id FROM told)
    )
)
SELECT hand_id, hand_no
FROM (
    SELECT *, lag(sitting) OVER (
        PARTITION BY game ORDER BY hand, started_at NULLS FIRST, mixed, hand_id
    ) AS sitting_before
    FROM sat
)
WHERE hand_id IN (SELECT hand_id FROM told) AND sitting = sitting_before;
"""  # noqa: S608 - names of our own
"""Hands that only other ids made another table than the one before in the same game."""
_MOVED: Final = f"""
CREATE TABLE moved AS
SELECT session AS old_session, md5_number_lower(concat_ws(
    chr(10), day::VARCHAR, array_to_string(list_sort(all_as(player_ids)), chr(10))
)) AS new_session
FROM {RECORDED_FACTS}.main.sessions
WHERE all_as(player_ids) <> player_ids;
CREATE TABLE changed AS
SELECT DISTINCT game_no
FROM (
    SELECT DISTINCT game_no, player
    FROM {RECORDED_FACTS}.main.seat_rows
    JOIN (
        SELECT chair, player FROM {RECORDED_FACTS}.main.chairs
        WHERE player IN (SELECT player FROM members)
    ) USING (chair)
)
GROUP BY game_no, known_as(player)
HAVING count(*) > 1;
"""  # noqa: S608 - names of our own
"""Sessions that are another one now, and games in which a player has several of the ids."""
_SESSIONS: Final = f"""
CREATE TABLE sessions AS
SELECT coalesce(new_session, session) AS session, any_value(day) AS day,
    min({_OWN}.main.all_as(player_ids)) AS player_ids
FROM {RECORDED_FACTS}.main.sessions
LEFT JOIN {_OWN}.main.moved ON old_session = session
GROUP BY 1
ORDER BY day, 1;
"""  # noqa: S608 - names of our own
_GAMES: Final = {
    "seatings": f"""
SELECT * REPLACE ({_OWN}.main.seated_as(players) AS players) FROM {RECORDED_GAMES}.main.seatings
""",  # noqa: S608 - names of our own
    "findings": f"""
FROM {RECORDED_GAMES}.main.findings
WHERE code <> 'players-changed' OR hand_id NOT IN (SELECT hand_id FROM {_OWN}.main.cleared)
""",  # noqa: S608 - names of our own
    "players": f"""
SELECT
    {_OWN}.main.known_as(player) AS player,
    coalesce(
        any_value(name) FILTER ({_OWN}.main.known_as(player) = player AND len(aliases) > 0),
        arg_max(name, (last_day, player)) FILTER (len(aliases) > 0),
        {_OWN}.main.known_as(player)
    ) AS name,
    list_sort(list_distinct(flatten(list(aliases))))[:100] AS aliases,
    arg_max(kind, (last_day, player)) FILTER (kind IS NOT NULL) AS kind,
    sum(hands)::INTEGER AS hands,
    min(first_day) AS first_day,
    max(last_day) AS last_day
FROM {RECORDED_GAMES}.main.players
GROUP BY 1
""",  # noqa: S608 - names of our own
}
"""What the tables of the snapshot are that name players."""
