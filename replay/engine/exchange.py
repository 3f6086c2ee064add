"""The phases between auction and play: who is asked, what is legal, what is carried out.

In some phases a seat may let its turn pass, and writes nothing then: the record just goes on with
something else. ``engine.may_pass_over`` tells a player so, and ``is_left`` draws that conclusion
from a record. The rules themselves stand in ``tricklog.core.engine.rules``.
"""

from tricklog.core.engine.faults import FATAL, Fault
from tricklog.core.engine.policies import Discard, Fold, Phase, Refill, Rob, Surplus
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules import discard, draw, give, rob
from tricklog.core.engine.rules.table import Legal, named_trump, next_of
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import AnyAction

DISCARDS = 1 << Verb.DISCARD | 1 << Verb.DISCARD_UP
_EXCHANGES = (
    DISCARDS
    | 1 << Verb.CLAIM
    | 1 << Verb.DRAW
    | 1 << Verb.ROB
    | 1 << Verb.GIVE
    | 1 << Verb.FOLD
    | 1 << Verb.SHOW
)
_STOPS = 1 << Verb.DECIDED | 1 << Verb.CONCEDE
_AFTER_ROB = DISCARDS | 1 << Verb.GIVE | 1 << Verb.SHOW | 1 << Verb.BURY | 1 << Verb.PLAY | _STOPS
_LATER = _EXCHANGES | 1 << Verb.BURY | 1 << Verb.PLAY | _STOPS
"""Verbs of this part of the hand and the next: a phase is left for no other."""


def begin_exchange(state: State, rules: Rules) -> bool:
    """Open the phase the state is in; return whether anybody may do something in it."""
    phase = state.phase
    state.pending = 0
    if phase == Phase.DISCARD and rules.discard != Discard.NOTHING:
        state.pending = discard.discards_due(state, rules)
    if phase == Phase.COME_DOWN:
        state.pending = discard.come_downs_due(state, rules)
    if phase == Phase.ROB and rules.rob != Rob.NOTHING:
        robs = rob.legal_rob(state, rules, state.dealer).most > 0
        state.pending = 1 << state.dealer if robs else 0
    if phase == Phase.SHOW and rob.legal_show(state, rules).most > 0 and rules.surplus_shown:
        state.pending = 1 << state.dealer
    return goes_on(state, rules)


def goes_on(state: State, rules: Rules) -> bool:
    """Find whose turn it is, also of who is shown to fold or to give; return if it is anybody's."""
    phase = state.phase
    if phase == Phase.REFILL:
        state.turn = draw.next_drawer(state, rules) if rules.refill != Refill.NOBODY else -1
        return state.turn >= 0
    if phase == Phase.FOLD and rules.fold != Fold.NEVER:
        state.pending = sum(
            1 << seat for seat in range(rules.seats) if give.must_fold(state, rules, seat)
        )
        if state.pending == 0:
            shown = state.folds_ahead | state.gifts_ahead
            leaves = sum(
                1 << seat
                for seat in range(rules.seats)
                if state.unknown[seat] == 0 and give.legal_leave(state, rules, seat).verbs
            )
            state.pending = (leaves | shown) & ~state.declined
    if phase == Phase.GIVE and rules.surplus == Surplus.TO_PARTNER:
        state.pending = (give.gives_due(state, rules) | state.gifts_ahead) & ~state.declined
    if phase == Phase.DEALER_GIVE and rules.surplus == Surplus.TO_PARTNER:
        asked = give.gives_due(state, rules) | state.gifts_ahead | state.late_gift << state.dealer
        state.pending = asked & 1 << state.dealer & ~state.declined
    state.turn = next_of(rules, state.pending, state.dealer)
    return state.pending != 0


def is_waited_for(state: State, rules: Rules, seat: int) -> bool:
    """Has the seat to act in this phase before the hand can go on?"""
    phase = state.phase
    if phase == Phase.FOLD:
        return give.must_fold(state, rules, seat)
    if phase == Phase.GIVE:
        # More point cards than a hand holds, none of which may be laid off (S66, S76).
        points = state.holding[seat] & rules.point_cards[named_trump(state)]
        return points.bit_count() > rules.hand_size
    if phase == Phase.DISCARD:
        return discard.must_lay_off(state, rules, seat)
    if phase == Phase.ROB:
        return rob.must_rob(state, rules, seat)
    if phase == Phase.COME_DOWN:
        return discard.legal_come_down(state, rules, seat, 0).least > 0
    if phase == Phase.SHOW:
        return rob.left_to_show(state, rules) != 0
    return True


def is_through(state: State, rules: Rules) -> bool:
    """Does the hand go on although not everybody who may has acted: nobody is waited for?"""
    if state.phase == Phase.REFILL:
        return False
    return not any(
        is_waited_for(state, rules, seat)
        for seat in range(rules.seats)
        if state.pending >> seat & 1
    )


def is_left(state: State, rules: Rules, action: AnyAction) -> bool:
    """Does the record go on from this phase with an action of a later one?

    Folding, giving and showing are left even by who has to do it: that is found where they play on,
    or cannot lay off what they kept. So is the rest of the stock that nobody takes any more.
    """
    if not Phase.FOLD <= state.phase <= Phase.SHOW or not _LATER >> action.verb & 1:
        return False
    if belongs_here(state, rules, action):
        return False
    phase = state.phase
    if phase in (Phase.FOLD, Phase.GIVE, Phase.DEALER_GIVE, Phase.SHOW):
        return True
    if phase == Phase.ROB and not state.rob_ahead and _AFTER_ROB >> action.verb & 1:
        return True
    return is_through(state, rules)


def belongs_here(state: State, rules: Rules, action: AnyAction) -> bool:
    """Has the action a place in this phase, right or wrong?"""
    phase = state.phase
    verb = action.verb
    if verb == Verb.CLAIM:
        return rules.discards_claimed == 1 and Phase.DISCARD <= phase <= Phase.ROB
    if DISCARDS >> verb & 1:
        in_time = phase in (Phase.DISCARD, Phase.COME_DOWN)
        return in_time or lays_off_late(state, rules, action)
    if verb == Verb.GIVE:
        return gives_here(state, rules, action.seat)
    if verb == Verb.FOLD:
        return rules.fold != Fold.NEVER and phase in (Phase.FOLD, Phase.GIVE, Phase.DISCARD)
    if verb == Verb.DRAW:
        return phase == Phase.REFILL or early_drawer(state, rules) == action.seat
    if verb == Verb.ROB:
        return phase == Phase.ROB
    return verb == Verb.SHOW and phase == Phase.SHOW


def lays_off_late(state: State, rules: Rules, action: AnyAction) -> bool:
    """Is this a discard after the time for it: a changed one (O22), down after a gift, one more?

    A dealer who lays off instead of robbing goes on from there (S76).
    """
    seat = action.seat
    robs = state.phase == Phase.ROB and seat == state.dealer
    if state.late_discards[seat] > 0 and state.phase >= Phase.REFILL and not robs:
        return True
    if state.phase not in (Phase.GIVE, Phase.REFILL, Phase.ROB):
        return False
    if discard.precedes_rob(state, rules, seat) or discard.replaces(state, rules, action):
        return True
    dealer_robs = seat == state.dealer and rules.rob != Rob.NOTHING
    given = state.laid_off >> seat & 1 == 1 and not dealer_robs
    return given and discard.comes_down(state, rules, seat)


def gives_here(state: State, rules: Rules, seat: int) -> bool:
    """Is this a phase to give in: surplus, while others lay off as well, or before folding?"""
    phase = state.phase
    if phase == Phase.DEALER_GIVE:
        return seat == state.dealer
    if phase != Phase.DISCARD:
        return phase in (Phase.FOLD, Phase.GIVE)
    if rules.fold != Fold.NEVER:
        return True
    gives = rules.surplus == Surplus.TO_PARTNER
    return gives and not (discard.gives_after_discard(rules) and is_through(state, rules))


def early_drawer(state: State, rules: Rules) -> int:
    """Return the seat that may draw while others have still to lay off, -1 for none (S11)."""
    if state.phase != Phase.DISCARD or rules.refill == Refill.NOBODY:
        return -1
    step = state.step + 1
    while rules.phases[step] in (Phase.FOLD, Phase.GIVE):
        step += 1
    return draw.next_drawer(state, rules) if rules.phases[step] == Phase.REFILL else -1


def legal_exchange(state: State, rules: Rules, seat: int) -> Legal:
    """Return what is due from ``seat`` in this phase, or what it may do; nothing when not asked."""
    phase = state.phase
    asked = state.pending >> seat & 1 == 1
    if phase == Phase.REFILL:
        return draw.legal_draw(state, rules, seat) if seat == state.turn else Legal(0)
    if phase == Phase.DISCARD and not asked:
        early = seat == early_drawer(state, rules)
        return draw.legal_draw(state, rules, seat) if early else Legal(0)
    if phase == Phase.FOLD and give.must_fold(state, rules, seat):
        return Legal(1 << Verb.FOLD)
    if phase == Phase.FOLD:
        return give.legal_leave(state, rules, seat)
    if phase in (Phase.GIVE, Phase.DEALER_GIVE):
        return give.legal_give(state, rules, seat, 0)
    if not asked:
        return Legal(0)
    if phase == Phase.DISCARD and state.fold_due >> seat & 1:
        return Legal(1 << Verb.FOLD)
    if phase == Phase.DISCARD:
        return discard.legal_discard(state, rules, seat, 0)
    if phase == Phase.ROB:
        return rob.legal_rob(state, rules, seat)
    if phase == Phase.COME_DOWN:
        return discard.legal_come_down(state, rules, seat, 0)
    return rob.legal_show(state, rules)


def apply_exchange(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out an action between auction and play, unless a fault is fatal."""
    if not belongs_here(state, rules, action):
        return Fault.NOT_NOW
    verb = action.verb
    if DISCARDS >> verb & 1:
        return apply_discard(state, rules, action)
    if verb == Verb.GIVE:
        return apply_give(state, rules, action)
    if verb == Verb.FOLD:
        faults = give.fold_faults(state, rules, action)
        if not faults & FATAL:
            give.do_fold(state, rules, action.seat)
        return faults
    if verb == Verb.CLAIM:
        faults = draw.claim_faults(state, rules, action)
        if not faults & FATAL:
            draw.do_claim(state, rules, action)
        return faults
    return apply_to_stock(state, rules, action)


def apply_to_stock(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out a draw, the rob, or showing what is left."""
    if action.verb == Verb.DRAW:
        faults = draw.draw_faults(state, rules, action)
        if not faults & FATAL:
            draw.do_draw(state, rules, action, faults)
        return faults
    if action.verb == Verb.ROB:
        faults = rob.rob_faults(state, rules, action)
        if not faults & FATAL:
            rob.do_rob(state, rules, action, faults)
            state.pending = 0
        return faults
    faults = rob.show_faults(state, rules, action)
    if not faults & FATAL:
        rob.do_show(state, rules, action)
        state.pending = 0
    return faults


def apply_discard(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out a discard: the one that is due, one in the place of another, or coming down."""
    seat, cards = action.seat, action.cards
    if discard.replaces(state, rules, action):
        laid_off, unseen = state.discarded[seat], state.discarded_unknown[seat]
        held, unknown = state.holding[seat], state.unknown[seat]
        discard.take_back(state, seat)
        if state.phase == Phase.DISCARD:
            state.pending |= 1 << seat
        faults = lay_off(state, rules, action, discard.legal_discard(state, rules, seat, cards))
        if faults & FATAL:
            state.discarded[seat], state.discarded_unknown[seat] = laid_off, unseen
            state.holding[seat], state.unknown[seat] = held, unknown
        return faults
    in_time = state.phase == Phase.DISCARD
    due = state.pending >> seat & 1 if in_time else discard.comes_down(state, rules, seat)
    if not due:
        faults = discard.extra_faults(state, rules, action)
        if not faults & FATAL:
            discard.do_discard(state, rules, action)
        return faults
    if in_time:
        return lay_off(state, rules, action, discard.legal_discard(state, rules, seat, cards))
    late = state.robs_first == 1 and seat == state.dealer
    faults = lay_off(state, rules, action, discard.legal_come_down(state, rules, seat, cards))
    if late and not faults & FATAL:
        state.robs_first = 2
        faults |= Fault.DISCARD_OUT_OF_TURN
    return faults


def lay_off(state: State, rules: Rules, action: AnyAction, legal: Legal) -> int:
    """Judge a discard and carry it out."""
    faults = discard.discard_faults(state, rules, action, legal)
    if not faults & FATAL:
        discard.do_discard(state, rules, action)
    return faults


def apply_give(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out a gift to the partner."""
    if rules.fold != Fold.NEVER:
        faults = give.leave_faults(state, rules, action)
    else:
        faults = give.give_faults(state, rules, action)
    if not faults & FATAL:
        give.do_give(state, rules, action)
        if state.phase == Phase.DISCARD and give.must_fold(state, rules, action.seat):
            state.fold_due |= 1 << action.seat
            state.pending |= 1 << action.seat
    return faults
