"""Games for tests of score sheets, one of every variant or with holes, and logs of two evenings."""

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.at_table import play_any_game
from tests.kit.bot_games import table
from tests.kit.dashboard_logs import NASTY
from tests.kit.log_lines import write_lines
from tests.kit.random_play import RandomPlayer, seats_for, some_options
from tests.kit.support import ruleset_for
from tests.regenerate.samples import FOLDER
from tricklog import RulesRef, encode_hand, variants

Record = dict[str, Any]
"""A line of a log, decoded."""


def shortest_logs() -> list[Path]:
    """The shortest log of each variant, and one of seven who each play alone."""
    logs = [
        min(folder.glob("*.jsonl"), key=lambda path: path.stat().st_size)
        for folder in sorted(FOLDER.iterdir())
    ]
    return [*logs, FOLDER / "sancho" / "one-game-at-7.jsonl"]


def records_in(paths: Iterable[Path]) -> list[Record]:
    return [json.loads(line) for path in paths for line in path.read_bytes().splitlines()]


def random_games(seed: str, hands: int) -> Iterator[Record]:
    """The first hands of a game of each variant, played at random with random house rules."""
    for variant in variants():
        chance = random.Random(f"{seed} {variant}")
        options = some_options(variant, chance)
        ruleset = ruleset_for(variant, options)
        seats = chance.choice(seats_for(ruleset.values))
        first = replace(
            table(ruleset, seats, chance),
            rules=RulesRef(variant, options=options or UNSET),
            game=f"random {variant}",
        )
        players = [RandomPlayer(seat, chance) for seat in range(seats)]
        for hand in islice(play_any_game(first, ruleset, players, chance), hands):
            yield json.loads(encode_hand(replace(hand, id=f"{first.game} {hand.hand}")))


def by_game(records: Iterable[Record]) -> dict[str, list[Record]]:
    games: dict[str, list[Record]] = {}
    for record in sorted(records, key=lambda each: each["hand"]):
        games.setdefault(record["game"], []).append(record)
    return games


def without_scores(record: Record) -> Record:
    """The same hand as a log has it that keeps no scores."""
    return {key: each for key, each in record.items() if key not in {"scores", "claimed"}}


def write_records(path: Path, records: Sequence[Record]) -> Path:
    return write_lines(path, (json.dumps(record).encode() for record in records))


def king_pedro() -> list[Record]:
    return records_in([FOLDER / "king-pedro" / "one-game-highest-of-suit-wins.jsonl"])


def holed_game() -> list[Record]:
    """A game of King Pedro, ``holed``: hand 2 is missing, 4 stops early, 6 cannot be followed."""
    whole = [record | {"game": "holed", "id": f"holed-{record['hand']}"} for record in king_pedro()]
    del whole[1]
    cut, wrong = whole[2], whole[4]
    assert (cut["hand"], wrong["hand"]) == (4, 6)
    cut["actions"] = cut["actions"][:-9]
    wrong["dealer"] = (wrong["dealer"] + 1) % 4
    wrong["actions"] = [each for each in wrong["actions"] if " trump " not in each]
    for each in (cut, wrong):
        each.pop("claimed")
        each.pop("status", None)
    return whole


# --- Two evenings at several tables
FIRST, LAST, NEXT = "2026-11-13", "2026-11-20", "2026-11-21"
"""An evening with one broken game, one with several tables, and one of a single hand."""
KING = king_pedro()
SEVEN = records_in([FOLDER / "sancho" / "one-game-at-7.jsonl"])
PIPS = records_in([FOLDER / "twenty-nine" / "one-game-last-trick-counts.jsonl"])


def at(records: list[Record], game: str, begins: str, people: str = "") -> list[Record]:
    """The hands as a game of its own that begins then, one every five minutes.

    ``people`` stands before the ids of the players, to make others of them.
    """
    first = datetime.fromisoformat(begins)
    return [
        record
        | {
            "id": f"{game}-{number}",
            "game": game,
            "started_at": (first + timedelta(minutes=5 * number)).isoformat(),
            "players": [
                {"id": people + each["id"].rpartition(":")[2]} for each in record["players"]
            ],
        }
        for number, record in enumerate(records)
    ]


def two_evenings() -> list[Record]:
    """Everything that an evening may hold, and a game and a hand without a day.

    One player of the game ``early`` has a name that a page must not take for markup.
    """
    early = at(KING, "early", f"{LAST}T19:30:00+02:00")
    late = at(KING, "late", f"{LAST}T23:40:00+02:00")
    loose = at(KING[:1], "loose", f"{LAST}T19:00:00+02:00", "other-")
    dayless = at(KING, "dayless", f"{LAST}T19:00:00+02:00")
    for each in early:
        each["players"][0]["name"] = NASTY
    for each in loose:
        del each["game"], each["hand"], each["scores"]
    for each in dayless:
        del each["started_at"]
    return [
        *at(holed_game(), "broken", f"{FIRST}T20:00:00+02:00"),
        *early,
        *at(PIPS, "pips", f"{LAST}T21:00:00+02:00"),
        *at(SEVEN, "seven", f"{LAST}T18:00:00+02:00", "guest-"),
        *at(SEVEN[:-3], "open", f"{LAST}T22:30:00+02:00", "guest-")[: len(SEVEN) // 3],
        *late,
        *at(KING[:1], "next", f"{NEXT}T19:30:00+02:00"),
        *loose,
        *dayless,
    ]
