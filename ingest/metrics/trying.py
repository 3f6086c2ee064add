"""Whether the SQL of a metric of one's own can be counted over the facts that there are.

That it can be read and is of the right types is checked before; what a row makes of it is not known
until there are rows.
"""

from __future__ import annotations

from typing import Final

import duckdb
from duckdb import DuckDBPyConnection

from ingest.metrics.errors import OwnMetricError
from ingest.metrics.filters import run
from ingest.metrics.model import Kind, Metric, facts_for

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
