"""Forgetting a player in a lake: what it does to a folder, and nothing is left in any old file."""

import shutil
from pathlib import Path

import pytest

from tests.forgetting.test_forget_folder import one_list
from tests.kit.change_points import Forget, forgets
from tests.kit.forgotten_club import NAME, NICK, WHO, left_in, load_club, write_logs
from tests.kit.made_once import made_once
from tests.kit.name_search import searched
from tests.kit.publish_points import applied
from tests.kit.tiers import is_thorough
from tricklog import ingest
from tricklog.ingest.forgetting import forget, report
from tricklog.ingest.forgetting.whom import AlreadyForgottenError
from tricklog.ingest.lake import reading
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.store import forgotten as lists
from tricklog.ingest.store import marks
from tricklog.ingest.store.forgotten import UnfinishedError
from tricklog.ingest.store.queries import hashes_of
from tricklog.ingest.store.warehouse import checksum, open_snapshot
from tricklog.ingest.upkeep.rebuilding import rebuild
from tricklog.ingest.upkeep.verifying import verify

COUNT = 14
KILLED_AT = (Forget.LISTED, Forget.PUBLISHED, Forget.OLD_BLOCKS_REMOVED)


def sum_of(lake: Path) -> str:
    opened = Lake(storage_of(f"lake:{lake}"))
    with reading.open_tables(opened, opened.opened()) as tables:
        return checksum(tables)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The club in a lake, loaded log by log, before and after; and what a folder comes to."""
    return made_once(tmp_path_factory, "lake", make_club)


def make_club(folder: Path) -> None:
    """Make them, and what a kill leaves at each point: copies of the files as they are then."""
    lake, after = folder / "lake", folder / "after"

    def copy(point: Forget) -> None:
        if point in KILLED_AT:
            shutil.copytree(after, folder / point.name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report, "new_list", one_list)
        load_club(folder, COUNT)
        forget(WHO, db=folder / "db", also=[NICK])
        logs = write_logs(folder, COUNT)
        for paths in [[path] for path in logs] if is_thorough() else [logs]:
            ingest.load(*paths, db=f"lake:{lake}", on="here")
        marks.add_tag(lake, [content_of_a_hand(lake)], "lesson")
        shutil.copytree(lake, after)
        with applied(forgets(copy) if is_thorough() else ()):
            done = forget(WHO, db=f"lake:{after}", also=[NICK])
    assert searched(after, WHO, NAME, NICK).is_clean
    assert done.removed > 0


def content_of_a_hand(lake: Path) -> str:
    """The hash of the content of a hand in which they sit."""
    opened = Lake(storage_of(f"lake:{lake}"))
    with reading.open_tables(opened, opened.opened()) as tables:
        ((hand,), *_) = tables.execute(
            "SELECT hand_id FROM hands JOIN seatings USING (seating_id) "
            "WHERE list_contains([each.id FOR each IN players], ?) ORDER BY hand_id",
            [WHO],
        ).fetchall()
        return hashes_of(tables, [hand])[str(hand)]


def test_a_lake_comes_to_what_a_folder_does_and_nothing_is_left(club: Path) -> None:
    with open_snapshot(club / "db") as tables:
        assert sum_of(club / "after") == checksum(tables)
    words = (WHO, NAME, NICK)
    assert left_in(club / "lake", *words)
    assert left_in(club / "after", *words) == []
    if is_thorough():
        assert verify(f"lake:{club / 'after'}", on="here").problems == ()


@pytest.mark.thorough("a folder in the first tier; what a lake does is one code with other loads")
def test_loads_and_rebuilds_do_not_bring_the_name_back(club: Path, tmp_path: Path) -> None:
    lake = shutil.copytree(club / "after", tmp_path / "lake")
    before = sum_of(lake)
    with pytest.raises(AlreadyForgottenError):
        forget("forgotten-1", db=f"lake:{lake}")
    again = ingest.load(club / "logs", db=f"lake:{lake}", on="here")
    assert (again.accepted, again.published) == (0, False)
    assert again.forgotten > 0
    (lake / lists.COPY).write_bytes(b"junk")
    assert "damaged" in verify(f"lake:{lake}", on="here").problems[0].message
    (lake / lists.COPY).write_bytes((lake / lists.FILE).read_bytes())
    told = rebuild(club / "logs", db=f"lake:{lake}", on="here")
    assert told.equal
    assert sum_of(lake) == before
    assert left_in(lake, WHO, NAME, NICK) == []


@pytest.mark.thorough("forgetting is killed in a folder, a publish in a lake, in the first tier")
@pytest.mark.parametrize("point", KILLED_AT)
def test_killed_it_is_finished_by_doing_it_again(club: Path, tmp_path: Path, point: Forget) -> None:
    lake = shutil.copytree(club / point.name, tmp_path / "lake")
    # A kill leaves the files as they were then, and holds the lake until its lease is over.
    held = Lake(storage_of(f"lake:{lake}"), forgetting=True)
    held.begin("test", take_over=True).release()
    with pytest.raises(UnfinishedError):
        ingest.load(club / "logs", db=f"lake:{lake}", on="here")
    forget(WHO, db=f"lake:{lake}", also=[NICK])
    assert searched(lake, WHO, NAME, NICK).is_clean
    assert sum_of(lake) == sum_of(club / "after")
    assert left_in(lake, WHO, NAME, NICK) == []
    ((tagged, _),) = marks.marks(lake).tags
    assert tagged != content_of_a_hand(club / "lake")


@pytest.mark.thorough("an object store")
def test_on_an_object_store_nothing_is_left_in_any_file(
    s3_prefix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    logs = write_logs(tmp_path, COUNT)
    ingest.load(*logs, db=s3_prefix, on="here")
    forget(WHO, db=s3_prefix, also=[NICK])
    storage = storage_of(s3_prefix)
    for entry in storage.list():
        place = tmp_path / "fetched" / entry.name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(storage.read(entry.name))
    assert left_in(tmp_path / "fetched", WHO, NAME, NICK) == []
    assert searched(tmp_path / "fetched", WHO, NAME, NICK).is_clean
    again = ingest.load(*logs, db=s3_prefix, on="here")
    assert (again.accepted, again.published) == (0, False)
    assert again.forgotten > 0
