"""Intervals by games: always possible, as wide as the games scatter, and true as often as said."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.simulated_games import Setting, coverage, summed
from tricklog.ingest.metrics.intervals import Scale, Sums, interval, student, typical, wilson

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
def test_the_interval_of_a_share_is_possible_and_holds_the_share(
    games: list[tuple[int, int]], field: float
) -> None:
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


def test_a_known_interval_of_wilson() -> None:
    low, high = wilson(np.array([0.75]), np.array([20.0]), np.array([Z]))
    assert (low[0], high[0]) == (pytest.approx(0.5313, abs=1e-4), pytest.approx(0.8881, abs=1e-4))


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


def test_hits_in_every_case_say_more_the_more_games_there_are() -> None:
    widths = []
    for games in (5, 20, 80):
        low, high = ends(sums_of([(4.0, 4.0)] * games), 0.05, Scale.SHARE)
        assert high == 1
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize("games", [5, 20, 100])
@pytest.mark.parametrize("rho", [0.0, 0.15])
def test_the_interval_of_a_share_holds_the_truth_as_often_as_it_says(
    rho: float, games: int
) -> None:
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
def test_the_interval_of_an_amount_holds_the_truth_as_often_as_it_says(
    scale: Scale, games: int
) -> None:
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


def test_students_t_is_that_of_the_tables() -> None:
    known: dict[float, float] = {3: 3.18245, 4: 2.77645, 7: 2.36462, 10: 2.22814}
    known |= {20: 2.08596, 120: 1.97993, math.inf: Z}
    for freedom, t in known.items():
        assert student(np.array([freedom]), Z)[0] == pytest.approx(t, rel=0.003), freedom
    assert student(np.array([10.0]), 2.5758293035489004)[0] == pytest.approx(3.16927, rel=0.005)
