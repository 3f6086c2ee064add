"""What every metric of one's own has to fulfil, wherever it comes from.

That its SQL can be read and is of the right types is known beforehand; what a row makes of it is
not known until there are rows.
"""

from __future__ import annotations

import re
from dataclasses import replace
from math import isfinite
from typing import Any, Final

import duckdb
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics.errors import OwnMetricError
from tricklog.ingest.metrics.model import Kind, Metric, facts_for
from tricklog.ingest.metrics.own.expressions import (
    ExpressionError,
    checked_expression,
    constant,
    type_of,
)
from tricklog.ingest.sql import run

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
