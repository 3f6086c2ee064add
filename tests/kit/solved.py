"""Warehouses of tests with hands to solve, what has been solved of them, and figures of it."""

from collections.abc import Iterable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.log_lines import generated, write_hands
from tests.kit.made_once import hands_once
from tricklog import METRICS, Hand, generate, load, open_facts
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.model import GRADED, SOLVED, Grain
from tricklog.ingest.study.frames import study_list
from tricklog.ingest.study.solving import SolveReport, solve, value_auctions

ANY_TIME = tuple(each for each in METRICS if each.grain not in (*SOLVED, *GRADED, Grain.PAR))
"""Figures of which there are some without anybody solving hands."""
OF_SOLVED = tuple(each for each in METRICS if each.grain in SOLVED)
OF_PAR = tuple(each for each in METRICS if each.grain == Grain.PAR)
OF_GRADED = tuple(each for each in METRICS if each.grain in GRADED)

FIRST_HANDS = Filters.of({"hand-number": "1"})
"""The first hand of each game."""
Solved = tuple[list[dict[str, Any]], list[dict[str, Any]]]


def hands_of(variant: str, count: int, seed: int = 5) -> list[Hand]:
    return list(islice(generate(variant, games=20, seed=seed), count))


@cache
def few() -> list[Hand]:
    """Return hands of a game that is solved in a moment; nobody changes them."""
    return hands_of("pidro", 14)


def warehouse(folder: Path, hands: Iterable[Hand]) -> Path:
    load(write_hands(folder / "log.jsonl", hands), db=folder / "db")
    return folder / "db"


def solved_for_themes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with games enough of one kind for comparing players, and some of another."""

    def hands() -> tuple[Hand, ...]:
        return generated("pidro", 14, 5) + generated("twenty-nine", 1, 2)

    return hands_once(tmp_path_factory, "themes", hands, solve_all)


def silent_pairs() -> list[Hand]:
    """Hands of Twenty-Nine in which a pair could be declared, and nobody did."""
    return [
        replace(
            hand,
            actions=[each for each in hand.actions if not each.endswith(" pair")],
            claimed=UNSET,
            scores=UNSET,
            game=hand.id,
        )
        for hand in generated("twenty-nine", 4, 3)
        if any(each.endswith(" pair") for each in hand.actions)
    ]


# --- Working something out
def solve_all(db: Path, of: Filters = EVERYTHING) -> SolveReport:
    return solve(db, jobs=1, filters=of)


def grade_some(db: Path, hands: int = 3, worlds: int = 2, of: Filters = EVERYTHING) -> SolveReport:
    """Grade some hands by what their players knew, which takes much longer."""
    return solve(db, jobs=1, hidden=worlds, sample=hands, filters=of)


def value_few(db: Path, *, of: Iterable[Filters] = (FIRST_HANDS,)) -> None:
    """Hold auctions of a warehouse against par, on few stocks: each takes its time."""
    for filters in of:
        value_auctions(db, stocks=2, jobs=1, filters=filters)


def valued(db: str | Path) -> dict[str, list[dict[str, Any]]]:
    """Return what readers see of auctions held against par: of hands, of sides, and of ledgers."""
    tables = {"hands": "par_hands", "sides": "par_sides", "parts": "ledger_rows"}
    with open_facts(db) as facts:
        return {name: study_list(facts, table).to_dicts() for name, table in tables.items()}


def known(db: str | Path) -> Solved:
    """Return what readers see of solved hands and decisions, by the ids of hands."""
    with open_facts(db) as facts:
        hands, decisions = (
            study_list(facts, name).to_dicts() for name in ("solved_hands", "decision_rows")
        )
    return (
        sorted(hands, key=lambda row: str(row["hand_id"])),
        sorted(decisions, key=lambda row: (row["hand_id"], row["action"], row["deed"])),
    )
