"""Loads into a lake, and figures over it, beside those of a folder."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from duckdb import DuckDBPyConnection

from benchmarks.hands import MIXED, kept_log, write_log
from benchmarks.harness import Budget
from benchmarks.loading import budget_table
from tests.kit.dirty_logs import write_dirty_logs
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.metrics import METRICS, FigureError, Metric, dimensions_of, measure
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.store.warehouse import checksum
from tricklog.ingest.warehouses import load, open_facts, open_snapshot

FILES: Final = 24
WALL: Final = 1.5
PROCESSOR: Final = 1.4
"""How much longer a load into a lake may take than one into a folder with facts."""
BYTES: Final = 404
"""Of all tables for each hand."""
FIGURE: Final = 2.0
"""How much longer a figure may take over a lake."""
_LOAD: Final = """
import json, resource, sys
from pathlib import Path
from tricklog.ingest.warehouses import load
on = dict(on=sys.argv[2]) if sys.argv[2] else {}
accepted = load(*sys.argv[3:], db=sys.argv[1], **on).accepted
own, tasks = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(json.dumps({
    "accepted": accepted,
    "processor": sum(each.ru_utime + each.ru_stime for each in (own, tasks)),
    "alone": own.ru_utime + own.ru_stime,
    # What getrusage says of a process itself begins with what the one that started it had.
    "peak": max(int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]),
                tasks.ru_maxrss) / 1024,
}))
"""


@dataclass(frozen=True, slots=True)
class Load:
    """What one load took."""

    wall: float
    accepted: int
    processor: float
    """Seconds of all processes together."""
    alone: float
    """Seconds of the process that gives out the tasks."""
    peak: float
    """MiB of the largest process."""


def compare(hands: int, rounds: int) -> list[str]:
    """Load mixed logs in which everything goes wrong now and then, into a folder and a lake."""
    taken: dict[str, list[Load]] = {"folder": [], "lake": []}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        logs = logs_of(folder, hands)
        for number in range(rounds):
            places = {
                "folder": (str(folder / f"folder-{number}"), ""),
                "lake": (f"lake:{folder / f'lake-{number}'}", "processes=2"),
            }
            sums = []
            for kind, (db, on) in places.items():
                taken[kind].append(load_apart(db, on, logs))
                with open_snapshot(db) as connection:
                    sums.append(checksum(connection))
            assert sums[0] == sums[1], sums
        size = bytes_of(f"lake:{folder / 'lake-0'}") / taken["lake"][0].accepted
    ratios = {
        name: statistics.median(getattr(each, name) for each in taken["lake"])
        / statistics.median(getattr(each, name) for each in taken["folder"])
        for name in ("wall", "processor")
    }
    return [
        "",
        (
            f"{taken['lake'][0].accepted:,} hands of all systems in {FILES} logs with duplicates, "
            f"conflicts, faults and garbage, with facts, whole processes, {rounds} rounds in turn; "
            "the lake with two processes. Checksums are equal."
        ),
        "",
        *table(taken),
        "",
        *budget_table(
            [
                Budget("lake against folder, wall", ratios["wall"], WALL, "x"),
                Budget("lake against folder, processor", ratios["processor"], PROCESSOR, "x"),
                Budget("all tables of the lake", size, BYTES, "bytes a hand"),
            ]
        ),
    ]


def ask_both(hands: int, rounds: int, variant: str) -> list[str]:
    """Ask a lake and a folder of one log for every metric by every dimension, in turn."""
    log = str(kept_log(variant, hands))
    with tempfile.TemporaryDirectory() as name:
        dbs = (f"lake:{Path(name) / 'lake'}", str(Path(name) / "folder"))
        for db in dbs:
            load(log, db=db)
        began = time.perf_counter()
        lake = open_facts(dbs[0])
        opened = time.perf_counter() - began
        times: dict[str, tuple[float, float]] = {}
        with lake, open_facts(dbs[1]) as folder:
            ((player,),) = folder.execute("SELECT max(player) FROM games.players").fetchall()
            for metric in METRICS:
                for dimension in (None, *dimensions_of(metric)):
                    by = ("variant",) + ((dimension.name,) if dimension else ())
                    for filters in (EVERYTHING, Filters.of({"player": player})):
                        asked = f"{metric.name} by {' and '.join(by)}"
                        asked += "" if filters is EVERYTHING else ", one player"
                        with suppress(FigureError):
                            times[asked] = _in_turn((lake, folder), metric, by, filters, rounds)
    ratios = {asked: there / here for asked, (there, here) in times.items()}
    ranked = sorted(ratios, key=lambda asked: -ratios[asked])
    within = statistics.mean(ratio <= FIGURE for ratio in ratios.values())
    rows = [
        f"| {asked} | {1e3 * times[asked][0]:.0f} ms | {1e3 * times[asked][1]:.0f} ms "
        f"| {ratios[asked]:.2f} |"
        for asked in ranked[:10]
    ]
    middle = statistics.median(ratios.values())
    return [
        "",
        (
            f"{hands:,} hands of {variant}; {len(times)} figures, each asked {rounds} times of "
            f"both in turn, medians. The facts of the lake were opened in {opened:.2f} s. "
            f"{within:.1%} of the figures take up to {FIGURE} times as long. The slowest:"
        ),
        "",
        "| figure | lake | folder | |",
        "|---|---|---|---|",
        *rows,
        "",
        *budget_table(
            [
                Budget("half of the figures", middle, FIGURE, "x"),
                Budget("slowest figure", ratios[ranked[0]], FIGURE, "x"),
            ]
        ),
    ]


def _in_turn(
    opened: tuple[DuckDBPyConnection, DuckDBPyConnection],
    metric: Metric,
    by: tuple[str, ...],
    filters: Filters,
    rounds: int,
) -> tuple[float, float]:
    """Return the median seconds of a figure on each connection."""
    times: tuple[list[float], list[float]] = ([], [])
    found = []
    for _ in range(rounds):
        for connection, taken in zip(opened, times, strict=True):
            began = time.perf_counter()
            found.append(measure(connection, metric, by, filters).rows())
            taken.append(time.perf_counter() - began)
    assert all(rows == found[0] for rows in found), (metric.name, by)
    return statistics.median(times[0]), statistics.median(times[1])


def logs_of(folder: Path, hands: int, *, sound: bool = False) -> list[str]:
    """Write logs in which everything goes wrong now and then; or a large one that is sound."""
    write_log(folder / "mixed.jsonl", MIXED, hands)
    if sound:
        return [str(folder / "mixed.jsonl")]
    lines = (folder / "mixed.jsonl").read_bytes().splitlines()
    (folder / "mixed.jsonl").unlink()
    return [str(path) for path in write_dirty_logs(lines, folder / "logs", FILES)]


def load_apart(db: str, on: str, logs: list[str]) -> Load:
    """Load logs in a process of its own."""
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", _LOAD, db, on, *logs], check=True, capture_output=True, text=True
    )
    return Load(time.perf_counter() - begun, **json.loads(done.stdout))


def bytes_of(db: str) -> int:
    """Return how many bytes the tables of a lake have."""
    return sum(entry.size for entry in storage_of(db).list() if "_delta_log" not in entry.name)


def table(taken: dict[str, list[Load]]) -> list[str]:
    """Return what loads took as a Markdown table, each line the median of some."""
    rows = [
        "| load | wall | processor | a hand | largest process |",
        "|---|---|---|---|---|",
    ]
    for name, loads in taken.items():
        wall = statistics.median(each.wall for each in loads)
        processor = statistics.median(each.processor for each in loads)
        rows.append(
            f"| {name} | {wall:.3g} s | {processor:.3g} s "
            f"| {processor / loads[0].accepted * 1e6:.0f} us "
            f"| {max(each.peak for each in loads):,.0f} MiB |"
        )
    return rows
