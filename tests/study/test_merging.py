"""Small blocks put together: the same values in fewer files, whenever a run is killed."""

import shutil
from pathlib import Path
from unittest.mock import patch

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.change_points import Merge, merges
from tests.kit.log_lines import write_hands
from tests.kit.made_once import copied, once
from tests.kit.publish_points import applied
from tests.kit.solved import Solved, few, known, warehouse
from tests.kit.tiers import some
from tricklog import ingest
from tricklog.ingest.facts import files, kept, solved
from tricklog.ingest.facts.kept import Kind, Listed
from tricklog.ingest.store.warehouse import current_snapshot
from tricklog.ingest.study import blocks, solving
from tricklog.ingest.study.blocks import FEW, FULL, Blocks, Held
from tricklog.ingest.study.homes import copy_solved
from tricklog.ingest.study.solving import solve
from tricklog.ingest.upkeep.verifying import verify

HANDS = 12


def _small_blocks(patch: pytest.MonkeyPatch) -> None:
    """Blocks of three hands, of which a run of four leaves two."""
    patch.setattr(solving, "BLOCK", 3)
    patch.setattr(solving, "FIRST", 3)
    patch.setattr(blocks, "FULL", 8)
    patch.setattr(blocks, "FEW", 100)


@pytest.fixture(autouse=True)
def _always(monkeypatch: pytest.MonkeyPatch) -> None:
    _small_blocks(monkeypatch)


@once("db")
def many_blocks(folder: Path) -> None:
    """A warehouse with hands solved in one run into many blocks; to be copied."""
    db = warehouse(folder, few()[:HANDS])
    assert known(db) == ([], [])
    with pytest.MonkeyPatch.context() as patch:
        _small_blocks(patch)
        solve(db, jobs=1)
    assert len(names(db)) == 4


@pytest.fixture(scope="module")
def values(many_blocks: Path) -> Solved:
    """What that run says of the hands."""
    return known(many_blocks)


db = copied("many_blocks")


def names(db: Path, kind: Kind = kept.OPEN) -> list[str]:
    """The blocks that are there."""
    return [each.name for each in kept.blocks_in(db, kind)]


def test_few_blocks_say_the_same(db: Path, values: Solved, monkeypatch: pytest.MonkeyPatch) -> None:
    before = names(db)
    monkeypatch.setattr(blocks, "FEW", 2)
    report = solve(db)
    assert report.outcome.hands == 0
    assert known(db) == values
    after = names(db)
    assert len(after) == 2
    assert not set(after) & set(before)
    listed = kept.listed(db)
    assert listed
    assert list(listed.of(kept.OPEN)) == after
    assert not verify(db).problems
    # Once is enough.
    assert solve(db).published == report.published
    assert names(db) == after


KILLED_AT = some([(Merge.WRITTEN, 2), (Merge.WRITTEN, 1), (Merge.LISTED, 1), (Merge.REMOVED, 4)], 1)


def test_a_run_that_is_killed_at_any_point_loses_nothing(
    db: Path, values: Solved, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A kill leaves the files as they are at that point: they are copied then."""
    monkeypatch.setattr(blocks, "FEW", 2)
    reached: list[Merge] = []
    stopped: dict[tuple[Merge, int], Path] = {}

    def copy(point: Merge) -> None:
        reached.append(point)
        place = point, reached.count(point)
        if place in KILLED_AT:
            stopped[place] = shutil.copytree(db, tmp_path / f"{point.name}-{place[1]}")

    with applied(merges(copy)):
        solve(db, jobs=1)
    assert {*stopped} == {*KILLED_AT}
    for place, left in stopped.items():
        assert known(left) == values, place
        report = solve(left, jobs=1)
        assert (report.known, report.outcome.hands) == (HANDS, 0), place
        listed = kept.listed(left)
        assert listed
        assert names(left) == list(listed.of(kept.OPEN)), place
        assert len(names(left)) <= 3, place
        assert known(left) == values, place


def test_a_list_that_changes_while_tables_are_made_is_read_again(
    db: Path, values: Solved, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = current_snapshot(db)
    assert snapshot
    found = kept.listed(db)
    assert found
    monkeypatch.setattr(blocks, "FEW", 2)
    solve(db)
    looks = iter([found])
    whole = kept.listed
    # A reader has looked at the list, and then the run came to its end and removed the old tables.
    monkeypatch.setattr(kept, "listed", lambda db: next(looks, None) or whole(db))
    for old in snapshot.parent.glob("solved-*"):
        old.unlink()
    files.open_facts_of(snapshot).close()
    assert known(db) == values


@pytest.mark.thorough("who was about to make tables takes the new list in the first tier")
def test_tables_that_a_load_made_of_removed_blocks_are_not_kept(
    db: Path, values: Solved, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(files, "WORTH_MAKING", 0)
    monkeypatch.setattr(blocks, "FEW", 2)
    whole = solved.make
    ran: list[object] = []

    def make(draft: Path, path: Path, found: Listed, state: str, told: object) -> None:
        del told
        if draft.parent != db and not ran:
            ran.append(solve(db))
        whole(draft, path, found, state)

    monkeypatch.setattr(solved, "make", make)
    ingest.load(write_hands(tmp_path / "more.jsonl", few()[HANDS : HANDS + 1]), db=db)
    assert ran
    assert known(db) == values


def test_blocks_copied_while_they_are_put_together_are_copied_whole(
    db: Path, values: Solved, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(blocks, "FEW", 2)
    whole = Blocks.read
    ran: list[object] = []

    def read(self: Blocks, kind: Kind, name: str) -> bytes | None:
        if not ran:
            ran.append(name)
            solve(db)
        return whole(self, kind, name)

    shutil.copytree(db, tmp_path / "other", ignore=shutil.ignore_patterns("study", "solved-*"))
    monkeypatch.setattr(Blocks, "read", read)
    copy_solved(db, tmp_path / "other")
    assert known(tmp_path / "other") == values


# --- Which blocks, and which rows
@given(st.lists(st.integers(1, FULL), max_size=60))
def test_small_blocks_alone_are_put_together_and_few_are_left(rows: list[int]) -> None:
    found = {f"block-{number}": Held(count) for number, count in enumerate(rows)}
    with patch.object(blocks, "FULL", FULL), patch.object(blocks, "FEW", FEW):
        portions = list(blocks.portions(found))
    together = [name for portion in portions for name in portion]
    assert len(set(together)) == len(together)
    assert all(found[name].rows < FULL // 2 for name in together)
    assert all(len(portion) > 1 for portion in portions)
    assert all(sum(found[name].rows for name in portion) <= FULL for portion in portions)
    small = sum(each.rows < FULL // 2 for each in found.values())
    assert small - len(together) <= (1 if small > FEW else FEW)
    full = [sum(found[name].rows for name in portion) for portion in portions[:-1]]
    assert all(count > FULL // 2 for count in full)


def _table(*asked: tuple[int, int]) -> pa.Table:
    hashes = pa.array([bytes([hand]) * 16 for hand, _ in asked], pa.binary(16))
    return pa.table(
        {
            "content_hash": pa.ExtensionArray.from_storage(pa.uuid(), hashes),
            "ruleset": ["rules"] * len(asked),
            "asked": pa.array([each for _, each in asked], pa.int16()),
            "found": [[hand, each] for hand, each in asked],
        }
    )


def test_of_two_rows_of_a_hand_that_with_the_most_asked_stays() -> None:
    tables = [_table((2, 8), (1, 2)), _table((1, 8), (2, 2), (3, 4))]
    rows = blocks.merged(tables, ["one", "two"])
    assert rows["found"].to_pylist() == [[1, 8], [2, 8], [3, 4]]
    name, content = blocks.packed(rows)
    assert blocks.held_by(content) == Held(3, frozenset({"one", "two"}))
    assert blocks.packed(blocks.merged(tables, ["two", "one"]))[0] == name
