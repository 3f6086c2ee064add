"""Naming trumps and taking the kitty: what the maker does once the auction is over.

Sources: 1.trump-call, 8.kitty, 11.kitty, 14.trump-call; O37 to O41, S03, S86, S87, C25.
"""

from tricklog.core.engine.faults import Fault
from tricklog.core.engine.policies import NoTrump, TrumpCall, Twos
from tricklog.core.engine.records import NO_TRUMPS, Rules, State
from tricklog.core.engine.rules.table import Legal, known_elsewhere, pick_up
from tricklog.schemas.actions import (
    NO_TRUMP,
    NO_TRUMP_REVERSED,
    SEVENTH_CARD,
    SUIT_REVERSED,
    TRUMP_HIDDEN,
    Verb,
)
from tricklog.schemas.scan.actions import AnyAction

FOUR_SUITS = 0b1111


def trumps_there_are(rules: Rules) -> int:
    """Return the trumps a maker may choose, bits by code: suits, and what the options add."""
    codes = FOUR_SUITS
    if rules.no_trump != NoTrump.NEVER:
        codes |= 1 << NO_TRUMP
    if rules.no_trump == NoTrump.COLOURS or rules.twos == Twos.NO_TRUMP_REVERSED:
        codes |= 1 << NO_TRUMP_REVERSED
    if rules.twos == Twos.SUIT_REVERSED:
        codes |= FOUR_SUITS << SUIT_REVERSED
    if rules.seventh_card:
        codes |= 1 << SEVENTH_CARD
    return codes


def trumps_to_show(rules: Rules) -> int:
    """Return the trumps that can come to light, bits by code: the seventh card shows a suit."""
    return trumps_there_are(rules) & ~(1 << SEVENTH_CARD)


def trump_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with naming trumps; the suit may be one the maker does not hold (S03)."""
    if action.amount >= 0 and not trumps_there_are(rules) >> action.amount & 1:
        return Fault.TRUMP_UNKNOWN
    if action.amount < 0 and rules.trump_call == TrumpCall.OPEN:
        return Fault.TRUMP_NOT_RECORDED
    return 0 if action.seat in (state.maker, state.low_caller) else Fault.TRUMP_BY_OTHER


def set_trump(state: State, code: int) -> None:
    """Take a code apart: the suit, or none, and whether ranks are reversed (O37 to O40)."""
    state.trump = suit_of(code)
    reverses = code == NO_TRUMP_REVERSED or SUIT_REVERSED <= code < SEVENTH_CARD
    state.reversed = 1 if reverses else 0


def suit_of(code: int) -> int:
    """Return the trump suit a code names, ``NO_TRUMPS``, or below 0 when it does not say."""
    if code in (NO_TRUMP, NO_TRUMP_REVERSED):
        return NO_TRUMPS
    if code == SEVENTH_CARD:
        return TRUMP_HIDDEN
    return code - SUIT_REVERSED if code >= SUIT_REVERSED else code


def do_name(state: State, code: int) -> None:
    """Enter the trumps chosen; what the seventh card is comes to light later (O41)."""
    set_trump(state, code)
    state.seventh_called = 1 if code == SEVENTH_CARD else 0


# --- The kitty


def legal_kitty(state: State) -> Legal:
    """The maker takes the whole kitty."""
    size = state.kitty.bit_count() + state.kitty_unknown
    return Legal(1 << Verb.KITTY, state.kitty, state.kitty, size, size)


def kitty_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with taking the kitty."""
    strange = action.cards & ~state.kitty
    impossible = ~rules.pack | known_elsewhere(state, rules)
    if strange.bit_count() > state.kitty_unknown or strange & impossible:
        return Fault.CARD_NOT_IN_KITTY
    faults = 0 if action.seat in (state.maker, state.low_caller) else Fault.KITTY_BY_OTHER
    if action.size != legal_kitty(state).least:
        faults |= Fault.KITTY_COUNT
    return faults


def do_kitty(state: State, action: AnyAction) -> None:
    """Move the kitty to the hand of the seat that took it."""
    count = state.kitty.bit_count() + state.kitty_unknown
    pick_up(state, action.seat, action.cards | state.kitty, count)
    state.kitty = 0
    state.kitty_unknown = 0
