"""Forgetting a player in a warehouse of one machine: nothing of them is left, and nothing lost."""

import shutil
import time
from pathlib import Path

import msgspec
import pytest

from tests.kit.change_points import Forget, forgets
from tests.kit.forgotten_club import NAME, NICK, OTHER, SHARED, WHO, left_in, load_club, rows_of
from tests.kit.made_once import made_once
from tests.kit.name_search import searched
from tests.kit.publish_points import Point, applied, watched
from tests.kit.solved import ANY_TIME
from tests.kit.tiers import is_thorough, some
from tricklog import BusyError, ingest, open_facts
from tricklog.ingest.facts import files
from tricklog.ingest.following import heartbeat
from tricklog.ingest.forgetting import forget, runs
from tricklog.ingest.forgetting.whom import AlreadyForgottenError, UnknownPlayerError
from tricklog.ingest.metrics import dimensions_of, measure
from tricklog.ingest.reading.forgotten import ForgottenList
from tricklog.ingest.store import forgotten as lists
from tricklog.ingest.store import publishing
from tricklog.ingest.store.forgotten import UnfinishedError
from tricklog.ingest.store.warehouse import checksum, open_snapshot
from tricklog.ingest.upkeep.rebuilding import rebuild
from tricklog.ingest.upkeep.verifying import verify

NEW = "forgotten-1"


def one_list() -> ForgottenList:
    return ForgottenList(key="07" * 32)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The club before anybody was forgotten, and after, in ``db`` and ``after``.

    The key is always the same.
    """

    def make(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(files, "WORTH_MAKING", 1)
            patch.setattr(runs, "new_list", one_list)
            load_club(folder, count=60 if is_thorough() else 20)
            shutil.copytree(folder / "db", folder / "after")
            done = forget(WHO, db=folder / "after", also=[NICK])
        assert searched(folder / "after", WHO, NAME, NICK).is_clean
        assert done.ids == {WHO: NEW}
        assert done.hands > done.sat > 0

    return made_once(tmp_path_factory, "club", make)


def sum_of(db: Path) -> str:
    with open_snapshot(db) as tables:
        return checksum(tables)


def test_nothing_is_left_in_any_file_or_column(club: Path) -> None:
    words = (WHO, NAME, NAME.split()[1], NICK)
    assert left_in(club / "db", *words)
    assert left_in(club / "after", *words) == []


def test_every_figure_is_as_before_under_the_new_id(club: Path) -> None:
    with open_facts(club / "db") as before, open_facts(club / "after") as after:
        for metric in some(ANY_TIME, 4):
            for by in (("variant", "player"), ("variant", "partner")):
                if not {*by} <= {each.name for each in dimensions_of(metric)}:
                    continue
                old, new = (
                    measure(facts, metric, by=list(by), minimum=1) for facts in (before, after)
                )
                renamed = [
                    tuple(NEW if value == WHO else value for value in row) for row in rows_of(old)
                ]
                assert sorted(renamed, key=repr) == rows_of(new), (metric.name, by)


def test_the_warehouse_is_in_order_and_equals_one_that_was_loaded_with_the_list(
    club: Path, tmp_path: Path
) -> None:
    assert verify(club / "after", everything=is_thorough()).problems == ()
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    shutil.copy(club / "after" / lists.FILE, fresh)
    for path in sorted((club / "logs").rglob("*.jsonl")):
        ingest.load(path, db=fresh)
    assert sum_of(fresh) == sum_of(club / "after")
    assert left_in(fresh, WHO, NAME, NICK) == []


def test_a_rebuild_from_logs_does_not_bring_the_name_back(club: Path, tmp_path: Path) -> None:
    db = shutil.copytree(club / "after", tmp_path / "db")
    before = sum_of(db)
    told = rebuild(club / "logs", db=db)
    assert told.equal
    assert told.lost == 0
    assert sum_of(db) == before
    assert left_in(db, WHO, NAME, NICK) == []


def test_whoever_has_the_same_name_keeps_it(club: Path) -> None:
    with open_snapshot(club / "after") as tables:
        names = dict(tables.execute("SELECT player, name FROM players").fetchall())
        notes = tables.execute("SELECT tail FROM hands WHERE tail LIKE '%laughed%'").fetchall()
    assert names[OTHER] == SHARED
    assert names[NEW] == NEW
    assert any(f"{NEW} sighed, {SHARED} laughed" in tail for (tail,) in notes)


def test_two_who_are_forgotten_stay_two(club: Path, tmp_path: Path) -> None:
    db = shutil.copytree(club / "after", tmp_path / "db")
    done = forget(OTHER, db=db)
    assert done.ids == {OTHER: "forgotten-2"}
    assert searched(db, WHO, NAME, OTHER, SHARED).is_clean
    assert left_in(db, WHO, NAME, f"'{OTHER}'", f"'{SHARED}'") == []
    assert ingest.load(club / "logs", db=db).accepted == 0


def test_facts_are_made_again_and_those_of_older_states_go(club: Path) -> None:
    assert len(list((club / "db").glob("facts-*.duckdb"))) == 2
    (kept,) = (club / "after").glob("facts-*.duckdb")
    assert left_in(kept.parent, WHO, NAME, NICK) == []
    assert [path.name for path in (club / "after").glob("games-*")] == [
        path.name.replace("facts", "games") for path in (club / "after").glob("facts-*")
    ]


UNFINISHED = (Forget.LISTED, Forget.PUBLISHED, Forget.OLD_BLOCKS_REMOVED)
"""Points at which the list says that somebody is still to be forgotten."""
STOPPED_AT = (
    (*Forget, Point.NAMED, Point.POINTER_REPLACED) if is_thorough() else (*UNFINISHED, Point.NAMED)
)
"""A draft that is killed before it has its name is thrown away wherever that was."""
DONE_AGAIN = STOPPED_AT if is_thorough() else (Forget.PUBLISHED, Point.NAMED)


@pytest.mark.slow("at each point somebody is forgotten once more")
def test_killed_anywhere_it_is_finished_by_doing_it_again(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill leaves the files as they are at that point: they are copied then."""
    monkeypatch.setattr(runs, "new_list", one_list)
    db = shutil.copytree(club / "db", tmp_path / "db")

    def copy(at: str) -> None:
        if at in STOPPED_AT and not (tmp_path / at).exists():
            shutil.copytree(db, tmp_path / at)

    with applied([*forgets(copy), *watched(copy)]):
        forget(WHO, db=db, also=[NICK])
    whole = sum_of(club / "after")
    unfinished = set()
    for point in STOPPED_AT:
        stopped = tmp_path / point
        listed = lists.read(stopped)
        if listed and listed.unfinished:
            unfinished.add(point)
            with pytest.raises(UnfinishedError):
                ingest.load(club / "logs", db=stopped)
        if point not in DONE_AGAIN:
            continue
        forget(WHO, db=stopped, also=[NICK])
        assert searched(stopped, WHO, NAME, NICK).is_clean, point
        assert sum_of(stopped) == whole, point
        assert left_in(stopped, WHO, NAME, NICK) == [], point
        if is_thorough():
            assert verify(stopped).problems == (), point
            assert ingest.load(club / "logs", db=stopped).accepted == 0, point
    assert unfinished >= {*UNFINISHED}


def test_files_that_are_not_of_the_warehouse_stay(club: Path, tmp_path: Path) -> None:
    db = shutil.copytree(club / "db", tmp_path / "db")
    (db / "about.txt").write_text(f"A word about\n{NAME}\n")
    (db / "recorded").mkdir()
    shutil.copy(club / "logs" / "first.jsonl", db / "recorded")
    forget(WHO, db=db, also=[NICK])
    found = searched(db, WHO, NAME, NICK)
    assert not found.is_clean
    assert [(place.file, place.where) for place in found.places] == [("about.txt", "line 2")]
    assert found.logs == ["recorded/first.jsonl"]
    (db / "about.txt").unlink()
    assert searched(db, WHO, NAME, NICK).is_clean


def test_a_dry_run_changes_nothing(club: Path, tmp_path: Path) -> None:
    db = shutil.copytree(club / "db", tmp_path / "db")
    before = {path.name: path.read_bytes() for path in db.iterdir() if path.is_file()}
    told = forget(WHO, db=db, dry_run=True)
    assert told.hands > 0
    assert {path.name: path.read_bytes() for path in db.iterdir() if path.is_file()} == before


def test_nobody_is_forgotten_by_mistake(club: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownPlayerError, match="did you mean"):
        forget("ann-8", db=club / "db")
    with pytest.raises(UnknownPlayerError, match=f"not an id. Forget {WHO}"):
        forget(NAME, db=club / "db")
    db = shutil.copytree(club / "db", tmp_path / "db")
    with publishing.writing(db, wait=0), pytest.raises(BusyError):
        forget(WHO, db=db, wait=0)


def test_a_follower_at_work_is_not_forgotten_under(club: Path, tmp_path: Path) -> None:
    db = shutil.copytree(club / "db", tmp_path / "db")
    now = time.time()
    told = heartbeat.Following(
        ["logs"], None, 3.0, "host", 7, now, now, None, files=1, hands=0, rejects=0, waiting=0
    )
    heartbeat.Heart(db).beat(told)
    with pytest.raises(BusyError, match="Process 7 on host follows logs"):
        forget(WHO, db=db)
    assert lists.read(db) is None


def test_logs_loaded_again_bring_nothing_and_a_list_that_is_damaged_gives_way_to_its_copy(
    club: Path, tmp_path: Path
) -> None:
    db = shutil.copytree(club / "after", tmp_path / "db")
    before = (db / lists.FILE).read_bytes(), sum_of(db)
    for dry_run in (True, False):
        with pytest.raises(AlreadyForgottenError, match=f"{NEW} stands for somebody"):
            forget(NEW, db=db, dry_run=dry_run)
    assert ((db / lists.FILE).read_bytes(), sum_of(db)) == before
    (db / lists.FILE).write_bytes(b"rubbish\n\n")
    if is_thorough():
        assert "damaged" in verify(db).problems[0].message
    again = ingest.load(club / "logs", db=db)
    assert (again.accepted, again.published) == (0, False)
    assert again.forgotten > 0
    assert sum_of(db) == before[1]
    (db / lists.COPY).write_bytes(b"rubbish\n\n")
    with pytest.raises(ingest.WarehouseError, match="bring their names back"):
        ingest.load(club / "logs", db=db)


def test_the_list_holds_no_name(club: Path) -> None:
    listed = lists.read(club / "after")
    assert listed
    assert len(listed.players) == 1
    text = msgspec.json.encode(listed)
    assert not any(word.encode() in text for word in (WHO, NAME, NICK))
