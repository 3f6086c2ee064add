"""One expression of SQL over the columns of facts, and nothing else.

DuckDB parses it, and what is used afterwards is written again from what was parsed, so that neither
a comment nor a bracket can reach beyond it. Of the functions of DuckDB those may stand in it that
look at nothing but what they are given; it is bound to facts without rows before any warehouse is
open. The connections on which figures are counted reach no file, no network and no setting.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import duckdb

from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.ingest.metrics.model import Grain
from tricklog.ingest.sql import sql_text

LONGEST: Final = 2_000
"""Characters of an expression."""
DEEPEST: Final = 200
"""Lists and objects within each other of an expression as DuckDB parses it: two for a bracket."""
_TOO_DEEP: Final = "is nested too deep; write it shorter"
_REFUSED: Final = {
    "SUBQUERY": "a query within",
    "LAMBDA": "a lambda",
    "STAR": "a star",
    "POSITIONAL_REFERENCE": "a column by number",
}
_PLANNER: Final = "json_serialize_plan"
"""It plans a query that it is given as text, and says what the settings in that come to."""
_WRAPPED: Final = "SELECT (\n{}\n) FROM facts"
_PLAIN: Final = ("SELECT ", " FROM facts")
_FILES: Final = (
    *("tables.sql", "views.sql", "more_tables.sql"),
    *("solved.sql", "par.sql", "study_views.sql", "par_views.sql"),
)


class ExpressionError(ValueError):
    """What an expression has that it may not have, and what to write instead."""


def checked_expression(text: str, grain: Grain) -> str:
    """Return an expression as DuckDB writes it, once it is known to look at the facts alone.

    Raises ``ExpressionError``.
    """
    if len(text) > LONGEST:
        raise ExpressionError(f"has {len(text):,} characters; {LONGEST:,} are allowed")
    parsed = _parsed(text)
    for part in _parts_of(_only_expression(parsed)):
        _check(part, grain)
    ((written,),) = _asked("SELECT json_deserialize_sql($1)", json.dumps(parsed))
    head, tail = _PLAIN
    assert written.startswith(head)
    assert written.endswith(tail)
    return str(written[len(head) : -len(tail)])


def type_of(grain: Grain, expression: str) -> str:
    """Return the SQL type of an expression over the facts of a grain.

    Raises ``duckdb.Error`` for what DuckDB cannot bind, or not for each row by itself.
    """
    bound = f"SELECT ({expression}) AS e FROM {grain.value} WHERE ({expression}) IS NULL"  # noqa: S608 - parsed and checked before
    return str(_asked(f"DESCRIBE {bound}")[0][1])


def constant(expression: str) -> float | None:
    """Return the value of an expression that is the same for all facts, ``None`` for another."""
    try:
        ((value,),) = _asked(f"SELECT ({expression})::DOUBLE")
    except duckdb.Error:
        return None
    return None if value is None else float(value)


# --- Facts without rows


@cache
def _empty_facts() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect(":memory:", config={"enable_external_access": False, "threads": 1})
    for name in _FILES:
        made.execute(sql_text("tricklog.ingest.facts", name))
    return made


def _asked(query: str, *parameters: str) -> list[tuple[Any, ...]]:
    return _empty_facts().cursor().execute(query, [*parameters]).fetchall()


@cache
def _columns_of(grain: Grain) -> tuple[str, ...]:
    return tuple(str(row[0]) for row in _asked(f"DESCRIBE {grain.value}"))


@cache
def _looking_elsewhere() -> frozenset[str]:
    """Return the functions that do not say the same of the same: of settings, clock or chance."""
    found = _asked(
        "SELECT function_name FROM duckdb_functions() WHERE stability IS NOT NULL "
        "GROUP BY ALL HAVING count(*) FILTER (stability = 'CONSISTENT') = 0"
    )
    return frozenset({_PLANNER, *(str(row[0]) for row in found)})


# --- What DuckDB parsed


def _parsed(text: str) -> dict[str, Any]:
    try:
        ((found,),) = _asked("SELECT json_serialize_sql($1::VARCHAR)", _WRAPPED.format(text))
    except duckdb.Error as error:
        raise ExpressionError(_not_one(str(error))) from error
    try:
        parsed: dict[str, Any] = json.loads(found)
    except RecursionError as error:
        raise ExpressionError(_TOO_DEEP) from error
    if parsed["error"]:
        raise ExpressionError(_not_one(parsed.get("error_message", "")))
    return parsed


def _not_one(message: str) -> str:
    told = message.partition("\n")[0].removeprefix("Parser Error: ")
    return f"is not one expression of SQL ({told})"


def _only_expression(parsed: dict[str, Any]) -> dict[str, Any]:
    """Return the one expression selected. Raises ``ExpressionError`` where there is more."""
    statements = parsed["statements"]
    node = statements[0]["node"] if len(statements) == 1 else {}
    is_plain = (
        node.get("type") == "SELECT_NODE"
        and len(node["select_list"]) == 1
        and node["from_table"].get("table_name") == "facts"
        and node["from_table"].get("type") == "BASE_TABLE"
        and not node["modifiers"]
        and not node["cte_map"]["map"]
        and not node["group_expressions"]
        and not node["group_sets"]
        and all(node[key] is None for key in ("where_clause", "having", "sample", "qualify"))
    )
    if not is_plain:
        raise ExpressionError("is more than one expression of SQL")
    expression: dict[str, Any] = node["select_list"][0]
    if expression["alias"]:
        raise ExpressionError("has a name of its own after AS; leave it out")
    return expression


def _parts_of(value: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - any JSON
    """Yield every part of an expression that has a class, the whole first."""
    waiting = [(value, 0)]
    while waiting:
        each, depth = waiting.pop()
        if depth > DEEPEST:
            raise ExpressionError(_TOO_DEEP)
        if isinstance(each, dict):
            if "class" in each:
                yield each
            waiting += [(within, depth + 1) for within in each.values()]
        elif isinstance(each, list):
            waiting += [(within, depth + 1) for within in each]


def _check(part: dict[str, Any], grain: Grain) -> None:
    kind = part["class"]
    if kind in _REFUSED:
        raise ExpressionError(f"has {_REFUSED[kind]}; it may look at its own row alone")
    if kind == "COLUMN_REF":
        known, name = _columns_of(grain), ".".join(part["column_names"])
        if name.lower() not in known:
            near = did_you_mean(name, known)
            raise ExpressionError(f"{grain.value} has no column {name!r}{near}")
    if kind == "FUNCTION" and part["function_name"].lower() in _looking_elsewhere():
        name = part["function_name"].lower()
        raise ExpressionError(f"calls {name}, which looks at more than the row")
