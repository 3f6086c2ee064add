"""The state machine of a hand: ``start``, ``legal``, ``apply``, ``finish``.

One engine for every system: which phases there are and what each of them allows is data in
``Rules``. ``apply`` judges an action and, unless a fault is fatal, carries it out as recorded, so
that the state follows the table and not the rule book.
"""

from tricklog.core.engine import exchange
from tricklog.core.engine.faults import FATAL, Fault
from tricklog.core.engine.policies import DropOut, EarlyEnd, OddCard, Phase, Solo, Surplus
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules import (
    auction,
    discard,
    draw,
    give,
    hidden_trump,
    naming,
    play,
    rob,
    scoring,
    solo,
    throw_in,
    tricks,
)
from tricklog.core.engine.rules.table import Legal, end, end_if_played_out
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import AnyAction

NOT_CALLED = FATAL | Fault.PASS_AFTER_PASS
"""Faults with which a call is not entered."""
SAID_BEFORE_PLAY = 1 << Verb.SOLO | 1 << Verb.TRUMP | scoring.RAISES
"""Verbs of the phase in which a single hand may be announced, and of the stake before it."""
STOPS = 1 << Verb.DECIDED | 1 << Verb.CONCEDE


def start(state: State, rules: Rules) -> None:
    """Begin the hand whose cards ``state`` holds: the first phase, the first caller."""
    state.step = 0
    state.phase = rules.phases[0]
    state.turn = auction.first_caller(state, rules)
    state.due_thrown_in = throw_in.at_the_start(state, rules)


def enter(state: State, rules: Rules) -> None:
    """Go on to the next phase in which somebody has something to do."""
    begun = False
    while not begun:
        if Phase.FOLD <= state.phase <= Phase.SHOW:
            if state.phase == Phase.FOLD:
                give.close_folding(state, rules)
            state.pending, state.declined = 0, 0
        state.step += 1
        state.phase = rules.phases[state.step]
        state.owed = 0
        begun = begin(state, rules)


def begin(state: State, rules: Rules) -> bool:
    """Open the phase the state is in; return whether there is anything to be done in it."""
    phase = state.phase
    if phase == Phase.DEAL_REST:
        deal_rest(state, rules)
        return False
    if Phase.FOLD <= phase <= Phase.SHOW:
        return exchange.begin_exchange(state, rules)
    if phase == Phase.DOUBLE:
        return scoring.open_stake(state, rules)
    if phase == Phase.SOLO and rules.solo == Solo.NONE:
        return False
    if phase in (Phase.SOLO, Phase.PLAY):
        open_play(state, rules)
        return True
    # Naming trumps and the kitty are the maker's; after the last phase it is nobody's turn.
    state.turn = state.maker if phase != Phase.OVER else -1
    if phase == Phase.KITTY:
        return rules.kitty_size > 0
    return phase in (Phase.TRUMP, Phase.OVER)


def deal_rest(state: State, rules: Rules) -> None:
    """Deal the later packets; cards left over after them may go to the dealer (S74)."""
    for seat in range(rules.seats):
        state.holding[seat] |= state.reserve[seat]
        state.unknown[seat] += state.reserve_unknown[seat]
        state.reserve[seat] = 0
        state.reserve_unknown[seat] = 0
    left = draw.stock_left(state)
    if rules.odd_card == OddCard.DEALER and left < rules.seats:
        draw.take_from_stock(state, state.dealer, draw.next_cards(state, left), left)
    hidden_trump.lay_seventh(state, rules)


def open_play(state: State, rules: Rules) -> None:
    """Open the first trick, once, also where a hand alone may be announced; it may be thrown in."""
    if state.trick == 0:
        discard.count_discards(state, rules)
        play.start_play(state, rules, play.first_leader(state, rules))
        if state.due_thrown_in != throw_in.PASSED_OVER:
            state.due_thrown_in = throw_in.before_play(state, rules)
    end_if_played_out(state)


def legal(state: State, rules: Rules, seat: int) -> Legal:
    """Return what ``seat`` may do now; nothing when it is not the seat's turn."""
    if state.phase == Phase.OVER:
        return Legal(1 << Verb.REVEAL if state.show_due and seat == state.maker else 0)
    if state.due_thrown_in == throw_in.DUE:
        return Legal(1 << Verb.THROW_IN)
    return legal_in_phase(state, rules, seat)


def legal_in_phase(state: State, rules: Rules, seat: int) -> Legal:
    """Return what ``seat`` may do in the phase the hand is in."""
    phase = state.phase
    if phase == Phase.AUCTION:
        options = auction.legal_call(state, rules, seat) if seat == state.turn else Legal(0)
        tenny = solo.may_tenny(state, rules, seat)
        return options._replace(verbs=options.verbs | 1 << Verb.TENNY) if tenny else options
    if phase == Phase.DOUBLE:
        verb = scoring.next_raise(state, rules)
        waited_for = state.pending >> seat & 1 and verb != scoring.NO_RAISE
        return Legal(1 << verb | 1 << Verb.PASS) if waited_for else Legal(0)
    if Phase.FOLD <= phase <= Phase.SHOW:
        return exchange.legal_exchange(state, rules, seat)
    if phase in (Phase.SOLO, Phase.PLAY):
        return tricks.legal_in_play(state, rules, seat)
    if seat != state.turn or phase not in (Phase.TRUMP, Phase.KITTY):
        return Legal(0)
    return auction.legal_trump(state, rules) if phase == Phase.TRUMP else naming.legal_kitty(state)


def legal_to_call(state: State, rules: Rules, seat: int) -> Legal:
    """Return what ``seat`` may call in turn, or late where others have called ahead of it."""
    if state.due_thrown_in == throw_in.DUE:
        return Legal(0)
    if not state.owed >> seat & 1:
        return legal_in_phase(state, rules, seat)
    options = auction.legal_call(state, rules, seat)
    return options._replace(verbs=options.verbs | 1 << Verb.TENNY) if rules.tenny else options


def legal_aside(state: State, rules: Rules, seat: int) -> Legal:
    """Return what ``seat`` may do out of turn: claim a discard, or give while others lay off."""
    if not Phase.DISCARD <= state.phase <= Phase.ROB:
        return Legal(0)
    claims = draw.legal_claim(state, rules, seat)
    if claims.verbs or state.phase != Phase.DISCARD:
        return claims
    if rules.surplus == Surplus.TO_PARTNER:
        return give.legal_give(state, rules, seat, 0)
    return give.legal_leave(state, rules, seat)


def to_act(state: State) -> int:
    """Return the seat everybody waits for, -1 when the hand is over."""
    says_trump = state.asker >= 0 or state.show_due == 1
    return state.maker if says_trump and state.phase != Phase.OVER else state.turn


def may_pass_over(state: State, rules: Rules) -> bool:
    """May the seat to act let this turn pass, so that the hand goes on without a word?"""
    if not Phase.FOLD <= state.phase <= Phase.SHOW or state.turn < 0:
        return False
    return not exchange.is_waited_for(state, rules, state.turn)


def pass_over(state: State, rules: Rules) -> None:
    """Let the turn of the seat to act pass. A record says so only by going on."""
    state.declined |= 1 << state.turn
    state.pending &= ~(1 << state.turn)
    if not exchange.goes_on(state, rules):
        enter(state, rules)


def apply(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out ``action`` as recorded and return its faults (``tricklog.core.engine.faults``).

    With a fatal fault (``FATAL``) nothing is carried out. A phase in which nobody is waited for is
    left for an action of a later one.
    """
    if action.seat >= rules.seats:
        return Fault.NO_SUCH_SEAT
    if action.verb == Verb.THROW_IN and state.phase != Phase.OVER:
        faults = 0 if state.due_thrown_in else Fault.STOPPED_WITHOUT_CAUSE
        throw_in_now(state)
        return faults
    faults = 0
    if state.due_thrown_in == throw_in.DUE and state.phase != Phase.OVER:
        faults = Fault.NOT_THROWN_IN
        state.due_thrown_in = throw_in.PASSED_OVER
    if state.phase == Phase.PLAY:
        return faults | tricks.apply_in_play(state, rules, action)
    if state.phase >= Phase.DOUBLE:
        faults |= go_on_to(state, rules, action)
    return faults | apply_in_phase(state, rules, action)


def apply_in_phase(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out ``action`` in the phase the hand is in."""
    phase = state.phase
    if action.verb == Verb.OUT and state.trump >= 0 and phase < Phase.PLAY:
        return tricks.out_faults(state, rules, action)
    if phase == Phase.AUCTION or (state.step == 1 and auction.goes_on(state, rules, action)):
        return apply_call(state, rules, action)
    if phase == Phase.DOUBLE:
        return apply_stake(state, rules, action)
    if phase in (Phase.SOLO, Phase.PLAY):
        return tricks.apply_in_play(state, rules, action)
    if phase == Phase.OVER:
        return apply_at_the_end(state, rules, action)
    if phase == Phase.TRUMP and action.verb == Verb.TRUMP:
        return apply_trump(state, rules, action)
    if phase == Phase.KITTY and action.verb == Verb.KITTY:
        faults = naming.kitty_faults(state, rules, action)
        if not faults & FATAL:
            auction.settle_low_call(state, action.seat)
            naming.do_kitty(state, action)
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
    while exchange.is_left(state, rules, action):
        robs = state.phase == Phase.ROB and state.pending >> state.dealer & 1 == 1
        if robs and rob.must_rob(state, rules, state.dealer):
            faults |= Fault.NOT_ROBBED
        enter(state, rules)
    goes_on = not SAID_BEFORE_PLAY >> action.verb & 1 and not solo.has_to_name(state)
    if state.phase == Phase.SOLO and goes_on:
        enter(state, rules)
    return faults


def throw_in_now(state: State) -> None:
    """Nobody scores, and the next player deals (S02)."""
    state.thrown_in = 1
    end(state)


def apply_call(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out a call."""
    if action.verb == Verb.TENNY:
        return tricks.apply_tenny(state, rules, action)
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
    faults = naming.trump_faults(state, rules, action)
    if not faults & FATAL:
        auction.settle_low_call(state, action.seat)
    if auction.is_unfit(state, rules, action.amount):
        faults |= Fault.BID_NOT_ALLOWED
    elif auction.is_uncertain(state, action.amount):
        state.doubt = 1
    if not faults & FATAL:
        naming.do_name(state, action.amount)
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


def apply_exchange(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out an action between auction and play, and go on when nobody has more to do."""
    faults = exchange.apply_exchange(state, rules, action)
    if not faults & FATAL and not exchange.goes_on(state, rules):
        enter(state, rules)
    return faults


def apply_at_the_end(state: State, rules: Rules, action: AnyAction) -> int:
    """Nothing can happen after the end, but it may be said who is out, or that all have passed.

    Trumps that the last trick brought out may still be shown (O49). Where three passes throw the
    deal in, the last to speak cannot bid any more, but may have passed (O60).
    """
    if action.verb == Verb.OUT:
        return tricks.out_faults(state, rules, action)
    if action.verb == Verb.THROW_IN and state.thrown_in:
        return 0
    if action.verb == Verb.PASS and auction.is_passed_out(state, rules):
        late = state.passed >> action.seat & 1
        state.passed |= 1 << action.seat
        return Fault.AFTER_THE_END if late else 0
    if action.verb == Verb.REVEAL and state.show_due:
        return tricks.apply_show(state, rules, action)
    if rules.early_end != EarlyEnd.NEVER and STOPS >> action.verb & 1 and state.doubt_cards:
        # A player taken to be out may have held a trump, so that there was more to play.
        return 0
    return Fault.AFTER_THE_END


def finish(state: State, rules: Rules) -> bool:
    """Close a record that has ended; return whether the hand came to its end.

    A player who is alone in the hand takes all that is left, so the record may stop there. So it
    may where the deal has to be thrown in, and after the first trick that a lone hand loses.
    """
    if Phase.FOLD <= state.phase <= Phase.SHOW and exchange.is_through(state, rules):
        enter(state, rules)
    if state.due_thrown_in == throw_in.DUE:
        throw_in_now(state)
    if solo.is_lost(state, rules):
        end(state)
    stands = state.phase == Phase.PLAY and state.played == 0 and state.turn >= 0
    last_one = stands and state.pending == 1 << state.turn and state.unknown[state.turn] == 0
    if last_one and rules.drop_out != DropOut.NEVER:
        play.take_remaining(state, rules)
        end_if_played_out(state)
    if state.phase != Phase.OVER:
        return False
    if discard.missing_cards(state, rules):
        state.doubt = 1
    return True
