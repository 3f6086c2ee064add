"""The dealer's share: robbing the rest of the stock, and showing what is left in it.

Sources: 1.rob, 2.rob, 3.rob, 4.rob; S13, S14, S19, S22, S25, S26; C08, C12; O08, O21, O66.
"""

from tricklog.core.engine.faults import Fault
from tricklog.core.engine.policies import Rob, Surplus
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules import table
from tricklog.core.engine.rules.discard import legal_discard
from tricklog.core.engine.rules.draw import (
    forget_discards,
    kept_plain,
    possible_rest,
    stock_left,
    strange_to_stock,
    take_cards,
)
from tricklog.core.engine.rules.table import Legal
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import AnyAction


def rob_need(state: State, rules: Rules, seat: int) -> int:
    """Return how many cards the dealer lacks, less plain ones that are laid off afterwards."""
    kept = table.hand_count(state, seat)
    if state.robs_first:
        kept -= kept_plain(state, rules, seat)
    return max(0, rules.hand_size - kept)


def found_in_discards(state: State, rules: Rules) -> int:
    """Return the trumps that the dealer may look for among the discards (O08, S19)."""
    if not rules.search_discards:
        return 0
    return table.laid_off_cards(state, rules) & rules.trump_cards[table.named_trump(state)]


def is_short(state: State, rules: Rules, seat: int) -> bool:
    """Is the rest of the stock too short for the dealer's hand, which has to be made up (S13)?"""
    if rules.rob not in (Rob.ALL_TRUMPS, Rob.TO_SIZE):
        return False
    left = stock_left(state) + found_in_discards(state, rules).bit_count()
    return rob_need(state, rules, seat) > left


def is_certainly_short(state: State, rules: Rules, seat: int) -> bool:
    """Is it too short whatever the discards hold that the record does not name?"""
    if rules.search_discards and table.laid_off_unknown(state, rules) > 0:
        return False
    return is_short(state, rules, seat)


def open_discards(state: State, rules: Rules, seat: int) -> int:
    """Return the named discards the dealer may take: all (S26), trumps (O08), or own (S13)."""
    if rules.rob == Rob.STOCK_AND_DISCARDS:
        return table.laid_off_cards(state, rules)
    cards = found_in_discards(state, rules)
    if is_short(state, rules, seat):
        cards |= state.discarded[seat]
    return cards


def open_unknown(state: State, rules: Rules, seat: int) -> int:
    """Return how many discards that the record does not name the dealer may have taken."""
    if rules.rob == Rob.STOCK_AND_DISCARDS or rules.search_discards:
        return table.laid_off_unknown(state, rules)
    return state.discarded_unknown[seat] if is_short(state, rules, seat) else 0


def legal_rob(state: State, rules: Rules, seat: int) -> Legal:
    """What the dealer takes of the rest of the stock and of discards that are open."""
    if table.takes_whole_stock(rules):
        return legal_whole_stock(state, rules, seat)
    if rules.rob == Rob.ALL_TRUMPS:
        return legal_all_trumps(state, rules, seat)
    return legal_choice(state, rules, seat)


def must_rob(state: State, rules: Rules, seat: int) -> bool:
    """Is the dealer waited for: is there more to take than trumps that the dealer laid off?

    With a hand full of trumps they would only lay as many off again (S17, S19). So it is with what
    was laid off just now, which may have been down to size with nothing taken before; and cards not
    named may fill the hand.
    """
    legal = legal_rob(state, rules, seat)
    if legal.least == 0 or rules.surplus != Surplus.DISCARD:
        return legal.least > 0
    trumps = rules.trump_cards[table.named_trump(state)]
    kept_points = rules.point_cards[table.named_trump(state)] & ~table.points_that_may_go(
        state, rules
    )
    spare = state.discarded[seat] & trumps & ~kept_points
    hidden = state.unknown[seat] + state.discarded_unknown[seat]
    had = ((state.holding[seat] | spare) & trumps).bit_count() + hidden
    return had < rules.hand_size or legal.must & ~spare != 0 or legal.least > legal.must.bit_count()


def legal_whole_stock(state: State, rules: Rules, seat: int) -> Legal:
    """The dealer takes all the rest (4.rob)."""
    left = stock_left(state)
    found = found_in_discards(state, rules)
    must = found | known_rest(state, rules)
    least = left - (state.stock_set & state.undrawn).bit_count() + found.bit_count()
    most = left + found.bit_count() + open_unknown(state, rules, seat)
    return Legal(1 << Verb.ROB, must, possible_rest(state, rules) | found, least, most)


def legal_all_trumps(state: State, rules: Rules, seat: int) -> Legal:
    """The dealer takes every trump, and fillers (1.rob, S14), own discards too if short (S13)."""
    found = found_in_discards(state, rules)
    left = stock_left(state) + found.bit_count()
    known = state.stock_set.bit_count() == stock_left(state)
    rest = known_rest(state, rules)
    must = found | rest & rules.trump_cards[table.named_trump(state)]
    unseen = open_unknown(state, rules, seat)
    need = rob_need(state, rules, seat)
    least = max(min(left, need), must.bit_count())
    most = max(need, must.bit_count())
    if not known or (unseen and rules.search_discards):
        most = max(need, left + unseen)
    may = possible_rest(state, rules) | found
    if is_certainly_short(state, rules, seat):
        must |= rest
    if need > left:
        may |= state.discarded[seat]
    return Legal(1 << Verb.ROB, must, may, least, most)


def legal_choice(state: State, rules: Rules, seat: int) -> Legal:
    """The dealer chooses cards, and lays off later what is too much (2.rob, 3.rob, C08, C12).

    Point trumps they must take where a card without points would have to stay for them (S22).
    """
    need = rob_need(state, rules, seat)
    discards = open_discards(state, rules, seat)
    left = stock_left(state) + discards.bit_count() + open_unknown(state, rules, seat)
    most = min(left, max(need, rules.hand_size))
    must = 0
    if rules.rob_keeps_points:
        must = found_in_discards(state, rules) | known_rest(state, rules)
        must &= rules.point_cards[table.named_trump(state)]
    own = state.holding[seat] & rules.point_cards[table.named_trump(state)]
    room = max(0, rules.hand_size - own.bit_count())
    if must.bit_count() > room:
        # There are more than they can hold, so they choose among them and take nothing else.
        return Legal(1 << Verb.ROB, 0, must, room, room)
    if is_certainly_short(state, rules, seat):
        # They take the rest whole, and need not make up with discards of their own (S13).
        left = stock_left(state) + found_in_discards(state, rules).bit_count()
        must |= known_rest(state, rules) | found_in_discards(state, rules)
    least = max(min(need, left), must.bit_count())
    may = possible_rest(state, rules) | discards
    return Legal(1 << Verb.ROB, must, may, least, max(least, most))


def known_rest(state: State, rules: Rules) -> int:
    """Return the rest of the stock, but what is elsewhere too, if the record leaves no choice."""
    known = state.stock_set.bit_count() == stock_left(state)
    return state.stock_set & ~state.undrawn & ~table.out_of_stock(state, rules) if known else 0


def rob_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with robbing the stock."""
    seat = action.seat
    hidden = action.size - action.cards.bit_count()
    discards = open_discards(state, rules, seat)
    seen = action.cards & discards
    strange = strange_to_stock(state, rules, action.cards & ~seen).bit_count()
    # So many of them must come out of discards unseen.
    out_of_discards = max(0, strange, action.size - seen.bit_count() - stock_left(state))
    limit = min(hidden, (discards & ~seen).bit_count()) + open_unknown(state, rules, seat)
    if out_of_discards > limit:
        return Fault.CARD_NOT_IN_STOCK
    if seat != state.dealer:
        return Fault.ROB_BY_OTHER
    legal = legal_rob(state, rules, seat)
    if (legal.must & ~action.cards).bit_count() > hidden:
        return Fault.ROB_LEFT_TRUMPS
    kept = 0
    if rules.rob == Rob.ALL_TRUMPS and not state.robs_first:
        kept = kept_plain(state, rules, seat)
    if not legal.least <= action.size <= legal.most + kept:
        return Fault.ROB_COUNT
    if rules.rob != Rob.ALL_TRUMPS:
        outside = action.cards & ~legal.may & table.named_stock(state)
        return Fault.ROB_LEFT_TRUMPS if outside else 0
    # Only trumps may go beyond the hand size, so a plain card among them is one too many.
    plain = action.cards & ~rules.trump_cards[table.named_trump(state)]
    over = action.size > rob_need(state, rules, seat) + kept
    return Fault.ROB_COUNT if over and plain else 0


def do_rob(state: State, rules: Rules, action: AnyAction, faults: int) -> None:
    """Move the cards to the dealer, out of the stock or out of discards.

    Cards not named are those that the dealer is shown to play later. Are there others, nobody can
    tell what was left lying. Where too few were taken, what is played later was taken as well.
    """
    seat = action.seat
    size = action.size
    rest = table.named_stock(state)
    if state.robs_first and legal_discard(state, rules, seat, 0).least == 0:
        # With nothing but trumps there was nothing to lay off before.
        state.robs_first = 0
    if faults & (Fault.ROB_COUNT | Fault.ROB_LEFT_TRUMPS):
        size += (rest & state.will_play[seat] & ~action.cards).bit_count()
    discards = open_discards(state, rules, seat)
    cards = action.cards
    proved = (rest | discards) & state.will_play[seat] & ~cards
    if is_certainly_short(state, rules, seat):
        proved |= rest & ~cards
    if not faults and (rules.rob == Rob.ALL_TRUMPS or table.takes_whole_stock(rules)):
        proved |= found_in_discards(state, rules) & ~cards
    if (cards | proved).bit_count() <= size:
        cards |= proved
    picked = cards & discards
    strange = strange_to_stock(state, rules, cards & ~picked)
    left = stock_left(state)
    from_stock = min(size - (picked | strange).bit_count(), left)
    if cards.bit_count() < size:
        reach = (discards & ~picked).bit_count() + open_unknown(state, rules, seat)
        forget_discards(state, rules, discards & ~picked)
        if from_stock < left or reach:
            forget_stock(state, cards)
    take_cards(state, rules, seat, cards, size, from_stock, picked)
    state.filled |= 1 << seat
    state.rob_ahead = 0


def forget_stock(state: State, cards: int) -> None:
    """Nobody can tell which cards are left in the stock, but for ``cards``."""
    for index in range(state.stock_next, state.stock_size):
        if state.stock[index] >= 0 and not cards >> state.stock[index] & 1:
            state.stock[index] = -1


def left_to_show(state: State, rules: Rules) -> int:
    """Return the trumps known to be left in the stock that the dealer has not shown (O21)."""
    if not rules.surplus_shown:
        return 0
    hidden = table.named_stock(state) & ~state.shown & ~table.out_of_stock(state, rules)
    return hidden & rules.trump_cards[table.named_trump(state)]


def legal_show(state: State, rules: Rules) -> Legal:
    """The dealer shows just the trumps that are left in the stock (O21)."""
    cards = left_to_show(state, rules)
    count = cards.bit_count()
    may, most = cards, count
    if state.stock_set.bit_count() > stock_left(state):
        may |= possible_rest(state, rules) & rules.trump_cards[table.named_trump(state)]
        most = max(count, min(stock_left(state), may.bit_count()))
    return Legal(1 << Verb.SHOW, cards, may, count, most)


def show_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with showing cards that are left in the stock."""
    if action.seat != state.dealer:
        return Fault.NOT_NOW
    if action.size > stock_left(state) or strange_to_stock(state, rules, action.cards):
        return Fault.CARD_NOT_IN_STOCK
    legal = legal_show(state, rules)
    hidden = action.size - action.cards.bit_count()
    missing = (legal.must & ~action.cards).bit_count() > hidden
    wrong = missing or action.cards & ~legal.may != 0 or action.size > legal.most
    return Fault.DISCARD_NOT_SHOWN if wrong else 0


def do_show(state: State, rules: Rules, action: AnyAction) -> None:
    """Note what was shown; what was not is found once, here or when the dealer plays on."""
    state.shown |= action.cards | left_to_show(state, rules)
