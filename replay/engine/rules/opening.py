"""The first state of a hand: cards dealt, laid aside and left over, and what is shown later.

Cards come in one flat list with the bounds of each part, as a log lists them; -1 is a card that the
record does not name. Sources: 0.deal; S74.
"""

from collections.abc import Sequence

from tricklog.core.engine.policies import Discard, Doubling, OddCard, Rob
from tricklog.core.engine.records import Rules, State, union
from tricklog.core.engine.rules.auction import suit_of
from tricklog.core.engine.rules.discard import gives_after_discard
from tricklog.core.engine.rules.scoring import CALLS as STAKE_CALLS
from tricklog.core.engine.rules.table import all_seats, partner_of
from tricklog.schemas.actions import TRUMP_NOT_RECORDED, Verb
from tricklog.schemas.scan.actions import AnyAction

Actions = Sequence[AnyAction]

GOES_TO_TRICK = 1 << Verb.PLAY | 1 << Verb.BURY
LAYS_OFF = 1 << Verb.DISCARD | 1 << Verb.DISCARD_UP
FROM_STOCK = 1 << Verb.DRAW | 1 << Verb.ROB
SHOWS_EXCHANGE = LAYS_OFF | FROM_STOCK | 1 << Verb.GIVE | 1 << Verb.FOLD
"""Verbs of the exchange that prove something of what their seat held, or meant, before."""
SHOWS_AHEAD = GOES_TO_TRICK | SHOWS_EXCHANGE
"""Verbs that prove so, those of the play among them."""
CONCERNS_TRUMPS = 1 << Verb.TRUMP | 1 << Verb.REVEAL | STAKE_CALLS
"""Verbs that name trumps, show them, or raise the stake once they are named."""

MADE_BITS = 6
MADE_MOST = 63
"""Lay-offs are counted by seat in one number; nobody makes more than a few."""

UNLISTED = -1
"""In place of the end of a part of the deal: the record does not list it at all."""


def odd_cards(rules: Rules) -> int:
    """Return how many cards are over when the pack has been dealt, for the dealer to take (S74)."""
    over = rules.pack_size - rules.seats * rules.dealt - rules.kitty_size
    return over if rules.odd_card == OddCard.DEALER and over < rules.seats else 0


def deal_seat(
    state: State, rules: Rules, seat: int, cards: Sequence[int], first: int, last: int, size: int
) -> int:
    """Give a seat its first packet now and the later ones to come; return the cards it is dealt.

    ``cards[first:last]`` are listed; up to ``size`` the seat was dealt others, not listed. A card
    written twice in one packet stands for some other card the second time.
    """
    end = min(last, first + size)
    middle = min(end, first + rules.packet)
    now = known_cards(cards, first, middle)
    later = known_cards(cards, middle, end)
    state.holding[seat] = now
    state.unknown[seat] = min(size, rules.packet) - now.bit_count()
    state.reserve[seat] = later
    state.reserve_unknown[seat] = max(0, size - rules.packet) - later.bit_count()
    if rules.seventh_card and 2 <= size == rules.dealt:
        place = first + size - 2
        state.last_but_one[seat] = cards[place] if place < last else UNLISTED
    return now | later


def known_cards(cards: Sequence[int], first: int, last: int) -> int:
    """Return the cards of ``cards[first:last]`` that the record names, as a set."""
    return union(1 << cards[place] for place in range(first, last) if cards[place] >= 0)


def lay_kitty(state: State, rules: Rules, cards: Sequence[int], first: int, last: int) -> None:
    """Lay the kitty aside; a ``last`` below ``first`` says that it is not listed."""
    size = rules.kitty_size if last < first else last - first
    state.kitty = known_cards(cards, first, last)
    state.kitty_unknown = size - state.kitty.bit_count()


def stock_size(state: State, rules: Rules) -> int:
    """Return how many cards are left over; the odd card may be listed with the dealer's (S74)."""
    size = rules.pack_size - rules.seats * rules.dealt - rules.kitty_size
    dealer = state.dealer
    listed = state.reserve[dealer].bit_count() + state.reserve_unknown[dealer]
    return size - odd_cards(rules) if listed > rules.dealt - rules.packet else size


def lay_stock(
    state: State,
    rules: Rules,
    cards: Sequence[int],
    first: int,
    last: int,
    size: int,
    elsewhere: int,
) -> int:
    """Lay the stock of ``size`` cards, maybe those not ``elsewhere``; return those listed there."""
    state.stock_size = size
    named, together = 0, 0
    for place in range(min(size, last - first)):
        card = cards[first + place]
        if card >= 0:
            state.stock[place] = card
            together |= 1 << card
            named += 1
    state.stock_set = together if named == size else rules.pack & ~elsewhere
    return together


def leaves_undealt(rules: Rules, actions: Actions, count: int, listed: int) -> bool:
    """Does a record of a deal that ended after its first packet list the undealt cards as stock?

    Later packets are dealt once trumps are named: not to a tenny, nor to a deal thrown in before.
    ``listed``: how many cards it lists as stock, below 0 for none.
    """
    if listed != undealt(rules):
        return False
    return all(actions[index].verb != Verb.TRUMP for index in range(count))


def undealt(rules: Rules) -> int:
    """Return how many cards are left over after the first packet."""
    return rules.pack_size - rules.seats * rules.packet - rules.kitty_size


def look_at_trumps(state: State, actions: Actions, count: int) -> None:
    """Note what the first ``count`` actions show later of the trump and the stake."""
    named = False
    for index in range(count):
        action = actions[index]
        if not CONCERNS_TRUMPS >> action.verb & 1:
            continue
        if action.verb == Verb.REVEAL and state.will_show == TRUMP_NOT_RECORDED:
            state.will_show = suit_of(action.amount)
        if named:
            state.will_raise += STAKE_CALLS >> action.verb & 1
        elif action.verb == Verb.TRUMP:
            named = True


def look_at_play(state: State, rules: Rules, actions: Actions, count: int) -> int:
    """Note what seats are shown to put to tricks, and hold until then; return the verbs as bits."""
    verbs = 0
    for index in range(count):
        action = actions[index]
        verb, seat = action.verb, action.seat
        verbs |= 1 << verb
        if seat >= rules.seats or not GOES_TO_TRICK >> verb & 1:
            continue
        state.will_play[seat] |= action.cards
        if verb == Verb.BURY:
            state.buries_ahead[seat] += 1
        elif action.card < 0:
            state.hidden_plays[seat] += 1
    return verbs


def look_at_stock(state: State, rules: Rules, actions: Actions, count: int) -> None:
    """Note what the actions show of draws in several goes, and of a rob before any lay-off."""
    drawer, laid_off = -1, 0
    clears_first = rules.discard != Discard.ANY and rules.rob in (Rob.ALL_TRUMPS, Rob.WHOLE_STOCK)
    for index in range(count):
        verb, seat = actions[index].verb, actions[index].seat
        if seat >= rules.seats or not SHOWS_AHEAD >> verb & 1:
            continue
        if verb == Verb.DRAW and drawer == seat:
            state.redraws[seat] += 1
        if drawer == seat or verb == Verb.ROB:
            drawer = -1
        if verb == Verb.DRAW:
            drawer = seat
        elif verb == Verb.ROB:
            state.rob_ahead = 1
        elif seat == state.dealer and 1 << verb & LAYS_OFF and not laid_off:
            laid_off = 1
            state.robs_first = 1 if state.rob_ahead and clears_first else 0
    if drawer >= 0 and actions[count - 1].verb == Verb.DRAW:
        state.cut_draw = drawer


def look_ahead(state: State, rules: Rules, actions: Actions, count: int) -> None:
    """Note what the first ``count`` actions show of what each seat holds and means to do."""
    verbs = look_at_play(state, rules, actions, count)
    if verbs & FROM_STOCK:
        look_at_stock(state, rules, actions, count)
    if verbs & SHOWS_EXCHANGE:
        look_at_exchange(state, rules, actions, count)
    # Without an action it is no record yet, and anything may follow.
    if verbs:
        state.will_raise = 0
    if verbs >> Verb.REVEAL & 1 or rules.doubling != Doubling.NONE:
        look_at_trumps(state, actions, count)


def look_at_exchange(state: State, rules: Rules, actions: Actions, count: int) -> None:
    """Note what the first ``count`` actions show of laying off, giving, folding and the rob.

    A lay-off may be recorded in several actions. It ends where its seat does something else, or is
    given cards; what is laid off after a draw or the rob is another one, and so it is after a gift
    where surplus is given only after the discard.
    """
    going_on, ended, begun, drawn = 0, 0, 0, 0
    made, robbed = 0, 0
    for index in range(count):
        action = actions[index]
        verb, seat = action.verb, action.seat
        if seat >= rules.seats or not SHOWS_EXCHANGE >> verb & 1:
            continue
        if LAYS_OFF >> verb & 1:
            if drawn >> seat & 1:
                # Hands come down to size again: nobody still lays off what they were dealt.
                going_on = 0
                ended = all_seats(rules)
            before = made >> MADE_BITS * seat & MADE_MOST
            if going_on >> seat & 1 and 0 < before < MADE_MOST:
                state.split_discards[seat] |= 1 << before - 1
            state.discards_ahead[seat] += 1 - (ended >> seat & 1)
            state.late_discards[seat] += ended >> seat & 1
            made += 1 << MADE_BITS * seat if before < MADE_MOST else 0
            going_on |= 1 << seat
            begun |= 1 << seat
        elif verb == Verb.GIVE:
            partner = partner_of(rules, seat)
            if robbed and seat == state.dealer:
                state.late_gift = 1
            else:
                state.gifts_ahead |= 1 << seat
                state.given_ahead[seat] += action.size
            # Where surplus is given after the discard, its giver comes down with what follows.
            through = 1 << seat if gives_after_discard(rules) else 0
            going_on &= ~(through | 1 << partner)
            ended |= through | 1 << partner & begun
        elif verb == Verb.FOLD:
            state.folds_ahead |= 1 << seat
        elif verb == Verb.DRAW:
            going_on &= ~(1 << seat)
            ended |= 1 << seat
            drawn |= 1 << seat
        elif verb == Verb.ROB:
            going_on = 0
            ended = all_seats(rules)
            robbed = 1
