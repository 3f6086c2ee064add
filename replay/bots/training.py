"""Practice: bots learn what a hand is worth under a ruleset by playing it.

Random deals, no auction: each time one seat is made maker, names the suit it likes best, and the
hand is played out. What its side took is fitted to the maker's cards, see ``hand_evaluation``.
"""

from __future__ import annotations

import random
from typing import Final

from replay.bots.bots import STEADY, Bot
from replay.bots.dealing import deal_out
from replay.bots.hand_evaluation import UNTRAINED, Judgement, features, fit
from replay.bots.table import play_out
from replay.engine import engine
from replay.engine.rules.table import side_of
from replay.judging.setup import first_state
from replay.rulesets.ruleset import Ruleset
from schemas.hand import Hand, Player, RulesRef

PRACTICE_HANDS: Final = 160

_LEARNED: dict[tuple[str, int], Judgement] = {}


def practised(ruleset: Ruleset, seats: int) -> Judgement:
    """Return the judgement of players who have practised ``ruleset`` at a table of ``seats``."""
    key = (ruleset.hash, seats)
    if key not in _LEARNED:
        _LEARNED[key] = _practise(ruleset, seats)
    return _LEARNED[key]


def _practise(ruleset: Ruleset, seats: int) -> Judgement:
    rules = ruleset.rules(seats)
    chance = random.Random(f"practice/{seats}")
    rows: list[tuple[float, ...]] = []
    shares: list[float] = []
    for number in range(PRACTICE_HANDS):
        players = [Player(id=str(seat)) for seat in range(seats)]
        dealer = number % seats
        hand = Hand(
            format="tricklog/1",
            id="practice",
            rules=RulesRef(ruleset.id),
            players=players,
            dealer=dealer,
            actions=[],
        )
        state = first_state(deal_out(hand, ruleset, chance), ruleset, [])[0]
        engine.start(state, rules)
        state.maker = chance.randrange(seats)
        state.high_bid = rules.min_bid
        held = state.holding[state.maker]
        bots = [Bot(STEADY, seat, UNTRAINED, chance) for seat in range(seats)]
        trump = bots[state.maker].best_trump(rules, held)[0]
        engine.enter(state, rules)
        maker = state.maker
        play_out(bots, state, rules)
        rows.append(features(rules, held, trump))
        shares.append(state.points[side_of(rules, maker)] / rules.all_points)
    return fit(rows, shares)
