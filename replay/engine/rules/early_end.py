"""Stopping play because the contract is decided: made or set whatever comes.

Sources: S08, S90, O51, O73.
"""

from tricklog.core.engine.faults import Fault
from tricklog.core.engine.policies import DiscardedPoints, EarlyEnd, Pair, Sweep, Unshown
from tricklog.core.engine.records import Rules, State, lowest_first
from tricklog.core.engine.rules import hidden_trump, pair, scoring, solo
from tricklog.core.engine.rules.table import laid_off_unknown, side_of
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import AnyAction

UNDECIDED = -1


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
        if pair.may_yet_pair(state, rules, seat) and pair.holds_pair(state, rules, seat)
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
        return defenders if solo.is_lost(state, rules) else UNDECIDED
    # While its trump is hidden a hand can become void, or be changed by a pair.
    may_change = rules.unshown == Unshown.VOID or rules.pair != Pair.NONE
    if state.no_contract or (hidden_trump.is_hidden(state, rules) and may_change):
        return UNDECIDED
    if rules.sweep == Sweep.DOUBLES and not scoring.both_have_won(state, rules):
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
    may_be_lost = hides_cards or solo.is_lost(state, rules)
    return rules.early_end == EarlyEnd.WHEN_DECIDED or may_be_lost


def has_cause(state: State, rules: Rules, seat: int, verb: int) -> bool:
    """May the seat stop play with these words? Only the side that loses the contract gives up."""
    side = decided_for(state, rules, pairers(state, rules))
    if side == UNDECIDED:
        return False
    is_maker = side_of(rules, seat) == side_of(rules, state.maker)
    has_lost = is_maker != (side == side_of(rules, state.maker))
    return verb == Verb.DECIDED or has_lost


def stop_verbs(state: State, rules: Rules, seat: int) -> int:
    """Return the words with which the seat may stop play now."""
    if not may_stop(state, rules):
        return 0
    verbs = 1 << Verb.DECIDED if has_cause(state, rules, seat, Verb.DECIDED) else 0
    return verbs | (1 << Verb.CONCEDE if has_cause(state, rules, seat, Verb.CONCEDE) else 0)


def stop_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with stopping play; cards not recorded leave it open."""
    if not may_stop(state, rules):
        return Fault.NOT_NOW
    if state.doubt or has_cause(state, rules, action.seat, action.verb):
        return 0
    # A card that was laid off, and is not named, may have scored for a side (O07, O23).
    counts = rules.discarded_points != DiscardedPoints.NOBODY
    if counts and laid_off_unknown(state, rules) > 0:
        state.doubt = 1
        return 0
    return Fault.STOPPED_WITHOUT_CAUSE


def do_stop(state: State, rules: Rules) -> None:
    """Play is over; a pair that cards not recorded might have made leaves it in doubt."""
    # These may yet declare, if cards not recorded lie that way.
    possible = sum(
        1 << seat for seat in range(rules.seats) if pair.may_yet_pair(state, rules, seat)
    )
    if decided_for(state, rules, possible) == UNDECIDED:
        open_cards = decided_for(state, rules, pairers(state, rules)) != UNDECIDED
        state.doubt = 1 if open_cards else state.doubt
    state.decided = 1
    state.pending = 0
