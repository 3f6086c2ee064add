"""Adapter ``knybbe-pidro``: games of Finnish Pidro from the web game knybbe/pidro.

One record is one game. The program notes what each seat held when the first trick began and what
it threw away in all; discards, draws and what the dealer took are read off these lists, not worked
out from the rules. One thing it does not note: which cards the dealer threw before taking the
rest of the stock and which after. The plain cards from the deal went before, because plain cards
are laid off first (S32); everything else went after.

Its own history of games, and what it copies of one as text, have another shape: there draws are
not noted, and read off the stock, from which they come in turn.

In its mode ``kokkola`` everybody is dealt four more cards off the stock once the auction is over,
beginning at the dealer's left, and comes down to six from thirteen (O76).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, cast

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from tricklog.ingest.adapters.contract import Adapter
from tricklog.ingest.adapters.foreign import (
    SEATS,
    BidAmount,
    Call,
    Card,
    Cards,
    CardsPerSeat,
    ForeignPart,
    ForeignRecord,
    Label,
    PerSide,
    Play,
    SeatNumber,
    SuitName,
    calls_of,
    check_numbers,
    left_over,
    plays_of,
    read_shape,
    with_any,
)
from tricklog.ingest.reading.json_positions import Path
from tricklog.schemas.actions import TRUMP_CODES
from tricklog.schemas.cards import parse_card
from tricklog.schemas.hand import FORMAT, Claimed, Hand, OptionValue, Player, RulesRef, Score

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
    def card(self) -> Card:
        """It as hand logs write it."""
        return Card(f"{'T' if self.rank == '10' else self.rank}{self.suit}")


Faces = Annotated[list[Face], Meta(max_length=MOST_CARDS)]
FacesPerSeat = Annotated[list[Faces], Meta(min_length=SEATS, max_length=SEATS)]


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

    def course(self) -> Course:
        """Return it as the other shape has it; what nobody named is the dealer's, and spades."""
        deal = list(map(_cards, self.initial_hands))
        dump = list(map(_cards, self.discards))
        stock = _cards(self.initial_stock)
        return Course(
            dealer=self.dealer,
            deal=deal,
            stock=stock,
            bids=[Bid(each.seat, each.bid) for each in self.bids],
            bidder=self.bid_winner.seat if self.bid_winner else self.dealer,
            trump=self.trump or "S",
            hands_at_play=_held_at_play(self.dealer, deal, dump, stock),
            dump=dump,
            tricks=[
                Trick([Play(put.seat, put.card.card) for put in each.plays], message="")
                for each in self.tricks
            ],
        )


class History(ForeignRecord):
    """A game that the program keeps."""

    id: Label
    rounds: Annotated[list[Round], Meta(min_length=1, max_length=1000)]


def _cards(faces: list[Face]) -> list[Card]:
    return [face.card for face in faces]


def _held_at_play(
    dealer: int, deal: list[list[Card]], dump: list[list[Card]], stock: list[Card]
) -> list[list[Card]]:
    """Return what each seat held when the first trick began, of which the history says nothing.

    The others draw to six, in turn from the dealer's left, and the dealer takes what is left.
    """
    held = [
        [card for card in cards if card not in thrown]
        for cards, thrown in zip(deal, dump, strict=True)
    ]
    for step in range(1, SEATS):
        hand = held[(dealer + step) % SEATS]
        count = max(0, _SIX - len(hand))
        hand += stock[:count]
        stock = stock[count:]
    held[dealer] += [card for card in stock if card not in dump[dealer]]
    return held


def is_text(line: bytes) -> bool:
    """Whether a line is one of the words around a game that was copied as text."""
    return _TEXT.match(line) is not None


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
_KINDS: Final[dict[str, Literal["human", "bot"]]] = {"human": "human", "bot": "bot"}

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


class Course(ForeignRecord):
    """How a hand went, up to its result."""

    dealer: SeatNumber
    deal: CardsPerSeat
    stock: Cards
    bids: Annotated[list[Bid], Meta(max_length=100)]
    bidder: SeatNumber
    trump: SuitName
    hands_at_play: CardsPerSeat
    dump: CardsPerSeat
    tricks: Annotated[list[Trick], Meta(max_length=52)]


class Deal(Course):
    """One hand of a game."""

    hand: Annotated[int, Meta(ge=1, le=100_000)]
    scores_before: PerSide
    result: Result


class AnyGame(ForeignRecord):
    """What a game has in whichever shape."""

    game_mode: Literal["classic", "kokkola"]
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    seats: Annotated[list[Seat], Meta(min_length=SEATS, max_length=SEATS)]
    target_score: Annotated[int, Meta(ge=1, le=10_000)]


class Game(AnyGame):
    """One record: a game."""

    source: Label
    policy: Label
    hands: Annotated[list[Deal], Meta(min_length=1, max_length=1000)]


SAID_BY_HANDS: Final = frozenset({"source", "targetScore", "hands"})
SAID_BY_ROUNDS: Final = frozenset({"id", "targetScore", "rounds", "latestStateSnapshot"})
SAID_BY_ROUND: Final = frozenset(
    {
        *("roundNumber", "startedAt", "dealer", "initialHands", "initialStock", "bids"),
        *("bidWinner", "trump", "refills", "discards", "tricks", "result", "scoresAfter"),
        "initialStateSnapshot",
    }
)
SAID_BY_HAND: Final = frozenset(
    {
        *("hand", "dealer", "scoresBefore", "deal", "stock", "bids", "bidder", "bid", "trump"),
        *("handsAtPlay", "dump", "tricks", "result", "drawn", "leader", "activeSeats"),
    }
)


def convert(record: object) -> list[Hand]:
    """Return the hands of one game, in order.

    Raises ``ForeignError`` when the record is not such a game.
    """
    is_kept = isinstance(record, dict) and "rounds" in record
    return _of_history(record) if is_kept else _of_game(record)


def _of_history(record: object) -> list[Hand]:
    """Return the hands of a game that the program keeps itself."""
    game, history = read_shape(record, AnyGame), read_shape(record, History)
    rounds = history.rounds
    check_numbers(
        (each.round_number, ("rounds", at, "roundNumber")) for at, each in enumerate(rounds)
    )
    raw = cast("dict[str, Any]", record)
    extras = [left_over(each, SAID_BY_ROUND) for each in raw["rounds"]]
    extras[0]["game"] = left_over(raw, SAID_BY_ROUNDS)
    game_id = f"{NAME}:{history.id}"
    hands, before = [], [0, 0]
    for at, (each, extra) in enumerate(zip(rounds, extras, strict=True)):
        course = each.course()
        is_bid = each.trump is not None and each.bid_winner is not None
        acts = _actions(game.game_mode, course, ("rounds", at), thrown="discards")
        claimed: Claimed | UnsetType = UNSET
        if each.result is not None:
            claimed = Claimed(
                points=each.result.team_points_taken,
                change=each.result.team_score_delta,
                scores=each.scores_after,
                winners=[trick.winner for trick in each.tricks],
            )
        hand = _hand(game, (game_id, each.round_number), course, before)
        hands.append(
            replace(
                hand,
                actions=list(acts if is_bid else calls_of(course.bids)),
                claimed=claimed,
                status="complete" if each.result else "in_progress",
                started_at=each.started_at,
                ext={NAME: extra},
            )
        )
        before = each.scores_after
    return hands


def _of_game(record: object) -> list[Hand]:
    game = read_shape(record, Game)
    check_numbers((deal.hand, ("hands", index, "hand")) for index, deal in enumerate(game.hands))
    raw = cast("dict[str, Any]", record)
    extras = [left_over(deal, SAID_BY_HAND) for deal in raw["hands"]]
    extras[0]["game"] = left_over(raw, SAID_BY_HANDS)
    game_id = f"{NAME}:{game.source}:{game.game_mode}-{game.policy}-{game.seed}"
    return [
        replace(
            _hand(game, (game_id, deal.hand), deal, deal.scores_before),
            actions=list(_actions(game.game_mode, deal, ("hands", index))),
            claimed=Claimed(
                points=deal.result.team_points_taken,
                change=deal.result.team_score_delta,
                scores=deal.result.scores_after,
                winners=_winners(deal.tricks, game.seats),
            ),
            ext={NAME: extra},
        )
        for index, (deal, extra) in enumerate(zip(game.hands, extras, strict=True))
    ]


def _hand(game: AnyGame, named: tuple[str, int], deal: Course, scores: list[Score]) -> Hand:
    """Return a hand of a game by its id and its number, as far as both shapes have it alike."""
    game_id, number = named
    return Hand(
        format=FORMAT,
        id=f"{game_id}:{number}",
        rules=_rules(game),
        players=_players(game.seats),
        dealer=deal.dealer,
        actions=[],
        game=game_id,
        hand=number,
        scores=scores,
        deal=[" ".join(cards) for cards in _dealt(game.game_mode, deal)],
        stock=" ".join(_stock(game.game_mode, deal)),
        status="complete",
    )


def _rules(game: AnyGame) -> RulesRef:
    options = dict(KOKKOLA_RULES) if game.game_mode == KOKKOLA else {}
    if game.target_score != USUAL_TARGET:
        options["target"] = game.target_score
    return RulesRef(variant="pidro", version=1, options=options or UNSET)


def _dealt(mode: str, deal: Course) -> list[list[Card]]:
    """Return what each seat was dealt, the later packet with it where there is one."""
    if mode != KOKKOLA:
        return deal.deal
    first = (deal.dealer + 1) % SEATS
    starts = [LATER_PACKET * ((seat - first) % SEATS) for seat in range(SEATS)]
    return [
        [*cards, *deal.stock[start : start + LATER_PACKET]]
        for cards, start in zip(deal.deal, starts, strict=True)
    ]


def _stock(mode: str, deal: Course) -> list[Card]:
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
        Player(id=player, name=seat.name, kind=_KINDS.get(seat.kind, UNSET))
        for player, seat in zip(ids, seats, strict=True)
    ]


def _actions(mode: str, deal: Course, path: Path, thrown: str = "dump") -> Iterator[str]:
    """Return what happened, in the order of the game; ``thrown`` is the field of what was."""
    yield from calls_of(deal.bids)
    yield f"{deal.bidder} trump {deal.trump}"
    if mode == KOKKOLA:
        for step in range(1, SEATS + 1):
            seat = (deal.dealer + step) % SEATS
            yield from with_any(f"{seat} discard", deal.dump[seat], (*path, thrown, seat))
    else:
        yield from _exchange(deal, path, thrown)
    yield from plays_of(deal.tricks)


def _exchange(deal: Course, path: Path, thrown: str) -> Iterator[str]:
    """Return discards, draws and the dealer's part, in rotation from the dealer's left."""
    dealer = deal.dealer
    others = [(dealer + step) % SEATS for step in range(1, SEATS)]
    plain = [
        card
        for card in deal.dump[dealer]
        if card in deal.deal[dealer] and not _is_trump(card, deal.trump)
    ]
    later = [card for card in deal.dump[dealer] if card not in plain]
    # What the dealer had and was not dealt was taken, in the order of the stock if it was there.
    had = [*deal.hands_at_play[dealer], *deal.dump[dealer]]
    order = {card: place for place, card in enumerate(deal.stock)}
    taken = [card for card in had if card not in deal.deal[dealer]]
    taken.sort(key=lambda card: order.get(card, len(order)))
    for seat in others:
        yield from with_any(f"{seat} discard", deal.dump[seat], (*path, thrown, seat))
    yield from with_any(f"{dealer} discard", plain, (*path, thrown, dealer))
    for seat in others:
        drawn = [card for card in deal.hands_at_play[seat] if card not in deal.deal[seat]]
        yield from with_any(f"{seat} draw", drawn, (*path, "handsAtPlay", seat))
    yield from with_any(f"{dealer} rob", taken, (*path, "handsAtPlay", dealer))
    yield from with_any(f"{dealer} discard", later, (*path, thrown, dealer))


def _is_trump(card: str, trump: str) -> bool:
    suit = parse_card(card) // 13
    return suit == TRUMP_CODES[trump] or (card[0] == "5" and suit == 3 - TRUMP_CODES[trump])


def _winners(tricks: list[Trick], seats: list[Seat]) -> list[int] | UnsetType:
    """Return who won each trick, left open unless every message names one seat without doubt."""
    said: dict[str, int] = {f"{seat.name} wins the trick": n for n, seat in enumerate(seats)}
    winners = [said[trick.message] for trick in tricks if trick.message in said]
    return winners if len(winners) == len(tricks) and len(said) == SEATS else UNSET


ADAPTER: Final = Adapter(
    NAME, "Finnish Pidro of knybbe/pidro", convert, AnyGame, contract=1, is_text=is_text
)
