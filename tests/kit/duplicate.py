"""Deals played twice, once by each pair of players in each pair of seats."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from msgspec.structs import replace

from tests.kit.at_table import begun, deal_out
from tests.kit.thinking import ThinkingBot
from tricklog.core.bots.generate import STEADY, Bot, Player, next_action, practised
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State
from tricklog.core.judging.replayer import Replay, replay
from tricklog.core.rulesets.ruleset import Ruleset, resolve
from tricklog.core.study import Solver
from tricklog.schemas.actions import Action, action_text
from tricklog.schemas.hand import Hand, RulesRef
from tricklog.schemas.hand import Player as Seat

BUDGET = 3_000_000
"""Nodes of one decision: the long tail of seven at a table is cut off there."""


@dataclass(frozen=True, slots=True)
class Margin:
    """What the new players won over the others."""

    deals: int
    mean: float
    """Score a hand: new players less others, both ways of each deal averaged."""
    error: float

    @property
    def interval(self) -> tuple[float, float]:
        """The interval that holds the true margin in 95 of 100 cases."""
        return self.mean - 1.96 * self.error, self.mean + 1.96 * self.error

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.deals} deals, {self.mean:+.2f} a hand ({low:+.2f} to {high:+.2f})"


def played_by(ruleset: Ruleset, dealt: Hand, new: int, seed: str, worlds: int) -> Replay:
    """Return a deal played with thinking bots in the seats of the set ``new``, today's elsewhere.

    All bid alike: chance is the same for every seat and every table.
    """
    seats = len(dealt.players)
    judgement = practised(ruleset, seats)
    solver = Solver(ruleset.rules(seats))
    players: list[Player] = []
    for seat in range(seats):
        bot = Bot(STEADY, seat, judgement, random.Random(f"{seed}/{seat}"))
        thinks = new >> seat & 1
        players.append(ThinkingBot(bot, ruleset, solver, worlds, BUDGET) if thinks else bot)
    actions = played_out(players, begun(dealt, ruleset), ruleset.rules(seats))
    done = replace(dealt, actions=[action_text(action) for action in actions])
    return replay(done, ruleset=ruleset)


def played_out(players: Sequence[Player], state: State, rules: Rules) -> list[Action]:
    """Return what players do until the hand is over, of which those who think take note."""
    actions: list[Action] = []
    thinking = [player for player in players if isinstance(player, ThinkingBot)]
    for bot in thinking:
        bot.sit_down(state)
    while state.phase != Phase.OVER:
        action = next_action(players, state, rules)
        if action is None:
            engine.pass_over(state, rules)
            continue
        assert not engine.apply(state, rules, action), action
        actions.append(action)
        for bot in thinking:
            bot.watch(action)
    return actions


def margin(variant: str, deals: int, seed: str, *, worlds: int = 20, seats: int = 4) -> Margin:
    """Return the margin of thinking bots over today's, over deals played both ways."""
    ruleset = resolve(RulesRef(variant))
    chance = random.Random(f"{variant}/{seats}/{seed}")
    new = sum(1 << seat for seat in range(0, seats, 2))
    gained: list[float] = []
    for number in range(deals):
        dealt = Hand(
            format="tricklog/1",
            id=f"{variant}-{number + 1}",
            rules=RulesRef(variant),
            players=[Seat(id=str(seat)) for seat in range(seats)],
            dealer=number % seats,
            actions=[],
            scores=[0] * ruleset.sides(seats),
        )
        dealt = deal_out(dealt, ruleset, chance)
        both = [
            _gain(played_by(ruleset, dealt, each, f"{seed}/{number}", worlds), each, seats)
            for each in (new, (1 << seats) - 1 & ~new)
        ]
        gained.append(sum(both) / 2)
    mean = sum(gained) / deals
    spread = sum((each - mean) ** 2 for each in gained) / max(1, deals - 1)
    return Margin(deals, mean, sqrt(spread / deals))


def _gain(played: Replay, new: int, seats: int) -> float:
    """Return what the seats of ``new`` score on the average, less the average of the others."""
    outcome = played.outcome
    assert outcome is not None, played
    assert not played.findings, played.findings
    ours = [
        outcome.change[played.ruleset.side_of(seat)] for seat in range(seats) if new >> seat & 1
    ]
    theirs = [
        outcome.change[played.ruleset.side_of(seat)] for seat in range(seats) if not new >> seat & 1
    ]
    return sum(ours) / len(ours) - sum(theirs) / len(theirs)
