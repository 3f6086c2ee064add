"""Runs that solve hands or hold auctions against par: ended at any moment, with little time."""

import errno
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.kit.solved import few, hands_of, known, warehouse
from tests.kit.tiers import is_thorough
from tricklog import Hand, open_facts
from tricklog.ingest.facts import kept, solved
from tricklog.ingest.reading.progress import Progress, Stage
from tricklog.ingest.store import disk, publishing
from tricklog.ingest.store.publishing import BusyError, StorageError
from tricklog.ingest.study import solving
from tricklog.ingest.study.frames import study_list
from tricklog.ingest.study.homes import LOCK
from tricklog.ingest.study.solving import SolveReport, solve, value_auctions
from tricklog.ingest.upkeep.verifying import verify


def auctions_of(db: Path) -> tuple[list[dict[str, Any]], ...]:
    """Return what readers see of auctions held against par."""
    with open_facts(db) as facts:
        return tuple(
            study_list(facts, table).to_dicts()
            for table in ("par_hands", "par_sides", "ledger_rows")
        )


@dataclass(frozen=True)
class Run:
    """A kind of run over a few hands."""

    start: Callable[..., Any]
    rows: Callable[[Path], tuple[list[dict[str, Any]], ...]]
    """What readers see of it, the rows of hands first."""
    stage: Stage
    kind: kept.Kind
    hands: list[Hand]
    made: Path | None = None
    """Where their warehouse is to be copied from."""

    def warehouse(self, folder: Path) -> Path:
        folder.mkdir(exist_ok=True)
        if self.made:
            return shutil.copytree(self.made, folder / "db")
        return warehouse(folder, self.hands)


@pytest.fixture(
    params=[
        "solve",
        pytest.param("par", marks=pytest.mark.thorough("the same runs value auctions")),
    ]
)
def run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, stored: Path) -> Run:
    monkeypatch.setattr(solving, "BLOCK", 6)
    monkeypatch.setattr(solving, "FIRST", 3)
    if request.param == "solve":
        return Run(solve, known, Stage.SOLVING, kept.OPEN, few(), stored / "db")
    value = partial(value_auctions, stocks=2)
    return Run(value, auctions_of, Stage.VALUING, kept.PAR, hands_of("sancho", 4))


def test_a_run_that_is_interrupted_shows_what_it_has_found(run: Run, tmp_path: Path) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.stage == run.stage and progress.hands >= 1:
            raise KeyboardInterrupt

    db = run.warehouse(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        run.start(db, jobs=1, on_progress=interrupt)
    shown = len(run.rows(db)[0])
    report = run.start(db)
    assert report.known == shown >= 1
    assert report.known + report.outcome.hands == len(run.hands) == len(run.rows(db)[0])


def test_time_that_is_over_leaves_the_rest_to_the_next_run(run: Run, tmp_path: Path) -> None:
    db = run.warehouse(tmp_path)
    first = run.start(db, jobs=1, budget=0.0)
    assert first.left > 0
    assert len(run.rows(db)[0]) == first.outcome.hands == len(run.hands) - first.left
    second = run.start(db)
    assert (second.known, second.left) == (first.outcome.hands, 0)


def test_any_number_of_cores_and_damaged_blocks_give_the_same(run: Run, tmp_path: Path) -> None:
    db, other = (run.warehouse(tmp_path / name) for name in ("one", "three"))
    run.start(db, jobs=1)
    run.start(other, jobs=3)
    before = run.rows(db)
    assert before == run.rows(other)
    block = kept.blocks_in(db, run.kind)[0]
    rows = pq.read_metadata(block).num_rows
    content = block.read_bytes()
    block.write_bytes(content[:200] + bytes([content[200] ^ 1]) + content[201:])
    (problem,) = verify(db).problems
    assert problem.table == f"study/{block.parent.name}/{block.name}"
    assert run.start(db).outcome.hands == rows
    assert run.rows(db) == before


def test_a_full_disk_is_told(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tricklog.ingest.study.blocks.write_content", fails)
    with pytest.raises(StorageError, match=r"No space left.*do the same again.*goes on after them"):
        run.start(run.warehouse(tmp_path))


# --- Solving alone
def test_runs_killed_anywhere_do_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A point is where something is to be on the disk: blocks, tables of them, and their list.

    A kill leaves the files as they are at that point: they are copied then.
    """
    monkeypatch.setattr(solving, "BLOCK", 6)
    monkeypatch.setattr(solving, "FIRST", 6)
    db = warehouse(tmp_path, few()[:12])
    assert known(db) == ([], [])
    step = 1 if is_thorough() else 7
    points = 0
    copies: dict[int, Path] = {}
    flush = disk.flush

    def reached(path: Path) -> None:
        nonlocal points
        if points % step == 0:
            copies[points] = shutil.copytree(db, tmp_path / f"killed-{points}")
        points += 1
        flush(path)

    with monkeypatch.context() as patch:
        patch.setattr(disk, "flush", reached)
        solve(db, jobs=1)
    assert points > 5
    due = known(db)
    assert len(due[0]) == 12
    for point, copy in copies.items():
        assert known(copy) in (([], []), due), point
        report = solve(copy)
        assert (report.known % 6, report.left) == (0, 0), point
        assert known(copy) == due, point
        assert not list(kept.blocks_folder(copy).glob("*.part")), point


def test_two_runs_at_once_solve_each_hand_once(db: Path) -> None:
    reports: list[SolveReport] = []

    def run() -> None:
        reports.append(solve(db, jobs=1))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(report.outcome.hands for report in reports) == [0, len(few())]
    assert len(known(db)[0]) == len(few())


def test_a_run_beside_a_long_one_says_so(db: Path) -> None:
    held = publishing.take(publishing.lock_at(db / LOCK), 0)
    assert held
    with held, pytest.raises(BusyError, match="Another run is solving"):
        solve(db, patience=0.1)
    # A reader keeps what it has opened.
    before = known(db)
    with open_facts(db) as facts:
        solve(db)
        assert solved.counts(facts).solved == 0
    assert known(db) != before
