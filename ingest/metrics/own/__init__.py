"""Metrics of one's own, from TOML or Python files and from installed packages.

They are of the same model as those built in: a condition, a numerator, a denominator, and the words
about them. Files are named by ``TRICKLOG_METRICS``, several of them as in ``PATH``; the option
``--metrics`` adds one to it. A package names an object under the entry points ``tricklog.metrics``.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final

from tricklog.ingest.metrics.errors import OwnMetricError
from tricklog.ingest.metrics.model import Metric
from tricklog.ingest.metrics.own.checks import checked_metric
from tricklog.ingest.metrics.own.files import listed_metrics, metrics_of_file
from tricklog.ingest.reading.entry_points import METRICS

SETTING: Final = "TRICKLOG_METRICS"


@dataclass(frozen=True, slots=True)
class OwnMetrics:
    """What was found, and why some of it cannot be used."""

    metrics: tuple[Metric, ...]
    problems: tuple[str, ...]
    """One sentence for each file or package that is left out."""


def use_file(path: str | Path) -> None:
    """Add a file to the setting, for this process and those that it starts.

    Raises ``OwnMetricError`` for a file that cannot be used, and ``OSError``.
    """
    file = Path(path).resolve()
    _of_file(str(file))
    named = [each for each in os.environ.get(SETTING, "").split(os.pathsep) if each]
    if str(file) not in named:
        os.environ[SETTING] = os.pathsep.join([*named, str(file)])


def own_metrics(taken: Collection[str]) -> OwnMetrics:
    """Return the metrics of all files and packages; ``taken`` are names that they may not have.

    What cannot be used is left out and told; it never stands in the way of the others.
    """
    return _found(os.environ.get(SETTING, ""), frozenset(taken))


@cache
def _found(setting: str, taken: frozenset[str]) -> OwnMetrics:
    found: dict[str, Metric] = {}
    problems: list[str] = []
    for source, metrics in _sources(setting, problems):
        for metric in metrics:
            if metric.name in taken or metric.name in found:
                whose = "is built in" if metric.name in taken else "stands in another source"
                problems.append(f"{source}: a metric {metric.name!r} {whose}; rename this one.")
                continue
            found[metric.name] = metric
    return OwnMetrics(tuple(found.values()), tuple(problems))


def _sources(setting: str, problems: list[str]) -> Iterable[tuple[str, tuple[Metric, ...]]]:
    for name in filter(None, setting.split(os.pathsep)):
        try:
            yield name, _of_file(name)
        except OwnMetricError as error:
            problems.append(str(error))
        except OSError as error:
            problems.append(f"{name} cannot be read: {error.strerror}.")
    for point in sorted(entry_points(group=METRICS), key=lambda each: each.name):
        try:
            yield f"package {point.name}", _of_package(point)
        except OwnMetricError as error:
            problems.append(str(error))


def _of_file(name: str) -> tuple[Metric, ...]:
    """Return the metrics of a file, each checked once: that takes some milliseconds."""
    found = Path(name).stat()
    return _as_it_was(name, found.st_mtime_ns, found.st_size)


@cache
def _as_it_was(name: str, _changed: int, _size: int) -> tuple[Metric, ...]:
    return metrics_of_file(Path(name))


def _of_package(point: EntryPoint) -> tuple[Metric, ...]:
    """Return the metrics of a package. Raises ``OwnMetricError`` whatever is wrong with it."""
    source = f"package {point.name} ({point.value})"
    try:
        listed = listed_metrics(source, point.load())
    except OwnMetricError:
        raise
    except Exception as error:  # what code of others raises is theirs to choose
        raise OwnMetricError(source, "", f"cannot be imported: {error!r}") from error
    return tuple(checked_metric(source, metric) for metric in listed)


__all__ = [
    "SETTING",
    "OwnMetricError",
    "OwnMetrics",
    "metrics_of_file",
    "own_metrics",
    "use_file",
]
