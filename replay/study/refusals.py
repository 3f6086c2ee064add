"""What the solver does not take on, or cannot score, each with the rule that is in the way and why.

It is decided by the resolved rules and the state alone, never by the name of a game, and nothing is
guessed instead.
"""

from typing import Final

from tricklog.core.engine.policies import GamePoint, Pair, Sides, TrumpCall
from tricklog.core.engine.records import NO_TRUMPS, Rules, State, copy_state
from tricklog.core.engine.rules import early_end, scoring
from tricklog.core.solver import score, start
from tricklog.core.solver.position import LONGEST_SUIT, MAX_WEIGHT
from tricklog.schemas.cards import cards_in

MAX_PAIR: Final = 400
"""By how much king and queen may change what is needed, at the most."""


class Refused(ValueError):
    """The solver does not take this on; the message is a sentence for people."""


def refusal(rules: Rules) -> str | None:
    """Return why the solver takes no hand of these rules, as a sentence; ``None`` when it does."""
    alone = rules.sides == Sides.SINGLES
    if alone and rules.game_point == GamePoint.COUNT:
        return (
            "game_point is count where each plays alone: the point depends on how the others share "
            "what they take, which the maker against the rest does not tell"
        )
    if alone and rules.pair != Pair.NONE:
        return (
            "pair changes the contract where each plays alone: who of the others may declare king "
            "and queen depends on tricks that the maker against the rest does not tell apart"
        )
    plain, pack = rules.suit[NO_TRUMPS], cards_in(rules.pack)
    changes_suits = any(row[card] != plain[card] for row in rules.suit for card in pack)
    if rules.trump_call == TrumpCall.SECRET and changes_suits:
        return (
            "trump_call is secret while a card changes its suit with the trump: which suit it "
            "follows to would turn over in the middle of a trick"
        )
    if max(sum(row) for row in rules.points) + rules.last_trick_points > MAX_WEIGHT:
        return f"points come to more than {MAX_WEIGHT} in a hand, more than the solver counts"
    if min(min(row) for row in rules.points) < 0:
        return "points below nothing make a card that nobody wants; the solver knows none"
    if rules.pair_shift > MAX_PAIR or rules.pair_cap > MAX_WEIGHT:
        return f"pair_shift is more than {MAX_PAIR}, more than the solver counts"
    return None


SENTENCES: Final = {
    start.THROWN_IN: "the deal is thrown in, so there is no play to value",
    start.NOT_BEGUN: ("the play has not begun: the solver values hands from the first trick on"),
    start.WITHOUT_MAKER: "nobody is the maker, so there is no side to value the hand for",
    start.TRUMP_UNKNOWN: "the record does not say what trumps are",
    start.HAND_UNKNOWN: "the record does not name every card in hand",
    start.TABLE_UNKNOWN: "the record does not name every card of the trick on the table",
    start.OUT_OF_TURN: "somebody has played out of turn, and the others may still play before",
    start.TOO_MANY_CARDS: "somebody holds more cards than there are tricks to play them to",
    start.SUIT_TOO_LONG: (
        f"more than {LONGEST_SUIT} cards belong to one suit, more than the solver counts"
    ),
}
"""Why a state is refused, by what ``solver.start.why_not`` says."""
NO_PLAY: Final = "the record shows no play"
NOT_NAMED: Final = "the record does not name every card played"
STOPPED: Final = "play stopped before its end, and the points left in the cards would have scored"


def refusal_of_state(state: State, rules: Rules) -> str | None:
    """Return why the solver does not take this moment of a hand; ``None`` when it does."""
    return SENTENCES.get(start.why_not(state, rules))


# --- The score of a hand by the points its makers end with, or why there is none


NO_SCORE: Final = {
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
            raise Refused(NO_SCORE[reason])
        self._total = score.points_at_stake(self._state, rules)

    def change(self, points: int) -> int:
        """Return what the makers' side adds less what the others add, in score.

        ``points``: of the makers at the end, with a hand alone tricks. Where each plays alone: what
        the maker adds. It never falls when ``points`` rise. Limits (S47, S83) are left out.
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
    """Return by how much a declared pair changes the makers' need (14.pair); 0 without one."""
    if state.pair_side < 0 or state.solo >= 0:
        return 0
    return early_end.need_if_paired(state, rules, -1) - scoring.points_needed(state, rules)
