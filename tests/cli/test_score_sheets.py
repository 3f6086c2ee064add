"""Score sheets on the command line: inspected, audited, loaded, loaded again after a correction."""

import json
from functools import partial
from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine
from tests.kit.score_sheets import Rows, as_csv, as_xlsx, one_row_a_hand, scored
from tests.kit.tiers import is_thorough, scaled
from tests.regenerate.samples import SAMPLE_SHEET
from tricklog.ingest.adapters.recognising import recognise_logs
from tricklog.ingest.score_sheets.settings import MappingError, read_mapping, write_mapping

written = partial(scored, "pedro", 2, 3)
SHEET = Path("club.csv")
PEDRO = "--variant pedro"
TABLE = f"{PEDRO} --players Ann,Bo,Cy,Dee"


@pytest.fixture
def rows() -> Rows:
    return one_row_a_hand(written(), leave_out=["Game", "Hand", "Change"])


def keep(rows: Rows, name: Path | str = SHEET) -> None:
    Path(name).write_bytes(as_csv(rows))


def test_a_recognised_mapping_reads_the_same(rows: Rows, tricklog: CommandLine) -> None:
    keep(rows)
    text = tricklog(f"load --inspect club.csv {PEDRO}", status=0).text
    assert "# Players in the order of the seats: Ann, Bo, Cy, Dee" in text
    Path("club.toml").write_text(text, "utf-8")
    settings = read_mapping(text)
    assert read_mapping(write_mapping(settings)) == settings
    first = tricklog(f"audit club.csv {PEDRO} --json")
    assert first.text == tricklog("audit club.csv --mapping club.toml --json").text


def test_each_finding_names_its_cells_and_its_rule(rows: Rows, tricklog: CommandLine) -> None:
    rows[2][3], rows[4][1], rows[6][8] = 99, rows[3][1], 555
    keep(rows)
    text = tricklog(f"audit club.csv {PEDRO}", status=1).text
    for says in ("bid-too-high at cell D3", "wrong-dealer at cell B5", "at cells I7 and J7"):
        assert says in text
    assert "Rule 1.auction" in text
    told = tricklog(f"audit club.csv {PEDRO} --json").objects
    assert {"D3", "B5"} <= {each["cells"] for line in told for each in line["findings"]}


def test_a_row_that_cannot_be_read_is_refused_alone(rows: Rows, tricklog: CommandLine) -> None:
    rows[2][3], rows[3][2] = "eight", "Zoe"
    keep(rows)
    text = tricklog(f"audit club.csv {PEDRO}", status=3).text
    assert "Row 3, column D (Bid): 'eight' is no bid." in text
    assert "Row 4, column C (maker): 'Zoe' is no player of this game" in text
    assert f"{len(written()) - 2} accepted" in text
    # A row of a workbook has no byte.
    Path("club.xlsx").write_bytes(as_xlsx({"Friday": rows}))
    text = tricklog(f"audit club.xlsx {PEDRO}").text
    assert "[Friday]:3" in text
    assert "column D" in text
    assert "byte" not in text
    assert "\\x09" not in text


def test_a_sheet_is_loaded_again_without_a_second_hand(rows: Rows, tricklog: CommandLine) -> None:
    load = f"load club.csv {PEDRO} --db db --json"
    keep(rows)
    for count in ("accepted", "duplicate"):
        assert tricklog(load).objects[0][count] == len(written())
    rows[-1][3] = 7
    keep([*rows, rows[-1]])
    again = tricklog(load)
    (counts,) = again.objects
    assert (counts["duplicate"], counts["quarantined"]) == (len(written()) - 1, 1)
    assert counts["accepted"] == 1
    assert "id-conflict" in again.stderr
    figures = tricklog("stats made-rate --db db").text
    assert f"Records with gaps, {len(written())} here" in figures


def test_a_mapping_is_kept_for_sheets_of_one_header(rows: Rows, tricklog: CommandLine) -> None:
    rows[0][3] = "Height"
    keep(rows)
    text = tricklog(f"load --inspect club.csv {PEDRO}").text
    assert text.count('means = "ignore"') == 1
    Path("club.toml").write_text(text.replace('means = "ignore"', 'means = "bid"'), "utf-8")
    tricklog("load club.csv --mapping club.toml --db db", status=0)
    keep(rows, "next.csv")
    again = tricklog("load next.csv --db db --json")
    assert again.objects[0]["accepted"] == len(written())
    assert "said of such a sheet before" in again.stderr


def test_players_of_a_mapping_that_was_kept_are_named(tricklog: CommandLine) -> None:
    scores = "Date;Bid;Points we;Points they\n{day}.1.2024;8;5;9\n{day}.1.2024;9;10;4\n"
    Path("map.toml").write_text('variant = "pedro"\nplayers = ["Ann", "Bo", "Cy", "Dee"]', "utf-8")
    for table, options, is_named in (
        ("one", "--mapping map.toml", False),
        ("two", "--variant pedro", True),
        ("three", "--variant pedro --players Eve,Flo,Gus,Hal", False),
    ):
        Path(f"{table}.csv").write_text(scores.format(day=len(table)), "utf-8")
        loaded = tricklog(f"load {table}.csv {options} --db db", status=0).stderr
        assert ("before: Ann, Bo, Cy, Dee; --players names others" in loaded) == is_named


STRANGE = "Foo,Bar,Baz,Qux,Wim,Wum\nAnn,Bo,8,x5,5,9\nBo,Cy,9,x6,6,8\n"
BY_HEADINGS = """\
variant = "pedro"
players = ["Ann", "Bo", "Cy", "Dee"]
[[column]]
header = "Foo"
means = "dealer"
[[column]]
header = "bar"
means = "maker"
[[column]]
header = "Baz"
means = "bid"
"""


def test_headings_alone_say_which_columns_a_mapping_means(tricklog: CommandLine) -> None:
    mapping = Path("club.toml")
    mapping.write_text(BY_HEADINGS, "utf-8")
    swapped = STRANGE.replace("Foo,Bar,", "Bar,Foo,", 1)
    for text, makers in ((STRANGE, [1, 2]), (swapped, [0, 1])):
        SHEET.write_text(text, "utf-8")
        told = tricklog("audit club.csv --mapping club.toml --json").objects
        assert [each["maker"] for each in told] == makers
    # A mapping by strange headings is kept, too.
    SHEET.write_text(STRANGE, "utf-8")
    tricklog("load club.csv --mapping club.toml --db db", status=0)
    (again,) = tricklog("load club.csv --db db --json").objects
    assert (again["duplicate"], again["quarantined"]) == (2, 0)
    mapping.write_text(BY_HEADINGS.replace("Baz", "Bazz"), "utf-8")
    said = tricklog("audit club.csv --mapping club.toml").stderr
    assert "names a heading 'Bazz', which is not here; did you mean Baz?" in said
    assert "column C 'Baz' (cell C1) is not used" in said


def test_columns_that_are_not_used_are_told_once_each(tricklog: CommandLine) -> None:
    SHEET.write_text("Bidder,Bid,Beer,We,They,Mood\nAnn,8,3,9,5,\nBo,9,2,4,10,\n", "utf-8")
    said = tricklog(f"audit club.csv {TABLE}").stderr
    assert said.count("column C 'Beer' (cell C1) is not used") == 1
    assert "Mood" not in said
    asked = tricklog(f"load --inspect club.csv {PEDRO}")
    Path("club.toml").write_text(asked.text, "utf-8")
    said = tricklog("audit club.csv --mapping club.toml --players Ann,Bo,Cy,Dee").stderr
    assert "not used" not in said


def test_a_sheet_without_hands_or_headings(tricklog: CommandLine) -> None:
    for text, says in (
        (
            "Foo,Bar,Baz\nAnn,Bo,8\nBo,Cy,9\n",
            "It is not known what A 'Foo', B 'Bar', C 'Baz' mean",
        ),
        ("Foo,Bar,Baz\nAnn,Bo,8\nBo,Cy,9\n", "tricklog load --inspect FILE"),
        ("", "The file is empty"),
        ("Bidder,Bid\n", "No row of this file"),
    ):
        SHEET.write_text(text, "utf-8")
        shown = tricklog(f"audit club.csv {TABLE}", status=3).text
        assert says in shown
        assert "is no player" not in shown


def test_a_faulty_mapping_says_where_and_what_to_write() -> None:
    for text, sentence in (
        ("variant = ", "not TOML"),
        ('varient = "pedro"', "did you mean variant"),
        ('[[column]]\nat = "A"\nmeans = "bidd"', "did you mean bid"),
        ('[[column]]\nat = "1"\nmeans = "bid"', "is no letter of a column"),
        ('[[column]]\nmeans = "bid"', "needs its heading"),
        ('[[column]]\nat = "A"\nmeans = "bid"\nof = "1"', "leave out of"),
        ('[[column]]\nat = "A"\nmeans = "score"\nof = "we"', "of is a number"),
    ):
        with pytest.raises(MappingError, match=sentence):
            read_mapping(text)


def test_three_years_are_loaded_without_a_finding(tricklog: CommandLine) -> None:
    rows = SAMPLE_SHEET.read_text("utf-8").splitlines(keepends=True)
    hands = scaled(300, most=1500)
    sheet = Path(SAMPLE_SHEET.name)
    sheet.write_text("".join(rows if is_thorough() else rows[: hands + 50]), "utf-8")
    (counts,) = tricklog(f"load {PEDRO} --db db --json", sheet).objects
    assert counts["accepted"] > hands
    assert (counts["findings"], counts["quarantined"]) == ({}, 0)


def test_a_sheet_becomes_a_hand_log_with_pseudonyms(rows: Rows, tricklog: CommandLine) -> None:
    keep(rows, "Smiths-of-Oslo.csv")
    Path("club.key").write_text("sixteen-letters-")
    convert = f"convert Smiths-of-Oslo.csv {PEDRO}"
    plain = tricklog(convert, status=0)
    hidden = tricklog(f"{convert} --pseudonymise club.key", status=0)
    assert len(plain.objects) == len(written())
    assert "Ann" in plain.text
    assert not [each for each in ("Ann", "ann", "Smiths", "smiths", '"ext"') if each in hidden.text]
    scores = [
        [each["scores"] for each in tricklog("audit - --json", stdin=log.stdout).objects]
        for log in (plain, hidden)
    ]
    assert scores[0] == scores[1]


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_of_a_long_sheet_the_first_rows_are_looked_at(ending: str, tricklog: CommandLine) -> None:
    rows = one_row_a_hand(scored("pedro", 2, 9), leave_out=["Game", "Hand", "Change"])
    rows[-1][3] = "eight"
    Path(f"long.{ending}").write_bytes(as_csv(rows) if ending == "csv" else as_xlsx({"One": rows}))
    inspect = f"load --inspect long.{ending} {PEDRO}"
    tricklog(inspect, status=3)
    tricklog.patch.setattr("tricklog.ingest.score_sheets.reader.MOST_READ", 6)
    text = tricklog(inspect, status=0).text
    for says in ("5 rows", "This is of the first 6 rows", 'means = "bid"'):
        assert says in text
    (sheet,) = tricklog(f"{inspect} --json").objects[0]["sheets"]
    assert (sheet["rows"]["hand"], sheet["is_cut"]) == (5, True)


COUNTED = {
    "phase": 1,
    "score": [],
    "sets": [{"round": 1, "bid": {"team": "vi", "points": 8},
              "score": [{"team": "vi", "points": 9}, {"team": "de", "points": 5}]}],
    "teams": ["vi", "de"],
}  # fmt: skip


def test_a_game_of_a_counter_says_what_to_write_and_is_read_by_that(tricklog: CommandLine) -> None:
    Path("game.json").write_text(json.dumps(COUNTED), "utf-8")
    told = "--variant pidro --players Ann,Bo,Cy,Dee"
    for command in ("load --db db", "load --db db --players Ann,Bo,Cy,Dee", "audit", "convert"):
        said = tricklog(command, "game.json", status=2).advice
        assert "a game that pidro-counter keeps" in said
        assert told in said
    assert "1 accepted" in tricklog(f"load game.json --db db {told}").text
    assert told in next(iter(recognise_logs("game.json").values())).sentence
