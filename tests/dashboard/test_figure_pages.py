"""The pages of figures, without a browser: what they show, and what filters and links change."""

import json
import re
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import polars as pl
import pytest
from duckdb import DuckDBPyConnection
from streamlit.testing.v1 import AppTest

from tests.dashboard.conftest import Visit
from tests.kit.app_pages import (
    address_of,
    addresses_in,
    check_charts,
    go,
    open_app,
    open_more,
    press,
    queries_in,
    table_of,
    text_of,
    type_into,
    unmarked,
    warnings_of,
)
from tests.kit.dashboard_logs import NASTY, VARIANTS, alone, first_hands
from tests.kit.facts import facts_in
from tests.kit.log_lines import write_hands
from tests.kit.tiers import some
from tricklog import Player
from tricklog.dashboard.address import urls
from tricklog.dashboard.data import filters, our_table
from tricklog.dashboard.kit import exports
from tricklog.dashboard.kit.charts import shared_domain
from tricklog.dashboard.pages.record.own_rules import own_rules
from tricklog.dashboard.sections import ranking
from tricklog.dashboard.text.labels import short_names
from tricklog.dashboard.text.questions import QUESTIONS
from tricklog.ingest import metrics
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.loading.loading import load
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.leaks import LEAKS
from tricklog.ingest.reading.samples import samples_folder
from tricklog.ingest.recording import keeping
from tricklog.ingest.sessions.evening import evenings
from tricklog.ingest.store import quarantine, userdata
from tricklog.ingest.store.scopes import Scope
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.schemas.languages.numbers import day_text
from tricklog.schemas.words import counted

MARKUP = re.compile(r"(?<!\\)<img")
ALL = 12 * len(VARIANTS) + 3
TABLES = 1_010
"""More than the values that a box offers."""
LAST = [f"{4 * TABLES - seats:04}" for seats in (4, 3, 2, 1)]


facts = facts_in("small_warehouse")


# --- Sections
def test_players_are_compared_within_games_and_all_else_is_shown_for_each(club: AppTest) -> None:
    go(club, urls.BIDS, view="By player")
    assert "Contracts set: above or below the others" in text_of(club)
    assert "Several games are taken together" in text_of(club)
    club.multiselect(key="variant").set_value(["pedro"]).run()
    assert "Contracts set by player" in text_of(club)
    assert "Several games" not in text_of(club)
    # A question chosen stands in the address by its name.
    choice = next(each for each in club.selectbox if each.label == "Question")
    choice.set_value("aggression-by-player").run()
    assert address_of(club)["question"] == "aggression-by-player"
    assert [each.value for each in club.subheader] == ["Who bids the most?"]
    club.multiselect(key="variant").set_value([]).run()
    go(go(club, urls.OVERVIEW), urls.BIDS, question="made-rate-by-points-held")
    for title in ("Pedro: contracts made by", "Finnish Pidro: contracts made by"):
        assert title in text_of(club)


def test_shares_of_several_games_have_one_scale_and_amounts_their_own(club: AppTest) -> None:
    go(club, urls.BIDS, view="By bid", question="made-rate-by-trumps-held")
    first, second = ends_of_axes(club)[:2]
    assert first == second
    assert len(first) == 2
    go(club, urls.BIDS, view="Same cards", question="captured-by-makers-by-bid")
    assert ends_of_axes(club) == [[], []]


def ends_of_axes(app: AppTest) -> list[list[float]]:
    specs = [json.loads(each.proto.spec) for each in app.get("vega_lite_chart")]
    values = [spec["layer"][-1]["encoding"]["y"]["scale"] for spec in specs]
    return [each.get("domain", []) for each in values]


def test_amounts_by_player_are_shown_of_one_variant_only(app: AppTest) -> None:
    go(app, urls.BIDS, view="By player", question="overbid-by-player")
    assert "Choose one variant" in app.info[0].value
    app.multiselect(key="variant").set_value(["pedro"]).run()
    assert not app.info
    assert "Pedro: points short by player" in text_of(app)
    # In other games chosen and forced bids stand apart.
    go(app, urls.OVERVIEW)
    go(app, urls.BIDS, variant=["Finnish Pidro"], question="made-rate-by-bid")
    rows = re.findall(r"<bdi>(chosen|forced)</bdi>", text_of(app))
    assert "chosen" in rows


# --- Filters
def test_every_filter_changes_what_figures_count(app: AppTest, facts: DuckDBPyConnection) -> None:
    open_more(go(app, urls.EXPLORER, metric="Hands", by="variant"))
    # Nobody tagged these hands; the tests of tags filter by them.
    for name in some([each for each in filters.BOXES if each != "tag"], 4):
        value = metrics.listings.values(facts, metrics.DIMENSION[name])[0]
        counts = metrics.listings.left_out(facts, Filters.of({name: value}))
        app.multiselect(key=name).set_value([value]).run()
        assert not app.exception, name
        valid = counts.pop("valid", 0)
        assert f"Made from {valid} valid hand" in text_of(app), name
        for verdict, count in counts.items():
            assert f"{count} {verdict}" in text_of(app), name
        app.multiselect(key=name).set_value([])


def test_days_and_switches_change_what_figures_are_made_of(app: AppTest) -> None:
    go(app, urls.BIDS)
    assert "Made from 48 valid hands. Left out: 3 irregular." in text_of(app)
    open_more(app).toggle(key="all").set_value(True).run()
    assert "Made from 51 hands, of which 3 irregular." in text_of(app)
    app.number_input(key="min").set_value(5).run()
    assert any("n below 5, or fewer than 5 games" in each.proto.help for each in app.caption)


def test_filters_out_of_sight_are_drawn_when_set_and_counted_when_closed(app: AppTest) -> None:
    def boxes_under(label: str) -> set[str | None]:
        assert app.session_state["more-filters-label"] == label
        return {each.key for each in app.multiselect}

    go(app, urls.HANDS)
    assert boxes_under("More filters") == {*filters.FIRST}
    open_more(app)
    assert boxes_under("More filters") == set(filters.BOXES)
    app.multiselect(key="verdict").set_value(["valid"]).run()
    assert boxes_under("More filters") == set(filters.BOXES)
    app.session_state[filters.OPENED] = False
    app.run()
    assert boxes_under("More filters (1)") == {*filters.FIRST, "verdict"}
    assert "valid" in text_of(app)


def test_what_a_link_chose_fills_boxes_and_the_rest_stays_to_be_taken_away(app: AppTest) -> None:
    go(app, urls.BIDS, at=["player:nasty-0", "bid:7", "card:5", "player:nobody"])
    assert app.multiselect(key="player").value == ["nasty-0"]
    assert app.multiselect(key="bid").value == ["7"]
    labels = [each.label for each in app.button if "✕" in each.label]
    assert [re.sub(r"\W+", " ", each).strip() for each in labels] == ["card five"]
    assert "asks for player “nobody”, which this page does not know" in text_of(app)


# --- Explorer
@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many")
    hand, *_ = first_hands("pedro", 1)
    hands = []
    for table in range(TABLES):
        seats = [f"{4 * table + seat:04}" for seat in range(4)]
        names = ["Anna" if table == 1 and each > "0005" else f"Player {each}" for each in seats]
        people = [Player(f"id-{each}", name) for each, name in zip(seats, names, strict=True)]
        hands.append(alone(hand, f"hand {table}", players=people))
    load(write_hands(folder / "many.jsonl", hands), db=folder / "db")
    return folder / "db"


def test_values_beyond_the_first_thousand_can_be_chosen(many: Path, visit: Visit) -> None:
    app = visit(many, urls.BIDS)
    box = app.multiselect(key="player")
    last = LAST[-1]
    assert (len(box.options), f"Player {last}" in box.options) == (1_000, False)
    for asked in (f"id-{last}", f"Player {last}"):
        app = go(app, urls.BIDS, player=asked)
        assert app.multiselect(key="player").value == [f"id-{last}"]
        assert "Made from 1 valid hand" in text_of(app), asked
        assert not warnings_of(app)
    app.session_state["player"] = ["id-0000", f" player {last}", "Nobody <b>", "anna"]
    app.run()
    assert app.multiselect(key="player").value == ["id-0000", f"id-{last}"]
    assert "Made from 2 valid hands" in text_of(app)
    assert warnings_of(app).splitlines() == [
        "Nobody is called “Nobody <b>”.",
        "Several are called “anna”: Anna (id-0006) or Anna (id-0007).",
    ]
    with open_facts(many) as connection:
        sessions = metrics.listings.values(connection, metrics.DIMENSION["session"], None)
    assert len(sessions) == TABLES
    app = go(app, urls.BIDS, session=sessions[-1])
    assert app.multiselect(key="session").value == [sessions[-1]]
    assert "Made from 1 valid hand" in text_of(app)
    assert not warnings_of(app)
    app.session_state["session"] = [sessions[-1], sessions[-2], "<b>"]
    app.run()
    assert app.multiselect(key="session").value == [sessions[-1], sessions[-2]]
    assert "Made from 2 valid hands" in text_of(app)
    assert warnings_of(app) == "Nothing here is called “<b>”."
    assert "The first 1,000 are offered" in app.multiselect(key="session").help
    profile = go(app, urls.PLAYERS, player=f"id-{last}")
    assert f"Player {last}" in text_of(profile)
    assert not warnings_of(profile)


def test_whoever_a_list_of_a_thousand_leaves_out_is_of_a_table_practises_and_is_recorded(
    many: Path, tmp_path: Path, visit: Visit
) -> None:
    db = shutil.copytree(many, tmp_path / "db")
    names = [f"Player {each}" for each in LAST]
    app = visit(db, urls.PRACTICE, **{urls.PRACTICE_WHO: f"id-{LAST[-1]}"})
    assert app.selectbox(key=urls.PRACTICE_WHO).value == f"id-{LAST[-1]}"
    assert not warnings_of(app)
    # Who is typed at a seat is the person of the records, and nobody new.
    app = go(app, urls.RECORD)
    boxes = [app.selectbox(key=f"record-seat-{seat}") for seat in range(4)]
    assert not {*names} & {name for box in boxes for name in box.options}
    type_into(app, {box.id: name for box, name in zip(boxes, names, strict=True)}, "Start")
    (begun,) = keeping.latest(db)
    assert [each.id for each in begun.evening.draft.players] == [f"id-{each}" for each in LAST]
    app = go(app, urls.HANDS)
    app.session_state[our_table.OPENED] = True
    app.run()
    app.radio(our_table.WHO).set_value("chosen").run()
    app.session_state[our_table.WHOM] = [*names, "Nobody <b>"]
    app.run()
    assert app.multiselect(our_table.WHOM).value == [f"id-{each}" for each in LAST]
    assert warnings_of(app) == "Nobody is called “Nobody <b>”."
    press(app, "Use this table")
    assert userdata.scopes(db).chosen == Scope(tuple(f"id-{each}" for each in LAST))
    assert "1 hand in " in text_of(app)


def test_whoever_a_list_of_a_thousand_leaves_out_is_compared(many: Path, visit: Visit) -> None:
    one, other = (f"id-{each}" for each in LAST[-2:])
    app = visit(many, urls.OVERVIEW)
    about, beside = app.selectbox(key="about-one"), app.selectbox(key="about-two")
    first = about.value
    assert [len(about.options), len(beside.options)] == [1_000, 1_000]
    type_into(app, {about.id: f"Player {LAST[-2]}", beside.id: f"Player {LAST[-1]}"})
    assert f"Player {LAST[-2]} and Player {LAST[-1]} side by side" in text_of(app)
    type_into(app, {app.selectbox(key="about-two").id: f"Player {LAST[-2]}"})
    assert [app.selectbox(key=f"about-{each}").value for each in ("one", "two")] == [one, first]
    assert not warnings_of(app)
    type_into(app, {app.selectbox(key="about-one").id: "Nobody"})
    assert app.selectbox(key="about-one").value == first
    assert warnings_of(app) == "Nobody is called “Nobody”."
    asked = {urls.VIEW: "side-by-side", urls.WITH: other}
    app = go(app, urls.PLAYERS, player=one, **asked)
    assert app.selectbox(key=urls.WITH).value == other
    assert not warnings_of(app)
    type_into(app, {app.selectbox(key=urls.WITH).id: "Player 0001"})
    assert app.selectbox(key=urls.WITH).value == "id-0001"
    assert address_of(app)[urls.WITH] == "id-0001"


def test_games_of_one_title_can_be_told_apart_and_each_chosen(tmp_path: Path, visit: Visit) -> None:
    hand, *_ = first_hands("pedro", 1)
    clubs = ("club-a", "club-b")
    rules = [own_rules("ours.toml", f'extends = "pedro"\nid = "{each}"'.encode()) for each in clubs]
    hands = [alone(hand, each.variant, rules=each) for each in rules]
    load(write_hands(tmp_path / "clubs.jsonl", hands), db=tmp_path / "db")
    for club in clubs:
        app = visit(tmp_path / "db", urls.PRACTICE)
        titles = {each: f"Pedro ({each})" for each in clubs}
        box = app.selectbox(key=urls.PRACTICE_GAME)
        assert box.options == ["all games", *titles.values()]
        box.select(titles[club]).run()
        assert address_of(app)[urls.PRACTICE_GAME] == club


def test_a_file_that_has_not_all_findings_says_so(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offered() -> list[str]:
        go(app, urls.AUDIT)
        return [each.proto.label for each in app.get("download_button")]

    assert offered() == ["Save as CSV", "Save as JSON"]
    monkeypatch.setattr(exports, "MOST_ROWS", 1)
    assert offered() == ["Save the first 1 as CSV", "Save the first 1 as JSON"]


def test_every_question_leads_to_its_figure(
    small_warehouse: Path, club_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only the small warehouse has findings, and more than one kind of player.
    of_small = [each for each in QUESTIONS if each.by in ("code", "kind", "source")]
    of_club = [each for each in QUESTIONS if each not in of_small]
    at = None
    for db, question in (
        *((small_warehouse, each) for each in some(of_small, 2)),
        *((club_warehouse, each) for each in some(of_club, 3)),
    ):
        if db != at:
            page, at = go(open_app(db, monkeypatch), urls.EXPLORER, min="5"), db
        page.selectbox(key="explorer-question").set_value(question).run()
        assert not page.exception, question
        asked = [page.selectbox(key=key).value for key in ("metric", "by", "and")]
        assert asked == [question.metric, question.by, question.also]
        assert metrics.METRIC[question.metric].sentence in text_of(page)
        if question.by == "kind":
            assert [each.value for each in page.info] == ["There are too few games to compare yet."]
        else:
            check_charts(page)


def test_a_link_to_the_explorer_reproduces_figure_and_dimensions_it_has(app: AppTest) -> None:
    go(app, urls.EXPLORER, **{"metric": "<b>", "by": "x", "and": "y", "at": "z"})
    assert app.selectbox(key="metric").value == "made-rate"
    go(app, urls.DEFINITIONS)
    go(app, urls.EXPLORER, **{"metric": "Point cards lost", "by": "card", "and": "side"})
    assert app.selectbox(key="metric").value == "cards-lost"
    assert (app.selectbox(key="by").value, app.selectbox(key="and").value) == ("card", "side")
    question = app.selectbox(key="explorer-question").value
    assert question is not None
    assert question.text == "Which cards get away?"
    # A dimension that the next figure lacks is left, and only those that it has are offered.
    app.selectbox(key="metric").set_value("win-rate").run()
    assert not app.exception
    assert app.selectbox(key="by").value == "player"
    assert app.selectbox(key="and").value is None
    expected = {each.title for each in metrics.dimensions_of(metrics.METRIC["win-rate"])}
    assert set(app.selectbox(key="by").options) == expected
    assert set(app.selectbox(key="and").options) == expected - {"player"}
    # Amounts are shown for each variant by itself.
    go(app, urls.DEFINITIONS)
    go(app, urls.EXPLORER, metric="Score a hand", by="side")
    assert len(re.findall(r'tl-chart-title"><b>([^<]*)', text_of(app))) == len(VARIANTS)


# --- What the rows of a table lead to
def test_every_row_leads_to_its_hands(app: AppTest, small_warehouse: Path, visit: Visit) -> None:
    go(app, urls.EXPLORER, metric="Hands", by="player", since="2020-01-01", all="true")
    rows, queries = table_of(app, "Table"), queries_in(app, "hands")
    assert len(rows) == len(queries)
    chosen = [place for place, row in enumerate(rows) if place < 2 or NASTY[:10] in row["player"]]
    assert len(chosen) > 2
    for place in chosen:
        assert (queries[place]["since"], queries[place]["all"]) == (["2020-01-01"], ["true"])
        hands = visit(small_warehouse, urls.HANDS, **queries[place])
        assert f"{counted(int(rows[place]['n']), 'hand')}. Click a row" in text_of(hands)
    go(app, urls.CAPTURE, view="Cards", variant=["Pedro"], min="2")
    told = queries_in(app)
    assert ["5", "defenders"] in [[*each["card"], *each["side"]] for each in told]
    for each in told:
        kept = (each["figure"], each["variant"], each["min"])
        assert kept == (["cards-kept"], ["pedro"], ["2"])


def test_days_and_switches_come_along_when_the_page_before_had_none(app: AppTest) -> None:
    carried = ["since:2020-01-01", "until:2199-01-01", "all:true", "min:2"]
    go(app, urls.HANDS, at=["card:5", *carried])
    assert not app.warning
    found = {each.key: each.value for each in (*app.date_input, *app.toggle, *app.number_input)}
    days = (date(2020, 1, 1), date(2199, 1, 1))
    assert (found["since"], found["until"], found["all"], found["min"]) == (*days, True, 2)
    assert address_of(app) == {"card": "5", **dict(each.split(":") for each in carried)}
    # What boxes of the page before hold comes along, as after a click that was still on its way.
    go(app, urls.GAMES, player="bot-bold-1")
    go(app, urls.HANDS, at=["player:bot-bold-1", "variant:pedro"])
    assert address_of(app) == {"player": "bot-bold-1", "variant": "pedro"}


@pytest.mark.parametrize(
    ("source", "page"), [("bids?view=by-player", "Back to the figure"), ("nowhere?x=1", None)]
)
def test_the_way_back_stands_in_the_address(app: AppTest, source: str, page: str | None) -> None:
    go(app, urls.HANDS, **{"figure": "set-rate", "from": source})
    back = [each.proto for each in app.get("page_link") if "Back" in each.proto.label]
    assert [each.query_string for each in back] == (["view=by-player"] if page else [])


def test_names_of_logs_are_as_short_as_tells_them_apart() -> None:
    assert short_names(["a/b/x.gz", "a/c/x.gz", "/d/y.gz", "x.gz", "C:\\z.gz"]) == {
        "a/b/x.gz": "b/x.gz",
        "a/c/x.gz": "c/x.gz",
        "/d/y.gz": "y.gz",
        "x.gz": "x.gz",
        "C:\\z.gz": "z.gz",
    }


# --- Games
def test_games_are_counted_with_those_left_out(facts: DuckDBPyConnection, app: AppTest) -> None:
    every = metrics.listings.games_left_out(facts)
    assert every["valid"] == metrics.measure(facts, "games")["n"].sum()
    stored = facts.sql("SELECT count(*) FROM games.games").fetchall()[0][0]
    assert sum(every.values()) == stored
    of_one = metrics.listings.games_left_out(facts, Filters.of({"player": "nasty-0"}))
    assert of_one == {"valid": 0, "irregular": 0, "incomplete": 1}
    go(app, urls.VARIANTS, metric="Games won", min="1")
    assert f"{every['incomplete']} not complete" in text_of(app)


# --- Variants
def test_points_of_several_games_are_refused_and_a_share_offered(app: AppTest) -> None:
    go(app, urls.VARIANTS, metric="Score a hand")
    assert "mean something else in King Pedro than in Pedro" in app.info[0].value
    press(app, "instead")
    assert not app.info
    assert app.selectbox(key="metric").value == "score-share"
    # Points of one game are not refused.
    go(app, urls.DEFINITIONS)
    go(app, urls.VARIANTS, metric="Score a hand", variant=["Pedro"])
    assert not app.info
    assert "Pedro: score a hand by month" in text_of(app)


def test_variants_are_followed_over_time(app: AppTest) -> None:
    go(app, urls.VARIANTS, metric="Contracts made")
    for step in some(("month", "hand-number", "week", "day", "session"), 2):
        app.session_state["over"] = step
        app.run()
        title = {"hand-number": "hand of the game"}.get(step, step)
        assert len(re.findall(f"contracts made by {title}", text_of(app))) == len(VARIANTS)
        check_charts(app)


# --- Definitions
def test_the_contents_lead_to_each_figure_and_dimension_alone(app: AppTest) -> None:
    shown = text_of(go(app, urls.DEFINITIONS))
    assert 'class="tl-definition"' not in shown
    names = re.findall(r'href="definitions\?about=([^"&]*)"', shown)
    assert len(set(names)) == len(names)
    entries = {
        *(each.name for each in metrics.METRICS),
        *(f"by-{name}" for name in metrics.DIMENSION),
        *(f"leak-{each.name}" for each in LEAKS),
    }
    assert entries < {*names}
    for name in some(names, 2):
        shown = text_of(go(go(app, urls.OVERVIEW), urls.DEFINITIONS, about=name))
        assert not app.info, name
        assert len(app.subheader) == 1, name
        if name in entries:
            assert defined_on(app) == [name]
        assert 'href="definitions">All definitions' in shown
    # They are searched by words as well.
    go(go(app, urls.OVERVIEW), urls.DEFINITIONS, about="defenders PEDROS")
    assert defined_on(app) == ["pedros-lost"]
    app.text_input(key="about").set_value("made-rate").run()
    assert defined_on(app) == ["made-rate"]
    app.text_input(key="about").set_value("<img src=x>").run()
    assert "No definition mentions" in app.info[0].value
    assert MARKUP.search(app.info[0].value) is None


def defined_on(app: AppTest) -> list[str]:
    return re.findall(r'tl-definition" id="([^"]*)"', text_of(app))


def test_definitions_are_read_before_loads(tmp_path: Path, visit: Visit) -> None:
    app = visit(tmp_path / "db", urls.DEFINITIONS, about="made-rate")
    assert defined_on(app) == ["made-rate"]
    go(app, urls.OVERVIEW)
    assert any(each.proto.page == "definitions" for each in app.get("page_link"))


# --- Overview
def test_the_front_page_counts_and_finds(app: AppTest, facts: DuckDBPyConnection) -> None:
    shown = text_of(go(app, urls.OVERVIEW))
    for words in (
        f"{ALL} hands",
        "1 line not readable",
        "3 are left out",
        "Revoke.",
        "Missing field",
    ):
        assert words in shown
    last = evenings(facts).row(-1, named=True)
    assert f"evenings?evening={last['day']}" in addresses_in(app)
    assert table_of(app, "Last evenings")[0] == {
        "evening": day_text(last["day"]),
        "hands in order": str(last["hands"]),
        "games": str(last["games"]),
        "left out": str(last["left_out"]),
    }
    # One box finds players, games, hands and days.
    hand = metrics.listings.hand_list(facts, limit=1).row(0, named=True)
    box = app.text_input(key="find-anything")
    for typed, leads in (
        ("BOT-WEAK", "players?"),
        (hand["game"], f"games?game={hand['game']}"),
        (hand["hand_id"], f"replay?hand={hand['hand_id']}"),
        (hand["day"].isoformat(), f"evenings?evening={hand['day']}"),
    ):
        box.set_value(typed).run()
        bodies = [each.proto.body for each in app.get("html")]
        (found,) = (each for each in bodies if 'class="tl-found"' in each)
        assert f'href="{leads}' in found, typed
    box.set_value("<img src=nobody>").run()
    (said,) = (each.value for each in app.caption if "Nothing here is called" in each.value)
    assert MARKUP.search(said) is None


def test_a_shared_axis_has_room_for_every_interval_and_for_zero() -> None:
    frame = pl.DataFrame({"value": [1.0, 2.0], "low": [0.5, None], "high": [4.0, None]})
    low, high = shared_domain(frame)
    assert low == 0
    assert 4 < high < 4.5
    low, _ = shared_domain(frame.with_columns(low=-pl.col("low")))
    assert -1 < low < -0.5


def test_many_kinds_of_bad_lines_are_short(tmp_path: Path, visit: Visit) -> None:
    most = 4
    logs = shutil.copytree(samples_folder() / "invalid" / "line", tmp_path / "logs")
    load(write_hands(logs / "hands.jsonl", first_hands("pedro", 1)).parent, db=tmp_path / "db")
    with open_snapshot(tmp_path / "db") as connection:
        kinds = len(quarantine.codes(connection))
    assert kinds > 3 * most
    app = visit(tmp_path / "db", urls.OVERVIEW)
    bodies = [each.proto.body for each in app.get("html")]
    (table,) = (each for each in bodies if ">what was wrong<" in each)
    assert table.count("<tr>") == 1 + most
    (link,) = (each.proto for each in app.get("page_link") if "See these lines" in each.proto.label)
    assert link.label == f"See these lines, and those of {kinds - most} other kinds"
    assert link.query_string == "view=unreadable-lines"


# --- Metrics of one's own
OWN_METRIC = """
[[metric]]
name = "no-trick"
title = "Hands without a trick"
sentence = "How often a player takes no trick."
unit = "share of hands"
numerator = "hands in which the player takes no trick"
denominator = "hands with tricks"
grain = "seat"
kind = "share"
cases = "trick_count > 0"
amount = "(tricks_won = 0)::INTEGER"
"""
BROKEN = OWN_METRIC.replace("no-trick", "too-many").replace("Hands without a trick", "Too many")
BROKEN = BROKEN.replace("(tricks_won = 0)::INTEGER", "tricks_won")
SAID_OF_BROKEN = "is hits among cases, so it has to be 0 or 1"


@pytest.fixture
def ours(
    small_warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[AppTest]:
    file = tmp_path / "ours.toml"
    file.write_text(OWN_METRIC + BROKEN)
    monkeypatch.setenv(metrics.own.SETTING, str(file))
    metrics.own._found.cache_clear()
    yield open_app(small_warehouse, monkeypatch)
    metrics.own._found.cache_clear()


def told_by(ours: AppTest) -> str:
    return unmarked("\n".join(each.value for each in (*ours.warning, *ours.info)))


def test_players_are_ranked_and_shown_by_a_metric_of_ones_own(ours: AppTest) -> None:
    go(ours, urls.PLAYERS, **{ranking.RANK: "Your own: Hands without a trick"})
    assert ours.selectbox(key=ranking.RANK).value == "no-trick"
    offered = ours.selectbox(key=ranking.RANK).options
    assert "Your own: Hands without a trick" in offered
    assert not any("Too many" in each for each in offered)
    assert "How often a player takes no trick." in text_of(ours)
    assert SAID_OF_BROKEN in told_by(ours)
    player = ours.multiselect(key="player").options[0]
    go(ours, urls.PLAYERS, player=player, group="Your own", min="1")
    group = ours.segmented_control(key="group")
    assert (group.options[0], group.options[-1]) == ("Bidding", "Your own")
    assert group.value == "Your own"
    assert "Hands without a trick" in text_of(ours)
    assert SAID_OF_BROKEN in told_by(ours)


def test_hands_behind_a_metric_of_ones_own_are_those_it_counts(ours: AppTest) -> None:
    go(ours, urls.HANDS, **{urls.FIGURE: "no-trick"})
    assert "Hands behind: **Hands without a trick" in text_of(ours)
    assert "hands in which the player takes no trick" in text_of(ours)
    # A broken one says what is wrong, and of one that is gone a name like it is offered.
    for figure, said in (("too-many", SAID_OF_BROKEN), ("no-tricks", "did you mean")):
        go(ours, urls.DEFINITIONS)
        go(ours, urls.HANDS, **{urls.FIGURE: figure})
        assert said in told_by(ours)
