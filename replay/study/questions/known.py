"""What a player knows at a decision: what they hold and saw, and not a card more.

Everything is taken from the view of a record that stops there (``moments``), and of that only what
lies open or is the player's own. Points are those of tricks that everybody saw taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tricklog.core.engine.records import NO_TRUMPS, union
from tricklog.core.engine.rules import scoring
from tricklog.core.engine.rules.table import side_of
from tricklog.core.judging.replayer import Replay
from tricklog.core.model import Trick
from tricklog.core.render.sentences import in_order, place_text, undertaking
from tricklog.core.study import sight
from tricklog.core.study.questions.moments import Kind, Moment, knows_trump
from tricklog.schemas.actions import Verb, trump_suit
from tricklog.schemas.cards import cards_in
from tricklog.schemas.languages.messages import say

_LAID_OFF: Final = frozenset({Verb.DISCARD, Verb.DISCARD_UP, Verb.GIVE, Verb.BURY})
"""Verbs that put cards out of a hand otherwise than by playing them."""
_EXCHANGED: Final = frozenset({Verb.DRAW, Verb.ROB, Verb.KITTY, Verb.GIVE, Verb.FOLD})


@dataclass(frozen=True, slots=True)
class Known:
    """A table as the player who has to decide knows it."""

    seat: int
    place: str
    """Which part of the hand it is, in the language of the viewer: ``trick 3``."""
    is_play: bool
    """Whether that is a trick."""
    cards: tuple[int, ...]
    """By seat: how many cards are held there."""
    partners: tuple[int, ...]
    maker: int | None
    trump: int | None
    """``None`` while there are none, and while the player does not know them."""
    trump_is_hidden: bool
    """Whether trumps are named and not everybody knows them."""
    scores: tuple[int, ...]
    """Per side, of the game before this hand; empty where they are not recorded."""
    calls: tuple[tuple[int, int, int], ...]
    """(seat, verb, what was bid) of each call."""
    laid_off: tuple[int, ...]
    exchanged: tuple[tuple[int, Verb, int], ...]
    """(seat, what was done before the play, with how many cards)."""
    buried: tuple[tuple[int, tuple[int, ...]], ...]
    """By seat: the cards put under the first trick, which lie open."""
    tricks: tuple[Trick, ...]
    on_table: tuple[tuple[int, int], ...]
    """(seat, card) of the trick that goes on."""
    points: tuple[int, ...]
    """Per side, of complete tricks."""
    need: int | None
    """What the makers need in points, where there is such a number."""
    unseen_trumps: tuple[int, ...]
    """Trumps that the player neither holds nor has seen."""
    to_come: tuple[tuple[int, int], ...]
    """Point cards that lie in no trick taken, with their points."""


def known_at(moment: Moment) -> Known:
    """Return what the player knows at a decision."""
    replayed, view, seat = moment.replayed, moment.view, moment.seat
    rules, actions, tricks = replayed.rules, replayed.actions, replayed.tricks
    trump = view.named_trump if knows_trump(view, seat) else None
    maker, _ = undertaking(view)
    # Between two tricks it is the last one taken that lies on the table.
    goes_on = moment.kind == Kind.CARD and replayed.state_at(len(replayed)).played > 0
    on_table = view.trick if goes_on else ()
    own = (each for each in actions if each.seat == seat)
    laid_off = union(each.cards for each in own if each.verb in _LAID_OFF)
    side, number = side_of(rules, seat), len(tricks) + 1
    partners = (each for each in range(rules.seats) if side_of(rules, each) == side)
    return Known(
        seat=seat,
        place=place_text(view) if on_table or not tricks else say("trick {number}", number=number),
        is_play=bool(tricks or view.trick_number),
        cards=tuple(
            held.bit_count() + unknown
            for held, unknown in zip(view.holdings, view.unknown, strict=True)
        ),
        partners=tuple(each for each in partners if each != seat),
        maker=maker,
        trump=trump,
        trump_is_hidden=view.named_trump is not None and not view.trump_public,
        scores=tuple(replayed.hand.whole_scores or ()),
        calls=tuple((call.seat, call.verb, call.amount) for call in view.calls),
        laid_off=tuple(in_order(rules, trump, laid_off)),
        exchanged=tuple(
            (each.seat, Verb(each.verb), each.size) for each in actions if each.verb in _EXCHANGED
        ),
        buried=_buried(replayed, trump),
        tricks=tricks,
        on_table=on_table,
        points=_points(replayed, tricks),
        need=_need(moment),
        unseen_trumps=_unseen_trumps(replayed, trump, _seen(moment)),
        to_come=_to_come(moment, trump, tricks) if view.trick_number else (),
    )


def _seen_laid_off(moment: Moment) -> int:
    """Return the cards laid off that the player has seen."""
    rules, actions = moment.replayed.rules, moment.replayed.actions
    laid_off = (each for each in actions if each.verb in (Verb.DISCARD, Verb.DISCARD_UP))
    return union(each.cards for each in laid_off if sight.sees(rules, moment.seat, each))


def _seen(moment: Moment) -> int:
    """Return the cards that the player holds or has seen."""
    replayed, seat = moment.replayed, moment.seat
    seen = moment.view.holdings[seat] | moment.view.shown
    for index, action in enumerate(replayed.actions):
        seen |= sight.seen_by(replayed.rules, seat, replayed.state_at(index), action)
    return seen


def _buried(replayed: Replay, trump: int | None) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return who has put which cards under the first trick, in the order in which they did."""
    piles: dict[int, int] = {}
    for action in replayed.actions:
        if action.verb == Verb.BURY:
            piles[action.seat] = piles.get(action.seat, 0) | action.cards
    return tuple(
        (seat, tuple(in_order(replayed.rules, trump, cards))) for seat, cards in piles.items()
    )


def _points(replayed: Replay, tricks: Sequence[Trick]) -> tuple[int, ...]:
    points = [0] * replayed.rules.side_count
    for trick in tricks:
        if trick.winner is not None:
            points[side_of(replayed.rules, trick.winner)] += trick.points
    return tuple(points)


def _need(moment: Moment) -> int | None:
    state = moment.replayed.state_at(len(moment.replayed))
    if state.solo >= 0 or state.no_contract or not state.high_bid or state.trick < 1:
        return None
    return scoring.points_needed(state, moment.replayed.rules)


def _unseen_trumps(replayed: Replay, trump: int | None, seen: int) -> tuple[int, ...]:
    rules = replayed.rules
    suit = NO_TRUMPS if trump is None else trump_suit(trump)
    if suit == NO_TRUMPS:
        return ()
    return tuple(in_order(rules, trump, rules.trump_cards[suit] & ~seen))


def _to_come(
    moment: Moment, trump: int | None, tricks: Sequence[Trick]
) -> tuple[tuple[int, int], ...]:
    """Return point cards outside the tricks taken; none while trumps that decide are not known."""
    rules = moment.replayed.rules
    rows = rules.points if trump is None else [rules.points[trump_suit(trump)]]
    if any(row != rows[0] for row in rows):
        return ()
    gone = _seen_laid_off(moment)
    for trick in tricks:
        gone |= sum(1 << card for _, card in trick.plays if card >= 0) | trick.buried
    worth = sum(1 << card for card in cards_in(rules.pack) if rows[0][card])
    return tuple((card, rows[0][card]) for card in in_order(rules, trump, worth & ~gone))
