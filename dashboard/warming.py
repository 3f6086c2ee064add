"""Loading the compiled solver while the server starts, so that the first hand opened is quick.

The code is compiled already, by ``tricklog warmup`` or by whoever solved a hand; what takes a
second or two is to load it. Where it has not been compiled nothing is done, and the pages say so.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Final

from ingest.reading.reader import read
from ingest.reading.samples import samples_folder
from replay import replay
from replay.native import library
from replay.open_cards import Solver
from replay.study import study_hand

BUDGET: Final = 100_000
"""Nodes for each value: what is asked for does not matter."""


def begin() -> threading.Thread:
    """Load the solver on a thread of its own, and return that."""
    thread = threading.Thread(target=load_solver, daemon=True)
    thread.start()
    return thread


def load_solver() -> bool:
    """Load the solver by studying a hand of the samples, as a page does; return whether it did.

    Without samples it does nothing, and the first hand is as slow as without it.
    """
    if not library.is_there():
        return False
    with suppress(OSError):
        lines = read(samples_folder() / "valid" / "pidro")
        hand = next((line.hand for line in lines if line.hand is not None), None)
        if hand is not None:
            replayed = replay(hand)
            study_hand(replayed, Solver(replayed.rules), budget=BUDGET)
            return True
    return False
