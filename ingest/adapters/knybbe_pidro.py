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

from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, cast

from msgspec import UNSET, Meta, UnsetType

from tricklog.ingest.adapters.contract import Adapter
from tricklog.ingest.adapters.foreign import (
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
from tricklog.ingest.adapters.knybbe_history import History, Round, is_text
from tricklog.ingest.reading.json_positions import Path
from tricklog.schemas.actions import TRUMP_CODES
from tricklog.schemas.cards import parse_card
from tricklog.schemas.hand import FORMAT, Claimed, Hand, OptionValue, Player, RulesRef

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
    players, rules = _players(game.seats), _rules(game)
    hands, before = [], [0, 0]
    for at, (each, extra) in enumerate(zip(rounds, extras, strict=True)):
        course = _course(each)
        hands.append(
            Hand(
                format=FORMAT,
                id=f"{game_id}:{each.round_number}",
                rules=rules,
                players=players,
                dealer=each.dealer,
                actions=list(_acts(game.game_mode, each, ("rounds", at))),
                game=game_id,
                hand=each.round_number,
                scores=before,
                deal=[" ".join(cards) for cards in _dealt(game.game_mode, course)],
                stock=" ".join(_stock(game.game_mode, course)),
                claimed=_counted(each),
                status="complete" if each.result else "in_progress",
                started_at=each.started_at,
                ext={NAME: extra},
            )
        )
        before = each.scores_after
    return hands


def _course(played: Round) -> Course:
    """Return a hand of the history as the other shape has it."""
    tricks = [
        Trick(plays=[Play(put.seat, Card(put.card.card)) for put in each.plays], message="")
        for each in played.tricks
    ]
    return Course(
        dealer=played.dealer,
        deal=_as_cards(played.dealt()),
        stock=_as_cards([played.stock()])[0],
        bids=[Bid(each.seat, each.bid) for each in played.bids],
        bidder=played.bid_winner.seat if played.bid_winner else played.dealer,
        trump=played.trump or "S",
        hands_at_play=_as_cards(played.at_play()),
        dump=_as_cards(played.dump()),
        tricks=tricks,
    )


def _as_cards(lists: list[list[str]]) -> list[list[Card]]:
    return [[Card(card) for card in cards] for cards in lists]


def _acts(mode: str, played: Round, path: Path) -> Iterator[str]:
    """Return what happened in a hand of the history, as far as it went."""
    course = _course(played)
    if played.trump is None or played.bid_winner is None:
        return _calls(course)
    return _actions(mode, course, path, thrown="discards")


def _counted(played: Round) -> Claimed | UnsetType:
    if played.result is None:
        return UNSET
    return Claimed(
        points=played.result.team_points_taken,
        change=played.result.team_score_delta,
        scores=played.scores_after,
        winners=[each.winner for each in played.tricks],
    )


def _of_game(record: object) -> list[Hand]:
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
        Player(id=player, name=seat.name, kind=_kind(seat.kind))
        for player, seat in zip(ids, seats, strict=True)
    ]


def _kind(kind: str) -> Literal["human", "bot"] | UnsetType:
    if kind == "bot":
        return "bot"
    return "human" if kind == "human" else UNSET


def _calls(deal: Course) -> Iterator[str]:
    for call in deal.bids:
        yield f"{call.seat} pass" if call.bid is None else f"{call.seat} bid {call.bid}"


def _actions(mode: str, deal: Course, path: Path, thrown: str = "dump") -> Iterator[str]:
    """Return what happened, in the order of the game; ``thrown`` is the field of what was."""
    yield from _calls(deal)
    yield f"{deal.bidder} trump {deal.trump}"
    if mode == KOKKOLA:
        for step in range(1, SEATS + 1):
            seat = (deal.dealer + step) % SEATS
            yield from with_any(f"{seat} discard", deal.dump[seat], (*path, thrown, seat))
    else:
        yield from _exchange(deal, path, thrown)
    for trick in deal.tricks:
        for play in trick.plays:
            yield f"{play.seat} play {play.card}"


def _exchange(deal: Course, path: Path, thrown: str) -> Iterator[str]:
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
        yield from with_any(f"{seat} discard", deal.dump[seat], (*path, thrown, seat))
    yield from with_any(f"{dealer} discard", plain, (*path, thrown, dealer))
    for seat in others:
        drawn = [card for card in deal.hands_at_play[seat] if card not in deal.deal[seat]]
        yield from with_any(f"{seat} draw", drawn, (*path, "handsAtPlay", seat))
    yield from with_any(f"{dealer} rob", taken, (*path, "handsAtPlay", dealer))
    yield from with_any(f"{dealer} discard", later, (*path, thrown, dealer))


def _taken_by_dealer(deal: Course) -> list[Card]:
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


ADAPTER: Final = Adapter(
    NAME, "Finnish Pidro of knybbe/pidro", convert, AnyGame, contract=1, is_text=is_text
)
