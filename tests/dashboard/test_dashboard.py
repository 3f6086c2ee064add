"""The card table of the replay page, how the dashboard begins, and text made safe for pages."""

import gc
import re
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest

import tricklog
from tests.dashboard.conftest import Visit
from tests.kit.app_pages import address_of, go, open_app, table_shown, text_of, warnings_of
from tests.kit.dashboard_logs import NASTY, REVOKE, first_hands, with_revoke
from tests.kit.following import followed, lines_of
from tests.kit.log_lines import generated, write_hands
from tests.kit.made_once import played
from tests.kit.sound_hands import alone_with_trumps
from tests.kit.table_data import whole_frames
from tricklog import Hand, card_name, core, dashboard, ingest
from tricklog.core.study import first_card
from tricklog.dashboard.address import urls
from tricklog.dashboard.app import fresh
from tricklog.dashboard.data import launch, snapshot, uploads
from tricklog.dashboard.pages.replay.study import ASKED, Asked
from tricklog.dashboard.text.escaping import as_html, as_markdown, name_html, sentence_html
from tricklog.ingest.following import heartbeat
from tricklog.ingest.loading.loading import load
from tricklog.ingest.store import warehouse
from tricklog.ingest.store.queries import hand_beside
from tricklog.ingest.store.warehouse import open_snapshot


def loaded(folder: Path, *hands: Hand) -> Path:
    load(write_hands(folder / "log.jsonl", hands), db=folder / "db")
    return folder / "db"


# --- Replay
def test_a_link_to_a_step_opens_the_card_table_there(app: AppTest) -> None:
    _, step = with_revoke()
    data = table_shown(go(app, urls.STEPS, hand=REVOKE, ply=str(step)))
    assert (data["hand"], data["step"]) == (REVOKE, step)
    assert data["findings"][0]["title"] == "Revoke"
    assert data["rules"]["14.follow"]["text"]
    # Without a hand one with a finding is shown.
    go(app, urls.DEFINITIONS)
    data = table_shown(go(app, urls.STEPS))
    assert data["findings"]
    assert address_of(app)["hand"] == data["hand"]
    # A step that does not exist is no error.
    for ply in ("-1", "9999", "x", "१", "9" * 5000):
        data = table_shown(go(app, urls.STEPS, hand=REVOKE, ply=ply))
        assert data["step"] in {0, len(data["steps"])}, ply


def test_a_hand_has_chances(
    club: AppTest, club_warehouse: Path, tmp_path: Path, visit: Visit
) -> None:
    hand = played("pedro", 12, 21)[1]
    own = tricklog.win_chances(club_warehouse, str(hand.game))
    rows = own.filter(own["hand_id"] == hand.id).sort("side_no").to_dicts()
    shown = table_shown(go(club, urls.STEPS, hand=hand.id))["chances"]
    assert len(shown) == len(rows) == 2
    for told, row in zip(shown, rows, strict=True):
        before = row["chance_before"]
        steps = [before, before + row["auction_change"], row["chance_after"]]
        assert told == [f"{100 * each:.0f} %" for each in steps]
    hand = replace(first_hands("pedro", 1)[0], game=UNSET, hand=UNSET)
    app = visit(loaded(tmp_path, hand), urls.STEPS, hand=hand.id)
    assert table_shown(app)["chances"] == []


def test_trumps_of_who_plays_alone_replace_the_makers(tmp_path: Path, visit: Visit) -> None:
    """O87: the maker's are hidden, the others known to all; the list of hands has them as well."""
    hand = alone_with_trumps()
    app = visit(loaded(tmp_path, hand), urls.STEPS, hand=hand.id)
    frames = whole_frames(table_shown(app))
    told = [(each["trump"], each["secret"], each["knows"]) for each in frames[5:]]
    assert told[:3] == [(None, False, None), (["♥", "hearts"], True, 1), (None, False, None)]
    assert told[3:]
    assert all(each == (["♠", "spades"], False, None) for each in told[3:])
    ending = " ".join(table_shown(app)["ending"])
    assert "played alone for all tricks with spades as trumps and made it." in ending
    assert "all tricks alone, ♠" in text_of(go(app, urls.HANDS))


def test_the_hand_comes_first_and_its_values_when_the_table_asks(app: AppTest) -> None:
    hand = first_hands("pedro", 1)[0].id
    first = table_shown(go(app, urls.STEPS, hand=hand))
    assert "study" not in first
    app.session_state[ASKED] = Asked.of({"hand": hand, "branch": "13"})
    then = table_shown(app.run())
    assert {key: then[key] for key in first} == first
    assert then["study"].keys() & {"values", "refused"}
    assert then["branch"]["text"] == "13"
    app.session_state[ASKED] = Asked.of({"hand": "another", "branch": "13"})
    assert "study" not in table_shown(app.run())


def test_an_address_may_ask_for_a_branch_and_an_illegal_one_is_told(app: AppTest) -> None:
    (hand,) = first_hands("pedro", 1)
    go(app, urls.STEPS, hand=hand.id, **{"try": "13.7H", "study": "off", "ply": "14"})
    assert not app.warning
    replayed = core.replay(hand)
    first = first_card(replayed)
    card = card_name(replayed.actions[first].card)
    go(app, urls.DEFINITIONS)
    go(app, urls.STEPS, hand=hand.id, **{"try": f"{first}.{card}.{card}"})
    assert len(app.warning) == 1
    assert f"do not allow {card}" in warnings_of(app)
    assert f"Shown is “{first}.{card}”" in warnings_of(app)


def test_a_hand_is_followed_by_its_game_and_then_by_what_is_later(tmp_path: Path) -> None:
    places = [("a1", "a", 1, 1), ("b1", "b", 1, 2), ("a2", "a", 2, 3)]
    hands = [
        replace(hand, id=name, game=game, hand=number, started_at=f"2026-01-{day:02}T19:00:00Z")
        for hand, (name, game, number, day) in zip(first_hands("pedro", 3), places, strict=True)
    ]
    with open_snapshot(loaded(tmp_path, *hands)) as connection:
        # A game counts where it began, however late its last hand is.
        for name, by, beside in (
            *(("a1", 1, "a2"), ("a2", 1, "b1"), ("b1", 1, None)),
            *(("b1", -1, "a2"), ("nobody", 1, None)),
        ):
            assert hand_beside(connection, name, by=by) == beside, name


# --- Beginning
def test_an_unreadable_warehouse_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "CURRENT").write_text("games-000001.duckdb\n")
    (tmp_path / "games-000001.duckdb").write_bytes(b"not a database")
    app = open_app(tmp_path, monkeypatch).run()
    assert not app.exception
    assert "tricklog db rebuild" in app.error[0].value
    assert "no warehouse yet" not in app.error[0].value


def test_the_server_keeps_to_what_it_was_told() -> None:
    assert set(uploads.TYPES) >= {"jsonl", "gz", "zst", "json"}
    # The warehouse is named by argument, setting or default.
    setting = launch.DATABASE_SETTING
    assert launch.database(["--db", "given"], {setting: "set"}) == Path("given")
    assert launch.database([], {setting: "set"}) == Path("set")
    assert launch.database(["--db", "s3://club/tricklog"], {setting: "set"}) == "s3://club/tricklog"
    assert launch.database([], {setting: "lake:club"}) == "lake:club"
    assert launch.database([], {}) == Path(launch.DEFAULT_DATABASE)
    # Folders of logs are those that were named.
    given = ["--db", "x", "--logs", "/one", "--host-name=cards", "--logs=/two"]
    assert launch.log_folders(given) == (Path("/one"), Path("/two"))
    assert launch.log_folders(["--db", "x"]) == ()


def test_pages_hold_no_sql_of_their_own() -> None:
    for module in Path(dashboard.__file__).parent.rglob("*.py"):
        source = module.read_text("utf-8")
        assert not re.search(r"\bSELECT\b|\.execute\(|\.sql\(", source), module


# --- What a log may contain
def test_text_is_made_safe_for_html_and_markdown() -> None:
    assert name_html('a"<\x07') == "<bdi>a&quot;&lt;</bdi>"
    assert as_html(NASTY).startswith("&lt;img src=x")
    assert as_markdown("*a* [b](c) `d` $e$") == r"\*a\* \[b\]\(c\) \`d\` \$e\$"
    assert ":smile:" not in as_markdown(":smile:")
    assert as_markdown("Åsa-Lill 7") == r"Åsa\-Lill 7"
    # Cards in a sentence get the colour of their suit.
    shown = sentence_html("Bo <b> played 10♥ to A♠.")
    for words in ('class="tl-pip tl-H">10♥', 'class="tl-pip tl-S">A♠', "&lt;b&gt;"):
        assert words in shown


@pytest.mark.thorough("a matter of speed alone")
def test_what_is_loaded_is_kept_out_of_garbage_collections_once(app: AppTest) -> None:
    app.run()
    kept = gc.get_freeze_count()
    assert kept
    app.run()
    assert gc.get_freeze_count() <= kept


# --- New hands
HANDS = generated("pedro", 1)


def test_new_hands_are_said_and_not_just_shown(
    tmp_path: Path, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = loaded(tmp_path, *HANDS[:3])
    app = visit(db, urls.HANDS)

    def offered() -> list[str]:
        return [each.label for each in app.button if each.key == "fresh-show"]

    def seen_before(more: bytes) -> None:
        """Publish lines while the page is open, which the notice sees and the page does not."""
        before = str(warehouse.current_snapshot(db))
        log = tmp_path / "more.jsonl"
        log.write_bytes(more)
        ingest.load(log, db=db)
        with monkeypatch.context() as patch:
            patch.setattr(snapshot, "settle", lambda: None)
            app.session_state["snapshot"] = before
            snapshot._newest.clear()
            app.run()

    assert offered() == []
    seen_before(lines_of(HANDS[3:5]))
    assert offered() == ["Show 2 new hands"]
    assert "3 hands. Click a row" in text_of(app)
    app.run()
    assert "5 hands. Click a row" in text_of(app)
    assert offered() == []
    # Of a snapshot without new hands nothing is said.
    seen_before(b"oops\n")
    assert offered() == []
    assert not [each for each in app.toggle if each.key == fresh.ALWAYS]


def test_the_import_page_shows_followers(tmp_path: Path, visit: Visit) -> None:
    db, log = tmp_path / "db", tmp_path / "server.jsonl"
    log.write_bytes(lines_of(HANDS[:4]) + b"oops\n")
    with followed(log, db=db) as follower:
        follower.await_hands(4)
        follower.await_that(lambda: heartbeat.followers(db)[0].hands == 4)
        said = text_of(visit(db, urls.IMPORT))
        for words in ("1 file, 4 new hands since", "1 line not readable", "last published"):
            assert words in said
    app = visit(db, urls.IMPORT)
    assert "No log is followed now" in text_of(app)
    assert "How far 1 file was taken" in [each.label for each in app.expander]


def test_a_sign_of_life_grows_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = tmp_path / "db"
    with followed(tmp_path / "server.jsonl", db=db) as follower:
        follower.await_that(lambda: bool(heartbeat.followers(db)))
        monkeypatch.setattr(heartbeat, "SILENT", -1.0)
        assert heartbeat.followers(db) == []
    assert not (db / heartbeat.FOLDER).exists()
