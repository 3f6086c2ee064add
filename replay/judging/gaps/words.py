"""What a record does not say, in sentences for a card player."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET

from schemas.hand import Gap, Hand
from schemas.languages.messages import Message, message

_PARTS: Final = {
    "auction": message("the auction, or part of it"),
    "trumps": message("the naming of trumps"),
    "exchange": message("the exchange of cards, or part of it"),
    "tricks": message("tricks in between"),
    "rest": message("everything after the last action"),
}


def sentences(hand: Hand) -> tuple[Message, ...]:
    """Return what a hand does not say of what figures and rules may ask, a sentence each."""
    return tuple(_sentences(hand))


def _sentences(hand: Hand) -> Iterator[Message]:
    if hand.dealer is UNSET:
        yield message("It is not recorded who dealt.")
    gaps = () if hand.gaps is UNSET else hand.gaps
    if len(gaps) == 1 and gaps[0].missing == "rest" and not hand.actions:
        yield message("Neither calls nor cards are recorded.")
        return
    for gap in gaps:
        yield _left_out(hand, gap)


def _left_out(hand: Hand, gap: Gap) -> Message:
    if gap.before == 0 or gap.before >= len(hand.actions):
        return message("Not recorded: {part}.", part=_what(gap))
    return message(
        "Not recorded before action {action}: {part}.", action=gap.before, part=_what(gap)
    )


def _what(gap: Gap) -> Message:
    if gap.tricks is UNSET:
        return _PARTS[gap.missing]
    first, last = gap.tricks
    if first == last:
        return message("trick {number}", number=first)
    return message("tricks {first} to {last}", first=first, last=last)
