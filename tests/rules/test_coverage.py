"""The coverage register: every numbered rule is carried out and tested, and it tells the truth."""

from pathlib import Path

import pytest

from replay.rulesets.coverage import Covered, register
from schemas.citations import citations
from tests.regenerate.coverage import (
    COMMAND,
    DATA,
    EXAMPLES,
    LAST,
    PAGE,
    UNTOLD,
    made,
    numbers,
    numbers_in,
    rendered_data,
    rendered_page,
)

ROWS = made()
BY_NUMBER = {row.number: row for row in ROWS}


def complain(rows: list[Covered], what: str) -> None:
    if rows:
        listed = "".join(f"\n  {row.number}  {row.title}" for row in rows)
        pytest.fail(f"{len(rows)} numbers {what}:{listed}", pytrace=False)


def test_every_number_is_carried_out() -> None:
    complain([row for row in ROWS if not row.by], "are carried out by nothing that says so")


def test_every_number_is_tested() -> None:
    complain([row for row in ROWS if not row.tests], "are tested by nothing that says so")


def test_the_register_is_what_the_code_says() -> None:
    assert DATA.read_bytes() == rendered_data(ROWS), f"it is out of date: {COMMAND}"
    assert PAGE.read_text("utf-8") == rendered_page(ROWS), f"it is out of date: {COMMAND}"
    assert register() == ROWS


def test_the_register_has_every_number_of_the_rules_pages() -> None:
    in_pages = {name for name in citations() if name[0] in "SCOT"}
    assert in_pages <= set(numbers())
    assert set(numbers()) - in_pages == set(UNTOLD)
    assert len(EXAMPLES) == 96
    assert len(numbers()) == len(set(numbers())) == sum(LAST.values()) + len(EXAMPLES)


def test_what_the_register_says_of_some_numbers() -> None:
    assert 'low_to = "winner"' in BY_NUMBER["O17"].by
    assert "option of pedro: min_bid = 6, forced_bid = 6" in BY_NUMBER["O01"].by
    assert 'empty_stock = "short"' in BY_NUMBER["S13"].by
    assert "schemas/actions.py: _parse_bid" in BY_NUMBER["S06"].by
    assert "replay/model.py: Finding" in BY_NUMBER["S04"].by
    assert "tests/rules/cases/pedro/base.toml: discard" in BY_NUMBER["T08"].tests
    assert "1.exchange" in BY_NUMBER["T08"].by
    assert any("test_s13_" in test for test in BY_NUMBER["S13"].tests)


def test_numbers_in_a_text() -> None:
    assert numbers_in("Sources: 1.rob; S03, S11 to S13 (O09).") == [
        "S03",
        "S11",
        "S12",
        "S13",
        "O09",
    ]
    assert numbers_in("as in ``O01``, 'S13' or \"C07\", S1 and TS05") == []


def test_what_tests_a_number_exists(repository: Path) -> None:
    for row in ROWS:
        for test in row.tests:
            file, _, name = test.partition(": ")
            assert name in (repository / file).read_text("utf-8"), test


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.number)
def test_an_example_shows_rules_that_exist(row: Covered) -> None:
    if row.number.startswith("T"):
        assert set(row.by) <= set(citations())
