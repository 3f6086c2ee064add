"""A long run of whole commands with a library whose every index is checked.

    python -m tests.long.bounds [--hands 1000000] [--seed 1] [--processes 2]

Games of each system are played by bots, words of one line in ten are changed, and all lines are
loaded, figures with them: all with a library that ends its process at an index outside an array, a
number that its cell cannot hold, and what C++ does not define. It watches no memory, as that of
`tests.long.sanitized` does, and so gets through many more hands. Prints a table of systems at the
end; exit status 1 when a process ended.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

from tests.engine.test_compiled import mutated
from tests.long import parser_of
from tricklog.core import variants
from tricklog.core.compiled import make
from tricklog.core.native import library

FLAGS = ("-DCHECKED", "-fsanitize=undefined,bounds-strict", "-fsanitize-undefined-trap-on-error")
PIECE = 500
"""Games that one process plays and loads."""
CHANGED = 0.1
"""The share of lines that come a second time, with words changed."""
ENDED_WELL = (0, 1, 3)
"""Exit statuses of a load: all is sound, hands have findings, or lines cannot be read."""


def main() -> None:
    """Run, and print what was used; or be one of the processes."""
    parser = parser_of(__doc__, hands=1_000_000, seed=1, processes=2)
    parser.add_argument("--piece", nargs=2, metavar=("LIBRARY", "VARIANT"), help="be a process")
    asked = parser.parse_args()
    if asked.piece:
        sys.exit(_be_one(Path(asked.piece[0]), asked.piece[1], asked.seed))
    with tempfile.TemporaryDirectory() as folder:
        checked = Path(folder) / "checked.so"
        make.build(checked, *FLAGS)
        sys.exit(_run(checked, asked))


def _run(checked: Path, asked: argparse.Namespace) -> int:
    began, used, ended = time.monotonic(), Counter[str](), 0

    def piece(number: int) -> tuple[str, subprocess.CompletedProcess[str]]:
        variant = variants()[number % len(variants())]
        own = ["--piece", str(checked), variant, "--seed", str(asked.seed * 100_003 + number)]
        command = [sys.executable, "-m", "tests.long.bounds", *own]
        return variant, subprocess.run(command, capture_output=True, text=True, check=False)

    with ThreadPoolExecutor(asked.processes) as pool:
        number = 0
        while used.total() < asked.hands and ended == 0:
            following = range(number, number := number + len(variants()))
            for variant, done in pool.map(piece, following):
                if done.returncode:
                    ended += 1
                    sys.stderr.write(f"\n{' '.join(done.args)}\n{done.stderr[-2000:]}\n")
                else:
                    used[variant] += int(done.stdout)
            sys.stderr.write(f"\r{used.total():,} lines, {ended} ended ")
            sys.stderr.flush()
    print("\n| system | lines |", "|---|---:|", sep="\n")
    for variant, lines in used.items():
        print(f"| {variant} | {lines:,} |")
    minutes = (time.monotonic() - began) / 60
    print(f"\n{used.total():,} lines in {minutes:.0f} minutes, {ended} processes ended")
    return int(ended > 0)


def _be_one(checked: Path, variant: str, seed: int) -> int:
    """Play and load games with a library, and print how many lines that were."""
    from tricklog.ingest import cli

    with tempfile.TemporaryDirectory() as folder, mock.patch.object(library, "LIBRARY", checked):
        assert library.library(), library.trouble()
        log, chance = Path(folder) / "log.jsonl", random.Random(seed)
        given = ["--variant", variant, "--games", str(PIECE), "--seed", str(seed)]
        status = cli.main(["generate", *given, "--output", str(log)])
        lines = log.read_bytes().splitlines()
        # Under ids of their own, or most of them would not be stored beside what they were made of.
        changed = [
            mutated(line.replace(b'"id":"', b'"id":"changed:', 1), chance)
            for line in lines
            if chance.random() < CHANGED
        ]
        log.write_bytes(b"\n".join([*lines, *changed]) + b"\n")
        with mock.patch.object(sys, "stdout", sys.stderr):
            status = status or cli.main(["load", str(log), "--db", f"{folder}/db"])
    if status not in ENDED_WELL:
        return status
    print(len(lines) + len(changed))
    return 0


if __name__ == "__main__":
    main()
