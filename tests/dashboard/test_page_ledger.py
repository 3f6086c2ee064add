"""The page with the ledger of one hand: table with bars, words, and why there is none."""

import re
import shutil
from collections.abc import Iterator
from functools import partial
from html import unescape
from pathlib import Path
from unittest.mock import Mock, patch
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest

from tests.dashboard.conftest import Visit, page_over
from tests.kit.app_pages import address_of, number, press, table_of, text_of
from tests.kit.spoken_pages import english_in, spoken, texts_of
from tricklog.core.native import library
from tricklog.core.study import contracts
from tricklog.dashboard.address import urls
from tricklog.dashboard.data import work as work_beside
from tricklog.dashboard.data.work import Work
from tricklog.dashboard.kit.cells import Picture
from tricklog.dashboard.pages.ledger import kinds as ledger_kinds
from tricklog.dashboard.pages.ledger.many import command_of
from tricklog.dashboard.pages.ledger.many_words import amount_text
from tricklog.dashboard.pages.ledger.words import Bar, number_text, rows_of, signed_text
from tricklog.dashboard.sections.work_panel import progress_words
from tricklog.dashboard.text.labels import value_words
from tricklog.ingest.cli import main
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import measure
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.study.solving import solve
from tricklog.schemas.languages.messages import plain

pytestmark = pytest.mark.usefixtures("quick_ledgers")
PLAYED = "pidro-8-1-1"
SUMS = ("start", "best play", "result")
FIRST = 8
"""Stocks that are dealt before anybody asks for more."""
PARTS = "Parts of the ledger"


one = page_over("ledgers", urls.LEDGER)


@pytest.mark.parametrize(
    ("unit", "column", "said"),
    [
        ("points", "points", "points of"),
        ("score", "score, makers less others", "of score, makers less the others,"),
    ],
)
def test_parts_have_bars_and_add_up(one: Visit, unit: str, column: str, said: str) -> None:
    app = one(hand=PLAYED, unit=unit)
    rows = table_of(app, PARTS)
    assert [row["part"] for row in rows] == [
        *("start", "deal", "auction", "exchange", "draw", "best play"),
        *("makers' play", "defence", "result"),
    ]
    whose = {row["whose"] for row in rows if row["part"] not in SUMS}
    assert whose <= {"luck", "choice", "none"}
    assert all(row["drawn"] == f"{row['part']} {row[column]}" for row in rows)
    # In tenths, without what it may be off.
    amounts = {row["part"]: round(number(row[column]) * 10) for row in rows}
    before = sum(amounts[part] for part in ("start", "deal", "auction", "exchange", "draw"))
    assert before == amounts["best play"]
    assert before + amounts["makers' play"] + amounts["defence"] == amounts["result"]
    for words in ("In words.", "sum to the result exactly", f"Other stocks dealt: {FIRST}", said):
        assert words in text_of(app)


def test_nothing_of_it_stays_english(ledgers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    english, swedish = (
        spoken(ledgers, monkeypatch, urls.LEDGER, each, hand=PLAYED) for each in ("en", "sv")
    )
    assert english_in(swedish, texts_of(english)) == []


def test_more_stocks_are_dealt_and_a_valid_hand_is_shown_without_one(one: Visit) -> None:
    more = one(hand=PLAYED, stocks=str(contracts.STOCKS))
    assert f"Other stocks dealt: {contracts.STOCKS}" in text_of(more)
    app = one()
    assert f"Ledger of hand {address_of(app)['hand']}" in text_of(app)
    assert table_of(app, PARTS)
    with patch.object(library, "is_there", lambda: False):
        assert "tricklog demo --check" in text_of(one(hand=PLAYED))


# --- The bars
BARS = [
    Bar("start", (), 0.0, 7.0, reach=0.4),
    Bar("deal", (), 7.0, 8.3, "luck", 0.5),
    Bar("draw", (), 8.3, 5.4, "luck", 0.4),
    Bar("play", ("Dan −10",), 5.4, -8.6, "cost"),
    Bar("result", (), 0.0, -8.6),
]


def drawn(need: int | None) -> list[str]:
    found = [row[1] for row in rows_of(BARS, need, ())]
    return [each.html for each in found if isinstance(each, Picture)]


def ends_in(html: str) -> tuple[float, float]:
    (left, width), *_ = re.findall(r"left:([\d.]+)%;width:([\d.]+)%", html)
    return float(left), float(left) + float(width)


def test_each_bar_begins_where_the_one_before_ended() -> None:
    assert [row[2] for row in rows_of(BARS, 9, ())] == [
        *("7 ±0.4", "+1.3 ±0.5", "−2.9 ±0.4", "−14", "−8.6")
    ]
    start, deal, draw, play, result = map(ends_in, drawn(9))
    met = [start[1], deal[1], draw[0], play[0], start[0]]
    # Sums stand on the line.
    assert met == pytest.approx([deal[0], draw[1], play[1], result[0], result[1]], abs=0.2)
    # What is needed is a line in every row, only luck is hatched, and all has room.
    assert all(html.count("<s ") == 1 for html in drawn(9))
    assert all("<s " not in html for html in drawn(None))
    hatched = ["tl-step-luck" in html for html in drawn(9)]
    assert hatched == [False, True, True, False, False]
    shown = [each for html in drawn(9) for each in re.findall(r"left:([\d.]+)%", html)]
    assert all(0 < float(each) < 100 for each in shown)


def test_numbers_and_progress_are_written_as_people_write_them() -> None:
    assert [signed_text(each) for each in (0.0, -0.01, 1.26, -2.0)] == ["0", "0", "+1.3", "−2"]
    assert number_text(-14.0) == "−14"
    assert [amount_text(each) for each in (-1.234, 0.001, 2.0)] == ["−1.23", "0", "+2.00"]
    told = {"stage": "working out ledgers", "done": 25, "total": 100}
    assert progress_words(told, 10.0) == (0.25, "working out ledgers, 25 of 100, about 30 s left")
    assert progress_words({}, 0.0) == (0.0, "starting")


# --- The ledgers of many hands
EVERYBODY = "Ledgers of everybody"


@pytest.fixture(scope="module")
def warehouse(ledgers: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy in which the hands of Pidro, but not those of King Pedro, are worked out."""
    db = shutil.copytree(ledgers, tmp_path_factory.mktemp("many") / "db")
    command = ["show", "ledger", f"--db={db}", "--jobs=1", "--where=variant=pidro", "--json"]
    assert main(command) == 0
    return db


many = page_over("warehouse", urls.LEDGER, view="Many hands")


@pytest.fixture
def started() -> Iterator[Mock]:
    """Stands for the start of work, which buttons may hold from when they were drawn."""
    with patch.object(work_beside, "start") as start:
        yield start


def test_everybody_has_a_row_whose_parts_sum_up(many: Visit, started: Mock) -> None:
    app = many()
    rows = table_of(app, EVERYBODY)
    assert len(rows) == 4
    for row in rows:
        parts = ("start", "deal and draw", "own choices", "others' choices")
        whole = sum(number(row[name]) for name in parts)
        assert whole == pytest.approx(number(row["result"]), abs=0.03)
    for words in (
        *("ledgers of 5 of 5 hands", "Hands left out", "Finnish Pidro · ledgers"),
        *("King Pedro (2 hands)", "No hand is solved yet."),
    ):
        assert words in text_of(app)
    press(app, "for ten minutes")
    what, command = started.call_args.args
    assert str(what) == "what hands are worth with all cards open"
    assert command[:2] == ["solve", "--budget=10m"]


def test_a_player_pairs_and_makers_are_told_when_asked_for(many: Visit) -> None:
    app = many(player="bot-weak-1")
    names = [row["part"] for row in table_of(app, PARTS)]
    assert (names[0], names[-1]) == ("start: an average deal", "result: all parts together")
    assert "own cards as maker's side" in names
    assert "side scored" in text_of(app)
    assert "too few games to say how sure" in text_of(app)
    pairs = [row["who"] for row in table_of(many(**{"for": "Pairs"}), EVERYBODY)]
    assert pairs
    assert all(" & " in each for each in pairs)
    app = many(**{"for": "Makers", "unit": "points"})
    assert "The makers took" in text_of(app)
    names = [row["part"].split(" (")[0] for row in table_of(app, PARTS)]
    assert names[1:3] == ["deal", "auction"]


def test_what_is_missing_can_be_worked_out(many: Visit, started: Mock) -> None:
    app = many(variant="King Pedro")
    assert "2 hands not worked out yet." in text_of(app)
    assert "ledgers of 0 of 2 hands" in text_of(app)
    press(app, "Work out all 2")
    what, arguments = started.call_args.args
    assert str(what) == "ledgers of King Pedro"
    assert "--where=variant=king-pedro" in arguments


def test_a_run_is_shown_with_how_far_it_is_and_what_went_wrong(many: Visit) -> None:
    work = Work(plain("ledgers of King Pedro"))
    work.progress = {"stage": "working out ledgers", "done": 1, "total": 2}
    with patch.object(work_beside, "latest", lambda: work):
        app = many(variant="King Pedro")
        assert "working out ledgers, 1 of 2" in app.get("progress")[0].proto.text
        assert [each.label for each in app.button if each.label == "Stop"]
        work.error = "Ledgers cannot be kept in <b>there</b>."
        work._ended.set()
        app = many(variant="King Pedro")
    assert "did not succeed" in app.error[0].value
    assert "<b>" not in app.error[0].value.replace("\\<b\\>", "")


def test_tampered_addresses_show_everybody(many: Visit) -> None:
    for asked, is_told in (
        ({"for": "<script>"}, True),
        ({"unit": "money"}, True),
        ({"for": ["Pairs", "Makers"]}, False),
    ):
        shown = text_of(many(**asked))
        assert "does not know" in shown or not is_told
        assert "ledgers of 5 of 5 hands" in shown


# --- The run
def test_a_run_works_ledgers_out_in_a_process(warehouse: Path, tmp_path: Path) -> None:
    command = command_of(str(warehouse), Filters.of({"variant": "king-pedro"}), "everybody", 1)
    with patch.dict("os.environ", {"XDG_CACHE_HOME": str(tmp_path)}):
        work = Work(plain("ledgers"), command)
        # Without a solver in this empty cache it compiles one; that it has begun is enough here.
        work.stop()
        work.run()
    assert not work.is_running
    assert work.was_stopped
    assert work.error == ""
    # One that fails says why.
    work = Work(plain("ledgers"), ["show", "ledger", f"--db={tmp_path / 'nothing'}"])
    work.run()
    assert not work.is_running
    assert "holds no warehouse yet" in work.error
    # One run is under way at a time.
    running = Work(plain("ledgers of one game"))
    with patch.object(work_beside, "_latest", [running]):
        work_beside.start(plain("ledgers of another"), ["show", "ledger", "--db=x"])
        assert work_beside.latest() is running


def test_filters_become_conditions_of_the_command() -> None:
    filters = Filters.of({"player": "ann=<b>", "bid": "7..9"})
    assert command_of("club", filters, "people", None) == [
        *("show", "ledger", "--db=club", "--whose=people"),
        *("--where=bid=7..9", "--where=player=ann=<b>"),
    ]


def test_what_cards_cost_stands_by_kind(warehouse: Path, tmp_path: Path, visit: Visit) -> None:
    db = shutil.copytree(warehouse, tmp_path / "db")
    solve(db, jobs=1)
    many = partial(visit, db, urls.LEDGER, view="Many hands")
    app = many(unit="points", variant="pidro")
    rows = table_of(app, "What cards cost, by kind of loss")
    wanted = Filters.of({"variant": "pidro"})
    with open_facts(db) as facts:
        found = measure(facts, "cost-per-decision", ["loss-kind"], wanted).to_dicts()
        costs = measure(facts, "cost-per-decision", ["loss-kind", "cost"], wanted).to_dicts()
    kinds = [(value_words("loss-kind", each["loss-kind"]), each) for each in found]
    costly = {words: each for words, each in kinds if each["value"]}
    assert {row["kind"] for row in rows} == set(costly)
    assert rows
    together = [int(row["points together"]) for row in rows]
    assert together == sorted(together, reverse=True)
    for row in rows:
        own = costly[row["kind"]]
        assert int(row["times"]) == own["n"]
        assert int(row["points together"]) == round(own["value"] * own["n"])
        assert row["each, cards hidden"] == "–"
    bodies = "".join(each.proto.body for each in app.get("html"))
    # Each kind leads to all its hands and to the dearest.
    assert bodies.count("hands behind Points a decision cost") == 2 * len(rows)
    assert "Practise the ten dearest" not in bodies
    links = re.findall(r'href="(hands[^"]*cost[^"]*)"[^>]*><bdi>([0-9,]+) cost (\d+)', bodies)
    assert len(links) == len(rows)
    for address, times, least in links:
        asked = parse_qs(urlsplit(unescape(address)).query)
        (kind,) = asked["loss-kind"]
        assert asked["cost-from"] == [least]
        of_kind = (row for row in costs if row["loss-kind"] == kind)
        dearest = [row["n"] for row in of_kind if row["cost"] >= int(least)]
        assert sum(dearest) == int(times)
        assert (len(dearest) == 1) == ("cost-to" in asked)
    bodies = "".join(each.proto.body for each in many(player="bot-weak-1").get("html"))
    (practice,) = re.findall(r'href="practice\?([^"]*)"', bodies)
    asks = visit(db, urls.PRACTICE, **parse_qs(unescape(practice)))
    assert "bot-weak-1: ten dearest" in text_of(asks)


def test_the_dearest_are_five_or_all_at_the_top() -> None:
    for costs, words in (
        ([(6, 9), (9, 1), (8, 3), (7, 1), (0, 40)], "5 cost 7 or more"),
        ([(9, 4), (8, 2)], "4 cost 9"),
        ([(4, 12)], "12 cost 4"),
        # All of a kind are no dearest ones.
        ([(3, 1), (2, 1), (1, 2)], "2 cost 2 or more"),
        ([(2, 1), (1, 1)], "1 cost 2"),
    ):
        rows = [{"loss-kind": "cinch missed", "cost": cost, "n": times} for cost, times in costs]
        rows += [{"loss-kind": None, "cost": 0, "n": 100}]
        found = ledger_kinds.dearest_of(pl.DataFrame(rows))
        assert {kind: each.words for kind, each in found.items()} == {"cinch missed": words}


def test_other_games_say_how_many_hands_they_have(small_warehouse: Path, visit: Visit) -> None:
    shown = text_of(visit(small_warehouse, urls.LEDGER, view="Many hands"))
    told = re.findall(r"variant=([\w-]+)[^>]*>[^<]*\(([0-9,]+) hands?\)", shown)
    with open_facts(small_warehouse) as facts:
        every = measure(facts, "hands", ["variant"], Filters(every_verdict=True))
    hands = {row["variant"]: row["n"] for row in every.to_dicts()}
    found = {variant: int(count.replace(",", "")) for variant, count in told}
    assert len(found) > 1
    assert found == {variant: hands[variant] for variant in found}
