"""A long run of the library with every index checked, over hands of all systems.

    python -m tests.long.sanitized [--lines 1000000] [--seed 1] [--processes 2] [--library FILE]

The lines are those of `tests.kit.sanitized`: hands of bots, random legal ones under random house
rules, hidden and broken ones, and such in which words were changed. The library ends its process at
an index outside an array, a number that its cell cannot hold, and what C++ does not define. It is
compiled first, unless `--library` names one. Prints its progress to stderr and a table of
systems at the end; exit status 1, with the line and how to see it again, when a process ended so.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.kit import sanitized
from tests.long import parser_of
from tricklog.core import variants

PIECE = 1_000
"""Lines that one process judges."""
EVERY = 51
"""One line in so many is replayed, studied and solved too."""
BUDGET = 5_000
"""Nodes of a value."""


def main() -> None:
    """Run, and print what was used."""
    parser = parser_of(__doc__, lines=1_000_000, seed=1, processes=2)
    parser.add_argument("--library", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        library = asked.library or sanitized.built(Path(folder) / "sanitized.so")
        sys.exit(_run(library, Path(folder), asked))


def _run(library: Path, folder: Path, asked: argparse.Namespace) -> int:
    watcher, began = sanitized.watching(), time.monotonic()
    pieces = [
        (variant, asked.seed * 10_007 + number)
        for number in range(-(-asked.lines // (PIECE * len(variants()))))
        for variant in variants()
    ]

    def piece(work: tuple[str, int]) -> tuple[str, subprocess.CompletedProcess[str], Path]:
        variant, seed = work
        line = folder / f"{variant}-{seed}"
        given = f"--variant {variant} --seed {seed} --lines {PIECE} --every {EVERY}"
        command = f"-m tests.kit.sanitized {library} {given} --budget {BUDGET} --line {line}"
        return variant, sanitized.watched(watcher, *command.split()), line

    used = {variant: Counter[str]() for variant in variants()}
    faults = 0
    with ThreadPoolExecutor(asked.processes) as pool:
        for done, (variant, ended, line) in enumerate(pool.map(piece, pieces), 1):
            if ended.returncode:
                faults += 1
                sys.stderr.write(f"\n{' '.join(ended.args[1:])}\n{ended.stderr[:4000]}\n")
                sys.stderr.write(f"{line.read_text(errors='replace')}\n")
            else:
                used[variant].update(json.loads(ended.stdout))
            left = (time.monotonic() - began) / done * (len(pieces) - done)
            judged = sum(each["judged"] for each in used.values())
            sys.stderr.write(f"\r{judged:,} lines, {faults} ended, {left / 60:.0f} min left ")
            sys.stderr.flush()
    words = ("judged", "replayed", "valid", "studied", "solved")
    print(f"\n| system | {' | '.join(words)} |", f"|---|{'---:|' * len(words)}", sep="\n")
    for variant, counts in used.items():
        print(f"| {variant} | {' | '.join(f'{counts[word]:,}' for word in words)} |")
    total = sum(used.values(), Counter[str]())
    print(f"| all | {' | '.join(f'{total[word]:,}' for word in words)} |")
    minutes = (time.monotonic() - began) / 60
    print(f"\n{total['judged']:,} lines in {minutes:.0f} minutes, {faults} processes ended")
    return int(faults > 0)


if __name__ == "__main__":
    main()
