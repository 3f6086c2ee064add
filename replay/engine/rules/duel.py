"""The auction between two, who bid against each other until one of them passes.

In a duel they are the first two players, and partners stand in for them: in the order of calls P1
sits after the dealer, P2 is the dealer's partner, P3 the partner of P1, P4 the dealer. In a
challenge the next in turn takes over: of those who have not passed, the first in turn is the holder
and the next one the challenger. The challenger has to go over the standing bid, the holder may be
allowed to hold it. Sources: 17.players, 17.auction; O58, O68, S100.
"""

from __future__ import annotations

from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules.table import all_seats, next_by, next_to_call, partner_of, side_of


def in_first_side(state: State, rules: Rules, seat: int) -> bool:
    """Does the seat belong to the side that opens the auction?"""
    return side_of(rules, seat) == side_of(rules, next_to_call(rules, state.dealer))


def speaker_for(state: State, rules: Rules, seat: int) -> int:
    """Return who speaks for a side: ``seat`` until it passes, then its partner, then -1."""
    if not state.passed >> seat & 1:
        return seat
    partner = partner_of(rules, seat)
    return -1 if state.passed >> partner & 1 else partner


def next_caller(state: State, rules: Rules) -> int:
    """Return who speaks next, -1 when nobody is left to.

    The side that does not hold the standing bid answers it, each side through its first player
    until they pass. Once both of a side have passed, the partners of the other are left (S100).
    """
    first = next_to_call(rules, state.dealer)
    second = next_to_call(rules, first)
    if state.maker < 0:
        opening = speaker_for(state, rules, first)
        return opening if opening >= 0 else speaker_for(state, rules, second)
    opponent = second if in_first_side(state, rules, state.maker) else first
    answering = speaker_for(state, rules, opponent)
    if answering >= 0:
        return answering
    return speaker_for(state, rules, partner_of(rules, state.maker))


def holder(state: State, rules: Rules, first: int) -> int:
    """Return the first in turn, from seat ``first`` on, who has not passed; -1 for nobody."""
    left = all_seats(rules) & ~state.passed
    return next_by(rules, left, first - rules.call_step, rules.call_step)


def next_in_challenge(state: State, rules: Rules, first: int) -> int:
    """Return who speaks next, -1 for nobody: the holder opens; holder and challenger answer."""
    holding = holder(state, rules, first)
    if holding != state.maker or holding < 0:
        return holding
    left = all_seats(rules) & ~(state.passed | 1 << holding)
    return next_by(rules, left, holding, rules.call_step)


def pass_turn(state: State, seat: int, following: int) -> None:
    """Give the turn to ``following``; a seat that was skipped may still call late."""
    if seat != state.turn and not state.owed >> seat & 1:
        state.owed |= 1 << state.turn
    state.turn = following
    waiting = ~(state.passed | 1 << seat)
    if state.turn >= 0:
        waiting &= ~(1 << state.turn)
    state.owed &= waiting


def is_over(state: State, rules: Rules) -> bool:
    """Three passes end it, unless with no bid until then somebody is forced to speak (O60)."""
    return state.passed.bit_count() >= rules.seats - 1
