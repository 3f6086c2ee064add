"""A score sheet that was corrected takes the place of what was loaded of it, and nothing else."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import CommandLine, Ran
from tests.kit import stored
from tests.kit.score_sheets import Rows, as_csv, one_row_a_hand, scored
from tests.kit.stored import content
from tricklog.ingest.store import warehouse

BID = 3
DAYS = pytest.mark.parametrize("day", ["", "2026-01-05"])


# --- A sheet with days
@pytest.fixture
def rows() -> Rows:
    return one_row_a_hand(scored("pedro", 3, 3), leave_out=["Game", "Hand", "Change"])


class Sheets:
    def __init__(self, tricklog: CommandLine) -> None:
        self._tricklog = tricklog

    def __call__(
        self, rows: Rows, *options: str, sheet: str = "club.csv", db: str = "db"
    ) -> dict[str, Any]:
        path = Path(sheet)
        path.write_bytes(as_csv(rows))
        ran = self._tricklog("load --variant pedro --json --db", db, path, *options)
        assert ran.status in (0, 1, 3), ran.stderr
        (told,) = ran.objects
        return dict(told)


@pytest.fixture
def load(tricklog: CommandLine) -> Sheets:
    return Sheets(tricklog)


def test_a_corrected_sheet_leaves_what_a_new_warehouse_would_have(
    rows: Rows, load: Sheets, tricklog: CommandLine
) -> None:
    load(rows)
    rows[2][BID], rows[4][BID] = 13, 12
    told = load(rows, "--correct")
    assert (told["corrected"], told["taken_out"], told["accepted"]) == (2, 0, 2)
    assert told["quarantined"] == 0
    load(rows, db="fresh")
    assert content("db") == content("fresh")
    tricklog("db rebuild --db db", status=0)
    assert content("db") == content("fresh")
    again = load(rows, "--correct")
    assert (again["corrected"], again["published"]) == (0, False)


def test_rows_gone_are_taken_out_once_confirmed(
    rows: Rows, load: Sheets, tricklog: CommandLine
) -> None:
    load(rows)
    del rows[3]
    before = content("db")
    days = sorted({str(row[0]) for row in rows[1:]})
    Path("club.csv").write_bytes(as_csv(rows))
    refused = tricklog("load club.csv --variant pedro --db db --correct", status=2).stderr
    gone = re.findall(r"taken out, which the sheet no longer has: (\S+)", refused)
    assert (len(gone), content("db")) == (1, before)
    assert "Nothing was corrected" in refused
    assert "--yes" in refused
    assert load(rows, "--correct", "--yes")["taken_out"] == 1
    for row in rows[1:]:
        # The evening in the middle was a day after what the sheet said.
        if str(row[0]) == days[1]:
            row[0] = days[1][:8] + f"{int(days[1][8:]) + 1:02}"
    assert load(rows, "--correct", "--yes")["taken_out"]
    load(rows, db="fresh")
    assert content("db") == content("fresh")


def test_other_sources_are_not_touched(rows: Rows, load: Sheets, tricklog: CommandLine) -> None:
    load(rows)
    load(rows, sheet="other.csv")
    converted = tricklog("convert other.csv --variant pedro").text
    hands = [json.loads(line.replace("other:", "club:x")) for line in converted.splitlines()]
    for hand in hands:
        del hand["ext"]
    Path("club.jsonl").write_text("\n".join(map(json.dumps, hands)), "utf-8")
    tricklog("load club.jsonl --db db", status=0)
    hashes = "SELECT hand_id, content_hash FROM hands"
    before = dict(stored.rows("db", f"{hashes} WHERE NOT starts_with(hand_id, 'club:2')"))
    rows[2][BID] = 13
    assert load(rows[:-2], "--correct", "--yes")["corrected"] == 1
    assert before.items() <= dict(stored.rows("db", hashes)).items()


def test_a_row_that_differs_is_corrected_only_when_asked(
    rows: Rows, load: Sheets, tricklog: CommandLine
) -> None:
    load(rows)
    rows[2][BID] = 13
    Path("club.csv").write_bytes(as_csv(rows))
    advice = tricklog("load club.csv --variant pedro --db db").advice
    for says in ("which said something else when it was loaded", "replaces"):
        assert says in advice
    assert "another hand" not in advice
    assert advice.index("give the file a name of its own") < advice.index("with --correct")
    dry = tricklog("load club.csv --variant pedro --db db --correct --dry-run")
    assert "1 hand corrected" in dry.text
    rows[2][BID] = "eight"
    told = load(rows, "--correct")
    assert (told["corrected"], told["quarantined"], told["taken_out"]) == (0, 1, 0)


# --- Sheets of one name, by people and by rows without a day
HEAD = "Date,Dealer,Bidder,Bid,Made/set,Points we,Points they,Score we,Score they\n"
NORTH, SOUTH = (
    f"--variant pedro --players {each}" for each in ("Ann,Bo,Cy,Dee", "Eva,Fay,Gus,Ann")
)
SHEETS = {
    "north": "2026-01-05,Ann,Bo,8,made,5,9,5,9\n,Bo,Cy,9,set,6,8,-4,17\n",
    "south": "2026-01-05,Eva,Fay,10,made,3,11,3,11\n",
    "last": ",Ann,Bo,8,made,5,9,5,9\n,Bo,Cy,9,set,6,8,-4,17\n,Cy,Dee,7,made,4,10,0,27\n",
    "this": ",Bo,Cy,8,made,9,5,9,5\n,Cy,Dee,7,made,5,9,14,14\n,Dee,Ann,11,set,3,11,3,25\n",
}
NAMES = "SELECT DISTINCT split_part(hand_id, ':', 1) FROM hands ORDER BY 1"
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


def write_club(club: str, rows: str) -> Path:
    path = Path(club, "scores.csv")
    path.parent.mkdir(exist_ok=True)
    path.write_text(HEAD + rows, "utf-8")
    return path


def rows_of(*places: int) -> str:
    scores, rows = (0, 0), []
    for place in places:
        row, change = PLAYED[place]
        scores = (scores[0] + change[0], scores[1] + change[1])
        rows.append(f",{row},{scores[0]},{scores[1]}\n")
    return "".join(rows)


LoadClub = Callable[..., Ran]


@pytest.fixture
def load_club(tricklog: CommandLine) -> LoadClub:
    def load(rows: str | None, options: str = "", db: str = "db", status: int | None = None) -> Ran:
        if rows is not None:
            write_club("club", rows)
        return tricklog(f"load club/scores.csv {NORTH} --db {db} {options}", status=status)

    return load


def test_people_and_rows_without_a_day_separate_sheets_of_one_name(tricklog: CommandLine) -> None:
    def counts(*clubs: str) -> tuple[int, int, int]:
        sheets = [write_club(each, SHEETS[each]) for each in clubs]
        return loaded(*sheets, whose=SOUTH if "south" in clubs else NORTH)

    def loaded(*sheets: Path, whose: str = NORTH) -> tuple[int, int, int]:
        (told,) = tricklog(f"load {whose} --json --db db", *sheets).objects
        return told["accepted"], told["duplicate"], told["quarantined"]

    assert counts("last", "this") == (6, 0, 0)
    assert counts("north") == (2, 0, 0)
    assert counts("south") == (1, 0, 0)
    assert counts("south") == (0, 1, 0)
    # A row that was corrected is one of its year.
    corrected = SHEETS["this"].replace("Dee,7,made", "Dee,8,made")
    assert loaded(write_club("this", corrected)) == (0, 2, 1)


def test_the_advice_about_a_row_that_differs_is_what_works_in_a_lake(load_club: LoadClub) -> None:
    load_club(rows_of(0, 1, 2), "--on here", db="lake:db", status=0)
    for places in ((0, 1, 3), (0, 3, 1, 2)):
        ran = load_club(rows_of(*places), "--on here", db="lake:db")
        assert "load the sheet into a new lake" in ran.advice
        assert "--correct" not in ran.advice
    assert "0 accepted" in ran.text
    assert "4 accepted" in load_club(None, "--on here", db="lake:new").text


def test_a_correction_takes_nothing_of_a_sheet_of_the_same_name(tricklog: CommandLine) -> None:
    north, theirs = (write_club(club, SHEETS[club]) for club in ("north", "south"))
    load_theirs = (f"load {SOUTH} --db db", theirs)
    tricklog(f"load {NORTH} --db db", north)
    before = content("db")
    said = tricklog(*load_theirs, "--correct", "--yes", status=2).advice
    assert "of Ann, Bo, Cy, Dee, who do not play in this sheet" in said
    assert content("db") == before
    assert "1 accepted" in tricklog(*load_theirs).text
    write_club("south", SHEETS["south"].replace("Fay,10", "Fay,11"))
    assert "1 hand corrected" in tricklog(*load_theirs, "--correct").text


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param([0], [1], id="one row"),
        pytest.param([0, 1], [2, 3], id="two rows"),
        pytest.param([0, 1], [0, 3], id="two rows, of which one is the same"),
        pytest.param([0, 1], [4, 5, 6], id="two rows, then more"),
        pytest.param([0, 1, 2, 3], [4, 5, 6, 7], id="as many as an evening has"),
    ],
)
def test_other_evenings_of_the_same_people_without_a_day_never_meet(
    first: list[int], second: list[int], tricklog: CommandLine
) -> None:
    for club, places in (("first", first), ("second", second)):
        ran = tricklog(f"load {NORTH} --json --db db", write_club(club, rows_of(*places)))
        (told,) = ran.objects
        assert (told["accepted"], told["quarantined"]) == (len(places), 0), ran.stderr
    assert stored.rows("db", NAMES) == [("scores",), ("scores-2",)]


@pytest.mark.parametrize(
    "now",
    [[0, 1, 2, 3, 4, 5], [0, 7, 1, 2, 3, 4], [1, 2, 3, 4], [0, 1, 2, 6]],
    ids=["it has grown", "a row came in between", "the first is gone", "the last is another"],
)
def test_a_sheet_without_a_day_is_known_again(now: list[int], load_club: LoadClub) -> None:
    for places in ([0, 1, 2, 3, 4], now):
        load_club(rows_of(*places))
    assert stored.rows("db", NAMES) == [("scores",)]


def stored_rows(db: str = "db", *, whole: bool = True) -> list[str]:
    """What is stored of each hand but its ids, its number and where it stood.

    Not whole, it is the dealer and what is known of the hand alone.
    """
    with warehouse.open_snapshot(db) as connection:
        ids = [each for (each,) in connection.sql("SELECT hand_id FROM hands").fetchall()]
        hands = [each.hand for each in warehouse.hands(connection, ids)]
    parts = [(hand.dealer, hand.known, hand.started_at, hand.claimed) for hand in hands]
    return sorted(str(each if whole else each[:2]) for each in parts)


@DAYS
@pytest.mark.parametrize(
    "now",
    [[0, 1, 7, 2, 3, 4], [7, 6, 0, 1, 2, 3, 4], [5, 6, 7, 0, 1, 2, 3, 4]],
    ids=["a row came in", "two rows came first", "three came first"],
)
def test_rows_on_top_store_none_twice(
    now: list[int], day: str, load_club: LoadClub, tricklog: CommandLine
) -> None:
    for places in ([0, 1, 2, 3, 4], now):
        said = load_club(day + rows_of(*places)).stderr
    told = stored_rows(whole=False)
    assert len(set(told)) == len(told)
    assert "rows above it have come in" in said
    assert "--correct" in said
    assert load_club(None, "--correct --yes").status in (0, 1)
    load_club(None, db="fresh")
    assert stored_rows() == stored_rows("fresh")
    tricklog("db rebuild --db db", status=0)
    assert stored_rows() == stored_rows("fresh")


@pytest.mark.parametrize("count", [3, 8])
def test_the_same_rows_in_reverse_are_the_same_sheet(count: int, load_club: LoadClub) -> None:
    rows = rows_of(*range(count))
    load_club(rows)
    before = stored_rows()
    ran = load_club("".join(reversed(rows.splitlines(keepends=True))))
    assert stored_rows() == before, ran.stderr
    assert "0 accepted" in ran.text


def test_numbered_rows_in_reverse_are_not_stored_twice(tricklog: CommandLine) -> None:
    rows = [
        "2026-03-01,1,Ann,8,9,5",
        "2026-03-01,2,Bo,7,4,10",
        "2026-03-01,3,Cy,9,-9,5",
        "2026-03-08,1,Ann,8,10,4",
        "2026-03-08,2,Bo,7,3,11",
    ]
    for some in (rows, rows[::-1]):
        text = "\n".join(["Date,Hand,Maker,Bid,Ann & Cy,Bo & Dee", *some, ""])
        Path("scores.csv").write_text(text, "utf-8")
        ran = tricklog(f"load scores.csv {NORTH} --db db --json")
    (told,) = ran.objects
    assert (told["accepted"], told["quarantined"]) == (0, len(rows)), ran.stderr


@DAYS
def test_a_correction_that_empties_a_column_asks(day: str, load_club: LoadClub) -> None:
    rows = day + rows_of(0, 1, 2)
    load_club(rows)
    before = content("db")
    said = load_club(re.sub(r"(made|set),\d+,\d+", r"\1,,", rows), "--correct", status=2).advice
    assert content("db") == before
    assert "the sheet no longer has all that it said: points" in said
    (told,) = load_club(None, "--correct --yes --json").objects
    gave_way = [(each["is_plain"], each["emptied"]) for each in told["gave_way"]]
    assert gave_way == [(False, ["points"])]


@DAYS
def test_a_corrected_day_is_not_stored_beside_the_old_one(day: str, load_club: LoadClub) -> None:
    other = "2026-02-02" + rows_of(5, 6, 7)
    load_club(day + rows_of(0, 1, 2) + other)
    refused = load_club("2026-01-15" + rows_of(0, 1, 2) + other, "--correct", status=2)
    assert "3 of 3 stored hands" in refused.stderr
    (told,) = load_club(None, "--correct --yes --json").objects
    assert (told["accepted"], told["taken_out"]) == (3, 3)
    load_club(None, db="fresh")
    assert content("db") == content("fresh")


@DAYS
def test_a_correction_in_doubt_tells_and_asks(day: str, load_club: LoadClub) -> None:
    assert "3 accepted" in load_club(day + rows_of(0, 1, 2)).text
    before = content("db")
    said = load_club(day + rows_of(5, 6, 7), "--correct", status=2).advice
    assert content("db") == before
    assert f"{day or 'without a day'}: 3 of 3 stored hands, of Ann, Bo, Cy, Dee" in said
    assert "agrees with few of them" in said
    assert "--yes" in said
    assert "3 hands corrected" in load_club(None, "--correct --dry-run").text
    (told,) = load_club(None, "--correct --yes --json").objects
    assert told["corrected"] == 3
    assert [(each["day"], each["is_plain"]) for each in told["gave_way"]] == [(day, False)]


@pytest.mark.parametrize("other", ["", "2026-02-02" + rows_of(5, 6, 7)])
@DAYS
def test_another_day_stores_nothing_again(day: str, other: str, load_club: LoadClub) -> None:
    """Nor where a row of it was corrected, too; an evening that was played later is."""
    first = day + rows_of(0, 1, 2, 3)
    load_club(first + other)
    before = stored_rows()
    ran = load_club("2026-01-15" + rows_of(0, 1, 2, 3) + other)
    assert "0 accepted" in ran.text
    assert stored_rows() == before
    assert "it had another day, or none, when it was loaded" in ran.advice
    assert "load the sheet with --correct" in ran.advice
    for grown in ([], [4]):
        ran = load_club("2026-01-15" + rows_of(0, 1, 7, 3, *grown) + other, "--dry-run")
        assert "3 quarantined" in ran.text
    later = "2026-01-15" + rows_of(3, 4, 2, 0)
    assert "4 accepted" in load_club((first if day else "") + later + other).text
