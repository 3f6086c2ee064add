"""A long run of pairs: seasons of people of known temperaments, with and without a pair effect.

    python -m tests.long.pairs [--seasons 4] [--evenings 40] [--seed 1] [--careless 0.9]

In seasons without one nobody may be named: what pairs differ by is chance. In the others two
people who are alike play without thinking whenever they are partners, and the pair is to be found.
Prints a line for each season, then how often a pair was named and how often the planted one was.
"""

import random
import sys
import tempfile
from datetime import timedelta
from pathlib import Path

import polars as pl

from tests.kit.simulated_club import GAMES, LAST_EVENING, PEOPLE, TABLES, played, write_season
from tests.long import parser_of
from tricklog.core.bots.generate import Temperament
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.loading.loading import load
from tricklog.ingest.metrics.pairs import opponents, partners
from tricklog.schemas.hand import encode_hand

PAIR = ("steady-1", "steady-2")
OFTEN = 0.25
"""Chance that the pair is seated together whoever was drawn."""


def write_planted(path: Path, seed: int, evenings: int, careless: float) -> Path:
    """Write a season in which two people play carelessly when they are partners."""
    chance = random.Random(f"planted {seed}")
    others = [name for name in sorted(PEOPLE) if name not in PAIR]
    with path.open("wb") as log:
        for number in range(evenings * TABLES * len(GAMES)):
            drawn = chance.sample(sorted(PEOPLE), 4)
            if chance.random() < OFTEN:
                beside = chance.sample(others, 2)
                drawn = [PAIR[0], beside[0], PAIR[1], beside[1]]
            seated = {name: PEOPLE[name] for name in drawn}
            if set(PAIR) in ({drawn[0], drawn[2]}, {drawn[1], drawn[3]}):
                for name in PAIR:
                    reach = PEOPLE[name].reach
                    seated[name] = Temperament("careless together", reach, careless)
            variant = GAMES[number % len(GAMES)]
            day = LAST_EVENING - timedelta(days=number)
            for hand in played(variant, f"game {number}", day, seated, chance):
                log.write(encode_hand(hand) + b"\n")
    return path


def main() -> int:
    """Run, and print what was named."""
    arguments = parser_of(__doc__, seasons=4, evenings=40, seed=1, careless=0.9).parse_args()
    by_chance = found = 0
    for season in range(arguments.seasons):
        seed = arguments.seed + season
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            plain = write_season(folder / "plain.jsonl", seed, arguments.evenings)
            planted = write_planted(
                folder / "planted.jsonl", seed, arguments.evenings, arguments.careless
            )
            for log in (plain, planted):
                load(log, db=folder / log.stem)
            with open_facts(folder / "plain") as facts:
                named = [*_named(partners(facts).rows), *_named(opponents(facts).rows)]
            with open_facts(folder / "planted") as facts:
                told = _named(partners(facts).rows)
        by_chance += bool(named)
        found += PAIR in told
        print(
            f"season {seed}: by chance {named or 'nobody'}, planted {told or 'nobody'}", flush=True
        )
    print(
        f"{by_chance} of {arguments.seasons} seasons without an effect named somebody; the planted "
        f"pair was found in {found}"
    )
    return 0


def _named(rows: pl.DataFrame) -> list[tuple[str, str]]:
    return list(rows.filter("named").select("one", "other").iter_rows())


if __name__ == "__main__":
    sys.exit(main())
