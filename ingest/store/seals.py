"""Seals: beside each published file stands what it was, for whoever doubts it later.

``games-000042.seal`` holds the size of ``games-000042.duckdb``, the digests of its pieces, and the
logs it was made from, so that a rebuild knows them even when the snapshot cannot be read. Its
second line is the digest of the first: a seal that was damaged itself says nothing.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Final

import msgspec

SUFFIX: Final = ".seal"
PIECE: Final = 1 << 20
"""Bytes of a file that have a digest of their own."""
_SIZE: Final = 16
_THREADS: Final = 2
_AT_ONCE: Final = 1 << 17
"""Bytes that are read at a time: memory for many more is asked of the system each time."""


class Loaded(msgspec.Struct, frozen=True):
    """One load that a snapshot holds: the logs as they were named, and what came of them."""

    paths: list[str]
    accepted: int
    quarantined: int


class Seal(msgspec.Struct, frozen=True):
    """What a file was when it was published."""

    file: str
    bytes: int
    digest: str = ""
    """32 hex digits over all bytes, of a seal without pieces, as earlier versions wrote them."""
    pieces: list[str] = []
    """The same over each ``PIECE`` of its bytes."""
    loads: list[Loaded] = []
    """In the order of loading; empty for facts."""


def seal_of(path: Path) -> Path:
    """Return where the seal of a published file stands."""
    return path.with_suffix(SUFFIX)


def digest_of(data: bytes) -> str:
    """Return the 32 hex digits that stand for ``data``."""
    return hashlib.blake2b(data, digest_size=_SIZE).hexdigest()


def with_digest(line: bytes) -> bytes:
    """Return a line and, below it, its digest."""
    return line + b"\n" + digest_of(line).encode() + b"\n"


def without_digest(content: bytes) -> bytes:
    """Return a line that has its digest below it. Raises ``ValueError`` where that is another."""
    line, digest, rest = content.split(b"\n")
    if rest or digest_of(line).encode() != digest:
        raise ValueError("its bytes are others than written")
    return line


def write(
    complete: Path,
    name: str,
    to: Path,
    loads: Iterable[Loaded] = (),
    pieces: Sequence[str] | None = None,
) -> None:
    """Write the seal of a complete file that is to be published as ``name``.

    ``pieces``: what ``digests`` said of it, where that is known. Raises ``OSError`` when a file
    cannot be read or written.
    """
    pieces = digests(complete) if pieces is None else pieces
    seal = Seal(name, complete.stat().st_size, pieces=list(pieces), loads=list(loads))
    to.write_bytes(with_digest(msgspec.json.encode(seal)))


def read(path: Path) -> Seal | None:
    """Return the seal of a published file, ``None`` without one to trust; raises ``OSError``."""
    try:
        line = without_digest(seal_of(path).read_bytes())
    except (FileNotFoundError, IsADirectoryError, ValueError):
        return None
    seal = msgspec.json.decode(line, type=Seal)
    return seal if seal.file == path.name else None


def difference(path: Path, seal: Seal | None, copied: Sequence[str] = ()) -> str:
    """Return in what a file differs from a seal, nothing when it does not.

    Reads the whole file, but for the pieces of which a copy has the right bytes: ``copied`` are the
    digests of one, whatever became of it since. Raises ``OSError`` when it cannot be read.
    """
    if seal is None:
        return ""
    size = path.stat().st_size
    if size != seal.bytes:
        return f"it has {size:,} bytes, and had {seal.bytes:,} when it was published"
    if seal.digest:
        same = _digest(path) == seal.digest
    else:
        here = zip_longest(seal.pieces, copied[: len(seal.pieces)])
        left = {number: sealed for number, (sealed, other) in enumerate(here) if sealed != other}
        same = digests(path, left) == [*left.values()]
    return "" if same else "its bytes are not those that were published"


def damage(path: Path) -> str:
    """Return in what a file differs from its seal, as ``difference`` does; "" without a file."""
    return difference(path, read(path)) if path.exists() else ""


def digests(path: Path, numbers: Iterable[int] | None = None) -> list[str]:
    """Return the digest of each piece of a file, or of those with some numbers; or ``OSError``."""
    if numbers is None:
        numbers = range(-(-path.stat().st_size // PIECE))
    with path.open("rb") as file, ThreadPoolExecutor(_THREADS) as threads:
        return list(threads.map(partial(_digest_of_piece, file.fileno()), numbers))


def _digest_of_piece(descriptor: int, number: int) -> str:
    # Processors compute this one by themselves, in half the time that others take.
    digest = hashlib.sha256()
    for place in range(number * PIECE, (number + 1) * PIECE, _AT_ONCE):
        digest.update(os.pread(descriptor, _AT_ONCE, place))
    return digest.hexdigest()[: 2 * _SIZE]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[: 2 * _SIZE]
