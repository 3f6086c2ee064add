"""The kitty: the maker takes it, all of it.

Sources: 8.kitty, 11.kitty.
"""

from __future__ import annotations

from tricklog.core.engine.faults import Fault
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules.table import Legal, cards_of, named_stock, out_of_stock, pick_up
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import AnyAction


def legal_kitty(state: State) -> Legal:
    """The maker takes the whole kitty."""
    size = state.kitty.bit_count() + state.kitty_unknown
    return cards_of(1 << Verb.KITTY, state.kitty, state.kitty, size, size)


def kitty_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with taking the kitty."""
    strange = action.cards & ~state.kitty
    possible = rules.pack & ~out_of_stock(state, rules) & ~named_stock(state)
    if strange.bit_count() > state.kitty_unknown or strange & ~possible:
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
