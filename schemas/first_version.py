"""The fields of the hand log ``tricklog/1``, which is frozen, with what each may hold.

Recorded facts stand apart from claimed results. The specification is ``docs/hand-log.md``; the
JSON Schema ``schemas/hand.schema.json`` is made from these types, and lines that claim to be of
version 1 are held to them. ``schemas.record`` has the fields of version 2, which hands are read
into.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.limits import (
    MAX_ACTIONS,
    MAX_HAND,
    MAX_NOTE,
    MAX_SEATS,
    MAX_WINNERS,
    MIN_SEATS,
)
from schemas.record_parts import (
    ActionKey,
    ActionText,
    CardList,
    Name,
    PerSide,
    Player,
    RulesRef,
    Seat,
    Status,
    Time,
)


class Claimed(Struct, frozen=True, forbid_unknown_fields=True):
    """What the record says came out of the hand; checked, never adopted."""

    points: PerSide | UnsetType = UNSET
    """Card points counted, one entry per side."""
    change: PerSide | UnsetType = UNSET
    """What was added to the running scores (Twenty-Nine: game points), one entry per side."""
    scores: PerSide | UnsetType = UNSET
    """Running scores after the hand, one entry per side."""
    winners: Annotated[list[Seat], Meta(max_length=MAX_WINNERS)] | UnsetType = UNSET
    """The seat each trick was given to, in order."""


class Record(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One recorded deal. Seats count clockwise from 0, whichever way the game is played.

    Cards stand in lists separated by one space: ``AS`` a card, ``?`` not recorded, ``*`` hidden
    from the recorder. An absent ``deal``, ``stock`` or ``kitty`` was not recorded at all; an empty
    one was never dealt.
    """

    format: Literal["tricklog/1"]
    """Name and version of the format."""
    id: Name
    """Globally unique name of this hand."""
    game: Name | UnsetType = UNSET
    """Globally unique name of the game the hand belongs to."""
    hand: Annotated[int, Meta(ge=1, le=MAX_HAND)] | UnsetType = UNSET
    """Number of the deal within its game, from 1; thrown-in deals count."""
    rules: RulesRef
    """The rules of the table."""
    players: Annotated[list[Player], Meta(min_length=MIN_SEATS, max_length=MAX_SEATS)]
    """One player per seat."""
    dealer: Seat
    """The seat that dealt."""
    scores: PerSide | UnsetType = UNSET
    """Running scores before the hand, one entry per side."""
    deal: (
        Annotated[list[CardList], Meta(min_length=MIN_SEATS, max_length=MAX_SEATS)] | UnsetType
    ) = UNSET
    """Each seat's cards in the order dealt, all packets one after the other."""
    stock: CardList | UnsetType = UNSET
    """Undealt cards in the order they would be drawn."""
    kitty: CardList | UnsetType = UNSET
    """Cards laid aside for the winner of the auction."""
    actions: Annotated[list[ActionText], Meta(max_length=MAX_ACTIONS)]
    """What was done at the table, in order."""
    claimed: Claimed | UnsetType = UNSET
    """The result as the record has it."""
    status: Status | UnsetType = UNSET
    """How the record ends; ``complete`` when absent."""
    started_at: Time | UnsetType = UNSET
    """RFC 3339 time with offset; the local day of that offset is the day of the hand."""
    times: dict[ActionKey, Annotated[int, Meta(ge=0, le=10_000_000_000)]] | UnsetType = UNSET
    """Milliseconds since ``started_at``, by action index."""
    notes: dict[ActionKey, Annotated[str, Meta(max_length=MAX_NOTE)]] | UnsetType = UNSET
    """Remarks, by action index."""
    ext: dict[str, Any] | UnsetType = UNSET
    """Anything else, under a namespaced key; kept, never interpreted, not part of the hash."""
