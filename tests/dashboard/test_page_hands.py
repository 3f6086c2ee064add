"""The page of hands: lists and files, notes and tags, hands of which a part was written down."""

import csv
import io
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import (
    address_of,
    addresses_in,
    go,
    open_app,
    open_more,
    table_of,
    tables_in,
    text_of,
)
from tests.kit.dashboard_logs import NAMES, NASTY, REVOKE, VARIANTS
from tests.kit.made_once import made_once
from tests.kit.tiers import some
from tricklog import ingest
from tricklog.dashboard.address import urls
from tricklog.dashboard.pages.hands.hand_table import as_file
from tricklog.dashboard.text.questions import hand_questions
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import listings, measure, metric_named
from tricklog.ingest.metrics.query import Cases, Which
from tricklog.ingest.store import marks, userdata
from tricklog.ingest.store.aliases import add_alias, aliases, hand_with
from tricklog.ingest.store.queries import hashes_of
from tricklog.ingest.store.warehouse import hand as stored_hand
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.schemas.printable import one_line

ALL = 12 * len(VARIANTS) + 3
MADE = metric_named("made-rate")


def rows_of(app: AppTest) -> list[dict[str, str]]:
    return table_of(app, "Hands")


def test_every_hand_is_listed_at_first_and_then_those_of_a_variant(app: AppTest) -> None:
    go(app, urls.HANDS)
    assert f"{ALL} hands. Click a row" in text_of(app)
    assert len(rows_of(app)) == 50
    for variant in some(VARIANTS, 2):
        app.multiselect(key="variant").set_value([variant]).run()
        assert not app.exception
        assert len({row["Variant"] for row in rows_of(app)}) == 1, variant


def test_a_hand_of_the_list_leads_to_its_replay(app: AppTest) -> None:
    go(app, urls.HANDS, find=NAMES)
    name = "a+%3Cb%3Ehand%3C%2Fb%3E+of+%5Bnames%5D%28x%29"
    replay = f"replay?hand={name}"
    assert [each for each in addresses_in(app) if not each.startswith("hands?")] == [
        replay,
        f"games?game=game+{name}",
    ]


def test_verdict_finding_and_text_narrow_the_list(app: AppTest) -> None:
    open_more(go(app, urls.HANDS))
    app.multiselect(key="verdict").set_value(["irregular"]).run()
    assert {row["Verdict"] for row in rows_of(app)} == {"irregular"}
    assert len(rows_of(app)) == 3
    app.selectbox(key="finding").set_value("revoke").run()
    assert [row["Hand"] for row in rows_of(app)] == [REVOKE]
    app.text_input(key="find").set_value("no such hand").run()
    assert "No hand matches" in text_of(app)


def test_the_list_has_pages(app: AppTest) -> None:
    counts = {}
    for page in ("1", "2", "3", "x"):
        go(app, urls.HANDS, page=page)
        counts[page] = len(rows_of(app))
        go(app, urls.DEFINITIONS)
    assert counts == {"1": 50, "2": 1, "3": 50, "x": 50}


def test_a_link_from_a_finding_lists_its_hands(app: AppTest) -> None:
    go(app, urls.HANDS, **urls.to_hands("Revoke"))
    assert [row["Hand"] for row in rows_of(app)] == [REVOKE]


def test_the_hands_behind_a_figure_are_reported_in_words_and_switched(
    app: AppTest, small_warehouse: Path
) -> None:
    with open_facts(small_warehouse) as facts:
        counts = {each: listings.hand_count(facts, cases=Cases(MADE, each)) for each in Which}
    go(app, urls.HANDS, figure="made-rate")
    shown = text_of(app)
    assert "Hands behind: **Contracts made**" in shown
    assert f"{counts[Which.ALL]} hands: {counts[Which.COUNTED]} counted (contracts made)" in shown
    for which in Which:
        app.segmented_control(key="which").set_value(which.value).run()
        assert len(rows_of(app)) == min(50, counts[which])
    assert {row["Result"] for row in rows_of(app)} == {"Set"}


def test_what_was_clicked_on_is_named_and_can_be_taken_away(app: AppTest) -> None:
    go(app, urls.HANDS, figure="made-rate", at=["bid:7", "luck:good"], which="counted")
    assert r"**Contracts made\, bid 7**" in text_of(app)
    assert rows_of(app)
    assert {row["Bid"].split()[0] for row in rows_of(app)} == {"7"}
    assert {row["Result"] for row in rows_of(app)} == {"Made"}
    app.multiselect(key="bid").set_value([]).run()
    assert "**Contracts made**" in text_of(app)


def test_a_figure_can_be_left_for_every_hand(app: AppTest) -> None:
    go(app, urls.HANDS, figure="made-rate", which="others")
    next(each for each in app.button if each.label == "Show every hand").click().run()
    assert f"{ALL} hands." in text_of(app)
    assert "Hands behind" not in text_of(app)


def test_a_figure_that_cannot_be_filtered_so_is_said_so(app: AppTest) -> None:
    go(app, urls.HANDS, figure="made-rate", at=["card:5"])
    assert "cannot be grouped or filtered by card" in text_of(app)
    # A figure that nobody knows lists every hand.
    for figure in ("", "luck", "<b>x</b>"):
        go(app, urls.DEFINITIONS)
        go(app, urls.HANDS, figure=figure)
        assert f"{ALL} hands." in text_of(app), figure


# --- Ranges of numbers
def chips(app: AppTest) -> list[str]:
    labels = (each.label for each in app.button if each.label.endswith("✕"))
    return [re.sub(r"[\\\u2060]|✕", "", each).strip() for each in labels]


def test_bounds_of_numbers_stand_in_the_address_and_are_named_and_taken_away(app: AppTest) -> None:
    go(app, urls.HANDS, **{"bid-from": "7", "bid-to": "8", "margin-to": "-1"})
    assert {row["Bid"].split()[0] for row in rows_of(app)} <= {"7", "8"}
    assert {row["Result"] for row in rows_of(app)} == {"Set"}
    assert all(row["Margin"].startswith("−") for row in rows_of(app))
    assert chips(app) == ["bid: 7 to 8", "points over the need: −1 or less"]
    assert r"hands\: " not in text_of(app)
    assert f"{len(rows_of(app))} hands: bid 7 to 8" in text_of(app).replace("\\", "")
    app.number_input(key="bid-to").set_value(None).run()
    assert chips(app)[0] == "bid: 7 or more"
    for _ in range(2):
        next(each for each in app.button if each.label.endswith("✕")).click().run()
    assert chips(app) == []
    assert f"{ALL} hands." in text_of(app)
    assert not any(name.endswith(("-from", "-to")) for name in address_of(app))


def test_bounds_that_nothing_lies_between_are_told(app: AppTest) -> None:
    go(app, urls.HANDS, **{"bid-from": "9", "bid-to": "7"})
    assert "Bid: what is at least 9 is never at most 7" in app.warning[0].value
    assert "No hand matches" in text_of(app)


def test_hands_behind_a_figure_are_narrowed_by_ranges(app: AppTest) -> None:
    go(app, urls.HANDS, figure="made-rate", at=["bid:8..", "margin:-1"], which="others")
    assert "Hands behind: **Contracts made, bid 8 or more, points over the need −1**" in (
        text_of(app).replace("\\", "")
    )
    assert app.number_input(key="bid-from").value == 8
    assert app.number_input(key="bid-to").value is None
    assert [app.number_input(key=f"margin-{end}").value for end in ("from", "to")] == [-1, -1]
    assert {row["Margin"] for row in rows_of(app)} <= {"−1"}


def test_what_has_no_room_in_the_fields_stays_as_it_was_asked_for(app: AppTest) -> None:
    go(app, urls.HANDS, at=["bid:7", "bid:9..", "margin:-1", "margin:-3..-2", "seat:0..1"])
    assert app.multiselect(key="bid").value == ["7"]
    assert app.number_input(key="bid-from").value == 9
    assert chips(app) == [
        "bid: 9 or more",
        "seat: 0 to 1",
        "points over the need: −1",
        "points over the need: −3 to −2",
    ]
    assert {row["Margin"] for row in rows_of(app)} <= {"−1", "−2", "−3"}
    go(app, urls.HANDS, at=["bid:8"])
    assert app.multiselect(key="bid").value == ["8"]
    assert chips(app) == []


def test_ranges_go_along_in_links_to_hands_as_the_page_writes_them(
    app: AppTest, small_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, str | list[str]] = {"view": "By player", "bid-from": "7"}
    go(app, urls.BIDS, **asked, at=["margin:-1", "seat:0..1"])
    link = next(each for each in addresses_in(app) if each.startswith("hands?"))
    query = parse_qs(urlsplit(link).query)
    told = {"bid-from": ["7"], "margin-from": ["-1"], "margin-to": ["-1"]}
    told |= {"seat-from": ["0"], "seat-to": ["1"]}
    assert told.items() <= query.items()
    app = go(open_app(small_warehouse, monkeypatch), urls.HANDS, **query)
    assert {row["Margin"] for row in rows_of(app)} == {"−1"}
    assert chips(app) == ["bid: 7 or more", "points over the need: −1", "seat: 0 to 1"]
    assert not app.warning


def test_hands_people_look_for_are_found_by_one_click(app: AppTest, small_warehouse: Path) -> None:
    go(app, urls.HANDS)
    with open_facts(small_warehouse) as facts:
        games = measure(facts, "hands", ("variant",)).sort("n", "variant", descending=[True, False])
    for question in some(hand_questions(games["variant"]), 3):
        with open_facts(small_warehouse) as facts:
            count = listings.hand_count(facts, question.filters)
        app.button_group(key="looked-for").set_value([question]).run()
        assert not app.exception, question
        assert len(rows_of(app)) == min(count, 50), question
        assert app.button_group(key="looked-for").value == [question]
    app.button_group(key="looked-for").set_value([]).run()
    assert f"{ALL} hands." in text_of(app)


def test_several_questions_are_asked_at_once_and_the_last_one_decides(app: AppTest) -> None:
    go(app, urls.HANDS, variant="pedro")
    high, by_one, exactly, *_ = hand_questions(["pedro"])
    app.button_group(key="looked-for").set_value([high, by_one]).run()
    assert chips(app) == ["bid: 10 or more", "points over the need: −1"]
    app.button_group(key="looked-for").set_value([high, by_one, exactly]).run()
    assert chips(app) == ["bid: 10 or more", "points over the need: 0"]
    assert app.button_group(key="looked-for").value == [high, exactly]


@pytest.mark.parametrize(
    ("game", "least"), [("king-pedro", 37), ("pidro", 10), ("twenty-nine", 21)]
)
def test_what_a_high_bid_is_depends_on_the_game(app: AppTest, game: str, least: int) -> None:
    go(app, urls.HANDS, variant=game)
    (high,) = (each for each in hand_questions([game]) if "bid" in dict(each.filters.chosen))
    assert app.button_group(key="looked-for").options[0].endswith(f": bid {least} or more")
    app.button_group(key="looked-for").set_value([high]).run()
    bids = [int(row["Bid"].split()[0]) for row in rows_of(app)]
    assert [each for each in bids if each < least] == []
    assert bids or game != "king-pedro"


def test_a_bound_of_the_page_before_gives_way_to_what_a_link_asks_for(app: AppTest) -> None:
    go(app, urls.GAMES, **{"bid-from": "9"})
    go(app, urls.HANDS, at=["bid:7"])
    assert {row["Bid"].split()[0] for row in rows_of(app)} == {"7"}
    go(app, urls.GAMES)
    go(app, urls.HANDS, at=["bid:8.."])
    assert "7" not in {row["Bid"].split()[0] for row in rows_of(app)}


# --- The table
def test_the_list_is_put_in_order_by_the_box_and_by_its_headings(app: AppTest) -> None:
    go(app, urls.HANDS, **{"margin-to": "-1", "sort": "Smallest margin"})
    margins = [int(row["Margin ▲"].replace("−", "-")) for row in rows_of(app)]
    assert margins == sorted(margins)
    (link,) = (each for each in addresses_in(app) if "highest-margin" in each)
    assert parse_qs(urlsplit(link).query) == {"margin-to": ["-1"], "sort": ["highest-margin"]}
    app.selectbox(key="sort").set_value(listings.Order.HIGHEST_BID).run()
    assert "Bid ▼" in rows_of(app)[0]


def test_another_order_begins_at_the_first_page(app: AppTest) -> None:
    go(app, urls.HANDS, page="2")
    last = rows_of(app)[-1]["Hand"]
    assert all("page=" not in each for each in addresses_in(app))
    app.selectbox(key="sort").set_value(listings.Order.OLDEST).run()
    assert len(rows_of(app)) == 50
    assert rows_of(app)[0]["Hand"] == last


def test_points_say_whose_they_are(app: AppTest, small_warehouse: Path) -> None:
    with open_facts(small_warehouse) as facts:
        hands = listings.hand_list(facts, limit=50).to_dicts()
    go(app, urls.HANDS)
    for row, hand in zip(rows_of(app), hands, strict=True):
        if hand["maker"] is None or hand["points"] is None:
            continue
        side = hand["seat_sides"][hand["maker"]]
        own = [one_line(name) for name, of in zip(hand["players"], hand["seat_sides"], strict=True)
               if of == side]  # fmt: skip
        assert row["Makers’ points"] == f"{' & '.join(own)}: {hand['points'][side]}"
        others = [points for of, points in enumerate(hand["points"]) if of != side]
        assert re.findall(r": (-?\d+)(?:, |$)", row["Others’ points"]) == [str(p) for p in others]


def test_text_from_logs_is_shown_as_text(app: AppTest) -> None:
    go(app, urls.HANDS, find="nasty", at=["player:nasty-0"], figure="valid-rate")
    assert [row["Hand"] for row in rows_of(app)] == [NAMES]
    shown = text_of(app)
    assert "\u202e" not in shown
    for each in (*app.markdown, *app.caption):
        assert "<img" not in each.value.replace("\\<img", "")


def test_the_list_is_saved_without_formulas(small_warehouse: Path) -> None:
    with open_facts(small_warehouse) as facts:
        rows = listings.hand_list(facts, text="nasty")
    told = as_file(rows, dict.fromkeys(VARIANTS, "=1+1")).decode("utf-8-sig")
    head, row = csv.reader(io.StringIO(told))
    cells = dict(zip(head, row, strict=True))
    assert cells["Hand"] == NAMES
    assert cells["Variant"] == "'=1+1"
    assert "\u202e" not in told


# --- Notes and tags
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
        people = stored_hand(tables, REVOKE).players
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


# --- Hands of which a part was written down
DISPUTE = """\
game Pedro
players Ann & Cy vs Bo & Dee
date 2026-11-20

hand 1; dealer Ann
Bo p, Cy 8, p, p
Cy trump hearts
then Dee has 7s
trick 3: Bo 8s 4s Kd 9s > Ann
"""
EVENING = """\
game Twenty-Nine
players Ann & Cy vs Bo & Dee
date 2026-11-21

hand 1; dealer Dee; Ann 17, made; points 18 10
hand 2; Bo 18, set by 2; points 12 16
hand 3; Cy 16, made; points 20 8
"""
MIDDLE = """\
game Cinch
players Ann & Cy vs Bo & Dee
date 2026-11-22

hand 4; dealer Bo
... auction
contract Ann 9 spades
... tricks 1-4
trick 5: Ann As 3s 5s 2s > Ann
... rest
"""
IDS = {
    "dispute": "2026-11-20-ann-bo-cy-dee-1",
    "evening": "2026-11-21-ann-bo-cy-dee-1",
    "middle": "2026-11-22-ann-bo-cy-dee-4",
}
"""By text: the id of its first hand."""


@pytest.fixture(scope="module")
def partial(tmp_path_factory: pytest.TempPathFactory) -> Path:

    def make(folder: Path) -> None:
        (logs := folder / "logs").mkdir()
        for text in (DISPUTE, EVENING, MIDDLE):
            (logs / f"{text.split()[1]}.trick").write_text(text, "utf-8")
        report = ingest.load(logs, db=folder / "db")
        assert report.verdicts == {"irregular": 1, "partial": 4}
        assert report.findings == {"revoke": 1}

    return made_once(tmp_path_factory, "partial", make) / "db"


@pytest.fixture
def gappy(partial: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    return open_app(partial, monkeypatch)


@pytest.mark.parametrize(
    ("name", "game", "said"),
    [
        ("dispute", "Pedro", "Not recorded before action 5: tricks 1 to 2."),
        ("middle", "Cinch", "Not recorded"),
        ("evening", "Twenty-Nine", "bid 17 and made it."),
    ],
)
def test_a_hand_with_gaps_is_replayed(gappy: AppTest, name: str, game: str, said: str) -> None:
    go(gappy, urls.STEPS, hand=IDS[name])
    assert game in text_of(gappy)
    assert IDS[name] in text_of(gappy) + "".join(each.value for each in gappy.header)
    assert not gappy.error
    assert said in tables_in(gappy)[0].proto.json


def test_the_list_of_hands_knows_what_is_recorded(gappy: AppTest) -> None:
    shown = text_of(go(gappy, urls.HANDS, verdict="partial"))
    assert "4 hands" in shown + "".join(each.value for each in gappy.caption)
    assert IDS["evening"] in shown
    assert IDS["middle"] in shown
    assert IDS["dispute"] not in shown
    assert "Ann &amp; Cy: 18" in shown


def test_the_audit_holds_nothing_against_what_is_not_recorded(gappy: AppTest) -> None:
    shown = text_of(go(gappy, urls.AUDIT))
    assert "Revoke" in shown
    assert "the record has gaps, and all that is written is in order" in shown
    assert "1 finding" in shown + "".join(each.value for each in gappy.caption)


def test_an_evening_of_partial_hands_is_shown(gappy: AppTest) -> None:
    for day in some(("2026-11-21", "2026-11-20", "2026-11-22"), 1):
        shown = text_of(go(gappy, urls.EVENINGS, evening=day))
        for player in ("Ann", "Bo", "Cy", "Dee"):
            assert player in shown
        assert not gappy.error
