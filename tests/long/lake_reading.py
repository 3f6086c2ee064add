"""Every figure, list and hand of a lake beside those of a warehouse of the same logs.

    python -m tests.long.lake_reading [--hands 30000] [--timed]

Makes logs of all systems with mishaps of every kind, loads them into a lake in two loads with
several buckets, so that games are continued, and into a warehouse. Compares the checksums of what
is stored and of the facts, every metric by every dimension, every list, and every hundredth hand by
the index of ids. With ``--timed`` it says what a lake takes for each, beside the warehouse. Ends
with an error when anything differs.
"""

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from duckdb import DuckDBPyConnection

from benchmarks.hands import MIXED, write_log
from ingest.facts import content
from ingest.lake import reading
from ingest.lake.storage import storage_of
from ingest.metrics.errors import FigureError
from ingest.store import warehouse
from tests.kit.lake_pair import Ask, Pair, answer, figures, lists, make_pair, stored_lists


def main() -> int:
    """Compare all of them, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=30_000)
    parser.add_argument("--timed", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = folder / "mixed.jsonl"
        write_log(log, MIXED, arguments.hands)
        lines = log.read_bytes().splitlines()
        pair = make_pair(lines, storage_of(folder / "lake"), folder)
        differing = [*_stored(pair, timed=arguments.timed), *_counted(pair, timed=arguments.timed)]
    print(f"{len(differing)} differ", *differing, sep="\n")
    return bool(differing)


def _stored(pair: Pair, *, timed: bool) -> list[str]:
    with pair.tables() as both:
        there, here = both
        differing = _compared("what is stored", [("checksum", warehouse.checksum)], both)
        differing += _compared("lists", stored_lists(here), both, timed=timed)
        ids = [hand for (hand,) in here.execute("SELECT id FROM hands ORDER BY id").fetchall()]
        took = []
        for each in random.Random(1).sample(ids, len(ids) // 100):
            began = time.perf_counter()
            found = reading.hand(there, each)
            took.append(time.perf_counter() - began)
            differing += [] if found == warehouse.hand(here, each) else [each]
    print(f"{len(took)} hands by the index: {statistics.median(took) * 1e3:.0f} ms in the median")
    return differing


def _counted(pair: Pair, *, timed: bool) -> list[str]:
    with pair.facts() as both:
        _, here = both
        differing = _compared("facts", [("checksum", content.checksum)], both)
        differing += _compared("figures", figures(), both, timed=timed)
        return differing + _compared("lists of facts", lists(here), both, timed=timed)


def _compared(
    title: str,
    asked: Iterable[tuple[str, Ask]],
    both: tuple[DuckDBPyConnection, DuckDBPyConnection],
    *,
    timed: bool = False,
) -> list[str]:
    """Ask both, print how much and how long, and return what differs."""
    differing, ratios = [], []
    for name, ask in asked:
        found, seconds = [], []
        for connection in both:
            began = time.perf_counter()
            try:
                found.append(answer(ask(connection)))
            except FigureError as error:
                found.append(str(error))
            seconds.append(time.perf_counter() - began)
        ratios.append(seconds[0] / seconds[1])
        differing += [] if found[0] == found[1] else [name]
    slower = f", {statistics.median(ratios):.2f} times the time of the warehouse" if timed else ""
    print(f"{title}: {len(ratios)} compared, {len(differing)} differ{slower}", flush=True)
    return differing


if __name__ == "__main__":
    sys.exit(main())
