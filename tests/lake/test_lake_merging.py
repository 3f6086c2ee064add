"""Small blocks of a lake put together: beside runs that solve, and whenever it is killed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine
from tests.kit.change_points import Merge, merges
from tests.kit.log_lines import write_hands
from tests.kit.made_once import made_once
from tests.kit.publish_points import applied
from tests.kit.solved import Solved, hands_of, known
from tests.lake.conftest import FEW
from tricklog import ingest
from tricklog.ingest.facts import kept
from tricklog.ingest.facts.kept import Kind
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.store.publishing import BusyError
from tricklog.ingest.study import blocks, lakes, solving
from tricklog.ingest.study.blocks import Blocks
from tricklog.ingest.study.lakes import merge_blocks
from tricklog.ingest.study.solving import solve
from tricklog.ingest.upkeep.verifying import verify


def make_small_blocks(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(solving, "BLOCK", 3)
    patch.setattr(solving, "FIRST", 3)
    patch.setattr(blocks, "FULL", 8)
    patch.setattr(blocks, "FEW", 2)


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    make_small_blocks(monkeypatch)


@pytest.fixture
def tricklog(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> CommandLine:
    """The command within this process."""
    return CommandLine(capfdbinary, monkeypatch)


@pytest.fixture(scope="module")
def in_blocks(unsolved: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of which the hands were solved in one run into four blocks; to be copied only."""

    def make(place: Path) -> None:
        address = f"lake:{shutil.copytree(unsolved, place / 'lake')}"
        with pytest.MonkeyPatch.context() as patch:
            make_small_blocks(patch)
            solve(address, jobs=1)
        assert len(names(address)) == 4

    return made_once(tmp_path_factory, "in-blocks", make) / "lake"


@pytest.fixture
def lake(in_blocks: Path, tmp_path: Path) -> str:
    """A copy of that lake."""
    return f"lake:{shutil.copytree(in_blocks, tmp_path / 'lake')}"


def names(lake: str) -> list[str]:
    """The blocks that are there."""
    return Blocks(storage_of(lake)).names(kept.OPEN)


def test_what_is_solved_in_parts_is_kept_and_put_together(
    tricklog: CommandLine,
    unsolved: Path,
    values: Solved,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder, stopped = tmp_path / "lake", tmp_path / "stopped"
    lake = f"lake:{shutil.copytree(unsolved, folder)}"
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
    # A kill leaves the files as they were then, and holds the lake until its lease is over.
    left = f"lake:{stopped}"
    Lake(storage_of(left)).begin("test", take_over=True).release()
    assert known(left) == values
    assert solve(left, jobs=1).known == FEW
    merge_blocks(storage_of(left))
    assert len(names(left)) <= 3


@pytest.mark.thorough("a foretelling, and what changes nothing")
def test_tidying_is_foretold_and_done_once(tricklog: CommandLine, lake: str) -> None:
    values, before = known(lake), names(lake)
    foretold = tricklog("db", "tidy", "--db", lake, "--dry-run").text
    assert "Of what tricklog solve has found, 4 files (0.0 MB) would become 2 files" in foretold
    assert names(lake) == before
    merge_blocks(storage_of(lake))
    assert (solve(lake).known, known(lake)) == (FEW, values)
    again = merge_blocks(storage_of(lake))
    assert again[0] == again[1]


KILLED_AT = ((Merge.WRITTEN, 1), (Merge.REMOVED, 1), (Merge.WRITTEN, 2), (Merge.REMOVED, 4))


@pytest.mark.thorough("one of these points is in the first tier")
def test_killed_at_any_point_it_loses_nothing(lake: str, tmp_path: Path) -> None:
    """A kill leaves the files as they are at that point: they are copied then."""
    values = known(lake)
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
    assert {*stopped} == {*KILLED_AT}
    for place, left in stopped.items():
        # It holds the lake until its lease is over.
        Lake(storage_of(left)).begin("test", take_over=True).release()
        assert known(left) == values, place
        assert solve(left, jobs=1).known == FEW, place
        merge_blocks(storage_of(left))
        found = len(names(left))
        assert found <= 3, place
        assert merge_blocks(storage_of(left))[1].files == found, place
        assert not verify(left, on="here").problems, place


def _meanwhile(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Have blocks put together when the first of them is read; return which that was."""
    whole = Blocks.read
    first: list[str] = []

    def read(self: Blocks, kind: Kind, name: str) -> bytes | None:
        if not first and kind == kept.OPEN:
            first.append(name)
            # Whoever was taken over still believes that they may.
            Lake(self.storage).begin("test", take_over=True).release()
            merge_blocks(self.storage)
        return whole(self, kind, name)

    monkeypatch.setattr(Blocks, "read", read)
    return first


@pytest.mark.thorough("two runs at a time")
def test_a_run_that_finds_a_block_gone_finds_its_rows(
    lake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = known(lake)
    *_, more = hands_of("pidro", FEW + 1)
    ingest.load(write_hands(tmp_path / "more.jsonl", [more]), db=lake, on="here")
    with monkeypatch.context() as patched:
        first = _meanwhile(patched)
        report = solve(lake, jobs=1)
    assert first
    assert (report.known, report.outcome.solved) == (FEW, 1)
    hands, _ = known(lake)
    assert [row for row in hands if row["hand_id"] != more.id] == values[0]
    assert len(hands) == FEW + 1
