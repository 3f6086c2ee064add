"""Ratings of simulated players: intervals hold the truth, and nobody stands out by chance."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.kit.simulated_seasons import HANDS_OF_GAME, Season, in_pairs, mixed
from tests.kit.tiers import scaled
from tricklog.ingest.metrics.intervals import chance_of
from tricklog.ingest.metrics.naming import company, named_among, ranks_among
from tricklog.ingest.ratings.model import centred, over_time, rate, since_the_middle

AT_90 = 1.645


def test_intervals_hold_the_truth() -> None:
    held, held_apart = [], []
    for seed in range(scaled(8, most=48)):
        skills = np.random.default_rng(seed).normal(0, 1, 40)
        found = rate(Season(skills, mixed, 1000).lines(seed), 40)
        found = centred(found, np.zeros(40, np.int64))
        true = skills - skills.mean()
        error = np.sqrt(np.diag(found.covariance))
        held.append(np.abs(found.means - true) <= AT_90 * error)
        one, other = np.triu_indices(40, 1)
        variance = error[one] ** 2 + error[other] ** 2 - 2 * found.covariance[one, other]
        off = found.means[one] - found.means[other] - true[one] + true[other]
        held_apart.append(np.abs(off) <= AT_90 * np.sqrt(variance))
    assert 0.86 < np.mean(held) < 0.94
    assert 0.86 < np.mean(held_apart) < 0.94


def test_games_whose_hands_are_alike_widen_intervals() -> None:
    held = []
    skills = np.random.default_rng(5).normal(0, 1, 20)
    for seed in range(scaled(8, most=48)):
        found = centred(
            rate(Season(skills, mixed, 600, alike=6.0).lines(seed), 20), np.zeros(20, np.int64)
        )
        assert found.alike > 1.5
        error = np.sqrt(np.diag(found.covariance))
        held.append(np.abs(found.means - skills + skills.mean()) <= AT_90 * error)
    assert 0.84 < np.mean(held) < 0.97


def test_players_half_a_point_apart_are_in_order_nine_times_in_ten() -> None:
    right = []
    for seed in range(scaled(4, most=40)):
        skills = np.tile([-0.25, 0.25], 20)
        games = round(2750 * 40 / 4 / HANDS_OF_GAME)
        means = rate(Season(skills, mixed, games).lines(seed), 40).means
        right.append((means[1::2, None] > means[None, ::2]).mean())
    assert 0.84 < np.mean(right) < 0.96


@pytest.mark.parametrize(("share", "low", "high"), [(0.0, -0.03, 0.05), (1.0, 0.7, 1.0)])
def test_partners_are_told_apart_as_far_as_they_part(share: float, low: float, high: float) -> None:
    def lineup(chance: np.random.Generator, players: int) -> NDArray[np.int64]:
        return (mixed if chance.random() < share else in_pairs)(chance, players)

    skills = np.random.default_rng(7).normal(0, 1, 40)
    found = rate(Season(skills, lineup, 1000).lines(7), 40)
    apart = np.mean([found.apart(at, at + 1) for at in range(0, 40, 2)])
    assert low < apart < high


def test_the_deal_is_taken_out() -> None:
    skills = np.zeros(8)
    found = rate(Season(skills, mixed, 2000, deal=2.5).lines(3), 8)
    assert found.deal[0] == pytest.approx(2.5, abs=0.4)
    assert np.abs(found.means).max() < 0.5


def test_nobody_is_told_from_equals() -> None:
    named = 0
    for seed in range(scaled(10, most=100)):
        found = rate(Season(np.zeros(12), mixed, 300).lines(seed), 12)
        error = np.sqrt(np.diag(found.covariance))
        named += bool((np.abs(found.means) > 1.96 * error).any())
    assert named <= scaled(10, most=100) * 0.2


def test_shares_hold_the_truth_among_two_hundred() -> None:
    held, errors = [], []
    for seed in range(scaled(1, most=8)):
        skills = np.random.default_rng(seed).normal(0, 0.5, 200)
        found = rate(Season(skills, mixed, 5000).lines(seed), 200)
        share, low, high = company(found.drawn(1000, 1), ["people"] * 200)
        true = skills.argsort().argsort() / 199
        held.append((low <= true) & (true <= high))
        errors.append((share - true) ** 2)
    assert 0.85 < np.mean(held) < 0.97
    assert np.sqrt(np.mean(errors)) < 0.24


def test_places_come_with_their_interval() -> None:
    drawn = np.random.default_rng(1).normal([3.0, 0.0, 0.1, -5.0], 0.5, (2000, 4))
    place, low, high, first = ranks_among(drawn.mean(axis=0), drawn, 0.95)
    assert place.tolist() == [1, 3, 2, 4]
    assert low.tolist() == [1, 2, 2, 4]
    assert high.tolist() == [1, 3, 3, 4]
    assert first.tolist() == [1, 0, 0, 0]


def test_steady_players_come_out_steady() -> None:
    named, players, tried = 0, 16, scaled(6, most=60)
    for seed in range(tried):
        skills = np.random.default_rng(seed).normal(0, 0.7, players)
        lines = Season(skills, mixed, 500).lines(seed)
        found = rate(lines, players)
        change, error = since_the_middle(lines, lines.games // 10, found)
        chances = [chance_of(*each, np.inf) for each in zip(change, error**2, strict=True)]
        named += any(named_among(chances))
    assert named <= max(1, 0.05 * tried)


def test_who_becomes_better_is_found() -> None:
    games, players = 800, 10

    def skills_of(game: int) -> NDArray[np.float64]:
        skills = np.zeros(players)
        skills[0] = -2 if game < games / 2 else 2
        return skills

    lines = Season(np.zeros(players), mixed, games, skills_of=skills_of).lines(1)
    found = rate(lines, players)
    change, error = since_the_middle(lines, lines.games // 10, found)
    chances = [chance_of(*each, np.inf) for each in zip(change, error**2, strict=True)]
    assert named_among(chances)[0]
    assert change[0] > 0
    course = over_time(lines, lines.games // 10, found)
    assert np.isfinite(course.half_life)
    assert course.means[-1, 0] > course.means[35, 0]


def test_a_filter_errs_less_than_a_still_model_where_skill_drifts() -> None:
    games, players, weeks = 1500, 12, 50
    chance = np.random.default_rng(4)
    steps, kept = [chance.normal(0, 1, players)], 2 ** (-1 / 8)
    for _ in range(weeks - 1):
        steps.append(kept * steps[-1] + np.sqrt(1 - kept**2) * chance.normal(0, 1, players))
    lines = Season(
        np.zeros(players), mixed, games, skills_of=lambda game: steps[game * weeks // games]
    ).lines(4)
    found = rate(lines, players)
    course = over_time(lines, lines.games * weeks // games, found)
    assert course.half_life in {4, 8, 16}
    true = np.array(steps) - np.mean(steps, axis=1, keepdims=True)
    still = found.means - found.means.mean()
    moving = course.means - course.means.mean(axis=1, keepdims=True)
    assert ((moving - true) ** 2).mean() < ((still - true) ** 2).mean()
