"""How far means of few samples may be off (docs/ledger.md)."""

import random

import pytest

from tricklog.core.study.sampling import error_of, reach, reach_of, student

TABLE = {
    1: 12.706,
    2: 4.303,
    3: 3.182,
    4: 2.776,
    7: 2.365,
    8: 2.306,
    15: 2.131,
    19: 2.093,
    39: 2.023,
    120: 1.980,
}
"""Two-sided points of 95 % as they stand in printed tables."""


@pytest.mark.parametrize("freedom", TABLE)
def test_points_of_student_are_those_of_the_tables(freedom: int) -> None:
    assert student(freedom) == pytest.approx(TABLE[freedom], abs=6e-4)


def test_one_sample_and_equal_ones_leave_nothing_open() -> None:
    assert reach_of([5]) == reach_of([]) == reach_of([3, 3, 3]) == 0
    assert reach(1.0, 1) == 0


def test_reach_comes_near_the_normal_distribution_with_many_samples() -> None:
    reaches = [reach(1.0, count) for count in (2, 8, 40, 1_000, 1_000_000)]
    assert reaches == sorted(reaches, reverse=True)
    assert reaches[-1] == pytest.approx(1.96, abs=1e-3)


def test_of_eight_stocks_95_of_100_means_are_within_reach() -> None:
    """With 1.96 standard errors it would be 91."""
    chance = random.Random(8)
    tries, within, as_normal = 4_000, 0, 0
    for _ in range(tries):
        stocks = [chance.gauss(3, 2) for _ in range(8)]
        off = abs(sum(stocks) / 8 - 3)
        within += off <= reach_of(stocks)
        as_normal += off <= 1.96 * error_of(stocks)
    assert within / tries == pytest.approx(0.95, abs=0.012)
    assert as_normal / tries < 0.925
