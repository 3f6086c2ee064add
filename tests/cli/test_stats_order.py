"""How rows of a figure are ordered, and how many of them a table shows."""

import polars as pl
import pytest

from ingest.cli.commands.stats import ROWS
from ingest.cli.figures import Sort, in_order, usual_order

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


def test_numbers_come_in_their_order_and_others_by_the_figure() -> None:
    assert usual_order(["bid"], 500, ROWS) == "name"
    assert usual_order(["player"], ROWS, ROWS) == "figure"
    assert usual_order(["player", "bid"], ROWS + 1, ROWS) == "sure"
