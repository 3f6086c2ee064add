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
from pathlib import Path
from typing import Final
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from tests.kit.accounts import account_of
from tests.kit.at_table import begun
from tests.kit.support import hand_of
from tricklog import Hand, Ruleset, load_variant, replay
from tricklog.core.bots import generate
from tricklog.core.bots.generate import Bot, Temperament, practised, with_cards
from tricklog.core.card_sense.choices import features_of, share_of, shuffled
from tricklog.core.engine.records import Rules
from tricklog.core.study import Refused, Solver
from tricklog.core.study.averages import Averages
from tricklog.core.study.ledger import ledger_of

VARIANT: Final = "pidro"
SEATS: Final = 4
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


def games_of(ruleset: Ruleset, games: int, seed: int) -> Iterator[list[Hand]]:
    """Yield the hands of each game."""
    judgement = practised(ruleset, SEATS)
    for game in range(games):
        chance = random.Random(f"{seed}/{game}")
        seated = chance.sample(sorted(PEOPLE), SEATS)
        dealer, name = chance.randrange(SEATS), f"game-{game}"
        first = hand_of(VARIANT, id="", players=seated, dealer=dealer, game=name)
        first = replace(first, started_at="2026-11-20T14:00:00Z")

        def dealt(
            rules: Rules, given: random.Random, first: Hand = first, at: int = seated.index(LUCKY)
        ) -> list[int]:
            def worth(cards: list[int]) -> float:
                """The share of the points that the lucky one may expect with their best suit."""
                held, mind = begun(with_cards(first, rules, cards), ruleset), judgement.mind()
                features = (features_of(rules, held.holding[at], trump) for trump in range(4))
                return max(share_of(mind, each) for each in features)

            return max([shuffled(rules, given) for _ in range(2)], key=worth)

        bots = [Bot(PEOPLE[name], seat, judgement, chance) for seat, name in enumerate(seated)]
        with patch.object(generate, "shuffled", dealt):
            yield list(generate.play_game(first, ruleset, bots, chance))


def interval(games: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return the ends of the interval of 95 % for the mean over hands, by games."""
    hands, count = sum(map(len, games)), len(games)
    mean = sum(map(sum, games)) / hands
    off = [sum(each) - mean * len(each) for each in games]
    error = (sum(each**2 for each in off) * count / (count - 1)) ** 0.5 / hands
    return mean - SURE * error, mean + SURE * error


def difference(found: Rows, part: str, one: str, other: str) -> tuple[float, float]:
    """Return the interval of one player less another, both at the table in each hand."""
    games = zip(found[one, part], found[other, part], strict=True)
    return interval([[a - b for a, b in zip(*both, strict=True)] for both in games])


def measured(games: int, seed: int, folder: Path) -> Rows:
    """Return what was found in the hands that have a ledger."""
    ruleset = load_variant(VARIANT)
    solver = Solver(ruleset.rules(SEATS))
    averages = Averages(ruleset, SEATS, folder=folder)
    averages.ensure(60, solver)
    found: Rows = defaultdict(list)
    for game in games_of(ruleset, games, seed):
        rows: dict[tuple[str, str], list[float]] = defaultdict(list)
        for hand in game:
            try:
                ledger = ledger_of(replay(hand), samples=6, solver=solver, averages=averages)
            except Refused:
                continue
            for seat, player in enumerate(hand.players):
                account = account_of(ledger, seat, "score")
                assert account is not None
                cards = account["own cards as maker's side"] + account["own cards in defence"]
                parts = {"deal": account["deal"], "draw": account["draw"]}
                parts |= {"own bids": account["own bids"], "own cards": cards}
                for part, amount in parts.items():
                    rows[player.id, part].append(float(amount))
        for key, amounts in rows.items():
            found[key].append(amounts)
    return found


@pytest.mark.thorough("ledgers of 30 games on six stocks each, and 60 average deals")
def test_what_was_put_into_a_club_comes_out(tmp_path: Path) -> None:
    found = measured(30, 1, tmp_path)
    assert interval(found[LUCKY, "deal"])[0] > 0
    for part in ("own bids", "own cards"):
        low, high = difference(found, part, LUCKY, PLAIN)
        assert low <= 0 <= high, part
    for name, part in ((WEAK, "own cards"), (BOLD, "own bids")):
        for other in {*PEOPLE} - {name}:
            assert difference(found, part, name, other)[1] < 0, (part, name, other)
    for name in PEOPLE:
        low, high = interval(found[name, "draw"])
        assert low <= 0 <= high, name
