"""What is followed: logs by name and all logs of folders, also when renamed, cut or packed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from tricklog.ingest.following.marks import Identity, Mark
from tricklog.ingest.following.tails import HEAD, Portion, Tail, digest, identity_of, is_file
from tricklog.ingest.reading.sources import (
    LocalPath,
    Source,
    SourceError,
    find_sources,
    is_plain,
    read_pieces,
)

SCAN: Final = 1.0
"""Seconds between two looks into the folders."""
GRACE: Final = 30.0
"""Seconds for which the end of a file is still read after it has lost its name, or last grew."""
MOST: Final = 1 << 28
"""Bytes of lines that are taken together."""
MOST_FILES: Final = 200
"""Files of which lines are taken together; each is held open meanwhile."""

OnNote = Callable[[str], None]


class Watch:
    """The followed files, and how far each of them was taken."""

    def __init__(self, paths: Sequence[str], note: OnNote) -> None:
        self._paths = [Path(path) for path in paths]
        self._note = note
        self._tails: dict[Identity, Tail] = {}
        self._marks: dict[Identity, Mark] = {}
        """Those of files that have not been seen yet."""
        self._sought: set[Identity] = set()
        """Files that were looked for elsewhere, once."""
        self._folders: dict[Path, list[Path]] = {}
        self._scanned = float("-inf")
        self._missing: set[Path] = set()

    def __len__(self) -> int:
        return len(self._tails)

    @property
    def waiting(self) -> int:
        """How many bytes are there that were not taken, complete lines or not."""
        return sum(tail.waiting for tail in self._tails.values())

    def marks(self) -> Iterator[Mark]:
        """Give how far each file was taken of which anything was."""
        return (tail.mark() for tail in self._tails.values() if tail.byte)

    def unfinished(self) -> list[Tail]:
        """Return the files that have more than was taken, such as a line that is not complete."""
        return [tail for tail in self._tails.values() if tail.waiting]

    def close(self) -> None:
        """Let go of all files."""
        for tail in self._tails.values():
            tail.close()

    def go_on_from(self, marks: Mapping[Identity, Mark]) -> None:
        """Take up what was published; whatever was taken since is taken again."""
        self._marks = {
            identity: mark for identity, mark in marks.items() if identity not in self._tails
        }
        for identity, tail in self._tails.items():
            tail.take_up(marks.get(identity))

    # --- Looking

    def look(self) -> None:
        """See what has become of the files: new ones, longer ones, renamed and cut ones."""
        here = dict(self._found())
        for identity, path in here.items():
            tail = self._tails.get(identity)
            if tail is None:
                self._begin(identity, path, here)
            else:
                tail.path, tail.left_at = path, None
        for identity, tail in list(self._tails.items()):
            if identity not in here and tail.left_at is None:
                tail.left_at = time.monotonic()
            if not tail.look():
                # It does not begin as it did, or is shorter.
                mark = tail.mark()
                self._note(f"{tail.name} begins again: it was cut or written over.")
                tail.take_up(None)
                self._go_on_elsewhere(mark, tail.path)
        for identity, mark in list(self._marks.items()):
            # Others have lost their name while nobody followed them.
            if identity not in here and identity not in self._sought:
                self._sought.add(identity)
                self._go_on_elsewhere(mark, Path(mark.file))

    def _found(self) -> Iterator[tuple[Identity, Path]]:
        """Give the files that are there now, in the order in which they were named."""
        is_due = time.monotonic() - self._scanned >= SCAN
        if is_due:
            self._scanned = time.monotonic()
        for path in self._paths:
            if path.is_dir():
                if is_due or path not in self._folders:
                    # Archives that are not read are no logs here.
                    found = [each.path for each in find_sources([path])]
                    self._folders[path] = [each for each in found if each and each != path]
                logs = self._folders[path]
            else:
                logs = [path]
            for log in logs:
                try:
                    status = log.stat()
                except OSError as error:
                    if log in self._paths and log not in self._missing:
                        self._note(f"{log} cannot be read yet: {error.strerror}. It is waited for.")
                        self._missing.add(log)
                    continue
                self._missing.discard(log)
                if is_file(status):
                    yield identity_of(status), log

    def _begin(self, identity: Identity, path: Path, here: Mapping[Identity, Path]) -> None:
        """Begin to follow a file, from where it was left when it is known."""
        source = Source(str(path), LocalPath(path))
        head = _head_of(source)
        tail = Tail(path, source.name, identity, is_whole=not is_plain(source))
        mark = self._marks.get(identity)
        if mark is not None and not _is_of(mark, tail, source, head):
            self._go_on_elsewhere(self._marks.pop(identity), path)
            mark = None
        if not head:
            # Whether it is an archive, and whether it is known, shows when something is in it.
            return
        if mark is None:
            # It may continue a file that itself is gone.
            gone = (each for identity, each in self._marks.items() if identity not in here)
            mark = next((each for each in gone if _is_of(each, tail, source, head)), None)
        if mark is not None:
            self._marks.pop(mark.identity, None)
            tail.name = mark.file
            tail.take_up(mark)
        self._tails[identity] = tail

    def _go_on_elsewhere(self, mark: Mark, path: Path) -> None:
        """Follow the rest of what a file was before it was cut, renamed or packed."""
        rest = _rest_of(mark, path, self._tails.keys())
        if rest is None:
            return
        rest.left_at = time.monotonic()
        rest.look()
        if rest.waiting:
            self._note(f"The rest of {mark.file} is in {rest.path}.")
        self._tails[rest.identity] = rest

    # --- Taking

    def portions(self) -> list[Portion]:
        """Return what is to be taken next; of files that have lost their name, first."""
        room = MOST
        found: list[Portion] = []
        for tail in sorted(self._tails.values(), key=lambda each: each.left_at is None):
            if room <= 0 or len(found) >= MOST_FILES:
                break
            portion = tail.portion(room, is_last=self._is_over(tail))
            if portion is not None:
                found.append(portion)
                room -= portion.end - portion.start
        return found

    def took(self, portions: Sequence[Portion]) -> None:
        """Note that portions were taken, and let go of what is over."""
        for portion in portions:
            portion.tail.took(portion)
        for identity, tail in list(self._tails.items()):
            if self._is_over(tail) and not tail.waiting:
                tail.close()
                del self._tails[identity]
            else:
                tail.relax()

    @staticmethod
    def _is_over(tail: Tail) -> bool:
        """Whether nobody writes any more to a file that has lost its name."""
        if tail.left_at is None:
            return False
        return min(time.monotonic() - tail.left_at, tail.quiet_for()) >= GRACE


def _is_of(mark: Mark, tail: Tail, source: Source, head: bytes) -> bool:
    if mark.is_whole or tail.is_whole:
        return mark.is_whole == tail.is_whole and mark.identity == tail.identity
    return (source.size or 0) >= mark.byte and _fits(mark, head)


def is_followable(path: str) -> bool:
    """Whether lines can be followed at what is named; a pipe, or an object store, has no place."""
    return not (path == "-" or "://" in path)


# --- Files that are not where they were: renamed, copied away or packed by a rotation


def _rest_of(mark: Mark, path: Path, known: Collection[Identity]) -> Tail | None:
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
            if not _fits(mark, _head_of(source)):
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


def _head_of(source: Source) -> bytes:
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


def _fits(mark: Mark, head: bytes) -> bool:
    size = mark.head_bytes
    return 0 < size <= len(head) and digest(head[:size]) == mark.head
