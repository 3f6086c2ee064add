"""The hand log, ``tricklog/1`` and ``tricklog/2``: one deal as one JSON object on one line.

Nothing is filled in that the record does not say. A field that is absent stays absent when the hand
is written again, so reading and writing round-trip exactly. The version says whether the record has
a gap: a hand that version 1 can say is always written in version 1.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import UNSET, UnsetType

from tricklog.schemas import first_version
from tricklog.schemas.record import (
    FORMAT,
    FORMAT_WITH_GAPS,
    Claimed,
    Gap,
    Known,
    Missing,
    OptionValue,
    Player,
    Record,
    RulesRef,
    Score,
    Status,
    Then,
)
from tricklog.schemas.times import lacks_offset

__all__ = [
    "FORMAT",
    "FORMAT_WITH_GAPS",
    "Claimed",
    "Gap",
    "Hand",
    "Known",
    "Missing",
    "OptionValue",
    "Player",
    "RulesRef",
    "Score",
    "Status",
    "Then",
    "claims_version_1",
    "content_hash",
    "decode_hand",
    "encode_hand",
    "has_gaps",
    "in_its_version",
    "needs_version_2",
    "play_hash",
]


def _whole(values: Sequence[int | None] | UnsetType) -> list[int] | UnsetType:
    if values is UNSET:
        return UNSET
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) else UNSET


class Hand(Record, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One recorded deal; ``tricklog.schemas.record`` says what each field holds."""

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
    def whole_claims(self) -> first_version.Claimed | UnsetType:
        """What is claimed, without the lists that are known in part only."""
        claimed = self.claimed
        if claimed is UNSET:
            return UNSET
        return first_version.Claimed(
            _whole(claimed.points),
            _whole(claimed.change),
            _whole(claimed.scores),
            _whole(claimed.winners),
        )

    def __str__(self) -> str:
        """Return the hand as plain text for people."""
        from tricklog.schemas.render import hand_text

        return hand_text(self)

    def _repr_html_(self) -> str:
        """Return the hand as HTML, which a notebook shows by itself."""
        from tricklog.schemas.render import hand_html

        return hand_html(self)


_decoder: Final = msgspec.json.Decoder(Hand)
_first_version: Final = msgspec.json.Decoder(first_version.Record)
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
            _first_version.decode(line)
        raise
    if hand.format == FORMAT and needs_version_2(hand):
        _first_version.decode(line)
        return hand
    return in_its_version(hand)


def claims_version_1(line: bytes | str) -> bool:
    """Does the object on a line say that it is of version 1, whatever else is wrong with it?"""
    try:
        return _probe.decode(line).format == FORMAT
    except msgspec.DecodeError:
        return False


class _Probe(msgspec.Struct):
    format: str = ""


_probe: Final = msgspec.json.Decoder(_Probe)


def needs_version_2(hand: Record) -> bool:
    """Does the record leave something out, or say something, that version 1 has no room for?"""
    if hand.dealer is UNSET or hand.gaps is not UNSET or hand.known is not UNSET:
        return True
    if hand.remark is not UNSET or (hand.scores is not UNSET and None in hand.scores):
        return True
    if hand.claimed is not UNSET and _is_partial(hand.claimed):
        return True
    return hand.started_at is not UNSET and lacks_offset(hand.started_at)


def has_gaps(hand: Record) -> bool:
    """Does the record leave out who dealt, or something that happened?"""
    return hand.dealer is UNSET or hand.gaps is not UNSET


def _is_partial(claimed: Claimed) -> bool:
    if claimed.result is not UNSET or claimed.by is not UNSET:
        return True
    lists = (claimed.points, claimed.change, claimed.scores, claimed.winners)
    return any(each is not UNSET and None in each for each in lists)


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
