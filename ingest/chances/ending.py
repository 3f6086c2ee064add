"""Which side has won a game with a hand, asked of the engine for many hands at once.

Who has won hangs on the scores by a few comparisons alone: with the target, with the limits, and
with each other. The engine is asked once for each way in which these may come out.
Source: ``tricklog.core.engine.rules.game_end``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules import game_end
from tricklog.core.judging.standing import RESULTS

Whole = NDArray[np.int64]

NOBODY: Final = -1
"""In place of a side: nobody was maker, or nobody has won."""
_ASK: Final = -2


class Ending:
    """The end of a game of two sides under some rules."""

    def __init__(self, rules: Rules) -> None:
        """Take the rules of the table."""
        self._rules = rules
        self._winners = np.full(3**6 * len(RESULTS), _ASK, np.int8)

    def settle(
        self, first: Whole, second: Whole, outcome: Sequence[Whole | int]
    ) -> tuple[Whole, Whole, NDArray[np.int8]]:
        """Return the scores of two sides after hands, and who has won the game with each.

        ``first`` and ``second`` are the running scores before them. ``outcome`` is what both add,
        which of them bid (0, 1 or ``NOBODY``), and how the hand ended, in numbers of
        ``tricklog.core.engine.rules.scoring``: one number for all hands, or one for each. The
        winner is 0, 1 or ``NOBODY``; what is added stops at the limits of a game that has some.
        """
        own, other, maker, result = outcome
        before, after = (first, second), (self._within(first + own), self._within(second + other))
        way = (np.sign(after[0] - after[1]) + 1) * len(RESULTS) + result
        way = way * 3 + maker - NOBODY
        rules = self._rules
        for sides, low in ((before, rules.goes_out_at - 1), (after, rules.lose_at)):
            for each in sides:
                way = way * 3 + (each > low) + (each >= rules.target)
        asked = (*before, *after, maker, result)
        for new in np.unique(way[self._winners[way] == _ASK]):
            at = (way == new).argmax()
            *scores, who, how = (int(np.broadcast_to(each, way.shape).flat[at]) for each in asked)
            self._winners[new] = game_end.game_winner(rules, scores[:2], scores[2:], who, how)
        return *after, self._winners[way]

    def _within(self, totals: Whole) -> Whole:
        if not self._rules.clamp:
            return totals
        found, at = np.unique(totals, return_inverse=True)
        stopped = np.array([game_end.clamped(self._rules, int(each)) for each in found])
        return stopped[at].reshape(totals.shape)
