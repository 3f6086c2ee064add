"""Runs that solve hands or hold auctions against par, ended at any moment; and their command."""

import errno
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow.parquet as pq
import pytest

from tests.cli.command_line import CommandLine
from tests.kit.log_lines import write_hands
from tests.kit.solved import few, hands_of, known, valued, warehouse
from tests.kit.tiers import is_thorough
from tricklog import Hand, open_facts
from tricklog.ingest.cli import doctor
from tricklog.ingest.facts import kept, solved
from tricklog.ingest.reading.progress import Progress, Stage
from tricklog.ingest.store import disk, publishing
from tricklog.ingest.store.publishing import BusyError, StorageError
from tricklog.ingest.study import solving
from tricklog.ingest.study.homes import LOCK
from tricklog.ingest.study.solving import solve, value_auctions
from tricklog.ingest.upkeep.verifying import verify


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
    return Run(value, parts_of, Stage.VALUING, kept.PAR, hands_of("sancho", 4))


def parts_of(db: Path) -> tuple[list[dict[str, Any]], ...]:
    return tuple(valued(db).values())


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
    points: list[Path] = []
    copies: dict[int, Path] = {}
    flush = disk.flush

    def reached(path: Path) -> None:
        if (point := len(points)) % step == 0:
            copies[point] = shutil.copytree(db, tmp_path / f"killed-{point}")
        points.append(path)
        flush(path)

    with monkeypatch.context() as patch:
        patch.setattr(disk, "flush", reached)
        solve(db, jobs=1)
    assert len(points) > 5
    due = known(db)
    assert len(due[0]) == 12
    for point, copy in copies.items():
        assert known(copy) in (([], []), due), point
        report = solve(copy)
        assert (report.known % 6, report.left) == (0, 0), point
        assert known(copy) == due, point
        assert not list(kept.blocks_folder(copy).glob("*.part")), point


def test_two_runs_at_once_solve_each_hand_once(db: Path) -> None:
    with ThreadPoolExecutor(2) as threads:
        reports = list(threads.map(lambda _: solve(db, jobs=1), range(2)))
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


# --- Commands
def test_a_run_says_what_it_did_and_writes_its_decisions(
    tricklog: CommandLine, db: Path, tmp_path: Path
) -> None:
    parquet, text = tmp_path / "losses.parquet", tmp_path / "losses.csv"
    ran = tricklog("solve", "--db", db, "--json", "--progress", "--output", parquet)
    (told,) = ran.objects
    assert ran.status == 0
    assert told["hands"] == len(few()) == told["solved"] + told["refused"]
    assert (told["known"], told["left"], told["limits"]) == (0, 0, 0)
    assert '"stage":"solving with open cards"' in ran.stderr
    assert f'"total":{len(few())}' in ran.stderr
    again = tricklog("solve", "--db", db, "--output", text)
    assert again.text.startswith(f"{len(few())} valid hands = {len(few())} known before + 0 solved")
    assert "Published" in again.text
    from_text, frame = pl.read_csv(text), pl.read_parquet(parquet)
    assert from_text.columns == frame.columns
    assert frame.height == from_text.height == len(known(db)[1])
    assert frame["loss"].sum() == from_text["loss"].sum() > 0


def test_what_cannot_be_done_is_said(tricklog: CommandLine, db: Path, tmp_path: Path) -> None:
    for options, says in (
        (["--budget", "soon"], "--budget soon is no time"),
        (["--budget", "0m"], "--budget 0m is no time"),
        (["--where", "variant=bridge"], "no hand in this warehouse has variant=bridge"),
        (["--where", "colour=red"], "colour"),
        (["--output", "losses.txt"], "losses.txt is no .csv or .parquet file"),
        (["--jobs", "0"], "--jobs"),
    ):
        ran = tricklog("solve", "--db", db, *options)
        assert ran.status == 2, options
        assert says in ran.stderr, options
    assert known(db) == ([], [])
    ran = tricklog("solve", "--db", f"lake:{tmp_path}")
    assert ran.status == 2
    assert "holds no lake yet" in ran.stderr
    ran = tricklog("solve", "--db", tmp_path / "nothing")
    assert ran.status == 2
    assert "holds no warehouse yet" in ran.stderr


def test_a_load_may_solve(tricklog: CommandLine, tmp_path: Path) -> None:
    log = write_hands(tmp_path / "log.jsonl", hands_of("pidro", 5))
    (told,) = tricklog("load", log, "--db", tmp_path / "db", "--solve", "--json").objects
    assert told["accepted"] == told["solved"]["hands"] == 5
    assert len(known(tmp_path / "db")[0]) == 5
    ran = tricklog("load", log, "--db", tmp_path / "db", "--solve")
    assert "5 valid hands = 5 known before" in ran.text
    assert tricklog("load", log, "--db", tmp_path / "db", "--solve", "--dry-run").status == 2
    if not is_thorough():
        return
    lake = f"lake:{tmp_path}/lake"
    (told,) = tricklog("load", log, "--db", lake, "--on", "here", "--solve", "--json").objects
    assert told["solved"]["solved"] == 5
    assert told["solved"]["published"] == f"{lake} 2"


def test_summary_and_doctor_count_hands(tricklog: CommandLine, db: Path) -> None:
    tricklog.patch.setattr(doctor, "_engine", str)
    assert "solved" not in tricklog("stats", "--summary", "--db", db).text
    tricklog("solve", "--db", db)
    says = f"of {len(few())} valid hands solved with open cards"
    assert says in tricklog("stats", "--summary", "--db", db).text
    checks = {
        each["name"]: each["says"]
        for each in tricklog("demo", "--check", "--db", db, "--json").objects
    }
    assert says in checks["warehouse"]


def test_a_replay_shows_par_and_what_cards_cost(tricklog: CommandLine, tmp_path: Path) -> None:
    hand = hands_of("pidro", 1)[0]
    log = write_hands(tmp_path / "log.jsonl", [hand])
    (told,) = tricklog("replay", log, "--solve", "--json", "--at", "0").objects
    found = told["solved"]
    lost = [each["loss"] if each["by_makers"] else -each["loss"] for each in found["decisions"]]
    assert found["outcome"] == found["par"] - sum(lost)
    text = tricklog("replay", log, "--solve", "--all").text
    assert f"par {found['par']} points, needed {found['need']}" in text
    tricklog("load", log, "--db", tmp_path / "db")
    asked = ("--db", tmp_path / "db", "--solve", "--json", "--at", "0")
    stored = tricklog("replay", "--hand", hand.id, *asked)
    assert stored.objects[0]["solved"] == found
    assert "solved" not in tricklog("replay", log, "--json", "--at", "0").objects[0]


def test_an_audit_shows_what_hands_were_worth(tricklog: CommandLine, tmp_path: Path) -> None:
    log = write_hands(tmp_path / "log.jsonl", hands_of("pidro", 3))
    told = tricklog("audit", log, "--solve", "--json").objects
    assert [each["solved"]["unit"] for each in told] == ["points"] * 3
    text = tricklog("audit", log, "--solve").text
    assert text.count("par ") == 3
    assert "With all cards open: 3 hands solved" in text
    assert "With all cards open" not in tricklog("audit", log).text
