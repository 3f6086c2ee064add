"""The state machine of a hand: ``start``, ``legal``, ``apply``, ``finish``.

One engine for every system: which phases there are and what each of them allows is data in
``Rules``. ``apply`` judges an action and, unless a fault is fatal, carries it out as recorded, so
that the state follows the table and not the rule book.
"""

from tricklog.core.engine.faults import FATAL, Fault
from tricklog.core.engine.policies import (
    Discard,
    DropOut,
    EarlyEnd,
    Fold,
    OddCard,
    Phase,
    Refill,
    Rob,
    Solo,
    Surplus,
)
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules import (
    auction,
    discard,
    early_end,
    hidden_trump,
    play,
    scoring,
    stock,
    table,
)
from tricklog.core.engine.rules.table import Legal
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import AnyAction

NOT_CALLED = FATAL | Fault.PASS_AFTER_PASS
"""Faults with which a call is not entered."""
SAID_BEFORE_PLAY = 1 << Verb.SOLO | 1 << Verb.TRUMP | scoring.RAISES
"""Verbs of the phase in which a single hand may be announced, and of the stake before it."""
STOPS = 1 << Verb.DECIDED | 1 << Verb.CONCEDE
DISCARDS = 1 << Verb.DISCARD | 1 << Verb.DISCARD_UP
_AFTER_ROB = DISCARDS | 1 << Verb.GIVE | 1 << Verb.SHOW | 1 << Verb.BURY | 1 << Verb.PLAY | STOPS
_LATER = _AFTER_ROB | 1 << Verb.CLAIM | 1 << Verb.DRAW | 1 << Verb.ROB | 1 << Verb.FOLD
"""Verbs of this part of the hand and the next: a phase is left for no other."""


def start(state: State, rules: Rules) -> None:
    """Begin the hand whose cards ``state`` holds: the first phase, the first caller."""
    state.step = 0
    state.phase = rules.phases[0]
    state.turn = auction.first_caller(state, rules)
    state.due_thrown_in = early_end.at_the_start(state, rules)


def enter(state: State, rules: Rules) -> None:
    """Go on to the next phase in which somebody has something to do."""
    while True:
        if Phase.FOLD <= state.phase <= Phase.SHOW:
            if state.phase == Phase.FOLD:
                discard.close_folding(state, rules)
            state.pending, state.declined = 0, 0
        state.step += 1
        state.phase = rules.phases[state.step]
        state.owed = 0
        if begin(state, rules):
            return


def begin(state: State, rules: Rules) -> bool:
    """Open the phase the state is in; return whether there is anything to be done in it."""
    phase = state.phase
    if phase == Phase.DEAL_REST:
        deal_rest(state, rules)
        return False
    if Phase.FOLD <= phase <= Phase.SHOW:
        return begin_exchange(state, rules)
    if phase == Phase.DOUBLE:
        return scoring.open_stake(state, rules)
    if phase == Phase.SOLO and rules.solo == Solo.NONE:
        return False
    if phase in (Phase.SOLO, Phase.PLAY):
        open_play(state, rules)
        return True
    # Naming trumps and the kitty are the maker's; after the last phase it is nobody's turn.
    state.turn = state.maker if phase != Phase.OVER else -1
    return rules.kitty_size > 0 if phase == Phase.KITTY else phase in (Phase.TRUMP, Phase.OVER)


def deal_rest(state: State, rules: Rules) -> None:
    """Deal the later packets; cards left over after them may go to the dealer (S74)."""
    for seat in range(rules.seats):
        state.holding[seat] |= state.reserve[seat]
        state.unknown[seat] += state.reserve_unknown[seat]
        state.reserve[seat] = 0
        state.reserve_unknown[seat] = 0
    left = stock.stock_left(state)
    if rules.odd_card == OddCard.DEALER and left < rules.seats:
        stock.take_from_stock(state, state.dealer, stock.next_cards(state, left), left)
    hidden_trump.lay_seventh(state, rules)


def open_play(state: State, rules: Rules) -> None:
    """Open the first trick, once, also where a hand alone may be announced; it may be thrown in."""
    if state.trick == 0:
        discard.count_discards(state, rules)
        play.start_play(state, rules, play.first_leader(state, rules))
        if state.due_thrown_in != early_end.PASSED_OVER:
            state.due_thrown_in = early_end.before_play(state, rules)
    table.end_if_played_out(state)


def legal(state: State, rules: Rules, seat: int) -> Legal:
    """Return what ``seat`` may do now; nothing when it is not the seat's turn."""
    if state.phase == Phase.OVER:
        return Legal(1 << Verb.REVEAL if state.show_due and seat == state.maker else 0)
    if state.due_thrown_in == early_end.DUE:
        return Legal(1 << Verb.THROW_IN)
    return legal_in_phase(state, rules, seat)


def legal_in_phase(state: State, rules: Rules, seat: int) -> Legal:
    """Return what ``seat`` may do in the phase the hand is in."""
    phase = state.phase
    if phase == Phase.AUCTION:
        options = auction.legal_call(state, rules, seat) if seat == state.turn else Legal(0)
        tenny = scoring.may_tenny(state, rules, seat)
        return options._replace(verbs=options.verbs | 1 << Verb.TENNY) if tenny else options
    if phase == Phase.DOUBLE:
        verb = scoring.next_raise(state, rules)
        waited_for = state.pending >> seat & 1 and verb != scoring.NO_RAISE
        return Legal(1 << verb | 1 << Verb.PASS) if waited_for else Legal(0)
    if Phase.FOLD <= phase <= Phase.SHOW:
        return legal_exchange(state, rules, seat)
    if phase in (Phase.SOLO, Phase.PLAY):
        return play.legal_in_play(state, rules, seat)
    if seat != state.turn or phase not in (Phase.TRUMP, Phase.KITTY):
        return Legal(0)
    return auction.legal_trump(state, rules) if phase == Phase.TRUMP else auction.legal_kitty(state)


def legal_to_call(state: State, rules: Rules, seat: int) -> Legal:
    """Return what ``seat`` may call in turn, or late where others have called ahead of it."""
    if state.due_thrown_in == early_end.DUE:
        return Legal(0)
    if not state.owed >> seat & 1:
        return legal_in_phase(state, rules, seat)
    options = auction.legal_call(state, rules, seat)
    return options._replace(verbs=options.verbs | 1 << Verb.TENNY) if rules.tenny else options


def legal_aside(state: State, rules: Rules, seat: int) -> Legal:
    """Return what ``seat`` may do out of turn: claim a discard, or give while others lay off."""
    if not Phase.DISCARD <= state.phase <= Phase.ROB:
        return Legal(0)
    claims = stock.legal_claim(state, rules, seat)
    if claims.verbs or state.phase != Phase.DISCARD:
        return claims
    if rules.surplus == Surplus.TO_PARTNER:
        return discard.legal_give(state, rules, seat, 0)
    return discard.legal_leave(state, rules, seat)


def to_act(state: State) -> int:
    """Return the seat everybody waits for, -1 when the hand is over."""
    says_trump = state.asker >= 0 or state.show_due == 1
    return state.maker if says_trump and state.phase != Phase.OVER else state.turn


def may_pass_over(state: State, rules: Rules) -> bool:
    """May the seat to act let this turn pass, so that the hand goes on without a word?"""
    if not Phase.FOLD <= state.phase <= Phase.SHOW or state.turn < 0:
        return False
    return not is_waited_for(state, rules, state.turn)


def pass_over(state: State, rules: Rules) -> None:
    """Let the turn of the seat to act pass. A record says so only by going on."""
    state.declined |= 1 << state.turn
    state.pending &= ~(1 << state.turn)
    if not find_turn(state, rules):
        enter(state, rules)


def apply(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out ``action`` as recorded and return its faults (``tricklog.core.engine.faults``).

    With a fatal fault (``FATAL``) nothing is carried out. A phase in which nobody is waited for is
    left for an action of a later one.
    """
    if action.seat >= rules.seats:
        return Fault.NO_SUCH_SEAT
    if action.verb == Verb.THROW_IN and state.phase != Phase.OVER:
        # Whether the cards call for it is known once nobody changes any.
        while Phase.FOLD <= state.phase <= Phase.SHOW and is_through(state, rules):
            enter(state, rules)
        faults = 0 if state.due_thrown_in else Fault.STOPPED_WITHOUT_CAUSE
        throw_in_now(state)
        return faults
    faults = 0
    if state.due_thrown_in == early_end.DUE and state.phase != Phase.OVER:
        faults = Fault.NOT_THROWN_IN
        state.due_thrown_in = early_end.PASSED_OVER
    if state.phase == Phase.PLAY:
        return faults | play.apply_in_play(state, rules, action)
    if state.phase >= Phase.DOUBLE:
        faults |= go_on_to(state, rules, action)
    return faults | apply_in_phase(state, rules, action)


def apply_in_phase(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out ``action`` in the phase the hand is in."""
    phase = state.phase
    if action.verb == Verb.OUT and state.trump >= 0 and phase < Phase.PLAY:
        return play.out_faults(state, rules, action)
    if phase == Phase.AUCTION or (state.step == 1 and auction.goes_on(state, rules, action)):
        return apply_call(state, rules, action)
    if phase == Phase.DOUBLE:
        return apply_stake(state, rules, action)
    if phase in (Phase.SOLO, Phase.PLAY):
        return play.apply_in_play(state, rules, action)
    if phase == Phase.OVER:
        return apply_at_the_end(state, rules, action)
    if phase == Phase.TRUMP and action.verb == Verb.TRUMP:
        return apply_trump(state, rules, action)
    if phase == Phase.KITTY and action.verb == Verb.KITTY:
        faults = auction.take_kitty(state, rules, action)
        if not faults & FATAL:
            enter(state, rules)
        return faults
    if Phase.FOLD <= phase <= Phase.SHOW:
        return apply_exchange(state, rules, action)
    return Fault.NOT_NOW


def go_on_to(state: State, rules: Rules, action: AnyAction) -> int:
    """Leave the phases in which nobody acts any more before ``action``; return the fault of it."""
    faults = 0
    if state.phase == Phase.DOUBLE and not scoring.CALLS >> action.verb & 1:
        enter(state, rules)
    while is_left(state, rules, action):
        robs = state.phase == Phase.ROB and state.pending >> state.dealer & 1 == 1
        if robs and stock.must_rob(state, rules, state.dealer):
            faults |= Fault.NOT_ROBBED
        enter(state, rules)
    goes_on = not SAID_BEFORE_PLAY >> action.verb & 1 and not scoring.has_to_name(state)
    if state.phase == Phase.SOLO and goes_on:
        enter(state, rules)
    return faults


def throw_in_now(state: State) -> None:
    """Nobody scores, and the next player deals (S02)."""
    state.thrown_in = 1
    table.end(state)


def apply_call(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out a call."""
    if action.verb == Verb.TENNY:
        return play.apply_tenny(state, rules, action)
    if not auction.CALLS >> action.verb & 1:
        return Fault.NOT_NOW
    if auction.answers_low_call(state, rules, action):
        auction.let_low_call_stand(state, rules)
    faults = auction.call_faults(state, rules, action)
    if faults & NOT_CALLED:
        return faults
    auction.do_call(state, rules, action)
    # A bid that went over none may have ended the auction, until it was answered or corrected.
    state.step = 0
    state.phase = rules.phases[0]
    if auction.auction_over(state, rules):
        if state.maker < 0 and auction.throws_in(rules):
            throw_in_now(state)
            return faults
        if state.maker < 0:
            # Nobody has bid: the dealer has no number to reach (O20, C07).
            state.maker = state.dealer
            state.no_contract = 1
        enter(state, rules)
    return faults


def apply_trump(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out the naming of trumps."""
    faults = auction.trump_faults(state, rules, action)
    if not faults & FATAL:
        auction.settle_low_call(state, action.seat)
    if auction.is_unfit(state, rules, action.amount):
        faults |= Fault.BID_NOT_ALLOWED
    elif auction.is_uncertain(state, action.amount):
        state.doubt = 1
    if not faults & FATAL:
        auction.do_name(state, action.amount)
        enter(state, rules)
    return faults


def apply_stake(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out what is said about the stake; when nobody can go on, neither does the phase."""
    faults = scoring.stake_faults(state, rules, action)
    if faults & FATAL:
        return faults
    if state.will_raise > 0:
        state.will_raise -= 1
    goes_on = state.will_raise != 0
    if faults == 0:
        goes_on = scoring.do_stake(state, rules, action)
    if not goes_on:
        enter(state, rules)
    return faults


def apply_at_the_end(state: State, rules: Rules, action: AnyAction) -> int:
    """Nothing can happen after the end, but it may be said who is out, or that all have passed.

    Trumps that the last trick brought out may still be shown (O49). Where three passes throw the
    deal in, the last to speak cannot bid any more, but may have passed (O60).
    """
    if action.verb == Verb.OUT:
        return play.out_faults(state, rules, action)
    if action.verb == Verb.THROW_IN and state.thrown_in:
        return 0
    if action.verb == Verb.PASS and auction.is_passed_out(state, rules):
        late = state.passed >> action.seat & 1
        state.passed |= 1 << action.seat
        return Fault.AFTER_THE_END if late else 0
    if action.verb == Verb.REVEAL and state.show_due:
        return play.apply_show(state, rules, action)
    if rules.early_end != EarlyEnd.NEVER and STOPS >> action.verb & 1 and state.doubt_cards:
        # A player taken to be out may have held a trump, so that there was more to play.
        return 0
    return Fault.AFTER_THE_END


def finish(state: State, rules: Rules) -> bool:
    """Close a record that has ended; return whether the hand came to its end.

    A player who is alone in the hand takes all that is left, so the record may stop there. So it
    may where the deal has to be thrown in, and after the first trick that a lone hand loses.
    """
    if Phase.FOLD <= state.phase <= Phase.SHOW and is_through(state, rules):
        enter(state, rules)
    if state.due_thrown_in == early_end.DUE:
        throw_in_now(state)
    if scoring.is_lost(state, rules):
        table.end(state)
    stands = state.phase == Phase.PLAY and state.played == 0 and state.turn >= 0
    last_one = stands and state.pending == 1 << state.turn and state.unknown[state.turn] == 0
    if last_one and rules.drop_out != DropOut.NEVER:
        play.take_remaining(state, rules)
        table.end_if_played_out(state)
    if state.phase != Phase.OVER:
        return False
    if discard.missing_cards(state, rules):
        state.doubt = 1
    return True


# --- Between auction and play, where a seat may let its turn pass: the record just goes on then


def begin_exchange(state: State, rules: Rules) -> bool:
    """Open the phase the state is in; return whether anybody may do something in it."""
    phase = state.phase
    state.pending = 0
    if phase == Phase.DISCARD and rules.discard != Discard.NOTHING:
        state.pending = discard.discards_due(state, rules)
    if phase == Phase.COME_DOWN:
        state.pending = discard.come_downs_due(state, rules)
    if phase == Phase.ROB and rules.rob != Rob.NOTHING:
        robs = stock.legal_rob(state, rules, state.dealer).most > 0
        state.pending = 1 << state.dealer if robs else 0
    if phase == Phase.SHOW and stock.legal_show(state, rules).most > 0 and rules.surplus_shown:
        state.pending = 1 << state.dealer
    return find_turn(state, rules)


def find_turn(state: State, rules: Rules) -> bool:
    """Find whose turn it is, also of who is shown to fold or to give; return if it is anybody's."""
    phase = state.phase
    if phase == Phase.REFILL:
        state.turn = stock.next_drawer(state, rules) if rules.refill != Refill.NOBODY else -1
        return state.turn >= 0
    if phase == Phase.FOLD and rules.fold != Fold.NEVER:
        state.pending = sum(
            1 << seat for seat in range(rules.seats) if discard.must_fold(state, rules, seat)
        )
        if state.pending == 0:
            shown = state.folds_ahead | state.gifts_ahead
            leaves = sum(
                1 << seat
                for seat in range(rules.seats)
                if state.unknown[seat] == 0 and discard.legal_leave(state, rules, seat).verbs
            )
            state.pending = (leaves | shown) & ~state.declined
    if phase in (Phase.GIVE, Phase.DEALER_GIVE) and rules.surplus == Surplus.TO_PARTNER:
        asked = discard.gives_due(state, rules) | state.gifts_ahead
        if phase == Phase.DEALER_GIVE:
            asked = (asked | state.late_gift << state.dealer) & 1 << state.dealer
        state.pending = asked & ~state.declined
    state.turn = table.next_of(rules, state.pending, state.dealer)
    return state.pending != 0


def is_waited_for(state: State, rules: Rules, seat: int) -> bool:
    """Has the seat to act in this phase before the hand can go on?"""
    phase = state.phase
    if phase == Phase.FOLD:
        return discard.must_fold(state, rules, seat)
    if phase == Phase.GIVE:
        # More point cards than a hand holds, none of which may be laid off (S66, S76).
        points = state.holding[seat] & rules.point_cards[table.named_trump(state)]
        return points.bit_count() > rules.hand_size
    if phase == Phase.DISCARD:
        return discard.must_lay_off(state, rules, seat)
    if phase == Phase.ROB:
        return stock.must_rob(state, rules, seat)
    if phase == Phase.COME_DOWN:
        return discard.legal_come_down(state, rules, seat, 0).least > 0
    if phase == Phase.SHOW:
        return stock.left_to_show(state, rules) != 0
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
    return stock.next_drawer(state, rules) if rules.phases[step] == Phase.REFILL else -1


def legal_exchange(state: State, rules: Rules, seat: int) -> Legal:
    """Return what is due from ``seat`` in this phase, or what it may do; nothing when not asked."""
    phase = state.phase
    asked = state.pending >> seat & 1 == 1
    if phase == Phase.REFILL:
        return stock.legal_draw(state, rules, seat) if seat == state.turn else Legal(0)
    if phase == Phase.DISCARD and not asked:
        early = seat == early_drawer(state, rules)
        return stock.legal_draw(state, rules, seat) if early else Legal(0)
    if phase == Phase.FOLD and discard.must_fold(state, rules, seat):
        return Legal(1 << Verb.FOLD)
    if phase == Phase.FOLD:
        return discard.legal_leave(state, rules, seat)
    if phase in (Phase.GIVE, Phase.DEALER_GIVE):
        return discard.legal_give(state, rules, seat, 0)
    if not asked:
        return Legal(0)
    if phase == Phase.DISCARD and state.fold_due >> seat & 1:
        return Legal(1 << Verb.FOLD)
    if phase == Phase.DISCARD:
        return discard.legal_discard(state, rules, seat, 0)
    if phase == Phase.ROB:
        return stock.legal_rob(state, rules, seat)
    if phase == Phase.COME_DOWN:
        return discard.legal_come_down(state, rules, seat, 0)
    return stock.legal_show(state, rules)


def apply_exchange(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out an action between auction and play, and go on when nobody has more to do."""
    if not belongs_here(state, rules, action):
        return Fault.NOT_NOW
    if DISCARDS >> action.verb & 1:
        faults = apply_discard(state, rules, action)
    elif action.verb == Verb.GIVE:
        faults = apply_give(state, rules, action)
    elif action.verb == Verb.FOLD:
        faults = discard.fold(state, rules, action)
    elif action.verb == Verb.CLAIM:
        faults = stock.claim(state, rules, action)
    elif action.verb == Verb.DRAW:
        faults = stock.draw(state, rules, action)
    elif action.verb == Verb.ROB:
        faults = stock.rob(state, rules, action)
    else:
        faults = stock.show(state, rules, action)
    if not faults & FATAL and not find_turn(state, rules):
        enter(state, rules)
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
    legal = legal_lay_off(state, rules, seat, cards)
    if not legal.verbs:
        faults = discard.extra_faults(state, rules, action)
        if not faults & FATAL:
            discard.do_discard(state, rules, action)
        return faults
    late = state.phase != Phase.DISCARD and state.robs_first == 1 and seat == state.dealer
    faults = lay_off(state, rules, action, legal)
    if late and not faults & FATAL:
        state.robs_first = 2
        faults |= Fault.DISCARD_OUT_OF_TURN
    return faults


def legal_lay_off(state: State, rules: Rules, seat: int, named: int) -> Legal:
    """Return what is due from a seat that lays off cards it has ``named``; nothing if it is not."""
    if state.phase == Phase.DISCARD:
        due = state.pending >> seat & 1 == 1
        return discard.legal_discard(state, rules, seat, named) if due else Legal(0)
    due = discard.comes_down(state, rules, seat)
    return discard.legal_come_down(state, rules, seat, named) if due else Legal(0)


def lay_off(state: State, rules: Rules, action: AnyAction, legal: Legal) -> int:
    """Judge a discard and carry it out."""
    faults = discard.discard_faults(state, rules, action, legal)
    if not faults & FATAL:
        discard.do_discard(state, rules, action)
    return faults


def apply_give(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out a gift to the partner."""
    if table.cannot_hold(state, rules, action.seat, action.cards, action.size):
        return Fault.CARD_NOT_HELD
    if rules.fold != Fold.NEVER:
        faults = discard.leave_faults(state, rules, action)
    else:
        faults = discard.give_faults(state, rules, action)
    if not faults & FATAL:
        discard.do_give(state, rules, action)
        if state.phase == Phase.DISCARD and discard.must_fold(state, rules, action.seat):
            state.fold_due |= 1 << action.seat
            state.pending |= 1 << action.seat
    return faults
