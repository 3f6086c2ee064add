"""Filters are values: two that let the same through are the same, ranges of numbers among them."""

import pytest

from tricklog.ingest.metrics import DIMENSION, DIMENSIONS
from tricklog.ingest.metrics.filters import EVERYTHING, Filters, Range, is_number_or_range, range_of


@pytest.mark.parametrize(
    ("text", "within"),
    [
        ("10..", Range(10)),
        ("..-1", Range(None, -1)),
        ("7..9", Range(7, 9)),
        ("-3..-1", Range(-3, -1)),
        ("007..9", Range(7, 9)),
        ("7..7", Range(7, 7)),
    ],
)
def test_a_range_is_read_from_its_text(text: str, within: Range) -> None:
    assert range_of(text) == within
    assert is_number_or_range(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "..",
        "7",
        "-1",
        "7.9",
        "7...9",
        "7..9..",
        "x..",
        "\N{ARABIC-INDIC DIGIT SEVEN}..",
        "7..9\n",
        " 7..",
        "1e3..",
        "9" * 10,
    ],
)
def test_nothing_else_is_a_range(text: str) -> None:
    assert range_of(text) is None


@pytest.mark.parametrize("within", [Range(10), Range(None, -1), Range(7, 9), Range(-3, -1)])
def test_a_range_stands_in_filters_as_its_text(within: Range) -> None:
    filters = Filters.of({"bid": within})
    assert filters.values("bid") == (str(within),)
    assert filters == EVERYTHING.within("bid", *within)
    assert hash(filters) == hash(Filters.of({"bid": str(within)}))
    assert range_of(str(within)) == within


def test_a_range_of_one_number_is_that_and_without_ends_is_everything() -> None:
    assert EVERYTHING.within("margin", -1, -1) == Filters.of({"margin": "-1"})
    makers = Filters.of({"role": "maker"})
    assert makers.also("bid", "10..").within("bid") == makers
    assert Filters.of({"bid": Range()}) == EVERYTHING


def test_dimensions_of_numbers_are_those_whose_values_are_added_up_or_counted() -> None:
    numbers = {each.name for each in DIMENSIONS if each.is_number}
    assert {"bid", "margin", "trumps-held", "points-held", "stake", "hand-number"} <= numbers
    assert not numbers & {"day", "player", "card", "game", "session", "forced", "variant"}
    assert all(DIMENSION[name].ordered for name in numbers)
