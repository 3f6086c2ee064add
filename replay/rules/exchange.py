"""Between auction and play: kitty, discard, refill, rob.

Sources: 1.exchange, 1.refill, 1.rob, 4.exchange, 4.rob, 8.kitty, 8.exchange; S11 to S14, S31,
S32, S53.
"""

from __future__ import annotations

from replay.faults import Fault
from replay.policies import Discard, Phase, Rob, Surplus
from replay.records import Rules, State
from replay.rules.table import (
    Legal,
    cannot_hold,
    cards_of,
    hand_count,
    lay_down,
    named_stock,
    named_trump,
    next_seat,
    out_of_stock,
)
from schemas.actions import Action, Verb


def legal_kitty(state: State) -> Legal:
    """The maker takes the whole kitty."""
    size = state.kitty.bit_count() + state.kitty_unknown
    return cards_of(1 << Verb.KITTY, state.kitty, state.kitty, size, size)


def kitty_faults(state: State, rules: Rules, action: Action) -> int:
    """What is wrong with taking the kitty."""
    strange = action.cards & ~state.kitty
    possible = rules.pack & ~out_of_stock(state, rules) & ~named_stock(state)
    if strange.bit_count() > state.kitty_unknown or strange & ~possible:
        return Fault.CARD_NOT_IN_KITTY | 0
    faults = 0 if action.seat == state.maker else Fault.KITTY_BY_OTHER | 0
    if action.size != legal_kitty(state).least:
        faults |= Fault.KITTY_COUNT
    return faults


def do_kitty(state: State, action: Action) -> None:
    """Move the kitty to the hand of the seat that took it."""
    seat = action.seat
    count = hand_count(state, seat) + state.kitty.bit_count() + state.kitty_unknown
    state.holding[seat] |= action.cards | state.kitty
    state.unknown[seat] = count - state.holding[seat].bit_count()
    state.kitty = 0
    state.kitty_unknown = 0


def legal_discard(state: State, rules: Rules, seat: int, named: int) -> Legal:
    """What a seat lays off; ``named`` are cards it names out of those the record did not know.

    All plain cards, and with more trumps than the hand size either none of these (they are buried
    later) or as many without points as are too many; or, down to the hand size, plain cards only.
    Cards the record does not know may be trumps too many, or plain.
    """
    trump = named_trump(state)
    held = state.holding[seat] | named
    trumps = held & rules.trump_cards[trump]
    plain = held & ~trumps
    over = trumps.bit_count() - rules.hand_size
    over = max(over, 0)
    hidden = state.unknown[seat] - (named & ~state.holding[seat]).bit_count()
    plain_count = plain.bit_count()
    if rules.discard == Discard.TO_SIZE:
        if over:
            return cards_of(1 << Verb.DISCARD, plain, plain, plain_count, plain_count + hidden)
        count = hand_count(state, seat) - rules.hand_size
        least = count - hidden if hidden < count else 0
        return cards_of(1 << Verb.DISCARD, 0, plain, least, count)
    spare = 0
    if rules.surplus == Surplus.BURY:
        over = 0
    elif trumps.bit_count() + hidden > rules.hand_size:
        spare = trumps & ~rules.point_cards[trump]
    # The dealer who still takes the rest of the stock need not come down before that.
    waits = seat == state.dealer and rules.rob == Rob.WHOLE_STOCK
    least = plain_count if waits else plain_count + over
    most = plain_count + over + hidden
    return cards_of(1 << Verb.DISCARD, plain, plain | spare, least, most)


def legal_come_down(state: State, rules: Rules, seat: int, named: int) -> Legal:
    """The dealer lays off down to the hand size: plain cards first, then trumps without points.

    ``named`` are cards he names out of those the record did not know.
    """
    trump = named_trump(state)
    held = state.holding[seat] | named
    trumps = held & rules.trump_cards[trump]
    plain = held & ~trumps
    over = hand_count(state, seat) - rules.hand_size
    plain_count = plain.bit_count()
    may = plain if plain_count >= over else plain | trumps & ~rules.point_cards[trump]
    must = plain if plain_count <= over else 0
    return cards_of(1 << Verb.DISCARD, must, may, over, over)


def discard_faults(state: State, rules: Rules, action: Action) -> int:
    """What is wrong with laying cards off. A count follows from its cards, so it is judged last."""
    seat = action.seat
    if cannot_hold(state, rules, action):
        return Fault.CARD_NOT_HELD | 0
    if state.phase == Phase.COME_DOWN:
        legal = legal_come_down(state, rules, seat, action.cards)
    else:
        legal = legal_discard(state, rules, seat, action.cards)
    hidden = action.size - action.cards.bit_count()
    barred = action.cards & ~legal.may
    if barred & rules.point_cards[named_trump(state)]:
        return Fault.DISCARDED_POINTS | 0
    if barred or gave_up_trump(state, rules, action):
        return Fault.DISCARDED_TRUMP | 0
    if (legal.must & ~action.cards).bit_count() > hidden:
        return Fault.KEPT_PLAIN | 0
    if not legal.least <= action.size <= legal.most:
        return Fault.DISCARD_COUNT | 0
    return 0


def gave_up_trump(state: State, rules: Rules, action: Action) -> bool:
    """Did a hand not fully known lay off a trump and yet keep fewer cards than it may (S32)?"""
    if state.unknown[action.seat] == 0:
        return False
    short = hand_count(state, action.seat) - action.size < rules.hand_size
    return short and action.cards & rules.trump_cards[named_trump(state)] != 0


def do_discard(state: State, rules: Rules, action: Action) -> None:
    """Lay the cards off."""
    seat = action.seat
    laid_off = lay_down(state, rules, action)
    state.discarded[seat] |= laid_off
    state.discarded_unknown[seat] += action.size - laid_off.bit_count()
    state.pending &= ~(1 << seat)


def discards_due(state: State, rules: Rules) -> int:
    """Return the seats that have something to lay off.

    Where the cards that the record names do not demand it, those that it shows laying off.
    """
    due = 0
    for seat in range(rules.seats):
        legal = legal_discard(state, rules, seat, 0)
        if legal.least > 0 or (legal.most > 0 and state.will_discard >> seat & 1):
            due |= 1 << seat
    return due


def stock_left(state: State) -> int:
    """Return how many cards are left in the stock."""
    return state.stock_size - state.stock_next


def next_drawer(state: State, rules: Rules) -> int:
    """Return whose turn it is to be dealt cards: in rotation, the dealer not at all (S11).

    -1 while the seat in turn has not laid off, and when nobody needs cards or none are left. Each
    hand is filled at once, so who has drawn the wrong number is not asked again.
    """
    if stock_left(state) == 0:
        return -1
    seat = next_seat(rules, state.dealer)
    while seat != state.dealer:
        if state.pending >> seat & 1:
            return -1
        if hand_count(state, seat) < rules.hand_size and not state.filled >> seat & 1:
            return seat
        seat = next_seat(rules, seat)
    return -1


def legal_draw(state: State, rules: Rules, seat: int) -> Legal:
    """A seat is dealt the next cards of the stock up to the hand size, while they last (S13).

    Once a draw has gone wrong nobody can tell which cards are next.
    """
    need = rules.hand_size - hand_count(state, seat)
    left = stock_left(state)
    count = min(left, need)
    count = max(count, 0)
    cards = next_cards(state, count)
    if state.disordered:
        cards = 0
    if cards.bit_count() == count:
        return cards_of(1 << Verb.DRAW, cards, cards, count, count)
    return cards_of(1 << Verb.DRAW, cards, state.stock_set, count, count)


def next_cards(state: State, count: int) -> int:
    """Return those of the next ``count`` cards of the stock that the record names."""
    cards = 0
    for index in range(state.stock_next, state.stock_next + count):
        if state.stock[index] >= 0:
            cards |= 1 << state.stock[index]
    return cards


def draw_faults(state: State, rules: Rules, action: Action) -> int:
    """What is wrong with a draw."""
    if action.size > stock_left(state) or strange_to_stock(state, rules, action.cards):
        return Fault.CARD_NOT_IN_STOCK | 0
    if action.seat != next_drawer(state, rules):
        return Fault.DRAW_OUT_OF_TURN | 0
    legal = legal_draw(state, rules, action.seat)
    if not legal.least <= action.size <= legal.least + kept_plain(state, rules, action.seat):
        return Fault.DRAW_COUNT | 0
    hidden = action.size - action.cards.bit_count()
    if (legal.must & ~action.cards).bit_count() > hidden:
        return Fault.DRAW_ORDER | 0
    return 0


def kept_plain(state: State, rules: Rules, seat: int) -> int:
    """Return how many plain cards a hand kept that had to be laid off, which is found there."""
    if rules.discard != Discard.ALL_PLAIN:
        return 0
    return (state.holding[seat] & ~rules.trump_cards[named_trump(state)]).bit_count()


def strange_to_stock(state: State, rules: Rules, cards: int) -> int:
    """Return those of ``cards`` that cannot come from the stock."""
    cards &= ~named_stock(state)
    return cards & (~state.stock_set | out_of_stock(state, rules)) if cards else 0


def do_draw(state: State, rules: Rules, action: Action, faults: int) -> None:
    """Deal the cards out of the stock; what is due, left out and played later was drawn as well."""
    seat = action.seat
    cards = action.cards
    size = action.size
    if faults & (Fault.DRAW_COUNT | Fault.DRAW_ORDER):
        legal = legal_draw(state, rules, seat)
        left_out = legal.must & ~cards
        proved = left_out & state.will_play[seat]
        if size + proved.bit_count() <= legal.least:
            cards |= proved
            size += proved.bit_count()
        state.undrawn |= left_out & ~proved
        state.disordered = 1
    take_from_stock(state, seat, cards, size)
    state.filled |= 1 << seat


def take_from_stock(state: State, seat: int, cards: int, count: int) -> None:
    """Move ``count`` cards out of the stock to a seat, the named set ``cards`` among them.

    Cards named are taken wherever they lie, the others from the top.
    """
    hidden = count - cards.bit_count()
    total = hand_count(state, seat) + count
    named = cards
    while named:
        card = named.bit_length() - 1
        named &= ~(1 << card)
        lift_card(state, card)
        state.stock_next += 1
    taken = cards
    for _ in range(hidden):
        card = state.stock[state.stock_next]
        state.stock_next += 1
        if card >= 0:
            taken |= 1 << card
    state.holding[seat] |= taken
    state.unknown[seat] = total - state.holding[seat].bit_count()
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


def rob_need(state: State, rules: Rules, seat: int) -> int:
    """Return how many cards the dealer lacks for the hand size."""
    need = rules.hand_size - hand_count(state, seat)
    return max(need, 0)


def legal_rob(state: State, rules: Rules, seat: int) -> Legal:
    """The dealer takes all the rest, or every trump in it and fillers up to the hand size.

    Where the rest is too short for the hand size, he takes it whole and may make up with his own
    discards (S13).
    """
    left = stock_left(state)
    known = state.stock_set.bit_count() == left
    if rules.rob == Rob.WHOLE_STOCK:
        must = state.stock_set & ~state.undrawn if known else 0
        least = left - (state.stock_set & state.undrawn).bit_count()
        return cards_of(1 << Verb.ROB, must, state.stock_set, least, left)
    trumps = state.stock_set & ~state.undrawn & rules.trump_cards[named_trump(state)]
    need = rob_need(state, rules, seat)
    least = min(left, need)
    most = need
    may = state.stock_set
    if known and trumps.bit_count() > need:
        least = trumps.bit_count()
        most = least
    elif not known and most < left:
        most = left
    must = trumps if known else 0
    if need > left:
        must = state.stock_set & ~state.undrawn if known else 0
        may |= state.discarded[seat]
    return cards_of(1 << Verb.ROB, must, may, least, most)


def is_short(state: State, rules: Rules, seat: int) -> bool:
    """Is the rest of the stock too short for the dealer's hand, so that he makes up (S13)?"""
    return rules.rob == Rob.ALL_TRUMPS and rob_need(state, rules, seat) > stock_left(state)


def out_of_discards(state: State, rules: Rules, action: Action) -> int:
    """Return how many of the cards taken must come out of the dealer's own discards unseen."""
    seat = action.seat
    cards = action.cards
    if is_short(state, rules, seat):
        cards &= ~state.discarded[seat]
    seen = (action.cards ^ cards).bit_count()
    strange = strange_to_stock(state, rules, cards).bit_count()
    return max(0, strange, action.size - seen - stock_left(state))


def rob_faults(state: State, rules: Rules, action: Action) -> int:
    """What is wrong with robbing the stock."""
    seat = action.seat
    hidden = action.size - action.cards.bit_count()
    unseen = min(hidden, (state.discarded[seat] & ~action.cards).bit_count())
    limit = unseen + state.discarded_unknown[seat] if is_short(state, rules, seat) else 0
    if out_of_discards(state, rules, action) > limit:
        return Fault.CARD_NOT_IN_STOCK | 0
    if seat != state.dealer:
        return Fault.ROB_BY_OTHER | 0
    legal = legal_rob(state, rules, seat)
    if (legal.must & ~action.cards).bit_count() > hidden:
        return Fault.ROB_LEFT_TRUMPS | 0
    kept = kept_plain(state, rules, seat)
    if not legal.least <= action.size <= legal.most + kept:
        return Fault.ROB_COUNT | 0
    # Only trumps may go beyond the hand size, so a plain card among them is one too many.
    plain = action.cards & ~rules.trump_cards[named_trump(state)]
    over = action.size > rob_need(state, rules, seat) + kept and rules.rob == Rob.ALL_TRUMPS
    return Fault.ROB_COUNT | 0 if over and plain else 0


def do_rob(state: State, rules: Rules, action: Action, faults: int) -> None:
    """Move the cards to the dealer, out of the stock or out of his own discards.

    Cards not named are those that he is shown to play later. Are there others, nobody can tell
    what he left lying. Where he took too few, what he plays later he has taken as well.
    """
    seat = action.seat
    size = action.size
    if faults & (Fault.ROB_COUNT | Fault.ROB_LEFT_TRUMPS):
        proved = named_stock(state) & state.will_play[seat] & ~action.cards
        size += proved.bit_count()
    total = hand_count(state, seat) + size
    discards = state.discarded[seat] if is_short(state, rules, seat) else 0
    cards = action.cards
    rest = named_stock(state)
    proved = (rest | discards) & state.will_play[seat] & ~cards
    if is_short(state, rules, seat):
        proved |= rest & ~cards
    if (cards | proved).bit_count() <= size:
        cards |= proved
    own = cards & discards
    strange = strange_to_stock(state, rules, cards & ~own)
    count = min(size - (own | strange).bit_count(), stock_left(state))
    state.discarded[seat] &= ~own
    if cards.bit_count() < size:
        if discards:
            state.discarded_unknown[seat] += state.discarded[seat].bit_count()
            state.discarded[seat] = 0
        if count < stock_left(state):
            forget_stock(state, cards)
    state.discarded_unknown[seat] -= size - own.bit_count() - count
    from_stock = cards & ~own & state.stock_set
    while from_stock.bit_count() > count:
        from_stock &= from_stock - 1
    take_from_stock(state, seat, from_stock, count)
    state.holding[seat] |= cards
    state.unknown[seat] = total - state.holding[seat].bit_count()


def forget_stock(state: State, cards: int) -> None:
    """Nobody can tell which cards are left in the stock, but for ``cards``."""
    for index in range(state.stock_next, state.stock_size):
        if state.stock[index] >= 0 and not cards >> state.stock[index] & 1:
            state.stock[index] = -1
