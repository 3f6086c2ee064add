"""Finding a file again that is not where it was: renamed, copied away or packed by a rotation."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from tricklog.ingest.following.marks import Identity, Mark
from tricklog.ingest.following.tails import HEAD, Tail, digest, identity_of, is_file
from tricklog.ingest.reading.sources import LocalPath, Source, SourceError, is_plain, read_pieces


def rest_of(mark: Mark, path: Path, known: Collection[Identity]) -> Tail | None:
    """Return where the lines are now that follow a mark of the log that was at ``path``.

    It is looked for in the same folder, under names that begin alike, and known by its beginning.
    Files that are ``known`` are passed over. An archive is read whole: what it repeats is known.
    """
    if not mark.head_bytes or mark.is_whole:
        return None
    for entry in _beside(path):
        with suppress(OSError):
            status = entry.stat()
            identity = identity_of(status)
            if not is_file(status) or identity in known:
                continue
            source = Source(mark.file, LocalPath(Path(entry.path)))
            if not fits(mark, head_of(source)):
                continue
            is_whole = not is_plain(source)
            if is_whole or status.st_size >= mark.byte:
                tail = Tail(Path(entry.path), mark.file, identity, is_whole=is_whole)
                tail.take_up(None if is_whole else mark)
                return tail
    return None


def _beside(path: Path) -> Iterator[os.DirEntry[str]]:
    """Give the files beside a log whose names begin as its own does, the latest first."""
    begins = path.name.partition(".")[0] or path.name
    try:
        entries = [each for each in os.scandir(path.parent) if each.name.startswith(begins)]
    except OSError:
        return
    with suppress(OSError):
        entries.sort(key=lambda each: each.stat().st_mtime_ns, reverse=True)
    yield from entries


def head_of(source: Source) -> bytes:
    """Return the beginning of the text of a source, unpacked; nothing where it cannot be read."""
    head = b""
    try:
        for _, piece in read_pieces(source):
            head += piece[: HEAD - len(head)]
            if len(head) >= HEAD:
                break
    except SourceError:
        return b""
    return head


def fits(mark: Mark, head: bytes) -> bool:
    """Whether a text that begins with ``head`` begins as that of a mark."""
    if not 0 < mark.head_bytes <= len(head):
        return False
    return digest(head[: mark.head_bytes]) == mark.head
