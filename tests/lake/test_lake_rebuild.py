"""Rebuilding a lake comes to what rebuilding a folder comes to, and loses nothing either."""

import errno
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.kit.log_lines import SOUND_LINE, generated, line, write_hands, write_lines
from tests.kit.stored import content
from tests.lake.conftest import rows
from tricklog.ingest.lake import publish, tables
from tricklog.ingest.lake.engines import Here
from tricklog.ingest.lake.load import STAGING, How, load
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.storage import Storage, storage_of
from tricklog.ingest.reading.sources import LocalPath
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.store.warehouse import SCHEMA_VERSION, WarehouseError
from tricklog.ingest.upkeep.rebuilding import rebuild
from tricklog.ingest.upkeep.verifying import verify
from tricklog.ingest.warehouses import load as load_any
from tricklog.schemas.hand import encode_hand

HANDS = "SELECT hand_id, file, line FROM hands ORDER BY hand_id"
REJECTS = "SELECT reject, file, line, code FROM rejects ORDER BY reject"
LOADS = "SELECT lines, accepted, duplicate, quarantined, paths FROM imports ORDER BY import_id"


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Logs, a folder and a lake of the same two loads, and a copy of them all."""
    place = tmp_path_factory.mktemp("place")
    pedro, pidro = (list(map(encode_hand, generated(each, 1))) for each in ("pedro", "pidro"))
    lines = [line(dealer=0), *pidro, pedro[0], b"bad", b"x" * 9000]
    logs = (
        write_lines(place / "a.jsonl", [*pedro, b"oops", SOUND_LINE]),
        write_lines(place / "b.jsonl", lines),
    )
    for log, buckets in zip(logs, (1, 2), strict=True):
        load_any(log, db=place / "folder")
        load([log], storage_of(f"lake:{place / 'lake'}"), Here(), how=How(buckets=buckets))
    assert content(place / "folder") == content(place / "lake")
    pristine = tmp_path_factory.mktemp("pristine")
    return place, shutil.copytree(place, pristine, dirs_exist_ok=True)


@pytest.fixture
def place(places: tuple[Path, Path]) -> Path:
    """Where the lake is, as it was at first: loads know their logs by where they are."""
    place, copy = places
    shutil.rmtree(place)
    return shutil.copytree(copy, place)


@pytest.fixture
def a(place: Path) -> Path:
    return place / "a.jsonl"


@pytest.fixture
def b(place: Path) -> Path:
    return place / "b.jsonl"


@pytest.fixture
def lake(place: Path) -> Storage:
    return storage_of(f"lake:{place / 'lake'}")


@pytest.fixture
def folder(place: Path) -> Path:
    return place / "folder"


def stored() -> int:
    return sum(len(generated(variant, 1)) for variant in ("pedro", "pidro")) + 1


def made_again(db: Storage | Path, *logs: Path) -> dict[str, Any]:
    said = asdict(rebuild(*logs, db=str(db), on="here" if isinstance(db, Storage) else None))
    assert said.pop("snapshot") is not None
    assert said["after"] == content(db)
    return said


def both_made_again(lake: Storage, folder: Path, *logs: Path) -> dict[str, Any]:
    """Rebuild a lake and a folder; both come to the same."""
    said = made_again(lake, *logs)
    assert said == made_again(folder, *logs)
    assert [row[:1] for row in rows(lake, HANDS)] == [row[:1] for row in rows(folder, HANDS)]
    assert rows(lake, REJECTS) == rows(folder, REJECTS)
    assert not list(lake.list(STAGING))
    assert verify(str(lake), everything=True, on="here").problems == ()
    return said


@pytest.mark.thorough("test_lake_damage makes a lake again in place")
def test_in_place(lake: Storage, folder: Path) -> None:
    before = Lake(lake).opened()
    said = both_made_again(lake, folder)
    assert (said["from_logs"], said["before"]) == (stored(), said["after"])
    assert rows(lake, HANDS) == rows(folder, HANDS)
    assert rows(lake, LOADS) == rows(folder, LOADS)
    assert Lake(lake).opened().number > before.number


@pytest.mark.thorough("a second place; of solved hands, too")
def test_into_a_new_lake(lake: Storage, folder: Path, tmp_path: Path) -> None:
    before, new = Lake(lake).opened(), f"lake:{tmp_path / 'new'}"
    report = rebuild(db=str(lake), to=new, on="here")
    assert (report.complete, report.after) == (True, content(folder))
    assert Lake(lake).opened() == before
    assert verify(new, everything=True, on="here").problems == ()
    with pytest.raises(WarehouseError, match="holds a lake already"):
        rebuild(db=str(lake), to=new, on="here")
    with pytest.raises(WarehouseError, match="one is a lake and the other is not"):
        rebuild(db=str(lake), to=tmp_path / "third")


@pytest.mark.thorough("test_lake_damage keeps hands that no log has")
def test_what_no_log_has_any_more_is_kept(lake: Storage, folder: Path, b: Path) -> None:
    b.unlink()
    stood = rows(lake, HANDS)
    said = both_made_again(lake, folder)
    assert (said["kept"], said["kept_rejects"], said["missing"]) == (
        len(generated("pidro", 1)),
        3,
        [str(b)],
    )
    assert rows(lake, HANDS) == stood == rows(folder, HANDS)
    assert rows(lake, LOADS) == rows(folder, LOADS)
    # And once more, from what was kept.
    again = made_again(lake)
    assert (again["kept"], again["after"]) == (len(generated("pidro", 1)), content(folder))


@pytest.mark.thorough(
    "a folder keeps hands so, too, and test_lake_damage keeps those without a log"
)
def test_a_log_that_was_overwritten_takes_no_hand_away_and_loads_go_on(
    lake: Storage, folder: Path, a: Path, b: Path, tmp_path: Path
) -> None:
    write_lines(a, [line(dealer=0)])
    said = both_made_again(lake, folder)
    assert said["kept"] == len(generated("pedro", 1))
    assert rows(lake, "SELECT dealer FROM hands WHERE hand_id = 'club-1'") == [(3,)]
    more = write_hands(tmp_path / "c.jsonl", generated("cinch", 1)[:2])
    for db, on in ((str(lake), "here"), (str(folder), None)):
        assert load_any(b, more, db=db, on=on).accepted == 2
    assert content(lake) == content(folder)


@pytest.mark.thorough("folders are rebuilt by the same reading of logs in tests/upkeep")
def test_a_log_that_cannot_be_read_is_an_error(
    lake: Storage, folder: Path, a: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert content(folder) == content(lake)
    before, opened = Lake(lake).opened(), LocalPath.open

    def failing(path: LocalPath, start: int = 0) -> object:
        if path.path.name == a.name:
            raise OSError(errno.EIO, "Input/output error")
        return opened(path, start)

    monkeypatch.setattr(LocalPath, "open", failing)
    for db in (lake, folder):
        with pytest.raises(StorageError, match="Nothing was published"):
            made_again(db)
    assert Lake(lake).opened() == before
    assert not list(lake.list(STAGING))


DAMAGE: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: path.unlink(),
    "of junk": lambda path: path.write_bytes(b"junk" * (path.stat().st_size // 4)),
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:-9]),
}


@pytest.mark.thorough("a damaged file; test_lake_damage has a hand that is damaged")
@pytest.mark.parametrize(
    "damage",
    [{"hands": "of junk", "ids": "missing"}, {"imports": "cut off", "rejects": "missing"}],
    ids=" ".join,
)
def test_files_that_cannot_be_read_are_made_again(
    lake: Storage, folder: Path, a: Path, b: Path, damage: dict[str, str]
) -> None:
    before = content(folder)
    paths = {
        table: Lake(lake).files(Lake(lake).opened(), table)[0].path for table in sorted(damage)
    }
    for table, kind in damage.items():
        DAMAGE[kind](Path(lake.root, table, paths[table]))
    report = rebuild(a, b, db=str(lake), on="here")
    assert report.unreadable == [f"{lake}/{table}/{path}" for table, path in paths.items()]
    assert (report.hands, report.lost, report.complete) == (stored(), 0, False)
    assert report.knows_all_logs == ("imports" not in damage)
    assert content(lake) == before
    assert verify(str(lake), everything=True, on="here").problems == ()


@pytest.mark.thorough("test_lake_damage loses a damaged hand")
def test_what_is_damaged_and_in_no_log_is_lost(lake: Storage, folder: Path, b: Path) -> None:
    assert content(folder) == content(lake)
    b.unlink()
    kept = {hand_id for (hand_id,) in rows(lake, "SELECT hand_id FROM hands")}
    (file, *_) = sorted(
        Lake(lake).files(Lake(lake).opened(), "hands"), key=lambda each: each.low["import_id"]
    )[-1:]
    Path(lake.root, "hands", file.path).write_bytes(b"junk")
    report = rebuild(db=str(lake), on="here")
    assert report.lost == file.rows
    assert report.hands == len(kept) - file.rows
    assert verify(str(lake), everything=True, on="here").problems == ()


def test_a_lake_of_the_version_before_is_made_again_with_what_no_log_has(
    lake: Storage, folder: Path, b: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    b.unlink()
    opened = Lake(lake)
    files = opened.files(opened.opened(), "hands")
    held = pq.read_table([f"{lake.root}/hands/{file.path}" for file in files])
    columns = ["id" if name == "hand_id" else name for name in held.column_names]
    held = held.rename_columns(columns)
    with monkeypatch.context() as before, opened.begin("a test") as begun:
        before.setattr(publish, "tables_of_this_version", lambda: f"{SCHEMA_VERSION - 1} then")
        before.setattr(tables, "schema_of", lambda _: held.schema)
        added = tables.write(lake, "hands", held, begun.number, 0)
        assert added
        begun.publish([added], {}, replaced=["hands"])
    for asked in (lambda: rows(lake, HANDS), lambda: load_any(b, db=str(lake), on="here")):
        with pytest.raises(WarehouseError, match="tricklog db rebuild"):
            asked()
    assert made_again(lake)["kept"] == len(generated("pidro", 1))
    assert content(str(lake)) == content(folder)
