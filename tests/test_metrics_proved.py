"""Metrics held against what does not come from here: other programs' totals, bots, a bootstrap."""

import gzip
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from duckdb import DuckDBPyConnection
from msgspec.structs import replace

import ingest
from ingest import adapters
from ingest.facts.files import open_facts
from ingest.filters import Filters
from ingest.metrics import measure
from replay import load_variant
from replay.bots import Bot, Temperament
from replay.generate import play_game
from replay.practice import practised
from schemas.hand import Hand
from tests import bot_games
from tests.foreign_records import CATCH_FIVE, PIDRO, SIXTY_THREE, TWENTY_NINE, Record
from tests.log_lines import write_hands
from tests.test_adapters_agreement import LOGS, find_event, sixty_three_rounds

Loaded = tuple[list[Record], DuckDBPyConnection]


def value(connection: DuckDBPyConnection, metric: str, **chosen: str) -> tuple[float, int]:
    row = measure(connection, metric, (), Filters.of(chosen)).row(0, named=True)
    return row["value"], row["n"]


def by(connection: DuckDBPyConnection, metric: str, name: str, **chosen: str) -> dict[str, Any]:
    rows = measure(connection, metric, (name,), Filters.of(chosen)).to_dicts()
    return {str(row[name]): (row["value"], row["n"]) for row in rows}


def share(hits: float, n: int) -> tuple[Any, int]:
    return pytest.approx(hits / n), n


# --- Other programs' totals


def loaded(name: str, shared_dir: Path, folder: Path) -> Loaded:
    """The records of another program, and the facts of the hands they were converted to."""
    path = shared_dir / LOGS[name]
    with gzip.open(path) as lines:
        records = [json.loads(line) for line in lines]
    hands = [hand for item in adapters.convert(name, path) for hand in item.hands]
    ingest.load(write_hands(folder / "log.jsonl", hands), db=folder / "db")
    return records, open_facts(folder / "db")


@pytest.fixture(scope="module")
def pidro(shared_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loaded]:
    records, connection = loaded(PIDRO, shared_dir, tmp_path_factory.mktemp("pidro"))
    with connection:
        yield records, connection


def test_contracts_of_pidro_add_up_to_the_totals_of_the_program(pidro: Loaded) -> None:
    games, facts = pidro
    deals = [deal for game in games for deal in game["hands"]]
    # The program forces the dealer to bid by refusing his pass.
    free = [
        deal
        for deal in deals
        if next(bid for bid in deal["bids"] if bid["seat"] == deal["bidder"] and bid["bid"])["canPass"]
    ]
    made = [deal for deal in free if deal["result"]["made"]]
    taken = {
        id(deal): deal["result"]["teamPointsTaken"][deal["bidder"] % 2] for deal in deals
    }
    assert value(facts, "hands") == (len(deals), len(deals))
    assert value(facts, "forced-rate") == share(len(deals) - len(free), len(deals))
    assert value(facts, "made-rate") == share(len(made), len(free))
    assert value(facts, "margin") == share(
        sum(taken[id(deal)] - deal["bid"] for deal in free), len(free)
    )
    assert value(facts, "underbid") == share(
        sum(taken[id(deal)] - deal["bid"] for deal in made), len(made)
    )
    assert value(facts, "captured-by-makers") == share(sum(taken.values()), len(deals))
    lost = [
        -deal["result"]["teamScoreDelta"][deal["bidder"] % 2]
        for deal in deals
        if not deal["result"]["made"]
    ]
    assert value(facts, "set-cost") == share(sum(lost), len(lost))
    calls = [bid for deal in deals for bid in deal["bids"] if bid["canPass"]]
    assert value(facts, "aggression") == share(
        sum(bid["bid"] is not None for bid in calls), len(calls)
    )
    assert by(facts, "hands", "bid") == {
        str(bid): (n, n) for bid, n in Counter(deal["bid"] for deal in deals).items()
    }


def test_points_and_scores_of_pidro_add_up_to_the_totals_of_the_program(pidro: Loaded) -> None:
    games, facts = pidro
    points: defaultdict[str, int] = defaultdict(int)
    scores: defaultdict[str, int] = defaultdict(int)
    in_play = 0
    deals = [deal for game in games for deal in game["hands"]]
    for deal in deals:
        in_play += sum(deal["result"]["teamPointsTaken"])
        for team in (0, 1):
            side = "makers" if team == deal["bidder"] % 2 else "defenders"
            points[side] += deal["result"]["teamPointsTaken"][team]
            scores[side] += deal["result"]["teamScoreDelta"][team]
    n = len(deals)
    assert by(facts, "points-share", "side") == {
        side: (pytest.approx(points[side] / in_play), n) for side in points
    }
    assert by(facts, "score-change", "side") == {side: share(scores[side], n) for side in scores}
    assert value(facts, "game-length") == share(n, len(games))


def test_wins_of_pidro_are_those_of_the_program(pidro: Loaded) -> None:
    games, facts = pidro
    won: Counter[int] = Counter()
    for game in games:
        last = game["hands"][-1]
        scores = last["result"]["scoresAfter"]
        over = [team for team in (0, 1) if scores[team] >= 62]
        team = over[0] if len(over) == 1 else last["bidder"] % 2
        won.update((team, team + 2))
    assert by(facts, "win-rate", "seat") == {
        str(seat): share(won[seat], len(games)) for seat in range(4)
    }


def test_figures_of_catch_five_are_the_totals_of_the_program(
    shared_dir: Path, tmp_path: Path
) -> None:
    games, connection = loaded(CATCH_FIVE, shared_dir, tmp_path)
    with connection as facts:
        rounds = [played for game in games for played in game["rounds"]]
        taken = [sum(played["result"]["teamPoints"]) for played in rounds]
        makers = [played["result"]["teamPoints"][played["bidder"] % 2] for played in rounds]
        assert value(facts, "captured-by-makers") == share(sum(makers), len(rounds))
        assert by(facts, "points-share", "side")["makers"] == (
            pytest.approx(sum(makers) / sum(taken)),
            len(rounds),
        )
        # The dealer is stuck with 5 when nobody bid.
        stuck = [
            played
            for played in rounds
            if all(bid["bid"] == 0 for bid in played["bids"] if bid["seat"] != played["dealer"])
        ]
        assert value(facts, "aggression") == share(
            sum(bid["bid"] > 0 for played in rounds for bid in played["bids"])
            - sum(played in stuck for played in rounds),
            4 * len(rounds) - len(stuck),
        )
        won = Counter(("team1", "team2").index(game["winner"]) for game in games)
        assert by(facts, "win-rate", "seat") == {
            str(seat): share(won[seat % 2], len(games)) for seat in range(4)
        }
        tricks = [trick for played in rounds for trick in played["tricks"]]
        winners = Counter(trick["winner"] for trick in tricks)
        assert by(facts, "tricks-won", "seat") == {
            str(seat): share(winners[seat], len(tricks)) for seat in range(4)
        }
        leaders = Counter(trick["leader"] for trick in tricks)
        assert {seat: n for seat, (_, n) in by(facts, "leads-won", "seat").items()} == {
            str(seat): n for seat, n in leaders.items()
        }


def test_figures_of_twenty_nine_are_the_totals_of_the_program(
    shared_dir: Path, tmp_path: Path
) -> None:
    """Over the rounds that the program played by the rules."""
    records, connection = loaded(TWENTY_NINE, shared_dir, tmp_path)
    with connection as facts:
        rounds = [
            record
            for record in records
            if record["complete"] and not record.get("duplicate") and not record["deviations"]
        ]
        n = len(rounds)
        makers = [record["result"]["team"] for record in rounds]
        assert value(facts, "hands") == (n, n)
        taken = sum(record["teamPoints"][team] for record, team in zip(rounds, makers, strict=True))
        assert value(facts, "captured-by-makers") == share(taken, n)
        made = [record for record in rounds if record["result"]["gamePoints"] > 0]
        forced = value(facts, "forced-made-rate")
        free = value(facts, "made-rate")
        assert free[1] + forced[1] == n
        assert free[0] * free[1] + forced[0] * forced[1] == pytest.approx(len(made))
        change = by(facts, "score-change", "side")["makers"]
        assert change == share(sum(record["result"]["gamePoints"] for record in rounds), n)
        winners = Counter(trick["winner"] for record in rounds for trick in record["tricks"])
        assert by(facts, "tricks-won", "seat") == {
            str(seat): share(winners[seat], 8 * n) for seat in range(4)
        }
        asked = [record for record in rounds if record["revealedBy"] is not None]
        bidders = sum(by(facts, "reveals", "seat")[str(seat)][0] * n for seat in range(4))
        assert bidders == pytest.approx(len(asked))


def test_figures_of_sixty_three_are_the_totals_of_the_program(
    shared_dir: Path, tmp_path: Path
) -> None:
    """Over the rounds in which nothing was found."""
    records, connection = loaded(SIXTY_THREE, shared_dir, tmp_path)
    with connection as facts:
        valid = facts.sql(
            "SELECT game, number FROM games.hands WHERE verdict = 'valid'"
        ).fetchall()
        games = [item.hands[0].game for item in adapters.convert(SIXTY_THREE, shared_dir / LOGS[SIXTY_THREE])]
        rounds = {
            (game, number): events
            for game, record in zip(games, records, strict=True)
            for number, events in enumerate(sixty_three_rounds(record), start=1)
        }
        ends = [rounds[key][-1] for key in valid]
        taken = [
            end["pointsBySeat"][end["bidder"]] + end["pointsBySeat"][(end["bidder"] + 2) % 4]
            for end in ends
        ]
        assert value(facts, "captured-by-makers") == share(sum(taken), len(ends))
        change = [end["roundScore"][end["bidder"] % 2] for end in ends]
        assert by(facts, "score-change", "side")["makers"] == share(sum(change), len(ends))
        bids = Counter(find_event(rounds[key], "atPlay")["bid"] for key in valid)
        bids[2063] = bids.pop(126, 0)
        assert {bid: n for bid, (_, n) in by(facts, "hands", "bid").items()} == {
            str(bid): n for bid, n in bids.items() if n
        }
