"""What every table and column of a warehouse means: one source of comments, exports and pages.

A name means one thing wherever it stands, which ``columns.toml`` says once; what a table adds comes
after it, mostly from the comment beside the column in the SQL that makes the table. New files get
all of it as comments. One comment takes a fifth of a millisecond, so that the views which are made
whenever facts are opened, as those of a lake are, get theirs when somebody asks for comments.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

from duckdb import DuckDBPyConnection

from ingest.sql import sql_text

_SQL: Final = {
    "ingest.store": ("warehouse.sql", "warehouse_views.sql", "reject_parts.sql"),
    "ingest.following": ("followed.sql",),
    "ingest.facts": (
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
_LEVELS: Final = {"HAND": "once a hand", "SIDE": "once a side", "SEAT": "by player"}
_OF_TALLIES: Final = (
    "How many cases count for the metric {0.name}.",
    "Numerator of the metric {0.name}, summed up: {0.numerator}.",
    "Denominator of the metric {0.name}, summed up: {0.denominator}.",
)


def about_table(table: str) -> str:
    """Return what a table or view is, "" for one that is not known."""
    return _said().get((table, ""), "")


def about(table: str, column: str) -> str:
    """Return what a column of a table or view means, "" for one that is not known."""
    said = _said()
    if (table, "") not in said:
        return ""
    if column in (made := _made_of_metrics().get(table, {})):
        return made[column]
    places = (table, *_file()["made_of"].get(table, ()))
    own = next((said[place, column] for place in places if (place, column) in said), "")
    return f"{meaning(column)} {own}".strip()


def meaning(column: str) -> str:
    """Return what a name means wherever it stands, "" for one that stands in one place only."""
    return _said().get((_EVERYWHERE, column), "")


def comment(connection: DuckDBPyConnection) -> None:
    """Put in what is to be said of tables, views and columns of the database in use."""
    in_use = connection.execute("SELECT current_database()").fetchall()
    connection.execute(";".join(_statements(connection, [name for (name,) in in_use])))


def comment_views(connection: DuckDBPyConnection) -> None:
    """Do the same in all databases that are there while the connection is open."""
    made = connection.execute(_IN_MEMORY).fetchall()
    connection.execute(";".join(_statements(connection, [name for (name,) in made])))


def _statements(connection: DuckDBPyConnection, databases: Sequence[str]) -> Iterator[str]:
    for kind, place, table in connection.execute(_SILENT_TABLES, [databases]).fetchall():
        yield f"COMMENT ON {kind} {place}.{table} IS {_quoted(about_table(table))}"
    for place, table, column, said in connection.execute(_COLUMNS, [databases]).fetchall():
        if said != (told := about(table, column)):
            yield f'COMMENT ON COLUMN {place}.{table}."{column}" IS {_quoted(told)}'


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


@cache
def _made_of_metrics() -> dict[str, dict[str, str]]:
    """Return what columns mean that are named after a metric, by table."""
    from ingest.metrics import rolls

    cells = rolls.columns_of_cells()
    moments = {
        name: f"{column} of tallies, {_LEVELS[level.name]}: the sum over the games of the cell."
        for name, (level, column) in cells.sums.items()
    }
    for each in cells.cases:
        moments[rolls.games_of(each)] = f"How many games of the cell have {each}."
    for each, cases in cells.compared.items():
        moments[rolls.of_all(each)] = f"{each} of all at the table, in the games with {cases}."
    for one, other in (*cells.products, *cells.crossed):
        moments[rolls.product(one, other)] = f"The sum over the games of {one} times {other}."
    flags = {
        rolls.left_out(whole, span, scope): f"Whether it is in no cell of a {span} and a {whole}, "
        f"as far as hands of {scope} verdict go."
        for whole, span in rolls.WHOLE
        for scope in (rolls.EACH, rolls.EVERY)
    }
    return {"tallies": _tallied(), rolls.TABLE: moments, rolls.REST: _tallied() | flags}


def _tallied() -> dict[str, str]:
    """Return what columns of tallies mean that are named after a metric."""
    from ingest.metrics import rolls, tallies

    said: dict[str, str] = {}
    for grain in rolls.ROLLED:
        names = tallies.columns(grain)
        for metric in tallies.BUILT_IN:
            if metric.grain == grain:
                added = ("1", metric.amount, metric.weight)
                for each, text in zip(added, _OF_TALLIES, strict=True):
                    said.setdefault(names[metric.cases, each], text.format(metric))
    return said


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


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
