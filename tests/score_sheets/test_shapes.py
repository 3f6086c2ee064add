"""Shapes of sheets that people keep, of `shapes.txt`, and what is found in them."""

import json
from operator import itemgetter
from pathlib import Path

import pytest

from tests.kit.log_lines import logged_field, reject_of
from tests.kit.rule_cases import blocks_in
from tests.kit.score_sheets import PEOPLE, game_numbers, hands_in, read_sheet
from tricklog import AuditedLine, Hand, ingest, replay
from tricklog.ingest.score_sheets.grid import is_counter_file
from tricklog.ingest.score_sheets.reader import read_sheets
from tricklog.ingest.score_sheets.settings import SheetSettings

TABLE = PEOPLE[:4]


@pytest.mark.parametrize(
    "sheet", blocks_in(Path(__file__).with_name("shapes.txt")), ids=itemgetter(0)
)
def test_what_a_sheet_says_its_hands_say(sheet: tuple[str, str, list[str]], tmp_path: Path) -> None:
    head, text, told = sheet
    _, *settings = map(str.strip, head.split("|"))
    variant, players = settings or ("pedro", ",".join(TABLE))
    lines = read_sheet(text, tmp_path, variant, filter(None, players.split(",")))
    for field, _, value in (each.partition(" ") for each in told):
        if field == "refused":
            row, _, why = value.partition(" ")
            assert [number for number, line in enumerate(lines) if line.reject] == [int(row)]
            reject = reject_of(lines[int(row)])
            assert why in f"{reject.message} {reject.hint}"
            continue
        hands = hands_in(lines)
        said = game_numbers(hands) if field == "game" else logged_field(hands, field)
        assert said == json.loads(value), field


def test_who_is_whose_partner_by_what_columns_say_is_told(tmp_path: Path) -> None:
    text = "Hand;Bidder;Bid;Ann;Cy;Bo;Dee\n1;Ann;8;5;5;9;9\n2;Bo;10;10;10;4;4\n"
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
    def codes(text: str) -> list[tuple[int, str]]:
        items = audited(text, tmp_path)
        return [(item.line.line, finding.code) for item in items for finding in item.findings]

    assert codes(HEAD + SOUND) == []
    won = "".join(f"5.1.2024,{n},,Ann,9,made,14,0,14,0,{14 * n},0\n" for n in range(1, 7))
    assert (7, "after-the-game") in codes(HEAD + won)
    head = "Hand,Bidder,Bid,Before we,Before they,Score we,Score they\n"
    found = codes(head + "1,Ann,8,0,0,9,5\n2,Bo,8,9,7,14,16\n")
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
