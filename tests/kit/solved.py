"""Warehouses of tests whose hands are solved with all cards open, and figures that need none."""

from pathlib import Path
from typing import Final

from ingest.metrics import METRICS
from ingest.metrics.model import GRADED, SOLVED
from ingest.study.solving import SolveReport, solve
from tests.kit.built import build_elsewhere, build_solver_elsewhere

ANY_TIME: Final = tuple(each for each in METRICS if each.grain not in (*SOLVED, *GRADED))
"""Figures of which there are some without anybody solving hands."""
OF_SOLVED: Final = tuple(each for each in METRICS if each.grain in SOLVED)
OF_GRADED: Final = tuple(each for each in METRICS if each.grain in GRADED)


def solve_all(db: Path) -> SolveReport:
    """Solve all valid hands of a warehouse."""
    build_elsewhere()
    build_solver_elsewhere()
    return solve(db, jobs=1)


def grade_some(db: Path, hands: int = 3, worlds: int = 2) -> SolveReport:
    """Grade some hands by what their players knew, which takes much longer."""
    return solve(db, jobs=1, hidden=worlds, sample=hands)
