"""The page of players and the saved views, without a browser."""

import html
import random
import re
from datetime import date
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import duckdb
import polars as pl
import pytest
from duckdb import DuckDBPyConnection
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest

from tests.kit import app_pages
from tests.kit.app_pages import (
    address_of,
    addresses_in,
    check_charts,
    go,
    open_app,
    table_of,
    text_of,
    values_of,
)
from tests.kit.dashboard_logs import NASTY
from tests.kit.made_once import made_once
from tests.kit.tiers import some
from tricklog import Player, core, encode_hand
from tricklog.dashboard.address import urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.kit.cells import Picture
from tricklog.dashboard.pages.players import pairs as pairs_page
from tricklog.dashboard.pages.players import trend
from tricklog.dashboard.sections import ranking
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.loading.loading import load
from tricklog.ingest.metrics import METRIC, listings, wording
from tricklog.ingest.metrics.figure_words import signed_text
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.pairs import SCORE, Pairs, opponents, partners
from tricklog.ingest.ratings import ratings_of, words
from tricklog.ingest.store import userdata
from tricklog.ingest.store.userdata import save_view, views


@pytest.fixture(scope="module")
def players(small_warehouse: Path) -> list[str]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        app = visit(open_app(small_warehouse, monkeypatch))
        return list(app.multiselect(key="player").options)


@pytest.fixture
def player(players: list[str]) -> str:
    return players[0]


def visit(app: AppTest, /, **parameters: str | list[str]) -> AppTest:
    """Open the page of players as its link does."""
    return app_pages.go(app, urls.PLAYERS, **parameters)


# --- The page
def test_without_a_player_all_are_ranked(club: AppTest) -> None:
    visit(club, rank="Bidding: Aggression")
    rows = table_of(club, "Players by aggression")
    place, difference = (next(each for each in rows[0] if each.startswith(start))
                         for start in ("place", "above or below"))  # fmt: skip
    assert [row[place].partition(" of 4")[0] for row in rows] == ["1st", "2nd", "3rd", "4th"]
    values = [float(row[difference].split()[0].replace("−", "-")) for row in rows]
    assert values == sorted(values, reverse=True)
    chances = [row["chance to be the highest"] for row in rows]
    assert all(each.endswith(" %") for each in chances)
    assert "4 players of 4 with a place" in text_of(club)


def test_players_are_ranked_by_their_rating_at_first(club: AppTest, club_warehouse: Path) -> None:
    visit(club, variant="Pedro")
    assert club.selectbox(key="rank").value == "rating"
    with open_facts(club_warehouse) as facts:
        found = ratings_of(facts, Filters.of({"variant": "pedro"}))
    rows = table_of(club, "Ratings")
    ratings = [row["points a hand, 95 % interval"] for row in rows]
    assert ratings == [words.rating_text(row) for row in found.frame.iter_rows(named=True)]
    assert found.frame["hands"].to_list() == [int(row["n"]) for row in rows]
    shown = text_of(club).replace("\\", "")
    everybody = [*found.frame["player"], *found.frame["partner"].drop_nulls()]
    nameless = words.best_sentence(found, dict.fromkeys(everybody, ""))
    assert nameless.partition(":")[2] in shown
    assert all(as_markdown(each) in text_of(club) for each in words.notes_text(found))


def test_the_page_of_a_player_says_what_they_bring_their_side(
    club: AppTest, club_warehouse: Path, player: str
) -> None:
    visit(club, variant="Pedro", player=player)
    with open_facts(club_warehouse) as facts:
        found = ratings_of(facts, Filters.of({"variant": "pedro"}))
    said = words.player_sentences(found, player, player)
    assert said
    assert as_markdown(" ".join(said)) in text_of(club)


def test_where_nobody_can_be_rated_players_are_ranked_by_their_score(club: AppTest) -> None:
    visit(club, variant="Pedro", at="hand-number:1")
    assert "too few to rate anybody" in club.info[0].value
    assert table_of(club, f"Players by {wording.title(METRIC['score-share']).lower()}")


def test_of_who_cannot_be_rated_it_is_said_why(club: AppTest, player: str) -> None:
    visit(club, variant="Pedro", at="hand-number:1", player=player)
    assert any("too few to rate anybody" in each.value for each in club.info)


def test_the_ranking_draws_places_differences_and_months(club: AppTest) -> None:
    visit(club, rank="Bidding: Aggression")
    (table,) = (
        each.proto.body for each in club.get("html") if "Players by aggression" in each.proto.body
    )
    # A place and a difference for each.
    assert table.count('class="tl-iv tl-field') + table.count('class="tl-iv tl-one') == 2 * 4
    rows = table_of(club, "Players by aggression")
    place, months = (list(rows[0])[at] for at in (1, -1))
    assert place == "1st to 4th"
    assert [row[place].partition(" of 4")[0] for row in rows] == ["1st", "2nd", "3rd", "4th"]
    with_lines = table.count('class="tl-line"')
    assert with_lines in {0, 4}
    assert (" to " in months and "against the others" in months) == bool(with_lines)


def test_the_lines_of_the_months_stay_in_their_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    months = pl.Series("period", [date(2026, month, 1) for month in range(1, 13)])
    values = [0.0] * 11 + [-0.34]
    frame = pl.DataFrame({"who": ["ann"] * 12, "period": months, "value": values})
    monkeypatch.setattr(snapshot, "kept", lambda *_, **__: frame)
    monkeypatch.setattr(snapshot, "totals", lambda: {"hands": 1})
    lines = ranking._Lines.of(duckdb.connect(), METRIC["made-rate"], EVERYTHING, ["ann"])
    assert lines is not None
    assert lines.head == "Jan 2026 to Dec 2026, against the others: −40.0 to +40.0"
    cell = lines.picture("ann")
    assert isinstance(cell, Picture)
    assert re.findall(r'<b style="left:100.0%;top:([0-9.]+)%', cell.html) == ["92.5"]


@pytest.mark.parametrize(
    ("value", "rounded"), [(0.0, 1.0), (0.094, 0.1), (0.12, 0.15), (0.2, 0.2), (31, 40), (9.5, 10)]
)
def test_scales_of_lines_are_rounded_up(value: float, rounded: float) -> None:
    assert ranking._rounded_up(value) == pytest.approx(rounded)


def test_a_ranking_of_many_hands_is_plain(club: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking, "MOST_HANDS_OF_LINES", 1)
    visit(club, rank="Bidding: Aggression")
    assert "tl-line" not in "".join(
        each.proto.body for each in club.get("html") if "Players by" in each.proto.body
    )


def test_without_enough_games_everybody_is_listed_without_a_place(app: AppTest) -> None:
    visit(app, rank="Bidding: Aggression")
    assert "0 players of" in text_of(app)
    rows = table_of(app, "Players by aggression")
    place = next(each for each in rows[0] if each.startswith("place"))
    assert {row[place] for row in rows} == {""}
    assert any(cell == "cannot tell yet" for row in rows for cell in row.values())


def test_with_too_few_hands_no_figure_is_given(app: AppTest, player: str) -> None:
    assert "too few hands" in text_of(visit(app, player=player, min="1000000"))
    assert set(values_of(app).values()) == {"–"}


def test_a_leak_leads_to_the_hands_behind_it(club: AppTest, player: str) -> None:
    visit(club, player=player, view="Leaks", min="2", variant="Pedro")
    found = {
        each.proto.label.partition(" ·")[0].removeprefix(":blue["): each.proto.query_string
        for each in club.get("page_link")
    }
    assert set(found) >= {"Contracts set", "Pedros lost"}
    for title, query in found.items():
        assert "variant=pedro" in query, title
        assert "which=counted" in query or "which=others" in query, title
        assert ("card=" in query) == title.endswith(" lost"), title


def test_a_course_has_the_field_and_leads_to_hands_and_evenings(
    club_warehouse: Path, player: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    courses = [(period, {"variant": "Pedro"}) for period in ("day", "week", "month")]
    for period, variant in some([*courses, ("session", {}), ("hand of the game", {})], 2):
        asked = {"view": "Over time", "trend": "Bidding: Aggression", "per": period, **variant}
        club = visit(open_app(club_warehouse, monkeypatch), player=player, **asked)
        rows = table_of(club, "The figures")
        assert rows, period
        assert all(row["the field"] for row in rows), period
        check_charts(club)
        hands = [each for each in addresses_in(club) if each.startswith("hands?figure=aggression")]
        assert len(hands) == len(rows), period
        nights = [each for each in addresses_in(club) if each.startswith("evenings?")]
        assert len(nights) == (0 if period == "hand of the game" else len(rows)), period


def test_a_course_says_whether_anything_has_changed(
    club: AppTest, player: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit(club, player=player, view="Over time", variant="Finnish Pidro")
    assert "cannot be told yet" in text_of(club)
    days = {"first": date(2026, 2, 20), "last": date(2026, 11, 20), "games": 40, "days": 20}
    days |= {"when": date(2026, 6, 1), "when_low": date(2026, 5, 2), "when_high": date(2026, 7, 3)}
    frame = pl.DataFrame(
        [
            {"metric": "made-rate", "change": 0.24, "low": 0.15, "high": 0.34, "named": True}
            | days,
            {"metric": "score-share", "change": 0.1, "low": -0.2, "high": 0.4, "named": False}
            | days,
        ]
    )
    monkeypatch.setattr(trend, "changes", lambda *_, **__: frame)
    visit(club, player=player, view="Over time", variant="Pedro")
    assert "contracts made +24.0 in 100 (+15.0 to +34.0) from 2026-02-20" in text_of(club)
    assert [row["sure"] for row in table_of(club, "What has changed")] == ["changed", "cannot tell"]


def test_two_players_stand_side_by_side_and_a_link_names_both(club: AppTest) -> None:
    player, other = "bot-steady-1", "bot-weak-1"
    beside = {"player": player, "view": "Side by side", "min": "2"}
    visit(club, **beside)
    assert "Choose another player" in text_of(club)
    choice = club.selectbox(key="with")
    assert player not in choice.options
    assert other in choice.options
    choice.set_value(other).run()
    visit(club, **beside, **{"with": other})
    check_charts(club)
    shown = text_of(club).replace("\\", "")
    assert re.search(r"(No figure of .* differs for sure|differ for sure\*\* in ).*compared", shown)
    assert re.search(r"Against each other: bot-steady-1 won \d+ of \d+ games", shown)
    rows = table_of(club, "Figures of both players")
    assert len(rows) > 5
    assert all(row[f"{player} less {other} (shares: points in 100), 99 % interval"] for row in rows)


def test_the_ranking_leads_to_each_player_with_the_filters(app: AppTest) -> None:
    rank = "Bidding: Contracts made"
    visit(app, min="1", variant="Pedro", since="2020-01-01", rank=rank)
    names = [row["player"] for row in table_of(app, "Players by contracts made")]
    told = [parse_qs(urlsplit(each).query) for each in addresses_in(app)]
    assert [each["player"] for each in told] == [[name] for name in names]
    for each in told:
        assert {"variant": ["pedro"], "since": ["2020-01-01"], "min": ["1"]}.items() <= each.items()


# --- Saved views
def menu(app: AppTest) -> str:
    return "\n".join(each.proto.body for each in app.get("html") if "tl-link" in each.proto.body)


def test_a_view_is_saved_by_name_with_its_address(own_app: AppTest, player: str, own: Path) -> None:
    app = visit(own_app, player=player, view="Leaks")
    app.text_input(key="saved-view-name").set_value("Where <b>Ann</b> leaks")
    next(each for each in app.button if each.label == "Save this view").click()
    app.run()
    assert not app.exception
    (view,) = views(own)
    assert (view.page, view.query) == ("players", {"player": [player], "view": ["leaks"]})
    assert 'href="players?player=' in menu(app)
    assert "&lt;b&gt;Ann&lt;/b&gt;" in menu(app)
    assert app.text_input(key="saved-view-name").value == ""


def test_a_view_is_renamed_and_deleted(own_app: AppTest, own: Path) -> None:
    view = save_view(own, "old", "bids", {"variant": ["Pedro"]})
    app = visit(own_app)
    assert 'href="bids?variant=Pedro"' in menu(app)
    app.text_input(key="saved-view-name").set_value("new")
    app.button(key=f"rename-view-{view.view_id}").click().run()
    assert [each.name for each in views(own)] == ["new"]
    app.button(key=f"delete-view-{view.view_id}").click().run()
    assert views(own) == []
    assert "No view is saved yet" in text_of(app)


def test_a_name_that_is_taken_is_said_so(own_app: AppTest, own: Path) -> None:
    save_view(own, "taken *twice*", "bids", {})
    app = visit(own_app)
    app.text_input(key="saved-view-name").set_value("taken *twice*")
    next(each for each in app.button if each.label == "Save this view").click()
    app.run()
    assert r"taken \*twice\*" in app.warning[0].value
    assert len(views(own)) == 1


def test_a_damaged_file_of_views_spoils_no_page(own_app: AppTest, own: Path) -> None:
    userdata.user_file(own).write_bytes(b"not a database" * 100)
    app = visit(own_app)
    assert "undamaged file" in app.warning[0].value
    assert table_of(app, "Ratings") or app.info


def test_the_name_of_a_view_is_text_whatever_it_holds(own_app: AppTest, own: Path) -> None:
    save_view(own, NASTY, "bids", {"player": ['"><script>']})
    app = visit(own_app)
    assert "<img" not in menu(app)
    assert "<script>" not in menu(app)


# --- Partners
NAMES = ("Ann", "Bo", "Cy", "<b>Dee</b>", "Eva")
PEOPLE = {f"p{number}": name for number, name in enumerate(NAMES)}
GAMES = 60


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five people, of whom four are drawn for each game."""

    def make(folder: Path) -> None:
        chance = random.Random(1)
        lines, seated = [], dict[str, list[Player]]()
        for hand in core.generate("sixty-three", GAMES, seed=1):
            assert hand.game
            if hand.game not in seated:
                drawn = chance.sample(sorted(PEOPLE), 4)
                seated[hand.game] = [Player(each, PEOPLE[each]) for each in drawn]
            lines.append(encode_hand(replace(hand, players=seated[hand.game])))
        (folder / "log.jsonl").write_bytes(b"\n".join(lines))
        load(folder / "log.jsonl", db=folder / "db")
        open_facts(folder / "db").close()

    return made_once(tmp_path_factory, "warehouse", make) / "db"


@pytest.fixture
def paired(warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    return open_app(warehouse, monkeypatch)


@pytest.fixture(scope="module")
def facts(warehouse: Path) -> DuckDBPyConnection:
    return open_facts(warehouse)


def matrix_of(paired: AppTest, title: str) -> dict[tuple[str, str], tuple[str, str, str]]:
    """The cells of a matrix by row and column: value, games and address."""
    body = next(
        each.proto.body for each in paired.get("html") if f'aria-label="{title}"' in each.proto.body
    )
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


def test_each_pair_has_a_cell_with_value_and_hands(
    paired: AppTest, facts: DuckDBPyConnection
) -> None:
    go(paired, urls.PLAYERS, among="Partners")
    cells = matrix_of(paired, "Who suits whom?")
    pairs = partners(facts).rows
    assert len(cells) == len(pairs) > 5
    for row in pairs.to_dicts():
        names = sorted((PEOPLE[row["one"]], PEOPLE[row["other"]]), key=str.lower)
        value, games, address = cells[names[0], names[1]]
        assert value == signed_text(SCORE, row["drawn"])
        assert games == str(row["games"])
        query = parse_qs(urlsplit(address).query)
        assert {*query["player"], *query["partner"]} == {row["one"], row["other"]}
        assert query["figure"] == [SCORE.name]


def test_a_cell_leads_to_the_hands_of_the_table(paired: AppTest, facts: DuckDBPyConnection) -> None:
    row = partners(facts).rows.row(0, named=True)
    found = listings.hand_count(
        facts, EVERYTHING.also("player", row["one"]).also("partner", row["other"])
    )
    assert found == row["hands"]
    go(paired, urls.PLAYERS, among="Partners")
    told = table_of(paired, "Who suits whom? Every pair")[0]
    assert told["hands"] == f"{row['hands']:,}"
    assert told["player"] == PEOPLE[row["one"]]


def test_opponents_have_opposite_signs_both_ways(
    paired: AppTest, facts: DuckDBPyConnection
) -> None:
    go(paired, urls.PLAYERS, among="Partners")
    cells = matrix_of(paired, "Who fares well against whom?")
    assert len(cells) == 2 * len(opponents(facts).rows) > 10
    for (one, other), (value, games, _) in cells.items():
        opposite = value.translate(str.maketrans("+−", "−+"))
        assert cells[other, one][:2] == (opposite, games)


def test_names_are_shown_as_they_are(paired: AppTest) -> None:
    shown = text_of(go(paired, urls.PLAYERS, among="Partners"))
    assert "&lt;b&gt;Dee&lt;/b&gt;" in shown
    assert "<b>Dee" not in shown.replace("\\<b", "")


def test_the_answer_says_how_sure_it_is(paired: AppTest) -> None:
    shown = text_of(go(paired, urls.PLAYERS, among="Partners"))
    assert len(re.findall("Sure|Likely|Cannot tell yet", plain(shown))) >= 2
    go(paired, urls.PLAYERS, among="Partners", role="maker")
    assert "cannot be filtered by role" in paired.info[0].value
    assert not paired.exception


def test_the_ranking_stays_the_first_part(paired: AppTest) -> None:
    go(paired, urls.PLAYERS)
    assert paired.selectbox(key="rank").value == "rating"
    go(paired, urls.PLAYERS, among="Nothing")
    assert paired.selectbox(key="rank").value == "rating"


def test_the_part_of_pairs_is_a_view_like_others(paired: AppTest) -> None:
    go(paired, urls.PLAYERS, view="Partners")
    assert not paired.get("selectbox") or "rank" not in {each.key for each in paired.selectbox}
    assert address_of(paired) == {urls.VIEW: "partners"}
    assert "does not know" not in text_of(paired)


def test_a_view_of_one_player_is_not_one_of_everybody(paired: AppTest) -> None:
    go(paired, urls.PLAYERS, view="Leaks")
    assert "The address asks for view “Leaks”" in text_of(paired)


def test_few_games_say_so(paired: AppTest) -> None:
    go(paired, urls.PLAYERS, among="Partners", until="1999-01-01")
    assert "nothing can be told" in paired.info[0].value


def shown_with(
    facts: DuckDBPyConnection, rows: pl.DataFrame, *, against: bool
) -> pairs_page._Shown:
    question = pairs_page._OPPONENTS if against else pairs_page._PARTNERS
    return pairs_page._Shown(
        facts, Chosen(EVERYTHING), question, Pairs(tuple(PEOPLE), rows, 0, ()), PEOPLE
    )


@pytest.mark.parametrize("against", [False, True])
def test_who_stands_out_has_an_interval(facts: DuckDBPyConnection, *, against: bool) -> None:
    rows = (opponents if against else partners)(facts).rows
    first = pl.int_range(pl.len()) == 0
    sure = rows.with_columns(
        named=first,
        chance=pl.when(first).then(1e-6).otherwise(0.5),
        difference=pl.when(first).then(-0.25).otherwise("difference"),
        low=pl.when(first).then(-0.4).otherwise("low"),
        high=pl.when(first).then(-0.1).otherwise("high"),
    )
    said = plain(pairs_page._answer_html(shown_with(facts, sure, against=against)))
    one, other = (PEOPLE[rows[name][0]] for name in ("one", "other"))
    if against:
        assert f"Sure: {other} against {one} +25.0 (+10.0 to +40.0, " in said
    else:
        assert f"Sure: {one} and {other} −25.0 (−40.0 to −10.0, " in said
    likely = sure.with_columns(named=False, chance=pl.when(first).then(0.01).otherwise(0.5))
    said = plain(pairs_page._answer_html(shown_with(facts, likely, against=against)))
    assert "Likely: " in said
    assert f"in {len(rows)} of 100 clubs" in said
    unsure = sure.with_columns(named=False, chance=pl.lit(0.5))
    said = plain(pairs_page._answer_html(shown_with(facts, unsure, against=against)))
    assert "Cannot tell yet: no pair stands out" in said
