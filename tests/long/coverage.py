"""A long run of simulated players: how often 95 % intervals hold the truth, and who is named.

    python -m tests.long.coverage [--trials 400] [--seed 1]

Prints, for shares from 0.02 to 0.97 whose cases go together more or less, in how many of a hundred
the interval holds the true share from 5 to 300 games, and in how many clubs of equals somebody is
named. Exit status 1 when an interval was impossible, when fewer than 93 % hold the truth on the
average of the settings, or when somebody is named in more than 5 % of clubs.
"""

import sys

import numpy as np

from tests.kit.simulated_games import Setting, coverage, named_by_chance
from tests.long import parser_of

GAMES = (5, 10, 20, 50, 100, 300)
SETTINGS = [
    Setting(share, rho, cases)
    for cases in (12, 2)
    for rho in (0.0, 0.03, 0.15)
    for share in (0.02, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97)
]


def main() -> None:
    """Run, and print both tables."""
    arguments = parser_of(__doc__, trials=400, seed=1).parse_args()
    failed = not _print_coverage(arguments.trials, arguments.seed)
    failed |= not _print_named(arguments.trials, arguments.seed)
    sys.exit(failed)


def _print_coverage(trials: int, seed: int) -> bool:
    sound = True
    print(
        "| games | least | mean | most | from 93 to 98 | below 93 |\n|---:|---:|---:|---:|---:|---|"
    )
    for games in GAMES:
        found = {each: coverage(each, games, trials, seed) for each in SETTINGS}
        held = np.array([each[0] for each in found.values()]) * 100
        within = ((held >= 93) & (held <= 98)).mean()
        below = [
            f"{each.share:g} ({each.cases} a game, {each.rho:g}): {100 * result[0]:.1f}"
            for each, result in found.items()
            if result[0] < 0.93
        ]
        print(
            f"| {games} | {held.min():.1f} | {held.mean():.1f} | {held.max():.1f} | {within:.0%} | "
            f"{'; '.join(below) or 'none'} |",
            flush=True,
        )
        sound &= all(each[2] for each in found.values()) and held.mean() >= 93
    return sound


def _print_named(trials: int, seed: int) -> bool:
    sound = True
    print("\n| players | share | somebody named |\n|---:|---:|---:|")
    for players in (8, 35):
        for share in (0.05, 0.2, 0.5, 0.9):
            named = named_by_chance(Setting(share, 0.03, 12), players, trials, seed)
            print(f"| {players} | {share:g} | {named:.1%} |", flush=True)
            # Three standard errors above the 5 % that are promised.
            sound &= named <= 0.05 + 3 * (0.05 * 0.95 / trials) ** 0.5
    return sound


if __name__ == "__main__":
    main()
