"""Facts of warehouses that are made once, and figures asked of them beside the same recounted."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from duckdb import DuckDBPyConnection

from tests.kit.made_once import hands_once, opened
from tricklog import Filters, Hand
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import Grain, Metric, measure

Facts = DuckDBPyConnection
"""What ``open_facts`` returns."""
Figures = dict[Any, tuple[float, int]]
"""Value and n of a metric by the values of dimensions: texts, a tuple of them where it is several,
nothing at all where it is none."""


def warehouse_of(
    name: str, hands: Callable[[], Iterable[Hand]], *then: Callable[[Path], object]
) -> object:
    """Return a fixture: a warehouse of hands with its facts, to be read and copied.

    ``then`` are called with it before its facts are made.
    """

    @pytest.fixture(scope="module")
    def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
        return hands_once(tmp_path_factory, name, hands, *then)

    return db


def shared_facts(
    name: str, hands: Callable[[], Iterable[Hand]], *then: Callable[[Path], object]
) -> object:
    """Return a fixture: the facts of such a warehouse, for all modules."""

    @pytest.fixture(scope="session", name=name)
    def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Facts]:
        with open_facts(hands_once(tmp_path_factory, name, hands, *then)) as connection:
            yield connection

    return facts


def facts_in(warehouse: str) -> object:
    """Return a fixture: the facts of the warehouse that the fixture of that name gives."""
    return opened(open_facts, warehouse)


def figure(
    facts: Facts, metric: str | Metric, *by: str, filters: Filters | None = None, **chosen: str
) -> Figures:
    """Ask for a metric; ``chosen`` are values of dimensions, unless there are ``filters``."""
    asked = Filters.of(chosen) if filters is None else filters
    rows = measure(facts, metric, by, asked).to_dicts()
    keys = [tuple(str(row[name]) for name in by) for row in rows]
    found = [(row["value"], row["n"]) for row in rows]
    return dict(zip((key if len(by) > 1 else "".join(key) for key in keys), found, strict=True))


def recounted(cases: Iterable[tuple[Any, float]]) -> Figures:
    """Return the mean and the number of the values by key."""
    return weighed((key, value, 1) for key, value in cases)


def weighed(cases: Iterable[tuple[Any, float, float]]) -> Figures:
    """Return the ratio of the sums of values and weights, and the number of the cases, by key."""
    found: dict[Any, list[tuple[float, float]]] = defaultdict(list)
    for key, value, weight in cases:
        found[key].append((value, weight))
    return {
        key: (sum(y for y, _ in each) / sum(w for _, w in each), len(each))
        for key, each in found.items()
    }


def assert_same(found: Figures, due: Figures, *asked: object) -> None:
    assert due, asked
    nearly: Mapping[Any, object] = {
        key: (pytest.approx(value, abs=1e-9), n) for key, (value, n) in due.items()
    }
    assert found == nearly, asked


def made_up(name: str, cases: str, amount: str, **more: Any) -> Metric:  # noqa: ANN401 - any field
    """Return a metric of seats, of which only what it counts matters; ``more`` are its fields."""
    words = ("title", "sentence", "unit", "numerator", "denominator", "group")
    fields: dict[str, Any] = dict.fromkeys(words, name)
    fields |= {"grain": Grain.SEAT, "cases": cases, "amount": amount}
    return Metric(name, **fields | more)
