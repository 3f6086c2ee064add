"""The ledger of a hand as it counts for one player, and ledgers of many hands added up."""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.accounts import ENTRIES, Account, Entry, account_of, key_of, seats_of_hands
from tests.kit.tiers import scaled
from tricklog.core import Replay, generate, load_variant, replay
from tricklog.core.engine.policies import Sides
from tricklog.core.study import Solver
from tricklog.core.study.averages import Averages
from tricklog.core.study.ledger import Ledger, ledger_of, refusal_of_record
from tricklog.core.study.sampling import Unit
from tricklog.ingest.metrics.intervals import by_game
from tricklog.ingest.study import kept_ledgers
from tricklog.ingest.study.kept_ledgers import KeptLedgers, Key, LedgerRow, row_of
from tricklog.ingest.study.season import Mean, Season, in_hundredths, reaches, season_of

STOCKS = 2
Played = list[tuple[Replay, Ledger]]
UNITS: tuple[Unit, ...] = ("points", "score")


class Club:
    """Hands with their ledgers, and the same as rows that are kept."""

    def __init__(self, variant: str, seats: int, seed: int, folder: Path) -> None:
        ruleset = load_variant(variant)
        self.rules = ruleset.rules(seats)
        solver = Solver(self.rules)
        self.averages = Averages(ruleset, seats, folder=folder)
        self.averages.ensure(3, solver)
        self.played: Played = []
        self.kept: dict[Key, LedgerRow] = {}
        taken = Counter[str]()
        for hand in generate(variant, games=3, seed=seed, players=seats):
            replayed = replay(hand)
            game = str(hand.game)
            if refusal_of_record(replayed) or taken[game] == 3:
                continue
            taken[game] += 1
            found = ledger_of(replayed, samples=STOCKS, solver=solver, averages=self.averages)
            self.played.append((replayed, found))
            self.kept[key_of(hand, ruleset.hash)] = row_of(replayed, solver, self.averages)

    def seats(self) -> pl.DataFrame:
        """Return what ``seats_of`` says of them."""
        hands = [replayed.hand for replayed, _ in self.played]
        return seats_of_hands(hands, self.rules, self.played[0][0].ruleset.hash)

    def season(self, by: str, unit: Unit) -> Season:
        return season_of(self.seats(), self.kept, lambda *_: self.averages, by=by, unit=unit)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def few_stocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tricklog.ingest.study.season.SCALE", STOCKS)


def club_of(variant: str, seats: int, seed: int, folders: pytest.TempPathFactory) -> Club:
    """Return a club whose rows are kept on few stocks."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(kept_ledgers, "STOCKS", STOCKS)
        return Club(variant, seats, seed, folders.mktemp("averages"))


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Club:
    return club_of("pidro", 4, 3, tmp_path_factory)


@pytest.fixture(scope="module")
def singles(tmp_path_factory: pytest.TempPathFactory) -> Club:
    return club_of("sancho", 5, 2, tmp_path_factory)


# --- One hand
@pytest.mark.parametrize("unit", UNITS)
def test_entries_sum_to_the_result(club: Club, unit: Unit) -> None:
    for _, ledger in club.played:
        for seat in range(4):
            account = account_of(ledger, seat, unit)
            assert account is not None
            assert sum(account[entry] for entry in ENTRIES[:-1]) == account["result"]


def test_what_one_side_wins_the_other_loses(club: Club, singles: Club) -> None:
    for _, ledger in club.played:
        accounts = [account_of(ledger, seat, "score") for seat in range(4)]
        told = [each for each in accounts if each is not None]
        assert len(told) == 4
        for one in (0, 1):
            assert told[one]["result"] == told[one + 2]["result"]
            assert told[one]["own bids"] == told[one + 2]["partner's bids"]
        assert told[0]["result"] == -told[1]["result"]
        assert told[0]["deal"] + told[0]["draw"] == -told[1]["deal"] - told[1]["draw"]
        own: tuple[Entry, ...] = ("own cards as maker's side", "own cards in defence")
        assert all(each[entry] <= 0 for each in told for entry in own)
    # Where each plays alone only the maker's hands count.
    for _, ledger in singles.played:
        counted = [account_of(ledger, at, "score", alone=True) is not None for at in range(5)]
        assert counted == [seat == ledger.maker for seat in range(5)]


# --- Many hands
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("which", ["club", "singles"])
def test_rows_add_up_to_the_ledgers(which: str, unit: Unit, request: pytest.FixtureRequest) -> None:
    """Two ways to the same means: arrays of whole numbers, and one account after the other."""
    club: Club = request.getfixturevalue(which)
    season = club.season("player", unit)
    wanted: dict[str, list[Account]] = defaultdict(list)
    for replayed, ledger in club.played:
        for seat, player in enumerate(replayed.hand.players):
            account = account_of(ledger, seat, unit, alone=club.rules.sides == Sides.SINGLES)
            if account is not None:
                wanted[player.id].append(account)
    assert {total.players[0] for total in season.totals} == set(wanted)
    for total in season.totals:
        accounts = wanted[total.players[0]]
        assert total.hands == len(accounts)
        for line in total.lines:
            entry: Entry = line.name  # type: ignore[assignment]
            mean = sum((each[entry] for each in accounts), Fraction(0)) / len(accounts)
            assert line.mean.value == mean, (total.players, line.name)


@pytest.mark.parametrize("by", ["makers", "player", "side"])
@pytest.mark.parametrize("unit", UNITS)
def test_parts_of_a_season_sum_to_its_result_exactly(club: Club, by: str, unit: Unit) -> None:
    season = club.season(by, unit)
    assert season.totals
    for total in season.totals:
        parts = [each.mean.value for each in total.lines[:-1]]
        assert sum(parts) == total.line("result").mean.value


def test_a_side_is_its_two_players(club: Club) -> None:
    season = club.season("side", "score")
    players = {each.players[0]: each for each in club.season("player", "score").totals}
    for total in season.totals:
        one, other = total.players
        if players[one].hands != total.hands or players[other].hands != total.hands:
            continue
        own = [players[each].line("own bids").mean.value for each in (one, other)]
        assert total.line("own bids").mean.value == sum(own)
        assert total.line("result").mean.value == players[one].line("result").mean.value
    # Makers are whoever made the bid.
    (total,) = club.season("makers", "points").totals
    results = [ledger.result.points or Fraction(0) for _, ledger in club.played]
    assert total.line("result").mean.value == sum(results) / len(results)
    draws = [ledger.term("draw").amount.points or Fraction(0) for _, ledger in club.played]
    assert total.line("draw").mean.value == sum(draws, Fraction(0)) / len(draws)


def test_hands_that_do_not_count_are_counted_with_the_reason(club: Club) -> None:
    seats = club.seats()
    keys = list(club.kept)
    kept = dict(club.kept)
    del kept[keys[0]]
    kept[keys[1]] = LedgerRow("play was stopped before the last trick")
    wrong = pl.when(hand_no=2).then(pl.lit("irregular"))
    seats = seats.with_columns(verdict=wrong.otherwise("verdict"))
    season = season_of(seats, kept, lambda *_: club.averages, by="makers", unit="score")
    reasons = ("the record is irregular", "play was stopped before the last trick")
    assert (season.waiting, dict(season.left_out)) == (1, dict.fromkeys(reasons, 1))
    assert season.totals[0].hands == season.counted == season.hands - 3
    # Without ledgers nothing is said.
    season = season_of(club.seats(), {}, lambda *_: club.averages, by="player", unit="score")
    assert (season.totals, season.counted, season.deals) == ((), 0, 0)
    assert season.waiting == season.hands


def test_of_singles_hands_of_other_makers_are_left_out_of_a_players(singles: Club) -> None:
    seats = singles.seats()
    name = singles.played[0][0].hand.players[0].id
    own = seats.filter(pl.col("player") == name)
    season = season_of(own, singles.kept, lambda *_: singles.averages, by="player", unit="score")
    made = sum(played.hand.players[ledger.maker].id == name for played, ledger in singles.played)
    assert season.counted == made
    assert sum(count for _, count in season.left_out) == season.hands - made


def test_errors_of_averages_widen_the_deal(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are made of single hands here, as intervals need ten games."""
    seats = club.seats()
    twice = pl.concat([seats, seats.with_columns(pl.col("hand_no") + 100)])
    twice = twice.with_columns(game_no=pl.col("hand_no"))

    def widths() -> dict[str, float]:
        found = season_of(twice, club.kept, lambda *_: club.averages, by="makers", unit="score")
        lines = found.totals[0].lines
        return {each.name: (each.mean.high or 0.0) - (each.mean.low or 0.0) for each in lines}

    with_error = widths()
    mixed = club.averages.mixed
    monkeypatch.setattr(
        Averages, "mixed", lambda _, *of: replace(mixed(*of), score_error=0.0, score_reach=0.0)
    )
    without = widths()
    assert with_error["start"] > without["start"] > 0
    assert with_error["deal"] > without["deal"] > 0
    rest = [name for name in without if name not in ("start", "deal")]
    assert [with_error[name] for name in rest] == [without[name] for name in rest]


# --- What is kept
def test_ledgers_are_kept_and_found_again(club: Club, tmp_path: Path) -> None:
    kept = KeptLedgers(tmp_path)
    rules = {ruleset for _, ruleset in club.kept}
    assert (kept.of_rules(rules), kept.mark()) == ({}, None)
    refused = (b"\0" * 16, next(iter(rules))), LedgerRow("no")
    kept.keep([*club.kept.items(), refused])
    assert kept.of_rules(rules) == dict([*club.kept.items(), refused])
    assert kept.of_rules({"other"}) == {}
    assert kept.mark() is not None
    # A damaged file gives way.
    kept = KeptLedgers(tmp_path)
    kept.path.write_bytes(b"not a database at all" * 100)
    rules = {ruleset for _, ruleset in club.kept}
    assert kept.of_rules(rules) == {}
    kept.keep(club.kept.items())
    assert kept.of_rules(rules) == club.kept


# --- Intervals
def mean_by_games(games: Sequence[Sequence[Fraction]]) -> Mean:
    """Return the mean over hands, given game by game, at least one hand in each."""
    hands = sum(len(each) for each in games)
    value = sum((sum(each, Fraction(0)) for each in games), Fraction(0)) / hands
    number = np.repeat(np.arange(len(games)), [len(each) for each in games])
    amounts = np.array([float(each) for game in games for each in game])
    reach = float(reaches(by_game(np.zeros_like(number), number, amounts).sums(1))[0])
    low, high = (None, None) if np.isnan(reach) else (float(value) - reach, float(value) + reach)
    return Mean(value, low, high, hands, len(games))


def test_intervals_by_games_cover_what_is_so() -> None:
    """Games differ, so intervals over single hands would be too narrow."""
    chance = random.Random(7)
    covered = 0
    for _ in range(300):
        games: list[Sequence[Fraction]] = []
        for _ in range(25):
            level = chance.gauss(0, 2)
            hands = range(chance.randrange(4, 12))
            games.append([Fraction(chance.gauss(level, 3)) for _ in hands])
        found = mean_by_games(games)
        assert None not in (found.low, found.high)
        covered += (found.low or 0) <= 0 <= (found.high or 0)
    assert 0.91 < covered / 300 < 0.985
    # Few games say nothing of how games differ.
    assert mean_by_games([[Fraction(1), Fraction(3)]]) == Mean(Fraction(2), None, None, 2, 1)


@settings(max_examples=scaled(20))
@given(st.lists(st.fractions(-50, 50), min_size=1, max_size=9))
def test_the_parts_sum_to_the_result_and_none_is_off_by_a_hundredth(parts: list[Fraction]) -> None:
    *shown, result = in_hundredths([*parts, sum(parts, Fraction(0))])
    assert round(sum(shown), 6) == result
    assert abs(result - float(sum(parts))) <= 0.005 + 1e-9
    for part, each in zip(parts, shown, strict=True):
        assert abs(each - float(part)) < 0.01 + 1e-9


def test_the_largest_remainder_is_rounded_up() -> None:
    assert in_hundredths([*[Fraction(1, 3)] * 3, Fraction(1)]) == [0.34, 0.33, 0.33, 1.0]
