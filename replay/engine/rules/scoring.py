"""The count, the contract, its stake and its score, pairs and playing alone.

Sources: 1.points, 1.score, 2.score, 4.drop-out, 4.score, 6.score, 8.points, 8.score, 9.points,
9.score, 11.score, 14.pair, 14.points, 14.score, 16.pair, 17.pair; C01, C10, C15, C18, C21, C27 to
C29, S09, S10, S16, S18, S21, S46, S54, S61, S69, S81, S82, S87, S89 to S91, S93 to S95, S97, S102,
S103; O35, O42 to O47, O52, O53, O55, O63, O74, O75, O79, O85, O87.
"""

from typing import NamedTuple

from tricklog.core.engine import policies
from tricklog.core.engine.faults import Fault
from tricklog.core.engine.records import NO_TRUMPS, NOT_PLAYED, Rules, State, highest_first, union
from tricklog.core.engine.rules import auction, hidden_trump, table
from tricklog.schemas.actions import BID_28_56, BID_DOUBLE, MAX_BID, Verb
from tricklog.schemas.scan.actions import AnyAction

NOT_NAMED = -1
NO_SIDE = -1


class Score(NamedTuple):
    """How a hand ended: ``result``, ``need`` in card points, ``stake`` in game points."""

    result: int
    need: int
    stake: int


MADE, SET, VOID, THROWN_IN = range(4)

STAKES = (1, 2, 4, 6)
"""Game points by how often the stake was raised."""


def points_of(state: State, side: int) -> int:
    """Return the points a side has: taken in tricks, and of cards the others laid off (S18)."""
    return state.points[side] + state.discard_points[side]


def maker_of(state: State) -> int:
    """Return the seat whose contract is played: who plays alone, else who won the auction (S90)."""
    return state.solo if state.solo >= 0 else state.maker


def points_bid(rules: Rules, bid: int) -> int:
    """Return the points a bid undertakes to take: its number, or all with 28-56 (O04)."""
    if bid == BID_28_56:
        return rules.all_points
    return bid - BID_DOUBLE if bid > BID_DOUBLE else bid


def points_needed(state: State, rules: Rules) -> int:
    """Return what the makers must take: the bid, changed by a declared pair (14.pair).

    Their own pair lowers it, never below the lowest bid, and where only high bids gain by it these
    alone (O63, S102). The pair of the others raises it up to a limit (S103).
    """
    bid = points_bid(rules, state.high_bid)
    if state.pair_side < 0:
        return bid
    if state.pair_side == table.side_of(rules, state.maker):
        if bid < rules.pair_from:
            return bid
        return max(min(bid, rules.min_bid), bid - rules.pair_shift)
    return min(max(bid, rules.pair_cap), bid + rules.pair_shift)


def stake_of(state: State, rules: Rules) -> int:
    """Return the game points at stake: raised (O42 to O45, C28, T122), or by a high bid (O79)."""
    raised = state.doubles + reaches(state, rules.auto_double)
    worth = 1 + reaches(state, rules.stake_two_from) + reaches(state, rules.stake_three_from)
    return worth * STAKES[min(raised, 3)]


def reaches(state: State, number: int) -> int:
    """Return 1 if the bid is ``number`` or more, 0 if it is less, or there is no such number."""
    return 1 if 0 < number <= state.high_bid else 0


def missed_by_far(state: State, rules: Rules, points: int) -> bool:
    """Are ``points`` less than half of the number the makers called, or just half (C29, S94)?"""
    twice = 2 * points
    bid = points_bid(rules, state.high_bid)
    if rules.half_rule == policies.HalfRule.LESS_THAN_HALF:
        return twice < bid
    return rules.half_rule == policies.HalfRule.UP_TO_HALF and twice <= bid


def score_hand(state: State, rules: Rules) -> Score:
    """Say how the hand ended: void (S81), unless it counts (O72), if trumps were never shown."""
    if state.thrown_in or maker_of(state) < 0:
        return Score(THROWN_IN, 0, 0)
    if state.solo >= 0:
        return score_alone(state, rules)
    need = points_needed(state, rules)
    unshown = rules.trump_call == policies.TrumpCall.SECRET and not state.revealed
    if unshown and rules.unshown == policies.Unshown.VOID:
        return Score(VOID, need, 0)
    stake = stake_of(state, rules)
    # One side has taken every trick of the hand, played to its end (O73).
    is_sweep = not state.decided and not both_have_won(state, rules)
    if rules.sweep == policies.Sweep.DOUBLES and is_sweep:
        stake *= 2
    taken = points_of(state, table.side_of(rules, state.maker))
    if taken >= need:
        return Score(MADE, need, stake)
    return Score(SET, need, 2 * stake if missed_by_far(state, rules, taken) else stake)


def both_have_won(state: State, rules: Rules) -> bool:
    """Have the makers and the others each won a trick?"""
    won = 0
    for seat in range(rules.seats):
        is_maker = table.side_of(rules, seat) == table.side_of(rules, state.maker)
        won |= (2 if is_maker else 1) if state.tricks_won[seat] else 0
    return won == 3


def score_alone(state: State, rules: Rules) -> Score:
    """Say how a hand of all tricks alone ended: one lost loses it, and no doubles count (S90)."""
    stake = rules.tenny_stake if state.tenny else rules.solo_stake
    return Score(SET if is_lost(state, rules) else MADE, 0, stake)


def change_of(state: State, rules: Rules, score: Score, side: int) -> int:
    """Return what is added to the running score of a side."""
    if score.result > SET:
        return 0
    if state.solo >= 0:
        # The maker wins or loses the stake; the score of the others does not change (14.score).
        stake = score.stake if score.result == MADE else -score.stake
        return stake if side == table.side_of(rules, state.solo) else 0
    if score.result == MADE:
        return change_when_made(state, rules, score, side)
    return change_when_set(state, rules, score, side)


def change_when_made(state: State, rules: Rules, score: Score, side: int) -> int:
    """Return what a side adds after a contract made, without a bid for being ahead (S21)."""
    maker = table.side_of(rules, state.maker)
    bid, taken = state.high_bid, points_bid(rules, state.high_bid)
    if side == maker and bid == BID_28_56:
        return 56
    # The highest bid may have a price of its own (O03, S69).
    doubled = bid > BID_DOUBLE or (
        bid == rules.max_bid and rules.slam == policies.Slam.DOUBLE_IF_MADE
    )
    if side == maker and doubled:
        return 2 * taken
    if rules.made == policies.Made.DIFFERENCE or state.no_contract:
        return max(0, points_of(state, side) - best_of_others(state, rules, side))
    if rules.made == policies.Made.BID_LESS_OTHERS:
        gain = taken - best_of_others(state, rules, maker)
        return max(0, gain if side == maker else -gain)
    if side != maker:
        return points_of(state, side) if rules.defenders == policies.Defenders.OWN_POINTS else 0
    if rules.made == policies.Made.GAME_POINT:
        return score.stake
    return taken if rules.made == policies.Made.BID else points_of(state, side)


def change_when_set(state: State, rules: Rules, score: Score, side: int) -> int:
    """Return what a side adds after a contract that was not made (C10, C18, S27, S40, S46, S67)."""
    # Its number, or 28, or twice the number (O04, S69).
    bid = state.high_bid
    lost = 28 if bid == BID_28_56 else 2 * (bid - BID_DOUBLE) if bid > BID_DOUBLE else bid
    if side != table.side_of(rules, state.maker):
        if rules.defenders == policies.Defenders.BID_AND_OWN_IF_SET:
            return lost + points_of(state, side)
        return points_of(state, side) if rules.defenders == policies.Defenders.OWN_POINTS else 0
    if rules.failed == policies.Failed.NOTHING:
        return 0
    if rules.failed == policies.Failed.MINUS_GAME_POINT:
        return -score.stake
    if rules.failed == policies.Failed.MINUS_POINTS and state.high_bid <= MAX_BID:
        return -points_of(state, side)
    return -lost


def best_of_others(state: State, rules: Rules, side: int) -> int:
    """Return the most points that any other side has."""
    return max(
        (max(0, points_of(state, other)) for other in range(rules.side_count) if other != side),
        default=0,
    )


# --- Raising the stake after trumps are chosen


RAISES = 1 << Verb.DOUBLE | 1 << Verb.REDOUBLE | 1 << Verb.SUPER
CALLS = RAISES | 1 << Verb.PASS
NO_RAISE = -1


def next_raise(state: State, rules: Rules) -> int:
    """Return the verb by which the stake can be raised now (O45), ``NO_RAISE`` when it stays."""
    if 0 < rules.auto_double <= state.high_bid:
        may_double = state.doubles == 0 and rules.doubling != policies.Doubling.NONE
        return Verb.DOUBLE if may_double else NO_RAISE
    return NO_RAISE if state.doubles >= rules.doubling else Verb.DOUBLE + state.doubles


def raisers(state: State, rules: Rules) -> int:
    """Return the seats of the side whose turn it is: defenders, makers, defenders (S89)."""
    verb = next_raise(state, rules)
    if verb == NO_RAISE:
        return 0
    makers = table.side_of(rules, state.maker)
    return sum(
        1 << seat
        for seat in range(rules.seats)
        if (table.side_of(rules, seat) == makers) == (verb == Verb.REDOUBLE)
    )


def open_stake(state: State, rules: Rules) -> bool:
    """Let the side speak whose turn it is; return whether it can, and the record has it speak."""
    state.pending = raisers(state, rules)
    state.turn = table.next_of(rules, state.pending, state.maker)
    return state.pending != 0 and state.will_raise != 0


def stake_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with raising the stake, or with leaving it as it is."""
    waited_for = state.phase == policies.Phase.DOUBLE and state.pending >> action.seat & 1
    if action.verb == Verb.PASS:
        return 0 if waited_for else Fault.NOT_NOW
    if rules.doubling == policies.Doubling.NONE:
        return Fault.NOT_NOW
    # Who of two partners raises the stake is free (S89).
    may_raise = waited_for and action.verb == next_raise(state, rules)
    return 0 if may_raise else Fault.DOUBLE_NOT_ALLOWED


def do_stake(state: State, rules: Rules, action: AnyAction) -> bool:
    """Raise the stake, or leave it; return whether somebody may still raise it."""
    if action.verb == Verb.PASS:
        state.pending &= ~(1 << action.seat)
        state.turn = table.next_of(rules, state.pending, state.turn)
        return state.pending != 0 and state.will_raise != 0
    state.doubles += 1
    return open_stake(state, rules)


# --- King and queen of trumps: when they may be declared, and by whom


def may_pair(state: State, rules: Rules, seat: int) -> bool:
    """Is it the moment to declare, for a player who holds both? Never without trumps (O37, S87).

    Nor in a hand alone (S90). It is between two tricks, or with a ruff, or at any time once trumps
    were shown (O55, O63).
    """
    if rules.pair == policies.Pair.NONE or state.pair_side >= 0 or state.solo >= 0:
        return False
    if table.live_trump(state, rules) == NO_TRUMPS:
        return False
    if rules.pair == policies.Pair.WITH_A_RUFF:
        return has_ruffed(state, rules, table.side_of(rules, seat))
    return may_pair_by_trick(state, rules, seat)


def may_pair_by_trick(state: State, rules: Rules, seat: int) -> bool:
    """Is it the moment to declare, where no ruff is asked for but the right trick?"""
    if rules.pair == policies.Pair.AT_ONCE:
        return True
    if rules.pair == policies.Pair.AT_ONCE_WITH_A_TRICK:
        return state.won_any >> table.side_of(rules, seat) & 1 == 1
    # The trick in which trumps were shown, or in a game with open trumps the first, must be over.
    if state.trick <= max(state.reveal_trick, 1):
        return False
    if rules.pair == policies.Pair.AFTER_REVEAL:
        return True
    if state.played or state.unsure:
        return not state.played
    # The side has won the trick it takes, the last one or any one since trumps were shown.
    side = table.side_of(rules, seat)
    if rules.pair == policies.Pair.AFTER_ANY_TRICK:
        return state.won_since_shown >> side & 1 == 1
    return state.winner >= 0 and table.side_of(rules, state.winner) == side


def has_ruffed(state: State, rules: Rules, side: int) -> bool:
    """Has the side put a trump, or an unnamed card, on a plain lead, now or last (O55, S97)?"""
    trick = state.trick if state.played else state.trick - 1
    if trick < max(state.reveal_trick, 1) or not may_be_ruffed(state, rules):
        return False
    trumps = rules.trump_cards[table.live_trump(state, rules)] & ~state.dead
    cards = state.trick_cards
    return any(
        cards[seat] < 0 or trumps >> cards[seat] & 1 == 1
        for seat in range(rules.seats)
        if table.side_of(rules, seat) == side and cards[seat] != NOT_PLAYED
    )


def may_be_ruffed(state: State, rules: Rules) -> bool:
    """Is the lead a plain one, as far as recorded, so that a trump put to it is a ruff?"""
    trumps = rules.trump_cards[table.live_trump(state, rules)]
    return state.led_card < 0 or not trumps >> state.led_card & 1


def holds_pair_now(state: State, rules: Rules, seat: int) -> bool:
    """May this seat declare king and queen of trumps now, and does it hold both?"""
    return may_pair(state, rules, seat) and holds_pair(state, rules, seat)


def cannot_hold_pair(state: State, rules: Rules, seat: int) -> bool:
    """Is one of the two cards known to be elsewhere, played before or with another player?"""
    missing = rules.pair_cards[table.live_trump(state, rules)] & ~state.holding[seat]
    return not table.may_hold_all(state, rules, seat, missing)


def pair_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with declaring king and queen of trumps."""
    if rules.pair == policies.Pair.NONE:
        return Fault.NOT_NOW
    if not may_pair(state, rules, action.seat):
        return Fault.PAIR_NOT_NOW
    return Fault.PAIR_NOT_HELD if cannot_hold_pair(state, rules, action.seat) else 0


def may_yet_pair(state: State, rules: Rules, seat: int) -> bool:
    """Could the seat, with both cards still in hand then, declare now or later in this hand?"""
    if rules.pair == policies.Pair.NONE or state.pair_side >= 0 or state.solo >= 0:
        return False
    if table.live_trump(state, rules) == NO_TRUMPS or cannot_hold_pair(state, rules, seat):
        return False
    plays_first = state.pending >> seat & 1 == 1 and rules.pair != policies.Pair.WITH_A_RUFF
    return not plays_first or table.hand_count(state, seat) > 2 or may_pair(state, rules, seat)


def holds_pair(state: State, rules: Rules, seat: int) -> bool:
    """Does the seat, as recorded, hold both cards?"""
    return rules.pair_cards[table.live_trump(state, rules)] & ~state.holding[seat] == 0


# --- The count: which side scores which card, and the points that go with no single card


def game_count(card: int) -> int:
    """Return what a card adds to the count called game: ten 10, A 4, K 3, Q 2, J 1 (C15)."""
    rank = card % 13
    return 10 if rank == 8 else max(0, rank - 8)


def ahead_in_count(rules: Rules, counted: list[int]) -> int:
    """Return the side that has counted most, ``NO_SIDE`` when another has as much (C15)."""
    best, shared = 0, False
    for side in range(1, rules.side_count):
        if counted[side] > counted[best]:
            best, shared = side, False
        elif counted[side] == counted[best]:
            shared = True
    return NO_SIDE if shared else best


def settle_low(state: State, rules: Rules) -> None:
    """Score the two of trumps for who holds it as play begins (S09), or has laid it off (S61)."""
    low = rules.low_card[table.named_trump(state)]
    if rules.low_to == policies.LowTo.WINNER or low < 0:
        return
    # No trump stands in for a two that may be laid off.
    may_lie_off = rules.surplus == policies.Surplus.DISCARD_THEN_BURY
    scores_laid_off = may_lie_off and rules.high_low != policies.HighLow.IN_PLAY
    for seat in range(rules.seats):
        if rules.low_to == policies.LowTo.HOLDER and state.holding[seat] >> low & 1:
            state.low_seat = seat
        elif scores_laid_off and state.discarded[seat] >> low & 1:
            state.low_seat = seat
            score_card(state, rules, low, table.side_of(rules, seat))


def name_high_and_low(state: State, rules: Rules) -> None:
    """Say which trumps stand in for an ace or a two that nobody has when play begins (C15).

    Where the record does not name all cards in hand, it may be one of those.
    Where low is its holder's, that side scores the two at once, for the trump that stands in has
    only its own points left to be won (O85).
    """
    trump = table.named_trump(state)
    if rules.high_low != policies.HighLow.IN_PLAY or trump == NO_TRUMPS:
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
        if rules.low_to == policies.LowTo.WINNER:
            state.low_stand_in = low
            return
        for seat in range(rules.seats):
            if state.holding[seat] >> low & 1:
                state.low_seat = seat
                score_card(state, rules, two_of(trump), table.side_of(rules, seat))


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
    trump = table.named_trump(state)
    worth = rules.points[trump][card]
    if card == state.high_stand_in:
        worth += rules.points[trump][ace_of(trump)]
    if card == state.low_stand_in:
        worth += rules.points[trump][two_of(trump)]
    return worth


def cards_that_count(state: State, rules: Rules) -> int:
    """Return the cards with points of their own or those of high or low (C15)."""
    cards = rules.point_cards[table.named_trump(state)]
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
    low = (
        rules.low_card[table.named_trump(state)]
        if rules.low_to != policies.LowTo.WINNER
        else NO_SIDE
    )
    side = table.side_of(rules, winner)
    together = state.on_table
    if state.trick == 1:
        together |= union(state.buried[seat] for seat in range(rules.seats))
    if rules.game_point == policies.GamePoint.COUNT:
        count_game(state, together, side)
    if low >= 0 and together >> low & 1:
        state.low_seat = put_by(state, rules, low)
        score_card(state, rules, low, table.side_of(rules, state.low_seat))
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
        state.points[table.side_of(rules, winner)] += rules.last_trick_points
    side = ahead_in_count(rules, state.counted)
    if rules.game_point == policies.GamePoint.COUNT and side != NO_SIDE:
        state.points[side] += 1


# --- Playing alone: the single hand of all tricks, and tenny on the first cards


def sitting_out(state: State, rules: Rules) -> int:
    """Return the seats that do not play because their partner plays alone."""
    if state.solo < 0:
        return 0
    return sum(
        1 << seat
        for seat in range(rules.seats)
        if seat != state.solo and table.side_of(rules, seat) == table.side_of(rules, state.solo)
    )


def partner_lies_open(state: State, rules: Rules) -> bool:
    """Are the cards of the one who sits out laid open (O52, O53)?"""
    return state.solo >= 0 and (state.tenny == 1 or rules.solo == policies.Solo.PARTNER_OPEN)


def undertake(state: State, seat: int, trump: int) -> None:
    """The seat plays alone with ``trump``, if named: bid, doubles, hidden trump are void (S90)."""
    hidden_trump.take_up_seventh(state)
    state.solo = seat
    state.maker = seat
    state.high_bid = 0
    state.forced = 0
    state.holders = 0
    state.no_contract = 0
    state.doubles = 0
    state.seventh_called = 0
    state.trump = trump
    state.reversed = 0
    state.revealed = 1
    state.trick = 0


def is_lost(state: State, rules: Rules) -> bool:
    """Has the player who is alone lost a trick? The record may stop then (S90)."""
    return state.solo >= 0 and any(
        state.tricks_won[seat] for seat in range(rules.seats) if seat != state.solo
    )


def comes_first(state: State, rules: Rules, seat: int, start: int, step: int) -> bool:
    """Is the seat, turns going by ``step``, nearer to ``start`` than who plays alone (S90, S95)?"""
    if state.solo < 0:
        return True
    while start not in (seat, state.solo):
        start = (start + step) % rules.seats
    return start == seat != state.solo


def may_solo(state: State, rules: Rules, seat: int, leader: int) -> bool:
    """May the seat announce all tricks alone, ``leader`` being the usual first leader?"""
    if rules.solo == policies.Solo.NONE or state.phase != policies.Phase.SOLO:
        return False
    if not comes_first(state, rules, seat, leader, rules.step):
        return False
    return rules.certain_solo == 1 or not is_certain(state, rules, seat)


def is_certain(state: State, rules: Rules, seat: int) -> bool:
    """Can no card of this hand lose? Each of its suits has to be certain (O47, S91)."""
    hand = state.holding[seat]
    if seat == state.maker:
        hand |= state.seventh
    if state.unknown[seat] > 0 or (seat == state.maker and state.seventh_unknown):
        return False
    suits = rules.suit_cards[NO_TRUMPS]
    return all(
        not hand & suits[suit] or is_certain_suit(rules, hand & suits[suit], suits[suit] & ~hand)
        for suit in range(4)
    )


def is_certain_suit(rules: Rules, own: int, outside: int) -> bool:
    """Are there as many sure winners as cards of the suit, the hand's own or all others (S91)?"""
    strength = rules.strength[NO_TRUMPS]
    highest = max((strength[card] for card in highest_first(outside)), default=0)
    sure = sum(1 for card in highest_first(own) if strength[card] >= highest)
    return sure >= min(own.bit_count(), outside.bit_count())


def trump_at_first(rules: Rules) -> int:
    """Return what is trumps when a single hand is announced: nothing, or what is named next."""
    return NOT_NAMED if rules.solo_trump else NO_TRUMPS


def has_to_name(state: State) -> bool:
    """Has somebody announced a single hand who has still to name its trumps (O87)?"""
    return state.solo >= 0 and state.trump == NOT_NAMED


def trump_faults(state: State, action: AnyAction) -> int:
    """What is wrong with naming the trumps of a single hand: one of the four suits, for all."""
    if not has_to_name(state):
        return Fault.NOT_NOW
    if action.amount < 0:
        return Fault.TRUMP_NOT_RECORDED
    if not auction.FOUR_SUITS >> action.amount & 1:
        return Fault.TRUMP_UNKNOWN
    return 0 if action.seat == state.solo else Fault.TRUMP_BY_OTHER


def name_trump(state: State, code: int) -> None:
    """The trumps of a single hand are known to all from its first trick on (O87)."""
    auction.do_name(state, code)
    state.reveal_trick = 1


def may_tenny(state: State, rules: Rules, seat: int) -> bool:
    """May the seat call tenny: first in turn before the auction, or instead of a call (S95)?"""
    if rules.tenny == 0:
        return False
    if state.phase == policies.Phase.AUCTION:
        return state.spoken == 0 or seat == state.turn
    nothing_led = state.phase == policies.Phase.PLAY and state.trick == 1 and state.played == 0
    first = comes_first(state, rules, seat, auction.first_caller(state, rules), rules.call_step)
    return state.tenny == 1 and nothing_led and state.spoken == 0 and first


def tenny_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with calling tenny."""
    if rules.tenny == 0 or (state.phase != policies.Phase.AUCTION and state.tenny == 0):
        return Fault.NOT_NOW
    if may_tenny(state, rules, action.seat):
        return 0
    if state.phase == policies.Phase.AUCTION:
        late = state.owed >> action.seat & 1
        return 0 if late else Fault.BID_OUT_OF_TURN
    return Fault.SOLO_NOT_ALLOWED
