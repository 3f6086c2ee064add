"""How right chances and ratings are: ``python -m tests.long.ratings [SEASONS]``.

On hands and players drawn at random by ``tests.kit.simulated_seasons``, so that what is true is
known. ``docs/chances.md`` and ``docs/rating.md`` have what it printed.
"""

import sys
from typing import Any, Final
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from openskill.models import PlackettLuce

from tests.kit.simulated_seasons import (
    HANDS_OF_GAME,
    Season,
    by_the_score,
    drawn_games,
    in_pairs,
    mixed,
    one_pool,
    pedro,
    snapshot_of,
    summed_facts,
    truth,
)
from tricklog.ingest.chances import chances_of, outcomes, table
from tricklog.ingest.chances.outcomes import hands_of
from tricklog.ingest.chances.table import ChanceTable
from tricklog.ingest.metrics.intervals import chance_of
from tricklog.ingest.metrics.naming import company, named_among
from tricklog.ingest.ratings import ratings_of
from tricklog.ingest.ratings.model import centred, over_time, rate, since_the_middle

SEASONS: Final = 20
AT_90: Final = 1.645


def say(what: str, *values: float | np.floating[Any]) -> None:
    """Print a line of results."""
    sys.stdout.write(f"{what}: {', '.join(f'{each:.3f}' for each in values)}\n")
    sys.stdout.flush()


def of_chances(seasons: int) -> None:
    """Print how far chances are off, by how many hands they come of."""
    true = ChanceTable(pedro(), truth())
    hands = hands_of(snapshot_of(drawn_games(1000, 10_000)), "pedro")
    scores = hands["dealers_before"].to_numpy(), hands["others_before"].to_numpy()
    really = true.chance(*scores)
    for count in (30, 100, 300, 1000, 3000, 10_000):
        errors, tenths, slopes = [], [], []
        for seed in range(max(2, seasons // 4)):
            found = chances_of(snapshot_of(drawn_games(seed, count)))
            said = found.models[0].table.chance(*scores)
            errors.append(np.sqrt(((said - really) ** 2).mean()))
            tenth = np.minimum((said * 10).astype(int), 9)
            tenths.append(max(abs((said - really)[tenth == at].mean()) for at in set(tenth)))
            slopes += [each.slope.slope for each in found.models if each.slope]
        say(f"{count} hands: r.m.s. error, worst tenth, slope", np.mean(errors), np.mean(tenths),
            np.mean(slopes) if slopes else np.nan)  # fmt: skip


def of_phases(seasons: int) -> None:
    """Print how far results bear out chances of sides that read the score, and in one pool."""
    slopes = []
    for seed in range(max(2, seasons // 2)):
        hands = snapshot_of(drawn_games(seed, 6000, by_the_score()))
        with patch.object(outcomes, "phase", one_pool), patch.object(table, "phase", one_pool):
            pooled = chances_of(hands)
        found = chances_of(hands), pooled
        slopes.append([each.models[0].slope.slope for each in found if each.models[0].slope])
    say("sides that read the score, slope by phases, in one pool", *np.mean(slopes, axis=0))


def of_ratings(seasons: int) -> None:
    """Print how often intervals hold the truth, and players come in the right order."""
    held, apart, named = [], [], 0
    for seed in range(seasons):
        skills = np.random.default_rng(seed).normal(0, 1, 40)
        lines = Season(skills, mixed, 1000).lines(seed)
        raw = rate(lines, 40)
        found = centred(raw, np.zeros(40, np.int64))
        off, error = found.means - skills + skills.mean(), np.sqrt(np.diag(found.covariance))
        held.append(np.abs(off) <= AT_90 * error)
        one, other = np.triu_indices(40, 1)
        variance = error[one] ** 2 + error[other] ** 2 - 2 * found.covariance[one, other]
        apart.append(np.abs(off[one] - off[other]) <= AT_90 * np.sqrt(variance))
        change, width = since_the_middle(lines, lines.games // 10, raw)
        named += any(
            named_among([chance_of(*each, np.inf) for each in zip(change, width**2, strict=True)])
        )
    say("90 % intervals hold the truth, differences", np.mean(held), np.mean(apart))
    say("seasons of steady players in which somebody is called changed", named / seasons)
    for hands in (300, 1000, 2750, 5000):
        right = []
        for seed in range(max(2, seasons // 4)):
            games = round(hands * 10 / HANDS_OF_GAME)
            means = rate(Season(np.tile([-0.25, 0.25], 20), mixed, games).lines(seed), 40).means
            right.append((means[1::2, None] > means[None, ::2]).mean())
        say(f"{hands} hands each, half a point apart: in the right order", np.mean(right))
    for share in (0.0, 0.05, 0.1, 0.25, 1.0):

        def lineup(chance: np.random.Generator, count: int, at: float = share) -> NDArray[np.int64]:
            return (mixed if chance.random() < at else in_pairs)(chance, count)

        found = rate(Season(np.random.default_rng(7).normal(0, 1, 40), lineup, 1000).lines(7), 40)
        told = [found.apart(at, at + 1) for at in range(0, 40, 2)]
        say(f"{share:.0%} of games mixed: partners separated", np.mean(told))


def of_company(seasons: int) -> None:
    """Print how sure the share of two hundred others is that somebody is better than."""
    for hands in (300, 1000, 3000, 10_000):
        held, width, errors = [], [], []
        for seed in range(max(1, seasons // 10)):
            skills = np.random.default_rng(seed).normal(0, 0.5, 200)
            games = round(hands * 50 / HANDS_OF_GAME)
            drawn = rate(Season(skills, mixed, games).lines(seed), 200).drawn(2000, 1)
            share, low, high = company(drawn, ["people"] * 200)
            true = skills.argsort().argsort() / 199
            held.append((low <= true) & (true <= high))
            width.append(high - low)
            errors.append((share - true) ** 2)
        say(f"{hands} hands each: range holds the truth, its width, r.m.s. error",
            np.mean(held), np.mean(width), np.sqrt(np.mean(errors)))  # fmt: skip


def of_narrowing() -> None:
    """Print how much narrower ranges are from as many hands on as it is said."""
    skills = np.random.default_rng(1).normal(0, 0.5, 200)

    def ranges(hands: float) -> tuple[float, float]:
        lines = Season(skills, mixed, round(hands * 50 / HANDS_OF_GAME)).lines(1)
        frame = ratings_of(summed_facts(lines)).frame
        width = (frame["better_high"] - frame["better_low"]).mean()
        return float(str(width)), float(str(frame["narrower_from"].median()))

    for hands in (400, 1000):
        wide, from_hands = ranges(hands)
        narrow, _ = ranges(from_hands)
        say(f"{hands} hands each, half as wide from {from_hands:,.0f}: widths", wide, narrow)


def of_drift(seasons: int) -> None:
    """Print the error of a filter and of a still model where half of a skill changes in 8 weeks."""
    games, players, weeks, kept = 1500, 12, 50, 2 ** (-1 / 8)
    still, moving = [], []
    for seed in range(seasons):
        chance = np.random.default_rng(seed)
        steps = [chance.normal(0, 1, players)]
        for _ in range(weeks - 1):
            new = np.sqrt(1 - kept**2) * chance.normal(0, 1, players)
            steps.append(kept * steps[-1] + new)
        skills = Season(
            np.zeros(players),
            mixed,
            games,
            skills_of=lambda game, steps=steps: steps[game * weeks // games],  # type: ignore[misc]
        )
        lines = skills.lines(seed)
        found = rate(lines, players)
        true = np.array(steps) - np.mean(steps, axis=1, keepdims=True)
        means = over_time(lines, lines.games * weeks // games, found).means
        still.append((found.means - found.means.mean() - true) ** 2)
        moving.append((means - means.mean(axis=1, keepdims=True) - true) ** 2)
    say("skill that drifts, r.m.s. error of a still model, of a filter",
        np.sqrt(np.mean(still)), np.sqrt(np.mean(moving)))  # fmt: skip


def of_games_won(seasons: int) -> None:
    """Print how often openskill has players in the right order, by games won."""
    for hands in (1000, 5000):
        right, by_hands = [], []
        for seed in range(max(2, seasons // 4)):
            skills, model = np.tile([-0.25, 0.25], 20), PlackettLuce()
            lines = Season(skills, mixed, round(hands * 10 / HANDS_OF_GAME)).lines(seed)
            rated = [model.rating() for _ in skills]
            for game in range(0, len(lines.gains), 2):
                row, gain = lines.players[game], lines.gains[game : game + 2].sum()
                teams = [[rated[each] for each in side] for side in (row[:2], row[2:])]
                found = model.rate(teams, ranks=[float(gain < 0), float(gain > 0)])
                for each, new in zip(row, [*found[0], *found[1]], strict=True):
                    rated[each] = new
            each = np.array([one.ordinal() for one in rated])
            right.append((each[1::2, None] > each[None, ::2]).mean())
            means = rate(lines, len(skills)).means
            by_hands.append((means[1::2, None] > means[None, ::2]).mean())
        say(f"{hands} hands each, half a point apart: right by games won, by hands",
            np.mean(right), np.mean(by_hands))  # fmt: skip


def main(seasons: int) -> None:
    """Print all of it."""
    of_narrowing()
    of_drift(seasons)
    of_games_won(seasons)
    of_chances(seasons)
    of_phases(seasons)
    of_ratings(seasons)
    of_company(seasons)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SEASONS)
