"""The facts of a scope: of the hands of some people and games alone.

The facts of a scope have the tables and names of ``tables.sql`` and of the snapshot, but as views
that leave out every hand played at another table. So whatever counts, lists or compares keeps to
the scope without knowing of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from duckdb import DuckDBPyConnection

from ingest.facts.files import open_facts_of
from ingest.reading.progress import OnProgress
from ingest.store import database
from ingest.store.scopes import EVERYBODY, HAS_BOT, PEOPLE, Scope
from ingest.store.warehouse import facts_file

GAMES: Final = "games"
"""Schema with the tables of the snapshot, in the place of the snapshot beside plain facts."""
_FACTS: Final = "derived"
_SNAPSHOT: Final = "stored"


def usual_scope(snapshot: DuckDBPyConnection) -> Scope:
    """Return the scope where nobody chose one: without bots and samples, if others played, too."""
    with_bots, without = (
        snapshot.cursor()
        .execute(
            f"SELECT count(*) FILTER ({HAS_BOT}), count(*) FILTER (NOT {HAS_BOT}) FROM seatings"  # noqa: S608 - our own
        )
        .fetchall()[0]
    )
    return PEOPLE if with_bots and without else EVERYBODY


def open_scope_of(
    snapshot: Path, scope: Scope, on_progress: OnProgress | None = None
) -> DuckDBPyConnection:
    """Open the facts of one snapshot as far as a scope goes, in the way of ``open_facts_of``.

    What that has of the snapshot under the name ``games`` is here, too, and without that name, as
    on a connection to the snapshot alone. Raises what that raises.
    """
    # Facts that are missing, damaged or of another version are derived first.
    with open_facts_of(snapshot, on_progress):
        return database.open_views(
            lambda connection: _make_views(connection, scope),
            **{_FACTS: facts_file(snapshot), _SNAPSHOT: snapshot},
        )


def hands_within(snapshot: DuckDBPyConnection, scope: Scope) -> int:
    """Return how many hands of a snapshot a scope holds."""
    allowed, parameters = scope.condition()
    found = snapshot.cursor().execute(
        "SELECT count(*) FROM hands WHERE seating_id IN ("  # noqa: S608 - names of our own
        f"SELECT seating_id FROM seatings JOIN rulesets USING (ruleset) WHERE {allowed})",
        parameters,
    )
    return int(found.fetchall()[0][0])


def _make_views(connection: DuckDBPyConnection, scope: Scope) -> None:
    for name, labels in connection.execute(_TYPES).fetchall():
        listed = ", ".join(f"'{each}'" for each in labels)
        connection.execute(f"CREATE TYPE {name} AS ENUM ({listed})")
    allowed, parameters = scope.condition()
    connection.execute(
        "CREATE TABLE allowed AS SELECT seating_id "  # noqa: S608 - names of our own
        f"FROM {_SNAPSHOT}.seatings JOIN {_SNAPSHOT}.rulesets USING (ruleset) WHERE {allowed}",
        parameters,
    )
    connection.execute(_TABLES)
    for (name,) in connection.execute(_LISTED, {"of": _FACTS, "views": True}).fetchall():
        connection.execute(_view(name, f"{_FACTS}.main.{name}", _WITHIN_FACTS.get(name)))
    connection.execute(f"CREATE SCHEMA {GAMES}")
    for (name,) in connection.execute(_LISTED, {"of": _SNAPSHOT, "views": False}).fetchall():
        within = _WITHIN_SNAPSHOT.get(name)
        connection.execute(_view(name, f"{_SNAPSHOT}.main.{name}", within))
        connection.execute(_view(f"{GAMES}.{name}", f"main.{name}", None))
    for call in _MACROS:
        connection.execute(f"CREATE MACRO {GAMES}.{call} AS {_SNAPSHOT}.main.{call}")


def _view(name: str, source: str, within: str | None) -> str:
    return f"CREATE VIEW {name} AS FROM {source}{f' WHERE {within}' if within else ''}"


_TYPES: Final = f"""
SELECT type_name, labels
FROM duckdb_types()
WHERE database_name = '{_FACTS}' AND logical_type = 'ENUM' AND len(labels) > 0
"""  # noqa: S608 - names of our own

_LISTED: Final = """
SELECT table_name
FROM information_schema.tables
WHERE table_catalog = $of AND table_schema = 'main' AND ($views OR table_type = 'BASE TABLE')
"""

_MACROS: Final = ("bid_name(amount)", "seating(seat_sides)", "trump_name(trump)")
"""The macros of the snapshot that are of use beside the facts."""

_TABLES: Final = f"""
CREATE TABLE allowed_chairs AS
SELECT chair, player FROM {_FACTS}.chairs WHERE seating_id IN (FROM allowed);
CREATE TABLE touched AS
SELECT game_no, bool_and(chair IN (SELECT chair FROM allowed_chairs)) AS whole
FROM {_FACTS}.seat_rows
WHERE first_of_hand
GROUP BY game_no
HAVING bool_or(chair IN (SELECT chair FROM allowed_chairs));
CREATE TABLE met AS
SELECT DISTINCT session
FROM {_FACTS}.seat_rows
WHERE first_of_hand AND chair IN (SELECT chair FROM allowed_chairs);
"""  # noqa: S608 - names of our own
"""The chairs that count, games with a hand that does and whether all do, and their sessions."""

_BY_CHAIR: Final = "chair IN (SELECT chair FROM memory.main.allowed_chairs)"
_BY_SEATING: Final = "seating_id IN (FROM memory.main.allowed)"
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
    "sessions": _BY_SESSION,
    "session_names": _BY_SESSION,
}
"""What a row of each table of facts has to fulfil; all else has every row."""
_WITHIN_SNAPSHOT: Final = {
    "hands": _BY_SEATING,
    "games": "game_no IN (SELECT game_no FROM memory.main.touched)",
    "players": "player IN (SELECT player FROM memory.main.allowed_chairs)",
    "findings": f"hand_id IN (SELECT id FROM {_SNAPSHOT}.main.hands WHERE {_BY_SEATING})",  # noqa: S608 - our own
}
"""The same of the tables of the snapshot."""
