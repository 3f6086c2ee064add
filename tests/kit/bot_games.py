"""How well the bots play: games against random play, and contracts by temperament."""

import random
from collections import Counter
from dataclasses import dataclass, field

from tests.kit.at_table import play_any_game
from tests.kit.random_play import RandomPlayer
from tests.kit.support import hand_of
from tricklog import Hand, Ruleset, load_variant, replay
from tricklog.core.bots.generate import (
    STEADY,
    TEMPERAMENTS,
    Bot,
    Player,
    Temperament,
    play_game,
    practised,
)
from tricklog.core.engine.rules.table import side_of


@dataclass
class Tally:
    finished: int = 0
    won_by_bots: int = 0
    made: Counter[str] = field(default_factory=Counter)
    """By temperament: contracts chosen freely and made."""
    bid: Counter[str] = field(default_factory=Counter)
    """By temperament: contracts chosen freely."""

    @property
    def made_rate(self) -> float:
        return self.made.total() / max(1, self.bid.total())

    def rate_of(self, temperament: Temperament) -> float:
        return self.made[temperament.name] / max(1, self.bid[temperament.name])


def table(ruleset: Ruleset, seats: int, chance: random.Random) -> Hand:
    players, began = [f"seat-{seat}" for seat in range(seats)], "2026-01-02T19:00:00Z"
    dealer = chance.randrange(seats)
    return hand_of(ruleset.id, id="", players=players, dealer=dealer, game="game", started_at=began)


def against_random(variant: str, games: int, seed: int, seats: int = 4) -> Tally:
    """Let bots at every other seat play against random play at the others."""
    ruleset = load_variant(variant)
    rules = ruleset.rules(seats)
    judgement = practised(ruleset, seats)
    chance = random.Random(f"{variant}/{seed}")
    tally = Tally()
    for game in range(games):
        players: list[Player] = [
            Bot(STEADY, seat, judgement, chance)
            if seat % 2 == game % 2
            else RandomPlayer(seat, chance)
            for seat in range(seats)
        ]
        bots = {side_of(rules, seat) for seat in range(seats) if seat % 2 == game % 2}
        last = list(play_any_game(table(ruleset, seats, chance), ruleset, players, chance))[-1]
        outcome = replay(last).outcome
        assert outcome
        if outcome.winner_side is not None:
            tally.finished += 1
            tally.won_by_bots += outcome.winner_side in bots
    return tally


def among_bots(variant: str, games: int, seed: int, *, contracts: int) -> Tally:
    """Let bots of all temperaments play against each other, each at every seat in turn.

    They play no further game once so many `contracts` were chosen freely.
    """
    ruleset = load_variant(variant)
    judgement = practised(ruleset, 4)
    chance = random.Random(f"{variant}/{seed}")
    tally = Tally()
    for game in range(games):
        if tally.bid.total() >= contracts:
            break
        turned = [TEMPERAMENTS[(seat + game) % len(TEMPERAMENTS)] for seat in range(4)]
        players = [Bot(each, seat, judgement, chance) for seat, each in enumerate(turned)]
        for hand in play_game(table(ruleset, 4, chance), ruleset, players, chance):
            outcome = replay(hand).outcome
            assert outcome
            tally.finished += outcome.winner_side is not None
            if outcome.maker is None or outcome.need is None or outcome.forced:
                continue
            if not outcome.alone and outcome.result in ("made", "set"):
                name = turned[outcome.maker].name
                tally.bid[name] += 1
                tally.made[name] += outcome.result == "made"
    return tally
