"""The play: what may be led, what must be followed, surplus, dropping out, who wins a trick.

Sources: 1.lead, 1.follow, 1.surplus, 1.trick, 4.follow, 4.drop-out, 8.surplus, 8.follow, 8.trick,
8.drop-out, 9.lead, 9.follow, 9.trick, 14.ask, 14.lead, 14.pair; S13, S33, S34, S44, S49, S54 to
S56, S60, S62, S88, S90, S95; O41, O46, O48, O49, O52, O71, O82 to O84, O86, O87.
"""

from tricklog.core.engine import policies
from tricklog.core.engine.faults import FATAL, Fault
from tricklog.core.engine.records import NO_TRUMPS, NOT_PLAYED, Rules, State, highest_first
from tricklog.core.engine.rules import auction, early_end, hidden_trump, scoring, stock, table
from tricklog.core.engine.rules.table import Legal
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import AnyAction

NOT_PUT = FATAL | Fault.PLAYED_WHEN_OUT
"""Faults with which a card is not put to the trick."""
NEEDS_TRUMPS = 1 << Verb.PLAY | 1 << Verb.SHOW | 1 << Verb.REVEAL
"""Verbs that nothing can be said about before the trumps of a single hand are named (O87)."""


def first_leader(state: State, rules: Rules) -> int:
    """Return who leads to the first trick, unless somebody plays alone."""
    if rules.first_leader == policies.FirstLeader.DEALER:
        return state.dealer
    if rules.first_leader == policies.FirstLeader.NEXT_TO_DEALER:
        return table.next_seat(rules, state.dealer)
    return state.maker


def start_play(state: State, rules: Rules, leader: int) -> None:
    """Open the first trick."""
    if any(state.unknown[seat] for seat in range(rules.seats)):
        prove_hands(state, rules)
    for seat in range(rules.seats):
        state.at_play[seat] = state.holding[seat]
    scoring.settle_low(state, rules)
    scoring.name_high_and_low(state, rules)
    state.active = table.all_seats(rules) & ~(state.folded | scoring.sitting_out(state, rules))
    start_trick(state, rules, leader)


def prove_hands(state: State, rules: Rules) -> None:
    """What only one seat is shown to play later, it holds now."""
    elsewhere, shown = table.known_elsewhere(state, rules), 0
    for seat in range(rules.seats):
        elsewhere |= shown & state.will_play[seat]
        shown |= state.will_play[seat]
    for seat in range(rules.seats):
        proved = state.will_play[seat] & rules.pack & ~elsewhere
        if state.seventh_unknown and seat == state.maker:
            # A card of the suit shown may have lain under the pile.
            shown_suit = state.will_show
            proved &= ~rules.suit_cards[NO_TRUMPS][shown_suit] if 0 <= shown_suit < 4 else 0
        if proved.bit_count() <= state.unknown[seat]:
            state.holding[seat] |= proved
            state.unknown[seat] -= proved.bit_count()


def start_trick(state: State, rules: Rules, leader: int) -> None:
    """Drop out who must, and give the lead to ``leader`` or the next seat still in (S33, S56).

    Seats without cards sit the trick out (S13). There are no more tricks than a hand has cards
    (S56), whatever is left over after a fault. With nobody left the turn is nobody's.
    """
    if rules.drop_out == policies.DropOut.WITHOUT_TRUMPS:
        for seat in range(rules.seats):
            if state.active >> seat & 1 and has_no_trump(state, rules, seat):
                drop_out(state, rules, seat)
    pending = sum(
        1 << seat
        for seat in range(rules.seats)
        if table.hand_count(state, seat) or hidden_trump.is_all_that_is_left(state, seat)
    )
    state.pending = pending & state.active if state.trick < rules.hand_size else 0
    state.owed = 0
    state.played = 0
    state.must_trump = -1
    state.trick += 1
    state.turn = leader
    if not state.pending >> leader & 1:
        state.turn = table.next_of(rules, state.pending, leader)
    state.leader = state.turn


def leave_trump_lead(state: State, rules: Rules) -> None:
    """Drop out who has no trump for the trump, or the card not named, that was led (O84)."""
    trumps = rules.trump_cards[table.named_trump(state)]
    if state.led_card >= 0 and not trumps >> state.led_card & 1:
        return
    for seat in range(rules.seats):
        stays = state.led_card < 0 and plays_on(state, seat)
        if state.pending >> seat & 1 and not stays and has_no_trump(state, rules, seat):
            drop_out(state, rules, seat)
            state.pending &= ~(1 << seat)


def plays_on(state: State, seat: int) -> bool:
    """Does the record show the seat playing a card later?"""
    return state.hidden_plays[seat] > 0 or state.will_play[seat] & state.holding[seat] != 0


def has_no_trump(state: State, rules: Rules, seat: int) -> bool:
    """Has the seat no trump left, as far as cards not named and what it plays later tell?"""
    trumps = rules.trump_cards[table.named_trump(state)]
    if state.holding[seat] & trumps:
        return False
    may_hold = state.unknown[seat] > 0 and plays_on(state, seat)
    return not may_hold or trumps & ~table.known_elsewhere(state, rules) == 0


def drop_out(state: State, rules: Rules, seat: int) -> None:
    """The seat throws its cards in; were some of them unknown, one may have been a trump."""
    state.active &= ~(1 << seat)
    state.discarded[seat] |= state.holding[seat]
    state.discarded_unknown[seat] += state.unknown[seat]
    if state.unknown[seat]:
        state.doubt_cards |= rules.trump_cards[table.named_trump(state)]
    state.holding[seat] = 0
    state.unknown[seat] = 0


def buries_surplus(rules: Rules) -> bool:
    """Do surplus trumps, all or those that could not be laid off, go to the first trick (S60)?"""
    return rules.surplus in (policies.Surplus.BURY, policies.Surplus.DISCARD_THEN_BURY)


def surplus_count(state: State, rules: Rules, seat: int) -> int:
    """Return how many trumps the seat must still put under its card to the first trick."""
    if state.trick != 1 or state.buriers >> seat & 1 or not buries_surplus(rules):
        return 0
    plain = state.holding[seat] & ~rules.trump_cards[table.named_trump(state)]
    return max(0, table.hand_count(state, seat) - plain.bit_count() - rules.hand_size)


def surplus_limits(state: State, rules: Rules, seat: int) -> int:
    """Return the point cards that the surplus may hold few of; not the two, with all in hand."""
    trump = table.named_trump(state)
    points = rules.point_cards[trump]
    low = rules.low_card[trump]
    if rules.surplus_points != policies.SurplusPoints.ONE or low < 0:
        return points
    every = table.may_hold_all(state, rules, seat, points & ~state.at_play[seat])
    return points & ~(1 << low) if every else points


def surplus_allowance(state: State, rules: Rules, seat: int) -> int:
    """Return how many of the limited point cards the surplus may still take, or has to."""
    limited = surplus_limits(state, rules, seat)
    open_limited = limited & ~table.known_elsewhere(state, rules)
    others = (state.holding[seat] & ~limited).bit_count()
    others += max(0, state.unknown[seat] - open_limited.bit_count())
    lacking = surplus_count(state, rules, seat) - others
    allowed = 1 if rules.surplus_points == policies.SurplusPoints.ONE else 0
    return max(0, lacking, allowed - (state.buried[seat] & limited).bit_count())


def legal_bury(state: State, rules: Rules, seat: int) -> Legal:
    """Bury exactly what is over the hand size, or plain cards too, within the limit on points."""
    count = surplus_count(state, rules, seat)
    most = table.hand_count(state, seat) - rules.hand_size if state.trick == 1 else 0
    limited = surplus_limits(state, rules, seat)
    allowance = surplus_allowance(state, rules, seat)
    may = state.holding[seat] if allowance else state.holding[seat] & ~limited
    most = max(count, most)
    return Legal(1 << Verb.BURY, 0, may, count, most, limited, limit=allowance)


def bury_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with burying."""
    seat = action.seat
    more_than_all = action.size >= table.hand_count(state, seat)
    if more_than_all or table.cannot_hold(state, rules, seat, action.cards, action.size):
        return Fault.CARD_NOT_HELD
    if not state.pending >> seat & 1:
        return Fault.NOT_NOW
    legal = legal_bury(state, rules, seat)
    if legal.most == 0 or not buries_surplus(rules) or state.buriers >> seat & 1:
        return Fault.BURY_COUNT
    if (action.cards & legal.limited).bit_count() > legal.limit:
        return Fault.BURIED_POINTS
    least = 1 if state.buries_ahead[seat] > 1 else legal.least
    return 0 if least <= action.size <= legal.most else Fault.BURY_COUNT


def do_bury(state: State, rules: Rules, action: AnyAction) -> None:
    """Put the cards under the seat's card to the first trick, at once or one after the other."""
    seat = action.seat
    limited = surplus_limits(state, rules, seat)
    if state.unknown[seat] and action.cards & limited:
        # A trump without points in the same hand would have had to go first.
        state.doubt_cards |= rules.trump_cards[table.named_trump(state)] & ~limited
    cards = table.lay_down(state, rules, seat, action.cards, action.size)
    if cards.bit_count() < action.size:
        # Any trump that never shows may be one of these, points and all, and win where it may.
        state.doubt_cards |= rules.trump_cards[table.named_trump(state)]
        state.unsure |= rules.buried_wins
        state.doubt |= rules.buried_wins
    state.buried[seat] |= cards
    state.buries_ahead[seat] -= 1
    if state.buries_ahead[seat] <= 0:
        state.buriers |= 1 << seat
    state.seen |= cards


def surplus_room(state: State, rules: Rules, seat: int, cards: int) -> int:
    """Return ``cards`` within the surplus limit, if the one on top counts (8.surplus, S54)."""
    if (
        state.trick != 1
        or not state.buried[seat]
        or rules.surplus_points != policies.SurplusPoints.ONE
    ):
        return cards
    if surplus_allowance(state, rules, seat) > 0:
        return cards
    return without_limited(cards, surplus_limits(state, rules, seat))


def without_limited(cards: int, limited: int) -> int:
    """Return the cards that may lie on a surplus full of points; any, if there is no other."""
    return cards & ~limited or cards


def playable(state: State, rules: Rules, seat: int, held: int) -> int:
    """Return which of the cards ``held`` by a seat it may play now, but for surplus."""
    trump = table.live_trump(state, rules)
    trumps = held & rules.trump_cards[trump]
    if state.played == 0:
        return leadable(state, rules, held, trumps)
    if rules.plain_follow == policies.PlainFollow.TRUMPS_ONLY:
        return trumps
    if state.led_card < 0:
        return held
    if rules.trump_cards[trump] >> state.led_card & 1:
        # Leading the off five is leading trumps (1.trumps).
        return trumps or held
    if rules.plain_follow == policies.PlainFollow.ANY_PLAIN:
        return held & ~trumps or held
    suited = held & rules.suit_cards[trump][state.led_suit]
    if suited == 0:
        return trumps if trumps and void_must_trump(state, rules, seat) else held
    if rules.plain_follow == policies.PlainFollow.FOLLOW_OR_TRUMP:
        return suited | trumps
    return held if rules.plain_follow == policies.PlainFollow.ANY else suited


def void_must_trump(state: State, rules: Rules, seat: int) -> bool:
    """Must who lacks the suit play a trump (O16), also who had it shown this turn (O71)?"""
    if rules.plain_void == policies.PlainVoid.MUST_TRUMP_ONCE_KNOWN:
        return state.shown_for != seat or state.reveal_trick != state.trick
    return rules.plain_void == policies.PlainVoid.MUST_TRUMP


def leadable(state: State, rules: Rules, held: int, trumps: int) -> int:
    """Return what may be led: any card, or a trump where only trumps are played or led first."""
    if rules.plain_follow == policies.PlainFollow.TRUMPS_ONLY:
        return trumps
    if trumps and state.trick == 1 and rules.first_lead != policies.FirstLead.ANY:
        return trumps
    return held


def legal_cards(state: State, rules: Rules, seat: int) -> int:
    """Return the cards a seat may play now, the limit on surplus point cards included."""
    cards = playable(state, rules, seat, hidden_trump.cards_to_play(state, seat))
    cards = hidden_trump.owed_trumps(state, rules, seat, cards)
    return surplus_room(state, rules, seat, cards)


def play_faults(state: State, rules: Rules, seat: int, card: int) -> int:
    """What is wrong with playing ``card``, a set of one or none; but for hidden trumps."""
    if not state.pending >> seat & 1:
        return fault_of_no_turn(state, seat, card)
    held = state.holding[seat]
    if not card & held and table.cannot_hold(state, rules, seat, card, 1):
        return Fault.CARD_NOT_HELD
    faults = 0
    if state.trick == 1 or state.fold_due or rules.surplus_shown:
        faults = left_undone(state, rules, seat)
    if seat != state.turn and not state.owed >> seat & 1:
        if state.played:
            faults |= Fault.PLAYED_OUT_OF_TURN
        elif not state.unsure:
            faults |= Fault.WRONG_LEADER
    if card == 0:
        return faults
    cards = playable(state, rules, seat, held | card)
    if not card & cards:
        return faults | (Fault.PLAIN_LEAD if state.played == 0 else Fault.REVOKE)
    if state.must_trump == seat and not card & hidden_trump.owed_trumps(state, rules, seat, cards):
        return faults | Fault.NOT_TRUMPED
    if state.buried[seat] and not card & surplus_room(state, rules, seat, cards):
        return faults | Fault.BURIED_POINTS
    return faults


def fault_of_no_turn(state: State, seat: int, card: int) -> int:
    """Return what is wrong with a card of a seat that is not to play to this trick (any more)."""
    if state.active >> seat & 1:
        return Fault.PLAYED_TWICE
    strange = card & ~(state.discarded[seat] | state.holding[seat])
    strange = strange if state.discarded_unknown[seat] + state.unknown[seat] == 0 else 0
    return Fault.CARD_NOT_HELD if strange else Fault.PLAYED_WHEN_OUT


def left_undone(state: State, rules: Rules, seat: int) -> int:
    """What the seat had to do before its card: bury surplus, fold, show what it left (O21, S59)."""
    hides = rules.surplus_shown and seat == state.dealer and stock.left_to_show(state, rules) != 0
    faults = Fault.NOT_BURIED if surplus_count(state, rules, seat) else 0
    faults |= Fault.NOT_FOLDED if state.fold_due >> seat & 1 else 0
    return faults | (Fault.DISCARD_NOT_SHOWN if hides else 0)


def forbidding(state: State, rules: Rules, seat: int, card: int) -> int:
    """Return the cards of which one in hand would have made a seat's playing ``card`` illegal."""
    if not playable(state, rules, seat, 1 << card):
        return 0
    return sum(
        1 << other
        for other in highest_first(rules.pack)
        if not playable(state, rules, seat, 1 << card | 1 << other) >> card & 1
    )


def do_play(state: State, rules: Rules, seat: int, card: int, named: int) -> None:
    """Put a card on the table; a wrong leader is followed as recorded.

    ``card``: its number, below 0 when it is not named; ``named``: the same as a set.
    """
    held = state.holding[seat]
    if state.fold_due:
        state.fold_due &= ~(1 << seat)
    if rules.surplus_shown and seat == state.dealer:
        state.shown |= stock.left_to_show(state, rules)
    if not named:
        state.doubt = 1
    elif state.unknown[seat]:
        state.doubt_cards |= forbidding(state, rules, seat, card)
        trumps = rules.trump_cards[table.live_trump(state, rules)]
        if state.must_trump == seat and not trumps & named:
            state.doubt_cards |= trumps
    if named & held:
        state.holding[seat] = held & ~named
    else:
        table.lay_down(state, rules, seat, named, 1)
    state.seen |= named
    if state.played == 0:
        for other in range(rules.seats):
            state.trick_cards[other] = NOT_PLAYED
        state.leader = seat
        state.turn = seat
        state.led_card = card
        state.led_suit = rules.suit[table.live_trump(state, rules)][card] if named else -1
        if state.trick > 1:
            state.unsure = 0
        state.on_table = 0
    if not named:
        state.unsure = 1
    state.trick_cards[seat] = card
    state.on_table |= named
    state.played += 1
    state.pending &= ~(1 << seat)
    if state.played == 1 and rules.drop_out == policies.DropOut.WHEN_TRUMP_LED:
        leave_trump_lead(state, rules)


def beats(state: State, rules: Rules, trump: int, card: int, best: int) -> bool:
    """Does ``card`` beat ``best``, the best card of the trick so far (1.trick, 14.ask)?

    ``trump``: that of ``live_trump``. Once it is shown it may turn the order of ranks round, for
    this trick, too (O38, O39). A trump thrown before that may be none (O83).
    """
    if state.dead >> card & 1:
        return False
    suit, best_suit = rules.suit[trump][card], rules.suit[trump][best]
    if suit == best_suit:
        higher = rules.strength[trump][card] > rules.strength[trump][best]
        return not higher if state.reversed and state.revealed else higher
    return suit == trump and trump != NO_TRUMPS


def trick_winner(state: State, rules: Rules) -> int:
    """Return who wins the trick on the table, as far as recorded; -1 when nobody knows."""
    trump = table.live_trump(state, rules)
    best = best_on_table(state, rules, trump)
    if best < 0:
        return -1
    return (
        state.leader if falls_to_leader(rules, trump, best) else scoring.put_by(state, rules, best)
    )


def best_on_table(state: State, rules: Rules, trump: int) -> int:
    """Return the best card of the trick on the table, below 0 when none of it is recorded."""
    best = state.trick_cards[state.leader]
    for seat in range(rules.seats):
        card = state.trick_cards[seat]
        cards = 1 << card if card >= 0 else 0
        if card != NOT_PLAYED:
            cards |= buried_to_win(state, rules, seat)
        for other in highest_first(cards):
            if best < 0 or beats(state, rules, trump, other, best):
                best = other
    return best


def buried_to_win(state: State, rules: Rules, seat: int) -> int:
    """Return the cards buried by the seat by which it may win the trick on the table (O86)."""
    return state.buried[seat] if rules.buried_wins and state.trick == 1 else 0


def falls_to_leader(rules: Rules, trump: int, best: int) -> bool:
    """Does the trick go to who led it, because its best card is no trump (8.trick, C17)?"""
    trumped = rules.trump_cards[trump] >> best & 1
    return rules.trumpless_trick == policies.TrumplessTrick.LEADER and not trumped


def finish_trick(state: State, rules: Rules) -> None:
    """Give the trick to its winner, count it, open the next; any leader is right without one."""
    winner = state.winner = trick_winner(state, rules)
    state.trick_points = scoring.count_trick(state, rules, winner) if winner >= 0 else 0
    if winner >= 0:
        state.tricks_won[winner] += 1
    sides = table.sides_of_last_trick(state, rules)
    state.won_any |= sides
    if table.live_trump(state, rules) != NO_TRUMPS or state.perhaps_shown:
        state.won_since_shown |= sides
    start_trick(state, rules, winner if winner >= 0 else state.leader)
    if state.pending == 0 and winner >= 0:
        state.trick_points += rules.last_trick_points
    if state.pending == 0:
        scoring.close_count(state, rules, winner)


def take_remaining(state: State, rules: Rules) -> None:
    """The one player still in the hand takes every trick that is left (4.drop-out)."""
    seat = state.turn
    scoring.count_game(state, state.holding[seat], table.side_of(rules, seat))
    scoring.score_cards(state, rules, state.holding[seat], table.side_of(rules, seat))
    state.seen |= state.holding[seat]
    state.holding[seat] = 0
    state.pending = 0
    scoring.close_count(state, rules, seat)


# --- What may be done during the tricks, and carrying it out


def legal_in_play(state: State, rules: Rules, seat: int) -> Legal:
    """Return what ``seat`` may do during the tricks."""
    if hidden_trump.must_show(state, rules, seat):
        return Legal(1 << Verb.REVEAL)
    if scoring.has_to_name(state):
        # Who has announced a single hand names its trumps; another may take it over before (O87).
        if seat == state.solo:
            return Legal(1 << Verb.TRUMP, trumps=auction.FOUR_SUITS)
        takes_over = scoring.may_solo(state, rules, seat, first_leader(state, rules))
        return Legal(1 << Verb.SOLO if takes_over else 0)
    verbs = words_in_play(state, rules, seat)
    if scoring.sitting_out(state, rules) >> seat & 1:
        # The partner of one who plays alone may lay the hand open, where that is so (O52, O53).
        if not scoring.partner_lies_open(state, rules):
            return Legal(verbs)
        size = table.hand_count(state, seat)
        return Legal(verbs | 1 << Verb.SHOW, 0, state.holding[seat], 1, size)
    if seat != state.turn or state.asker >= 0 or hidden_trump.waits_for_show(state):
        return Legal(verbs)
    if hidden_trump.must_ask(state, rules, seat):
        return Legal(1 << Verb.ASK)
    if surplus_count(state, rules, seat):
        return legal_bury(state, rules, seat)
    return Legal(verbs | 1 << Verb.PLAY, 0, legal_cards(state, rules, seat), 1, 1)


def words_in_play(state: State, rules: Rules, seat: int) -> int:
    """Return what a seat may say during the tricks without playing a card, bits of ``Verb``."""
    verbs = early_end.stop_verbs(state, rules, seat)
    if scoring.holds_pair_now(state, rules, seat):
        verbs |= 1 << Verb.PAIR
    if rules.trump_call == policies.TrumpCall.SECRET:
        verbs |= 1 << Verb.ASK if hidden_trump.may_ask(state, rules, seat) else 0
        verbs |= 1 << Verb.REVEAL if hidden_trump.may_show(state, rules, seat) else 0
    if scoring.may_solo(state, rules, seat, first_leader(state, rules)):
        verbs |= 1 << Verb.SOLO
    if state.tenny and scoring.may_tenny(state, rules, seat):
        verbs |= 1 << Verb.TENNY
    return verbs


def apply_in_play(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out an action during the tricks."""
    verb = action.verb
    if scoring.has_to_name(state) and NEEDS_TRUMPS >> verb & 1:
        return Fault.TRUMP_NOT_RECORDED
    if state.show_due and hidden_trump.waits_for_show(state) and verb != Verb.REVEAL:
        return Fault.TRUMP_NOT_RECORDED
    if verb == Verb.PLAY:
        return apply_play(state, rules, action)
    if verb == Verb.BURY:
        faults = bury_faults(state, rules, action)
        if not faults & FATAL:
            do_bury(state, rules, action)
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
        faults = scoring.trump_faults(state, action)
        if not faults & FATAL:
            scoring.name_trump(state, action.amount)
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
    leader = first_leader(state, rules)
    allowed = scoring.may_solo(state, rules, action.seat, leader)
    refused = Fault.NOT_NOW if rules.solo == policies.Solo.NONE else Fault.SOLO_NOT_ALLOWED
    faults = 0 if allowed else refused
    first = scoring.comes_first(state, rules, action.seat, leader, rules.step)
    takes_it = state.phase == policies.Phase.SOLO and first
    if not faults & FATAL and takes_it:
        scoring.undertake(state, action.seat, scoring.trump_at_first(rules))
        start_play(state, rules, action.seat)
    return faults


def apply_partner_shown(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out the laying open of a hand whose partner plays alone: the cards are known now."""
    seat = action.seat
    sits_out = scoring.sitting_out(state, rules) >> seat & 1
    if not sits_out or not scoring.partner_lies_open(state, rules):
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
            finish_trick(state, rules)
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
    faults = scoring.pair_faults(state, rules, action)
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
    faults = play_faults(state, rules, seat, named)
    if faults & NOT_PUT:
        return faults
    faults &= ~Fault.REVOKE if from_pile else ~0
    if rules.trump_call == policies.TrumpCall.SECRET and (state.asker >= 0 or not state.revealed):
        faults |= show_missed(state, rules, seat, named)
    state.show_due = 0
    do_play(state, rules, seat, card, named)
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
        auction.set_trump(state, rules.suit[NO_TRUMPS][card])
    hidden_trump.come_to_light(state, rules, state.trick)
    return 0 if last else Fault.SEVENTH_CARD_HIDDEN


def close_trick(state: State, rules: Rules) -> None:
    """The last card of a trick has been played: give it to its winner, now or when trumps show."""
    if rules.ask == policies.Ask.END_OF_TRICK and hidden_trump.show_at_the_end(state, rules):
        return
    finish_trick(state, rules)
    if state.pending == 0:
        table.end(state)


def apply_tenny(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out a tenny: no more cards are dealt, and its caller leads (O52, S95)."""
    faults = scoring.tenny_faults(state, rules, action)
    if faults & (FATAL | Fault.SOLO_NOT_ALLOWED):
        return faults
    scoring.undertake(state, action.seat, NO_TRUMPS)
    state.tenny = 1
    while rules.phases[state.step] != policies.Phase.PLAY:
        state.step += 1
    state.phase = policies.Phase.PLAY
    start_play(state, rules, action.seat)
    table.end_if_played_out(state)
    return faults


def out_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with saying "I'm up": it follows from the cards, and changes nothing."""
    if rules.drop_out == policies.DropOut.NEVER:
        return Fault.NOT_NOW
    if rules.drop_out == policies.DropOut.WHEN_TRUMP_LED:
        stays = state.phase < policies.Phase.PLAY or state.active >> action.seat & 1 == 1
    elif state.phase < policies.Phase.PLAY:
        stays = state.holding[action.seat] & rules.trump_cards[table.named_trump(state)] != 0
    else:
        # Who has played the last trump is out from then on, though the trick goes on.
        stays = state.active >> action.seat & 1 == 1
        stays = stays and not has_no_trump(state, rules, action.seat)
    return Fault.OUT_WITH_TRUMPS if stays else 0
