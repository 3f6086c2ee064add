"""Folding: who has no trump leaves the hand, who has few may give them to the partner and leave.

Seats may fold and give in any order, until they lay off; those that fold are named first, from the
dealer's left. A record need not say that a player folded who had to and who does nothing more.

Sources: 9.fold, 9.give; S59, S62; O80.
"""

from __future__ import annotations

from tricklog.core.engine.faults import Fault
from tricklog.core.engine.policies import Fold
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules.table import (
    Legal,
    cannot_hold,
    cards_of,
    named_stock,
    named_trump,
    only,
    out_of_stock,
    partner_of,
)
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import AnyAction


def must_fold(state: State, rules: Rules, seat: int) -> bool:
    """Must the seat fold: it has no trump, or has given them away (S59)?"""
    if rules.fold == Fold.NEVER or (state.folded | state.laid_off) >> seat & 1:
        return False
    trumps = rules.trump_cards[named_trump(state)]
    if state.holding[seat] & trumps:
        return False
    if state.unknown[seat] == 0 or state.gave >> seat & 1:
        return True
    return trumps & ~out_of_stock(state, rules) & ~named_stock(state) == 0


def few_trumps(state: State, rules: Rules, trumps: int) -> bool:
    """Are these few enough to be given away: one, or two of which one is the two (9.give)?

    Or any two (O80).
    """
    count = trumps.bit_count()
    low = rules.low_card[named_trump(state)]
    any_two = rules.fold == Fold.WITH_ONE_OR_TWO or (low >= 0 and trumps >> low & 1 == 1)
    return count == 1 or (count == 2 and any_two)


def may_leave(state: State, rules: Rules, seat: int) -> bool:
    """Is the seat one that may give its trumps and fold: not the maker, and only one of a side?

    Nor where the partner has folded or laid off (S59).
    """
    partner = partner_of(rules, seat)
    gone = state.folded | state.laid_off | state.gave
    if rules.fold == Fold.NEVER or seat == state.maker or state.laid_off >> seat & 1:
        return False
    return not gone >> partner & 1


def legal_leave(state: State, rules: Rules, seat: int) -> Legal:
    """What a seat gives to the partner before it folds: all its trumps (S59)."""
    trumps = state.holding[seat] & rules.trump_cards[named_trump(state)]
    if not may_leave(state, rules, seat) or not few_trumps(state, rules, trumps):
        return only(0)
    count = trumps.bit_count()
    return cards_of(1 << Verb.GIVE, trumps, trumps, count, count)


def leave_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with giving trumps to the partner to fold."""
    seat = action.seat
    if cannot_hold(state, rules, seat, action.cards, action.size):
        return Fault.CARD_NOT_HELD
    trumps = (state.holding[seat] | action.cards) & rules.trump_cards[named_trump(state)]
    plain = action.cards & ~trumps
    possible = trumps == 0 or few_trumps(state, rules, trumps)
    if not may_leave(state, rules, seat) or plain or action.size > 2 or not possible:
        return Fault.GIVE_NOT_ALLOWED
    hidden = action.size - action.cards.bit_count()
    if (trumps & ~action.cards).bit_count() > hidden:
        return Fault.GIVE_COUNT
    # Beside all the trumps of a hand that is known, a card not named can only be plain.
    extra = trumps.bit_count() + state.unknown[seat] < action.size
    return Fault.GIVE_NOT_ALLOWED if extra else 0


def fold_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with folding."""
    seat = action.seat
    if rules.fold == Fold.NEVER or (state.folded | state.laid_off) >> seat & 1:
        return Fault.NOT_NOW
    trumps = state.holding[seat] & rules.trump_cards[named_trump(state)]
    return Fault.FOLD_WITH_TRUMPS if trumps else 0


def do_fold(state: State, rules: Rules, seat: int) -> None:
    """The seat lays its cards down; were some of them unknown, one may have been a trump."""
    if state.unknown[seat] and not state.gave >> seat & 1:
        state.doubt_cards |= rules.trump_cards[named_trump(state)]
    state.discarded[seat] |= state.holding[seat]
    state.discarded_unknown[seat] += state.unknown[seat]
    state.holding[seat] = 0
    state.unknown[seat] = 0
    state.folded |= 1 << seat
    state.pending &= ~(1 << seat)
    state.fold_due &= ~(1 << seat)
    state.folds_ahead &= ~(1 << seat)


def folds_due(state: State, rules: Rules) -> int:
    """Return the seats that have to fold."""
    due = 0
    for seat in range(rules.seats):
        if must_fold(state, rules, seat):
            due |= 1 << seat
    return due


def leaves_due(state: State, rules: Rules) -> int:
    """Return the seats that may give their trumps away and fold."""
    due = 0
    for seat in range(rules.seats):
        if state.unknown[seat] == 0 and legal_leave(state, rules, seat).verbs:
            due |= 1 << seat
    return due


def close_folding(state: State, rules: Rules) -> None:
    """Others go on: who had to fold is out, unless shown to play on, which is found there."""
    for seat in range(rules.seats):
        if must_fold(state, rules, seat):
            plays_on = state.discards_ahead[seat] + state.hidden_plays[seat] > 0
            folds_later = state.folds_ahead >> seat & 1 == 1
            if plays_on or folds_later or state.will_play[seat]:
                state.fold_due |= 1 << seat
            else:
                do_fold(state, rules, seat)
