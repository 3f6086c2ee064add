"""An evening's hands into a large warehouse: from the start of the load until figures are ready."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from benchmarks.hands import kept_log
from benchmarks.harness import Budget
from benchmarks.loading import budget_table
from tricklog import ingest
from tricklog.core import generate
from tricklog.schemas.hand import encode_hand

HANDS: Final = 60
SEED: Final = 11
MOST: Final = {100_000: 1.5, 1_000_000: 3.0}
"""Seconds beyond starting Python and what a load imports, by the hands in the warehouse."""
_IMPORTS: Final = "import tricklog.ingest.loading.loading, tricklog.ingest.facts.files, polars"
_LOAD: Final = (
    "import sys, tricklog; from tricklog.ingest import metrics; "
    "from tricklog.ingest.facts.files import open_facts; "
    "tricklog.load(sys.argv[1], db=sys.argv[2]); "
    "print(metrics.measure(open_facts(sys.argv[2]), 'set-rate', ['player']).height)"
)


def load_an_evening(sizes: Sequence[int], rounds: int, variant: str) -> list[str]:
    """Measure a load of few hands into warehouses of many, with one figure counted after it."""
    rows, budgets = [], []
    with tempfile.TemporaryDirectory() as folder:
        evening = Path(folder) / "evening.jsonl"
        played = list(generate(variant, HANDS, SEED))[:HANDS]
        evening.write_bytes(b"".join(encode_hand(hand) + b"\n" for hand in played))
        start_up = _median(rounds, lambda: _run(_IMPORTS))
        for size in sorted(sizes):
            before, db = Path(folder) / f"before-{size}", Path(folder) / "db"
            ingest.load(kept_log(variant, size), db=before)
            times = [_loaded(evening, before, db) for _ in range(rounds)]
            taken = statistics.median(times)
            rows.append(f"| {size:,} | {taken:.3g} s | {min(times):.3g} to {max(times):.3g} |")
            if size in MOST:
                name = f"beyond start-up, into {size:,}"
                budgets.append(Budget(name, taken - start_up, MOST[size], "s"))
    return [
        "",
        f"{HANDS} hands of {variant}, whole process; starting it takes {start_up:.3g} s of that.",
        "",
        "| hands in the warehouse | median | spread |",
        "|---|---|---|",
        *rows,
        "",
        *budget_table(budgets),
    ]


def _loaded(evening: Path, before: Path, db: Path) -> float:
    shutil.rmtree(db, ignore_errors=True)
    shutil.copytree(before, db)
    return _timed(lambda: _run(_LOAD, str(evening), str(db)))


def _median(rounds: int, work: Callable[[], None]) -> float:
    return statistics.median(_timed(work) for _ in range(rounds))


def _timed(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _run(program: str, *arguments: str) -> None:
    subprocess.run(
        [sys.executable, "-c", program, *arguments], check=True, stdout=subprocess.DEVNULL
    )
