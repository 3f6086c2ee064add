"""What users write in a file of their own, which no load touches: views, answers, notes, tags."""

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.kit.dashboard_logs import NASTY
from tests.kit.log_lines import generated, write_hands
from tests.kit.made_once import once
from tests.kit.stored import content, snapshot_of
from tests.kit.tiers import scaled, some
from tests.kit.waiting import meanwhile
from tricklog import Filters, ingest
from tricklog.ingest.facts.files import open_facts, open_scope_of
from tricklog.ingest.metrics import METRIC, dimensions_of, listings, measure
from tricklog.ingest.metrics.listings import hashes_behind
from tricklog.ingest.store import marks, userdata
from tricklog.ingest.store.lenses import NOTHING, Lens, lens_of, own_lens
from tricklog.ingest.store.marks import (
    LONGEST_NOTE,
    add_note,
    add_tag,
    as_document,
    change_note,
    remove_note,
    remove_tag,
    take_in,
)
from tricklog.ingest.store.queries import hashes_of, ids_of
from tricklog.ingest.store.scopes import EVERYBODY, PEOPLE, Scope
from tricklog.ingest.store.userdata import (
    Answer,
    UserDataError,
    View,
    answers,
    choose_scope,
    copy_of,
    delete_view,
    forget_answer,
    keep_answer,
    rename_view,
    save_view,
    scopes,
    user_file,
    views,
)
from tricklog.ingest.store.warehouse import WarehouseError, open_snapshot
from tricklog.ingest.upkeep.rebuilding import rebuild
from tricklog.ingest.upkeep.verifying import verify
from tricklog.ingest.warehouses import open_facts as open_seen
from tricklog.schemas.hand import content_hash

QUERY = {"variant": ["Pedro"], "player": ["Ann", "Bo"]}
ANN = Answer("0" * 32, 17, "Ann", "play 8D", "points", 0, 5, hinted=False)
ONE = "1" * 32
TWO = "2" * 32
UNREADABLE = r"user\.sqlite|user-copy"


def names(db: Path) -> list[str]:
    return [view.name for view in views(db)]


def told(db: Path) -> list[tuple[str, str, int | None]]:
    return [(each.who, each.answer, each.loss) for each in answers(db)]


def texts(db: Path) -> list[str]:
    return [each.text for each in marks.marks(db).notes]


# --- What is written comes back
def test_views_come_back_as_saved_are_renamed_deleted_and_listed_by_name(tmp_path: Path) -> None:
    assert views(tmp_path) == []
    saved = save_view(tmp_path, "b", "bids", QUERY)
    assert views(tmp_path) == [saved] == [View(saved.view_id, "b", "bids", QUERY)]
    for name in ("C", "a"):
        save_view(tmp_path, name, "bids", {})
    assert names(tmp_path) == ["a", "b", "C"]
    first, second, _ = views(tmp_path)
    rename_view(tmp_path, first.view_id, "z")
    delete_view(tmp_path, second.view_id)
    delete_view(tmp_path, second.view_id)
    assert names(tmp_path) == ["C", "z"]


def test_the_first_answer_of_each_person_counts_until_it_is_removed(tmp_path: Path) -> None:
    assert answers(tmp_path) == []
    hinted = replace(ANN, who="Cy", loss=None, hinted=True)
    keep_answer(tmp_path, hinted)
    (kept,) = answers(tmp_path)
    assert replace(kept, answered_at="") == hinted
    assert len(kept.answered_at) == len("2026-11-24T02:00:00Z")
    keep_answer(tmp_path, ANN)
    keep_answer(tmp_path, replace(ANN, answer="play JD", loss=3))
    keep_answer(tmp_path, replace(ANN, who="Bo", answer="play JD", loss=3))
    keep_answer(tmp_path, replace(ANN, action=18, answer="play 2D", loss=1))
    others = [("Bo", "play JD", 3), ("Ann", "play 2D", 1)]
    assert told(tmp_path) == [("Cy", "play 8D", None), ("Ann", "play 8D", 0), *others]
    forget_answer(tmp_path, ANN.content_hash, ANN.action, "Ann")
    forget_answer(tmp_path, ANN.content_hash, ANN.action, "Ann")
    keep_answer(tmp_path, replace(ANN, answer="play JD", loss=3))
    assert sorted(told(tmp_path)[1:]) == sorted([("Ann", "play JD", 3), *others])


def test_notes_are_written_changed_and_removed_and_tags_too(tmp_path: Path) -> None:
    assert marks.marks(tmp_path) == marks.Marks()
    add_note(tmp_path, "hand", ONE, "first\r\n\r\n  second  ")
    add_note(tmp_path, "player", "ann", "first")
    first, second = marks.marks(tmp_path).notes
    assert (first.text, second.about, second.subject) == ("first\n\n  second", "player", "ann")
    change_note(tmp_path, first.note_id, first.text, "other")
    assert texts(tmp_path) == ["other", "first"]
    # Nobody writes over what somebody else has changed.
    with pytest.raises(UserDataError, match="in the meantime"):
        change_note(tmp_path, first.note_id, first.text, "by the second")
    assert texts(tmp_path) == ["other", "first"]
    assert remove_note(tmp_path, first.note_id)
    assert not remove_note(tmp_path, first.note_id)
    assert marks.marks(tmp_path).notes_of("player", "ann") == [second]
    # A tag in other capital letters is the same tag.
    assert add_tag(tmp_path, [ONE], " Lesson \n") == 1
    assert add_tag(tmp_path, [ONE, TWO], "LESSON") == 1
    assert marks.marks(tmp_path).tags == ((ONE, "Lesson"), (TWO, "Lesson"))
    assert remove_tag(tmp_path, [ONE, "3" * 32], "lesson") == 1
    assert marks.marks(tmp_path).tags_of(TWO) == ["Lesson"]


def test_hostile_text_is_kept_as_it_is_but_for_signs_that_turn_text(tmp_path: Path) -> None:
    shown = NASTY.replace("\u202e", "")
    save_view(tmp_path, f"  {NASTY}\n\x07 ", "bids", {})
    keep_answer(tmp_path, replace(ANN, who=f" {NASTY}\n"))
    add_note(tmp_path, "player", NASTY, f"{NASTY}\n\x1b[2J")
    (kept,), (note,) = answers(tmp_path), marks.marks(tmp_path).notes
    assert (names(tmp_path), kept.who) == ([shown], shown)
    assert (note.subject, note.text) == (NASTY, f"{shown}\n[2J")
    # A name is kept once.
    with pytest.raises(UserDataError, match="already"):
        save_view(tmp_path, NASTY, "capture", {})
    other = save_view(tmp_path, "other", "capture", {})
    with pytest.raises(UserDataError, match="already"):
        rename_view(tmp_path, other.view_id, NASTY)
    assert len(names(tmp_path)) == 2


def test_what_is_empty_or_too_long_is_refused(tmp_path: Path) -> None:
    empty = ("", " \n\t ", "\u202e")
    for name in (*empty, "x" * 81):
        with pytest.raises(UserDataError, match="name"):
            save_view(tmp_path, name, "bids", {})
    for text in (*empty, "x" * (LONGEST_NOTE + 1), "x" * 1_000_000):
        with pytest.raises(UserDataError, match="note"):
            add_note(tmp_path, "hand", ONE, text)
    for tag in (*empty, "x" * 41):
        with pytest.raises(UserDataError, match="tag"):
            add_tag(tmp_path, [ONE], tag)
    with pytest.raises(UserDataError, match="80 characters"):
        keep_answer(tmp_path, replace(ANN, who="x" * 81))
    assert not user_file(tmp_path).exists()


def test_people_who_write_at_once_lose_nothing(tmp_path: Path) -> None:
    ready = threading.Barrier(4)

    def write(who: int) -> None:
        ready.wait()
        for number in range(5):
            save_view(tmp_path, f"{who} {number}", "bids", {})
            add_note(tmp_path, "hand", ONE, f"{who} {number}")
            add_tag(tmp_path, [f"{who}{number}".ljust(32, "0")], "same")

    with meanwhile(*(partial(write, who) for who in range(4))):
        pass
    found = marks.marks(tmp_path)
    assert (len(views(tmp_path)), len(found.notes), found.by_tag()) == (20, 20, {"same": 20})


LINES = st.text(min_size=1, max_size=20)


@settings(max_examples=scaled(20))
@given(
    st.dictionaries(st.text("0123456789abcdef", min_size=32, max_size=32), st.lists(LINES)),
    st.lists(st.tuples(st.sampled_from(["hand", "player"]), LINES, LINES, st.just("2026"))),
)
def test_a_document_brings_everything_to_another_warehouse_once(
    tmp_path_factory: pytest.TempPathFactory, tags: dict[str, list[str]], notes: list[Any]
) -> None:
    first, second = (tmp_path_factory.mktemp("marks") for _ in range(2))
    try:
        take_in(first, tags, notes)
    except UserDataError:
        assert marks.marks(first) == marks.Marks()
        return
    document = as_document(marks.marks(first))
    again: list[Any] = [tuple(each.values()) for each in document["notes"]]
    take_in(second, document["tags"], again)
    assert as_document(marks.marks(second)) == document
    assert take_in(second, document["tags"], again) == (0, 0)


def test_what_users_write_survives_loads_and_rebuilds_and_is_no_content(tmp_path: Path) -> None:
    hands, db = generated("pedro", games=1), tmp_path / "db"
    log = write_hands(tmp_path / "log.jsonl", hands[:4])
    ingest.load(log, db=db)
    first, stored = content_hash(hands[0]), content(db)
    save_view(db, "kept", "bids", QUERY)
    keep_answer(db, replace(ANN, content_hash=first))
    add_tag(db, [first], "kept")
    add_note(db, "hand", first, "kept")
    before = views(db), answers(db), marks.marks(db)
    assert content(db) == stored
    rebuild(log, db=db)
    ingest.load(write_hands(log, hands), db=db)
    assert (views(db), answers(db), marks.marks(db)) == before
    with open_seen(db) as facts:
        assert measure(facts, "hands", (), Filters.of({"tag": "kept"}))["n"].item() == 1


# --- Files that cannot be used
def test_a_place_for_reading_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = tmp_path / "no such folder"
    assert views(missing) == []
    with pytest.raises(UserDataError, match="folder that can be written to"):
        save_view(missing, "a", "bids", {})
    save_view(tmp_path, "kept", "bids", {})
    connect = userdata._connect
    monkeypatch.setattr(userdata, "_connect", lambda path, _: connect(path, "ro"))
    with pytest.raises(UserDataError, match="readonly"):
        save_view(tmp_path, "a", "bids", {})
    assert names(tmp_path) == ["kept"]


def test_a_damaged_file_is_said_so_and_one_that_was_only_begun_is_empty(tmp_path: Path) -> None:
    user_file(tmp_path).write_bytes(b"not a database, whatever its name says" * 40)
    with pytest.raises(UserDataError, match="undamaged file"):
        views(tmp_path)
    user_file(tmp_path).write_bytes(b"")
    assert views(tmp_path) == []
    save_view(tmp_path, "first", "bids", {})
    assert names(tmp_path) == ["first"]


def test_a_change_of_any_view_is_noticed_and_the_copy_put_in_its_place(tmp_path: Path) -> None:
    db = tmp_path / "db"
    ingest.load(write_hands(tmp_path / "log.jsonl", generated("pedro", games=1)[:1]), db=db)
    for name in ("kept", "other"):
        save_view(db, name, "bids", QUERY)
    path = user_file(db)
    whole = path.read_bytes()
    # A letter of a name, which SQLite cannot know to be another one; a file cut off to nothing.
    for damaged in (whole.replace(b"kept", b"kapt"), b"", whole[:5000], b"junk" * 99):
        path.write_bytes(damaged)
        with pytest.raises(UserDataError, match=r"user\.sqlite"):
            views(db)
        with pytest.raises(UserDataError, match=r"user\.sqlite"):
            save_view(db, "more", "bids", {})
        assert userdata.FILE_NAME in userdata.damage(db)
    for damaged in some([whole[:5000], b"junk" * 99], 1):
        path.write_bytes(damaged)
        report = rebuild(db=db)
        assert "its copy with 2 views is in its place" in report.views
        assert names(db) == ["kept", "other"]
        assert (db / "user.sqlite.damaged").read_bytes() == damaged
        assert verify(db).problems == ()


def test_a_change_of_an_answer_or_a_tag_gives_way_to_the_copy(tmp_path: Path) -> None:
    keep_answer(tmp_path, ANN)
    add_tag(tmp_path, [ONE], "lesson")
    path = user_file(tmp_path)
    for old, new in ((b"play 8D", b"play 9D"), (b"lesson", b"lessen")):
        path.write_bytes(path.read_bytes().replace(old, new))
        with pytest.raises(UserDataError, match="damaged"):
            keep_answer(tmp_path, replace(ANN, who="Bo"))
        assert told(tmp_path) == [("Ann", "play 8D", 0)]
        assert marks.marks(tmp_path).by_tag() == {"lesson": 1}
        assert "damaged" in userdata.damage(tmp_path)
        assert "its copy" in userdata.mend(tmp_path)
        assert told(tmp_path) == [("Ann", "play 8D", 0)]
    for each in (path, copy_of(path)):
        each.write_bytes(b"junk" * 99)
    for read in (answers, lens_of):
        with pytest.raises(UserDataError, match=UNREADABLE):
            read(tmp_path)
    with pytest.raises(WarehouseError, match="by tag"):
        own_lens(tmp_path)
    # A damaged copy is never put in the place of anything.
    assert "its copy cannot take its place" in userdata.mend(tmp_path)
    assert path.read_bytes() == b"junk" * 99


def test_any_other_byte_in_the_tables_ends_in_a_sentence(tmp_path: Path) -> None:
    save_view(tmp_path, "kept", "bids", QUERY)
    path = user_file(tmp_path)
    whole = path.read_bytes()
    refusals = []
    places = range(whole.index(b"CREATE TABLE"), 4096)
    for place in some(places, 150):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x80]) + whole[place + 1 :])
        try:
            assert names(tmp_path) == ["kept"]
        except UserDataError as error:
            refusals.append(str(error))
    assert len(refusals) > 10
    assert all(str(path) in refusal for refusal in refusals)


def test_a_file_that_is_lost_is_read_from_its_copy_and_made_again(tmp_path: Path) -> None:
    save_view(tmp_path, "kept", "bids", QUERY)
    user_file(tmp_path).unlink()
    assert names(tmp_path) == ["kept"]
    save_view(tmp_path, "more", "bids", QUERY)
    copy_of(user_file(tmp_path)).unlink()
    assert names(tmp_path) == ["kept", "more"]


# --- Files of other versions
EARLIER: dict[int, tuple[str, ...]] = {
    1: ("views",),
    3: ("views", "scopes"),
    4: ("views", "scopes", "practice"),
}
"""By version, the tables that a file had; the first had no digest of its content."""


@pytest.mark.parametrize("version", EARLIER)
@pytest.mark.parametrize("first", range(4), ids=["view", "answer", "scope", "tag"])
def test_a_file_of_an_earlier_version_takes_all_that_there_is(
    tmp_path: Path, version: int, first: int
) -> None:
    path = user_file(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        for name in EARLIER[version]:
            connection.execute(userdata._TABLES[name].make)
        connection.execute("INSERT INTO views (name, page, query) VALUES ('old', 'bids', '{}')")
        if version > 1:
            connection.execute(userdata._DIGEST)
            digest = userdata._digest_of(connection, version)
            connection.execute("INSERT INTO content VALUES (1, ?)", (digest,))
        connection.execute(f"PRAGMA user_version = {version}")
        connection.commit()
    assert (names(tmp_path), answers(tmp_path), marks.marks(tmp_path)) == (
        ["old"], [], marks.Marks()
    )  # fmt: skip
    assert lens_of(tmp_path) == NOTHING
    writes: list[Callable[[], object]] = [
        lambda: save_view(tmp_path, "new", "bids", QUERY),
        lambda: keep_answer(tmp_path, ANN),
        lambda: choose_scope(tmp_path, PEOPLE),
        lambda: add_tag(tmp_path, [ONE], "new"),
    ]
    for write in writes[first:] + writes[:first]:
        write()
        assert "old" in names(tmp_path)
    assert (names(tmp_path), told(tmp_path)) == (["new", "old"], [("Ann", "play 8D", 0)])
    assert scopes(tmp_path).chosen == PEOPLE
    assert lens_of(tmp_path) == Lens(tags=((ONE, "new"),))
    path.write_bytes(path.read_bytes().replace(b"new", b"now"))
    with pytest.raises(UserDataError, match="damaged"):
        save_view(tmp_path, "more", "bids", {})


def test_a_file_of_another_version_is_left_alone(tmp_path: Path) -> None:
    save_view(tmp_path, "kept", "bids", {})
    path = user_file(tmp_path)
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {userdata.USER_VERSION + 1}")
    before = path.read_bytes()
    for deed in (lambda: views(tmp_path), lambda: save_view(tmp_path, "a", "bids", {})):
        with pytest.raises(UserDataError, match="another version"):
            deed()
    assert path.read_bytes() == before


# --- Tags beside the records
@once()
def stored(folder: Path) -> None:
    """A warehouse of four games, of which some hands are tagged, one of them that is not there."""
    hands = [hand for game in ("pedro", "twenty-nine") for hand in generated(game, games=2)]
    ingest.load(write_hands(folder / "log.jsonl", hands), db=folder / "db")
    for tag, step, others in (("even", 2, []), ("third", 3, [ONE])):
        add_tag(folder / "db", [*map(content_hash, hands[::step]), *others], tag)
        write_hands(folder / f"{tag}.jsonl", hands[::step])
    add_tag(folder / "db", ["no hash of any hand"], "lost")


_NEED_OTHERS = ("findings",)
_SOLVED = ("study_facts", "decision_facts", "judged_facts", "luck_facts", "par_facts")


@pytest.mark.parametrize(
    "tag",
    [pytest.param("even", marks=pytest.mark.thorough("the other tag is asked alike")), "third"],
)
def test_figures_of_a_tag_are_those_of_its_hands(stored: Path, tmp_path: Path, tag: str) -> None:
    ingest.load(stored / f"{tag}.jsonl", db=tmp_path)
    lens, scope = lens_of(stored / "db"), Scope(variants=("pedro", "twenty-nine"))
    tagged = Filters.of({"tag": tag})
    with (
        open_facts(tmp_path) as alone,
        open_seen(stored / "db") as whole,
        open_scope_of(snapshot_of(stored / "db"), scope, lens=lens) as scoped,
    ):
        # Whose hands count is decided below figures.
        for metric in some(list(METRIC.values()), 9):
            if "tag" not in {each.name for each in dimensions_of(metric)} or metric.source:
                continue
            if metric.name in _NEED_OTHERS or metric.grain in _SOLVED:
                continue
            expected = measure(alone, metric.name, ("variant", "player"))
            for facts in (whole, scoped):
                found = measure(facts, metric.name, ("variant", "player"), tagged)
                assert_frame_equal(found, expected, check_row_order=False)
                grouped = measure(facts, metric.name, ("tag", "variant", "player"))
                of_tag = grouped.filter(grouped["tag"] == tag).drop("tag")
                assert_frame_equal(of_tag, expected, check_row_order=False)


def test_hands_are_found_by_tag_and_have_a_column_of_them(stored: Path) -> None:
    with open_seen(stored / "db") as facts:
        both = Filters.of({"tag": ("third",)})
        rows = listings.hand_list(facts, both, limit=1_000)
        assert {tag for each in rows["tags"].to_list() for tag in each} == {"even", "third"}
        hashes = hashes_behind(facts, both)
        assert len(hashes) == len(rows)
    with open_snapshot(stored / "db") as tables:
        ids = ids_of(tables, [*hashes, ONE, "junk"])
        assert sorted(ids.values()) == sorted(rows["hand_id"].to_list())
        assert hashes_of(tables, [*ids.values(), "nobody"]) == {ids[each]: each for each in ids}


def test_without_a_tag_facts_are_opened_as_ever(small_warehouse: Path) -> None:
    snapshot = snapshot_of(small_warehouse)
    assert lens_of(small_warehouse) == NOTHING
    with open_seen(small_warehouse) as facts, open_scope_of(snapshot, EVERYBODY) as scoped:
        for each in (facts, scoped):
            assert measure(each, "hands", ("tag",)).is_empty()
