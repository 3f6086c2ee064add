"""Linear fits of what makers bid and take, in closed form, each fold judged by the other folds.

Pure statistics. A fit has a number for each column, one for each player whose row it is, and one
for each player around the table. The player's own number keeps a bold bidder from teaching the fit
that such cards are bid so; only the columns are taken out of what is judged afterwards.

With ``x`` the columns, ``p`` the player and ``q`` the others of a row, the fit is the least of

    sum((y - c - x b - own[p] - sum(around[q])) ** 2)
        + sum(var(x) b ** 2) + 0.5 sum(own ** 2) + 8 sum(around ** 2)

The own numbers follow from the rest by ``own[p] = sum(residual) / (rows + 0.5)``, so they are taken
out of the equations beforehand, and any number of players costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from tricklog.ingest.metrics.field.holdings import Floats, Integers

FOLDS: Final = 10
COLUMN_RIDGE: Final = 1.0
"""Holds a column back, once it is scaled to a variance of one."""
OWN_RIDGE: Final = 0.5
AROUND_RIDGE: Final = 8.0
_STEADY: Final = 1e-9
"""Variance up to which a column says the same of every row."""


@dataclass(slots=True)
class Sums:
    """Sums of squares and products, by fold, of which every fit is made.

    A row has ``columns`` numbers, of which the first is always 1, and ``around`` numbers after
    them, how often each player sits around it. What is fitted is a column, too.
    """

    columns: int
    around: int
    players: int
    """How many players rows may belong to."""
    products: Floats = field(init=False)
    """By fold, column and column."""
    own: Floats = field(init=False)
    """By column, fold and player: sums over the rows of the player."""

    def __post_init__(self) -> None:
        size = self.columns + self.around
        self.products = np.zeros((FOLDS, size, size))
        self.own = np.zeros((size, FOLDS * self.players))

    def add(self, rows: Floats, player: Integers, fold: Integers) -> None:
        """Add some rows, with the player and the fold of each."""
        for number in range(FOLDS):
            chosen = rows[fold == number]
            self.products[number] += chosen.T @ chosen
        cell = fold.astype(np.int64) * self.players + player
        for column, numbers in enumerate(rows.T):
            self.own[column] += np.bincount(cell, weights=numbers, minlength=self.own.shape[1])

    def fit(self, target: int, by: Integers) -> Floats:
        """Return the weights of columns, a row for each fold, made of all other folds.

        ``target`` is the column that is fitted, ``by`` the columns it is fitted by, of which the
        first is 0. Those around the table are always in the fit and left out of what is returned.
        """
        used = np.concatenate([by, np.arange(self.columns, self.columns + self.around)])
        return np.stack([self._without(fold, target, used)[: len(by)] for fold in range(FOLDS)])

    def _without(self, fold: int, target: int, used: Integers) -> Floats:
        products = self.products.sum(axis=0) - self.products[fold]
        by_fold = self.own.reshape(len(self.own), FOLDS, self.players)
        own = by_fold.sum(axis=1) - by_fold[:, fold]
        shrunk = own / np.sqrt(own[0] + OWN_RIDGE)
        products = products - shrunk @ shrunk.T
        matrix = products[np.ix_(used, used)] + np.diag(self._ridge(fold, used))
        return np.linalg.solve(matrix, products[used, target])

    def _ridge(self, fold: int, used: Integers) -> Floats:
        products = self.products.sum(axis=0) - self.products[fold]
        mean = products[0] / products[0, 0]
        variance = np.diag(products) / products[0, 0] - mean**2
        # A column that never changes gets a weight of nothing.
        ridge = COLUMN_RIDGE * np.where(variance > _STEADY, variance, 1.0)
        ridge[self.columns :] = AROUND_RIDGE
        ridge[0] = 0.0
        return ridge[used]
