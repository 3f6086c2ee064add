"""Everything figures can be grouped and filtered by: the rows of ``dimensions.toml``."""

from __future__ import annotations

from collections.abc import Iterator
from string import Template
from typing import Final

from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.ingest.metrics.model import OF_HANDS, Dimension, FigureError, Grain, Level, Metric
from tricklog.ingest.metrics.themes import THEME_SQL, TITLES
from tricklog.ingest.sql import toml_data

_BY_THEME: Final = (
    f"SELECT ordered, place FROM (SELECT unnest({[*TITLES]}) AS ordered, "  # noqa: S608 - our own
    f"generate_subscripts({[*TITLES]}, 1) AS place)"
)
_GRAINS: Final[dict[str, tuple[Grain, ...]]] = {
    "hands": OF_HANDS,
    "games": (*OF_HANDS, Grain.GAME),
    "seats": (Grain.SEAT,),
    "cards": (Grain.CARD,),
    "tricks": (Grain.CARD, Grain.DECISION, Grain.JUDGED),
    "decisions": (Grain.DECISION, Grain.JUDGED),
    "par": (Grain.PAR,),
    "findings": (Grain.FINDING,),
}
"""What a dimension is of, by the word for it."""
_SQL: Final = ("sql", "order")


def _dimensions() -> Iterator[Dimension]:
    data = toml_data("tricklog.ingest.metrics", "dimensions.toml")
    terms = data["terms"] | {"theme": THEME_SQL, "by_theme": _BY_THEME}
    for name, row in data["dimension"].items():
        level, grains = Level[row.pop("level", "seat").upper()], _GRAINS[row.pop("grains", "hands")]
        sql = {each: Template(row[each]).substitute(terms) for each in _SQL if each in row}
        names = {"names": tuple(row["names"])} if "names" in row else {}
        yield Dimension(name, level=level, grains=grains, **row | sql | names)


DIMENSIONS: Final = tuple(_dimensions())
DIMENSION: Final = {each.name: each for each in DIMENSIONS}
"""The dimensions by name."""


def dimension_named(name: str) -> Dimension:
    """Return a dimension. Raises ``FigureError`` for a name that none has."""
    if name not in DIMENSION:
        near = did_you_mean(name, DIMENSION)
        others = "" if near else f" Known are {', '.join(DIMENSION)}."
        raise FigureError(f"There is no dimension {name!r}{near}.{others}")
    return DIMENSION[name]


def dimensions_of(metric: Metric) -> tuple[Dimension, ...]:
    """Return the dimensions a metric can be grouped and filtered by."""
    return tuple(each for each in DIMENSIONS if metric.grain in each.grains)
