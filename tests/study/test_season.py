"""Ledgers of many hands added up: parts sum to the result, and intervals are by games."""

import random
from fractions import Fraction
from pathlib import Path

import pytest

from replay import generate, replay
from replay.open_cards import Solver
from replay.study.averages import Averages
from replay.study.ledger import Ledger, ledger_of, refusal_of_record
from replay.study.season import ENTRIES, Entry, Unit, account_of, mean_by_games, season_of
from tests.kit.built import build_solver_elsewhere


@pytest.fixture(scope="module")
def ledgers(tmp_path_factory: pytest.TempPathFactory) -> list[list[Ledger]]:
    """Ledgers of two games."""
    build_solver_elsewhere()
    games: dict[str, list[Ledger]] = {}
    solver, averages = None, None
    for hand in generate("pidro", games=2, seed=3):
        replayed = replay(hand)
        if refusal_of_record(replayed) or len(games.get(str(hand.game), [])) == 4:
            continue
        if solver is None or averages is None:
            solver = Solver(replayed.rules)
            folder = tmp_path_factory.mktemp("averages")
            averages = Averages(replayed.ruleset, 4, folder=Path(folder))
            averages.ensure(2, solver)
        found = ledger_of(replayed, samples=2, solver=solver, averages=averages)
        games.setdefault(str(hand.game), []).append(found)
    return list(games.values())


@pytest.mark.parametrize("unit", ["points", "score"])
def test_entries_sum_to_the_result_in_hands_and_in_means(
    ledgers: list[list[Ledger]], unit: Unit
) -> None:
    for seat in range(4):
        games = [[account_of(each, seat, unit) for each in game] for game in ledgers]
        told = [[each for each in game if each is not None] for game in games]
        for account in (each for game in told for each in game):
            assert sum(account[entry] for entry in ENTRIES[:-1]) == account["result"]
        season = season_of(told)
        assert sum(season[entry].value for entry in ENTRIES[:-1]) == season["result"].value
        assert season["result"].hands == sum(map(len, ledgers))
        assert season["result"].games == 2


def test_what_one_side_wins_the_other_loses(ledgers: list[list[Ledger]]) -> None:
    for ledger in (each for game in ledgers for each in game):
        accounts = [account_of(ledger, seat, "score") for seat in range(4)]
        assert None not in accounts
        told = [each for each in accounts if each is not None]
        for one in (0, 1):
            assert told[one]["result"] == told[one + 2]["result"]
            assert told[one]["own bids"] == told[one + 2]["partner's bids"]
        assert told[0]["result"] == -told[1]["result"]
        assert told[0]["deal"] + told[0]["draw"] == -told[1]["deal"] - told[1]["draw"]
        own: tuple[Entry, ...] = ("own cards as maker's side", "own cards in defence")
        assert all(each[entry] <= 0 for each in told for entry in own)


def test_where_each_plays_alone_only_the_makers_hands_count(ledgers: list[list[Ledger]]) -> None:
    ledger = ledgers[0][0]
    counted = [account_of(ledger, seat, "score", alone=True) is not None for seat in range(4)]
    assert counted == [seat == ledger.maker for seat in range(4)]


def test_intervals_by_games_cover_what_is_so() -> None:
    """Games differ, so intervals over single hands would be too narrow."""
    chance = random.Random(7)
    covered = 0
    for _ in range(300):
        games = []
        for _ in range(25):
            level = chance.gauss(0, 2)
            hands = range(chance.randrange(4, 12))
            games.append([Fraction(chance.gauss(level, 3)) for _ in hands])
        found = mean_by_games(games)
        covered += found.low <= 0 <= found.high
    assert 0.89 < covered / 300 < 0.985


def test_one_game_says_nothing_of_how_games_differ() -> None:
    found = mean_by_games([[Fraction(1), Fraction(3)]])
    assert found.value == 2
    assert (found.low, found.high) == (float("-inf"), float("inf"))
    assert season_of([[]]) == {}
