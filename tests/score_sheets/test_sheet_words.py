"""Words of score sheets that people use in other places than most."""

from pathlib import Path

import pytest

import ingest
from ingest.score_sheets.settings import SheetSettings

ROWS = ("1;Bo;8;5;9;5;9", "2;Ann;10;10;4;15;13", "3;Bo;7;10;4;25;6")


@pytest.mark.parametrize(
    "sides",
    [
        "We;They;Score we;Score they",
        "Us;Them;Our score;Their score",
        "Vi;De;Score vi;Score de",
        "Nosotros;Ellos;Score nosotros;Score ellos",
        "Ann & Cy;Bo & Dee;Score ANN & CY;Score BO & DEE",
    ],
)
def test_a_side_spelled_in_two_ways_is_one(sides: str, tmp_path: Path) -> None:
    sheet = tmp_path / "s.csv"
    sheet.write_text("\n".join([f"Hand;Bidder;Bid;{sides}", *ROWS, ""]), encoding="utf-8")
    settings = SheetSettings(variant="pedro", players=("Ann", "Bo", "Cy", "Dee"))
    lines = [line for line in ingest.audit(sheet, adapter=settings.reader) if line.replay]
    claimed = [line.replay.hand.claimed for line in lines if line.replay]
    assert [(each.points, each.scores) for each in claimed if each] == [
        ([5, 9], [5, 9]),
        ([10, 4], [15, 13]),
        ([10, 4], [25, 6]),
    ]


@pytest.mark.parametrize("said", ["all pass", "Passed out", "todos pasan"])
def test_a_deal_passed_out_may_be_said_as_its_result(said: str, tmp_path: Path) -> None:
    sheet = tmp_path / "s.csv"
    rows = ["Hand;Bidder;Bid;Result;Score we;Score they", "1;Bo;8;made;5;9", f"2;;;{said};5;9"]
    sheet.write_text("\n".join([*rows, ""]), encoding="utf-8")
    settings = SheetSettings(variant="pedro", players=("Ann", "Bo", "Cy", "Dee"))
    lines = [line for line in ingest.audit(sheet, adapter=settings.reader) if line.replay]
    status = [line.replay.hand.status for line in lines if line.replay]
    assert len(status) == 2
    assert status[1] == "thrown_in"
