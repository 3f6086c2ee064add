"""Runs that solve hands of a lake: killed, two at a time, beside loads, and what follows them."""

from __future__ import annotations

import itertools
import random
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from tests.kit.kills import Stage
from tests.kit.log_lines import write_hands
from tests.kit.solved import Solved, hands_of, known
from tricklog import ingest
from tricklog.ingest.facts import kept
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.lake.upkeep import tidy
from tricklog.ingest.study import lakes, solving
from tricklog.ingest.study.solving import SolveReport, solve
from tricklog.ingest.upkeep.rebuilding import rebuild
from tricklog.ingest.upkeep.verifying import verify
from tricklog.schemas.hand import Hand

KILLS = 3


@pytest.fixture
def lake(unsolved: Path, tmp_path: Path) -> str:
    """A copy of that lake."""
    shutil.copytree(unsolved, tmp_path / "lake")
    return f"lake:{tmp_path / 'lake'}"


@pytest.fixture(autouse=True)
def _small_blocks() -> Iterator[None]:
    with mock.patch.multiple(solving, BLOCK=5, FIRST=3):
        yield


def solve_in_small_blocks(lake: str) -> None:
    """What is killed in a process of its own."""
    with mock.patch.multiple(solving, BLOCK=5, FIRST=3):
        solve(lake, jobs=1)


@pytest.mark.thorough("a second run, as in test_lake_merging")
def test_hands_that_come_later_are_solved_later(lake: str, values: Solved, tmp_path: Path) -> None:
    solve(lake)
    more = hands_of("pedro", 6)
    ingest.load(write_hands(tmp_path / "more.jsonl", more), db=lake, on="here")
    assert known(lake) == values
    report = solve(lake)
    assert (report.known, report.outcome.hands) == (len(values[0]), len(more))
    assert len(known(lake)[0]) == len(values[0]) + len(more)


@pytest.mark.thorough("kills at random moments")
@pytest.mark.posix
def test_a_run_that_is_killed_does_no_harm(
    killing: Stage, unsolved: Path, values: Solved, tmp_path: Path
) -> None:
    chance = random.Random(4)
    copies = (
        f"lake:{shutil.copytree(unsolved, tmp_path / str(number))}" for number in itertools.count()
    )
    seconds = killing.run(solve_in_small_blocks, next(copies)).seconds
    met = 0
    # A moment near the end may come too late.
    for lake in itertools.islice(copies, 3 * KILLS):
        ran = killing.run(solve_in_small_blocks, lake, after=chance.random() * seconds)
        assert not ran.failed
        met += ran.killed
        hands, decisions = known(lake)
        assert {row["hand_id"] for row in decisions} <= {row["hand_id"] for row in hands}
        # One that was killed while it published holds the lake until its lease is over.
        Lake(storage_of(lake)).begin("test", take_over=True).release()
        assert solve(lake, jobs=1).left == 0
        assert known(lake) == values
        if met == KILLS:
            break
    assert met == KILLS


@pytest.mark.thorough("two runs at a time")
def test_two_runs_at_once_share_the_work(
    lake: str, values: Solved, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lakes, "_LOOK", 0.0)
    monkeypatch.setattr(lakes, "_MANY", 2)
    reports: list[SolveReport] = []
    runs = [threading.Thread(target=lambda: reports.append(solve(lake, jobs=1))) for _ in range(2)]
    for each in runs:
        each.start()
    for each in runs:
        each.join()
    assert [report.left for report in reports] == [0, 0]
    assert known(lake) == values


@pytest.mark.thorough("a rare kind of damage")
def test_a_damaged_block_is_told_and_solved_again(lake: str, values: Solved) -> None:
    solve(lake)
    folder = Path(lake.removeprefix("lake:")) / kept.OPEN.folder
    block = min(folder.iterdir())
    content = block.read_bytes()
    block.write_bytes(content[:200] + bytes([content[200] ^ 1]) + content[201:])
    (problem,) = verify(lake, on="here").problems
    assert problem.table == f"{kept.OPEN.folder}/{block.name}"
    assert solve(lake).outcome.hands > 0
    assert not verify(lake, on="here").problems
    assert known(lake) == values


@pytest.mark.thorough("test_lake_merging tidies a lake of solved hands")
def test_tidying_changes_no_value(lake: str, values: Solved) -> None:
    solve(lake, budget=0.0, jobs=1)
    solve(lake)
    storage = storage_of(lake)
    before = Lake(storage).opened()
    assert len(Lake(storage).files(before, "decision_rows")) == 2
    told = tidy(storage, keep=0.0)
    assert len(Lake(storage).files(told.snapshot, "decision_rows")) == 1
    assert known(lake) == values
    assert solve(lake).outcome.hands == 0


@pytest.mark.thorough("test_lake_damage makes a lake again; what was solved stays beside it")
def test_a_rebuilt_lake_knows_what_was_solved(lake: str, values: Solved, tmp_path: Path) -> None:
    solve(lake)
    rebuild(db=lake, on="here")
    assert known(lake) == values
    rebuild(db=lake, to=f"lake:{tmp_path / 'other'}", on="here")
    assert known(tmp_path / "other") == values
    assert solve(f"lake:{tmp_path / 'other'}").outcome.hands == 0


@pytest.mark.thorough("hands are solved, and lakes rebuilt, in the first tier")
def test_a_rebuild_takes_the_place_of_damaged_tables(lake: str, values: Solved) -> None:
    solve(lake)
    (path,) = Path(lake.removeprefix("lake:"), "decision_rows").glob("*.parquet")
    path.unlink()
    problems = verify(lake, on="here").problems
    assert [each.table for each in problems] == [f"decision_rows/{path.name}"]
    rebuild(db=lake, on="here")
    assert not verify(lake, on="here").problems
    assert known(lake) == values


@pytest.mark.thorough("an object store")
def test_an_object_store(few: list[Hand], values: Solved, s3_prefix: str, tmp_path: Path) -> None:
    ingest.load(write_hands(tmp_path / "log.jsonl", few), db=s3_prefix, on="here")
    assert solve(s3_prefix, budget=0.0, jobs=1).left > 0
    assert solve(s3_prefix).left == 0
    assert known(s3_prefix) == values
    assert not verify(s3_prefix, on="here").problems
