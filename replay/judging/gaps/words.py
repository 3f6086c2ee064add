"""What a record does not say, in sentences for a card player."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET

from schemas.hand import Gap, Hand

_PARTS: Final = {
    "auction": "the auction, or part of it",
    "trumps": "the naming of trumps",
    "exchange": "the exchange of cards, or part of it",
    "tricks": "tricks in between",
    "rest": "everything after the last action",
}


def sentences(hand: Hand) -> tuple[str, ...]:
    """Return what a hand does not say of what figures and rules may ask, a sentence each."""
    return tuple(_sentences(hand))


def _sentences(hand: Hand) -> Iterator[str]:
    if hand.dealer is UNSET:
        yield "It is not recorded who dealt."
    gaps = () if hand.gaps is UNSET else hand.gaps
    if len(gaps) == 1 and gaps[0].missing == "rest" and not hand.actions:
        yield "Neither calls nor cards are recorded."
        return
    for gap in gaps:
        yield f"Not recorded{_place(hand, gap)}: {_what(gap)}."


def _place(hand: Hand, gap: Gap) -> str:
    if gap.before == 0 or gap.before >= len(hand.actions):
        return ""
    return f" before action {gap.before}"


def _what(gap: Gap) -> str:
    if gap.tricks is UNSET:
        return _PARTS[gap.missing]
    first, last = gap.tricks
    return f"trick {first}" if first == last else f"tricks {first} to {last}"
