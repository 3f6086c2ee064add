"""Big logs of distinct, valid hands: games that bots play, made once and kept."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count, cycle, groupby, islice
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from tricklog.core import generate, load_variant, variants
from tricklog.schemas.hand import Hand, Player, encode_hand

MIXED: Final = "mixed"
"""In place of a variant: all of them, with equal shares of the hands."""
SEED: Final = 20_260
PLAYERS: Final = 5003
"""People who play: a prime, so that nobody sits at two seats of a table."""
DAYS: Final = 4000
KEPT: Final = Path(tempfile.gettempdir()) / "tricklog-benchmarks"
"""Logs stay here when rules and bots change, so that figures of two commits compare; a load that
refuses a hand of one says so, and then the log is to be deleted."""
_FIRST_DAY: Final = datetime(2015, 1, 1, 19, 6, tzinfo=UTC)
_ENDLESS: Final = 1 << 40


def games(variant: str) -> Iterator[list[Hand]]:
    """Yield endless games of ``variant`` or of all, ``MIXED``, the same each time."""
    names = variants() if variant == MIXED else (variant,)
    sources = {name: _tables_in_turn(name) for name in names}
    dealt = dict.fromkeys(names, 0)
    for number in count():
        name = min(dealt, key=dealt.__getitem__)
        game = next(sources[name])
        dealt[name] += len(game)
        later = _FIRST_DAY + timedelta(days=number % DAYS) - _began(game[0])
        yield [_moved(hand, later, number) for hand in game]


def _tables_in_turn(variant: str) -> Iterator[list[Hand]]:
    """Yield games of a variant, each number of players that it takes in turn."""
    tables = [
        groupby(generate(variant, _ENDLESS, SEED, players=seats), lambda hand: hand.game)
        for seats in load_variant(variant).values["players"]
    ]
    for table in cycle(tables):
        yield list(next(table)[1])


def _began(hand: Hand) -> datetime:
    return datetime.fromisoformat(str(hand.started_at))


def _moved(hand: Hand, later: timedelta, number: int) -> Hand:
    """Give a hand of game ``number`` another time and people who play it."""
    ids = [(number * 13 + seat * 701) % PLAYERS for seat in range(len(hand.players))]
    return replace(
        hand,
        players=[Player(id=f"player-{each:04}", kind="bot") for each in ids],
        started_at=(_began(hand) + later).isoformat().replace("+00:00", "Z"),
    )


def kept_log(variant: str, hands: int) -> Path:
    """Return a log as ``write_log`` writes it; it is kept for the next benchmark that asks."""
    path = KEPT / f"{variant}-{hands}.jsonl"
    if not path.exists():
        print(f"writing a log of {hands:,} hands, {variant}", file=sys.stderr)
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".part")
        write_log(draft, variant, hands)
        draft.replace(path)
    return path


def write_log(path: Path, variant: str, hands: int) -> None:
    """Write a log of exactly ``hands`` hands; the last game may break off."""
    lines = (encode_hand(hand) + b"\n" for game in games(variant) for hand in game)
    with path.open("wb") as file:
        file.writelines(islice(lines, hands))
