"""Facts without rows, against which the SQL of a metric is checked before any warehouse is open."""

from __future__ import annotations

from functools import cache
from typing import Final

import duckdb

from ingest.metrics.model import Grain
from ingest.sql import sql_text

_FILES: Final = (
    *("tables.sql", "views.sql", "more_tables.sql"),
    *("solved.sql", "par.sql", "study_views.sql", "par_views.sql"),
)


@cache
def connection() -> duckdb.DuckDBPyConnection:
    """Return a database in memory with the tables of facts, all of them empty."""
    made = duckdb.connect(":memory:", config={"enable_external_access": False, "threads": 1})
    for name in _FILES:
        made.execute(sql_text("ingest.facts", name))
    return made


@cache
def columns_of(grain: Grain) -> tuple[str, ...]:
    """Return the columns of the facts of a grain."""
    rows = connection().cursor().execute(f"DESCRIBE {grain.value}").fetchall()
    return tuple(str(row[0]) for row in rows)


def types_of(grain: Grain, *expressions: str) -> list[str]:
    """Return the SQL types of expressions over the facts of a grain.

    Raises ``duckdb.Error`` for what DuckDB cannot bind.
    """
    listed = ", ".join(f"({each}) AS e{place}" for place, each in enumerate(expressions))
    rows = connection().cursor().execute(f"DESCRIBE SELECT {listed} FROM {grain.value}").fetchall()  # noqa: S608 - parsed and checked before
    return [str(row[1]) for row in rows]


def constant(expression: str) -> float | None:
    """Return the value of an expression that is the same for all facts, ``None`` for another."""
    try:
        ((value,),) = connection().cursor().execute(f"SELECT ({expression})::DOUBLE").fetchall()
    except duckdb.Error:
        return None
    return None if value is None else float(value)
