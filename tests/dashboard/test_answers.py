"""Answers of pages: of the overview and the same cards, the fives, bids, and bids against par."""

import html
import re
from pathlib import Path
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest
from duckdb import DuckDBPyConnection
from streamlit.testing.v1 import AppTest

from tests.dashboard.conftest import CHANGED, Visit, pages_over
from tests.kit.app_pages import (
    addresses_in,
    check_charts,
    go,
    press,
    queries_in,
    table_of,
    text_of,
    total,
    unmarked,
)
from tests.kit.facts import facts_in
from tests.kit.log_lines import generated, write_hands
from tests.kit.made_once import hands_once, loaded_once
from tests.kit.tiers import is_thorough, some
from tricklog import Filters, generate, ingest
from tricklog.dashboard.address import urls
from tricklog.dashboard.data import work
from tricklog.dashboard.pages.bids import contracts
from tricklog.dashboard.pages.capture import lost_fives
from tricklog.dashboard.pages.players.luck_and_choices import sentence as sentence_of_luck
from tricklog.dashboard.sections import answers, front_questions
from tricklog.dashboard.sections.against_par import sentence
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import METRIC, bid_map, field, fives, measure
from tricklog.ingest.metrics.bid_map import BidMap, Group
from tricklog.ingest.metrics.filters import EVERYTHING
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.ratings import ratings_of
from tricklog.ingest.reading.samples import samples_folder
from tricklog.ingest.study.solving import value_auctions

app = pages_over("season")


def notes_of(app: AppTest) -> list[str]:
    return [unmarked(each.value) for each in app.caption]


def titles_in(app: AppTest) -> list[str]:
    """What the pointer is shown of the certainty of each answer, and what is read aloud of it."""
    shown = text_of(app)
    titles = re.findall(r'title="([^"]*)"', shown)
    assert {*titles} >= {*re.findall(r'aria-label="((?:sure|likely|cannot tell yet)[^"]*)"', shown)}
    return titles


def cells(app: AppTest) -> list[str]:
    bodies = (each.proto.body for each in app.get("html"))
    (table,) = (each for each in bodies if 'class="tl-answers' in each)
    found = re.findall(r'<div class="tl-answer" role="cell">(.*?)</div>', table, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", " ", each).split()) for each in found]


def test_the_overview_names_who_is_best_and_who_bids_too_much(app: AppTest, season: Path) -> None:
    go(app, urls.OVERVIEW)
    # One game has one column, and each answer leads to its figure.
    rated, bids, *_, improves = cells(app)
    assert len(cells(app)) == 7
    leads = [each for each in addresses_in(app) if "variant=king-pedro" in each]
    assert [each.partition("?")[0] for each in leads] == [
        *("players", "bids", "bids", "players", "players", "players", "evenings")
    ]
    assert re.search(r"bold bids in \d+ more of 100 free calls than the field", bids)
    assert "●● sure" in bids
    with open_facts(season) as facts:
        best = ratings_of(facts).largest.row(0, named=True)
    assert any("known from some" in each for each in titles_in(app))
    if "cannot tell yet" in rated:
        assert best["low"] < 0
    else:
        assert f"The best is most likely {best['player']}" in rated
    # Where nobody is sure to improve it leads to how everybody went.
    assert "cannot tell yet" in improves
    assert titles_in(app)[-1].startswith("cannot tell yet: See over time")
    (query,) = (each for each in queries_in(app, "evenings") if each.get("view") == ["season"])
    go(app, urls.EVENINGS, **{name: texts[0] for name, texts in query.items()})
    assert "How the season went" in text_of(app)
    check_charts(app)


def test_the_field_of_many_hands_waits(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MOST_AT_ONCE", 10)
    assert len(cells(go(app, urls.OVERVIEW))) == 4
    (link,) = (each.proto for each in app.get("page_link") if "Who bids too" in each.proto.label)
    assert link.query_string == "view=same-cards"
    assert not any("too few games yet" in each for each in notes_of(app))


def test_several_games_have_a_column_for_all_and_people_are_asked_about(club: AppTest) -> None:
    app = go(club, urls.OVERVIEW)
    assert "All games" in text_of(app)
    # Eighteen games are too few to fit what the field does, and six to compare players in one.
    assert len(cells(app)) == 5 * 2
    (note,) = (each for each in notes_of(app) if "too few games yet" in each)
    for words in ("Who bids too much?", "Who loses it in the play?", "anything of Finnish Pidro"):
        assert words in note
    weak, careful = "bot-weak-1", "bot-careful-1"
    app.selectbox("about-one").set_value(weak).run()
    app.selectbox("about-two").set_value(careful).run()
    said = [unmarked(each.value) for each in app.markdown]
    assert any(each.startswith((f"{weak} brings", f"{weak} and their")) for each in said)
    assert weak not in app.selectbox("about-two").options
    links = {unmarked(each.proto.label): each.proto for each in app.get("page_link")}
    asked = parse_qs(links[f":blue[{weak} and {careful} side by side]"].query_string)
    assert (asked["player"], asked["with"]) == ([weak], [careful])
    # Who is chosen as the first cannot be the second.
    app.selectbox("about-one").set_value(careful).run()
    assert not app.exception
    assert app.selectbox("about-two").value != careful


def test_the_play_is_compared_in_all_games(season: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In standard deviations of each game: points of several games are of no one kind."""
    (asked,) = (each for each in front_questions.QUESTIONS if "in the play" in each.title)
    row = {"question": "play", "enough": True, "n": 90, "games": 40, "adjusted": 1e-9, "p": 1e-9}
    row |= {"player": "weak", "value": -0.6, "low": -0.9, "high": -0.3, "size": 0.2, "named": True}
    monkeypatch.setattr(front_questions, "found_over", lambda *_: pl.DataFrame([row]))
    tables = pl.DataFrame({"variant": ["pedro", "sancho"], "seating": ["4 partners"] * 2})
    monkeypatch.setattr("tricklog.dashboard.data.snapshot.kept", lambda *_: tables)
    with open_facts(season) as facts:
        compared = asked.compare(facts, "", EVERYTHING)
    assert compared is not None
    assert compared.rows["player"].to_list() == ["weak"]
    said = compared.said("weak", compared.rows.row(0, named=True))
    assert "0.60" in said
    assert "standard deviations" in said


def test_who_has_changed_the_surest_is_named(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("player", "metric", "change", "low", "high", "chance")
    rows = [
        ("weak", "made-rate", 0.24, 0.15, 0.33, 1e-9),
        ("weak", "score-share", 0.50, -0.2, 1.2, 0.2),
        ("bold", "made-rate", 0.60, -0.5, 1.7, 0.3),
    ]
    frame = pl.DataFrame([dict(zip(names, row, strict=True)) | CHANGED for row in rows])
    monkeypatch.setattr(front_questions, "changes", lambda *_: frame)
    improving = cells(go(app, urls.OVERVIEW))[-1]
    change = "weak : contracts made +24.0 in 100 (+15.0 to +33.0) since 2026-02-20"
    for words in (change, "on 2026-06-01 (2026-05-02 to 2026-07-03, 99 %)", "●● sure"):
        assert words in improving
    assert any("view=over-time" in each and "player=weak" in each for each in addresses_in(app))


def test_the_same_cards_show_who_overbids_and_which_bids_pay(app: AppTest, season: Path) -> None:
    go(app, urls.BIDS, view="Same cards")
    assert "The field is everybody who plays in these hands." in notes_of(app)
    assert re.search(r"\*\*bold\*\* bids in \d+ more of 100 free calls", text_of(app))
    check_charts(app)
    with open_facts(season) as facts:
        study = field.study(facts, field.Table("king-pedro", "4 partners"))
        figures = field.player_figures(study)
        of_november, every_one = (
            field.tables(facts, each)["contracts"].sum()
            for each in (Filters.of({"month": "2026-11-01"}), EVERYTHING)
        )
    rows = table_of(app, "Players on the same cards")
    assert {row["player"] for row in rows} == set(figures.filter("enough")["player"])
    go(app, urls.BIDS, view="Same cards", question="bid-or-pass")
    decisions = table_of(app, "Bid or pass")
    every = field.bid_or_pass(study)
    compared = every.filter("enough")
    for column in ("bids", "passes"):
        assert total(decisions, column) == compared[column].sum()
    left_out = f"Left out: {len(every) - len(compared)} kind"
    assert any(note.startswith(left_out) for note in notes_of(app))
    # Filters reach the field.
    assert of_november < every_one


# --- The fives, the map of makers, and bids held against par
TABLE = "Pedro, 4 partners"
HERE = Filters.of({"variant": "pedro", "seating": "4 partners"})


facts = facts_in("club_warehouse")


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
    whole = [
        {"player": name, "value": 0.17 + difference, "low": 0.1, "high": 0.33}
        | {"difference": difference, "named": named, "place": place, "tricks": tricks}
        for place, (name, difference, named, tricks) in enumerate(rows, 1)
    ]
    return pl.DataFrame(whole)


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
    # It names nobody by chance and says what is too few.
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


# --- The page
def test_fives_of_a_game_fill_tables_that_lead_on(club: AppTest, facts: DuckDBPyConnection) -> None:
    go(club, urls.CAPTURE, view="Pedros", table=TABLE)
    assert re.search(
        r"Makers lose \*\*\d+ of 100 fives they played\*\* \(\d+ to \d+\)", text_of(club)
    )
    (whole,) = measure(facts, fives.LOST, (), HERE).iter_rows(named=True)
    assert total(table_of(club, "Who loses the makers’ fives"), "fives") == whole["n"]
    kept = measure(facts, fives.KEPT, ("side",), HERE).filter(side="makers").to_dicts()[0]
    assert f"Makers keep {kept['hits']:,} of their {kept['n']:,} fives" in text_of(club)
    assert any(each.startswith("players?") for each in addresses_in(club))
    linked = [each for each in queries_in(club) if "leader" in each]
    (of_left,) = [each for each in linked if each["leader"] == ["left"] and "holder" not in each]
    assert (of_left["figure"], of_left["variant"]) == ([fives.LOST], ["pedro"])
    for part in ("five", "holder", "trick", "leader", "played"):
        go(club, urls.CAPTURE, view="Pedros", table=TABLE, **{lost_fives.PART: part})
        title = str(lost_fives.PARTS[part]).lower()
        assert total(table_of(club, f"Makers’ fives lost: {title}"), "fives") == whole["n"], title
    found = fives.where_lost(facts, HERE)
    # The tick is one opponent, of whom two sit at a table of four.
    assert fives.taken_by_one(found) == pytest.approx(whole["value"] / 2)
    assert fives.taken_by_one(found.clear()) is None
    for part in fives.TAKERS:
        go(club, urls.CAPTURE, view="Pedros", table=TABLE, **{lost_fives.PART: part})
        assert "tick: what one opponent takes on average" in text_of(club)
        check_charts(club)
    go(club, urls.HANDS, **of_left)
    for words in ("Makers' pedros lost", "leader from the maker left"):
        assert words in unmarked(text_of(club))


def test_the_matrix_says_who_took_whose_fives(club: AppTest, facts: DuckDBPyConnection) -> None:
    go(club, urls.CAPTURE, view="Pedros", table=TABLE, min="10")
    bodies = [each.proto.body for each in club.get("html")]
    (matrix,) = (each for each in bodies if 'aria-label="Who loses fives to whom"' in each)
    links = re.findall(r'<a href="([^"]*)" aria-label="[^"]*: (\d+)\D+(\d+)[^"]*">', matrix)
    assert len(links) > 6
    for address, taken, against in some(links, 2):
        query = parse_qs(urlsplit(html.unescape(address)).query)
        (taker,) = query["lost-to"]
        mine = HERE.also("player", *query["player"])
        (row,) = measure(facts, fives.LOST, (), mine.also("opponent", taker)).to_dicts()
        assert row["n"] == int(against)
        lost = measure(facts, fives.LOST, ("lost-to",), mine).filter(pl.col("lost-to") == taker)
        assert lost["n"].sum() == int(taken)


def test_seven_singles_sit_after_the_maker(singles: Path, visit: Visit) -> None:
    app = visit(singles, urls.CAPTURE, view="Pedros", seating="7 singles")
    leads = {row["On the lead of"] for row in table_of(app, "Makers’ fives lost: on the lead of")}
    assert leads >= {"3 after the maker"}
    assert not {"left opponent", "maker’s partner"} & leads
    assert "Too few" in text_of(app)


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
    pays, costs = (0, 3.0, True, True), (3, -4.0, True, True)
    unsure = ((2, 0.4, True, False), (5, -0.04, True, False))
    assert contracts.paying_sentence(
        found(pays, (1, 5.5, True, True), unsure[0], costs, unsure[1]), 30
    ) == (
        "**Bids that pay:** 7–10 (means from +3.0 to +5.5 a contract). "
        "**Bids that cost:** 13–14 (−4.0 a contract, −5.0 to −3.0). "
        "Whether these bids pay is not sure yet, with all bids compared: "
        "11–12 (+0.4 a contract, −0.6 to +1.4), "
        "28-56 (0.0 a contract, −1.0 to +1.0)."
    )
    # Bids with another between them are not put together.
    scores = found(pays, (1, 9.0, False, False), (2, 3.0, True, True))
    assert contracts.paying_sentence(scores, 30) == (
        "**Bids that pay:** 7–8 (+3.0 a contract, +2.0 to +4.0), "
        "11–12 (+3.0 a contract, +2.0 to +4.0)."
    )
    few = contracts.paying_sentence(found((0, 3.0, False, False)), 30)
    assert few.startswith("There are too few contracts of any bid")
    assert "it takes 30 in 10 games" in few


def test_the_map_has_all_contracts(club: AppTest, club_warehouse: Path, visit: Visit) -> None:
    go(club, urls.BIDS, table=TABLE)
    with open_facts(club_warehouse) as facts:
        (whole,) = measure(facts, bid_map.CHOSEN, (), HERE).iter_rows(named=True)
        by_bid = measure(facts, bid_map.CHOSEN, ("bid",), HERE).select("bid", "n").rows()
    rows = table_of(club, "Contracts made by bid and trumps held")
    assert total(rows, "contracts") == whole["n"]
    assert all((row["made"] == "too few") == (int(row["contracts"]) < 10) for row in rows)
    for bid in {row["bid"] for row in rows}:
        least, _, most = bid.partition("–")
        within = sum(n for each, n in by_bid if int(least) <= each <= int(most or least))
        assert within == total((row for row in rows if row["bid"] == bid), "contracts")
    assert f"{whole['n']:,} contracts" in text_of(club)
    check_charts(club)
    linked = [each for each in queries_in(club, "hands") if "trumps-held-from" in each]
    assert len(linked) == len(rows)
    assert all(each["role"] == ["maker"] and each["figure"] == ["made-rate"] for each in linked)
    largest = max(range(len(rows)), key=lambda place: int(rows[place]["contracts"]))
    arrived = visit(club_warehouse, urls.HANDS, **linked[largest])
    assert f"{rows[largest]['contracts']} hands: " in text_of(arrived)
    # The holding can be points, and stands in the address.
    go(club, urls.BIDS, table=TABLE, holding="points held")
    assert table_of(club, "Contracts made by bid and points held")
    assert not table_of(club, "Contracts made by bid and trumps held")
    assert "does not know" not in text_of(club)


# --- Bids held against par
BARS = "Pedro Sancho, 4 singles: contracts by points bid above par"


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    options = {"target": 30 if is_thorough() else 20}
    return hands_once(
        tmp_path_factory,
        "par-pages",
        lambda: [*generate("sancho", 11, seed=3, options=options), *generated("pidro", 1, 3)[:6]],
        lambda db: value_auctions(db, stocks=1, jobs=1, filters=Filters.of({"variant": "sancho"})),
    )


par = pages_over("stored")


def test_bids_above_par_have_bars_and_hands(par: AppTest, stored: Path, visit: Visit) -> None:
    shown = text_of(go(par, urls.BIDS, view="Against par"))
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
    assert total(rows, "contracts") == contracts["n"].sum() == above["n"]
    over = (row for row in rows if row["points bid above par"].startswith("+"))
    assert total(over, "contracts") == above["hits"]
    there = next(each for each in queries_in(par) if {"over-par-from", "result"} <= each.keys())
    second = visit(stored, urls.HANDS, **{name: values[0] for name, values in there.items()})
    assert "Bids above par" in text_of(second)
    assert rows[0]["contracts"] in text_of(second)
    go(par, urls.BIDS, view="Against par", variant="Finnish Pidro")
    assert "nobody chose to bid a contract that was held against par" in text_of(par)


def test_the_answer_says_what_is_not_known() -> None:
    row = {"value": 0.25, "low": 0.2, "high": 0.31, "enough": True, "n": 400}
    names = ("above-par", "overbids", "set-by-play", "set-by-bid", "set-by-cards")
    rows = dict.fromkeys(names, row)
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


def test_hands_without_par_are_counted_and_a_button_solves_them(
    tmp_path: Path, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "a db"
    ingest.load(write_hands(tmp_path / "log.jsonl", generated("sancho", 1, 3)[:3]), db=db)
    par = visit(db, urls.BIDS, view="Against par")
    assert "No auction here has been held against par yet" in text_of(par)
    with patch.object(work, "start") as started:
        press(par, "for ten minutes")
    assert started.call_args.args[1] == ["solve", "--par", "--budget=10m", f"--db={db}"]
    with monkeypatch.context() as replaced:
        replaced.setattr(
            "tricklog.ingest.study.rows.Solvers.of", lambda *_: "nobody wants *such* points"
        )
        value_auctions(db, jobs=1)
    shown = text_of(visit(db, urls.PLAYERS, among="Luck and choices"))
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
    assert [player for player in compared if player not in shown] == []
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


def test_whoever_played_no_five_has_no_chart_of_them(
    visit: Visit, tmp_path_factory: pytest.TempPathFactory
) -> None:
    db = loaded_once(tmp_path_factory, "text-samples", lambda _: samples_folder() / "text")
    app = visit(db, urls.CAPTURE, player="sample:ann", view="pedros")
    assert "0 fives in 0 games" in text_of(app)
