"""An evening's hands into a large warehouse: the whole command, with what figures are made of."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.hands import kept_log
from benchmarks.harness import Budget
from benchmarks.loading import budget_table
from tricklog import ingest
from tricklog.core import generate
from tricklog.ingest.facts.files import facts_are_ready
from tricklog.ingest.store.warehouse import current_snapshot
from tricklog.schemas.hand import encode_hand

HANDS: Final = 60
SEED: Final = 11
MOST: Final = {100_000: 1.2, 1_000_000: 1.5}
"""Seconds, by the hands in the warehouse."""


def load_an_evening(sizes: Sequence[int], rounds: int, variant: str) -> list[str]:
    """Measure a load of few hands into warehouses of many."""
    rows, budgets = [], []
    with tempfile.TemporaryDirectory() as folder:
        evening = Path(folder) / "evening.jsonl"
        played = list(generate(variant, HANDS, SEED))[:HANDS]
        evening.write_bytes(b"".join(encode_hand(hand) + b"\n" for hand in played))
        for size in sorted(sizes):
            before, db = Path(folder) / f"before-{size}", Path(folder) / "db"
            ingest.load(kept_log(variant, size), db=before)
            times = [_loaded(evening, before, db) for _ in range(rounds)]
            taken = statistics.median(times)
            rows.append(f"| {size:,} | {taken:.3g} s | {min(times):.3g} to {max(times):.3g} |")
            if size in MOST:
                budgets.append(Budget(f"into {size:,}", taken, MOST[size], "s"))
    return [
        "",
        f"{HANDS} hands of {variant}: `tricklog load`, the whole process.",
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
    command = [sys.executable, "-m", "tricklog", "load", str(evening), "--db", str(db)]
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    taken = time.perf_counter() - start
    snapshot = current_snapshot(db)
    assert snapshot
    assert facts_are_ready(snapshot)
    return taken
