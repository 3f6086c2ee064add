"""Answers given in practice: kept in the user's own file, outside the records."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.dashboard_logs import NASTY
from tricklog.ingest.store import userdata
from tricklog.ingest.store.scopes import PEOPLE
from tricklog.ingest.store.userdata import (
    Answer,
    UserDataError,
    answers,
    choose_scope,
    forget_answer,
    keep_answer,
    save_view,
    scopes,
    views,
)

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
