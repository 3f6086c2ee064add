"""Who suits whom: each pair against what both do with others, and each two against each other.

What a side scores is taken apart into what each of its players brings anywhere, less what its
opponents bring, within each variant and kind of table. What a pair has beyond that is its own: it
is not that two strong players sit together, nor that the others they sit with are weaker. Games are
the draws, so that the luck a table shares counts once.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray

from tricklog.ingest.metrics import DIMENSION, METRIC, wording
from tricklog.ingest.metrics.comparing import FEWEST_COMPARED, FEWEST_OF_OTHERS, KIND_OF_TABLE
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.intervals import WORTH, Apart, Estimate, Numbers, unbiased
from tricklog.ingest.metrics.model import FigureError, Level, Metric
from tricklog.ingest.metrics.naming import name_rows, named_among, places
from tricklog.ingest.metrics.query import ask
from tricklog.ingest.sql import run
from tricklog.schemas.languages.messages import say

SCORE: Final = METRIC["score-share"]
"""What pairs are compared by."""
MOST_PEOPLE: Final = 40
"""People who are compared, those with the most games; all others are the field."""
_LEAST_LEFT: Final = 0.05
"""Part of what tells a pair apart that must be left when both players' own figures are known."""
_MOST_BESIDE: Final = 6
"""Pairs, at most, that are taken away when others are judged."""
_PEOPLE_FILTERS: Final = frozenset({"player", "partner", "opponent"})


class Pairs(NamedTuple):
    """Pairs compared."""

    people: tuple[str, ...]
    """Everybody compared, those with the most games first."""
    rows: pl.DataFrame
    """One for each pair with enough games: ``one`` and ``other``; ``games`` and ``hands`` in which
    they sat as asked for; ``share``, the score of their side above the field as a share of what was
    at stake; ``difference``, what of that neither brings elsewhere, with its 99 % interval
    ``low`` and ``high``; ``drawn``, the difference drawn towards the middle of all; ``chance``, how
    often chance alone gives as much; and ``named``, whether it stands among all pairs (Holm, at
    3 %) and is of a relevant size. The surest come first."""
    few: int
    """Pairs that have sat so, but in fewer than ten games."""
    inseparable: tuple[tuple[str, str], ...]
    """Pairs that hardly ever sat with others, so that nothing can be said of them."""


def partners(
    connection: DuckDBPyConnection, filters: Filters = EVERYTHING, metric: Metric = SCORE
) -> Pairs:
    """Return what each two people bring as partners beyond what both bring with others.

    ``metric`` is a share that the partners of a side have in common.

    ``one`` and ``other`` are in the order of the alphabet. Filters of players are passed over.

    Raises ``FigureError`` for filters that single players of a side pass.
    """
    return compare_pairs(sides(connection, filters, metric), against=False)


def opponents(connection: DuckDBPyConnection, filters: Filters = EVERYTHING) -> Pairs:
    """Return how the side of each fares against that of each other, beyond what both do elsewhere.

    All is of ``one``; of ``other`` it is the same with the opposite sign. Filters of players are
    passed over.

    Raises ``FigureError`` for filters that single players of a side pass.
    """
    return compare_pairs(sides(connection, filters), against=True)


def sides(
    connection: DuckDBPyConnection, filters: Filters = EVERYTHING, metric: Metric = SCORE
) -> pl.DataFrame:
    """Return what each side of two or more scored in each game.

    Columns: ``game``, ``variant`` (and kind of table), ``own`` and ``against`` (players),
    ``hands``, ``y`` (score) and ``w`` (what was at stake), or what ``metric`` counts instead.

    Raises ``FigureError`` for filters that single players of a side pass.
    """
    for name, _ in filters.chosen:
        if name in _PEOPLE_FILTERS:
            filters = filters.also(name)
        elif name in DIMENSION and DIMENSION[name].level == Level.SEAT:
            raise FigureError(
                say(
                    "Partners share their score, so pairs cannot be filtered by {dimension}. "
                    "Remove that filter.",
                    dimension=wording.title(DIMENSION[name]),
                )
            )
    asked = ask(connection, metric, ("player",), filters)
    also = {name: name for name in ("partners", "opponents")}
    cases = asked.cases(variant=KIND_OF_TABLE, side="side_no", **also)
    query = _SIDES.format(cases=cases, who=asked.keys[0], n=asked.n)
    return run(connection, query, asked.parameters)


_SIDES: Final = """
WITH own AS (
    SELECT game_no, side, {who}::VARCHAR AS who, any_value(variant)::VARCHAR AS variant,
        any_value(partners) AS partners, any_value(opponents) AS opponents,
        {n} AS hands, sum(y)::DOUBLE AS y, sum(w)::DOUBLE AS w
    FROM ({cases}) WHERE len(partners) > 0 GROUP BY game_no, side, who
)
SELECT game_no AS game, any_value(variant) AS variant,
    list_sort(list_distinct(list_append(arg_min(partners, who), min(who)))) AS own,
    list_sort(arg_min(opponents, who)) AS against,
    arg_min(hands, who)::BIGINT AS hands, arg_min(y, who) AS y, arg_min(w, who) AS w
FROM own GROUP BY game_no, side HAVING arg_min(w, who) > 0 ORDER BY game_no, side
"""


def compare_pairs(rows: pl.DataFrame, *, against: bool) -> Pairs:
    """Return pairs compared, of partners or ``against`` each other, from a frame of ``sides``."""
    counts = rows.group_by("variant").agg(pl.col("game").n_unique().alias("games"))
    usual = counts.filter(pl.col("games") >= FEWEST_OF_OTHERS)["variant"]
    rows = rows.filter(pl.col("variant").is_in(usual.implode()))
    people = (
        rows.select("game", pl.col("own").alias("player"))
        .explode("player")
        .group_by("player")
        .agg(pl.col("game").n_unique().alias("games"))
        .filter(pl.col("games") >= FEWEST_COMPARED)
        .sort("games", "player", descending=[True, False])["player"]
        .head(MOST_PEOPLE)
        .to_list()
    )
    known = _Known(rows, people)
    sat = known.pairs(against=against)
    candidates = [each for each in sat if each.games >= FEWEST_COMPARED]
    found = _judged(known, candidates)
    schema = {
        **dict.fromkeys(("one", "other"), pl.String),
        **dict.fromkeys(("games", "hands"), pl.Int64),
        **dict.fromkeys(("share", *Apart._fields, "variance"), pl.Float64),
    }
    frame = pl.DataFrame(found.rows, schema=schema).sort("chance", maintain_order=True)
    differences, variances = frame["difference"].to_list(), frame["variance"].to_list()
    if against:
        # Each two stand in both orders, of which neither comes first: the middle is nothing.
        differences, variances = [*differences, *(-each for each in differences)], variances * 2
    drawn = places(differences, variances)["drawn"].head(len(frame))
    named = name_rows(frame.drop("variance").with_columns(drawn), SCORE.relevant)
    return Pairs(tuple(people), named, len(sat) - len(candidates), found.inseparable)


class _Pair(NamedTuple):
    """Two people, and where they sat as asked for."""

    one: str
    other: str
    marks: Numbers
    """By side: 1 where they did, -1 where they did as its opponents, else 0."""
    games: int


class _Found(NamedTuple):
    rows: list[dict[str, Any]]
    inseparable: tuple[tuple[str, str], ...]


def _judged(known: _Known, candidates: list[_Pair]) -> _Found:
    """Return every pair judged beside those that are named already, the surest first of them.

    A pair that suits very well makes each of its two look better than they are beside others, and
    their other pairs worse. So what it brings is taken away like what players bring.
    """
    beside: list[_Pair] = []
    while True:
        rest = [each for each in candidates if not any(each is one for one in beside)]
        found = known.judged(rest, beside)
        # Those beside them stand already, and count among all that are compared.
        chances = [row["chance"] for row in found.rows] + [0.0] * len(beside)
        new = [
            row
            for row, is_named in zip(found.rows, named_among(chances), strict=False)
            if is_named and abs(row["difference"]) >= SCORE.relevant
        ]
        if not new or len(beside) == _MOST_BESIDE:
            return known.judged(candidates, beside) if beside else found
        surest = min(new, key=lambda row: row["chance"])
        wanted = (surest["one"], surest["other"])
        beside += [each for each in rest if (each.one, each.other) == wanted]


class _Known:
    """Sides of games, to be taken apart into what their players and opponents bring."""

    def __init__(self, rows: pl.DataFrame, people: list[str]) -> None:
        self.people = people
        self.w = rows["w"].to_numpy().astype(float)
        self.hands = rows["hands"].to_numpy()
        field = pl.col("y").sum().over("variant") / pl.col("w").sum().over("variant")
        above = rows.select(pl.col("y") - field * pl.col("w")).to_series()
        self.above: Numbers = above.to_numpy().astype(float)
        _, game = np.unique(rows["game"].to_numpy(), return_inverse=True)
        self.game: NDArray[np.int64] = game
        # One row for each side and one column for each person: 1 where they are of it.
        self.own, self.against = (
            rows.select(pl.col(name).list.contains(each).alias(each) for each in people)
            .to_numpy()
            .reshape(len(rows), len(people))
            .astype(float)
            for name in ("own", "against")
        )

    def pairs(self, *, against: bool) -> list[_Pair]:
        """Return each two who have sat so at all, by name."""
        order = sorted(range(len(self.people)), key=self.people.__getitem__)
        found = []
        for one, other in combinations(order, 2):
            beside, facing = (self.against, self.own) if against else (self.own, self.against)
            marks = self.own[:, one] * beside[:, other] - self.against[:, one] * facing[:, other]
            games = len(np.unique(self.game[marks > 0]))
            if games:
                found.append(_Pair(self.people[one], self.people[other], marks, games))
        return found

    def judged(self, pairs: Sequence[_Pair], beside: Sequence[_Pair]) -> _Found:
        """Return what is left of pairs when what players bring is taken away, and other pairs."""
        usual_fit = self._fit(beside)
        left = []
        for each in pairs:
            others = [other for other in beside if other is not each]
            fit = usual_fit if len(others) == len(beside) else self._fit(others)
            left.append(self._left(each, fit))
        apart = [each for each in left if each.part >= _LEAST_LEFT]
        inseparable = tuple(
            (each.pair.one, each.pair.other) for each in left if each.part < _LEAST_LEFT
        )
        # How far games scatter is seen in those of all pairs.
        squares = sum(float((each.sums**2).sum()) for each in apart)
        weights = sum(float(each.weights.sum()) for each in apart)
        usual = squares / weights if weights else 0.0
        return _Found([self._row(each, usual) for each in apart], inseparable)

    def _fit(self, beside: Sequence[_Pair]) -> _Fit:
        columns = [self.own - self.against, *(each.marks[:, None] for each in beside)]
        design: Numbers = np.hstack(columns)
        weighted = design * self.w[:, None]
        # One direction is never seen: everybody better by as much.
        return _Fit(design, weighted, np.linalg.pinv(design.T @ weighted, hermitian=True))

    def _left(self, pair: _Pair, fit: _Fit) -> _Left:
        marks = pair.marks
        alone = marks - fit.design @ (fit.inverse @ (fit.weighted.T @ marks))
        left = float((self.w * alone * marks).sum())
        difference = float((alone * self.above).sum()) / left if left > 0 else 0.0
        rest = self.above - self.w * marks * difference
        brought = fit.inverse @ (fit.design.T @ rest)
        errors = alone * (rest - self.w * (fit.design @ brought))
        part = left / float((self.w * marks**2).sum())
        sums, weights = (
            np.bincount(self.game, each).astype(float) for each in (errors, self.w * alone**2)
        )
        return _Left(pair, difference, left, part, sums, weights)

    def _row(self, each: _Left, usual: float) -> dict[str, Any]:
        whole = float(each.weights.sum())
        telling = max(0.0, float(whole**2 / (each.weights**2).sum()) - 1)
        own = float((each.sums**2).sum()) * float(unbiased(np.array(float(each.pair.games))))
        mixed = (telling * own + WORTH * usual * whole) / (telling + WORTH)
        variance = mixed / each.left**2
        freedom = (telling + WORTH) ** 2 / telling if telling > 0 else np.inf
        mine = each.pair.marks > 0
        return {
            "one": each.pair.one,
            "other": each.pair.other,
            "games": each.pair.games,
            "hands": int(self.hands[mine].sum()),
            "share": float(self.above[mine].sum() / self.w[mine].sum()),
            **Estimate(each.difference, variance, freedom).apart()._asdict(),
            "variance": variance,
        }


class _Fit(NamedTuple):
    """What is taken away from each side: what players bring, and some pairs."""

    design: Numbers
    weighted: Numbers
    inverse: Numbers


class _Left(NamedTuple):
    """What is left of one pair."""

    pair: _Pair
    difference: float
    left: float
    """What is at stake where the pair alone tells, after the players' own figures."""
    part: float
    """That, as a part of what is at stake where it sat."""
    sums: Numbers
    """By game: what it adds beyond everything known."""
    weights: Numbers
    """By game: how much that counts."""
