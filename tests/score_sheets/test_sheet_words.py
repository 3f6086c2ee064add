"""Words of score sheets that people use in other places than most."""

import json
from pathlib import Path

import pytest

from tricklog import Claimed, Hand, ingest, replay
from tricklog.ingest.score_sheets.grid import is_counter_file
from tricklog.ingest.score_sheets.reader import read_sheets
from tricklog.ingest.score_sheets.settings import SheetSettings

ROWS = ("1;Bo;8;5;9;5;9", "2;Ann;10;10;4;15;13", "3;Bo;7;10;4;25;6")


@pytest.mark.parametrize(
    "sides",
    [
        *("We;They;Score we;Score they", "Us;Them;Our score;Their score"),
        *("Vi;De;Score vi;Score de", "Nosotros;Ellos;Score nosotros;Score ellos"),
        *("Ann & Cy;Bo & Dee;Score ANN & CY;Score BO & DEE", "Red;Black;Score red;Score black"),
        "Lions;Tigers;Score lions;Score tigers",
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


def read(path: Path, variant: str, text: str, *players: str) -> list[Hand | str]:
    """The hands of a sheet, or why there is none."""
    path.write_text(text, encoding="utf-8")
    lines = read_sheets(SheetSettings(variant=variant, players=players), path)
    return [each.hand or each.reject.message for each in lines if each.hand or each.reject]  # type: ignore[union-attr]  # it has one of them


def claims(hand: Hand | str) -> Claimed:
    assert isinstance(hand, Hand), hand
    assert hand.claimed
    return hand.claimed


def test_partners_with_a_column_each_say_the_same_or_are_refused(tmp_path: Path) -> None:
    rows = [(8, 5, 9), (10, 10, 4), (7, 10, 4)]
    for names, sides in (("Ann;Bo;Cy;Dee", "0101"), ("Ann;Cy;Bo;Dee", "0011")):
        text = f"Hand;Bidder;Bid;{names}\n"
        for number, (bid, *points) in enumerate(rows, 1):
            columns = ";".join(str(points[int(side)]) for side in sides)
            text += f"{number};{names[:3] if number % 2 else 'Bo'};{bid};{columns}\n"
        hands = read(tmp_path / "s.csv", "pidro", text)
        assert [claims(each).points for each in hands] == [[5, 9], [10, 4], [10, 4]], names
        assert [each.name for each in hands[0].players] == ["Ann", "Bo", "Cy", "Dee"]  # type: ignore[union-attr]  # it is a hand
    (*_, last) = read(tmp_path / "s.csv", "pidro", f"{text}4;Ann;8;9;8;5;5\n")
    assert last == "Row 5, column G: 8 here and 9 beside it are of one side."
    lines = read_sheets(SheetSettings(variant="pidro"), tmp_path / "s.csv")
    told = [str(each.message) for line in lines for each in line.warnings]
    assert any(" of Cy, by what" in each for each in told)


def test_a_raise_of_the_stake_may_stand_below_the_result(tmp_path: Path) -> None:
    """14.score, O42: ``D`` and ``RD``, by themselves or beside made and set."""
    said = {
        "D": ("double", None), "RD": ("redouble", None), "made D": ("double", "made"),
        "set (RD)": ("redouble", "set"), "RD, made": ("redouble", "made"), "set": (None, "set"),
    }  # fmt: skip
    people = ("South", "West", "North", "East")
    for heading, cells in (("Result", "{}"), ("D", "{}"), ("Double", "{}")):
        text = f"Hand;Bidder;Bid;{heading}\n"
        wanted = said if heading == "Result" else {key: said[key] for key in ("D", "RD")}
        text += "\n".join(f"{n};North;18;{cells.format(key)}" for n, key in enumerate(wanted, 1))
        hands = read(tmp_path / "s.csv", "twenty-nine", text, *people)
        found = [
            (
                (each.known.stake or None) if each.known else None,
                (each.claimed.result or None) if each.claimed else None,
            )
            for each in hands
            if isinstance(each, Hand)
        ]
        assert found == list(wanted.values()), (heading, hands)
    refused = read(tmp_path / "s.csv", "pidro", "Hand;Bidder;Bid;Result\n1;Ann;8;D\n", *"ABCD")
    assert "neither made nor set" in str(refused)


def test_a_blank_is_no_change_where_the_rules_leave_nothing_else(tmp_path: Path) -> None:
    """14.score: one side scores a hand. 1.score: who was not set may have points, or all."""
    for variant, rows, wanted in (
        ("twenty-nine", ("A;18;1;", "B;20;;-1", "A;18;1;"), [[1, 0], [0, -1], [1, 0]]),
        ("twenty-nine", ("Red;18;1;", "Black;20;;-1", ";18;;"), [[1, 0], [0, -1], None]),
        ("pidro", ("B;7;;14", "A;8;-8;", "B;7;6;"), [[0, 14], [-8, None], [6, None]]),
    ):
        sides = "Red;Black" if "Red" in rows[0] else "Change we;Change they"
        text = f"Hand;Bidder;Bid;{sides}\n" + "\n".join(
            f"{number};{row}" for number, row in enumerate(rows, 1)
        )
        hands = read(tmp_path / "s.csv", variant, text, *"ABCD")
        assert [
            claims(each).change if want else None for each, want in zip(hands, wanted, strict=True)
        ] == wanted, variant


def test_scores_of_a_counter_are_read_by_the_sides_that_bid(tmp_path: Path) -> None:
    """4.score: what pidro-counter keeps, the last hand open."""
    teams = ("vi", "de")
    sets = [
        {"round": number, "bid": {"team": team, "points": bid}}
        | ({"score": [{"team": t, "points": p} for t, p in zip(teams, score, strict=True)]})
        for number, team, bid, score in ((1, "vi", 8, (9, 5)), (2, "de", 10, (6, -10)))
    ]
    sets.append({"round": 3, "bid": {"team": "vi", "points": 7}})
    game = {"phase": 1, "score": [], "sets": sets, "teams": teams}
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game))
    lines = list(read_sheets(SheetSettings("pidro", players=tuple("ABCD")), path))
    replays = [replay(each.hand) for each in lines if each.hand]
    assert [each.findings for each in replays] == [(), (), ()]
    assert [claims(each.hand).scores for each in replays[:2]] == [[9, 5], [15, -5]]


@pytest.mark.parametrize("points", [1001, -5000, 10**30, 8.5, "nine", None])
def test_what_cannot_be_points_of_a_counter_is_told_there(points: object, tmp_path: Path) -> None:
    sets = [
        {"round": 1, "bid": {"team": "vi", "points": 8},
         "score": [{"team": "vi", "points": points}, {"team": "de", "points": 5}]},
        {"round": 2, "bid": {"team": "de", "points": 8},
         "score": [{"team": "vi", "points": 5}, {"team": "de", "points": 9}]},
    ]  # fmt: skip
    path = tmp_path / "game.json"
    path.write_text(json.dumps({"sets": sets, "teams": ["vi", "de"]}))
    assert is_counter_file(path)
    heading, first, _ = read_sheets(SheetSettings("pidro", players=tuple("ABCD")), path)
    assert heading.reject is None
    if first.hand is None:
        assert first.reject
        assert first.reject.message.startswith("Row 2, column D (Change we): ")
    else:
        findings = replay(first.hand).findings
        assert bool(findings) == (points is not None)
