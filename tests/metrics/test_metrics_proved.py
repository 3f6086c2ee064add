"""Metrics held against what does not come from here: other programs' totals, bots, a bootstrap."""

import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.kit import bot_games
from tests.kit.facts import Facts, facts_in, figure, warehouse_of
from tests.kit.foreign_records import CATCH_FIVE, PIDRO, SIXTY_THREE, TWENTY_NINE, Record
from tests.kit.made_once import made_once
from tests.kit.solved import warehouse
from tests.kit.tiers import is_thorough
from tests.reading.test_adapters_agreement import LOGS, RECORDS, find_event, sixty_three_rounds
from tricklog import Filters, Hand, load_variant
from tricklog.core.bots.generate import Bot, Temperament, play_game, practised
from tricklog.ingest import adapters
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import measure

Loaded = tuple[dict[str, Record], Facts]


# --- Other programs' totals
def load_log(name: str, shared_dir: Path, folder: Path, count: int) -> None:
    """Load records of another program, the first unless thorough, and keep them by their games."""
    with gzip.open(shared_dir / LOGS[name]) as log:
        # A record that is called a duplicate comes after the one that it repeats.
        lines = list(islice(log, None if is_thorough() else count))
    path = folder / "records.jsonl"
    path.write_bytes(b"".join(lines))
    items = [item.hands for item in adapters.convert(name, path)]
    open_facts(warehouse(folder, chain(*items))).close()
    games = [str(hands[0].game) for hands in items]
    # A round of Twenty-Nine comes again and again; the first time it is no duplicate.
    first = dict(zip(reversed(games), map(json.loads, reversed(lines)), strict=True))
    (folder / "games.json").write_text(json.dumps(first), "utf-8")


def opened(folder: Path) -> Loaded:
    """The records of another program by their games, and the facts of the hands made of them."""
    return json.loads((folder / "games.json").read_bytes()), open_facts(folder / "db")


@pytest.fixture
def loaded(request: pytest.FixtureRequest, shared_dir: Path, tmp_path: Path) -> Iterator[Loaded]:
    """As many records of the program named as the adapter is looked at with, see ``opened``."""
    load_log(request.param, shared_dir, tmp_path, RECORDS[request.param])
    records, facts = opened(tmp_path)
    with facts:
        yield records, facts


@pytest.fixture(scope="module")
def pidro(shared_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loaded]:
    """So many records of Pidro that intervals can be made of their games."""

    def make(folder: Path) -> None:
        load_log(PIDRO, shared_dir, folder, 60)

    records, connection = opened(made_once(tmp_path_factory, "pidro", make))
    with connection:
        yield records, connection


def share(hits: float, n: int) -> tuple[Any, int]:
    return pytest.approx(hits / n), n


def check(facts: Facts, due: Mapping[str, object]) -> None:
    """Hold figures, and those by a dimension that stands behind the metric, against totals."""
    for asked, expected in due.items():
        metric, _, by = asked.partition(" by ")
        found = figure(facts, metric, by) if by else figure(facts, metric)[""]
        assert found == expected, asked


def test_contracts_of_pidro_add_up_to_the_totals_of_the_program(pidro: Loaded) -> None:
    games, facts = pidro
    deals = [deal for game in games.values() for deal in game["hands"]]
    n = len(deals)
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
    over = {id(deal): taken[id(deal)] - deal["bid"] for deal in deals}
    lost = [
        -deal["result"]["teamScoreDelta"][deal["bidder"] % 2]
        for deal in deals
        if not deal["result"]["made"]
    ]
    calls = [bid["bid"] for deal in deals for bid in deal["bids"] if bid["canPass"]]
    bids = Counter(deal["bid"] for deal in deals)
    points: Counter[str] = Counter()
    scores: Counter[str] = Counter()
    for deal in deals:
        for team in (0, 1):
            side = "makers" if team == deal["bidder"] % 2 else "defenders"
            points[side] += deal["result"]["teamPointsTaken"][team]
            scores[side] += deal["result"]["teamScoreDelta"][team]
    won: Counter[int] = Counter()
    for game in games.values():
        last = game["hands"][-1]
        beyond = [team for team in (0, 1) if last["result"]["scoresAfter"][team] >= 62]
        team = beyond[0] if len(beyond) == 1 else last["bidder"] % 2
        won.update((team, team + 2))
    due = {
        "hands": (n, n),
        "forced-rate": share(n - len(free), n),
        "made-rate": share(len(made), len(free)),
        "margin": share(sum(over[id(deal)] for deal in free), len(free)),
        "underbid": share(sum(over[id(deal)] for deal in made), len(made)),
        "captured-by-makers": share(sum(taken.values()), n),
        "set-cost": share(sum(lost), len(lost)),
        "aggression": share(sum(bid is not None for bid in calls), len(calls)),
        "hands by bid": {str(bid): (count, count) for bid, count in bids.items()},
        "points-share by side": {
            side: (pytest.approx(points[side] / points.total()), n) for side in points
        },
        "score-change by side": {side: share(scores[side], n) for side in scores},
        "game-length": share(n, len(games)),
        "win-rate by seat": {str(seat): share(won[seat], len(games)) for seat in range(4)},
    }
    check(facts, due)


@pytest.mark.thorough("figures of Pidro and Twenty-Nine are compared in the first tier")
@pytest.mark.parametrize("loaded", [CATCH_FIVE], indirect=True)
def test_figures_of_catch_five_are_the_totals_of_the_program(loaded: Loaded) -> None:
    games, facts = loaded
    rounds = [played for game in games.values() for played in game["rounds"]]
    n = len(rounds)
    taken = sum(sum(played["result"]["teamPoints"]) for played in rounds)
    makers = sum(played["result"]["teamPoints"][played["bidder"] % 2] for played in rounds)
    # The dealer is stuck with 5 when nobody bid.
    stuck = sum(
        all(bid["bid"] == 0 for bid in played["bids"] if bid["seat"] != played["dealer"])
        for played in rounds
    )
    bids = sum(bid["bid"] > 0 for played in rounds for bid in played["bids"])
    won = Counter(("team1", "team2").index(game["winner"]) for game in games.values())
    tricks = [trick for played in rounds for trick in played["tricks"]]
    winners = Counter(trick["winner"] for trick in tricks)
    due = {
        "captured-by-makers": share(makers, n),
        "aggression": share(bids - stuck, 4 * n - stuck),
        "win-rate by seat": {str(seat): share(won[seat % 2], len(games)) for seat in range(4)},
        "tricks-won by seat": {str(seat): share(winners[seat], len(tricks)) for seat in range(4)},
    }
    check(facts, due)
    assert figure(facts, "points-share", "side")["makers"] == (share(makers, taken)[0], n)
    leads = figure(facts, "leads-won", "seat")
    leaders = Counter(str(trick["leader"]) for trick in tricks)
    assert {seat: count for seat, (_, count) in leads.items()} == leaders


@pytest.mark.parametrize("loaded", [TWENTY_NINE], indirect=True)
def test_figures_of_twenty_nine_are_the_totals_of_the_program(loaded: Loaded) -> None:
    """Over the rounds that the program played by the rules."""
    records, facts = loaded
    rounds = [
        record
        for record in records.values()
        if record["complete"] and not record.get("duplicate") and not record["deviations"]
    ]
    n = len(rounds)
    scores = [record["result"]["gamePoints"] for record in rounds]
    winners = Counter(trick["winner"] for record in rounds for trick in record["tricks"])
    due = {
        "hands": (n, n),
        "captured-by-makers": share(
            sum(record["teamPoints"][record["result"]["team"]] for record in rounds), n
        ),
        "made-rate": share(sum(score > 0 for score in scores), n),
        "tricks-won by seat": {str(seat): share(winners[seat], 8 * n) for seat in range(4)},
    }
    check(facts, due)
    assert figure(facts, "score-change", "side")["makers"] == share(sum(scores), n)
    asked = sum(record["revealedBy"] is not None for record in rounds)
    bidders = figure(facts, "reveals", "seat")
    assert sum(bidders[str(seat)][0] * n for seat in range(4)) == pytest.approx(asked)


@pytest.mark.thorough("figures of Pidro and Twenty-Nine are compared in the first tier")
@pytest.mark.parametrize("loaded", [SIXTY_THREE], indirect=True)
def test_figures_of_sixty_three_are_the_totals_of_the_program(loaded: Loaded) -> None:
    """Over the rounds in which nothing was found."""
    records, facts = loaded
    valid = facts.sql("SELECT game, hand FROM games.hands WHERE verdict = 'valid'").fetchall()
    rounds = {
        (game, number): events
        for game, record in records.items()
        for number, events in enumerate(sixty_three_rounds(record), start=1)
    }
    ends = [rounds[key][-1] for key in valid]
    taken = sum(
        end["pointsBySeat"][end["bidder"]] + end["pointsBySeat"][(end["bidder"] + 2) % 4]
        for end in ends
    )
    assert figure(facts, "captured-by-makers")[""] == share(taken, len(ends))
    change = sum(end["roundScore"][end["bidder"] % 2] for end in ends)
    assert figure(facts, "score-change", "side")["makers"] == share(change, len(ends))
    bids = Counter(str(find_event(rounds[key], "atPlay")["bid"]) for key in valid)
    bids["2063"] = bids.pop("126", 0)
    found = figure(facts, "hands", "bid")
    assert Counter({bid: n for bid, (_, n) in found.items()}) == bids


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


bots_db = warehouse_of("bots", lambda: games_of_bots("king-pedro", games=60, seed="temperaments"))
bots = facts_in("bots_db")


def interval(connection: Facts, metric: str, *players: str) -> tuple[float, float]:
    row = measure(connection, metric, (), Filters.of({"player": players})).row(0, named=True)
    assert row["enough"]
    return row["low"], row["high"]


def test_bots_come_out_as_what_they_are(bots: Facts) -> None:
    """The bold one as the overbidder, the timid one as the underbidder, and even ones alike."""
    for metric, sign in (("set-rate", 1), ("margin", -1), ("aggression", 1)):
        pair = interval(bots, metric, "bold"), interval(bots, metric, *EVEN)
        above, below = pair[::sign]
        assert above[0] > below[1], metric
        (low, high), (other_low, other_high) = (interval(bots, metric, name) for name in EVEN)
        assert low <= other_high, metric
        assert other_low <= high, metric
    assert interval(bots, "aggression", *EVEN)[0] > interval(bots, "aggression", "timid")[1]
    field = measure(bots, "underbid", ("player",)).sort("value")["player"].to_list()
    assert (field[-1], field[0]) == ("timid", "bold")


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
    variant: str, metric: str, bots: Facts, pidro: Loaded
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
