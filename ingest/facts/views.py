"""Facts as views over the files that they lie in: all of them, or as far as a scope goes.

The facts of a scope are those of the hands of some people and games alone. They have the tables and
names of ``tables.sql`` and of the snapshot, but as views that leave out every hand played at
another table. So whatever counts, lists or compares keeps to the scope without knowing of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.facts import kept, solved
from tricklog.ingest.sql import sql_text, table_names
from tricklog.ingest.store.lenses import NOTHING, Lens
from tricklog.ingest.store.scopes import EVERYBODY, HAS_BOT, PEOPLE, Scope

FACTS: Final = "derived"
"""The database with the facts that views are made of."""
GAMES: Final = "games"
"""Schema with the tables of the snapshot, in the place of the snapshot beside plain facts."""
SNAPSHOT: Final = "stored"
"""The database with all of the snapshot."""
OF_STUDY: Final = (
    *("seat_context", "decision_context", "decision_facts", "study_rows", "study_facts"),
    *("judged_rows", "judged_facts", "luck_rows", "luck_facts", "par_rows", "par_facts"),
)
"""The views of ``_MADE_OF_VIEWS``, over tables of which one may be anywhere."""
TAGS: Final = "hand_tags"
"""The table that no file fills."""
_MADE_OF_VIEWS: Final = ("study_views.sql", "par_views.sql")


def usual_scope(snapshot: DuckDBPyConnection) -> Scope:
    """Return the scope where nobody chose one: without bots and samples, if others played, too."""
    counted = f"count(*) FILTER ({HAS_BOT}), count(*) FILTER (NOT {HAS_BOT})"
    ((bots, others),) = snapshot.cursor().execute(f"SELECT {counted} FROM seatings").fetchall()  # noqa: S608 - our own
    return PEOPLE if bots and others else EVERYBODY


def hands_within(snapshot: DuckDBPyConnection, scope: Scope) -> int:
    """Return how many hands of a snapshot a scope holds."""
    allowed, parameters = scope.condition()
    found = snapshot.cursor().execute(
        "SELECT count(*) FROM hands WHERE seating_id IN ("  # noqa: S608 - names of our own
        f"SELECT seating_id FROM seatings JOIN rulesets USING (ruleset) WHERE {allowed})",
        parameters,
    )
    return int(found.fetchall()[0][0])


def make_views(connection: DuckDBPyConnection, games: str = GAMES, lens: Lens = NOTHING) -> None:
    """Make the views of all facts over ``FACTS`` and solved hands; ``games`` has the snapshot."""
    make_types(connection)
    _make_facts(connection, games, lens, {})


def make_views_within(connection: DuckDBPyConnection, scope: Scope, lens: Lens = NOTHING) -> None:
    """Make the views of a scope over the databases of facts, solved hands and ``SNAPSHOT``."""
    make_types(connection)
    allowed, parameters = lens.of_scope(scope).condition()
    connection.execute(
        "CREATE TABLE allowed AS SELECT seating_id "  # noqa: S608 - names of our own
        f"FROM {SNAPSHOT}.seatings JOIN {SNAPSHOT}.rulesets USING (ruleset) WHERE {allowed}",
        parameters,
    )
    connection.execute(_TABLES)
    _make_facts(connection, SNAPSHOT, lens, _WITHIN_FACTS)
    connection.execute(f"CREATE SCHEMA {GAMES}")
    for name in table_names():
        _make_view(connection, name, f"{SNAPSHOT}.main.{name}", _WITHIN_SNAPSHOT.get(name))
        _make_view(connection, f"{GAMES}.{name}", f"main.{name}")
    for call in _MACROS:
        connection.execute(f"CREATE MACRO {GAMES}.{call} AS {SNAPSHOT}.main.{call}")


def _make_facts(
    connection: DuckDBPyConnection, games: str, lens: Lens, within: Mapping[str, str]
) -> None:
    """Make a view of each table of facts, of the rows that it is to have."""
    has_solved = connection.execute(_ATTACHED, [solved.DATABASE]).fetchall()
    for name in tables_in(connection, FACTS):
        if name not in (*OF_STUDY, TAGS):
            database = solved.DATABASE if has_solved and name in kept.TABLES else FACTS
            _make_view(connection, name, f"{database}.main.{name}", within.get(name))
    make_tags(connection, games, lens)
    for name in _MADE_OF_VIEWS:
        connection.execute(sql_text("tricklog.ingest.facts", name))


def _make_view(
    connection: DuckDBPyConnection, name: str, source: str, within: str | None = None
) -> None:
    condition = f" WHERE {within}" if within else ""
    connection.execute(f"CREATE VIEW {name} AS FROM {source}{condition}")


def make_tags(connection: DuckDBPyConnection, games: str, lens: Lens) -> None:
    """Make the table of tags in the database in use, of those hands that are stored."""
    connection.execute(sql_text("tricklog.ingest.facts", "marks.sql"))
    if lens.tags:
        hashes, tags = zip(*lens.tags, strict=True)
        connection.execute(_TAGGED.format(games=games), [list(hashes), list(tags)])


def make_types(connection: DuckDBPyConnection, source: str = FACTS) -> None:
    """Make the types of facts, as the database ``source`` has them, in the database in use."""
    for name, labels in connection.execute(_TYPES, [source]).fetchall():
        listed = ", ".join(f"'{each}'" for each in labels)
        connection.execute(f"CREATE TYPE {name} AS ENUM ({listed})")


def tables_in(connection: DuckDBPyConnection, database: str) -> list[str]:
    """Return the names of the tables and views of a database."""
    return [name for (name,) in connection.execute(_LISTED, [database]).fetchall()]


_TYPES: Final = """
SELECT type_name, labels
FROM duckdb_types()
WHERE database_name = $1 AND logical_type = 'ENUM' AND len(labels) > 0
"""
_LISTED: Final = """
SELECT table_name FROM information_schema.tables WHERE table_catalog = $1 AND table_schema = 'main'
"""
_TAGGED: Final = """
INSERT INTO hand_tags
SELECT hand_no, list(tag ORDER BY tag)
FROM (
    SELECT TRY_CAST(unnest($1::VARCHAR[]) AS UUID) AS content_hash, unnest($2::VARCHAR[]) AS tag
)
JOIN {games}.main.hands USING (content_hash)
GROUP BY hand_no
"""
_ATTACHED: Final = "SELECT 1 FROM duckdb_databases() WHERE database_name = $1"
_MACROS: Final = ("bid_name(amount)", "seating(seat_sides)", "trump_name(trump)")
"""The macros of the snapshot that are of use beside the facts."""

_TABLES: Final = f"""
CREATE TABLE allowed_chairs AS
SELECT chair, player FROM {FACTS}.chairs WHERE seating_id IN (FROM allowed);
CREATE VIEW allowed_hands AS
SELECT hand_no FROM {SNAPSHOT}.main.hands WHERE seating_id IN (FROM memory.main.allowed);
CREATE TABLE touched AS
SELECT game_no, bool_and(chair IN (SELECT chair FROM allowed_chairs)) AS whole
FROM {FACTS}.seat_rows
WHERE first_of_hand
GROUP BY game_no
HAVING bool_or(chair IN (SELECT chair FROM allowed_chairs));
CREATE TABLE met AS
SELECT DISTINCT session
FROM {FACTS}.seat_rows
WHERE first_of_hand AND chair IN (SELECT chair FROM allowed_chairs);
"""  # noqa: S608 - names of our own
"""The chairs that count, games with a hand that does and whether all do, and their sessions."""

_BY_CHAIR: Final = "chair IN (SELECT chair FROM memory.main.allowed_chairs)"
_BY_SEATING: Final = "seating_id IN (FROM memory.main.allowed)"
_BY_HAND: Final = "hand_no IN (FROM memory.main.allowed_hands)"
_BY_SESSION: Final = "session IN (FROM memory.main.met)"
_WITHIN_FACTS: Final = {
    "chairs": _BY_SEATING,
    "seat_rows": _BY_CHAIR,
    "card_rows": _BY_CHAIR,
    "seat_facts": _BY_SEATING,
    "card_facts": _BY_SEATING,
    "finding_facts": _BY_SEATING,
    "tallies": _BY_SEATING,
    # A game of which some hands were played with others has no result that is theirs.
    "game_facts": "game_no IN (SELECT game_no FROM memory.main.touched WHERE whole)",
    **dict.fromkeys(kept.TABLES, _BY_HAND),
    "sessions": _BY_SESSION,
    "session_names": _BY_SESSION,
}
"""What a row of each table of facts has to fulfil; all else has every row."""
_WITHIN_SNAPSHOT: Final = {
    "hands": _BY_SEATING,
    "games": "game_no IN (SELECT game_no FROM memory.main.touched)",
    "players": "player IN (SELECT player FROM memory.main.allowed_chairs)",
    "findings": f"hand_id IN (SELECT hand_id FROM {SNAPSHOT}.main.hands WHERE {_BY_SEATING})",  # noqa: S608 - our own
}
"""The same of the tables of the snapshot."""
