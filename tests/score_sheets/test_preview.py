"""What is said of a sheet before it is loaded is of its first rows."""

import pytest

from tricklog.ingest.score_sheets import files, reader
from tricklog.ingest.score_sheets.reader import preview
from tricklog.ingest.score_sheets.settings import SheetSettings

SETTINGS = SheetSettings(variant="pedro", players=("Ann", "Bo", "Cy", "Dee"))
HEAD = "Date;Dealer;Bidder;Bid;Points we;Points they;Score we;Score they\n"
ROW = "05.01.2024;Ann;Ann;9;14;0;14;0\n"


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MOST_READ", 5)


def test_of_a_long_sheet_the_first_rows_are_read_and_all_are_counted() -> None:
    wrong_later = ROW.replace(";9;", ";99;")
    read = preview((HEAD + 4 * ROW + 20 * wrong_later).encode(), "club.csv", SETTINGS)
    assert (read.rows_read, read.rows, read.hands) == (5, 25, 4)
    assert not read.refused
    short = preview((HEAD + 4 * ROW).encode(), "club.csv", SETTINGS)
    assert (short.rows_read, short.rows, short.hands) == (5, 5, 4)


def test_what_ends_a_sheet_beyond_the_first_rows_is_said_with_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(files, "MAX_ROWS", 11)
    (refused,) = preview((HEAD + ROW * 20).encode(), "club.csv", SETTINGS).refused
    assert refused.row == 12
    assert "more than 11 rows" in refused.why
