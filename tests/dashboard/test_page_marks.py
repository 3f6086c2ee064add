"""Notes and tags on the pages Replay, Hands and Players."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import go, table_of, tables_in, text_of
from tests.kit.dashboard_logs import NASTY, REVOKE
from tricklog.dashboard.address import urls
from tricklog.ingest.store import marks, userdata
from tricklog.ingest.store.aliases import add_alias, aliases, hand_with
from tricklog.ingest.store.hashes import hashes_of
from tricklog.ingest.store.warehouse import hand, open_snapshot


def test_pages_with_figures_say_which_players_are_not_one(own_app: AppTest, own: Path) -> None:
    with open_snapshot(own) as tables:
        query = "SELECT players[1].id, players[2].id FROM seatings ORDER BY seating_id LIMIT 1"
        (pair,) = tables.execute(query).fetchall()
    with userdata.writing(own) as connection:
        connection.execute("INSERT INTO aliases VALUES (?, ?)", pair)
    go(own_app, urls.GAMES)
    assert any("are not counted as one player" in each.value for each in own_app.warning)


def test_a_hand_is_tagged_and_noted_in_the_dialog_and_shows_it(own_app: AppTest, own: Path) -> None:
    go(own_app, urls.STEPS, hand=REVOKE)
    own_app.button(key="open-marks").click().run()
    own_app.text_area(key="new-note").set_value(f"{NASTY}\nand more")
    own_app.button(key="add-note").click().run()
    with open_snapshot(own) as tables:
        (hashed,) = hashes_of(tables, [REVOKE]).values()
    (note,) = marks.marks(own).notes
    assert (note.about, note.subject) == ("hand", hashed)
    marks.add_tag(own, [hashed], "Lesson")
    go(own_app, urls.STEPS, hand=REVOKE)
    assert "Lesson" in text_of(own_app)
    assert "and more" in text_of(own_app)
    assert not [each for each in own_app.get("html") if "<script" in each.proto.body]


def test_a_note_about_a_player_stands_in_their_profile(own_app: AppTest, own: Path) -> None:
    with open_snapshot(own) as tables:
        ((player, name),) = tables.execute(
            "SELECT player, name FROM players ORDER BY hands DESC, player LIMIT 1"
        ).fetchall()
    marks.add_note(own, "player", player, "passes too much")
    go(own_app, urls.PLAYERS, player=name)
    assert "passes too much" in text_of(own_app)


def test_all_hands_of_a_list_are_tagged_and_found_by_it(own_app: AppTest, own: Path) -> None:
    # Tests cannot write an option that is new.
    marks.add_tag(own, ["0" * 32], "look at")
    go(own_app, urls.HANDS, verdict="irregular")
    assert not any("Tags" in row for row in table_of(own_app, "Hands"))
    found = {row["Hand"] for row in table_of(own_app, "Hands")}
    own_app.session_state["bulk-tags"] = True
    own_app.run()
    own_app.selectbox(key="new-tag").set_value("look at")
    own_app.button(key="bulk-add").click().run()
    assert marks.marks(own).by_tag() == {"look at": len(found) + 1}
    assert {row["Tags"] for row in table_of(own_app, "Hands")} == {"look at"}
    go(own_app, urls.HANDS, tag="look at", all="true")
    assert {row["Hand"] for row in table_of(own_app, "Hands")} == found


def test_a_damaged_file_gives_a_sentence_and_the_page_stands(own_app: AppTest, own: Path) -> None:
    userdata.user_file(own).write_bytes(b"junk" * 99)
    go(own_app, urls.STEPS, hand=REVOKE)
    assert "cannot be used" in " ".join(each.value for each in own_app.warning)
    assert REVOKE in text_of(own_app)


def test_two_ids_are_made_one_player_and_old_links_lead_there(own_app: AppTest, own: Path) -> None:
    with open_snapshot(own) as tables:
        people = [row[0] for row in tables.execute("SELECT player FROM players").fetchall()]
        pair = next(
            (one, other)
            for one in people
            for other in people
            if one != other and hand_with(tables, [one], [other]) is None
        )
        add_alias(own, tables, *pair)
    own_app.session_state["merging"] = True
    go(own_app, urls.PLAYERS, at=f"player:{pair[0]}")
    assert "does not know" not in text_of(own_app)
    assert own_app.multiselect(key="player").value == [pair[1]]
    own_app.button(key=f"unmerge-{pair[0]}").click().run()
    assert aliases(own) == ()


def test_a_link_without_names_opens_the_hand_and_holds_none(own_app: AppTest, own: Path) -> None:
    with open_snapshot(own) as tables:
        (hashed,) = hashes_of(tables, [REVOKE]).values()
        people = hand(tables, REVOKE).players
    go(own_app, urls.STEPS, hand=REVOKE)
    own_app.button(key="open-marks").click().run()
    assert f"hand=~{hashed}" in own_app.code[0].value.replace("%7E", "~")
    go(own_app, urls.STEPS, hand=f"~{hashed}")
    assert not own_app.exception
    assert "A hand without names" in text_of(own_app)
    (mounted,) = tables_in(own_app)
    sent = str(mounted.proto) + text_of(own_app)
    assert "Player 1" in sent
    assert REVOKE not in sent
    assert not [each for each in people if each.id in sent or (each.name and each.name in sent)]
    go(own_app, urls.STEPS, hand=f"~{'0' * 32}")
    assert "not in this warehouse" in own_app.error[0].value


def test_the_link_may_name_the_hand_where_somebody_wants_that(own_app: AppTest) -> None:
    go(own_app, urls.STEPS, hand=REVOKE)
    own_app.session_state["link-without-names"] = False
    own_app.button(key="open-marks").click().run()
    assert f"hand={REVOKE}" in own_app.code[0].value
