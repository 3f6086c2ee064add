"""A table of players and the engine between them: who acts next, and what they do.

The engine says what is legal, a player chooses among it, the engine carries it out. Bots, practice
hands and generated games all play here.
"""

from collections.abc import Sequence
from typing import Protocol

from tricklog.core.card_sense.choices import UNASKED
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules.table import Legal
from tricklog.schemas.actions import Action


class Player(Protocol):
    """Somebody at the table."""

    def volunteer(self, state: State, rules: Rules, options: Legal, /) -> Action | None:
        """Return something legal that nobody waits for, or nothing."""

    def decide(self, state: State, rules: Rules, options: Legal, /) -> Action | None:
        """Return what to do when it is this player's turn; nothing where that is allowed."""


def next_action(players: Sequence[Player], state: State, rules: Rules) -> Action | None:
    """Return what happens next at the table; ``None`` when a stage passes without anything."""
    for seat in range(rules.seats):
        for options in (engine.legal(state, rules, seat), engine.legal_aside(state, rules, seat)):
            if options.verbs & UNASKED:
                action = players[seat].volunteer(state, rules, options)
                if action is not None:
                    return action
    seat = engine.to_act(state)
    if seat < 0:
        return None
    return players[seat].decide(state, rules, engine.legal(state, rules, seat))


def play_out(players: Sequence[Player], state: State, rules: Rules) -> list[Action]:
    """Let the players act until the hand is over; return what they did.

    Raises ``AssertionError`` when a player does something illegal: that is a bug.
    """
    actions: list[Action] = []
    while state.phase != Phase.OVER:
        action = next_action(players, state, rules)
        if action is None:
            engine.pass_over(state, rules)
            continue
        faults = engine.apply(state, rules, action)
        if faults:
            raise AssertionError(f"illegal: {action}, faults {faults:#x}")
        actions.append(action)
    return actions
