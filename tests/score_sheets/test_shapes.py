"""Shapes of sheets that people keep, written out by hand, and what is found in them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit.log_lines import logged_field, reject_of
from tests.kit.score_sheets import PEOPLE, game_numbers, hands_in, read_sheet
from tricklog import AuditedLine, Hand, ingest, replay
from tricklog.ingest.score_sheets.grid import is_counter_file
from tricklog.ingest.score_sheets.reader import read_sheets
from tricklog.ingest.score_sheets.settings import SheetSettings

TABLE = PEOPLE[:4]
SIDES = "Hand;Bidder;Bid;{}\n1;Bo;8;5;9;5;9\n2;Ann;10;10;4;15;13\n3;Bo;7;10;4;25;6\n"
OF_SIDES = {
    "claimed.points": [[5, 9], [10, 4], [10, 4]],
    "claimed.scores": [[5, 9], [15, 13], [25, 6]],
}
PARTNERS = "Hand;Bidder;Bid;{}\n1;Ann;8;{}\n2;Bo;10;{}\n3;Ann;7;{}\n"
OF_PARTNERS = {"claimed.points": [[5, 9], [10, 4], [10, 4]], "players.name": [list(TABLE)] * 3}
PASSED = "Hand;Bidder;Bid;Result;Score we;Score they\n1;Bo;8;made;5;9\n2;;;{};5;9\n"
STAKES = "Hand;Bidder;Bid;{}\n1;North;18;D\n2;North;18;RD"
COMPASS = ("twenty-nine", ("South", "West", "North", "East"))
BLANKS = "Hand;Bidder;Bid;Change we;Change they\n"
SHEETS: dict[str, tuple[Any, ...]] = {
    "without headings": (
        ("5.1.2024,Ann,Bo,8,5,9\n5.1.2024,Bo,Cy,9,14,9\n5.1.2024,Cy,Dee,7,18,19\n"
         "5.1.2024,Dee,Ann,10,32,19\n"),
        {"known.bid": [8, 9, 7, 10], "dealer": [0, 1, 2, 3],
         "claimed.scores": [[5, 9], [14, 9], [18, 19], [32, 19]]}, "pedro", "",
    ),
    "points of the makers alone are of their side": (
        "Bidder,Bid,Points\nBo,8,9\nCy,7,5\n", {"claimed.points": [[None, 9], [5, None]]},
    ),
    "whose column is whose is seen from who lost": (
        "Dealer,Bidder,Bid,We,They\nAnn,Bo,8,-8,6\nBo,Cy,9,2,-9\nCy,Dee,7,-7,8\nDee,Ann,8,5,9\n",
        {"claimed.change": [[6, -8], [-9, 2], [8, -7], [9, 5]]}, "pedro", "",
    ),
    "whose running score is whose is seen from its steps": (
        ("Dealer,Bidder,Bid,Made,We,They\nAnn,Bo,8,yes,9,5\nBo,Cy,9,no,17,-4\nCy,Dee,7,yes,27,0\n"
         "Dee,Ann,8,yes,32,9\n"),
        {"claimed.scores": [[5, 9], [-4, 17], [0, 27], [9, 32]]}, "pedro", "",
    ),
    "titles part games and name evenings": (
        ("Thursday club\nFriday 5 January 2024\nGame 1\nBidder,Bid,We,They\nAnn,8,9,5\nGame 2\n"
         "Bo,8,5,9\nFriday 12 January 2024\nCy,7,7,7\n"),
        {"started_at": ["2024-01-05", "2024-01-05", "2024-01-12"], "game": [0, 1, 2]},
    ),
    "scores that begin again begin a game": (
        "Bidder,Bid,We,They\nAnn,8,40,10\nAnn,9,54,10\nAnn,9,68,10\nBo,8,4,10\nBo,8,9,19\n",
        {"hand": [1, 2, 3, 1, 2], "game": [0, 0, 0, 1, 1],
         "scores": [[0, 0], [10, 40], [10, 54], [0, 0], [10, 4]]},
    ),
    "a heading that nobody knows is left alone": (
        "Bidder,Bid,Beers,Mood,Ann & Cy,Bo & Dee\nAnn,8,2,good,9,5\nBo,9,3,bad,14,14\n",
        {"claimed.change": [[9, 5], [14, 14]], "players.name": [list(TABLE)] * 2}, "pedro", "",
    ),
    "scores of two rows are known from changes by what was bid": (
        "Datum;Budgivare;Bud;Resultat;Vi;De\n5.1.2024;Ann;8;hemma;9;5\n5.1.2024;Bo;9;bet;12;-4\n",
        {"claimed.scores": [[9, 5], [12, -4]], "scores": [[0, 0], [9, 5]]}, "pidro", TABLE,
    ),
    "teams have names of their own": (
        "Bidder,Bid,Beer,Reds,Blues\nBo,8,3,5,9\nCy,9,2,6,8\nDee,7,5,4,10\n",
        {"claimed.points": [[5, 9], [6, 8], [4, 10]]},
    ),
    "numbers of nothing are of no side": (
        "Bidder,Bid,Beer,Cards\nBo,8,3,24\nCy,9,2,17\n", {"claimed": [None, None]},
    ),
    "opponents beside us are the other side whoever bids": (
        "Bidder,Bid,We,Opponents\nAnn,8,9,5\nBo,9,4,10\n", {"claimed.points": [[9, 5], [4, 10]]},
    ),
    **{
        f"sides called {sides}": (SIDES.format(sides), OF_SIDES)
        for sides in (
            *("We;They;Score we;Score they", "Us;Them;Our score;Their score"),
            *("Vi;De;Score vi;Score de", "Nosotros;Ellos;Score nosotros;Score ellos"),
            *("Ann & Cy;Bo & Dee;Score ANN & CY;Score BO & DEE", "Red;Black;Score red;Score black"),
            "Lions;Tigers;Score lions;Score tigers",
        )
    },
    **{
        f"a deal passed out, said as {said}": (
            PASSED.format(said), {"status": [None, "thrown_in"]}
        )
        for said in ("all pass", "Passed out", "todos pasan")
    },
    "partners with a column each": (
        PARTNERS.format("Ann;Bo;Cy;Dee", "5;9;5;9", "10;4;10;4", "10;4;10;4"), OF_PARTNERS,
        "pidro", "",
    ),
    "partners with columns beside each other": (
        PARTNERS.format("Ann;Cy;Bo;Dee", "5;5;9;9", "10;10;4;4", "10;10;4;4"), OF_PARTNERS,
        "pidro", "",
    ),
    # 14.score, O42: D and RD, by themselves or beside made and set.
    "a raise of the stake below the result": (
        STAKES.format("Result")
        + "\n3;North;18;made D\n4;North;18;set (RD)\n5;North;18;RD, made\n6;North;18;set",
        {"known.stake": ["double", "redouble", "double", "redouble", "redouble", None],
         "claimed.result": [None, None, "made", "set", "made", "set"]}, *COMPASS,
    ),
    **{
        f"a raise of the stake below {heading}": (
            STAKES.format(heading),
            {"known.stake": ["double", "redouble"], "claimed.result": [None, None]}, *COMPASS,
        )
        for heading in ("D", "Double")
    },
    # 14.score: one side scores a hand. 1.score: who was not set may have points, or all.
    "a blank is no change where one side scores": (
        BLANKS + "1;A;18;1;\n2;B;20;;-1\n3;A;18;1;",
        {"claimed.change": [[1, 0], [0, -1], [1, 0]]}, "twenty-nine", "ABCD",
    ),
    "a blank is no change, and two blanks say nothing": (
        "Hand;Bidder;Bid;Red;Black\n1;Red;18;1;\n2;Black;20;;-1\n3;;18;;",
        {"claimed.change": [[1, 0], [0, -1], None]}, "twenty-nine", "ABCD",
    ),
    "a blank may be points where it was not set": (
        BLANKS + "1;B;7;;14\n2;A;8;-8;\n3;B;7;6;",
        {"claimed.change": [[0, 14], [-8, None], [6, None]]}, "pidro", "ABCD",
    ),
    "a bidder is a side and nobody is made up": (
        "Bidder,Bid,Points,We,They\nUs,8,9,9,5\nThem,9,10,4,10\n",
        {"known": [{"bid": 8}, {"bid": 9}], "ext.score-sheet.side": [0, 1]},
    ),
    "by how many below set is a question and no game": (
        "Bidder,Bid,Set,We,They\nAnn,8,1,9,5\nBo,9,2,4,10\n",
        {"game": [0, 0], "claimed.result": [None, None]},
    ),
    "a player is called by a word of results": (
        "Giv,Spelare,Bud,Vi,De\nAnn,Bo,8,9,5\nBo,Win,9,4,10\nWin,Dee,7,7,7\nDee,Ann,8,9,5\n",
        {"dealer": [0, 1, 2, 3]}, "pedro", ("Ann", "Bo", "Win", "Dee"),
    ),
    "made and set have a column each": (
        "Bidder,Bid,Made,Set\nAnn,8,x,\nBo,9,,x\n", {"claimed.result": ["made", "set"]},
    ),
    "who plays first is not who deals": (
        "Mano,Jugador,Apuesta,Nosotros,Ellos\nAnn,Bo,8,9,5\nBo,Cy,9,4,10\n",
        {"dealer": [None, None]},
    ),
    "rounds that are counted on are hands": (
        "Round,Bidder,Bid,We,They\n1,Ann,8,9,5\n2,Bo,9,4,10\n3,Cy,7,8,6\n", {"hand": [1, 2, 3]},
    ),
    "rounds that come again are games": (
        "Round,Bidder,Bid,We,They\n1,Ann,8,9,5\n1,Bo,9,4,10\n1,Bo,9,4,10\n2,Cy,7,8,6\n2,Cy,7,8,6\n",
        {"game": [0, 0, 0, 1, 1]},
    ),
}  # fmt: skip
"""What stands in a sheet, what its hands say, and the game and the players if not the usual."""


@pytest.mark.parametrize("sheet", SHEETS)
def test_what_a_sheet_says_its_hands_say(sheet: str, tmp_path: Path) -> None:
    text, expected, *settings = SHEETS[sheet]
    hands = hands_in(read_sheet(text, tmp_path, *(settings or ("pedro", TABLE))))
    found = {field: logged_field(hands, field) for field in expected}
    assert found | ({"game": game_numbers(hands)} if "game" in expected else {}) == expected


REFUSED: dict[str, tuple[Any, ...]] = {
    "a mark that may say either": (
        "Bidder,Bid,Result,We,They\nAnn,8,x,9,5\n", 1, "'x' may say made or set",
    ),
    "made and set in a column each that do not agree": (
        "Bidder,Bid,Made,Set\nAnn,8,x,\nBo,9,,x\nCy,7,x,x\n", 3, "another column says made",
    ),
    "nobody knows who sat where": (
        "Bidder,Bid,We,They\nAnn,8,9,5\n", 1, "who sat where", "pedro", "",
    ),
    "nobody knows who sat where, and how to say it": (
        "Bidder,Bid,We,They\nAnn,8,9,5\n", 1, "--players Ann,Bo,Cy,Dee", "pedro", "",
    ),
    "partners whose columns do not agree": (
        PARTNERS.format("Ann;Cy;Bo;Dee", "5;5;9;9", "10;10;4;4", "10;10;4;4") + "4;Ann;8;9;8;5;5\n",
        4, "Row 5, column G: 8 here and 9 beside it are of one side.", "pidro", "",
    ),
    "a stake where no game has one": (
        "Hand;Bidder;Bid;Result\n1;Ann;8;D\n", 1, "neither made nor set", "pidro", "ABCD",
    ),
}  # fmt: skip


@pytest.mark.parametrize("sheet", REFUSED)
def test_what_cannot_be_meant_is_refused_in_its_row(sheet: str, tmp_path: Path) -> None:
    text, row, why, *settings = REFUSED[sheet]
    lines = read_sheet(text, tmp_path, *(settings or ("pedro", TABLE)))
    assert [number for number, line in enumerate(lines) if line.reject] == [row]
    assert why in f"{reject_of(lines[row]).message} {reject_of(lines[row]).hint}"


def test_who_is_whose_partner_by_what_columns_say_is_told(tmp_path: Path) -> None:
    text = PARTNERS.format("Ann;Cy;Bo;Dee", "5;5;9;9", "10;10;4;4", "10;10;4;4")
    lines = read_sheet(text, tmp_path, "pidro")
    assert any(" of Cy, by what" in str(each) for line in lines for each in line.warnings)


# --- Findings
HEAD = (
    "Date,Hand,Dealer,Bidder,Bid,Result,Points we,Points they,Change we,Change they,"
    "Score we,Score they\n"
)
SOUND = (
    "5.1.2024,1,Ann,Bo,8,made,5,9,5,9,5,9\n"
    "5.1.2024,2,Bo,Cy,9,set,6,8,-9,8,-4,17\n"
    "5.1.2024,3,Cy,Dee,7,made,4,10,4,10,0,27\n"
)
FAULTS = {
    "bid-too-low": ("Bo,8,made,5,9,5,9,5,9", "Bo,6,made,5,9,5,9,5,9", 2),
    "bid-too-high": ("Bo,8,made,5,9,5,9,5,9", "Bo,15,,5,9,,,5,9", 2),
    "claimed-points": ("set,6,8,-9,8", "set,8,8,-9,8", 3),
    "claimed-result": ("9,set,6,8", "9,made,6,8", 3),
    "claimed-change": ("-9,8,-4,17", "-8,8,-3,17", 3),
    "claimed-score": ("4,10,0,27", "4,10,0,28", 4),
    "wrong-dealer": ("2,Bo,Cy", "2,Dee,Cy", 3),
}


def audited(text: str, folder: Path) -> list[AuditedLine]:
    path = folder / "club.csv"
    path.write_text(text, "utf-8")
    return list(ingest.audit(path, adapter=SheetSettings("pedro", players=TABLE).reader))


def codes(text: str, folder: Path) -> list[tuple[int, str]]:
    items = audited(text, folder)
    return [(item.line.line, finding.code) for item in items for finding in item.findings]


@pytest.mark.parametrize("code", FAULTS)
def test_what_is_wrong_is_found_in_its_row_and_cited(code: str, tmp_path: Path) -> None:
    right, wrong, row = FAULTS[code]
    assert right in SOUND
    items = audited(HEAD + SOUND.replace(right, wrong, 1), tmp_path)
    found = [
        (item.line.line, each) for item in items for each in item.findings if each.code == code
    ]
    # A wrong dealer makes the one after it wrong as well.
    assert found[0][0] == row
    assert len(found) == 1 + (code == "wrong-dealer")
    assert found[0][1].rule


def test_findings_are_of_the_game_too_and_a_sound_sheet_has_none(tmp_path: Path) -> None:
    assert codes(HEAD + SOUND, tmp_path) == []
    won = "".join(f"5.1.2024,{n},,Ann,9,made,14,0,14,0,{14 * n},0\n" for n in range(1, 7))
    assert (7, "after-the-game") in codes(HEAD + won, tmp_path)
    head = "Hand,Bidder,Bid,Before we,Before they,Score we,Score they\n"
    found = codes(head + "1,Ann,8,0,0,9,5\n2,Bo,8,9,7,14,16\n", tmp_path)
    assert (3, "score-not-carried") in found


def test_a_correction_is_told_and_brings_no_second_hand(tmp_path: Path) -> None:
    one, other = (
        [line.hand and line.hand.id for line in read_sheet(text, tmp_path, "pedro", TABLE)]
        for text in (HEAD + SOUND, HEAD + SOUND.replace("4,10,0,27", "5,9,1,26"))
    )
    assert one == other


def test_a_file_that_is_not_there_is_said_to_be_not_there(tmp_path: Path) -> None:
    (line,) = read_sheets(SheetSettings("pedro"), tmp_path / "none.xlsx")
    assert "No such file" in reject_of(line).message


# --- Scores that a counter keeps
def counted(folder: Path, *rounds: tuple[str, object, *tuple[object, ...]]) -> Path:
    """A game as pidro-counter keeps it: who bid how much, and the points of both, if they stand."""
    teams = ("vi", "de")
    sets: list[dict[str, object]] = []
    for number, (team, bid, *score) in enumerate(rounds, 1):
        sets.append({"round": number, "bid": {"team": team, "points": bid}})
        if score:
            pairs = zip(teams, score, strict=True)
            sets[-1]["score"] = [{"team": side, "points": points} for side, points in pairs]
    path = folder / "game.json"
    path.write_text(json.dumps({"phase": 1, "score": [], "sets": sets, "teams": teams}))
    return path


def test_scores_of_a_counter_are_read_by_the_sides_that_bid(tmp_path: Path) -> None:
    """4.score: what pidro-counter keeps, the last hand open."""
    path = counted(tmp_path, ("vi", 8, 9, 5), ("de", 10, 6, -10), ("vi", 7))
    hands = hands_in(read_sheets(SheetSettings("pidro", players=tuple("ABCD")), path))
    assert [replay(each).findings for each in hands] == [(), (), ()]
    assert logged_field(hands, "claimed.scores")[:2] == [[9, 5], [15, -5]]


@pytest.mark.parametrize("points", [1001, -5000, 10**30, 8.5, "nine", None])
def test_what_cannot_be_points_of_a_counter_is_told_there(points: object, tmp_path: Path) -> None:
    path = counted(tmp_path, ("vi", 8, points, 5), ("de", 8, 5, 9))
    assert is_counter_file(path)
    heading, first, _ = read_sheets(SheetSettings("pidro", players=tuple("ABCD")), path)
    assert heading.reject is None
    if isinstance(first.hand, Hand):
        assert bool(replay(first.hand).findings) == (points is not None)
    else:
        assert reject_of(first).message.startswith("Row 2, column D (Change we): ")
