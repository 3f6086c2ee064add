"""Seals: beside each published file stands what it was, for whoever doubts it later.

``games-000042.seal`` holds the size and the digest of ``games-000042.duckdb``, and the logs it was
made from, so that a rebuild knows them even when the snapshot cannot be read. Its second line is
the digest of the first: a seal that was damaged itself says nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

SUFFIX: Final = ".seal"
_SIZE: Final = 16


class Loaded(msgspec.Struct, frozen=True):
    """One load that a snapshot holds: the logs as they were named, and what came of them."""

    paths: list[str]
    accepted: int
    quarantined: int


class Seal(msgspec.Struct, frozen=True):
    """What a file was when it was published."""

    file: str
    bytes: int
    digest: str
    """32 hex digits over all bytes."""
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
    complete: Path, name: str, to: Path, loads: Iterable[Loaded] = (), digest: str = ""
) -> None:
    """Write the seal of a complete file that is to be published as ``name``.

    ``digest``: what ``file_digest`` said of it, where that is known. Raises ``OSError`` when a file
    cannot be read or written.
    """
    digest = digest or file_digest(complete)
    seal = Seal(name, complete.stat().st_size, digest, list(loads))
    to.write_bytes(with_digest(msgspec.json.encode(seal)))


def read(path: Path) -> Seal | None:
    """Return the seal of a published file, ``None`` when it has none that can be trusted.

    Raises ``OSError`` when there is one that cannot be read just now.
    """
    try:
        line = without_digest(seal_of(path).read_bytes())
    except (FileNotFoundError, IsADirectoryError, ValueError):
        return None
    seal = msgspec.json.decode(line, type=Seal)
    return seal if seal.file == path.name else None


def difference(path: Path, seal: Seal | None) -> str:
    """Return in what a file differs from a seal, nothing when it does not; reads the whole file.

    Raises ``OSError`` when it cannot be read.
    """
    if seal is None:
        return ""
    size = path.stat().st_size
    if size != seal.bytes:
        return f"it has {size:,} bytes, and had {seal.bytes:,} when it was published"
    same = file_digest(path) == seal.digest
    return "" if same else "its bytes are not those that were published"


@contextmanager
def compared(path: Path) -> Iterator[Callable[[], str]]:
    """Compare a file with its own seal on a thread; give what returns its ``difference``."""
    with ThreadPoolExecutor(1) as aside:
        yield aside.submit(difference, path, read(path)).result


def file_digest(path: Path) -> str:
    """Return the digest of a file for its seal. Raises ``OSError`` when it cannot be read."""
    with path.open("rb") as file:
        # Processors compute this one by themselves, in half the time that others take.
        return hashlib.file_digest(file, "sha256").hexdigest()[: 2 * _SIZE]
