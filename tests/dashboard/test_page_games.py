"""The page of games: the list, the score sheet of one, and deals played at several tables."""

import html
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import tricklog
from tests.dashboard.conftest import MANY, SHORT, Visit, page_over, pages_over
from tests.kit.app_pages import addresses_in, check_charts, go, table_of, text_of
from tests.kit.evening_logs import KING, PIPS, SEVEN, Record
from tricklog.dashboard.address import urls
from tricklog.dashboard.kit import addresses
from tricklog.ingest.chances import words
from tricklog.ingest.study.same_deals import shared_deals
from tricklog.ingest.warehouses import open_snapshot

GAME, OF_SEVEN, OF_PIPS = (each[0]["game"] for each in (KING, SEVEN, PIPS))


app = pages_over("sheets")
games = page_over("sheets", urls.GAMES)


# --- The list
def test_the_latest_games_come_first_each_leading_to_its_sheet(games: Visit) -> None:
    app = games()
    rows = table_of(app, "Games")
    assert len(rows) == 50
    days = [row["Day"] for row in rows]
    assert days == sorted(days, reverse=True)
    assert addresses.of_game(rows[0]["Game"]) in addresses_in(app)
    assert len(table_of(games(page="2"), "Games")) == MANY + 5 - 50
    # It says how each ended, and is narrowed.
    (row,) = table_of(games(find=GAME), "Games")
    ours, theirs = KING[-1]["claimed"]["scores"]
    assert row["Result"].endswith(f" won, {ours} : {theirs}".replace("-", "−"))
    assert row["Hands"] == str(len(KING))
    (row,) = table_of(games(find="holed"), "Games")
    assert row["Hands"] == f"{len(KING) - 1}, 1 missing, 2 not valid"
    assert int(row["Findings"]) > 0
    rows = table_of(games(variant="Twenty-Nine"), "Games")
    assert [row["Game"] for row in rows] == [OF_PIPS]


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
    if hands == PIPS:
        # The sixes lie as the scores say.
        found = re.findall(r"(\d) (red|black) pips? open", text_of(app))
        scores = hands[-1]["claimed"]["scores"]
        assert found == [(str(abs(each)), "red" if each >= 0 else "black") for each in scores]
    else:
        # The race stands beside where the game turned.
        assert "Score race" in text_of(app)
        assert "The largest swing was hand" in text_of(app)


@pytest.mark.parametrize("game", [GAME, "holed", OF_PIPS])
def test_chances_are_those_of_python_and_sql(app: AppTest, sheets: Path, game: str) -> None:
    go(app, urls.GAMES, game=game)
    shown = text_of(app)
    own = tricklog.win_chances(sheets, game)
    query = f"FROM hand_chances WHERE game = '{game}' ORDER BY hand, side_no"
    assert tricklog.sql(sheets, query).equals(own)
    rows = table_of(app, "Score sheet")
    labels = [head for head in rows[0] if " & " in head]
    for said in words.game_sentences(own, labels):
        assert f">{html.escape(said, quote=False)}</p>" in shown
    assert "Decided by hand" in shown or game == "holed"
    assert "stored hands of the same rules" in shown
    line = re.search(r'<div class="tl-chance">.*?polygon\((.*?)\)', shown)
    assert line
    gaps = words.course(own.filter(own["side_no"] == 0)).count(None)
    assert (gaps > 0) == (game == "holed")
    assert len(line[1].split(",")) == 2 * (own["hand"].n_unique() + 1 + gaps)
    if game == "holed":
        # What is missing or wrong says so in its row.
        remarks = {row["hand"]: row["remarks"] for row in rows}
        for hand, said in (("2", "not stored"), ("4", "incomplete"), ("6", "rejected")):
            assert said in remarks[hand]
        assert "1 missing, 1 rejected, 1 incomplete" in shown
        assert any(each.startswith("replay?hand=holed-6") for each in addresses_in(app))


def test_a_game_of_seven_is_counted_out_and_logs_with_its_id_are_chosen_from(app: AppTest) -> None:
    go(app, urls.GAMES, game=OF_SEVEN, log="two.jsonl")
    assert "2 logs have a game with this id" in text_of(app)
    assert len(table_of(app, "Score sheet")) == 3
    # Of two games under one id nobody knows which hand belongs to which.
    assert "Chances to win" not in text_of(app)
    app.selectbox(key=urls.LOG).set_value(app.selectbox(key=urls.LOG).options[0]).run()
    assert len(table_of(app, "Score sheet")) == len(SEVEN)
    counted = table_of(app, "Counted out")
    assert int(counted[-1]["score then"]) == max(SEVEN[-1]["claimed"]["scores"])


def test_an_evening_is_walked_through_in_the_order_of_play(app: AppTest) -> None:
    for place in (0, 1, MANY - 1):
        go(app, urls.GAMES, game=SHORT.format(place))
        assert f"game {place + 1} of {MANY} of these players on the day" in text_of(app)
        others = [each for each in (place - 1, place + 1) if 0 <= each < MANY]
        expected = [addresses.of_game(SHORT.format(each)) for each in others]
        links = re.findall(r'href="(games\?[^"]*)"', text_of(app))
        # Those with a language are the same game in other words.
        assert [each for each in links if "lang=" not in each] == expected


# --- Deals played at several tables
deals = page_over("dealt", urls.SAME_DEAL)


@pytest.fixture(scope="module")
def keys(dealt: Path) -> list[str]:
    with open_snapshot(dealt) as snapshot:
        return [each.key for each in shared_deals(snapshot)]


def test_the_list_leads_to_each_deal_and_its_tables(deals: Visit, keys: list[str]) -> None:
    app = deals(whose="everybody")
    rows = table_of(app, "Deals")
    assert [row["Deal"] for row in rows] == keys
    assert {row["Tables"] for row in rows} == {"3"}
    assert any(f"deal={keys[0]}" in each for each in addresses_in(app))
    assert len(table_of(app, "With the same cards")) == 6
    deal = deals(deal=keys[0])
    seats = [row["Seat"] for row in table_of(deal, "Cards")]
    assert seats == ["Dealer", "1 after", "2 after", "3 after"]
    tables = table_of(deal, "Tables")
    assert len(tables) == 3
    assert all(row["Hand"].startswith("pidro-") and row["All cards open"] for row in tables)
    compared = [row["Side"] for row in table_of(deal, "Compared")]
    assert len(compared) == 6
    assert {"t0-0 & t0-2", "t0-2 & t0-0"} & {*compared}
    assert any("replay?hand=pidro-" in each for each in addresses_in(deal))
    # Nobody says what somebody should have done.
    for said in (text_of(app), text_of(deal)):
        assert "should have" not in said
        assert "best card" not in said
