"""Loads without compiled rules, on one core and on all."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from benchmarks.hands import kept_log
from benchmarks.harness import Budget
from benchmarks.loading import budget_table

LEAST: Final = 1.8
"""How many times as fast two cores have to be."""
_IMPORTS: Final = "import tricklog.ingest.loading.loading, polars"
# No rules are compiled in the background, which would take a part of the cores.
_LOAD: Final = (
    "import os, sys, tricklog; from tricklog.ingest.loading import bulk; "
    "bulk.WORTH_COMPILING = 1 << 60; "
    "os.sched_setaffinity(0, [int(each) for each in sys.argv[3].split(',')]); "
    "report = tricklog.load(sys.argv[1], db=sys.argv[2], facts=False); "
    "assert report.accepted == int(sys.argv[4]), report"
)


def load_plainly(hands: int, rounds: int, variant: str) -> list[str]:
    """Measure loads in processes of their own, bound to one core and to two in turn."""
    log = str(kept_log(variant, hands))
    cores = sorted(os.sched_getaffinity(0))[:2]
    bound = {"one core": cores[:1], "two cores": cores}
    times: dict[str, list[float]] = {name: [] for name in bound}
    with tempfile.TemporaryDirectory() as folder:
        # Nothing is compiled in this folder, whatever the user's own holds.
        apart = os.environ | {"HOME": folder, "XDG_CACHE_HOME": f"{folder}/cache"}
        start_up = statistics.median(_timed(apart, _IMPORTS) for _ in range(rounds))
        for number in range(rounds):
            for name, chosen in bound.items():
                db = Path(folder) / f"{name} {number}"
                listed = ",".join(map(str, chosen))
                times[name].append(_timed(apart, _LOAD, log, str(db), listed, str(hands)))
    beyond = {name: statistics.median(each) - start_up for name, each in times.items()}
    rows = [
        f"| {name} | {statistics.median(each):.3g} s | {min(each):.3g} to {max(each):.3g} "
        f"| {hands / beyond[name]:,.0f} |"
        for name, each in times.items()
    ]
    faster = beyond["one core"] / beyond["two cores"]
    return [
        "",
        (
            f"{hands:,} hands of {variant}, whole process, {rounds} rounds in turn; starting it "
            f"takes {start_up:.3g} s of that."
        ),
        "",
        "| cores | median | spread | hands/s beyond start-up |",
        "|---|---|---|---|",
        *rows,
        "",
        *budget_table([Budget("two cores against one", faster, LEAST, "x", at_least=True)]),
    ]


def _timed(environment: dict[str, str], program: str, *arguments: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", program, *arguments], check=True, env=environment)
    return time.perf_counter() - began
