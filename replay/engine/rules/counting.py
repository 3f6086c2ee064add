"""The count: which side scores which card, and the points that go with no single card.

Sources: 1.points, 4.drop-out, 8.points, 9.points, 14.points; C01, C15, O35, O85, S09, S54, S61.
"""

from tricklog.core.engine.policies import GamePoint, HighLow, LowTo, Surplus
from tricklog.core.engine.records import NO_TRUMPS, Rules, State, highest_first, union
from tricklog.core.engine.rules.table import named_trump, side_of

NO_SIDE = -1


def game_count(card: int) -> int:
    """Return what a card adds to the count called game: ten 10, A 4, K 3, Q 2, J 1 (C15)."""
    rank = card % 13
    return 10 if rank == 8 else max(0, rank - 8)


def ahead_in_count(rules: Rules, counted: list[int]) -> int:
    """Return the side that has counted most, ``NO_SIDE`` when another has as much (C15)."""
    best = 0
    shared = False
    for side in range(1, rules.side_count):
        if counted[side] > counted[best]:
            best = side
            shared = False
        elif counted[side] == counted[best]:
            shared = True
    return NO_SIDE if shared else best


def settle_low(state: State, rules: Rules) -> None:
    """Score the two of trumps for who holds it as play begins (S09), or has laid it off (S61)."""
    low = rules.low_card[named_trump(state)]
    if rules.low_to == LowTo.WINNER or low < 0:
        return
    # No trump stands in for a two that may be laid off.
    scores_laid_off = (
        rules.surplus == Surplus.DISCARD_THEN_BURY and rules.high_low != HighLow.IN_PLAY
    )
    for seat in range(rules.seats):
        if rules.low_to == LowTo.HOLDER and state.holding[seat] >> low & 1:
            state.low_seat = seat
        elif scores_laid_off and state.discarded[seat] >> low & 1:
            state.low_seat = seat
            score_card(state, rules, low, side_of(rules, seat))


def name_high_and_low(state: State, rules: Rules) -> None:
    """Say which trumps stand in for an ace or a two that nobody has when play begins (C15).

    Where the record does not name all cards in hand, it may be one of those.
    Where low is its holder's, that side scores the two at once, for the trump that stands in has
    only its own points left to be won (O85).
    """
    trump = named_trump(state)
    if rules.high_low != HighLow.IN_PLAY or trump == NO_TRUMPS:
        return
    trumps = rules.trump_cards[trump] & union(state.holding[seat] for seat in range(rules.seats))
    hidden = any(state.unknown[seat] for seat in range(rules.seats))
    both = 1 << ace_of(trump) | 1 << two_of(trump)
    if hidden and trumps & both != both:
        state.doubt = 1
        return
    if trumps and not trumps >> ace_of(trump) & 1:
        state.high_stand_in = strongest(rules, trump, trumps, 1)
    if trumps and not trumps >> two_of(trump) & 1:
        low = strongest(rules, trump, trumps, -1)
        if rules.low_to == LowTo.WINNER:
            state.low_stand_in = low
            return
        for seat in range(rules.seats):
            if state.holding[seat] >> low & 1:
                state.low_seat = seat
                score_card(state, rules, two_of(trump), side_of(rules, seat))


def ace_of(suit: int) -> int:
    """Return the ace of a suit."""
    return suit * 13 + 12


def two_of(suit: int) -> int:
    """Return the two of a suit."""
    return suit * 13


def strongest(rules: Rules, trump: int, cards: int, sign: int) -> int:
    """Return the highest of a set of trumps with ``sign`` 1, the lowest with -1."""
    best = -1
    for card in highest_first(cards):
        rank = sign * rules.strength[trump][card]
        if best < 0 or rank > sign * rules.strength[trump][best]:
            best = card
    return best


def worth_of(state: State, rules: Rules, card: int) -> int:
    """Return the points of a card, and those of high or low if it stands in for them (C15)."""
    trump = named_trump(state)
    worth = rules.points[trump][card]
    if card == state.high_stand_in:
        worth += rules.points[trump][ace_of(trump)]
    if card == state.low_stand_in:
        worth += rules.points[trump][two_of(trump)]
    return worth


def cards_that_count(state: State, rules: Rules) -> int:
    """Return the cards with points of their own or those of high or low (C15)."""
    cards = rules.point_cards[named_trump(state)]
    if state.high_stand_in >= 0:
        cards |= 1 << state.high_stand_in
    if state.low_stand_in >= 0:
        cards |= 1 << state.low_stand_in
    return cards


def score_card(state: State, rules: Rules, card: int, side: int) -> int:
    """Score a card for a side; return its points."""
    worth = worth_of(state, rules, card)
    if worth:
        state.points[side] += worth
        state.taken[side] |= 1 << card
    return worth


def count_trick(state: State, rules: Rules, winner: int) -> int:
    """Count the trick on the table, its two for whom it counts; return the points of its winner."""
    # Points do not depend on a hidden trump where every suit counts, and elsewhere it is open.
    low = rules.low_card[named_trump(state)] if rules.low_to != LowTo.WINNER else NO_SIDE
    side = side_of(rules, winner)
    together = state.on_table
    if state.trick == 1:
        together |= union(state.buried[seat] for seat in range(rules.seats))
    if rules.game_point == GamePoint.COUNT:
        count_game(state, together, side)
    if low >= 0 and together >> low & 1:
        state.low_seat = put_by(state, rules, low)
        score_card(state, rules, low, side_of(rules, state.low_seat))
        together &= ~(1 << low)
    return score_cards(state, rules, together & cards_that_count(state, rules), side)


def score_cards(state: State, rules: Rules, cards: int, side: int) -> int:
    """Score cards for a side; return their points."""
    return sum(score_card(state, rules, card, side) for card in highest_first(cards))


def put_by(state: State, rules: Rules, card: int) -> int:
    """Return the seat that has put a card to the trick on the table, or under it."""
    for seat in range(rules.seats):
        if state.trick_cards[seat] == card or state.buried[seat] >> card & 1:
            return seat
    return -1


def count_game(state: State, cards: int, side: int) -> None:
    """Add what a side has taken to its count called game (C15)."""
    state.counted[side] += sum(game_count(card) for card in highest_first(cards))


def close_count(state: State, rules: Rules, winner: int) -> None:
    """All tricks are played: count the last one, if its ``winner`` is known (O35), and game."""
    if winner >= 0:
        state.points[side_of(rules, winner)] += rules.last_trick_points
    if rules.game_point == GamePoint.COUNT:
        side = ahead_in_count(rules, state.counted)
        if side != NO_SIDE:
            state.points[side] += 1
