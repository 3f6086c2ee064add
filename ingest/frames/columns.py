"""The columns of each frame: their types and what they say.

They are those of the warehouse's views of the same names (``ingest/store/warehouse_views.sql``),
the hands with their seating. Seats and sides count from 0, tricks from 1; cards, bids and trumps
are written as in a log.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import polars as pl
from polars.datatypes import DataType, DataTypeClass

Columns: TypeAlias = dict[str, DataType | DataTypeClass]
"""The type of each column, in order."""

_CARDS: Final = pl.List(pl.String)

HANDS: Final[Columns] = {
    "hand_id": pl.String,
    "variant": pl.String,
    "ruleset": pl.String,
    "game": pl.String,
    "hand": pl.Int32,
    "started_at": pl.Datetime("us"),
    "day": pl.Date,
    "dealer": pl.UInt8,
    "player_ids": pl.List(pl.String),
    "seat_sides": pl.List(pl.UInt8),
    "verdict": pl.String,
    "doubts": pl.List(pl.String),
    "result": pl.String,
    "maker": pl.UInt8,
    "bid": pl.Int16,
    "bid_name": pl.String,
    "need": pl.Int16,
    "trump": pl.String,
    "forced": pl.Boolean,
    "no_contract": pl.Boolean,
    "alone_by": pl.String,
    "stake": pl.UInt8,
    "scores_before": pl.List(pl.Int32),
    "points": pl.List(pl.Int16),
    "change": pl.List(pl.Int16),
    "scores": pl.List(pl.Int32),
    "winner_side": pl.UInt8,
}
SEATS: Final[Columns] = {
    "hand_id": pl.String,
    "seat": pl.UInt8,
    "player": pl.String,
    "side_no": pl.UInt8,
    "is_dealer": pl.Boolean,
    "is_maker": pl.Boolean,
    "dealt": _CARDS,
    "at_play": _CARDS,
    "trumps_held": pl.UInt8,
    "points_held": pl.Int16,
}
CALLS: Final[Columns] = {
    "hand_id": pl.String,
    "action": pl.UInt16,
    "seat": pl.UInt8,
    "verb": pl.String,
    "amount": pl.Int16,
    "bid_name": pl.String,
}
PLAYS: Final[Columns] = {
    "hand_id": pl.String,
    "action": pl.UInt16,
    "trick": pl.UInt8,
    "seat": pl.UInt8,
    "card": pl.String,
}
TRICKS: Final[Columns] = {
    "hand_id": pl.String,
    "trick": pl.UInt8,
    "leader": pl.UInt8,
    "winner": pl.UInt8,
    "trick_points": pl.UInt16,
    "buried": _CARDS,
}
CAPTURES: Final[Columns] = {
    "hand_id": pl.String,
    "card": pl.String,
    "point_card": pl.String,
    "card_points": pl.UInt16,
    "trick": pl.UInt8,
    "from_seat": pl.UInt8,
    "by_seat": pl.UInt8,
    "side_no": pl.UInt8,
    "leader": pl.UInt8,
    "place": pl.UInt8,
    "under_trump": pl.Boolean,
}
FINDINGS: Final[Columns] = {
    "hand_id": pl.String,
    "scope": pl.String,
    "ordinal": pl.UInt16,
    "code": pl.String,
    "action": pl.UInt16,
    "pointer": pl.String,
    "seat": pl.UInt8,
    "facts": pl.String,
    "legal": pl.String,
    "rule": pl.String,
    "message": pl.String,
}
COLUMNS: Final[dict[str, Columns]] = {
    "hands": HANDS,
    "seats": SEATS,
    "calls": CALLS,
    "plays": PLAYS,
    "tricks": TRICKS,
    "captures": CAPTURES,
    "findings": FINDINGS,
}
"""The columns of each frame, in order."""
_VIEWS: Final = {"hands": "stored"}
"""Views of another name than the frame."""


def words(frame: str, column: str) -> str:
    """Return what a column of a frame means, which is what it means in the warehouse."""
    # Whoever makes frames needs no words.
    from tricklog.ingest.metrics.tallies import about

    return about(_VIEWS.get(frame, frame), column)
