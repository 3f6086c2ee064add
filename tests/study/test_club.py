"""What was put into a club comes out of the ledger: luck, weak play and bids that are too high.

Four people play games at one table, and where they sit is drawn before each. One is dealt better
cards than the others: of two deals they get the one with the better first hand for them. One plays
cards without thinking, one bids far above their cards, one is like the lucky one but for the luck.
For each the means of their side's score less that of the other are taken over the parts of the
ledger, with 95 % intervals by games.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from unittest.mock import patch

import pytest

from tests.kit.at_table import begun
from tricklog import Hand, Player, Ruleset, RulesRef, load_variant, replay
from tricklog.core.bots import generate
from tricklog.core.bots.generate import Bot, Judgement, Temperament, practised, with_cards
from tricklog.core.card_sense.choices import features_of, share_of, shuffled
from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules.table import side_of
from tricklog.core.study import Refused, Solver
from tricklog.core.study.averages import Averages
from tricklog.core.study.ledger import Ledger, ledger_of

VARIANT: Final = "pidro"
SEATS: Final = 4
GAMES: Final = 30
STOCKS: Final = 6
DEALS: Final = 60
SURE: Final = 1.96
LUCKY, WEAK, BOLD, PLAIN = "lucky", "weak", "bold", "plain"
PEOPLE: Final = {
    LUCKY: Temperament("steady", -0.1, 0.0),
    WEAK: Temperament("weak in play", -0.1, 0.5),
    BOLD: Temperament("bold", 1.2, 0.0),
    PLAIN: Temperament("steady", -0.1, 0.0),
}
Rows = dict[tuple[str, str], list[list[float]]]
"""By name and part: for each game, the amount in each of its hands."""


@dataclass(frozen=True)
class Mean:
    """A mean over games with the ends of its interval of 95 %."""

    value: float
    low: float
    high: float


def games_of(ruleset: Ruleset, games: int, seed: int) -> Iterator[list[Hand]]:
    """Yield the hands of each game."""
    judgement = practised(ruleset, SEATS)
    for game in range(games):
        chance = random.Random(f"{seed}/{game}")
        seated = chance.sample(sorted(PEOPLE), SEATS)
        lucky = seated.index(LUCKY)

        first = Hand(
            format="tricklog/1",
            id="",
            rules=RulesRef(VARIANT, ruleset.version),
            players=[Player(id=name) for name in seated],
            dealer=chance.randrange(SEATS),
            actions=[],
            game=f"game-{game}",
            started_at="2026-11-20T14:00:00Z",
        )

        def dealt(
            rules: Rules, given: random.Random, first: Hand = first, seat: int = lucky
        ) -> list[int]:
            two = [shuffled(rules, given) for _ in range(2)]
            hands = [with_cards(first, rules, cards) for cards in two]
            worth = [first_hand(hand, rules, judgement, seat) for hand in hands]
            return two[worth.index(max(worth))]

        bots = [Bot(PEOPLE[name], seat, judgement, chance) for seat, name in enumerate(seated)]
        with patch.object(generate, "shuffled", dealt):
            yield list(generate.play_game(first, ruleset, bots, chance))


def first_hand(hand: Hand, rules: Rules, judgement: Judgement, seat: int) -> float:
    """Return the share of the points that a seat may expect with its best suit."""
    held, mind = begun(hand, load_variant(VARIANT)).holding[seat], judgement.mind()
    return max(share_of(mind, features_of(rules, held, trump)) for trump in range(4))


def rows_of(ledger: Ledger, names: Sequence[str], rules: Rules) -> Iterator[tuple[str, str, float]]:
    """Yield name, part and amount of one hand: score of the own side less that of the other."""
    score = {term.name: float(term.amount.score or 0) for term in ledger.terms}
    result = float(ledger.result.score or 0)
    for seat, name in enumerate(names):
        sign = 1 if side_of(rules, seat) == side_of(rules, ledger.maker) else -1
        yield name, "deal", sign * score["deal"]
        yield name, "draw", sign * score["draw"]
        yield name, "result", sign * result
        for part, terms in (("own bids", ("auction",)), ("own cards", ("makers", "defence"))):
            own = [
                float(amount.score or 0)
                for term in ledger.terms
                if term.name in terms
                for at, amount in term.players
                if at == seat
            ]
            yield name, part, sign * sum(own)


def mean_by_games(games: Sequence[Sequence[float]]) -> Mean:
    """Return the mean over hands, and how far it may be off by which games were played."""
    hands = sum(len(each) for each in games)
    mean = sum(sum(each) for each in games) / hands
    off = [sum(each) - mean * len(each) for each in games]
    count = len(games)
    error = (sum(each**2 for each in off) * count / (count - 1)) ** 0.5 / hands
    return Mean(mean, mean - SURE * error, mean + SURE * error)


def difference(found: Rows, part: str, one: str, other: str) -> Mean:
    """Return the mean of one player less that of another, both at the table in each hand."""
    games = zip(found[one, part], found[other, part], strict=True)
    return mean_by_games([[a - b for a, b in zip(*both, strict=True)] for both in games])


def measured(games: int, seed: int, folder: Path) -> Rows:
    """Return what was found in the hands that have a ledger."""
    ruleset = load_variant(VARIANT)
    rules = ruleset.rules(SEATS)
    solver = Solver(rules)
    averages = Averages(ruleset, SEATS, folder=folder)
    averages.ensure(DEALS, solver)
    found: Rows = defaultdict(list)
    for game in games_of(ruleset, games, seed):
        rows: dict[tuple[str, str], list[float]] = defaultdict(list)
        for hand in game:
            try:
                ledger = ledger_of(replay(hand), samples=STOCKS, solver=solver, averages=averages)
            except Refused:
                continue
            names = [player.id for player in hand.players]
            for name, part, amount in rows_of(ledger, names, rules):
                rows[name, part].append(amount)
        for key, amounts in rows.items():
            found[key].append(amounts)
    return found


@pytest.mark.thorough("ledgers of 24 games on six stocks each, and 60 average deals")
def test_what_was_put_into_a_club_comes_out(tmp_path: Path) -> None:
    found = measured(GAMES, 1, tmp_path)
    assert mean_by_games(found[LUCKY, "deal"]).low > 0
    for part in ("own bids", "own cards"):
        theirs = difference(found, part, LUCKY, PLAIN)
        assert theirs.low <= 0 <= theirs.high, part
    for name, part in ((WEAK, "own cards"), (BOLD, "own bids")):
        for other in PEOPLE:
            if other != name:
                assert difference(found, part, name, other).high < 0, (part, name, other)
    for name in PEOPLE:
        draw = mean_by_games(found[name, "draw"])
        assert draw.low <= 0 <= draw.high, name
