"""From one replayed hand to the rows of each frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET

from tricklog.core import Finding, Replay
from tricklog.core.engine import encode
from tricklog.core.engine.facts import trump_suit
from tricklog.core.engine.records import NO_TRUMPS
from tricklog.ingest.store import record_codec
from tricklog.ingest.store.rows import finding_rows, seat_facts
from tricklog.schemas import codes
from tricklog.schemas.actions import VERB_NAMES, bid_name, trump_name
from tricklog.schemas.cards import FIVE, JACK, JOKER, RANK_COUNT, card_name, cards_in

Row = tuple[Any, ...]


def hand_rows(replay: Replay) -> Iterator[Row]:
    """Return the row of frame hands."""
    hand, outcome = replay.hand, replay.known_outcome or replay.outcome
    moment = record_codec.moment_of(hand)
    yield (
        hand.id,
        replay.ruleset.id,
        replay.ruleset.hash,
        hand.game or None,
        hand.hand or None,
        moment and moment.started_at,
        moment and moment.day,
        None if hand.dealer is UNSET else hand.dealer,
        [player.id for player in hand.players],
        _sides(replay),
        replay.verdict.value,
        list(replay.doubts),
        outcome and outcome.result,
        *_contract(replay),
        None if hand.scores is UNSET else list(hand.scores),
        outcome and outcome.points and list(outcome.points),
        outcome and outcome.change and list(outcome.change),
        outcome and outcome.scores and list(outcome.scores),
        outcome and outcome.winner_side,
    )


def _contract(replay: Replay) -> Row:
    """Return maker, bid, its name, need, trumps, forced, no contract, alone and stake."""
    outcome = replay.known_outcome or replay.outcome
    if outcome is None:
        return (None,) * 9
    return (
        outcome.maker,
        outcome.bid,
        None if outcome.bid is None else bid_name(outcome.bid),
        outcome.need,
        None if outcome.trump is None else trump_name(outcome.trump),
        outcome.forced,
        outcome.no_contract,
        outcome.alone,
        outcome.stake,
    )


def _sides(replay: Replay) -> list[int]:
    return [replay.ruleset.side_of(seat) for seat in range(len(replay.hand.players))]


def seat_rows(replay: Replay) -> Iterator[Row]:
    """Return the rows of frame seats."""
    hand, outcome = replay.hand, replay.known_outcome or replay.outcome
    maker = outcome.maker if outcome else None
    for seat, (side, facts) in enumerate(zip(_sides(replay), seat_facts(replay), strict=True)):
        yield (
            hand.id,
            seat,
            hand.players[seat].id,
            side,
            seat == hand.dealer,
            seat == maker,
            _names(replay.dealt[seat]),
            _names(replay.at_play[seat]),
            *facts[:2],
        )


def call_rows(replay: Replay) -> Iterator[Row]:
    """Return the rows of frame calls."""
    for call in replay.calls:
        named = bid_name(call.amount) if call.amount else None
        yield replay.hand.id, call.action, call.seat, VERB_NAMES[call.verb], call.amount, named


def play_rows(replay: Replay) -> Iterator[Row]:
    """Return the rows of frame plays."""
    history = replay.workspace.history
    indexes = iter(history.play_action[: history.plays])
    for trick in replay.tricks:
        for seat, card in trick.plays:
            yield replay.hand.id, next(indexes), trick.number, seat, card_name(card)


def trick_rows(replay: Replay) -> Iterator[Row]:
    """Return the rows of frame tricks."""
    for trick in replay.tricks:
        yield (
            replay.hand.id,
            trick.number,
            trick.leader,
            trick.winner,
            trick.points,
            _names(trick.buried),
        )


def capture_rows(replay: Replay) -> Iterator[Row]:
    """Return the rows of frame captures."""
    outcome = replay.outcome
    suit = NO_TRUMPS if outcome is None else trump_suit(replay.workspace.result)
    trump = outcome.trump if outcome else None
    for place, capture in enumerate(replay.captures):
        code = encode.capture_of(replay.workspace, replay.rules, suit, place)
        leader = code >> 16 & 7
        yield (
            replay.hand.id,
            card_name(capture.card),
            _role(capture.card, trump, has_off_jack=replay.ruleset.values["off_jack"]),
            capture.points,
            capture.trick,
            capture.from_seat,
            capture.by_seat,
            capture.side,
            None if leader == codes.NO_LEADER else leader,
            code >> 19 & 7,
            bool(code >> 22 & 1),
        )


def _role(card: int, trump: int | None, *, has_off_jack: bool) -> str:
    """Return what a point card is: its rank, a trump of the other suit, or the joker."""
    if card == JOKER:
        return "joker"
    if trump is not None and card % RANK_COUNT == FIVE and card // RANK_COUNT != trump:
        return "off five"
    if has_off_jack and trump is not None and card == (3 - trump) * RANK_COUNT + JACK:
        return "off jack"
    return card_name(card)[0]


def rows_of_findings(replay: Replay, of_game: Sequence[Finding]) -> Iterator[Row]:
    """Return the rows of frame findings: of the hand by itself, then beside its game."""
    yield from finding_rows(replay.hand.id, "hand", replay.findings)
    yield from finding_rows(replay.hand.id, "game", of_game)


def _names(cards: int) -> list[str]:
    return [card_name(card) for card in sorted(cards_in(cards))]
