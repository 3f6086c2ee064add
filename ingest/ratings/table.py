"""The ratings of the players of a warehouse: who can be rated, and where each of them stands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import FigureError
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.intervals import Z_95, Numbers, chance_of
from tricklog.ingest.metrics.naming import (
    FEWEST_HANDS,
    SHARES,
    company,
    named_among,
    narrower_from,
    ranks_among,
    times_as_many,
)
from tricklog.ingest.metrics.query import hands_behind
from tricklog.ingest.ratings.by_games import ratings_by_games
from tricklog.ingest.ratings.drift import over_time, since_the_middle
from tricklog.ingest.ratings.model import Lines, Rating, Whole, centred, normal_equations, rate
from tricklog.ingest.sql import run
from tricklog.schemas.languages.messages import Message, message, message_counted, say, say_counted
from tricklog.schemas.languages.numbers import number

if TYPE_CHECKING:
    import polars as pl

FEWEST: Final = 30
"""Hands below which nothing is rated."""
MOST_PLAYERS: Final = 2000
"""Players that are rated together at most: what takes a second for 500 takes a minute for them."""
GAP: Final = 0.035
"""Standard deviations of a hand between two players for whom it is said how many hands it takes to
tell them apart: half a point in Pedro."""
APART: Final = 0.5
"""How far partners have to be told from each other to be rated on their own."""
_NINE_IN_TEN: Final = 1.2816
_HALF: Final = 0.5


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings of players, and what has to be said beside them."""

    frame: pl.DataFrame
    """A row for each player, or pair that always sits together, the best first of each group.

    Its columns are those of the table ``player_ratings``, see ``ingest/store/columns.toml``.
    """
    unit: str
    """``points``, or ``spreads`` where games of several kinds are rated together: the rating over
    the standard deviation of a hand."""
    sigma: float
    """The standard deviation of a hand in that unit."""
    tau: float
    """That of players."""
    enough: int
    """Hands that each of two players needs to be in the right order nine times in ten, who are
    ``gap`` apart."""
    gap: float
    notes: tuple[Message, ...]
    """What the hands leave open."""
    course: pl.DataFrame | None = None
    """``week``, ``player``, ``rating``, ``low`` and ``high``, where it was asked for and hands have
    days."""
    half_life: float | None = None
    """Weeks in which half of what players bring has changed, infinite where nothing says so."""

    @property
    def largest(self) -> pl.DataFrame:
        """The rows of those who are compared with each other, where there are the most.

        Of several groups with as many it is the one with the most hands.
        """
        import polars as pl

        bot, pair = pl.col("kind").eq_missing("bot"), pl.col("partner").is_not_null()
        compared = self.frame.with_columns(bot=bot, pair=pair).partition_by("group", "bot", "pair")
        largest = max(compared, key=lambda each: (len(each), each["hands"].sum()))
        return largest.drop("bot", "pair")


def ratings_of(
    facts: DuckDBPyConnection,
    filters: Filters = EVERYTHING,
    *,
    weekly: bool = False,
    openskill: bool = False,
) -> Ratings:
    """Return the ratings of all players in the hands that filters choose.

    Every hand of two sides counts the same, whether its game was finished or not: a mean of games
    would lean towards those that end when somebody is ahead. ``weekly`` asks for ``course``, too,
    and ``openskill`` for a column of that name beside the ratings, null for pairs.

    Raises ``FigureError`` where there is nothing to rate, with the reason.
    """
    import polars as pl

    found = _Field.of(*_read(facts, filters))
    hands = int(found.lines.hands.sum())
    if hands < FEWEST:
        raise FigureError(
            say_counted(
                "One hand of two sides is too few to rate anybody.",
                "{count} hands of two sides are too few to rate anybody.",
                hands,
            )
        )
    if len(found.players) > MOST_PLAYERS:
        raise FigureError(
            say(
                "{players} players are too many to be rated together; choose a game, a time or a "
                "table.",
                players=number(len(found.players)),
            )
        )
    whole = rate(found.lines, len(found.players))
    groups = found.groups()
    rating = centred(whole, groups)
    frame = _frame(found, rating, groups)
    notes = _notes(found, frame, groups)
    if openskill:
        alone = pl.when(pl.col("partner").is_null()).then("player")
        by_games = ratings_by_games(facts, filters)
        other = alone.replace_strict(by_games, default=None, return_dtype=pl.Float64)
        frame = frame.with_columns(openskill=other)
        notes.append(
            message(
                "openskill goes by games won alone, one after the other: it never settles, and "
                "orders players less often right than points of hands."
            )
        )
    dated = weekly and found.first_week is not None
    course, half_life = _course(found, whole) if dated else (None, None)
    return Ratings(
        frame=frame,
        unit="spreads" if found.lines.kinds.any() else "points",
        sigma=rating.sigma,
        tau=rating.tau,
        enough=round(2 * (_NINE_IN_TEN / GAP) ** 2 * rating.alike),
        gap=GAP * rating.sigma,
        notes=tuple(notes),
        course=course,
        half_life=half_life,
    )


@dataclass(frozen=True, slots=True)
class _Field:
    """The players of some hands, and how they sat."""

    players: list[str]
    kinds: list[str | None]
    """Human or bot, by player."""
    lines: Lines
    weeks: Whole
    """By line, from 0; 0 for hands without a day."""
    first_week: Any
    """The day on which week 0 begins, ``None`` without days."""
    variants: int
    rulesets: int
    left_out: int
    """Hands that are not of two sides, or of which is not known who dealt or what they added."""

    @classmethod
    def of(cls, rows: pl.DataFrame, chairs: pl.DataFrame) -> _Field:
        """Put hands into lines; of several kinds of tables each by the spread of its hands."""
        import polars as pl

        left_out = int(rows.filter(pl.col("gain").is_null())["hands"].sum())
        seated = chairs.group_by("table_no").agg(seats=pl.len())
        rows = rows.drop_nulls("gain").join(seated, on="table_no", maintain_order="left")
        rows = rows.with_columns(sort=pl.struct("variant", "seats").rank("dense") - 1)
        if rows["sort"].n_unique() > 1:
            spread = (pl.col("square").sum() / pl.col("hands").sum()).sqrt().over("sort")
            rows = rows.with_columns(pl.col("gain") / spread, pl.col("square") / spread**2)
        used = chairs.filter(pl.col("table_no").is_in(rows["table_no"].unique().implode()))
        players = sorted(set(used["player"]))
        place = {player: at for at, player in enumerate(players)}
        kind = dict(used.select("player", "kind").iter_rows())
        tables: dict[int, list[tuple[int, int]]] = {}
        for row in used.iter_rows(named=True):
            tables.setdefault(row["table_no"], []).append((place[row["player"]], row["side_no"]))
        seats = max((len(each) for each in tables.values()), default=0)
        sat = [tables[each] + [(-1, -1)] * (seats - len(tables[each])) for each in rows["table_no"]]
        at = np.array(sat, np.int64).reshape(len(rows), seats, 2)
        since = (pl.col("week") - pl.col("week").min()).dt.total_days().fill_null(0) // 7
        return cls(
            players=players,
            kinds=[kind[each] for each in players],
            lines=Lines(
                players=at[:, :, 0],
                signs=np.choose(at[:, :, 1] + 1, [0.0, 1.0, -1.0]),
                deals=np.where(rows["deals"].to_numpy(), 1.0, -1.0),
                kinds=rows["sort"].to_numpy().astype(np.int64),
                games=rows["game_no"].rank("dense").to_numpy().astype(np.int64) - 1,
                hands=rows["hands"].to_numpy().astype(float),
                gains=rows["gain"].to_numpy().astype(float),
                squares=rows["square"].to_numpy().astype(float),
            ),
            weeks=rows.select(since)["week"].to_numpy(),
            first_week=rows["week"].min(),
            variants=rows["variant"].n_unique(),
            rulesets=used["ruleset"].n_unique(),
            left_out=left_out,
        )

    def groups(self) -> Whole:
        """Return for each player the group of those who met, also through others."""
        group = np.arange(len(self.players))
        for row in np.unique(self.lines.players, axis=0):
            met = np.unique(group[row[row >= 0]])
            group[np.isin(group, met)] = met[0]
        return np.unique(group, return_inverse=True)[1]

    def together(self) -> Numbers:
        """Return in how many hands each two players sat on the same side, and each one at all."""
        everybody = replace(self.lines, signs=np.abs(self.lines.signs))
        count, kinds = len(self.players), int(self.lines.kinds.max()) + 1
        met, less = (normal_equations(each, count, kinds)[0] for each in (everybody, self.lines))
        found: Numbers = (met + less)[:count, :count] / 2
        return found

    def games(self) -> Whole:
        """Return in how many games each player sat."""
        line, seat = np.nonzero(self.lines.signs)
        sat = np.stack([self.lines.players[line, seat], self.lines.games[line]])
        return np.bincount(np.unique(sat, axis=1)[0])


def _read(facts: DuckDBPyConnection, filters: Filters) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return hands summed up by table, game, week and who dealt, and who sat at the tables."""
    within, parameters = "", dict[str, Any]()
    if filters.chosen or filters.since or filters.until:
        hands, parameters = hands_behind(None, filters)
        within = f"AND hand_no IN (SELECT hand_no FROM ({hands}))"  # noqa: S608 - names of our own
    return run(facts, _GAINS.format(within=within), parameters), run(facts, _CHAIRS, {})


def _frame(found: _Field, rating: Rating, groups: Whole) -> pl.DataFrame:
    import polars as pl

    together = found.together()
    units = _units(together, rating)
    # A pair stands for both, and what it brings is the sum.
    sums = np.zeros((len(units), len(found.players)))
    for row, unit in enumerate(units):
        sums[row, list(unit)] = 1.0
    means = sums @ rating.means
    errors = np.sqrt(np.diag(sums @ rating.covariance @ sums.T))
    drawn = rating.drawn(2000, seed=33) @ sums.T
    first = [unit[0] for unit in units]
    hands = together.diagonal()[first].astype(int)
    change, change_error = since_the_middle(found.lines, found.weeks, rating)
    moved = sums @ change
    moved_error = np.sqrt(sums @ change_error**2)
    chances, of_change = (
        [chance_of(*each, np.inf) for each in zip(values, error**2, strict=True)]
        for values, error in ((means, errors), (moved, moved_error))
    )
    like = [(int(groups[unit[0]]), found.kinds[unit[0]] == "bot", len(unit)) for unit in units]
    places = {name: np.zeros(len(units), int) for name in ("place", "from_place", "to_place", "of")}
    places["first"] = np.zeros(len(units))
    for alike in set(like):
        those = np.array([each == alike for each in like])
        ranks = ranks_among(means[those], drawn[:, those], within=0.95)
        for name, values in ranks._asdict().items():
            places[name][those] = values
        places["of"][those] = those.sum()
    prior = sums.sum(axis=1) * rating.tau**2
    evolving = hands < FEWEST_HANDS
    known = [None if few else each for few, each in zip(evolving, like, strict=True)]
    return pl.DataFrame(
        {
            "player": [found.players[each] for each in first],
            "partner": [found.players[unit[1]] if len(unit) > 1 else None for unit in units],
            "kind": [found.kinds[each] for each in first],
            "group": groups[first] + 1,
            "hands": hands,
            "games": found.games()[first],
            "rating": means,
            "low": means - Z_95 * errors,
            "high": means + Z_95 * errors,
            "chance": chances,
            **places,
            **dict(zip(SHARES, zip(*company(drawn, known), strict=True), strict=True)),
            "narrower_from": narrower_from(hands, times_as_many(means, errors, prior)),
            "evolving": evolving,
            "change": moved,
            "error": moved_error,
            "changed": named_among(of_change),
        },
        schema_overrides={"partner": pl.String, "kind": pl.String}
        | dict.fromkeys(SHARES, pl.Float64),
    ).sort(
        "group",
        pl.col("kind").eq_missing("bot"),
        pl.col("partner").is_not_null(),
        -pl.col("rating"),
        "player",
    )


def _units(together: Numbers, rating: Rating) -> list[tuple[int, ...]]:
    """Return who is rated alone, and which pairs cannot be told from each other."""
    hands = together.diagonal()
    partners = together - np.diag(hands)
    units: dict[int, tuple[int, ...]] = {}
    for one in range(len(hands)):
        other = int(partners[one].argmax())
        is_mutual = partners[one, other] > _HALF * max(hands[one], hands[other])
        if one not in units:
            is_pair = is_mutual and other not in units and rating.apart(one, other) < APART
            unit = (one, other) if is_pair else (one,)
            units |= dict.fromkeys(unit, unit)
    return list(dict.fromkeys(units.values()))


def _notes(found: _Field, frame: pl.DataFrame, groups: Whole) -> list[Message]:
    pairs = frame["partner"].count()
    notes = []
    if len(np.unique(found.lines.players, axis=0)) == 1:
        notes.append(message("All hands are of one table: nobody sat with anybody else."))
    elif pairs:
        notes.append(
            message_counted(
                "One pair always or nearly always sat together: only what both bring together is "
                "known.",
                "{count} pairs always or nearly always sat together: only what both bring together "
                "is known.",
                pairs,
            )
        )
    if (count := int(groups.max()) + 1) > 1:
        notes.append(
            message(
                "{count} groups of players never met, so that nobody is compared with those of "
                "another.",
                count=number(count),
            )
        )
    if found.rulesets > found.variants == 1:
        notes.append(
            message(
                "The rules changed in between: hands of {count} sets of house rules count alike.",
                count=number(found.rulesets),
            )
        )
    bots = sum(kind == "bot" for kind in found.kinds)
    if 0 < bots < len(found.kinds):
        notes.append(
            message_counted(
                "One of {players} players is a bot: people have places and shares among people.",
                "{count} of {players} players are bots: people and bots have places and shares of "
                "their own.",
                bots,
                players=number(len(found.kinds)),
            )
        )
    if found.left_out:
        notes.append(
            message_counted(
                "One hand is left out: it is not of two sides, or nothing says who dealt or what "
                "it added.",
                "{count} hands are left out: they are not of two sides, or nothing says who dealt "
                "or what they added.",
                found.left_out,
            )
        )
    return notes


def _course(found: _Field, rating: Rating) -> tuple[pl.DataFrame, float]:
    """Return what players bring week by week, and in how many weeks half of it has changed."""
    import polars as pl

    half_life, means, errors = over_time(found.lines, found.weeks, rating)
    means = means - means.mean(axis=1, keepdims=True)
    weeks, count = means.shape
    week = pl.lit(found.first_week) + pl.duration(weeks=pl.col("week"))
    frame = pl.DataFrame(
        {
            "week": np.repeat(np.arange(weeks), count),
            "player": found.players * weeks,
            "rating": means.ravel(),
            "low": (means - Z_95 * errors).ravel(),
            "high": (means + Z_95 * errors).ravel(),
        }
    ).with_columns(week=week.cast(pl.Date))
    return frame, half_life


_GAINS: Final = """
SELECT
    variant,
    table_no,
    game_no,
    date_trunc('week', day)::DATE AS week,
    deals,
    gain IS NULL AS is_open,
    count(*) AS hands,
    sum(gain)::DOUBLE AS gain,
    sum(gain * gain)::DOUBLE AS square
FROM (
    SELECT
        any_value(variant) AS variant,
        any_value(chair) // 8 AS table_no,
        any_value(game_no) AS game_no,
        any_value(day) AS day,
        bool_or(from_dealer % 2 = 0) FILTER (side_no = 0) AS deals,
        CASE WHEN max(side_no) = 1 AND count(from_dealer) = 2
            THEN max(side_change) FILTER (side_no = 0) - max(side_change) FILTER (side_no = 1)
        END AS gain
    FROM seat_rows
    JOIN (SELECT chair, side_no FROM chairs) USING (chair)
    WHERE first_of_side AND verdict IN ('valid', 'partial') {within}
    GROUP BY hand_no
)
GROUP BY ALL
ORDER BY ALL
"""
_CHAIRS: Final = """
SELECT chair // 8 AS table_no, ruleset, player, kind, side_no FROM chairs ORDER BY chair
"""
