"""Playing alone: the single hand of all tricks, and tenny on the first cards.

Sources: O46, O47, O52, O53, O87, S90, S91, S95.
"""

from tricklog.core.engine.faults import Fault
from tricklog.core.engine.policies import Phase, Solo
from tricklog.core.engine.records import NO_TRUMPS, Rules, State, highest_first
from tricklog.core.engine.rules import auction, hidden_trump
from tricklog.core.engine.rules.table import side_of
from tricklog.schemas.scan.actions import AnyAction

NOT_NAMED = -1


def sitting_out(state: State, rules: Rules) -> int:
    """Return the seats that do not play because their partner plays alone."""
    if state.solo < 0:
        return 0
    return sum(
        1 << seat
        for seat in range(rules.seats)
        if seat != state.solo and side_of(rules, seat) == side_of(rules, state.solo)
    )


def partner_lies_open(state: State, rules: Rules) -> bool:
    """Are the cards of the one who sits out laid open (O52, O53)?"""
    return state.solo >= 0 and (state.tenny == 1 or rules.solo == Solo.PARTNER_OPEN)


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


# --- The single hand


def may_solo(state: State, rules: Rules, seat: int, leader: int) -> bool:
    """May the seat announce all tricks alone, ``leader`` being the usual first leader?"""
    if rules.solo == Solo.NONE or state.phase != Phase.SOLO:
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


# --- Tenny


def may_tenny(state: State, rules: Rules, seat: int) -> bool:
    """May the seat call tenny: first in turn before the auction, or instead of a call (S95)?"""
    if rules.tenny == 0:
        return False
    if state.phase == Phase.AUCTION:
        return state.spoken == 0 or seat == state.turn
    nothing_led = state.phase == Phase.PLAY and state.trick == 1 and state.played == 0
    first = comes_first(state, rules, seat, auction.first_caller(state, rules), rules.call_step)
    return state.tenny == 1 and nothing_led and state.spoken == 0 and first


def tenny_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with calling tenny."""
    if rules.tenny == 0 or (state.phase != Phase.AUCTION and state.tenny == 0):
        return Fault.NOT_NOW
    if may_tenny(state, rules, action.seat):
        return 0
    if state.phase == Phase.AUCTION:
        late = state.owed >> action.seat & 1
        return 0 if late else Fault.BID_OUT_OF_TURN
    return Fault.SOLO_NOT_ALLOWED
