"""The parts that ledgers of many hands are added up in, as columns of whole numbers.

A part belongs to luck, to whoever the account is of, or to others; ``LINES`` says which columns
make it. What average deals bring is no column: it is taken off the column ``AT_PAR`` and stands in
a part of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from tricklog.core.study.sampling import Unit
from tricklog.ingest.metrics.intervals import Whole
from tricklog.ingest.study import kept_ledgers
from tricklog.ingest.study.kept_ledgers import CHOSEN, HEAD, STOCKS, LedgerRow

By = Literal["makers", "player", "side"]
Whose = Literal["start", "luck", "own", "others", "sum"]
SCALE: Final = STOCKS
"""What amounts were multiplied by to be whole numbers."""
MOST_SEATS: Final = 8
AT_PAR, DRAW, RESULT = kept_ledgers.AT_PAR, kept_ledgers.DRAW, kept_ledgers.RESULT
_CLASSES: Final = 3
"""Who chose: the player, their partners, others."""


def _by(part: int, *classes: int) -> tuple[int, ...]:
    """Return the columns of a part of ``CHOSEN``, chosen by some of the classes."""
    return tuple(HEAD + _CLASSES * part + each for each in classes)


_AUCTION, _EXCHANGE, _MAKERS, _DEFENCE = range(len(CHOSEN))
_OWN, _PARTNER, _OTHERS = range(_CLASSES)
_SIDE: Final = (_OWN, _PARTNER)
_ALL: Final = (_OWN, _PARTNER, _OTHERS)
_LUCK: Final[tuple[tuple[str, Whose, tuple[int, ...]], ...]] = (
    ("start", "start", ()),
    ("deal", "luck", (AT_PAR,)),
    ("draw", "luck", (DRAW,)),
)
_SUM: Final[tuple[tuple[str, Whose, tuple[int, ...]], ...]] = (("result", "sum", (RESULT,)),)

LINES: Final[dict[By, tuple[tuple[str, Whose, tuple[int, ...]], ...]]] = {
    "makers": (
        *_LUCK[:2],
        ("auction", "own", _by(_AUCTION, *_ALL)),
        ("exchange", "own", _by(_EXCHANGE, *_ALL)),
        _LUCK[2],
        ("makers' play", "own", _by(_MAKERS, *_ALL)),
        ("defence", "others", _by(_DEFENCE, *_ALL)),
        *_SUM,
    ),
    "player": (
        *_LUCK,
        ("own bids", "own", _by(_AUCTION, _OWN)),
        ("partner's bids", "others", _by(_AUCTION, _PARTNER)),
        ("opponents' bids", "others", _by(_AUCTION, _OTHERS)),
        ("own exchange", "own", _by(_EXCHANGE, _OWN)),
        ("partner's exchange", "others", _by(_EXCHANGE, _PARTNER)),
        ("opponents' exchange", "others", _by(_EXCHANGE, _OTHERS)),
        ("own cards as maker's side", "own", _by(_MAKERS, _OWN)),
        ("own cards in defence", "own", _by(_DEFENCE, _OWN)),
        ("partner's cards", "others", (*_by(_MAKERS, _PARTNER), *_by(_DEFENCE, _PARTNER))),
        ("opponents' cards", "others", (*_by(_MAKERS, _OTHERS), *_by(_DEFENCE, _OTHERS))),
        *_SUM,
    ),
    "side": (
        *_LUCK,
        ("own bids", "own", _by(_AUCTION, *_SIDE)),
        ("opponents' bids", "others", _by(_AUCTION, _OTHERS)),
        ("own exchange", "own", _by(_EXCHANGE, *_SIDE)),
        ("opponents' exchange", "others", _by(_EXCHANGE, _OTHERS)),
        ("own cards as maker's side", "own", _by(_MAKERS, *_SIDE)),
        ("own cards in defence", "own", _by(_DEFENCE, *_SIDE)),
        ("opponents' cards", "others", (*_by(_MAKERS, _OTHERS), *_by(_DEFENCE, _OTHERS))),
        *_SUM,
    ),
}
"""By whom hands are added up for: name of each part, whose it is, and its columns."""
LUCK: Final = "deal and draw"
_OWN_OF: Final[dict[By, tuple[int, ...]]] = {"makers": _ALL, "player": (_OWN,), "side": _SIDE}


def _summary(by: By) -> tuple[tuple[str, Whose, tuple[int, ...]], ...]:
    parts = range(len(CHOSEN))
    classes = _OWN_OF[by]
    if by == "makers":
        own = tuple(
            column for part in (_AUCTION, _EXCHANGE, _MAKERS) for column in _by(part, *_ALL)
        )
        others = _by(_DEFENCE, *_ALL)
    else:
        rest = tuple(each for each in _ALL if each not in classes)
        own = tuple(column for part in parts for column in _by(part, *classes))
        others = tuple(column for part in parts for column in _by(part, *rest))
    return (
        ("start", "start", ()),
        (LUCK, "luck", (AT_PAR, DRAW)),
        ("own choices", "own", own),
        ("others' choices", "others", others),
        *_SUM,
    )


SUMMARY: Final[dict[By, tuple[tuple[str, Whose, tuple[int, ...]], ...]]] = {
    by: _summary(by) for by in LINES
}
"""The same in few parts, which sum to the result as well."""


@dataclass(frozen=True, slots=True)
class Table:
    """Ledgers of hands as arrays, a row for each hand."""

    maker: Whole
    makers: Whole
    alone: NDArray[np.bool_]
    head: Whole
    """What nobody chose, for the makers."""
    chosen: Whole
    """By hand, part of ``CHOSEN`` and seat, what was chosen brought the makers."""


def table_of(rows: Sequence[LedgerRow], unit: Unit) -> Table:
    """Return rows that have an account in a unit as arrays."""
    head = np.zeros((len(rows), HEAD), np.int64)
    chosen = np.zeros((len(rows), len(CHOSEN), MOST_SEATS), np.int64)
    for number, row in enumerate(rows):
        amounts = row.amounts(unit)
        seats = (len(amounts) - HEAD) // len(CHOSEN)
        head[number] = amounts[:HEAD]
        chosen[number, :, :seats] = np.reshape(amounts[HEAD:], (len(CHOSEN), seats))
    return Table(
        np.array([each.maker for each in rows], np.int64),
        np.array([each.makers for each in rows], np.int64),
        np.array([each.alone for each in rows], np.bool_),
        head,
        chosen,
    )


@dataclass(frozen=True, slots=True)
class Columns:
    """Accounts of some players in some hands, a row for each."""

    table: Whole
    """Columns of ``HEAD`` and of each part and class, as it counts for the player's side."""
    sign: Whole
    """1 for the makers' side, -1 for others."""
    is_maker: NDArray[np.bool_]
    counts: NDArray[np.bool_]
    """Whether the hand counts for the player."""

    def only(self, rows: NDArray[np.bool_]) -> Columns:
        """Return some of the rows."""
        return Columns(self.table[rows], self.sign[rows], self.is_maker[rows], self.counts[rows])

    def amounts(self, by: By, name: str) -> Whole:
        """Return the amounts of a part, each times ``SCALE``."""
        listed = (*LINES[by], *SUMMARY[by])
        columns = next(columns for each, _, columns in listed if each == name)
        found: Whole = self.table[:, list(columns)].sum(axis=1)
        return found

    def could(self, by: By, name: str) -> NDArray[np.bool_]:
        """Return in which hands a part could come up."""
        ours = self.sign > 0
        tests = {
            "own bids": self.is_maker if by == "player" else ours,
            "partner's bids": ours & ~self.is_maker,
            "opponents' bids": ~ours,
            "own cards as maker's side": ours,
            "own cards in defence": ~ours,
        }
        return tests.get(name, np.ones_like(ours)) if by != "makers" else np.ones_like(ours)


def columns_of(table: Table, row: Whole, seat: Whole) -> Columns:
    """Return the accounts of the players in some seats of some hands."""
    makers = table.makers[row]
    ours = (makers >> seat) & 1
    sign = 2 * ours - 1
    of_side = ((makers[:, None] >> np.arange(MOST_SEATS)) & 1) == ours[:, None]
    chosen = table.chosen[row]
    own = np.take_along_axis(chosen, seat[:, None, None], axis=2)[:, :, 0]
    together = (chosen * of_side[:, None, :]).sum(axis=2)
    classes = np.stack([own, together - own, chosen.sum(axis=2) - together], axis=2)
    flat = classes.reshape(len(row), len(CHOSEN) * _CLASSES)
    whole = np.concatenate([table.head[row], flat], axis=1) * sign[:, None]
    is_maker = table.maker[row] == seat
    return Columns(whole, sign, is_maker, ~table.alone[row] | is_maker)


def exact_means(group: Whole, amounts: Whole, groups: int) -> list[Fraction]:
    """Return the mean of whole numbers over the hands of each group, less ``SCALE``, exactly."""
    totals = np.zeros(groups, np.int64)
    np.add.at(totals, group, amounts)
    hands = np.bincount(group, minlength=groups)
    return [
        Fraction(int(total), int(count) * SCALE) for total, count in zip(totals, hands, strict=True)
    ]
