"""Forgetting a player: nothing of them is left in a folder or a lake, and nothing lost."""

import shutil
import sqlite3
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.kit.change_points import Forget, forgets
from tests.kit.forgotten_club import (
    NAME,
    NICK,
    OTHER,
    SHARED,
    WHO,
    first_hand,
    load_club,
    named_in,
    records,
    rows_of,
    whole,
    write_evening,
    write_logs,
)
from tests.kit.log_lines import write_lines
from tests.kit.made_once import made_once, once
from tests.kit.publish_points import Point, applied, watched
from tests.kit.solved import ANY_TIME, solve_all
from tests.kit.stored import content, rows, where
from tests.kit.tiers import is_thorough, scaled, some
from tricklog import BusyError, Player, ingest, open_facts
from tricklog.ingest.facts import files, kept
from tricklog.ingest.following import heartbeat
from tricklog.ingest.forgetting import forget, runs
from tricklog.ingest.forgetting.whom import AlreadyForgottenError, UnknownPlayerError
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.metrics import dimensions_of, measure
from tricklog.ingest.reading.forgotten import ForgottenList
from tricklog.ingest.recording import keeping
from tricklog.ingest.store import forgotten as lists
from tricklog.ingest.store import marks, publishing, scopes, userdata
from tricklog.ingest.store.aliases import add_alias, aliases
from tricklog.ingest.store.forgotten import UnfinishedError
from tricklog.ingest.store.userdata import Answer
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.ingest.study.homes import troubles
from tricklog.ingest.upkeep.rebuilding import rebuild
from tricklog.ingest.upkeep.verifying import verify

NEW = "forgotten-1"
WORDS = (WHO, NAME, NICK)
LAKE = pytest.mark.thorough("a folder in the first tier; a publish of a lake is killed there")


def one_list() -> ForgottenList:
    return ForgottenList(key="07" * 32)


@once()
def club(folder: Path) -> None:
    """The club before anybody was forgotten, and after, in ``db`` and ``after``.

    The key is always the same.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "WORTH_MAKING", 1)
        patch.setattr(runs, "new_list", one_list)
        load_club(folder, count=60 if is_thorough() else 20)
        shutil.copytree(folder / "db", folder / "after")
        done = forget(WHO, db=folder / "after", also=[NICK])
    assert done.ids == {WHO: NEW}
    assert done.hands > done.sat > 0


@pytest.fixture(scope="module")
def lakes(club: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same in lakes, loaded log by log in the thorough tier."""

    def make(folder: Path) -> None:
        logs = sorted((club / "logs").rglob("*.jsonl"))
        for paths in [[path] for path in logs] if is_thorough() else [logs]:
            ingest.load(*paths, db=f"lake:{folder / 'db'}", on="here")
        shutil.copytree(folder / "db", folder / "after")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(runs, "new_list", one_list)
            done = forget(WHO, db=f"lake:{folder / 'after'}", also=[NICK])
        assert done.removed > 0

    return made_once(tmp_path_factory, "lakes", make)


@pytest.fixture
def copied(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A copy of the club ``before`` or ``after`` in a folder or a lake, in the folder ``db``."""
    state, kind = request.param.split()
    whole: Path = request.getfixturevalue("lakes" if kind == "lake" else "club")
    db = shutil.copytree(whole / state, tmp_path / "db")
    return f"lake:{db}" if kind == "lake" else str(db)


def test_nothing_is_left_in_any_file_or_column_and_facts_are_made_again(club: Path) -> None:
    words = (*WORDS, NAME.split()[1])
    assert named_in(club / "db", *words)
    assert named_in(club / "after", *words) == []
    listed = lists.read(club / "after")
    assert listed
    assert len(listed.players) == 1
    assert not any(word.encode() in msgspec.json.encode(listed) for word in WORDS)
    assert len(list((club / "db").glob("facts-*.duckdb"))) == 2
    (kept,) = (club / "after").glob("facts-*.duckdb")
    (games,) = (club / "after").glob("games-*.duckdb")
    assert games.name == kept.name.replace("facts", "games")


def test_a_lake_comes_to_what_a_folder_does_and_nothing_is_left(club: Path, lakes: Path) -> None:
    assert content(lakes / "after") == content(club / "after")
    assert named_in(lakes / "db", *WORDS)
    assert named_in(lakes / "after", *WORDS) == []
    if is_thorough():
        assert verify(f"lake:{lakes / 'after'}", on="here").problems == ()


def test_every_figure_is_as_before_under_the_new_id(club: Path) -> None:
    with open_facts(club / "db") as before, open_facts(club / "after") as after:
        for metric in some(ANY_TIME, 4):
            for by in (("variant", "player"), ("variant", "partner")):
                if not {*by} <= {each.name for each in dimensions_of(metric)}:
                    continue
                old, new = (
                    rows_of(measure(facts, metric, by=list(by), minimum=1))
                    for facts in (before, after)
                )
                renamed = [tuple(NEW if value == WHO else value for value in row) for row in old]
                assert sorted(renamed, key=repr) == new, (metric.name, by)


def test_it_is_in_order_and_equals_one_loaded_with_the_list(club: Path, tmp_path: Path) -> None:
    assert verify(club / "after", everything=is_thorough()).problems == ()
    shutil.copy(club / "after" / lists.FILE, tmp_path)
    for path in sorted((club / "logs").rglob("*.jsonl")):
        ingest.load(path, db=tmp_path)
    assert content(tmp_path) == content(club / "after")
    assert named_in(tmp_path, *WORDS) == []


@pytest.mark.parametrize(
    "copied", ["after folder", pytest.param("after lake", marks=LAKE)], indirect=True
)
def test_no_load_or_rebuild_brings_the_name_back(club: Path, copied: str, tmp_path: Path) -> None:
    db, on = tmp_path / "db", where(copied)
    before = (db / lists.FILE).read_bytes(), content(copied)
    for dry_run in (True, False):
        with pytest.raises(AlreadyForgottenError, match=f"{NEW} stands for somebody"):
            forget(NEW, db=copied, dry_run=dry_run)
    assert ((db / lists.FILE).read_bytes(), content(copied)) == before
    if is_thorough():
        (db / lists.COPY).write_bytes(b"junk")
        assert "damaged" in verify(copied, on=on).problems[0].message
        (db / lists.COPY).write_bytes(before[0])
    again = ingest.load(club / "logs", db=copied, on=on)
    assert (again.accepted, again.published) == (0, False)
    assert again.forgotten > 0
    told = rebuild(club / "logs", db=copied, on=on)
    assert (told.equal, told.lost, content(copied)) == (True, 0, before[1])
    assert named_in(db, *WORDS) == []


@pytest.mark.parametrize("copied", ["after folder"], indirect=True)
def test_a_damaged_list_gives_way_to_its_copy(club: Path, copied: str, tmp_path: Path) -> None:
    before = content(copied)
    (tmp_path / "db" / lists.FILE).write_bytes(b"rubbish\n\n")
    if is_thorough():
        assert "damaged" in verify(copied).problems[0].message
    again = ingest.load(club / "logs", db=copied)
    assert (again.accepted, again.published) == (0, False)
    assert again.forgotten > 0
    assert content(copied) == before
    (tmp_path / "db" / lists.COPY).write_bytes(b"rubbish\n\n")
    with pytest.raises(ingest.WarehouseError, match="bring their names back"):
        ingest.load(club / "logs", db=copied)


@pytest.mark.parametrize("copied", ["after folder"], indirect=True)
def test_whoever_has_the_same_name_keeps_it_and_two_who_are_forgotten_stay_two(
    club: Path, copied: str, tmp_path: Path
) -> None:
    names = dict(rows(copied, "SELECT player, name FROM players"))
    notes = rows(copied, "SELECT tail FROM hands WHERE tail LIKE '%laughed%'")
    assert (names[OTHER], names[NEW]) == (SHARED, NEW)
    assert any(f"{NEW} sighed, {SHARED} laughed" in tail for (tail,) in notes)
    done = forget(OTHER, db=copied)
    assert done.ids == {OTHER: "forgotten-2"}
    assert named_in(tmp_path / "db", WHO, NAME, whole(OTHER), whole(SHARED)) == []
    assert ingest.load(club / "logs", db=copied).accepted == 0


UNFINISHED = (Forget.LISTED, Forget.PUBLISHED, Forget.OLD_BLOCKS_REMOVED)
"""Points at which the list says that somebody is still to be forgotten."""
STOPPED_AT = (
    (*Forget, Point.NAMED, Point.POINTER_REPLACED) if is_thorough() else (*UNFINISHED, Point.NAMED)
)
"""A draft that is killed before it has its name is thrown away wherever that was."""


@pytest.mark.slow("at each point somebody is forgotten once more")
@pytest.mark.parametrize(
    "copied", ["db folder", pytest.param("db lake", marks=LAKE)], indirect=True
)
def test_killed_anywhere_it_is_finished_by_doing_it_again(
    club: Path, copied: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill leaves the files as they are at that point: they are copied then."""
    monkeypatch.setattr(runs, "new_list", one_list)
    on = where(copied)
    points = UNFINISHED if on else STOPPED_AT
    done_again = points if is_thorough() else (Forget.PUBLISHED, Point.NAMED)
    _, tagged = first_hand(copied, WHO)
    marks.add_tag(tmp_path / "db", [tagged], "lesson")

    def copy(at: str) -> None:
        if at in points and not (tmp_path / at).exists():
            shutil.copytree(tmp_path / "db", tmp_path / at)

    with applied([*forgets(copy), *watched(copy)]):
        forget(WHO, db=copied, also=[NICK])
    unfinished = set()
    for point in points:
        folder = tmp_path / point
        stopped = f"lake:{folder}" if on else str(folder)
        if on:
            # It holds the lake until its lease is over.
            held = Lake(storage_of(stopped), forgetting=True)
            held.begin("test", take_over=True).release()
        listed = lists.read(folder)
        if listed and listed.unfinished:
            unfinished.add(point)
            with pytest.raises(UnfinishedError):
                ingest.load(club / "logs", db=stopped, on=on)
        if point not in done_again:
            continue
        forget(WHO, db=stopped, also=[NICK])
        assert named_in(folder, *WORDS) == [], point
        assert content(stopped) == content(club / "after"), point
        ((tag, _),) = marks.marks(folder).tags
        assert tag != tagged, point
        if is_thorough():
            assert verify(stopped, on=on).problems == (), point
            assert ingest.load(club / "logs", db=stopped, on=on).accepted == 0, point
    assert unfinished >= {*UNFINISHED}


@pytest.mark.parametrize("copied", ["db folder"], indirect=True)
def test_files_that_are_not_of_the_warehouse_stay_and_a_dry_run_changes_nothing(
    club: Path, copied: str, tmp_path: Path
) -> None:
    db = tmp_path / "db"
    before = {path.name: path.read_bytes() for path in db.iterdir() if path.is_file()}
    assert forget(WHO, db=copied, dry_run=True).hands > 0
    assert {path.name: path.read_bytes() for path in db.iterdir() if path.is_file()} == before
    (db / "about.txt").write_text(f"A word about\n{NAME}\n")
    (db / "recorded").mkdir()
    shutil.copy(club / "logs" / "first.jsonl", db / "recorded")
    forget(WHO, db=copied, also=[NICK])
    left = {each.split()[0] for each in named_in(db, *WORDS)}
    assert left == {"about.txt", "first.jsonl"}


@pytest.mark.parametrize("copied", ["db folder"], indirect=True)
def test_nobody_is_forgotten_by_mistake(club: Path, copied: str, tmp_path: Path) -> None:
    with pytest.raises(UnknownPlayerError, match="did you mean"):
        forget("ann-8", db=club / "db")
    with pytest.raises(UnknownPlayerError, match=f"not an id. Forget {WHO}"):
        forget(NAME, db=club / "db")
    db, now = tmp_path / "db", time.time()
    with publishing.writing(db, wait=0), pytest.raises(BusyError):
        forget(WHO, db=copied, wait=0)
    told = heartbeat.Following(
        ["logs"], None, 3.0, "host", 7, now, now, None, files=1, hands=0, rejects=0, waiting=0
    )
    heartbeat.Heart(db).beat(told)
    with pytest.raises(BusyError, match="Process 7 on host follows logs"):
        forget(WHO, db=copied)
    assert lists.read(db) is None


@pytest.mark.thorough("an object store")
def test_on_an_object_store_nothing_is_left_in_any_file(
    s3_prefix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    logs = write_logs(tmp_path, 14)
    ingest.load(*logs, db=s3_prefix, on="here")
    forget(WHO, db=s3_prefix, also=[NICK])
    storage = storage_of(s3_prefix)
    for entry in storage.list():
        place = tmp_path / "fetched" / entry.name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(storage.read(entry.name))
    assert named_in(tmp_path / "fetched", *WORDS) == []
    again = ingest.load(*logs, db=s3_prefix, on="here")
    assert (again.accepted, again.published) == (0, False)
    assert again.forgotten > 0


def write_everything(db: Path, content: str) -> None:
    """Name the player in everything that users can write."""
    marks.add_note(db, "hand", content, f"{NAME} and {NICK} are one")
    marks.add_note(db, "player", WHO, "Passes with the ace of trumps.")
    marks.add_tag(db, [content], f"of {NICK}")
    userdata.save_view(db, f"{NAME} overbids", "players", {
        "player": [WHO], "from": [f"bids?player={WHO}&variant=pedro"], "variant": ["pedro"],
    })  # fmt: skip
    userdata.choose_scope(db, scopes.Scope(people=(WHO, OTHER)))
    userdata.keep_answer(db, Answer(content, 3, NICK, "pass", "points", 0, 0, hinted=False))
    userdata.keep_mapping(db, f"Date;{NAME};Bo", "settings")
    userdata.keep_mapping(db, "Date;Bo", "settings")
    write_evening(db, Player(WHO, name=NAME), Player("bo"))


def test_all_that_users_wrote_names_nobody_and_stays_with_its_hand(tmp_path: Path) -> None:
    db = load_club(tmp_path, count=12)
    hand, content = first_hand(db, WHO)
    write_everything(db, content)
    done = forget(WHO, db=db, also=[NICK])
    assert named_in(db, *WORDS) == []
    _, now = first_hand(db, NEW)
    assert now != content
    found = marks.marks(db)
    assert [(note.about, note.subject, note.text) for note in found.notes] == [
        ("hand", now, f"{NEW} and {NEW} are one")
    ]
    assert found.tags == ((now, f"of {NEW}"),)
    (view,) = userdata.views(db)
    assert (view.name, view.query) == (
        f"{NEW} overbids",
        {"player": [NEW], "from": [f"bids?player={NEW}&variant=pedro"], "variant": ["pedro"]},
    )
    chosen = userdata.scopes(db).chosen
    assert chosen
    assert sorted(chosen.people) == sorted((NEW, OTHER))
    (answer,) = userdata.answers(db)
    assert (answer.content_hash, answer.who) == (now, NEW)
    assert userdata.kept_mapping(db, f"Date;{NAME};Bo") is None
    assert userdata.kept_mapping(db, "Date;Bo")
    kept_evening = keeping.read_file(keeping.evening_file(db, "abc"))
    assert kept_evening
    assert kept_evening.evening.draft.players[0] == Player(NEW)
    assert userdata.damage(db) == ""
    assert done.written.removed_notes == 1
    with sqlite3.connect(db / userdata.FILE_NAME) as connection:
        assert connection.execute("PRAGMA freelist_count").fetchone() == (0,)
    assert hand


def test_ids_that_are_merged_are_forgotten_together_and_stay_merged(tmp_path: Path) -> None:
    db = load_club(tmp_path, count=scaled(12, most=30))
    with open_snapshot(db) as tables:
        seated = {player for (player,) in tables.execute("SELECT player FROM players").fetchall()}
        merged = None
        for other in sorted(seated - {WHO}):
            try:
                add_alias(db, tables, other, WHO)
            except userdata.UserDataError:
                continue
            merged = other
            break
    if merged is None:
        pytest.skip("everybody has sat with everybody")
    done = forget(merged, db=db)
    assert set(done.ids) == {merged, WHO}
    assert aliases(db) == ((done.ids[merged], done.ids[WHO]),)
    assert named_in(db, WHO, NAME) == []


def test_hands_stay_solved_and_every_row_of_it_is_as_before(tmp_path: Path) -> None:
    db = load_club(tmp_path, count=9)
    solve_all(db)
    blocks = {path.name for path in kept.blocks_in(db)}
    before = solved_rows(db)
    done = forget(WHO, db=db)
    assert named_in(db, WHO, NAME) == []
    assert done.blocks == len(blocks) > 0
    assert not blocks & {path.name for path in kept.blocks_in(db)}
    assert list(troubles(db)) == []
    # Hands keep their numbers, so that figures of them, which are counted from these rows, do too.
    assert solved_rows(db) == before
    assert all(before)


def solved_rows(db: Path) -> list[list[tuple[Any, ...]]]:
    with open_facts(db) as facts:
        return [
            facts.execute(f"FROM {table} ORDER BY ALL").fetchall() for table in kept.OPEN.tables
        ]


def test_a_player_called_as_a_game_is_forgotten_and_the_game_is_not(tmp_path: Path) -> None:
    hands = records(count=8)
    for hand in hands:
        hand["players"] = [
            {"id": "pedro", "name": "King"} if player["id"] == WHO else player
            for player in hand["players"]
        ]
        assert hand["rules"]["variant"] == "king-pedro"
    hands[0]["id"] = "king-night-1"
    rival = {**hands[0], "remark": "another hand"}
    lines = [msgspec.json.encode(each) for each in (*hands, rival)]
    lines += [b'{"format":"tricklog/9","rules":{"variant":"king-pedro"},"players":["pedro"]}']
    log, db = write_lines(tmp_path / "king.jsonl", lines), tmp_path / "db"
    ingest.load(log, db=db)
    forget("pedro", db=db)
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    (fresh / "forgotten.json").write_bytes((db / "forgotten.json").read_bytes())
    ingest.load(log, db=fresh)
    for folder in (db, fresh):
        left = named_in(folder, "king", whole("pedro"), but=("king-pedro", "King Pedro"))
        assert [each.split(maxsplit=1)[1] for each in left] == ["rulesets: pedro"]
        assert rows(folder, "SELECT DISTINCT title, family FROM rulesets") == [
            ("King Pedro", "pedro")
        ]
        texts = [text for (text,) in rows(folder, "SELECT decode(text) FROM rejects")]
        assert ['"variant":"king-pedro"' in text for text in texts] == [True, True]
    assert ingest.load(log, db=db).accepted == 0
