"""Metrics of one's own, from TOML or Python files and from installed packages.

They are of the same model as those built in: a condition, a numerator, a denominator, and the words
about them. Files are named by ``TRICKLOG_METRICS``, several of them as in ``PATH``; the option
``--metrics`` adds one to it. A package names an object under the entry points ``tricklog.metrics``.
"""

from __future__ import annotations

import os
import runpy
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, date, datetime
from enum import Enum
from functools import cache, partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from string import Template
from typing import Any, Final, NamedTuple

from tricklog.core.rulesets.guarded_toml import TomlError, read_toml
from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.ingest.metrics.model import Better, Grain, Kind, Level, Metric, OwnMetricError
from tricklog.ingest.metrics.own.checks import SQL, WORDS, checked_metric
from tricklog.ingest.reading.entry_points import METRICS

SETTING: Final = "TRICKLOG_METRICS"
NEEDED: Final = ("name", *WORDS, "grain", "kind", "cases")
_CHOICES: Final[dict[str, dict[str, Enum]]] = {
    key: {each.name.lower(): each for each in kind}
    for key, kind in (("grain", Grain), ("kind", Kind), ("level", Level), ("better", Better))
}
_TEXT: Final = ((str,), "text")
_SWITCH: Final = ((bool,), "true or false")
_NUMBER: Final = ((int, float), "a number")
_TAKEN: Final[dict[str, tuple[tuple[type, ...], str]]] = {
    **dict.fromkeys((*NEEDED[:6], "group", *SQL), _TEXT),
    **dict.fromkeys(("comparable", "every_verdict", "from_totals"), _SWITCH),
    **dict.fromkeys(("least", "most"), _NUMBER),
    "dated": ((date,), "a day, such as 2026-11-20"),
}
"""What keys take that are no choices, and what it is called."""
KEYS: Final = tuple(dict.fromkeys((*NEEDED[:6], "group", *SQL, *_CHOICES, *_TAKEN)))
_TABLES: Final = ("metric", "usual", "terms")
"""Metrics; what all of them have that say nothing else; and names that stand for parts of SQL."""


class OwnMetrics(NamedTuple):
    """What was found, and why some of it cannot be used."""

    metrics: tuple[Metric, ...]
    problems: tuple[str, ...]
    """One sentence for each file or package that is left out."""


def use_file(path: str | Path) -> None:
    """Add a file to the setting, for this process and those that it starts.

    Raises ``OwnMetricError`` for a file that cannot be used, and ``OSError``.
    """
    file = str(Path(path).resolve())
    _of_file(file)
    named = [each for each in os.environ.get(SETTING, "").split(os.pathsep) if each]
    os.environ[SETTING] = os.pathsep.join(dict.fromkeys([*named, file]))


def own_metrics(taken: Collection[str]) -> OwnMetrics:
    """Return the metrics of all files and packages; ``taken`` are names that they may not have.

    What cannot be used is left out and told; it never stands in the way of the others.
    """
    return _found(os.environ.get(SETTING, ""), frozenset(taken))


@cache
def _found(setting: str, taken: frozenset[str]) -> OwnMetrics:
    found: dict[str, Metric] = {}
    problems: list[str] = []
    points = sorted(entry_points(group=METRICS), key=lambda each: each.name)
    sources: list[tuple[str, Callable[[], tuple[Metric, ...]]]] = [
        *((name, partial(_of_file, name)) for name in setting.split(os.pathsep) if name),
        *((f"package {point.name}", partial(_of_package, point)) for point in points),
    ]
    for source, read in sources:
        try:
            metrics = read()
        except OwnMetricError as error:
            problems.append(str(error))
            continue
        except OSError as error:
            problems.append(f"{source} cannot be read: {error.strerror}.")
            continue
        for metric in metrics:
            if metric.name in taken or metric.name in found:
                whose = "is built in" if metric.name in taken else "stands in another source"
                problems.append(f"{source}: a metric {metric.name!r} {whose}; rename this one.")
            else:
                found[metric.name] = metric
    return OwnMetrics(tuple(found.values()), tuple(problems))


def _of_file(name: str) -> tuple[Metric, ...]:
    """Return the metrics of a file, each checked once: that takes some milliseconds."""
    found = Path(name).stat()
    return _as_it_was(name, found.st_mtime_ns, found.st_size)


@cache
def _as_it_was(name: str, _changed: int, _size: int) -> tuple[Metric, ...]:
    return metrics_of_file(Path(name))


def _of_package(point: EntryPoint) -> tuple[Metric, ...]:
    source = f"package {point.name} ({point.value})"
    try:
        found = point.load()
    except Exception as error:  # what code of others raises is theirs to choose
        raise OwnMetricError(source, "", f"cannot be imported: {error!r}") from error
    return tuple(checked_metric(source, metric) for metric in _listed(source, found))


def metrics_of_file(path: Path) -> tuple[Metric, ...]:
    """Return the metrics of a file, checked.

    Raises ``OwnMetricError``, which names file, key and what is wrong, and ``OSError``.
    """
    source = path.name
    if path.suffix == ".py":
        metrics = [checked_metric(source, each) for each in _of_python(path)]
    elif path.suffix == ".toml":
        changed = datetime.fromtimestamp(path.stat().st_mtime, UTC).date()
        try:
            data = read_toml(path.read_bytes())
        except TomlError as error:
            raise OwnMetricError(source, "", str(error)) from error
        rows = metrics_in(source, data, changed)
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
    return _listed(path.name, names["METRICS"])


def _listed(source: str, found: object) -> tuple[Metric, ...]:
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


def metrics_in(source: str, data: Mapping[str, Any], dated: date) -> Iterator[tuple[str, Metric]]:
    """Yield the metrics of a file as they stand there, each after what messages call it.

    ``dated`` is the day of those that say none. Raises ``OwnMetricError``.
    """
    for key in data:
        if key not in _TABLES:
            near = did_you_mean(key, _TABLES)
            says = f"is not known{near}; each metric begins with [[metric]]"
            raise OwnMetricError(source, key, says)
    rows = data.get("metric", [])
    if not isinstance(rows, list) or not rows:
        raise OwnMetricError(source, "", "has no metric; each begins with [[metric]]")
    for key in ("usual", "terms"):
        if not isinstance(data.get(key, {}), dict):
            raise OwnMetricError(source, key, f"is no table; begin it with [{key}]")
    usual: dict[str, Any] = {"group": "Your own", "dated": dated} | data.get("usual", {})
    terms: dict[str, str] = {}
    for name, text in data.get("terms", {}).items():
        terms[name] = _filled_in(source, f"terms.{name}", text, terms)
    for place, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise OwnMetricError(source, "metric", "is no table; begin each metric with [[metric]]")
        named = row.get("name")
        key = named if isinstance(named, str) and named else f"metric {place}"
        yield key, Metric(**_values(source, key, usual | row, terms))


def _values(
    source: str, metric: str, row: Mapping[str, Any], terms: Mapping[str, str]
) -> dict[str, Any]:
    """Return what a metric is made of."""
    for key in row:
        if key not in KEYS:
            says = f"is not known{did_you_mean(key, KEYS)}; keys are {', '.join(KEYS)}"
            raise OwnMetricError(source, f"{metric}.{key}", says)
    for key in NEEDED:
        if key not in row:
            raise OwnMetricError(source, metric, f"has no {key}")
    values: dict[str, Any] = {}
    for key, value in row.items():
        where = f"{metric}.{key}"
        if choices := _CHOICES.get(key):
            if not isinstance(value, str) or value not in choices:
                near = did_you_mean(value, choices)
                says = f"is {value!r}{near}; allowed are {', '.join(choices)}"
                raise OwnMetricError(source, where, says)
            values[key] = choices[value]
        elif type(value) not in _TAKEN[key][0]:
            raise OwnMetricError(source, where, f"is {value!r}; it takes {_TAKEN[key][1]}")
        else:
            values[key] = _filled_in(source, where, value, terms) if key in SQL else value
    return values


def _filled_in(source: str, where: str, text: object, terms: Mapping[str, str]) -> str:
    """Return SQL with its terms in it."""
    if not isinstance(text, str):
        raise OwnMetricError(source, where, f"is {text!r}; it takes text")
    try:
        return Template(text).substitute(terms)
    except (KeyError, ValueError) as error:
        says = f"has $ before what is no term; [terms] has {', '.join(terms) or 'none'}"
        raise OwnMetricError(source, where, says) from error
