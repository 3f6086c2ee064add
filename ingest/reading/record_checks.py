"""What a hand must fulfil beyond the types of its fields, before any rule is asked."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from tricklog.ingest.reading.gap_checks import Found, Path, gap_troubles, no_seat
from tricklog.ingest.reading.json_positions import place_of
from tricklog.ingest.reading.rejects import RejectCode, Trouble, pointer_to
from tricklog.schemas.actions import ActionError, parse_action
from tricklog.schemas.cards import parse_cards
from tricklog.schemas.hand import FORMAT, Hand
from tricklog.schemas.times import has_offset, parse_day, parse_time
from tricklog.schemas.words import counted


def first_trouble(text: bytes, hand: Hand) -> Hand | Trouble:
    """Return ``hand`` when it is sound, else the first thing wrong with it.

    ``text`` is the line it was read from; it tells the byte.
    """
    for code, path, message in _troubles(hand):
        place = place_of(text, path)
        return Trouble(code, pointer_to(*path), message, place.start if place else None)
    return hand


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
