"""Ledgers of many hands added up: for the makers, for each player or for each side.

A part belongs to luck, to whoever the account is of, or to others; ``LINES`` says which columns of
whole numbers make it. What average deals bring is no column: it is taken off the column ``AT_PAR``
and stands in a part of its own.

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
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray

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
from tricklog.ingest.study.kept_ledgers import (
    AT_PAR,
    CHOSEN,
    DRAW,
    HEAD,
    RESULT,
    STOCKS,
    Key,
    LedgerRow,
)

if TYPE_CHECKING:
    import polars as pl

ALONE: Final = "each played alone, and somebody else was the maker"
"""Why the hand of a player who was not the maker has no account."""
MOST_DEALS: Final = 200
"""Deals that the average is over, at the most."""
FEWEST_GAMES: Final = FEWEST_GAMES_OF_AMOUNTS
"""Games that an interval needs: a few have not shown the rare large amount."""
SCALE: Final = STOCKS
"""What amounts were multiplied by to be whole numbers."""
Averaged = Callable[[str, int], Averages]
"""Gives the averages of rules, by their hash, and a number of seats."""
By = Literal["makers", "player", "side"]
Whose = Literal["start", "luck", "own", "others", "sum"]
_Lines = tuple[tuple[str, Whose, tuple[int, ...]], ...]
_MOST_SEATS: Final = 8
_CLASSES: Final = 3
"""Who chose: the player, their partners, others."""


def _by(part: int, *classes: int) -> tuple[int, ...]:
    """Return the columns of a part of ``CHOSEN``, chosen by some of the classes."""
    return tuple(HEAD + _CLASSES * part + each for each in classes)


_AUCTION, _EXCHANGE, _MAKERS, _DEFENCE = range(len(CHOSEN))
_OWN, _PARTNER, _OTHERS = range(_CLASSES)
_SIDE: Final = (_OWN, _PARTNER)
_ALL: Final = (_OWN, _PARTNER, _OTHERS)
_START: Final[_Lines] = (("start", "start", ()),)
_DEAL: Final[_Lines] = (("deal", "luck", (AT_PAR,)),)
_DRAW: Final[_Lines] = (("draw", "luck", (DRAW,)),)
_SUM: Final[_Lines] = (("result", "sum", (RESULT,)),)
LUCK: Final = "deal and draw"

LINES: Final[dict[By, _Lines]] = {
    "makers": (
        *(*_START, *_DEAL),
        ("auction", "own", _by(_AUCTION, *_ALL)),
        ("exchange", "own", _by(_EXCHANGE, *_ALL)),
        *_DRAW,
        ("makers' play", "own", _by(_MAKERS, *_ALL)),
        ("defence", "others", _by(_DEFENCE, *_ALL)),
        *_SUM,
    ),
    "player": (
        *(*_START, *_DEAL, *_DRAW),
        ("own bids", "own", _by(_AUCTION, _OWN)),
        ("partner's bids", "others", _by(_AUCTION, _PARTNER)),
        ("opponents' bids", "others", _by(_AUCTION, _OTHERS)),
        ("own exchange", "own", _by(_EXCHANGE, _OWN)),
        ("partner's exchange", "others", _by(_EXCHANGE, _PARTNER)),
        ("opponents' exchange", "others", _by(_EXCHANGE, _OTHERS)),
        ("own cards as maker's side", "own", _by(_MAKERS, _OWN)),
        ("own cards in defence", "own", _by(_DEFENCE, _OWN)),
        ("partner's cards", "others", (*_by(_MAKERS, _PARTNER), *_by(_DEFENCE, _PARTNER))),
        ("opponents' cards", "others", (*_by(_MAKERS, _OTHERS), *_by(_DEFENCE, _OTHERS))),
        *_SUM,
    ),
    "side": (
        *(*_START, *_DEAL, *_DRAW),
        ("own bids", "own", _by(_AUCTION, *_SIDE)),
        ("opponents' bids", "others", _by(_AUCTION, _OTHERS)),
        ("own exchange", "own", _by(_EXCHANGE, *_SIDE)),
        ("opponents' exchange", "others", _by(_EXCHANGE, _OTHERS)),
        ("own cards as maker's side", "own", _by(_MAKERS, *_SIDE)),
        ("own cards in defence", "own", _by(_DEFENCE, *_SIDE)),
        ("opponents' cards", "others", (*_by(_MAKERS, _OTHERS), *_by(_DEFENCE, _OTHERS))),
        *_SUM,
    ),
}
"""By whom hands are added up for: name of each part, whose it is, and its columns."""


def _summary(lines: _Lines) -> _Lines:
    own, others = (
        tuple(column for _, whose, columns in lines if whose == kind for column in columns)
        for kind in ("own", "others")
    )
    choices: _Lines = (("own choices", "own", own), ("others' choices", "others", others))
    return (*_START, (LUCK, "luck", (AT_PAR, DRAW)), *choices, *_SUM)


SUMMARY: Final = {by: _summary(lines) for by, lines in LINES.items()}
"""The same in few parts, which sum to the result as well."""
_ALWAYS: Final = ("start", "deal", "result")
"""Parts that are shown even where they are 0 in every hand."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean a hand, exactly, with the ends of its interval of 95 %."""

    value: Fraction
    low: float | None
    """``None`` with fewer games than ``FEWEST_GAMES``."""
    high: float | None
    hands: int
    games: int


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
    conditions, parameters = conditions_for(METRIC["hands"], replace(filters, every_verdict=True))
    return run(facts, _SEATS.format(where=" AND ".join(["true", *conditions])), parameters)


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


class _Counted(NamedTuple):
    """A hand with an account."""

    row: LedgerRow
    rules: tuple[str, int]
    """Their hash, and the number of seats."""


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
    counted: list[_Counted] = []
    listed = hands.select("hand_no", "verdict", "content", "ruleset", "seats")
    for hand, verdict, content, ruleset, chairs in listed.iter_rows():
        row = kept.get((content, ruleset))
        if verdict != SOUND:
            left[f"the record is {verdict}"] += 1
        elif row is None:
            waiting += 1
        elif (why_not := row.why_not(unit)) is not None:
            left[why_not] += 1
        else:
            numbers[hand] = len(counted)
            counted.append(_Counted(row, (ruleset, chairs)))
    accounts = _accounts(hands if by == "makers" else seats, numbers, counted, by, unit)
    alone = len(counted) - len(np.unique(accounts.row))
    if alone:
        left[ALONE] += alone
    averages = {rules: averaged(*rules) for _, rules in counted}
    days = [each for each in hands["day"] if each is not None]
    return Season(
        variant=str(hands["variant"][0]) if len(hands) else "",
        unit=unit,
        by=by,
        totals=_totals(accounts, counted, averages, by, unit) if accounts.who else (),
        hands=len(hands),
        counted=len(counted) - alone,
        waiting=waiting,
        left_out=tuple(left.most_common()),
        deals=min((each.deals for each in averages.values()), default=0),
        loose=sum(row.loose for row, _ in counted),
        first_day=min(days, default=None),
        last_day=max(days, default=None),
    )


class _Accounts(NamedTuple):
    """What hands came to for those who are added up, an entry for each of them in each hand."""

    who: list[tuple[str, ...]]
    row: Whole
    """The place of the hand among those counted."""
    game: Whole
    sign: Whole
    """1 for the makers' side, -1 for others."""
    is_maker: NDArray[np.bool_]
    columns: Whole
    """Those of ``HEAD`` and of each part and class, as it counts for the side."""

    def amounts(self, columns: Sequence[int]) -> Whole:
        """Return the sums of some columns, each times ``SCALE``."""
        found: Whole = self.columns[:, list(columns)].sum(axis=1)
        return found

    def could(self, by: By, name: str) -> NDArray[np.bool_]:
        """Return in which hands a part could come up."""
        ours = self.sign > 0
        tests = {
            "own bids": self.is_maker if by == "player" else ours,
            "partner's bids": ours & ~self.is_maker,
            "opponents' bids": ~ours,
            "own cards as maker's side": ours,
            "own cards in defence": ~ours,
        }
        return tests.get(name, np.ones_like(ours))


def _accounts(
    seats: pl.DataFrame, numbers: Mapping[int, int], counted: Sequence[_Counted], by: By, unit: Unit
) -> _Accounts:
    """Return the accounts of the first seat of each player, side or hand of ``seats``.

    ``numbers``: the place of each hand among those counted. Whose partners left them alone have
    none.
    """
    if by != "makers":
        key = ["hand_no", "seat" if by == "player" else "side_no"]
        seats = seats.unique(key, keep="first", maintain_order=True)

    def whose(player: str, partners: Sequence[str]) -> tuple[str, ...]:
        if by == "makers":
            return ()
        return (player,) if by == "player" else tuple(sorted((player, *partners)))

    listed = seats.select("hand_no", "seat", "game_no", "player", "partners").iter_rows()
    sat = [
        (numbers[hand], seat, game, whose(player, partners))
        for hand, seat, game, player, partners in listed
        if hand in numbers
    ]
    row, seat, game = (np.array([each[at] for each in sat], np.int64) for at in range(3))
    head = np.zeros((len(counted), HEAD), np.int64)
    chosen = np.zeros((len(counted), len(CHOSEN), _MOST_SEATS), np.int64)
    for number, (ledger, _) in enumerate(counted):
        amounts = ledger.amounts(unit)
        of_seats = np.reshape(amounts[HEAD:], (len(CHOSEN), -1))
        head[number], chosen[number, :, : of_seats.shape[1]] = amounts[:HEAD], of_seats
    maker, makers, alone = (
        np.array([getattr(ledger, name) for ledger, _ in counted], np.int64)[row]
        for name in ("maker", "makers", "alone")
    )
    if by == "makers":
        seat = maker
    counts = (alone == 0) | (maker == seat)
    who = [each[-1] for each, is_in in zip(sat, counts, strict=True) if is_in]
    row, seat, game, maker, makers = (each[counts] for each in (row, seat, game, maker, makers))
    ours = makers >> seat & 1
    of_side = (makers[:, None] >> np.arange(_MOST_SEATS) & 1) == ours[:, None]
    own = np.take_along_axis(chosen[row], seat[:, None, None], axis=2)[:, :, 0]
    together = (chosen[row] * of_side[:, None, :]).sum(axis=2)
    classes = np.stack([own, together - own, chosen[row].sum(axis=2) - together], axis=2)
    flat = classes.reshape(len(row), len(CHOSEN) * _CLASSES)
    sign = 2 * ours - 1
    columns = np.concatenate([head[row], flat], axis=1) * sign[:, None]
    return _Accounts(who, row, game, sign, maker == seat, columns)


def _totals(
    accounts: _Accounts,
    counted: Sequence[_Counted],
    averages: Mapping[tuple[str, int], Averages],
    by: By,
    unit: Unit,
) -> tuple[Total, ...]:
    """Add accounts up, those of most hands first."""
    order = [each for each, _ in Counter(accounts.who).most_common()]
    place = {each: number for number, each in enumerate(order)}
    group = np.array([place[each] for each in accounts.who], np.int64)
    hands = np.bincount(group)
    start = _start(group, accounts, counted, averages, unit)

    def means(name: str, columns: Sequence[int]) -> list[Mean]:
        """Return the mean of a part for each group."""
        amounts = accounts.amounts(columns)
        added = np.zeros(len(order), np.int64)
        np.add.at(added, group, amounts)
        exact = [
            Fraction(int(each), int(count) * SCALE)
            for each, count in zip(added, hands, strict=True)
        ]
        floats = amounts / SCALE
        if name == "start":
            exact, floats = start.means, start.each
        elif name in ("deal", LUCK):
            exact = [each - own for each, own in zip(exact, start.means, strict=True)]
            floats = floats - start.each
        sums = by_game(group, accounts.game, floats).sums(len(order))
        off = reaches(sums)
        if name in ("start", "deal", LUCK):
            # What the average deals may be off comes to it.
            off = np.hypot(off, start.reaches)
        could = accounts.could(by, name) if by != "makers" else np.ones(len(group))
        counts = np.column_stack([np.bincount(group, could, len(order)), sums.games]).astype(int)
        found = []
        for value, reach, numbers in zip(exact, off.tolist(), counts.tolist(), strict=True):
            low, high = float(value) - reach, float(value) + reach
            ends = (None, None) if math.isnan(reach) else (low, high)
            found.append(Mean(value, *ends, *numbers))
        return found

    def lines(parts: _Lines) -> list[tuple[Line, ...]]:
        """Return the parts of each group."""
        found = []
        of_parts = [means(name, columns) for name, _, columns in parts]
        for of_group in zip(*of_parts, strict=True):
            shown = in_hundredths([each.value for each in of_group])
            listed = zip(parts, of_group, shown, strict=True)
            found.append(tuple(Line(*part[:2], mean, each) for part, mean, each in listed))
        return found

    shown = tuple(
        line for line in LINES[by] if line[0] in _ALWAYS or accounts.amounts(line[2]).any()
    )
    return tuple(
        Total(who, of_parts[-1].mean.hands, of_parts[-1].mean.games, of_parts, summary)
        for who, of_parts, summary in zip(order, lines(shown), lines(SUMMARY[by]), strict=True)
    )


class _Start(NamedTuple):
    """What average deals bring."""

    each: Numbers
    """By account."""
    means: list[Fraction]
    """By group, a hand."""
    reaches: list[float]
    """How far these may be off either way, in 95 of 100 cases."""


def _start(
    group: Whole,
    accounts: _Accounts,
    counted: Sequence[_Counted],
    averages: Mapping[tuple[str, int], Averages],
    unit: Unit,
) -> _Start:
    """Return what average deals bring each account and each group."""
    hands = np.bincount(group)
    weights: list[dict[tuple[str, int], Counter[int]]] = [{} for _ in hands]
    each = np.zeros(len(group))
    at: dict[tuple[tuple[str, int], int], float] = {}
    signs = zip(group, accounts.row, accounts.sign, strict=True)
    for number, (of, row, signed) in enumerate(signs):
        ledger, rules = counted[row]
        known = (rules, ledger.place)
        if known not in at:
            at[known] = float(averages[rules].at(ledger.place, MOST_DEALS).of(unit))
        each[number] = signed * at[known]
        weights[of].setdefault(rules, Counter())[ledger.place] += int(signed)
    means, off = [], []
    for of_group, count in zip(weights, hands.tolist(), strict=True):
        mixed = []
        for rules, places in of_group.items():
            shares = {place: Fraction(times, count) for place, times in places.items()}
            mixed.append(averages[rules].mixed(shares, MOST_DEALS))
        means.append(sum((average.of(unit) for average in mixed), Fraction(0)))
        off.append(math.sqrt(sum(average.reach_in(unit) ** 2 for average in mixed)))
    return _Start(each, means, off)


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
