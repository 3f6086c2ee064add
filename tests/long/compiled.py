"""A long run of the compiled rules against the plain ones, over hands of all systems.

    python -m tests.long.compiled [--hands 1000000] [--seed 1] [--processes 2] [--variant NAME]

The hands are those of bots, random legal ones under random house rules, hidden ones, and faulty
ones made of them. Most are replayed up to a fatal fault, some only up to the first fault of any
kind, as a load does. Prints its progress to stderr and a table of systems at the end; exit status 1
when anything differs.
"""

import sys
import time
from collections import Counter
from multiprocessing import get_context

from benchmarks.compiled_proof import differences
from tests.engine.test_compiled import COMPARED, lines_of
from tests.long import parser_of
from tricklog.core import variants
from tricklog.core.engine.faults import FATAL
from tricklog.core.engine.hand_replay import ANY_FAULT

AS_A_LOAD = 7
"""One in so many tasks stops at the first fault of any kind."""


def task(work: tuple[str, int, int]) -> tuple[str, int, list[str]]:
    """Compare the hands of a variant that follow from a seed, and from a number."""
    variant, seed, number = work
    ending = FATAL if number % AS_A_LOAD else ANY_FAULT
    compared, found = differences(lines_of(variant, seed * 1_000_003 + number), ending)
    return variant, compared, [f"{variant}, {seed}/{number}: {each}" for each in found]


def main() -> None:
    """Run, and print what was compared."""
    parser = parser_of(__doc__, hands=1_000_000, seed=1, processes=2)
    parser.add_argument("--variant", action="append", choices=variants())
    arguments = parser.parse_args()
    names = arguments.variant or list(variants())
    chunks = -(-arguments.hands // (COMPARED * len(names)))
    work = [(name, arguments.seed, number) for number in range(chunks) for name in names]
    hands, found = Counter[str](), list[str]()
    began = time.monotonic()
    with get_context("spawn").Pool(arguments.processes) as pool:
        for done, (variant, compared, unlike) in enumerate(pool.imap_unordered(task, work), 1):
            hands[variant] += compared
            found += unlike
            left = (time.monotonic() - began) / done * (len(work) - done)
            print(
                f"\r{hands.total():,} hands, {len(found)} differences, {left / 60:.0f} min left ",
                end="" if done < len(work) else "\n",
                file=sys.stderr,
                flush=True,
            )
    print("| system | hands |", "|---|---:|", sep="\n")
    print("\n".join(f"| {name} | {count:,} |" for name, count in sorted(hands.items())))
    print(f"\n{hands.total():,} hands, {len(found)} differences", *found[:20], sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
