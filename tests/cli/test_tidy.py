"""``tricklog db tidy``."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from tests.cli.command_line import CommandLine
from tricklog.ingest.lake import tables
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.storage import storage_of

LOADS = 5


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    """A lake of five loads with ten ids each."""
    lake = Lake(storage_of(f"lake:{tmp_path / 'lake'}"))
    for load in range(1, LOADS + 1):
        with lake.begin("load") as begun:
            numbers = range(load, load + 100, 10)
            columns = {"id_hash": numbers, "content": [b"x"] * 10, "hand_no": numbers}
            rows = pa.table(columns, tables.schema_of("ids"))
            file = tables.write(lake.storage, "ids", rows, load, 0)
            assert file
            begun.publish([file], {})
    return lake


@pytest.fixture
def ids(lake: Lake) -> Iterator[None]:
    """See to it that all ids are there afterwards."""
    before = sum(file.rows for file in lake.files(lake.opened(), "ids"))
    yield
    assert sum(file.rows for file in lake.files(lake.opened(), "ids")) == before == 10 * LOADS


@pytest.mark.usefixtures("ids")
def test_files_become_fewer_unless_the_lake_is_held(tricklog: CommandLine, lake: Lake) -> None:
    assert tricklog("db", "tidy", "--db", str(lake.storage), "--keep", "-1").status == 2
    ran = tricklog("db", "tidy", "--db", str(lake.storage), "--dry-run")
    assert f"{LOADS} files (0.0 MB) would become 1 file, about" in ran.text
    assert "this was a dry run" in ran.text
    assert len(lake.files(lake.opened(), "ids")) == LOADS
    lake.begin("a long load")
    ran = tricklog("db", "tidy", "--db", str(lake.storage))
    assert ran.status == 3
    assert "held by a long load" in ran.stderr
    ran = tricklog("db", "tidy", "--db", str(lake.storage), "--take-over")
    assert ran.status == 0
    assert ran.text.startswith(f"{LOADS} files (0.0 MB) became 1 file (0.0 MB)\n")
    assert "Removed 0 files (0.0 MB) that nobody needs" in ran.text
    ran = tricklog("db", "tidy", "--db", lake.storage.root)
    assert ran.text.startswith("In shape already: 1 file (0.0 MB)\n")


@pytest.mark.usefixtures("ids")
def test_what_is_old_goes_with_a_word_about_readers(tricklog: CommandLine, lake: Lake) -> None:
    ran = tricklog("db", "tidy", "--db", str(lake.storage), "--keep", "0", "--json")
    assert "whoever reads the lake now may fail" in ran.stderr
    (told,) = ran.objects
    assert told["before"]["files"] == LOADS
    assert told["after"] == told["tables"]["ids"]["after"]
    assert told["after"]["files"] == len(lake.snapshots()) == 1
    assert (told["games"], told["rows"], told["snapshots"]) == (0, 0, LOADS)
    assert (told["busy"], told["dry_run"]) == (None, False)
    assert told["snapshot"] == lake.opened().number


def test_a_warehouse_of_one_machine_is_no_lake(tricklog: CommandLine, tmp_path: Path) -> None:
    ran = tricklog("db", "tidy", "--db", tmp_path)
    assert ran.status == 2
    assert "is no lake" in ran.stderr


def test_a_place_without_a_lake_is_told(tricklog: CommandLine, tmp_path: Path) -> None:
    ran = tricklog("db", "tidy", "--db", f"lake:{tmp_path}")
    assert ran.status == 2
    assert "holds no lake yet" in ran.stderr
