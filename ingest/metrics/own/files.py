"""Metrics of a TOML file, or of a Python file with a list ``METRICS``."""

from __future__ import annotations

import runpy
from collections.abc import Mapping
from datetime import UTC, date, datetime
from enum import Enum
from pathlib import Path
from typing import Any, Final

from ingest.metrics.errors import OwnMetricError
from ingest.metrics.model import Better, Grain, Kind, Level, Metric
from ingest.metrics.own.checks import checked_metric
from replay.rulesets.guarded_toml import TomlError, read_toml
from replay.rulesets.suggestions import did_you_mean

NEEDED: Final = (
    *("name", "title", "sentence", "unit", "numerator", "denominator", "grain", "kind", "cases"),
)
TEXTS: Final = (*NEEDED[:6], "group", "cases", "amount", "weight")
CHOICES: Final[dict[str, dict[str, Enum]]] = {
    "grain": {
        "seat": Grain.SEAT,
        "card": Grain.CARD,
        "game": Grain.GAME,
        "finding": Grain.FINDING,
        "study": Grain.STUDY,
        "decision": Grain.DECISION,
    },
    "kind": {each.value: each for each in Kind},
    "level": {"seat": Level.SEAT, "side": Level.SIDE, "hand": Level.HAND},
    "better": {"higher": Better.HIGHER, "lower": Better.LOWER, "neither": Better.NEITHER},
}
SWITCHES: Final = ("comparable", "every_verdict")
NUMBERS: Final = ("least", "most")
KEYS: Final = (*dict.fromkeys((*TEXTS, *CHOICES, *SWITCHES, *NUMBERS)), "dated")
GROUP: Final = "Your own"


def metrics_of_file(path: Path) -> tuple[Metric, ...]:
    """Return the metrics of a file, checked.

    Raises ``OwnMetricError``, which names file, key and what is wrong, and ``OSError``.
    """
    source = path.name
    if path.suffix == ".py":
        listed = _of_python(path)
        metrics = [checked_metric(source, each) for each in listed]
    elif path.suffix == ".toml":
        metrics = _of_toml(path)
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


def _of_toml(path: Path) -> list[Metric]:
    try:
        data = read_toml(path.read_bytes())
    except TomlError as error:
        raise OwnMetricError(path.name, "", str(error)) from error
    for key in data:
        if key != "metric":
            near = did_you_mean(key, ["metric"])
            raise OwnMetricError(
                path.name, key, f"is not known{near}; each metric begins with [[metric]]"
            )
    rows = data.get("metric", [])
    if not isinstance(rows, list) or not rows:
        raise OwnMetricError(path.name, "", "has no metric; each begins with [[metric]]")
    changed = datetime.fromtimestamp(path.stat().st_mtime, UTC).date()
    return [_of_row(path.name, place, row, changed) for place, row in enumerate(rows, 1)]


def _of_row(source: str, place: int, row: Any, changed: date) -> Metric:  # noqa: ANN401 - of TOML
    if not isinstance(row, dict):
        raise OwnMetricError(source, "metric", "is no table; begin each metric with [[metric]]")
    named = row.get("name")
    key = named if isinstance(named, str) and named else f"metric {place}"
    for each in row:
        if each not in KEYS:
            near = did_you_mean(each, KEYS)
            raise OwnMetricError(
                source, f"{key}.{each}", f"is not known{near}; keys are {', '.join(KEYS)}"
            )
    for each in NEEDED:
        if each not in row:
            raise OwnMetricError(source, key, f"has no {each}")
    values = {"group": GROUP, "dated": changed} | {
        each: _value(source, f"{key}.{each}", each, row) for each in row
    }
    return checked_metric(source, Metric(**values), key)


def _value(source: str, where: str, key: str, row: Mapping[str, Any]) -> object:
    """Return the value of a key as a metric takes it. Raises ``OwnMetricError``."""
    value = row[key]
    if key in CHOICES:
        return _choice(source, where, key, value)
    wanted: tuple[type, ...] = (str,)
    words = "text"
    if key in SWITCHES:
        wanted, words = (bool,), "true or false"
    elif key in NUMBERS:
        wanted, words = (int, float), "a number"
    elif key == "dated":
        wanted, words = (date,), "a day, such as 2026-11-20"
    is_right = type(value) in wanted
    if not is_right:
        raise OwnMetricError(source, where, f"is {value!r}; it takes {words}")
    return value


def _choice(source: str, where: str, key: str, value: object) -> Enum:
    choices = CHOICES[key]
    if not isinstance(value, str) or value not in choices:
        near = did_you_mean(value, choices)
        raise OwnMetricError(source, where, f"is {value!r}{near}; allowed are {', '.join(choices)}")
    return choices[value]
