"""Blocks of solved hands in the storage of a lake."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from tricklog.ingest.facts import kept
from tricklog.ingest.facts.kept import Kind
from tricklog.ingest.lake.publish import in_words
from tricklog.ingest.lake.storage import AT_ONCE, Storage
from tricklog.ingest.study import blocks


def names_in(storage: Storage, kind: Kind) -> list[str]:
    """Return the names of the blocks of this version, in order."""
    entries = (entry.name.rpartition("/")[2] for entry in storage.list(kind.folder))
    return sorted(filter(kept.is_block, entries))


def read_block(storage: Storage, kind: Kind, name: str) -> bytes | None:
    """Return what a block holds, ``None`` where it is not what was written or is gone.

    Raises ``OSError`` when the store fails.
    """
    with suppress(FileNotFoundError):
        content = storage.read(f"{kind.folder}/{name}")
        if kept.name_of_block(content) == name:
            return content
    return None


def write_block(storage: Storage, kind: Kind, name: str, content: bytes) -> None:
    """Write a block, which is there whole or not at all. Raises ``OSError`` when that fails."""
    if storage.is_local:
        blocks.write_content(Path(storage.path(kind.folder)), name, content)
        return
    # A store has the whole of a file, or nothing.
    with storage.open_output(f"{kind.folder}/{name}") as stream:
        stream.write(content)


def copy_blocks(source: Storage, target: Storage) -> None:
    """Have another lake keep what is kept here: sound blocks of this version.

    Raises ``WarehouseError`` when a store fails.
    """

    def copy(block: tuple[Kind, str]) -> None:
        content = read_block(source, *block)
        if content is not None:
            write_block(target, *block, content)

    with in_words(source), ThreadPoolExecutor(AT_ONCE) as pool:
        found = [(kind, name) for kind in kept.KINDS for name in names_in(source, kind)]
        for _ in pool.map(copy, found):
            pass


def troubles(storage: Storage) -> Iterator[tuple[str, str, str]]:
    """Give the blocks that are not what was written: the file, a sentence, what to do.

    Raises ``WarehouseError`` when the store fails.
    """
    for kind in kept.KINDS:
        with in_words(storage), ThreadPoolExecutor(AT_ONCE) as pool:
            names = names_in(storage, kind)
            found = pool.map(lambda name, of=kind: read_block(storage, of, name), names)
            for name, content in zip(names, found, strict=True):
                if content is None:
                    yield f"{kind.folder}/{name}", kept.CHANGED, kept.AGAIN
