"""A score sheet that was corrected takes the place of what was loaded of it, and nothing else."""

import json
import re
import shutil
from functools import partial
from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine
from tests.kit.score_sheets import Rows, as_csv, as_xlsx, one_row_a_hand, scored
from tests.kit.stored import content
from tricklog.ingest.store import warehouse

written = partial(scored, "pedro", 3, 3)
BID, MAKER = 3, 2


@pytest.fixture
def rows() -> Rows:
    return one_row_a_hand(written(), leave_out=["Game", "Hand", "Change"])


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    return tmp_path / "club.csv"


@pytest.fixture
def db(tmp_path: Path) -> str:
    return str(tmp_path / "db")


def load(
    tricklog: CommandLine, rows: Rows, sheet: Path, db: str, *options: str
) -> dict[str, object]:
    sheet.write_bytes(as_csv(rows) if sheet.suffix == ".csv" else as_xlsx({"One": rows}))
    ran = tricklog("load", str(sheet), "--variant", "pedro", "--db", db, "--json", *options)
    assert ran.status in (0, 1, 3), ran.stderr
    told: dict[str, object] = json.loads(ran.text)
    return told


@pytest.mark.parametrize(
    "name",
    [
        "club.csv",
        pytest.param(
            "club.xlsx", marks=pytest.mark.thorough("workbooks are read as what the text says")
        ),
    ],
)
def test_what_was_corrected_is_what_a_new_warehouse_would_have(
    name: str, rows: Rows, tmp_path: Path, db: str, tricklog: CommandLine
) -> None:
    sheet = tmp_path / name
    load(tricklog, rows, sheet, db)
    rows[2][BID], rows[4][BID] = 13, 12
    told = load(tricklog, rows, sheet, db, "--correct")
    assert (told["corrected"], told["taken_out"], told["accepted"]) == (2, 0, 2)
    assert told["quarantined"] == 0
    fresh = str(tmp_path / "fresh")
    load(tricklog, rows, sheet, fresh)
    assert content(db) == content(fresh)
    assert tricklog("db", "rebuild", "--db", db).status == 0
    assert content(db) == content(fresh)
    again = load(tricklog, rows, sheet, db, "--correct")
    assert (again["corrected"], again["published"]) == (0, False)


def test_rows_that_are_gone_are_taken_out_and_those_that_come_are_added(
    rows: Rows, sheet: Path, tmp_path: Path, db: str, tricklog: CommandLine
) -> None:
    load(tricklog, rows, sheet, db)
    del rows[3]
    before = content(db)
    days = sorted({str(row[0]) for row in rows[1:]})
    sheet.write_bytes(as_csv(rows))
    load_it = ("load", sheet, "--variant", "pedro", "--db", db, "--correct")
    refused = tricklog(*load_it)
    gone = re.findall(r"taken out, which the sheet no longer has: (\S+)", refused.stderr)
    assert (refused.status, len(gone), content(db)) == (2, 1, before)
    assert "Nothing was corrected" in refused.stderr
    assert "--yes" in refused.stderr
    told = load(tricklog, rows, sheet, db, "--correct", "--yes")
    assert told["taken_out"] == 1
    for row in rows[1:]:
        # The evening in the middle was a day after what the sheet said.
        if str(row[0]) == days[1]:
            row[0] = days[1][:8] + f"{int(days[1][8:]) + 1:02}"
    assert load(tricklog, rows, sheet, db, "--correct", "--yes")["taken_out"]
    fresh = str(tmp_path / "fresh")
    load(tricklog, rows, sheet, fresh)
    assert content(db) == content(fresh)


def test_nothing_of_another_source_is_touched(
    rows: Rows, sheet: Path, tmp_path: Path, db: str, tricklog: CommandLine
) -> None:
    load(tricklog, rows, sheet, db)
    other = tmp_path / "other.csv"
    load(tricklog, rows, other, db)
    log = tmp_path / "club.jsonl"
    converted = tricklog("convert", str(other), "--variant", "pedro").text
    hands = [json.loads(line.replace("other:", "club:x")) for line in converted.splitlines()]
    for hand in hands:
        del hand["ext"]
    log.write_text("\n".join(map(json.dumps, hands)), "utf-8")
    assert tricklog("load", str(log), "--db", db).status == 0
    with warehouse.open_snapshot(db) as connection:
        before = dict(
            connection.sql(
                "SELECT hand_id, content_hash FROM hands WHERE NOT starts_with(hand_id, 'club:2')"
            ).fetchall()
        )
    rows[2][BID] = 13
    assert load(tricklog, rows[:-2], sheet, db, "--correct", "--yes")["corrected"] == 1
    with warehouse.open_snapshot(db) as connection:
        now = dict(connection.sql("SELECT hand_id, content_hash FROM hands").fetchall())
    assert before.items() <= now.items()


def test_without_being_asked_nothing_is_corrected_and_a_row_in_doubt_takes_nothing_out(
    rows: Rows, sheet: Path, db: str, tricklog: CommandLine
) -> None:
    load(tricklog, rows, sheet, db)
    rows[2][BID] = 13
    sheet.write_bytes(as_csv(rows))
    ran = tricklog("load", sheet, "--variant", "pedro", "--db", db)
    advice = " ".join(ran.stderr.split())
    assert "which said something else when it was loaded" in advice
    assert "another hand" not in advice
    assert advice.index("give the file a name of its own") < advice.index("with --correct")
    assert "replaces" in advice
    dry = tricklog("load", sheet, "--variant", "pedro", "--db", db, "--correct", "--dry-run")
    assert "1 hand corrected" in dry.text
    rows[2][BID] = "eight"
    told = load(tricklog, rows, sheet, db, "--correct")
    assert (told["corrected"], told["quarantined"], told["taken_out"]) == (0, 1, 0)


def test_logs_are_not_corrected(tmp_path: Path, db: str, tricklog: CommandLine) -> None:
    log = tmp_path / "a.jsonl"
    log.write_text("", "utf-8")
    ran = tricklog("load", str(log), "--correct", "--db", db)
    assert ran.status == 2
    assert "--correct is for score sheets" in ran.stderr
    shutil.copy(log, tmp_path / "a.csv")
    ran = tricklog(
        "load", str(tmp_path / "a.csv"), "--variant", "pedro", "--correct", "--db", f"lake:{db}"
    )
    assert ran.status == 2
    assert "not corrected in a lake" in ran.stderr


HEAD = "Date,Dealer,Bidder,Bid,Made/set,Points we,Points they,Score we,Score they\n"
NORTH = ("--variant", "pedro", "--players", "Ann,Bo,Cy,Dee")
SOUTH = ("--variant", "pedro", "--players", "Eva,Fay,Gus,Ann")
SHEETS = {
    "north": "2026-01-05,Ann,Bo,8,made,5,9,5,9\n,Bo,Cy,9,set,6,8,-4,17\n",
    "south": "2026-01-05,Eva,Fay,10,made,3,11,3,11\n",
    "last": ",Ann,Bo,8,made,5,9,5,9\n,Bo,Cy,9,set,6,8,-4,17\n,Cy,Dee,7,made,4,10,0,27\n",
    "this": ",Bo,Cy,8,made,9,5,9,5\n,Cy,Dee,7,made,5,9,14,14\n,Dee,Ann,11,set,3,11,3,25\n",
}


def club_sheet(folder: Path, club: str, rows: str) -> Path:
    path = folder / club / "scores.csv"
    path.parent.mkdir(exist_ok=True)
    path.write_text(HEAD + rows, "utf-8")
    return path


def test_sheets_of_one_name_are_told_apart_by_people_and_by_rows_without_a_day(
    tmp_path: Path, db: str, tricklog: CommandLine
) -> None:
    sheets = {club: club_sheet(tmp_path, club, rows) for club, rows in SHEETS.items()}

    def counts(*clubs: str) -> tuple[int, int, int]:
        whose = SOUTH if "south" in clubs else NORTH
        ran = tricklog("load", *(sheets[each] for each in clubs), *whose, "--db", db, "--json")
        told = json.loads(ran.text)
        return told["accepted"], told["duplicate"], told["quarantined"]

    assert counts("last", "this") == (6, 0, 0)
    assert counts("north") == (2, 0, 0)
    assert counts("south") == (1, 0, 0)
    assert counts("south") == (0, 1, 0)
    # A row that was corrected is one of its year.
    club_sheet(tmp_path, "this", SHEETS["this"].replace("Dee,7,made", "Dee,8,made"))
    assert counts("this") == (0, 2, 1)


@pytest.mark.thorough("lakes are loaded through the same door")
def test_sheets_of_one_name_are_told_apart_in_a_lake(tmp_path: Path, tricklog: CommandLine) -> None:
    for club, whose, hands in (("north", NORTH, 2), ("south", SOUTH, 1)):
        sheet = club_sheet(tmp_path, club, SHEETS[club])
        ran = tricklog(
            "load", sheet, *whose, "--db", f"lake:{tmp_path}/db", "--json", "--on", "here"
        )
        assert json.loads(ran.text)["accepted"] == hands


def test_the_advice_about_a_row_that_differs_is_what_works_in_a_lake(
    tmp_path: Path, tricklog: CommandLine
) -> None:
    load_it = ("load", club_sheet(tmp_path, "club", rows_of([0, 1, 2])), *NORTH, "--on", "here")
    assert tricklog(*load_it, "--db", f"lake:{tmp_path}/db").status == 0
    for rows in (rows_of([0, 1, 3]), rows_of([0, 3, 1, 2])):
        club_sheet(tmp_path, "club", rows)
        ran = tricklog(*load_it, "--db", f"lake:{tmp_path}/db")
        said = " ".join(ran.stderr.split())
        assert "load the sheet into a new lake" in said
        assert "--correct" not in said
    assert "0 accepted" in ran.text
    assert "4 accepted" in tricklog(*load_it, "--db", f"lake:{tmp_path}/new").text


def test_a_correction_of_one_sheet_takes_nothing_of_another_of_its_name(
    tmp_path: Path, db: str, tricklog: CommandLine
) -> None:
    ours, theirs = (club_sheet(tmp_path, club, SHEETS[club]) for club in ("north", "south"))
    tricklog("load", ours, *NORTH, "--db", db)
    before = content(db)
    ran = tricklog("load", theirs, *SOUTH, "--db", db, "--correct", "--yes")
    assert ran.status == 2, ran.stderr
    said = " ".join(ran.stderr.split())
    assert "of Ann, Bo, Cy, Dee, who do not play in this sheet" in said
    assert content(db) == before
    assert "1 accepted" in tricklog("load", theirs, *SOUTH, "--db", db).text
    club_sheet(tmp_path, "south", SHEETS["south"].replace("Fay,10", "Fay,11"))
    assert "1 hand corrected" in tricklog("load", theirs, *SOUTH, "--db", db, "--correct").text


def evening(*rows: str) -> str:
    return "".join(f",{row}\n" for row in rows)


OF_ONE_TABLE = {
    "one row": ([0], [1]),
    "two rows": ([0, 1], [2, 3]),
    "two rows, of which one is the same": ([0, 1], [0, 3]),
    "two rows, then more": ([0, 1], [4, 5, 6]),
    "as many as an evening has": ([0, 1, 2, 3], [4, 5, 6, 7]),
}
"""Two evenings without a day by the same people, by the rows that were written."""
PLAYED = [
    ("Ann,Bo,8,made,5,9", (5, 9)),
    ("Bo,Cy,9,set,6,8", (-9, 8)),
    ("Cy,Dee,7,made,4,10", (4, 10)),
    ("Dee,Ann,6,made,9,5", (9, 5)),
    ("Ann,Cy,10,made,11,3", (11, 3)),
    ("Bo,Dee,11,set,7,7", (7, -11)),
    ("Cy,Bo,6,made,2,12", (2, 12)),
    ("Dee,Ann,12,set,8,6", (-12, 6)),
]


def rows_of(places: list[int]) -> str:
    scores, rows = (0, 0), []
    for place in places:
        row, change = PLAYED[place]
        scores = (scores[0] + change[0], scores[1] + change[1])
        rows.append(f"{row},{scores[0]},{scores[1]}")
    return evening(*rows)


@pytest.mark.parametrize("name", OF_ONE_TABLE)
def test_other_evenings_of_the_same_people_without_a_day_never_meet(
    name: str, tmp_path: Path, db: str, tricklog: CommandLine
) -> None:
    first, second = map(rows_of, OF_ONE_TABLE[name])
    for club, rows in (("first", first), ("second", second)):
        ran = tricklog("load", club_sheet(tmp_path, club, rows), *NORTH, "--db", db, "--json")
        told = json.loads(ran.text)
        assert (told["accepted"], told["quarantined"]) == (rows.count("\n"), 0), ran.stderr
    with warehouse.open_snapshot(db) as connection:
        names = connection.sql("SELECT DISTINCT split_part(hand_id, ':', 1) FROM hands").fetchall()
    assert sorted(names) == [("scores",), ("scores-2",)]


@pytest.mark.parametrize(
    "now",
    [[0, 1, 2, 3, 4, 5], [0, 7, 1, 2, 3, 4], [1, 2, 3, 4], [0, 1, 2, 6]],
    ids=["it has grown", "a row came in between", "the first is gone", "the last is another"],
)
def test_a_sheet_without_a_day_is_known_again(
    now: list[int], tmp_path: Path, db: str, tricklog: CommandLine
) -> None:
    for rows in (rows_of([0, 1, 2, 3, 4]), rows_of(now)):
        tricklog("load", club_sheet(tmp_path, "club", rows), *NORTH, "--db", db)
    with warehouse.open_snapshot(db) as connection:
        names = connection.sql("SELECT DISTINCT split_part(hand_id, ':', 1) FROM hands").fetchall()
    assert names == [("scores",)]


def stored_rows(db: str) -> list[str]:
    """What is stored of each hand but its ids, its number and where it stood."""
    with warehouse.open_snapshot(db) as connection:
        ids = [each for (each,) in connection.sql("SELECT hand_id FROM hands").fetchall()]
        hands = [each.hand for each in warehouse.hands(connection, ids)]
    return sorted(f"{hand.started_at} {hand.dealer} {hand.known} {hand.claimed}" for hand in hands)


@pytest.mark.parametrize("day", ["", "2026-01-05"])
@pytest.mark.parametrize(
    "now",
    [[0, 1, 7, 2, 3, 4], [7, 6, 0, 1, 2, 3, 4], [5, 6, 7, 0, 1, 2, 3, 4]],
    ids=["a row came in", "two rows came first", "three came first"],
)
def test_no_row_is_stored_twice_where_others_came_in_above_it(
    now: list[int], day: str, tmp_path: Path, db: str, tricklog: CommandLine
) -> None:
    for places in ([0, 1, 2, 3, 4], now):
        sheet = club_sheet(tmp_path, "club", day + rows_of(places))
        ran = tricklog("load", sheet, *NORTH, "--db", db)
    with warehouse.open_snapshot(db) as connection:
        ids = [each for (each,) in connection.sql("SELECT hand_id FROM hands").fetchall()]
        told = [(each.hand.dealer, each.hand.known) for each in warehouse.hands(connection, ids)]
    assert all(told.count(each) == 1 for each in told)
    assert "rows above it have come in" in ran.stderr
    assert "--correct" in ran.stderr
    assert tricklog("load", sheet, *NORTH, "--db", db, "--correct", "--yes").status in (0, 1)
    fresh = str(tmp_path / "fresh")
    tricklog("load", sheet, *NORTH, "--db", fresh)
    assert stored_rows(db) == stored_rows(fresh)
    assert tricklog("db", "rebuild", "--db", db).status == 0
    assert stored_rows(db) == stored_rows(fresh)


@pytest.mark.parametrize("count", [3, 8])
def test_the_same_rows_in_reverse_are_the_same_sheet(
    count: int, tmp_path: Path, db: str, tricklog: CommandLine
) -> None:
    rows = rows_of(list(range(count)))
    tricklog("load", club_sheet(tmp_path, "club", rows), *NORTH, "--db", db)
    before = stored_rows(db)
    backwards = "".join(reversed(rows.splitlines(keepends=True)))
    ran = tricklog("load", club_sheet(tmp_path, "club", backwards), *NORTH, "--db", db)
    assert stored_rows(db) == before, ran.stderr
    assert "0 accepted" in ran.text


def test_numbered_rows_in_reverse_are_not_stored_twice(
    tmp_path: Path, db: str, tricklog: CommandLine
) -> None:
    rows = [
        "2026-03-01,1,Ann,8,9,5",
        "2026-03-01,2,Bo,7,4,10",
        "2026-03-01,3,Cy,9,-9,5",
        "2026-03-08,1,Ann,8,10,4",
        "2026-03-08,2,Bo,7,3,11",
    ]
    sheet = tmp_path / "scores.csv"
    for some in (rows, rows[::-1]):
        sheet.write_text("\n".join(["Date,Hand,Maker,Bid,Ann & Cy,Bo & Dee", *some, ""]), "utf-8")
        ran = tricklog("load", str(sheet), *NORTH, "--db", db, "--json")
    told = json.loads(ran.text)
    assert (told["accepted"], told["quarantined"]) == (0, len(rows)), ran.stderr


@pytest.mark.parametrize("day", ["", "2026-01-05"])
def test_a_correction_that_empties_a_column_says_so_and_asks(
    day: str, tmp_path: Path, db: str, tricklog: CommandLine
) -> None:
    rows = day + rows_of([0, 1, 2])
    load_it = ("load", club_sheet(tmp_path, "club", rows), *NORTH, "--db", db)
    tricklog(*load_it)
    before = content(db)
    emptied = re.sub(r"(made|set),\d+,\d+", r"\1,,", rows)
    club_sheet(tmp_path, "club", emptied)
    refused = tricklog(*load_it, "--correct")
    said = " ".join(refused.stderr.split())
    assert (refused.status, content(db)) == (2, before)
    assert "the sheet no longer has all that it said: points" in said
    told = json.loads(tricklog(*load_it, "--correct", "--yes", "--json").text)
    assert [(each["is_plain"], each["emptied"]) for each in told["gave_way"]] == [
        (False, ["points"])
    ]


@pytest.mark.parametrize("day", ["", "2026-01-05"])
def test_an_evening_whose_day_was_corrected_is_not_stored_under_both(
    day: str, tmp_path: Path, db: str, tricklog: CommandLine
) -> None:
    other = "2026-02-02" + rows_of([5, 6, 7])
    load_it = ("load", club_sheet(tmp_path, "club", day + rows_of([0, 1, 2]) + other), *NORTH)
    tricklog(*load_it, "--db", db)
    now = "2026-01-15" + rows_of([0, 1, 2]) + other
    club_sheet(tmp_path, "club", now)
    refused = tricklog(*load_it, "--db", db, "--correct")
    assert (refused.status, "3 of 3 stored hands" in refused.stderr) == (2, True)
    told = json.loads(tricklog(*load_it, "--db", db, "--correct", "--yes", "--json").text)
    assert (told["accepted"], told["taken_out"]) == (3, 3)
    fresh = str(tmp_path / "fresh")
    tricklog(*load_it, "--db", fresh)
    assert content(db) == content(fresh)


@pytest.mark.parametrize("day", ["", "2026-01-05"])
def test_a_correction_that_is_not_plainly_one_says_what_it_replaces_and_asks(
    day: str, tmp_path: Path, db: str, tricklog: CommandLine
) -> None:
    first, second = (day + rows_of(places) for places in ([0, 1, 2], [5, 6, 7]))
    load_it = ("load", club_sheet(tmp_path, "club", first), *NORTH, "--db", db)
    assert "3 accepted" in tricklog(*load_it).text
    before = content(db)
    club_sheet(tmp_path, "club", second)
    refused = tricklog(*load_it, "--correct")
    said = " ".join(refused.stderr.split())
    assert (refused.status, content(db)) == (2, before)
    assert f"{day or 'without a day'}: 3 of 3 stored hands, of Ann, Bo, Cy, Dee" in said
    assert "agrees with few of them" in said
    assert "--yes" in said
    assert "3 hands corrected" in tricklog(*load_it, "--correct", "--dry-run").text
    told = json.loads(tricklog(*load_it, "--correct", "--yes", "--json").text)
    assert told["corrected"] == 3
    assert [(each["day"], each["is_plain"]) for each in told["gave_way"]] == [(day, False)]


@pytest.mark.parametrize("other", ["", "2026-02-02" + rows_of([5, 6, 7])])
@pytest.mark.parametrize("day", ["", "2026-01-05"])
def test_an_evening_with_another_day_is_not_stored_again_unasked(
    day: str, other: str, tmp_path: Path, db: str, tricklog: CommandLine
) -> None:
    """Nor where a row of it was corrected, too; an evening that was played later is."""
    first = day + rows_of([0, 1, 2, 3])
    load_it = ("load", club_sheet(tmp_path, "club", first + other), *NORTH, "--db", db)
    tricklog(*load_it)
    before = stored_rows(db)
    club_sheet(tmp_path, "club", "2026-01-15" + rows_of([0, 1, 2, 3]) + other)
    ran = tricklog(*load_it)
    said = " ".join(ran.stderr.split())
    assert "0 accepted" in ran.text
    assert stored_rows(db) == before
    assert "it had another day, or none, when it was loaded" in said
    assert "load the sheet with --correct" in said
    for grown in ([], [4]):
        club_sheet(tmp_path, "club", "2026-01-15" + rows_of([0, 1, 7, 3, *grown]) + other)
        assert "3 quarantined" in tricklog(*load_it, "--dry-run").text
    later = "2026-01-15" + rows_of([3, 4, 2, 0])
    club_sheet(tmp_path, "club", (first if day else "") + later + other)
    assert "4 accepted" in tricklog(*load_it).text
