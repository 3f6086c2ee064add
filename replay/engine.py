"""The state machine of a hand: ``start``, ``legal``, ``apply``, ``finish``.

One engine for every system: which phases there are and what each of them allows is data in
``Rules``. ``apply`` judges an action and, unless a fault is fatal, carries it out as recorded, so
that the state follows the table and not the rule book.
"""

from __future__ import annotations

from replay.faults import FATAL, Fault
from replay.policies import (
    AllPass,
    Discard,
    DropOut,
    FirstLeader,
    Phase,
    Refill,
    Rob,
    Surplus,
)
from replay.records import Rules, State
from replay.rules import auction, exchange, hidden, play
from replay.rules.table import (
    Legal,
    cards_of,
    hand_count,
    named_stock,
    named_trump,
    next_of,
    next_seat,
    only,
    out_of_stock,
)
from schemas.actions import Action, Verb


def start(state: State, rules: Rules) -> None:
    """Begin the hand whose cards ``state`` holds: the first phase, the first caller."""
    state.step = 0
    state.phase = rules.phases[0]
    auction.start_auction(state, rules)


def enter(state: State, rules: Rules) -> None:
    """Go on to the next phase in which somebody has something to do."""
    begun = False
    while not begun:
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
        return begin_exchange(state, rules)
    if phase == Phase.PLAY:
        leader = state.maker
        if rules.first_leader == FirstLeader.NEXT_TO_DEALER:
            leader = next_seat(rules, state.dealer)
        play.start_play(state, rules, leader)
        end_if_played_out(state)
        return True
    # Naming trumps and the kitty are the maker's; after the last phase it is nobody's turn.
    state.turn = state.maker if phase != Phase.OVER else -1
    if phase == Phase.KITTY:
        return rules.kitty_size > 0
    return phase == Phase.TRUMP or phase == Phase.OVER  # noqa: PLR1714 - compiled code has no sets


def begin_exchange(state: State, rules: Rules) -> bool:
    """Open a phase in which cards are laid off, given or drawn; return whether any are."""
    phase = state.phase
    if phase == Phase.DISCARD and rules.discard != Discard.NOTHING:
        state.pending = exchange.discards_due(state, rules)
        state.turn = next_of(rules, state.pending, state.dealer)
        return state.pending != 0
    if phase == Phase.REFILL and rules.refill != Refill.NOBODY:
        state.turn = exchange.next_drawer(state, rules)
        return state.turn >= 0
    if phase == Phase.ROB and rules.rob != Rob.NOTHING:
        state.turn = state.dealer
        return exchange.legal_rob(state, rules, state.dealer).most > 0
    if phase == Phase.COME_DOWN and rules.surplus != Surplus.BURY:
        state.turn = state.dealer
        return hand_count(state, state.dealer) > rules.hand_size
    return False


def deal_rest(state: State, rules: Rules) -> None:
    """Deal the later packets."""
    for seat in range(rules.seats):
        state.holding[seat] |= state.reserve[seat]
        state.unknown[seat] += state.reserve_unknown[seat]
        state.reserve[seat] = 0
        state.reserve_unknown[seat] = 0


def end_if_played_out(state: State) -> None:
    """The hand is over when nobody is left to play."""
    if state.pending == 0:
        state.phase = Phase.OVER | 0
        state.turn = -1


def legal(state: State, rules: Rules, seat: int) -> Legal:
    """Return what ``seat`` may do now; nothing when it is not the seat's turn."""
    phase = state.phase
    if phase == Phase.AUCTION:
        return auction.legal_call(state, rules, seat) if seat == state.turn else only(0)
    if phase == Phase.DISCARD:
        if state.pending >> seat & 1:
            return exchange.legal_discard(state, rules, seat, 0)
        return (
            exchange.legal_draw(state, rules, seat)
            if seat == early_drawer(state, rules)
            else only(0)
        )
    if phase == Phase.PLAY:
        return legal_in_play(state, rules, seat)
    if seat != state.turn:
        return only(0)
    if phase == Phase.TRUMP:
        return auction.legal_trump(state)
    if phase == Phase.KITTY:
        return exchange.legal_kitty(state)
    if phase == Phase.REFILL:
        return exchange.legal_draw(state, rules, seat)
    if phase == Phase.ROB:
        return exchange.legal_rob(state, rules, seat)
    if phase == Phase.COME_DOWN:
        return exchange.legal_come_down(state, rules, seat, 0)
    return only(0)


def legal_in_play(state: State, rules: Rules, seat: int) -> Legal:
    """Return what ``seat`` may do during the tricks."""
    if hidden.must_show(state, rules, seat):
        return only(1 << Verb.REVEAL)
    pair = 1 << Verb.PAIR if hidden.holds_pair_now(state, rules, seat) else 0
    if seat == state.turn and state.asker < 0:
        if hidden.must_ask(state, rules, seat):
            return only(1 << Verb.ASK)
        if play.surplus_count(state, rules, seat):
            return play.legal_bury(state, rules, seat)
        cards = play.legal_cards(state, rules, seat)
        return cards_of(1 << Verb.PLAY | pair, 0, cards, 1, 1)
    return only(pair)


def to_act(state: State) -> int:
    """Return the seat everybody waits for, -1 when the hand is over."""
    return state.maker if state.asker >= 0 else state.turn


def may_skip_rob(state: State, rules: Rules) -> bool:
    """Is the dealer to rob, with nothing that he must take?"""
    return state.phase == Phase.ROB and exchange.legal_rob(state, rules, state.dealer).least == 0


def early_drawer(state: State, rules: Rules) -> int:
    """Return the seat that may draw while others have still to lay off, -1 for none."""
    if rules.refill == Refill.NOBODY or rules.phases[state.step + 1] != Phase.REFILL:
        return -1
    return exchange.next_drawer(state, rules)


def apply(state: State, rules: Rules, action: Action) -> int:
    """Carry out ``action`` as recorded and return its faults, bits of ``Fault``.

    With a fatal fault (``FATAL``) the state is left as it was.
    """
    if action.seat >= rules.seats:
        return Fault.NO_SUCH_SEAT | 0
    if action.verb != Verb.ROB and may_skip_rob(state, rules):
        enter(state, rules)
    phase = state.phase
    if action.verb == Verb.OUT and state.trump >= 0 and phase < Phase.PLAY:
        return out_faults(state, rules, action)
    if phase == Phase.AUCTION:
        return apply_call(state, rules, action)
    if phase == Phase.PLAY:
        return apply_in_play(state, rules, action)
    if phase == Phase.OVER:
        return apply_at_the_end(state, rules, action)
    if phase == Phase.TRUMP and action.verb == Verb.TRUMP:
        return apply_trump(state, rules, action)
    if phase == Phase.KITTY and action.verb == Verb.KITTY:
        faults = exchange.kitty_faults(state, rules, action)
        if not faults & FATAL:
            exchange.do_kitty(state, action)
            enter(state, rules)
        return faults
    return apply_exchange(state, rules, action)


def apply_call(state: State, rules: Rules, action: Action) -> int:
    """Carry out a call."""
    if not auction.CALLS >> action.verb & 1:
        return Fault.NOT_NOW | 0
    faults = auction.call_faults(state, rules, action)
    if faults & (FATAL | Fault.PASS_AFTER_PASS):
        return faults
    auction.do_call(state, rules, action)
    if auction.auction_over(state, rules):
        if state.maker < 0 and rules.all_pass == AllPass.THROWN_IN:
            state.thrown_in = 1
            state.phase = Phase.OVER | 0
            state.turn = -1
            return faults
        if state.maker < 0:
            auction.play_without_bid(state)
        enter(state, rules)
    return faults


def apply_trump(state: State, rules: Rules, action: Action) -> int:
    """Carry out the naming of trumps."""
    faults = exchange.trump_faults(state, rules, action)
    if auction.is_unfit(state, action.amount):
        faults |= Fault.BID_NOT_ALLOWED
    elif auction.is_uncertain(state, action.amount):
        state.doubt = 1
    if not faults & FATAL:
        state.trump = action.amount
        enter(state, rules)
    return faults


def apply_exchange(state: State, rules: Rules, action: Action) -> int:
    """Carry out a discard, a draw or the rob."""
    phase = state.phase
    verb = Verb.DISCARD | 0 if action.verb == Verb.DISCARD_UP else action.verb
    discards = phase == Phase.DISCARD and state.pending >> action.seat & 1
    comes_down = phase == Phase.COME_DOWN and action.seat == state.turn
    if verb == Verb.DISCARD and (discards or comes_down):
        faults = exchange.discard_faults(state, rules, action)
        if not faults & FATAL:
            exchange.do_discard(state, rules, action)
            if phase == Phase.DISCARD and state.pending:
                state.turn = next_of(rules, state.pending, state.dealer)
            else:
                enter(state, rules)
        return faults
    draws = phase == Phase.REFILL or early_drawer(state, rules) == action.seat
    if verb == Verb.DRAW and draws:
        faults = exchange.draw_faults(state, rules, action)
        if not faults & FATAL:
            exchange.do_draw(state, rules, action, faults)
            if phase == Phase.REFILL and not begin(state, rules):
                enter(state, rules)
        return faults
    if verb == Verb.ROB and phase == Phase.ROB:
        faults = exchange.rob_faults(state, rules, action)
        if not faults & FATAL:
            exchange.do_rob(state, rules, action, faults)
            enter(state, rules)
        return faults
    return Fault.NOT_NOW | 0


def apply_in_play(state: State, rules: Rules, action: Action) -> int:
    """Carry out an action during the tricks."""
    verb = action.verb
    if verb == Verb.PLAY:
        return apply_play(state, rules, action)
    if verb == Verb.BURY:
        faults = play.bury_faults(state, rules, action)
        if not faults & FATAL:
            play.do_bury(state, rules, action)
        return faults
    if verb == Verb.ASK:
        faults = hidden.ask_faults(state, rules, action)
        if not faults & FATAL:
            hidden.do_ask(state, action)
        return faults
    if verb == Verb.REVEAL:
        faults = hidden.show_faults(state, rules, action)
        if not faults & FATAL:
            hidden.do_show(state, action)
        return faults
    if verb == Verb.PAIR:
        faults = hidden.pair_faults(state, rules, action)
        if faults == 0:
            hidden.do_pair(state, rules, action)
        return faults
    if verb == Verb.OUT:
        return out_faults(state, rules, action)
    return Fault.NOT_NOW | 0


def apply_play(state: State, rules: Rules, action: Action) -> int:
    """Carry out a card played."""
    if action.card < 0:
        state.hidden_plays[action.seat] -= 1
        action = play.settled(state, action)
    faults = play.play_faults(state, rules, action)
    if faults & (FATAL | Fault.PLAYED_WHEN_OUT):
        return faults
    missed = hidden.hidden_faults(state, rules, action)
    if hidden.show_is_due(state, rules) or (missed and state.unasked):
        # Asked for is as good as shown, and a record that leaves out the asking again leaves it
        # out altogether: the play goes on with the trump that it knows.
        state.revealed = 1 if state.trump >= 0 else 0
    if not state.unasked:
        faults |= missed
    state.unasked |= 1 if missed else 0
    state.asker = -1
    play.do_play(state, rules, action)
    if state.pending:
        auction.pass_turn(state, rules, action.seat, state.pending)
    else:
        play.finish_trick(state, rules)
        end_if_played_out(state)
    return faults


def apply_at_the_end(state: State, rules: Rules, action: Action) -> int:
    """Nothing can happen after the end, but it may be said who is out, or that all have passed."""
    if action.verb == Verb.OUT:
        return out_faults(state, rules, action)
    if action.verb == Verb.THROW_IN and state.thrown_in:
        return 0
    return Fault.AFTER_THE_END | 0


def out_faults(state: State, rules: Rules, action: Action) -> int:
    """What is wrong with saying "I'm up": it follows from the cards, and changes nothing."""
    if rules.drop_out != DropOut.WITHOUT_TRUMPS:
        return Fault.NOT_NOW | 0
    trumps = state.holding[action.seat] & rules.trump_cards[named_trump(state)]
    stays = trumps != 0 if state.phase < Phase.PLAY else state.active >> action.seat & 1 == 1
    return Fault.OUT_WITH_TRUMPS | 0 if stays else 0


def finish(state: State, rules: Rules) -> bool:
    """Close a record that has ended; return whether the hand came to its end.

    A player who is alone in the hand takes all that is left, so the record may stop there.
    """
    if may_skip_rob(state, rules):
        enter(state, rules)
    alone = state.pending == 1 << state.turn if state.turn >= 0 else False
    if (
        state.phase == Phase.PLAY
        and rules.drop_out == DropOut.WITHOUT_TRUMPS
        and state.played == 0
        and alone
        and state.unknown[state.turn] == 0
    ):
        play.take_remaining(state, rules)
        end_if_played_out(state)
    if state.phase != Phase.OVER:
        return False
    open_cards = state.doubt_cards
    if lays_off(rules):
        # Where plain cards are laid off, a trump never seen may have been laid off with them.
        open_cards |= rules.trump_cards[named_trump(state)]
    open_cards &= ~state.seen
    if open_cards and open_cards & ~out_of_stock(state, rules) & ~named_stock(state):
        state.doubt = 1
    return True


def lays_off(rules: Rules) -> bool:
    """Are cards laid off before play in this game?"""
    return rules.discard != Discard.NOTHING
