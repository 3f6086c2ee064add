"""Whose logs are read: another program's, by its adapter; score sheets; hands stored before."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from tricklog.ingest.adapters.registry import adapter_named, installed
from tricklog.ingest.reading.log_line import LogLine
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.sources import Source, SourceError, find_sources
from tricklog.ingest.score_sheets.settings import MappingError, settings_of
from tricklog.schemas.hand import decode_hand, encode_hand

if TYPE_CHECKING:
    from tricklog.ingest.store.warehouse import StoredHand

KEPT: Final = "kept hands"
"""What stands in the place of an adapter for logs of hands that were stored before."""
_PIECE: Final = 1 << 24
"""Bytes of such a log that are read at a time."""


class ReadLogs(Protocol):
    """Reads logs that are no hand logs, each hand as a line."""

    def __call__(self, *paths: str | Path | Source, byte_counter: ByteCounter) -> Iterator[LogLine]:
        """Read the logs one after the other."""


def reader_named(name: str) -> ReadLogs:
    """Return what reads logs: the adapter of a name, or the settings of score sheets in it.

    Raises ``UnknownAdapterError`` when there is no such adapter, ``MappingError`` for settings that
    cannot be read.
    """
    if name == KEPT:
        return _read_kept
    from tricklog.ingest.adapters.converting import read_foreign
    from tricklog.ingest.score_sheets.reader import read_sheets

    settings = settings_of(name)
    if settings is not None:
        return partial(read_sheets, settings)
    return partial(read_foreign, adapter_named(name))


class _KeptHand(msgspec.Struct, frozen=True, array_like=True):
    """A line of a log that is read by the name ``KEPT``: a stored hand, and where it is from."""

    file: str
    line: int
    record: msgspec.Raw


def kept_line(stored: StoredHand) -> bytes:
    """Return a stored hand as a line of a log that is read by the name ``KEPT``.

    Raises ``RecordError`` where its columns make no record.
    """
    record = msgspec.Raw(encode_hand(stored.hand))
    return msgspec.json.encode(_KeptHand(stored.file, stored.line, record)) + b"\n"


def _read_kept(*paths: str | Path | Source, byte_counter: ByteCounter) -> Iterator[LogLine]:
    del byte_counter
    for source in find_sources(paths):
        rest = b""
        try:
            with source.opener.open() as stream:
                for piece in iter(partial(stream.read, _PIECE), b""):
                    *lines, rest = (rest + piece).split(b"\n")
                    for line in lines:
                        kept = msgspec.json.decode(line, type=_KeptHand)
                        record = bytes(kept.record)
                        hand = decode_hand(record)
                        yield LogLine(kept.file, kept.line, 0, hand, text=record)
        except SourceError as error:
            raise OSError(error.message) from error


class Reach(Enum):
    """How far what makes one hand may go in logs that are no hand logs."""

    LINE = auto()
    FILE = auto()
    FILES = auto()


def reach_of(name: str) -> Reach:
    """Return how far records go in the logs that are read by a name."""
    if name == KEPT:
        return Reach.FILE
    if settings_of(name) is not None:
        # The rows of a sheet are numbered and carried on from one to the next.
        return Reach.FILES
    by = adapter_named(name).group_by
    if by is None:
        return Reach.LINE
    return Reach.FILES if by.across_files else Reach.FILE


def is_known(name: str) -> bool:
    """Whether logs can be read by this name now."""
    try:
        return settings_of(name) is not None or name in installed()
    except MappingError:
        return False
