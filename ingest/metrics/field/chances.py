"""The chance that these cards make a bid: what other hands with like cards came to.

A hand takes the points expected of it, and what some other hand took above or below those expected
there; the nearer what was expected there, the more that hand counts. So the chance falls
as the bid rises, whatever the hands say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ingest.metrics.field.fitting import FOLDS
from ingest.metrics.field.holdings import Floats, Integers
from ingest.metrics.field.judging import Contracts

_WIDTH: Final = 0.7
"""How far off points may be expected for a hand to be alike, in standard deviations of them."""
_STEPS: Final = 61
"""Expected points between the lowest and the highest for which chances are worked out."""
_MOST: Final = 20_000
"""Contracts that chances are made of; of more, evenly chosen ones."""


@dataclass(frozen=True, slots=True)
class Chances:
    """Chances by expected points and bid; what lies between is taken from both neighbours."""

    steps: Floats
    """Expected points, in even steps."""
    lowest: int
    """The lowest bid there is a chance for; the next ones follow."""
    of_folds: Floats
    """By fold, step and bid: made of the contracts of all other folds."""
    of_all: Floats
    """By step and bid: made of all contracts."""

    def chance(self, expected: Floats, bid: Integers, fold: Integers | None = None) -> Floats:
        """Return the chance to take as many points as bid, from 0 to 1.

        With ``fold`` the hands of that fold are left out.
        """
        table = self.of_all[None] if fold is None else self.of_folds
        number = np.zeros(len(expected), dtype=np.int64) if fold is None else fold
        column = np.clip(bid - self.lowest, 0, table.shape[2] - 1).astype(np.int64)
        width = self.steps[1] - self.steps[0]
        at = np.clip((expected - self.steps[0]) / width, 0, len(self.steps) - 1)
        below = np.minimum(at.astype(np.int64), len(self.steps) - 2)
        part = at - below
        one, other = table[number, below, column], table[number, below + 1, column]
        found: Floats = (1 - part) * one + part * other
        return found


def chances_of(contracts: Contracts, fold: Integers, bids: range) -> Chances:
    """Return the chances of bids, made of contracts and the fold of each."""
    every = -(-len(fold) // _MOST)
    order = np.argsort(contracts.taken[::every], kind="stable")
    expected = contracts.expected[::every][order]
    taken, folds = contracts.taken[::every][order], fold[::every][order]
    spread = max(float(contracts.expected.std()), 1e-9)
    low, high = float(contracts.expected.min()), float(contracts.expected.max())
    steps = np.linspace(low, max(high, low + spread), _STEPS)
    of_folds = np.empty((FOLDS, _STEPS, len(bids)))
    of_all = np.empty((_STEPS, len(bids)))
    amounts = np.array(bids)
    for step, points in enumerate(steps):
        alike = np.exp(-0.5 * ((points - expected) / (_WIDTH * spread)) ** 2)
        # Hands in the order of what they took: the first ones fall short of the bid.
        short = np.searchsorted(taken, amounts - points - 1e-9)
        for number in range(FOLDS):
            of_folds[number, step] = _share_from(np.where(folds == number, 0.0, alike), short)
        of_all[step] = _share_from(alike, short)
    return Chances(steps, bids.start, of_folds, of_all)


def _share_from(weights: Floats, places: Integers) -> Floats:
    """Return which share of the weights stands at each place or after it."""
    added = np.concatenate([[0.0], np.cumsum(weights)])
    found: Floats = 1 - added[places] / added[-1]
    return found
