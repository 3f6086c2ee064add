"""Runs that solve hands of a lake or hold its auctions against par, and what follows them.

They are killed, come two at a time and beside loads; small blocks are put together.
"""

from __future__ import annotations

import itertools
import os
import random
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from tests.cli.command_line import CommandLine
from tests.kit.change_points import Merge, merges
from tests.kit.kills import Stage
from tests.kit.lake_points import watched
from tests.kit.log_lines import write_hands
from tests.kit.made_once import made_once
from tests.kit.publish_points import applied
from tests.kit.solved import Solved, hands_of, known, warehouse
from tests.kit.waiting import meanwhile
from tests.lake.conftest import FEW, few
from tricklog import BusyError, Filters, Hand, ingest, open_facts
from tricklog.ingest.facts import kept
from tricklog.ingest.facts.kept import Kind
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.lake.upkeep import tidy
from tricklog.ingest.study import blocks, lakes, solving
from tricklog.ingest.study.blocks import Blocks
from tricklog.ingest.study.frames import study_list
from tricklog.ingest.study.lakes import merge_blocks
from tricklog.ingest.study.solving import SolveReport, solve, value_auctions
from tricklog.ingest.upkeep.rebuilding import rebuild
from tricklog.ingest.upkeep.verifying import verify

STOCKS = 2
KILLS = 3
Rows = dict[str, list[str]]
value = partial(value_auctions, stocks=STOCKS, jobs=1)


@contextmanager
def small_blocks() -> Iterator[None]:
    with mock.patch.multiple(solving, BLOCK=3, FIRST=3), mock.patch.multiple(blocks, FULL=8, FEW=2):
        yield


@pytest.fixture(autouse=True)
def _small_blocks() -> Iterator[None]:
    with small_blocks():
        yield


@pytest.fixture
def lake(unsolved: Path, tmp_path: Path) -> str:
    """A copy of a lake in which nothing is solved."""
    return f"lake:{shutil.copytree(unsolved, tmp_path / 'lake')}"


@pytest.fixture(scope="module")
def in_blocks(unsolved: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of which the hands were solved in one run into four blocks; to be copied only."""

    def make(place: Path) -> None:
        address = f"lake:{shutil.copytree(unsolved, place / 'lake')}"
        with small_blocks():
            solve(address, jobs=1)
        assert len(names(address)) == 4

    return made_once(tmp_path_factory, "in-blocks", make) / "lake"


@pytest.fixture
def solved_lake(in_blocks: Path, tmp_path: Path) -> str:
    """A copy of that lake."""
    return f"lake:{shutil.copytree(in_blocks, tmp_path / 'solved')}"


def names(lake: str) -> list[str]:
    """The blocks that are there."""
    return Blocks(storage_of(lake)).names(kept.OPEN)


def set_free(lake: str) -> None:
    """Give a lake free that a killed run holds until its lease is over."""
    Lake(storage_of(lake)).begin("test", take_over=True).release()


# --- Solving
@pytest.mark.thorough("a second run, as in the test of blocks")
def test_hands_that_come_later_are_solved_later(lake: str, values: Solved, tmp_path: Path) -> None:
    solve(lake)
    more = hands_of("pedro", 6)
    ingest.load(write_hands(tmp_path / "more.jsonl", more), db=lake, on="here")
    assert known(lake) == values
    report = solve(lake)
    assert (report.known, report.outcome.hands) == (len(values[0]), len(more))
    assert len(known(lake)[0]) == len(values[0]) + len(more)


def solve_in_small_blocks(lake: str) -> None:
    """What is killed in a process of its own."""
    with small_blocks():
        solve(lake, jobs=1)


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
        set_free(lake)
        assert solve(lake, jobs=1).left == 0
        assert known(lake) == values
        if met == KILLS:
            break
    assert met == KILLS


@pytest.mark.thorough("two runs at a time")
def test_two_runs_share_the_work(
    lake: str, values: Solved, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lakes, "_LOOK", 0.0)
    monkeypatch.setattr(lakes, "_MANY", 2)
    reports: list[SolveReport] = []
    with meanwhile(*[lambda: reports.append(solve(lake, jobs=1))] * 2):
        pass
    assert [report.left for report in reports] == [0, 0]
    assert known(lake) == values


@pytest.mark.thorough("a rare kind of damage; lakes are rebuilt in the first tier")
def test_damaged_blocks_and_tables_are_made_again(solved_lake: str, values: Solved) -> None:
    lake, folder = solved_lake, Path(solved_lake.removeprefix("lake:"))
    block = min((folder / kept.OPEN.folder).iterdir())
    content = block.read_bytes()
    block.write_bytes(content[:200] + bytes([content[200] ^ 1]) + content[201:])
    (problem,) = verify(lake, on="here").problems
    assert problem.table == f"{kept.OPEN.folder}/{block.name}"
    assert solve(lake).outcome.hands > 0
    assert not verify(lake, on="here").problems
    assert known(lake) == values
    opened = Lake(storage_of(lake))
    lost = {file.name for file in opened.files(opened.opened(), "decision_rows")}
    for name in lost:
        (folder / name).unlink()
    assert {each.table for each in verify(lake, on="here").problems} == lost != set()
    rebuild(db=lake, on="here")
    assert not verify(lake, on="here").problems
    assert known(lake) == values


def made_again(lake: str, work: Callable[[str], Any], look: Callable[[str], Any]) -> None:
    """Make a lake again in place and elsewhere, where what was found stays and is known."""
    due, other = look(lake), f"{lake}-other"
    rebuild(db=lake, on="here")
    assert look(lake) == due
    rebuild(db=lake, to=other, on="here")
    assert look(other) == due
    assert work(other).outcome.hands == 0


@pytest.mark.thorough("blocks are put together, and lakes made again, in the first tier")
def test_tidying_and_rebuilding_change_no_value(lake: str, values: Solved) -> None:
    solve(lake, budget=0.0, jobs=1)
    solve(lake)
    storage = storage_of(lake)
    assert len(Lake(storage).files(Lake(storage).opened(), "decision_rows")) == 2
    told = tidy(storage, keep=0.0)
    assert len(Lake(storage).files(told.snapshot, "decision_rows")) == 1
    assert known(lake) == values
    assert solve(lake).outcome.hands == 0
    made_again(lake, solve, known)


@pytest.mark.thorough("an object store")
def test_an_object_store(values: Solved, s3_prefix: str, tmp_path: Path) -> None:
    ingest.load(write_hands(tmp_path / "log.jsonl", few()), db=s3_prefix, on="here")
    assert solve(s3_prefix, budget=0.0, jobs=1).left > 0
    assert solve(s3_prefix).left == 0
    assert known(s3_prefix) == values
    assert not verify(s3_prefix, on="here").problems


# --- Blocks that are put together
def test_what_is_solved_in_parts_is_kept_and_put_together(
    tricklog: CommandLine,
    lake: str,
    values: Solved,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder, stopped = tmp_path / "lake", tmp_path / "stopped"
    with monkeypatch.context() as patch, Lake(storage_of(lake)).begin("a load"):
        patch.setattr(lakes, "WAIT", 0.0)
        with pytest.raises(BusyError, match="What was solved is kept"):
            solve(lake, budget=0.0, jobs=1)
    report = solve(lake, filters=Filters.of({"seat": "1"}), jobs=1)
    assert report.known > 0 < report.outcome.hands
    assert report.known + report.outcome.hands == FEW
    assert (report.left, known(lake), len(names(lake))) == (0, values, 4)

    def copy(point: Merge) -> None:
        if point == Merge.REMOVED and not stopped.exists():
            shutil.copytree(folder, stopped)

    with applied(merges(copy)):
        said = tricklog("db", "tidy", "--db", lake).text
        assert "4 files (0.0 MB) became 2 files (0.0 MB)" in said
    assert (len(names(lake)), known(lake)) == (2, values)
    # A kill leaves the files as they were then.
    left = f"lake:{stopped}"
    set_free(left)
    assert known(left) == values
    assert solve(left, jobs=1).known == FEW
    merge_blocks(storage_of(left))
    assert len(names(left)) <= 3


KILLED_AT = ((Merge.WRITTEN, 1), (Merge.REMOVED, 1), (Merge.WRITTEN, 2), (Merge.REMOVED, 4))


@pytest.mark.thorough("one of these points is in the first tier; a foretelling")
def test_foretold_done_once_and_killed_at_any_point_it_loses_nothing(
    tricklog: CommandLine, solved_lake: str, tmp_path: Path
) -> None:
    """A kill leaves the files as they are at that point: they are copied then."""
    lake, values, before = solved_lake, known(solved_lake), names(solved_lake)
    foretold = tricklog("db", "tidy", "--db", lake, "--dry-run").text
    assert "Of what tricklog solve has found, 4 files (0.0 MB) would become 2 files" in foretold
    assert names(lake) == before
    reached: list[Merge] = []
    stopped: dict[tuple[Merge, int], str] = {}

    def copy(point: Merge) -> None:
        reached.append(point)
        place = point, reached.count(point)
        if place in KILLED_AT:
            folder = tmp_path / f"{point.name}-{place[1]}"
            stopped[place] = f"lake:{shutil.copytree(lake.removeprefix('lake:'), folder)}"

    with applied(merges(copy)):
        merge_blocks(storage_of(lake))
    assert (solve(lake).known, known(lake)) == (FEW, values)
    again = merge_blocks(storage_of(lake))
    assert again[0] == again[1]
    assert {*stopped} == {*KILLED_AT}
    for place, left in stopped.items():
        set_free(left)
        assert known(left) == values, place
        assert solve(left, jobs=1).known == FEW, place
        merge_blocks(storage_of(left))
        found = len(names(left))
        assert found <= 3, place
        assert merge_blocks(storage_of(left))[1].files == found, place
        assert not verify(left, on="here").problems, place


@pytest.mark.thorough("two runs at a time")
def test_a_run_that_finds_a_block_gone_finds_its_rows(
    solved_lake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake, values, whole = solved_lake, known(solved_lake), Blocks.read
    first: list[str] = []

    def read(self: Blocks, kind: Kind, name: str) -> bytes | None:
        """Have blocks put together when the first of them is read."""
        if not first and kind == kept.OPEN:
            first.append(name)
            # Whoever was taken over still believes that they may.
            set_free(lake)
            merge_blocks(self.storage)
        return whole(self, kind, name)

    *_, more = hands_of("pidro", FEW + 1)
    ingest.load(write_hands(tmp_path / "more.jsonl", [more]), db=lake, on="here")
    with monkeypatch.context() as patched:
        patched.setattr(Blocks, "read", read)
        report = solve(lake, jobs=1)
    assert first
    assert (report.known, report.outcome.solved) == (FEW, 1)
    hands, _ = known(lake)
    assert [row for row in hands if row["hand_id"] != more.id] == values[0]
    assert len(hands) == FEW + 1


# --- Auctions held against par
def valued() -> list[Hand]:
    """Hands that are valued in a moment."""
    return [*hands_of("pidro", 3), *hands_of("sancho", 5)]


@pytest.fixture(scope="module")
def due(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """What a folder says of them."""
    db = warehouse(tmp_path_factory.mktemp("folder"), valued())
    value(db)
    return rows(db)


@pytest.fixture
def par_lake(tmp_path: Path) -> str:
    """A lake with those hands."""
    lake = f"lake:{tmp_path / 'par'}"
    ingest.load(write_hands(tmp_path / "log.jsonl", valued()), db=lake, on="here")
    return lake


def rows(db: str | Path) -> Rows:
    """What readers see, in the order of the ids."""

    def told(row: dict[str, Any]) -> str:
        return str({name: value for name, value in row.items() if name != "asked"})

    with open_facts(db) as facts:
        return {
            table: sorted(map(told, study_list(facts, table).to_dicts()))
            for table in ("par_hands", "par_sides", "ledger_rows")
        }


@pytest.mark.thorough("many runs; test_lake_solved compares values with a folder")
def test_what_is_new_is_valued_and_on_more_stocks(par_lake: str, due: Rows, tmp_path: Path) -> None:
    lake, count = par_lake, len(valued())
    first = value(lake, sample=3)
    assert (first.outcome.solved, first.left) == (3, 0)
    assert len(rows(lake)["par_hands"]) == 3
    second = value(lake)
    assert (second.known, second.outcome.solved) == (3, count - 3)
    assert rows(lake) == due
    assert value(lake).published == second.published
    # Solved hands and ledgers do not push each other out.
    solve(lake, sample=2)
    assert rows(lake) == due
    solved = known(lake)
    ingest.load(write_hands(tmp_path / "more.jsonl", hands_of("sancho", 6)[5:]), db=lake, on="here")
    assert rows(lake) == due
    finer = value(lake, stocks=STOCKS + 1)
    assert (finer.known, finer.outcome.solved) == (0, count + 1)
    with open_facts(lake) as facts:
        found = study_list(facts, "par_hands")
    # Nothing is left to chance at Sancho.
    assert sorted(found["stocks"]) == [1] * 6 + [STOCKS + 1] * 3
    assert known(lake) == solved
    assert not verify(lake, on="here").problems


def value_there(lake: str) -> None:
    """What is killed in a process of its own."""
    value(lake)


def value_until_a_block(lake: str) -> None:
    whole: Callable[..., object] = Blocks.put

    def put(*block: object) -> None:
        whole(*block)
        os.kill(os.getpid(), signal.SIGKILL)

    with mock.patch.object(Blocks, "put", put):
        value(lake)


@pytest.mark.posix
@pytest.mark.thorough("a process for each kill; test_lake_kills kills a publish in the first tier")
def test_a_killed_run_has_published_all_or_none(killing: Stage, par_lake: str, due: Rows) -> None:
    for work, point in (
        (value_until_a_block, ""),
        (value_there, "committed ledger_rows"),
        (value_there, "tables committed"),
    ):
        assert killing.run(work, par_lake, at=point).killed, point
        assert rows(par_lake) == {name: [] for name in due}
        set_free(par_lake)
    report = value(par_lake)
    assert (report.known, report.outcome.hands) == (len(valued()), 0)
    assert rows(par_lake) == due


@pytest.mark.thorough("a publish is killed at its last point, too, in the first tier")
def test_a_run_that_dies_after_its_publish_has_published(par_lake: str, due: Rows) -> None:
    def die(point: str, _table: str = "") -> None:
        if point == "published":
            raise KeyboardInterrupt

    with applied(watched(die)), pytest.raises(KeyboardInterrupt):
        value(par_lake)
    assert rows(par_lake) == due


@pytest.mark.thorough("blocks are put together, and lakes made again, in the first tier")
def test_tidying_and_rebuilding_change_no_auction(par_lake: str, due: Rows) -> None:
    value(par_lake, sample=4)
    value(par_lake)
    tidy(storage_of(par_lake), keep=0.0)
    assert rows(par_lake) == due
    made_again(par_lake, value, rows)
