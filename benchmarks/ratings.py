"""Ratings of a million hands and of a club, and the first look at chances among as many."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from duckdb import DuckDBPyConnection

from benchmarks.hands import kept_log
from benchmarks.harness import Budget
from benchmarks.loading import budget_table
from tests.kit.simulated_seasons import HANDS_OF_GAME, Season, mixed, summed_facts
from tricklog.ingest import load
from tricklog.ingest.chances import chances_of
from tricklog.ingest.ratings import ratings_of
from tricklog.ingest.warehouses import open_snapshot

PLAYERS: Final = 400
"""Who are rated; a table has any four of them."""
CLUB: Final = 8
CLUB_HANDS: Final = 6000


def rate_and_look(hands: int, rounds: int, variant: str) -> list[str]:
    """Rate simulated players, and ask for the chances of one game and of all in a warehouse."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
        load(kept_log(variant, hands), db=Path(folder), facts=False)
        tables = opened.enter_context(open_snapshot(folder))
        (game,) = tables.execute("SELECT game FROM hands ORDER BY hand_no DESC LIMIT 1").fetchall()
        many, club = (
            opened.enter_context(_simulated(players, count))
            for players, count in ((PLAYERS, hands), (CLUB, CLUB_HANDS))
        )
        found: list[tuple[str, Callable[[], object], float]] = [
            (f"ratings of {hands:,} hands, {PLAYERS} players", partial(ratings_of, many), 20.0),
            (f"ratings of a club, {CLUB_HANDS:,} hands", partial(ratings_of, club), 0.5),
            (
                f"first look at a game among {hands:,} hands",
                partial(chances_of, tables, [*game]),
                2.0,
            ),
            (f"chances of all {hands:,} hands", partial(chances_of, tables), 20.0),
        ]
        budgets = [
            Budget(what, _seconds(ask, rounds), limit, "s of processor time")
            for what, ask, limit in found
        ]
    return [
        "",
        f"Medians of {rounds} rounds in one process; hands of {variant}, and simulated gains.",
        "",
        *budget_table(budgets),
    ]


def _simulated(players: int, hands: int) -> DuckDBPyConnection:
    return summed_facts(Season(np.zeros(players), mixed, hands // HANDS_OF_GAME).lines(1))


def _seconds(ask: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.process_time()
        ask()
        times.append(time.process_time() - start)
    return statistics.median(times)
