"""Which hands a figure looks at, by the values of dimensions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, NamedTuple

_RANGE: Final = re.compile(r"(-?[0-9]{1,9})?\.\.(-?[0-9]{1,9})?")


class Range(NamedTuple):
    """Whole numbers from ``least`` to ``most``, both included; without one there is no end.

    As text, which is how it stands among the values of a filter: ``10..``, ``..-1``, ``7..9``; of
    one number it is that number.
    """

    least: int | None = None
    most: int | None = None

    def __str__(self) -> str:
        if self.least is not None and self.least == self.most:
            return str(self.least)
        ends = ("" if each is None else str(each) for each in self)
        return "..".join(ends)

    @property
    def is_empty(self) -> bool:
        """Whether no number is in it."""
        return self.least is not None and self.most is not None and self.least > self.most


def range_of(value: str) -> Range | None:
    """Return the range that a value of a dimension of numbers is, ``None`` for one number."""
    found = _RANGE.fullmatch(value)
    if not found or value == "..":
        return None
    least, most = (None if each is None else int(each) for each in found.groups())
    return Range(least, most)


def is_number_or_range(value: str) -> bool:
    """Return whether a value is a whole number or a range of some."""
    return bool(re.fullmatch("-?[0-9]{1,9}", value)) or range_of(value) is not None


@dataclass(frozen=True, slots=True)
class Filters:
    """Which rows of the facts to look at; a field left alone lets everything through."""

    chosen: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Names of dimensions, each with the values it may have, written as they are in an address.

    Of a dimension of numbers a value may be a range, see ``Range``.
    """
    since: date | None = None
    """First day, by the local day at the table."""
    until: date | None = None
    """Last day, included."""
    every_verdict: bool = False
    """Whether hands count that are irregular, doubtful, incomplete or rejected."""

    @classmethod
    def of(
        cls,
        chosen: Mapping[str, str | Range | tuple[str, ...]],
        *,
        since: date | None = None,
        until: date | None = None,
        every_verdict: bool = False,
    ) -> Filters:
        """Return filters from names of dimensions and a value, a range or values of each."""
        filters = cls((), since, until, every_verdict)
        for name, given in chosen.items():
            filters = filters.also(name, *_values(given))
        return filters

    def also(self, name: str, *values: str) -> Filters:
        """Return the same filters with the values of one dimension replaced; none removes it."""
        chosen = dict(self.chosen) | {name: values}
        return replace(
            self, chosen=tuple(sorted((key, each) for key, each in chosen.items() if each))
        )

    def within(self, name: str, least: int | None = None, most: int | None = None) -> Filters:
        """Return the same filters with a dimension of numbers from ``least`` to ``most``.

        Without both it lets everything through.
        """
        return self.also(name, *_values(Range(least, most)))

    def values(self, name: str) -> tuple[str, ...]:
        """Return the values chosen of a dimension, empty when it lets everything through."""
        return dict(self.chosen).get(name, ())


def _values(given: str | Range | tuple[str, ...]) -> tuple[str, ...]:
    if isinstance(given, Range):
        return () if given == Range() else (str(given),)
    return (given,) if isinstance(given, str) else tuple(given)


EVERYTHING: Final = Filters()
