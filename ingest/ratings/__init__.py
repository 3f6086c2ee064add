"""Who plays better, and how sure that is: points a hand with partners and opponents taken out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import METRIC, FigureError, naming
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.intervals import Z_95, Numbers, Whole, chance_of
from tricklog.ingest.metrics.query import hands_behind, rows_of
from tricklog.ingest.ratings.model import (
    Lines,
    Rating,
    centred,
    normal_equations,
    over_time,
    rate,
    since_the_middle,
)
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


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings of players, and what has to be said beside them."""

    frame: pl.DataFrame
    """A row for each player, or pair that always sits together, the best first of each group.

    Its columns are those of the table ``player_ratings``, see ``ingest/store/columns.toml``.
    """
    unit: str
    """``points``, or ``spreads``, standard deviations of a hand, where games of several kinds are
    rated together."""
    sigma: float
    """Standard deviation of a hand in that unit."""
    tau: float
    """That of players."""
    enough: int
    """Hands from which on two players who are ``gap`` apart are in order nine times in ten."""
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
        """The rows of those compared with each other who are the most, or have the most hands."""
        import polars as pl

        part = pl.struct("group", pl.col("kind").eq_missing("bot"), pl.col("partner").is_null())
        compared = self.frame.with_columns(part=part).partition_by("part", include_key=False)
        return max(compared, key=lambda each: (len(each), each["hands"].sum()))


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

    found = _Field.of(facts, filters)
    hands = int(found.lines.hands.sum())
    if hands < FEWEST:
        raise FigureError(
            say_counted(
                "One hand of two sides is too few to rate anybody.",
                "{count} hands of two sides are too few to rate anybody.",
                hands,
            )
        )
    if len(found.people) > MOST_PLAYERS:
        raise FigureError(
            say(
                "{players} players are too many to be rated together; choose a game, a time or a "
                "table.",
                players=number(len(found.people)),
            )
        )
    whole = rate(found.lines, len(found.people))
    groups = found.groups()
    rating = centred(whole, groups)
    frame = _frame(found, rating, groups)
    notes = [*_notes(found, frame, groups)]
    if openskill:
        by_games = _by_games(facts, filters)
        pairs = frame.select("player", "partner").iter_rows()
        own = [None if other else by_games.get(player) for player, other in pairs]
        frame = frame.with_columns(openskill=pl.Series(own, dtype=pl.Float64))
        notes.append(
            message(
                "openskill goes by games won alone, one after the other: it never settles, and "
                "orders players less often right than points of hands."
            )
        )
    dated = weekly and found.rows["week"].count() > 0
    course, half_life = _course(found, whole) if dated else (None, None)
    unit = "spreads" if found.lines.kinds.any() else "points"
    sigma, gap = rating.sigma, GAP * rating.sigma
    enough = round(2 * (_NINE_IN_TEN / GAP) ** 2 * rating.alike)
    return Ratings(frame, unit, sigma, rating.tau, enough, gap, tuple(notes), course, half_life)


@dataclass(frozen=True, slots=True)
class _Field:
    """The players of some hands, and how they sat."""

    people: pl.DataFrame
    """``player``, ``kind`` (human or bot) and ``games`` they sat in, by number."""
    rows: pl.DataFrame
    """Hands put together, a row a line, with ``since``, the week: 0 for hands without a day."""
    lines: Lines
    rulesets: int
    """Sets of house rules of those variants that have several, 0 where none has."""
    open: int
    """Hands of games that nobody has won, as stored."""
    left_out: int
    """Hands that are not of two sides, or of which is not known who dealt or what they added."""

    @classmethod
    def of(cls, facts: DuckDBPyConnection, filters: Filters) -> _Field:
        """Put hands into lines; of several kinds of tables each by the spread of its hands."""
        import polars as pl

        within, parameters = "", dict[str, Any]()
        if not (filters.every_verdict or filters.values("verdict")):
            within = f"AND {METRIC['score-share'].among_verdicts}"
        if filters.chosen or filters.since or filters.until:
            hands, parameters = hands_behind(None, filters)
            within += f" AND hand_no IN (SELECT hand_no FROM ({hands}))"  # noqa: S608 - our own
        rows, chairs = run(facts, _GAINS.format(within=within), parameters), run(facts, _CHAIRS, {})
        left_out = int(rows.filter(pl.col("gains").is_null())["hands"].sum())
        rows = rows.drop_nulls("gains")
        of_open_games = rows.join(run(facts, _OPEN_GAMES, {}), "game_no", "semi")
        used = chairs.join(rows, "table_no", "semi", maintain_order="left").with_columns(
            at=pl.col("player").rank("dense").cast(pl.Int64) - 1
        )
        tables = used.group_by("table_no").agg("at", "side_no", seats=pl.len())
        week, kinds = pl.col("week") - pl.col("week").min(), pl.struct("variant", "seats")
        rows = rows.join(tables, "table_no", maintain_order="left").with_columns(
            since=week.dt.total_days().fill_null(0) // 7,
            kinds=kinds.rank("dense").cast(pl.Int64) - 1,
            games=pl.col("game_no").rank("dense").cast(pl.Int64) - 1,
        )
        if rows["kinds"].n_unique() > 1:
            spread = (pl.col("squares").sum() / pl.col("hands").sum()).sqrt().over("kinds")
            rows = rows.with_columns(pl.col("gains") / spread, pl.col("squares") / spread**2)
        seats = range(tables.select(pl.col("seats").max().fill_null(0)).item())
        sat = (pl.col("at", "side_no").list.get(seat, null_on_oob=True) for seat in seats)
        seated = np.array([rows.select(each.fill_null(-1)) for each in sat], int)
        players, sides = seated.reshape(len(seats), len(rows), 2).T
        sums = rows.select("deals", "kinds", "games", "hands", "gains", "squares")
        signs = np.choose(sides + 1, [0.0, 1.0, -1.0])
        lines = Lines(players, signs, *(each.to_numpy() for each in sums))
        games = rows.explode("at").group_by("at").agg(games=pl.col("game_no").n_unique())
        people = used.unique("at", keep="last").join(games, "at").sort("at")
        of_tables = rows.select("variant", "table_no").unique().join(used, "table_no")
        rules = of_tables.group_by("variant").agg(pl.col("ruleset").n_unique())
        rulesets = int(rules.filter(pl.col("ruleset") > 1)["ruleset"].sum())
        return cls(people, rows, lines, rulesets, int(of_open_games["hands"].sum()), left_out)

    def groups(self) -> Whole:
        """Return for each player the group of those who met, also through others."""
        group = np.arange(len(self.people))
        for row in np.unique(self.lines.players, axis=0):
            met = np.unique(group[row[row >= 0]])
            group[np.isin(group, met)] = met[0]
        return np.unique(group, return_inverse=True)[1]

    def together(self) -> Numbers:
        """Return in how many hands each two players sat on the same side, and each one at all."""
        everybody = replace(self.lines, signs=np.abs(self.lines.signs))
        count, kinds = len(self.people), int(self.lines.kinds.max()) + 1
        met, less = (normal_equations(each, count, kinds)[0] for each in (everybody, self.lines))
        return (met + less)[:count, :count] / 2


def _frame(found: _Field, rating: Rating, groups: Whole) -> pl.DataFrame:
    import polars as pl

    together = found.together()
    units = _units(together, rating)
    first = [unit[0] for unit in units]
    # A pair stands for both, and what it brings is the sum.
    sums = np.zeros((len(units), len(groups)))
    for row, unit in enumerate(units):
        sums[row, list(unit)] = 1.0
    means, errors = sums @ rating.means, np.sqrt(np.diag(sums @ rating.covariance @ sums.T))
    drawn = rating.drawn(2000, seed=33) @ sums.T
    each_moved = since_the_middle(found.lines, found.rows["since"].to_numpy(), rating)
    moved, moved_error = sums @ each_moved[0], np.sqrt(sums @ each_moved[1] ** 2)
    chances, of_change = (
        [chance_of(*each, np.inf) for each in zip(values, error**2, strict=True)]
        for values, error in ((means, errors), (moved, moved_error))
    )
    people = found.people[first]
    partners = [found.people["player"][unit[1]] if unit[1:] else None for unit in units]
    bots = people["kind"].eq_missing("bot")
    like = list(zip(groups[first].tolist(), bots, map(len, units), strict=True))
    places = pl.concat(
        pl.DataFrame({"unit": those, "of": len(those)} | ranks._asdict())
        for alike in set(like)
        for those in [[at for at, each in enumerate(like) if each == alike]]
        for ranks in [naming.ranks_among(means[those], drawn[:, those], within=0.95)]
    ).sort("unit")
    hands = together.diagonal()[first].astype(int)
    evolving = hands < naming.FEWEST_HANDS
    known = [None if few else each for few, each in zip(evolving, like, strict=True)]
    narrower = naming.times_as_many(means, errors, sums.sum(axis=1) * rating.tau**2)
    return (
        pl.DataFrame(
            {
                "player": people["player"],
                "partner": pl.Series(partners, dtype=pl.String),
                "kind": people["kind"],
                "group": groups[first] + 1,
                "hands": hands,
                "games": people["games"],
                "rating": means,
                "low": means - Z_95 * errors,
                "high": means + Z_95 * errors,
                "chance": chances,
                **places.select("place", "from_place", "to_place", "of", "first").to_dict(),
                **dict(zip(naming.SHARES, naming.company(drawn, known), strict=True)),
                "narrower_from": hands * narrower,
                "evolving": evolving,
                "change": moved,
                "error": moved_error,
                "changed": naming.named_among(of_change),
            }
        )
        .with_columns(
            pl.col(naming.SHARES).fill_nan(None), naming.in_two_digits(pl.col("narrower_from"))
        )
        .cast({"games": pl.Int64, "of": pl.Int64})
        .sort("group", pl.col("kind").eq_missing("bot"), pl.col("partner").is_not_null(), "place")
    )


def _units(together: Numbers, rating: Rating) -> list[tuple[int, ...]]:
    """Return who is rated alone, and which pairs cannot be told from each other."""
    hands = together.diagonal()
    partners = together - np.diag(hands)
    units: dict[int, tuple[int, ...]] = {}
    for one in range(len(hands)):
        other = int(partners[one].argmax())
        is_mutual = 2 * partners[one, other] > max(hands[one], hands[other])
        if one not in units:
            is_pair = is_mutual and other not in units and rating.apart(one, other) < APART
            unit = (one, other) if is_pair else (one,)
            units |= dict.fromkeys(unit, unit)
    return list(dict.fromkeys(units.values()))


def _notes(found: _Field, frame: pl.DataFrame, groups: Whole) -> Iterator[Message]:
    pairs = frame["partner"].count()
    if len(np.unique(found.lines.players, axis=0)) == 1:
        yield message("All hands are of one table: nobody sat with anybody else.")
    elif pairs:
        yield message_counted(
            "One pair always or nearly always sat together: only what both bring together is "
            "known.",
            "{count} pairs always or nearly always sat together: only what both bring together "
            "is known.",
            pairs,
        )
    if (count := int(groups.max()) + 1) > 1:
        yield message(
            "{count} groups of players never met, so that nobody is compared with those of "
            "another.",
            count=number(count),
        )
    if found.rulesets:
        yield message(
            "The rules changed in between: hands of {count} sets of house rules count alike.",
            count=number(found.rulesets),
        )
    if found.open:
        yield message_counted(
            "One hand is of a game that nobody has won, as stored; it counts like all others, "
            "as ratings weigh hands, not games.",
            "{count} hands are of games that nobody has won, as stored; they count like all "
            "others, as ratings weigh hands, not games.",
            found.open,
        )
    players, bots = len(groups), int((found.people["kind"] == "bot").sum())
    if 0 < bots < players:
        yield message_counted(
            "One of {players} players is a bot: people have places and shares among people.",
            "{count} of {players} players are bots: people and bots have places and shares of "
            "their own.",
            bots,
            players=number(players),
        )
    if found.left_out:
        yield message_counted(
            "One hand is left out: it is not of two sides, or nothing says who dealt or what "
            "it added.",
            "{count} hands are left out: they are not of two sides, or nothing says who dealt "
            "or what they added.",
            found.left_out,
        )


def _by_games(facts: DuckDBPyConnection, filters: Filters) -> dict[str, float]:
    """Return by player what openskill is nearly sure they reach: its mean less three deviations.

    Complete games count one after the other in the order of their days.
    """
    try:
        from openskill.models import PlackettLuce, PlackettLuceRating
    except ImportError as error:
        raise FigureError(
            say("Ratings by games won need openskill. Run pip install 'tricklog[openskill]'.")
        ) from error
    chosen, parameters = rows_of(facts, METRIC["win-rate"], filters)
    model = PlackettLuce()
    rated: dict[str, PlackettLuceRating] = {}
    for sides, lost in run(facts, _GAMES.format(chosen=chosen), parameters).iter_rows():
        teams = [[rated.get(each) or model.rating(name=each) for each in side] for side in sides]
        for side in model.rate(teams, ranks=lost):
            rated |= {str(each.name): each for each in side}
    return {player: float(each.ordinal()) for player, each in rated.items()}


def _course(found: _Field, rating: Rating) -> tuple[pl.DataFrame, float]:
    """Return what players bring week by week, and in how many weeks half of it has changed."""
    import polars as pl

    half_life, means, errors = over_time(found.lines, found.rows["since"].to_numpy(), rating)
    means = means - means.mean(axis=1, keepdims=True)
    weeks, count = means.shape
    frame = pl.DataFrame(
        {
            "week": np.repeat(np.arange(weeks), count),
            "player": found.people["player"].to_list() * weeks,
            "rating": means.ravel(),
            "low": (means - Z_95 * errors).ravel(),
            "high": (means + Z_95 * errors).ravel(),
        }
    )
    week = found.rows["week"].min() + pl.duration(weeks=pl.col("week"))
    return frame.with_columns(week=week.cast(pl.Date)), half_life


_GAINS: Final = """
SELECT
    variant,
    table_no,
    game_no,
    date_trunc('week', day)::DATE AS week,
    deals,
    gain IS NULL AS is_open,
    count(*)::DOUBLE AS hands,
    sum(gain)::DOUBLE AS gains,
    sum(gain * gain)::DOUBLE AS squares
FROM (
    SELECT
        any_value(variant) AS variant,
        any_value(chair) // 8 AS table_no,
        any_value(game_no) AS game_no,
        any_value(day) AS day,
        if(bool_or(from_dealer % 2 = 0) FILTER (side_no = 0), 1.0, -1.0)::DOUBLE AS deals,
        CASE WHEN max(side_no) = 1 AND count(from_dealer) = 2
            THEN max(side_change) FILTER (side_no = 0) - max(side_change) FILTER (side_no = 1)
        END AS gain
    FROM seat_rows
    JOIN (SELECT chair, side_no FROM chairs) USING (chair)
    WHERE first_of_side {within}
    GROUP BY hand_no
)
GROUP BY ALL
ORDER BY ALL
"""
_OPEN_GAMES: Final = "SELECT game_no FROM games.games WHERE winner_side IS NULL"
_CHAIRS: Final = """
SELECT chair // 8 AS table_no, ruleset, player, kind, side_no FROM chairs ORDER BY chair
"""
_GAMES: Final = """
SELECT list(players ORDER BY side_no) AS sides, list(lost ORDER BY side_no) AS lost
FROM (
    SELECT
        game_no,
        side_no,
        any_value(day) AS day,
        list(player ORDER BY seat) AS players,
        any_value(NOT won)::DOUBLE AS lost
    FROM game_facts
    WHERE game_no IN (SELECT game_no FROM game_facts WHERE {chosen})
    GROUP BY game_no, side_no
)
GROUP BY game_no
ORDER BY any_value(day), game_no
"""
