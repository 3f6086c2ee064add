"""Deals that are thrown in because of what the cards are.

Sources: O59, O61, O62, O81; S101.
"""

from tricklog.core.engine.policies import ThrowIn, WeakStart
from tricklog.core.engine.records import NO_TRUMPS, Rules, State
from tricklog.core.engine.rules.counting import strongest
from tricklog.core.engine.rules.hidden_trump import trump_suit
from tricklog.core.engine.rules.table import known_elsewhere, next_to_call, side_of

_JACKS = 1 << 9 | 1 << 22 | 1 << 35 | 1 << 48
NO_CAUSE, DUE, PASSED_OVER, OPEN = range(4)
"""The hand is played; the deal has to be thrown in now; it had to be, and the record has gone on;
the record does not name the cards that would tell, and what it says is believed."""


def lacks(state: State, rules: Rules, seat: int, cards: int) -> int:
    """Has the seat none of ``cards``? ``DUE`` when it has none, as far as the record tells."""
    if state.holding[seat] & cards:
        return NO_CAUSE
    none_left = cards & ~known_elsewhere(state, rules) == 0
    return DUE if state.unknown[seat] == 0 or none_left else OPEN


def at_the_start(state: State, rules: Rules) -> int:
    """Has one of the first two to speak no point card among the first cards (O59, S101)?"""
    if rules.weak_start != WeakStart.THROWN_IN:
        return NO_CAUSE
    points = rules.point_cards[NO_TRUMPS]
    first = lacks(state, rules, state.turn, points)
    second = lacks(state, rules, next_to_call(rules, state.turn), points)
    return of_two(first, second)


def of_two(one: int, other: int) -> int:
    """Return what two reasons come to: either is enough."""
    if DUE in (one, other):
        return DUE
    return OPEN if OPEN in (one, other) else NO_CAUSE


def before_play(state: State, rules: Rules) -> int:
    """Do the cards lie so that the deal is thrown in, now that all are dealt (O61, O62, O81)?"""
    by_trumps = of_two(by_seventh_card(state, rules), by_defence(state, rules))
    return of_two(by_trumps, by_jacks(state, rules))


def by_jacks(state: State, rules: Rules) -> int:
    """Has one player all four jacks, a seventh card under the pile among them (O81)?"""
    if rules.four_jacks != ThrowIn.THROWN_IN:
        return NO_CAUSE
    elsewhere = known_elsewhere(state, rules)
    found = NO_CAUSE
    for seat in range(rules.seats):
        makers = seat == state.maker
        missing = _JACKS & ~(state.holding[seat] | (state.seventh if makers else 0))
        if missing == 0:
            return DUE
        unknown = state.unknown[seat] + (state.seventh_unknown if makers else 0)
        if missing.bit_count() <= unknown and missing & elsewhere == 0:
            found = OPEN
    return found


def by_seventh_card(state: State, rules: Rules) -> int:
    """Has the maker who called the seventh card no other trump with points (O61)?"""
    if rules.bare_seventh != ThrowIn.THROWN_IN or not state.seventh_called:
        return NO_CAUSE
    trump = trump_suit(state)
    if trump < 0:
        return OPEN
    own = rules.trump_cards[trump] & rules.point_cards[trump] & ~state.seventh
    return lacks(state, rules, state.maker, own)


def by_defence(state: State, rules: Rules) -> int:
    """Have the defenders no trump between them, or none but the lowest of the pack (O62)?"""
    trump = trump_suit(state)
    if rules.weak_defence != ThrowIn.THROWN_IN or trump == NO_TRUMPS:
        return NO_CAUSE
    if trump < 0:
        return OPEN
    trumps = rules.trump_cards[trump]
    trumps &= ~(1 << strongest(rules, trump, trumps, 1 if state.reversed else -1))
    found = DUE
    for seat in range(rules.seats):
        if side_of(rules, seat) == side_of(rules, state.maker):
            continue
        held = lacks(state, rules, seat, trumps)
        if held == NO_CAUSE:
            return NO_CAUSE
        found = OPEN if held == OPEN else found
    return found
