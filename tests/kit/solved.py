"""Warehouses of tests whose hands are solved with all cards open, and figures that need none."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.log_lines import generated, write_hands
from tests.kit.made_once import made_once
from tricklog import METRICS, Hand, load
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.model import GRADED, SOLVED, Grain
from tricklog.ingest.study.solving import SolveReport, solve, value_auctions

ANY_TIME = tuple(each for each in METRICS if each.grain not in (*SOLVED, *GRADED, Grain.PAR))
"""Figures of which there are some without anybody solving hands."""
OF_SOLVED = tuple(each for each in METRICS if each.grain in SOLVED)
OF_PAR = tuple(each for each in METRICS if each.grain == Grain.PAR)
OF_GRADED = tuple(each for each in METRICS if each.grain in GRADED)

FIRST_HANDS = Filters.of({"hand-number": "1"})
"""The first hand of each game."""


def value_few(db: Path, *, of: Iterable[Filters] = (FIRST_HANDS,)) -> None:
    """Hold auctions of a warehouse against par, on few stocks: each takes its time."""
    for filters in of:
        value_auctions(db, stocks=2, jobs=1, filters=filters)


def solved_for_themes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with games enough of one kind for comparing players, and some of another."""

    def make(folder: Path) -> None:
        hands = [*generated("pidro", 14, 5), *generated("twenty-nine", 1, 2)]
        load(write_hands(folder / "log.jsonl", hands), db=folder / "db")
        solve_all(folder / "db")

    return made_once(tmp_path_factory, "themes", make) / "db"


def silent_pairs(games: int = 4) -> list[Hand]:
    """Hands of Twenty-Nine in which a pair could be declared, and nobody did."""
    return [
        replace(
            hand,
            actions=[each for each in hand.actions if not each.endswith(" pair")],
            claimed=UNSET,
            scores=UNSET,
            game=hand.id,
        )
        for hand in generated("twenty-nine", games, 3)
        if any(each.endswith(" pair") for each in hand.actions)
    ]


def solve_all(db: Path, of: Filters = EVERYTHING) -> SolveReport:
    return solve(db, jobs=1, filters=of)


def grade_some(db: Path, hands: int = 3, worlds: int = 2, of: Filters = EVERYTHING) -> SolveReport:
    """Grade some hands by what their players knew, which takes much longer."""
    return solve(db, jobs=1, hidden=worlds, sample=hands, filters=of)
