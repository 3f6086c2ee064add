"""Adapter ``knybbe-pidro``: games of Finnish Pidro from the web game knybbe/pidro.

One record is one game. The program notes what each seat held when the first trick began and what
it threw away in all; discards, draws and what the dealer took are read off these lists, not worked
out from the rules. One thing it does not note: which cards the dealer threw before taking the
rest of the stock and which after. The plain cards from the deal went before, because plain cards
are laid off first (S32); everything else went after.

In its mode ``kokkola`` everybody is dealt four more cards off the stock once the auction is over,
beginning at the dealer's left, and comes down to six from thirteen (O76).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, cast

from msgspec import UNSET, Meta, UnsetType

from ingest.adapters.contract import Adapter
from ingest.adapters.foreign import (
    SEATS,
    BidAmount,
    Card,
    Cards,
    CardsPerSeat,
    ForeignPart,
    ForeignRecord,
    Label,
    PerSide,
    SeatNumber,
    SuitName,
    check_numbers,
    left_over,
    read_shape,
    with_any,
)
from ingest.reading.json_positions import Path
from schemas.actions import TRUMP_CODES
from schemas.cards import parse_card
from schemas.hand import FORMAT, Claimed, Hand, OptionValue, Player, RulesRef

NAME: Final = "knybbe-pidro"
USUAL_TARGET: Final = 62
KOKKOLA: Final = "kokkola"
LATER_PACKET: Final = 4
"""Cards everybody is dealt after the auction in the mode ``kokkola``."""
KOKKOLA_RULES: Final[dict[str, OptionValue]] = {
    "packets": [9, LATER_PACKET],
    "discard": "to-size",
    "refill": "nobody",
    "rob": "nothing",
}

Word = Annotated[str, Meta(min_length=1, max_length=40)]


class Seat(ForeignPart):
    """Who sits where; the names are compass points, so a bot is known by its settings too."""

    name: Word
    kind: Word
    difficulty: Word | UnsetType = UNSET
    bidding_risk: Word | UnsetType = UNSET


class Bid(ForeignPart):
    """A call: a number, or none for a pass; and what the program would have allowed."""

    seat: SeatNumber
    bid: BidAmount | None
    legal: list[int] | UnsetType = UNSET
    can_pass: bool | UnsetType = UNSET


class Play(ForeignPart):
    """A card played to a trick; and what the program would have allowed."""

    seat: SeatNumber
    card: Card
    legal: list[Card] | UnsetType = UNSET


class Trick(ForeignPart):
    """A trick. ``message`` names its winner; ``next`` is who leads, not always the winner."""

    plays: Annotated[list[Play], Meta(max_length=SEATS)]
    message: str
    leader: SeatNumber | UnsetType = UNSET
    points_after: PerSide | UnsetType = UNSET
    next: SeatNumber | UnsetType | None = UNSET


class Result(ForeignPart):
    """What the program counted."""

    team_points_taken: PerSide
    team_score_delta: PerSide
    scores_after: PerSide
    bid: int | UnsetType = UNSET
    bidder_team: int | UnsetType = UNSET
    made: bool | UnsetType = UNSET


class Deal(ForeignRecord):
    """One hand of a game."""

    hand: Annotated[int, Meta(ge=1, le=100_000)]
    dealer: SeatNumber
    scores_before: PerSide
    deal: CardsPerSeat
    stock: Cards
    bids: Annotated[list[Bid], Meta(max_length=100)]
    bidder: SeatNumber
    trump: SuitName
    hands_at_play: CardsPerSeat
    dump: CardsPerSeat
    tricks: Annotated[list[Trick], Meta(max_length=52)]
    result: Result


class Game(ForeignRecord):
    """One record: a game."""

    source: Label
    game_mode: Literal["classic", "kokkola"]
    policy: Label
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    seats: Annotated[list[Seat], Meta(min_length=SEATS, max_length=SEATS)]
    target_score: Annotated[int, Meta(ge=1, le=10_000)]
    hands: Annotated[list[Deal], Meta(min_length=1, max_length=1000)]


SAID_BY_HANDS: Final = frozenset({"source", "targetScore", "hands"})
SAID_BY_HAND: Final = frozenset(
    {
        "hand",
        "dealer",
        "scoresBefore",
        "deal",
        "stock",
        "bids",
        "bidder",
        "bid",
        "trump",
        "handsAtPlay",
        "dump",
        "tricks",
        "result",
        "drawn",
        "leader",
        "activeSeats",
    }
)


def convert(record: object) -> list[Hand]:
    """Return the hands of one game, in order.

    Raises ``ForeignError`` when the record is not such a game.
    """
    game = read_shape(record, Game)
    check_numbers((deal.hand, ("hands", index, "hand")) for index, deal in enumerate(game.hands))
    raw = cast("dict[str, Any]", record)
    extras = [left_over(deal, SAID_BY_HAND) for deal in raw["hands"]]
    extras[0]["game"] = left_over(raw, SAID_BY_HANDS)
    game_id = f"{NAME}:{game.source}:{game.game_mode}-{game.policy}-{game.seed}"
    players = _players(game.seats)
    rules = _rules(game)
    return [
        Hand(
            format=FORMAT,
            id=f"{game_id}:{deal.hand}",
            rules=rules,
            players=players,
            dealer=deal.dealer,
            actions=list(_actions(game.game_mode, deal, ("hands", index))),
            game=game_id,
            hand=deal.hand,
            scores=deal.scores_before,
            deal=[" ".join(cards) for cards in _dealt(game.game_mode, deal)],
            stock=" ".join(_stock(game.game_mode, deal)),
            claimed=_claimed(deal, game.seats),
            status="complete",
            ext={NAME: extra},
        )
        for index, (deal, extra) in enumerate(zip(game.hands, extras, strict=True))
    ]


def _rules(game: Game) -> RulesRef:
    options = dict(KOKKOLA_RULES) if game.game_mode == KOKKOLA else {}
    if game.target_score != USUAL_TARGET:
        options["target"] = game.target_score
    return RulesRef(variant="pidro", version=1, options=options or UNSET)


def _dealt(mode: str, deal: Deal) -> list[list[Card]]:
    """Return what each seat was dealt, the later packet with it where there is one."""
    if mode != KOKKOLA:
        return deal.deal
    first = (deal.dealer + 1) % SEATS
    starts = [LATER_PACKET * ((seat - first) % SEATS) for seat in range(SEATS)]
    return [
        [*cards, *deal.stock[start : start + LATER_PACKET]]
        for cards, start in zip(deal.deal, starts, strict=True)
    ]


def _stock(mode: str, deal: Deal) -> list[Card]:
    """Return what is left when all packets are dealt."""
    return deal.stock[SEATS * LATER_PACKET :] if mode == KOKKOLA else deal.stock


def _players(seats: list[Seat]) -> list[Player]:
    """Return the players: the id of a bot holds its settings, which the same name changes."""
    ids = [
        ":".join(
            str(word)
            for word in (NAME, seat.name, seat.difficulty, seat.bidding_risk)
            if word is not UNSET
        )
        for seat in seats
    ]
    if len(set(ids)) < SEATS:
        ids = [f"{name}:{number}" for number, name in enumerate(ids)]
    return [
        Player(id=player, name=seat.name, kind=_kind(seat.kind))
        for player, seat in zip(ids, seats, strict=True)
    ]


def _kind(kind: str) -> Literal["human", "bot"] | UnsetType:
    if kind == "bot":
        return "bot"
    return "human" if kind == "human" else UNSET


def _actions(mode: str, deal: Deal, path: Path) -> Iterator[str]:
    """Return what happened, in the order of the game."""
    for call in deal.bids:
        yield f"{call.seat} pass" if call.bid is None else f"{call.seat} bid {call.bid}"
    yield f"{deal.bidder} trump {deal.trump}"
    if mode == KOKKOLA:
        for step in range(1, SEATS + 1):
            seat = (deal.dealer + step) % SEATS
            yield from with_any(f"{seat} discard", deal.dump[seat], (*path, "dump", seat))
    else:
        yield from _exchange(deal, path)
    for trick in deal.tricks:
        for play in trick.plays:
            yield f"{play.seat} play {play.card}"


def _exchange(deal: Deal, path: Path) -> Iterator[str]:
    """Return discards, draws and the dealer's part, in rotation from the dealer's left."""
    dealer = deal.dealer
    others = [(dealer + step) % SEATS for step in range(1, SEATS)]
    plain = [
        card
        for card in deal.dump[dealer]
        if card in deal.deal[dealer] and not _is_trump(card, deal.trump)
    ]
    taken = _taken_by_dealer(deal)
    later = [card for card in deal.dump[dealer] if card not in plain]
    for seat in others:
        yield from with_any(f"{seat} discard", deal.dump[seat], (*path, "dump", seat))
    yield from with_any(f"{dealer} discard", plain, (*path, "dump", dealer))
    for seat in others:
        drawn = [card for card in deal.hands_at_play[seat] if card not in deal.deal[seat]]
        yield from with_any(f"{seat} draw", drawn, (*path, "handsAtPlay", seat))
    yield from with_any(f"{dealer} rob", taken, (*path, "handsAtPlay", dealer))
    yield from with_any(f"{dealer} discard", later, (*path, "dump", dealer))


def _taken_by_dealer(deal: Deal) -> list[Card]:
    """Return what the dealer had and was not dealt, in the order of the stock where it is there."""
    dealer = deal.dealer
    had = [*deal.hands_at_play[dealer], *deal.dump[dealer]]
    got = [card for card in had if card not in deal.deal[dealer]]
    order = {card: place for place, card in enumerate(deal.stock)}
    return sorted(got, key=lambda card: order.get(card, len(order)))


def _is_trump(card: str, trump: str) -> bool:
    suit = parse_card(card) // 13
    return suit == TRUMP_CODES[trump] or (card[0] == "5" and suit == 3 - TRUMP_CODES[trump])


def _claimed(deal: Deal, seats: list[Seat]) -> Claimed:
    result = deal.result
    return Claimed(
        points=result.team_points_taken,
        change=result.team_score_delta,
        scores=result.scores_after,
        winners=_winners(deal.tricks, seats),
    )


def _winners(tricks: list[Trick], seats: list[Seat]) -> list[int] | UnsetType:
    """Return who won each trick, left open unless every message names one seat without doubt."""
    said: dict[str, int] = {f"{seat.name} wins the trick": n for n, seat in enumerate(seats)}
    winners = [said[trick.message] for trick in tricks if trick.message in said]
    return winners if len(winners) == len(tricks) and len(said) == SEATS else UNSET


ADAPTER: Final = Adapter(NAME, "Finnish Pidro of knybbe/pidro", convert, Game, contract=1)
