"""What every metric of one's own has to fulfil, wherever it comes from.

That its SQL can be read and is of the right types is known beforehand; what a row makes of it is
not known until there are rows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from math import isfinite
from typing import Any, Final

import duckdb
from duckdb import DuckDBPyConnection

from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.ingest.metrics.model import Grain, Kind, Metric, OwnMetricError, facts_for
from tricklog.ingest.sql import run, sql_text

LONGEST_NAME: Final = 40
LONGEST_TEXT: Final = 200
WORDS: Final = ("title", "sentence", "unit", "numerator", "denominator")
SQL: Final = ("cases", "amount", "weight", "within")
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?!\n)")
_SIGN: Final = r"[\w .,;'’()/%+?!–—-]|:(?= )"
_WHOLE: Final = re.compile(r"U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?")
_NUMBER: Final = re.compile(rf"{_WHOLE.pattern}|DOUBLE|FLOAT|DECIMAL\(.*\)")


def checked_metric(source: str, metric: Metric, key: str = "") -> Metric:
    """Return a metric with its SQL as it may be used.

    ``source`` and ``key`` say where it stands. Raises ``OwnMetricError`` that says what is wrong.
    """
    if not _NAME.fullmatch(metric.name) or len(metric.name) > LONGEST_NAME:
        raise OwnMetricError(
            source,
            f"{key}.name" if key else "name",
            f"is {metric.name!r}; write small letters, digits and single hyphens, such as "
            f"no-trick, {LONGEST_NAME} characters at most",
        )
    for name, says in _wrong_words(metric):
        raise OwnMetricError(source, f"{metric.name}.{name}", says)
    sql, types = dict[str, Any](), dict[str, str]()
    for name in SQL if metric.within else SQL[:-1]:
        try:
            sql[name] = checked_expression(getattr(metric, name), metric.grain)
            types[name] = type_of(metric.grain, sql[name])
        except (ExpressionError, duckdb.Error) as error:
            told = str(error).partition("\n")[0]
            says = told if isinstance(error, ExpressionError) else f"cannot be counted: {told}"
            raise OwnMetricError(source, f"{metric.name}.{name}", says) from error
    for name, says in _wrong_types(metric, types, sql["weight"]):
        raise OwnMetricError(source, f"{metric.name}.{name}", says)
    return replace(metric, **sql, source=metric.source or source)


def _wrong_words(metric: Metric) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with words and bounds, each after its key."""
    for name in (*WORDS, "group"):
        text = getattr(metric, name)
        if not text.strip():
            yield name, "is empty; it stands beside every figure"
        if len(text) > LONGEST_TEXT:
            yield name, f"has more than {LONGEST_TEXT} characters"
        if strange := re.sub(_SIGN, "", text):
            signs = ". , ; ' ( ) / % + - ? !"
            yield name, f"has {strange[0]!r}; write letters, digits, spaces and {signs}"
    for name in ("least", "most"):
        bound = getattr(metric, name)
        if bound is not None and not isfinite(bound):
            yield name, f"is {bound}; write a number"
    if metric.most is not None and metric.least is None:
        yield "most", "needs a least beside it"


def _wrong_types(metric: Metric, types: dict[str, str], weight: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a condition that is none, and with amounts that are no numbers."""
    if types["cases"] != "BOOLEAN":
        yield "cases", f"is of type {types['cases']}; write a condition"
    if metric.kind == Kind.SHARE and not _WHOLE.fullmatch(types["amount"]):
        says = "a share takes a whole number, so add ::INTEGER to a condition"
        yield "amount", f"is of type {types['amount']}; {says}"
    for name in ("amount", "weight"):
        if not _NUMBER.fullmatch(types[name]):
            yield name, f"is of type {types[name]}; write a number"
    # Of an expression that is the same for all facts the value is known.
    with suppress(duckdb.Error):
        ((same,),) = _asked(f"SELECT ({weight})::DOUBLE")
        if same is not None and same <= 0:
            yield "weight", f"is {float(same)}; a case has a weight above 0"


# --- Rows

_NO_VALUE: Final = (duckdb.DataError, duckdb.InvalidInputException)
"""What DuckDB raises for an expression that has no value for some row."""


def try_out(connection: DuckDBPyConnection, metric: Metric) -> None:
    """Refuse a metric whose SQL fails for some row, weights below 0, hits beyond their cases.

    Raises ``OwnMetricError``.
    """
    among = metric.among_verdicts
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
        key, failed = "", error
        sources = {"cases": f"FROM {facts}", "amount": cases, "weight": cases}
        for name, source in sources.items():
            try:
                run(connection, f"SELECT max(({getattr(metric, name)})::VARCHAR) {source}", {})
            except _NO_VALUE as of_key:
                key, failed = f".{name}", of_key
                break
        told = str(failed).partition("\n")[0].rstrip(".!")
        where = f"{metric.name}{key}"
        raise OwnMetricError(metric.source, where, f"cannot be counted: {told}") from error
    if found:
        key, says = _out_of_range(metric, *found[0])
        raise OwnMetricError(metric.source, f"{metric.name}.{key}", says)


def _out_of_range(metric: Metric, amount: float | None, weight: float | None) -> tuple[str, str]:
    """Return at which key a case has a number that cannot be counted, and why."""
    for key, value in (("amount", amount), ("weight", weight)):
        if value is not None and not abs(value) < float("inf"):
            return key, f"is {value} in some case; write a number that is finite"
    if weight is not None and weight < 0:
        return "weight", f"is {weight} in some case; write a number from 0 up"
    most = "0 or 1" if metric.weight == "1" else f"from 0 to its weight, there {weight}"
    says = f"is {amount} in some case; a share is hits among cases, so it has to be {most}"
    return "amount", says


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
    try:
        whole = f"SELECT (\n{text}\n) FROM t"  # noqa: S608 - only parsed
        ((found,),) = _asked("SELECT json_serialize_sql($1::VARCHAR)", whole)
        parsed = json.loads(found)
        wrong = parsed["error"] and parsed.get("error_message", "")
    except duckdb.Error as error:
        wrong = str(error)
    except RecursionError as error:
        raise ExpressionError(_TOO_DEEP) from error
    if wrong is not False:
        told = wrong.partition("\n")[0].removeprefix("Parser Error: ")
        raise ExpressionError(f"is not one expression of SQL ({told})")
    # What follows the bracket leaves no other way to say more than one.
    (first, *more) = parsed["statements"]
    if more or len(first["node"].get("select_list", ())) != 1:
        raise ExpressionError("is more than one expression of SQL")
    for part in _parts_of(first["node"]["select_list"][0]):
        _check(part, grain)
    ((written,),) = _asked("SELECT json_deserialize_sql($1)", json.dumps(parsed))
    assert written.startswith("SELECT ")
    assert written.endswith(" FROM t")
    return str(written[len("SELECT ") : -len(" FROM t")])


def _parts_of(value: Any, depth: int = 0) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - any JSON
    """Yield every part of an expression that has a class, the whole first."""
    if depth > DEEPEST:
        raise ExpressionError(_TOO_DEEP)
    if isinstance(value, dict):
        if "class" in value:
            yield value
        value = [*value.values()]
    if isinstance(value, list):
        for each in value:
            yield from _parts_of(each, depth + 1)


def _check(part: dict[str, Any], grain: Grain) -> None:
    kind = part["class"]
    if kind in _REFUSED:
        raise ExpressionError(f"has {_REFUSED[kind]}; it may look at its own row alone")
    if kind == "COLUMN_REF":
        known = [str(row[0]) for row in _asked(f"DESCRIBE {grain.value}")]
        name = ".".join(part["column_names"])
        if name.lower() not in known:
            near = did_you_mean(name, known)
            raise ExpressionError(f"{grain.value} has no column {name!r}{near}")
    if kind == "FUNCTION" and part["function_name"].lower() in _looking_elsewhere():
        name = part["function_name"].lower()
        raise ExpressionError(f"calls {name}, which looks at more than the row")


@cache
def _looking_elsewhere() -> frozenset[str]:
    """Return the functions that do not say the same of the same: of settings, clock or chance."""
    found = _asked(
        "SELECT function_name FROM duckdb_functions() WHERE stability IS NOT NULL "
        "GROUP BY ALL HAVING count(*) FILTER (stability = 'CONSISTENT') = 0"
    )
    # The last plans a query that it is given as text, and says what the settings in that come to.
    return frozenset({*(str(row[0]) for row in found), "json_serialize_plan"})


def type_of(grain: Grain, expression: str) -> str:
    """Return the SQL type of an expression over the facts of a grain.

    Raises ``duckdb.Error`` for what DuckDB cannot bind, or not for each row by itself.
    """
    bound = f"SELECT ({expression}) AS e FROM {grain.value} WHERE ({expression}) IS NULL"  # noqa: S608 - parsed and checked before
    return str(_asked(f"DESCRIBE {bound}")[0][1])


@cache
def _empty_facts() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect(":memory:", config={"enable_external_access": False, "threads": 1})
    for name in _FILES:
        made.execute(sql_text("tricklog.ingest.facts", name))
    return made


@cache
def _asked(query: str, *parameters: str) -> list[tuple[Any, ...]]:
    """Return what facts without rows say."""
    return _empty_facts().cursor().execute(query, [*parameters]).fetchall()
