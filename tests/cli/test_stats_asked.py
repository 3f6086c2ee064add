"""What is asked of a figure: conditions that mean nothing, the order of rows, how many of them."""

from pathlib import Path

import polars as pl
import pytest

from tests.cli.command_line import CommandLine
from tricklog.ingest.cli.arguments import Sort
from tricklog.ingest.cli.figure_tables import ROWS, in_order, usual_order
from tricklog.ingest.cli.output import USAGE

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


@pytest.mark.parametrize(
    ("sort", "players"),
    [
        ("name", ["ann", "bo", "cy", "dee", "eve"]),
        ("figure", ["dee", "bo", "cy", "ann", "eve"]),
        ("cases", ["cy", "ann", "bo", "dee", "eve"]),
        # The mean is 0.575: ann is 1.9 widths of an interval from it, cy 1.3, bo 0.8, dee 0.6.
        ("sure", ["ann", "cy", "bo", "dee", "eve"]),
    ],
)
def test_rows_come_as_asked_for_and_those_of_too_few_cases_last(
    sort: Sort, players: list[str]
) -> None:
    assert in_order(FRAME, sort)["player"].to_list() == players


def test_where_nothing_is_sure_the_most_cases_come_first() -> None:
    bare = FRAME.with_columns(pl.lit(None, pl.Float64).alias("low"), enough=pl.lit(value=True))
    assert in_order(bare, "sure")["player"].to_list() == ["cy", "ann", "bo", "dee", "eve"]


def test_numbers_come_in_their_order_and_others_by_the_figure() -> None:
    assert usual_order(["bid"], 500, ROWS) == "name"
    assert usual_order(["player"], ROWS, ROWS) == "figure"
    assert usual_order(["player", "bid"], ROWS + 1, ROWS) == "sure"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--where", "variant!=pedro"), "all values but one"),
        (("--where", "bid=12..10"), "no bid is at least 12 and at most 10"),
        (("--where", "bid=10", "--where", "bid>=7"), "bid is given a value and compared as well"),
        (("--whose", "people"), "--whose people leaves no hand"),
    ],
)
def test_a_condition_that_means_nothing_is_refused(
    tricklog: CommandLine, small_warehouse: Path, options: tuple[str, ...], said: str
) -> None:
    ran = tricklog("stats", "made-rate", *options, "--db", small_warehouse)
    assert ran.status == USAGE
    assert said in ran.stderr


def test_a_minimum_that_is_named_is_obeyed_however_few_the_games_are(
    tricklog: CommandLine, small_warehouse: Path
) -> None:
    asked = ("stats", "made-rate", "--by", "player", "--db", small_warehouse)
    assert "too few" in tricklog(*asked).text
    assert "too few" not in tricklog(*asked, "--min", "1").text


def test_a_table_has_as_many_rows_as_asked_for_and_says_how_many_more_there_are(
    tricklog: CommandLine, small_warehouse: Path
) -> None:
    asked = ("stats", "hands", "--by", "player", "--db", small_warehouse)
    every = tricklog(*asked, "--format", "csv").text.splitlines()[1:]
    short = tricklog(*asked, "--top", "2").text
    assert f"and {len(every) - 2} more rows; --top {len(every)} shows all" in short


def test_what_players_lose_is_said_to_be_over_all_roles(
    tricklog: CommandLine, solved: Path
) -> None:
    said = "over every role together"
    asked = ("stats", "cost-per-decision", "made-rate", "--db", solved)
    shown = tricklog(*asked, "--by", "player").text
    assert f"Points a decision cost: {said}" in " ".join(shown.split())
    assert "--by player,role" in shown
    for by in ("player,role", "role", "trick"):
        assert said not in tricklog(*asked[:2], *asked[3:], "--by", by).text
    assert said not in tricklog(*asked[:1], *asked[2:], "--by", "player").text
