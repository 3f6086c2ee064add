"""Values that are asked for and that no hand has."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from typing import Final

from duckdb import DuckDBPyConnection

from tricklog.core.rulesets.suggestions import hint_at
from tricklog.ingest.metrics import dimension_named, listings
from tricklog.ingest.metrics.errors import FigureError
from tricklog.ingest.metrics.filters import Filters, range_of
from tricklog.ingest.metrics.model import Dimension

_NAMED: Final = 6
"""Values of a dimension that are named where one does not exist."""


class UnknownValueError(FigureError):
    """A value that no hand has: what is wrong, and as a hint which values there are."""

    def __init__(self, what: str, hint: str) -> None:
        """Keep the parts beside the sentence made of them."""
        super().__init__(f"{what}. {hint}")
        self.what = what
        self.hint = hint


def check_values(facts: DuckDBPyConnection, filters: Filters) -> None:
    """Raise ``UnknownValueError`` for a value that no row has, and name some that exist.

    Of several numbers one is enough: who asks for bids of 8 to 14 need not know which were made.
    """
    for name, given in filters.chosen:
        dimension = dimension_named(name)
        asked = [each for each in given if not (dimension.is_number and range_of(each))]
        if not asked:
            continue
        known = listings.values(facts, dimension, sys.maxsize)
        same = {_key(dimension, each) for each in known}
        if dimension.is_number and not same.isdisjoint(given):
            continue
        for value in asked:
            if _key(dimension, value) not in same:
                raise UnknownValueError(
                    f"no hand in this warehouse has {name}={value}",
                    _hint(value, known) if known else f"No hand says anything about {name}.",
                )


def _hint(value: str, known: list[str]) -> str:
    few = len(known) <= _NAMED
    shown = [] if few else get_close_matches(value, known, _NAMED, 0.5)
    shown = shown or known[:_NAMED]
    others = len(known) - len(shown)
    hint = hint_at(value, known)
    hint += f"There {'is' if len(known) == 1 else 'are'} {', '.join(shown)}"
    return f"{hint} and {others:,} more." if others else f"{hint}."


def _key(dimension: Dimension, value: str) -> str:
    """Return a value in one way of writing it, where there are several."""
    if dimension.type == "BOOLEAN":
        return {"yes": "true", "no": "false"}.get(value.lower(), value.lower())
    return value
