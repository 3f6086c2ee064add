"""The evenings of a warehouse, and one of them: its games in the order of play, and who won them.

An evening is a day, as the table calls it, until the morning after. A game counts for the evening
on which it began.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import DIMENSION, METRIC, Grain, Level
from tricklog.ingest.metrics.comparing import others_of, sums
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.query import hands_behind
from tricklog.ingest.sql import run
from tricklog.schemas.printable import distinct_words

if TYPE_CHECKING:
    import polars as pl

WON, LOST, OPEN = "won", "lost", "open"
"""What a game was for a player of it; open, while nobody has won it on this evening."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game of an evening."""

    game: str
    variant: str
    title: str
    sides: tuple[tuple[str, ...], ...]
    """The ids of the players of each side."""
    table: int
    """The number of the table on this evening, from 1: the same players, whatever their seats."""
    began: datetime | None
    """When its first hand of the evening began, by the clock at the table."""
    hands: int
    """Hands of the evening."""
    left_out: int
    """Those of them that are not valid."""
    findings: int
    missing: int
    scores: tuple[int, ...] | None
    """How the scores stood after the last hand of the evening, by side."""
    others: tuple[str, ...]
    """The ids of who played a part of it, but not its last hand."""
    shared: bool
    """Whether people played in it who do not count here, so that hands of it are left out."""
    winner: int | None
    """The side that has won it on this evening; ``None`` unless the same people played it all."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a player has of an evening."""

    player: str
    games: tuple[str, ...]
    """``won``, ``lost`` or ``open`` for each game in the order of play."""
    above: float | None
    """Score above the field, as a share of what was at stake; ``None`` where nothing says so."""

    @property
    def won(self) -> int:
        """How many games they won."""
        return self.games.count(WON)


@dataclass(frozen=True, slots=True)
class Evening:
    """One evening."""

    day: date
    hands: int
    left_out: int
    """Hands that are not valid."""
    without_game: int
    """Hands that belong to no game, which only the list of hands shows."""
    began: datetime | None
    ended: datetime | None
    """When its first and its last hand began, by the clock at the table."""
    games: tuple[Played, ...]
    """In the order of play."""
    standings: tuple[Standing, ...]
    """Who won the most games first, then who has the most points above the field."""
    findings: int
    before: date | None
    after: date | None
    """The evenings beside it."""

    @property
    def tables(self) -> int:
        """At how many tables was played."""
        return len({each.table for each in self.games})

    @property
    def fixed(self) -> bool:
        """Whether nobody changed tables."""
        seats = {(who, each.table) for each in self.games for side in each.sides for who in side}
        return len(seats) == len({who for who, _ in seats})


def of_tables(filters: Filters) -> Filters:
    """Return the filters that say something about whole games, without those about one player."""
    kept = {
        name: values
        for name, values in filters.chosen
        if DIMENSION[name].level == Level.HAND and Grain.GAME in DIMENSION[name].grains
    }
    return replace(filters, chosen=tuple(sorted(kept.items())))


def evenings(facts: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return the days on which was played, the earliest first.

    Columns: ``day``, ``hands`` (valid ones), ``left_out``, ``games`` (with a hand on the day) and
    ``tables``. Hands without a day are on none.
    """
    chosen, parameters = hands_behind(None, filters, verdict="verdict", session="session")
    return run(facts, _EVENINGS.format(chosen=chosen), parameters)


def evening_of(
    facts: DuckDBPyConnection,
    day: date,
    filters: Filters = EVERYTHING,
    season: Filters = EVERYTHING,
) -> Evening | None:
    """Return an evening; ``None`` without a hand on the day that fits the filters.

    ``filters`` choose among evenings and the tables of each, see ``of_tables``. ``season`` are the
    games that the points above the field are measured by, all without it.
    """
    whole = of_tables(filters)
    days: list[date] = evenings(facts, whole)["day"].to_list()
    if day not in days:
        return None
    at = days.index(day)
    own = replace(whole, since=day, until=day)
    chosen, parameters = hands_behind(None, own, verdict="verdict", session="session")
    rows = run(facts, _GAMES.format(chosen=chosen), parameters | {"day": day}).to_dicts()
    games = _games(row for row in rows if row["game"] is not None)
    above = _above_field(facts, own, of_tables(season))
    times = [each for row in rows for each in (row["began"], row["ended"]) if each]
    return Evening(
        day=day,
        hands=sum(row["hands_here"] for row in rows),
        left_out=sum(row["left_out"] for row in rows),
        without_game=sum(row["hands_here"] for row in rows if row["game"] is None),
        began=min(times, default=None),
        ended=max(times, default=None),
        games=games,
        standings=_standings(games, above),
        findings=sum(row["findings"] for row in rows),
        before=days[at - 1] if at else None,
        after=days[at + 1] if at + 1 < len(days) else None,
    )


def day_of_game(facts: DuckDBPyConnection, game: str) -> date | None:
    """Return the day of the evening on which a game began; ``None`` where it has none."""
    sql = "SELECT min(first_day) FROM games.games WHERE game = $game"
    day: date | None = run(facts, sql, {"game": game}).item()
    return day


def names_of(facts: DuckDBPyConnection) -> dict[str, str]:
    """Return what players are called, by id; of players with one name, the id goes with it."""
    rows = run(facts, "SELECT player, name FROM games.players", {}).iter_rows()
    return distinct_words(dict(rows))


def titles_of(facts: DuckDBPyConnection) -> dict[str, str]:
    """Return what variants are called, by id."""
    sql = "SELECT variant, any_value(title) FROM games.rulesets GROUP BY variant"
    return dict(run(facts, sql, {}).iter_rows())


def sessions_named(facts: DuckDBPyConnection, text: str) -> pl.DataFrame:
    """Return the sessions that a text names: by number, or all or part of the name.

    Columns: ``session``, ``day``, ``name``; the first one, where it fits best, then the latest.
    """
    return run(facts, _SESSIONS_NAMED, {"text": text})


_AS_STORED: Final = ("game", "variant", "title", "began", "left_out", "findings")


def _games(rows: Iterable[dict[str, Any]]) -> tuple[Played, ...]:
    numbers: dict[Any, int] = {}
    games = []
    for row in rows:
        sides: list[list[str]] = [[] for _ in range(max(row["seat_sides"]) + 1)]
        for player, side in zip(row["players"], row["seat_sides"], strict=True):
            sides[side].append(player)
        others = tuple(sorted({*row["everybody"]} - {*row["players"]}))
        shared = row["stored"] is not None and row["ours_of_all"] < row["stored"]
        game = Played(
            sides=tuple(map(tuple, sides)),
            table=numbers.setdefault(row["session"], len(numbers) + 1),
            hands=row["hands_here"],
            missing=row["missing"] or 0,
            scores=None if row["scores"] is None else tuple(row["scores"]),
            others=others,
            shared=shared,
            winner=None if others or shared or row["missing"] else row["winner_side"],
            **{name: row[name] for name in _AS_STORED},
        )
        games.append(game)
    return tuple(games)


def _standings(games: Sequence[Played], above: dict[str, float]) -> tuple[Standing, ...]:
    found: dict[str, list[str]] = {}
    for game in games:
        for side, players in enumerate(game.sides):
            ended = OPEN if game.winner is None else WON if game.winner == side else LOST
            for player in players:
                found.setdefault(player, []).append(ended)
        for player in game.others:
            found.setdefault(player, []).append(OPEN)
    standings = [Standing(who, tuple(each), above.get(who)) for who, each in found.items()]

    def order(each: Standing) -> tuple[int, float]:
        return -each.won, 1e9 if each.above is None else -each.above

    return tuple(sorted(standings, key=order))


def _above_field(facts: DuckDBPyConnection, evening: Filters, season: Filters) -> dict[str, float]:
    """Return how far each player's share of the score was above that of the others' season."""
    import polars as pl

    metric = METRIC["score-share"]
    rows, _ = sums(facts, metric, "player", evening)
    field, totals = sums(facts, metric, "player", season)
    others = others_of(field, totals)
    of_others = field.select("who", "variant", rate=others.ratio).filter(others.w > 0)
    above = (pl.col("y") - pl.col("rate") * pl.col("w")).sum() / pl.col("w").sum()
    found = rows.join(of_others, on=["who", "variant"]).group_by("who").agg(above)
    return dict(found.iter_rows())


_EVENINGS: Final = """
SELECT
    day,
    count(*) FILTER (verdict IN ('valid', 'partial')) AS hands,
    count(*) FILTER (verdict NOT IN ('valid', 'partial')) AS left_out,
    count(DISTINCT game_no) AS games,
    count(DISTINCT session) AS tables
FROM ({chosen})
WHERE day IS NOT NULL
GROUP BY day
ORDER BY day
"""

_GAMES: Final = """
WITH chosen AS MATERIALIZED ({chosen}),
ours AS (
    SELECT
        game_no,
        any_value(session) AS session,
        count(*) AS hands_here,
        count(*) FILTER (verdict NOT IN ('valid', 'partial')) AS left_out,
        min_by(hand_no, {{'hand': coalesce(hand, 0), 'hand_no': hand_no}}) AS first_hand,
        max_by(hand_no, {{'hand': coalesce(hand, 0), 'hand_no': hand_no}}) AS last_hand
    FROM chosen
    GROUP BY game_no
), sat AS (
    -- Of the whole games, whatever the day.
    SELECT
        game_no,
        count(*) AS ours_of_all,
        list_distinct(flatten(list(DISTINCT sitting))) AS everybody
    FROM seat_rows
    JOIN chairs USING (chair)
    WHERE first_of_hand AND game_no IN (SELECT game_no FROM ours)
    GROUP BY game_no
), found AS (
    SELECT game_no, count(*) AS findings
    FROM finding_facts
    WHERE day = $day AND hand_no IN (SELECT hand_no FROM chosen)
    GROUP BY game_no
), times AS (
    -- The clock at the table, where the log has it to the second.
    SELECT
        hand_no,
        started_at
        - to_seconds(epoch(('1970-01-01T00:00:00' || offset_text)::TIMESTAMPTZ)) AS local_time
    FROM (
        SELECT
            hand_no,
            started_at,
            regexp_extract(tail, '"started_at":~(Z|[+-][0-9]{{2}}:[0-9]{{2}})', 1) AS offset_text
        FROM games.hands
        WHERE hand_no IN (SELECT first_hand FROM ours UNION ALL SELECT last_hand FROM ours)
    )
    WHERE offset_text <> ''
)
SELECT
    games.game,
    variant,
    title,
    ours.session,
    hands_here,
    left_out,
    coalesce(findings, 0) AS findings,
    missing,
    ours_of_all,
    everybody,
    games.hands AS stored,
    games.scores,
    games.winner_side,
    first_time.local_time AS began,
    last_time.local_time AS ended,
    [each.id FOR each IN players] AS players,
    seat_sides
FROM ours
JOIN games.hands ON hands.hand_no = ours.last_hand
JOIN games.seatings USING (seating_id)
JOIN games.rulesets USING (ruleset)
LEFT JOIN games.games ON games.game_no = ours.game_no
JOIN sat ON sat.game_no = ours.game_no
LEFT JOIN found ON found.game_no = ours.game_no
LEFT JOIN times AS first_time ON first_time.hand_no = ours.first_hand
LEFT JOIN times AS last_time ON last_time.hand_no = ours.last_hand
LEFT JOIN games.hands AS opening ON opening.hand_no = ours.first_hand
ORDER BY opening.started_at NULLS LAST, ours.game_no
"""

_SESSIONS_NAMED: Final = """
SELECT session, day, name
FROM session_names
WHERE
    session = TRY_CAST($text::VARCHAR AS UBIGINT)
    OR name = $text
    OR contains(lower(name), lower($text::VARCHAR))
ORDER BY
    session IS NOT DISTINCT FROM TRY_CAST($text::VARCHAR AS UBIGINT) DESC,
    name = $text DESC,
    day DESC,
    name
LIMIT 20
"""
