"""What points are worth in score: the change that a hand brings when the makers end with them.

The function is the engine's own scoring, with the points put in. It is monotone in the points of
the makers, or it is refused: then best play for points is best play for score as well, and the
value of a moment in score is the score of its value in points. Sources: 1.score, 14.score; C10,
C15, C18, O13, O18, O48, O51, O63, O73, S18, S21, S47, S81, S83, S90.
"""

from tricklog.core.engine import policies
from tricklog.core.engine.policies import DropOut, GamePoint, Made, Pair, Sides
from tricklog.core.engine.records import NO_TRUMPS, Rules, State, lowest_first, union
from tricklog.core.engine.rules import hidden_trump, scoring
from tricklog.core.engine.rules.table import live_trump, named_trump, side_of

SCORES, NO_MAKER, SWEEP, MAY_BE_VOID, GAME_BY_COUNT, SHARED = range(6)
PAIR_AND_POINTS, POINTS_LOST, NOT_MONOTONE = range(6, 9)
"""Why the score does not go by points; ``SCORES`` where nothing is in the way."""


def score_refusal(state: State, rules: Rules, need: int) -> int:
    """Return why the score does not go by the points of the makers; ``SCORES`` when it does.

    ``state``: at the start of the play or later, of those that the solver takes on. ``need``: what
    the makers need in ``state``, in points, with a hand alone in tricks. ``state`` is as before.
    """
    if scoring.maker_of(state) < 0:
        return NO_MAKER
    if state.solo < 0:
        reason = refusal_with_trumps(state, rules)
        if reason != SCORES:
            return reason
    return SCORES if is_monotone(state, rules, need) else NOT_MONOTONE


def refusal_with_trumps(state: State, rules: Rules) -> int:
    """Return what is in the way of scoring a hand with a contract, but for monotony."""
    if rules.sweep != policies.Sweep.NOTHING_EXTRA:
        return SWEEP
    if may_be_void(state, rules):
        return MAY_BE_VOID
    # The makers' score may depend on what the best of the other sides takes (O13, O18, S21).
    compares = state.no_contract == 1 or rules.made in (Made.DIFFERENCE, Made.BID_LESS_OTHERS)
    counts_others = compares or rules.defenders != policies.Defenders.NOTHING
    alone = rules.sides == Sides.SINGLES
    if counts_others and not alone and rules.game_point == GamePoint.COUNT:
        return GAME_BY_COUNT
    if alone and compares:
        return SHARED
    # A player without trumps may throw in cards with points (4.drop-out).
    trump = named_trump(state)
    plain = rules.point_cards[trump] & ~rules.trump_cards[trump]
    if counts_others and rules.drop_out != DropOut.NEVER and plain:
        return POINTS_LOST
    counts_own = rules.made == Made.POINTS or rules.failed == policies.Failed.MINUS_POINTS
    counts_own = counts_own or rules.half_rule != policies.HalfRule.NONE
    if (counts_others or counts_own) and may_hold_pair(state, rules):
        return PAIR_AND_POINTS
    return SCORES


def may_hold_pair(state: State, rules: Rules) -> bool:
    """Does a player hold king and queen of trumps that may yet be declared?"""
    trump = named_trump(state)
    if rules.pair == Pair.NONE or state.pair_side >= 0 or trump == NO_TRUMPS:
        return False
    pair = rules.pair_cards[trump]
    return any(not pair & ~hand_of(state, seat) for seat in range(rules.seats))


def hand_of(state: State, seat: int) -> int:
    """Return the cards a seat holds, its seventh card and its card on the table included."""
    cards = state.holding[seat]
    if seat == state.maker:
        cards |= state.seventh
    if state.played and state.trick_cards[seat] >= 0:
        cards |= 1 << state.trick_cards[seat]
    return cards


def may_be_void(state: State, rules: Rules) -> bool:
    """Can the hand end before its hidden trump comes to light, so that it is void (S81)?

    Where asking is free it can (O48). Elsewhere only if everybody can follow to every trick: when
    all hold as many cards of each suit. A seventh card comes out with the last trick (O41).
    """
    if not hidden_trump.is_hidden(state, rules) or rules.unshown != policies.Unshown.VOID:
        return False
    if hidden_trump.asking_is_free(rules):
        return True
    if hidden_trump.has_seventh(state):
        return False
    trump = live_trump(state, rules)
    for suit in range(4):
        cards = rules.suit_cards[trump][suit]
        length = (hand_of(state, state.maker) & cards).bit_count()
        for seat in lowest_first(state.active):
            if (hand_of(state, seat) & cards).bit_count() != length:
                return False
    return True


def points_at_stake(state: State, rules: Rules) -> int:
    """Return the points that all sides together have when the hand is played to its end."""
    trump = named_trump(state)
    total = rules.last_trick_points
    total += sum(scoring.points_of(state, side) for side in range(rules.side_count))
    cards = state.seventh | union(hand_of(state, seat) for seat in lowest_first(state.active))
    if state.trick == 1:
        cards |= union(state.buried[seat] for seat in range(rules.seats))
    left = cards & (scoring.cards_that_count(state, rules) | rules.point_cards[trump])
    return total + sum(scoring.worth_of(state, rules, card) for card in lowest_first(left))


def change_with(state: State, rules: Rules, need: int, points: int, total: int) -> int:
    """Return the change of score of the makers, less that of the others, when they end with points.

    ``points``: as the solver values hands; ``need``: what is needed of them; ``total``:
    ``points_at_stake``. Alone it is the maker's; limits (S47, S83) are left out. ``state`` stays.
    """
    makers = side_of(rules, scoring.maker_of(state))
    others = 1 - makers if rules.sides == Sides.PARTNERS else makers
    if state.solo >= 0:
        result = scoring.MADE if points >= need else scoring.SET
        score = scoring.Score(result, 0, scoring.score_alone(state, rules).stake)
        return net_change(state, rules, score, makers, others)
    own, theirs, shown = state.points[makers], state.points[others], state.revealed
    if others != makers:
        state.points[others] = total - points - state.discard_points[others]
    state.points[makers] = points - state.discard_points[makers]
    state.revealed = 1
    change = net_change(state, rules, scoring.score_hand(state, rules), makers, others)
    state.points[others] = theirs
    state.points[makers] = own
    state.revealed = shown
    return change


def net_change(state: State, rules: Rules, score: scoring.Score, makers: int, others: int) -> int:
    """Return what the makers' side adds less what the other side does, if there is just one."""
    change = scoring.change_of(state, rules, score, makers)
    return change - scoring.change_of(state, rules, score, others) if others != makers else change


def change_at_end(state: State, rules: Rules) -> int:
    """Return what the makers' side adds less what the others add, for a hand that is over."""
    makers = side_of(rules, scoring.maker_of(state))
    others = 1 - makers if rules.sides == Sides.PARTNERS else makers
    return net_change(state, rules, scoring.score_hand(state, rules), makers, others)


def is_monotone(state: State, rules: Rules, need: int) -> bool:
    """Are more points for the makers never a worse score for them?"""
    total = points_at_stake(state, rules)
    reach = max(rules.pair_shift, 0) if state.solo < 0 else 0
    top = max(total, need) + reach
    last = change_with(state, rules, need, -reach, total)
    for points in range(1 - reach, top + 1):
        change = change_with(state, rules, need, points, total)
        if change < last:
            return False
        last = change
    return True
