"""The first state of a hand: cards dealt, laid aside and left over, and what is shown later.

Cards come in one flat list with the bounds of each part, as a log lists them; -1 is a card that the
record does not name. Sources: 0.deal; S74.
"""

from __future__ import annotations

from collections.abc import Sequence

from replay.engine.constants import (
    DISCARD_ANY,
    ROB_ALL_TRUMPS,
    ROB_WHOLE_STOCK,
    VERB_BURY,
    VERB_DISCARD,
    VERB_DISCARD_UP,
    VERB_DRAW,
    VERB_FOLD,
    VERB_GIVE,
    VERB_PLAY,
    VERB_REVEAL,
    VERB_ROB,
    VERB_TRUMP,
)
from replay.engine.policies import OddCard
from replay.engine.records import Rules, State
from replay.engine.rules.doubles import CALLS as STAKE_CALLS
from replay.engine.rules.naming import suit_of
from replay.engine.rules.table import all_seats, partner_of
from schemas.actions import TRUMP_NOT_RECORDED, Action
from schemas.scan.actions import ScannedAction

Actions = Sequence[Action] | Sequence[ScannedAction]

SHOWS_AHEAD = (
    1 << VERB_PLAY
    | 1 << VERB_BURY
    | 1 << VERB_DISCARD
    | 1 << VERB_DISCARD_UP
    | 1 << VERB_GIVE
    | 1 << VERB_FOLD
    | 1 << VERB_DRAW
    | 1 << VERB_ROB
)
"""Verbs that prove something of what their seat held, or meant, before."""

LAYS_OFF = 1 << VERB_DISCARD | 1 << VERB_DISCARD_UP
GOES_TO_TRICK = 1 << VERB_PLAY | 1 << VERB_BURY
TELLS_OF_TRUMPS = 1 << VERB_TRUMP | 1 << VERB_REVEAL | STAKE_CALLS
"""Verbs that tell what trumps are, or raise the stake once they are named."""

MADE_BITS = 6
MADE_MOST = 63
"""Lay-offs are counted by seat in one number; nobody makes more than a few."""

UNLISTED = -1
"""In place of the end of a part of the deal: the record does not list it at all."""


def odd_cards(rules: Rules) -> int:
    """Return how many cards are over when the pack has been dealt, for the dealer to take (S74)."""
    over = rules.pack_size - rules.seats * rules.dealt - rules.kitty_size
    return over if rules.odd_card == OddCard.DEALER and over < rules.seats else 0


def deal_seat(
    state: State, rules: Rules, seat: int, cards: Sequence[int], first: int, last: int, size: int
) -> None:
    """Give a seat its first packet now and the later ones to come.

    ``cards[first:last]`` are listed; up to ``size`` the seat was dealt others, not listed. A card
    written twice in one packet stands for some other card the second time.
    """
    now, later = 0, 0
    for place in range(size):
        card = cards[first + place] if first + place < last else UNLISTED
        bit = 1 << card if card >= 0 else 0
        if place < rules.packet:
            state.unknown[seat] += 1 if now & bit == bit else 0
            now |= bit
        else:
            state.reserve_unknown[seat] += 1 if later & bit == bit else 0
            later |= bit
    state.holding[seat] = now
    state.reserve[seat] = later
    if rules.seventh_card and 2 <= size == rules.dealt and first + size - 2 < last:
        state.last_but_one[seat] = cards[first + size - 2]
    elif rules.seventh_card and 2 <= size == rules.dealt:
        state.last_but_one[seat] = UNLISTED


def lay_kitty(state: State, rules: Rules, cards: Sequence[int], first: int, last: int) -> None:
    """Lay the kitty aside; a ``last`` below ``first`` says that it is not listed."""
    size = rules.kitty_size if last < first else last - first
    for place in range(size):
        card = cards[first + place] if first + place < last else UNLISTED
        bit = 1 << card if card >= 0 else 0
        state.kitty_unknown += 1 if state.kitty & bit == bit else 0
        state.kitty |= bit


def stock_size(state: State, rules: Rules) -> int:
    """Return how many cards are left over; the odd card may be listed with the dealer's (S74)."""
    size = rules.pack_size - rules.seats * rules.dealt - rules.kitty_size
    dealer = state.dealer
    listed = state.reserve[dealer].bit_count() + state.reserve_unknown[dealer]
    return size - odd_cards(rules) if listed > rules.dealt - rules.packet else size


def lay_stock(
    state: State, rules: Rules, cards: Sequence[int], first: int, last: int, size: int
) -> None:
    """Lay the stock of ``size`` cards; cards nobody is recorded to hold may be in it."""
    state.stock_size = size
    listed, together = 0, 0
    for place in range(size):
        card = cards[first + place] if first + place < last else UNLISTED
        state.stock[place] = card if card >= 0 else UNLISTED
        listed += 1 if card >= 0 else 0
        together |= 1 << card if card >= 0 else 0
    elsewhere = state.kitty
    for seat in range(rules.seats):
        elsewhere |= state.holding[seat] | state.reserve[seat]
    state.stock_set = together if listed == size else rules.pack & ~elsewhere


def leaves_undealt(rules: Rules, actions: Actions, count: int, listed: int) -> bool:
    """Does a record of a deal that ended after its first packet list the undealt cards as stock?

    Later packets are dealt once trumps are named: not to a tenny, nor to a deal thrown in before.
    ``listed``: how many cards it lists as stock, below 0 for none.
    """
    if listed != undealt(rules):
        return False
    for index in range(count):  # noqa: SIM110 - compiled code has no generators
        if actions[index].verb == VERB_TRUMP:
            return False
    return True


def undealt(rules: Rules) -> int:
    """Return how many cards are left over after the first packet."""
    return rules.pack_size - rules.seats * rules.packet - rules.kitty_size


def look_at_trumps(state: State, actions: Actions, count: int) -> None:
    """Note what the first ``count`` actions show later of the trump and the stake.

    Without an action it is no record yet, and anything may follow.
    """
    if count == 0:
        return
    state.will_raise = 0
    named = False
    for index in range(count):
        action = actions[index]
        if not TELLS_OF_TRUMPS >> action.verb & 1:
            continue
        if action.verb == VERB_REVEAL and state.will_show == TRUMP_NOT_RECORDED:
            state.will_show = suit_of(action.amount)
        if named:
            state.will_raise += STAKE_CALLS >> action.verb & 1
        elif action.verb == VERB_TRUMP:
            named = True
            state.will_raise += STAKE_CALLS >> action.verb & 1


def look_at_play(state: State, action: Action | ScannedAction) -> None:
    """Note what a seat is shown to put to a trick: it holds that until then."""
    state.will_play[action.seat] |= action.cards
    if action.verb == VERB_BURY:
        state.buries_ahead[action.seat] += 1
    elif action.card < 0:
        state.hidden_plays[action.seat] += 1


def look_at_stock(state: State, rules: Rules, actions: Actions, count: int) -> None:
    """Note what the first ``count`` actions show of draws in several goes, and of the rob.

    A dealer who has to clear the hand first and lays nothing off until then has robbed too soon.
    """
    drawer, laid_off = -1, 0
    clears_first = rules.discard != DISCARD_ANY and rules.rob in (ROB_ALL_TRUMPS, ROB_WHOLE_STOCK)
    for index in range(count):
        verb, seat = actions[index].verb, actions[index].seat
        if seat >= rules.seats or not SHOWS_AHEAD >> verb & 1:
            continue
        if verb == VERB_DRAW and drawer == seat:
            state.redraws[seat] += 1
        if drawer == seat or verb == VERB_ROB:
            drawer = -1
        if verb == VERB_DRAW:
            drawer = seat
        elif verb == VERB_ROB:
            state.rob_ahead = 1
        elif seat == state.dealer and 1 << verb & LAYS_OFF and not laid_off:
            laid_off = 1
            state.robs_first = 1 if state.rob_ahead and clears_first else 0
    if drawer >= 0 and actions[count - 1].verb == VERB_DRAW:
        state.cut_draw = drawer


def look_ahead(state: State, rules: Rules, actions: Actions, count: int) -> None:
    """Note what the first ``count`` actions show each seat doing: proof of what it held and meant.

    A lay-off may be recorded in several actions. It ends where its seat does something else, or is
    given cards; what is laid off after a draw, a gift or the rob is another one.
    """
    going_on, ended, begun, drawn = 0, 0, 0, 0
    made, robbed = 0, 0
    look_at_stock(state, rules, actions, count)
    for index in range(count):
        action = actions[index]
        verb, seat = action.verb, action.seat
        if seat >= rules.seats or not SHOWS_AHEAD >> verb & 1:
            continue
        if GOES_TO_TRICK >> verb & 1:
            look_at_play(state, action)
        elif LAYS_OFF >> verb & 1:
            if drawn >> seat & 1:
                # Hands come down to size again: nobody still lays off what they were dealt.
                going_on = 0
                ended = all_seats(rules)
            before = made >> MADE_BITS * seat & MADE_MOST
            if going_on >> seat & 1 and 0 < before < MADE_MOST:
                state.split_discards[seat] |= 1 << before - 1
            state.discards_ahead[seat] += 1 - (ended >> seat & 1)
            state.late_discards[seat] += ended >> seat & 1
            made += 1 << MADE_BITS * seat if before < MADE_MOST else 0
            going_on |= 1 << seat
            begun |= 1 << seat
        elif verb == VERB_GIVE:
            partner = partner_of(rules, seat)
            if robbed and seat == state.dealer:
                state.late_gift = 1
            else:
                state.gifts_ahead |= 1 << seat
                state.given_ahead[seat] += action.size
            going_on &= ~(1 << seat | 1 << partner)
            ended |= 1 << partner & begun
        elif verb == VERB_FOLD:
            state.folds_ahead |= 1 << seat
        elif verb == VERB_DRAW:
            going_on &= ~(1 << seat)
            ended |= 1 << seat
            drawn |= 1 << seat
        elif verb == VERB_ROB:
            going_on = 0
            ended = all_seats(rules)
            robbed = 1
