"""How the logs of a load are cut: into portions, which are published one by one, and into parts.

A task reads a part: small logs together, or a range of a large one.
"""

from __future__ import annotations

import hashlib
import sys
import uuid
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from tricklog.core.native.sources import digest_of_all
from tricklog.ingest.lake.plan import BUCKETS
from tricklog.ingest.lake.storage import in_lots
from tricklog.ingest.loading.foreign import Reach, reach_of
from tricklog.ingest.loading.storing import tricklog_version
from tricklog.ingest.reading.object_stores import StoredObject
from tricklog.ingest.reading.shapes import READ_ARCHIVES
from tricklog.ingest.reading.sources import LocalPath, Source, split
from tricklog.ingest.store.warehouse import WarehouseError

RANGE: Final = 1 << 27
"""Bytes of a log that one task reads, at most, where a log can be read in ranges."""
TOGETHER: Final = 1 << 25
"""Bytes of small logs that one task reads one after the other, about."""
BUCKET: Final = 1 << 28
"""Bytes of logs whose hands are in one bucket, about: a quarter of a million hands."""
WORTH_SHARING: Final = 1 << 22
"""Bytes of logs from which on it pays to share them among tasks."""
EXPANSION: Final = 8
"""How far a compressed log expands, about."""
PORTION: Final = 1 << 34
"""Bytes of logs that are published together, about: what parts and buckets say of each other grows
with the square of it."""

_MOST: Final = 1 << 15
"""Parts times buckets of a portion, at most: every task knows of each what lies where."""

Cut = tuple[int | None, tuple[Source, ...]]
"""A part: its logs, or a range of one with the number of its log."""


@dataclass(frozen=True, slots=True)
class Portion:
    """Logs that are loaded and published together."""

    size: int
    """Bytes of text, about."""
    buckets: int
    cuts: tuple[Cut, ...]
    reader: str | None = None
    """The name of what reads the logs, where they are another program's."""

    @property
    def names(self) -> list[str]:
        """The logs, as they are called."""
        return list(dict.fromkeys(each.name for _, sources in self.cuts for each in sources))

    @property
    def key(self) -> str:
        """What names the work on these logs: the same logs, read alike."""
        told = [tricklog_version(), digest_of_all(), str(self.buckets)]
        if self.reader is not None:
            # What an adapter makes of a log may change without anything of ours.
            told += [self.reader, uuid.uuid4().hex]
        for log, sources in self.cuts:
            told.append(str(log))
            told += [f"{each.name} {each.start} {each.end} {_state_of(each)}" for each in sources]
        if any(source.may_be_endless for _, sources in self.cuts for source in sources):
            # What comes through a pipe comes once.
            told.append(uuid.uuid4().hex)
        return hashlib.sha256("\n".join(told).encode("utf-8", "surrogateescape")).hexdigest()[:24]


def portions(
    sources: Iterable[Source],
    slots: int,
    *,
    range_size: int,
    together: int,
    buckets: int | None,
    reader: str | None = None,
) -> Iterator[Portion]:
    """Cut logs into portions of ``together`` bytes of text at most, or of one log.

    ``slots`` is how many tasks are done at a time, ``range_size`` how many bytes one of them reads
    at most, and ``buckets`` into how many parts ids and games are divided, unless that is ``None``.
    Where a ``reader`` of other logs puts records together from several lines, one task reads a log
    whole, and all logs where records go over the ends of files.

    Raises ``WarehouseError`` for one log that is far larger than a portion.
    """
    reach = Reach.LINE if reader is None else reach_of(reader)
    logs = list(map(_absolute, sources))
    if reach is Reach.FILES:
        size = sum(map(_expanded_size, logs))
        yield _portion(((None, tuple(logs)),), size, slots, buckets, reader)
        return
    whole = sys.maxsize if reach is Reach.FILE else range_size

    def portion(sources: list[Source], size: int) -> Portion:
        cuts = tuple(_cut(sources, whole, _together(size, slots)))
        return _portion(cuts, size, slots, buckets, reader)

    weighed = [(each, _expanded_size(each)) for each in logs]
    for some, size in list(in_lots(weighed, together)) or [([], 0)]:
        yield portion(some, size)


def _portion(
    cuts: tuple[Cut, ...], size: int, slots: int, buckets: int | None, reader: str | None
) -> Portion:
    most = min(BUCKETS, max(1, _MOST // max(1, len(cuts))))
    needed = 1 + size // BUCKET
    if max(needed, buckets or 0) > most:
        raise WarehouseError(
            f"{cuts[0][1][0].name} is too large to be loaded at once: it has {size >> 30} GiB. "
            f"Divide it into logs of {PORTION >> 30} GiB or less, at the end of a line."
        )
    shared = min(slots, 1 + size // WORTH_SHARING, most)
    return Portion(size, buckets or max(needed, shared), cuts, reader)


def _absolute(source: Source) -> Source:
    """Return a source by a path that another process finds, too; it is called as before."""
    opener = source.opener
    if isinstance(opener, LocalPath):
        return replace(source, opener=replace(opener, path=opener.path.absolute()))
    return source


def _expanded_size(source: Source) -> int:
    """Return how many bytes of text a log holds, about."""
    return (source.size or 0) * (EXPANSION if source.name.endswith(READ_ARCHIVES) else 1)


def _together(size: int, slots: int) -> int:
    """Return how many bytes of small logs go into one part: so that all slots have some."""
    return min(TOGETHER, max(WORTH_SHARING, size // (2 * slots)))


def _cut(sources: Iterable[Source], range_size: int, together: int) -> Iterator[Cut]:
    """Cut logs into parts: small ones together, large ones in ranges with the number of the log."""

    def weight(source: Source) -> int:
        size = source.size or 0
        return together + 1 if source.is_pipe or size > range_size else size

    logs = [((log, each), weight(each)) for log, each in enumerate(sources)]
    for some, _ in in_lots(logs, together):
        (log, first), *more = some
        ranges = [first] if more or first.is_pipe else split(first, range_size)
        if len(ranges) > 1:
            yield from ((log, (each,)) for each in ranges)
        else:
            yield None, tuple(each for _, each in some)


def _state_of(source: Source) -> str:
    """Return what changes when a log does."""
    changed = ""
    if isinstance(source.opener, StoredObject):
        changed = source.opener.changed
    if source.path:
        with suppress(OSError, ValueError):
            changed = str(source.path.stat().st_mtime_ns)
    return f"{source.opener.size} {changed}"
