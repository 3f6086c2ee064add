"""`tricklog stats`: figures on the screen and as files, questions without an answer."""

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
from tests.kit.log_lines import generated, moved_on, write_hands
from tests.kit.made_once import made_once
from tests.kit.tiers import some
from tricklog import ingest
from tricklog.core import replay
from tricklog.ingest.cli import doctor
from tricklog.ingest.cli.figure_tables import MAIN
from tricklog.ingest.metrics import DIMENSIONS, METRIC, measure
from tricklog.ingest.store.exports import safe_cell
from tricklog.schemas.hand import Hand

pedro = partial(generated, "pedro", games=11)
pidro = partial(generated, "pidro", 1)
EVIL = ("=1+1", "+1", "-1", "@a", "\tx", "a\x1b[31m\u202eb")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:

    def make(folder: Path) -> None:
        odd = moved_on(changed(pedro()[0], id="odd", game="odd"))
        ingest.load(write_hands(folder / "log.jsonl", [*pedro(), *pidro(), odd]), db=folder / "db")

    return made_once(tmp_path_factory, "stats", make)


@pytest.fixture
def db(folder: Path) -> Path:
    return folder / "db"


def chose_to_bid(hand: Hand) -> str | None:
    """The player whose contract it was, if they chose to bid and it was made or set."""
    outcome = replay(hand).outcome
    if outcome is None or outcome.maker is None or outcome.forced or outcome.bid is None:
        return None
    return hand.players[outcome.maker].id if outcome.result in {"made", "set"} else None


# --- On the screen


def test_the_main_figures_of_everybody(tricklog: CommandLine, db: Path) -> None:
    ran = tricklog("stats", "--db", db)
    assert ran.status == 0
    for name in MAIN:
        assert METRIC[name].title in ran.text
    assert re.search(r"Contracts made +\d+ % \(\d+ to \d+ %\), n \d+ ", ran.text)
    valid = len(pedro()) + len(pidro())
    assert ran.text.endswith(f"\n\nMade of {valid} valid hands; left out: 1 rejected. "
                             f"Made of all {valid + 1} hands: Hands in order.\n")  # fmt: skip


def test_a_figure_distinguished_by_two_dimensions(tricklog: CommandLine, db: Path) -> None:
    ran = tricklog("stats", "made-rate", "--by", "variant", "--by", "player", "--db", db)
    assert ran.text == tricklog("stats", "made-rate", "--by", "variant,player", "--db", db).text
    assert ran.text.startswith("Contracts made\nHow often a contract was made")
    assert re.search(r"^variant +player +share of contracts$", ran.text, re.MULTILINE)
    for variant, hands in (("pedro", pedro()), ("pidro", pidro())):
        shown = set(re.findall(rf"^{variant} +(\S+) +\S", ran.text, re.MULTILINE))
        assert shown == {chose_to_bid(hand) for hand in hands} - {None}


def test_the_minimum_can_be_set(tricklog: CommandLine, db: Path) -> None:
    asked = ("stats", "made-rate", "--by", "player", "--db", db)
    few = tricklog(*asked, "--where", "variant=pedro", "--min", "10000").text
    assert "too few hands, n " in few
    least = tricklog(*asked, "--where", "variant=pedro", "--min", "1").text
    assert "too few" not in least
    assert tricklog(*asked, "--min", "0").status == 2


def test_filters_and_days(tricklog: CommandLine, db: Path) -> None:
    only = tricklog("stats", "hands", "--where", "variant=pidro", "--db", db)
    assert f"Made of {len(pidro())} valid hands; left out: none." in only.text
    both = tricklog("stats", "hands", *("--where", "variant=pidro"), *("--where", "variant=pedro"),
                    "--db", db)  # fmt: skip
    assert f"Made of {len(pidro()) + len(pedro())} valid hands" in both.text
    day = str(pedro()[0].started_at)[:10]
    there = tricklog("stats", "hands", "--since", day, "--until", day, "--db", db)
    assert there.status == 0
    none = tricklog("stats", "--since", "2999-01-01", "--db", db).text
    assert "Made of 0 valid hands" in none
    assert "nothing to count" in none


def test_hands_of_every_verdict_can_be_counted(tricklog: CommandLine, db: Path) -> None:
    total = len(pedro()) + len(pidro()) + 1
    ran = tricklog("stats", "hands", "--all-verdicts", "--db", db)
    assert f"Made of {total} hands, whatever the verdict: {total - 1} valid, 1 rejected" in (
        ran.text
    )
    ran = tricklog("stats", "hands", "--where", "verdict=rejected", "--db", db)
    assert f"Made of 1 rejected hand; left out: {total - 1} valid." in ran.text


def test_without_a_metric_those_are_shown_that_have_the_dimension(
    tricklog: CommandLine, db: Path
) -> None:
    ran = tricklog("stats", "--by", "card", "--db", db)
    assert METRIC["pedros-lost"].title in ran.text
    assert METRIC["made-rate"].title not in ran.text


def test_a_filter_of_cards_does_not_hide_the_hands_left_out(
    tricklog: CommandLine, db: Path
) -> None:
    ran = tricklog("stats", "cards-kept", "--where", "card=A", "--db", db)
    assert "left out: 1 rejected." in ran.text


def test_all_that_there_is_is_listed(tricklog: CommandLine) -> None:
    ran = tricklog("stats", "--list")
    assert ran.status == 0
    for name in [*METRIC, *(each.name for each in DIMENSIONS)]:
        assert re.search(rf"^  {name} +\S", ran.text, re.MULTILINE)
    (told,) = tricklog("stats", "--list", "--format", "json").objects
    assert [each["name"] for each in told["metrics"]] == list(METRIC)
    assert [each["name"] for each in told["dimensions"]] == [each.name for each in DIMENSIONS]
    assert tricklog("stats", "--list", "--format", "csv").status == 2


# --- Files


def test_csv_has_the_columns_of_every_figure(tricklog: CommandLine, db: Path) -> None:
    ran = tricklog("stats", "made-rate", "margin-share", "hands", "--by", "variant",
                   "--format", "csv", "--db", db)  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(ran.text)))
    assert list(rows[0]) == [
        *("metric", "variant", "n", "hits", "games", "value", "low", "high", "enough")
    ]
    assert [(row["metric"], row["variant"]) for row in rows] == [
        (metric, variant)
        for metric in ("made-rate", "margin-share", "hands")
        for variant in ("pedro", "pidro")
    ]
    assert int(rows[0]["hits"]) / int(rows[0]["n"]) == pytest.approx(float(rows[0]["value"]))
    assert (rows[0]["games"], rows[1]["games"], rows[4]["games"]) == ("11", "1", "")
    assert "left out: 1 rejected" in ran.stderr


def test_json_has_the_definitions_with_the_rows(tricklog: CommandLine, db: Path) -> None:
    ran = tricklog("stats", "made-rate", "--by", "variant", "--format", "json", "--db", db)
    (told,) = ran.objects
    assert told["hands"] == {"valid": len(pedro()) + len(pidro()), "rejected": 1}
    (figure,) = told["figures"]
    assert figure["metric"]["sentence"] == METRIC["made-rate"].sentence
    assert figure["metric"]["sql"].startswith("SELECT ")
    assert [row["variant"] for row in figure["rows"]] == ["pedro", "pidro"]
    assert ran.stderr == ""


@pytest.mark.parametrize("ending", some(["csv", "json", "parquet", "txt"], 2))
def test_the_name_of_the_output_says_how_it_is_written(
    tricklog: CommandLine, tmp_path: Path, db: Path, ending: str
) -> None:
    path = tmp_path / f"made.{ending}"
    ran = tricklog("stats", "made-rate", "--by", "variant", "--output", path, "--db", db)
    assert (ran.status, ran.text) == (0, "")
    if ending == "parquet":
        frame = pl.read_parquet(path)
        assert frame["variant"].to_list() == ["pedro", "pidro"]
        assert frame.schema["n"] == pl.Int64
    elif ending == "json":
        assert json.loads(path.read_bytes())["minimum"] == 30
    else:
        assert path.read_text().startswith("metric," if ending == "csv" else "Contracts made\n")


def test_an_output_that_cannot_be_written(tricklog: CommandLine, tmp_path: Path, db: Path) -> None:
    ran = tricklog("stats", "hands", "--output", tmp_path / "no" / "made.csv", "--db", db)
    assert ran.status == 3
    assert "No such file" in ran.stderr


def renamed(hand: Hand, names: tuple[str, ...]) -> Hand:
    players = [changed(each, id=name) for each, name in zip(hand.players, names, strict=True)]
    return changed(hand, players=players)


def test_no_name_from_a_log_is_a_formula_or_moves_the_cursor(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    names = EVIL[:1] + EVIL[2:4] + EVIL[5:]
    log = write_hands(tmp_path / "log.jsonl", [renamed(hand, names) for hand in pedro()])
    ingest.load(log, db=tmp_path / "db")
    asked = ("stats", "margin", "--by", "player", "--db", tmp_path / "db")
    text = tricklog(*asked, "--format", "csv").text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["player"] for row in rows} == {"'=1+1", "'-1", "'@a", "a[31mb"}
    assert any(row["low"].startswith("-") for row in rows)
    for shown in (text, tricklog(*asked).text):
        assert "\x1b" not in shown
        assert "\u202e" not in shown
    found = pl.read_parquet(io.BytesIO(tricklog(*asked, "--format", "parquet").stdout))
    assert set(found["player"]) == set(names)


@pytest.mark.parametrize("text", EVIL)
def test_a_cell_is_no_formula(text: str) -> None:
    assert safe_cell(text)[0] not in "=+-@\t\r"
    assert safe_cell("ann = bo") == "ann = bo"


# --- Ranges of numbers


def test_numbers_are_compared(tricklog: CommandLine, db: Path) -> None:
    asked = ("stats", "hands", "--by", "bid", "--format", "csv", "--db", db)
    every = list(csv.DictReader(io.StringIO(tricklog(*asked).text)))
    for conditions, least, most in (
        (("bid>7",), 8, 999),
        (("bid<9",), 0, 8),
        (("bid>=7", "bid>=8", "bid<99", "bid<=9"), 8, 9),
        (("bid=08..9",), 8, 9),
    ):
        where = [part for each in conditions for part in ("--where", each)]
        found = list(csv.DictReader(io.StringIO(tricklog(*asked, *where).text)))
        wanted = [row for row in every if least <= int(row["bid"]) <= most]
        assert 0 < len(wanted) < len(every)
        assert found == wanted, conditions


def test_a_range_is_told_in_one_way_of_writing(tricklog: CommandLine, db: Path) -> None:
    asked = ("stats", "hands", "--format", "json", "--db", db)
    for conditions in (("bid>=8", "bid<10"), ("bid=08..09",)):
        where = [part for each in conditions for part in ("--where", each)]
        (told,) = tricklog(*asked, *where).objects
        assert told["filters"]["where"] == {"bid": ["8..9"]}


# --- Questions without an answer


@pytest.mark.parametrize(
    ("arguments", "says"),
    some(
        [
            (("luck",), "There is no metric 'luck'. Known are auctions-won"),
            (("made-rate", "--by", "luck"), "There is no dimension 'luck'. Known are variant"),
            (("--where", "luck=1"), "There is no dimension 'luck'"),
            (("made-rate", "--by", "card"), "made-rate: This figure cannot be grouped or filtered"),
            (
                ("--by", "card", "--by", "code"),
                "none of the main figures has the dimensions card, code",
            ),
            (("margin",), "Choose one variant"),
            (("--where", "variant"), "Write --where DIMENSION=VALUE"),
            (("--where", "bid>="), "--where bid>= has no number"),
            (("--where", "bid>=1e3"), "Compare with a whole number"),
            (("--where", "bid>" + "9" * 10), "Compare with a whole number"),
            (("--where", "player>=3"), "player has no numbers to compare"),
            (("--where", "day>20261120"), "there are --since and --until"),
            (("--where", "luck>=3"), "There is no dimension 'luck'"),
            (("--where", "bid>=9", "--where", "bid<9"), "no bid is at least 9 and at most 8"),
            (("--where", "bid=x.."), "has bid=x..\nThere are 7, "),
            (("--where", "variant=pedri"), "There are pedro, pidro."),
            (("--where", "player=nobody"), "has player=nobody\nThere are bot-"),
            (("--where", "bid=99"), "has bid=99\nDid you mean 9? There are 7, "),
            (("--where", "forced=maybe"), "There is false."),
            (("--since", "yesterday"), "yesterday is not a day\nWrite days as 2026-11-20."),
        ],
        10,
    ),
)
def test_a_question_without_an_answer(
    tricklog: CommandLine, db: Path, arguments: tuple[str, ...], says: str
) -> None:
    ran = tricklog("stats", *arguments, "--db", db)
    assert ran.status == 2
    assert says in ran.stderr
    assert ran.text == ""


def test_no_warehouse_for_figures(tricklog: CommandLine) -> None:
    ran = tricklog("stats", "--db", "nowhere")
    assert ran.status == 2
    assert "tricklog load LOGS --db nowhere" in ran.stderr


def test_a_filter_by_yes_or_no(tricklog: CommandLine, db: Path) -> None:
    asked = ("stats", "margin", "--where", "variant=pedro", "--db", db, "--where")
    assert tricklog(*asked, "forced=no").text == tricklog(*asked, "forced=false").text


def test_the_command_says_what_the_library_says(tricklog: CommandLine, db: Path) -> None:
    from tricklog.ingest.facts.files import open_facts

    ran = tricklog("stats", "score-share", "--by", "player", "--format", "json", "--db", db)
    with open_facts(db) as facts:
        expected = measure(facts, "score-share", ["player"]).to_dicts()
    assert ran.objects[0]["figures"][0]["rows"] == expected


def test_what_takes_long_is_said_without_a_terminal_and_the_doctor_knows_when_it_is_done(
    tricklog: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "_engine", str)
    ingest.load(write_hands(tmp_path / "log.jsonl", pidro()), db=tmp_path / "db")
    assert "figures are derived when they are first asked for" in told_of_warehouse(tricklog)
    monkeypatch.setattr("tricklog.ingest.cli.progress.LONG_TO_DERIVE", len(pidro()))
    first = tricklog("stats", "hands", "--db", "db")
    begun, done = first.stderr.splitlines()
    counted = f"of {len(pidro())} hands, once for this snapshot"
    assert begun == f"Figures: counting what figures are made of, {counted}"
    assert re.fullmatch(r"Figures: done after \d+ s", done)
    again = tricklog("stats", "hands", "--db", "db")
    assert (again.stdout, again.stderr) == (first.stdout, "")
    assert told_of_warehouse(tricklog).endswith("games-000001.duckdb; their figures are ready")


def told_of_warehouse(tricklog: CommandLine) -> str:
    (says,) = (
        each["says"]
        for each in tricklog("demo", "--check", "--db", "db", "--json").objects
        if each["name"] == "warehouse"
    )
    return str(says)


def test_days_the_wrong_way_round_are_reported(tricklog: CommandLine, db: Path) -> None:
    for command in (("stats",), ("list", "hands")):
        ran = tricklog(*command, "--since", "2026-11-21", "--until", "2026-11-20", "--db", db)
        assert ran.status == 2
        assert "--since 2026-11-21 is after --until 2026-11-20" in ran.stderr
