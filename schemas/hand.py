"""The hand log ``tricklog/1``: one recorded deal as one JSON object on one line.

Nothing is filled in that the record does not say. A field that is absent stays absent when the hand
is written again, so reading and writing round-trip exactly.
"""

from __future__ import annotations

import hashlib
from typing import Final

import msgspec
from msgspec import UNSET

from schemas.record import FORMAT, Claimed, OptionValue, Player, Record, RulesRef, Score, Status
from schemas.render import hand_html, hand_text

__all__ = [
    "FORMAT",
    "Claimed",
    "Hand",
    "OptionValue",
    "Player",
    "RulesRef",
    "Score",
    "Status",
    "content_hash",
    "decode_hand",
    "encode_hand",
    "play_hash",
]


class Hand(Record, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One recorded deal; ``schemas.record`` says what each field holds."""

    def __str__(self) -> str:
        """Return the hand as plain text for people."""
        return hand_text(self)

    def _repr_html_(self) -> str:
        """Return the hand as HTML, which a notebook shows by itself."""
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
