"""Who sits where, who is next, and what a seat may do: the words all rules share.

Sources: 0.deal, 0.order, 0.conservation, 1.players, 14.players; O07, S13, S19, S26.
"""

from typing import NamedTuple

from tricklog.core.engine import policies
from tricklog.core.engine.records import NO_TRUMPS, Rules, State, union
from tricklog.schemas.actions import NO_TRUMP_REVERSED, SEVENTH_CARD, SUIT_REVERSED


class Legal(NamedTuple):
    """What one seat may do now: an answer given before anything is judged.

    ``verbs`` is a bit mask of ``tricklog.schemas.actions.Verb``. For calls ``low`` to ``high`` are
    the bids (0, 0: none), besides them ``top``, the highest number, and ``special``, the bid above
    all numbers (0: none). For cards: must ⊆ chosen ⊆ may, from ``least`` to ``most`` cards,
    ``floor`` to ``limit`` of them out of ``limited``. ``trumps`` are the trumps to name, bits by
    code.
    """

    verbs: int
    must: int = 0
    may: int = 0
    least: int = 0
    most: int = 0
    limited: int = 0
    floor: int = 0
    limit: int = 0
    low: int = 0
    high: int = 0
    top: int = 0
    special: int = 0
    trumps: int = 0


def within_limits(options: Legal, cards: int) -> bool:
    """Are there enough cards out of ``limited`` among ``cards``, and not too many?"""
    few = (cards & options.limited).bit_count()
    return not options.limited or options.floor <= few <= options.limit


def next_seat(rules: Rules, seat: int) -> int:
    """Return the seat after ``seat`` in the direction of play."""
    return (seat + rules.step) % rules.seats


def next_to_call(rules: Rules, seat: int) -> int:
    """Return the seat after ``seat`` in the direction of the calls (O69)."""
    return (seat + rules.call_step) % rules.seats


def side_of(rules: Rules, seat: int) -> int:
    """Return the side a seat plays for: every other seat together, or each for itself."""
    return seat & 1 if rules.sides == policies.Sides.PARTNERS else seat


def sides_of_last_trick(state: State, rules: Rules) -> int:
    """Return the sides, as bits, that may have won the last trick: all, if a card is not named."""
    if state.unsure:
        return (1 << rules.side_count) - 1
    return 1 << side_of(rules, state.winner)


def partner_of(rules: Rules, seat: int) -> int:
    """Return the seat opposite, which in partnerships is the partner's."""
    return (seat + rules.seats // 2) % rules.seats


def all_seats(rules: Rules) -> int:
    """Return the set of all seats as a bit mask."""
    return (1 << rules.seats) - 1


def next_of(rules: Rules, seats: int, seat: int) -> int:
    """Return the first seat of the set ``seats`` after ``seat``, -1 when the set is empty."""
    return next_by(rules, seats, seat, rules.step)


def next_by(rules: Rules, seats: int, seat: int, step: int) -> int:
    """Return the first seat of ``seats`` after ``seat``, going by ``step``, -1 for an empty set."""
    for _ in range(rules.seats):
        seat = (seat + step) % rules.seats
        if seats >> seat & 1:
            return seat
    return -1


def hand_count(state: State, seat: int) -> int:
    """Return how many cards a seat holds, named by the record or not."""
    return state.holding[seat].bit_count() + state.unknown[seat]


def takes_whole_stock(rules: Rules) -> bool:
    """Does the dealer take all that is left of the stock (4.rob, O66)?"""
    return rules.rob in (policies.Rob.WHOLE_STOCK, policies.Rob.WHOLE_STOCK_FIRST)


def named_stock(state: State) -> int:
    """Return the cards left in the stock that the record names, or leaves no choice about."""
    if state.stock_set.bit_count() == state.stock_size - state.stock_next:
        return state.stock_set
    return stock_between(state, state.stock_next, state.stock_size)


def stock_between(state: State, first: int, end: int) -> int:
    """Return the cards of the stock that the record names from one place to another."""
    return union(1 << state.stock[at] for at in range(first, end) if state.stock[at] >= 0)


def out_of_stock(state: State, rules: Rules) -> int:
    """Return the cards known to be anywhere but in the stock."""
    elsewhere = state.seen | state.kitty | state.seventh
    return elsewhere | union(
        state.holding[seat] | state.reserve[seat] | state.discarded[seat]
        for seat in range(rules.seats)
    )


def known_elsewhere(state: State, rules: Rules) -> int:
    """Return the cards known to be somewhere: a card that is not named can be none of them."""
    return out_of_stock(state, rules) | named_stock(state)


def may_hold_all(state: State, rules: Rules, seat: int, cards: int) -> bool:
    """Are all of ``cards``, as far as the record tells, among those of a hand it does not name?"""
    if cards.bit_count() > state.unknown[seat]:
        return False
    return cards == 0 or cards & known_elsewhere(state, rules) == 0


def laid_off_cards(state: State, rules: Rules) -> int:
    """Return the cards laid off by anybody that the record names."""
    return union(state.discarded[seat] for seat in range(rules.seats))


def laid_off_unknown(state: State, rules: Rules) -> int:
    """Return how many cards laid off by anybody the record does not name."""
    return sum(state.discarded_unknown[seat] for seat in range(rules.seats))


def points_that_may_go(state: State, rules: Rules) -> int:
    """Return the point cards that may be laid off, for their points count for the others (O07)."""
    if rules.discarded_points != policies.DiscardedPoints.OPPONENTS:
        return 0
    return rules.point_cards[named_trump(state)]


def points_to_keep(state: State, rules: Rules) -> int:
    """Return the point cards that may not be laid off."""
    return rules.point_cards[named_trump(state)] & ~points_that_may_go(state, rules)


def shown_to_keep(state: State, rules: Rules, seat: int) -> int:
    """Return the cards that stay in a hand because it is shown to play them later.

    Before the tricks a card laid off may come back, and then it is no proof: to a dealer who makes
    up or chooses from discards (S13, S19, S26), to anybody whose discard may be changed or dealt.
    """
    shown = state.will_play[seat]
    if state.trick > 0:
        return shown
    trump = named_trump(state)
    dealt_again = rules.empty_stock == policies.EmptyStock.DISCARDS or rules.discard_changeable == 1
    robs = seat == state.dealer and rules.rob != policies.Rob.NOTHING
    free = (
        rules.discard == policies.Discard.ANY
        or rules.rob == policies.Rob.STOCK_AND_DISCARDS
        or rules.search_discards == 1
        or rules.discards_claimed == 1
    )
    if (robs or dealt_again) and free:
        return 0
    if not (robs or dealt_again):
        return shown
    # Point cards may have been laid off and come back where that is no fault (O07, O23).
    may_go = rules.discarded_points != policies.DiscardedPoints.NOBODY
    points = rules.point_cards[trump]
    if (dealt_again and rules.surplus != policies.Surplus.BURY) or (
        robs and rules.rob == policies.Rob.TO_SIZE
    ):
        return 0 if may_go else shown & points
    # A dealer in need gets plain cards back, trumps are not laid off for that.
    return shown & rules.trump_cards[trump] & ~(points if may_go else 0)


def cannot_hold(state: State, rules: Rules, seat: int, cards: int, size: int) -> bool:
    """Can an action of ``size`` cards, among them the ``cards`` it names, not come from this hand?

    A card that the record does not name may be any card that is nowhere else (0.conservation).
    """
    held = state.holding[seat]
    strange = cards & ~held
    spare = state.unknown[seat] - strange.bit_count()
    if spare < 0:
        return True
    hidden = size - cards.bit_count()
    if hidden:
        others = held & ~cards & ~shown_to_keep(state, rules, seat)
        if hidden > spare + others.bit_count():
            return True
    return strange != 0 and strange & (~rules.pack | known_elsewhere(state, rules)) != 0


def lay_down(state: State, rules: Rules, seat: int, cards: int, size: int) -> int:
    """Take ``size`` cards, some or all of them named, out of a hand; return those known to go.

    Of cards it does not name, those that the seat is shown to play later have stayed. Are there
    just as many others, they have gone; if more, it stays open which.
    """
    left = hand_count(state, seat) - size
    hidden = size - cards.bit_count()
    held = state.holding[seat] & ~cards
    gone = cards
    if hidden:
        kept = held & shown_to_keep(state, rules, seat)
        others = held & ~kept
        if held.bit_count() == left + hidden and others.bit_count() == hidden:
            gone |= others
        held = kept
    state.holding[seat] = held
    state.unknown[seat] = left - held.bit_count()
    return gone


def pick_up(state: State, seat: int, cards: int, count: int) -> None:
    """Put ``count`` cards into a hand, which then holds ``cards`` among others not named."""
    total = hand_count(state, seat) + count
    state.holding[seat] |= cards
    state.unknown[seat] = total - state.holding[seat].bit_count()


def live_trump(state: State, rules: Rules) -> int:
    """Return the suit that is trumps for play now, ``NO_TRUMPS`` while it is hidden (14.ask)."""
    if state.trump < 0 or (rules.trump_call == policies.TrumpCall.SECRET and not state.revealed):
        return NO_TRUMPS
    return state.trump


def named_trump(state: State) -> int:
    """Return the trump suit that was named, shown or not, or ``NO_TRUMPS``."""
    return NO_TRUMPS if state.trump < 0 else state.trump


def trump_code(state: State) -> int:
    """Return the code by which a log names the trumps chosen."""
    if state.trump < 0 and state.seventh_called:
        return SEVENTH_CARD
    if state.trump < 0 or not state.reversed:
        return state.trump
    return NO_TRUMP_REVERSED if state.trump == NO_TRUMPS else state.trump + SUIT_REVERSED


def end(state: State) -> None:
    """Nothing more happens in this hand."""
    state.phase = policies.Phase.OVER
    state.turn = -1


def end_if_played_out(state: State) -> None:
    """The hand is over when nobody is left to play."""
    if state.pending == 0:
        end(state)
