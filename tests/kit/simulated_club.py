"""A season of a club of eight simulated people whose temperaments are known.

Figures about people can be checked on it: they have to find who bids above their cards and who
plays badly, and must not find a difference between people who are alike.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from tests.kit.log_lines import write_lines
from tests.kit.support import hand_of
from tricklog import Hand, Player, encode_hand, load_variant
from tricklog.core.bots.generate import Bot, Temperament, play_game, practised

EVENINGS: Final = 40
GAMES: Final = ("king-pedro", "sixty-three", "pedro")
"""What is played on an evening, each once at each table."""
TABLES: Final = 2
SEATS: Final = 4
LAST_EVENING: Final = date(2026, 11, 20)

IMPROVING: Final = "improving"
"""Who plays fewer cards without thinking from evening to evening, none on the last."""
PEOPLE: Final = {
    "bold": Temperament("bold", 0.35, 0.0),
    "slight": Temperament("slightly bold", 0.1, 0.0),
    "careful-1": Temperament("careful", -0.35, 0.0),
    "careful-2": Temperament("careful", -0.35, 0.0),
    "weak": Temperament("weak in play", -0.1, 0.4),
    IMPROVING: Temperament("improving", -0.1, 0.5),
    "steady-1": Temperament("steady", -0.1, 0.0),
    "steady-2": Temperament("steady", -0.1, 0.0),
}
"""The temperaments by player id; of the improving one that of the first evening.

The two careful people are twins, and so are the two steady ones.
"""


def simulate_club(
    seed: int, evenings: int = EVENINGS, variants: Sequence[str] = GAMES
) -> list[dict[str, Any]]:
    """Return the hands of a season as records of the hand log, in the order of play.

    One evening a week, two tables play a game of each variant; who sits where is drawn before each
    game. Each record claims the result that the rules give it. The same arguments give the same
    records.
    """
    return [msgspec.json.decode(line) for line in season_lines(seed, evenings, variants)]


def write_season(
    path: Path,
    seed: int,
    evenings: int = EVENINGS,
    variants: Sequence[str] = GAMES,
    people: Mapping[str, Temperament] = PEOPLE,
) -> Path:
    """Write the hands of a season into a log and return its path."""
    return write_lines(path, season_lines(seed, evenings, variants, people))


def season_lines(
    seed: int,
    evenings: int = EVENINGS,
    variants: Sequence[str] = GAMES,
    people: Mapping[str, Temperament] = PEOPLE,
) -> Iterator[bytes]:
    """Yield the hands of a season as lines of the hand log; ``people`` are eight."""
    for evening in range(evenings):
        day = LAST_EVENING - timedelta(weeks=evenings - 1 - evening)
        first, left = people[IMPROVING], 1 - evening / max(1, evenings - 1)
        now = Temperament(first.name, first.reach, first.carelessness * left)
        present = {**people, IMPROVING: now}
        for variant in variants:
            chance = random.Random(f"{seed}/{evening}/{variant}")
            drawn = chance.sample(sorted(present), TABLES * SEATS)
            for table in range(TABLES):
                seated = {name: present[name] for name in drawn[table * SEATS :][:SEATS]}
                game = f"{variant} {day} table {table + 1}"
                for hand in played(variant, game, day, seated, chance):
                    yield encode_hand(hand)


def played(
    variant: str, game: str, day: date, seated: dict[str, Temperament], chance: random.Random
) -> Iterator[Hand]:
    """Yield the hands of one game among people, in the order of the seats."""
    ruleset = load_variant(variant)
    judgement = practised(ruleset, SEATS)
    dealer, began = chance.randrange(SEATS), f"{day}T14:00:00+01:00"
    first = hand_of(variant, id="", dealer=dealer, game=game, started_at=began)
    first = replace(first, players=[Player(name, kind="human") for name in seated])
    bots = [Bot(each, seat, judgement, chance) for seat, each in enumerate(seated.values())]
    yield from play_game(first, ruleset, bots, chance)
