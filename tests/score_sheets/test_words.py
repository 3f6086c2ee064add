"""What card players of four languages write over and into the columns of a sheet."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.kit.log_lines import logged_field
from tests.kit.rule_cases import rows_in
from tests.kit.score_sheets import PEOPLE, hands_in, read_sheet
from tricklog.core.judging.standing import RESULTS_SAID
from tricklog.ingest.score_sheets import values
from tricklog.ingest.score_sheets.grid import column_of, letter
from tricklog.ingest.score_sheets.values import Bid, Result, marks_of, suits_of, trump, was_set
from tricklog.ingest.score_sheets.words import HEADERS, OPEN, Means, key
from tricklog.schemas.languages.current import LANGUAGES, in_language

TABLE = PEOPLE[:4]
ROWS = (
    ("2024-01-05", "Ann", "Bo", 8, "S", True, 5, 9),
    ("2024-01-05", "Bo", "Cy", 9, "H", False, 6, 8),
    ("2024-01-05", "Cy", "Dee", 7, "D", True, 4, 10),
    ("2024-01-05", "Dee", "Ann", 10, "C", True, 11, 3),
)


@pytest.mark.parametrize(
    ("sheet", "heading", "suits", "made", "lost"), rows_in(Path(__file__).with_name("words.txt"))
)
def test_a_sheet_says_the_same_in_each_language(
    sheet: str, heading: str, suits: str, made: str, lost: str, tmp_path: Path
) -> None:
    suit = dict(zip("SHDC", suits.split(), strict=True))
    lines = [heading]
    for *who, bid, named, is_made, we, they in ROWS:
        cells = (*who, bid, suit[named], made if is_made else lost, we, they)
        lines.append(",".join(map(str, cells)))
    hands = hands_in(read_sheet("\n".join(lines), tmp_path, "pedro", TABLE))
    fields = ("started_at", "dealer", "known.maker", "known.bid", "known.trump", "claimed.points")
    assert [*zip(*(logged_field(hands, field) for field in fields), strict=True)] == [
        (day, TABLE.index(dealer), TABLE.index(maker), bid, named, [we, they])
        for day, dealer, maker, bid, named, _, we, they in ROWS
    ], sheet
    # Where only what was set is marked, nothing is said of the others.
    unsaid = "made" if made else None
    assert logged_field(hands, "claimed.result") == [unsaid, "set", unsaid, unsaid]


def test_each_word_means_one_thing_or_is_a_question() -> None:
    assert all(Means(meaning) for meaning in HEADERS.values())
    assert all(key(word) == word for word in OPEN)


# --- Cells
Reads = Callable[[Any], object]
CELLS: list[tuple[Reads, dict[Any, object]]] = [
    (values.number, {
        "8": 8, "-7": -7, "−7": -7, "(7)": -7, "7-": -7, "+3": 3, "1 250": 1250, "1.250": 1250,
        "7,0": 7, "7.00": 7, 7.0: 7, "\u00a012 ": 12, "-": None,
    }),
    (values.date, dict.fromkeys(
        ["2024-01-05", "5.1.2024", "5/1/24", "Fri 5.1.2024", "5 Jan 2024", "January 5, 2024", 45296,
         "5. tammikuuta 2024", "5 de enero de 2024", "fre 5 januari 2024", "20240105",
         dt.date(2024, 1, 5),
         dt.datetime(2024, 1, 5, 19, 0)],  # noqa: DTZ001 - as a spreadsheet has it
        dt.date(2024, 1, 5),
    )),
    (values.bid, {
        8: Bid(8), "8 H": Bid(8, trump="H"), "Ann 8": Bid(8, "Ann"), "8 Ann": Bid(8, "Ann"),
        "Ann 8♠": Bid(8, "Ann", "S"), "83-double": Bid("83-double"), "28-56": Bid("28-56"),
        "Alla pass": Bid(is_passed=True), "-": None,
    }),
    (values.result, {
        "made": Result("made"), "set 2": Result("set", 2), "-1": Result("set", 1),
        "+2": Result("made", 2), -3: Result("set", 3), True: Result("made"),
        "bet med 2": Result("set", 2), "pieti": Result("set"), "cumplido": Result("made"),
        "hemgången": Result("made"), "Täytetty": Result("made"),
        "fallido por 2": Result("set", 2), "bet med 3": Result("set", 3),
    }),
    # Yes below a heading that asks for sets is set.
    (was_set, {
        "yes": Result("set"), "no": Result("made"), "bet": Result("set"), "x": Result("set"),
        "": None,
    }),
]  # fmt: skip
NOTHING: list[tuple[Reads, list[Any], str]] = [
    (values.number, ["7,5", "seven", 7.5, float("nan"), True, "1e3", "12345678901"], "number"),
    (values.date, ["31.2.2024", "soon", 12, True], "no d"),
    (values.bid, ["high", "Ann 8 in jest", "0", "9" * 101], "no bid"),
]


@pytest.mark.parametrize(
    ("reads", "cell", "value"),
    [(reads, cell, value) for reads, cells in CELLS for cell, value in cells.items()],
)
def test_a_cell_is_read_however_it_is_written(reads: Reads, cell: object, value: object) -> None:
    assert reads(cell) == value


def test_what_is_nothing_of_the_kind_is_refused() -> None:
    for reads, cell, why in [(reads, cell, why) for reads, cells, why in NOTHING for cell in cells]:
        with pytest.raises(ValueError, match=why):
            reads(cell)


def test_the_order_of_day_and_month_is_seen_from_the_column() -> None:
    assert not values.is_day_first(["1/5/2024", "1/12/2024", "1/26/2024"])
    assert values.is_day_first(["1/5/2024", "25/5/2024"])
    assert not values.is_day_first(["1/5/2024", "1/12/2024", "2/2/2024"])
    assert values.is_day_first(["1/5/2024", "8/5/2024"])
    assert values.date("1/5/2024", day_first=False) == dt.date(2024, 1, 5)


def test_columns_are_named_as_spreadsheets_name_them() -> None:
    assert [letter(each) for each in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]
    assert all(column_of(letter(each)) == each for each in range(1000))
    assert column_of("A1") is None


def test_letters_of_suits_are_those_of_the_language() -> None:
    for heading, letters, suits in (
        ("Trump", "SHDC", "SHDC"),
        ("Trumf", "SHRK", "SHDC"),
        ("Valtti", "PHRX", "SHDC"),
        ("Triunfo", "PCDT", "SHDC"),
        ("Triunfo", "SHDC", "SHDC"),
        ("Suit", "C", "C"),
    ):
        found = suits_of(heading, list(letters))
        assert [trump(letter, found) for letter in letters] == list(suits)


def test_a_letter_of_two_suits_is_a_question() -> None:
    with pytest.raises(ValueError, match="'R' may be ruter, ruutu or risti; write the suit out"):
        trump("R", suits_of("Valtti", ["P", "R"]))


def test_a_mark_says_what_columns_do() -> None:
    for heading, cells, mark, means in (
        ("Made", ["x", ""], "x", "made"),
        ("Result", ["x", "made"], "x", "set"),
        ("Result", ["x", ""], "x", ""),
        ("Cumplido", ["s", "n"], "s", "made"),
        ("Result", ["m", "s"], "s", "set"),
        ("Result", ["s"], "s", ""),
        ("Made", ["1", "0"], "0", "set"),
        ("Result", ["1", "0"], "1", ""),
        # A heading of both results answers no mark.
        *((each, ["x", ""], "x", "") for each in ("Made/set", "Hem/bet")),
        *((each, ["x", ""], "x", "") for each in ("Täytetty/pietissä", "Cumplido/fallido")),
    ):
        assert marks_of(heading, cells)[mark] == means
        assert "/" not in heading or HEADERS[key(heading)] == Means.RESULT


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_reports_are_read_in_each_language(language: str) -> None:
    with in_language(language):
        said = {str(RESULTS_SAID[result]): result for result in ("made", "set")}
    assert {cell: values.result(cell) for cell in said} == {
        cell: Result(result) for cell, result in said.items()
    }
