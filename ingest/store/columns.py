"""What every table and column of a warehouse means: one source of comments, exports and pages.

A name means one thing wherever it stands, which ``columns.toml`` says once; what a table adds comes
after it, mostly from the comment beside the column in the SQL that makes the table. New files get
all of it as comments. One comment takes a fifth of a millisecond, so that the views which are made
whenever facts are opened, as those of a lake are, get theirs when somebody asks for comments.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.sql import sql_text
from tricklog.ingest.store.database import literal

_SQL: Final = {
    "tricklog.ingest.store": ("warehouse.sql", "warehouse_views.sql", "reject_parts.sql"),
    "tricklog.ingest.following": ("followed.sql",),
    "tricklog.ingest.facts": (
        *("tables.sql", "views.sql", "more_tables.sql", "solved.sql", "par.sql"),
        *("study_views.sql", "par_views.sql", "marks.sql"),
    ),
}
"""The files with comments."""
_COMMENT: Final = re.compile(
    r"""^COMMENT\ ON\ (?:TABLE|VIEW|COLUMN)\ (?P<table>\w+)(?:\."?(?P<column>\w+)"?)?\ IS
    (?P<text>(?:\s*'(?:[^']|'')*')+);""",
    re.MULTILINE | re.VERBOSE,
)
_LITERAL: Final = re.compile(r"'((?:[^']|'')*)'")
_EVERYWHERE: Final = "everywhere"

About = Callable[[str, str], str]
"""What says what a column of a table means."""


def about_table(table: str) -> str:
    """Return what a table or view is, "" for one that is not known."""
    return _said().get((table, ""), "")


def written(table: str, column: str) -> str:
    """Return what is written of a column of a table or view, "" for one of which nothing is."""
    said = _said()
    if (table, "") not in said:
        return ""
    places = (table, *_file()["made_of"].get(table, ()))
    own = next((said[place, column] for place in places if (place, column) in said), "")
    return f"{meaning(column)} {own}".strip()


def meaning(column: str) -> str:
    """Return what a name means wherever it stands, "" for one that stands in one place only."""
    return _said().get((_EVERYWHERE, column), "")


def comment(connection: DuckDBPyConnection, about: About = written) -> None:
    """Put in what is to be said of tables, views and columns of the database in use."""
    in_use = connection.execute("SELECT current_database()").fetchall()
    connection.execute(";".join(_statements(connection, [name for (name,) in in_use], about)))


def comment_views(connection: DuckDBPyConnection, about: About = written) -> None:
    """Do the same in all databases that are there while the connection is open."""
    made = connection.execute(_IN_MEMORY).fetchall()
    connection.execute(";".join(_statements(connection, [name for (name,) in made], about)))


def _statements(
    connection: DuckDBPyConnection, databases: Sequence[str], about: About
) -> Iterator[str]:
    for kind, place, table in connection.execute(_SILENT_TABLES, [databases]).fetchall():
        yield f"COMMENT ON {kind} {place}.{table} IS {literal(about_table(table))}"
    for place, table, column, said in connection.execute(_COLUMNS, [databases]).fetchall():
        if said != (told := about(table, column)):
            yield f'COMMENT ON COLUMN {place}.{table}."{column}" IS {literal(told)}'


@cache
def _said() -> dict[tuple[str, str], str]:
    """Return what is written of tables, whose column is "", and of columns."""
    said = {(table, ""): text for table, text in _file()["tables"].items()}
    for table, columns in _file()["columns"].items():
        said |= {(table, column): text for column, text in columns.items()}
    for package, names in _SQL.items():
        for name in names:
            for found in _COMMENT.finditer(sql_text(package, name)):
                text = "".join(_LITERAL.findall(found["text"])).replace("''", "'")
                said[found["table"], found["column"] or ""] = text
    return said


@cache
def _file() -> dict[str, Any]:
    text = resources.files(__package__).joinpath("columns.toml").read_text("utf-8")
    return tomllib.loads(text)


_IN_MEMORY: Final = """
SELECT database_name FROM duckdb_databases() WHERE NOT readonly AND NOT internal
"""
_SILENT_TABLES: Final = """
SELECT 'TABLE', database_name || '.' || schema_name, table_name FROM duckdb_tables()
WHERE database_name IN (SELECT unnest($1)) AND comment IS NULL
UNION ALL
SELECT 'VIEW', database_name || '.' || schema_name, view_name FROM duckdb_views()
WHERE database_name IN (SELECT unnest($1)) AND NOT internal AND comment IS NULL
"""
_COLUMNS: Final = """
SELECT database_name || '.' || schema_name, table_name, column_name, comment FROM duckdb_columns()
WHERE database_name IN (SELECT unnest($1)) AND NOT internal
"""
