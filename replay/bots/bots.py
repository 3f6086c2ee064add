"""Players made of a few card sense rules, for generated games.

They see only what a player sees, and choose among what the engine says is legal, by
``tricklog.core.card_sense``. A temperament shifts how much they bid and how often they play without
thinking. Before they bid they practise: random deals without an auction, in which one seat is made
maker, are played out, and what its side took is fitted to features of its first cards. So every
ruleset, a house's own included, gets bids that suit it, the same on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from tricklog.core.card_sense import choices
from tricklog.core.card_sense.choices import Drawn, Luck
from tricklog.core.card_sense.hand import shuffled
from tricklog.core.card_sense.worth import ALL_SUITS, Mind, best_trump, features_of
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules.table import Legal, side_of
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.schemas.actions import Action
from tricklog.schemas.cards import mask_of
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


# --- What a hand is worth to them


_RIDGE: Final = 0.6
"""Holds the fit back where few practice hands speak for a feature."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """How the features of a hand foretell the share of points, and how far that may be off."""

    weights: tuple[float, ...]
    spread: float
    """Standard deviation of the share around what was foretold."""

    def mind(self, reach: float = 0.0, carelessness: float = 0.0) -> Mind:
        """Return the mind of a player who judges so.

        ``reach``: how far above what it expects to take it bids, in standard deviations;
        ``carelessness``: the chance to play any legal card.
        """
        return Mind([*self.weights], reach * self.spread, carelessness * (1 << 53))


UNTRAINED: Final = Judgement((0.1, 0.0, 0.0, 0.2, 0.03, 0.2, 0.05), 0.25)
"""Good enough to choose trumps by in practice hands."""


def fit(rows: Sequence[tuple[float, ...]], shares: Sequence[float]) -> Judgement:
    """Return the judgement that fits ``shares`` best in the least squares sense, with a ridge."""
    size = len(rows[0])
    matrix = [[0.0] * (size + 1) for _ in range(size)]
    for row, share in zip(rows, shares, strict=True):
        for one in range(size):
            for other in range(size):
                matrix[one][other] += row[one] * row[other]
            matrix[one][size] += row[one] * share
    for one in range(1, size):
        matrix[one][one] += _RIDGE
    weights = _solve(matrix)
    off = 0.0
    for row, share in zip(rows, shares, strict=True):
        foretold = sum(weight * value for weight, value in zip(weights, row, strict=True))
        off += (share - foretold) ** 2
    return Judgement(tuple(weights), sqrt(off / len(rows)))


def _solve(matrix: list[list[float]]) -> list[float]:
    """Solve a system of linear equations, positive definite by its ridge, by elimination."""
    size = len(matrix)
    for pivot in range(size):
        for row in range(pivot + 1, size):
            factor = matrix[row][pivot] / matrix[pivot][pivot]
            for column in range(pivot, size + 1):
                matrix[row][column] -= factor * matrix[pivot][column]
    result = [0.0] * size
    for row in range(size - 1, -1, -1):
        known = sum(matrix[row][column] * result[column] for column in range(row + 1, size))
        result[row] = (matrix[row][size] - known) / matrix[row][row]
    return result


PRACTICE_HANDS: Final = 160

_LEARNED: dict[tuple[str, int], Judgement] = {}


def practised(ruleset: Ruleset, seats: int) -> Judgement:
    """Return the judgement of players who have practised ``ruleset`` at a table of ``seats``."""
    key = (ruleset.hash, seats)
    if key not in _LEARNED:
        _LEARNED[key] = _practise(ruleset, seats)
    return _LEARNED[key]


def _practise(ruleset: Ruleset, seats: int) -> Judgement:
    from tricklog.core.compiled.playing import PlayTable

    rules = ruleset.rules(seats)
    chance = random.Random(f"practice/{seats}")
    table = PlayTable(rules, [UNTRAINED.mind(STEADY.reach, STEADY.carelessness)] * seats)
    rows: list[tuple[float, ...]] = []
    shares: list[float] = []
    for number in range(PRACTICE_HANDS):
        cards = shuffled(rules, chance)
        maker = chance.randrange(seats)
        held = mask_of(cards[maker * rules.dealt :][: rules.packet])
        trump = best_trump(rules, table.minds[maker], held, ALL_SUITS)
        table.play(cards, number % seats, [0] * rules.side_count, chance, maker)
        rows.append(features_of(rules, held, trump))
        shares.append(table.points_of(side_of(rules, maker)) / rules.all_points)
    return fit(rows, shares)
