"""The state machine of a hand: ``start``, ``legal``, ``apply``, ``finish``.

One engine for every system: which phases there are and what each of them allows is data in
``Rules``. ``apply`` judges an action and, unless a fault is fatal, carries it out as recorded, so
that the state follows the table and not the rule book.
"""

from __future__ import annotations

from replay import exchanging
from replay.faults import FATAL, Fault
from replay.policies import AllPass, DropOut, FirstLeader, OddCard, Phase
from replay.records import Rules, State
from replay.rules import auction, discard, draw, exchange, hidden, play
from replay.rules.table import Legal, cards_of, named_trump, next_seat, only
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
        if Phase.FOLD <= state.phase <= Phase.SHOW:
            exchanging.close_exchange(state, rules)
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
        return exchanging.begin_exchange(state, rules)
    if phase == Phase.PLAY:
        discard.count_discards(state, rules)
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
    if Phase.FOLD <= phase <= Phase.SHOW:
        return exchanging.legal_exchange(state, rules, seat)
    if phase == Phase.PLAY:
        return legal_in_play(state, rules, seat)
    if seat != state.turn:
        return only(0)
    if phase == Phase.TRUMP:
        return auction.legal_trump(state)
    if phase == Phase.KITTY:
        return exchange.legal_kitty(state)
    return only(0)


def legal_aside(state: State, rules: Rules, seat: int) -> Legal:
    """Return what else ``seat`` may do, besides what ``legal`` says and out of any turn."""
    return exchanging.legal_aside(state, rules, seat)


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


def may_pass_over(state: State, rules: Rules) -> bool:
    """May the seat to act let this turn pass, so that the hand goes on without a word?"""
    return exchanging.may_pass_over(state, rules)


def pass_over(state: State, rules: Rules) -> None:
    """Let the turn of the seat to act pass. A record says so only by going on."""
    if not exchanging.pass_over(state, rules):
        enter(state, rules)


def apply(state: State, rules: Rules, action: Action) -> int:
    """Carry out ``action`` as recorded and return its faults, bits of ``Fault``.

    With a fatal fault (``FATAL``) nothing is carried out. A phase in which nobody is waited for is
    left for an action of a later one.
    """
    if action.seat >= rules.seats:
        return Fault.NO_SUCH_SEAT | 0
    go_on_to(state, rules, action)
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
    if Phase.FOLD <= phase <= Phase.SHOW:
        return apply_exchange(state, rules, action)
    return Fault.NOT_NOW | 0


def go_on_to(state: State, rules: Rules, action: Action) -> None:
    """Leave the phases that the record leaves with ``action``, because nobody is waited for."""
    while exchanging.is_left(state, rules, action):
        enter(state, rules)


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
    """Carry out an action between auction and play, and go on when nobody has more to do."""
    faults = exchanging.apply_exchange(state, rules, action)
    if not faults & FATAL and not exchanging.goes_on(state, rules):
        enter(state, rules)
    return faults


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
    if Phase.FOLD <= state.phase <= Phase.SHOW and exchanging.is_through(state, rules):
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
    if discard.missing_cards(state, rules):
        state.doubt = 1
    return True
