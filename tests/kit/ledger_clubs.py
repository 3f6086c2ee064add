"""Hands as ``tricklog.ingest.study.season`` takes them from a warehouse, without one."""

from collections.abc import Sequence

import polars as pl

from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules.table import side_of
from tricklog.schemas.hand import Hand, content_hash


def key_of(hand: Hand, ruleset: str) -> tuple[bytes, str]:
    return bytes.fromhex(content_hash(hand)), ruleset


def seats_of_hands(hands: Sequence[Hand], rules: Rules, ruleset: str) -> pl.DataFrame:
    """The rows of ``seats_of`` for valid hands of one game, the newest first as there."""
    games: dict[str, int] = {}
    rows = []
    for number, hand in enumerate(hands):
        game = games.setdefault(str(hand.game), len(games))
        names = [each.id for each in hand.players]
        sides = [side_of(rules, seat) for seat in range(len(names))]
        for seat, name in enumerate(names):
            same = [at for at, side in enumerate(sides) if side == sides[seat] and at != seat]
            rows.append(
                {
                    "variant": hand.rules.variant,
                    "hand_no": number,
                    "game_no": game,
                    "day": None,
                    "seat": seat,
                    "side_no": sides[seat],
                    "player": name,
                    "partners": [names[at] for at in same],
                    "verdict": "valid",
                    "ruleset": ruleset,
                    "seats": len(names),
                    "content": key_of(hand, ruleset)[0],
                }
            )
    return pl.DataFrame(rows[::-1])
