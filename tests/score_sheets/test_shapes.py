"""Shapes of sheets that people keep, written out by hand, and what is found in them."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import UNSET

from tricklog import AuditedLine, Hand, LogLine, ingest
from tricklog.ingest.score_sheets.reader import read_sheets
from tricklog.ingest.score_sheets.settings import SheetSettings

PEOPLE = ("Ann", "Bo", "Cy", "Dee")


def lines_of(text: str, folder: Path, settings: SheetSettings) -> list[LogLine]:
    path = folder / "club.csv"
    path.write_text(text, "utf-8")
    return list(read_sheets(settings, path))


def hands_of(
    text: str, folder: Path, variant: str = "pedro", players: Sequence[str] = ()
) -> list[Hand]:
    lines = lines_of(text, folder, SheetSettings(variant, players=tuple(players)))
    assert [line.reject.message for line in lines if line.reject] == []
    return [line.hand for line in lines if line.hand]


def audited(text: str, folder: Path) -> list[AuditedLine]:
    path = folder / "club.csv"
    path.write_text(text, "utf-8")
    return list(ingest.audit(path, adapter=SheetSettings("pedro", players=PEOPLE).reader))


def codes(text: str, folder: Path) -> list[tuple[int, str]]:
    return [
        (item.line.line, finding.code)
        for item in audited(text, folder)
        for finding in item.findings
    ]


def test_a_sheet_without_headings_is_read_by_what_stands_in_it(tmp_path: Path) -> None:
    text = (
        "5.1.2024,Ann,Bo,8,5,9\n5.1.2024,Bo,Cy,9,14,9\n"
        "5.1.2024,Cy,Dee,7,18,19\n5.1.2024,Dee,Ann,10,32,19\n"
    )
    hands = hands_of(text, tmp_path)
    assert [hand.known and hand.known.bid for hand in hands] == [8, 9, 7, 10]
    assert [hand.dealer for hand in hands] == [0, 1, 2, 3]
    assert hands[-1].claimed
    assert hands[-1].claimed.scores == [32, 19]


def test_points_of_the_makers_alone_are_of_their_side(tmp_path: Path) -> None:
    text = "Bidder,Bid,Points\nBo,8,9\nCy,7,5\n"
    first, second = hands_of(text, tmp_path, players=PEOPLE)
    assert first.claimed
    assert first.claimed.points == [None, 9]
    assert second.claimed
    assert second.claimed.points == [5, None]


def test_whose_column_is_whose_is_seen_from_who_lost(tmp_path: Path) -> None:
    text = "Dealer,Bidder,Bid,We,They\nAnn,Bo,8,-8,6\nBo,Cy,9,2,-9\nCy,Dee,7,-7,8\nDee,Ann,8,5,9\n"
    hands = hands_of(text, tmp_path)
    assert hands[0].claimed
    assert hands[0].claimed.change == [6, -8]


def test_whose_running_score_is_whose_is_seen_from_its_steps(tmp_path: Path) -> None:
    text = (
        "Dealer,Bidder,Bid,Made,We,They\nAnn,Bo,8,yes,9,5\nBo,Cy,9,no,17,-4\nCy,Dee,7,yes,27,0\n"
        "Dee,Ann,8,yes,32,9\n"
    )
    hands = hands_of(text, tmp_path)
    assert [hand.claimed and hand.claimed.scores for hand in hands] == [
        [5, 9],
        [-4, 17],
        [0, 27],
        [9, 32],
    ]


def test_titles_part_games_and_name_evenings(tmp_path: Path) -> None:
    text = (
        "Thursday club\nFriday 5 January 2024\nGame 1\nBidder,Bid,We,They\nAnn,8,9,5\nGame 2\n"
        "Bo,8,5,9\nFriday 12 January 2024\nCy,7,7,7\n"
    )
    hands = hands_of(text, tmp_path, players=PEOPLE)
    assert [hand.started_at for hand in hands] == ["2024-01-05", "2024-01-05", "2024-01-12"]
    assert len({hand.game for hand in hands}) == 3


def test_scores_that_begin_anew_begin_a_game(tmp_path: Path) -> None:
    text = "Bidder,Bid,We,They\nAnn,8,40,10\nAnn,9,54,10\nAnn,9,68,10\nBo,8,4,10\nBo,8,9,19\n"
    hands = hands_of(text, tmp_path, players=PEOPLE)
    assert [hand.hand for hand in hands] == [1, 2, 3, 1, 2]
    assert hands[3].scores == [0, 0]


def test_a_heading_that_nobody_knows_is_left_alone(tmp_path: Path) -> None:
    text = "Bidder,Bid,Beers,Mood,Ann & Cy,Bo & Dee\nAnn,8,2,good,9,5\nBo,9,3,bad,14,14\n"
    hands = hands_of(text, tmp_path)
    assert hands[0].claimed
    assert [name for name in ("points", "scores", "change") if getattr(hands[0].claimed, name)]
    assert [player.name for player in hands[0].players] == list(PEOPLE)


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


def test_a_sound_sheet_has_no_findings(tmp_path: Path) -> None:
    assert codes(HEAD + SOUND, tmp_path) == []


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


def test_a_side_that_had_won_already_is_found(tmp_path: Path) -> None:
    rows = "".join(
        f"5.1.2024,{number},,Ann,9,made,14,0,14,0,{14 * number},0\n" for number in range(1, 7)
    )
    assert (7, "after-the-game") in codes(HEAD + rows, tmp_path)


def test_scores_that_are_not_carried_are_found(tmp_path: Path) -> None:
    head = "Hand,Bidder,Bid,Before we,Before they,Score we,Score they\n"
    found = codes(head + "1,Ann,8,0,0,9,5\n2,Bo,8,9,7,14,16\n", tmp_path)
    assert (3, "score-not-carried") in found


def test_a_correction_is_told_and_brings_no_second_hand(tmp_path: Path) -> None:
    first = lines_of(HEAD + SOUND, tmp_path, SheetSettings("pedro", players=PEOPLE))
    again = lines_of(
        HEAD + SOUND.replace("4,10,0,27", "5,9,1,26"),
        tmp_path,
        SheetSettings("pedro", players=PEOPLE),
    )
    assert [line.hand and line.hand.id for line in first] == [
        line.hand and line.hand.id for line in again
    ]


def test_nobody_knows_who_sat_where_and_is_told_what_to_say(tmp_path: Path) -> None:
    lines = lines_of("Bidder,Bid,We,They\nAnn,8,9,5\n", tmp_path, SheetSettings("pedro"))
    assert lines[1].reject
    assert "who sat where" in lines[1].reject.message
    assert "--players Ann,Bo,Cy,Dee" in lines[1].reject.hint


def test_scores_of_two_rows_are_told_from_changes_by_what_was_bid(tmp_path: Path) -> None:
    text = "Datum;Budgivare;Bud;Resultat;Vi;De\n5.1.2024;Ann;8;hemma;9;5\n5.1.2024;Bo;9;bet;12;-4\n"
    first, second = hands_of(text, tmp_path, "pidro", PEOPLE)
    assert first.claimed
    assert first.claimed.scores == [9, 5]
    assert second.scores == [9, 5]


def test_a_file_that_is_not_there_is_said_to_be_not_there(tmp_path: Path) -> None:
    (line,) = read_sheets(SheetSettings("pedro"), tmp_path / "none.xlsx")
    assert line.reject
    assert "No such file" in line.reject.message


def test_teams_may_have_names_of_their_own(tmp_path: Path) -> None:
    text = "Bidder,Bid,Beer,Reds,Blues\nBo,8,3,5,9\nCy,9,2,6,8\nDee,7,5,4,10\n"
    hands = hands_of(text, tmp_path, players=PEOPLE)
    assert [hand.claimed and hand.claimed.points for hand in hands] == [[5, 9], [6, 8], [4, 10]]


def test_numbers_of_nothing_are_of_no_side(tmp_path: Path) -> None:
    hands = hands_of("Bidder,Bid,Beer,Cards\nBo,8,3,24\nCy,9,2,17\n", tmp_path, players=PEOPLE)
    assert all(hand.claimed is UNSET for hand in hands)


def test_opponents_beside_us_are_the_other_side_whoever_bids(tmp_path: Path) -> None:
    text = "Bidder,Bid,We,Opponents\nAnn,8,9,5\nBo,9,4,10\n"
    hands = hands_of(text, tmp_path, players=PEOPLE)
    assert [hand.claimed and hand.claimed.points for hand in hands] == [[9, 5], [4, 10]]
