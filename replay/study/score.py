"""The score of a hand by the points its makers end with, or why there is none."""

from __future__ import annotations

from typing import Final

from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules import early_end, scoring
from tricklog.core.solver import score
from tricklog.core.study.refusals import Refused

SENTENCES: Final = {
    score.NO_MAKER: "nobody is the maker, so there is no contract to score",
    score.SWEEP: "one side with every trick doubles the stake (O73), which points do not tell",
    score.MAY_BE_VOID: (
        "the hand is void if trumps never come to light (S81), which with these cards is possible "
        "and points do not tell"
    ),
    score.GAME_BY_COUNT: (
        "the point called game goes by count (C15) and nobody may get it, so what the makers take "
        "does not tell what the others have"
    ),
    score.SHARED: (
        "each plays alone and the score depends on the most that one of the others takes, which "
        "what the maker takes does not tell"
    ),
    score.PAIR_AND_POINTS: (
        "king and queen of trumps change what is needed and not what is taken, and the score "
        "depends on both"
    ),
    score.POINTS_LOST: (
        "cards with points are thrown in by players who are out, so what the makers take does not "
        "tell what the others have"
    ),
    score.NOT_MONOTONE: (
        "more points for the makers can be a worse score for them under these rules, so best play "
        "for points is not best play for score"
    ),
}
"""Why a hand has no score by points, as sentences without a full stop."""


class OpenScore:
    """The change of score of a hand by the points its makers end with."""

    def __init__(self, state: State, rules: Rules, need: int | None) -> None:
        """Take the state that the points count from, one that the solver takes on.

        ``need``: what the makers need in ``state``, in points or in tricks, as ``OpenHand.need``;
        ``None`` without a contract. Raises ``Refused`` where points do not tell the score.
        """
        self._state = copy_state(state)
        self._rules = rules
        # The state has what a declared pair changes in its need, the solver in its values.
        self._pair = pair_points(self._state, rules)
        self._need = (need or 0) - self._pair
        reason = score.score_refusal(self._state, rules, self._need)
        if reason != score.SCORES:
            raise Refused(SENTENCES[reason])
        self._total = score.points_at_stake(self._state, rules)

    def change(self, points: int) -> int:
        """Return what the makers' side adds less what the others add, in score.

        ``points``: of the makers at the end, as the values of the solver; with a hand alone tricks.
        Where each plays alone it is what the maker adds. It never falls when ``points`` rise.
        Limits of the game's scores (S47, S83) are left out.
        """
        taken = points - self._pair
        return score.change_with(self._state, self._rules, self._need, taken, self._total)


def score_or_why(
    state: State, rules: Rules, need: int | None
) -> tuple[OpenScore | None, str | None]:
    """Return an ``OpenScore``, or why there is none, a sentence without a full stop."""
    try:
        return OpenScore(state, rules, need), None
    except Refused as refused:
        return None, str(refused)


def pair_points(state: State, rules: Rules) -> int:
    """Return what a pair that has been declared counts for the makers; below 0 for the others'.

    It is by how much it changes what they need (14.pair); 0 without one.
    """
    if state.pair_side < 0 or state.solo >= 0:
        return 0
    undeclared = early_end.need_if_paired(state, rules, -1)
    return undeclared - scoring.points_needed(state, rules)
