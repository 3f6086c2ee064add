"""The pages of hands and of the audit: lists and files, notes and tags, gaps, and findings."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboard.conftest import Visit
from tests.kit.app_pages import (
    address_of,
    addresses_in,
    go,
    number,
    open_more,
    press,
    queries_in,
    table_of,
    tables_in,
    text_of,
    unmarked,
    warnings_of,
)
from tests.kit.dashboard_logs import NAMES, NASTY, REVOKE, VARIANTS, with_revoke
from tests.kit.tiers import some
from tricklog import Finding, Hand, decode_hand, replay
from tricklog.dashboard.address import urls
from tricklog.dashboard.pages.audit.expected import expected, logged
from tricklog.dashboard.text.questions import hand_questions
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.loading.auditing import rules_trouble
from tricklog.ingest.metrics import listings, measure, metric_named
from tricklog.ingest.metrics.query import Cases, Which
from tricklog.ingest.reading.reader import parse_line
from tricklog.ingest.reading.samples import samples_folder
from tricklog.ingest.store import marks, userdata
from tricklog.ingest.store.aliases import add_alias, aliases, hand_with
from tricklog.ingest.store.queries import hashes_of
from tricklog.ingest.store.warehouse import hand as stored_hand
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.schemas.printable import one_line

ALL = 12 * len(VARIANTS) + 3
MADE = metric_named("made-rate")
LOOKED_FOR = "looked-for"


def rows_of(app: AppTest) -> list[dict[str, str]]:
    return table_of(app, "Hands")


def seen(app: AppTest, column: str) -> set[str]:
    return {row[column].split()[0] if column == "Bid" else row[column] for row in rows_of(app)}


def test_every_hand_is_listed_at_first_on_pages_and_then_those_of_a_variant(app: AppTest) -> None:
    counts = {}
    for page in ("1", "2", "3", "x"):
        go(app, urls.HANDS, page=page)
        counts[page] = len(rows_of(app))
        go(app, urls.DEFINITIONS)
    assert counts == {"1": 50, "2": 1, "3": 50, "x": 50}
    go(app, urls.HANDS)
    assert f"{ALL} hands. Click a row" in text_of(app)
    for variant in some(VARIANTS, 2):
        app.multiselect(key="variant").set_value([variant]).run()
        assert not app.exception
        assert len(seen(app, "Variant")) == 1, variant


def test_a_hand_of_the_list_leads_to_its_replay(app: AppTest) -> None:
    go(app, urls.HANDS, find=NAMES)
    name = "a+%3Cb%3Ehand%3C%2Fb%3E+of+%5Bnames%5D%28x%29"
    assert [each for each in addresses_in(app) if not each.startswith("hands?")] == [
        f"replay?hand={name}",
        f"games?game=game+{name}",
    ]


def test_verdict_finding_and_text_narrow_the_list(app: AppTest) -> None:
    open_more(go(app, urls.HANDS))
    app.multiselect(key="verdict").set_value(["irregular"]).run()
    assert seen(app, "Verdict") == {"irregular"}
    assert len(rows_of(app)) == 3
    app.selectbox(key="finding").set_value("revoke").run()
    assert [row["Hand"] for row in rows_of(app)] == [REVOKE]
    app.text_input(key="find").set_value("no such hand").run()
    assert "No hand matches" in text_of(app)
    go(app, urls.DEFINITIONS)
    go(app, urls.HANDS, **urls.to_hands("Revoke"))
    assert [row["Hand"] for row in rows_of(app)] == [REVOKE]


def test_hands_behind_a_figure_are_counted_and_switched(
    app: AppTest, small_warehouse: Path
) -> None:
    with open_facts(small_warehouse) as facts:
        counts = {each: listings.hand_count(facts, cases=Cases(MADE, each)) for each in Which}
    shown = text_of(go(app, urls.HANDS, figure="made-rate"))
    assert "Hands behind: **Contracts made**" in shown
    assert f"{counts[Which.ALL]} hands: {counts[Which.COUNTED]} counted (contracts made)" in shown
    for which in Which:
        app.segmented_control(key="which").set_value(which.value).run()
        assert len(rows_of(app)) == min(50, counts[which])
    assert seen(app, "Result") == {"Set"}
    # A figure can be left for every hand.
    press(app, "Show every hand")
    assert f"{ALL} hands." in text_of(app)
    assert "Hands behind" not in text_of(app)
    # What was clicked on is named and can be taken away.
    go(app, urls.DEFINITIONS)
    go(app, urls.HANDS, figure="made-rate", at=["bid:7", "luck:good"], which="counted")
    assert r"**Contracts made\, bid 7**" in text_of(app)
    assert (seen(app, "Bid"), seen(app, "Result")) == ({"7"}, {"Made"})
    app.multiselect(key="bid").set_value([]).run()
    assert "**Contracts made**" in text_of(app)


# --- Ranges of numbers
def chips(app: AppTest) -> list[str]:
    labels = (each.label for each in app.button if each.label.endswith("✕"))
    return [unmarked(each).replace("✕", "").strip() for each in labels]


def test_bounds_of_numbers_stand_in_the_address_and_are_named_and_taken_away(app: AppTest) -> None:
    go(app, urls.HANDS, **{"bid-from": "7", "bid-to": "8", "margin-to": "-1"})
    assert seen(app, "Bid") <= {"7", "8"}
    assert seen(app, "Result") == {"Set"}
    assert all(each.startswith("−") for each in seen(app, "Margin"))
    assert chips(app) == ["bid: 7 to 8", "points over the need: −1 or less"]
    assert r"hands\: " not in text_of(app)
    assert f"{len(rows_of(app))} hands: bid 7 to 8" in text_of(app).replace("\\", "")
    app.number_input(key="bid-to").set_value(None).run()
    assert chips(app)[0] == "bid: 7 or more"
    for _ in range(2):
        press(app, "✕")
    assert chips(app) == []
    assert f"{ALL} hands." in text_of(app)
    assert not any(name.endswith(("-from", "-to")) for name in address_of(app))
    # Those behind a figure are narrowed likewise.
    go(app, urls.DEFINITIONS)
    go(app, urls.HANDS, figure="made-rate", at=["bid:8..", "margin:-1"], which="others")
    assert "Hands behind: **Contracts made, bid 8 or more, points over the need −1**" in (
        unmarked(text_of(app))
    )
    bounds = ("bid-from", "bid-to", "margin-from", "margin-to")
    assert [app.number_input(key=each).value for each in bounds] == [8, None, -1, -1]
    assert seen(app, "Margin") <= {"−1"}


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
    assert seen(app, "Margin") <= {"−1", "−2", "−3"}
    go(app, urls.HANDS, at=["bid:8"])
    assert app.multiselect(key="bid").value == ["8"]
    assert chips(app) == []


def test_ranges_go_along_in_links_to_hands(
    app: AppTest, small_warehouse: Path, visit: Visit
) -> None:
    asked: dict[str, str | list[str]] = {"view": "By player", "bid-from": "7"}
    go(app, urls.BIDS, **asked, at=["margin:-1", "seat:0..1"])
    (query, *_) = queries_in(app, "hands")
    told = {"bid-from": ["7"], "margin-from": ["-1"], "margin-to": ["-1"]}
    told |= {"seat-from": ["0"], "seat-to": ["1"]}
    assert told.items() <= query.items()
    app = visit(small_warehouse, urls.HANDS, **query)
    assert seen(app, "Margin") == {"−1"}
    assert chips(app) == ["bid: 7 or more", "points over the need: −1", "seat: 0 to 1"]
    assert not app.warning


def test_hands_people_look_for_are_found_by_one_click(app: AppTest, small_warehouse: Path) -> None:
    go(app, urls.HANDS)
    with open_facts(small_warehouse) as facts:
        games = measure(facts, "hands", ("variant",)).sort("n", "variant", descending=[True, False])
        questions = some(hand_questions(games["variant"]), 3)
        counts = [listings.hand_count(facts, question.filters) for question in questions]
    for question, count in zip(questions, counts, strict=True):
        app.button_group(key=LOOKED_FOR).set_value([question]).run()
        assert not app.exception, question
        assert len(rows_of(app)) == min(count, 50), question
        assert app.button_group(key=LOOKED_FOR).value == [question]
    app.button_group(key=LOOKED_FOR).set_value([]).run()
    assert f"{ALL} hands." in text_of(app)
    # Several are asked at once, and the last one decides.
    go(app, urls.DEFINITIONS)
    go(app, urls.HANDS, variant="pedro")
    high, by_one, exactly, *_ = hand_questions(["pedro"])
    app.button_group(key=LOOKED_FOR).set_value([high, by_one]).run()
    assert chips(app) == ["bid: 10 or more", "points over the need: −1"]
    app.button_group(key=LOOKED_FOR).set_value([high, by_one, exactly]).run()
    assert chips(app) == ["bid: 10 or more", "points over the need: 0"]
    assert app.button_group(key=LOOKED_FOR).value == [high, exactly]


@pytest.mark.parametrize(
    ("game", "least"), [("king-pedro", 37), ("pidro", 10), ("twenty-nine", 21)]
)
def test_what_a_high_bid_is_depends_on_the_game(app: AppTest, game: str, least: int) -> None:
    go(app, urls.HANDS, variant=game)
    (high,) = (each for each in hand_questions([game]) if "bid" in dict(each.filters.chosen))
    assert app.button_group(key=LOOKED_FOR).options[0].endswith(f": bid {least} or more")
    app.button_group(key=LOOKED_FOR).set_value([high]).run()
    bids = [int(each) for each in seen(app, "Bid")]
    assert [each for each in bids if each < least] == []
    assert bids or game != "king-pedro"


def test_a_bound_of_the_page_before_gives_way_to_what_a_link_asks_for(app: AppTest) -> None:
    go(app, urls.GAMES, **{"bid-from": "9"})
    go(app, urls.HANDS, at=["bid:7"])
    assert seen(app, "Bid") == {"7"}
    go(app, urls.GAMES)
    go(app, urls.HANDS, at=["bid:8.."])
    assert "7" not in seen(app, "Bid")


# --- The table
def test_the_list_is_put_in_order_by_the_box_and_by_its_headings(app: AppTest) -> None:
    go(app, urls.HANDS, **{"margin-to": "-1", "sort": "Smallest margin"})
    margins = [number(row["Margin ▲"]) for row in rows_of(app)]
    assert margins == sorted(margins)
    (query,) = (each for each in queries_in(app) if each.get("sort") == ["highest-margin"])
    assert query == {"margin-to": ["-1"], "sort": ["highest-margin"]}
    app.selectbox(key="sort").set_value(listings.Order.HIGHEST_BID).run()
    assert "Bid ▼" in rows_of(app)[0]
    # Another order begins at the first page.
    go(app, urls.DEFINITIONS)
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
        seated = zip(hand["players"], hand["seat_sides"], strict=True)
        own = " & ".join(one_line(name) for name, of in seated if of == side)
        assert row["Makers’ points"] == f"{own}: {hand['points'][side]}"
        others = [points for of, points in enumerate(hand["points"]) if of != side]
        assert re.findall(r": (-?\d+)(?:, |$)", row["Others’ points"]) == [str(p) for p in others]


# --- Notes and tags
@pytest.fixture
def hashed(own: Path) -> str:
    with open_snapshot(own) as tables:
        (found,) = hashes_of(tables, [REVOKE]).values()
    return found


def test_pages_with_figures_say_which_players_are_not_one(own_app: AppTest, own: Path) -> None:
    with open_snapshot(own) as tables:
        query = "SELECT players[1].id, players[2].id FROM seatings ORDER BY seating_id LIMIT 1"
        (pair,) = tables.execute(query).fetchall()
    with userdata.writing(own) as connection:
        connection.execute("INSERT INTO aliases VALUES (?, ?)", pair)
    go(own_app, urls.GAMES)
    assert "are not counted as one player" in warnings_of(own_app)


def test_a_hand_is_tagged_and_noted(own_app: AppTest, own: Path, hashed: str) -> None:
    go(own_app, urls.STEPS, hand=REVOKE)
    own_app.button(key="open-marks").click().run()
    own_app.text_area(key="new-note").set_value(f"{NASTY}\nand more")
    own_app.button(key="add-note").click().run()
    (note,) = marks.marks(own).notes
    assert (note.about, note.subject) == ("hand", hashed)
    marks.add_tag(own, [hashed], "Lesson")
    shown = text_of(go(own_app, urls.STEPS, hand=REVOKE))
    assert "Lesson" in shown
    assert "and more" in shown
    assert not [each for each in own_app.get("html") if "<script" in each.proto.body]
    # A note about a player stands in their profile.
    with open_snapshot(own) as tables:
        ((player, name),) = tables.execute(
            "SELECT player, name FROM players ORDER BY hands DESC, player LIMIT 1"
        ).fetchall()
    marks.add_note(own, "player", player, "passes too much")
    assert "passes too much" in text_of(go(own_app, urls.PLAYERS, player=name))


def test_all_hands_of_a_list_are_tagged_and_found_by_it(own_app: AppTest, own: Path) -> None:
    # Tests cannot write an option that is new.
    marks.add_tag(own, ["0" * 32], "look at")
    go(own_app, urls.HANDS, verdict="irregular")
    assert not any("Tags" in row for row in rows_of(own_app))
    found = seen(own_app, "Hand")
    own_app.session_state["bulk-tags"] = True
    own_app.run()
    own_app.selectbox(key="new-tag").set_value("look at")
    own_app.button(key="bulk-add").click().run()
    assert marks.marks(own).by_tag() == {"look at": len(found) + 1}
    assert seen(own_app, "Tags") == {"look at"}
    go(own_app, urls.HANDS, tag="look at", all="true")
    assert seen(own_app, "Hand") == found


def test_a_damaged_file_gives_a_sentence_and_the_page_stands(own_app: AppTest, own: Path) -> None:
    userdata.user_file(own).write_bytes(b"junk" * 99)
    go(own_app, urls.STEPS, hand=REVOKE)
    assert "cannot be used" in warnings_of(own_app)
    assert REVOKE in text_of(own_app)
    go(own_app, urls.PLAYERS)
    assert "undamaged file" in own_app.warning[0].value
    assert table_of(own_app, "Ratings") or own_app.info


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


def test_a_link_names_nobody_unless_asked_to(own_app: AppTest, own: Path, hashed: str) -> None:
    with open_snapshot(own) as tables:
        people = stored_hand(tables, REVOKE).players
    go(own_app, urls.STEPS, hand=REVOKE)
    own_app.button(key="open-marks").click().run()
    assert f"hand=~{hashed}" in own_app.code[0].value.replace("%7E", "~")
    go(own_app, urls.STEPS, hand=f"~{hashed}")
    assert "A hand without names" in text_of(own_app)
    (mounted,) = tables_in(own_app)
    sent = str(mounted.proto) + text_of(own_app)
    assert "Player 1" in sent
    assert REVOKE not in sent
    assert not [each for each in people if each.id in sent or (each.name and each.name in sent)]
    go(own_app, urls.STEPS, hand=f"~{'0' * 32}")
    assert "not in this warehouse" in own_app.error[0].value
    go(own_app, urls.STEPS, hand=REVOKE)
    own_app.session_state["link-without-names"] = False
    own_app.button(key="open-marks").click().run()
    assert f"hand={REVOKE}" in own_app.code[0].value


# --- Hands of which a part was written down
def test_gaps_are_replayed(with_gaps: Path, visit: Visit) -> None:
    for hand, game, said in (
        ("2026-11-20-ann-bo-cy-dee-1", "Pedro", "Not recorded before action 5: tricks 1 to 2."),
        ("2026-11-22-ann-bo-cy-dee-4", "Cinch", "Not recorded"),
        ("2026-11-21-ann-bo-cy-dee-1", "Twenty-Nine", "bid 17 and made it."),
    ):
        app = visit(with_gaps, urls.STEPS, hand=hand)
        assert game in text_of(app)
        assert hand in text_of(app)
        assert not app.error
        assert said in tables_in(app)[0].proto.json


# --- The audit: verdicts, findings against the rules, counts, and lines kept aside
PLAYERS = ["ann", "bo", "cy", "dee"]


def test_a_disputed_hand_is_found_and_its_verdict_said(app: AppTest) -> None:
    go(app, urls.AUDIT)
    app.selectbox(key="finding").set_value("claimed-points").run()
    assert "2 findings" in text_of(app)
    go(app, urls.DEFINITIONS)
    shown = text_of(go(app, urls.AUDIT, find=REVOKE))
    assert "something was against the rules" in shown
    assert "Claimed points." not in shown
    step = f":blue[{REVOKE}, step {with_revoke()[1]}]"
    assert step in [each.proto.label for each in app.get("page_link")]
    assert any("14.follow" in each.label for each in app.expander)
    assert "By the rules" in shown


def test_counts_are_drawn_and_parts_that_do_not_exist_are_no_error(app: AppTest) -> None:
    go(app, urls.AUDIT, view="counts")
    assert [each.value for each in app.subheader] == [
        "Kinds of findings",
        "Who makes mistakes",
        "How well each log is kept",
        "Rules that are broken",
    ]
    for page, view in (("9", "findings"), ("x", "findings"), ("7", "counts")):
        assert text_of(go(app, urls.AUDIT, page=page, view=view))


# --- Logged against expected
def of_sample(name: str) -> tuple[Finding, list[str]]:
    (path,) = (samples_folder() / "invalid").rglob(f"{name}.jsonl")
    hand = decode_hand(path.read_bytes().splitlines()[0])
    return replay(hand).findings[0], list(hand.actions)


def test_a_finding_is_told_as_logged_and_due() -> None:
    for name, in_the_log, by_the_rules in (
        ("revoke", "dee plays ace of hearts", "one of Q♠ J♠ 9♠"),
        ("bid-too-low", "dee bids 5", "6 to 14 or pass"),
        ("claimed-winner", "ann", "cy"),
        ("claimed-change", "11 : 33", "11 : -35"),
        ("kitty-size", "3", "4"),
        ("bid-out-of-turn", "bo bids 7", "ann is to act"),
        ("card-not-in-pack", "6♥", ""),
        ("dealer-must-bid", "cy passes", "7"),
        ("not-thrown-in", "ann bids 16", "throw in"),
    ):
        finding, actions = of_sample(name)
        assert logged(finding, actions, PLAYERS) == in_the_log
        assert expected(finding, PLAYERS) == by_the_rules


def test_every_finding_of_the_samples_can_be_reported() -> None:
    told = 0
    for path in (samples_folder() / "invalid").rglob("*.jsonl"):
        for line in path.read_bytes().splitlines():
            hand = parse_line(line)
            if isinstance(hand, Hand) and rules_trouble(hand) is None:
                for finding in replay(hand).findings:
                    told += bool(logged(finding, hand.actions, PLAYERS))
                    expected(finding, PLAYERS)
    assert told > 50
