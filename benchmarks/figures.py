"""Figures over a large warehouse: deriving their facts, and asking every metric."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from duckdb import DuckDBPyConnection

from benchmarks.hands import kept_log
from benchmarks.harness import Budget
from benchmarks.loading import budget_table
from tricklog.ingest import load
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import METRICS, FigureError, dimensions_of, measure
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.store.warehouse import facts_file

BY: Final = (
    (),
    ("variant",),
    ("variant", "player"),
    ("variant", "partner"),
    ("variant", "opponent"),
    ("variant", "kind"),
    ("variant", "bid"),
)
"""By what every metric that can be is grouped."""
MOST_MS: Final = 100


def ask_everything(hands: int, rounds: int, variant: str) -> list[str]:
    """Load a log, derive the facts, and measure every metric by some dimensions."""
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "db"
        report = load(kept_log(variant, hands), db=db, facts=False)
        assert isinstance(report.snapshot, Path)
        start = time.perf_counter()
        facts = open_facts(db)
        derived = time.perf_counter() - start
        size = facts_file(report.snapshot).stat().st_size
        player = facts.execute("SELECT player FROM games.players LIMIT 1").fetchall()[0][0]
        times: dict[str, float] = {}
        for metric in METRICS:
            known = {each.name for each in dimensions_of(metric)}
            for by in (each for each in BY if known.issuperset(each)):
                for filters in (EVERYTHING, Filters.of({"player": player})):
                    name = f"{metric.name} by {' and '.join(by) or 'nothing'}"
                    name += "" if filters is EVERYTHING else ", one player"
                    try:
                        times[name] = _median(rounds, facts, metric.name, by, filters)
                    except FigureError:
                        continue
        facts.close()
    ranked = sorted(times.items(), key=lambda item: -item[1])
    within = sum(each <= MOST_MS for each in times.values()) / len(times)
    rows = [f"| {name} | {milliseconds:.0f} ms |" for name, milliseconds in ranked[:10]]
    middle = statistics.median(times.values())
    said = (
        f"{hands:,} hands of {variant}: facts derived in {derived:.3g} s, "
        f"{1e6 * derived / hands:.3g} µs and {size / hands:.0f} bytes a hand. "
        f"{len(times)} queries, the median of {rounds} each: half take up to {middle:.0f} ms, "
        f"{within:.1%} up to {MOST_MS} ms. The slowest:"
    )
    return [
        "",
        said,
        "",
        "| query | median |",
        "|---|---|",
        *rows,
        "",
        *budget_table(
            [
                Budget("half of the metric queries", middle, MOST_MS, "ms"),
                Budget("slowest metric query", ranked[0][1], MOST_MS, "ms"),
            ]
        ),
    ]


def _median(
    rounds: int, facts: DuckDBPyConnection, name: str, by: Sequence[str], filters: Filters
) -> float:
    """Return the median time of a query in milliseconds, after one that is not counted."""
    times = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        measure(facts, name, by, filters)
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times[1:])
