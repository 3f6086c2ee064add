"""Files that are no score sheets, or more than any: refused with a sentence, in bounded memory."""

import random
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.kit.log_lines import refused
from tests.kit.score_sheets import (
    PEOPLE,
    Rows,
    as_csv,
    as_ods,
    as_xlsx,
    hands_in,
    packed,
    read_sheet,
)
from tests.kit.tiers import scaled
from tricklog.ingest.score_sheets import files, reader
from tricklog.ingest.score_sheets.files import read_text_grid, read_workbook
from tricklog.ingest.score_sheets.grid import MAX_ROWS, SheetError
from tricklog.ingest.score_sheets.settings import SheetSettings

ROWS: Rows = [
    ["Bidder", "Bid", "Ann & Cy", "Bo & Dee", "Trump", "Result"],
    ["Ann", 8, 9, 5, "hearts", "made"],
    ["Bo", 7, 5, 9, "spades", "made"],
    ["Cy", 9, 10, 4, "clubs", "made"],
]


def with_sheet(sheet: str) -> bytes:
    return as_xlsx({"One": ROWS}, parts={"xl/worksheets/sheet1.xml": sheet})


def far_cell(at: str) -> bytes:
    return with_sheet(
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        f'<row><c r="{at}"><v>1</v></c></row></sheetData></worksheet>'
    )


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
    "repeated both ways": (as_ods({"A": ROWS}, last=repeated(10**6, 10**3)), "cells large"),
    "a number of repeats without end": (as_ods({"A": []}, last=repeated(10**20, 1)), "cells large"),
    "entities": (with_sheet(ENTITIES), "defines entities"),
    "XML that stops": (with_sheet("<worksheet><sheetData>"), "its XML ends"),
    "no workbook at all": (packed({"a.txt": "hello"}), "cannot be read"),
    "cut off": (as_xlsx({"One": ROWS})[:-200], "is damaged"),
    "an old workbook": (b"\xd0\xcf\x11\xe0" + bytes(600), "of an old kind"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_workbook_is_one_reject_with_a_hint(name: str, tmp_path: Path) -> None:
    made, sentence = HOSTILE[name]
    content = made if isinstance(made, bytes) else made()
    began = time.process_time()
    (line,) = read_sheet(content, tmp_path, name="club.xlsx")
    assert sentence in refused(line).message
    assert refused(line).hint
    assert time.process_time() - began < 60


def test_empty_rows_and_cells_repeated_to_the_end_are_nothing(tmp_path: Path) -> None:
    last = (
        '<table:table-row table:number-rows-repeated="1048000"><table:table-cell '
        'table:number-columns-repeated="16384"/></table:table-row>'
    )
    lines = read_sheet(as_ods({"A": ROWS}, last=last), tmp_path, name="club.ods")
    assert len(hands_in(lines)) == len(ROWS) - 1


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
    words += ["Bo & Dee"]
    for _ in range(scaled(40)):
        rows: Rows = [[chance.choice(words) for _ in range(6)] for _ in range(12)]
        lines = read_sheet(as_csv([*ROWS[:3], *rows]), tmp_path)
        assert [line.line for line in lines] == list(range(1, 16))
        for line in lines:
            assert line.hand is None or line.reject is None
            if line.reject is not None:
                said = line.reject.message
                assert line.reject.hint
                assert str(line.line) in said or any(each in said for each in OF_TABLES), said


@pytest.mark.parametrize(
    "content", [b"\0\x01\x02", b"\xff\xfea", b"\xef\xbb\xbf\xff", b"\x89PNG" + bytes(400)]
)
def test_bytes_that_are_no_text_are_refused(content: bytes, tmp_path: Path) -> None:
    (line,) = read_sheet(content, tmp_path)
    assert "no text" in refused(line).message


def test_a_byte_of_zero_refuses_its_row_alone(tmp_path: Path) -> None:
    text = b"Bidder,Bid,Ann & Cy,Bo & Dee\nAnn,8,9,5\nB\0o,9,4,10\nCy,7,8,6\n"
    _, first, second, third = read_sheet(text, tmp_path)
    assert first.hand
    assert third.hand
    assert "Row 3, column A: a byte of 0" in refused(second).message


def test_a_preview_of_a_long_sheet_is_of_its_first_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MOST_READ", 5)
    head = "Date;Dealer;Bidder;Bid;Points we;Points they;Score we;Score they\n"
    row = "05.01.2024;Ann;Ann;9;14;0;14;0\n"
    settings = SheetSettings("pedro", players=PEOPLE[:4])
    for later in (20, 0):
        text = head + 4 * row + later * row.replace(";9;", ";99;")
        read = reader.preview(text.encode(), "club.csv", settings)
        assert (read.rows_read, read.rows, read.hands) == (5, 5 + later, 4)
        assert not read.refused
    monkeypatch.setattr(files, "MAX_ROWS", 11)
    (told,) = reader.preview((head + row * 20).encode(), "club.csv", settings).refused
    assert told.row == 12
    assert "more than 11 rows" in told.why
