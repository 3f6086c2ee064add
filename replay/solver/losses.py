"""What kind of a loss a decision brought: one kind for each that cost something and was a choice.

A kind says what was done, not why, and not that it was wrong to do: a loss is with all cards open.
It is decided by the rules of the table and what is on record, in this order of precedence: a pair
not declared, surplus, asking; then for any card a pedro given away; for a lead trumps led, a suit
opened, trumps not led; for another card a cinch missed; for any card a point card given away; for
the others trumps wasted, a trick let go, points kept back; else none of these. Sources: 1.points,
1.play, 8.points, 8.surplus, 14.ask, 14.pair; O48, C26, S09.
"""

from typing import Final

from tricklog.core.engine.facts import THIRD, can_cinch, card_led, fives, trumps_above
from tricklog.core.engine.policies import LowTo, TrumpCall
from tricklog.core.engine.records import NO_TRUMPS, Rules, State, lowest_first
from tricklog.core.engine.rules import hidden_trump, play, scoring
from tricklog.core.engine.rules.history import History
from tricklog.core.engine.rules.table import live_trump, named_trump, side_of
from tricklog.core.solver.answer import SILENCE, SURPLUS

PAIR_NOT_DECLARED, SURPLUS_PUT_DOWN, ASKED, DID_NOT_ASK, PEDRO_GIVEN = range(5)
LED_TRUMPS, OPENED_SUIT, TRUMPS_NOT_LED, CINCH_MISSED, POINT_CARD_GIVEN = range(5, 10)
TRUMP_WASTED, TRICK_LET_GO, POINTS_KEPT_BACK, OTHER = range(10, 14)

NOBODY: Final = -1


def kind_of_loss(
    state: State, rules: Rules, history: History, deed: int, seat: int, card: int, showed: int
) -> int:
    """Return what kind of a loss a decision with more than one choice brought.

    ``state``: before the card was played, after the trump was shown for it; ``history``: of the
    whole hand; ``deed``: a kind of ``answer``; ``showed``: 1 when the trump was shown for it and
    need not be.
    """
    if deed == SILENCE:
        return PAIR_NOT_DECLARED
    if deed == SURPLUS:
        return SURPLUS_PUT_DOWN
    if showed:
        return ASKED
    if could_show(state, rules, seat):
        return DID_NOT_ASK
    may = play.legal_cards(state, rules, seat)
    is_given = is_given_away(state, rules, history, seat, card, may)
    if is_given and fives(rules, live_trump(state, rules)) >> card & 1:
        return PEDRO_GIVEN
    if state.played == 0:
        kind = kind_of_lead(state, rules, history, card, may)
        return POINT_CARD_GIVEN if kind == OTHER and is_given else kind
    if misses_cinch(state, rules, history, card, may):
        return CINCH_MISSED
    return POINT_CARD_GIVEN if is_given else kind_of_follow(state, rules, history, seat, card, may)


def could_show(state: State, rules: Rules, seat: int) -> bool:
    """Could the player, with more than the seventh card (O41), have had the trump shown (O48)?"""
    if rules.trump_call != TrumpCall.SECRET or state.revealed:
        return False
    if seat != state.maker:
        return hidden_trump.may_ask(state, rules, seat)
    if hidden_trump.is_all_that_is_left(state, seat):
        return False
    return hidden_trump.may_show_if_void(rules) and hidden_trump.cannot_follow(state, rules, seat)


def taker_of_trick(state: State, history: History) -> int:
    """Return the seat that won the trick on the table in the end, ``NOBODY`` if it was not over."""
    trick = state.trick - 1
    return history.trick_winner[trick] if trick < history.tricks else NOBODY


def is_taken_by_others(state: State, rules: Rules, history: History, seat: int) -> bool:
    """Did another side than that of a seat win the trick on the table?"""
    taker = taker_of_trick(state, history)
    return taker >= 0 and side_of(rules, taker) != side_of(rules, seat)


def is_given_away(
    state: State, rules: Rules, history: History, seat: int, card: int, may: int
) -> bool:
    """Did others win a card with points, though one of ``may`` with fewer could be played?"""
    worth = scoring.worth_of(state, rules, card)
    # The points of a two may go to its holder or player, whoever wins it (S09, 8.points).
    if rules.low_to != LowTo.WINNER and card == rules.low_card[named_trump(state)]:
        return False
    if not is_taken_by_others(state, rules, history, seat):
        return False
    return any(scoring.worth_of(state, rules, other) < worth for other in lowest_first(may))


def most_worth(state: State, rules: Rules, cards: int) -> int:
    """Return the most points that one of a set of cards has."""
    return max((scoring.worth_of(state, rules, card) for card in lowest_first(cards)), default=0)


# --- Leads


def kind_of_lead(state: State, rules: Rules, history: History, card: int, may: int) -> int:
    """Return what was done with a lead: trumps, a new suit, or a suit led before."""
    trump = live_trump(state, rules)
    trumps = rules.trump_cards[trump]
    if trumps >> card & 1:
        return LED_TRUMPS if may & ~trumps else OTHER
    if not was_led(state, rules, history, rules.suit[trump][card]):
        return OPENED_SUIT
    return TRUMPS_NOT_LED if may & trumps else OTHER


def was_led(state: State, rules: Rules, history: History, suit: int) -> bool:
    """Has anybody led a suit to a trick before the one on the table?"""
    own = rules.suit[live_trump(state, rules)]
    return any(
        card_led(history, trick) >= 0 and own[card_led(history, trick)] == suit
        for trick in range(min(state.trick - 1, history.tricks))
    )


# --- Cards put to a lead


def misses_cinch(state: State, rules: Rules, history: History, card: int, may: int) -> bool:
    """Did the third of four keep no pedro of the fourth from winning, though a card could?"""
    trick = state.trick - 1
    if state.played != THIRD or trick >= history.tricks:
        return False
    trump = live_trump(state, rules)
    pedros = fives(rules, trump)
    if not pedros:
        return False
    higher = trumps_above(rules, trump, pedros)
    if higher >> card & 1 or not may & higher:
        return False
    return can_cinch(rules, history, trick, pedros, higher)


def kind_of_follow(
    state: State, rules: Rules, history: History, seat: int, card: int, may: int
) -> int:
    """Return what was done with a card put to a lead: a trump wasted, a trick let go, or points."""
    trump = live_trump(state, rules)
    winner = play.trick_winner(state, rules)
    is_own = side_of(rules, winner) == side_of(rules, seat)
    over = play.best_on_table(state, rules, trump)
    wins = takes_from(state, rules, trump, card, over)
    if wastes_trump(state, rules, card, may, is_own, wins):
        return TRUMP_WASTED
    if is_taken_by_others(state, rules, history, seat):
        can_take = any(takes_from(state, rules, trump, other, over) for other in lowest_first(may))
        lets_go = not wins and not is_own and can_take
        return TRICK_LET_GO if lets_go else OTHER
    worth = scoring.worth_of(state, rules, card)
    keeps = taker_of_trick(state, history) >= 0 and worth < most_worth(state, rules, may)
    return POINTS_KEPT_BACK if keeps else OTHER


def takes_from(state: State, rules: Rules, trump: int, card: int, over: int) -> bool:
    """Does a card win the trick from the card that wins it so far?"""
    wins = play.beats(state, rules, trump, card, over)
    return wins and not play.falls_to_leader(rules, trump, card)


def wastes_trump(state: State, rules: Rules, card: int, may: int, is_own: int, wins: int) -> bool:
    """Was a trump put where it brought nothing, though a plain card or a lower trump could go?

    So it is on a trick of the own side (``is_own``) or without points, and under a higher trump.
    """
    trump = live_trump(state, rules)
    trumps = rules.trump_cards[trump]
    if trump == NO_TRUMPS or not trumps >> card & 1:
        return False
    plain = may & ~trumps
    if not wins:
        return plain != 0
    has_lower = any(
        play.beats(state, rules, trump, card, other)
        for other in lowest_first(may & trumps & ~(1 << card))
    )
    if plain == 0 and not has_lower:
        return False
    return is_own == 1 or most_worth(state, rules, state.on_table) == 0
