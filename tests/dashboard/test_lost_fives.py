"""Parts of pages of figures: the fives, the map of makers, bids held against par."""

import html
import re
from pathlib import Path
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest
from duckdb import DuckDBPyConnection
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import addresses_in, check_charts, go, open_app, table_of, text_of
from tests.kit.log_lines import generated, write_hands
from tests.kit.made_once import made_once
from tests.kit.tiers import is_thorough, some
from tricklog import Filters, generate, ingest
from tricklog.dashboard.address import urls
from tricklog.dashboard.data import work
from tricklog.dashboard.kit.margin_bars import bars
from tricklog.dashboard.pages.bids import made_map
from tricklog.dashboard.pages.capture import lost_fives
from tricklog.dashboard.pages.players.luck_and_choices import sentence as sentence_of_luck
from tricklog.dashboard.sections.against_par import sentence
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import METRIC, bid_map, fives, measure
from tricklog.ingest.metrics.bid_map import BidMap, Group
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.study.solving import value_auctions

TABLE = "Pedro, 4 partners"
HERE = Filters.of({"variant": "pedro", "seating": "4 partners"})


@pytest.fixture(scope="module")
def facts(club_warehouse: Path) -> DuckDBPyConnection:
    return open_facts(club_warehouse)


# --- The sentence
def where(**parts: tuple[float, bool]) -> pl.DataFrame:
    rows = [
        {"part": part, "of": of, "n": 400, "hits": 0, "games": 40, "value": value}
        | {"low": value - 0.04, "high": value + 0.04, "enough": enough}
        for name, (value, enough) in parts.items()
        for part, _, of in [name.partition("_")]
    ]
    return pl.DataFrame(rows)


def people(*rows: tuple[str, float, bool, list[int]]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "player": [name for name, *_ in rows],
            "value": [0.17 + difference for _, difference, *_ in rows],
            "low": [0.1 for _ in rows],
            "high": [0.33 for _ in rows],
            "difference": [difference for _, difference, *_ in rows],
            "named": [named for _, _, named, _ in rows],
            "place": [*range(1, len(rows) + 1)],
            "tricks": [tricks for *_, tricks in rows],
        }
    )


def test_the_answer_tells_all_whose_lead_and_who_is_named() -> None:
    found = where(all_all=(0.17, True), lead_defenders=(0.54, True), lead_makers=(0.05, True))
    losers = people(
        ("a<b>", -0.08, True, [1, 0]), ("bo", 0.0, False, [0, 0]), ("cy", 0.08, True, [0, 5, 5, 9])
    )
    assert lost_fives.sentence(found, losers, {"cy": "C*y"}) == (
        "Makers lose **17 of 100 fives they played** (13 to 21). When a defender has the lead it "
        "is 54 (50 to 58), when they lead themselves 5 (1 to 9). **C\\*y loses 25** (10 to 33), "
        "most often in trick 4. Fewest are lost by **a\\<b\\>**, 9 (10 to 33)."
    )


def test_the_answer_names_nobody_by_chance_and_says_what_is_too_few() -> None:
    found = where(all_all=(0.17, True), lead_defenders=(0.54, False), lead_makers=(0.05, True))
    nobody = people(("ann", 0.05, False, [3, 3]), ("bo", -0.05, False, [0, 0]))
    said = lost_fives.sentence(found, nobody, {})
    assert said.startswith("Makers lose **17 of 100 fives they played** (13 to 21). Nobody stands")
    assert "among 2 players" in said
    assert lost_fives.sentence(found, nobody.clear(), {}).endswith(
        "There are too few games to compare players."
    )
    few = "Too few to say how often makers lose a five: 400 fives in 40 games."
    assert lost_fives.sentence(where(all_all=(0.17, False)), nobody, {}) == few


@pytest.mark.parametrize(
    ("tricks", "said"),
    [([0, 0], "."), ([], "."), ([2, 5, 1], ", most often in trick 2."), ([2, 2, 1], ".")],
)
def test_a_trick_is_told_where_it_has_more_than_any_other(tricks: list[int], said: str) -> None:
    (row,) = people(("bo", 0.08, True, tricks)).iter_rows(named=True)
    assert lost_fives._loser_words(row, {}) == f"**bo loses 25** (10 to 33){said}"


# --- The matrix
def test_the_matrix_says_who_took_whose_fives(club: AppTest, facts: DuckDBPyConnection) -> None:
    go(club, urls.CAPTURE, view="Pedros", table=TABLE, min="10")
    bodies = [each.proto.body for each in club.get("html")]
    (matrix,) = (each for each in bodies if 'aria-label="Who loses fives to whom"' in each)
    links = re.findall(r'<a href="([^"]*)" aria-label="([^"]*)">', matrix)
    assert len(links) > 6
    for address, said in some(links, 2):
        query = parse_qs(urlsplit(html.unescape(address)).query)
        taken, against = map(int, re.findall(r"\d+", said.rpartition(":")[2]))
        (taker,) = query["lost-to"]
        mine = HERE.also("player", *query["player"])
        (row,) = measure(facts, fives.LOST, (), mine.also("opponent", taker)).to_dicts()
        assert row["n"] == against
        lost = measure(facts, fives.LOST, ("lost-to",), mine).filter(pl.col("lost-to") == taker)
        assert lost["n"].sum() == taken


# --- The page
def test_fives_of_a_game_fill_sentence_and_tables(club: AppTest, facts: DuckDBPyConnection) -> None:
    go(club, urls.CAPTURE, view="Pedros", table=TABLE)
    assert re.search(
        r"Makers lose \*\*\d+ of 100 fives they played\*\* \(\d+ to \d+\)", text_of(club)
    )
    (whole,) = measure(facts, fives.LOST, (), HERE).iter_rows(named=True)
    for part in ("five", "holder", "trick", "leader", "played"):
        go(club, urls.CAPTURE, view="Pedros", table=TABLE, **{lost_fives.PART: part})
        title = str(lost_fives.PARTS[part])
        rows = table_of(club, f"Makers’ fives lost: {title.lower()}")
        assert sum(int(row["fives"].replace(",", "")) for row in rows) == whole["n"], title
    rows = table_of(club, "Who loses the makers’ fives")
    assert sum(int(row["fives"].replace(",", "")) for row in rows) == whole["n"]
    kept = measure(facts, fives.KEPT, ("side",), HERE).filter(side="makers").to_dicts()[0]
    assert f"Makers keep {kept['hits']:,} of their {kept['n']:,} fives" in text_of(club)


def test_a_row_leads_to_its_hands_and_a_name_to_the_player(club: AppTest) -> None:
    go(club, urls.CAPTURE, view="Pedros", table=TABLE)
    linked = [parse_qs(urlsplit(each).query) for each in addresses_in(club) if "leader" in each]
    (of_left,) = [each for each in linked if each["leader"] == ["left"] and "holder" not in each]
    assert of_left["figure"] == [fives.LOST]
    assert of_left["variant"] == ["pedro"]
    assert any(each.startswith("players?") for each in addresses_in(club))
    go(club, urls.HANDS, **of_left)
    assert "Makers' pedros lost" in text_of(club).replace("\\", "")
    assert "leader from the maker left" in text_of(club).replace("\\", "")


def test_games_without_fives_say_so(app: AppTest) -> None:
    go(app, urls.CAPTURE, view="Pedros", variant="Twenty-Nine")
    (said,) = (each.value for each in app.info if "No five that counts was played" in each.value)
    assert "Twenty\\-Nine" in said
    go(app, urls.CAPTURE, view="Pedros", since="2199-01-01", table="whist")
    assert "No hand matches" in text_of(app)
    assert "does not know" not in text_of(app)


def test_a_game_that_is_not_there_is_said(club: AppTest) -> None:
    go(club, urls.CAPTURE, view="Pedros", table="Whist, 4 partners")
    assert "The address asks for table “Whist, 4 partners”" in text_of(club).replace("\\", "")
    assert "Makers lose" in text_of(club)


def test_seven_singles_sit_after_the_maker(singles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_app(singles, monkeypatch)
    go(app, urls.CAPTURE, view="Pedros", seating="7 singles")
    leads = table_of(app, "Makers’ fives lost: on the lead of")
    assert {row["On the lead of"] for row in leads} >= {"3 after the maker"}
    assert not {"left opponent", "maker’s partner"} & {row["On the lead of"] for row in leads}
    assert "Too few" in text_of(app)


def test_the_tick_of_takers_is_one_opponent(facts: DuckDBPyConnection, club: AppTest) -> None:
    found = fives.where_lost(facts, HERE)
    (whole,) = found.filter(pl.col("part") == fives.ALL)["value"]
    # Two opponents sit at a table of four.
    assert fives.taken_by_one(found) == pytest.approx(whole / 2)
    assert fives.taken_by_one(found.clear()) is None
    for part in fives.TAKERS:
        go(club, urls.CAPTURE, view="Pedros", table=TABLE, **{lost_fives.PART: part})
        assert "tick: what one opponent takes on average" in text_of(club)
        check_charts(club)


# --- The map of makers
def found(*scores: tuple[int, float, bool, bool]) -> BidMap:
    """A map with the scores of bids: number of the group, value, enough, named."""
    bids = (*(Group(7 + 2 * each, 8 + 2 * each) for each in range(5)), Group(1001, 1001))
    rows: list[dict[str, object]] = [
        {"bid": bid, "n": 40, "games": 20, "value": value, "enough": enough, "named": named}
        | {"low": value - 1 if enough else None, "high": value + 1 if enough else None}
        for bid, value, enough, named in scores
    ]
    return BidMap(bids, (Group(3, 3),), pl.DataFrame(), pl.DataFrame(rows), 0, 0)


def test_the_answer_tells_which_bids_pay_and_which_cannot_be_told() -> None:
    said = made_map.sentence(
        found(
            (0, 3.0, True, True),
            (1, 5.5, True, True),
            (2, 0.4, True, False),
            (3, -4.0, True, True),
            (5, -0.04, True, False),
        ),
        30,
    )
    assert said == (
        "**Bids that pay:** 7–10 (means from +3.0 to +5.5 a contract). "
        "**Bids that cost:** 13–14 (−4.0 a contract, −5.0 to −3.0). "
        "Whether these bids pay is not sure yet, with all bids compared: "
        "11–12 (+0.4 a contract, −0.6 to +1.4), "
        "28-56 (0.0 a contract, −1.0 to +1.0)."
    )


def test_bids_with_another_between_them_are_not_put_together() -> None:
    scores = found((0, 3.0, True, True), (1, 9.0, False, False), (2, 3.0, True, True))
    assert made_map.sentence(scores, 30) == (
        "**Bids that pay:** 7–8 (+3.0 a contract, +2.0 to +4.0), "
        "11–12 (+3.0 a contract, +2.0 to +4.0)."
    )
    few = made_map.sentence(found((0, 3.0, False, False)), 30)
    assert few.startswith("There are too few contracts of any bid")
    assert "it takes 30 in 10 games" in few


def test_the_map_has_all_contracts_of_its_game(club: AppTest, club_warehouse: Path) -> None:
    go(club, urls.BIDS, table=TABLE)
    with open_facts(club_warehouse) as facts:
        (whole,) = measure(facts, bid_map.CHOSEN, (), HERE).iter_rows(named=True)
        by_bid = measure(facts, bid_map.CHOSEN, ("bid",), HERE).select("bid", "n").rows()
    rows = table_of(club, "Contracts made by bid and trumps held")
    assert sum(int(row["contracts"].replace(",", "")) for row in rows) == whole["n"]
    assert all((row["made"] == "too few") == (int(row["contracts"]) < 10) for row in rows)
    for bid in {row["bid"] for row in rows}:
        least, _, most = bid.partition("–")
        within = sum(n for each, n in by_bid if int(least) <= each <= int(most or least))
        assert within == sum(int(row["contracts"]) for row in rows if row["bid"] == bid)
    assert f"{whole['n']:,} contracts" in text_of(club)
    check_charts(club)


def test_the_holding_can_be_points_and_stands_in_the_address(club: AppTest) -> None:
    go(club, urls.BIDS, table=TABLE, holding="points held")
    assert table_of(club, "Contracts made by bid and points held")
    assert not table_of(club, "Contracts made by bid and trumps held")
    assert "does not know" not in text_of(club)


def test_a_holding_that_is_not_known_is_said(club: AppTest) -> None:
    go(club, urls.BIDS, holding="luck")
    assert "The address asks for holding “luck”" in text_of(club)


def test_a_cell_leads_to_its_hands(
    club: AppTest, club_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go(club, urls.BIDS, table=TABLE)
    rows = table_of(club, "Contracts made by bid and trumps held")
    linked = [
        parse_qs(urlsplit(each).query)
        for each in addresses_in(club)
        if each.startswith("hands?") and "trumps-held-from" in each
    ]
    assert len(linked) == len(rows)
    assert all(each["role"] == ["maker"] and each["figure"] == ["made-rate"] for each in linked)
    most = max(range(len(rows)), key=lambda place: int(rows[place]["contracts"]))
    arrived = open_app(club_warehouse, monkeypatch)
    go(arrived, urls.HANDS, **linked[most])
    assert f"{rows[most]['contracts']} hands: " in text_of(arrived)


def test_nothing_chosen_is_said(club: AppTest) -> None:
    go(club, urls.BIDS, since="2199-01-01")
    assert "No hand matches in which a maker chose to bid" in text_of(club)


def test_odd_filters_leave_a_page(app: AppTest) -> None:
    for variant in ("Twenty-Nine", "King Pedro", "Finnish Pidro"):
        go(app, urls.BIDS, variant=variant, min="1")
        assert "Contracts made out of 100" in text_of(app)
        assert "too few contracts of any bid" in text_of(app)


# --- Bids held against par
BARS = "Pedro Sancho, 4 singles: contracts by points bid above par"


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Short games of Sancho with auctions held against par, and hands of Pidro with none."""

    def make(folder: Path) -> None:
        games = generate("sancho", 11, seed=3, options={"target": 30 if is_thorough() else 20})
        hands = [*games, *generated("pidro", 1, 3)[:6]]
        ingest.load(write_hands(folder / "log.jsonl", hands), db=folder / "db")
        chosen = Filters.of({"variant": "sancho"})
        value_auctions(folder / "db", stocks=1, jobs=1, filters=chosen)

    return made_once(tmp_path_factory, "par-pages", make) / "db"


@pytest.fixture
def par(stored: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    return open_app(stored, monkeypatch)


def test_the_answer_its_bars_and_the_hands_behind_them(
    par: AppTest, stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go(par, urls.BIDS, view="Against par")
    shown = text_of(par)
    check_charts(par)
    with open_facts(stored) as facts:
        above, beyond = (
            measure(facts, each).row(0, named=True) for each in ("above-par", "overbids")
        )
        contracts = bid_map.bid_over_par(facts)
        whole = bid_map.held(facts)
    assert f"Of 100 contracts **{100 * above['value']:.0f}**" in shown
    assert f"and **{100 * beyond['value']:.0f}**" in shown
    assert f"{whole.held:,} of {whole.hands} hands" in shown
    assert "The others are not held against par yet" in shown
    rows = table_of(par, BARS)
    assert sum(int(row["contracts"]) for row in rows) == contracts["n"].sum() == above["n"]
    over = sum(int(row["contracts"]) for row in rows if row["points bid above par"].startswith("+"))
    assert over == above["hits"]
    there = next(
        parse_qs(urlsplit(each).query)
        for each in addresses_in(par)
        if "over-par" in each and "result" in each
    )
    second = open_app(stored, monkeypatch)
    go(second, urls.HANDS, **{name: values[0] for name, values in there.items()})
    assert "Bids above par" in text_of(second)
    assert rows[0]["contracts"] in text_of(second)


@pytest.mark.parametrize("count", [10, 150])
def test_no_bar_stands_on_both_sides_of_the_line(count: int) -> None:
    """The line is right of par, which is not above it; with many bids several share a bar."""
    margins = list(range(-count, count))
    found = pl.DataFrame(
        {"margin": margins, "result": ["made"] * len(margins), "n": [1] * len(margins)}
    )
    drawn = bars(found, 1)
    assert drawn["n"].sum() == len(margins)
    ends = drawn.select("start", "end").rows()
    assert all(end < 0.5 or start > 0.5 for start, end in ends)


def test_the_answer_says_what_is_not_known() -> None:
    row = {"value": 0.25, "low": 0.2, "high": 0.31, "enough": True, "n": 400}
    rows = dict.fromkeys(
        ("above-par", "overbids", "set-by-play", "set-by-bid", "set-by-cards"), row
    )
    told = sentence(rows)
    assert told.startswith("Of 100 contracts **25** (20 to 31) were bid above")
    assert told.endswith(
        "**25** (20 to 31) by the bid and **25** (20 to 31) by the cards that came. "
        "Over 400 contracts; in brackets 95 %."
    )
    few = {**row, "enough": False, "n": 7}
    assert "were set" not in sentence({**rows, "set-by-bid": few})
    assert sentence({**rows, "above-par": few}) == (
        "There are too few games to say it yet: 7 contracts so far."
    )
    assert "nobody chose to bid" in sentence({**rows, "above-par": None})


def test_a_game_without_any_says_so(par: AppTest) -> None:
    go(par, urls.BIDS, view="Against par", variant="Finnish Pidro")
    assert "nobody chose to bid a contract that was held against par" in text_of(par)


def test_what_is_due_and_refused_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = tmp_path / "a db"
    ingest.load(write_hands(tmp_path / "log.jsonl", generated("sancho", 1, 3)[:3]), db=db)
    par = open_app(db, monkeypatch)
    shown = text_of(go(par, urls.BIDS, view="Against par"))
    assert "No auction here has been held against par yet" in shown
    with patch.object(work, "start") as started:
        next(each for each in par.button if "for ten minutes" in each.label).click().run()
    assert started.call_args.args[1] == ["solve", "--par", "--budget=10m", f"--db={db}"]
    with pytest.MonkeyPatch.context() as replaced:
        replaced.setattr(
            "tricklog.ingest.study.rows.Solvers.of", lambda *_: "nobody wants *such* points"
        )
        value_auctions(db, jobs=1)
    shown = text_of(go(open_app(db, monkeypatch), urls.PLAYERS, among="Luck and choices"))
    assert "0 of 3 hands" in shown
    assert "nobody wants \\*such\\* points" in shown


@pytest.mark.thorough("it takes more hands")
def test_players_are_compared_by_luck_and_choices(par: AppTest, stored: Path) -> None:
    go(par, urls.PLAYERS, among="Luck and choices", min="5")
    shown = text_of(par)
    check_charts(par)
    assert "Whose own choices bring the most?" in shown
    with open_facts(stored) as facts:
        choices, luck = (
            standings(facts, METRIC[each], minimum=5)
            for each in ("own-choices-share", "luck-share")
        )
    assert sentence_of_luck(choices, luck, {}).split(":")[0] in shown
    compared = choices.filter("enough")["player"]
    assert 0 < len(compared) < len(choices)
    for player in compared:
        assert player in shown
    left = len(choices) - len(compared)
    assert f"{left} with too few games to compare are left out." in shown
    assert "share of the score at stake" in shown


def test_who_is_named_by_luck_and_by_choices() -> None:
    columns = {"player": ["a*", "b"], "named": [True, False], "difference": [0.123, None]}
    frame = pl.DataFrame(columns | {"difference_low": [0.05, None], "difference_high": [0.2, None]})
    nobody = frame.with_columns(named=pl.lit(value=False))
    told = sentence_of_luck(frame, nobody, {"a*": "Ann*"})
    assert "**Ann\\***’s own choices brought +12.3 (+5.0 to +20.0)" in told
    assert "nobody is apart in luck" in told
    assert sentence_of_luck(nobody, nobody, {}).startswith("Neither in choices nor in luck")
    unsure = nobody.with_columns(difference=pl.lit(None, pl.Float64))
    assert sentence_of_luck(unsure, unsure, {}).startswith("There are too few games")
