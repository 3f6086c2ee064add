"""What users write in a file of their own, which no load touches: views, and answers."""

import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.dashboard_logs import NASTY
from tests.kit.log_lines import generated, write_hands
from tests.kit.tiers import some
from tricklog import Filters, ingest, open_facts
from tricklog.ingest.metrics import measure
from tricklog.ingest.store import marks, userdata
from tricklog.ingest.store.scopes import PEOPLE
from tricklog.ingest.store.userdata import (
    Answer,
    UserDataError,
    View,
    answers,
    choose_scope,
    delete_view,
    forget_answer,
    keep_answer,
    rename_view,
    save_view,
    scopes,
    views,
)
from tricklog.ingest.store.warehouse import checksum, open_snapshot
from tricklog.ingest.upkeep.rebuilding import rebuild
from tricklog.ingest.upkeep.verifying import verify
from tricklog.schemas.hand import content_hash

QUERY = {"variant": ["Pedro"], "player": ["Ann", "Bo"]}


def names(db: Path) -> list[str]:
    return [view.name for view in views(db)]


def test_a_view_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    assert views(tmp_path) == []
    saved = save_view(tmp_path, "Ann overbids", "bids", QUERY)
    assert views(tmp_path) == [saved] == [View(saved.view_id, "Ann overbids", "bids", QUERY)]


def test_views_are_renamed_deleted_and_listed_by_name(tmp_path: Path) -> None:
    for name in ("b", "C", "a"):
        save_view(tmp_path, name, "bids", {})
    assert names(tmp_path) == ["a", "b", "C"]
    first, second, _ = views(tmp_path)
    rename_view(tmp_path, first.view_id, "z")
    delete_view(tmp_path, second.view_id)
    delete_view(tmp_path, second.view_id)
    assert names(tmp_path) == ["C", "z"]


def test_a_name_is_kept_once_on_one_line_and_without_unseen_marks(tmp_path: Path) -> None:
    save_view(tmp_path, f"  {NASTY}\n\x07 ", "bids", {})
    (name,) = names(tmp_path)
    assert name == NASTY.replace("\u202e", "")
    with pytest.raises(UserDataError, match="already"):
        save_view(tmp_path, NASTY, "capture", {})
    other = save_view(tmp_path, "other", "capture", {})
    with pytest.raises(UserDataError, match="already"):
        rename_view(tmp_path, other.view_id, NASTY)
    assert len(names(tmp_path)) == 2


def test_a_name_that_is_empty_or_too_long_is_refused(tmp_path: Path) -> None:
    for name in ("", " \n ", "\u202e", "x" * 81):
        with pytest.raises(UserDataError, match="name"):
            save_view(tmp_path, name, "bids", {})
    assert not userdata.user_file(tmp_path).exists()


def test_two_viewers_save_at_the_same_time(tmp_path: Path) -> None:
    ready = threading.Barrier(4)

    def save(viewer: int) -> None:
        ready.wait()
        for number in range(5):
            save_view(tmp_path, f"{viewer} {number}", "bids", {})

    viewers = [threading.Thread(target=save, args=(viewer,)) for viewer in range(4)]
    for each in viewers:
        each.start()
    for each in viewers:
        each.join()
    assert len(views(tmp_path)) == 20


def test_a_folder_that_cannot_be_written_to_is_said_so(tmp_path: Path) -> None:
    missing = tmp_path / "no such folder"
    assert views(missing) == []
    with pytest.raises(UserDataError, match="folder that can be written to"):
        save_view(missing, "a", "bids", {})


def test_a_file_that_cannot_be_written_to_can_still_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_view(tmp_path, "kept", "bids", {})
    connect = userdata._connect
    monkeypatch.setattr(userdata, "_connect", lambda path, _: connect(path, "ro"))
    with pytest.raises(UserDataError, match="readonly"):
        save_view(tmp_path, "a", "bids", {})
    assert names(tmp_path) == ["kept"]


def test_a_damaged_file_is_said_so(tmp_path: Path) -> None:
    userdata.user_file(tmp_path).write_bytes(b"not a database, whatever its name says" * 40)
    with pytest.raises(UserDataError, match="undamaged file"):
        views(tmp_path)


def test_a_change_of_any_view_is_noticed_and_the_copy_put_in_its_place(tmp_path: Path) -> None:
    db = tmp_path / "db"
    ingest.load(write_hands(tmp_path / "log.jsonl", generated("pedro", games=1)[:1]), db=db)
    for name in ("kept", "other"):
        save_view(db, name, "bids", QUERY)
    path = userdata.user_file(db)
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


def test_no_letter_of_the_tables_turned_into_another_byte_ends_in_anything_but_a_sentence(
    tmp_path: Path,
) -> None:
    save_view(tmp_path, "kept", "bids", QUERY)
    path = userdata.user_file(tmp_path)
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
    userdata.user_file(tmp_path).unlink()
    assert names(tmp_path) == ["kept"]
    save_view(tmp_path, "more", "bids", QUERY)
    userdata.copy_of(userdata.user_file(tmp_path)).unlink()
    assert names(tmp_path) == ["kept", "more"]


def test_a_damaged_copy_is_never_put_in_the_place_of_anything(tmp_path: Path) -> None:
    save_view(tmp_path, "kept", "bids", QUERY)
    for path in (userdata.user_file(tmp_path), userdata.copy_of(userdata.user_file(tmp_path))):
        path.write_bytes(b"junk" * 99)
    assert "its copy cannot take its place" in userdata.mend(tmp_path)
    assert userdata.user_file(tmp_path).read_bytes() == b"junk" * 99


def test_a_file_of_the_version_before_the_digest_is_read_and_gets_one(tmp_path: Path) -> None:
    path = userdata.user_file(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(userdata._TABLES["views"].make)
        connection.execute("INSERT INTO views (name, page, query) VALUES ('old', 'bids', '{}')")
        connection.execute("PRAGMA user_version = 1")
        connection.commit()
    assert names(tmp_path) == ["old"]
    save_view(tmp_path, "new", "bids", QUERY)
    assert names(tmp_path) == ["new", "old"]
    path.write_bytes(path.read_bytes().replace(b"new", b"now"))
    with pytest.raises(UserDataError, match="damaged"):
        views(tmp_path)


def test_a_file_that_was_only_begun_holds_no_views(tmp_path: Path) -> None:
    userdata.user_file(tmp_path).touch()
    assert views(tmp_path) == []
    save_view(tmp_path, "first", "bids", {})
    assert names(tmp_path) == ["first"]


def test_a_file_of_another_version_is_left_alone(tmp_path: Path) -> None:
    save_view(tmp_path, "kept", "bids", {})
    path = userdata.user_file(tmp_path)
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {userdata.USER_VERSION + 1}")
    before = path.read_bytes()
    for deed in (lambda: views(tmp_path), lambda: save_view(tmp_path, "a", "bids", {})):
        with pytest.raises(UserDataError, match="another version"):
            deed()
    assert path.read_bytes() == before


def test_what_users_write_survives_loads_and_rebuilds_and_is_no_content(tmp_path: Path) -> None:
    hands = generated("pedro", games=1)
    log = write_hands(tmp_path / "log.jsonl", hands[:4])
    db = tmp_path / "db"
    ingest.load(log, db=db)
    with open_snapshot(db) as snapshot:
        content = checksum(snapshot)
    first = content_hash(hands[0])
    save_view(db, "kept", "bids", QUERY)
    userdata.keep_answer(db, Answer(first, 17, "Ann", "play 8D", "points", 0, 5, hinted=False))
    marks.add_tag(db, [first], "kept")
    marks.add_note(db, "hand", first, "kept")
    before = userdata.answers(db), marks.marks(db)
    with open_snapshot(db) as snapshot:
        assert checksum(snapshot) == content
    rebuild(log, db=db)
    ingest.load(write_hands(log, hands), db=db)
    assert names(db) == ["kept"]
    assert (userdata.answers(db), marks.marks(db)) == before
    with open_facts(db) as facts:
        assert measure(facts, "hands", (), Filters.of({"tag": "kept"}))["n"].item() == 1


# --- Answers given in practice
ANN = Answer("0" * 32, 17, "Ann", "play 8D", "points", 0, 5, hinted=False)


def told(db: Path) -> list[tuple[str, str, int | None]]:
    return [(each.who, each.answer, each.loss) for each in answers(db)]


def test_an_answer_comes_back_as_it_was_given_with_the_time(tmp_path: Path) -> None:
    assert answers(tmp_path) == []
    keep_answer(tmp_path, replace(ANN, loss=None, hinted=True))
    (kept,) = answers(tmp_path)
    assert replace(kept, answered_at="") == replace(ANN, loss=None, hinted=True)
    assert len(kept.answered_at) == len("2026-11-24T02:00:00Z")


def test_the_first_answer_of_each_person_counts_until_it_is_removed(tmp_path: Path) -> None:
    keep_answer(tmp_path, ANN)
    keep_answer(tmp_path, replace(ANN, answer="play JD", loss=3))
    keep_answer(tmp_path, replace(ANN, who="Bo", answer="play JD", loss=3))
    keep_answer(tmp_path, replace(ANN, action=18, answer="play 2D", loss=1))
    assert told(tmp_path) == [("Ann", "play 8D", 0), ("Bo", "play JD", 3), ("Ann", "play 2D", 1)]
    forget_answer(tmp_path, ANN.content_hash, ANN.action, "Ann")
    forget_answer(tmp_path, ANN.content_hash, ANN.action, "Ann")
    keep_answer(tmp_path, replace(ANN, answer="play JD", loss=3))
    assert sorted(told(tmp_path)) == [
        ("Ann", "play 2D", 1),
        ("Ann", "play JD", 3),
        ("Bo", "play JD", 3),
    ]


def test_a_name_is_cleaned_as_names_of_views_are(tmp_path: Path) -> None:
    keep_answer(tmp_path, replace(ANN, who=f" {NASTY}\n"))
    (kept,) = answers(tmp_path)
    assert kept.who == NASTY.replace("\u202e", "")
    with pytest.raises(UserDataError, match="80 characters"):
        keep_answer(tmp_path, replace(ANN, who="x" * 81))


def test_a_change_of_an_answer_is_noticed_and_the_copy_read_instead(tmp_path: Path) -> None:
    keep_answer(tmp_path, ANN)
    path = userdata.user_file(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"play 8D", b"play 9D"))
    with pytest.raises(UserDataError, match="damaged"):
        keep_answer(tmp_path, replace(ANN, who="Bo"))
    assert told(tmp_path) == [("Ann", "play 8D", 0)]
    assert "damaged" in userdata.damage(tmp_path)
    assert "its copy" in userdata.mend(tmp_path)
    assert told(tmp_path) == [("Ann", "play 8D", 0)]
    for each in (path, userdata.copy_of(path)):
        each.write_bytes(b"junk" * 99)
    with pytest.raises(UserDataError, match=r"user\.sqlite|user-copy"):
        answers(tmp_path)


def test_a_file_of_the_version_without_answers_is_read_and_takes_some(tmp_path: Path) -> None:
    path = userdata.user_file(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        for name in ("views", "scopes"):
            connection.execute(userdata._TABLES[name].make)
        connection.execute(userdata._DIGEST)
        connection.execute("INSERT INTO views (name, page, query) VALUES ('old', 'bids', '{}')")
        digest = userdata._digest_of(connection, 3)
        connection.execute("INSERT INTO content VALUES (1, ?)", (digest,))
        connection.execute("PRAGMA user_version = 3")
        connection.commit()
    assert (answers(tmp_path), len(views(tmp_path))) == ([], 1)
    keep_answer(tmp_path, ANN)
    choose_scope(tmp_path, PEOPLE)
    save_view(tmp_path, "new", "bids", {})
    assert told(tmp_path) == [("Ann", "play 8D", 0)]
    assert [each.name for each in views(tmp_path)] == ["new", "old"]
    assert scopes(tmp_path).chosen == PEOPLE
