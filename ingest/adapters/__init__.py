"""Logs of other programs: from foreign records to hands.

An adapter reads one shape of record: a line, or several lines that belong together. It makes of
each record one or more hands, or none at all: then the record is refused as a whole, with the place
and the reason. Ids are ``adapter:source:game:hand`` and depend on nothing but the record, so
converting a log again gives the same hands again. Nothing is repaired and nothing made up; what the
hand log has no place for stands under ``ext`` in an object with the adapter's name. Adapters of
other packages come in by the same entry points as ours. ``docs/adapters.md`` says how to write one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.adapters.contract import CONTRACT, Adapter, GroupBy
from ingest.adapters.converting import (
    Conversion,
    ConvertCounts,
    Converted,
    convert,
    convert_line,
    read_foreign,
)
from ingest.adapters.foreign import ForeignError
from ingest.adapters.registry import UnknownAdapterError, adapter_named, installed, listed

if TYPE_CHECKING:
    ADAPTERS: dict[str, Adapter]
    """Every adapter that can be used, by the name that ``--from`` takes."""

__all__ = [
    "ADAPTERS",
    "CONTRACT",
    "Adapter",
    "Conversion",
    "ConvertCounts",
    "Converted",
    "ForeignError",
    "GroupBy",
    "UnknownAdapterError",
    "adapter_named",
    "convert",
    "convert_line",
    "installed",
    "listed",
    "read_foreign",
]


def __getattr__(name: str) -> object:
    """Look for installed adapters when they are first asked for."""
    if name == "ADAPTERS":
        return installed()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
