"""What is added up beforehand: the roll-ups of games, and the columns of their cells.

See ``moments``, which makes them, and ``rolled``, which asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

from ingest.metrics.model import Grain, Kind, Level, Metric
from ingest.metrics.tallies import BUILT_IN, Tally, columns, columns_for

TABLE: Final = "moments"
REST: Final = "moments_rest"
DAY: Final = "day"
MONTH: Final = "month"
YEAR: Final = "year"


@dataclass(frozen=True, slots=True)
class Roll:
    """One way of putting games together: whose sums a cell has, beside time, rules and table."""

    name: str
    keys: tuple[str, ...]
    """Further columns that tell cells apart."""
    spans: tuple[str, ...]
    """Whether there are cells of days, months and years."""
    whole: str
    """Which games are in its cells, of ``WHOLE``; the others are rest."""
    together: bool = False
    """Whether a game counts as all at the table played it: what is shared counts once."""
    apart: bool = False
    """Whether cells say what all did in their games, too, to compare by."""


ROLLS: Final = {
    each.name: each
    for each in (
        Roll("table", (), (DAY, MONTH), "table", together=True),
        Roll("source", ("source",), (MONTH,), "table", together=True),
        Roll("kind", ("kind",), (DAY, MONTH), "table", together=True),
        Roll("seat", ("kind", "seat"), (MONTH,), "table"),
        Roll("player", ("kind", "player", "paired"), (MONTH, YEAR), "player", apart=True),
    )
}
"""The roll-ups by name, which stands in column ``roll``."""
KEYS: Final = (
    *("roll", "span", "day", "verdict", "variant", "ruleset", "seating"),
    *("source", "kind", "seat", "player", "paired"),
)
"""The columns that tell cells apart. Of a month or a year ``day`` is the first.

Rows without a verdict say what games with hands of other verdicts add to those with the verdict
valid, where all hands count whatever their verdict.
"""
ORDER: Final = ("roll", "span", "day", "player")
"""What rows are sorted by, so that files and parts of them can be passed over."""
OF_TABLE: Final = ("variant", "ruleset", "seating")
EACH: Final = "each"
"""Hands of one verdict, whichever it is."""
EVERY: Final = "every"
"""Hands of every verdict together."""
WHOLE: Final = {
    ("table", DAY): "same_day AND same_rules",
    ("table", MONTH): "same_month AND same_rules",
    ("player", MONTH): "same_month AND same_table AND headed",
    ("player", YEAR): "same_year AND same_table AND headed",
}
_LEVELS: Final = {Level.HAND: "hand", Level.SIDE: "side", Level.SEAT: "own"}
ROLLED: Final = (Grain.SEAT, Grain.CARD, Grain.GAME)
"""The grains whose metrics are rolled up."""


def left_out(whole: str, span: str, scope: str) -> str:
    """Return the column of the rest that says whether a row is not in such cells."""
    return f"not_by_{whole}_{span}_{scope}"


def product(one: str, other: str) -> str:
    """Return the column with the sum over games of the product of two."""
    return "_x_".join(sorted((one, other)))


OF_ALL: Final = "_of_all"


def of_all(name: str) -> str:
    """Return the column of what all at the table did in the games of a cell."""
    return name + OF_ALL


def games_of(cases: str) -> str:
    """Return the column that says how many games have such cases."""
    return f"{cases}_games"


def named(metric: Metric) -> Tally | None:
    """Return the columns of moments that a metric is made of; ``None`` if it is not rolled up."""
    tally = columns_for(metric) if metric.grain in ROLLED else None
    if tally is None:
        return None
    level = _LEVELS[metric.level]
    return Tally(f"{level}_{tally.cases}", f"{level}_{tally.amount}", f"{level}_{tally.weight}")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of moments beside the keys, in their order."""

    sums: dict[str, tuple[Level, str]]
    """What is added up of a game: of what level, and the column of the tallies."""
    cases: tuple[str, ...]
    """Those of them that are cases, of which the games are counted."""
    products: tuple[tuple[str, str], ...]
    compared: dict[str, str]
    """What is added up of all at a table, and the cases that a player has in the games."""
    crossed: tuple[tuple[str, str], ...]
    """Products of what a player did and what all did, and of what all did."""

    def names(self) -> Iterator[str]:
        """Yield the names of the columns."""
        yield from self.sums
        yield from map(games_of, self.cases)
        yield from (product(*each) for each in self.products)
        yield from map(of_all, self.compared)
        yield from (product(*each) for each in self.crossed)


@cache
def columns_of_cells() -> Columns:
    """Return the columns of cells that all metrics need."""
    sums: dict[str, tuple[Level, str]] = {}
    cases: dict[str, None] = {}
    products: dict[tuple[str, str], None] = {}
    compared: dict[str, str] = {}
    crossed: dict[tuple[str, str], None] = {}
    for metric in BUILT_IN:
        tally, names = columns_for(metric), named(metric)
        if tally is None or names is None:
            continue
        sums[names.cases] = (metric.level, tally.cases)
        if metric.kind == Kind.COUNT:
            continue
        sums[names.amount] = (metric.level, tally.amount)
        sums[names.weight] = (metric.level, tally.weight)
        cases[names.cases] = None
        both = sorted({names.amount, names.weight})
        products |= dict.fromkeys(combinations_with_replacement(both, 2))
        if metric.level == Level.HAND:
            continue
        all_did = [of_all(each) for each in both]
        compared |= dict.fromkeys(both, names.cases)
        crossed |= dict.fromkeys(combinations_with_replacement(all_did, 2))
        crossed |= {(own, other): None for own in both for other in all_did}
    return Columns(sums, tuple(cases), tuple(products), compared, tuple(crossed))


@cache
def sums() -> tuple[str, ...]:
    """Return the columns of moments that are summed up, ``BIGINT`` each."""
    return tuple(columns_of_cells().names())


_TYPES: Final = {
    "day": "DATE",
    "seat": "UTINYINT",
    "paired": "BOOLEAN",
}


def types() -> dict[str, str]:
    """Return the columns of moments with their SQL types."""
    keys = {name: _TYPES.get(name, "VARCHAR") for name in KEYS}
    return keys | dict.fromkeys(sums(), "BIGINT")


def games_counted(tally: Tally | None = None) -> str:
    """Return what tallies of games are, as SQL over their facts: those of a metric, or all."""
    wanted = {tally.cases, tally.amount, tally.weight} if tally else None
    return ", ".join(
        f"(CASE WHEN {cases} THEN {added}{' ELSE 0' if added == '1' else ''} END)::BIGINT AS {name}"
        for (cases, added), name in columns(Grain.GAME).items()
        if wanted is None or name in wanted
    )


def rest_types() -> dict[str, str]:
    """Return the columns of the rest with their SQL types."""
    flags = [left_out(*each, scope) for each in WHOLE for scope in (EACH, EVERY)]
    counted = [each for grain in ROLLED for each in columns(grain).values()]
    return (
        {"game_no": "BIGINT", "complete": "BOOLEAN", "seating_id": "BIGINT"}
        | dict.fromkeys(("verdict", "source", *OF_TABLE), "VARCHAR")
        | {"day": "DATE", "seat": "UTINYINT", "player": "VARCHAR", "partners": "VARCHAR[]"}
        | {"kind": "VARCHAR", "side_no": "UTINYINT"}
        | dict.fromkeys(("first_of_side", "first_of_hand", "first_of_game"), "BOOLEAN")
        | dict.fromkeys(counted, "BIGINT")
        | dict.fromkeys(flags, "BOOLEAN")
    )


REST_ORDER: Final = (
    *(left_out(*each, EVERY) for each in reversed(WHOLE)),
    *("day", "game_no", "complete", "seat"),
)
"""What the rest is sorted by: most of it is needed for cells of days only."""
