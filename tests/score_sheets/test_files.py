"""Files of score sheets: those that are none, or more than any, and sheets in many shapes."""

import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit import score_sheets
from tests.kit.log_lines import logged_field, reject_of
from tests.kit.score_sheets import (
    PEOPLE,
    Rows,
    as_csv,
    as_ods,
    as_xlsx,
    game_numbers,
    hands_in,
    packed,
    read_sheet,
)
from tests.kit.tiers import scaled, some
from tests.regenerate.samples import SAMPLES
from tricklog import Hand, decode_hand, ingest, variants
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
    assert sentence in reject_of(line).message
    assert reject_of(line).hint
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
    assert "no text" in reject_of(line).message


def test_a_byte_of_zero_refuses_its_row_alone(tmp_path: Path) -> None:
    text = b"Bidder,Bid,Ann & Cy,Bo & Dee\nAnn,8,9,5\nB\0o,9,4,10\nCy,7,8,6\n"
    _, first, second, third = read_sheet(text, tmp_path)
    assert first.hand
    assert third.hand
    assert "Row 3, column A: a byte of 0" in reject_of(second).message


# --- Sheets written from generated games in many shapes say the same
def agree(hands: Sequence[Hand], written: Sequence[score_sheets.Scored]) -> None:
    """Every hand has the scores that were written, and games are parted alike."""
    assert logged_field(hands, "claimed.scores") == [list(each.scores) for each in written]
    games = list(dict.fromkeys(each.game for each in written))
    assert game_numbers(hands) == [games.index(each.game) for each in written]


SHAPES: dict[str, list[str]] = {
    "all": [],
    "scores alone": ["Points", "Change", "Hand", "Game", "Dealer"],
    "changes alone": ["Points", "Score", "Game"],
    "points and scores": ["Change", "Hand", "Trump"],
    "no results": ["Result", "Trump", "Date"],
}


def two_games(variant: str) -> tuple[score_sheets.Scored, ...]:
    """Games of the samples, which bots need not play first."""
    if variant in {"sancho", "snoozer"}:
        # Where all play for themselves, a sheet seats who deals first as the first.
        return score_sheets.scored(variant, 2, 3)
    (sample, *_) = (each for each in SAMPLES if each.variant == variant and not each.options)
    hands = [decode_hand(line) for line in sample.path.read_bytes().splitlines()]
    games = list(dict.fromkeys(hand.game for hand in hands))[:2]
    return score_sheets.as_scored(hand for hand in hands if hand.game in games)


@pytest.mark.parametrize("variant", some(variants(), 5))
def test_every_game_comes_back_with_its_scores(variant: str, tmp_path: Path) -> None:
    written = two_games(variant)
    for name, left_out in SHAPES.items():
        rows = score_sheets.one_row_a_hand(written, leave_out=left_out)
        agree(hands_in(read_sheet(as_csv(rows), tmp_path, variant)), written)
        if name in ("all", "scores alone"):
            audit = ingest.audit(tmp_path / "club.csv", adapter=SheetSettings(variant).reader)
            assert {code for item in audit for code in item.findings} == set(), name
    rows = score_sheets.game_by_game(written)
    agree(hands_in(read_sheet(as_csv(rows), tmp_path, variant)), written)


@settings(max_examples=scaled(25))
@given(
    language=st.sampled_from(sorted(score_sheets.HEADINGS)),
    shape=st.sampled_from(sorted(SHAPES)),
    written_as=st.fixed_dictionaries(
        {
            "delimiter": st.sampled_from(",;\t|"),
            "encoding": st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
            "dates": st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%d %b %Y", "%d.%m.%y"]),
            "line_end": st.sampled_from(["\n", "\r\n", "\r"]),
        }
    ),
    seed=st.integers(1, 4),
)
def test_how_it_is_written_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory,
    language: str,
    shape: str,
    written_as: dict[str, str],
    seed: int,
) -> None:
    written = score_sheets.scored("pedro", 2, seed)
    rows = score_sheets.one_row_a_hand(written, language, leave_out=SHAPES[shape])
    hands = hands_in(read_sheet(as_csv(rows, **written_as), tmp_path_factory.getbasetemp()))
    agree(hands, written)
    if "Date" not in SHAPES[shape]:
        assert logged_field(hands, "started_at") == [each.date.isoformat() for each in written]
    assert logged_field(hands, "known.bid") == [each.bid for each in written]


@pytest.mark.parametrize("suffix", ["xlsx", "ods"])
def test_workbooks_say_what_the_text_says(suffix: str, tmp_path: Path) -> None:
    written = score_sheets.scored("pedro", 4, 2)
    sheets: dict[str, score_sheets.Rows] = {
        "Spring": score_sheets.one_row_a_hand([each for each in written if each.game <= 2]),
        "Autumn": score_sheets.one_row_a_hand([each for each in written if each.game > 2]),
    }
    content = as_xlsx(sheets) if suffix == "xlsx" else as_ods(sheets)
    lines = read_sheet(content, tmp_path, name=f"club.{suffix}")
    agree(hands_in(lines), written)
    assert {line.file.rpartition("[")[2] for line in lines} == {"Spring]", "Autumn]"}


def test_merged_headings_and_values_of_formulas_are_read(tmp_path: Path) -> None:
    written = score_sheets.scored("pedro", 1, 2)
    rows: score_sheets.Rows = [
        ["Bidder", "Bid", "Points", None, "Score", None],
        [None, None, "Ann & Cy", "Bo & Dee", "Ann & Cy", "Bo & Dee"],
    ]
    for number, each in enumerate(written, 3):
        scores: list[score_sheets.Cell] = [f"=E{number - 1}+1|{each.scores[0]}", each.scores[1]]
        rows.append([each.names[each.maker or 0], each.bid, *each.points, *scores])
    content = as_xlsx({"One": rows}, merged=["A1:A2", "B1:B2", "C1:D1", "E1:F1"])
    hands = hands_in(read_sheet(content, tmp_path, name="club.xlsx"))
    agree(hands, written)
    assert logged_field(hands, "claimed.points") == [list(each.points) for each in written]


def test_merged_cells_of_the_open_format_are_read(tmp_path: Path) -> None:
    written = score_sheets.scored("pedro", 2, 2)
    rows: score_sheets.Rows = [
        ["Date", "Bidder", "Bid", "Points", None],
        [None, None, None, "Ann & Cy", "Bo & Dee"],
    ]
    merged = [(0, 0, 2, 1), (0, 1, 2, 1), (0, 2, 2, 1), (0, 3, 1, 2)]
    for _, evening in groupby(written, key=lambda each: each.date):
        hands = list(evening)
        merged.append((len(rows), 0, len(hands), 1))
        for number, each in enumerate(hands):
            date = None if number else each.date
            rows.append([date, each.names[each.maker or 0], each.bid, *each.points])
    content = as_ods({"One": rows}, merged=merged)
    found = hands_in(read_sheet(content, tmp_path, name="club.ods"))
    assert logged_field(found, "claimed.points") == [list(each.points) for each in written]
    assert logged_field(found, "started_at") == [each.date.isoformat() for each in written]


def test_a_row_may_go_over_lines_and_is_counted_by_its_first(tmp_path: Path) -> None:
    content = 'Bidder,Bid,We,They,Note\nAnn,8,9,5,"a long\nevening"\nBo,7,5,9,\n'
    lines = read_sheet(content, tmp_path, "pedro", PEOPLE[:4])
    assert [(line.line, line.byte) for line in lines] == [(1, 0), (2, 24), (4, 51)]
    assert logged_field(hands_in(lines), "remark") == ["a long\nevening", None]
