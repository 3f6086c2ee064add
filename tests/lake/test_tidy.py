"""Keeping a lake in shape: fewer files, no dead rows, no garbage; and nothing lost by it."""

import os
import random
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Self

import pyarrow.parquet as pq
import pytest

from tests.kit.lake_rows import (
    Tables,
    data_files,
    digests,
    game_numbers,
    named_files,
    publish_load,
)
from tests.kit.log_lines import write_lines
from tests.kit.stored import content
from tests.kit.tiers import some
from tricklog.ingest.lake import commits, compaction, tables, upkeep
from tricklog.ingest.lake.compaction import Sizes
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.storage import Storage, storage_of
from tricklog.ingest.lake.tables import File
from tricklog.ingest.lake.upkeep import Held, tidy
from tricklog.ingest.store.publishing import BusyError
from tricklog.ingest.store.warehouse import DamagedError, NoSnapshotError
from tricklog.ingest.warehouses import load, open_facts

DAY = 86_400.0


@pytest.fixture(scope="module")
def few_rows(some_rows: Tables) -> Tables:
    """Some rows of some tables, for what is the same with all."""
    return {table: some_rows[table].slice(0, 50) for table in ("hands", "games", "rejects")}


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(storage_of(f"lake:{tmp_path / 'lake'}"))


def age(lake: Lake, days: float) -> None:
    """Make all files of a folder so much older."""
    for path in Path(lake.storage.root).rglob("*"):
        if path.is_file():
            then = path.stat().st_mtime - days * DAY
            os.utime(path, (then, then))


def test_a_week_of_loads_becomes_a_few_files(lake: Lake, some_rows: Tables) -> None:
    some_rows = {table: rows.slice(0, 200) for table, rows in some_rows.items()}
    publish_load(lake, some_rows)
    ended = game_numbers(some_rows, 1)[::2]
    publish_load(lake, some_rows, superseded=ended)
    before = digests(lake)
    told = tidy(lake.storage)
    assert digests(lake) == before
    assert told.total_after.files <= told.total_before.files / 2
    assert told.snapshot == lake.opened()
    assert told.snapshot.counts["tidy"]["games"] == told.games == len(ended)
    # Who counts on from here finds how many hands there are.
    assert told.snapshot.counts["hands"] == 2 * len(some_rows["hands"])
    assert {table: held.files for table, held in told.after.items()} == {
        **dict.fromkeys(some_rows, 1),
        "superseded": 0,
    }
    # No row of a game that ended is left. A lake need not have all of them.
    there = [each for each in tables.BY_GAME if each in some_rows]
    assert told.rows == sum(2 * len(some_rows[each]) - before[each][0] for each in there) > 0
    for each in there:
        assert sum(file.rows for file in lake.files(told.snapshot, each)) == before[each][0]
    assert told.total_after.size < told.total_before.size
    # A lake that is in shape stays as it is.
    again = tidy(lake.storage)
    assert (again.snapshot, again.before) == (told.snapshot, again.after)
    # The rows of new files are sorted.
    for table, files in some([*lake.all_files(lake.opened()).items()], 8):
        layout = tables.LAYOUTS[table]
        for file in files:
            found = pq.read_table(lake.storage.path(f"{table}/{file.path}"))
            keys = found.select(list(layout.sorted_by)).to_pylist()
            assert keys == sorted(keys, key=lambda key: list(map(str_or_number, key.values())))
            for column in layout.statistics:
                values = [value for value in found[column].to_pylist() if value is not None]
                assert file.low.get(column) == min(values, default=None)
                assert file.high.get(column) == max(values, default=None)
    # What several loads brought is kept once, of the same line the first load's.
    for table in ("rulesets", "rejects", "long_texts"):
        (file,) = lake.files(told.snapshot, table)
        assert file.rows == len(some_rows[table]) > 0
        if table == "rejects":
            assert (file.low["import_id"], file.high["import_id"]) == (1, 1)


def str_or_number(value: object) -> object:
    return (value is None, value if value is not None else 0)


@pytest.mark.thorough("a week of loads is tidied in the first tier")
def test_large_files_without_dead_rows_are_left_alone(lake: Lake, few_rows: Tables) -> None:
    publish_load(lake, few_rows)
    large = named_files(lake)
    for _ in range(2):
        publish_load(lake, few_rows, superseded=game_numbers(few_rows, 2)[:1])
    before = digests(lake)
    # What one load brings is large here, but for the games that ended.
    told = tidy(lake.storage, sizes=Sizes(small=1, target=1 << 20, group=1 << 22))
    assert digests(lake) == before
    assert large <= named_files(lake)
    assert told.rows > 0


@pytest.mark.thorough("a week of loads is tidied in the first tier")
def test_files_have_a_size_at_most(lake: Lake, few_rows: Tables) -> None:
    for _ in range(3):
        publish_load(lake, few_rows)
    before = digests(lake)
    planned = compaction.plan(lake, lake.opened(), Sizes(target=30_000))
    told = tidy(lake.storage, sizes=Sizes(target=30_000))
    assert digests(lake) == before
    for group in planned.groups:
        files = lake.files(told.snapshot, group.table)
        at_least = tables.LAYOUTS[group.table].row_group
        assert all(file.size < 60_000 or file.rows <= at_least for file in files)


@pytest.mark.parametrize(
    ("sizes", "chosen"),
    [
        ([10, 10, 10], [[0, 1, 2]]),
        ([100, 1, 1, 1], [[1, 2, 3]]),
        ([5, 5, 1000, 5, 5], [[0, 1], [3, 4]]),
        ([100, 60, 1], [[0, 1, 2]]),
        ([100, 1], []),
        ([7], []),
        ([80] * 6, [[0, 1], [2, 3], [4, 5]]),
    ],
)
def test_what_is_worth_writing_again(sizes: list[int], chosen: list[list[int]]) -> None:
    at = [{"hand_no": place} for place in range(len(sizes))]
    files = [File("hands", str(n), size, 1, at[n], at[n]) for n, size in enumerate(sizes)]
    groups = compaction._groups("hands", "hand_no", files, {}, Sizes(small=500, group=200))
    assert [[int(file.path) for file in group.files] for group in groups] == chosen


def test_a_file_is_not_written_again_and_again() -> None:
    """Of a thousand daily loads each byte is written again a few times only."""
    files: list[File] = []
    written = 0
    for day in range(1_000):
        at = {"hand_no": day}
        files.append(File("hands", f"day {day}", 100_000, 10, at, at))
        if day % 7:
            continue
        for group in list(compaction._groups("hands", "hand_no", files, {}, compaction.USUAL)):
            written += group.size
            files = [file for file in files if file not in group.files]
            low, high = group.files[0].low, group.files[-1].high
            files.append(File("hands", f"tidied {day}", group.size, 10, low, high))
            files.sort(key=lambda file: int(file.low["hand_no"]))
    assert written < 7 * 100_000_000
    assert len(files) < 20


def test_what_is_old_goes_as_a_dry_run_says(lake: Lake, few_rows: Tables) -> None:
    old = publish_load(lake, few_rows)
    publish_load(lake, few_rows, superseded=game_numbers(few_rows, 1)[:3])
    publish_load(lake, few_rows)
    age(lake, 1)
    files = sorted(entry.name for entry in lake.storage.list())
    before = digests(lake)
    foretold = tidy(lake.storage, keep=0, dry_run=True)
    assert sorted(entry.name for entry in lake.storage.list()) == files
    told = tidy(lake.storage, keep=0)
    assert foretold.before == told.before
    assert (foretold.games, foretold.rows) == (told.games, told.rows)
    first, then = (
        {table: held.files for table, held in each.after.items()} for each in (foretold, told)
    )
    assert first == then
    # Only the rows of snapshots that tidying itself wrote come on top.
    assert 0 <= told.removed.files - foretold.removed.files <= 4
    assert told.snapshots == 3
    assert told.removed.files >= 3 * len(few_rows)
    assert told.removed.size > 0
    assert digests(lake) == before
    assert data_files(lake) == named_files(lake)
    assert lake.snapshots() == [told.snapshot]
    with pytest.raises(FileNotFoundError):
        digests(lake, old)


def test_what_dead_loads_left_goes_when_it_is_old(lake: Lake, few_rows: Tables) -> None:
    publish_load(lake, few_rows)
    orphan = tables.write(lake.storage, "hands", few_rows["hands"], 9, 0)
    assert orphan
    half = "hands/_delta_log/_commit_0123.json.tmp"
    others = {"photos/evening.jpg", "notes.txt", "_other/file"}
    staged = ("_staging/dead/hands-1", "_staging/dead/deep/hands-2", "_staging/alive/hands")
    for name in (half, *others, *staged):
        with lake.storage.open_output(name) as stream:
            stream.write(b"rows")
    age(lake, 8)
    with lake.storage.open_output("_staging/alive/more") as stream:
        stream.write(b"rows")
    fresh = tables.write(lake.storage, "hands", few_rows["hands"], 10, 0)
    assert fresh
    tidy(lake.storage)
    left = data_files(lake) - named_files(lake)
    alive = {"_staging/alive/hands", "_staging/alive/more", f"hands/{fresh.path}"}
    # What is not of the lake is left alone.
    assert left == alive | others
    assert not Path(lake.storage.path("_staging/dead")).exists()
    assert not lake.storage.exists(half)


@pytest.mark.thorough("files that were replaced stay in the first tier")
def test_a_snapshot_is_kept_for_days_after_another_took_its_place(
    lake: Lake, few_rows: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It could be opened until it was replaced, however old it was then."""
    first = publish_load(lake, few_rows)
    files = lake.all_files(first)
    tidy(lake.storage)
    age(lake, 30)
    publish_load(lake, few_rows)
    tidy(lake.storage, keep=7)
    assert first in lake.snapshots()
    assert lake.all_files(first) == files
    assert digests(lake, first)["hands"][0] == len(few_rows["hands"])
    monkeypatch.setattr(upkeep, "datetime", _InTwoWeeks)
    tidy(lake.storage, keep=7)
    assert first not in lake.snapshots()


class _InTwoWeeks(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return super().now(tz) + timedelta(days=14)


@pytest.mark.thorough("a week of loads is tidied in the first tier")
@pytest.mark.parametrize("interval", [6, 2])
def test_old_commits_go_when_a_checkpoint_has_them(
    lake: Lake, few_rows: Tables, monkeypatch: pytest.MonkeyPatch, interval: int
) -> None:
    monkeypatch.setitem(commits._SETTINGS, "delta.checkpointInterval", str(interval))
    for _ in range(interval + 1):
        publish_load(lake, few_rows)
    before = digests(lake)
    assert tidy(lake.storage, keep=0).total_before.files == (interval + 1) * len(few_rows)
    log = Path(lake.storage.path("hands/_delta_log"))
    assert min(int(path.name[:20]) for path in log.glob("0*")) >= interval - 1
    snapshots = Path(lake.storage.path("snapshots/_delta_log"))
    assert len(list(snapshots.glob("0*"))) < 8
    assert digests(lake) == before
    publish_load(lake, few_rows)
    assert digests(lake)["hands"][0] == (interval + 2) * len(few_rows["hands"])


def test_a_held_lake_is_left_alone_and_replaced_files_stay(lake: Lake, few_rows: Tables) -> None:
    publish_load(lake, few_rows)
    reader = publish_load(lake, few_rows)
    before = digests(lake, reader)
    with lake.begin("a long load") as begun:
        with pytest.raises(BusyError, match="a long load"):
            tidy(lake.storage)
        told = tidy(lake.storage, keep=7, take_over=True)
        with pytest.raises(Exception, match="taken over"):
            begun.renew()
    assert told.removed.files == 0
    assert digests(lake, reader) == before
    assert len(lake.snapshots()) == 3


def test_a_load_that_begins_in_between_keeps_its_files(
    lake: Lake, few_rows: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_load(lake, few_rows)
    publish_load(lake, few_rows)

    def sneaked_in(lake: Lake, _: object) -> None:
        lake.begin("sneaked in")

    monkeypatch.setattr(upkeep, "_write_checkpoints", sneaked_in)
    told = tidy(lake.storage, keep=0)
    assert "sneaked in" in told.busy
    assert (told.removed, told.snapshot) == (Held(), lake.opened())


def test_there_must_be_a_lake_and_a_damaged_file_is_told(lake: Lake, few_rows: Tables) -> None:
    for dry_run in (False, True):
        with pytest.raises(NoSnapshotError):
            tidy(lake.storage, dry_run=dry_run)
    publish_load(lake, few_rows)
    publish_load(lake, few_rows)
    name = min(name for name in named_files(lake) if name.startswith("hands/"))
    Path(lake.storage.path(name)).write_bytes(b"not what it was")
    with pytest.raises(DamagedError, match="is damaged"):
        tidy(lake.storage)
    assert len(lake.snapshots()) == 2
    assert lake.head().places[-1].state != "begun"


@pytest.mark.thorough("an object store")
def test_a_lake_on_an_object_store_is_tidied(s3_prefix: str, few_rows: Tables) -> None:
    lake = Lake(storage_of(s3_prefix))
    for _ in range(3):
        publish_load(lake, few_rows)
    publish_load(lake, few_rows, superseded=game_numbers(few_rows, 2)[:3])
    with lake.storage.open_output("_staging/dead/hands") as stream:
        stream.write(b"rows")
    before = digests(lake)
    told = tidy(lake.storage, keep=0)
    assert digests(lake) == before
    assert (told.games, told.total_after.files) == (3, len(few_rows))
    assert data_files(lake) == named_files(lake)
    assert "dead" not in lake.storage.folders("_staging")


# --- Loads go on from it
PARTS = 2
COUNTED = ("seat_facts", "card_facts", "game_facts", "finding_facts")


def said(db: Storage | Path) -> tuple[str, list[int]]:
    with open_facts(str(db)) as facts:
        return content(db), [len(facts.table(table)) for table in COUNTED]


@pytest.mark.thorough("whole loads; the tests above say what stays")
def test_loads_and_tidying_in_turn_give_what_one_load_gives(drafted: Path, tmp_path: Path) -> None:
    lines = (drafted / "log.jsonl").read_bytes().splitlines()
    # Most games are torn apart.
    random.Random(1).shuffle(lines)
    load(write_lines(tmp_path / "logs.jsonl", lines), db=tmp_path / "one")
    lake = f"lake:{tmp_path / 'lake'}"
    for part in range(PARTS):
        load(write_lines(tmp_path / f"part-{part}", lines[part::PARTS]), db=lake, on="here")
        before = said(storage_of(lake))
        told = tidy(storage_of(lake), keep=0)
        assert told.games > 0 or part == 0
        assert said(storage_of(lake)) == before
    assert said(storage_of(lake)) == said(tmp_path / "one")
    assert max(held.files for held in told.after.values()) == 1
