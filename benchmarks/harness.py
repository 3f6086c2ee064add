"""Measuring side by side: rounds in turn, each run in a process of its own, medians and budgets.

A machine that does other work besides changes its speed from minute to minute. So the runs that
are compared take turns (A B C A B C ...), and what counts is the ratio of their medians.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

RESULTS: Final = Path(__file__).with_name("results.md")
MIB: Final = 1 << 20
BUSY: Final = 1.0
"""Load before a benchmark from which on its figures are called preliminary."""


@dataclass(frozen=True, slots=True)
class Run:
    """Something to measure: a function that prepares, and returns what is to be timed."""

    name: str
    target: str
    """``module:function``. It returns a function without arguments, which is timed; the numbers
    that one returns, by name, are kept with the time."""
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Round:
    """What one process measured."""

    seconds: float
    peak_mb: float
    """Most memory the process ever had, in MiB, preparation included."""
    numbers: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Measured:
    """All rounds of one run."""

    run: Run
    rounds: Sequence[Round]

    @property
    def seconds(self) -> float:
        """Median of the times."""
        return statistics.median(each.seconds for each in self.rounds)

    @property
    def spread(self) -> str:
        """Shortest and longest time."""
        times = [each.seconds for each in self.rounds]
        return f"{min(times):.3g} to {max(times):.3g}"

    @property
    def peak_mb(self) -> float:
        """Highest peak of memory."""
        return max(each.peak_mb for each in self.rounds)

    def number(self, name: str) -> float:
        """Return the median of a number that the run returned."""
        return statistics.median(each.numbers[name] for each in self.rounds)

    def rate(self, name: str) -> float:
        """Return how many of ``name`` were done in a second."""
        return self.number(name) / self.seconds


@dataclass(frozen=True, slots=True)
class Budget:
    """A figure and what it is allowed to be."""

    what: str
    value: float
    limit: float
    unit: str = ""
    at_least: bool = False

    @property
    def reached(self) -> bool:
        """Whether the figure keeps to the budget."""
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def __str__(self) -> str:
        """Return a row of a table: what, figure, budget, and by how much it is reached or not."""
        bound = ">=" if self.at_least else "<="
        room = self.value / self.limit if self.at_least else self.limit / self.value
        verdict = f"reached, {room:.2f} x" if self.reached else f"**missed**, {1 / room:.2f} x off"
        unit = f" {self.unit}" if self.unit else ""
        measured, limit = f"{figure(self.value)}{unit}", f"{bound} {figure(self.limit)}{unit}"
        return f"| {self.what} | {measured} | {limit} | {verdict} |"


def figure(value: float) -> str:
    """Return a number with three digits that mean something."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def measure(runs: Sequence[Run], rounds: int) -> list[Measured]:
    """Measure every run ``rounds`` times, in turn, each time in a new process."""
    found: dict[str, list[Round]] = {run.name: [] for run in runs}
    for number in range(rounds):
        for run in runs:
            once = measure_once(run)
            found[run.name].append(once)
            print(f"round {number + 1}, {run.name}: {once.seconds:.3g} s", file=sys.stderr)
    return [Measured(run, found[run.name]) for run in runs]


def measure_once(run: Run) -> Round:
    """Measure a run in a new process. Exits with its words when it fails."""
    command = [sys.executable, "-m", "benchmarks.harness", run.target, json.dumps(run.arguments)]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(f"error: {run.name} failed; its own message stands above")
    return Round(**json.loads(done.stdout.splitlines()[-1]))


def peak_mb() -> float:
    """Return the most memory this process has had, in MiB.

    Linux hands a new process the peak of the one that started it in ``getrusage``, so its own
    account comes first.
    """
    try:
        status = Path("/proc/self/status").read_text("ascii")
    except OSError:
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / MIB
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def command_output(*command: str) -> str:
    """Return what a command prints, empty when it fails."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def commit() -> str:
    """Return the commit that is measured, and whether files differ from it."""
    name = command_output("git", "rev-parse", "--short=7", "HEAD") or "unknown"
    changed = command_output("git", "status", "--porcelain", "--untracked-files=no")
    return f"{name} with changes" if changed else name


def machine() -> str:
    """Return what the figures were measured on, without anything that names the machine."""
    pages = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    parts = [
        f"{os.cpu_count()} cores ({platform.machine()})",
        f"{pages:.0f} GiB of memory",
        platform.system(),
        f"Python {platform.python_version()}",
        *(f"{name} {version(name)}" for name in ("duckdb", "polars", "numpy", "msgspec")),
    ]
    return ", ".join(parts)


def conditions() -> str:
    """Return what is measured, on what, and whether the machine was busy with something else."""
    load = os.getloadavg()[0]
    said = f"Commit {commit()}; {machine()}."
    if load < BUSY:
        return said
    return f"{said} **Preliminary**: the machine was doing other work (load {load:.1f})."


def record(title: str, lines: Sequence[str], page: Path = RESULTS) -> None:
    """Put a section into the page of results, in the place of the one with that title."""
    heading = f"## {title}\n"
    text = page.read_text("utf-8")
    section = "\n".join([heading, *lines, ""])
    start = text.find(heading)
    if start < 0:
        page.write_text(f"{text.rstrip()}\n\n{section}", "utf-8")
        return
    end = text.find("\n## ", start)
    rest = "" if end < 0 else text[end:]
    page.write_text(text[:start] + section + rest, "utf-8")


def run_here(target: str, arguments: Mapping[str, Any]) -> Round:
    """Prepare and time one run in this process."""
    module, _, name = target.partition(":")
    prepare: Callable[..., Callable[[], Mapping[str, float]]]
    prepare = getattr(import_module(module), name)
    timed = prepare(**arguments)
    began = time.perf_counter()
    numbers = timed()
    return Round(time.perf_counter() - began, peak_mb(), numbers)


def main() -> None:
    """Measure what the command line names and print it, for ``measure_once`` to read."""
    target, arguments = sys.argv[1:]
    done = run_here(target, json.loads(arguments))
    print()
    print(json.dumps({"seconds": done.seconds, "peak_mb": done.peak_mb, "numbers": done.numbers}))


if __name__ == "__main__":
    main()
