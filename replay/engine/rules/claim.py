"""Claiming: an opponent takes a trump out of the open discards.

The opponent next in turn has the first choice. One who lets it pass says nothing, so a claim by
the other one is all that shows it, and no claim is wrong for its order.

Sources: S20; O09.
"""

from tricklog.core.engine.faults import Fault
from tricklog.core.engine.records import Rules, State, union
from tricklog.core.engine.rules.draw import forget_discards
from tricklog.core.engine.rules.table import (
    Legal,
    cannot_hold,
    known_elsewhere,
    lay_down,
    named_trump,
    pick_up,
    side_of,
)
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import AnyAction


def may_claim(state: State, rules: Rules, seat: int) -> bool:
    """May the seat claim: before its refill, and with fewer trumps than a hand holds (S20)?"""
    if not rules.discards_claimed or (state.filled | state.folded) >> seat & 1:
        return False
    trumps = state.holding[seat] & rules.trump_cards[named_trump(state)]
    return trumps.bit_count() < rules.hand_size


def legal_claim(state: State, rules: Rules, seat: int) -> Legal:
    """One trump out of an opponent's discards: ``may``; ``limited`` are the cards to give for it.

    One plain card has to be given while there is one in hand; a hand without draws one card fewer.
    """
    if not may_claim(state, rules, seat):
        return Legal(0)
    trumps = rules.trump_cards[named_trump(state)]
    own = side_of(rules, seat)
    cards = trumps & union(
        state.discarded[other] for other in range(rules.seats) if side_of(rules, other) != own
    )
    plain = state.holding[seat] & ~trumps
    if cards == 0:
        return Legal(0)
    return Legal(1 << Verb.CLAIM, 0, cards, 1, 1, limited=plain, limit=1 if plain else 0)


def claimed_from(state: State, rules: Rules, action: AnyAction) -> int:
    """Return the seat out of whose discards the card comes, -1 when it cannot be there.

    A card not known to lie anywhere may be among discards that the record does not name, and a
    card that it does not name may be any trump there.
    """
    card = action.card
    trumps = rules.trump_cards[named_trump(state)]
    hidden = card < 0 or not known_elsewhere(state, rules) >> card & 1
    unseen = -1
    for seat in range(rules.seats):
        if card >= 0 and state.discarded[seat] >> card & 1:
            return seat
        opponent = side_of(rules, seat) != side_of(rules, action.seat)
        named = card < 0 and state.discarded[seat] & trumps != 0
        if hidden and opponent and (named or state.discarded_unknown[seat] > 0):
            unseen = seat
    return unseen


def given_for(action: AnyAction) -> int:
    """Return the card given for the claimed one, as a set: none, too, for one not named."""
    return action.cards & ~(1 << action.card) if action.card >= 0 else action.cards


def claim_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with claiming a discarded card."""
    seat = action.seat
    owner = claimed_from(state, rules, action)
    if owner < 0:
        return Fault.CARD_NOT_IN_STOCK
    given, gives = given_for(action), action.size > 1
    if gives and cannot_hold(state, rules, seat, given, 1):
        return Fault.CARD_NOT_HELD
    trumps = rules.trump_cards[named_trump(state)]
    plain_claimed = action.card >= 0 and not trumps >> action.card & 1
    if not may_claim(state, rules, seat) or side_of(rules, owner) == side_of(rules, seat):
        return Fault.CLAIM_NOT_ALLOWED
    plain = state.holding[seat] & ~trumps
    kept_all = not gives and plain != 0
    if plain_claimed or given & trumps or kept_all:
        return Fault.CLAIM_NOT_ALLOWED
    return 0


def do_claim(state: State, rules: Rules, action: AnyAction) -> None:
    """Exchange the cards."""
    seat = action.seat
    owner = claimed_from(state, rules, action)
    card = 1 << action.card if action.card >= 0 else 0
    if action.size > 1:
        laid_off = lay_down(state, rules, seat, given_for(action), 1)
        state.discarded[seat] |= laid_off
        state.discarded_unknown[seat] += 1 - laid_off.bit_count()
    if card & state.discarded[owner]:
        state.discarded[owner] &= ~card
    else:
        if card == 0:
            forget_discards(state, rules, rules.trump_cards[named_trump(state)])
        state.discarded_unknown[owner] -= 1
    pick_up(state, seat, card, 1)
