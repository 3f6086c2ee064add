"""A long run over legal and mutated hands of all systems under random house rules.

    python -m tests.long.mutations [--hands 1000000] [--seed 1] [--processes 2] [--variant NAME]

Prints its progress to stderr, and failures as they come, with what was expected, what was found,
and the hand as a log line; at the end a table of codes: how often each was provoked, how often
with nothing else allowed to be found, and how often it was missed. Exit status 1 when something
failed, or when a code was never provoked.
"""

import argparse
import sys
import time
from collections import Counter
from multiprocessing import get_context

from replay import variants
from tests.kit.support import ALL_CODES
from tests.mutations.run import Tally, run

CHUNK = 2_500
"""Hands that one task replays."""
OTHER_CODES = frozenset(
    (
        *("card-twice", "card-not-in-pack", "deal-size", "kitty-size", "stock-size"),
        *("player-twice", "score-count", "claimed-points", "claimed-change", "claimed-score"),
        *("claimed-winner", "incomplete"),
    )
)
"""Beside those of actions: what is wrong with the deal or the claims, and a record cut short."""


def task(work: tuple[str, str]) -> tuple[str, Tally]:
    """Run one chunk of a variant."""
    variant, seed = work
    return variant, run(variant, seed, CHUNK)


def main() -> None:
    """Run, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--variant", action="append", choices=variants())
    parser.add_argument("--failures", type=int, default=20, help="how many to print in full")
    arguments = parser.parse_args()
    names = arguments.variant or list(variants())
    chunks = -(-arguments.hands // (CHUNK * len(names)))
    work = [(name, f"{arguments.seed}/{chunk}") for chunk in range(chunks) for name in names]
    total, hands = Tally(), Counter[str]()
    began = time.monotonic()
    with get_context("spawn").Pool(arguments.processes) as pool:
        for done, (variant, tally) in enumerate(pool.imap_unordered(task, work), 1):
            for text in tally.failures[: max(0, arguments.failures - len(total.failures))]:
                print(f"\n{text}", flush=True)
            total.add(tally)
            hands[variant] += tally.hands
            progress(done, len(work), total, time.monotonic() - began)
    print("\n\n".join((by_variant(hands), by_code(total))))
    lacking = sorted((ALL_CODES | OTHER_CODES) - set(total.by_code))
    print(f"\n{total.hands} hands, {total.legal} of them legal, {len(total.failures)} failures")
    if lacking:
        print(f"never provoked: {', '.join(lacking)}")
    sys.exit(bool(total.failures or lacking))


def progress(done: int, tasks: int, tally: Tally, seconds: float) -> None:
    """Write how far the run is."""
    left = seconds / done * (tasks - done)
    print(
        f"\r{tally.hands:,} hands, {len(tally.failures)} failures, {left / 60:.0f} min left ",
        end="" if done < tasks else "\n",
        file=sys.stderr,
        flush=True,
    )


def by_variant(hands: Counter[str]) -> str:
    """Return the table of systems."""
    lines = ["| system | hands |", "|---|---:|"]
    return "\n".join([*lines, *(f"| {name} | {hands[name]:,} |" for name in sorted(hands))])


def by_code(tally: Tally) -> str:
    """Return the table of codes."""
    lines = ["| code | mutations | alone | found | missed |", "|---|---:|---:|---:|---:|"]
    for code, count in sorted(tally.by_code.items()):
        alone, missed = tally.alone[code], tally.missed[code]
        lines.append(f"| {code} | {count:,} | {alone:,} | {count - missed:,} | {missed:,} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
