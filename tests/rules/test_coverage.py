"""The coverage register: every numbered rule is carried out and tested, and it tells the truth."""

from pathlib import Path

import pytest

from tests.regenerate import coverage
from tricklog.schemas.citations import citations


@pytest.fixture(scope="module")
def rows() -> list[coverage.Covered]:
    """The register, made once: the whole of the code and of the tests is read for it."""
    return coverage.made()


def complain(rows: list[coverage.Covered], what: str) -> None:
    if rows:
        listed = "".join(f"\n  {row.number}  {row.title}" for row in rows)
        pytest.fail(f"{len(rows)} numbers {what}:{listed}", pytrace=False)


def test_every_number_is_carried_out(rows: list[coverage.Covered]) -> None:
    complain([row for row in rows if not row.by], "are carried out by nothing that says so")


def test_every_number_is_tested(rows: list[coverage.Covered]) -> None:
    complain([row for row in rows if not row.tests], "are tested by nothing that says so")


def test_the_register_is_what_the_code_says(rows: list[coverage.Covered]) -> None:
    assert coverage.PAGE.read_text("utf-8") == coverage.rendered_page(rows), (
        f"it is out of date: {coverage.COMMAND}"
    )


def test_rulings_and_options_are_numbered_without_gaps() -> None:
    assert not coverage.UNTOLD.keys() & citations().keys()
    for kind in "SCO":
        found = [int(number[1:]) for number in coverage.numbers() if number[0] == kind]
        assert found == [*range(1, len(found) + 1)], kind


def test_a_number_that_no_page_has_says_what_to_do() -> None:
    with pytest.raises(KeyError, match="no O777: write its paragraph"):
        citations()["O777"]


def test_what_the_register_says_of_some_numbers(rows: list[coverage.Covered]) -> None:
    by_number = {row.number: row for row in rows}
    assert 'low_to = "winner"' in by_number["O17"].by
    assert "option of pedro: min_bid = 6, forced_bid = 6" in by_number["O01"].by
    assert 'empty_stock = "short"' in by_number["S13"].by
    assert "schemas/actions.py: _parse_bid" in by_number["S06"].by
    assert "replay/model.py: Finding" in by_number["S04"].by
    assert "tests/rules/cases/pedro/base.txt: discard" in by_number["T08"].tests
    assert "1.exchange" in by_number["T08"].by
    assert any("test_s06_" in test for test in by_number["S06"].tests)


def test_numbers_in_a_text() -> None:
    assert coverage.numbers_in("Sources: 1.rob; S03, S11 to S13 (O09).") == [
        *("S03", "S11", "S12", "S13", "O09")
    ]
    assert coverage.numbers_in("as in ``O01``, 'S13' or \"C07\", S1 and TS05") == []


def test_what_tests_a_number_exists(rows: list[coverage.Covered], repository: Path) -> None:
    for row in rows:
        for test in row.tests:
            file, _, name = test.partition(": ")
            assert name in (repository / file).read_text("utf-8"), test


def test_an_example_shows_rules_that_exist(rows: list[coverage.Covered]) -> None:
    known = set(citations())
    for row in rows:
        if row.number.startswith("T"):
            assert set(row.by) <= known, row.number
