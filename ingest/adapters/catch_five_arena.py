"""Adapter ``catch-five-arena``: games of Pitch with Fives from the web game Catch-Five-Arena.

One record is one game, played by house rules that the options of the variant can say. The program
notes what each seat was dealt and what it held when the first trick began. What it laid off in
between is not noted seat by seat: its plain cards, as in every hand of this game, and the trumps in
``trumpDiscards``; the rest of what it held at play it has drawn. A plain card that is laid off may
come back that way, since an empty stock is made up from the discards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, cast

from msgspec import UNSET, Meta, UnsetType

from tricklog.ingest.adapters.contract import Adapter
from tricklog.ingest.adapters.foreign import (
    SEATS,
    Card,
    Cards,
    CardsPerSeat,
    ForeignPart,
    ForeignRecord,
    Label,
    PerSide,
    Play,
    SeatNumber,
    Source,
    SuitName,
    calls_of,
    left_over,
    numbered_seats,
    plays_of,
    read_shape,
    with_any,
)
from tricklog.ingest.reading.json_positions import Path
from tricklog.schemas.hand import FORMAT, Claimed, Hand, OptionValue, RulesRef

NAME: Final = "catch-five-arena"
USUAL_TARGET: Final = 31
COMPUTER: Final = "cpu"
"""The policy of games in which the program itself decides for every seat."""
HOUSE_RULES: Final[dict[str, OptionValue]] = {
    "packets": [9],
    "min_bid": 5,
    "forced_bid": 5,
    "equal_bid": "dealer-at-maximum",
    "first_drawer": "maker",
    "empty_stock": "discards",
    "plain_follow": "follow-or-trump",
    "low_to": "winner",
    "high_low": "in-play",
    "game_point": "count",
    "points": {"A": 1, "J": 1, "5": 5, "2": 1},
}


class Bid(ForeignPart):
    """A call: a number, 0 for a pass."""

    seat: SeatNumber
    bid: Annotated[int, Meta(ge=0, le=999)]


class TrumpDiscard(ForeignPart):
    """A trump laid off by a seat that held too many."""

    seat: SeatNumber
    card: Card


class Trick(ForeignPart):
    """A trick, and the seat the program gave it to."""

    plays: Annotated[list[Play], Meta(max_length=SEATS)]
    winner: SeatNumber
    leader: SeatNumber | UnsetType = UNSET


class Result(ForeignRecord):
    """What the program counted; how each point came about goes to ``ext``."""

    team_points: PerSide


class Round(ForeignRecord):
    """One hand of a game. ``stock`` is drawn from its end."""

    dealer: SeatNumber
    scores_before: PerSide
    deal: CardsPerSeat
    stock: Cards
    bids: Annotated[list[Bid], Meta(max_length=100)]
    bidder: SeatNumber
    trump: SuitName
    trump_discards: Annotated[list[TrumpDiscard], Meta(max_length=52)]
    hands_at_play: CardsPerSeat
    tricks: Annotated[list[Trick], Meta(max_length=52)]
    result: Result
    scores_after: PerSide


class Game(ForeignRecord):
    """One record: a game."""

    source: Source
    policy: Label
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    target_score: Annotated[int, Meta(ge=1, le=10_000)]
    rounds: Annotated[list[Round], Meta(min_length=1, max_length=1000)]


SAID_BY_HANDS: Final = frozenset({"source", "policy", "seed", "targetScore", "rounds"})
SAID_BY_HAND: Final = frozenset(
    {
        *("dealer", "scoresBefore", "deal", "stock", "bids", "bidder", "bid", "trump"),
        *("trumpDiscards", "handsAtPlay", "discardPileAfter", "tricks", "scoresAfter"),
    }
)


def convert(record: object) -> list[Hand]:
    """Return the hands of one game, in order.

    Raises ``ForeignError`` when the record is not such a game.
    """
    game = read_shape(record, Game)
    raw = cast("dict[str, Any]", record)
    extras = [left_over(played, SAID_BY_HAND) for played in raw["rounds"]]
    for extra in extras:
        # How each point came about.
        extra["result"] = left_over(extra["result"], frozenset({"teamPoints"}))
    extras[0]["game"] = left_over(raw, SAID_BY_HANDS)
    game_id = f"{NAME}:{game.source}:{game.policy}-{game.target_score}-{game.seed}"
    kind: Literal["bot"] | UnsetType = "bot" if game.policy == COMPUTER else UNSET
    options = dict(HOUSE_RULES)
    if game.target_score != USUAL_TARGET:
        options["target"] = game.target_score
    rules = RulesRef(variant="pitch-with-fives", version=1, options=options)
    return [
        Hand(
            format=FORMAT,
            id=f"{game_id}:{number}",
            rules=rules,
            players=numbered_seats(f"{NAME}:{game.policy}", kind),
            dealer=played.dealer,
            actions=list(_actions(played, ("rounds", number - 1))),
            game=game_id,
            hand=number,
            scores=played.scores_before,
            deal=[" ".join(cards) for cards in played.deal],
            stock=" ".join(reversed(played.stock)),
            claimed=Claimed(
                points=played.result.team_points,
                scores=played.scores_after,
                winners=[trick.winner for trick in played.tricks],
            ),
            status="complete",
            ext={NAME: extra},
        )
        for number, (played, extra) in enumerate(zip(game.rounds, extras, strict=True), 1)
    ]


def _actions(played: Round, path: Path) -> Iterator[str]:
    """Return what happened, in the order of the game."""
    yield from calls_of(played.bids)
    yield f"{played.bidder} trump {played.trump}"
    # Discards and draws go in rotation from the maker.
    laid_off = {(each.seat, each.card) for each in played.trump_discards}
    order = {card: place for place, card in enumerate(reversed(played.stock))}
    rotation = [(played.bidder + step) % SEATS for step in range(SEATS)]
    draws = []
    for seat in rotation:
        kept = [
            card
            for card in played.deal[seat]
            if card.endswith(played.trump) and (seat, card) not in laid_off
        ]
        gone = [card for card in played.deal[seat] if card not in kept]
        yield from with_any(f"{seat} discard", gone, (*path, "deal", seat))
        drawn = [card for card in played.hands_at_play[seat] if card not in kept]
        draws.append((seat, sorted(drawn, key=lambda card: order.get(card, len(order)))))
    for seat, cards in draws:
        yield from with_any(f"{seat} draw", cards, (*path, "handsAtPlay", seat))
    yield from plays_of(played.tricks)


ADAPTER: Final = Adapter(
    NAME, "Pitch with Fives of PGD3311/Catch-Five-Arena", convert, Game, contract=1
)
