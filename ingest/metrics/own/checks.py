"""What every metric of one's own has to fulfil, wherever it comes from."""

from __future__ import annotations

import re
from dataclasses import replace
from math import isfinite
from typing import Final

import duckdb

from ingest.metrics.errors import OwnMetricError
from ingest.metrics.model import Kind, Metric
from ingest.metrics.own import empty_facts
from ingest.metrics.own.expressions import ExpressionError, checked_expression

LONGEST_NAME: Final = 40
LONGEST_TEXT: Final = 200
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?!\n)")
_SIGN: Final = r"[\w .,;'’()/%+?!–—-]|:(?= )"
_TEXT: Final = re.compile(rf"(?:{_SIGN})+")
WORDS: Final = ("title", "sentence", "unit", "numerator", "denominator", "group")
SQL: Final = ("cases", "amount", "weight")
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
    sql = {}
    for name in SQL:
        try:
            sql[name] = checked_expression(getattr(metric, name), metric.grain)
        except ExpressionError as error:
            raise OwnMetricError(source, f"{where}{name}", str(error)) from error
    _check_types(source, where, metric, sql)
    if (constant := empty_facts.constant(sql["weight"])) is not None and constant <= 0:
        says = f"is {constant}; a case has a weight above 0"
        raise OwnMetricError(source, f"{where}weight", says)
    return replace(
        metric,
        cases=sql["cases"],
        amount=sql["amount"],
        weight=sql["weight"],
        source=metric.source or source,
    )


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
    try:
        cases, amount, weight = empty_facts.types_of(metric.grain, *sql.values())
    except duckdb.Error as error:
        told = str(error).partition("\n")[0]
        raise OwnMetricError(source, where.rstrip("."), f"cannot be counted: {told}") from error
    if cases != "BOOLEAN":
        raise OwnMetricError(source, f"{where}cases", f"is of type {cases}; write a condition")
    if metric.kind == Kind.SHARE and not _WHOLE.fullmatch(amount):
        raise OwnMetricError(
            source,
            f"{where}amount",
            f"is of type {amount}; a share takes a whole number, so add ::INTEGER to a condition",
        )
    for name, found in (("amount", amount), ("weight", weight)):
        if not _NUMBER.fullmatch(found):
            raise OwnMetricError(source, f"{where}{name}", f"is of type {found}; write a number")
