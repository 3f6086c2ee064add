"""Games as knybbe/pidro keeps them itself: its history, and the text that it copies of a game."""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from tricklog.ingest.adapters.foreign import (
    SEATS,
    BidAmount,
    ForeignPart,
    ForeignRecord,
    Label,
    PerSide,
    SeatNumber,
    SuitName,
)

MOST_CARDS: Final = 52
_SIX: Final = 6
"""Cards that everybody but the dealer draws to."""
_TEXT: Final = re.compile(
    rb"=== (?:PIDRO MATCH: |REPLAY JSON ===)|Mode: |Score: S-N \[|Seats: S:|--- Round \d+ \(Dealer:"
    rb" |Deals:|  [SWNE]: |Bids: |Tricks:|  T\d+: |Result: Team "
)
"""How the lines begin of what it copies of a game, of which the last is the game itself."""


class Face(ForeignPart):
    """A card."""

    suit: SuitName
    rank: Literal["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"]
    id: Annotated[str, Meta(max_length=8)] | UnsetType = UNSET

    @property
    def card(self) -> str:
        """It as hand logs write it."""
        return f"{'T' if self.rank == '10' else self.rank}{self.suit}"


Faces = Annotated[list[Face], Meta(max_length=MOST_CARDS)]
FacesPerSeat = Annotated[list[Faces], Meta(min_length=SEATS, max_length=SEATS)]


class Call(ForeignPart):
    """A call: a number, or none for a pass."""

    seat: SeatNumber
    bid: BidAmount | None


class Winner(ForeignPart):
    """Who won the auction, and with what."""

    seat: SeatNumber
    bid: BidAmount


class Put(ForeignPart):
    """A card played to a trick."""

    seat: SeatNumber
    card: Face


class Taken(ForeignPart):
    """A trick, the last one perhaps not complete."""

    plays: Annotated[list[Put], Meta(max_length=SEATS)]
    winner: SeatNumber
    trick_number: int | UnsetType = UNSET
    leader: SeatNumber | UnsetType = UNSET
    points_scored: dict[str, int] | UnsetType = UNSET


class Counted(ForeignRecord):
    """What the program counted."""

    team_points_taken: PerSide
    team_score_delta: PerSide


class Round(ForeignRecord):
    """One hand, as far as it was played."""

    round_number: Annotated[int, Meta(ge=1, le=100_000)]
    started_at: Annotated[str, Meta(max_length=40)]
    dealer: SeatNumber
    initial_hands: FacesPerSeat
    initial_stock: Faces
    bids: Annotated[list[Call], Meta(max_length=100)]
    bid_winner: Winner | None
    trump: SuitName | None
    discards: FacesPerSeat
    tricks: Annotated[list[Taken], Meta(max_length=MOST_CARDS)]
    result: Counted | None
    scores_after: PerSide

    def dealt(self) -> list[list[str]]:
        """Return the cards that each seat was dealt."""
        return [_cards(each) for each in self.initial_hands]

    def dump(self) -> list[list[str]]:
        """Return the cards that each seat threw away in all."""
        return [_cards(each) for each in self.discards]

    def stock(self) -> list[str]:
        """Return the stock in the order in which it is drawn from."""
        return _cards(self.initial_stock)

    def at_play(self) -> list[list[str]]:
        """Return what each seat held when the first trick began.

        The others draw to six, in turn from the dealer's left, and the dealer takes what is left.
        """
        stock, dump = self.stock(), self.dump()
        held = [
            [card for card in cards if card not in thrown]
            for cards, thrown in zip(self.dealt(), dump, strict=True)
        ]
        for step in range(1, SEATS):
            hand = held[(self.dealer + step) % SEATS]
            count = max(0, _SIX - len(hand))
            hand += stock[:count]
            stock = stock[count:]
        held[self.dealer] += [card for card in stock if card not in dump[self.dealer]]
        return held


class History(ForeignRecord):
    """A game that the program keeps."""

    id: Label
    rounds: Annotated[list[Round], Meta(min_length=1, max_length=1000)]


def _cards(faces: list[Face]) -> list[str]:
    return [face.card for face in faces]


def is_text(line: bytes) -> bool:
    """Whether a line is one of the words around a game that was copied as text."""
    return _TEXT.match(line) is not None
