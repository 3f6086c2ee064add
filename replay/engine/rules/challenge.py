"""The auction as a challenge: two bid against each other until one passes, and the next takes over.

Of those who have not passed, the first in turn is the holder and the next one the challenger. The
challenger has to go over the standing bid, the holder may be allowed to hold it. Sources: O68.
"""

from __future__ import annotations

from replay.engine.records import Rules, State
from replay.engine.rules.table import all_seats, next_by


def holder(state: State, rules: Rules, first: int) -> int:
    """Return the first in turn, from seat ``first`` on, who has not passed; -1 for nobody."""
    left = all_seats(rules) & ~state.passed
    return next_by(rules, left, first - rules.call_step, rules.call_step)


def is_holder(state: State, rules: Rules, first: int, seat: int) -> bool:
    """Is the seat the holder, of those who bid against each other the first in turn?"""
    return seat == holder(state, rules, first)


def next_caller(state: State, rules: Rules, first: int) -> int:
    """Return who speaks next, -1 for nobody: the holder opens; holder and challenger answer."""
    holding = holder(state, rules, first)
    if holding != state.maker or holding < 0:
        return holding
    left = all_seats(rules) & ~(state.passed | 1 << holding)
    return next_by(rules, left, holding, rules.call_step)
