"""One expression of SQL over the columns of facts, and nothing else.

DuckDB parses it, what it parsed is walked, and only what is on the lists below may stand in it: no
statement, no query within, no function that reads a file or a setting. What is used afterwards is
written again from what was parsed, so that neither a comment nor a bracket can reach beyond it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import duckdb

from ingest.metrics.model import Grain
from ingest.metrics.own import empty_facts
from replay.rulesets.suggestions import did_you_mean

LONGEST: Final = 2_000
"""Characters of an expression."""
DEEPEST: Final = 200
"""Lists and objects within each other of an expression as DuckDB parses it: two for a bracket."""
_TOO_DEEP: Final = "is nested too deep; write it shorter"
FUNCTIONS: Final = frozenset(
    {
        *("+", "-", "*", "/", "//", "%", "||", "~~", "!~~", "~~*", "!~~*"),
        *("abs", "ceil", "floor", "greatest", "least", "ln", "pow", "round", "sign", "sqrt"),
        *("coalesce", "contains", "if", "ifnull", "nullif", "starts_with"),
        *("len", "list_contains", "list_position", "lower", "upper"),
        *("isodow", "month", "quarter", "year"),
    }
)
"""Functions that look at nothing but what they are given."""
TYPES: Final = frozenset(
    {
        *("BIGINT", "BOOLEAN", "DATE", "DOUBLE", "FLOAT", "INTEGER", "SMALLINT", "TINYINT"),
        *("UBIGINT", "UINTEGER", "USMALLINT", "UTINYINT", "VARCHAR"),
    }
)
_PARTS: Final = frozenset({"BETWEEN", "CASE", "CAST", "COMPARISON", "CONJUNCTION", "CONSTANT"})
_OPERATORS: Final = frozenset(
    {
        *("OPERATOR_NOT", "OPERATOR_IS_NULL", "OPERATOR_IS_NOT_NULL", "OPERATOR_COALESCE"),
        *("COMPARE_IN", "COMPARE_NOT_IN", "ARRAY_EXTRACT"),
    }
)
_REFUSED: Final = {
    "SUBQUERY": "a query within",
    "WINDOW": "a window",
    "LAMBDA": "a lambda",
    "PARAMETER": "a parameter",
    "STAR": "a star",
    "POSITIONAL_REFERENCE": "a column by number",
    "COLLATE": "a collation",
}
_WRAPPED: Final = "SELECT (\n{}\n) FROM facts"
_PLAIN: Final = ("SELECT ", " FROM facts")


class ExpressionError(ValueError):
    """What an expression has that it may not have, and what to write instead."""


def checked_expression(text: str, grain: Grain) -> str:
    """Return an expression as DuckDB writes it, once all its parts are known to be harmless.

    Raises ``ExpressionError``.
    """
    if len(text) > LONGEST:
        raise ExpressionError(f"has {len(text):,} characters; {LONGEST:,} are allowed")
    parsed = _parsed(text)
    for part in _parts_of(_only_expression(parsed)):
        _check(part, grain)
    (written,) = _rows("SELECT json_deserialize_sql($1)", json.dumps(parsed))
    head, tail = _PLAIN
    assert written.startswith(head)
    assert written.endswith(tail)
    return str(written[len(head) : -len(tail)])


def _rows(query: str, parameter: str) -> Any:  # noqa: ANN401 - one row of any type
    return empty_facts.connection().cursor().execute(query, [parameter]).fetchall()[0]


def _parsed(text: str) -> dict[str, Any]:
    try:
        (found,) = _rows("SELECT json_serialize_sql($1::VARCHAR)", _WRAPPED.format(text))
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
    if kind == "COLUMN_REF":
        _check_column(part["column_names"], grain)
    elif kind == "FUNCTION":
        _check_function(part)
    elif kind == "TYPE":
        name = str(part.get("type_name", "")).upper()
        if name not in TYPES:
            raise ExpressionError(f"casts to {name}; allowed are {', '.join(sorted(TYPES))}")
    elif kind == "OPERATOR":
        if part["type"] not in _OPERATORS:
            raise ExpressionError(
                f"has {part['type'].lower().replace('_', ' ')}, which is not allowed"
            )
    elif kind not in _PARTS:
        raise ExpressionError(
            f"has {_REFUSED.get(kind, kind.lower())}; only columns of the facts, values, "
            "comparisons and simple functions are allowed"
        )


def _check_column(names: list[str], grain: Grain) -> None:
    known = empty_facts.columns_of(grain)
    name = ".".join(names)
    if name.lower() not in known:
        near = did_you_mean(name, known)
        raise ExpressionError(f"{grain.value} has no column {name!r}{near}")


def _check_function(part: dict[str, Any]) -> None:
    name = part["function_name"].lower()
    if name not in FUNCTIONS or part["schema"] or part["catalog"]:
        words = sorted(each for each in FUNCTIONS if each.isidentifier())
        near = did_you_mean(name, words)
        raise ExpressionError(f"calls {name}{near}; allowed are {', '.join(words)}")
    if part["filter"] is not None or part["order_bys"]["orders"] or part["distinct"]:
        raise ExpressionError(f"calls {name} with more than its arguments")
