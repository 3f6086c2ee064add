"""The stock: who is dealt cards from it, who claims a discard before that, what the dealer takes.

Before the refill an opponent may claim a trump out of the open discards. The opponent next in turn
has the first choice. One who lets it pass says nothing, so a claim by the other one is all that
shows it, and no claim is wrong for its order.

Sources: 1.refill, 1.rob, 2.refill, 2.rob, 3.refill, 3.rob, 4.rob, 5.refill, 6.refill; S11, S13,
S14, S19, S20, S22, S24 to S26, S38, S44; C08, C12; O08, O09, O21, O25, O66.
"""

from tricklog.core.engine.faults import FATAL, Fault
from tricklog.core.engine.policies import Discard, EmptyStock, FirstDrawer, Refill, Rob, Surplus
from tricklog.core.engine.records import Rules, State, highest_first, union
from tricklog.core.engine.rules import table
from tricklog.core.engine.rules.discard import legal_discard, must_lay_off
from tricklog.core.engine.rules.table import Legal
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import AnyAction


def stock_left(state: State) -> int:
    """Return how many cards are left in the stock."""
    return state.stock_size - state.stock_next


def left_to_deal(state: State, rules: Rules) -> int:
    """Return how many cards can still be dealt; an empty stock may be made up (S38)."""
    left = stock_left(state)
    if rules.empty_stock == EmptyStock.DISCARDS:
        left += table.laid_off_cards(state, rules).bit_count()
        left += table.laid_off_unknown(state, rules)
    return left


def next_drawer(state: State, rules: Rules) -> int:
    """Return whose turn it is to be dealt cards: in rotation (S11, S38, S44).

    -1 while the seat in turn has not laid off, and when nobody needs cards or none are left. Each
    hand is filled at once, so who has drawn the wrong number is not asked again.
    """
    if state.drawing >= 0:
        return state.drawing
    if left_to_deal(state, rules) == 0:
        return -1
    seat = table.next_seat(rules, state.dealer)
    if rules.first_drawer == FirstDrawer.MAKER and state.maker >= 0:
        seat = state.maker
    for _ in range(rules.seats):
        if draws(state, rules, seat):
            if must_lay_off(state, rules, seat) and not state.laid_off >> seat & 1:
                return -1
            if table.hand_count(state, seat) < rules.hand_size:
                return seat
        seat = table.next_seat(rules, seat)
    return -1


def draws(state: State, rules: Rules, seat: int) -> bool:
    """Is the seat among those who are dealt cards, and has not been yet?"""
    if (state.filled | state.folded) >> seat & 1:
        return False
    return seat != state.dealer or rules.refill == Refill.EVERYBODY


def legal_draw(state: State, rules: Rules, seat: int) -> Legal:
    """A seat is dealt the next cards of the stock up to the hand size, while they last (S13).

    Once a draw has gone wrong nobody can tell which cards are next, nor among discards.
    """
    need = max(0, rules.hand_size - table.hand_count(state, seat))
    left = stock_left(state)
    count = min(left_to_deal(state, rules), need)
    cards = 0 if state.disordered else next_cards(state, min(left, count))
    known = cards.bit_count() == count
    if known or count <= left:
        may = cards if known else possible_rest(state, rules)
        return Legal(1 << Verb.DRAW, cards, may, count, count)
    discards = table.laid_off_cards(state, rules)
    may = possible_rest(state, rules) | discards
    return Legal(1 << Verb.DRAW, cards, may, count, count, discards, limit=count - left)


def next_cards(state: State, count: int) -> int:
    """Return those of the next ``count`` cards of the stock that the record names."""
    return table.stock_between(state, state.stock_next, state.stock_next + count)


def draw_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with a draw; of one in several goes the count is judged with the last."""
    if action.size > left_to_deal(state, rules) or not comes_from_deal(state, rules, action):
        return Fault.CARD_NOT_IN_STOCK
    if action.seat != next_drawer(state, rules):
        return Fault.DRAW_OUT_OF_TURN
    seat = action.seat
    legal = legal_draw(state, rules, seat)
    goes_on = may_go_on(state, rules, action)
    kept = kept_plain(state, rules, seat) if state.drawing != seat else 0
    if action.size > legal.least + kept or (not goes_on and action.size < legal.least):
        return Fault.DRAW_COUNT
    missing = (legal.must & ~action.cards).bit_count()
    if missing > max(legal.least if goes_on else 0, action.size) - action.cards.bit_count():
        return Fault.DRAW_ORDER
    return Fault.DRAW_SPLIT if state.drawing == seat else 0


def may_go_on(state: State, rules: Rules, action: AnyAction) -> bool:
    """Does the seat go on with its draw, or might it after the end of a record that stops here?"""
    seat = action.seat
    if state.redraws[seat] > 0:
        return True
    return state.cut_draw == seat and action.size < legal_draw(state, rules, seat).least


def comes_from_deal(state: State, rules: Rules, action: AnyAction) -> bool:
    """Can the cards come from the stock and, for what it is short of, out of the discards?"""
    short = max(0, action.size - stock_left(state))
    discards = table.laid_off_cards(state, rules) if short else 0
    strange = strange_to_stock(state, rules, action.cards & ~discards).bit_count()
    unseen = table.laid_off_unknown(state, rules) if short else 0
    return strange <= unseen and strange + (action.cards & discards).bit_count() <= short


def kept_plain(state: State, rules: Rules, seat: int) -> int:
    """Return how many plain cards a hand kept that had to be laid off, which is found there."""
    if rules.discard != Discard.ALL_PLAIN:
        return 0
    return (state.holding[seat] & ~rules.trump_cards[table.named_trump(state)]).bit_count()


def possible_rest(state: State, rules: Rules) -> int:
    """Return the cards that may lie in the rest of the stock: named there, or known nowhere."""
    return state.stock_set & (table.named_stock(state) | ~table.out_of_stock(state, rules))


def strange_to_stock(state: State, rules: Rules, cards: int) -> int:
    """Return those of ``cards`` that cannot come from the stock."""
    cards &= ~table.named_stock(state)
    return cards & (~state.stock_set | table.out_of_stock(state, rules)) if cards else 0


def draw(state: State, rules: Rules, action: AnyAction) -> int:
    """Deal a draw, with what was due and is played later; return its faults, fatal: none dealt."""
    faults = draw_faults(state, rules, action)
    if faults & FATAL:
        return faults
    seat, cards, size = action.seat, action.cards, action.size
    if faults & (Fault.DRAW_COUNT | Fault.DRAW_ORDER):
        legal = legal_draw(state, rules, seat)
        left_out = legal.must & ~cards
        proved = left_out & state.will_play[seat]
        if size + proved.bit_count() <= legal.least:
            cards |= proved
            size += proved.bit_count()
        state.undrawn |= left_out & ~proved
        state.disordered = 1
    from_stock = min(size, stock_left(state))
    discards = table.laid_off_cards(state, rules) if size > from_stock else 0
    picked = cards & discards
    if picked.bit_count() < size - from_stock:
        forget_discards(state, rules, discards & ~picked)
    goes_on = may_go_on(state, rules, action)
    take_cards(state, rules, seat, cards, size, from_stock, picked)
    state.redraws[seat] -= 1 if state.redraws[seat] > 0 else 0
    state.drawing = seat if goes_on else -1
    state.filled |= 0 if goes_on else 1 << seat
    return faults


def take_cards(
    state: State, rules: Rules, seat: int, cards: int, size: int, from_stock: int, picked: int
) -> None:
    """Move ``size`` cards to a seat, ``from_stock`` of them out of the stock, others laid off."""
    drawn = cards & table.named_stock(state) & ~picked
    open_cards = cards & ~picked & ~drawn
    possible = open_cards & ~strange_to_stock(state, rules, open_cards)
    while possible and drawn.bit_count() < from_stock:
        drawn |= possible & -possible
        possible &= possible - 1
    if size > from_stock:
        take_from_discards(state, rules, picked, size - from_stock - picked.bit_count())
    take_from_stock(state, seat, drawn, from_stock)
    table.pick_up(state, seat, cards, size - from_stock)
    state.stock_set &= ~cards


def take_from_stock(state: State, seat: int, cards: int, count: int) -> None:
    """Move ``count`` cards out of the stock: ``cards`` wherever they lie, others from the top."""
    # What lies on top already need not be brought there.
    lies_on_top = next_cards(state, min(count, stock_left(state))) == cards
    state.stock_next += cards.bit_count() if lies_on_top else 0
    for card in highest_first(0 if lies_on_top else cards):
        lift_card(state, card)
        state.stock_next += 1
    hidden = max(0, count - cards.bit_count())
    taken = cards | next_cards(state, hidden)
    state.stock_next += hidden
    table.pick_up(state, seat, taken, count)
    state.stock_set &= ~taken


def lift_card(state: State, card: int) -> None:
    """Bring ``card`` to the top of the stock, or in its place the first card not named."""
    place = state.stock_next
    for index in range(state.stock_next, state.stock_size):
        if state.stock[index] == card:
            place = index
            break
        if state.stock[index] < 0 and state.stock[place] >= 0:
            place = index
    for index in range(place, state.stock_next, -1):
        state.stock[index] = state.stock[index - 1]
    state.stock[state.stock_next] = card


def take_from_discards(state: State, rules: Rules, cards: int, unseen: int) -> None:
    """Take ``cards`` and ``unseen`` more out of the discards, the dealer's own first."""
    for seat in range(rules.seats):
        state.discarded[seat] &= ~cards
    owner = state.dealer
    for _ in range(rules.seats):
        given = min(unseen, state.discarded_unknown[owner])
        state.discarded_unknown[owner] -= given
        unseen -= given
        owner = table.next_seat(rules, owner)


def forget_discards(state: State, rules: Rules, cards: int) -> None:
    """Nobody can tell whether ``cards`` lie among the discards still."""
    for seat in range(rules.seats):
        doubtful = state.discarded[seat] & cards
        state.discarded_unknown[seat] += doubtful.bit_count()
        state.discarded[seat] &= ~doubtful


# --- Claiming: an opponent takes a trump out of the open discards


def may_claim(state: State, rules: Rules, seat: int) -> bool:
    """May the seat claim: before its refill, and with fewer trumps than a hand holds (S20)?"""
    if not rules.discards_claimed or (state.filled | state.folded) >> seat & 1:
        return False
    trumps = state.holding[seat] & rules.trump_cards[table.named_trump(state)]
    return trumps.bit_count() < rules.hand_size


def legal_claim(state: State, rules: Rules, seat: int) -> Legal:
    """A trump out of an opponent's discards: ``may``; ``limited`` are the cards to give for it.

    One plain card has to be given while there is one in hand; a hand without draws one card fewer.
    """
    if not may_claim(state, rules, seat):
        return Legal(0)
    trumps = rules.trump_cards[table.named_trump(state)]
    own = table.side_of(rules, seat)
    cards = trumps & union(
        state.discarded[other] for other in range(rules.seats) if table.side_of(rules, other) != own
    )
    plain = state.holding[seat] & ~trumps
    if cards == 0:
        return Legal(0)
    return Legal(1 << Verb.CLAIM, 0, cards, 1, 1, limited=plain, limit=1 if plain else 0)


def claimed_from(state: State, rules: Rules, action: AnyAction) -> int:
    """Return out of whose discards, named or not, the card may come; -1 when it cannot be there."""
    card = action.card
    trumps = rules.trump_cards[table.named_trump(state)]
    hidden = card < 0 or not table.known_elsewhere(state, rules) >> card & 1
    unseen = -1
    for seat in range(rules.seats):
        if card >= 0 and state.discarded[seat] >> card & 1:
            return seat
        opponent = table.side_of(rules, seat) != table.side_of(rules, action.seat)
        named = card < 0 and state.discarded[seat] & trumps != 0
        if hidden and opponent and (named or state.discarded_unknown[seat] > 0):
            unseen = seat
    return unseen


def given_for(action: AnyAction) -> int:
    """Return the card given for the claimed one, as a set: none, too, for one not named."""
    return action.cards & ~(1 << action.card) if action.card >= 0 else action.cards


def claim(state: State, rules: Rules, action: AnyAction) -> int:
    """Exchange the cards; return what is wrong with it. With a fatal fault they stay."""
    seat, given, gives = action.seat, given_for(action), action.size > 1
    owner = claimed_from(state, rules, action)
    if owner < 0:
        return Fault.CARD_NOT_IN_STOCK
    if gives and table.cannot_hold(state, rules, seat, given, 1):
        return Fault.CARD_NOT_HELD
    trumps = rules.trump_cards[table.named_trump(state)]
    card = 1 << action.card if action.card >= 0 else 0
    opponents = table.side_of(rules, owner) != table.side_of(rules, seat)
    kept_all = not gives and state.holding[seat] & ~trumps != 0
    fits = card & ~trumps == 0 and given & trumps == 0 and not kept_all
    allowed = opponents and fits and may_claim(state, rules, seat)
    if gives:
        laid_off = table.lay_down(state, rules, seat, given, 1)
        state.discarded[seat] |= laid_off
        state.discarded_unknown[seat] += 1 - laid_off.bit_count()
    if card & state.discarded[owner]:
        state.discarded[owner] &= ~card
    else:
        if card == 0:
            forget_discards(state, rules, trumps)
        state.discarded_unknown[owner] -= 1
    table.pick_up(state, seat, card, 1)
    return 0 if allowed else Fault.CLAIM_NOT_ALLOWED


# --- The dealer's share: robbing the rest of the stock, and showing what is left in it


def rob_need(state: State, rules: Rules, seat: int) -> int:
    """Return how many cards the dealer lacks, less plain ones that are laid off afterwards."""
    plain = kept_plain(state, rules, seat) if state.robs_first else 0
    return max(0, rules.hand_size - table.hand_count(state, seat) + plain)


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
    spare = state.discarded[seat] & trumps & ~table.points_to_keep(state, rules)
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
    clears = rules.rob == Rob.ALL_TRUMPS and not state.robs_first
    kept = kept_plain(state, rules, seat) if clears else 0
    if not legal.least <= action.size <= legal.most + kept:
        return Fault.ROB_COUNT
    if rules.rob != Rob.ALL_TRUMPS:
        outside = action.cards & ~legal.may & table.named_stock(state)
        return Fault.ROB_LEFT_TRUMPS if outside else 0
    # Only trumps may go beyond the hand size, so a plain card among them is one too many.
    plain = action.cards & ~rules.trump_cards[table.named_trump(state)]
    over = action.size > rob_need(state, rules, seat) + kept
    return Fault.ROB_COUNT if over and plain else 0


def rob(state: State, rules: Rules, action: AnyAction) -> int:
    """Move the cards to the dealer, out of the stock or out of discards; return what is wrong.

    Cards not named are those that the dealer is shown to play later. Are there others, nobody can
    tell what was left lying. Where too few were taken, what is played later was taken as well.
    """
    faults = rob_faults(state, rules, action)
    if faults & FATAL:
        return faults
    seat, size, rest = action.seat, action.size, table.named_stock(state)
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
            # Nobody can tell which cards are left in the stock.
            for index in range(state.stock_next, state.stock_size):
                if state.stock[index] >= 0 and not cards >> state.stock[index] & 1:
                    state.stock[index] = -1
    take_cards(state, rules, seat, cards, size, from_stock, picked)
    state.filled |= 1 << seat
    state.pending = 0
    state.rob_ahead = 0
    return faults


def left_to_show(state: State, rules: Rules) -> int:
    """Return the trumps known to be left in the stock that the dealer has not shown (O21)."""
    if not rules.surplus_shown:
        return 0
    hidden = table.named_stock(state) & ~state.shown & ~table.out_of_stock(state, rules)
    return hidden & rules.trump_cards[table.named_trump(state)]


def most_left(state: State, rules: Rules) -> int:
    """Return how many cards may be left in the stock: hidden discards may have been robbed."""
    return stock_left(state) + open_unknown(state, rules, state.dealer)


def legal_show(state: State, rules: Rules) -> Legal:
    """The dealer shows just the trumps that are left in the stock (O21)."""
    cards = left_to_show(state, rules)
    count = cards.bit_count()
    may, most = cards, count
    if state.stock_set.bit_count() > stock_left(state):
        may |= possible_rest(state, rules) & rules.trump_cards[table.named_trump(state)]
        most = max(count, min(most_left(state, rules), may.bit_count()))
    return Legal(1 << Verb.SHOW, cards, may, count, most)


def show(state: State, rules: Rules, action: AnyAction) -> int:
    """Note what is shown of the stock; return what is wrong, found once: here or at the play."""
    if action.seat != state.dealer:
        return Fault.NOT_NOW
    if action.size > most_left(state, rules) or strange_to_stock(state, rules, action.cards):
        return Fault.CARD_NOT_IN_STOCK
    legal = legal_show(state, rules)
    hidden = action.size - action.cards.bit_count()
    missing = (legal.must & ~action.cards).bit_count() > hidden
    wrong = missing or action.cards & ~legal.may != 0 or action.size > legal.most
    state.shown |= action.cards | left_to_show(state, rules)
    state.pending = 0
    return Fault.DISCARD_NOT_SHOWN if wrong else 0
