"""What an adapter of another package imports: the contract, and pieces that records are made of.

``docs/adapters.md`` says how to write one; ``tricklog convert --new`` writes a project for it.
"""

from __future__ import annotations

from tricklog.ingest.adapters.contract import CONTRACT, Adapter, GroupBy
from tricklog.ingest.adapters.converting import ConvertCounts, Converted, convert, convert_with
from tricklog.ingest.adapters.foreign import (
    DAMAGE_HINT,
    SEATS,
    SHAPE_HINT,
    BidAmount,
    Card,
    Cards,
    CardsPerSeat,
    ForeignError,
    ForeignPart,
    ForeignRecord,
    Label,
    PerSide,
    SeatNumber,
    Source,
    SuitName,
    check_numbers,
    left_over,
    read_shape,
    with_any,
    with_cards,
)
from tricklog.ingest.adapters.recognising import Recognised, recognise_logs
from tricklog.ingest.adapters.registry import Listed, UnknownAdapterError, installed, listed
from tricklog.ingest.reading.rejects import Part, Reject, RejectCode
from tricklog.schemas.hand import FORMAT, Claimed, Hand, Player, RulesRef

__all__ = [
    "CONTRACT",
    "DAMAGE_HINT",
    "FORMAT",
    "SEATS",
    "SHAPE_HINT",
    "Adapter",
    "BidAmount",
    "Card",
    "Cards",
    "CardsPerSeat",
    "Claimed",
    "ConvertCounts",
    "Converted",
    "ForeignError",
    "ForeignPart",
    "ForeignRecord",
    "GroupBy",
    "Hand",
    "Label",
    "Listed",
    "Part",
    "PerSide",
    "Player",
    "Recognised",
    "Reject",
    "RejectCode",
    "RulesRef",
    "SeatNumber",
    "Source",
    "SuitName",
    "UnknownAdapterError",
    "check_numbers",
    "convert",
    "convert_with",
    "installed",
    "left_over",
    "listed",
    "read_shape",
    "recognise_logs",
    "with_any",
    "with_cards",
]
