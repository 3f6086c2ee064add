"""The pages of figures, without a browser: what they show, and what filters and links change."""

import json
import re
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest
from duckdb import DuckDBPyConnection
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import (
    address_of,
    addresses_in,
    check_charts,
    go,
    open_app,
    open_more,
    table_of,
    text_of,
)
from tests.kit.dashboard_logs import NASTY, VARIANTS, first_hands
from tests.kit.log_lines import write_hands
from tests.kit.tiers import some
from tricklog.dashboard.address import urls
from tricklog.dashboard.data import filters
from tricklog.dashboard.kit.charts import shared_domain
from tricklog.dashboard.sections import ranking
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.dashboard.text.labels import short_names
from tricklog.dashboard.text.questions import QUESTIONS
from tricklog.ingest import metrics
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.loading.loading import load
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.leaks import LEAKS
from tricklog.ingest.reading.samples import samples_folder
from tricklog.ingest.sessions.evening import evenings
from tricklog.ingest.store import quarantine
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.schemas.languages.numbers import day_text
from tricklog.schemas.words import counted

MARKUP = re.compile(r"(?<!\\)<img")
"""A picture that no backslash makes text."""


@pytest.fixture(scope="module")
def facts(small_warehouse: Path) -> Iterator[DuckDBPyConnection]:
    with open_facts(small_warehouse) as connection:
        yield connection


# --- Sections
def test_players_are_compared_within_games_and_all_else_is_shown_for_each(club: AppTest) -> None:
    """The figure of one game alone is the figure itself."""
    go(club, urls.BIDS, view="By player")
    assert "Contracts set: above or below the others" in text_of(club)
    assert "Several games are taken together" in text_of(club)
    club.multiselect(key="variant").set_value(["pedro"]).run()
    assert "Contracts set by player" in text_of(club)
    assert "Several games" not in text_of(club)
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
    """The ends of the axis of values of each chart, as far as they are given."""
    specs = [json.loads(each.proto.spec) for each in app.get("vega_lite_chart")]
    values = [spec["layer"][-1]["encoding"]["y"]["scale"] for spec in specs]
    return [each.get("domain", []) for each in values]


def test_figures_of_too_few_games_are_not_compared(app: AppTest) -> None:
    go(app, urls.BIDS, view="By player")
    assert [each.value for each in app.info] == ["There are too few games to compare yet."]
    assert "too few games" in text_of(app)


def test_amounts_by_player_are_shown_of_one_variant_only(app: AppTest) -> None:
    go(app, urls.BIDS, view="By player", question="overbid-by-player")
    assert "Choose one variant" in app.info[0].value
    app.multiselect(key="variant").set_value(["pedro"]).run()
    assert not app.info
    assert "Pedro: points short by player" in text_of(app)


@pytest.mark.parametrize(
    ("page", "once", "says"),
    [
        (urls.BIDS, "Calibration", "Do bids mean what they say?"),
        (urls.BIDS, "By holding", "How many trumps are enough?"),
        (urls.CAPTURE, "Tricks", "In which trick are point cards lost?"),
    ],
)
def test_a_section_of_before_leads_to_its_question(
    small_warehouse: Path, monkeypatch: pytest.MonkeyPatch, page: str, once: str, says: str
) -> None:
    app = go(open_app(small_warehouse, monkeypatch), page, view=once)
    assert [each.value for each in app.subheader] == [says]
    assert "does not know" not in text_of(app)


def test_a_question_chosen_stands_in_the_address_by_its_name(app: AppTest) -> None:
    go(app, urls.BIDS, view="By player")
    choice = next(each for each in app.selectbox if each.label == "Question")
    choice.set_value("aggression-by-player").run()
    assert address_of(app)["question"] == "aggression-by-player"
    assert [each.value for each in app.subheader] == ["Who bids the most?"]


def test_chosen_and_forced_bids_stand_apart(app: AppTest) -> None:
    go(app, urls.BIDS, variant=["Finnish Pidro"], question="made-rate-by-bid")
    rows = re.findall(r"<bdi>(chosen|forced)</bdi>", text_of(app))
    assert set(rows) <= {"chosen", "forced"}
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
    def label() -> str:
        return str(app.session_state["more-filters-label"])

    boxes = {each.key for each in go(app, urls.HANDS).multiselect}
    assert label() == "More filters"
    assert boxes == {*filters.FIRST}
    assert {each.key for each in open_more(app).multiselect} == set(filters.BOXES)
    app.multiselect(key="verdict").set_value(["valid"]).run()
    assert label() == "More filters"
    app.session_state[filters.OPENED] = False
    app.run()
    assert label() == "More filters (1)"
    assert {each.key for each in app.multiselect} == {*filters.FIRST, "verdict"}
    assert "valid" in text_of(app)


def test_without_a_hand_a_page_says_what_to_do_and_of_days_in_wrong_order(app: AppTest) -> None:
    go(app, urls.BIDS, since="2100-01-01")
    assert "Made from 0 valid hands." in text_of(app)
    assert "No hand matches" in app.info[0].value
    go(app, urls.DEFINITIONS)
    go(app, urls.BIDS, since="2026-11-21", until="2026-11-20")
    assert [each.value for each in app.warning] == [
        "From is after To, so that no hand matches. Change one of the days."
    ]


def test_what_a_link_chose_fills_boxes_and_the_rest_stays_to_be_taken_away(app: AppTest) -> None:
    go(app, urls.BIDS, at=["player:nasty-0", "bid:7", "card:5", "player:nobody"])
    assert app.multiselect(key="player").value == ["nasty-0"]
    assert app.multiselect(key="bid").value == ["7"]
    labels = [each.label for each in app.button if "✕" in each.label]
    assert [re.sub(r"\W+", " ", each).strip() for each in labels] == ["card five"]
    assert "asks for player “nobody”, which this page does not know" in text_of(app)


# --- Explorer
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


def test_nonsense_in_the_address_of_the_explorer_is_passed_over(app: AppTest) -> None:
    go(app, urls.EXPLORER, **{"metric": "<b>", "by": "x", "and": "y", "at": "z"})
    assert app.selectbox(key="metric").value == "made-rate"


def test_amounts_are_shown_for_each_variant_by_itself(app: AppTest) -> None:
    go(app, urls.EXPLORER, metric="Score a hand", by="side")
    titles = re.findall(r'tl-chart-title"><b>([^<]*)', text_of(app))
    assert len(titles) == len(VARIANTS)


# --- What the rows of a table lead to
def test_every_row_leads_to_as_many_hands_as_it_counts(
    app: AppTest, small_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go(app, urls.EXPLORER, metric="Hands", by="player", since="2020-01-01", all="true")
    rows = table_of(app, "Table")
    addresses = [each for each in addresses_in(app) if each.startswith("hands?")]
    assert len(rows) == len(addresses)
    chosen = [place for place, row in enumerate(rows) if place < 2 or NASTY[:10] in row["player"]]
    assert len(chosen) > 2
    for place in chosen:
        query = parse_qs(urlsplit(addresses[place]).query)
        assert (query["since"], query["all"]) == (["2020-01-01"], ["true"])
        hands = go(open_app(small_warehouse, monkeypatch), urls.HANDS, **query)
        assert f"{counted(int(rows[place]['n']), 'hand')}. Click a row" in text_of(hands)


def test_days_and_switches_come_along_when_the_page_before_had_none(app: AppTest) -> None:
    carried = ["since:2020-01-01", "until:2199-01-01", "all:true", "min:2"]
    go(app, urls.HANDS, at=["card:5", *carried])
    assert not app.warning
    found = {each.key: each.value for each in (*app.date_input, *app.toggle, *app.number_input)}
    days = (date(2020, 1, 1), date(2199, 1, 1))
    assert (found["since"], found["until"], found["all"], found["min"]) == (*days, True, 2)
    assert address_of(app) == {"card": "5", **dict(each.split(":") for each in carried)}


def test_the_address_keeps_a_filter_whose_box_the_page_before_had_too(app: AppTest) -> None:
    # What boxes of the page before hold comes along, as after a click that was still on its way.
    go(app, urls.GAMES, player="bot-bold-1")
    go(app, urls.HANDS, at=["player:bot-bold-1", "variant:pedro"])
    assert address_of(app) == {"player": "bot-bold-1", "variant": "pedro"}


def test_what_comes_along_and_means_nothing_is_told(app: AppTest) -> None:
    picks = ["since:soon", "min:0", "all:maybe", "until:9999-01-01"]
    go(app, urls.HANDS, at=picks)
    for pick in picks:
        name, value = pick.split(":")
        said = f"asks for {name} “{as_markdown(value)}”, which this page does not know"
        assert said in text_of(app)


def test_a_row_leads_to_its_metric_colour_and_filters(app: AppTest) -> None:
    go(app, urls.CAPTURE, view="Cards", variant=["Pedro"], min="2")
    told = [parse_qs(urlsplit(each).query) for each in addresses_in(app)]
    assert ["5", "defenders"] in [[*each["card"], *each["side"]] for each in told]
    for each in told:
        kept = (each["figure"], each["variant"], each["min"])
        assert kept == (["cards-kept"], ["pedro"], ["2"])


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


def test_amounts_at_tables_of_different_kinds_are_said_to_be_together(
    singles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app(singles, monkeypatch)
    for at, together in (
        (["variant:sancho"], True),
        (["variant:sancho", "seating:5 singles"], False),
    ):
        go(app, urls.PLAYERS, rank="Scoring: Score a hand", min="1", at=at)
        assert ("are taken together in" in text_of(app)) == together


# --- Variants
def test_points_of_several_games_are_refused_and_a_share_offered(app: AppTest) -> None:
    go(app, urls.VARIANTS, metric="Score a hand")
    assert "mean something else in King Pedro than in Pedro" in app.info[0].value
    button = next(each for each in app.button if "instead" in each.label)
    button.click().run()
    assert not app.info
    assert app.selectbox(key="metric").value == "score-share"
    # Points of one game are not refused.
    go(app, urls.DEFINITIONS)
    go(app, urls.VARIANTS, metric="Score a hand", variant=["Pedro"])
    assert not app.info
    assert "Pedro: score a hand by month" in text_of(app)


TITLES = {"hand-number": "hand of the game"}


def test_variants_are_followed_over_time(app: AppTest) -> None:
    go(app, urls.VARIANTS, metric="Contracts made")
    for step in some(("month", "hand-number", "week", "day", "session"), 2):
        app.session_state["over"] = step
        app.run()
        said = f"contracts made by {TITLES.get(step, step)}"
        assert len(re.findall(said, text_of(app))) == len(VARIANTS)
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
    }
    entries |= {f"leak-{each.name}" for each in LEAKS}
    assert entries < {*names}
    for name in some(names, 2):
        shown = text_of(go(go(app, urls.OVERVIEW), urls.DEFINITIONS, about=name))
        assert not app.info, name
        assert len(app.subheader) == 1, name
        if name in entries:
            assert re.findall(r'tl-definition" id="([^"]*)"', shown) == [name]
        assert 'href="definitions">All definitions' in shown


def test_definitions_are_read_before_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = go(open_app(tmp_path / "db", monkeypatch), urls.DEFINITIONS, about="made-rate")
    assert 'id="made-rate"' in text_of(app)
    go(app, urls.OVERVIEW)
    assert any(each.proto.page == "definitions" for each in app.get("page_link"))


def test_definitions_are_searched_by_words(app: AppTest) -> None:
    go(app, urls.DEFINITIONS, about="defenders PEDROS")
    assert re.findall(r'tl-definition" id="([^"]*)"', text_of(app)) == ["pedros-lost"]
    app.text_input(key="about").set_value("made-rate").run()
    assert re.findall(r'tl-definition" id="([^"]*)"', text_of(app)) == ["made-rate"]
    app.text_input(key="about").set_value("<img src=x>").run()
    assert "No definition mentions" in app.info[0].value
    assert MARKUP.search(app.info[0].value) is None


# --- Overview
def test_the_front_page_counts_what_there_is_and_leads_to_the_last_evenings(
    app: AppTest, facts: DuckDBPyConnection
) -> None:
    go(app, urls.OVERVIEW)
    shown = text_of(app)
    assert f"{12 * len(VARIANTS) + 3} hands" in shown
    assert "1 line not readable" in shown
    assert "3 are left out" in shown
    assert "Revoke." in shown
    assert "Missing field" in shown
    last = evenings(facts).row(-1, named=True)
    listed = table_of(app, "Last evenings")
    assert f"evenings?evening={last['day']}" in addresses_in(app)
    assert listed[0] == {
        "evening": day_text(last["day"]),
        "hands in order": str(last["hands"]),
        "games": str(last["games"]),
        "left out": str(last["left_out"]),
    }


def test_one_box_finds_players_games_and_hands(app: AppTest, facts: DuckDBPyConnection) -> None:
    go(app, urls.OVERVIEW)
    hand = metrics.listings.hand_list(facts, limit=1).row(0, named=True)
    box = app.text_input(key="find-anything")
    for typed, leads in (
        ("BOT-WEAK", "players?"),
        (hand["game"], f"games?game={hand['game']}"),
        (hand["hand_id"], f"replay?hand={hand['hand_id']}"),
        (hand["day"].isoformat(), f"evenings?evening={hand['day']}"),
    ):
        box.set_value(typed).run()
        (found,) = (
            each.proto.body for each in app.get("html") if 'class="tl-found"' in each.proto.body
        )
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


def test_in_games_without_forced_bids_the_section_says_so(club: AppTest) -> None:
    go(
        club,
        urls.BIDS,
        view="By player",
        question="forced-made-rate-by-player",
        at=["forced:false"],
    )
    assert any("Nobody had to bid in these hands" in each.value for each in club.info)


MOST = 4


def test_many_kinds_of_bad_lines_are_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = shutil.copytree(samples_folder() / "invalid" / "line", tmp_path / "logs")
    load(write_hands(logs / "hands.jsonl", first_hands("pedro", 1)).parent, db=tmp_path / "db")
    with open_snapshot(tmp_path / "db") as connection:
        kinds = len(quarantine.codes(connection))
    assert kinds > 3 * MOST
    app = go(open_app(tmp_path / "db", monkeypatch), urls.OVERVIEW)
    bodies = [each.proto.body for each in app.get("html")]
    (table,) = (each for each in bodies if ">what was wrong<" in each)
    assert table.count("<tr>") == 1 + MOST
    (link,) = (each.proto for each in app.get("page_link") if "See these lines" in each.proto.label)
    assert link.label == f"See these lines, and those of {kinds - MOST} other kinds"
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
SAID = "is hits among cases, so it has to be 0 or 1"


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
    """What pages warn of and tell, without the signs that keep Markdown off."""
    told = "\n".join(each.value for each in (*ours.warning, *ours.info))
    return told.replace("\\", "")


def test_players_are_ranked_by_a_metric_of_ones_own(ours: AppTest) -> None:
    go(ours, urls.PLAYERS, **{ranking.RANK: "Your own: Hands without a trick"})
    assert ours.selectbox(key=ranking.RANK).value == "no-trick"
    offered = ours.selectbox(key=ranking.RANK).options
    assert "Your own: Hands without a trick" in offered
    assert not any("Too many" in each for each in offered)
    assert "How often a player takes no trick." in text_of(ours)
    assert SAID in told_by(ours)


def test_a_player_is_shown_by_metrics_of_ones_own(
    ours: AppTest, small_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranked = go(open_app(small_warehouse, monkeypatch), urls.PLAYERS)
    player = ranked.multiselect(key="player").options[0]
    go(ours, urls.PLAYERS, player=player, group="Your own", min="1")
    offered = ours.segmented_control(key="group")
    assert (offered.options[0], offered.options[-1]) == ("Bidding", "Your own")
    assert offered.value == "Your own"
    assert "Hands without a trick" in text_of(ours)
    assert SAID in told_by(ours)


def test_hands_behind_a_metric_of_ones_own_are_those_it_counts(ours: AppTest) -> None:
    go(ours, urls.HANDS, **{urls.FIGURE: "no-trick"})
    assert "Hands behind: **Hands without a trick" in text_of(ours)
    assert "hands in which the player takes no trick" in text_of(ours)


def test_hands_behind_a_broken_metric_say_what_is_wrong(ours: AppTest) -> None:
    go(ours, urls.HANDS, **{urls.FIGURE: "too-many"})
    assert SAID in told_by(ours)


def test_hands_behind_a_metric_that_is_gone_are_told(ours: AppTest) -> None:
    go(ours, urls.HANDS, **{urls.FIGURE: "no-tricks"})
    assert "did you mean" in told_by(ours)
