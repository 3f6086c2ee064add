"""List and run the benchmarks, and record what they find in ``benchmarks/results.md``.

    python -m benchmarks                                   list them
    python -m benchmarks ingest --hands 100000 --rounds 3

``--dry`` prints the section, and leaves ``results.md`` as it is.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Final, NamedTuple

from benchmarks import (
    browser,
    cores,
    crowd,
    engine,
    evening,
    figures,
    harness,
    lake,
    lake_costs,
    loading,
    one_hand,
    ratings,
    solver,
    start,
    stored_solving,
    study,
)
from benchmarks.hands import MIXED
from tricklog.core import variants

Arguments = argparse.Namespace


class Benchmark(NamedTuple):
    """A benchmark by its name on the command line."""

    title: str
    """Heading of its section."""
    run: Callable[[Arguments], list[str]]
    uses: str
    """Arguments it takes besides ``--rounds`` and ``--dry``."""


BENCHMARKS: Final = {
    "ingest": Benchmark(
        "Loading, against bare readers of the same file",
        lambda given: loading.compare(given.hands, given.rounds),
        "--hands",
    ),
    "growth": Benchmark(
        "Loading, by the size of the log",
        lambda given: loading.grow(given.sizes, given.rounds, given.variant),
        "--sizes --variant",
    ),
    "evening": Benchmark(
        "An evening's hands into a large warehouse",
        lambda given: evening.load_an_evening(given.sizes, given.rounds, given.variant),
        "--sizes --variant",
    ),
    "lake": Benchmark(
        "Loading into a lake, against loading into a folder",
        lambda given: [*lake.compare(given.hands, given.rounds), *lake_costs.grow(given.sizes)],
        "--hands --sizes",
    ),
    "engine": Benchmark(
        "The engine, against engines of other games",
        lambda given: engine.against_peers(given.hands, given.rounds, given.variant),
        "--hands --variant",
    ),
    "replay": Benchmark(
        "Replaying one hand after the other",
        lambda given: engine.one_by_one(given.hands, given.rounds),
        "--hands",
    ),
    "cores": Benchmark(
        "Loading in plain Python, on one core and on two",
        lambda given: cores.load_plainly(given.hands, given.rounds, given.variant),
        "--hands --variant",
    ),
    "figures": Benchmark(
        "Figures over a large warehouse",
        lambda given: figures.ask_everything(given.hands, given.rounds, given.variant),
        "--hands --variant",
    ),
    "browser": Benchmark(
        "The dashboard in a browser",
        lambda given: browser.walk(given.hands, given.rounds, given.variant),
        "--hands --variant",
    ),
    "crowd": Benchmark(
        "Many people at the pages during a load",
        lambda given: crowd.visit(given.hands, given.rounds, given.variant),
        "--hands --variant",
    ),
    "lake-browser": Benchmark(
        "The dashboard over a lake in a browser",
        lambda given: browser.walk(given.hands, given.rounds, given.variant, is_lake=True),
        "--hands --variant",
    ),
    "lake-figures": Benchmark(
        "Figures over a lake, against those over a folder",
        lambda given: lake.ask_both(given.hands, given.rounds, given.variant),
        "--hands --variant",
    ),
    "solver": Benchmark(
        "What hands are worth with all cards open",
        lambda given: solver.open_cards(min(given.hands, solver.HANDS), given.rounds),
        "--hands",
    ),
    "solve": Benchmark(
        "Solving stored hands",
        lambda given: stored_solving.compare(min(given.hands, 20_000), given.rounds),
        "--hands",
    ),
    "solve-all": Benchmark(
        "All hands of a warehouse solved",
        lambda given: study.solve_all(given.hands, given.variant),
        "--hands --variant",
    ),
    "first-answer": Benchmark(
        "The first answer when a hand is opened",
        lambda given: study.first_answer(given.sizes, given.rounds, given.variant),
        "--sizes --variant",
    ),
    "start": Benchmark(
        "Commands that have next to nothing to do",
        lambda given: start.ask_little(given.rounds),
        "",
    ),
    "ratings": Benchmark(
        "Ratings and chances of many hands",
        lambda given: ratings.rate_and_look(given.hands, given.rounds, given.variant),
        "--hands --variant",
    ),
    "one-hand": Benchmark(
        "Showing one hand",
        lambda given: one_hand.one_hand(given.rounds, given.variant),
        "--variant",
    ),
}


def main() -> None:
    """Run the benchmark that the command line names, or list all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Run a benchmark.")
    parser.add_argument("name", nargs="?", choices=tuple(BENCHMARKS))
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--variant", choices=(*variants(), MIXED), default="pedro")
    parser.add_argument("--dry", action="store_true", help="print, and leave results.md as it is")
    given = parser.parse_args()
    if given.name is None:
        for name, each in BENCHMARKS.items():
            print(f"{name:12}{each.title} ({f'{each.uses} --rounds --dry'.strip()})")
        return
    chosen = BENCHMARKS[given.name]
    lines = [harness.conditions(), *chosen.run(given)]
    print("\n".join(lines))
    if not given.dry:
        harness.record(chosen.title, lines)


if __name__ == "__main__":
    main()
