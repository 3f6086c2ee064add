"""Runs that solve: ended at any moment, two at a time, with little time."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ingest.facts import kept, solved
from ingest.reading.progress import Progress, Stage
from ingest.store import publishing
from ingest.store.publishing import BusyError
from ingest.study import solving
from ingest.study.folders import LOCK
from ingest.study.solving import SolveReport, solve
from schemas.hand import Hand
from tests.kit.solving import known, warehouse

_PROGRAM = "import sys; from ingest.study.solving import solve; solve(sys.argv[1], jobs=2)"


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "BLOCK", 10)
    monkeypatch.setattr(solving, "FIRST", 5)


def test_a_run_that_is_interrupted_keeps_what_it_has_solved(db: Path, few: list[Hand]) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.stage == Stage.SOLVING and progress.hands >= 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(db, jobs=1, on_progress=interrupt)
    assert known(db) == ([], [])
    report = solve(db)
    assert report.known >= 10
    assert report.known + report.outcome.hands == len(few)
    assert len(known(db)[0]) == len(few)


def test_time_that_is_over_leaves_the_rest_to_the_next_run(db: Path, few: list[Hand]) -> None:
    first = solve(db, jobs=1, budget=0.0)
    assert first.left > 0
    assert len(known(db)[0]) == first.outcome.hands == len(few) - first.left
    second = solve(db)
    assert (second.known, second.left) == (first.outcome.hands, 0)
    assert len(known(db)[0]) == len(few)


def test_the_same_comes_of_any_number_of_cores(db: Path, tmp_path: Path, few: list[Hand]) -> None:
    (tmp_path / "other").mkdir()
    other = warehouse(tmp_path / "other", few)
    solve(db, jobs=1)
    solve(other, jobs=3)
    assert known(db) == known(other)


@pytest.mark.posix
def test_a_run_that_is_killed_does_no_harm(db: Path, tmp_path: Path, few: list[Hand]) -> None:
    chance = random.Random(4)
    for _ in range(3):
        run = subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM, str(db)],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        time.sleep(chance.uniform(0.5, 2.5))
        run.send_signal(signal.SIGKILL)
        run.wait()
        hands, decisions = known(db)
        assert {row["hand_id"] for row in decisions} <= {row["hand_id"] for row in hands}
    (tmp_path / "other").mkdir()
    other = warehouse(tmp_path / "other", few)
    solve(other)
    assert solve(db).left == 0
    assert known(db) == known(other)
    assert not list(kept.blocks_folder(db).glob("*.part"))


def test_two_runs_at_once_solve_each_hand_once(db: Path, few: list[Hand]) -> None:
    reports: list[SolveReport] = []

    def run() -> None:
        reports.append(solve(db, jobs=1))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(report.outcome.hands for report in reports) == [0, len(few)]
    assert len(known(db)[0]) == len(few)


def test_a_run_beside_a_long_one_says_so(db: Path) -> None:
    held = publishing.take(publishing.lock_at(db / LOCK), 0)
    assert held
    with held, pytest.raises(BusyError, match="Another run is solving"):
        solve(db, patience=0.1)


def test_a_reader_keeps_what_it_has_opened(db: Path) -> None:
    before = known(db)
    from ingest.warehouses import open_facts

    with open_facts(db) as facts:
        solve(db)
        assert solved.counts(facts).solved == 0
    assert known(db) != before
