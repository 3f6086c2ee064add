"""Partners on the page of players, without a browser."""

import html
import random
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest
from duckdb import DuckDBPyConnection
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import address_of, go, open_app, table_of, text_of
from tests.kit.made_once import made_once
from tricklog import Player, core, encode_hand
from tricklog.dashboard.address import urls
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.pages.players import pairs as pairs_page
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.loading.loading import load
from tricklog.ingest.metrics import listings
from tricklog.ingest.metrics.figure_words import signed_text
from tricklog.ingest.metrics.filters import EVERYTHING
from tricklog.ingest.metrics.pairs import SCORE, Pairs, opponents, partners

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
def app(warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    return open_app(warehouse, monkeypatch)


@pytest.fixture(scope="module")
def facts(warehouse: Path) -> DuckDBPyConnection:
    return open_facts(warehouse)


def matrix_of(app: AppTest, title: str) -> dict[tuple[str, str], tuple[str, str, str]]:
    """The cells of a matrix by row and column: value, games and address."""
    body = next(
        each.proto.body for each in app.get("html") if f'aria-label="{title}"' in each.proto.body
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


def test_each_pair_has_a_cell_with_value_and_hands(app: AppTest, facts: DuckDBPyConnection) -> None:
    go(app, urls.PLAYERS, among="Partners")
    cells = matrix_of(app, "Who suits whom?")
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


def test_a_cell_leads_to_the_hands_of_the_table(app: AppTest, facts: DuckDBPyConnection) -> None:
    row = partners(facts).rows.row(0, named=True)
    found = listings.hand_count(
        facts, EVERYTHING.also("player", row["one"]).also("partner", row["other"])
    )
    assert found == row["hands"]
    go(app, urls.PLAYERS, among="Partners")
    told = table_of(app, "Who suits whom? Every pair")[0]
    assert told["hands"] == f"{row['hands']:,}"
    assert told["player"] == PEOPLE[row["one"]]


def test_opponents_have_opposite_signs_both_ways(app: AppTest, facts: DuckDBPyConnection) -> None:
    go(app, urls.PLAYERS, among="Partners")
    cells = matrix_of(app, "Who fares well against whom?")
    assert len(cells) == 2 * len(opponents(facts).rows) > 10
    for (one, other), (value, games, _) in cells.items():
        opposite = value.translate(str.maketrans("+−", "−+"))
        assert cells[other, one][:2] == (opposite, games)


def test_names_are_shown_as_they_are(app: AppTest) -> None:
    shown = text_of(go(app, urls.PLAYERS, among="Partners"))
    assert "&lt;b&gt;Dee&lt;/b&gt;" in shown
    assert "<b>Dee" not in shown.replace("\\<b", "")


def test_the_answer_says_how_sure_it_is(app: AppTest) -> None:
    shown = text_of(go(app, urls.PLAYERS, among="Partners"))
    assert len(re.findall("Sure|Likely|Cannot tell yet", plain(shown))) >= 2
    go(app, urls.PLAYERS, among="Partners", role="maker")
    assert "cannot be filtered by role" in app.info[0].value
    assert not app.exception


def test_the_ranking_stays_the_first_part(app: AppTest) -> None:
    go(app, urls.PLAYERS)
    assert app.selectbox(key="rank").value == "rating"
    go(app, urls.PLAYERS, among="Nothing")
    assert app.selectbox(key="rank").value == "rating"


def test_the_part_of_pairs_is_a_view_like_others(app: AppTest) -> None:
    go(app, urls.PLAYERS, view="Partners")
    assert not app.get("selectbox") or "rank" not in {each.key for each in app.selectbox}
    assert address_of(app) == {urls.VIEW: "partners"}
    assert "does not know" not in text_of(app)


def test_a_view_of_one_player_is_not_one_of_everybody(app: AppTest) -> None:
    go(app, urls.PLAYERS, view="Leaks")
    assert "The address asks for view “Leaks”" in text_of(app)


def test_few_games_say_so(app: AppTest) -> None:
    go(app, urls.PLAYERS, among="Partners", until="1999-01-01")
    assert "nothing can be told" in app.info[0].value


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
