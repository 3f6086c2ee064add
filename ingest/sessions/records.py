"""The records of a season, such as the highest bid made in each game, and its pairs of partners."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final, NamedTuple

from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import METRIC
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.pairs import partners
from tricklog.ingest.metrics.query import rows_of
from tricklog.ingest.sessions.evening import of_tables
from tricklog.ingest.sql import run
from tricklog.schemas.languages.messages import mark

if TYPE_CHECKING:
    import polars as pl


def pairs(facts: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return pairs of partners by complete games won, those with the most games first.

    What they win together is compared with what both win with others as in ``metrics.pairs``.

    Columns: ``one`` and ``two`` (ids, in their order), ``games`` and ``won`` together,
    ``one_games``, ``one_won``, ``two_games``, ``two_won`` of each with other partners, ``together``
    (share won), ``expected`` from what both bring, ``difference`` with its 99 % interval ``low``
    and ``high``, ``chance`` of as much by chance alone, and ``named``: whether it stands among all
    pairs compared (Holm, at 3 %) and is of a relevant size.

    Only tables of two partnerships of two count. The comparison is null for pairs with fewer than
    ten games together, and where the two hardly ever sat with others.
    """
    import polars as pl

    whole = of_tables(filters)
    condition, parameters = rows_of(facts, METRIC["games"], whole)
    found = run(facts, _PAIRS.format(condition=condition), parameters)
    compared = partners(facts, whole, METRIC["win-rate"]).rows.select(
        "one", "difference", "low", "high", "chance", "named", two="other"
    )
    together = pl.col("won") / pl.col("games")
    return found.join(compared, on=["one", "two"], how="left", maintain_order="left").with_columns(
        together=together, expected=(together - pl.col("difference")).clip(0, 1)
    )


_PAIRS: Final = """
WITH sat AS MATERIALIZED (
    SELECT game_no, player, partners[1] AS partner, won
    FROM game_facts
    WHERE len(partners) = 1 AND len(opponents) = 2 AND {condition}
), alone AS (
    SELECT player, count(*) AS games, count(*) FILTER (won) AS won FROM sat GROUP BY player
), together AS (
    SELECT player AS one, partner AS two, count(*) AS games, count(*) FILTER (won) AS won
    FROM sat
    WHERE player < partner
    GROUP BY ALL
)
SELECT
    one,
    two,
    together.games,
    together.won,
    first.games - together.games AS one_games,
    first.won - together.won AS one_won,
    second.games - together.games AS two_games,
    second.won - together.won AS two_won
FROM together
JOIN alone AS first ON first.player = one
JOIN alone AS second ON second.player = two
ORDER BY together.games DESC, one, two
"""


class Kind(NamedTuple):
    """What a record is about."""

    name: str
    title: str
    source: str
    """Query for what may be one: ``variant``, ``value`` (the more, the better), ``day``,
    ``game_no``, ``hand``, ``hand_no`` and ``players``; ``{hands}`` and ``{games}`` stand for the
    conditions of the filters."""
    of_game: bool = False
    """Whether a game holds it, rather than a hand."""
    lowest: bool = False
    """Whether the lowest value is the record."""


_PLAY: Final = "day, game_no, hand, hand_no"
_SIDE: Final = "list_prepend(player, partners) AS players"
_OF_GAMES: Final = f"day, game_no, 0 AS hand, 0 AS hand_no, {_SIDE} FROM game_facts"
_HIGHEST_BID: Final = f"""
SELECT variant, bid AS value, {_PLAY}, [player] AS players
FROM seat_facts
WHERE role = 'maker' AND result = 'made' AND bid IS NOT NULL AND {{hands}}
"""  # noqa: S608 - our own
_COMEBACK: Final = f"""
SELECT variant, -worst_lead AS value, {_OF_GAMES}
WHERE won AND first_of_side AND worst_lead < 0 AND {{games}}
"""
_RUN_MADE: Final = f"""
SELECT
    variant,
    count(*) AS value,
    unnest(arg_max({{{{
        'day': day, 'game_no': game_no, 'hand': hand, 'hand_no': hand_no
    }}}}, place)),
    [player] AS players
FROM (
    SELECT *, place - row_number() OVER (PARTITION BY variant, player, made ORDER BY place) AS run
    FROM (
        SELECT
            variant, player, {_PLAY}, result = 'made' AS made,
            row_number() OVER (
                PARTITION BY variant, player
                ORDER BY day NULLS LAST, started_at NULLS LAST, game_no, hand, hand_no
            ) AS place
        FROM (
            SELECT seat_facts.*
            FROM seat_facts
            WHERE role = 'maker' AND result IN ('made', 'set') AND {{hands}}
        )
        JOIN (SELECT hand_no, started_at FROM games.hands) USING (hand_no)
    )
)
WHERE made
GROUP BY variant, player, run
"""  # noqa: S608 - our own
_MOST_POINTS: Final = f"""
SELECT variant, side_points AS value, {_PLAY}, {_SIDE}
FROM seat_facts
WHERE first_of_side AND side_points > 0 AND {{hands}}
"""  # noqa: S608 - our own
_SHORTEST_GAME: Final = f"""
SELECT variant, -hands::BIGINT AS value, {_OF_GAMES}
WHERE won AND first_of_side AND {{games}}
"""
_LOWEST_SCORE: Final = f"""
SELECT variant, -after.scores[side_no + 1] AS value, {_PLAY}, {_SIDE}
FROM (FROM seat_facts WHERE first_of_side AND {{hands}})
JOIN (SELECT hand_no, scores FROM games.hands WHERE list_min(scores) < 0) AS after USING (hand_no)
WHERE value > 0
"""  # noqa: S608 - our own
KINDS: Final = (
    Kind("highest-bid", mark("Highest bid made"), _HIGHEST_BID),
    Kind("comeback", mark("Biggest comeback"), _COMEBACK, of_game=True),
    Kind("run-made", mark("Contracts made in a row"), _RUN_MADE, of_game=True),
    Kind("most-points", mark("Most points in a hand"), _MOST_POINTS),
    Kind("shortest-game", mark("Shortest game"), _SHORTEST_GAME, of_game=True, lowest=True),
    Kind("lowest-score", mark("Lowest score"), _LOWEST_SCORE, lowest=True),
)
KIND: Final = {each.name: each for each in KINDS}


@dataclass(frozen=True, slots=True)
class Record:
    """A record of one game."""

    kind: str
    """A name of ``KINDS``."""
    variant: str
    value: int
    """A bid may be the code of a special one."""
    players: tuple[str, ...]
    """The ids of who was the first to do it: the maker, or the side."""
    times: int
    """How often it was done as well."""
    day: date | None
    hand: str | None
    """The id of the hand that holds it; ``None`` where a game does."""
    game: str | None
    first_day: date | None
    """The first day of the variant among what the filters choose."""


def records(facts: DuckDBPyConnection, filters: Filters = EVERYTHING) -> list[Record]:
    """Return the records of what the filters choose, by game in the order of ``KINDS``.

    Only valid hands, and complete games of nothing else, hold one. Filters about single players are
    passed over. The games with the most hands come first.
    """
    whole = of_tables(filters)
    hands, parameters = rows_of(facts, METRIC["hands"], whole)
    games, of_games = rows_of(facts, METRIC["games"], whole)
    if of_games != parameters:
        raise AssertionError("conditions of hands and games have the same parameters")
    played = run(facts, _PLAYED.format(hands=hands), parameters)
    first: dict[str, date | None] = dict(played.iter_rows())
    found = [
        Record(
            kind=kind.name,
            variant=row["variant"],
            value=-row["value"] if kind.lowest else row["value"],
            players=tuple(row["players"]),
            times=row["times"],
            day=row["day"],
            hand=None if kind.of_game else row["hand_id"],
            game=row["game"],
            first_day=first.get(row["variant"]),
        )
        for kind in KINDS
        for row in run(
            facts,
            _FIRST.format(source=kind.source.format(hands=hands, games=games)),
            parameters,
        ).iter_rows(named=True)
        if row["variant"] in first
    ]
    order = list(first)
    return sorted(found, key=lambda each: order.index(each.variant))


_PLAYED: Final = """
SELECT variant, min(day) AS day
FROM seat_facts
WHERE first_of_hand AND {hands}
GROUP BY variant
ORDER BY count(*) DESC, variant
"""

_FIRST: Final = """
WITH able AS MATERIALIZED ({source}),
best AS (
    SELECT able.*
    FROM able
    JOIN (SELECT variant, max(value) AS value FROM able GROUP BY variant) USING (variant, value)
), firsts AS (
    SELECT
        variant,
        value::BIGINT AS value,
        count(*) AS times,
        unnest(arg_min(
            {{'day': day, 'game_no': game_no, 'hand_no': hand_no, 'players': players}},
            {{'open': day IS NULL, 'day': day, 'game': game_no, 'hand': hand, 'hand_no': hand_no}}
        ))
    FROM best
    GROUP BY variant, value
)
SELECT variant, value, times, firsts.day, players, hands.hand_id, games.game
FROM firsts
LEFT JOIN games.hands USING (hand_no)
LEFT JOIN games.games ON games.game_no = firsts.game_no
ORDER BY variant
"""
