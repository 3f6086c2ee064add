"""Practice: bots learn what a hand is worth under a ruleset by playing it.

Random deals, no auction: each time one seat is made maker, names the suit it likes best, and the
hand is played out. What its side took is fitted to the maker's cards, see ``hand_evaluation``.
"""

from __future__ import annotations

import random
from typing import Final

from tricklog.core.bots.bots import STEADY
from tricklog.core.bots.hand_evaluation import UNTRAINED, Judgement, fit
from tricklog.core.card_sense.hand import shuffled
from tricklog.core.card_sense.worth import ALL_SUITS, best_trump, features_of
from tricklog.core.engine.rules.table import side_of
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.schemas.cards import mask_of

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
