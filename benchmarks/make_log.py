"""Write a big log of distinct, valid hands.

    python -m benchmarks.make_log --hands 1000000 --variant pedro --to pedro.jsonl

``--variant mixed`` takes all systems in equal shares. Afterwards a sample of the games is audited.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.hands import MIXED, write_log
from tricklog import ingest
from tricklog.core import Verdict, variants

FIRST_OF_GAME: Final = b'"hand":1,'
SAMPLE: Final = 100
"""Games that are audited."""


def sample(path: Path, games: int) -> Iterator[bytes]:
    """Yield the lines of at most ``games`` games of a log, drawn from all of it."""
    with path.open("rb") as file:
        total = sum(FIRST_OF_GAME in line for line in file)
        file.seek(0)
        drawn = set(random.Random(0).sample(range(total), min(games, total)))
        game = -1
        for line in file:
            game += FIRST_OF_GAME in line
            if game in drawn:
                yield line


def faults_of(path: Path) -> list[str]:
    """Return what an audit finds in a log that should have nothing to find."""
    faults = []
    for item in ingest.audit(path):
        place = f"line {item.line.line}"
        if item.replay is None:
            faults.append(f"{place}: not accepted")
        elif item.replay.verdict != Verdict.VALID:
            faults.append(f"{place}: {item.replay.verdict}")
        faults += [f"{place}: {finding.message}" for finding in item.game_findings]
    return faults


def main() -> None:
    """Write the log, audit a sample of it, print both."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--variant", choices=(*variants(), MIXED), default="pedro")
    parser.add_argument("--to", type=Path, required=True)
    arguments = parser.parse_args()
    began = time.perf_counter()
    write_log(arguments.to, arguments.variant, arguments.hands)
    seconds = time.perf_counter() - began
    size = arguments.to.stat().st_size
    print(f"{arguments.hands:,} hands, {size / arguments.hands:.0f} bytes each, {seconds:.1f} s")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sample.jsonl"
        path.write_bytes(b"".join(sample(arguments.to, SAMPLE)))
        faults = faults_of(path)
        audited = len(path.read_bytes().splitlines())
        print(f"{audited:,} of them audited, {len(faults)} at fault")
    if faults:
        raise SystemExit("\n".join(faults[:10]))


if __name__ == "__main__":
    main()
