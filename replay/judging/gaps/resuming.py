"""The table where play goes on after a gap: who holds what, whose lead it is, what is open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from msgspec import UNSET

from replay.engine import engine
from replay.engine.constants import PHASE_DOUBLE, PHASE_PLAY, TRUMP_CALL_SECRET
from replay.engine.faults import Fault
from replay.engine.policies import DiscardedPoints, Fold, Pair
from replay.engine.records import State
from replay.engine.rules import discard, naming, play, solo
from replay.engine.rules.history import History
from replay.engine.rules.table import all_seats, side_of
from replay.judging.gaps.readings import NOBODY, STOPS, known_trump
from schemas.actions import Action, Verb
from schemas.cards import mask_of, parse_cards
from schemas.hand import Gap, Then

if TYPE_CHECKING:
    from replay.judging.gaps.crossing import Walk

_OPEN_AFTER_EXCHANGE: Final = (
    Fault.NOT_BURIED
    | Fault.BURY_COUNT
    | Fault.BURIED_POINTS
    | Fault.NOT_FOLDED
    | Fault.DISCARD_NOT_SHOWN
)
"""Faults that rest on how many cards, and which, a hand was left with."""
OPEN_AFTER_TRICKS: Final = (
    Fault.NOT_ASKED
    | Fault.NOT_SHOWN
    | Fault.ASK_WITHOUT_CAUSE
    | Fault.REVEAL_WITHOUT_CAUSE
    | Fault.PAIR_NOT_NOW
    | Fault.SEVENTH_CARD_HIDDEN
)
"""Faults that rest on what happened in earlier tricks."""
_NO_THEN: Final = Then()


def resume_play(
    walk: Walk,
    state: State,
    history: History | None,
    index: int,
    gap: Gap | None,
    *,
    loses_cards: bool,
) -> None:
    """Set the table for a trick of which what came before is not recorded."""
    rules = walk.rules
    then = _NO_THEN if gap is None or gap.then is UNSET else gap.then
    walk.loose = False
    number = _number(walk, state, index, gap)
    walk.open_hands = walk.open_hands or walk.has_exchange()
    walk.suppose_alone(state, index)
    if state.phase <= PHASE_DOUBLE:
        state.phase = PHASE_DOUBLE
        walk.pass_stake(state)
    if state.reserve_unknown != [0] * len(state.reserve_unknown) or any(state.reserve):
        engine.deal_rest(state, rules)
    walk.name_trump(state)
    state.step = list(rules.phases).index(PHASE_PLAY)
    state.phase = PHASE_PLAY
    _set_hands(walk, state, index, number, then, loses_cards=loses_cards)
    if loses_cards:
        walk.undecided |= _OPEN_AFTER_EXCHANGE
        _forget_exchange(walk, state)
    leader = leader_of(walk, state, index, number, then)
    if number == 1:
        state.trick = 0
        if rules.fold != Fold.NEVER:
            state.folded |= all_seats(rules) & ~_active(walk, state, index)
        discard.count_discards(state, rules)
        play.start_play(state, rules, leader)
        return
    _note_points(walk, state, then)
    _forget_tricks(walk, state, index)
    state.active = _active(walk, state, index)
    state.trick = number - 1
    play.start_trick(state, rules, leader)
    if history is not None:
        walk.forget_open_trick(history)
        _leave_out_tricks(history, number)


def _number(walk: Walk, state: State, index: int, gap: Gap | None) -> int:
    """Return the number of the next trick: as given, else as late as the cards allow."""
    if gap is None or gap.missing != "tricks":
        return max(state.trick, 1)
    if gap.tricks is not UNSET:
        return gap.tricks[1] + 1
    earliest = max(2, state.trick + 1)
    if any(place > index for place in walk.gaps):
        return earliest
    ahead = max(len(_plays(walk, seat, index)) for seat in range(walk.rules.seats))
    # Whoever stops play still holds a card.
    ahead += any(each.verb in STOPS for each in walk.actions[index:])
    return max(earliest, walk.dealt(state) - ahead + 1)


def _plays(walk: Walk, seat: int, index: int) -> list[Action]:
    """Return the cards that a seat is recorded to play from action ``index`` on."""
    later = walk.actions[index:]
    return [each for each in later if each.seat == seat and each.verb == Verb.PLAY]


def _set_hands(
    walk: Walk, state: State, index: int, number: int, then: Then, *, loses_cards: bool
) -> None:
    """Give each seat the cards that it is proved to hold, and others up to its number."""
    rules = walk.rules
    twice = _shown_twice(walk, index)
    sits_out = solo.sitting_out(state, rules)
    for seat in range(rules.seats):
        plays = _plays(walk, seat, index)
        buried = [
            each for each in walk.actions[index:] if each.seat == seat and each.verb == Verb.BURY
        ]
        proved = _cards_of([*plays, *buried]) | _said_to_hold(then, seat)
        gone = 0 if sits_out >> seat & 1 else number - 1
        size = walk.dealt(state) - gone + sum(each.size for each in buried)
        if not loses_cards and state.unknown[seat] == 0:
            proved &= state.holding[seat]
        state.holding[seat] = proved & rules.pack & ~(state.seen | twice)
        held = state.holding[seat].bit_count()
        state.unknown[seat] = max(size - held, 0)
        state.will_play[seat] = _cards_of(plays)
        state.hidden_plays[seat] = sum(1 for each in plays if each.card < 0)
    if walk.may_be_out_unseen(index):
        walk.stay_in(state)
    if then.seen is not UNSET:
        state.seen |= mask_of(parse_cards(then.seen))


def _shown_twice(walk: Walk, index: int) -> int:
    """Return the cards that are played more than once from action ``index`` on.

    They prove nothing of who held them: one of the plays is at fault, as it will turn out.
    """
    shown = twice = 0
    for each in walk.actions[index:]:
        if each.verb in (Verb.PLAY, Verb.BURY):
            twice |= shown & each.cards
            shown |= each.cards
    return twice


def _forget_exchange(walk: Walk, state: State) -> None:
    """Cards may have been drawn, robbed and laid off: where they lie now is not known."""
    for seat in range(walk.rules.seats):
        state.discarded[seat] = 0
        state.discarded_unknown[seat] = 0
    state.stock_next = state.stock_size
    state.stock_set = 0
    state.kitty = state.kitty_unknown = 0
    if walk.rules.discarded_points != DiscardedPoints.NOBODY:
        walk.points_known = False


def leader_of(walk: Walk, state: State, index: int, number: int, then: Then) -> int:
    """Return whose lead it is, as far as the record says; else who led is believed."""
    if number == 1 and state.solo >= 0:
        return state.solo
    if number == 1 and not walk.open_alone:
        return play.first_leader(state, walk.rules)
    if then.winner is not UNSET:
        return then.winner
    return next((each.seat for each in walk.actions[index:] if each.verb == Verb.PLAY), 0)


def _note_points(walk: Walk, state: State, then: Then) -> None:
    rules = walk.rules
    if then.points is UNSET or None in then.points or len(then.points) != rules.side_count:
        walk.points_known = False
    else:
        for side, points in enumerate(then.points):
            state.points[side] = points or 0
        walk.points_known = True
    if then.tricks_won is not UNSET and None not in then.tricks_won:
        for seat, count in enumerate(then.tricks_won[: rules.seats]):
            state.tricks_won[seat] = count or 0


def _forget_tricks(walk: Walk, state: State, index: int) -> None:
    """What was shown, asked for and declared in tricks left out may be anything."""
    walk.undecided |= OPEN_AFTER_TRICKS
    known = walk.hand.known or None
    if known is not None and known.pair is not UNSET:
        state.pair_side = side_of(walk.rules, known.pair)
    elif walk.rules.pair != Pair.NONE and state.pair_side < 0:
        walk.stake_known = False
    everybody = (1 << walk.rules.side_count) - 1
    state.won_any = state.won_since_shown = everybody
    state.asker = state.must_trump = state.shown_for = state.winner = -1
    state.show_due = state.unsure = state.on_table = 0
    if walk.rules.trump_call != TRUMP_CALL_SECRET:
        return
    shows = any(each.verb in (Verb.ASK, Verb.REVEAL) for each in walk.actions[index:])
    if not state.revealed and not shows and walk.reading.shown:
        state.revealed = state.reveal_trick = 1
        code = known_trump(walk.hand, walk.reading)
        if state.trump < 0 <= code:
            naming.set_trump(state, code)


def _active(walk: Walk, state: State, index: int) -> int:
    """Return the seats that are still in: who is seen to play, where players may drop out."""
    rules = walk.rules
    present = all_seats(rules) & ~(state.folded | solo.sitting_out(state, rules))
    return present & walk.seats_in(index) if walk.may_be_out() else present


def _cards_of(actions: Sequence[Action]) -> int:
    cards = 0
    for action in actions:
        cards |= action.cards
    return cards


def _said_to_hold(then: Then, seat: int) -> int:
    if then.holdings is UNSET or seat >= len(then.holdings):
        return 0
    return mask_of(parse_cards(then.holdings[seat] or ""))


def _leave_out_tricks(history: History, number: int) -> None:
    """Count tricks left out, so that the next one has the right number; they hold no cards."""
    history.on_table = 0
    while history.tricks < number - 1:
        history.first_play[history.tricks] = history.plays
        history.trick_winner[history.tricks] = NOBODY
        history.trick_points[history.tricks] = 0
        history.tricks += 1
