"""Who sees which cards: one rule for grades with hidden cards, for Practice and the replay page.

Everybody sees what is played, put under the first trick, shown, claimed, or laid off face up.
Surplus counts as open, as it is where all of it lies face up (C03). A player sees what they hold,
lay off, give and are given. Who robs sees the whole stock, and where the rules let them choose from
discards, these as well, but no cards of who has folded.
"""

from collections.abc import Sequence
from typing import Final

from tricklog.core.engine.policies import Rob
from tricklog.core.engine.records import Rules, State, union
from tricklog.core.engine.rules.table import partner_of
from tricklog.schemas.actions import Action, Verb

OPEN: Final = frozenset({Verb.DISCARD_UP, Verb.CLAIM, Verb.BURY, Verb.PLAY, Verb.SHOW, Verb.REVEAL})
"""Verbs whose cards everybody sees."""


def sees(rules: Rules, seat: int, action: Action) -> bool:
    """Whether a seat sees which cards an action is about."""
    to_it = action.verb == Verb.GIVE and partner_of(rules, action.seat) == seat
    return action.seat == seat or to_it or action.verb in OPEN


def seen_by(rules: Rules, seat: int, before: State, action: Action) -> int:
    """Return the cards that a seat sees when an action is carried out, as a set.

    ``before``: the state before it. Cards dealt to the seat are none of them; it holds these.
    """
    if action.verb != Verb.ROB or action.seat != seat:
        return action.cards if sees(rules, seat, action) else 0
    seen = before.stock_set | action.cards
    if looks_through_discards(rules):
        for other in range(rules.seats):
            seen |= 0 if before.folded >> other & 1 else before.discarded[other]
    return seen


def looks_through_discards(rules: Rules) -> bool:
    """Whether who robs sees, and chooses from, what others have laid off."""
    return rules.rob == Rob.STOCK_AND_DISCARDS or rules.search_discards == 1


def laid_off_openly(actions: Sequence[Action], seat: int) -> int:
    """Return the cards that a seat has laid off face up, as a set."""
    own = (each for each in actions if each.seat == seat)
    return union(each.cards for each in own if each.verb == Verb.DISCARD_UP)
