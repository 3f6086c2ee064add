"""What the gaps of a hand must fulfil beyond the types of their fields: places, seats, cards."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from tricklog.ingest.reading.rejects import RejectCode
from tricklog.schemas.cards import parse_cards
from tricklog.schemas.hand import Gap, Hand, Then
from tricklog.schemas.words import counted

Path = tuple[str | int, ...]
Found = tuple[RejectCode, Path, str]
"""What is wrong: its code, where it stands, a sentence."""


def gap_troubles(hand: Hand) -> Iterator[Found]:
    """Yield what is wrong with what a hand says of its gaps and of what is known all the same."""
    yield from _known_troubles(hand)
    if hand.claimed is not UNSET and hand.claimed.by is not UNSET and hand.claimed.result is UNSET:
        message = "A result by so many points says whether the contract was made or set."
        yield RejectCode.BAD_VALUE, ("claimed", "by"), message
    before, trick = -1, 0
    for place, gap in enumerate(() if hand.gaps is UNSET else hand.gaps):
        yield from _order_troubles(hand, place, gap, before, trick)
        if gap.then is not UNSET:
            yield from _then_troubles(hand, ("gaps", place, "then"), gap.then)
        before = gap.before
        trick = trick if gap.tricks is UNSET else gap.tricks[1]


def no_seat(hand: Hand, seat: int) -> str:
    """Return the sentence about a seat at which nobody sits."""
    last = len(hand.players) - 1
    return f"There is no seat {seat}: the {last + 1} players sit at 0 to {last}."


def _known_troubles(hand: Hand) -> Iterator[Found]:
    known = hand.known
    if known is UNSET:
        return
    for name, seat in (("maker", known.maker), ("pair", known.pair)):
        if seat is not UNSET and seat >= len(hand.players):
            yield RejectCode.BAD_VALUE, ("known", name), no_seat(hand, seat)


def _order_troubles(hand: Hand, place: int, gap: Gap, before: int, trick: int) -> Iterator[Found]:
    """A gap stands behind the one before it, and the rest is the last that can be missing."""
    path: Path = ("gaps", place)
    count = len(hand.actions)
    if gap.before > count:
        message = f"There is no place before action {gap.before}; the hand has {count}."
        yield RejectCode.BAD_VALUE, (*path, "before"), message
    elif gap.before <= before:
        message = "Gaps stand in the order of the actions, and one at each place."
        yield RejectCode.BAD_VALUE, (*path, "before"), message
    elif gap.missing == "rest" and gap.before < count:
        message = f"The rest is missing after the last action, so before action {count}."
        yield RejectCode.BAD_VALUE, (*path, "before"), message
    if gap.tricks is UNSET:
        return
    if gap.missing != "tricks":
        message = "Tricks are numbered in a gap in which tricks are missing."
        yield RejectCode.BAD_VALUE, (*path, "tricks"), message
    elif not trick < gap.tricks[0] <= gap.tricks[1]:
        message = "The first trick that is missing comes before the last, and after earlier gaps."
        yield RejectCode.BAD_VALUE, (*path, "tricks"), message


def _then_troubles(hand: Hand, path: Path, then: Then) -> Iterator[Found]:
    if then.winner is not UNSET and then.winner >= len(hand.players):
        yield RejectCode.BAD_VALUE, (*path, "winner"), no_seat(hand, then.winner)
    for name, listed in (("tricks_won", then.tricks_won), ("holdings", then.holdings)):
        if listed is not UNSET and len(listed) != len(hand.players):
            of_players = counted(len(hand.players), "player")
            message = f"There is an entry for {counted(len(listed), 'seat')} and {of_players}."
            yield RejectCode.BAD_VALUE, (*path, name), message
    seen: set[int] = set()
    for place, text in _card_lists(then):
        try:
            cards = [card for card in parse_cards(text) if card >= 0]
        except ValueError as error:
            yield RejectCode.BAD_CARD, (*path, *place), f"{error}."
            continue
        if len(cards) > len(set(cards)) or seen.intersection(cards):
            yield RejectCode.BAD_CARD, (*path, *place), "A card is named twice."
        seen.update(cards)


def _card_lists(then: Then) -> Iterator[tuple[Path, str]]:
    for seat, text in enumerate(() if then.holdings is UNSET else then.holdings):
        if text is not None:
            yield ("holdings", seat), text
    if then.seen is not UNSET:
        yield ("seen",), then.seen
