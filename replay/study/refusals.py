"""What the solver does not take on, each with the rule that is in the way and the reason.

It is decided by the resolved rules and the state alone, never by the name of a game, and nothing is
guessed instead.
"""

from __future__ import annotations

from typing import Final

from tricklog.core.engine.policies import GamePoint, Pair, Sides, TrumpCall
from tricklog.core.engine.records import NO_TRUMPS, TRUMPS, Rules, State
from tricklog.core.solver import start
from tricklog.core.solver.position import LONGEST_SUIT, MAX_WEIGHT
from tricklog.schemas.cards import CARD_COUNT

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
    if rules.trump_call == TrumpCall.SECRET and _changes_suits(rules):
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


def _changes_suits(rules: Rules) -> bool:
    cards = [card for card in range(CARD_COUNT) if rules.pack >> card & 1]
    return any(
        rules.suit[trump][card] != rules.suit[NO_TRUMPS][card]
        for trump in range(TRUMPS)
        for card in cards
    )


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
