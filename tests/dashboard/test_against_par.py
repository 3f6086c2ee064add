"""Bids held against par, and players by luck and choices: answers, links, what is not known."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import addresses_in, check_charts, go, open_app, table_of, text_of
from tests.kit.log_lines import generated, write_hands
from tests.kit.made_once import made_once
from tests.kit.tiers import is_thorough
from tricklog import ingest
from tricklog.core import generate
from tricklog.dashboard.address import urls
from tricklog.dashboard.kit.margin_bars import bars
from tricklog.dashboard.pages.players.luck_and_choices import sentence as sentence_of_luck
from tricklog.dashboard.sections.against_par import sentence
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import METRIC, bid_map, measure
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.study.par.running import value_auctions

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
def app(stored: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    return open_app(stored, monkeypatch)


def test_the_answer_its_bars_and_the_hands_behind_them(
    app: AppTest, stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go(app, urls.BIDS, view="Against par")
    shown = text_of(app)
    check_charts(app)
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
    rows = table_of(app, BARS)
    assert sum(int(row["contracts"]) for row in rows) == contracts["n"].sum() == above["n"]
    over = sum(int(row["contracts"]) for row in rows if row["points bid above par"].startswith("+"))
    assert over == above["hits"]
    there = next(
        parse_qs(urlsplit(each).query)
        for each in addresses_in(app)
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


def test_a_game_without_any_says_so(app: AppTest) -> None:
    go(app, urls.BIDS, view="Against par", variant="Finnish Pidro")
    assert "nobody chose to bid a contract that was held against par" in text_of(app)


def test_what_has_to_be_done_and_what_is_refused_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "a db"
    ingest.load(write_hands(tmp_path / "log.jsonl", generated("sancho", 1, 3)[:3]), db=db)
    app = open_app(db, monkeypatch)
    shown = text_of(go(app, urls.BIDS, view="Against par"))
    assert "No auction here has been held against par yet" in shown
    assert f"tricklog solve --par --budget 10m --db '{db}'" in shown
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "tricklog.ingest.study.plain.Solvers.of", lambda *_: "nobody wants *such* points"
        )
        value_auctions(db, jobs=1)
    shown = text_of(go(open_app(db, monkeypatch), urls.PLAYERS, among="Luck and choices"))
    assert "0 of 3 hands" in shown
    assert "nobody wants \\*such\\* points" in shown


@pytest.mark.thorough("it takes more hands")
def test_players_are_compared_by_luck_and_choices(app: AppTest, stored: Path) -> None:
    go(app, urls.PLAYERS, among="Luck and choices", min="5")
    shown = text_of(app)
    check_charts(app)
    assert "Whose own choices bring the most?" in shown
    with open_facts(stored) as facts:
        choices, luck = (
            standings(facts, METRIC[each], minimum=5)
            for each in ("own-choices-share", "luck-share")
        )
    assert sentence_of_luck(choices, luck, {}).split(":")[0] in shown
    for player in choices["player"]:
        assert player in shown
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
