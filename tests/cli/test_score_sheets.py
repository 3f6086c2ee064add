"""Score sheets on the command line: inspected, audited, loaded, loaded again after a correction."""

import json
from functools import partial
from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine
from tests.kit.score_sheets import Rows, as_csv, as_xlsx, one_row_a_hand, scored
from tests.kit.tiers import is_thorough, scaled
from tests.regenerate.samples import SHEET
from tricklog.ingest.adapters.recognising import recognise_logs
from tricklog.ingest.score_sheets.settings import MappingError, read_mapping, write_mapping

written = partial(scored, "pedro", 2, 3)


@pytest.fixture
def rows() -> Rows:
    return one_row_a_hand(written(), leave_out=["Game", "Hand", "Change"])


def kept(rows: Rows, folder: Path, name: str = "club.csv") -> str:
    path = folder / name
    path.write_bytes(as_csv(rows))
    return str(path)


def test_what_is_recognised_is_a_mapping_that_reads_the_same(
    rows: Rows, tmp_path: Path, tricklog: CommandLine
) -> None:
    path = kept(rows, tmp_path)
    ran = tricklog("load", "--inspect", path, "--variant", "pedro")
    assert ran.status == 0
    assert "# Players in the order of the seats: Ann, Bo, Cy, Dee" in ran.text
    mapping = tmp_path / "club.toml"
    mapping.write_text(ran.text, "utf-8")
    settings = read_mapping(ran.text)
    assert read_mapping(write_mapping(settings)) == settings
    first = tricklog("audit", path, "--variant", "pedro", "--json")
    assert first.text == tricklog("audit", path, "--mapping", str(mapping), "--json").text


def test_each_finding_names_its_cells_and_its_rule(
    rows: Rows, tmp_path: Path, tricklog: CommandLine
) -> None:
    rows[2][3] = 99
    rows[4][1] = rows[3][1]
    rows[6][8] = 555
    ran = tricklog("audit", kept(rows, tmp_path), "--variant", "pedro")
    assert ran.status == 1
    assert "bid-too-high at cell D3" in ran.text
    assert "wrong-dealer at cell B5" in ran.text
    assert "at cells I7 and J7" in ran.text
    assert "Rule 1.auction" in ran.text
    told = tricklog("audit", kept(rows, tmp_path), "--variant", "pedro", "--json")
    found = [each for line in told.text.splitlines() for each in json.loads(line)["findings"]]
    assert {"D3", "B5"} <= {each["cells"] for each in found}


def test_a_row_with_a_cell_that_cannot_be_read_is_refused_alone(
    rows: Rows, tmp_path: Path, tricklog: CommandLine
) -> None:
    rows[2][3] = "eight"
    rows[3][2] = "Zoe"
    ran = tricklog("audit", kept(rows, tmp_path), "--variant", "pedro")
    assert ran.status == 3
    assert "Row 3, column D (Bid): 'eight' is no bid." in ran.text
    assert "Row 4, column C (maker): 'Zoe' is no player of this game" in ran.text
    assert f"{len(written()) - 2} accepted" in ran.text


def test_a_sheet_is_loaded_again_without_a_second_hand(
    rows: Rows, tmp_path: Path, tricklog: CommandLine
) -> None:
    db = str(tmp_path / "db")
    load = ("load", kept(rows, tmp_path), "--variant", "pedro", "--db", db, "--json")
    assert json.loads(tricklog(*load).text)["accepted"] == len(written())
    assert json.loads(tricklog(*load).text)["duplicate"] == len(written())
    rows[-1][3] = 7
    rows.append(rows[-1])
    kept(rows, tmp_path)
    again = tricklog(*load)
    counts = json.loads(again.text)
    assert (counts["duplicate"], counts["quarantined"]) == (len(written()) - 1, 1)
    assert counts["accepted"] == 1
    assert "id-conflict" in again.stderr
    figures = tricklog("stats", "made-rate", "--db", db).text
    assert f"Records with gaps, {len(written())} here" in figures


def test_a_mapping_is_kept_for_sheets_with_the_same_header(
    rows: Rows, tmp_path: Path, tricklog: CommandLine
) -> None:
    rows[0][3] = "Height"
    path, db = kept(rows, tmp_path), str(tmp_path / "db")
    mapping = tmp_path / "club.toml"
    ran = tricklog("load", "--inspect", path, "--variant", "pedro")
    assert ran.text.count('means = "ignore"') == 1
    mapping.write_text(ran.text.replace('means = "ignore"', 'means = "bid"'), "utf-8")
    assert tricklog("load", path, "--mapping", str(mapping), "--db", db).status == 0
    again = tricklog("load", kept(rows, tmp_path, "next.csv"), "--db", db, "--json")
    assert json.loads(again.text)["accepted"] == len(written())
    assert "said of such a sheet before" in again.stderr


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


def test_headings_alone_say_which_columns_a_mapping_means(
    tmp_path: Path, tricklog: CommandLine
) -> None:
    mapping = tmp_path / "club.toml"
    mapping.write_text(BY_HEADINGS, "utf-8")
    for number, text in enumerate((STRANGE, STRANGE.replace("Foo,Bar,", "Bar,Foo,", 1))):
        path = tmp_path / f"{number}.csv"
        path.write_text(text, "utf-8")
        ran = tricklog("audit", str(path), "--mapping", str(mapping), "--json")
        makers = [json.loads(line)["maker"] for line in ran.text.splitlines()]
        assert makers == [[1, 2], [0, 1]][number]


def test_a_heading_of_the_mapping_that_is_not_there_is_told(
    tmp_path: Path, tricklog: CommandLine
) -> None:
    mapping, path = tmp_path / "club.toml", tmp_path / "club.csv"
    mapping.write_text(BY_HEADINGS.replace("Baz", "Bazz"), "utf-8")
    path.write_text(STRANGE, "utf-8")
    ran = tricklog("audit", str(path), "--mapping", str(mapping))
    assert "names a heading 'Bazz', which is not here; did you mean Baz?" in ran.stderr
    assert "column C 'Baz' (cell C1) is not used" in ran.stderr


def test_a_mapping_by_strange_headings_is_kept(tmp_path: Path, tricklog: CommandLine) -> None:
    mapping, path, db = tmp_path / "club.toml", tmp_path / "club.csv", str(tmp_path / "db")
    mapping.write_text(BY_HEADINGS, "utf-8")
    path.write_text(STRANGE, "utf-8")
    assert tricklog("load", str(path), "--mapping", str(mapping), "--db", db).status == 0
    again = json.loads(tricklog("load", str(path), "--db", db, "--json").text)
    assert (again["duplicate"], again["quarantined"]) == (2, 0)


def test_columns_that_are_not_used_are_told_once_each(
    tmp_path: Path, tricklog: CommandLine
) -> None:
    path = tmp_path / "club.csv"
    head = "Bidder,Bid,Beer,We,They,Mood\n"
    path.write_text(f"{head}Ann,8,3,9,5,\n{head}Bo,9,2,4,10,\n", "utf-8")
    ran = tricklog("audit", str(path), "--variant", "pedro", "--players", "Ann,Bo,Cy,Dee")
    assert ran.stderr.count("column C 'Beer' (cell C1) is not used") == 1
    assert "Mood" not in ran.stderr
    mapping = tmp_path / "club.toml"
    asked = tricklog("load", "--inspect", str(path), "--variant", "pedro")
    mapping.write_text(asked.text, "utf-8")
    said = tricklog("audit", str(path), "--mapping", str(mapping), "--players", "Ann,Bo,Cy,Dee")
    assert "not used" not in said.stderr


def test_headings_that_nobody_knows_are_a_question(tmp_path: Path, tricklog: CommandLine) -> None:
    path = tmp_path / "club.csv"
    path.write_text("Foo,Bar,Baz\nAnn,Bo,8\nBo,Cy,9\n", "utf-8")
    ran = tricklog("audit", str(path), "--variant", "pedro", "--players", "Ann,Bo,Cy,Dee")
    assert ran.status == 3
    assert "It is not known what A 'Foo', B 'Bar', C 'Baz' mean" in ran.text
    assert "tricklog load --inspect FILE" in ran.text
    assert "is no player" not in ran.text


def test_a_row_of_a_workbook_has_no_byte(rows: Rows, tmp_path: Path, tricklog: CommandLine) -> None:
    rows[2][3] = "eight"
    path = tmp_path / "club.xlsx"
    path.write_bytes(as_xlsx({"Friday": rows}))
    ran = tricklog("audit", str(path), "--variant", "pedro")
    assert "[Friday]:3" in ran.text
    assert "column D" in ran.text
    assert "byte" not in ran.text
    assert "\\x09" not in ran.text


def test_a_file_without_a_hand_is_told(tmp_path: Path, tricklog: CommandLine) -> None:
    for text, sentence in (("", "The file is empty"), ("Bidder,Bid\n", "No row of this file")):
        path = tmp_path / "empty.csv"
        path.write_text(text, "utf-8")
        ran = tricklog("audit", str(path), "--variant", "pedro")
        assert ran.status == 3
        assert sentence in ran.text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("audit", "a.csv"), "does not say which game"),
        (("audit", "a.csv", "b.jsonl", "--variant", "pedro"), "read apart from logs"),
        (("audit", "a.csv", "--variant", "pedroo"), "no variant 'pedroo'"),
        (("audit", "a.csv", "--variant", "pedro", "--house", "O999"), "--house names 'O999'"),
        (("audit", "a.csv", "--variant", "pedro", "--players", "Ann,Bo"), "--players"),
        (("audit", "a.csv", "--mapping", "none.toml"), "cannot be read"),
        (("load", "a.csv", "--variant", "pedro", "--follow"), "--follow is for logs"),
        (("load", "--inspect", "a.csv", "b.csv", "--variant", "pedro"), "one score sheet"),
        (("audit", "a.csv", "--from", "rlcard-29"), "--from is for logs"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    arguments: tuple[str, ...], sentence: str, tricklog: CommandLine, tmp_path: Path
) -> None:
    (tmp_path / "a.csv").touch()
    ran = tricklog(*arguments)
    assert ran.status == 2
    assert sentence in ran.stderr


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("variant = ", "not TOML"),
        ('varient = "pedro"', "did you mean variant"),
        ('[[column]]\nat = "A"\nmeans = "bidd"', "did you mean bid"),
        ('[[column]]\nat = "1"\nmeans = "bid"', "is no letter of a column"),
        ('[[column]]\nmeans = "bid"', "needs its heading"),
        ('[[column]]\nat = "A"\nmeans = "bid"\nof = "1"', "leave out of"),
        ('[[column]]\nat = "A"\nmeans = "score"\nof = "we"', "of is a number"),
    ],
)
def test_a_faulty_mapping_says_where_and_what_to_write(text: str, sentence: str) -> None:
    with pytest.raises(MappingError, match=sentence):
        read_mapping(text)


def test_three_years_are_loaded_without_a_finding(tmp_path: Path, tricklog: CommandLine) -> None:
    rows = SHEET.read_text("utf-8").splitlines(keepends=True)
    sheet, hands = tmp_path / SHEET.name, scaled(300, most=1500)
    sheet.write_text("".join(rows if is_thorough() else rows[: hands + 50]), "utf-8")
    ran = tricklog("load", sheet, "--variant", "pedro", "--db", tmp_path / "db", "--json")
    counts = json.loads(ran.text)
    assert counts["accepted"] > hands
    assert counts["findings"] == {}
    assert counts["quarantined"] == 0


def test_a_sheet_becomes_a_hand_log_with_pseudonyms(
    rows: Rows, tmp_path: Path, tricklog: CommandLine
) -> None:
    path = kept(rows, tmp_path, "Smiths-of-Oslo.csv")
    key = tmp_path / "club.key"
    key.write_text("sixteen-letters-")
    of_sheet = ("--variant", "pedro")
    plain = tricklog("convert", path, *of_sheet)
    assert (plain.status, len(plain.text.splitlines())) == (0, len(written()))
    hidden = tricklog("convert", path, *of_sheet, "--pseudonymise", str(key))
    assert hidden.status == 0
    assert "Ann" in plain.text
    for name in ("Ann", "ann", "Smiths", "smiths", '"ext"'):
        assert name not in hidden.text
    logs = [tmp_path / "plain.jsonl", tmp_path / "hidden.jsonl"]
    told = []
    for log, ran in zip(logs, (plain, hidden), strict=True):
        log.write_text(ran.text, "utf-8")
        audit = tricklog("audit", str(log), "--json").text.splitlines()
        told.append([json.loads(line)["scores"] for line in audit])
    assert told[0] == told[1]
    refused = tricklog("convert", path, "--pseudonymise", str(key))
    assert "does not say which game" in refused.stderr


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_of_a_long_sheet_the_first_rows_are_looked_at(
    ending: str, tmp_path: Path, tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = one_row_a_hand(scored("pedro", 2, 9), leave_out=["Game", "Hand", "Change"])
    rows[-1][3] = "eight"
    path = tmp_path / f"long.{ending}"
    path.write_bytes(as_csv(rows) if ending == "csv" else as_xlsx({"One": rows}))
    inspect = ("load", "--inspect", path, "--variant", "pedro")
    assert tricklog(*inspect).status == 3
    monkeypatch.setattr("tricklog.ingest.score_sheets.reader.MOST_READ", 6)
    ran = tricklog(*inspect)
    assert ran.status == 0
    assert "5 rows" in ran.text
    assert "This is of the first 6 rows" in ran.text
    assert 'means = "bid"' in ran.text
    (sheet,) = tricklog(*inspect, "--json").objects[0]["sheets"]
    assert (sheet["rows"]["hand"], sheet["is_cut"]) == (5, True)


COUNTED = {
    "phase": 1,
    "score": [],
    "sets": [{"round": 1, "bid": {"team": "vi", "points": 8},
              "score": [{"team": "vi", "points": 9}, {"team": "de", "points": 5}]}],
    "teams": ["vi", "de"],
}  # fmt: skip
"""What pidro-counter keeps of a game."""


def test_a_game_of_a_counter_says_what_to_write_and_is_read_by_that(
    tmp_path: Path, tricklog: CommandLine
) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(COUNTED), "utf-8")
    db = ("--db", str(tmp_path / "db"))
    told = "--variant pidro --players Ann,Bo,Cy,Dee"
    for command in (
        ("load", path, *db), ("load", path, "--players", "Ann,Bo,Cy,Dee", *db),
        ("audit", path), ("convert", path),
    ):  # fmt: skip
        ran = tricklog(*command)
        said = " ".join(ran.stderr.split())
        assert ran.status == 2
        assert "a game that pidro-counter keeps" in said
        assert told in said
    assert "1 accepted" in tricklog("load", path, *told.split(), *db).text
    assert told in next(iter(recognise_logs(path).values())).sentence
