"""The page of games: the list, the score sheet of one, and deals played at several tables."""

import html
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import tricklog
from tests.kit.app_pages import addresses_in, check_charts, go, open_app, table_of, text_of
from tests.kit.at_table import club
from tests.kit.evening_logs import Record, holed_game, king_pedro, records_in, write_records
from tests.kit.log_lines import one_game, write_hands
from tests.kit.made_once import made_once
from tests.regenerate.samples import FOLDER
from tricklog.dashboard.address import urls
from tricklog.dashboard.kit import addresses
from tricklog.ingest.chances import words
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.loading.loading import load
from tricklog.ingest.study.same_deals import shared_deals
from tricklog.ingest.warehouses import open_snapshot

KING = king_pedro()
GAME = KING[0]["game"]
SEVEN = records_in([FOLDER / "sancho" / "one-game-at-7.jsonl"])
PIPS = records_in([FOLDER / "twenty-nine" / "one-game-last-trick-counts.jsonl"])
EVENING = "evening {}"
MANY = 60
Visit = Callable[..., AppTest]


def evening() -> list[Record]:
    """Games of one hand, one after the other on one day at one table."""
    return [
        KING[0]
        | {
            "game": EVENING.format(place),
            "id": f"evening-{place}",
            "started_at": f"2026-11-20T{19 + place // 60}:{place % 60:02}:00Z",
        }
        for place in range(MANY)
    ]


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def make(folder: Path) -> None:
        logs = folder / "logs"
        write_records(logs / "one.jsonl", [*KING, *holed_game(), *SEVEN, *PIPS, *evening()])
        alone = [each | {"game": "alone", "id": f"alone {each['id']}"} for each in SEVEN]
        write_records(logs / "three.jsonl", alone)
        write_records(logs / "two.jsonl", [each | {"id": f"2 {each['id']}"} for each in SEVEN[:3]])
        load(logs, db=folder / "db")
        open_facts(folder / "db").close()

    return made_once(tmp_path_factory, "warehouse", make) / "db"


@pytest.fixture
def app(warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    return open_app(warehouse, monkeypatch)


@pytest.fixture
def games(warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> Visit:
    return lambda **asked: go(open_app(warehouse, monkeypatch), urls.GAMES, **asked)


# --- The list
def test_the_latest_games_come_first_each_leading_to_its_sheet(games: Visit) -> None:
    app = games()
    rows = table_of(app, "Games")
    assert len(rows) == 50
    days = [row["Day"] for row in rows]
    assert days == sorted(days, reverse=True)
    assert addresses.of_game(rows[0]["Game"]) in addresses_in(app)
    assert len(table_of(games(page="2"), "Games")) == MANY + 5 - 50


def test_the_list_says_how_each_game_ended(games: Visit) -> None:
    (row,) = table_of(games(find=GAME), "Games")
    ours, theirs = KING[-1]["claimed"]["scores"]
    assert row["Result"].endswith(f" won, {ours} : {theirs}".replace("-", "−"))
    assert row["Hands"] == str(len(KING))
    (row,) = table_of(games(find="holed"), "Games")
    assert row["Hands"] == f"{len(KING) - 1}, 1 missing, 2 not valid"
    assert int(row["Findings"]) > 0


def test_filters_and_text_narrow_the_list(games: Visit) -> None:
    rows = table_of(games(variant="Twenty-Nine"), "Games")
    assert [row["Game"] for row in rows] == [PIPS[0]["game"]]
    assert f"{MANY} games" in text_of(games(find="2026-11-20"))
    assert "No game matches" in text_of(games(find="no such game"))


# --- A sheet
@pytest.mark.parametrize("hands", [KING, PIPS], ids=["card points", "game points"])
def test_the_sheet_has_what_the_log_says_of_each_hand(app: AppTest, hands: list[Record]) -> None:
    go(app, urls.GAMES, game=hands[0]["game"])
    rows = table_of(app, "Score sheet")
    assert len(rows) == len(hands)
    sides = [head for head in rows[0] if " & " in head]
    for row, record in zip(rows, hands, strict=True):
        claimed = record["claimed"]
        assert row["points"] == " : ".join(map(str, claimed["points"]))
        for side, added, score in zip(sides, claimed["change"], claimed["scores"], strict=True):
            cell = [int(each.replace("−", "-")) for each in row[side].split()]
            assert cell[-1] == score
            assert cell[:-1] == [added] or (cell[:-1], added) == ([], 0)
    assert {addresses.of_step(each["id"]) for each in hands} <= set(addresses_in(app))
    check_charts(app)


def test_the_race_stands_beside_where_the_game_turned(app: AppTest) -> None:
    go(app, urls.GAMES, game=GAME)
    shown = text_of(app)
    assert "Score race" in shown
    assert "The largest swing was hand" in shown


@pytest.mark.parametrize("game", [GAME, "holed", PIPS[0]["game"]])
def test_chances_stand_under_the_sheet_as_python_and_sql_have_them(
    app: AppTest, warehouse: Path, game: str
) -> None:
    go(app, urls.GAMES, game=game)
    shown = text_of(app)
    own = tricklog.win_chances(warehouse, game)
    query = f"FROM hand_chances WHERE game = '{game}' ORDER BY hand, side_no"
    assert tricklog.sql(warehouse, query).equals(own)
    labels = [head for head in table_of(app, "Score sheet")[0] if " & " in head]
    for said in words.game_sentences(own, labels):
        assert f">{html.escape(said, quote=False)}</p>" in shown
    assert "Decided by hand" in shown or game == "holed"
    assert "stored hands of the same rules" in shown
    line = re.search(r'<div class="tl-chance">.*?polygon\((.*?)\)', shown)
    assert line
    gaps = words.course(own.filter(own["side_no"] == 0)).count(None)
    assert (gaps > 0) == (game == "holed")
    assert len(line[1].split(",")) == 2 * (own["hand"].n_unique() + 1 + gaps)


def test_a_game_of_many_sides_says_why_it_has_no_chances(games: Visit) -> None:
    app = games(game="alone")
    assert "worked out for two sides" in text_of(app)
    assert 'tl-chance"' not in text_of(app)
    # Of two games under one id nobody knows which hand belongs to which.
    assert "Chances to win" not in text_of(games(game=SEVEN[0]["game"]))


def test_a_game_of_seven_is_counted_out(app: AppTest) -> None:
    go(app, urls.GAMES, game=SEVEN[0]["game"], log="one.jsonl")
    assert len(table_of(app, "Score sheet")) == len(SEVEN)
    counted = table_of(app, "Counted out")
    assert int(counted[-1]["score then"]) == max(SEVEN[-1]["claimed"]["scores"])


def test_logs_with_one_id_are_chosen_from(app: AppTest) -> None:
    go(app, urls.GAMES, game=SEVEN[0]["game"], log="two.jsonl")
    assert "2 logs have a game with this id" in text_of(app)
    assert len(table_of(app, "Score sheet")) == 3
    app.selectbox(key=urls.LOG).set_value(app.selectbox(key=urls.LOG).options[0]).run()
    assert len(table_of(app, "Score sheet")) == len(SEVEN)


def test_the_sixes_lie_as_the_scores_say(app: AppTest) -> None:
    go(app, urls.GAMES, game=PIPS[0]["game"])
    found = re.findall(r"(\d) (red|black) pips? open", text_of(app))
    scores = PIPS[-1]["claimed"]["scores"]
    assert found == [(str(abs(each)), "red" if each >= 0 else "black") for each in scores]


def test_what_is_missing_or_wrong_says_so_in_its_row(app: AppTest) -> None:
    go(app, urls.GAMES, game="holed")
    rows = {row["hand"]: row["remarks"] for row in table_of(app, "Score sheet")}
    assert "not stored" in rows["2"]
    assert "incomplete" in rows["4"]
    assert "rejected" in rows["6"]
    assert "1 missing, 1 rejected, 1 incomplete" in text_of(app)
    assert any(each.startswith("replay?hand=holed-6") for each in addresses_in(app))


def test_an_evening_is_walked_through_in_the_order_of_play(app: AppTest) -> None:
    for place in (0, 1, MANY - 1):
        go(app, urls.GAMES, game=EVENING.format(place))
        assert f"game {place + 1} of {MANY} of these players on the day" in text_of(app)
        others = [each for each in (place - 1, place + 1) if 0 <= each < MANY]
        expected = [addresses.of_game(EVENING.format(each)) for each in others]
        links = re.findall(r'href="(games\?[^"]*)"', text_of(app))
        # Those with a language are the same game in other words.
        assert [each for each in links if "lang=" not in each] == expected


def test_a_game_that_is_not_there_is_said_so_with_what_is_close(app: AppTest) -> None:
    go(app, urls.GAMES, game="holes <b>x</b>")
    assert "There is no game" in app.error[0].value
    assert "<b>" not in app.error[0].value.replace("\\<b\\>", "")
    go(app, urls.GAMES, game="hole")
    assert addresses.of_game("holed") in text_of(app)


@pytest.mark.parametrize(
    ("screen", "asked"),
    [
        (urls.HANDS, {"find": "holed"}),
        (urls.STEPS, {"hand": "holed-1"}),
        (urls.AUDIT, {"find": "holed"}),
    ],
)
def test_games_named_lead_to_their_sheet(app: AppTest, screen: str, asked: dict[str, str]) -> None:
    go(app, screen, **asked)
    assert addresses.of_game("holed") in text_of(app)


# --- Deals played at several tables
@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deals")
    log = write_hands(folder / "club.jsonl", [*club("pidro", 2, 3), *one_game("pedro")])
    load(log, db=folder / "db")
    open_facts(folder / "db").close()
    return folder / "db"


@pytest.fixture(scope="module")
def keys(dealt: Path) -> list[str]:
    with open_snapshot(dealt) as snapshot:
        return [each.key for each in shared_deals(snapshot)]


@pytest.fixture
def deals(dealt: Path, monkeypatch: pytest.MonkeyPatch) -> Visit:
    return lambda **asked: go(open_app(dealt, monkeypatch), urls.SAME_DEAL, **asked)


def test_the_list_leads_to_each_deal(deals: Visit, keys: list[str]) -> None:
    app = deals(whose="everybody")
    assert [row["Deal"] for row in table_of(app, "Deals")] == keys
    assert {row["Tables"] for row in table_of(app, "Deals")} == {"3"}
    assert any(f"deal={keys[0]}" in each for each in addresses_in(app))
    assert len(table_of(app, "With the same cards")) == 6


def test_a_deal_shows_cards_tables_and_scores(deals: Visit, keys: list[str]) -> None:
    app = deals(deal=keys[0])
    assert [row["Seat"] for row in table_of(app, "Cards")] == [
        "Dealer",
        "1 after",
        "2 after",
        "3 after",
    ]
    tables = table_of(app, "Tables")
    assert len(tables) == 3
    assert all(row["Hand"].startswith("pidro-") and row["All cards open"] for row in tables)
    compared = table_of(app, "Compared")
    assert len(compared) == 6
    assert {row["Side"] for row in compared} >= {"t0-0 & t0-2"} or {
        row["Side"] for row in compared
    } >= {"t0-2 & t0-0"}
    assert any("replay?hand=pidro-" in each for each in addresses_in(app))


def test_a_deal_that_is_not_there_is_said_to_be_missing(deals: Visit) -> None:
    app = deals(deal="0123456789abcdef")
    assert "is in this warehouse" in text_of(app)


def test_the_page_of_hands_leads_to_it(dealt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = go(open_app(dealt, monkeypatch), urls.HANDS)
    assert "Deals played at several tables" in text_of(app)


def test_nobody_says_what_somebody_should_have_done(deals: Visit, keys: list[str]) -> None:
    said = text_of(deals(deal=keys[0])) + text_of(deals(whose="everybody"))
    assert "should have" not in said
    assert "best card" not in said
