"""Who is named of many, and in which places they stand."""

import math
import random

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.simulated_games import Setting, named_by_chance, surprises
from tests.kit.tiers import some
from tricklog.ingest.metrics.intervals import chance_of
from tricklog.ingest.metrics.naming import (
    FEWEST_OTHERS,
    corrected,
    in_two_digits,
    named_among,
    places,
    times_as_many,
)


def test_the_chance_of_a_difference_is_that_of_students_t() -> None:
    for t, freedom, expected in ((2.086, 20, 0.05), (2.776, 4, 0.05), (1.96, math.inf, 0.05)):
        assert chance_of(t, 1.0, freedom) == pytest.approx(expected, rel=0.02)
    assert chance_of(3.169, 1.0, 10) == pytest.approx(0.01, rel=0.03)
    assert chance_of(-2.0, 1.0, 30) == chance_of(2.0, 1.0, 30)
    assert chance_of(1.0, 0.0, 9) == chance_of(math.nan, 1.0, 9) == 1.0


@given(st.lists(st.floats(0, 1), max_size=12))
def test_corrected_chances_are_those_of_holm(chances: list[float]) -> None:
    """Step down: the smallest times how many there are, the next times one less, never falling."""
    found = corrected(chances)
    by_size = sorted(zip(chances, found, strict=True))
    for rank, (own, result) in enumerate(by_size):
        so_far = [(len(chances) - i) * each for i, (each, _) in enumerate(by_size[: rank + 1])]
        assert result == pytest.approx(min(1.0, max(so_far)))
        assert result >= own


def test_what_is_not_compared_takes_no_part() -> None:
    assert named_among([0.02, None, 0.9]) == [False, None, False]
    assert named_among([0.014, None, 0.9]) == [True, None, False]
    assert named_among([]) == []


def test_clear_differences_give_clear_places() -> None:
    found = places([0.3, -0.2, 0.1], [1e-6] * 3)
    assert found["place"].to_list() == [1, 3, 2]
    assert found["from_place"].equals(found["place"])
    assert found["to_place"].equals(found["place"])
    assert found["first"].to_list() == [1, 0, 0]
    lowest = places([0.3, -0.2, 0.1], [1e-6] * 3, lowest_first=True)
    assert lowest["place"].to_list() == [3, 1, 2]


def test_unsure_differences_are_drawn_together_and_share_the_places() -> None:
    found = places([0.02, -0.01, 0.0, -0.02], [0.01] * 4)
    assert (found["drawn"].abs() < 0.01).all()
    assert found["first"].sum() == pytest.approx(1)
    assert found["first"].is_between(0.1, 0.5).all()
    assert found.select("from_place", "to_place").unique().rows() == [(1, 4)]
    none = places([], [])
    assert none.is_empty()
    assert none.schema == found.schema


def test_of_many_who_are_alike_it_is_said_how_many_somebody_is_better_than() -> None:
    people, bots = FEWEST_OTHERS + 1, FEWEST_OTHERS
    differences = list(np.linspace(1, -1, people + bots + 1))
    like = ["person"] * people + ["bot"] * bots + [None]
    found = places(differences, [0.01] * len(like), like=like)
    assert found["better_than"][people:].null_count() == bots + 1
    of_people = found.head(people)
    shares = of_people["better_than"]
    assert shares[0] > 0.9
    assert shares[-1] < 0.1
    assert (of_people["better_low"] <= shares).all()
    assert (shares <= of_people["better_high"]).all()
    assert of_people["better_low"].min() >= 0  # type: ignore[operator]
    assert of_people["better_high"].max() <= 1  # type: ignore[operator]
    lowest = places(differences, [0.01] * len(like), lowest_first=True, like=like)
    assert lowest["better_than"][:people].to_list() == pytest.approx((1 - shares).to_list())
    alone = places(differences, [0.01] * len(like))["better_than"]
    assert alone.null_count() == len(like)


def test_ranges_of_shares_hold_the_true_ones_as_often_as_they_say() -> None:
    chance, held = np.random.default_rng(6), []
    for _ in range(20):
        true = chance.normal(0, 0.05, 100)
        noise = chance.uniform(0.0005, 0.004, 100)
        found = places(
            list(true + np.sqrt(noise) * chance.standard_normal(100)), list(noise), like=[0] * 100
        )
        shares = pl.Series(true.argsort().argsort() / 99)
        held += shares.is_between(found["better_low"], found["better_high"]).to_list()
    assert 0.87 < np.mean(held) < 0.94


def test_ranges_of_shares_are_half_as_wide_from_as_many_hands_on_as_is_said() -> None:
    chance = np.random.default_rng(7)
    true = chance.normal(0, 0.05, 100)

    def ranges(noise: float) -> tuple[float, float]:
        found = places(
            list(true + np.sqrt(noise) * chance.standard_normal(100)), [noise] * 100, like=[0] * 100
        )
        widths = (found["better_high"] - found["better_low"]).to_numpy()
        return float(widths.mean()), float(np.median(found["narrower"].to_numpy()))

    wide, times = ranges(0.0005)
    assert 4 < times < 10
    assert 0.4 < ranges(0.0005 / times)[0] / wide < 0.55


def test_hands_from_which_on_more_is_known_have_two_digits_and_none_where_it_takes_too_many() -> (
    None
):
    times = times_as_many(np.array([0.0, 0.1]), np.array([0.05, 0.09]), 0.01)
    assert 1 < times[0] < times[1]
    beyond = times_as_many(np.array([0.0]), np.array([0.1]), 0.01)
    hands = pl.Series("hands", [1234.0, 987.6, 3_951_234.5, np.nan])
    assert hands.to_frame().select(in_two_digits(pl.col("hands")))["hands"].to_list() == [
        *(1200, 990, 4_000_000, None)
    ]
    assert np.isfinite(times).all()
    assert np.isnan(beyond[0])


def test_who_is_alike_has_the_same_place() -> None:
    found = places([0.1, -0.1, 0.1, -0.1, -0.2], [0.003, 0.003, 0.003 + 1e-17, 0.003, 0.003])
    assert found["place"].to_list() == [1, 3, 1, 3, 5]
    assert (found["from_place"] <= found["place"]).all()
    assert (found["place"] <= found["to_place"]).all()


def test_a_page_says_the_same_twice() -> None:
    differences, variances = [0.1, 0.05, -0.02], [0.003, 0.002, 0.004]
    assert places(differences, variances).equals(places(differences, variances))


def test_places_hold_the_true_ones_as_often_as_they_say() -> None:
    chance = np.random.default_rng(5)
    held = []
    for _ in range(150):
        true = chance.normal(0, 0.05, 8)
        noise = chance.uniform(0.0005, 0.004, 8)
        found = places(list(true + np.sqrt(noise) * chance.standard_normal(8)), list(noise))
        ranks = pl.Series((-true).argsort().argsort() + 1)
        held += ranks.is_between(found["from_place"], found["to_place"]).to_list()
    assert np.mean(held) >= 0.9


@pytest.mark.parametrize("share", some([0.2, 0.9], 1))
def test_equals_are_named_in_one_club_of_twenty_at_most(share: float) -> None:
    """Three standard errors above 5 % are allowed for, with as many clubs as are tried."""
    named = named_by_chance(Setting(share, 0.03, 12), 8, clubs=120)
    assert named <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 120)


@pytest.mark.parametrize("variants", some([1, 2, 14], 1))
def test_differences_of_equals_surprise_as_often_as_they_say(variants: int) -> None:
    """In games of four that share their luck, in variants of which some have more hits.

    With fourteen variants each has seven games, and a figure of its own.
    """
    five, one = surprises(Setting(0.4, 0.05, 10), 120, variants)
    assert 0.03 <= five <= 0.075
    assert one <= 0.025


def test_one_who_differs_is_named() -> None:
    rng = random.Random(1)
    differences = [0.2, *(rng.gauss(0, 0.03) for _ in range(7))]
    chances = [chance_of(each, 0.03**2, 40) for each in differences]
    assert named_among(chances) == [True] + [False] * 7
