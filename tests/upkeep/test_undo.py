"""Undoing the latest load: the warehouse says what it said before, down to every row."""

from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.dashboard_logs import first_hands
from tests.kit.log_lines import write_hands
from tests.kit.score_sheets import as_csv, one_row_a_hand, scored
from tricklog.ingest import warehouses
from tricklog.ingest.loading.loading import load
from tricklog.ingest.score_sheets.settings import SheetSettings
from tricklog.ingest.store.warehouse import WarehouseError
from tricklog.ingest.upkeep.undoing import drop_rejects, undo_load
from tricklog.ingest.warehouses import open_snapshot

TABLES = ("hands", "games", "findings", "rejects", "imports", "seatings", "players", "rulesets")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    load(write_hands(tmp_path / "first.jsonl", first_hands("pedro", 3)), db=tmp_path / "db")
    return tmp_path / "db"


def rows(db: Path | str) -> dict[str, list[tuple[object, ...]]]:
    with closing(open_snapshot(db)) as tables:
        return {
            name: sorted(tables.execute(f"FROM {name}").fetchall(), key=repr) for name in TABLES
        }


def test_an_undone_load_leaves_nothing_behind(db: Path, tmp_path: Path) -> None:
    before = rows(db)
    second = write_hands(tmp_path / "second.jsonl", first_hands("cinch", 2))
    second.write_bytes(second.read_bytes() + b"oops\n")
    load(second, db=db)
    assert len(rows(db)["rejects"]) == 1
    undone = undo_load(db, 2)
    assert (undone.load, undone.paths, undone.hands, undone.now) == (2, [str(second)], 5, 3)
    assert rows(db) == before
    load(second, db=db)
    assert len(rows(db)["hands"]) == 5


def test_what_a_sheet_had_corrected_is_back_as_it_was(db: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "club.csv"
    written = one_row_a_hand(scored("pedro", 1, 3))
    sheet.write_bytes(as_csv(written))
    reader = SheetSettings(variant="pedro").reader
    load(sheet, db=db, adapter=reader)
    before = rows(db)
    sheet.write_bytes(as_csv(written[:-1]))
    load(sheet, db=db, adapter=reader, correct=True)
    assert rows(db) != before
    undo_load(db)
    assert rows(db) == before


def test_the_only_load_leaves_an_empty_warehouse(db: Path) -> None:
    undo_load(db)
    assert not any(rows(db).values())
    with pytest.raises(WarehouseError, match="Nothing has been loaded"):
        undo_load(db)


def test_what_was_published_since_is_not_undone_with_it(db: Path, tmp_path: Path) -> None:
    second = write_hands(tmp_path / "second.jsonl", first_hands("cinch", 2))
    second.write_bytes(second.read_bytes() + b"oops\n")
    load(second, db=db)
    with pytest.raises(WarehouseError, match="Load 1 is not the latest one, which is 2"):
        undo_load(db, 1)
    drop_rejects(db)
    before = rows(db)
    with pytest.raises(WarehouseError, match="something else was published since"):
        undo_load(db)
    assert rows(db) == before


@pytest.mark.usefixtures("db")
def test_in_a_lake_what_was_before_is_published_again(tmp_path: Path) -> None:
    lake = f"lake:{tmp_path / 'lake'}"
    first, second = (tmp_path / f"{name}.jsonl" for name in ("first", "second"))
    warehouses.load(first, db=lake, on="here")
    undo_load(lake)
    assert not any(rows(lake).values())
    with pytest.raises(WarehouseError, match="Nothing has been loaded"):
        undo_load(lake)
    # Loads go on from there.
    warehouses.load(first, db=lake, on="here")
    before = rows(lake)
    write_hands(second, first_hands("cinch", 2))
    second.write_bytes(second.read_bytes() + b"oops\n")
    warehouses.load(second, db=lake, on="here")
    number = max(rows(lake)["imports"])[0]
    with pytest.raises(WarehouseError, match=f"Load 1 is not the latest one, which is {number}"):
        undo_load(lake, 1)
    undone = undo_load(lake)
    assert (undone.load, undone.paths, undone.hands, undone.now) == (number, [str(second)], 5, 3)
    assert rows(lake) == before
