"""Logs of other programs: from foreign records to hands.

An adapter reads one shape of record: a line, or several lines that belong together. It makes of
each record one or more hands, or none at all: then the record is refused as a whole, with the place
and the reason. Ids are ``adapter:source:game:hand`` and depend on nothing but the record, so
converting a log again gives the same hands again. Nothing is repaired and nothing made up; what the
hand log has no place for stands under ``ext`` in an object with the adapter's name. Adapters of
other packages come in by the same entry points as ours. ``docs/adapters.md`` says how to write one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tricklog.ingest.adapters.contract import CONTRACT, Adapter, GroupBy
    from tricklog.ingest.adapters.converting import (
        Conversion,
        ConvertCounts,
        Converted,
        convert,
        convert_line,
        read_foreign,
    )
    from tricklog.ingest.adapters.foreign import ForeignError
    from tricklog.ingest.adapters.registry import (
        UnknownAdapterError,
        adapter_named,
        installed,
        listed,
    )

    ADAPTERS: dict[str, Adapter]
    """Every adapter that can be used, by the name that ``--from`` takes."""

_HOMES: Final = {
    "contract": ("CONTRACT", "Adapter", "GroupBy"),
    "converting": (
        *("Conversion", "ConvertCounts", "Converted", "convert", "convert_line", "read_foreign"),
    ),
    "foreign": ("ForeignError",),
    "registry": ("UnknownAdapterError", "adapter_named", "installed", "listed"),
}
"""The names by the module each is at home in: whoever lists adapters needs none that converts."""
_PLACES: Final = {name: home for home, names in _HOMES.items() for name in names}

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
    """Import a name, or look for installed adapters, when it is first asked for."""
    from importlib import import_module

    if name == "ADAPTERS":
        from tricklog.ingest.adapters.registry import installed

        return installed()
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    globals()[name] = value
    return value
