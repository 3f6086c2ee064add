"""What is kept of uploads: names that lead nowhere else, and tables that hold no formulas."""

import csv
import io
import json
from datetime import date
from pathlib import Path

import pytest

from tricklog.dashboard.data import uploads
from tricklog.dashboard.kit import exports

FORMULAS = (
    "=1+1",
    "+1",
    "-1",
    "@sum",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "\u202e=1",
    "=cmd|' /C calc'!A0",
)


class Sent(io.BytesIO):
    def __init__(self, name: str, content: bytes) -> None:
        super().__init__(content)
        self.name = name


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("games.jsonl", "games.jsonl"),
        ("Åsas spel 7.jsonl.gz", "Åsas spel 7.jsonl.gz"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("C:\\logs\\a.jsonl", "a.jsonl"),
        ("/", "log"),
        ("", "log"),
        ("..", "log"),
        (".hidden.jsonl", "hidden.jsonl"),
        ("--db=x.jsonl", "db_x.jsonl"),
        ("-", "log"),
        ("<img src=x>.jsonl", "img src_x_.jsonl"),
        ("a\u202elnosj.jsonl", "a_lnosj.jsonl"),
        ("a\x00b\n.jsonl", "a_b_.jsonl"),
        ("$(rm -rf x);.jsonl", "rm -rf x__.jsonl"),
    ],
)
def test_the_name_of_an_upload_leads_nowhere(name: str, safe: str) -> None:
    assert uploads.safe_name(name) == safe


def test_a_long_name_keeps_its_ending() -> None:
    name = uploads.safe_name("x" * 500 + ".jsonl")
    assert len(name) == uploads.LONGEST
    assert name.endswith(".jsonl")
    assert len(uploads.safe_name("y" * 500)) == uploads.LONGEST


def test_uploads_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    sent = [Sent("a.jsonl", b"1"), Sent("../a.jsonl", b"2"), Sent("A.jsonl", b"3")]
    sent[0].read()
    paths = uploads.keep(sent, tmp_path)
    assert paths == ["uploaded/a.jsonl", "uploaded/2-a.jsonl", "uploaded/3-A.jsonl"]
    assert [(tmp_path / path).read_bytes() for path in paths] == [b"1", b"2", b"3"]
    assert {path.name for path in tmp_path.iterdir()} == {uploads.FOLDER}


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_of_a_table_begins_a_formula(text: str) -> None:
    told = exports.as_csv(["hand"], [[text]]).decode("utf-8-sig")
    (_, (cell,)) = csv.reader(io.StringIO(told))
    assert cell.startswith("'")
    assert "\u202e" not in cell


def test_numbers_days_and_text_stay_what_they_are_in_a_table() -> None:
    row = [-7, 0.5, None, date(2026, 11, 20), 'Åsa, "Lill"']
    told = exports.as_csv(list("abcde"), [row])
    assert told.startswith(b"\xef\xbb\xbf")
    (_, cells) = csv.reader(io.StringIO(told.decode("utf-8-sig")))
    assert cells == ["-7", "0.5", "", "2026-11-20", 'Åsa, "Lill"']


def test_rows_are_saved_as_json() -> None:
    rows: list[dict[str, object]] = [
        {"hand": "=1+1", "day": date(2026, 11, 20)},
        {"hand": "b", "day": None},
    ]
    assert json.loads(exports.as_json(rows)) == [
        {"hand": "=1+1", "day": "2026-11-20"},
        {"hand": "b", "day": None},
    ]
    assert json.loads(exports.as_json([])) == []
