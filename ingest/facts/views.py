"""Facts as views over the files that they lie in, where something takes the place of a table."""

from __future__ import annotations

from typing import Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.facts import kept, solved
from tricklog.ingest.sql import sql_text
from tricklog.ingest.store.lenses import NOTHING, Lens

FACTS: Final = "derived"
"""The database with the facts that views are made of."""


OF_STUDY: Final = (
    *("seat_context", "decision_context", "decision_facts", "study_rows", "study_facts"),
    *("judged_rows", "judged_facts", "luck_rows", "luck_facts", "par_rows", "par_facts"),
)
"""The views of ``_MADE_OF_VIEWS``, over tables of which one may be anywhere."""
TAGS: Final = "hand_tags"
"""The table that no file fills."""
_MADE_OF_VIEWS: Final = ("study_views.sql", "par_views.sql")


def make_views(connection: DuckDBPyConnection, games: str = "games", lens: Lens = NOTHING) -> None:
    """Make the views of all facts over ``FACTS`` and solved hands; ``games`` has the snapshot."""
    make_types(connection)
    for name, source in sources(connection).items():
        connection.execute(view(name, source))
    make_tags(connection, games, lens)
    make_views_of_study(connection)


def make_views_of_study(connection: DuckDBPyConnection) -> None:
    """Make the views of solved hands over those of the tables, in the database in use."""
    for name in _MADE_OF_VIEWS:
        connection.execute(sql_text("tricklog.ingest.facts", name))


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


def sources(connection: DuckDBPyConnection) -> dict[str, str]:
    """Return each table of facts, and where its rows come from; but for views of study."""
    has_solved = connection.execute(_ATTACHED, [solved.DATABASE]).fetchall()
    found = {}
    for name in tables_in(connection, FACTS):
        if name in (*OF_STUDY, TAGS):
            continue
        database = solved.DATABASE if has_solved and name in kept.TABLES else FACTS
        found[name] = f"{database}.main.{name}"
    return found


def tables_in(connection: DuckDBPyConnection, database: str) -> list[str]:
    """Return the names of the tables and views of a database."""
    return [name for (name,) in connection.execute(_LISTED, [database]).fetchall()]


def view(name: str, source: str, within: str | None = None) -> str:
    """Return the statement that makes a view of the rows of ``source`` that fulfil ``within``."""
    return f"CREATE VIEW {name} AS FROM {source}{f' WHERE {within}' if within else ''}"


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
