"""Metrics held against what does not come from here: other programs' totals, bots, a bootstrap."""

import gzip
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from duckdb import DuckDBPyConnection
from msgspec.structs import replace

from tests.kit import bot_games
from tests.kit.foreign_records import CATCH_FIVE, PIDRO, SIXTY_THREE, TWENTY_NINE, Record
from tests.kit.log_lines import write_hands
from tests.kit.made_once import made_once
from tests.kit.tiers import is_thorough
from tests.reading.test_adapters_agreement import (
    LOGS,
    RECORDS,
    find_event,
    sixty_three_rounds,
)
from tricklog import ingest
from tricklog.core import load_variant
from tricklog.core.bots.generate import Bot, Temperament, play_game, practised
from tricklog.ingest import adapters
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import measure
from tricklog.ingest.metrics.filters import Filters
from tricklog.schemas.hand import Hand

Loaded = tuple[dict[str, Record], DuckDBPyConnection]


def value(connection: DuckDBPyConnection, metric: str, **chosen: str) -> tuple[float, int]:
    row = measure(connection, metric, (), Filters.of(chosen)).row(0, named=True)
    return row["value"], row["n"]


def by(connection: DuckDBPyConnection, metric: str, name: str, **chosen: str) -> dict[str, Any]:
    rows = measure(connection, metric, (name,), Filters.of(chosen)).to_dicts()
    return {str(row[name]): (row["value"], row["n"]) for row in rows}


def share(hits: float, n: int) -> tuple[Any, int]:
    return pytest.approx(hits / n), n


# --- Other programs' totals


def load_log(name: str, shared_dir: Path, folder: Path, count: int | None = None) -> None:
    """Load the first records of another program, and keep them by the games made of them."""
    with gzip.open(shared_dir / LOGS[name]) as log:
        # A record that is called a duplicate comes after the one that it repeats.
        lines = list(islice(log, count))
    path = folder / "records.jsonl"
    path.write_bytes(b"".join(lines))
    items = [item.hands for item in adapters.convert(name, path)]
    ingest.load(write_hands(folder / "log.jsonl", chain(*items)), db=folder / "db")
    open_facts(folder / "db").close()
    games = [str(hands[0].game) for hands in items]
    # A round of Twenty-Nine comes again and again; the first time it is no duplicate.
    first = dict(zip(reversed(games), map(json.loads, reversed(lines)), strict=True))
    (folder / "games.json").write_text(json.dumps(first), "utf-8")


def opened(folder: Path) -> Loaded:
    """The records of another program by their games, and the facts of the hands made of them."""
    return json.loads((folder / "games.json").read_bytes()), open_facts(folder / "db")


def loaded(name: str, shared_dir: Path, folder: Path) -> Loaded:
    """As many records as the adapter is looked at with, see ``opened``."""
    load_log(name, shared_dir, folder, None if is_thorough() else RECORDS[name])
    return opened(folder)


@pytest.fixture(scope="module")
def pidro(shared_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loaded]:
    """So many records of Pidro that intervals can be made of their games."""

    def make(folder: Path) -> None:
        load_log(PIDRO, shared_dir, folder, None if is_thorough() else 60)

    records, connection = opened(made_once(tmp_path_factory, "pidro", make))
    with connection:
        yield records, connection


def test_contracts_of_pidro_add_up_to_the_totals_of_the_program(pidro: Loaded) -> None:
    games, facts = pidro
    deals = [deal for game in games.values() for deal in game["hands"]]
    # The program forces the dealer to bid by refusing the pass.
    free = [
        deal
        for deal in deals
        if next(bid for bid in deal["bids"] if bid["seat"] == deal["bidder"] and bid["bid"])[
            "canPass"
        ]
    ]
    made = [deal for deal in free if deal["result"]["made"]]
    taken = {id(deal): deal["result"]["teamPointsTaken"][deal["bidder"] % 2] for deal in deals}
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
    deals = [deal for game in games.values() for deal in game["hands"]]
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
    for game in games.values():
        last = game["hands"][-1]
        scores = last["result"]["scoresAfter"]
        over = [team for team in (0, 1) if scores[team] >= 62]
        team = over[0] if len(over) == 1 else last["bidder"] % 2
        won.update((team, team + 2))
    assert by(facts, "win-rate", "seat") == {
        str(seat): share(won[seat], len(games)) for seat in range(4)
    }


@pytest.mark.thorough("figures of Pidro and Twenty-Nine are compared in the first tier")
def test_figures_of_catch_five_are_the_totals_of_the_program(
    shared_dir: Path, tmp_path: Path
) -> None:
    games, connection = loaded(CATCH_FIVE, shared_dir, tmp_path)
    with connection as facts:
        rounds = [played for game in games.values() for played in game["rounds"]]
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
        won = Counter(("team1", "team2").index(game["winner"]) for game in games.values())
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
            for record in records.values()
            if record["complete"] and not record.get("duplicate") and not record["deviations"]
        ]
        n = len(rounds)
        makers = [record["result"]["team"] for record in rounds]
        assert value(facts, "hands") == (n, n)
        taken = sum(record["teamPoints"][team] for record, team in zip(rounds, makers, strict=True))
        assert value(facts, "captured-by-makers") == share(taken, n)
        made = [record for record in rounds if record["result"]["gamePoints"] > 0]
        assert value(facts, "made-rate") == share(len(made), n)
        change = by(facts, "score-change", "side")["makers"]
        assert change == share(sum(record["result"]["gamePoints"] for record in rounds), n)
        winners = Counter(trick["winner"] for record in rounds for trick in record["tricks"])
        assert by(facts, "tricks-won", "seat") == {
            str(seat): share(winners[seat], 8 * n) for seat in range(4)
        }
        asked = [record for record in rounds if record["revealedBy"] is not None]
        bidders = sum(by(facts, "reveals", "seat")[str(seat)][0] * n for seat in range(4))
        assert bidders == pytest.approx(len(asked))


@pytest.mark.thorough("figures of Pidro and Twenty-Nine are compared in the first tier")
def test_figures_of_sixty_three_are_the_totals_of_the_program(
    shared_dir: Path, tmp_path: Path
) -> None:
    """Over the rounds in which nothing was found."""
    records, connection = loaded(SIXTY_THREE, shared_dir, tmp_path)
    with connection as facts:
        valid = facts.sql("SELECT game, hand FROM games.hands WHERE verdict = 'valid'").fetchall()
        rounds = {
            (game, number): events
            for game, record in records.items()
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


# --- Bots of known temperament

EVEN = ("even-1", "even-2")
TEMPERAMENTS = {
    "bold": Temperament("bold", 0.8, 0.0),
    "timid": Temperament("timid", -0.4, 0.0),
    **dict.fromkeys(EVEN, Temperament("even", -0.1, 0.0)),
}


def games_of_bots(variant: str, games: int, seed: str) -> Iterator[Hand]:
    """Games at a table of one bold, one timid and two even bots, who sit down again each time."""
    ruleset = load_variant(variant)
    judgement = practised(ruleset, 4)
    chance = random.Random(seed)
    for game in range(games):
        names = list(TEMPERAMENTS)
        chance.shuffle(names)
        first = bot_games.table(ruleset, 4, chance)
        players = [replace(first.players[0], id=name) for name in names]
        bots = [Bot(TEMPERAMENTS[name], seat, judgement, chance) for seat, name in enumerate(names)]
        first = replace(first, players=players, game=f"{variant}-{game}")
        yield from play_game(first, ruleset, bots, chance)


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBPyConnection]:
    def make(folder: Path) -> None:
        hands = games_of_bots("king-pedro", games=60, seed="temperaments")
        ingest.load(write_hands(folder / "log.jsonl", hands), db=folder / "db")
        open_facts(folder / "db").close()

    with open_facts(made_once(tmp_path_factory, "bots", make) / "db") as connection:
        yield connection


Interval = tuple[float, float]


def interval(connection: DuckDBPyConnection, metric: str, *players: str) -> Interval:
    row = measure(connection, metric, (), Filters.of({"player": players})).row(0, named=True)
    assert row["enough"]
    return row["low"], row["high"]


def is_above(one: Interval, other: Interval) -> bool:
    """Whether two figures differ by more than their intervals."""
    return one[0] > other[1]


@pytest.mark.parametrize(("metric", "sign"), [("set-rate", 1), ("margin", -1), ("aggression", 1)])
def test_the_bold_bot_comes_out_as_the_overbidder(
    bots: DuckDBPyConnection, metric: str, sign: int
) -> None:
    pair = interval(bots, metric, "bold"), interval(bots, metric, *EVEN)
    assert is_above(*pair[::sign])


def test_the_timid_bot_comes_out_as_the_underbidder(bots: DuckDBPyConnection) -> None:
    timid = interval(bots, "aggression", "timid")
    assert is_above(interval(bots, "aggression", *EVEN), timid)
    field = measure(bots, "underbid", ("player",)).sort("value")["player"].to_list()
    assert field[-1] == "timid"
    assert field[0] == "bold"


def test_even_bots_cannot_be_distinguished(bots: DuckDBPyConnection) -> None:
    for metric in ("set-rate", "margin", "aggression"):
        one, other = (interval(bots, metric, name) for name in EVEN)
        assert not is_above(one, other)
        assert not is_above(other, one)


# --- Intervals of means

CASES = {
    "margin": "role = 'maker' AND result IN ('made', 'set') AND bid IS NOT NULL AND NOT forced",
    "score-change": "first_of_side AND side = 'makers'",
    "trumps-drawn": "trump_leads > 0",
}
AMOUNTS = {
    "margin": ("maker_points - need", "1"),
    "score-change": ("side_change", "1"),
    "trumps-drawn": ("trumps_drawn", "trump_leads"),
}


@pytest.mark.parametrize("metric", CASES)
@pytest.mark.parametrize("variant", ["king-pedro", "pidro"])
def test_the_interval_of_a_mean_is_that_of_a_bootstrap_by_game(
    variant: str, metric: str, bots: DuckDBPyConnection, pidro: Loaded
) -> None:
    facts = bots if variant == "king-pedro" else pidro[1]
    amount, weight = AMOUNTS[metric]
    games = facts.sql(
        f"SELECT sum({amount})::DOUBLE AS y, sum({weight})::DOUBLE AS w FROM seat_facts "  # noqa: S608 - names of our own
        f"WHERE verdict = 'valid' AND {CASES[metric]} GROUP BY game_no ORDER BY game_no"
    ).fetchnumpy()
    chance = np.random.default_rng(7)
    drawn = chance.integers(0, len(games["y"]), (4_000, len(games["y"])))
    means = games["y"][drawn].sum(axis=1) / games["w"][drawn].sum(axis=1)
    chosen = {"side": "makers"} if metric == "score-change" else {}
    row = measure(facts, metric, (), Filters.of(chosen)).row(0, named=True)
    assert row["games"] == len(games["y"])
    assert row["value"] == pytest.approx(games["y"].sum() / games["w"].sum())
    assert row["high"] - row["low"] == pytest.approx(2 * 1.98 * means.std(), rel=0.06)
    low, high = np.quantile(means, [0.025, 0.975])
    width = row["high"] - row["low"]
    assert (row["low"], row["high"]) == (
        pytest.approx(low, abs=0.06 * width),
        pytest.approx(high, abs=0.06 * width),
    )
