"""What every metric of one's own has to fulfil, wherever it comes from.

That its SQL can be read and is of the right types is known beforehand; what a row makes of it is
not known until there are rows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import isfinite
from typing import Any, Final

import duckdb
from duckdb import DuckDBPyConnection

from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.ingest.metrics.errors import OwnMetricError
from tricklog.ingest.metrics.model import Grain, Kind, Metric, facts_for
from tricklog.ingest.sql import run, sql_text

LONGEST_NAME: Final = 40
LONGEST_TEXT: Final = 200
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?!\n)")
_SIGN: Final = r"[\w .,;'’()/%+?!–—-]|:(?= )"
_TEXT: Final = re.compile(rf"(?:{_SIGN})+")
WORDS: Final = ("title", "sentence", "unit", "numerator", "denominator", "group")
SQL: Final = ("cases", "amount", "weight", "within")
_WHOLE: Final = re.compile(r"U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?")
_NUMBER: Final = re.compile(rf"{_WHOLE.pattern}|DOUBLE|FLOAT|DECIMAL\(.*\)")


def checked_metric(source: str, metric: Metric, key: str = "") -> Metric:
    """Return a metric with its SQL as it may be used.

    ``source`` and ``key`` say where it stands. Raises ``OwnMetricError`` that says what is wrong.
    """
    where = f"{key}." if key else ""
    if not _NAME.fullmatch(metric.name) or len(metric.name) > LONGEST_NAME:
        raise OwnMetricError(
            source,
            f"{where}name",
            f"is {metric.name!r}; write small letters, digits and single hyphens, such as "
            f"no-trick, {LONGEST_NAME} characters at most",
        )
    where = f"{metric.name}."
    for name in WORDS:
        _check_words(source, f"{where}{name}", getattr(metric, name))
    for name in ("least", "most"):
        bound = getattr(metric, name)
        if bound is not None and not isfinite(bound):
            raise OwnMetricError(source, f"{where}{name}", f"is {bound}; write a number")
    if metric.most is not None and metric.least is None:
        raise OwnMetricError(source, f"{where}most", "needs a least beside it")
    sql: dict[str, Any] = {}
    for name in SQL if metric.within else SQL[:-1]:
        try:
            sql[name] = checked_expression(getattr(metric, name), metric.grain)
        except ExpressionError as error:
            raise OwnMetricError(source, f"{where}{name}", str(error)) from error
    _check_types(source, where, metric, sql)
    if (same := constant(sql["weight"])) is not None and same <= 0:
        raise OwnMetricError(source, f"{where}weight", f"is {same}; a case has a weight above 0")
    return replace(metric, **sql, source=metric.source or source)


def _check_words(source: str, key: str, text: str) -> None:
    if not text.strip():
        raise OwnMetricError(source, key, "is empty; it stands beside every figure")
    if len(text) > LONGEST_TEXT:
        raise OwnMetricError(source, key, f"has more than {LONGEST_TEXT} characters")
    if not _TEXT.fullmatch(text):
        strange = re.sub(_SIGN, "", text)[0]
        raise OwnMetricError(
            source,
            key,
            f"has {strange!r}; write letters, digits, spaces and . , ; ' ( ) / % + - ? !",
        )


def _check_types(source: str, where: str, metric: Metric, sql: dict[str, str]) -> None:
    """Refuse a condition that is none, and amounts that are no numbers."""
    found = {}
    for name, expression in sql.items():
        try:
            found[name] = type_of(metric.grain, expression)
        except duckdb.Error as error:
            told = str(error).partition("\n")[0]
            raise OwnMetricError(source, f"{where}{name}", f"cannot be counted: {told}") from error
    if found["cases"] != "BOOLEAN":
        says = f"is of type {found['cases']}; write a condition"
        raise OwnMetricError(source, f"{where}cases", says)
    if metric.kind == Kind.SHARE and not _WHOLE.fullmatch(found["amount"]):
        raise OwnMetricError(
            source,
            f"{where}amount",
            f"is of type {found['amount']}; a share takes a whole number, so add ::INTEGER to a "
            "condition",
        )
    for name in ("amount", "weight"):
        if not _NUMBER.fullmatch(found[name]):
            says = f"is of type {found[name]}; write a number"
            raise OwnMetricError(source, f"{where}{name}", says)


# --- Rows

_NO_VALUE: Final = (duckdb.DataError, duckdb.InvalidInputException)
"""What DuckDB raises for an expression that has no value for some row."""


def try_out(connection: DuckDBPyConnection, metric: Metric, source: str, among: str) -> None:
    """Refuse a metric whose SQL fails for some row, weights below 0, hits beyond their cases.

    ``source`` says where the metric stands, ``among`` which hands it is about.

    Raises ``OwnMetricError``.
    """
    facts = facts_for(metric.grain, metric.cases, metric.amount, metric.weight, among)
    cases = f"FROM {facts} WHERE ({among}) AND ({metric.cases})"
    wrong = "NOT (isfinite(y::DOUBLE) AND isfinite(w::DOUBLE)) OR w < 0"
    if metric.kind == Kind.SHARE:
        wrong += " OR NOT (y BETWEEN 0 AND w)"
    rows = f"SELECT ({metric.amount}) AS y, ({metric.weight}) AS w {cases}"
    query = f"SELECT y, w FROM ({rows}) WHERE {wrong} ORDER BY y DESC, w LIMIT 1"  # noqa: S608 - as above
    try:
        found = run(connection, query, {}).rows()
    except _NO_VALUE as error:
        key, failed = _failing(connection, metric, facts, cases) or ("", error)
        told = str(failed).partition("\n")[0].rstrip(".!")
        raise OwnMetricError(source, f"{metric.name}{key}", f"cannot be counted: {told}") from error
    if found:
        raise OwnMetricError(source, *_out_of_range(metric, *found[0]))


def _failing(
    connection: DuckDBPyConnection, metric: Metric, facts: str, cases: str
) -> tuple[str, duckdb.Error] | None:
    """Return the key whose SQL fails, and how."""
    for key, sql, rows in (
        ("cases", metric.cases, f"FROM {facts}"),
        ("amount", metric.amount, cases),
        ("weight", metric.weight, cases),
    ):
        try:
            run(connection, f"SELECT max(({sql})::VARCHAR) {rows}", {})
        except _NO_VALUE as error:
            return f".{key}", error
    return None


def _out_of_range(metric: Metric, amount: float | None, weight: float | None) -> tuple[str, str]:
    """Return at which key a case has a number that cannot be counted, and why."""
    for key, value in (("amount", amount), ("weight", weight)):
        if value is not None and not abs(value) < float("inf"):
            return f"{metric.name}.{key}", f"is {value} in some case; write a number that is finite"
    if weight is not None and weight < 0:
        return f"{metric.name}.weight", f"is {weight} in some case; write a number from 0 up"
    most = "0 or 1" if metric.weight == "1" else f"from 0 to its weight, there {weight}"
    return (
        f"{metric.name}.amount",
        f"is {amount} in some case; a share is hits among cases, so it has to be {most}",
    )


# --- Expressions
#
# DuckDB parses an expression, and what is used afterwards is written again from what was parsed, so
# that neither a comment nor a bracket can reach beyond it. Of the functions of DuckDB those may
# stand in it that look at nothing but what they are given; it is bound to facts without rows before
# any warehouse is open. The connections on which figures are counted reach no file, no network and
# no setting.

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
