"""`tricklog stats`: figures on the screen and as files, of which table, in which order."""

import csv
import io
import json
import re
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from msgspec.structs import replace as changed

from tests.cli.command_line import CommandLine
from tests.conftest import REPOSITORY
from tests.kit.log_lines import generated, moved_on, write_hands
from tests.kit.made_once import once
from tests.kit.simulated_club import simulate_club, write_season
from tests.kit.solved import warehouse
from tests.kit.tiers import some
from tricklog import ingest
from tricklog.core import replay
from tricklog.ingest.cli import doctor
from tricklog.ingest.cli.arguments import Sort
from tricklog.ingest.cli.figure_tables import MAIN, ROWS, in_order, usual_order
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import DIMENSIONS, METRIC, measure
from tricklog.ingest.store import userdata
from tricklog.ingest.store.scopes import Scope
from tricklog.schemas.hand import Player

pedro = partial(generated, "pedro", games=11)
pidro = partial(generated, "pidro", 1)


@once("db")
def db(folder: Path) -> None:
    odd = moved_on(changed(pedro()[0], id="odd", game="odd"))
    warehouse(folder, [*pedro(), *pidro(), odd])


def rows_in(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


# --- On the screen
def test_the_main_figures_of_everybody(tricklog: CommandLine, db: Path) -> None:
    ran = tricklog("stats --db", db, status=0)
    assert not [name for name in MAIN if METRIC[name].title not in ran.text]
    assert re.search(r"Contracts made +\d+ % \(\d+ to \d+ %\), n \d+ ", ran.text)
    valid = len(pedro()) + len(pidro())
    assert ran.text.endswith(f"\n\nMade of {valid} valid hands; left out: 1 rejected. "
                             f"Made of all {valid + 1} hands: Hands in order.\n")  # fmt: skip
    # Grouped, they are those that have the dimension.
    text = tricklog("stats --by card --db", db).text
    assert METRIC["pedros-lost"].title in text
    assert METRIC["made-rate"].title not in text


def test_a_figure_distinguished_by_two_dimensions(tricklog: CommandLine, db: Path) -> None:
    ran = tricklog("stats made-rate --by variant --by player --db", db)
    assert ran.text == tricklog("stats made-rate --by variant,player --db", db).text
    assert ran.text.startswith("Contracts made\nHow often a contract was made")
    assert re.search(r"^variant +player +share of contracts$", ran.text, re.MULTILINE)
    for variant, hands in (("pedro", pedro()), ("pidro", pidro())):
        shown = set(re.findall(rf"^{variant} +(\S+) +\S", ran.text, re.MULTILINE))
        # Players whose contract it was, who chose to bid, and it was made or set.
        assert shown == {
            hand.players[outcome.maker].id
            for hand, outcome in ((hand, replay(hand).outcome) for hand in hands)
            if outcome and outcome.maker is not None and outcome.bid and not outcome.forced
            if outcome.result in {"made", "set"}
        }


def test_the_minimum_is_obeyed(tricklog: CommandLine, db: Path, small_warehouse: Path) -> None:
    asked = "stats made-rate --by player"
    of_pedro = (f"{asked} --where variant=pedro --db", db, "--min")
    assert "too few hands, n " in tricklog(*of_pedro, "10000").text
    assert "too few" not in tricklog(*of_pedro, "1").text
    assert "too few" in tricklog(asked, "--db", small_warehouse).text
    assert "too few" not in tricklog(asked, "--min", "1", "--db", small_warehouse).text


def test_filters_days_and_verdicts_choose_the_hands(tricklog: CommandLine, db: Path) -> None:
    total = len(pedro()) + len(pidro())
    day = str(pedro()[0].started_at)[:10]
    pidros = "hands --where variant=pidro"
    for asked, says in (
        (pidros, f"Made of {len(pidro())} valid hands; left out: none."),
        (f"{pidros} --where variant=pedro", f"Made of {total} valid hands"),
        ("--since 2999-01-01", "Made of 0 valid hands"),
        ("--since 2999-01-01", "nothing to count"),
        (
            "hands --all-verdicts",
            f"Made of {total + 1} hands, whatever the verdict: {total} valid, 1 rejected",
        ),
        ("hands --where verdict=rejected", f"Made of 1 rejected hand; left out: {total} valid."),
        # A filter of cards does not hide the hands left out.
        ("cards-kept --where card=A", "left out: 1 rejected."),
    ):
        assert says in tricklog(f"stats {asked} --db", db).text, asked
    tricklog(f"stats hands --since {day} --until {day} --db", db, status=0)
    asked = "stats margin --where variant=pedro --where forced="
    assert tricklog(f"{asked}no --db", db).text == tricklog(f"{asked}false --db", db).text


def test_all_that_there_is_is_listed(tricklog: CommandLine) -> None:
    ran = tricklog("stats --list", status=0)
    for name in [*METRIC, *(each.name for each in DIMENSIONS)]:
        assert re.search(rf"^  {name} +\S", ran.text, re.MULTILINE)
    (told,) = tricklog("stats --list --format json").objects
    assert [each["name"] for each in told["metrics"]] == list(METRIC)
    assert [each["name"] for each in told["dimensions"]] == [each.name for each in DIMENSIONS]


def test_what_players_lose_is_over_all_roles(tricklog: CommandLine, solved: Path) -> None:
    def shown(asked: str) -> str:
        return tricklog(f"stats {asked} --db", solved).text

    said = "over every role together"
    by_player = shown("cost-per-decision made-rate --by player")
    assert f"Points a decision cost: {said}" in " ".join(by_player.split())
    assert "--by player,role" in by_player
    for by in ("player,role", "role", "trick"):
        assert said not in shown(f"cost-per-decision --by {by}")
    assert said not in shown("made-rate --by player")


def test_what_takes_long_is_said_and_the_doctor_knows_when_it_ends(
    tricklog: CommandLine,
) -> None:
    def told_of_warehouse() -> str:
        checks = tricklog("demo --check --db db --json").objects
        (says,) = (each["says"] for each in checks if each["name"] == "warehouse")
        return str(says)

    tricklog.patch.setattr(doctor, "_engine", str)
    ingest.load(write_hands(Path("log.jsonl"), pidro()), db="db")
    assert "figures are derived when they are first asked for" in told_of_warehouse()
    tricklog.patch.setattr("tricklog.ingest.cli.progress.LONG_TO_DERIVE", len(pidro()))
    first = tricklog("stats hands --db db")
    begun, done = first.stderr.splitlines()
    counted = f"of {len(pidro())} hands, once for this snapshot"
    assert begun == f"Figures: counting what figures are made of, {counted}"
    assert re.fullmatch(r"Figures: done after \d+ s", done)
    again = tricklog("stats hands --db db")
    assert (again.stdout, again.stderr) == (first.stdout, "")
    assert told_of_warehouse().endswith("games-000001.duckdb; their figures are ready")


# --- Files
def test_csv_has_the_columns_of_every_figure(tricklog: CommandLine, db: Path) -> None:
    ran = tricklog("stats made-rate margin-share hands --by variant --format csv --db", db)
    rows = rows_in(ran.text)
    assert ",".join(rows[0]) == "metric,variant,n,hits,games,value,low,high,enough"
    assert [(row["metric"], row["variant"]) for row in rows] == [
        (metric, variant)
        for metric in ("made-rate", "margin-share", "hands")
        for variant in ("pedro", "pidro")
    ]
    assert int(rows[0]["hits"]) / int(rows[0]["n"]) == pytest.approx(float(rows[0]["value"]))
    assert (rows[0]["games"], rows[1]["games"], rows[4]["games"]) == ("11", "1", "")
    assert "left out: 1 rejected" in ran.stderr


def test_json_has_definitions_and_rows_of_the_library(tricklog: CommandLine, db: Path) -> None:
    ran = tricklog("stats made-rate --by variant --format json --db", db)
    (told,) = ran.objects
    assert told["hands"] == {"valid": len(pedro()) + len(pidro()), "rejected": 1}
    (figure,) = told["figures"]
    assert figure["metric"]["sentence"] == METRIC["made-rate"].sentence
    assert figure["metric"]["sql"].startswith("SELECT ")
    assert [row["variant"] for row in figure["rows"]] == ["pedro", "pidro"]
    assert ran.stderr == ""
    ran = tricklog("stats score-share --by player --format json --db", db)
    with open_facts(db) as facts:
        expected = measure(facts, "score-share", ["player"]).to_dicts()
    assert ran.objects[0]["figures"][0]["rows"] == expected


@pytest.mark.parametrize("ending", some(["csv", "json", "parquet", "txt"], 2))
def test_the_name_of_an_output_is_its_form(tricklog: CommandLine, db: Path, ending: str) -> None:
    path = Path(f"made.{ending}")
    ran = tricklog("stats made-rate --by variant --output", path, "--db", db, status=0)
    assert ran.text == ""
    loud = Path(f"again.{ending.upper()}")
    tricklog("stats made-rate --by variant --output", loud, "--db", db, status=0)
    assert loud.read_bytes() == path.read_bytes()
    if ending == "parquet":
        frame = pl.read_parquet(path)
        assert frame["variant"].to_list() == ["pedro", "pidro"]
        assert frame.schema["n"] == pl.Int64
    elif ending == "json":
        assert json.loads(path.read_bytes())["minimum"] == 30
    else:
        assert path.read_text().startswith("metric," if ending == "csv" else "Contracts made\n")


def test_no_name_from_a_log_is_a_formula_or_moves_the_cursor(tricklog: CommandLine) -> None:
    names = ("=1+1", "-1", "@a", "a\x1b[31m\u202eb")
    players = [Player(name) for name in names]
    warehouse(Path(), [changed(hand, players=players) for hand in pedro()])
    asked = "stats margin --by player --db db"
    text = tricklog(f"{asked} --format csv").text
    rows = rows_in(text)
    assert {row["player"] for row in rows} == {"'=1+1", "'-1", "'@a", "a[31mb"}
    assert any(row["low"].startswith("-") for row in rows)
    for shown in (text, tricklog(asked).text):
        assert "\x1b" not in shown
        assert "\u202e" not in shown
    found = pl.read_parquet(io.BytesIO(tricklog(f"{asked} --format parquet").stdout))
    assert set(found["player"]) == set(names)


# --- Ranges of numbers
def test_numbers_are_compared_and_ranges_told_in_one_way(tricklog: CommandLine, db: Path) -> None:
    by_bid = ("stats hands --by bid --format csv --db", db)
    every = rows_in(tricklog(*by_bid).text)
    for conditions, least, most, told in (
        *(("bid>7", 8, 999, None), ("bid<9", 0, 8, None), ("bid=08..9", 8, 9, None)),
        ("bid>=7 bid>=8 bid<99 bid<=9", 8, 9, None),
        *(("bid>=8 bid<10", 8, 9, "8..9"), ("bid=08..09", 8, 9, "8..9")),
    ):
        where = [part for each in conditions.split() for part in ("--where", each)]
        found = rows_in(tricklog(*by_bid, *where).text)
        wanted = [row for row in every if least <= int(row["bid"]) <= most]
        assert 0 < len(wanted) < len(every)
        assert found == wanted, conditions
        if told:
            (report,) = tricklog("stats hands --format json --db", db, *where).objects
            assert report["filters"]["where"] == {"bid": [told]}


# --- The order of rows, and how many
FRAME = pl.DataFrame(
    {
        "player": ["ann", "bo", "cy", "dee", "eve"],
        "n": [400, 100, 900, 50, 3],
        "value": [0.5, 0.9, 0.55, 0.95, 1.0],
        "low": [0.48, 0.6, 0.54, 0.4, None],
        "high": [0.52, 1.0, 0.56, 1.0, None],
        "enough": [True, True, True, True, False],
    }
)
BARE = FRAME.with_columns(pl.lit(None, pl.Float64).alias("low"), enough=pl.lit(value=True))


def test_rows_come_as_asked_for() -> None:
    cases: tuple[tuple[pl.DataFrame, Sort, str], ...] = (
        (FRAME, "name", "ann bo cy dee eve"),
        # Those of too few cases come last.
        (FRAME, "figure", "dee bo cy ann eve"),
        (FRAME, "cases", "cy ann bo dee eve"),
        # The mean is 0.575: ann is 1.9 widths of an interval from it, cy 1.3, bo 0.8, dee 0.6.
        (FRAME, "sure", "ann cy bo dee eve"),
        (BARE, "sure", "cy ann bo dee eve"),
    )
    for frame, sort, players in cases:
        assert in_order(frame, sort)["player"].to_list() == players.split()


def test_rows_come_in_the_usual_order_and_those_left_out_are_counted(
    tricklog: CommandLine, small_warehouse: Path
) -> None:
    assert usual_order(["bid"], 500, ROWS) == "name"
    assert usual_order(["player"], ROWS, ROWS) == "figure"
    assert usual_order(["player", "bid"], ROWS + 1, ROWS) == "sure"
    # A table says what it leaves out.
    asked = ("stats hands --by player --db", small_warehouse)
    every = tricklog(*asked, "--format", "csv").text.splitlines()[1:]
    short = tricklog(*asked, "--top", "2").text
    assert f"and {len(every) - 2} more rows; --top {len(every)} shows all" in short


# --- Whose figures
GAME = "pedro"
SAMPLES = REPOSITORY / "sample_logs" / "valid" / GAME


@once("db")
def chosen(folder: Path) -> None:
    """A warehouse of a club and of the samples, with one game chosen in the dashboard."""
    ingest.load(write_season(folder / "club.jsonl", 3, evenings=2), SAMPLES, db=folder / "db")
    userdata.choose_scope(folder / "db", Scope(variants=(GAME,)))
    open_facts(folder / "db").close()


def test_figures_are_of_that_table(tricklog: CommandLine, chosen: Path) -> None:
    def hands(*table: str) -> int:
        (told,) = tricklog("stats hands --format json --db", chosen, *table).objects
        (figure,) = told["figures"]
        return int(figure["rows"][0]["n"])

    club = simulate_club(3, evenings=2)
    own = sum(hand["rules"]["variant"] == GAME for hand in club)
    samples = sum(len(log.read_text("utf-8").splitlines()) for log in SAMPLES.iterdir())
    assert hands() == len(club) + samples
    assert hands("--whose", "people") == len(club)
    assert hands("--whose", "ours") == own + samples
    assert hands("--whose", Scope(variants=(GAME,)).scope_id) == own + samples
