"""Whose logs are read: those of another program, through its adapter, or score sheets."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from pathlib import Path
from typing import Protocol

from tricklog.ingest.adapters.registry import adapter_named, installed
from tricklog.ingest.reading.log_line import LogLine
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.sources import Source
from tricklog.ingest.score_sheets.settings import MappingError, SheetSettings, settings_of


class ReadLogs(Protocol):
    """Reads logs that are no hand logs, each hand as a line."""

    def __call__(self, *paths: str | Path | Source, byte_counter: ByteCounter) -> Iterator[LogLine]:
        """Read the logs one after the other."""


def reader_named(name: str) -> ReadLogs:
    """Return what reads logs: the adapter of a name, or the settings of score sheets in it.

    Raises ``UnknownAdapterError`` when there is no such adapter, ``MappingError`` for settings that
    cannot be read.
    """
    from tricklog.ingest.adapters.converting import read_foreign
    from tricklog.ingest.score_sheets.reader import read_sheets

    settings = settings_of(name)
    of_whom = adapter_named(name) if settings is None else settings

    def read(*paths: str | Path | Source, byte_counter: ByteCounter) -> Iterator[LogLine]:
        if isinstance(of_whom, SheetSettings):
            return read_sheets(of_whom, *paths, byte_counter=byte_counter)
        return read_foreign(of_whom, *paths, byte_counter=byte_counter)

    return read


class Reach(Enum):
    """How far what makes one hand may go in logs that are no hand logs."""

    LINE = auto()
    FILE = auto()
    FILES = auto()


def reach_of(name: str) -> Reach:
    """Return how far records go in the logs that are read by a name."""
    # The rows of a sheet are numbered and carried on from one to the next.
    adapter = None if settings_of(name) is not None else adapter_named(name)
    if adapter is None:
        return Reach.FILES
    by = adapter.group_by
    if by is None:
        return Reach.LINE
    return Reach.FILES if by.across_files else Reach.FILE


def is_known(name: str) -> bool:
    """Whether logs can be read by this name now."""
    try:
        return settings_of(name) is not None or name in installed()
    except MappingError:
        return False
