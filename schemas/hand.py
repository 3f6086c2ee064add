"""The hand log ``tricklog/1``: one recorded deal as one JSON object on one line.

Recorded facts stand apart from claimed results; nothing is filled in that the record does not
say. A field that is absent stays absent when the hand is written again, so reading and writing
round-trip exactly. The specification is ``docs/hand-log.md``, the JSON Schema
``schemas/hand.schema.json`` is made from these types.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

FORMAT: Final = "tricklog/1"
MAX_SEATS: Final = 7

Seat = Annotated[int, Meta(ge=0, le=6)]
Score = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
PerSide = Annotated[list[Score], Meta(min_length=2, max_length=MAX_SEATS)]
CardList = Annotated[str, Meta(max_length=160, extra_json_schema={"$ref": "#/$defs/cards"})]
ActionText = Annotated[
    str, Meta(min_length=3, max_length=180, extra_json_schema={"$ref": "#/$defs/action"})
]
Time = Annotated[str, Meta(max_length=40, extra_json_schema={"$ref": "#/$defs/time"})]
ActionKey = Annotated[str, Meta(pattern=r"^(0|[1-9][0-9]{0,2})(?!\n)$")]
OptionValue = bool | int | str | list[int | str] | dict[str, int]
Status = Literal["complete", "in_progress", "abandoned", "thrown_in", "claimed", "decided"]


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


class Claimed(Struct, frozen=True, forbid_unknown_fields=True):
    """What the record says came out of the hand; checked, never adopted."""

    points: PerSide | UnsetType = UNSET
    """Card points counted, one entry per side."""
    change: PerSide | UnsetType = UNSET
    """What was added to the running scores (Twenty-Nine: game points), one entry per side."""
    scores: PerSide | UnsetType = UNSET
    """Running scores after the hand, one entry per side."""
    winners: Annotated[list[Seat], Meta(max_length=53)] | UnsetType = UNSET
    """The seat each trick was given to, in order."""


class Hand(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
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
    hand: Annotated[int, Meta(ge=1, le=100_000)] | UnsetType = UNSET
    """Number of the deal within its game, from 1; thrown-in deals count."""
    rules: RulesRef
    """The rules of the table."""
    players: Annotated[list[Player], Meta(min_length=4, max_length=MAX_SEATS)]
    """One player per seat."""
    dealer: Seat
    """The seat that dealt."""
    scores: PerSide | UnsetType = UNSET
    """Running scores before the hand, one entry per side."""
    deal: Annotated[list[CardList], Meta(min_length=4, max_length=MAX_SEATS)] | UnsetType = UNSET
    """Each seat's cards in the order dealt, all packets one after the other."""
    stock: CardList | UnsetType = UNSET
    """Undealt cards in the order they would be drawn."""
    kitty: CardList | UnsetType = UNSET
    """Cards laid aside for the winner of the auction."""
    actions: Annotated[list[ActionText], Meta(max_length=1000)]
    """What was done at the table, in order."""
    claimed: Claimed | UnsetType = UNSET
    """The result as the record has it."""
    status: Status | UnsetType = UNSET
    """How the record ends; ``complete`` when absent."""
    started_at: Time | UnsetType = UNSET
    """RFC 3339 time with offset; the local day of that offset is the day of the hand."""
    times: dict[ActionKey, Annotated[int, Meta(ge=0, le=10_000_000_000)]] | UnsetType = UNSET
    """Milliseconds since ``started_at``, by action index."""
    notes: dict[ActionKey, Annotated[str, Meta(max_length=2000)]] | UnsetType = UNSET
    """Remarks, by action index."""
    ext: dict[str, Any] | UnsetType = UNSET
    """Anything else, under a namespaced key; kept, never interpreted, not part of the hash."""

    def __str__(self) -> str:
        """Return the hand as plain text for people."""
        from schemas.render import hand_text

        return hand_text(self)

    def _repr_html_(self) -> str:
        """Return the hand as HTML, which a notebook shows by itself."""
        from schemas.render import hand_html

        return hand_html(self)


_decoder: Final = msgspec.json.Decoder(Hand)
_encoder: Final = msgspec.json.Encoder(order="deterministic")


def decode_hand(line: bytes | str) -> Hand:
    """Return the hand written on one line of JSON.

    Raises ``msgspec.ValidationError`` (wrong shape, message ends with the JSON path) or
    ``msgspec.DecodeError`` (not JSON).
    """
    return _decoder.decode(line)


def encode_hand(hand: Hand) -> bytes:
    """Return the canonical form: fields in schema order, other keys sorted, no spaces, UTF-8."""
    return _encoder.encode(hand)


def content_hash(hand: Hand) -> str:
    """Return 32 hex digits that identify the record: all of its canonical form but ``ext``."""
    bare = msgspec.structs.replace(hand, ext=UNSET) if hand.ext is not UNSET else hand
    return hashlib.sha256(_encoder.encode(bare)).hexdigest()[:32]


def play_hash(hand: Hand) -> str:
    """Return 32 hex digits that identify the deal and what was done with it, under any id."""
    facts = (hand.rules, hand.dealer, hand.deal, hand.stock, hand.kitty, hand.actions)
    known = [None if fact is UNSET else fact for fact in facts]
    return hashlib.sha256(_encoder.encode(known)).hexdigest()[:32]
