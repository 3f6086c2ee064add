"""Finding the weights by which the solver orders moves: what takes fewer positions is kept.

    python -m benchmarks.ordering trumps --minutes 10
    python -m benchmarks.ordering all --minutes 10 --seed 2

``trumps`` is the set for games in which only trumps have points, ``all`` the other one. Some
weights are changed at random, again and again, and a change stays if hands for practice take fewer
positions: half of the measure is the mean of all hands, half that of their logarithms, so that
neither the hardest nor the many easy ones decide alone. Other hands, which nothing was chosen by,
show what it has brought. The weights printed at the end go into ``replay/solver/weights.py``.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from tests.kit.open_play import set_on_board
from tricklog.core import generate, replay
from tricklog.core.compiled.solving import Place
from tricklog.core.engine.records import Rules, State
from tricklog.core.solver.answer import HAND
from tricklog.core.solver.weights import OF_ROW, OF_SET, WEIGHTS
from tricklog.core.study import Solver, open_hand
from tricklog.core.study.open_cards import Deed, deeds_of

SEED: Final = 4711
GAMES: Final = {
    "trumps": {
        "pedro": 140,
        "cinch": 20,
        "nicaragua": 20,
        "king-pedro": 40,
        "sixty-three": 30,
        "pitch-with-fives": 20,
    },
    "all": {"twenty-nine": 60, "lucknow": 16, "bangladesh": 16},
}
"""By set: hands of each game to practise on."""
LEAST: Final = 800
MOST: Final = 50_000
"""Hands that take fewer positions show nothing, those that take more too little for their time."""
STEPS: Final = (-200, -100, -50, -20, -10, -5, 5, 10, 20, 50, 100, 200)


class Practice(NamedTuple):
    """Hands of one game."""

    game: str
    rules: Rules
    hands: tuple[tuple[State, Sequence[Deed]], ...]


def hands_of(game: str, seed: int, count: int) -> Practice:
    """Return generated hands of a game, as they are when the play begins."""
    found = [each for each in (replay(hand) for hand in generate(game, count, seed)) if each.tricks]
    solver = Solver(found[0].rules, compiled=True)
    hands = []
    for each in found:
        first = open_hand(each, solver, budget=1).decisions[0].action
        hands.append((each.state_at(first), deeds_of(each.actions[first:])))
    return Practice(game, solver.rules, tuple(hands))


def positions(place: Place, practice: Practice) -> list[int]:
    """Return how many positions all of each hand takes."""
    counts = []
    for state, deeds in practice.hands:
        place.load(state, practice.rules, deeds, MOST, 0)
        place.run(HAND)
        counts.append(place.nodes)
    return counts


def measure(place: Place, practices: Sequence[Practice]) -> float:
    """Return one number for the positions that all hands take, the lower the better."""
    total = 0.0
    for practice in practices:
        counts = positions(place, practice)
        total += math.log(sum(counts) / len(counts))
        total += sum(math.log(count) for count in counts) / len(counts)
    return total / len(practices) / 2


def telling(place: Place, practice: Practice) -> Practice:
    """Return the hands of a game that are neither easy nor hard."""
    counts = positions(place, practice)
    hands = tuple(
        hand for hand, count in zip(practice.hands, counts, strict=True) if LEAST <= count < MOST
    )
    return practice._replace(hands=hands)


def improve(
    place: Place, practices: Sequence[Practice], first: int, seconds: float, chance: random.Random
) -> list[int]:
    """Change weights of the set that begins at ``first`` for some time; return the best found."""
    best = [*WEIGHTS]
    set_on_board(place, "weights", best)
    least, end = measure(place, practices), time.monotonic() + seconds
    while time.monotonic() < end:
        tried = [*best]
        for _ in range(chance.choice((1, 1, 2, 3))):
            tried[first + chance.randrange(OF_SET)] += chance.choice(STEPS)
        set_on_board(place, "weights", tried)
        found = measure(place, practices)
        if found < least:
            best, least = tried, found
            print(f"{least:.4f}", flush=True)
    return best


def show(place: Place, weights: Sequence[int], practices: Sequence[Practice]) -> None:
    """Print what hands take with some weights."""
    set_on_board(place, "weights", [*weights])
    for practice in practices:
        counts = sorted(positions(place, practice))
        mean = sum(counts) / len(counts)
        print(f"{practice.game}: median {counts[len(counts) // 2]:,}, mean {mean:,.0f}")


def main() -> None:
    """Look for better weights, and print them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("set", choices=GAMES)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    place = Place(compiled=True)
    first = 0 if given.set == "trumps" else OF_SET
    games = GAMES[given.set]
    practices = [telling(place, hands_of(game, SEED, count)) for game, count in games.items()]
    others = [hands_of(game, SEED + 1, count) for game, count in games.items()]
    show(place, WEIGHTS, others)
    chance = random.Random(given.seed)
    best = improve(place, practices, first, 60 * given.minutes, chance)
    show(place, best, others)
    cuts = first + OF_SET % OF_ROW
    print(best[first:cuts])
    for row in range(cuts, first + OF_SET, OF_ROW):
        print(best[row : row + OF_ROW])


if __name__ == "__main__":
    main()
