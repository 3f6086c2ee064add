"""Hands as ``tricklog.ingest.study.season`` takes them from a warehouse, without one."""

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules.table import side_of
from tricklog.schemas.hand import Hand, content_hash


def key_of(hand: Hand, ruleset: str) -> tuple[bytes, str]:
    return bytes.fromhex(content_hash(hand)), ruleset


def seats_of_hand(
    names: Sequence[str], sides: Sequence[int], **of_hand: object
) -> Iterator[dict[str, Any]]:
    """Yield a row for each seat of a valid hand; ``of_hand`` are further columns."""
    for seat, name in enumerate(names):
        same = [at for at, side in enumerate(sides) if side == sides[seat] and at != seat]
        row = {"day": None, "verdict": "valid", "seats": len(names), "seat": seat, "player": name}
        yield {**row, "side_no": sides[seat], "partners": [names[at] for at in same], **of_hand}


def seats_of_hands(hands: Sequence[Hand], rules: Rules, ruleset: str) -> pl.DataFrame:
    """The rows of ``seats_of`` for valid hands of one game, the newest first as there."""
    games: dict[str, int] = {}
    rows: list[dict[str, Any]] = []
    for number, hand in enumerate(hands):
        names = [each.id for each in hand.players]
        rows += seats_of_hand(
            names,
            [side_of(rules, seat) for seat in range(len(names))],
            variant=hand.rules.variant,
            hand_no=number,
            game_no=games.setdefault(str(hand.game), len(games)),
            ruleset=ruleset,
            content=key_of(hand, ruleset)[0],
        )
    return pl.DataFrame(rows[::-1])
