"""The hand log, ``tricklog/1`` and ``tricklog/2``: one deal as one JSON object on one line.

Nothing is filled in that the record does not say. A field that is absent stays absent when the hand
is written again, so reading and writing round-trip exactly. Recorded facts stand apart from claimed
results. Version 2 is version 1 with room for what a record leaves out: where something was not
recorded, what is known all the same, and results known in part. A hand that version 1 can say is
always written in version 1, whose fields are in ``tricklog.schemas.first_version``. The
specification is ``docs/hand-log.md``; the JSON Schema ``schemas/hand-2.schema.json`` is made from
these types.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
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
from tricklog.schemas.times import lacks_offset

if TYPE_CHECKING:
    from tricklog.schemas.first_version import Claimed as WholeClaims

FORMAT: Final = "tricklog/1"
FORMAT_WITH_GAPS: Final = "tricklog/2"

Seat = Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)]
_PER_SEAT: Final = Meta(min_length=MIN_SEATS, max_length=MAX_SEATS)
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
    tricks_won: Annotated[Sequence[_Tricks | None], _PER_SEAT] | UnsetType = UNSET
    """Tricks each seat has taken so far, `null` where that is not known."""
    points: SomePerSide | UnsetType = UNSET
    """Card points each side has taken so far, `null` where that is not known."""
    holdings: Annotated[Sequence[CardList | None], _PER_SEAT] | UnsetType = UNSET
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


def _whole(values: Sequence[int | None] | UnsetType) -> list[int] | UnsetType:
    if values is UNSET:
        return UNSET
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) else UNSET


class Hand(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
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
    players: Annotated[list[Player], _PER_SEAT]
    """One player per seat."""
    dealer: Seat | UnsetType = UNSET
    """The seat that dealt; absent where that was not recorded."""
    scores: SomePerSide | UnsetType = UNSET
    """Running scores before the hand, one entry per side; `null` where the record does not say."""
    deal: Annotated[list[CardList], _PER_SEAT] | UnsetType = UNSET
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

    @property
    def dealt_by(self) -> int:
        """The seat that dealt. Raises ``ValueError`` where that was not recorded."""
        if self.dealer is UNSET:
            raise ValueError(f"hand {self.id!r} does not say who dealt")
        return self.dealer

    @property
    def whole_scores(self) -> list[int] | UnsetType:
        """The running scores before the hand, where they are recorded for every side."""
        return _whole(self.scores)

    @property
    def whole_claims(self) -> WholeClaims | UnsetType:
        """What is claimed, without the lists that are known in part only."""
        from tricklog.schemas.first_version import Claimed as WholeClaims

        claimed = self.claimed
        if claimed is UNSET:
            return UNSET
        parts = (claimed.points, claimed.change, claimed.scores, claimed.winners)
        return WholeClaims(*map(_whole, parts))

    def __str__(self) -> str:
        """Return the hand as plain text for people."""
        from tricklog.schemas.render import hand_text

        return hand_text(self)

    def _repr_html_(self) -> str:
        """Return the hand as HTML, which a notebook shows by itself."""
        from tricklog.schemas.render import hand_html

        return hand_html(self)


_decoder: Final = msgspec.json.Decoder(Hand)
_encoder: Final = msgspec.json.Encoder(order="deterministic")


def decode_hand(line: bytes | str) -> Hand:
    """Return the hand written on one line of JSON, in the version that it needs.

    Raises ``msgspec.ValidationError`` (wrong shape, message ends with the JSON path) or
    ``msgspec.DecodeError`` (not JSON).
    """
    try:
        hand = _decoder.decode(line)
    except msgspec.ValidationError:
        if claims_version_1(line):
            _check_version_1(line)
        raise
    if hand.format == FORMAT and needs_version_2(hand):
        _check_version_1(line)
        return hand
    return in_its_version(hand)


def _check_version_1(line: bytes | str) -> None:
    from tricklog.schemas.first_version import DECODER

    DECODER.decode(line)


def claims_version_1(line: bytes | str) -> bool:
    """Does the object on a line say that it is of version 1, whatever else is wrong with it?"""
    try:
        return _probe.decode(line).format == FORMAT
    except msgspec.DecodeError:
        return False


class _Probe(msgspec.Struct):
    format: str = ""


_probe: Final = msgspec.json.Decoder(_Probe)


def needs_version_2(hand: Hand) -> bool:
    """Does the record leave something out, or say something, that version 1 has no room for?"""
    if hand.dealer is UNSET or hand.gaps is not UNSET or hand.known is not UNSET:
        return True
    if hand.remark is not UNSET or (hand.scores is not UNSET and None in hand.scores):
        return True
    claimed = hand.claimed
    if claimed is not UNSET:
        if claimed.result is not UNSET or claimed.by is not UNSET:
            return True
        parts = (claimed.points, claimed.change, claimed.scores, claimed.winners)
        if any(each is not UNSET and None in each for each in parts):
            return True
    return hand.started_at is not UNSET and lacks_offset(hand.started_at)


def has_gaps(hand: Hand) -> bool:
    """Does the record leave out who dealt, or something that happened?"""
    return hand.dealer is UNSET or hand.gaps is not UNSET


def encode_hand(hand: Hand) -> bytes:
    """Return the canonical form: fields in schema order, other keys sorted, no spaces, UTF-8."""
    return _encoder.encode(in_its_version(hand))


def in_its_version(hand: Hand) -> Hand:
    """Return the hand with the version that it needs."""
    needed = FORMAT_WITH_GAPS if needs_version_2(hand) else FORMAT
    return hand if hand.format == needed else msgspec.structs.replace(hand, format=needed)


def content_hash(hand: Hand) -> str:
    """Return 32 hex digits that identify the record: all of its canonical form but ``ext``."""
    bare = msgspec.structs.replace(hand, ext=UNSET) if hand.ext is not UNSET else hand
    return hashlib.sha256(encode_hand(bare)).hexdigest()[:32]


def play_hash(hand: Hand) -> str:
    """Return 32 hex digits that identify the deal and what was done with it, under any id.

    Two records with gaps may be alike and of different deals, so theirs is the content hash.
    """
    if needs_version_2(hand):
        return content_hash(hand)
    facts = (hand.rules, hand.dealer, hand.deal, hand.stock, hand.kitty, hand.actions)
    known = [None if fact is UNSET else fact for fact in facts]
    return hashlib.sha256(_encoder.encode(known)).hexdigest()[:32]
