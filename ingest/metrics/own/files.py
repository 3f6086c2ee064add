"""Metrics of a TOML file, or of a Python file with a list ``METRICS``."""

from __future__ import annotations

import runpy
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from enum import Enum
from pathlib import Path
from string import Template
from typing import Any, Final

from tricklog.core.rulesets.guarded_toml import TomlError, read_toml
from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.ingest.metrics.errors import OwnMetricError
from tricklog.ingest.metrics.model import Better, Grain, Kind, Level, Metric
from tricklog.ingest.metrics.own.checks import SQL, checked_metric

NEEDED: Final = (
    *("name", "title", "sentence", "unit", "numerator", "denominator", "grain", "kind", "cases"),
)
TEXTS: Final = (*NEEDED[:6], "group", *SQL)
CHOICES: Final[dict[str, dict[str, Enum]]] = {
    "grain": {
        "seat": Grain.SEAT,
        "card": Grain.CARD,
        "game": Grain.GAME,
        "finding": Grain.FINDING,
        "study": Grain.STUDY,
        "decision": Grain.DECISION,
        "judged": Grain.JUDGED,
        "luck": Grain.LUCK,
        "par": Grain.PAR,
    },
    "kind": {each.value: each for each in Kind},
    "level": {"seat": Level.SEAT, "side": Level.SIDE, "hand": Level.HAND},
    "better": {"higher": Better.HIGHER, "lower": Better.LOWER, "neither": Better.NEITHER},
}
_SWITCH: Final = ((bool,), "true or false")
_NUMBER: Final = ((int, float), "a number")
_TAKEN: Final[dict[str, tuple[tuple[type, ...], str]]] = {
    **dict.fromkeys(("comparable", "every_verdict", "from_totals"), _SWITCH),
    **dict.fromkeys(("least", "most"), _NUMBER),
    "dated": ((date,), "a day, such as 2026-11-20"),
}
"""What keys take that are neither texts nor choices, and what it is called."""
KEYS: Final = tuple(dict.fromkeys((*TEXTS, *CHOICES, *_TAKEN)))
GROUP: Final = "Your own"
TABLES: Final = ("metric", "usual", "terms")
"""Metrics; what all of them have that say nothing else; and names that stand for parts of SQL."""


def metrics_of_file(path: Path) -> tuple[Metric, ...]:
    """Return the metrics of a file, checked.

    Raises ``OwnMetricError``, which names file, key and what is wrong, and ``OSError``.
    """
    source = path.name
    if path.suffix == ".py":
        listed = _of_python(path)
        metrics = [checked_metric(source, each) for each in listed]
    elif path.suffix == ".toml":
        changed = datetime.fromtimestamp(path.stat().st_mtime, UTC).date()
        rows = metrics_in(source, _read(path), changed)
        metrics = [checked_metric(source, metric, key) for key, metric in rows]
    else:
        raise OwnMetricError(source, "", "is neither TOML nor Python; name it .toml or .py")
    names = [each.name for each in metrics]
    for name in names:
        if names.count(name) > 1:
            raise OwnMetricError(source, "name", f"{name!r} stands twice; rename one")
    return tuple(metrics)


# --- Python


def _of_python(path: Path) -> tuple[Metric, ...]:
    path.read_bytes()  # raises OSError, and not what runpy makes of it
    try:
        names = runpy.run_path(str(path))
    except Exception as error:  # what a file of the user raises is theirs to choose
        raise OwnMetricError(path.name, "", f"cannot be run: {error!r}") from error
    if "METRICS" not in names:
        raise OwnMetricError(path.name, "", "has no list METRICS of tricklog.Metric")
    return listed_metrics(path.name, names["METRICS"])


def listed_metrics(source: str, found: object) -> tuple[Metric, ...]:
    """Return metrics named by code: one, several, or a function that returns them."""
    try:
        listed = found() if callable(found) and not isinstance(found, Metric) else found
    except Exception as error:  # what a function of the user raises is theirs to choose
        raise OwnMetricError(source, "METRICS", f"cannot be called: {error!r}") from error
    metrics = (listed,) if isinstance(listed, Metric) else listed
    if not isinstance(metrics, (list, tuple)) or not all(isinstance(m, Metric) for m in metrics):
        raise OwnMetricError(source, "METRICS", "is no list of tricklog.Metric")
    return tuple(metrics)


# --- TOML


def _read(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path.read_bytes())
    except TomlError as error:
        raise OwnMetricError(path.name, "", str(error)) from error


def metrics_in(source: str, data: Mapping[str, Any], dated: date) -> Iterator[tuple[str, Metric]]:
    """Yield the metrics of a file as they stand there, each after what messages call it.

    ``dated`` is the day of those that say none. Raises ``OwnMetricError``.
    """
    for key in data:
        if key not in TABLES:
            near = did_you_mean(key, TABLES)
            says = f"is not known{near}; each metric begins with [[metric]]"
            raise OwnMetricError(source, key, says)
    rows = data.get("metric", [])
    if not isinstance(rows, list) or not rows:
        raise OwnMetricError(source, "", "has no metric; each begins with [[metric]]")
    usual: dict[str, Any] = {"group": GROUP, "dated": dated} | _table(source, data, "usual")
    terms: dict[str, str] = {}
    for name, text in _table(source, data, "terms").items():
        terms[name] = _filled_in(source, f"terms.{name}", text, terms)
    for place, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise OwnMetricError(source, "metric", "is no table; begin each metric with [[metric]]")
        named = row.get("name")
        key = named if isinstance(named, str) and named else f"metric {place}"
        yield key, Metric(**_values(source, key, usual | row, terms))


def _table(source: str, data: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key, {})
    if not isinstance(found, dict):
        raise OwnMetricError(source, key, f"is no table; begin it with [{key}]")
    return found


def _filled_in(source: str, where: str, text: object, terms: Mapping[str, str]) -> str:
    """Return SQL with its terms in it."""
    if not isinstance(text, str):
        raise OwnMetricError(source, where, f"is {text!r}; it takes text")
    try:
        return Template(text).substitute(terms)
    except (KeyError, ValueError) as error:
        says = f"has $ before what is no term; [terms] has {', '.join(terms) or 'none'}"
        raise OwnMetricError(source, where, says) from error


def _values(
    source: str, key: str, row: Mapping[str, Any], terms: Mapping[str, str]
) -> dict[str, Any]:
    """Return what a metric is made of."""
    for each in row:
        if each not in KEYS:
            near = did_you_mean(each, KEYS)
            raise OwnMetricError(
                source, f"{key}.{each}", f"is not known{near}; keys are {', '.join(KEYS)}"
            )
    for each in NEEDED:
        if each not in row:
            raise OwnMetricError(source, key, f"has no {each}")
    values = {each: _value(source, f"{key}.{each}", each, row) for each in row}
    filled = {
        each: _filled_in(source, f"{key}.{each}", values[each], terms)
        for each in SQL
        if each in values
    }
    return values | filled


def _value(source: str, where: str, key: str, row: Mapping[str, Any]) -> object:
    """Return the value of a key as a metric takes it. Raises ``OwnMetricError``."""
    value = row[key]
    if choices := CHOICES.get(key):
        if isinstance(value, str) and value in choices:
            return choices[value]
        near = did_you_mean(value, choices)
        raise OwnMetricError(source, where, f"is {value!r}{near}; allowed are {', '.join(choices)}")
    wanted, words = _TAKEN.get(key, ((str,), "text"))
    if type(value) not in wanted:
        raise OwnMetricError(source, where, f"is {value!r}; it takes {words}")
    return value
