"""Whose logs a command reads, where they are another program's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from tricklog.ingest.cli.output import UserError, own_command, remark

if TYPE_CHECKING:
    from tricklog.ingest.adapters import Adapter

From = Annotated[
    str | None,
    Parameter(
        name="--from",
        help="Whose logs they are, where they are another program's: the name of an adapter, as "
        "tricklog convert --list has them. Without it their first records have to tell for sure.",
    ),
]


def need_adapter(name: str | None) -> None:
    """Raise ``UserError`` for an adapter that is not there or cannot be used."""
    if name is None:
        return
    from tricklog.ingest.adapters import UnknownAdapterError, adapter_named

    try:
        adapter_named(name)
    except UnknownAdapterError as error:
        raise UserError(str(error), f"See {own_command()} convert --list.") from error


def recognised(paths: Sequence[str], *, is_told: bool = True) -> str | None:
    """Return the adapter that reads the paths where that is sure, and say so; else nothing."""
    from tricklog.ingest.adapters.recognising import surely_foreign

    adapter = surely_foreign(*paths)
    if adapter is not None and is_told:
        tell_program(adapter)
    return adapter.name if adapter else None


def tell_program(adapter: Adapter) -> None:
    """Say on standard error as whose logs are read."""
    remark(f"Read as {adapter.program}: --from {adapter.name}")
