"""Adapter ``sixty-three``: games of Sixty-Three from the program bspaulding/sixty-three.

One record is one game: a list of events, with a deal at the head of each hand. The events come in
their order but for three things that the program says in its own way:

- It asks every seat on every lap, so that a seat that has passed passes again: only the first pass
  is reported (S78). Its bid of 126 ends the auction at once (O67). With three passes and no bid the
  dealer has the auction for what ``atPlay`` says: that is the forced bid.
- Who names trumps has the kitty with it, which no event says.
- Cards are given to the partner after or between discards, and a partner who has laid off lays off
  again: what is given comes first, and all that a seat laid off as one discard.

The program has faults of its own, which are findings. It ranks the other five of the colour below
the two, and gives a trick without a trump to the highest rank of any suit (``claimed-winner``, in
the last trick ``claimed-points``). After 126 as the first bid of a hand it lets the next seat name
trumps, take the kitty and lead (``trump-by-other``), and it takes 126 off whoever bid it, also with
all points taken (``claimed-change``).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final, TypeAlias, cast

from msgspec import UNSET, Meta, Struct, UnsetType

from tricklog.ingest.adapters.contract import Adapter
from tricklog.ingest.adapters.foreign import (
    DAMAGE_HINT,
    SEATS,
    SHAPE_HINT,
    BidAmount,
    Card,
    Cards,
    CardsPerSeat,
    ForeignError,
    ForeignPart,
    ForeignRecord,
    PerSide,
    SeatNumber,
    Source,
    SuitName,
    check_numbers,
    left_over,
    numbered_seats,
    read_shape,
    with_any,
    with_cards,
)
from tricklog.ingest.reading.json_positions import Path
from tricklog.ingest.reading.rejects import RejectCode
from tricklog.schemas.hand import FORMAT, Claimed, Hand, RulesRef, Score
from tricklog.schemas.words import counted

NAME: Final = "sixty-three"
TOP_BID: Final = 63
DOUBLE_BID: Final = 2 * TOP_BID
"""How the program writes the highest number doubled."""
WORTH: Final = {"A": 1, "K": 25, "J": 1, "T": 1, "9": 9, "5": 5, "off_five": 5, "2": 1, "joker": 15}
HOUSE_RULES: Final = RulesRef(
    variant="sixty-three",
    version=1,
    options={
        "joker": True,
        "points": WORTH,
        "packets": [12],
        "kitty_size": 5,
        "min_bid": 25,
        "max_bid": TOP_BID,
        "special_bid": "double",
        "top_bid": "ends",
        "all_pass": "dealer-forced",
        "forced_bid": 25,
        "first_lead": "trump",
        "plain_follow": "any",
        "target": 200,
    },
)


class Deal(ForeignPart):
    """A hand begins."""

    round: Annotated[int, Meta(ge=1, le=100_000)]
    dealer: SeatNumber
    hands: CardsPerSeat
    kitty: Cards


class Bid(ForeignPart, tag_field="a", tag="bid"):
    """A seat bids a number."""

    seat: SeatNumber
    amount: BidAmount


class Pass(ForeignPart, tag_field="a", tag="pass"):
    """A seat passes, for the first time or again."""

    seat: SeatNumber


class Trump(ForeignPart, tag_field="a", tag="trump"):
    """A seat names trumps and has the kitty."""

    seat: SeatNumber
    suit: SuitName


class Discard(ForeignPart, tag_field="a", tag="discard"):
    """A seat lays cards off."""

    seat: SeatNumber
    cards: Cards


class Give(ForeignPart, tag_field="a", tag="passCards"):
    """A seat gives cards to its partner."""

    seat: SeatNumber
    cards: Cards


class Play(ForeignPart, tag_field="a", tag="play"):
    """A card played to a trick; and what the program would have allowed."""

    seat: SeatNumber
    card: Card
    legal: list[Card] | UnsetType = UNSET


class AtPlay(ForeignPart):
    """The tricks begin: who plays for what, and what each seat holds."""

    at_play: CardsPerSeat
    bidder: SeatNumber
    bid: BidAmount


class Won(ForeignPart):
    """The program gives a trick to a seat; of the last trick of a hand it does not say so."""

    trick_winner: SeatNumber


class RoundEnd(ForeignPart):
    """A hand is over: what the program counted."""

    round_end: bool
    bidder: SeatNumber
    bid: BidAmount
    points_by_seat: Annotated[list[Score], Meta(min_length=SEATS, max_length=SEATS)]
    round_score: PerSide
    total: PerSide


Call: TypeAlias = Bid | Pass
Exchange: TypeAlias = Discard | Give
Deed: TypeAlias = Bid | Pass | Trump | Discard | Give | Play
Event: TypeAlias = Deed | Deal | AtPlay | Won | RoundEnd

_NOTES: Final[dict[str, type[Struct]]] = {
    "hands": Deal,
    "atPlay": AtPlay,
    "trickWinner": Won,
    "roundEnd": RoundEnd,
}
"""Events that are not the action of a player, by a field that only they have."""


class Game(ForeignRecord):
    """One record: a game."""

    source: Source
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    events: Annotated[list[dict[str, Any]], Meta(min_length=1, max_length=100_000)]


SAID_BY_HANDS: Final = frozenset({"source", "seed", "events"})

Told: TypeAlias = tuple[Path, Event]
"""An event and where it stands in the record."""


def convert(record: object) -> list[Hand]:
    """Return the hands of one game, in order.

    Raises ``ForeignError`` when the record is not such a game.
    """
    game = read_shape(record, Game)
    rounds = list(_rounds(game.events))
    check_numbers((deal.round, (*path, "round")) for (path, deal), _ in rounds)
    game_id = f"{NAME}:{game.source}:{game.seed}"
    hands: list[Hand] = []
    scores: list[Score] | UnsetType = UNSET
    for (_, deal), events in rounds:
        # Every game starts at nothing; later hands at what the one before came to.
        hand = _hand(game_id, deal, events, [0, 0] if deal.round == 1 else scores)
        scores = hand.whole_claims.scores if hand.whole_claims else UNSET
        hands.append(hand)
    extra = hands[0].ext[NAME] if hands[0].ext else {}
    extra["game"] = left_over(cast("dict[str, Any]", record), SAID_BY_HANDS)
    return hands


def _hand(
    game_id: str, deal: Deal, events: Sequence[Told], scores: list[Score] | UnsetType
) -> Hand:
    end = next((event for _, event in events if isinstance(event, RoundEnd)), None)
    return Hand(
        format=FORMAT,
        id=f"{game_id}:{deal.round}",
        rules=HOUSE_RULES,
        players=numbered_seats(NAME),
        dealer=deal.dealer,
        actions=list(_actions(deal, events)),
        game=game_id,
        hand=deal.round,
        scores=scores,
        deal=[" ".join(cards) for cards in deal.hands],
        kitty=" ".join(deal.kitty),
        claimed=_claimed(events, end),
        status="complete" if end else "in_progress",
        ext={NAME: {"pointsBySeat": end.points_by_seat} if end else {}},
    )


def _rounds(events: list[dict[str, Any]]) -> Iterator[tuple[tuple[Path, Deal], list[Told]]]:
    """Yield each deal with the events that follow it, and where they stand."""
    told: list[Told] = []
    deal: tuple[Path, Deal] | None = None
    for index, raw in enumerate(events):
        path: Path = ("events", index)
        event = _event(raw, path)
        if isinstance(event, Deal):
            if deal:
                yield deal, told
            deal, told = (path, event), []
        elif deal is None:
            raise ForeignError(
                RejectCode.BAD_VALUE, path, "The game does not begin with a deal.", DAMAGE_HINT
            )
        else:
            told.append((path, event))
    if deal:
        yield deal, told


def _event(raw: dict[str, Any], path: Path) -> Event:
    if "a" in raw:
        deed: Deed = read_shape(raw, Deed, path)  # type: ignore[arg-type]  # a union is no type
        return deed
    for key, shape in _NOTES.items():
        if key in raw:
            return cast("Event", read_shape(raw, shape, path))
    raise ForeignError(
        RejectCode.BAD_VALUE, path, "It is none of the events of this program.", SHAPE_HINT
    )


def _actions(deal: Deal, events: Sequence[Told]) -> Iterator[str]:
    """Return what happened, in the order of the game."""
    at_play = next((event for _, event in events if isinstance(event, AtPlay)), None)
    for kind, run in itertools.groupby(events, key=_kind):
        if kind is Call:
            yield from _calls([cast("Call", event) for _, event in run], at_play)
        elif kind is Exchange:
            yield from _exchange([(path, cast("Exchange", event)) for path, event in run])
        else:
            for path, event in run:
                if isinstance(event, Trump):
                    yield f"{event.seat} trump {event.suit}"
                    yield from with_any(f"{event.seat} kitty", deal.kitty, (*path, "seat"))
                elif isinstance(event, Play):
                    yield f"{event.seat} play {event.card}"


def _kind(told: Told) -> object:
    event = told[1]
    if isinstance(event, Call):
        return Call
    return Exchange if isinstance(event, Exchange) else None


def _calls(calls: Sequence[Call], at_play: AtPlay | None) -> Iterator[str]:
    """Return the calls, each pass once, and the forced bid with them."""
    passed: set[int] = set()
    for call in calls:
        if isinstance(call, Bid):
            yield _bid(call.seat, call.amount)
        elif call.seat not in passed:
            passed.add(call.seat)
            yield f"{call.seat} pass"
    if at_play and not any(isinstance(call, Bid) for call in calls):
        yield _bid(at_play.bidder, at_play.bid)


def _bid(seat: int, amount: int) -> str:
    return f"{seat} bid {TOP_BID}-double" if amount == DOUBLE_BID else f"{seat} bid {amount}"


def _exchange(events: Sequence[tuple[Path, Exchange]]) -> Iterator[str]:
    """Return first what is given to partners, then all that each seat lays off at once."""
    laid_off: dict[int, list[Card]] = {}
    last: dict[int, Path] = {}
    for path, event in events:
        if isinstance(event, Give):
            yield from with_any(f"{event.seat} give", event.cards, (*path, "cards"))
        elif event.cards:
            laid_off.setdefault(event.seat, []).extend(event.cards)
            last[event.seat] = (*path, "cards")
    for seat, cards in laid_off.items():
        yield with_cards(f"{seat} discard", cards, last[seat])


def _claimed(events: Sequence[Told], end: RoundEnd | None) -> Claimed | UnsetType:
    winners = _winners(events)
    if end is None:
        return Claimed(winners=winners) if winners else UNSET
    by_seat = end.points_by_seat
    return Claimed(
        points=[by_seat[0] + by_seat[2], by_seat[1] + by_seat[3]],
        change=end.round_score,
        scores=end.total,
        winners=winners,
    )


def _winners(events: Sequence[Told]) -> list[int]:
    """Return who was given each trick, as far as the program says it."""
    winners: list[int] = []
    plays = 0
    for path, event in events:
        plays += isinstance(event, Play)
        if isinstance(event, Won):
            if plays != SEATS * (len(winners) + 1):
                raise ForeignError(
                    RejectCode.BAD_VALUE,
                    (*path, "trickWinner"),
                    f"Trick {len(winners) + 1} is given away after {counted(plays, 'card')} "
                    "of the hand.",
                    DAMAGE_HINT,
                )
            winners.append(event.trick_winner)
    return winners


ADAPTER: Final = Adapter(NAME, "Sixty-Three of bspaulding/sixty-three", convert, Game, contract=1)
