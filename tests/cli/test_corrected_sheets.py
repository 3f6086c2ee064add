"""A score sheet that was corrected takes the place of what was loaded of it, and nothing else."""

import json
import shutil
from functools import partial
from pathlib import Path

import pytest

from ingest.store import warehouse
from tests.cli.command_line import CommandLine
from tests.kit.score_sheets import Rows, as_csv, as_xlsx, one_row_a_hand, scored

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


def content(db: str) -> str:
    with warehouse.open_snapshot(db) as connection:
        return warehouse.checksum(connection)


def figures(tricklog: CommandLine, db: str) -> str:
    return tricklog("stats", "bid-made", "made-rate", "--by", "player", "--db", db, "--json").text


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
    before = content(db)
    rows[2][BID], rows[4][BID] = 13, 12
    told = load(tricklog, rows, sheet, db, "--correct")
    assert (told["corrected"], told["taken_out"], told["accepted"]) == (2, 0, 2)
    assert told["quarantined"] == 0
    fresh = str(tmp_path / "fresh")
    load(tricklog, rows, sheet, fresh)
    assert content(db) == content(fresh)
    assert figures(tricklog, db) == figures(tricklog, fresh)
    assert tricklog("verify", "--all", "--db", db).status == 0
    again = load(tricklog, rows, sheet, db, "--correct")
    assert (again["corrected"], again["published"]) == (0, False)
    rows = one_row_a_hand(written(), leave_out=["Game", "Hand", "Change"])
    assert load(tricklog, rows, sheet, db, "--correct")["corrected"] == 2
    assert content(db) == before


def test_rows_that_are_gone_are_taken_out_and_those_that_come_are_added(
    rows: Rows, sheet: Path, tmp_path: Path, db: str, tricklog: CommandLine
) -> None:
    load(tricklog, rows, sheet, db)
    del rows[3]
    told = load(tricklog, rows, sheet, db, "--correct")
    assert told["taken_out"] == 1
    fresh = str(tmp_path / "fresh")
    load(tricklog, rows, sheet, fresh)
    assert content(db) == content(fresh)


def test_a_day_that_was_corrected_leaves_no_second_game(
    rows: Rows, sheet: Path, tmp_path: Path, db: str, tricklog: CommandLine
) -> None:
    load(tricklog, rows, sheet, db)
    days = sorted({str(row[0]) for row in rows[1:]})
    for row in rows[1:]:
        # The evening in the middle was a day after what the sheet said.
        if str(row[0]) == days[1]:
            row[0] = days[1][:8] + f"{int(days[1][8:]) + 1:02}"
    told = load(tricklog, rows, sheet, db, "--correct")
    assert told["taken_out"]
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
                "SELECT id, content_hash FROM hands WHERE NOT starts_with(id, 'club:2')"
            ).fetchall()
        )
    rows[2][BID] = 13
    assert load(tricklog, rows[:-2], sheet, db, "--correct")["corrected"] == 1
    with warehouse.open_snapshot(db) as connection:
        now = dict(connection.sql("SELECT id, content_hash FROM hands").fetchall())
    assert before.items() <= now.items()


def test_a_sheet_with_a_row_that_cannot_be_read_takes_nothing_out(
    rows: Rows, sheet: Path, db: str, tricklog: CommandLine
) -> None:
    load(tricklog, rows, sheet, db)
    rows[2][BID] = "eight"
    told = load(tricklog, rows, sheet, db, "--correct")
    assert (told["quarantined"], told["taken_out"]) == (1, 0)


def test_a_rebuild_keeps_what_was_corrected(
    rows: Rows, sheet: Path, db: str, tricklog: CommandLine
) -> None:
    load(tricklog, rows, sheet, db)
    rows[2][BID] = 13
    load(tricklog, rows, sheet, db, "--correct")
    before = content(db)
    assert tricklog("rebuild", "--db", db).status == 0
    assert content(db) == before


def test_without_being_asked_a_correction_is_a_conflict_that_says_how(
    rows: Rows, sheet: Path, db: str, tricklog: CommandLine
) -> None:
    load(tricklog, rows, sheet, db)
    before = content(db)
    rows[2][BID] = 13
    sheet.write_bytes(as_csv(rows))
    ran = tricklog("load", str(sheet), "--variant", "pedro", "--db", db)
    assert "load the sheet with --correct" in " ".join(ran.stderr.split())
    dry = tricklog("load", str(sheet), "--variant", "pedro", "--db", db, "--correct", "--dry-run")
    assert "1 hand corrected" in dry.text
    ran = tricklog("load", str(sheet), "--variant", "pedro", "--db", db, "--correct")
    assert "1 hand corrected" in ran.text
    assert content(db) != before


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


def test_a_sheet_of_other_people_takes_nothing_of_another_club_out(
    tmp_path: Path, db: str, tricklog: CommandLine
) -> None:
    head = "Date,Dealer,Bidder,Bid,Made/set,Points we,Points they,Score we,Score they\n"
    ours, theirs = tmp_path / "north" / "scores.csv", tmp_path / "south" / "scores.csv"
    for path, rows in (
        (ours, "2026-01-05,Ann,Bo,8,made,5,9,5,9\n,Bo,Cy,9,set,6,8,-4,17\n"),
        (theirs, "2026-01-05,Eva,Fay,10,made,3,11,3,11\n"),
    ):
        path.parent.mkdir()
        path.write_text(head + rows, encoding="utf-8")
    north = ("--variant", "pedro", "--players", "Ann,Bo,Cy,Dee", "--db", db)
    south = ("--variant", "pedro", "--players", "Eva,Fay,Gus,Hal", "--db", db)
    tricklog("load", ours, *north)
    told = tricklog("load", theirs, *south)
    assert "give it a name of its own" in " ".join(told.stderr.split())
    before = content(db)
    for more in ([], ["--dry-run"]):
        ran = tricklog("load", theirs, *south, "--correct", *more)
        assert ran.status != 0
        assert "Ann, Bo, Cy, Dee" in ran.stderr
        assert "none of them plays in this sheet" in " ".join(ran.stderr.split())
    assert content(db) == before
    ours.write_text(ours.read_text(encoding="utf-8").replace("Bo,8", "Bo,7"), encoding="utf-8")
    assert "1 hand corrected" in tricklog("load", ours, *north, "--correct").text
