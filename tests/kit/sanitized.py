"""Use all that the library does: ``python -m tests.kit.sanitized LIBRARY``, a process of its own.

The library is one that ends the process where it reads or writes outside an array, or computes
what is not defined. Hands are sound ones of all systems, hidden and broken ones, and lines in which
words were changed. Writes how many lines were judged.
"""

import sys
from contextlib import suppress
from itertools import islice
from pathlib import Path
from unittest import mock

import numpy as np

from benchmarks.compiled_proof import Library
from tests.engine.test_compiled import lines_of
from tests.kit.tiers import scaled
from tricklog.core import Verdict, generate, replay, variants
from tricklog.core.compiled import batch
from tricklog.core.compiled.solving import StudyPlace
from tricklog.core.engine.faults import FATAL
from tricklog.core.engine.hand_replay import ANY_FAULT
from tricklog.core.native import library
from tricklog.core.study import Refused, open_hand
from tricklog.schemas.hand import encode_hand

LINES = scaled(40, most=150)
"""Of each system."""
BUDGET = 200_000
"""Nodes of a value."""


def main() -> int:
    """Use it; what is wrong ends the process."""
    with mock.patch.object(library, "LIBRARY", Path(sys.argv[1])):
        assert library.library(), library.trouble()
    driver, judged = Library(), 0
    for variant in variants():
        for number, line in enumerate(islice(lines_of(variant), LINES)):
            driver.run(line, ANY_FAULT if number % 7 == 0 else FATAL)
            judged += 1
        sound = [replay(hand) for hand in islice(generate(variant, 1, 7), 3)]
        log = batch.lines_of(b"".join(encode_hand(each.hand) + b"\n" for each in sound))
        StudyPlace().study(
            log, sound[0].rules, BUDGET, np.zeros(1, np.int64), np.zeros(1, np.int64)
        )
        for played in sound:
            assert played.verdict == Verdict.VALID
            # A hand in which nobody bid has no play.
            with suppress(Refused):
                open_hand(played, budget=BUDGET)
            assert [*played]
    sys.stdout.write(str(judged))
    return 0


if __name__ == "__main__":
    sys.exit(main())
