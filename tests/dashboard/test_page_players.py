"""The page of players and the saved views, without a browser."""

import html
import re
from datetime import date
from functools import partial
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import duckdb
import polars as pl
import pytest
from duckdb import DuckDBPyConnection
from streamlit.testing.v1 import AppTest

from tests.dashboard.conftest import CHANGED, FIVE, Visit
from tests.kit import app_pages
from tests.kit.app_pages import (
    address_of,
    addresses_in,
    check_charts,
    number,
    open_app,
    press,
    queries_in,
    table_of,
    text_of,
    values_of,
)
from tests.kit.dashboard_logs import NASTY
from tests.kit.evening_logs import KING, LAST, at, write_records
from tests.kit.facts import facts_in
from tests.kit.made_once import loaded_once
from tests.kit.tiers import some
from tricklog import ingest
from tricklog.dashboard.address import urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.kit.cells import Picture
from tricklog.dashboard.pages.players import pairs as pairs_page
from tricklog.dashboard.pages.players import trend
from tricklog.dashboard.sections import ranking
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import DIMENSION, METRIC, Metric, listings, wording
from tricklog.ingest.metrics.figure_words import signed_text
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.pairs import SCORE, Pairs, opponents, partners
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.ratings import ratings_of, words
from tricklog.ingest.reading.samples import samples_folder
from tricklog.ingest.store.userdata import save_view, views

BY_AGGRESSION = "Players by aggression"


@pytest.fixture(scope="module")
def player(small_warehouse: Path) -> str:
    with pytest.MonkeyPatch.context() as monkeypatch:
        app = go(open_app(small_warehouse, monkeypatch))
        return str(app.multiselect(key="player").options[0])


def go(app: AppTest, /, **parameters: str | list[str]) -> AppTest:
    return app_pages.go(app, urls.PLAYERS, **parameters)


# --- The page
def test_without_a_player_all_are_ranked(club: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    go(club, rank="Bidding: Aggression")
    rows = table_of(club, BY_AGGRESSION)
    place, months = (list(rows[0])[at] for at in (1, -1))
    difference = next(each for each in rows[0] if each.startswith("above or below"))
    assert place == "1st to 4th"
    assert [row[place].partition(" of 4")[0] for row in rows] == ["1st", "2nd", "3rd", "4th"]
    values = [number(row[difference]) for row in rows]
    assert values == sorted(values, reverse=True)
    assert all(row["chance to be the highest"].endswith(" %") for row in rows)
    assert "4 players of 4 with a place" in text_of(club)
    # A place and a difference for each, and a line where there are months enough.
    table = body_of(club, BY_AGGRESSION)
    assert table.count('class="tl-iv tl-field') + table.count('class="tl-iv tl-one') == 2 * 4
    with_lines = table.count('class="tl-line"')
    assert with_lines in {0, 4}
    assert (" to " in months and "against the others" in months) == bool(with_lines)
    # A ranking of many hands is plain.
    monkeypatch.setattr(ranking, "MOST_HANDS_OF_LINES", 1)
    assert "tl-line" not in body_of(go(club, rank="Bidding: Aggression"), BY_AGGRESSION)


def body_of(app: AppTest, title: str) -> str:
    bodies = [str(each.proto.body) for each in app.get("html")]
    (body,) = (each for each in bodies if f'aria-label="{title}"' in each)
    return body


def test_players_are_ranked_by_their_rating(
    club: AppTest, club_warehouse: Path, player: str
) -> None:
    go(club, variant="Pedro")
    assert club.selectbox(key="rank").value == "rating"
    with open_facts(club_warehouse) as facts:
        found = ratings_of(facts, Filters.of({"variant": "pedro"}))
    rows = table_of(club, "Ratings")
    ratings = [row["points a hand, 95 % interval"] for row in rows]
    assert ratings == [words.rating_text(row) for row in found.frame.iter_rows(named=True)]
    assert found.frame["hands"].to_list() == [int(row["n"]) for row in rows]
    everybody = [*found.frame["player"], *found.frame["partner"].drop_nulls()]
    nameless = words.best_sentence(found, dict.fromkeys(everybody, ""))
    assert nameless.partition(":")[2] in text_of(club).replace("\\", "")
    assert all(as_markdown(each) in text_of(club) for each in words.notes_text(found))
    go(club, variant="Pedro", player=player)
    said = words.player_sentences(found, player, player)
    assert said
    assert as_markdown(" ".join(said)) in text_of(club)


def test_where_nobody_can_be_rated_scores_rank_players(club: AppTest, player: str) -> None:
    go(club, variant="Pedro", at="hand-number:1")
    assert "too few to rate anybody" in club.info[0].value
    assert table_of(club, f"Players by {wording.title(METRIC['score-share']).lower()}")
    go(club, variant="Pedro", at="hand-number:1", player=player)
    assert any("too few to rate anybody" in each.value for each in club.info)


def test_a_place_among_one_has_no_scale(club: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def only_one(
        facts: DuckDBPyConnection, metric: Metric, by: str, filters: Filters, minimum: int
    ) -> pl.DataFrame:
        place = pl.when(pl.int_range(pl.len()) == 0).then(1)
        names = ("place", "from_place", "to_place")
        found = standings(facts, metric, by, filters, minimum)
        return found.with_columns(of=pl.lit(1), **dict.fromkeys(names, place))

    monkeypatch.setattr(ranking, "standings", only_one)
    go(club, variant="Pedro", rank="score-share")
    first, *rest = table_of(club, f"Players by {wording.title(METRIC['score-share']).lower()}")
    place = "place, and between which (90 %)"
    assert first[place] == "1st of 1"
    assert rest
    assert not any(row[place] for row in rest)


def test_the_lines_of_the_months_stay_in_their_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    months = pl.Series("period", [date(2026, month, 1) for month in range(1, 13)])
    values = [0.0] * 11 + [-0.34]
    frame = pl.DataFrame({"who": ["ann"] * 12, "period": months, "value": values})
    monkeypatch.setattr(snapshot, "kept", lambda *_, **__: frame)
    monkeypatch.setattr(snapshot, "totals", lambda: {"hands": 1})
    ((head, picture),) = ranking._lines(duckdb.connect(), METRIC["made-rate"], EVERYTHING, ["ann"])
    assert head == "Jan 2026 to Dec 2026, against the others: −40.0 to +40.0"
    assert callable(picture)
    cell = picture({"player": "ann"})
    assert isinstance(cell, Picture)
    assert re.findall(r'<b style="left:100.0%;top:([0-9.]+)%', cell.html) == ["92.5"]


@pytest.mark.parametrize(
    ("value", "rounded"), [(0.0, 1.0), (0.094, 0.1), (0.12, 0.15), (0.2, 0.2), (31, 40), (9.5, 10)]
)
def test_scales_of_lines_are_rounded_up(value: float, rounded: float) -> None:
    assert ranking._rounded_up(value) == pytest.approx(rounded)


def test_without_enough_games_nobody_has_a_place(app: AppTest, player: str) -> None:
    go(app, rank="Bidding: Aggression")
    assert "0 players of" in text_of(app)
    rows = table_of(app, BY_AGGRESSION)
    place = next(each for each in rows[0] if each.startswith("place"))
    assert {row[place] for row in rows} == {""}
    assert any(cell == "cannot tell yet" for row in rows for cell in row.values())
    assert "too few hands" in text_of(go(app, player=player, min="1000000"))
    assert set(values_of(app).values()) == {"–"}
    # The ranking leads to each player with the filters.
    app_pages.go(app, urls.DEFINITIONS)
    rank = "Bidding: Contracts made"
    go(app, min="1", variant="Pedro", since="2020-01-01", rank=rank)
    names = [row["player"] for row in table_of(app, "Players by contracts made")]
    kept = {"variant": ["pedro"], "since": ["2020-01-01"], "min": ["1"]}
    assert [each["player"] for each in queries_in(app)] == [[name] for name in names]
    assert all(kept.items() <= each.items() for each in queries_in(app))


def test_of_few_games_nobody_is_said_to_be_like_the_field(tmp_path: Path, visit: Visit) -> None:
    hands = at(KING[:1], "only", f"{LAST}T19:30:00+02:00")
    ingest.load(write_records(tmp_path / "log.jsonl", hands), db=tmp_path / "db")
    show = partial(visit, tmp_path / "db")
    whose = {"player": hands[0]["players"][0]["id"]}
    leaks = text_of(show(urls.PLAYERS, **whose, view="leaks"))
    assert "There are too few games to compare" in leaks
    assert "No hand matches" not in leaks
    profile = text_of(show(urls.PLAYERS, **whose))
    assert "There are too few games to compare yet" in profile
    assert f"1 hand in the records · {LAST}" in profile
    course = show(urls.PLAYERS, **whose, view="over-time")
    assert [row["month"] for row in table_of(course, "The figures")] == ["November 2026"]
    assert "No pair has played a complete game" in text_of(show(urls.EVENINGS, view="season"))


def test_a_leak_leads_to_the_hands_behind_it(club: AppTest, player: str) -> None:
    go(club, player=player, view="Leaks", min="2", variant="Pedro")
    found = {
        each.proto.label.partition(" ·")[0].removeprefix(":blue["): each.proto.query_string
        for each in club.get("page_link")
    }
    assert set(found) >= {"Contracts set", "Pedros lost"}
    for title, query in found.items():
        assert "variant=pedro" in query, title
        assert "which=counted" in query or "which=others" in query, title
        assert ("card=" in query) == title.endswith(" lost"), title


OF_PEDRO = ("day", "week", "month")
"""Steps of which a course of one game has enough to be told."""


@pytest.mark.parametrize("period", some((*OF_PEDRO, "session", "hand of the game"), 2))
def test_a_course_has_the_field_and_leads_on(club: AppTest, player: str, period: str) -> None:
    asked = {"view": "Over time", "trend": "Bidding: Aggression", "per": period}
    asked |= {"variant": "Pedro"} if period in OF_PEDRO else {}
    go(club, player=player, **asked)
    rows = table_of(club, "The figures")
    assert rows
    assert all(row["the field"] for row in rows)
    check_charts(club)
    hands = [each for each in addresses_in(club) if each.startswith("hands?figure=aggression")]
    assert len(hands) == len(rows)
    nights = [each for each in addresses_in(club) if each.startswith("evenings?")]
    assert len(nights) == (0 if period == "hand of the game" else len(rows))


def test_a_course_is_drawn_where_the_others_played_nothing(
    visit: Visit, tmp_path_factory: pytest.TempPathFactory
) -> None:
    log = samples_folder() / "valid" / "sancho" / "one-game-at-5.jsonl"
    db = loaded_once(tmp_path_factory, "one-game", lambda _: log)
    with open_facts(db) as facts:
        players = listings.values(facts, DIMENSION["player"], 9)
    assert len(players) == 5
    for player in players:
        course = {"player": player, "variant": "sancho", "view": "over-time"}
        assert not visit(db, urls.PLAYERS, **course, trend="points-share").exception, player


def test_a_course_says_changes(club: AppTest, player: str, monkeypatch: pytest.MonkeyPatch) -> None:
    go(club, player=player, view="Over time", variant="Finnish Pidro")
    assert "cannot be told yet" in text_of(club)
    names = ("metric", "change", "low", "high", "named")
    rows = (("made-rate", 0.24, 0.15, 0.34, True), ("score-share", 0.1, -0.2, 0.4, False))
    frame = pl.DataFrame([dict(zip(names, row, strict=True)) | CHANGED for row in rows])
    monkeypatch.setattr(trend, "changes", lambda *_, **__: frame)
    go(club, player=player, view="Over time", variant="Pedro")
    assert "contracts made +24.0 in 100 (+15.0 to +34.0) from 2026-02-20" in text_of(club)
    assert [row["sure"] for row in table_of(club, "What has changed")] == ["changed", "cannot tell"]


def test_two_players_stand_side_by_side_and_a_link_names_both(club: AppTest) -> None:
    player, other = "bot-steady-1", "bot-weak-1"
    beside = {"player": player, "view": "Side by side", "min": "2"}
    go(club, **beside)
    assert "Choose another player" in text_of(club)
    choice = club.selectbox(key="with")
    assert player not in choice.options
    assert other in choice.options
    choice.set_value(other).run()
    go(club, **beside, **{"with": other})
    check_charts(club)
    shown = text_of(club).replace("\\", "")
    assert re.search(r"(No figure of .* differs for sure|differ for sure\*\* in ).*compared", shown)
    assert re.search(r"Against each other: bot-steady-1 won \d+ of \d+ games", shown)
    rows = table_of(club, "Figures of both players")
    assert len(rows) > 5
    assert all(row[f"{player} less {other} (shares: points in 100), 99 % interval"] for row in rows)


# --- Saved views
NAME = "saved-view-name"


def menu(app: AppTest) -> str:
    return "\n".join(each.proto.body for each in app.get("html") if "tl-link" in each.proto.body)


def test_a_view_is_saved_by_name_with_its_address(own_app: AppTest, player: str, own: Path) -> None:
    app = go(own_app, player=player, view="Leaks")
    app.text_input(key=NAME).set_value("Where <b>Ann</b> leaks")
    press(app, "Save this view")
    (view,) = views(own)
    assert (view.page, view.query) == ("players", {"player": [player], "view": ["leaks"]})
    assert 'href="players?player=' in menu(app)
    assert "&lt;b&gt;Ann&lt;/b&gt;" in menu(app)
    assert app.text_input(key=NAME).value == ""


def test_a_view_is_renamed_and_deleted_and_its_name_is_text(own_app: AppTest, own: Path) -> None:
    nasty = save_view(own, NASTY, "bids", {"player": ['"><script>']})
    view = save_view(own, "old", "bids", {"variant": ["Pedro"]})
    app = go(own_app)
    assert 'href="bids?variant=Pedro"' in menu(app)
    assert "<img" not in menu(app)
    assert "<script>" not in menu(app)
    app.button(key=f"delete-view-{nasty.view_id}").click().run()
    app.text_input(key=NAME).set_value("new")
    app.button(key=f"rename-view-{view.view_id}").click().run()
    assert [each.name for each in views(own)] == ["new"]
    # A name that is taken is said so.
    save_view(own, "taken *twice*", "bids", {})
    app.text_input(key=NAME).set_value("taken *twice*")
    press(app, "Save this view")
    assert r"taken \*twice\*" in app.warning[0].value
    assert len(views(own)) == 2
    for each in views(own):
        app.button(key=f"delete-view-{each.view_id}").click().run()
    assert views(own) == []
    assert "No view is saved yet" in text_of(app)


# --- Partners
facts = facts_in("paired")


def matrix_of(app: AppTest, title: str) -> dict[tuple[str, str], tuple[str, str, str]]:
    body = body_of(app, title)
    heads = [plain(each) for each in re.findall(r'<th scope="col">(.*?)</th>', body)]
    found = {}
    for row in re.findall(r'<tr><th scope="row">(.*?)</tr>', body):
        name, _, rest = row.partition("</th>")
        for head, cell in zip(heads, re.findall(r"<td[^>]*>(.*?)</td>", rest), strict=True):
            told = re.search(r'href="([^"]*)".*<b>(.*?)</b><span>(.*?)</span>', cell)
            if told:
                found[plain(name), head] = (told[2], told[3], html.unescape(told[1]))
    return found


def plain(text: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", text))


def test_each_pair_has_a_cell(paired: Path, visit: Visit, facts: DuckDBPyConnection) -> None:
    app = visit(paired, urls.PLAYERS, among="Partners")
    cells = matrix_of(app, "Who suits whom?")
    pairs = partners(facts).rows
    assert len(cells) == len(pairs) > 5
    for row in pairs.to_dicts():
        names = sorted((FIVE[row["one"]], FIVE[row["other"]]), key=str.lower)
        value, games, address = cells[names[0], names[1]]
        assert value == signed_text(SCORE, row["drawn"])
        assert games == str(row["games"])
        query = parse_qs(urlsplit(address).query)
        assert {*query["player"], *query["partner"]} == {row["one"], row["other"]}
        assert query["figure"] == [SCORE.name]
    # A profile leads to all pairs of the same hands.
    profile = visit(
        paired, urls.PLAYERS, player=pairs["one"][0], view="partners", since="2020-01-01"
    )
    assert "players?view=partners&amp;since=2020-01-01" in text_of(profile)
    # A cell leads to the hands of the table.
    row = pairs.row(0, named=True)
    both = EVERYTHING.also("player", row["one"]).also("partner", row["other"])
    assert listings.hand_count(facts, both) == row["hands"]
    told = table_of(app, "Who suits whom? Every pair")[0]
    assert (told["hands"], told["player"]) == (f"{row['hands']:,}", FIVE[row["one"]])
    # Opponents have opposite signs both ways.
    cells = matrix_of(app, "Who fares well against whom?")
    assert len(cells) == 2 * len(opponents(facts).rows) > 10
    for (one, other), (value, games, _) in cells.items():
        opposite = value.translate(str.maketrans("+−", "−+"))
        assert cells[other, one][:2] == (opposite, games)
    shown = text_of(app)
    assert len(re.findall("Sure|Likely|Cannot tell yet", plain(shown))) >= 2
    assert "&lt;b&gt;Dee&lt;/b&gt;" in shown
    assert "<b>Dee" not in shown.replace("\\<b", "")


def test_the_ranking_stays_first_and_pairs_are_a_view(paired: Path, visit: Visit) -> None:
    app = visit(paired, urls.PLAYERS)
    assert app.selectbox(key="rank").value == "rating"
    assert go(app, among="Nothing").selectbox(key="rank").value == "rating"
    app = visit(paired, urls.PLAYERS, view="Partners")
    assert "rank" not in {each.key for each in app.selectbox}
    assert address_of(app) == {urls.VIEW: "partners"}
    assert "does not know" not in text_of(app)


@pytest.mark.parametrize("against", [False, True])
def test_who_stands_out_has_an_interval(facts: DuckDBPyConnection, *, against: bool) -> None:
    question = pairs_page._OPPONENTS if against else pairs_page._PARTNERS

    def said_of(rows: pl.DataFrame) -> str:
        found = Pairs(tuple(FIVE), rows, 0, ())
        shown = pairs_page._Shown(facts, Chosen(EVERYTHING), question, found, FIVE)
        return plain(pairs_page._answer_html(shown))

    rows = (opponents if against else partners)(facts).rows
    first = pl.int_range(pl.len()) == 0
    sure = rows.with_columns(
        named=first,
        chance=pl.when(first).then(1e-6).otherwise(0.5),
        difference=pl.when(first).then(-0.25).otherwise("difference"),
        low=pl.when(first).then(-0.4).otherwise("low"),
        high=pl.when(first).then(-0.1).otherwise("high"),
    )
    one, other = (FIVE[rows[name][0]] for name in ("one", "other"))
    if against:
        assert f"Sure: {other} against {one} +25.0 (+10.0 to +40.0, " in said_of(sure)
    else:
        assert f"Sure: {one} and {other} −25.0 (−40.0 to −10.0, " in said_of(sure)
    said = said_of(sure.with_columns(named=False, chance=pl.when(first).then(0.01).otherwise(0.5)))
    assert "Likely: " in said
    assert f"in {len(rows)} of 100 clubs" in said
    unsure = sure.with_columns(named=False, chance=pl.lit(0.5))
    assert "Cannot tell yet: no pair stands out" in said_of(unsure)
