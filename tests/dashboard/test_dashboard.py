"""The card table of the replay page, how the dashboard begins, and text made safe for pages."""

import gc
import re
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest

import tricklog
from tests.kit.app_pages import address_of, go, open_app, table_shown, text_of
from tests.kit.dashboard_logs import CLAIM, NASTY, REVOKE, first_hands, with_revoke
from tests.kit.following import followed, lines_of
from tests.kit.log_lines import generated, write_hands
from tests.kit.made_once import played
from tests.kit.sound_hands import alone_with_trumps
from tests.kit.table_data import whole_frames
from tests.kit.tiers import scaled
from tricklog import card_name, core, dashboard, encode_hand, ingest
from tricklog.core.study import first_card
from tricklog.dashboard.address import urls
from tricklog.dashboard.app import fresh, server
from tricklog.dashboard.data import launch, snapshot
from tricklog.dashboard.pages.replay import study_answers
from tricklog.dashboard.pages.replay.study_answers import Asked
from tricklog.dashboard.text.escaping import as_html, as_markdown, name_html, sentence_html
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.following import heartbeat
from tricklog.ingest.loading.loading import load
from tricklog.ingest.metrics import listings
from tricklog.ingest.store import warehouse
from tricklog.ingest.store.queries import hand_beside
from tricklog.ingest.store.warehouse import open_snapshot


# --- Replay
def test_a_link_to_a_step_opens_the_card_table_there(app: AppTest) -> None:
    _, step = with_revoke()
    data = table_shown(go(app, urls.STEPS, hand=REVOKE, ply=str(step)))
    assert (data["hand"], data["step"]) == (REVOKE, step)
    assert data["findings"][0]["title"] == "Revoke"
    assert data["rules"]["14.follow"]["text"]


def test_a_hand_has_its_chances_before_bid_and_after(club: AppTest, club_warehouse: Path) -> None:
    hand = played("pedro", 12, 21)[1]
    own = tricklog.win_chances(club_warehouse, str(hand.game))
    rows = own.filter(own["hand_id"] == hand.id).sort("side_no").to_dicts()
    shown = table_shown(go(club, urls.STEPS, hand=hand.id))["chances"]
    assert len(shown) == len(rows) == 2
    for told, row in zip(shown, rows, strict=True):
        before = row["chance_before"]
        steps = [before, before + row["auction_change"], row["chance_after"]]
        assert told == [f"{100 * each:.0f} %" for each in steps]


def test_a_hand_of_no_game_has_no_chances(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hand = replace(first_hands("pedro", 1)[0], game=UNSET, hand=UNSET)
    load(write_hands(tmp_path / "log.jsonl", [hand]), db=tmp_path / "db")
    app = go(open_app(tmp_path / "db", monkeypatch), urls.STEPS, hand=hand.id)
    assert table_shown(app)["chances"] == []


def test_trumps_that_who_plays_alone_has_chosen_take_the_place_of_the_maker_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """O87: the maker's are hidden, the others known to all; the list of hands has them as well."""
    hand = alone_with_trumps()
    load(write_hands(tmp_path / "log.jsonl", [hand]), db=tmp_path / "db")
    app = go(open_app(tmp_path / "db", monkeypatch), urls.STEPS, hand=hand.id)
    frames = whole_frames(table_shown(app))
    told = [(each["trump"], each["secret"], each["knows"]) for each in frames[5:]]
    assert told[:3] == [(None, False, None), (["♥", "hearts"], True, 1), (None, False, None)]
    assert set(map(str, told[3:])) == {str((["♠", "spades"], False, None))}
    told_at_the_end = " ".join(table_shown(app)["ending"])
    assert "played alone for all tricks with spades as trumps and made it." in told_at_the_end
    assert "all tricks alone, ♠" in text_of(go(app, urls.HANDS))


def test_the_hand_comes_first_and_its_values_when_the_table_asks(app: AppTest) -> None:
    hand = first_hands("pedro", 1)[0].id
    first = table_shown(go(app, urls.STEPS, hand=hand))
    assert "study" not in first
    app.session_state[study_answers.ASKED] = Asked.of({"hand": hand, "branch": "13"})
    then = table_shown(app.run())
    assert {key: then[key] for key in first} == first
    assert then["study"].keys() & {"values", "refused"}
    assert then["branch"]["text"] == "13"
    app.session_state[study_answers.ASKED] = Asked.of({"hand": "another", "branch": "13"})
    assert "study" not in table_shown(app.run())


def test_an_address_may_ask_for_a_branch_and_for_no_study(app: AppTest) -> None:
    hand = first_hands("pedro", 1)[0].id
    shown = go(app, urls.STEPS, hand=hand, **{"try": "13.7H", "study": "off", "ply": "14"})
    assert not shown.warning


def test_what_an_address_says_of_an_illegal_branch_is_told_above_the_page(app: AppTest) -> None:
    (hand,) = first_hands("pedro", 1)
    replayed = core.replay(hand)
    first = first_card(replayed)
    card = card_name(replayed.actions[first].card)
    shown = go(app, urls.STEPS, hand=hand.id, **{"try": f"{first}.{card}.{card}"})
    (told,) = shown.warning
    assert f"do not allow {card}" in told.value
    assert f"Shown is “{first}.{card}”" in told.value.replace("\\", "")


def test_an_address_of_no_branch_is_said_so(app: AppTest) -> None:
    hand = first_hands("pedro", 1)[0].id
    shown = go(app, urls.STEPS, hand=hand, **{"try": "<b>"})
    assert "The address asks for try" in shown.warning[0].value


def test_without_a_hand_the_replay_shows_one_with_a_finding(app: AppTest) -> None:
    data = table_shown(go(app, urls.STEPS))
    assert data["findings"]
    assert address_of(app)["hand"] == data["hand"]


def test_the_head_says_which_hand_it_is_and_what_became_of_it(app: AppTest) -> None:
    shown = text_of(go(app, urls.STEPS, hand=CLAIM))
    for words in ("Pedro", f"game {CLAIM}", "hand 1", "2026-01-02", "irregular"):
        assert words in shown


def test_hand_after_hand_leads_through_all_of_them_and_back(small_warehouse: Path) -> None:
    with open_facts(small_warehouse) as facts, open_snapshot(small_warehouse) as connection:
        listed = listings.hand_list(facts)["hand_id"].to_list()
        for ids, by in ((listed[scaled(12) :: -1], 1), (listed[-scaled(12) :], -1)):
            beside = [hand_beside(connection, each, by=by) for each in ids]
            assert beside == [*ids[1:], None]
            assert hand_beside(connection, ids[0], by=3 * by) == ids[3]


def test_a_hand_is_followed_by_its_game_and_then_by_what_is_later(tmp_path: Path) -> None:
    hands = [
        replace(hand, id=name, game=game, hand=number, started_at=f"2026-01-{day:02}T19:00:00Z")
        for hand, (name, game, number, day) in zip(
            first_hands("pedro", 3),
            [("a1", "a", 1, 1), ("b1", "b", 1, 2), ("a2", "a", 2, 3)],
            strict=True,
        )
    ]
    (tmp_path / "log.jsonl").write_bytes(b"\n".join(encode_hand(hand) for hand in hands))
    load(tmp_path / "log.jsonl", db=tmp_path / "db")
    with open_snapshot(tmp_path / "db") as connection:
        assert hand_beside(connection, "a1", by=1) == "a2"
        # A game counts where it began, however late its last hand is.
        assert hand_beside(connection, "a2", by=1) == "b1"
        assert hand_beside(connection, "b1", by=1) is None
        assert hand_beside(connection, "b1", by=-1) == "a2"
        assert hand_beside(connection, "nobody", by=1) is None


def test_a_hand_that_is_not_there_is_said_so(app: AppTest) -> None:
    go(app, urls.STEPS, hand="nobody <b>knows</b>")
    assert "There is no hand" in app.error[0].value
    assert "<b>" not in app.error[0].value.replace("\\<b\\>", "")


def test_a_step_that_does_not_exist_is_no_error(app: AppTest) -> None:
    for ply in ("-1", "9999", "x", "१", "9" * 5000):
        data = table_shown(go(app, urls.STEPS, hand=REVOKE, ply=ply))
        assert data["step"] in {0, len(data["steps"])}, ply


# --- Beginning
def test_an_unreadable_warehouse_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "CURRENT").write_text("games-000001.duckdb\n")
    (tmp_path / "games-000001.duckdb").write_bytes(b"not a database")
    app = open_app(tmp_path, monkeypatch).run()
    assert not app.exception
    assert "tricklog db rebuild" in app.error[0].value
    assert "no warehouse yet" not in app.error[0].value


def test_the_server_keeps_to_this_machine_and_to_itself() -> None:
    settings = {
        "server.address": "localhost",
        "server.enableXsrfProtection": True,
        "server.enableAgentApi": False,
        "server.enableStaticServing": False,
        "browser.gatherUsageStats": False,
        "client.showErrorDetails": "none",
        "server.fileWatcherType": "none",
    }
    assert settings.items() <= server.SETTINGS.items()


def test_the_warehouse_is_named_by_argument_setting_or_default() -> None:
    setting = {launch.DATABASE_SETTING: "set"}
    assert launch.database(["--db", "given"], setting) == Path("given")
    assert launch.database([], setting) == Path("set")
    assert launch.database(["--db", "s3://club/tricklog"], setting) == "s3://club/tricklog"
    assert launch.database([], {launch.DATABASE_SETTING: "lake:club"}) == "lake:club"
    assert launch.database([], {}) == Path(launch.DEFAULT_DATABASE)


def test_folders_of_logs_are_those_that_were_named() -> None:
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


def test_cards_in_a_sentence_get_the_colour_of_their_suit() -> None:
    shown = sentence_html("Bo <b> played 10♥ to A♠.")
    assert 'class="tl-pip tl-H">10♥' in shown
    assert 'class="tl-pip tl-S">A♠' in shown
    assert "&lt;b&gt;" in shown


@pytest.mark.thorough("a matter of speed alone")
def test_what_is_loaded_is_kept_out_of_garbage_collections_once(app: AppTest) -> None:
    app.run()
    kept = gc.get_freeze_count()
    assert kept
    app.run()
    assert gc.get_freeze_count() <= kept


# --- New hands
HANDS = generated("pedro", 1)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    ingest.load(write_hands(tmp_path / "first.jsonl", HANDS[:3]), db=tmp_path / "db")
    return tmp_path / "db"


def load_more(db: Path, hands: int) -> None:
    log = write_hands(db.parent / f"more-{hands}.jsonl", HANDS[3 : 3 + hands])
    assert ingest.load(log, db=db).accepted == hands


def test_new_hands_are_said_and_not_just_shown(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_the_import_page_shows_followers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
