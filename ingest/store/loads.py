"""Loads that a warehouse was made of: what each brought, and which one it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.sql import run

COUNTS: Final = ("lines", "accepted", "duplicate", "quarantined", "blank")
"""What is counted of each load."""
_FROM: Final = "--from="
"""How the name begins after which the logs of another program follow."""


def as_named(paths: Iterable[str], adapter: str | None) -> list[str]:
    """Return what a load read, as table imports has it: paths, and before them whose logs."""
    return [*([f"{_FROM}{adapter}"] if adapter is not None else []), *paths]


def all_named(logs: Iterable[tuple[str, str | None]]) -> list[str]:
    """Return logs of several programs, each with whose it is, as table imports has them."""
    ours_first = sorted(logs, key=lambda log: log[1] or "")
    return [
        name
        for adapter, those in groupby(ours_first, key=lambda log: log[1])
        for name in as_named((path for path, _ in those), adapter)
    ]


def logs_of(named: Iterable[str]) -> Iterator[tuple[str, str | None]]:
    """Yield the logs that a load read, each with whose it is, ``None`` for a hand log."""
    adapter = None
    for each in named:
        if each.startswith(_FROM):
            adapter = each.removeprefix(_FROM)
        else:
            yield each, adapter


def latest_load(connection: DuckDBPyConnection, counts: Mapping[str, int]) -> int | None:
    """Return the number of the latest load with these ``COUNTS``, if there is one."""
    tests = " AND ".join(f"{name} = ${name}" for name in COUNTS)
    wanted = {name: counts[name] for name in COUNTS}
    found = run(connection, f"SELECT max(import_id) AS load FROM imports WHERE {tests}", wanted)  # noqa: S608 - names of our own
    load: int | None = found["load"].item()
    return load


def told(connection: DuckDBPyConnection, number: int) -> dict[str, Any] | None:
    """Return ``loaded_at`` (UTC), ``paths`` as named and ``COUNTS`` of a load, if it is there."""
    listed = ", ".join(COUNTS)
    found = run(
        connection,
        f"SELECT loaded_at, paths, {listed} FROM imports WHERE import_id = $load",  # noqa: S608 - names of our own
        {"load": number},
    )
    return next(found.iter_rows(named=True), None)
