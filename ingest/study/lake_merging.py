"""Putting the small blocks of a lake together, when it is tidied.

Blocks are for runs that solve and for what publishes tables; who reads the lake never opens one.
So the old ones go as soon as the new one is there. A run that was about to read one of them finds
it gone, looks once more, and finds the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pyarrow.parquet as pq

from tricklog.ingest.facts import kept
from tricklog.ingest.facts.kept import Kind
from tricklog.ingest.lake.publish import LEASE, Begun, Lake, in_words
from tricklog.ingest.lake.storage import AT_ONCE, Storage
from tricklog.ingest.lake.upkeep import TIDYING, Held
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.study import blocks, lake_blocks, merging


def merge_blocks(
    storage: Storage, *, dry_run: bool = False, take_over: bool = False, lease: float = LEASE
) -> tuple[Held, Held]:
    """Put small blocks together; return what all blocks of this version had, and have now.

    With ``dry_run`` nothing is done, and the second number is what it would come to, with the
    old size. Raises ``WarehouseError`` as ``Lake.begin`` does, and where the store fails.
    """
    lake = Lake(storage)
    with in_words(storage):
        before = _held(storage)
        if dry_run:
            return before, Held(before.files - _fewer(storage), before.size)
        if before.files and _fewer(storage):
            with lake.begin(TIDYING, lease, take_over=take_over) as begun:
                for kind in kept.KINDS:
                    _merge(storage, begun, kind)
        return before, _held(storage)


def _held(storage: Storage) -> Held:
    entries = [
        entry
        for kind in kept.KINDS
        for entry in storage.list(kind.folder)
        if kept.is_block(entry.name.rpartition("/")[2])
    ]
    return Held(len(entries), sum(entry.size for entry in entries))


def _fewer(storage: Storage) -> int:
    """How many blocks fewer there would be."""
    fewer = 0
    for kind in kept.KINDS:
        found = _sound(storage, kind)
        over = found.keys() & merging.replaced(found.values())
        counting = {name: held for name, held in found.items() if name not in over}
        fewer += len(over) + sum(len(names) - 1 for names in merging.portions(counting))
    return fewer


def _sound(storage: Storage, kind: Kind) -> dict[str, merging.Held]:
    """Return the blocks that are what was written; others are left to the next run that solves."""

    def read(name: str) -> tuple[str, merging.Held | None]:
        content = lake_blocks.read_block(storage, kind, name)
        return name, None if content is None else merging.held_by(content)

    names = lake_blocks.names_in(storage, kind)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return {name: held for name, held in pool.map(read, names) if held is not None}


def _merge(storage: Storage, begun: Begun, kind: Kind) -> None:
    found = _sound(storage, kind)
    over = found.keys() & merging.replaced(found.values())
    _remove(storage, kind, over)
    counting = {name: held for name, held in found.items() if name not in over}
    for names in merging.portions(counting):
        begun.check()
        tables = list(_tables(storage, kind, names))
        name, content = blocks.packed(merging.merged(tables, names))
        lake_blocks.write_block(storage, kind, name, content)
        _remove(storage, kind, names)


def _tables(storage: Storage, kind: Kind, names: list[str]) -> Iterator[pa.Table]:
    for name in names:
        content = lake_blocks.read_block(storage, kind, name)
        if content is None:
            raise StorageError(
                f"{storage} {kind.folder}/{name} changed while it was read. Nothing is lost: do "
                "the same again."
            )
        yield pq.read_table(pa.BufferReader(content))


def _remove(storage: Storage, kind: Kind, names: Iterable[str]) -> None:
    for name in sorted(names):
        storage.delete([f"{kind.folder}/{name}"])
