"""Giving surplus trumps to the partner; folding, with or without giving the last ones away.

Who has no trump leaves the hand, who has few may give them to the partner and leave. Seats may fold
and give in any order, until they lay off; those that fold are named first, from the dealer's left.
A record need not say that a player folded who had to and who does nothing more.

Sources: 9.fold, 9.give, 10.give, 11.give; S59, S62, S66, S71, S76; O30, O80.
"""

from tricklog.core.engine.faults import Fault
from tricklog.core.engine.policies import Discard, Fold, Phase, Rob, Surplus
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules import table
from tricklog.core.engine.rules.discard import gives_after_discard, must_lay_off
from tricklog.core.engine.rules.table import Legal
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import AnyAction


def legal_give(state: State, rules: Rules, seat: int, named: int) -> Legal:
    """The trumps beyond the hand size, or the point cards beyond it (S71, S66).

    Blanks may be laid off instead, before the gift or after it. Point cards may not: those beyond
    the hand size are given, and no more of them than the partner may hold. ``named`` are cards the
    seat names out of those the record did not know.
    """
    trump = table.named_trump(state)
    held = state.holding[seat] | named
    given = held & rules.trump_cards[trump]
    points = given & rules.point_cards[trump]
    gone = state.discarded[seat] & rules.trump_cards[trump] & ~rules.point_cards[trump]
    if gives_points_only(state, rules):
        given, gone = points, 0
    count = table.hand_count(state, seat)
    hidden = count - held.bit_count()
    over = given.bit_count() + gone.bit_count() - rules.hand_size
    most = min(over + hidden, count - rules.hand_size)
    floor = max(0, points.bit_count() - rules.hand_size)
    # No more than a hand holds (S71).
    partners = state.holding[table.partner_of(rules, seat)] & rules.point_cards[trump]
    limit = max(0, rules.hand_size - partners.bit_count())
    if not may_give(state, rules, seat) or most <= 0 or floor > limit + hidden:
        return Legal(0)
    leaves_a_hand = has_laid_off(state, seat) and not gives_after_discard(rules)
    least = most if leaves_a_hand else max(1, floor)
    return Legal(1 << Verb.GIVE, 0, given, least, most, points, floor, limit)


def has_laid_off(state: State, seat: int) -> bool:
    """Is the seat through with laying off?"""
    return state.laid_off >> seat & 1 == 1 and state.discards_ahead[seat] == 0


def gives_points_only(state: State, rules: Rules) -> bool:
    """Are only points given: down to size, plain cards first, or by a dealer (S66, S76)?"""
    return rules.discard == Discard.TO_SIZE or state.phase == Phase.DEALER_GIVE


def may_give(state: State, rules: Rules, seat: int) -> bool:
    """May the seat give: before its partner lays off, once, one way (S71), or robbed ones (S76)?"""
    if rules.surplus != Surplus.TO_PARTNER:
        return False
    if state.phase == Phase.DEALER_GIVE:
        return seat == state.dealer and rules.rob != Rob.NOTHING
    partner = table.partner_of(rules, seat)
    if state.gave & (1 << seat | 1 << partner):
        return False
    if gives_after_discard(rules):
        waits = must_lay_off(state, rules, seat) or must_lay_off(state, rules, partner)
        return state.phase == Phase.GIVE or not waits
    return not state.laid_off >> partner & 1


def give_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with giving cards to the partner."""
    seat = action.seat
    if table.cannot_hold(state, rules, seat, action.cards, action.size):
        return Fault.CARD_NOT_HELD
    legal = legal_give(state, rules, seat, action.cards)
    if not legal.verbs or action.cards & ~legal.may:
        return Fault.GIVE_NOT_ALLOWED
    if not legal.least <= action.size <= legal.most:
        return Fault.GIVE_COUNT
    points = (action.cards & legal.limited).bit_count()
    unnamed = action.size - action.cards.bit_count()
    return Fault.GIVE_NOT_ALLOWED if not legal.floor - unnamed <= points <= legal.limit else 0


def do_give(state: State, rules: Rules, action: AnyAction) -> None:
    """Hand the cards over; who has laid off and now holds too many has to lay off again."""
    seat = action.seat
    partner = table.partner_of(rules, seat)
    given = table.lay_down(state, rules, seat, action.cards, action.size)
    table.pick_up(state, partner, given, action.size)
    state.gave |= 1 << seat
    if state.phase == Phase.DEALER_GIVE:
        state.late_gift = 0
    state.gifts_ahead &= ~(1 << seat)
    if has_laid_off(state, seat) or table.hand_count(state, seat) <= rules.hand_size:
        state.pending &= ~(1 << seat)
    if state.phase == Phase.DISCARD and table.hand_count(state, partner) > rules.hand_size:
        state.pending |= 1 << partner


def gives_due(state: State, rules: Rules) -> int:
    """Return the seats that may give now."""
    return sum(
        1 << seat
        for seat in range(rules.seats)
        if state.unknown[seat] == 0 and legal_give(state, rules, seat, 0).verbs
    )


# --- Folding


def must_fold(state: State, rules: Rules, seat: int) -> bool:
    """Must the seat fold: it has no trump, or has given them away (S59)?"""
    if rules.fold == Fold.NEVER or (state.folded | state.laid_off) >> seat & 1:
        return False
    trumps = rules.trump_cards[table.named_trump(state)]
    if state.holding[seat] & trumps:
        return False
    if state.unknown[seat] == 0 or state.gave >> seat & 1:
        return True
    return trumps & ~table.known_elsewhere(state, rules) == 0


def few_trumps(state: State, rules: Rules, trumps: int) -> bool:
    """Are these few enough to give away: one, or two with the two (9.give), or any two (O80)?"""
    count = trumps.bit_count()
    low = rules.low_card[table.named_trump(state)]
    any_two = rules.fold == Fold.WITH_ONE_OR_TWO or (low >= 0 and trumps >> low & 1 == 1)
    return count == 1 or (count == 2 and any_two)


def may_leave(state: State, rules: Rules, seat: int) -> bool:
    """May the seat give its trumps and fold: no maker, nor one whose partner has gone (S59)?"""
    partner = table.partner_of(rules, seat)
    gone = state.folded | state.laid_off | state.gave
    if rules.fold == Fold.NEVER or seat == state.maker or state.laid_off >> seat & 1:
        return False
    return not gone >> partner & 1


def legal_leave(state: State, rules: Rules, seat: int) -> Legal:
    """What a seat gives to the partner before it folds: all its trumps (S59)."""
    trumps = state.holding[seat] & rules.trump_cards[table.named_trump(state)]
    if not may_leave(state, rules, seat) or not few_trumps(state, rules, trumps):
        return Legal(0)
    count = trumps.bit_count()
    return Legal(1 << Verb.GIVE, trumps, trumps, count, count)


def leave_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with giving trumps to the partner to fold."""
    seat = action.seat
    if table.cannot_hold(state, rules, seat, action.cards, action.size):
        return Fault.CARD_NOT_HELD
    trumps = (state.holding[seat] | action.cards) & rules.trump_cards[table.named_trump(state)]
    plain = action.cards & ~trumps
    possible = trumps == 0 or few_trumps(state, rules, trumps)
    if not may_leave(state, rules, seat) or plain or action.size > 2 or not possible:
        return Fault.GIVE_NOT_ALLOWED
    hidden = action.size - action.cards.bit_count()
    if (trumps & ~action.cards).bit_count() > hidden:
        return Fault.GIVE_COUNT
    # Beside all the trumps of a hand that is known, a card not named can only be plain.
    extra = trumps.bit_count() + state.unknown[seat] < action.size
    return Fault.GIVE_NOT_ALLOWED if extra else 0


def fold_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with folding."""
    seat = action.seat
    if rules.fold == Fold.NEVER or (state.folded | state.laid_off) >> seat & 1:
        return Fault.NOT_NOW
    trumps = state.holding[seat] & rules.trump_cards[table.named_trump(state)]
    return Fault.FOLD_WITH_TRUMPS if trumps else 0


def do_fold(state: State, rules: Rules, seat: int) -> None:
    """The seat lays its cards down; were some of them unknown, one may have been a trump."""
    if state.unknown[seat] and not state.gave >> seat & 1:
        state.doubt_cards |= rules.trump_cards[table.named_trump(state)]
    state.discarded[seat] |= state.holding[seat]
    state.discarded_unknown[seat] += state.unknown[seat]
    state.holding[seat] = 0
    state.unknown[seat] = 0
    state.folded |= 1 << seat
    state.pending &= ~(1 << seat)
    state.fold_due &= ~(1 << seat)
    state.folds_ahead &= ~(1 << seat)


def close_folding(state: State, rules: Rules) -> None:
    """Others go on: who had to fold is out, unless shown to play on, which is found there."""
    for seat in range(rules.seats):
        if must_fold(state, rules, seat):
            plays_on = state.discards_ahead[seat] + state.hidden_plays[seat] > 0
            folds_later = state.folds_ahead >> seat & 1 == 1
            if plays_on or folds_later or state.will_play[seat]:
                state.fold_due |= 1 << seat
            else:
                do_fold(state, rules, seat)
