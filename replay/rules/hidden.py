"""The hidden trump of Twenty-Nine: asking, showing, and the pair.

Sources: 14.ask, 14.pair; S80, S82.
"""

from __future__ import annotations

from replay.faults import Fault
from replay.policies import Pair, TrumpCall
from replay.records import Rules, State
from replay.rules.table import live_trump, named_stock, named_trump, out_of_stock, side_of
from schemas.actions import Action


def is_to_follow(state: State, seat: int) -> bool:
    """Is it the seat's turn to follow to a trick?"""
    return state.played > 0 and (seat == state.turn or state.owed >> seat & 1 == 1)


def cannot_follow(state: State, rules: Rules, seat: int) -> bool:
    """Is it the seat's turn to follow, and has it, as far as recorded, no card of the suit?"""
    if state.led_suit < 0 or not is_to_follow(state, seat):
        return False
    return state.holding[seat] & rules.suit_cards[live_trump(state, rules)][state.led_suit] == 0


def may_be_void(state: State, rules: Rules, seat: int) -> bool:
    """May the seat be unable to follow? With the lead not recorded, nobody can tell."""
    if state.led_suit < 0:
        return is_to_follow(state, seat)
    return cannot_follow(state, rules, seat)


def must_ask(state: State, rules: Rules, seat: int) -> bool:
    """Must this player ask for the trump before he plays? The first who cannot follow must."""
    if rules.trump_call != TrumpCall.SECRET or state.revealed or state.asker >= 0:
        return False
    return seat != state.maker and cannot_follow(state, rules, seat)


def must_show(state: State, rules: Rules, seat: int) -> bool:
    """Must this player show the trump: the maker who was asked, or who cannot follow himself?"""
    if rules.trump_call != TrumpCall.SECRET or state.revealed or seat != state.maker:
        return False
    return state.asker >= 0 or cannot_follow(state, rules, seat)


def ask_faults(state: State, rules: Rules, action: Action) -> int:
    """What is wrong with asking: only who cannot follow may, and only while trumps are hidden."""
    if rules.trump_call != TrumpCall.SECRET or state.asker >= 0:
        return Fault.NOT_NOW | 0
    if not state.pending >> action.seat & 1:
        return Fault.NOT_NOW | 0
    cause = not state.revealed and action.seat != state.maker
    if cause and may_be_void(state, rules, action.seat):
        return 0
    return Fault.ASK_WITHOUT_CAUSE | 0


def do_ask(state: State, action: Action) -> None:
    """The maker is to show."""
    if not state.revealed:
        state.asker = action.seat


def show_faults(state: State, rules: Rules, action: Action) -> int:
    """What is wrong with showing the trump."""
    if rules.trump_call != TrumpCall.SECRET:
        return Fault.NOT_NOW | 0
    if not -2 <= action.amount <= 3:
        return Fault.TRUMP_UNKNOWN | 0
    if action.amount < 0 and state.trump < 0:
        return Fault.TRUMP_NOT_RECORDED | 0
    if state.trump >= 0 and 0 <= action.amount != state.trump:
        return Fault.REVEAL_DIFFERS | 0
    if action.seat != state.maker:
        return Fault.REVEAL_BY_OTHER | 0
    if not state.revealed and (state.asker >= 0 or may_be_void(state, rules, action.seat)):
        return 0
    return Fault.REVEAL_WITHOUT_CAUSE | 0


def do_show(state: State, action: Action) -> None:
    """Trumps are known from this trick on."""
    if action.amount >= 0:
        state.trump = action.amount
    state.revealed = 1
    state.asker = -1


def show_is_due(state: State, rules: Rules) -> bool:
    """Has the trump been asked for by a player who may ask?"""
    return state.asker >= 0 and cannot_follow(state, rules, state.asker)


def hidden_faults(state: State, rules: Rules, action: Action) -> int:
    """What is wrong with playing a card before the trump is shown."""
    if state.asker >= 0:
        return Fault.NOT_SHOWN | 0 if show_is_due(state, rules) else 0
    if not action.cards and state.unknown[action.seat] > 0:
        return 0
    if must_ask(state, rules, action.seat):
        return Fault.NOT_ASKED | 0
    return Fault.NOT_SHOWN | 0 if must_show(state, rules, action.seat) else 0


def may_pair(state: State, rules: Rules, seat: int) -> bool:
    """Is it the moment: trumps known, and the player's side has just won a trick (14.pair)?"""
    if rules.pair != Pair.AFTER_OWN_TRICK or state.pair_side >= 0 or not state.revealed:
        return False
    if state.played or state.winner < 0:
        return False
    return state.unsure == 1 or side_of(rules, state.winner) == side_of(rules, seat)


def holds_pair_now(state: State, rules: Rules, seat: int) -> bool:
    """May this seat declare king and queen of trumps now, and does it hold both?"""
    if not may_pair(state, rules, seat):
        return False
    pair = rules.pair_cards[named_trump(state)]
    return pair != 0 and pair & ~state.holding[seat] == 0


def pair_faults(state: State, rules: Rules, action: Action) -> int:
    """What is wrong with declaring king and queen of trumps."""
    if rules.pair == Pair.NONE:
        return Fault.NOT_NOW | 0
    if not may_pair(state, rules, action.seat):
        return Fault.PAIR_NOT_NOW | 0
    pair = rules.pair_cards[named_trump(state)]
    missing = pair & ~state.holding[action.seat]
    elsewhere = out_of_stock(state, rules) | named_stock(state)
    if pair == 0 or missing & elsewhere or missing.bit_count() > state.unknown[action.seat]:
        return Fault.PAIR_NOT_HELD | 0
    return 0


def do_pair(state: State, rules: Rules, action: Action) -> None:
    """The declaration changes the contract, and shows both cards."""
    seat = action.seat
    pair = rules.pair_cards[named_trump(state)]
    state.pair_side = side_of(rules, seat)
    state.unknown[seat] -= (pair & ~state.holding[seat]).bit_count()
    state.holding[seat] |= pair
