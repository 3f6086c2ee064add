"""Commands that have next to nothing to do, against an interpreter that does nothing."""

from __future__ import annotations

import os
import shlex
import statistics
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.harness import Budget, figure
from benchmarks.loading import budget_table

MOST: Final = 10
"""How many times a bare interpreter's processor time a command may take."""
_BARE: Final = (sys.executable, "-c", "pass")
_TRIVIAL: Final = {
    "what the program says about itself": (
        *("--version", "--help", "stats --help", "convert --list", "rules", "rules pidro"),
        *("rules pidro --language sv", "stats --list", "stats --list --json"),
        *("rules 1.follow", "rules --schema"),
    ),
    "wrong usage": (
        *("adits", "stats --nosuch", "audit --nosuch x", "audit x --json --format sarif"),
        *("rules 0.nosuch", "rules nosuch"),
    ),
    "what is not there": (
        *("audit nosuch.jsonl", "load nosuch", "replay nosuch", "convert nosuch"),
        *("list hands", "show a", "stats made-rate --db nosuch", "db verify --db nosuch"),
        *("list ratings --db nosuch", "solve --db nosuch", "export --db nosuch --output x"),
    ),
}
"""By what they have in common: words after ``tricklog``."""


def ask_little(rounds: int) -> list[str]:
    """Measure the processor time of each command and of an interpreter before it, in turn."""
    program = str(Path(sysconfig.get_path("scripts"), "tricklog"))
    commands = [each for group in _TRIVIAL.values() for each in group]
    bare: list[float] = []
    taken: dict[str, list[float]] = {each: [] for each in commands}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds + 1):
            for each in commands:
                nothing = _milliseconds(_BARE, folder)
                something = _milliseconds([program, *shlex.split(each)], folder)
                # The first round finds no bytecode, or none of it in memory.
                if number:
                    bare.append(nothing)
                    taken[each].append(something)
    least = statistics.median(bare)
    ratio = {each: statistics.median(times) / least for each, times in taken.items()}
    return [
        "",
        (
            f"Processor time of whole processes, medians of {rounds} runs in turn; a bare "
            f"interpreter takes {figure(least)} ms."
        ),
        "",
        "| command | times a bare interpreter |",
        "|---|---|",
        *(f"| `tricklog {each}` | {figure(value)} |" for each, value in ratio.items()),
        "",
        *budget_table(
            [
                Budget(f"{name}, the slowest", max(map(ratio.__getitem__, group)), MOST, "x")
                for name, group in _TRIVIAL.items()
            ]
        ),
    ]


def _milliseconds(command: Sequence[str], folder: str) -> float:
    """Return the processor time that a process takes, its own and the system's for it."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return 1e3 * (used.ru_utime + used.ru_stime)
