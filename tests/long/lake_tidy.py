"""A long run of tidying a lake: after many loads, killed at any step, and when it is large.

    python -m tests.long.lake_tidy [--loads 20] [--kills 40] [--ids 1000000 6000000] [--seed 1]

Tidies a lake of so many loads, of which each second one continues games of the one before, and
compares what a reader sees before and after. Kills tidying at each named step and at random times,
and lets readers look meanwhile: every row must be there, and tidying again must leave nothing but
what is needed. Tidies lakes of so many ids, which have to be sorted, and prints the most memory
that it took. Exit status 1 when anything was wrong.
"""

import argparse
import multiprocessing
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa

from ingest.lake import tables
from ingest.lake.publish import Lake
from ingest.lake.storage import storage_of
from ingest.lake.upkeep import tidy
from tests.kit.lake_rows import Tables, digests, game_numbers, publish_load, rows_of_a_load
from tests.kit.tidy_kills import POINTS, tidy_killer

FILES = 8
"""In which the ids of a large lake lie."""


def loads(folder: Path, rows: Tables, count: int) -> bool:
    """Tidy a lake of many loads, and return whether anything was wrong."""
    lake = Lake(storage_of(folder))
    for load in range(1, count + 1):
        ended = game_numbers(rows, load - 1)[::3] if load % 2 == 0 else []
        publish_load(lake, rows, ended)
    before = digests(lake)
    begun = time.monotonic()
    told = tidy(lake.storage)
    seconds = time.monotonic() - begun
    had, has = told.total_before, told.total_after
    is_same = digests(lake) == before
    print(
        f"{count} loads: {had.files} files, {had.size:,} bytes -> {has.files} files, "
        f"{has.size:,} bytes, {told.rows} rows of {told.games} games gone, {seconds:.1f} s; "
        f"what a reader sees is {'the same' if is_same else 'NOT THE SAME'}"
    )
    return not is_same or 2 * has.files > had.files


def kills(folder: Path, rows: Tables, count: int, dice: random.Random) -> bool:
    """Kill what tidies, and return whether anything was wrong."""
    with tidy_killer(folder, rows) as killer:
        for place in POINTS:
            killer.at_point(place)
            print(place, len(killer.failures), file=sys.stderr, flush=True)
        while killer.kills.total() < count:
            killer.at_random(dice)
            print(killer.kills.total(), len(killer.failures), file=sys.stderr, flush=True)
        for _ in range(5):
            killer.beside_a_reader()
    met = ", ".join(f"{number} {name}" for name, number in sorted(killer.kills.items()))
    print(f"{killer.kills.total()} kills ({met}), {killer.late} more came too late")
    print(f"{killer.looked} looks of readers meanwhile; wrong: {len(killer.failures)}")
    for failure in killer.failures:
        print(f"  {failure}")
    return bool(killer.failures)


def large(folder: Path, ids: int) -> None:
    """Tidy a lake of so many ids in a process of its own, and print what it took."""
    lake = Lake(storage_of(folder))
    numbers = np.random.default_rng(1)
    for load in range(FILES):
        hashes = np.sort(numbers.integers(-(2**63), 2**63 - 1, ids // FILES))
        pieces = numbers.bytes(16 * len(hashes))
        columns = {
            "id_hash": hashes,
            "content": pa.FixedSizeBinaryArray.from_buffers(
                pa.binary(16), len(hashes), [None, pa.py_buffer(pieces)]
            ).cast(pa.binary()),
            "hand_no": np.arange(len(hashes)) + tables.first_number(load + 1, 0),
        }
        with lake.begin("load") as begun:
            rows = pa.table(columns, tables.schema_of("ids"))
            file = tables.write(lake.storage, "ids", rows, load + 1, 0)
            assert file
            begun.publish([file], {})
    begun_at = time.monotonic()
    process = multiprocessing.get_context("spawn").Process(target=_tidied, args=(str(folder), ids))
    process.start()
    process.join()
    print(f"  {time.monotonic() - begun_at:.1f} s", flush=True)


def _tidied(folder: str, ids: int) -> None:
    told = tidy(storage_of(folder))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(
        f"{ids:,} ids: {told.total_before.files} files, {told.total_before.size:,} bytes -> "
        f"{told.total_after.files}, {told.total_after.size:,} bytes; at most {peak} MB of memory",
        flush=True,
    )


def main() -> None:
    """Run, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--loads", type=int, default=20)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--ids", type=int, nargs="*", default=[1_000_000, 6_000_000])
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "club").mkdir()
        (folder / "kills").mkdir()
        rows = rows_of_a_load(folder / "club")
        wrong = loads(folder / "loads", rows, arguments.loads)
        wrong |= kills(folder / "kills", rows, arguments.kills, random.Random(arguments.seed))
        for count in arguments.ids:
            large(folder / f"ids-{count}", count)
    sys.exit(wrong)


if __name__ == "__main__":
    main()
