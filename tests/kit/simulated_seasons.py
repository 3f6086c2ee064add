"""Seasons drawn at random, with known chances and known players, as tables to be asked.

Hands of Pedro are drawn from its samples, one independently of the other, so that the chance to win
can be worked out exactly; gains of rated players are drawn about what each of them brings.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

import duckdb
import numpy as np
import polars as pl
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray

from tricklog.core.judging.standing import RESULTS
from tricklog.core.rulesets.ruleset import load_variant
from tricklog.ingest.chances.outcomes import Game, Outcomes, phase, prior_of
from tricklog.ingest.chances.table import Ending
from tricklog.ingest.metrics.intervals import Whole
from tricklog.ingest.ratings.model import Lines

Numbers = NDArray[np.float64]
PEDRO = load_variant("pedro")
HANDS_OF_GAME = 12
SIGMA = 14.4
"""Of a hand of Pedro."""


def pedro() -> Game:
    """The game that the simulated hands are of."""
    return Game("pedro", "pedro", "Pedro", PEDRO.rules(4), PEDRO.total_points)


def truth() -> Outcomes:
    """The outcomes that hands are drawn from, in every phase alike."""
    rows, counts = np.unique(prior_of("pedro"), axis=0, return_counts=True)
    return Outcomes(rows, np.tile(counts / counts.sum(), (4, 1)), int(counts.sum()))


def by_the_score() -> Outcomes:
    """Outcomes of sides of which each bids too high, and is set, when the other is near the end."""
    blind = truth()
    side_near = np.array([[False, False], [True, False], [False, True], [True, True]])
    is_set = blind.rows[:, 3] == RESULTS.index("set")
    maker = blind.rows[:, 2]
    # A maker is of the other side than the one that is near.
    bold = (maker >= 0) & side_near[:, 1 - np.maximum(maker, 0)] & is_set
    shares = blind.shares * np.where(bold, 4.0, 1.0)
    return replace(blind, shares=shares / shares.sum(axis=1, keepdims=True))


def one_pool(_: Game, dealers: Whole, __: Whole) -> Whole:
    """In place of ``phase``: all hands alike, however the scores stand."""
    return np.zeros_like(dealers)


def drawn_games(seed: int, hands: int, outcomes: Outcomes | None = None) -> pl.DataFrame:
    """Whole games of ``hands`` hands or a few more, as the table ``hands`` has them.

    ``outcomes`` are those to draw from, ``truth`` unless given.
    """
    chance, ending, rules = np.random.default_rng(seed), Ending(PEDRO.rules(4)), pedro()
    outcomes = outcomes or truth()
    found: list[dict[str, object]] = []
    game = 0
    while len(found) < hands:
        game, scores, dealer, winner, number = game + 1, [0, 0], int(chance.integers(4)), -1, 0
        while winner < 0:
            number += 1
            side = dealer % 2
            at = phase(rules, np.array(scores[side]), np.array(scores[1 - side]))
            shares = outcomes.shares[int(at)]
            own, other, maker, result = outcomes.rows[chance.choice(len(shares), p=shares)].tolist()
            change = [own, other] if side == 0 else [other, own]
            makers = -1 if maker < 0 else side if maker == 0 else 1 - side
            before = np.array(scores[:1]), np.array(scores[1:])
            winner = int(ending.settle(*before, (*change, makers, result))[2][0])
            found.append(
                {
                    "hand_no": len(found) + 1,
                    "hand_id": f"{game}/{number}",
                    "game": str(game),
                    "hand": number,
                    "dealer": dealer,
                    "scores_before": list(scores),
                    "verdict": "valid",
                    "result": RESULTS[result],
                    "maker": None if makers < 0 else makers,
                    "no_contract": False,
                    "bid": None if makers < 0 else max(7, own if maker == 0 else other),
                    "change": change,
                    "winner_side": winner if winner >= 0 else None,
                }
            )
            scores = [scores[0] + change[0], scores[1] + change[1]]
            dealer = (dealer + 1) % 4
    return pl.DataFrame(found, infer_schema_length=None)


def snapshot_of(hands: pl.DataFrame) -> DuckDBPyConnection:
    """The tables of a warehouse, as far as chances ask them, with these hands."""
    connection = duckdb.connect()
    connection.register("found", hands)
    connection.execute("CREATE TABLE hands AS SELECT *, 1 AS seating_id FROM found")
    connection.execute(
        "CREATE TABLE seatings AS "
        "SELECT 1 AS seating_id, 'pedro' AS ruleset, [0, 1, 0, 1] AS seat_sides"
    )
    connection.execute(
        "CREATE TABLE rulesets AS SELECT 'pedro' AS ruleset, 'pedro' AS variant, 'Pedro' AS title, "
        "$1 AS policies, 'card points' AS scored_in, $2 AS total_points",
        [json.dumps(PEDRO.values), PEDRO.total_points],
    )
    return connection


@dataclass(frozen=True)
class Season:
    """Games of rated players, each of so many hands, who are drawn for it by ``lineup``."""

    skills: Numbers
    lineup: Callable[[np.random.Generator, int], NDArray[np.int64]]
    games: int
    alike: float = 0.0
    """Standard deviation of what all hands of one game have in common."""
    deal: float = 1.0
    skills_of: Callable[[int], Numbers] | None = None
    """Skills by game, where they change."""

    def lines(self, seed: int) -> Lines:
        """The hands put together by game and who dealt."""
        chance = np.random.default_rng(seed)
        half = HANDS_OF_GAME // 2
        sat = np.array([self.lineup(chance, len(self.skills)) for _ in range(self.games)])
        skills = (
            np.tile(self.skills, (self.games, 1))
            if self.skills_of is None
            else np.array([self.skills_of(game) for game in range(self.games)])
        )
        each = np.take_along_axis(skills, sat, axis=1) @ np.array([1, 1, -1, -1])
        each = each + self.alike * chance.standard_normal(self.games)
        mean = np.repeat(each, 2) + self.deal * np.tile([1, -1], self.games)
        hands = mean[:, None] + SIGMA * chance.standard_normal((2 * self.games, half))
        return Lines(
            players=np.repeat(sat, 2, axis=0),
            signs=np.tile([1.0, 1.0, -1.0, -1.0], (2 * self.games, 1)),
            deals=np.tile([1.0, -1.0], self.games),
            kinds=np.zeros(2 * self.games, np.int64),
            games=np.repeat(np.arange(self.games), 2),
            hands=np.full(2 * self.games, float(half)),
            gains=hands.sum(axis=1),
            squares=(hands**2).sum(axis=1),
        )


def mixed(chance: np.random.Generator, players: int) -> NDArray[np.int64]:
    return chance.permutation(players)[:4]


def in_pairs(chance: np.random.Generator, players: int) -> NDArray[np.int64]:
    """Two pairs, of players who always sit together: 0 and 1, 2 and 3."""
    first, second = chance.permutation(players // 2)[:2]
    return np.array([2 * first, 2 * first + 1, 2 * second, 2 * second + 1])


def summed_facts(
    lines: Lines, *, kinds: Callable[[int], str] = lambda _: "human"
) -> DuckDBPyConnection:
    """The facts of a warehouse, as far as ratings ask them, with hands that sum up to ``lines``."""
    tables = {
        tuple(row): place for place, row in enumerate(np.unique(lines.players, axis=0).tolist())
    }
    chairs, seats, hand_no = [], [], 0
    for players, place in tables.items():
        for seat, player in enumerate((players[0], players[2], players[1], players[3])):
            chairs.append((place * 8 + seat, "pedro", f"p{player:03}", kinds(player), seat % 2))
    for row, players in enumerate(lines.players.tolist()):
        chair, hands = tables[tuple(players)] * 8, int(lines.hands[row])
        mean = lines.gains[row] / hands
        off = np.sqrt(max(lines.squares[row] / hands - mean**2, 0))
        for hand in range(hands):
            hand_no += 1
            gain = mean + (off if hand % 2 else -off)
            first = 0 if lines.deals[row] > 0 else 1
            day = int(lines.games[row])
            seats.append((hand_no, day, chair, first, gain))
            seats.append((hand_no, day, chair + 1, 1 - first, 0.0))
    connection = duckdb.connect()
    for name, rows, columns in (
        ("chairs", chairs, ["chair", "ruleset", "player", "kind", "side_no"]),
        ("seats", seats, ["hand_no", "game_no", "chair", "from_dealer", "side_change"]),
    ):
        connection.register("found", pl.DataFrame(rows, schema=columns, orient="row"))
        connection.execute(f"CREATE TABLE {name} AS FROM found")
    connection.execute("CREATE SCHEMA games")
    connection.execute(
        "CREATE TABLE games.games AS SELECT DISTINCT game_no, 0 AS winner_side FROM seats"
    )
    connection.execute(
        "CREATE VIEW seat_rows AS SELECT *, 'pedro' AS variant, 'valid' AS verdict, "
        "DATE '2025-01-01' + game_no::INTEGER AS day, true AS first_of_side FROM seats"
    )
    return connection
