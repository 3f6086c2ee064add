"""The fields of the hand log ``tricklog/2``, with what each may hold.

Version 2 is version 1 with room for what a record leaves out: where something was not recorded,
what is known all the same, and results known in part. Recorded facts stand apart from claimed
results. The specification is ``docs/hand-log.md``; the JSON Schema ``schemas/hand-2.schema.json``
is made from these types. ``tricklog.schemas.hand`` reads and writes them, and writes a hand without
such a gap as version 1, whose fields are in ``tricklog.schemas.first_version``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tricklog.schemas.actions import MAX_BID
from tricklog.schemas.limits import (
    MAX_ACTION,
    MAX_ACTIONS,
    MAX_HAND,
    MAX_LIST,
    MAX_NAME,
    MAX_NOTE,
    MAX_SCORE,
    MAX_SEATS,
    MAX_TIME,
    MAX_WINNERS,
    MIN_SEATS,
)

FORMAT: Final = "tricklog/1"
FORMAT_WITH_GAPS: Final = "tricklog/2"

Seat = Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)]
Score = Annotated[int, Meta(ge=-MAX_SCORE, le=MAX_SCORE)]
Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
CardList = Annotated[str, Meta(max_length=MAX_LIST, extra_json_schema={"$ref": "#/$defs/cards"})]
ActionText = Annotated[
    str, Meta(min_length=3, max_length=MAX_ACTION, extra_json_schema={"$ref": "#/$defs/action"})
]
Moment = Annotated[str, Meta(max_length=MAX_TIME, extra_json_schema={"$ref": "#/$defs/moment"})]
ActionKey = Annotated[str, Meta(pattern=r"^(0|[1-9][0-9]{0,2})(?!\n)$")]
OptionValue = bool | int | str | list[int | str] | dict[str, int]
Status = Literal["complete", "in_progress", "abandoned", "thrown_in", "claimed", "decided"]
SomePerSide = Annotated[Sequence[Score | None], Meta(min_length=2, max_length=MAX_SEATS)]
"""One entry per side, ``null`` where the record does not say."""
_Tricks = Annotated[int, Meta(ge=0, le=MAX_WINNERS)]
_Index = Annotated[int, Meta(ge=0, le=MAX_ACTIONS)]
_TrickNumber = Annotated[int, Meta(ge=1, le=MAX_WINNERS)]

Missing = Literal["auction", "trumps", "exchange", "tricks", "rest"]
"""What a gap leaves out, in the order of a hand."""
Trump = Literal[
    "S", "H", "D", "C", "NT", "NT-reversed", "S-reversed", "H-reversed", "D-reversed", "C-reversed"
]
Bid = (
    Annotated[int, Meta(ge=1, le=MAX_BID)]
    | Annotated[str, Meta(pattern=r"^(28-56|[1-9][0-9]{0,2}-double|none)(?!\n)$")]
)


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """Who sat at a seat."""

    id: Name
    """Stays the same from hand to hand, wherever the player sits; may be a pseudonym."""
    name: Name | UnsetType = UNSET
    """What people call the player; the id when absent."""
    kind: Literal["human", "bot"] | UnsetType = UNSET
    """Whether a human or a program decided."""


class RulesRef(Struct, frozen=True, forbid_unknown_fields=True):
    """Which rules the table played: a variant, its version, and the house rules on top."""

    variant: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,63}(?!\n)$")]
    """Id of the variant."""
    version: Annotated[int, Meta(ge=1, le=10_000)] | UnsetType = UNSET
    """Version of the variant; the newest one when absent."""
    options: dict[str, OptionValue] | UnsetType = UNSET
    """House rules: policy name to value, as in the variant files."""
    definition: dict[str, Any] | UnsetType = UNSET
    """A user's own rules, embedded whole: the content of their TOML file."""


class Known(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is known of the contract though no action says it."""

    maker: Seat | UnsetType = UNSET
    """The seat that won the auction, or plays alone."""
    bid: Bid | UnsetType = UNSET
    """The bid it won with, as in an action; `none` where nobody bid and the hand was played."""
    trump: Trump | UnsetType = UNSET
    """What was trumps, as in an action."""
    stake: Literal["double", "redouble", "super"] | UnsetType = UNSET
    """How far the stake was raised."""
    alone: Literal["solo", "tenny"] | UnsetType = UNSET
    """How the maker undertook all tricks alone."""
    pair: Seat | UnsetType = UNSET
    """The seat whose king and queen of trumps count."""


class Then(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is known of the table after a gap, where the record goes on."""

    winner: Seat | UnsetType = UNSET
    """The seat that took the last trick before."""
    tricks_won: (
        Annotated[Sequence[_Tricks | None], Meta(min_length=MIN_SEATS, max_length=MAX_SEATS)]
        | UnsetType
    ) = UNSET
    """Tricks each seat has taken so far, `null` where that is not known."""
    points: SomePerSide | UnsetType = UNSET
    """Card points each side has taken so far, `null` where that is not known."""
    holdings: (
        Annotated[Sequence[CardList | None], Meta(min_length=MIN_SEATS, max_length=MAX_SEATS)]
        | UnsetType
    ) = UNSET
    """Cards each seat is known to hold; it may hold others. `null` where none is known."""
    seen: CardList | UnsetType = UNSET
    """Cards that were played, or laid off for all to see, before: nobody holds them any more."""


class Gap(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A place at which something happened, or may have, that is not recorded."""

    before: _Index
    """Index of the action before which it is; the number of actions after the last one."""
    missing: Missing
    """What is not recorded: some or all of it, and of what comes before it in a hand, from the
    action before on."""
    tricks: Annotated[Sequence[_TrickNumber], Meta(min_length=2, max_length=2)] | UnsetType = UNSET
    """Numbers of the first and the last trick left out, from 1; only where `tricks` are missing."""
    then: Then | UnsetType = UNSET
    """What is known of the table where the record goes on."""


class Claimed(Struct, frozen=True, forbid_unknown_fields=True):
    """What the record says came out of the hand; checked, never adopted where cards tell."""

    points: SomePerSide | UnsetType = UNSET
    """Card points counted, one entry per side; `null` where the record does not say."""
    change: SomePerSide | UnsetType = UNSET
    """What was added to the running scores (Twenty-Nine: game points), one entry per side."""
    scores: SomePerSide | UnsetType = UNSET
    """Running scores after the hand, one entry per side."""
    winners: Annotated[Sequence[Seat | None], Meta(max_length=MAX_WINNERS)] | UnsetType = UNSET
    """The seat each trick was given to, by the number of the trick."""
    result: Literal["made", "set"] | UnsetType = UNSET
    """Whether the contract was made."""
    by: Annotated[int, Meta(ge=0, le=MAX_BID)] | UnsetType = UNSET
    """Points by which it was made, or was missed."""


class Record(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One recorded deal, whole or with gaps. Seats count clockwise from 0.

    Cards stand in lists separated by one space: ``AS`` a card, ``?`` not recorded, ``*`` hidden
    from the recorder. An absent ``deal``, ``stock`` or ``kitty`` was not recorded at all; an empty
    one was never dealt.
    """

    format: Literal["tricklog/1", "tricklog/2"]
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
    dealer: Seat | UnsetType = UNSET
    """The seat that dealt; absent where that was not recorded."""
    scores: SomePerSide | UnsetType = UNSET
    """Running scores before the hand, one entry per side; `null` where the record does not say."""
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
    known: Known | UnsetType = UNSET
    """What is known of the contract though no action says it."""
    gaps: Annotated[Sequence[Gap], Meta(min_length=1, max_length=MAX_ACTIONS + 1)] | UnsetType = (
        UNSET
    )
    """Where something is not recorded, in the order of the actions."""
    claimed: Claimed | UnsetType = UNSET
    """The result as the record has it."""
    status: Status | UnsetType = UNSET
    """How the hand ended; ``complete`` when absent."""
    started_at: Moment | UnsetType = UNSET
    """RFC 3339 time, with or without offset, or a date alone; the local day is that of the hand."""
    times: dict[ActionKey, Annotated[int, Meta(ge=0, le=10_000_000_000)]] | UnsetType = UNSET
    """Milliseconds since ``started_at``, by action index."""
    notes: dict[ActionKey, Annotated[str, Meta(max_length=MAX_NOTE)]] | UnsetType = UNSET
    """Remarks, by action index."""
    remark: Annotated[str, Meta(max_length=MAX_NOTE)] | UnsetType = UNSET
    """A remark on the hand as a whole."""
    ext: dict[str, Any] | UnsetType = UNSET
    """Anything else, under a namespaced key; kept, never interpreted, not part of the hash."""
