"""Rebuilding: the same warehouse from its logs, and nothing lost where logs are gone.

The thorough tier rebuilds a lake of the same loads as well, which comes to the same.
"""

import errno
import io
import os
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from msgspec.structs import replace

from tests.kit.log_lines import SOUND_LINE, generated, line, write_hands, write_lines
from tests.kit.stored import alter, content, rows, where, without_rules
from tests.kit.tiers import is_thorough, some
from tricklog import Hand, WarehouseError, encode_hand, ingest
from tricklog.ingest.lake import publish, tables
from tricklog.ingest.lake.engines import Here
from tricklog.ingest.lake.load import STAGING, How
from tricklog.ingest.lake.load import load as load_lake
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.storage import Storage, storage_of
from tricklog.ingest.reading.sources import LocalPath
from tricklog.ingest.store import disk, publishing
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.store.seals import seal_of
from tricklog.ingest.store.warehouse import (
    SCHEMA_VERSION,
    current_snapshot,
    hand,
    open_snapshot,
    snapshots,
)
from tricklog.ingest.upkeep.reauditing import reaudit
from tricklog.ingest.upkeep.rebuilding import RebuildReport, rebuild
from tricklog.ingest.upkeep.verifying import verify
from tricklog.ingest.warehouses import load, warehouse_at

MORE = pytest.mark.thorough("other wrong rows are put right in the first tier")
KEPT = pytest.mark.thorough("what no log has is kept in the first tier")
DAMAGED = pytest.mark.thorough("lake/test_lake_damage has a hand that is damaged")
IDS = "SELECT hand_id FROM hands ORDER BY hand_id"
HANDS = "SELECT hand_id, file, line FROM hands ORDER BY hand_id"
REJECTS = "SELECT reject, file, line, code FROM rejects ORDER BY reject"
LOADS = "SELECT lines, accepted, duplicate, quarantined, paths FROM imports ORDER BY import_id"


def pedro() -> tuple[Hand, ...]:
    return generated("pedro", 1)


def pidro() -> tuple[Hand, ...]:
    return generated("pidro", 1)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder and a lake of the same two loads with the logs, and a copy of them all.

    The second log has hands of the first, a hand in conflict and lines that are none.
    """
    place = tmp_path_factory.mktemp("place")
    first, second = (list(map(encode_hand, each)) for each in (pedro(), pidro()))
    lines = [line(dealer=0), *second, first[0], b"bad", b"x" * 9000]
    a = write_lines(place / "a.jsonl", [*first, b"oops", SOUND_LINE])
    for log, buckets in ((a, 1), (write_lines(place / "b.jsonl", lines), 2)):
        ingest.load(log, db=place / "folder")
        load_lake([log], storage_of(f"lake:{place / 'lake'}"), Here(), how=How(buckets=buckets))
    assert content(place / "folder") == content(place / "lake")
    return place, shutil.copytree(place, tmp_path_factory.mktemp("copy"), dirs_exist_ok=True)


@pytest.fixture
def place(made: tuple[Path, Path]) -> Path:
    """Where they are, as they were at first: loads know their logs by where they are."""
    shutil.rmtree(made[0])
    return shutil.copytree(made[1], made[0])


@pytest.fixture
def db(place: Path) -> Path:
    return place / "folder"


@pytest.fixture
def lake(place: Path) -> Storage:
    return storage_of(f"lake:{place / 'lake'}")


@pytest.fixture
def dbs(db: Path, lake: Storage) -> list[str]:
    """The warehouses that are rebuilt."""
    return [str(db), str(lake)] if is_thorough() else [str(db)]


@pytest.fixture
def a(place: Path) -> Path:
    return place / "a.jsonl"


@pytest.fixture
def b(place: Path) -> Path:
    return place / "b.jsonl"


def total() -> int:
    """How many hands the warehouses have."""
    return len(pedro()) + len(pidro()) + 1


def checked(report: RebuildReport, db: str, *, verified: bool = False, equal: bool = True) -> None:
    """What holds of every rebuild of a folder or a lake."""
    assert (report.equal, report.after) == (equal, content(db))
    assert report.hands == report.from_logs + report.kept + report.unplayable + report.new
    if verified or is_thorough():
        assert verify(db, everything=True, on=where(db)).problems == ()
    if where(db):
        assert not list(storage_of(db).list(STAGING))
    else:
        files = (each for path in snapshots(Path(db)) for each in (path, seal_of(path)))
        names = {"CURRENT", "LOCK", *(each.name for each in files)}
        assert {path.name for path in Path(db).iterdir()} == names


def said_of(dbs: list[str], *logs: Path, **given: bool) -> Any:  # noqa: ANN401 - a report
    """Rebuild all, and return what is said of each, with what ``checked`` is given."""
    told = []
    for db in dbs:
        report = rebuild(*logs, db=db, on=where(db))
        checked(report, db, **given)
        said = asdict(report) | {"complete": report.complete}
        assert said.pop("snapshot") is not None
        told.append((said, *(rows(db, query) for query in (IDS, REJECTS, LOADS))))
    for of_lake in told[1:]:
        assert of_lake == told[0]
    return told[0][0]


def stood_in(dbs: list[str]) -> list[object]:
    """Where the hands of each come from."""
    return [rows(db, HANDS) for db in dbs]


@pytest.mark.thorough("with what is wrong, and without a log, in the first tier")
def test_in_place(dbs: list[str]) -> None:
    stood, old = stood_in(dbs), [warehouse_at(db).current() for db in dbs]
    said = said_of(dbs)
    assert (said["complete"], said["from_logs"], said["kept"], said["new"]) == (True, total(), 0, 0)
    assert said["before"] == said["after"]
    assert stood_in(dbs) == stood == stood[:1] * 2
    assert not {*old} & {warehouse_at(db).current() for db in dbs}


@pytest.mark.thorough("thousands of hands; the tests around it have few")
def test_thousands_of_hands(tmp_path: Path) -> None:
    hands = [
        replace(hand, id=f"{copy}-{hand.id}", game=f"{copy}-{hand.game}")
        for copy in range(1 + 6_000 // len(pedro()))
        for hand in pedro()
    ]
    ingest.load(write_hands(tmp_path / "log.jsonl", hands), db=tmp_path / "db")
    before = content(tmp_path / "db")
    report = rebuild(db=tmp_path / "db")
    assert report.before == report.after == before


@pytest.mark.thorough("rebuilt in place in the first tier")
def test_into_a_new_place(tmp_path: Path, dbs: list[str]) -> None:
    places = (str(tmp_path / "new"), f"lake:{tmp_path / 'newer'}")
    for db, new, kind in zip(dbs, places, ("warehouse", "lake"), strict=True):
        before = warehouse_at(db).current()
        report = rebuild(db=db, to=new, on=where(db))
        checked(report, new)
        assert (report.complete, report.after) == (True, content(db))
        assert warehouse_at(db).current() == before
        with pytest.raises(WarehouseError, match=f"holds a {kind} already"):
            rebuild(db=db, to=new, on=where(db))
    with pytest.raises(WarehouseError, match="one is a lake and the other is not"):
        rebuild(db=dbs[1], to=tmp_path / "third")


def test_what_no_log_has_any_more_is_kept_until_named(dbs: list[str], b: Path) -> None:
    stood = stood_in(dbs)
    moved = b.rename(b.with_name("moved.jsonl"))
    said = said_of(dbs, verified=True)
    assert (said["complete"], said["from_logs"]) == (False, len(pedro()) + 1)
    assert (said["kept"], said["kept_rejects"]) == (len(pidro()), 3)
    assert (said["missing"], said["files_of_kept"]) == ([str(b)], {str(b): len(pidro())})
    assert stood_in(dbs) == stood == stood[:1] * len(dbs)
    if is_thorough():
        # And once more, from what was kept.
        again = said_of(dbs)
        assert (again["kept"], again["after"]) == (len(pidro()), said["after"])
    said = said_of(dbs, moved)
    assert (said["complete"], said["missing"]) == (True, [str(b)])
    if is_thorough():
        assert said_of(dbs)["complete"]


def test_an_overwritten_log_takes_no_hand_away_and_brings_some(
    dbs: list[str], a: Path, b: Path
) -> None:
    write_lines(a, [line(dealer=0)])
    # All but the hand that the other log has, too.
    assert said_of(dbs)["kept"] == len(pedro())
    for db in dbs:
        assert rows(db, "SELECT dealer FROM hands WHERE hand_id = 'club-1'") == [(3,)]
        assert rows(db, "SELECT code FROM rejects WHERE code = 'id-conflict'")
    write_lines(a, [line(dealer=0), encode_hand(generated("cinch", 1)[0])])
    said = said_of(dbs, equal=False)
    assert (said["new"], said["kept"]) == (1, len(pedro()))
    more = write_hands(a.with_name("c.jsonl"), generated("cinch", 1)[1:3])
    for db in dbs:
        assert load(b, more, db=db, on=where(db)).accepted == 2
        assert len(rows(db, IDS)) == total() + 3
    for lake in dbs[1:]:
        assert content(lake) == content(dbs[0])


@KEPT
def test_standard_input_is_kept_of_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stream:
        buffer = io.BytesIO(SOUND_LINE + b"\noops\n")

    monkeypatch.setattr("sys.stdin", Stream)
    ingest.load("-", db=tmp_path / "db")
    said = said_of([str(tmp_path / "db")])
    assert (said["kept"], said["kept_rejects"], said["missing"]) == (1, 1, ["-"])


@KEPT
def test_hands_without_their_rules_keep_the_rest(db: Path) -> None:
    before = content(db)
    with without_rules("pidro"):
        report = rebuild(db=db)
    assert (report.unplayable, report.kept) == (len(pidro()), 0)
    with open_snapshot(db) as connection:
        assert [hand(connection, each.id) for each in pidro()] == list(pidro())
    assert len(rows(db, "SELECT verdict FROM hands WHERE hand_id LIKE 'pidro%'")) == len(pidro())
    # With the rules back all is as before, and nothing is left of them in quarantine.
    assert rebuild(db=db).hands == total()
    assert content(db) == before


# --- Rows and files that are wrong
FAULTS = {
    "a hand twice": "INSERT INTO hands FROM hands WHERE hand_id = 'pedro-5-1-1'",
    "a record that is none": "UPDATE hands SET tail = 'x' WHERE hand_id = 'pedro-5-1-1'",
    "another record": "UPDATE hands SET deeds = '' WHERE hand_id = 'pedro-5-1-1'",
    "other points": "UPDATE hands SET points = [99, 99] WHERE hand_id = 'pedro-5-1-1'",
    "a seating that is gone": "DELETE FROM seatings",
    "a seating twice": "INSERT INTO seatings FROM seatings",
    "rules of no hand": (
        "INSERT INTO rulesets SELECT * REPLACE ('0' AS ruleset) FROM rulesets LIMIT 1"
    ),
}


def test_what_a_snapshot_says_wrongly_is_put_right_from_the_logs(db: Path, tmp_path: Path) -> None:
    before, stood = content(db), rows(db, HANDS)
    whole = shutil.copytree(db, tmp_path / "whole")
    for fault in some(list(FAULTS), 1):
        alter(db, FAULTS[fault])
        assert verify(db).problems, fault
        report = rebuild(db=db)
        assert (content(db), report.hands, report.complete) == (before, total(), True), fault
        assert rows(db, HANDS) == stood, fault
        assert verify(db, everything=True).problems == (), fault
        shutil.rmtree(db)
        shutil.copytree(whole, db)


@MORE
def test_a_hash_that_is_wrong_is_made_again_from_the_record(db: Path) -> None:
    before = content(db)
    alter(db, "UPDATE hands SET content_hash = uuid() WHERE hand_id = 'pedro-5-1-1'")
    report = rebuild(db=db)
    assert (content(db), report.hands, report.kept) == (before, total(), 1)
    assert verify(db, everything=True).problems == ()


@pytest.mark.parametrize(
    "given", [pytest.param("no hand", marks=MORE), pytest.param("another hand")]
)
def test_a_record_that_is_none_and_in_no_log_stays_as_it_is(db: Path, b: Path, given: str) -> None:
    alter(db, "UPDATE hands SET tail = 'x' WHERE hand_id = 'pidro-5-1-2'")
    other = encode_hand(replace(pidro()[1], dealer=(pidro()[1].dealt_by + 1) % 4))
    write_lines(b, [encode_hand(pidro()[0]), *([other] if given == "another hand" else [])])
    report = rebuild(db=db)
    assert (report.hands, report.kept, report.unplayable) == (total(), len(pidro()) - 2, 1)
    assert rows(db, "SELECT tail FROM hands WHERE hand_id = 'pidro-5-1-2'") == [("x",)]
    assert rows(db, "SELECT count(*) FROM seatings WHERE rules LIKE '%pidro%'")[0][0] > 1
    ((check, row),) = {(problem.check, problem.row) for problem in verify(db).problems}
    assert (check, row) == ("unreadable", "pidro-5-1-2")


DAMAGE: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: path.unlink(),
    "of junk": lambda path: path.write_bytes(b"junk" * (path.stat().st_size // 4)),
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:-9]),
}


@DAMAGED
@pytest.mark.parametrize(
    "damage",
    [{"hands": "of junk", "ids": "missing"}, {"imports": "cut off", "rejects": "missing"}],
    ids=" ".join,
)
def test_damaged_files_are_made_again(
    lake: Storage, a: Path, b: Path, damage: dict[str, str]
) -> None:
    before, files = content(lake), Lake(lake).all_files(Lake(lake).opened())
    paths = {table: Path(lake.root, files[table][0].name) for table in sorted(damage)}
    for table, kind in damage.items():
        DAMAGE[kind](paths[table])
    report = rebuild(a, b, db=str(lake), on="here")
    assert report.unreadable == [f"{lake}/{table}/{path.name}" for table, path in paths.items()]
    assert (report.hands, report.lost, report.complete) == (total(), 0, False)
    assert report.knows_all_logs == ("imports" not in damage)
    assert content(lake) == before
    assert verify(str(lake), everything=True, on="here").problems == ()


@DAMAGED
def test_what_is_damaged_and_in_no_log_is_lost(lake: Storage, b: Path) -> None:
    b.unlink()
    files = Lake(lake).files(Lake(lake).opened(), "hands")
    file = max(files, key=lambda each: each.low["import_id"])
    Path(lake.root, "hands", file.path).write_bytes(b"junk")
    report = rebuild(db=str(lake), on="here")
    assert (report.lost, report.hands) == (file.rows, total() - file.rows)
    assert verify(str(lake), everything=True, on="here").problems == ()


def test_a_lake_of_the_version_before_is_made_again_with_what_no_log_has(
    lake: Storage, db: Path, b: Path, monkeypatch: pytest.MonkeyPatch
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
    for asked in (lambda: rows(lake, HANDS), lambda: load(b, db=str(lake), on="here")):
        with pytest.raises(WarehouseError, match="tricklog db rebuild"):
            asked()
    report = rebuild(db=str(lake), on="here")
    assert (report.kept, report.after) == (len(pidro()), content(lake))
    assert content(lake) == content(db)


# --- What ends it
@pytest.mark.thorough("a disk that fills up is in the first tier")
def test_an_unread_log_is_an_error(
    dbs: list[str], a: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, opened = [warehouse_at(db).current() for db in dbs], LocalPath.open

    def failing(path: LocalPath, start: int = 0) -> object:
        if path.path.name == a.name:
            raise OSError(errno.EIO, "Input/output error")
        return opened(path, start)

    monkeypatch.setattr(LocalPath, "open", failing)
    for db in dbs:
        with pytest.raises(StorageError, match="Nothing was published"):
            rebuild(db=db, on=where(db))
    assert [warehouse_at(db).current() for db in dbs] == before
    assert not list(storage_of(dbs[1]).list(STAGING))


@pytest.mark.parametrize("redo", [rebuild, reaudit])
def test_a_disk_that_fills_up_on_the_way_is_reported_of_the_warehouse(
    db: Path, monkeypatch: pytest.MonkeyPatch, redo: Callable[..., object]
) -> None:
    def full(path: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    before = content(db)
    monkeypatch.setattr(disk, "flush", full)
    with pytest.raises(StorageError) as raised:
        redo(db=db)
    assert str(raised.value) == (
        f"{db} could not be written: No space left on device. Nothing was published, the warehouse "
        f"is as it was. Free at least as much space as {current_snapshot(db)} takes, then do the "
        "same again."
    )
    assert content(db) == before
    assert not (db / publishing.SCRATCH).exists()
