"""Notes and tags on the pages Replay, Hands and Players."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import urls
from ingest.store import marks, userdata
from ingest.store.aliases import add_alias, aliases, hand_with
from ingest.store.hashes import hashes_of
from ingest.store.warehouse import hand, open_snapshot
from tests.kit.app_pages import go, open_app, table_of, text_of
from tests.kit.dashboard_logs import NASTY, REVOKE


@pytest.fixture
def db(small_warehouse: Path, tmp_path: Path) -> Path:
    return shutil.copytree(small_warehouse, tmp_path / "db")


@pytest.mark.parametrize("page", [urls.OVERVIEW, urls.BIDS, urls.GAMES])
def test_pages_with_figures_say_which_players_are_not_one(
    app: AppTest, db: Path, page: str
) -> None:
    with open_snapshot(db) as tables:
        query = "SELECT players[1].id, players[2].id FROM seatings ORDER BY seating_id LIMIT 1"
        (pair,) = tables.execute(query).fetchall()
    with userdata.writing(db) as connection:
        connection.execute("INSERT INTO aliases VALUES (?, ?)", pair)
    go(app, page)
    assert any("are not counted as one player" in each.value for each in app.warning)


@pytest.fixture
def app(db: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    return open_app(db, monkeypatch)


def test_a_hand_is_tagged_and_noted_in_the_dialog_and_shows_it(app: AppTest, db: Path) -> None:
    go(app, urls.STEPS, hand=REVOKE)
    app.button(key="open-marks").click().run()
    app.text_area(key="new-note").set_value(f"{NASTY}\nand more")
    app.button(key="add-note").click().run()
    with open_snapshot(db) as tables:
        (hashed,) = hashes_of(tables, [REVOKE]).values()
    (note,) = marks.marks(db).notes
    assert (note.about, note.subject) == ("hand", hashed)
    marks.add_tag(db, [hashed], "Lesson")
    go(app, urls.STEPS, hand=REVOKE)
    assert "Lesson" in text_of(app)
    assert "and more" in text_of(app)
    assert not [each for each in app.get("html") if "<script" in each.proto.body]


def test_a_note_about_a_player_stands_in_their_profile(app: AppTest, db: Path) -> None:
    with open_snapshot(db) as tables:
        ((player, name),) = tables.execute(
            "SELECT player, name FROM players ORDER BY hands DESC, player LIMIT 1"
        ).fetchall()
    marks.add_note(db, "player", player, "passes too much")
    go(app, urls.PLAYERS, player=name)
    assert "passes too much" in text_of(app)


def test_all_hands_of_a_list_are_tagged_and_found_by_it(app: AppTest, db: Path) -> None:
    # Tests cannot write an option that is new.
    marks.add_tag(db, ["0" * 32], "look at")
    go(app, urls.HANDS, verdict="irregular")
    assert not any("Tags" in row for row in table_of(app, "Hands"))
    found = {row["Hand"] for row in table_of(app, "Hands")}
    app.session_state["bulk-tags"] = True
    app.run()
    app.selectbox(key="new-tag").set_value("look at")
    app.button(key="bulk-add").click().run()
    assert marks.marks(db).by_tag() == {"look at": len(found) + 1}
    assert {row["Tags"] for row in table_of(app, "Hands")} == {"look at"}
    go(app, urls.HANDS, tag="look at", all="true")
    assert {row["Hand"] for row in table_of(app, "Hands")} == found


def test_a_damaged_file_gives_a_sentence_and_the_page_stands(app: AppTest, db: Path) -> None:
    userdata.user_file(db).write_bytes(b"junk" * 99)
    go(app, urls.STEPS, hand=REVOKE)
    assert "cannot be used" in " ".join(each.value for each in app.warning)
    assert REVOKE in text_of(app)


def test_two_ids_are_made_one_player_and_old_links_lead_there(app: AppTest, db: Path) -> None:
    with open_snapshot(db) as tables:
        people = [row[0] for row in tables.execute("SELECT player FROM players").fetchall()]
        pair = next(
            (one, other)
            for one in people
            for other in people
            if one != other and hand_with(tables, [one], [other]) is None
        )
        add_alias(db, tables, *pair)
    app.session_state["merging"] = True
    go(app, urls.PLAYERS, at=f"player:{pair[0]}")
    assert "does not know" not in text_of(app)
    assert app.multiselect(key="player").value == [pair[1]]
    app.button(key=f"unmerge-{pair[0]}").click().run()
    assert aliases(db) == ()


def test_a_link_without_names_opens_the_hand_and_holds_none(app: AppTest, db: Path) -> None:
    with open_snapshot(db) as tables:
        (hashed,) = hashes_of(tables, [REVOKE]).values()
        people = hand(tables, REVOKE).players
    go(app, urls.STEPS, hand=REVOKE)
    app.button(key="open-marks").click().run()
    assert f"hand=~{hashed}" in app.code[0].value.replace("%7E", "~")
    go(app, urls.STEPS, hand=f"~{hashed}")
    assert not app.exception
    assert "A hand without names" in text_of(app)
    (mounted,) = app.get("bidi_component")
    sent = str(mounted.proto) + text_of(app)
    assert "Player 1" in sent
    assert REVOKE not in sent
    assert not [each for each in people if each.id in sent or (each.name and each.name in sent)]
    go(app, urls.STEPS, hand=f"~{'0' * 32}")
    assert "not in this warehouse" in app.error[0].value


def test_the_link_may_name_the_hand_where_somebody_wants_that(app: AppTest) -> None:
    go(app, urls.STEPS, hand=REVOKE)
    app.session_state["link-without-names"] = False
    app.button(key="open-marks").click().run()
    assert f"hand={REVOKE}" in app.code[0].value
