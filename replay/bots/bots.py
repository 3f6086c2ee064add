"""Players made of a few card sense rules, for generated games.

They see only what a player sees: their own cards, the auction, the cards played, trumps once
known. Every choice is made among what the engine says is legal, by ``tricklog.core.card_sense``. A
temperament shifts how much they bid and how often they play without thinking.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Final

from tricklog.core.bots.hand_evaluation import Judgement
from tricklog.core.card_sense import choices
from tricklog.core.card_sense.choices import Drawn, Luck
from tricklog.core.card_sense.worth import Mind
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules.table import Legal
from tricklog.schemas.actions import Action
from tricklog.schemas.scan.actions import ScannedAction


@dataclass(frozen=True, slots=True)
class Temperament:
    """How a bot differs from a sensible one."""

    name: str
    reach: float
    """How far above what it expects to take it bids, in standard deviations of its judgement."""
    carelessness: float
    """Chance to play any legal card."""


STEADY: Final = Temperament("steady", -0.1, 0.0)
TEMPERAMENTS: Final = (
    STEADY,
    Temperament("bold", 0.25, 0.0),
    Temperament("careful", -0.4, 0.0),
    Temperament("weak", 0.0, 0.35),
)


@dataclass(slots=True)
class Bot:
    """One player at the table."""

    temperament: Temperament
    seat: int
    judgement: Judgement
    chance: random.Random
    mind: Mind = field(init=False)

    def __post_init__(self) -> None:
        """Make up the mind."""
        temperament = self.temperament
        self.mind = self.judgement.mind(temperament.reach, temperament.carelessness)

    def volunteer(self, state: State, rules: Rules, options: Legal) -> Action | None:
        """Declare a pair, and raise the stake or play alone with the cards for it."""
        done = ScannedAction()
        if choices.volunteer(state, rules, options, self.mind, self.seat, done):
            return _action(done)
        return None

    def decide(self, state: State, rules: Rules, options: Legal) -> Action | None:
        """Return what this player does in turn; nothing where that is allowed and as good."""
        done, luck = ScannedAction(), Luck(Drawn(self.chance), [0])
        if choices.decide(state, rules, options, self.mind, luck, self.seat, done):
            return _action(done)
        return None


def _action(done: ScannedAction) -> Action:
    return Action(done.seat, done.verb, done.amount, done.card, done.cards, done.size)
