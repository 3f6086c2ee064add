"""The logs of a club for a newcomer: four people, two games, some Fridays, one disputed hand."""

import random
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from tricklog.core.bots.generate import Bot, Temperament, play_game, practised
from tricklog.core.rulesets.ruleset import load_variant
from tricklog.schemas.hand import Claimed, Hand, Player, RulesRef, encode_hand

PEOPLE: Final = {
    "Ann": Temperament("steady", -0.1, 0.0),
    "Bert": Temperament("reckless", 1.0, 0.0),
    "Cleo": Temperament("careful", -0.4, 0.0),
    "Dan": Temperament("steady", -0.1, 0.0),
}
"""How each plays: Bert bids more than Bert holds."""
TABLES: Final = (
    ("Ann", "Bert", "Cleo", "Dan"),
    ("Ann", "Bert", "Dan", "Cleo"),
    ("Ann", "Cleo", "Bert", "Dan"),
)
"""Who sits where in turn, so that everybody plays with everybody."""
FRIDAYS: Final = 11
LAST_FRIDAY: Final = date(2026, 11, 20)
GAMES: Final = {"sixty-three": 3, "king-pedro": 3}
"""Games of an evening."""
DISPUTED: Final = "disputed"


def club_hands() -> Iterator[Hand]:
    """All hands of the club; the last one was written down wrong."""
    hand = None
    for back in range(FRIDAYS):
        for variant, games in GAMES.items():
            for game in range(games):
                for hand in evening(variant, LAST_FRIDAY - timedelta(weeks=back), game):
                    yield hand
                    if back == 0:
                        last = hand
    assert isinstance(last.claimed, Claimed)
    assert isinstance(last.claimed.points, list)
    ours, theirs = last.claimed.points
    yield replace(
        last, id=DISPUTED, game=DISPUTED, hand=5, claimed=Claimed(points=[ours - 1, theirs + 1])
    )


def evening(variant: str, day: date, game: int) -> Iterator[Hand]:
    """The hands of one game of an evening."""
    ruleset = load_variant(variant)
    chance = random.Random(f"{variant} {day} {game}")
    names = TABLES[game % len(TABLES)]
    first = Hand(
        format="tricklog/1",
        id="",
        rules=RulesRef(variant),
        players=[Player(name.lower(), name, "human") for name in names],
        dealer=chance.randrange(4),
        actions=[],
        game=f"{variant} {day} {game + 1}",
        started_at=f"{day}T19:30:00+01:00",
    )
    judgement = practised(ruleset, 4)
    bots = [Bot(PEOPLE[name], seat, judgement, chance) for seat, name in enumerate(names)]
    yield from play_game(first, ruleset, bots, chance)


def write_club_logs(folder: Path) -> Path:
    """Write one log for each Friday into ``folder``; return it."""
    folder.mkdir(parents=True)
    logs: dict[str, list[bytes]] = {}
    for hand in club_hands():
        logs.setdefault(str(hand.started_at)[:10], []).append(encode_hand(hand))
    for day, lines in logs.items():
        (folder / f"{day}.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    return folder
