"""Solving stored hands: what the solver takes of it, and all that is around it.

Time is that of the processor, for the whole process: records read, replayed, solved, looked at once
more for choices and kinds of losses, and written as a block. The solver's own is measured on the
same hands right after.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import Final

from benchmarks import harness
from benchmarks.harness import Run
from benchmarks.solver import SEED, TAILED

SYSTEMS: Final = {"pidro": 4, "pedro": 4, "twenty-nine": 1}
"""Which games, and how many quarters of the hands asked for: those of Twenty-Nine take longest."""


def stored(variant: str, count: int) -> Callable[[], Mapping[str, float]]:
    """Solve so many stored hands of a game in one process."""
    import numpy as np

    from tricklog import ingest
    from tricklog.core import generate, replay
    from tricklog.core.solver.answer import HAND
    from tricklog.core.study import Solver
    from tricklog.core.study.open_cards import deeds_of, start_of_play
    from tricklog.ingest.store import warehouse
    from tricklog.ingest.study import blocks, rows
    from tricklog.ingest.study.lanes import Lane
    from tricklog.schemas.hand import encode_hand

    found = list(islice(generate(variant, count, SEED), count))
    folder = Path(tempfile.mkdtemp(prefix="tricklog-"))
    log = folder / "log.jsonl"
    log.write_bytes(b"".join(encode_hand(hand) + b"\n" for hand in found))
    ingest.load(log, db=folder / "db")
    snapshot = warehouse.current_snapshot(folder / "db")
    assert snapshot
    played = [replayed for replayed in map(replay, found) if replayed.tricks]
    starts = [(each, *start_of_play(each)) for each in played]
    solver = Solver(played[0].rules, compiled=True)

    def timed() -> Mapping[str, float]:
        with warehouse.open_file(snapshot, once=True) as tables:
            numbers = tables.execute("SELECT hand_no FROM hands").fetchnumpy()["hand_no"]
            lane = Lane(tables.cursor(), np.zeros(1, np.int64), compiled=True)
            # The first hands load what was compiled.
            lane.solve(numbers[:2])
            began = time.process_time_ns()
            table, outcome = lane.solve(numbers)
            blocks.write_content(folder / "blocks", *blocks.packed(table))
            all_in = time.process_time_ns() - began
        taken = 0
        for replayed, start, state in starts:
            solver.place.load(
                state, solver.rules, deeds_of(replayed.actions[start:]), rows.NODES, 0
            )
            began = time.process_time_ns()
            solver.place.run(HAND)
            taken += time.process_time_ns() - began
        return {
            "hands": outcome.hands,
            "all in": all_in / 1e6 / outcome.hands,
            "solver": taken / 1e6 / outcome.hands,
        }

    return timed


def compare(count: int, rounds: int) -> list[str]:
    """Measure each game; a round is a process of its own."""
    runs = [
        Run(
            variant,
            "benchmarks.stored_solving:stored",
            {"variant": variant, "count": max(1, count * share // 4)},
        )
        for variant, share in SYSTEMS.items()
    ]
    rows = []
    for each in harness.measure(runs, rounds):
        hands, all_in, solver = (each.number(name) for name in ("hands", "all in", "solver"))
        rows.append(
            f"| {each.run.name} | {hands:,.0f} | {all_in:.3g} | {solver:.3g} | "
            f"{all_in - solver:.3g} | {all_in / solver:.2f} | {all_in * 1e6 / 60_000 / 2:,.0f} |"
        )
    how = (
        f"Processor time of the whole process in ms a hand, rounds: {rounds}. Records read, hands "
        "replayed, solved and looked at by compiled code, and a block written. The solver alone, "
        f"for all positions of the same hands ({TAILED:,} at most for a value), right after. The "
        "last column is what that comes to for a million hands on two cores, computed."
    )
    return [
        "",
        how,
        "",
        "| game | hands | all in | solver | around it | all in / solver | min a million |",
        "|---|---|---|---|---|---|---|",
        *rows,
    ]
