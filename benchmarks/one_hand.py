"""Showing one hand: the whole process of ``tricklog replay``, from the command to the last line."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks import harness
from benchmarks.hands import write_log
from benchmarks.harness import Budget, Run
from benchmarks.loading import budget_table

COMMAND = "import sys; from tricklog.ingest.cli import main; sys.exit(main())"


def replay_command(log: str) -> Callable[[], Mapping[str, float]]:
    """Run ``tricklog replay`` over the first hand of a log, every step printed."""
    # The first run may have to compile the modules to byte code.
    command = [sys.executable, "-c", COMMAND, "replay", log, "--all"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def timed() -> Mapping[str, float]:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return {}

    return timed


def one_hand(rounds: int, variant: str) -> list[str]:
    """Measure how long it takes to show one hand."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "one.jsonl"
        write_log(log, variant, 1)
        run = Run("tricklog replay --all", "benchmarks.one_hand:replay_command", {"log": str(log)})
        (found,) = harness.measure([run], rounds)
    budget = Budget(f"{run.name}, whole process", found.seconds, 0.5, "s")
    return ["", f"{rounds} rounds, {found.spread} s.", "", *budget_table([budget])]
