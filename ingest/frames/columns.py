"""The columns of each frame: their types and what they say.

They are those of the warehouse's views of the same names (``schemas/warehouse_views.sql``). Seats
and sides count from 0, tricks from 1; cards, bids and trumps are written as in a log.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import polars as pl
from polars.datatypes import DataType, DataTypeClass


class Column(NamedTuple):
    """A column of a frame."""

    type: DataType | DataTypeClass
    words: str


_CARDS: Final = pl.List(pl.String)
_HAND: Final = Column(pl.String, "Id of the hand.")

HANDS: Final = {
    "hand_id": _HAND,
    "variant": Column(pl.String, "The game, such as `pedro`."),
    "ruleset": Column(pl.String, "Hash of the rules with all house rules."),
    "game": Column(pl.String, "Id of the game it belongs to."),
    "number": Column(pl.Int32, "Number of the hand within its game, from 1."),
    "started_at": Column(pl.Datetime("us"), "When it began, in UTC."),
    "day": Column(pl.Date, "The day at the table on which the evening began."),
    "dealer": Column(pl.UInt8, "Seat of the dealer."),
    "players": Column(pl.List(pl.String), "Id of the player at each seat."),
    "seat_sides": Column(pl.List(pl.UInt8), "Side of each seat."),
    "verdict": Column(
        pl.String, "`valid`, `irregular`, `doubtful`, `partial`, `incomplete`, `rejected`."
    ),
    "doubts": Column(
        pl.List(pl.String), "Why it is doubtful or incomplete, or what is not recorded."
    ),
    "result": Column(pl.String, "`made`, `set`, `void`, `thrown_in`; null without an outcome."),
    "maker": Column(pl.UInt8, "Seat whose contract was played."),
    "bid": Column(pl.Int16, "Winning bid; from 1001 on a special one."),
    "bid_name": Column(pl.String, "The same as a log writes it."),
    "need": Column(pl.Int16, "Points the makers had to take."),
    "trump": Column(pl.String, "Trumps: `S`, `H`, `D`, `C`, `NT` and so on."),
    "forced": Column(pl.Boolean, "Whether the last to speak had to bid."),
    "no_contract": Column(pl.Boolean, "Whether nobody bid and there was no number to reach."),
    "alone": Column(pl.String, "`solo` or `tenny`, where one player undertook all tricks."),
    "stake": Column(pl.UInt8, "Game points won or lost; 1 where card points are scored."),
    "scores_before": Column(pl.List(pl.Int32), "Running scores as recorded, by side."),
    "points": Column(pl.List(pl.Int16), "Card points taken, by side."),
    "change": Column(pl.List(pl.Int16), "What each side adds to its score."),
    "scores": Column(pl.List(pl.Int32), "Running scores after the hand, recomputed."),
    "winner_side": Column(pl.UInt8, "Side that won the game with this hand."),
}
SEATS: Final = {
    "hand_id": _HAND,
    "seat": Column(pl.UInt8, "The seat, clockwise."),
    "player": Column(pl.String, "Id of the player."),
    "side": Column(pl.UInt8, "The side they play for."),
    "is_dealer": Column(pl.Boolean, "Whether they dealt."),
    "is_maker": Column(pl.Boolean, "Whether their contract was played."),
    "dealt": Column(_CARDS, "Cards dealt, as far as they are recorded."),
    "at_play": Column(_CARDS, "Cards when the first trick began."),
    "trumps_held": Column(
        pl.UInt8, "Trumps held in the auction; of whoever did not name them, of their best suit."
    ),
    "points_held": Column(pl.Int16, "Card points of those trumps."),
}
CALLS: Final = {
    "hand_id": _HAND,
    "action": Column(pl.UInt16, "Index of the action, from 0."),
    "seat": Column(pl.UInt8, "Who called."),
    "verb": Column(pl.String, "`bid`, `pass`, `ditto`, `tenny`."),
    "amount": Column(pl.Int16, "What was bid, 0 for a pass; for a ditto the bid it holds."),
    "bid": Column(pl.String, "The name of the bid; null for a pass."),
}
PLAYS: Final = {
    "hand_id": _HAND,
    "action": Column(pl.UInt16, "Index of the action, from 0."),
    "trick": Column(pl.UInt8, "Number of the trick."),
    "seat": Column(pl.UInt8, "Who played."),
    "card": Column(pl.String, "The card."),
}
TRICKS: Final = {
    "hand_id": _HAND,
    "trick": Column(pl.UInt8, "Number of the trick."),
    "leader": Column(pl.UInt8, "Who led."),
    "winner": Column(pl.UInt8, "Who won it; null when no card of it is recorded."),
    "points": Column(pl.UInt16, "Card points that went to the winner's side."),
    "buried": Column(_CARDS, "Surplus put under it."),
}
CAPTURES: Final = {
    "hand_id": _HAND,
    "card": Column(pl.String, "The card that counts."),
    "role": Column(pl.String, "What it is among point cards: its rank, `off five`, `joker`."),
    "points": Column(pl.UInt16, "What it counts."),
    "trick": Column(pl.UInt8, "Number of the trick; of a card never played, that of the next one."),
    "from_seat": Column(pl.UInt8, "Who played it, or laid it off."),
    "by_seat": Column(pl.UInt8, "Who won it."),
    "side": Column(pl.UInt8, "The side its points count for."),
    "leader": Column(pl.UInt8, "Who led to the trick; null where no trick took it."),
    "place": Column(pl.UInt8, "As which card of its trick it was played: 1 led, 0 not played."),
    "under_trump": Column(pl.Boolean, "Whether a higher trump lay in the trick before it."),
}
FINDINGS: Final = {
    "hand_id": _HAND,
    "scope": Column(pl.String, "`hand`, or `game` for what only shows beside other hands."),
    "ordinal": Column(pl.UInt16, "Order within hand and scope, from 0."),
    "code": Column(pl.String, "What is wrong, such as `revoke`."),
    "action": Column(pl.UInt16, "Index of the action; null when it hangs on none."),
    "pointer": Column(pl.String, "JSON pointer into the hand."),
    "seat": Column(pl.UInt8, "Whose fault it is."),
    "facts": Column(pl.String, "What the message rests on, as JSON."),
    "legal": Column(pl.String, "What would have been legal, as a log writes it."),
    "rule": Column(pl.String, "Citations into the rules."),
    "message": Column(pl.String, "One sentence."),
}
COLUMNS: Final = {
    "hands": HANDS,
    "seats": SEATS,
    "calls": CALLS,
    "plays": PLAYS,
    "tricks": TRICKS,
    "captures": CAPTURES,
    "findings": FINDINGS,
}
"""The columns of each frame, in order."""
