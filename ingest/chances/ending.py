"""Which side has won a game with a hand, asked of the engine for many hands at once.

Who has won hangs on the scores by a few comparisons alone: with the target, with the limits, and
with each other. The engine is asked once for each way in which these may come out.
Source: ``tricklog.core.engine.rules.game_end``.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules import game_end

Whole = NDArray[np.int64]

NOBODY: Final = -1
"""In place of a side: nobody was maker, or nobody has won."""
_ASK: Final = -2
_THREE: Final = 3
_WAYS: Final = _THREE**5


class Ending:
    """The end of a game of two sides under some rules."""

    def __init__(self, rules: Rules) -> None:
        """Take the rules of the table."""
        self._rules = rules
        self._winners: dict[tuple[int, int], NDArray[np.int8]] = {}

    def settle(
        self,
        before: tuple[Whole, Whole],
        change: tuple[Whole | int, Whole | int],
        maker: int,
        result: int,
    ) -> tuple[Whole, Whole, NDArray[np.int8]]:
        """Return the scores of both sides after a hand, and who has won the game with it.

        Args:
            before: the running scores of side 0 and of side 1 before it.
            change: what they add, one number for all hands or one for each.
            maker: the side that bid, ``NOBODY`` where nobody did.
            result: how the hand ended, in numbers of ``tricklog.core.engine.rules.scoring``.

        The winner is 0, 1 or ``NOBODY``; what is added stops at the limits of a game that has some.
        """
        after = self._within(before[0] + change[0]), self._within(before[1] + change[1])
        way = np.sign(after[0] - after[1]) + 1
        rules = self._rules
        for scores, low in ((before, rules.goes_out_at - 1), (after, rules.lose_at)):
            for each in scores:
                way = way * _THREE + (each > low) + (each >= rules.target)
        known = self._winners.setdefault((maker, result), np.full(_WAYS, _ASK, np.int8))
        for new in np.unique(way[known[way] == _ASK]):
            at = np.unravel_index((way == new).argmax(), way.shape)
            known[new] = game_end.game_winner(
                rules, [int(each[at]) for each in before], [int(each[at]) for each in after],
                maker, result,
            )  # fmt: skip
        return *after, known[way]

    def _within(self, totals: Whole) -> Whole:
        if not self._rules.clamp:
            return totals
        found, at = np.unique(totals, return_inverse=True)
        stopped = np.array([game_end.clamped(self._rules, int(each)) for each in found])
        return stopped[at].reshape(totals.shape)
