"""What people write in cells."""

import datetime as dt

import pytest

from tricklog.ingest.score_sheets import values
from tricklog.ingest.score_sheets.grid import Value, column_of, letter
from tricklog.ingest.score_sheets.values import Bid, Result


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("8", 8),
        ("-7", -7),
        ("−7", -7),
        ("(7)", -7),
        ("7-", -7),
        ("+3", 3),
        ("1 250", 1250),
        ("1.250", 1250),
        ("7,0", 7),
        ("7.00", 7),
        (7.0, 7),
        ("\u00a012 ", 12),
        ("-", None),
    ],
)
def test_numbers_are_read_however_they_are_written(cell: Value, number: int | None) -> None:
    assert values.number(cell) == number


@pytest.mark.parametrize("cell", ["7,5", "seven", 7.5, float("nan"), True, "1e3", "12345678901"])
def test_what_is_no_whole_number_is_refused(cell: Value) -> None:
    with pytest.raises(ValueError, match=r"number|larger"):
        values.number(cell)


@pytest.mark.parametrize(
    "cell",
    [
        "2024-01-05",
        "5.1.2024",
        "5/1/24",
        "Fri 5.1.2024",
        "5 Jan 2024",
        "January 5, 2024",
        45296,
        "5. tammikuuta 2024",
        "5 de enero de 2024",
        "fre 5 januari 2024",
        "20240105",
        dt.date(2024, 1, 5),
        dt.datetime(2024, 1, 5, 19, 0),  # noqa: DTZ001 - as a spreadsheet has it
    ],
)
def test_dates_are_read_however_they_are_written(cell: Value) -> None:
    assert values.date(cell) == dt.date(2024, 1, 5)


@pytest.mark.parametrize("cell", ["31.2.2024", "soon", 12, True])
def test_what_is_no_date_is_refused(cell: Value) -> None:
    with pytest.raises(ValueError, match="no d"):
        values.date(cell)


def test_the_order_of_day_and_month_is_seen_from_the_column() -> None:
    assert not values.is_day_first(["1/5/2024", "1/12/2024", "1/26/2024"])
    assert values.is_day_first(["1/5/2024", "25/5/2024"])
    assert not values.is_day_first(["1/5/2024", "1/12/2024", "2/2/2024"])
    assert values.is_day_first(["1/5/2024", "8/5/2024"])
    assert values.date("1/5/2024", day_first=False) == dt.date(2024, 1, 5)


@pytest.mark.parametrize(
    ("cell", "bid"),
    [
        (8, Bid(8)),
        ("8 H", Bid(8, trump="H")),
        ("Ann 8", Bid(8, "Ann")),
        ("8 Ann", Bid(8, "Ann")),
        ("Ann 8♠", Bid(8, "Ann", "S")),
        ("83-double", Bid("83-double")),
        ("28-56", Bid("28-56")),
        ("Alla pass", Bid(is_passed=True)),
        ("-", None),
    ],
)
def test_bids_may_have_who_bid_and_trumps_beside_them(cell: Value, bid: Bid | None) -> None:
    assert values.bid(cell) == bid


@pytest.mark.parametrize("cell", ["high", "Ann 8 in jest", "0", "9" * 101])
def test_what_is_no_bid_is_refused(cell: Value) -> None:
    with pytest.raises(ValueError, match="no bid"):
        values.bid(cell)


@pytest.mark.parametrize(
    ("cell", "result"),
    [
        ("made", Result("made")),
        ("set 2", Result("set", 2)),
        ("-1", Result("set", 1)),
        ("+2", Result("made", 2)),
        (-3, Result("set", 3)),
        (True, Result("made")),
        ("bet med 2", Result("set", 2)),
        ("pieti", Result("set")),
        ("cumplido", Result("made")),
    ],
)
def test_results_are_read_in_four_languages_and_by_sign(cell: Value, result: Result) -> None:
    assert values.result(cell) == result


def test_columns_are_named_as_spreadsheets_name_them() -> None:
    assert [letter(each) for each in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]
    assert all(column_of(letter(each)) == each for each in range(1000))
    assert column_of("A1") is None
