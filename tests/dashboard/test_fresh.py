"""New hands while a page is open: said, counted, and shown when the viewer wants them."""

from pathlib import Path

import pytest

from tests.kit.app_pages import go, open_app, text_of
from tests.kit.following import followed, lines_of
from tests.kit.log_lines import generated, write_hands
from tricklog import ingest
from tricklog.dashboard.address import urls
from tricklog.dashboard.app import fresh
from tricklog.dashboard.data import snapshot
from tricklog.ingest.following import heartbeat
from tricklog.ingest.store import warehouse

HANDS = generated("pedro", 1)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    ingest.load(write_hands(tmp_path / "first.jsonl", HANDS[:3]), db=tmp_path / "db")
    return tmp_path / "db"


def load_more(db: Path, hands: int) -> None:
    log = write_hands(db.parent / f"more-{hands}.jsonl", HANDS[3 : 3 + hands])
    assert ingest.load(log, db=db).accepted == hands


def test_new_hands_are_said_and_not_shown_by_themselves(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = go(open_app(db, monkeypatch), urls.HANDS)
    assert not [each for each in app.button if each.key == "fresh-show"]
    # What is published while the page is open, the notice sees and the page does not.
    before = str(warehouse.current_snapshot(db))
    load_more(db, 2)
    with monkeypatch.context() as patch:
        patch.setattr(snapshot, "settle", lambda: None)
        app.session_state["snapshot"] = before
        snapshot._newest.clear()
        app.run()
        (button,) = [each for each in app.button if each.key == "fresh-show"]
        assert button.label == "Show 2 new hands"
        assert "3 hands. Click a row" in text_of(app)
    app.run()
    assert "5 hands. Click a row" in text_of(app)
    assert not [each for each in app.button if each.key == "fresh-show"]
    # Of a snapshot without new hands nothing is said.
    log = db.parent / "bad.jsonl"
    log.write_bytes(b"oops\n")
    before = str(warehouse.current_snapshot(db))
    ingest.load(log, db=db)
    with monkeypatch.context() as patch:
        patch.setattr(snapshot, "settle", lambda: None)
        app.session_state["snapshot"] = before
        snapshot._newest.clear()
        app.run()
        assert not [each for each in app.button if each.key == "fresh-show"]
        assert not [each for each in app.toggle if each.key == fresh.ALWAYS]


def test_the_import_page_shows_who_follows_what(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db, log = tmp_path / "db", tmp_path / "server.jsonl"
    log.write_bytes(lines_of(HANDS[:4]) + b"oops\n")
    with followed(log, db=db) as follower:
        follower.await_hands(4)
        follower.await_that(lambda: heartbeat.followers(db)[0].hands == 4)
        said = text_of(go(open_app(db, monkeypatch), urls.IMPORT))
        assert "1 file, 4 new hands since" in said
        assert "1 line not readable" in said
        assert "last published" in said
    said = text_of(go(open_app(db, monkeypatch), urls.IMPORT))
    assert "No log is followed now" in said
    app = go(open_app(db, monkeypatch), urls.IMPORT)
    assert "How far 1 file was taken" in [each.label for each in app.expander]


def test_a_sign_of_life_grows_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = tmp_path / "db"
    with followed(tmp_path / "server.jsonl", db=db) as follower:
        follower.await_that(lambda: bool(heartbeat.followers(db)))
        monkeypatch.setattr(heartbeat, "SILENT", -1.0)
        assert heartbeat.followers(db) == []
    assert not (db / heartbeat.FOLDER).exists()
