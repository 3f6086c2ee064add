"""What a metric and a dimension are, and why there is no figure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from enum import IntEnum, StrEnum
from typing import Final

from tricklog.ingest.metrics.intervals import FEWEST_GAMES, FEWEST_GAMES_OF_AMOUNTS, Scale

TOO_FEW: Final = 30
"""Below so many cases a figure is called too few hands, unless the user sets another minimum."""

RELEVANT: Final = 0.02
"""Difference of shares below which nobody is named, however sure it is."""


class FigureError(ValueError):
    """A question that has no answer; the sentence says why and what to ask instead."""


class UnsolvedError(FigureError):
    """A question about solved hands where none has been solved."""


class OwnMetricError(FigureError):
    """A metric of one's own that cannot be used: in which source, at which key, and why."""

    def __init__(self, source: str, key: str, message: str) -> None:
        """Keep the parts beside the sentence made of them."""
        place = f"{source}: {key}" if key else source
        super().__init__(f"{place} {message}.")
        self.source = source
        self.key = key
        self.message = message


class Grain(StrEnum):
    """What one row of the facts is, which ``page`` says in words: the table is named after it."""

    SEAT = "seat_facts"
    CARD = "card_facts"
    GAME = "game_facts"
    FINDING = "finding_facts"
    STUDY = "study_facts"
    DECISION = "decision_facts"
    JUDGED = "judged_facts"
    LUCK = "luck_facts"
    PAR = "par_facts"


ROWS: Final = {
    Grain.SEAT: "seat_rows",
    Grain.CARD: "card_rows",
    Grain.STUDY: "study_rows",
    Grain.DECISION: "decision_context",
    Grain.JUDGED: "judged_rows",
    Grain.LUCK: "luck_rows",
    Grain.PAR: "par_rows",
}
"""Where the facts of a grain lie without what is the same for all hands of a table."""
SOLVED: Final = (Grain.STUDY, Grain.DECISION)
"""The grains of which there are rows only once hands were solved."""
GRADED: Final = (Grain.JUDGED, Grain.LUCK)
"""The grains of which there are rows only once hands were graded by what their players knew."""
OF_HANDS: Final = (Grain.SEAT, Grain.CARD, Grain.FINDING, *SOLVED, *GRADED, Grain.PAR)
"""The grains that belong to one hand."""
_SAT: Final = frozenset(
    {
        *("ruleset", "seating", "seating_id", "player", "partners", "opponents", "kind"),
        *("side_no", "dealer_id"),
    }
)
OF_CHAIRS: Final = dict.fromkeys(ROWS, _SAT) | {
    Grain.CARD: _SAT | {"family", "taker", "held_at", "led_at", "taken_at"}
}
"""Columns of facts that their rows lack: who sits in a chair, and under which rules."""
_NAME: Final = re.compile(r"'[^']*'|(\w+)")
_WHOLE_NUMBERS: Final = frozenset({"SMALLINT", "UTINYINT", "USMALLINT", "UINTEGER"})


def facts_for(grain: Grain, *expressions: str) -> str:
    """Return the table with all columns of a grain that are named in SQL expressions.

    It takes some time to look up who sat where, so that is done only where it is asked for.
    """
    if grain not in ROWS:
        return grain.value
    named = {match[1].lower() for sql in expressions for match in _NAME.finditer(sql) if match[1]}
    return grain.value if named & OF_CHAIRS[grain] else ROWS[grain]


class Level(IntEnum):
    """Of what there is one: a thing that two partners share counts once, not twice."""

    SEAT = 2
    """Each player's own."""
    SIDE = 1
    """The same for partners."""
    HAND = 0
    """The same for all at the table."""


class Kind(StrEnum):
    """How a figure is made of its cases."""

    SHARE = "share"
    """Hits among cases."""
    MEAN = "mean"
    """Amount per case or per weight."""
    COUNT = "count"
    """Number of cases; it has no interval."""


class Better(IntEnum):
    """Which way a player would want a figure to go."""

    HIGHER = 1
    LOWER = -1
    NEITHER = 0


SOUND: Final = "valid"
"""The verdict of hands that figures are made of."""
PARTIAL: Final = "partial"
"""The verdict of records with gaps, of which figures that need no cards are made as well."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure: what it says, and the SQL that counts it, over the columns of its grain."""

    name: str
    title: str
    sentence: str
    unit: str
    numerator: str
    denominator: str
    group: str
    """The heading it stands under, such as Bidding."""
    grain: Grain
    kind: Kind
    cases: str
    """Condition that a row is a case."""
    amount: str = "1"
    """What a case adds to the numerator: a whole number for a share, from 0 to the weight."""
    weight: str = "1"
    """What a case adds to the denominator."""
    level: Level = Level.SEAT
    comparable: bool = True
    """Whether figures of different variants are about the same thing and may be taken together."""
    every_verdict: bool = False
    """Whether hands that other figures leave out count here."""
    from_totals: bool = False
    """Whether no cards are needed, so that records with gaps count where they know enough."""
    least: float | None = None
    """The least a mean can be, where there is one: intervals do not go below."""
    most: float | None = None
    """The most a mean can be: 1 for a part of a whole."""
    better: Better = Better.NEITHER
    dated: date = date(2026, 11, 21)
    """When the definition last changed."""
    within: str = ""
    """Column within whose values players are compared, such as the role they have in a hand."""
    source: str = ""
    """The file or package that it stands in; empty for those built in."""

    @property
    def among_verdicts(self) -> str:
        """The condition that a hand has one of the verdicts that count, ``true`` where all do."""
        if self.every_verdict:
            return "true"
        sound = f"verdict = '{SOUND}'"
        return f"({sound} OR verdict = '{PARTIAL}')" if self.from_totals else sound

    @property
    def scale(self) -> Scale:
        """What the values can be, and so what interval they have."""
        if self.kind == Kind.SHARE:
            return Scale.SHARE
        if self.least is None:
            return Scale.FREE
        return Scale.ABOVE if self.most is None else Scale.PART

    @property
    def relevant(self) -> float:
        """Difference below which nobody is named, however sure it is."""
        return RELEVANT if self.unit.startswith("share ") else 0.0

    @property
    def fewest_games(self) -> int:
        """Games from which on the figure says something."""
        return FEWEST_GAMES if self.scale.bounded else FEWEST_GAMES_OF_AMOUNTS


@dataclass(frozen=True, slots=True)
class Dimension:
    """Something figures can be grouped and filtered by."""

    name: str
    sentence: str
    level: Level = Level.SEAT
    grains: tuple[Grain, ...] = OF_HANDS
    title: str = ""
    """The name in words, unless it is called otherwise."""
    sql: str = ""
    """Expression over the columns of the facts; a row for which it is NULL is left out. The column
    of the name, if it is not said."""
    type: str = "VARCHAR"
    """SQL type that a value is read as."""
    each: bool = False
    """Whether ``sql`` is a list, of which every element counts, such as a player's partners."""
    own: bool = False
    """Whether no two players of a hand have the same value."""
    names: tuple[str, str] | None = None
    """Table and column with the text that stands for a number."""
    players: bool = False
    """Whether its values are players, who have names."""
    order: str = ""
    """Query for all values, ``ordered``, and what they come by, ``place``; else they come by name
    or by size."""
    ordered: bool = False
    """Whether the values have an order of their own, as all numbers and days have."""

    def __post_init__(self) -> None:
        """Fill in what follows from the rest."""
        title = self.title or self.name.replace("-", " ")
        sql = self.sql or self.name.replace("-", "_")
        ordered = self.ordered or self.is_number or self.type == "DATE"
        for name, value in (("title", title), ("sql", sql), ("ordered", ordered)):
            object.__setattr__(self, name, value)

    @property
    def is_number(self) -> bool:
        """Whether its values are whole numbers, which lie in ranges."""
        return self.type in _WHOLE_NUMBERS
