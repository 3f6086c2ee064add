"""The records of a season: of each game the highest bid made, the biggest comeback, and others."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import METRIC
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.query import rows_of
from tricklog.ingest.sessions.evening import of_tables
from tricklog.ingest.sql import run
from tricklog.schemas.languages.messages import mark


@dataclass(frozen=True, slots=True)
class Kind:
    """What a record is about."""

    name: str
    title: str
    of_game: bool
    """Whether a game holds it, rather than a hand."""
    lowest: bool
    """Whether the lowest value is the record."""
    source: str
    """Query for what may be one: ``variant``, ``value`` (the more, the better), ``day``,
    ``game_no``, ``hand``, ``hand_no`` and ``players``; ``{hands}`` and ``{games}`` stand for the
    conditions of the filters."""


_PLAY: Final = "day, game_no, hand, hand_no"
_SIDE: Final = "list_prepend(player, partners) AS players"
KINDS: Final = (
    Kind(
        "highest-bid",
        mark("Highest bid made"),
        of_game=False,
        lowest=False,
        source=f"""
        SELECT variant, bid AS value, {_PLAY}, [player] AS players
        FROM seat_facts
        WHERE role = 'maker' AND result = 'made' AND bid IS NOT NULL AND {{hands}}
        """,  # noqa: S608 - our own
    ),
    Kind(
        "comeback",
        mark("Biggest comeback"),
        of_game=True,
        lowest=False,
        source=f"""
        SELECT variant, -worst_lead AS value, day, game_no, 0 AS hand, 0 AS hand_no, {_SIDE}
        FROM game_facts
        WHERE won AND first_of_side AND worst_lead < 0 AND {{games}}
        """,  # noqa: S608 - our own
    ),
    Kind(
        "run-made",
        mark("Contracts made in a row"),
        of_game=True,
        lowest=False,
        source=f"""
        SELECT
            variant,
            count(*) AS value,
            unnest(arg_max({{{{
                'day': day, 'game_no': game_no, 'hand': hand, 'hand_no': hand_no
            }}}}, place)),
            [player] AS players
        FROM (
            SELECT
                *,
                place - row_number() OVER (PARTITION BY variant, player, made ORDER BY place) AS run
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
        """,  # noqa: S608 - our own
    ),
    Kind(
        "most-points",
        mark("Most points in a hand"),
        of_game=False,
        lowest=False,
        source=f"""
        SELECT variant, side_points AS value, {_PLAY}, {_SIDE}
        FROM seat_facts
        WHERE first_of_side AND side_points > 0 AND {{hands}}
        """,  # noqa: S608 - our own
    ),
    Kind(
        "shortest-game",
        mark("Shortest game"),
        of_game=True,
        lowest=True,
        source=f"""
        SELECT variant, -hands::BIGINT AS value, day, game_no, 0 AS hand, 0 AS hand_no, {_SIDE}
        FROM game_facts
        WHERE won AND first_of_side AND {{games}}
        """,  # noqa: S608 - our own
    ),
    Kind(
        "lowest-score",
        mark("Lowest score"),
        of_game=False,
        lowest=True,
        source=f"""
        SELECT variant, -after.scores[side_no + 1] AS value, {_PLAY}, {_SIDE}
        FROM (FROM seat_facts WHERE first_of_side AND {{hands}})
        JOIN (
            SELECT hand_no, scores FROM games.hands WHERE list_min(scores) < 0
        ) AS after USING (hand_no)
        WHERE value > 0
        """,  # noqa: S608 - our own
    ),
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
    first: dict[str, date | None] = dict(played.select("variant", "day").iter_rows())
    found: dict[tuple[str, str], Record] = {}
    for kind in KINDS:
        query = _FIRST.format(source=kind.source.format(hands=hands, games=games))
        for row in run(facts, query, parameters).iter_rows(named=True):
            found[row["variant"], kind.name] = Record(
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
    return [
        found[variant, kind.name]
        for variant in first
        for kind in KINDS
        if (variant, kind.name) in found
    ]


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
