"""Files that are no score sheets, or more than any: refused with a sentence, in bounded memory."""

import random
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.kit.score_sheets import Rows, as_csv, as_ods, as_xlsx, packed
from tests.kit.tiers import scaled
from tricklog.ingest.reading.log_line import LogLine
from tricklog.ingest.score_sheets.files import read_text_grid, read_workbook
from tricklog.ingest.score_sheets.grid import MAX_ROWS, SheetError
from tricklog.ingest.score_sheets.reader import read_sheets
from tricklog.ingest.score_sheets.settings import SheetSettings

ROWS: Rows = [
    ["Bidder", "Bid", "Ann & Cy", "Bo & Dee", "Trump", "Result"],
    ["Ann", 8, 9, 5, "hearts", "made"],
    ["Bo", 7, 5, 9, "spades", "made"],
    ["Cy", 9, 10, 4, "clubs", "made"],
]
SPACE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"


def read(content: bytes, folder: Path, name: str = "club.csv") -> list[LogLine]:
    path = folder / name
    path.write_bytes(content)
    return list(read_sheets(SheetSettings("pedro"), path))


def far_cell(at: str) -> bytes:
    sheet = (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        f'<row><c r="{at}"><v>1</v></c></row></sheetData></worksheet>'
    )
    return as_xlsx({"One": ROWS}, parts={"xl/worksheets/sheet1.xml": sheet})


def repeated(rows: int, columns: int) -> str:
    return (
        f'<table:table-row table:number-rows-repeated="{rows}"><table:table-cell '
        f'table:number-columns-repeated="{columns}" office:value-type="float" office:value="1">'
        "<text:p>1</text:p></table:table-cell></table:table-row>"
    )


def bomb() -> bytes:
    return as_xlsx({"One": ROWS}, parts={"xl/media/a.bin": "\0" * (129 << 20)})


ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><worksheet>&b;</worksheet>'
HOSTILE: dict[str, tuple[bytes | Callable[[], bytes], str]] = {
    "unpacks to 129 MiB": (bomb, "unpacks to"),
    "a cell in the last corner": (far_cell("XFD1048576"), "cells large"),
    "a cell in the last row": (far_cell("ZZ1048576"), "cells large"),
    "repeated in both directions": (
        as_ods({"A": ROWS}, last=repeated(10**6, 10**3)),
        "cells large",
    ),
    "a number of repeats without end": (as_ods({"A": []}, last=repeated(10**20, 1)), "cells large"),
    "entities": (
        as_xlsx({"One": ROWS}, parts={"xl/worksheets/sheet1.xml": ENTITIES}),
        "defines entities",
    ),
    "XML that stops": (
        as_xlsx({"One": ROWS}, parts={"xl/worksheets/sheet1.xml": "<worksheet><sheetData>"}),
        "its XML ends",
    ),
    "no workbook at all": (packed({"a.txt": "hello"}), "cannot be read"),
    "cut off": (as_xlsx({"One": ROWS})[:-200], "is damaged"),
    "an old workbook": (b"\xd0\xcf\x11\xe0" + bytes(600), "of an old kind"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_workbook_is_one_reject_with_a_hint(name: str, tmp_path: Path) -> None:
    made, sentence = HOSTILE[name]
    content = made if isinstance(made, bytes) else made()
    began = time.process_time()
    (line,) = read(content, tmp_path, "club.xlsx")
    assert line.reject
    assert sentence in line.reject.message
    assert line.reject.hint
    assert time.process_time() - began < 60


def test_empty_rows_and_cells_repeated_to_the_end_are_nothing(tmp_path: Path) -> None:
    last = (
        '<table:table-row table:number-rows-repeated="1048000"><table:table-cell '
        'table:number-columns-repeated="16384"/></table:table-row>'
    )
    lines = read(as_ods({"A": ROWS}, last=last), tmp_path, "club.ods")
    assert sum(line.hand is not None for line in lines) == len(ROWS) - 1
    assert not any(line.reject for line in lines)


def test_damage_anywhere_is_an_error_of_ours_and_no_other() -> None:
    chance = random.Random(1)
    for write in (as_xlsx, as_ods):
        whole = write({"One": ROWS[:4]})
        for _ in range(scaled(40)):
            content = bytearray(whole)
            for _ in range(3):
                content[chance.randrange(len(content))] = chance.randrange(256)
            with suppress(SheetError):
                read_workbook(bytes(content))


def test_rows_beyond_the_most_are_told_and_the_others_read() -> None:
    grid = read_text_grid(b"Bidder,Bid\n" + b"Ann,8\n" * (MAX_ROWS + 10))
    assert len(grid.rows) == MAX_ROWS
    assert grid.trouble
    assert f"row {MAX_ROWS + 1} on" in grid.trouble.message


OF_TABLES = ("sat where", "no side", "No column says")
"""What rejects say that are about a whole table and name no row."""


def test_every_row_has_a_fate_whatever_stands_in_it(tmp_path: Path) -> None:
    chance = random.Random(5)
    words = ["", "8", "Ann", "Total", "made", "5.1.2024", "-3", "x" * 70, "=A1", "9,5", "&"]
    words.append("Bo & Dee")
    for _ in range(scaled(40)):
        rows: Rows = [[chance.choice(words) for _ in range(6)] for _ in range(12)]
        content = as_csv([*ROWS[:3], *rows])
        lines = read(content, tmp_path)
        assert [line.line for line in lines] == list(range(1, 16))
        for line in lines:
            assert line.hand is None or line.reject is None
            if line.reject is not None:
                said = line.reject.message
                assert line.reject.hint
                assert str(line.line) in said or any(each in said for each in OF_TABLES), said


@pytest.mark.parametrize("content", [b"\0\x01\x02", b"\xff\xfea", b"\xef\xbb\xbf\xff"])
def test_bytes_that_are_no_text_are_refused(content: bytes, tmp_path: Path) -> None:
    (line,) = read(content, tmp_path)
    assert line.reject
    assert "no text" in line.reject.message


def test_a_byte_of_zero_refuses_its_row_alone(tmp_path: Path) -> None:
    text = b"Bidder,Bid,Ann & Cy,Bo & Dee\nAnn,8,9,5\nB\0o,9,4,10\nCy,7,8,6\n"
    _, first, second, third = read(text, tmp_path)
    assert first.hand
    assert third.hand
    assert second.reject
    assert "Row 3, column A: a byte of 0" in second.reject.message


def test_a_file_of_many_zeros_is_no_text(tmp_path: Path) -> None:
    (line,) = read(b"\x89PNG" + bytes(400), tmp_path)
    assert line.reject
    assert "is no text" in line.reject.message
