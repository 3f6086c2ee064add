"""The facts of a scope: of the hands of some people and games alone.

The facts of a scope have the tables and names of ``tables.sql`` and of the snapshot, but as views
that leave out every hand played at another table. So whatever counts, lists or compares keeps to
the scope without knowing of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.facts import kept, views
from tricklog.ingest.facts.files import open_facts_of
from tricklog.ingest.reading.progress import OnProgress
from tricklog.ingest.sql import table_names
from tricklog.ingest.store.lenses import NOTHING, Lens
from tricklog.ingest.store.scopes import EVERYBODY, HAS_BOT, PEOPLE, Scope

GAMES: Final = "games"
"""Schema with the tables of the snapshot, in the place of the snapshot beside plain facts."""
SNAPSHOT: Final = "stored"
"""The database with all of the snapshot."""


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
    snapshot: Path,
    scope: Scope,
    on_progress: OnProgress | None = None,
    lens: Lens = NOTHING,
) -> DuckDBPyConnection:
    """Open the facts of one snapshot as far as a scope goes, in the way of ``open_facts_of``.

    What that has of the snapshot under the name ``games`` is here, too, and without that name, as
    on a connection to the snapshot alone. Raises what that raises.
    """

    def make(seen: DuckDBPyConnection) -> None:
        make_views(seen, scope, lens)

    return open_facts_of(snapshot, on_progress, lens, make, SNAPSHOT)


def hands_within(snapshot: DuckDBPyConnection, scope: Scope) -> int:
    """Return how many hands of a snapshot a scope holds."""
    allowed, parameters = scope.condition()
    found = snapshot.cursor().execute(
        "SELECT count(*) FROM hands WHERE seating_id IN ("  # noqa: S608 - names of our own
        f"SELECT seating_id FROM seatings JOIN rulesets USING (ruleset) WHERE {allowed})",
        parameters,
    )
    return int(found.fetchall()[0][0])


def make_views(connection: DuckDBPyConnection, scope: Scope, lens: Lens = NOTHING) -> None:
    """Make the views of a scope over the databases of facts, solved hands and ``SNAPSHOT``."""
    views.make_types(connection)
    allowed, parameters = lens.of_scope(scope).condition()
    connection.execute(
        "CREATE TABLE allowed AS SELECT seating_id "  # noqa: S608 - names of our own
        f"FROM {SNAPSHOT}.seatings JOIN {SNAPSHOT}.rulesets USING (ruleset) WHERE {allowed}",
        parameters,
    )
    connection.execute(_TABLES)
    for name, source in views.sources(connection).items():
        connection.execute(views.view(name, source, _WITHIN_FACTS.get(name)))
    views.make_tags(connection, SNAPSHOT, lens)
    views.make_views_of_study(connection)
    connection.execute(f"CREATE SCHEMA {GAMES}")
    for name in table_names():
        within = _WITHIN_SNAPSHOT.get(name)
        connection.execute(views.view(name, f"{SNAPSHOT}.main.{name}", within))
        connection.execute(views.view(f"{GAMES}.{name}", f"main.{name}"))
    for call in _MACROS:
        connection.execute(f"CREATE MACRO {GAMES}.{call} AS {SNAPSHOT}.main.{call}")


_MACROS: Final = ("bid_name(amount)", "seating(seat_sides)", "trump_name(trump)")
"""The macros of the snapshot that are of use beside the facts."""

_TABLES: Final = f"""
CREATE TABLE allowed_chairs AS
SELECT chair, player FROM {views.FACTS}.chairs WHERE seating_id IN (FROM allowed);
CREATE VIEW allowed_hands AS
SELECT hand_no FROM {SNAPSHOT}.main.hands WHERE seating_id IN (FROM memory.main.allowed);
CREATE TABLE touched AS
SELECT game_no, bool_and(chair IN (SELECT chair FROM allowed_chairs)) AS whole
FROM {views.FACTS}.seat_rows
WHERE first_of_hand
GROUP BY game_no
HAVING bool_or(chair IN (SELECT chair FROM allowed_chairs));
CREATE TABLE met AS
SELECT DISTINCT session
FROM {views.FACTS}.seat_rows
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
