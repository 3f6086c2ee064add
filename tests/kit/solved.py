"""Warehouses of tests whose hands are solved with all cards open, and figures that need none."""

from pathlib import Path
from typing import Final

from ingest.metrics import METRICS
from ingest.metrics.model import SOLVED
from ingest.study.solving import SolveReport, solve
from tests.kit.built import build_elsewhere, build_solver_elsewhere

ANY_TIME: Final = tuple(each for each in METRICS if each.grain not in SOLVED)
"""Figures of which there are some without anybody solving hands."""
OF_SOLVED: Final = tuple(each for each in METRICS if each.grain in SOLVED)


def solve_all(db: Path) -> SolveReport:
    """Solve all valid hands of a warehouse."""
    build_elsewhere()
    build_solver_elsewhere()
    return solve(db, jobs=1)
