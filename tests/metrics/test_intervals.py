"""Intervals by games, true as often as they say; who is named of many, and their places."""

import math
import random
from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.simulated_games import Setting, coverage, named_by_chance, summed, surprises
from tests.kit.tiers import some
from tricklog.ingest.metrics import naming
from tricklog.ingest.metrics.intervals import (
    Scale,
    Sums,
    chance_of,
    interval,
    student,
    typical,
    wilson,
)

Z = 1.959963984540054
COUNTS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=30)


def sums_of(games: Sequence[tuple[float, float]]) -> Sums:
    y, w = (np.array(column, float)[None, :] for column in zip(*games, strict=True))
    return summed(y, w)


def ends(sums: Sums, field: float, scale: Scale, least: float = 0.0) -> tuple[float, float]:
    low, high = interval(sums, np.array([field]), scale, least)
    return float(low[0]), float(high[0])


# --- Shares
@given(COUNTS, st.floats(-0.05, 1.0))
def test_intervals_of_shares_hold_the_share(games: list[tuple[int, int]], field: float) -> None:
    parts = [(hits, hits + misses) for hits, misses in games if hits + misses]
    if not parts:
        return
    low, high = ends(sums_of(parts), field, Scale.SHARE)
    value = sum(hits for hits, _ in parts) / sum(cases for _, cases in parts)
    assert 0 <= low <= value <= high <= 1
    assert low < high


@pytest.mark.parametrize(("hits", "n"), [(15, 20), (120, 400), (390, 400)])
def test_cases_that_stand_for_themselves_have_the_interval_of_wilson(hits: int, n: int) -> None:
    """Its ends are the shares from which the one seen is 1.96 standard errors away."""
    games = [(1.0, 1.0)] * hits + [(0.0, 1.0)] * (n - hits)
    for end in ends(sums_of(games), 0.0, Scale.SHARE):
        error = math.sqrt(end * (1 - end) / n)
        assert abs(hits / n - end) / error == pytest.approx(Z, rel=0.1)


def test_games_that_go_one_way_or_the_other_make_an_interval_wider() -> None:
    """Ten cases a game that all go alike say as much as one."""
    alike = [(10.0, 10.0), (0.0, 10.0)] * 10
    mixed = [(5.0, 10.0)] * 20
    low, high = ends(sums_of(alike), 0.05, Scale.SHARE)
    least, most = ends(sums_of(mixed), 0.05, Scale.SHARE)
    single = [(1.0, 1.0), (0.0, 1.0)] * 10
    lowest, highest = ends(sums_of(single), 0.0, Scale.SHARE)
    assert high - low > 2 * (most - least)
    assert high - low == pytest.approx(highest - lowest, rel=0.15)
    # A known interval of Wilson.
    known = [end.item() for end in wilson(np.array([0.75]), np.array([20.0]), np.array([Z]))]
    assert known == pytest.approx([0.5313, 0.8881], abs=1e-4)
    # Hits in every case say more, the more games there are.
    widths = []
    for games in (5, 20, 80):
        low, high = ends(sums_of([(4.0, 4.0)] * games), 0.05, Scale.SHARE)
        assert high == 1
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize("games", [5, 20, 100])
@pytest.mark.parametrize("rho", [0.0, 0.15])
def test_intervals_of_shares_hold_the_truth_as_often_as_they_say(rho: float, games: int) -> None:
    for share in (0.1, 0.5):
        held, _, sound = coverage(Setting(share, rho, 12), games, trials=150)
        assert sound
        assert 0.93 <= held <= 0.985, (share, held)


def test_the_correlation_of_the_cases_of_a_game_is_found() -> None:
    setting = Setting(0.4, 0.15, 12)
    sums = summed(*setting.games(np.random.default_rng(3), (40, 60)))
    assert typical(sums, Scale.SHARE) == pytest.approx(0.15, abs=0.03)
    assert typical(sums.of(sums.games < 0), Scale.SHARE) == 0.05


# --- Amounts
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 5)), min_size=2, max_size=30))
def test_an_amount_stays_above_its_least(games: list[tuple[int, int]]) -> None:
    """Each case adds one at least."""
    amounts = [(float(cases * each), float(cases)) for each, cases in games]
    value = sum(y for y, _ in amounts) / sum(w for _, w in amounts)
    low, high = ends(sums_of(amounts), math.nan, Scale.ABOVE, 1.0)
    if value == 1:
        assert math.isnan(low)
        assert math.isnan(high)
    else:
        assert 1 <= low <= value <= high


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=30))
def test_a_part_of_a_whole_stays_within_it(games: list[tuple[int, int]]) -> None:
    parts = [(float(own), float(own + others)) for own, others in games if own + others]
    if len(parts) < 2:
        return
    low, high = ends(sums_of(parts), 0.4, Scale.PART)
    value = sum(y for y, _ in parts) / sum(w for _, w in parts)
    assert 0 <= low <= value <= high <= 1


@pytest.mark.parametrize("games", [10, 40])
@pytest.mark.parametrize("scale", [Scale.FREE, Scale.ABOVE])
def test_intervals_of_amounts_hold_the_truth_as_often_as_they_say(scale: Scale, games: int) -> None:
    """Games of unlike length whose hands go alike: the hands alone would promise far too much.

    Their amounts are skew, which ten games cannot show in full.
    """
    chance = np.random.default_rng([games, len(scale.value)])
    held = []
    for _ in range(150):
        hands = chance.integers(4, 12, (8, games)).astype(float)
        luck = chance.gamma(9.0, 1 / 9.0, (8, games))
        amounts = hands * 3 * luck * chance.gamma(4.0, 1 / 4.0, (8, games))
        sums = summed(amounts, hands)
        low, high = interval(sums, np.full(8, typical(sums, scale)), scale)
        held += [(low <= 3) & (high >= 3)]
    assert (0.91 if games == 10 else 0.93) <= np.mean(held) <= 0.985


def test_students_t_and_chances_by_it_are_those_of_the_tables() -> None:
    known: dict[float, float] = {3: 3.18245, 4: 2.77645, 5: 2.57058, 7: 2.36462}
    known |= {10: 2.22814, 20: 2.08596, 25: 2.05954, 100: 1.98397, 120: 1.97993, math.inf: Z}
    for freedom, t in known.items():
        assert student(np.array([freedom]), Z)[0] == pytest.approx(t, rel=0.003), freedom
        # With three degrees of freedom the chance is off by a little more.
        off = 1e-3 if freedom > 3 else 2e-3
        assert chance_of(t, 1.0, freedom) == pytest.approx(0.05, abs=off), freedom
    assert student(np.array([10.0]), 2.5758293035489004)[0] == pytest.approx(3.16927, rel=0.005)
    assert chance_of(1.959964, 1.0, math.inf) == pytest.approx(0.05)
    assert chance_of(3.169, 1.0, 10) == pytest.approx(0.01, rel=0.03)
    assert chance_of(-2.0, 1.0, 30) == chance_of(2.0, 1.0, 30)
    assert chance_of(1.0, 0.0, 9) == chance_of(math.nan, 1.0, 9) == 1.0


# --- Who is named, and places


@given(st.lists(st.floats(0, 1), max_size=12))
def test_corrected_chances_are_those_of_holm(chances: list[float]) -> None:
    """Step down: the smallest times how many there are, the next times one less, never falling."""
    found = naming.corrected(chances)
    by_size = sorted(zip(chances, found, strict=True))
    for rank, (own, result) in enumerate(by_size):
        so_far = [(len(chances) - i) * each for i, (each, _) in enumerate(by_size[: rank + 1])]
        assert result == pytest.approx(min(1.0, max(so_far)))
        assert result >= own


def test_what_is_not_compared_takes_no_part() -> None:
    assert naming.named_among([0.02, None, 0.9]) == [False, None, False]
    assert naming.named_among([0.014, None, 0.9]) == [True, None, False]
    assert naming.named_among([]) == []
    found = naming.corrected_among([0.01, 0.04, None, 0.03, 0.6])
    assert found == pytest.approx([0.04, 0.09, None, 0.09, 0.6])
    assert naming.corrected_among([]) == []
    # One who differs is named.
    rng = random.Random(1)
    differences = [0.2, *(rng.gauss(0, 0.03) for _ in range(7))]
    chances = [chance_of(each, 0.03**2, 40) for each in differences]
    assert naming.named_among(chances) == [True] + [False] * 7


def test_clear_differences_give_clear_places() -> None:
    found = naming.places([0.3, -0.2, 0.1], [1e-6] * 3)
    assert found["place"].to_list() == [1, 3, 2]
    assert found["from_place"].equals(found["place"])
    assert found["to_place"].equals(found["place"])
    assert found["first"].to_list() == [1, 0, 0]
    lowest = naming.places([0.3, -0.2, 0.1], [1e-6] * 3, lowest_first=True)
    assert lowest["place"].to_list() == [3, 1, 2]
    # Unsure differences are drawn together and share the places.
    found = naming.places([0.02, -0.01, 0.0, -0.02], [0.01] * 4)
    assert (found["drawn"].abs() < 0.01).all()
    assert found["first"].sum() == pytest.approx(1)
    assert found["first"].is_between(0.1, 0.5).all()
    assert found.select("from_place", "to_place").unique().rows() == [(1, 4)]
    none = naming.places([], [])
    assert none.is_empty()
    assert none.schema == found.schema


def test_of_many_who_are_alike_it_is_said_how_many_somebody_is_better_than() -> None:
    people, bots = naming.FEWEST_OTHERS + 1, naming.FEWEST_OTHERS
    differences = list(np.linspace(1, -1, people + bots + 1))
    like = ["person"] * people + ["bot"] * bots + [None]
    found = naming.places(differences, [0.01] * len(like), like=like)
    assert found["better_than"][people:].null_count() == bots + 1
    of_people = found.head(people)
    shares = of_people["better_than"]
    assert shares[0] > 0.9
    assert shares[-1] < 0.1
    assert (of_people["better_low"] <= shares).all()
    assert (shares <= of_people["better_high"]).all()
    assert of_people["better_low"].min() >= 0  # type: ignore[operator]
    assert of_people["better_high"].max() <= 1  # type: ignore[operator]
    lowest = naming.places(differences, [0.01] * len(like), lowest_first=True, like=like)
    assert lowest["better_than"][:people].to_list() == pytest.approx((1 - shares).to_list())
    alone = naming.places(differences, [0.01] * len(like))["better_than"]
    assert alone.null_count() == len(like)


def test_ranges_of_shares_hold_the_true_ones_as_often_as_they_say() -> None:
    chance, held = np.random.default_rng(6), []
    for _ in range(20):
        true = chance.normal(0, 0.05, 100)
        noise = chance.uniform(0.0005, 0.004, 100)
        seen = true + np.sqrt(noise) * chance.standard_normal(100)
        found = naming.places(list(seen), list(noise), like=[0] * 100)
        shares = pl.Series(true.argsort().argsort() / 99)
        held += shares.is_between(found["better_low"], found["better_high"]).to_list()
    assert 0.87 < np.mean(held) < 0.94


def test_ranges_of_shares_are_half_as_wide_from_as_many_hands_on_as_is_said() -> None:
    chance = np.random.default_rng(7)
    true = chance.normal(0, 0.05, 100)

    def ranges(noise: float) -> tuple[float, float]:
        seen = true + np.sqrt(noise) * chance.standard_normal(100)
        found = naming.places(list(seen), [noise] * 100, like=[0] * 100)
        widths = (found["better_high"] - found["better_low"]).to_numpy()
        return float(widths.mean()), float(np.median(found["narrower"].to_numpy()))

    wide, times = ranges(0.0005)
    assert 4 < times < 10
    assert 0.4 < ranges(0.0005 / times)[0] / wide < 0.55


def test_hands_from_which_on_more_is_known_have_two_digits_or_are_too_many() -> None:
    times = naming.times_as_many(np.array([0.0, 0.1]), np.array([0.05, 0.09]), 0.01)
    assert 1 < times[0] < times[1]
    beyond = naming.times_as_many(np.array([0.0]), np.array([0.1]), 0.01)
    hands = pl.Series("hands", [1234.0, 987.6, 3_951_234.5, np.nan])
    assert hands.to_frame().select(naming.in_two_digits(pl.col("hands")))["hands"].to_list() == [
        *(1200, 990, 4_000_000, None)
    ]
    assert np.isfinite(times).all()
    assert np.isnan(beyond[0])


def test_who_is_alike_has_the_same_place() -> None:
    found = naming.places([0.1, -0.1, 0.1, -0.1, -0.2], [0.003, 0.003, 0.003 + 1e-17, 0.003, 0.003])
    assert found["place"].to_list() == [1, 3, 1, 3, 5]
    assert (found["from_place"] <= found["place"]).all()
    assert (found["place"] <= found["to_place"]).all()
    # A page says the same twice.
    differences, variances = [0.1, 0.05, -0.02], [0.003, 0.002, 0.004]
    assert naming.places(differences, variances).equals(naming.places(differences, variances))


def test_places_hold_the_true_ones_as_often_as_they_say() -> None:
    chance = np.random.default_rng(5)
    held = []
    for _ in range(150):
        true = chance.normal(0, 0.05, 8)
        noise = chance.uniform(0.0005, 0.004, 8)
        found = naming.places(list(true + np.sqrt(noise) * chance.standard_normal(8)), list(noise))
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
