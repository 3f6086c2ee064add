"""What a hand must fulfil beyond the types of its fields, before any rule is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET, UnsetType

from tricklog.ingest.reading.json_positions import Path, place_of
from tricklog.ingest.reading.rejects import RejectCode, Trouble, pointer_to
from tricklog.schemas.actions import ActionError, parse_action
from tricklog.schemas.cards import parse_cards
from tricklog.schemas.hand import FORMAT, Gap, Hand, Then
from tricklog.schemas.times import has_offset, parse_day, parse_time
from tricklog.schemas.words import counted

_Found = tuple[RejectCode, Path, str]
"""What is wrong: its code, where it stands, a sentence."""


def first_trouble(text: bytes, hand: Hand) -> Hand | Trouble:
    """Return ``hand`` when it is sound, else the first thing wrong with it.

    ``text`` is the line it was read from; it tells the byte.
    """
    for code, path, message in _troubles(hand):
        place = place_of(text, path)
        return Trouble(code, pointer_to(*path), message, place.start if place else None)
    return hand


def _troubles(hand: Hand) -> Iterator[_Found]:
    yield from _no_seat(hand, ("dealer",), hand.dealer)
    yield from _card_troubles(hand)
    for index, text in enumerate(hand.actions):
        try:
            seat = parse_action(text).seat
        except ActionError as error:
            yield RejectCode.BAD_ACTION, ("actions", index), f"{error}."
        else:
            yield from _no_seat(hand, ("actions", index), seat, RejectCode.BAD_ACTION)
    if hand.claimed is not UNSET and hand.claimed.winners is not UNSET:
        for index, winner in enumerate(hand.claimed.winners):
            yield from _no_seat(hand, ("claimed", "winners", index), winner)
    for field, remarks in (("times", hand.times), ("notes", hand.notes)):
        for key in () if remarks is UNSET else remarks:
            if int(key) >= len(hand.actions):
                message = f"There is no action {key}; the hand has {len(hand.actions)}."
                yield RejectCode.BAD_VALUE, (field, str(key)), message
    if hand.started_at is not UNSET:
        is_time = hand.format == FORMAT or has_offset(hand.started_at)
        try:
            (parse_time if is_time else parse_day)(hand.started_at)
        except ValueError as error:
            yield RejectCode.BAD_VALUE, ("started_at",), f"{error}."
    yield from _gap_troubles(hand)


def _no_seat(
    hand: Hand,
    path: Path,
    seat: int | UnsetType | None,
    code: RejectCode = RejectCode.BAD_VALUE,
) -> Iterator[_Found]:
    """Yield that nobody sits at a seat, where that is so."""
    count = len(hand.players)
    if isinstance(seat, int) and seat >= count:
        message = f"There is no seat {seat}: the {count} players sit at 0 to {count - 1}."
        yield code, path, message


def _card_troubles(hand: Hand) -> Iterator[_Found]:
    deal = () if hand.deal is UNSET else hand.deal
    if deal:
        yield from _other_count(hand, ("deal",), deal, "The deal has cards")
    lists: list[tuple[Path, str]] = [(("deal", seat), cards) for seat, cards in enumerate(deal)]
    lists += [
        ((k,), v) for k, v in (("stock", hand.stock), ("kitty", hand.kitty)) if v is not UNSET
    ]
    for path, cards in lists:
        try:
            parse_cards(cards)
        except ValueError as error:
            yield RejectCode.BAD_CARD, path, f"{error}."


def _other_count(
    hand: Hand, path: Path, listed: Sequence[object] | UnsetType, what: str
) -> Iterator[_Found]:
    """Yield that a list has not just one entry for each player, where that is so."""
    if listed is not UNSET and len(listed) != len(hand.players):
        seats, players = counted(len(listed), "seat"), counted(len(hand.players), "player")
        yield RejectCode.BAD_VALUE, path, f"{what} for {seats} and {players}."


# --- What is said of its gaps, and of what is known all the same


def _gap_troubles(hand: Hand) -> Iterator[_Found]:
    if hand.known is not UNSET:
        yield from _no_seat(hand, ("known", "maker"), hand.known.maker)
        yield from _no_seat(hand, ("known", "pair"), hand.known.pair)
    if hand.claimed is not UNSET and hand.claimed.by is not UNSET and hand.claimed.result is UNSET:
        message = "A result by so many points says whether the contract was made or set."
        yield RejectCode.BAD_VALUE, ("claimed", "by"), message
    before, trick = -1, 0
    for place, gap in enumerate(() if hand.gaps is UNSET else hand.gaps):
        path: Path = ("gaps", place)
        if message := _order_trouble(hand, gap, before):
            yield RejectCode.BAD_VALUE, (*path, "before"), message
        if gap.tricks is not UNSET:
            if gap.missing != "tricks":
                message = "Tricks are numbered in a gap in which tricks are missing."
                yield RejectCode.BAD_VALUE, (*path, "tricks"), message
            elif not trick < gap.tricks[0] <= gap.tricks[1]:
                message = (
                    "The first trick that is missing comes before the last, and after earlier gaps."
                )
                yield RejectCode.BAD_VALUE, (*path, "tricks"), message
            trick = gap.tricks[1]
        if gap.then is not UNSET:
            yield from _then_troubles(hand, (*path, "then"), gap.then)
        before = gap.before


def _order_trouble(hand: Hand, gap: Gap, before: int) -> str:
    """Return what is wrong with the place of a gap: it stands behind the one before it."""
    count = len(hand.actions)
    if gap.before > count:
        return f"There is no place before action {gap.before}; the hand has {count}."
    if gap.before <= before:
        return "Gaps stand in the order of the actions, and one at each place."
    if gap.missing == "rest" and gap.before < count:
        return f"The rest is missing after the last action, so before action {count}."
    return ""


def _then_troubles(hand: Hand, path: Path, then: Then) -> Iterator[_Found]:
    yield from _no_seat(hand, (*path, "winner"), then.winner)
    yield from _other_count(hand, (*path, "tricks_won"), then.tricks_won, "There is an entry")
    yield from _other_count(hand, (*path, "holdings"), then.holdings, "There is an entry")
    lists: list[tuple[Path, str | UnsetType | None]] = [
        ((*path, "holdings", seat), text)
        for seat, text in enumerate(() if then.holdings is UNSET else then.holdings)
    ]
    seen: set[int] = set()
    for place, text in (*lists, ((*path, "seen"), then.seen)):
        try:
            known = parse_cards(text) if isinstance(text, str) else ()
        except ValueError as error:
            yield RejectCode.BAD_CARD, place, f"{error}."
            continue
        cards = [card for card in known if card >= 0]
        if len(cards) > len(set(cards)) or seen.intersection(cards):
            yield RejectCode.BAD_CARD, place, "A card is named twice."
        seen.update(cards)
