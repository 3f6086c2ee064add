"""Adapter ``rlcard-29``: rounds of Twenty-Nine from the logs of arnob-das/RLCard_29.

One record is one round, and each round is a game of its own: the program plays on beyond six game
points won or lost, so its match score is no score of a game and goes to ``ext``. The first four
cards of a seat are not recorded; who held what shows only in the plays, so every dealt card is
written as not recorded. The house rules are bids from 16 to 29 and no point for the last trick.

The logs print the rounds so far again after each new one. A round printed again gets the same id
and the same content, so that readers count it as a duplicate of the first.

The trump is shown before the card of the seat in ``revealedBy``: it asks and the maker reveals, or
the maker reveals unasked. Winners are claimed as they are recorded; some tricks are awarded wrongly
while trumps are hidden, which are findings (``claimed-winner``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Annotated, Any, Final, cast

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tricklog.ingest.adapters.contract import Adapter
from tricklog.ingest.adapters.foreign import (
    DAMAGE_HINT,
    SEATS,
    Call,
    Card,
    ForeignError,
    ForeignPart,
    ForeignRecord,
    Label,
    PerSide,
    SeatNumber,
    SuitName,
    calls_of,
    left_over,
    numbered_seats,
    read_shape,
)
from tricklog.ingest.reading.rejects import RejectCode
from tricklog.schemas.hand import FORMAT, Claimed, Hand, RulesRef

NAME: Final = "rlcard-29"
HAND_SIZE: Final = 8
HOUSE_RULES: Final = RulesRef(
    variant="twenty-nine", version=1, options={"min_bid": 16, "forced_bid": 16, "max_bid": 29}
)


class Play(ForeignPart):
    """A card played to a trick."""

    seat: SeatNumber
    card: Card


class Trick(ForeignPart):
    """A trick, and the seat the program gave it to."""

    plays: Annotated[list[Play], Meta(max_length=SEATS)]
    winner: SeatNumber


class Result(ForeignPart):
    """What the bidder's side scored."""

    team: Annotated[int, Meta(ge=0, le=1)]
    game_points: Annotated[int, Meta(ge=-1000, le=1000)]
    made: bool | UnsetType = UNSET
    bid: int | UnsetType = UNSET
    points: int | UnsetType = UNSET


class Round(ForeignRecord):
    """One record: a round."""

    source: Label
    file: Label
    dealer: SeatNumber
    bids: Annotated[list[Call], Meta(max_length=200)]
    bidder: SeatNumber
    trump: SuitName
    tricks: Annotated[list[Trick], Meta(max_length=HAND_SIZE)]
    revealed_by: SeatNumber | None
    revealed_at_trick: Annotated[int, Meta(ge=1, le=HAND_SIZE)] | None
    match_score_before: PerSide
    complete: bool
    result: Result | UnsetType = UNSET
    team_points: PerSide | UnsetType = UNSET


SAID_BY_HAND: Final = frozenset(
    {
        *("source", "dealer", "bids", "bidder", "bid", "trump", "tricks", "revealedBy"),
        *("revealedAtTrick", "complete", "result", "teamPoints", "handsReconstructed"),
    }
)


def convert(record: object) -> list[Hand]:
    """Return the one hand of a round.

    Raises ``ForeignError`` when the record is not such a round.
    """
    played = read_shape(record, Round)
    actions = list(_actions(played))
    game_id = f"{NAME}:{played.source}:{played.file}~{_digest(played, actions)}"
    return [
        Hand(
            format=FORMAT,
            id=f"{game_id}:1",
            rules=HOUSE_RULES,
            players=numbered_seats(NAME),
            dealer=played.dealer,
            actions=actions,
            game=game_id,
            hand=1,
            deal=[" ".join("?" * HAND_SIZE)] * SEATS,
            claimed=_claimed(played),
            status="complete" if played.complete else "in_progress",
            ext={NAME: left_over(cast("dict[str, Any]", record), SAID_BY_HAND)},
        )
    ]


def _digest(played: Round, actions: list[str]) -> str:
    """Return 12 hex digits that stand for a round: the logs do not number the rounds of a file."""
    facts = msgspec.json.encode((played.match_score_before, played.dealer, actions))
    return hashlib.sha256(facts).hexdigest()[:12]


def _actions(played: Round) -> Iterator[str]:
    """Return what happened, in order; the trump is asked for and shown before the card."""
    yield from calls_of(played.bids)
    yield f"{played.bidder} trump {played.trump}"
    _check_reveal(played)
    for number, trick in enumerate(played.tricks, 1):
        for play in trick.plays:
            if number == played.revealed_at_trick and play.seat == played.revealed_by:
                if play.seat != played.bidder:
                    yield f"{play.seat} ask"
                yield f"{played.bidder} reveal {played.trump}"
            yield f"{play.seat} play {play.card}"


def _check_reveal(played: Round) -> None:
    """Refuse a round that does not say before which card the trump was shown."""
    number, seat = played.revealed_at_trick, played.revealed_by
    if number is None and seat is None:
        return
    if number is None or number > len(played.tricks):
        path, message = "revealedAtTrick", f"Seat {seat} showed the trump in no recorded trick."
    elif [play.seat for play in played.tricks[number - 1].plays].count(cast("int", seat)) != 1:
        path, message = "revealedBy", f"No one card of trick {number} is that of seat {seat}."
    else:
        return
    raise ForeignError(RejectCode.BAD_VALUE, (path,), message, DAMAGE_HINT)


def _claimed(played: Round) -> Claimed:
    claimed = Claimed(winners=[trick.winner for trick in played.tricks])
    if played.team_points is not UNSET:
        claimed = msgspec.structs.replace(claimed, points=played.team_points)
    if played.result is not UNSET:
        change = [0, 0]
        change[played.result.team] = played.result.game_points
        claimed = msgspec.structs.replace(claimed, change=change)
    return claimed


ADAPTER: Final = Adapter(NAME, "Twenty-Nine of arnob-das/RLCard_29", convert, Round, contract=1)
