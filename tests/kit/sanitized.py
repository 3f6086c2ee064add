"""Use all that the library does: ``python -m tests.kit.sanitized LIBRARY``, a process of its own.

The library is one that ends the process where it reads or writes outside an array, or computes
what is not defined (``built``). Lines are of sound hands of bots and random legal ones under house
rules, of hidden and broken ones, and of such in which words were changed. Writes how many of each
kind were used: judged, studied, replayed.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, count, islice
from pathlib import Path
from unittest import mock

import msgspec
import numpy as np

from benchmarks.compiled_proof import Library
from tests.engine.test_compiled import lines_of
from tricklog import BadRecord, RulesetError, Verdict, decode_hand, replay, ruleset_of, variants
from tricklog.core.compiled import batch, make
from tricklog.core.compiled.solving import StudyPlace
from tricklog.core.engine.faults import FATAL
from tricklog.core.engine.hand_replay import ANY_FAULT
from tricklog.core.native import build, library
from tricklog.core.study import Refused, open_hand

FLAGS = ("-fsanitize=address,undefined,bounds-strict", "-g1", "-O1")
ENDING = 7
"""One in so many lines is judged up to the first fault of any kind, as a load does."""


def built(at: Path) -> Path:
    """Make a library whose every index is checked."""
    make.build(at, *FLAGS, "-DCHECKED")
    return at


def watching() -> str:
    """Return where the compiler keeps what watches memory."""
    compiler = next(build.compilers())[0]
    asked = [compiler, "-print-file-name=libasan.so"]
    found = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    assert Path(found).is_absolute(), "the compiler has no sanitizers"
    return found


def watched(watcher: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        env=os.environ
        | {
            "LD_PRELOAD": watcher,
            # Python leaves memory behind when it ends.
            "ASAN_OPTIONS": "detect_leaks=0",
            "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        },
        check=False,
    )


def use(variant: str, asked: argparse.Namespace) -> Iterator[str]:
    """Judge lines; yield a word for each use."""
    driver, place = Library(), StudyPlace()
    first = asked.seed * 1_000_003
    lines = chain.from_iterable(lines_of(variant, first + number) for number in count())
    for number, line in enumerate(islice(lines, asked.lines)):
        if asked.line:
            asked.line.write_bytes(line)
        driver.run(line, ANY_FAULT if number % ENDING == 0 else FATAL)
        yield "judged"
        if number % asked.every == 0:
            yield from _look_into(line, place, asked.budget)


def _look_into(line: bytes, place: StudyPlace, budget: int) -> Iterator[str]:
    try:
        hand = decode_hand(line)
        rules = ruleset_of(hand).rules(len(hand.players))
        played = replay(hand)
    except (msgspec.DecodeError, BadRecord, RulesetError):
        return
    assert [*played]
    yield "replayed"
    log, none = batch.lines_of(line), np.zeros(1, np.int64)
    place.study(log, rules, budget, none, none.copy())
    yield "studied"
    # A hand in which nobody bid has no play, a broken one no value.
    with suppress(Refused):
        open_hand(played, budget=budget)
        yield "solved"
    if played.verdict == Verdict.VALID:
        yield "valid"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("library", type=Path)
    parser.add_argument("--variant", choices=variants(), action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=40, help="of each system")
    parser.add_argument("--every", type=int, default=15, help="of them one is solved too")
    parser.add_argument("--budget", type=int, default=200_000, help="nodes of a value")
    parser.add_argument("--line", type=Path, help="file that keeps the line being used")
    asked = parser.parse_args()
    with mock.patch.object(library, "LIBRARY", asked.library):
        assert library.library(), library.trouble()
    used = Counter[str]()
    for variant in asked.variant or variants():
        used.update(use(variant, asked))
    sys.stdout.write(json.dumps(used))
    return 0


if __name__ == "__main__":
    sys.exit(main())
