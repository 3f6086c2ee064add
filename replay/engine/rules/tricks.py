"""What may be done during the tricks, and carrying it out.

Sources: 14.ask, 14.pair, 4.drop-out; O41, O46, O48, O49, O52, O84, O87, S88, S90, S95.
"""

from tricklog.core.engine.faults import FATAL, Fault
from tricklog.core.engine.policies import Ask, DropOut, Phase, Solo, TrumpCall
from tricklog.core.engine.records import NO_TRUMPS, Rules, State
from tricklog.core.engine.rules import (
    auction,
    early_end,
    hidden_trump,
    naming,
    pair,
    play,
    scoring,
    solo,
    table,
)
from tricklog.core.engine.rules.table import Legal
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import AnyAction

NOT_PLAYED = FATAL | Fault.PLAYED_WHEN_OUT
"""Faults with which a card is not put to the trick."""
NEEDS_TRUMPS = 1 << Verb.PLAY | 1 << Verb.SHOW | 1 << Verb.REVEAL
"""Verbs that nothing can be said about before the trumps of a single hand are named (O87)."""


def legal_in_play(state: State, rules: Rules, seat: int) -> Legal:
    """Return what ``seat`` may do during the tricks."""
    if hidden_trump.must_show(state, rules, seat):
        return Legal(1 << Verb.REVEAL)
    if solo.has_to_name(state):
        # Who has announced a single hand names its trumps; another may take it over before (O87).
        if seat == state.solo:
            return Legal(1 << Verb.TRUMP, trumps=naming.FOUR_SUITS)
        takes_over = solo.may_solo(state, rules, seat, play.first_leader(state, rules))
        return Legal(1 << Verb.SOLO if takes_over else 0)
    verbs = words_in_play(state, rules, seat)
    if solo.sitting_out(state, rules) >> seat & 1:
        # The partner of one who plays alone may lay the hand open, where that is so (O52, O53).
        if not solo.partner_lies_open(state, rules):
            return Legal(verbs)
        return Legal(
            verbs | 1 << Verb.SHOW, 0, state.holding[seat], 1, table.hand_count(state, seat)
        )
    if seat != state.turn or state.asker >= 0 or hidden_trump.waits_for_show(state):
        return Legal(verbs)
    if hidden_trump.must_ask(state, rules, seat):
        return Legal(1 << Verb.ASK)
    if play.surplus_count(state, rules, seat):
        return play.legal_bury(state, rules, seat)
    cards = play.legal_cards(state, rules, seat)
    return Legal(verbs | 1 << Verb.PLAY, 0, cards, 1, 1)


def words_in_play(state: State, rules: Rules, seat: int) -> int:
    """Return what a seat may say during the tricks without playing a card, bits of ``Verb``."""
    verbs = early_end.stop_verbs(state, rules, seat)
    if pair.holds_pair_now(state, rules, seat):
        verbs |= 1 << Verb.PAIR
    if rules.trump_call == TrumpCall.SECRET:
        verbs |= 1 << Verb.ASK if hidden_trump.may_ask(state, rules, seat) else 0
        verbs |= 1 << Verb.REVEAL if hidden_trump.may_show(state, rules, seat) else 0
    if solo.may_solo(state, rules, seat, play.first_leader(state, rules)):
        verbs |= 1 << Verb.SOLO
    if state.tenny and solo.may_tenny(state, rules, seat):
        verbs |= 1 << Verb.TENNY
    return verbs


def apply_in_play(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out an action during the tricks."""
    verb = action.verb
    if solo.has_to_name(state) and NEEDS_TRUMPS >> verb & 1:
        return Fault.TRUMP_NOT_RECORDED
    if state.show_due and hidden_trump.waits_for_show(state) and verb != Verb.REVEAL:
        return Fault.TRUMP_NOT_RECORDED
    if verb == Verb.PLAY:
        return apply_play(state, rules, action)
    if verb == Verb.BURY:
        faults = play.bury_faults(state, rules, action)
        if not faults & FATAL:
            play.do_bury(state, rules, action)
        return faults
    if verb == Verb.OUT:
        return out_faults(state, rules, action)
    if verb == Verb.ASK:
        faults = hidden_trump.ask_faults(state, rules, action)
        if not faults & FATAL:
            # The maker is to show.
            state.asker = state.asker if state.revealed else action.seat
        return faults
    if verb == Verb.REVEAL:
        return apply_show(state, rules, action)
    if verb == Verb.PAIR:
        return apply_pair(state, rules, action)
    return apply_contract(state, rules, action)


def apply_contract(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out what is said during the tricks about the contract itself."""
    verb = action.verb
    if verb == Verb.SOLO:
        return apply_solo(state, rules, action)
    if verb == Verb.TENNY:
        return apply_tenny(state, rules, action)
    if verb == Verb.TRUMP:
        faults = solo.trump_faults(state, action)
        if not faults & FATAL:
            solo.name_trump(state, action.amount)
        return faults
    if scoring.RAISES >> verb & 1:
        return scoring.stake_faults(state, rules, action)
    if verb == Verb.SHOW:
        return apply_partner_shown(state, rules, action)
    if verb in (Verb.DECIDED, Verb.CONCEDE):
        faults = early_end.stop_faults(state, rules, action)
        if not faults & FATAL:
            early_end.do_stop(state, rules)
            table.end(state)
        return faults
    return Fault.NOT_NOW


def apply_solo(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out the announcement of a hand alone: its player leads (O46, S90)."""
    leader = play.first_leader(state, rules)
    allowed = solo.may_solo(state, rules, action.seat, leader)
    faults = 0 if allowed else Fault.NOT_NOW if rules.solo == Solo.NONE else Fault.SOLO_NOT_ALLOWED
    first = solo.comes_first(state, rules, action.seat, leader, rules.step)
    takes_it = state.phase == Phase.SOLO and first
    if not faults & FATAL and takes_it:
        solo.undertake(state, action.seat, solo.trump_at_first(rules))
        play.start_play(state, rules, action.seat)
    return faults


def apply_partner_shown(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out the laying open of a hand whose partner plays alone: the cards are known now."""
    seat = action.seat
    sits_out = solo.sitting_out(state, rules) >> seat & 1
    if not sits_out or not solo.partner_lies_open(state, rules):
        return Fault.NOT_NOW
    if table.cannot_hold(state, rules, seat, action.cards, action.size):
        return Fault.CARD_NOT_HELD
    table.pick_up(state, seat, action.cards, 0)
    return 0


def apply_show(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out the showing of the trump; a trick that waited for it is over (O49)."""
    faults = hidden_trump.show_faults(state, rules, action)
    if not faults & FATAL:
        waited = hidden_trump.waits_for_show(state)
        hidden_trump.do_show(state, rules, action)
        if waited:
            play.finish_trick(state, rules)
            table.end_if_played_out(state)
    return faults


def apply_pair(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out the declaration of king and queen: it proves that trumps are known (O49)."""
    # A trick before, with cards not named, has perhaps brought the trump to light.
    hidden = not state.revealed and not hidden_trump.waits_for_show(state)
    if state.perhaps_shown > 0 and hidden:
        if state.trump < 0:
            return Fault.TRUMP_NOT_RECORDED
        hidden_trump.come_to_light(state, rules, state.perhaps_shown)
    faults = pair.pair_faults(state, rules, action)
    if faults == 0:
        # It changes the contract, and shows both cards.
        state.pair_side = table.side_of(rules, action.seat)
        table.pick_up(state, action.seat, rules.pair_cards[table.live_trump(state, rules)], 0)
    return faults


def apply_play(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out a card played."""
    seat, card, named = action.seat, action.card, action.cards
    from_pile = seat == state.maker and hidden_trump.is_seventh(state, rules, seat, named)
    before = show_by_playing(state, rules, seat, card) if from_pile else 0
    if card < 0:
        state.hidden_plays[seat] -= 1
        # A card not named is open, unless just one is left that is not played later.
        others = state.holding[seat] & ~state.will_play[seat]
        named = others if state.unknown[seat] == 0 and others.bit_count() == 1 else 0
        card = named.bit_length() - 1 if named else card
    faults = play.play_faults(state, rules, seat, named)
    if faults:
        if faults & NOT_PLAYED:
            return faults
        if from_pile:
            faults &= ~Fault.REVOKE
    if rules.trump_call == TrumpCall.SECRET and (state.asker >= 0 or not state.revealed):
        faults |= show_missed(state, rules, seat, named)
    state.show_due = 0
    play.do_play(state, rules, seat, card, named)
    if state.pending:
        auction.pass_turn(state, rules, seat, state.pending, rules.step)
    else:
        close_trick(state, rules)
    return before | faults


def show_missed(state: State, rules: Rules, seat: int, cards: int) -> int:
    """Return the fault of playing on where the trump had to be asked for or shown, once a hand.

    Asked for is as good as shown, and a record that leaves out the asking again leaves it out
    altogether: the play goes on with the trump that it knows.
    """
    missed = hidden_trump.hidden_faults(state, rules, seat, cards)
    if hidden_trump.leaves_open(state, rules, seat, cards):
        state.doubt = 1
    asked = state.asker >= 0 and hidden_trump.show_is_due(state, rules)
    known_to_all = asked or (missed != 0 and state.unasked == 1)
    if known_to_all and state.trump >= 0:
        hidden_trump.come_to_light(state, rules, state.trick)
        state.shown_for = seat
    found = missed if not state.unasked else 0
    state.unasked |= 1 if missed else 0
    state.asker = -1
    return found


def show_by_playing(state: State, rules: Rules, seat: int, card: int) -> int:
    """The seventh card is played: that shows it. Before the last trick it may not be (O41, S88)."""
    last = hidden_trump.is_all_that_is_left(state, seat)
    if state.trump < 0 and card >= 0:
        naming.set_trump(state, rules.suit[NO_TRUMPS][card])
    hidden_trump.come_to_light(state, rules, state.trick)
    return 0 if last else Fault.SEVENTH_CARD_HIDDEN


def close_trick(state: State, rules: Rules) -> None:
    """The last card of a trick has been played: give it to its winner, now or when trumps show."""
    if rules.ask == Ask.END_OF_TRICK and hidden_trump.show_at_the_end(state, rules):
        return
    play.finish_trick(state, rules)
    if state.pending == 0:
        table.end(state)


def apply_tenny(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out a tenny: no more cards are dealt, and its caller leads (O52, S95)."""
    faults = solo.tenny_faults(state, rules, action)
    if faults & (FATAL | Fault.SOLO_NOT_ALLOWED):
        return faults
    solo.undertake(state, action.seat, NO_TRUMPS)
    state.tenny = 1
    while rules.phases[state.step] != Phase.PLAY:
        state.step += 1
    state.phase = Phase.PLAY
    play.start_play(state, rules, action.seat)
    table.end_if_played_out(state)
    return faults


def out_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with saying "I'm up": it follows from the cards, and changes nothing."""
    if rules.drop_out == DropOut.NEVER:
        return Fault.NOT_NOW
    if rules.drop_out == DropOut.WHEN_TRUMP_LED:
        stays = state.phase < Phase.PLAY or state.active >> action.seat & 1 == 1
    elif state.phase < Phase.PLAY:
        stays = state.holding[action.seat] & rules.trump_cards[table.named_trump(state)] != 0
    else:
        # Who has played the last trump is out from then on, though the trick goes on.
        stays = state.active >> action.seat & 1 == 1
        stays = stays and not play.has_no_trump(state, rules, action.seat)
    return Fault.OUT_WITH_TRUMPS if stays else 0
