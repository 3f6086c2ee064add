"""What a hand must fulfil beyond the types of its fields, before any rule is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Final

from msgspec import UNSET

from ingest.reading.gap_checks import Found, Path, gap_troubles, no_seat
from ingest.reading.json_positions import place_of
from ingest.reading.rejects import RejectCode, Trouble, pointer_to
from schemas.actions import ActionError, parse_action
from schemas.cards import parse_cards
from schemas.hand import FORMAT, Hand
from schemas.words import counted

_RFC_3339: Final = re.compile(
    r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII
)

_WITHOUT_OFFSET: Final = re.compile(r"\d{4}-\d\d-\d\d([Tt]\d\d:\d\d(:\d\d(\.\d+)?)?)?", re.ASCII)
_OFFSET: Final = re.compile(r"[+-]\d\d:\d\d$", re.ASCII)


def first_trouble(text: bytes, hand: Hand) -> Hand | Trouble:
    """Return ``hand`` when it is sound, else the first thing wrong with it.

    ``text`` is the line it was read from; it tells the byte.
    """
    for code, path, message in _troubles(hand):
        place = place_of(text, path)
        return Trouble(code, pointer_to(*path), message, place.start if place else None)
    return hand


def has_offset(text: str) -> bool:
    """Does a time say how far its clock was from UTC?"""
    return text[-1:] in ("Z", "z") or _OFFSET.search(text) is not None


def parse_day(text: str) -> date:
    """Return the day of a date, or of a time without offset, as version 2 writes them.

    Raises ``ValueError`` for anything else.
    """
    if not _WITHOUT_OFFSET.fullmatch(text):
        raise ValueError(
            f"{text!r} is neither a time such as 2026-11-20T19:03:00Z or 2026-11-20T19:03 nor a "
            "date such as 2026-11-20"
        )
    try:
        return datetime.fromisoformat(text.upper()).date()
    except ValueError as error:
        raise ValueError(f"{text!r} is not a time that exists: {error}") from None


def order_time(text: str) -> float:
    """Return when a hand began, in seconds, to put hands in order.

    Where the offset is not recorded the time at the table counts as UTC, a date as its midnight.
    """
    if has_offset(text):
        return parse_time(text).timestamp()
    return datetime.fromisoformat(text.upper()).replace(tzinfo=UTC).timestamp()


def parse_time(text: str) -> datetime:
    """Return an RFC 3339 time with offset; its date is the local day of that offset.

    Raises ``ValueError`` for anything else.
    """
    if not _RFC_3339.fullmatch(text):
        raise ValueError(f"{text!r} is not a time such as 2026-11-20T19:03:00Z")
    try:
        time = datetime.fromisoformat(text.upper())
        time.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{text!r} is not a time that exists: {error}") from None
    return time


def _troubles(hand: Hand) -> Iterator[Found]:
    yield from _dealer_trouble(hand)
    yield from _card_troubles(hand)
    yield from _action_troubles(hand)
    yield from _claim_troubles(hand)
    yield from _remark_troubles(hand)
    yield from _time_trouble(hand)
    yield from gap_troubles(hand)


def _time_trouble(hand: Hand) -> Iterator[Found]:
    text = hand.started_at
    if text is UNSET:
        return
    try:
        if hand.format == FORMAT or has_offset(text):
            parse_time(text)
        else:
            parse_day(text)
    except ValueError as error:
        yield RejectCode.BAD_VALUE, ("started_at",), f"{error}."


def _dealer_trouble(hand: Hand) -> Iterator[Found]:
    if hand.dealer is not UNSET and hand.dealer >= len(hand.players):
        yield RejectCode.BAD_VALUE, ("dealer",), no_seat(hand, hand.dealer)


def _card_troubles(hand: Hand) -> Iterator[Found]:
    deal = () if hand.deal is UNSET else hand.deal
    if deal and len(deal) != len(hand.players):
        of_players = counted(len(hand.players), "player")
        message = f"The deal has cards for {counted(len(deal), 'seat')} and {of_players}."
        yield RejectCode.BAD_VALUE, ("deal",), message
    lists: list[tuple[Path, str]] = [(("deal", seat), cards) for seat, cards in enumerate(deal)]
    lists += [
        ((k,), v) for k, v in (("stock", hand.stock), ("kitty", hand.kitty)) if v is not UNSET
    ]
    for path, cards in lists:
        try:
            parse_cards(cards)
        except ValueError as error:
            yield RejectCode.BAD_CARD, path, f"{error}."


def _action_troubles(hand: Hand) -> Iterator[Found]:
    for index, text in enumerate(hand.actions):
        try:
            action = parse_action(text)
        except ActionError as error:
            yield RejectCode.BAD_ACTION, ("actions", index), f"{error}."
        else:
            if action.seat >= len(hand.players):
                yield RejectCode.BAD_ACTION, ("actions", index), no_seat(hand, action.seat)


def _claim_troubles(hand: Hand) -> Iterator[Found]:
    if hand.claimed is UNSET or hand.claimed.winners is UNSET:
        return
    for index, seat in enumerate(hand.claimed.winners):
        if seat is not None and seat >= len(hand.players):
            yield RejectCode.BAD_VALUE, ("claimed", "winners", index), no_seat(hand, seat)


def _remark_troubles(hand: Hand) -> Iterator[Found]:
    for field, remarks in (("times", hand.times), ("notes", hand.notes)):
        for key in () if remarks is UNSET else remarks:
            if int(key) >= len(hand.actions):
                message = f"There is no action {key}; the hand has {len(hand.actions)}."
                yield RejectCode.BAD_VALUE, (field, str(key)), message
