"""Ledgers of many hands added up: for the makers, for each player or for each side.

Means are of amounts a hand. They are sums of whole numbers over hands, so that the parts sum to the
result exactly; intervals are by games, see ``reaches``, with what the average
deals may be off beside the scatter of the games.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from duckdb import DuckDBPyConnection

from tricklog.core.study.averages import Averages
from tricklog.core.study.sampling import Unit
from tricklog.ingest.metrics import METRIC
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.intervals import (
    FEWEST_GAMES_OF_AMOUNTS,
    Numbers,
    Scale,
    Sums,
    Whole,
    by_game,
    interval,
    typical,
)
from tricklog.ingest.metrics.model import SOUND
from tricklog.ingest.metrics.query import conditions_for
from tricklog.ingest.sql import run
from tricklog.ingest.study import season_lines
from tricklog.ingest.study.kept_ledgers import Key, LedgerRow
from tricklog.ingest.study.season_lines import LINES, LUCK, SUMMARY, By, Columns, Table, Whose

if TYPE_CHECKING:
    import polars as pl

ALONE: Final = "each played alone, and somebody else was the maker"
"""Why the hand of a player who was not the maker has no account."""
MOST_DEALS: Final = 200
"""Deals that the average is over, at the most."""
Averaged = Callable[[str, int], Averages]
"""Gives the averages of rules, by their hash, and a number of seats."""


@dataclass(frozen=True, slots=True)
class Line:
    """One part of a season: how much it brought a hand."""

    name: str
    whose: Whose
    mean: Mean
    """``hands`` are those in which it could come up; the mean is over all hands of the total."""
    shown: float
    """The mean in hundredths, so that those of all parts sum to that of the result."""


@dataclass(frozen=True, slots=True)
class Total:
    """The ledger of many hands for somebody."""

    players: tuple[str, ...]
    """Ids: a player, or a side; empty for whoever were the makers."""
    hands: int
    games: int
    lines: tuple[Line, ...]
    """Without parts that are 0 in every hand of everybody."""
    summary: tuple[Line, ...]
    """The same in few parts: start, deal and draw, own choices, others' choices, result."""

    def line(self, name: str) -> Line:
        """Return the part of a name."""
        return next(each for each in self.lines if each.name == name)


@dataclass(frozen=True, slots=True)
class Season:
    """The ledgers of the hands of one game."""

    variant: str
    unit: Unit
    by: By
    totals: tuple[Total, ...]
    """Those of most hands first."""
    hands: int
    """Hands that fit the filters."""
    counted: int
    """Hands of these that the totals are made of."""
    waiting: int
    """Valid hands whose ledgers have not been worked out."""
    left_out: tuple[tuple[str, int], ...]
    """Hands that have no account, by the reason: ``waiting`` apart, most first."""
    deals: int
    """Deals in the average where an average is over fewest; 0 before any hand counts."""
    loose: int
    """Values that the search did not finish: the middle of their limits stands for them."""
    first_day: date | None
    last_day: date | None


def seats_of(facts: DuckDBPyConnection, filters: Filters) -> pl.DataFrame:
    """Return who sat where in the hands of filters, whatever their verdict, the newest first.

    Columns ``variant``, ``hand_no``, ``game_no``, ``day``, ``hand``, ``seat``, ``side_no``,
    ``player``, ``partners``, ``verdict``, ``ruleset``, ``seats``, ``content`` (bytes), ``hand_id``.
    Raises ``FigureError`` for a dimension that hands and seats do not have.
    """
    wanted = replace(filters, every_verdict=True)
    conditions, parameters = conditions_for(METRIC["hands"], wanted)
    where = " AND ".join(["true", *conditions])
    return run(facts, _SEATS.format(where=where), parameters)


_SEATS: Final = """
SELECT
    sat.*, unhex(replace(hands.content_hash::VARCHAR, '-', '')) AS content, hands.hand_id
FROM (
    SELECT
        variant, hand_no, game_no, day, hand, seat, side_no, player, partners,
        verdict::VARCHAR AS verdict, ruleset, 1 + len(partners) + len(opponents) AS seats
    FROM seat_facts
    WHERE {where}
) AS sat
JOIN games.hands ON hands.hand_no = sat.hand_no
ORDER BY day DESC NULLS LAST, game_no DESC, hand DESC NULLS LAST, hand_no DESC, seat
"""


def hands_of(seats: pl.DataFrame) -> pl.DataFrame:
    """Return one row for each hand of ``seats_of``, in its order."""
    return seats.unique("hand_no", keep="first", maintain_order=True)


def by_variant(seats: pl.DataFrame) -> list[pl.DataFrame]:
    """Return the rows of ``seats_of`` game by game, that of most hands first.

    Amounts of two games mean something else, so they are never added up together.
    """
    parts = seats.partition_by("variant", maintain_order=True)
    return sorted(parts, key=lambda each: -each["hand_no"].n_unique())


def season_of(
    seats: pl.DataFrame,
    kept: Mapping[Key, LedgerRow],
    averaged: Averaged,
    *,
    by: By,
    unit: Unit,
) -> Season:
    """Return what the hands of one variant come to.

    ``seats``: rows of ``seats_of``, of one variant; ``kept``: ledgers by content and rules.
    """
    hands = hands_of(seats)
    left, waiting = Counter[str](), 0
    numbers: dict[int, int] = {}
    rows: list[LedgerRow] = []
    for hand, verdict, content, ruleset in hands.select(
        "hand_no", "verdict", "content", "ruleset"
    ).iter_rows():
        row = kept.get((content, ruleset))
        if verdict != SOUND:
            left[f"the record is {verdict}"] += 1
        elif row is None:
            waiting += 1
        elif (why_not := row.why_not(unit)) is not None:
            left[why_not] += 1
        else:
            numbers[hand] = len(rows)
            rows.append(row)
    return _Adding(seats, hands, rows, numbers, averaged, by, unit).season(left, waiting)


_ALWAYS: Final = ("start", "deal", "result")
"""Parts that are shown even where they are 0 in every hand."""


@dataclass(frozen=True, slots=True)
class _Adding:
    """Adds up rows of ledgers for the seats, sides or makers of their hands."""

    _seats: pl.DataFrame
    _hands: pl.DataFrame
    _rows: Sequence[LedgerRow]
    _numbers: Mapping[int, int]
    """Place of the row of each hand, by its number."""
    _averaged: Averaged
    _by: By
    _unit: Unit

    def season(self, left: Counter[str], waiting: int) -> Season:
        """Add everything up."""
        table = season_lines.table_of(self._rows, self._unit)
        sat = self._sat(table)
        columns = season_lines.columns_of(table, sat["row"], sat["seat"])
        played = columns.counts
        alone = len(self._numbers) - len(set(sat["row"][played].tolist()))
        if alone:
            left[ALONE] += alone
        totals = self._totals(sat, columns) if played.any() else ()
        days = [each for each in self._hands["day"] if each is not None]
        return Season(
            variant=str(self._hands["variant"][0]) if len(self._hands) else "",
            unit=self._unit,
            by=self._by,
            totals=totals,
            hands=len(self._hands),
            counted=len(self._numbers) - alone,
            waiting=waiting,
            left_out=tuple(left.most_common()),
            deals=min((each.deals for each in self._all_averages()), default=0),
            loose=sum(each.loose for each in self._rows),
            first_day=min(days, default=None),
            last_day=max(days, default=None),
        )

    def _sat(self, table: Table) -> dict[str, Any]:
        """Return whose accounts are added up: arrays ``row``, ``seat``, ``game``, list ``who``."""
        if self._by == "makers":
            frame = self._hands
        else:
            key = ["hand_no", "seat"] if self._by == "player" else ["hand_no", "side_no"]
            frame = self._seats.unique(key, keep="first", maintain_order=True)
        numbers = self._numbers
        found = [
            (numbers[hand], seat, game, who)
            for hand, seat, game, who in zip(
                frame["hand_no"], frame["seat"], frame["game_no"], self._who(frame), strict=True
            )
            if hand in numbers
        ]
        row, seat, game, who = zip(*found, strict=True) if found else ((), (), (), ())
        rows = np.array(row, np.int64)
        seats: Whole = np.array(seat, np.int64)
        if self._by == "makers":
            seats = table.maker[rows]
        return {"row": rows, "seat": seats, "game": np.array(game, np.int64), "who": list(who)}

    def _who(self, frame: pl.DataFrame) -> list[tuple[str, ...]]:
        if self._by == "makers":
            return [()] * len(frame)
        if self._by == "player":
            return [(player,) for player in frame["player"]]
        pairs = zip(frame["player"], frame["partners"], strict=True)
        return [tuple(sorted((player, *partners))) for player, partners in pairs]

    def _totals(self, sat: Mapping[str, Any], columns: Columns) -> tuple[Total, ...]:
        counts = columns.counts
        who = [each for each, is_in in zip(sat["who"], counts, strict=True) if is_in]
        order = [each for each, _ in Counter(who).most_common()]
        place = {each: number for number, each in enumerate(order)}
        group = np.array([place[each] for each in who], np.int64)
        columns = columns.only(counts)
        game, rows = sat["game"][counts], sat["row"][counts]
        start = self._starts(group, rows, columns.sign, len(order))
        shown = [
            (name, whose)
            for name, whose, _ in LINES[self._by]
            if name in _ALWAYS or columns.amounts(self._by, name).any()
        ]
        few = [(name, whose) for name, whose, _ in SUMMARY[self._by]]
        lines, summary = (
            [self._line(name, group, game, columns, start, len(order)) for name, _ in each]
            for each in (shown, few)
        )
        return tuple(
            Total(
                who,
                lines[-1][number].hands,
                lines[-1][number].games,
                *(
                    _lines(names, [of_line[number] for of_line in found])
                    for names, found in ((shown, lines), (few, summary))
                ),
            )
            for number, who in enumerate(order)
        )

    def _line(
        self,
        name: str,
        group: Whole,
        game: Whole,
        columns: Columns,
        start: _Starts,
        groups: int,
    ) -> list[Mean]:
        """Return one part for each group."""
        amounts = columns.amounts(self._by, name)
        exact = season_lines.exact_means(group, amounts, groups)
        floats = amounts / season_lines.SCALE
        if name == "start":
            exact, floats = start.means, start.each
        elif name in ("deal", LUCK):
            exact = [each - own for each, own in zip(exact, start.means, strict=True)]
            floats = floats - start.each
        sums = by_game(group, game, floats).sums(groups)
        hands = np.bincount(group, columns.could(self._by, name), groups).astype(int)
        return [
            _mean(exact[at], float(reach), start.reaches[at], name, int(hands[at]), int(games))
            for at, (reach, games) in enumerate(zip(reaches(sums), sums.games, strict=True))
        ]

    # --- What average deals bring

    def _all_averages(self) -> list[Averages]:
        return [self._averaged(*key) for key in dict.fromkeys(self._keys_of_rows())]

    def _keys_of_rows(self) -> list[tuple[str, int]]:
        """Return the rules and number of seats of each row."""
        listed = self._hands.select("hand_no", "ruleset", "seats").iter_rows()
        return [(ruleset, seats) for hand, ruleset, seats in listed if hand in self._numbers]

    def _starts(self, group: Whole, rows: Whole, sign: Whole, groups: int) -> _Starts:
        """Return what average deals bring each hand and each group."""
        keys = self._keys_of_rows()
        weights: list[dict[tuple[str, int], Counter[int]]] = [{} for _ in range(groups)]
        each = np.zeros(len(rows))
        at: dict[tuple[tuple[str, int], int], float] = {}
        for number, (of, row, signed) in enumerate(zip(group, rows, sign, strict=True)):
            key, place = keys[row], self._rows[row].place
            if (key, place) not in at:
                average = self._averaged(*key).at(place, MOST_DEALS)
                at[key, place] = float(average.of(self._unit))
            each[number] = signed * at[key, place]
            weights[of].setdefault(key, Counter())[place] += int(signed)
        hands = np.bincount(group, minlength=groups)
        found = [self._mixed(own, int(count)) for own, count in zip(weights, hands, strict=True)]
        return _Starts(each, [mean for mean, _ in found], [reach for _, reach in found])

    def _mixed(
        self, weights: Mapping[tuple[str, int], Mapping[int, int]], hands: int
    ) -> tuple[Fraction, float]:
        """Return what average deals bring a group a hand, and how far that may be off."""
        mean, squared = Fraction(0), 0.0
        for key, places in weights.items():
            shares = {place: Fraction(count, hands) for place, count in places.items()}
            average = self._averaged(*key).mixed(shares, MOST_DEALS)
            mean += average.of(self._unit)
            squared += average.reach_in(self._unit) ** 2
        return mean, squared**0.5


@dataclass(frozen=True, slots=True)
class _Starts:
    """What average deals bring."""

    each: np.ndarray[Any, np.dtype[np.float64]]
    """By hand."""
    means: list[Fraction]
    """By group, a hand."""
    reaches: list[float]
    """How far these may be off either way, in 95 of 100 cases."""


def _lines(names: Sequence[tuple[str, Whose]], means: Sequence[Mean]) -> tuple[Line, ...]:
    shown = in_hundredths([each.value for each in means])
    return tuple(
        Line(name, whose, mean, hundredths)
        for (name, whose), mean, hundredths in zip(names, means, shown, strict=True)
    )


def _mean(
    value: Fraction, reach: float, start_reach: float, name: str, hands: int, games: int
) -> Mean:
    if np.isnan(reach):
        return Mean(value, None, None, hands, games)
    if name in ("start", "deal", LUCK):
        reach = widened(reach, start_reach)
    return Mean(value, float(value) - reach, float(value) + reach, hands, games)


# --- Means

FEWEST_GAMES: Final = FEWEST_GAMES_OF_AMOUNTS
"""Games that an interval needs: a few have not shown the rare large amount."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean a hand, exactly, with the ends of its interval of 95 %."""

    value: Fraction
    low: float | None
    """``None`` with fewer games than ``FEWEST_GAMES``."""
    high: float | None
    hands: int
    games: int


def in_hundredths(parts: Sequence[Fraction]) -> list[float]:
    """Return amounts rounded to hundredths so that all but the last sum to the last, their sum.

    Each is off by less than a hundredth: those with the largest remainders are rounded up.
    """
    *small, whole = (part * 100 for part in parts)
    assert sum(small, Fraction(0)) == whole
    rounded = [math.floor(part) for part in small]
    by_remainder = sorted(range(len(small)), key=lambda at: rounded[at] - small[at])
    for at in by_remainder[: round(whole) - sum(rounded)]:
        rounded[at] += 1
    return [each / 100 for each in (*rounded, round(whole))]


def reaches(sums: Sums) -> Numbers:
    """Return by how much each mean may be off either way; not a number with too few games."""
    field = np.full(len(sums.games), typical(sums, Scale.FREE))
    low, high = interval(sums, field, Scale.FREE)
    return np.where(sums.games >= FEWEST_GAMES, (high - low) / 2, np.nan)


def widened(reach: float, other: float) -> float:
    """Return how far a mean may be off when what another source may be off comes to it."""
    return float(np.hypot(reach, other))
