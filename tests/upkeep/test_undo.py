"""Undoing the latest load: the warehouse says what it said before, down to every row."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import write_log
from tests.kit import stored
from tests.kit.dashboard_logs import first_hands
from tests.kit.log_lines import write_hands
from tests.kit.score_sheets import as_csv, one_row_a_hand, scored
from tests.kit.stored import where
from tricklog.ingest.loading.loading import load as load_folder
from tricklog.ingest.score_sheets.settings import SheetSettings
from tricklog.ingest.store.warehouse import NoSnapshotError, WarehouseError
from tricklog.ingest.upkeep.undoing import drop_rejects, undo_load
from tricklog.ingest.warehouses import load

TABLES = ("hands", "games", "findings", "rejects", "imports", "seatings", "players", "rulesets")


def rows(db: Path | str) -> dict[str, list[tuple[Any, ...]]]:
    return {name: sorted(stored.rows(db, f"FROM {name}"), key=repr) for name in TABLES}


@pytest.fixture
def first(tmp_path: Path) -> Path:
    return write_hands(tmp_path / "first.jsonl", first_hands("pedro", 3))


@pytest.fixture
def second(tmp_path: Path) -> Path:
    return write_log(tmp_path / "second.jsonl", *first_hands("cinch", 2), b"oops")


@pytest.fixture(params=["folder", "lake"])
def db(request: pytest.FixtureRequest, first: Path, tmp_path: Path) -> str:
    """A warehouse of one load."""
    db = f"{'lake:' if request.param == 'lake' else ''}{tmp_path / 'db'}"
    load(first, db=db, on=where(db))
    return db


def test_an_undone_load_leaves_nothing_behind(db: str, second: Path) -> None:
    before = rows(db)
    load(second, db=db, on=where(db))
    assert len(rows(db)["rejects"]) == 1
    number = max(rows(db)["imports"])[0]
    with pytest.raises(WarehouseError, match=f"Load 1 is not the latest one, which is {number}"):
        undo_load(db, 1)
    undone = undo_load(db, number)
    assert (undone.load, undone.paths, undone.hands, undone.now) == (number, [str(second)], 5, 3)
    assert rows(db) == before
    load(second, db=db, on=where(db))
    assert len(rows(db)["hands"]) == 5


def test_the_only_load_leaves_an_empty_warehouse(db: str, first: Path) -> None:
    undo_load(db)
    assert not any(rows(db).values())
    with pytest.raises(WarehouseError, match="Nothing has been loaded"):
        undo_load(db)
    # Loads go on from there.
    load(first, db=db, on=where(db))
    assert len(rows(db)["hands"]) == 3


@pytest.mark.parametrize("kind", ["", "lake:"])
def test_where_nothing_was_loaded_nothing_is_made(kind: str, tmp_path: Path) -> None:
    with pytest.raises(NoSnapshotError, match=r"tricklog load LOGS --db .* makes one"):
        undo_load(f"{kind}{tmp_path / 'none'}")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("db", ["folder"], indirect=True)
def test_what_a_sheet_had_corrected_is_back_as_it_was(db: str, tmp_path: Path) -> None:
    sheet = tmp_path / "club.csv"
    written = one_row_a_hand(scored("pedro", 1, 3))
    sheet.write_bytes(as_csv(written))
    reader = SheetSettings(variant="pedro").reader
    load_folder(sheet, db=Path(db), adapter=reader)
    before = rows(db)
    sheet.write_bytes(as_csv(written[:-1]))
    load_folder(sheet, db=Path(db), adapter=reader, correct=True)
    assert rows(db) != before
    undo_load(db)
    assert rows(db) == before


@pytest.mark.parametrize("db", ["folder"], indirect=True)
def test_what_was_published_since_is_not_undone_with_it(db: str, second: Path) -> None:
    load(second, db=db)
    drop_rejects(db)
    before = rows(db)
    with pytest.raises(WarehouseError, match="something else was published since"):
        undo_load(db)
    assert rows(db) == before
