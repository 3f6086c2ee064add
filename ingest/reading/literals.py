"""Fields of the log that take one of a few values: which values these are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import msgspec

from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.schemas.hand import Hand

MOST_LISTED: Final = 12
"""Values that a message lists."""


def values_at(path: Sequence[str | int]) -> tuple[str, ...]:
    """Return the texts that a field of a hand may have, nothing where any text will do."""
    types = [_hand()]
    for step in path:
        types = [inner for each in types for inner in _inside(each, step)]
    found = (each.values for each in types if isinstance(each, msgspec.inspect.LiteralType))
    return tuple(str(value) for values in found for value in values)


def no_such_value(value: str, path: Sequence[str | int]) -> str | None:
    """Return a sentence about a value that is none of those there are."""
    values = values_at(path)
    if not values:
        return None
    listed = ", ".join(values[:MOST_LISTED])
    more = f" and {len(values) - MOST_LISTED} more" if len(values) > MOST_LISTED else ""
    name = next((step for step in reversed(path) if isinstance(step, str)), "value")
    return f"There is no {name} {value!r}{did_you_mean(value, values)}; choose {listed}{more}."


@cache
def _hand() -> msgspec.inspect.Type:
    return msgspec.inspect.type_info(Hand)


def _inside(kind: msgspec.inspect.Type, step: str | int) -> list[msgspec.inspect.Type]:
    """Return the types of what a step leads to, those of a union one by one."""
    found: msgspec.inspect.Type | None = None
    if isinstance(kind, msgspec.inspect.StructType):
        found = next((each.type for each in kind.fields if each.encode_name == step), None)
    elif isinstance(kind, msgspec.inspect.ListType | msgspec.inspect.VarTupleType):
        found = kind.item_type
    elif isinstance(kind, msgspec.inspect.DictType):
        found = kind.value_type
    if isinstance(found, msgspec.inspect.UnionType):
        return list(found.types)
    return [] if found is None else [found]
