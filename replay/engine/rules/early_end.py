"""Ending early: deals thrown in because of what the cards are, play stopped as all is decided.

Sources: S08, S90, S101; O51, O59, O61, O62, O73, O81.
"""

from tricklog.core.engine import policies
from tricklog.core.engine.faults import Fault
from tricklog.core.engine.records import NO_TRUMPS, Rules, State, lowest_first
from tricklog.core.engine.rules import hidden_trump, scoring, table
from tricklog.core.engine.rules.table import known_elsewhere, next_to_call, side_of
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import AnyAction

UNDECIDED = -1
_JACKS = 1 << 9 | 1 << 22 | 1 << 35 | 1 << 48
NO_CAUSE, OPEN, DUE, PASSED_OVER = range(4)
"""The hand is played; the record does not name the cards that would tell, and what it says is
believed; the deal has to be thrown in now; it had to be, and the record has gone on. Of several
reasons the strongest counts."""


def need_if_paired(state: State, rules: Rules, side: int) -> int:
    """Return what the makers would need if a side declared king and queen of trumps."""
    declared = state.pair_side
    state.pair_side = side
    need = scoring.points_needed(state, rules)
    state.pair_side = declared
    return need


def need_with(state: State, rules: Rules, seats: int) -> tuple[int, int]:
    """Return the least and the most the makers may yet need, should one of ``seats`` declare."""
    least = most = scoring.points_needed(state, rules)
    for seat in lowest_first(seats):
        need = need_if_paired(state, rules, side_of(rules, seat))
        least, most = min(least, need), max(most, need)
    return least, most


def pairers(state: State, rules: Rules) -> int:
    """Return the seats that may yet declare king and queen of trumps, and hold both as recorded."""
    return sum(
        1 << seat
        for seat in range(rules.seats)
        if scoring.may_yet_pair(state, rules, seat) and scoring.holds_pair(state, rules, seat)
    )


def decided_for(state: State, rules: Rules, seats: int) -> int:
    """Return the side for which the contract is decided, ``UNDECIDED`` while it is not.

    ``seats`` are those that may yet declare a pair. Nothing is decided while one side may still
    take every trick, if that doubles the stake, nor while a lost contract may or may not be missed
    by far (O51, O73). A lone hand is lost with its first lost trick (S90).
    """
    makers = side_of(rules, state.maker)
    defenders = (makers + 1) % rules.side_count
    if state.solo >= 0:
        return defenders if scoring.is_lost(state, rules) else UNDECIDED
    # While its trump is hidden a hand can become void, or be changed by a pair.
    may_change = rules.unshown == policies.Unshown.VOID or rules.pair != policies.Pair.NONE
    if state.no_contract or (hidden_trump.is_hidden(state, rules) and may_change):
        return UNDECIDED
    if rules.sweep == policies.Sweep.DOUBLES and not scoring.both_have_won(state, rules):
        return UNDECIDED
    taken = scoring.points_of(state, makers)
    left = rules.all_points - sum(
        scoring.points_of(state, side) for side in range(rules.side_count)
    )
    least, most = need_with(state, rules, seats)
    if taken >= most:
        return makers
    far = scoring.missed_by_far(state, rules, taken)
    is_settled = far == scoring.missed_by_far(state, rules, taken + left)
    return defenders if taken + left < least and is_settled else UNDECIDED


def may_stop(state: State, rules: Rules) -> bool:
    """Does the table let play stop before its end? A lost lone hand always may (S90)."""
    # Cards not recorded may have lost it.
    hides_cards = state.solo >= 0 and state.trick > 1 and state.doubt == 1
    may_be_lost = hides_cards or scoring.is_lost(state, rules)
    return rules.early_end == policies.EarlyEnd.WHEN_DECIDED or may_be_lost


def stop_verbs(state: State, rules: Rules, seat: int) -> int:
    """Return the words with which the seat may stop play now; only who has lost gives up."""
    if not may_stop(state, rules):
        return 0
    side = decided_for(state, rules, pairers(state, rules))
    if side == UNDECIDED:
        return 0
    makers = side_of(rules, state.maker)
    has_lost = (side_of(rules, seat) == makers) != (side == makers)
    return 1 << Verb.DECIDED | (1 << Verb.CONCEDE if has_lost else 0)


def stop_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with stopping play; cards not recorded leave it open."""
    if not may_stop(state, rules):
        return Fault.NOT_NOW
    verbs = stop_verbs(state, rules, action.seat)
    if state.doubt or verbs >> action.verb & 1:
        return 0
    # A card that was laid off, and is not named, may have scored for a side (O07, O23).
    counts = rules.discarded_points != policies.DiscardedPoints.NOBODY
    if counts and table.laid_off_unknown(state, rules) > 0:
        state.doubt = 1
        return 0
    return Fault.STOPPED_WITHOUT_CAUSE


def do_stop(state: State, rules: Rules) -> None:
    """Play is over; a pair that cards not recorded might have made leaves it in doubt."""
    # These may yet declare, if cards not recorded lie that way.
    possible = sum(
        1 << seat for seat in range(rules.seats) if scoring.may_yet_pair(state, rules, seat)
    )
    if decided_for(state, rules, possible) == UNDECIDED:
        open_cards = decided_for(state, rules, pairers(state, rules)) != UNDECIDED
        state.doubt = 1 if open_cards else state.doubt
    state.decided = 1
    state.pending = 0


# --- Deals that are thrown in


def lacks(state: State, rules: Rules, seat: int, cards: int) -> int:
    """Has the seat none of ``cards``? ``DUE`` when it has none, as far as the record tells."""
    if state.holding[seat] & cards:
        return NO_CAUSE
    none_left = cards & ~known_elsewhere(state, rules) == 0
    return DUE if state.unknown[seat] == 0 or none_left else OPEN


def at_the_start(state: State, rules: Rules) -> int:
    """Has one of the first two to speak no point card among the first cards (O59, S101)?"""
    if rules.weak_start != policies.WeakStart.THROWN_IN:
        return NO_CAUSE
    points = rules.point_cards[NO_TRUMPS]
    second = next_to_call(rules, state.turn)
    return max(lacks(state, rules, state.turn, points), lacks(state, rules, second, points))


def before_play(state: State, rules: Rules) -> int:
    """Do the cards lie so that the deal is thrown in, now that all are dealt (O61, O62, O81)?"""
    return max(by_seventh_card(state, rules), by_defence(state, rules), by_jacks(state, rules))


def by_jacks(state: State, rules: Rules) -> int:
    """Has one player all four jacks, a seventh card under the pile among them (O81)?"""
    if rules.four_jacks != policies.ThrowIn.THROWN_IN:
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
    if rules.bare_seventh != policies.ThrowIn.THROWN_IN or not state.seventh_called:
        return NO_CAUSE
    trump = hidden_trump.trump_suit(state)
    if trump < 0:
        return OPEN
    own = rules.trump_cards[trump] & rules.point_cards[trump] & ~state.seventh
    return lacks(state, rules, state.maker, own)


def by_defence(state: State, rules: Rules) -> int:
    """Have the defenders no trump between them, or none but the lowest of the pack (O62)?"""
    trump = hidden_trump.trump_suit(state)
    if rules.weak_defence != policies.ThrowIn.THROWN_IN or trump == NO_TRUMPS:
        return NO_CAUSE
    if trump < 0:
        return OPEN
    trumps = rules.trump_cards[trump]
    trumps &= ~(1 << scoring.strongest(rules, trump, trumps, 1 if state.reversed else -1))
    return min(
        (
            lacks(state, rules, seat, trumps)
            for seat in range(rules.seats)
            if side_of(rules, seat) != side_of(rules, state.maker)
        ),
        default=DUE,
    )
