"""Blocks of solved hands: files of some thousand hands each, that are never changed.

They lie in the folder of a warehouse or in the storage of a lake. Small ones are put together, so
that many short runs leave as few files as one long run: a block names those whose rows it has taken
over. So whoever finds both, where a run was killed in between, knows which of them counts, and no
hand is ever without its row: the new block is on the disk before anybody forgets the old ones.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from tricklog.ingest.facts import kept
from tricklog.ingest.facts.kept import Kind
from tricklog.ingest.lake.storage import AT_ONCE, Storage
from tricklog.ingest.store import disk
from tricklog.ingest.store.publishing import StorageError

PART: Final = ".part"
FULL: Final = 2_000
"""Hands of a block at the most, however it came to be: memory for a block is bounded by it."""
FEW: Final = 8
"""So many small blocks of a kind stay as they are: to put each into the next would write every hand
again with every run."""
ASKED: Final = "asked"
"""The column of blocks that says how much was asked of a hand, where one run may ask for more."""
_REPLACES: Final = b"replaces"
"""What the metadata of a block call the names of those whose rows it has."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a block says about itself."""

    rows: int
    replaces: frozenset[str] = frozenset()
    """The names of the blocks whose rows it has."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks of this version that a storage has; raises ``OSError`` where that fails."""

    storage: Storage

    def names(self, kind: Kind) -> list[str]:
        """Return the names of the complete blocks, in order."""
        entries = (each.name.rpartition("/")[2] for each in self.storage.list(kind.folder))
        return sorted(filter(kept.is_block, entries))

    def place(self, kind: Kind) -> str:
        """Return where they lie."""
        return self.storage.file_uri(kind.folder)

    def read(self, kind: Kind, name: str) -> bytes | None:
        """Return what a block holds, ``None`` where it is not what was written or is gone."""
        with suppress(FileNotFoundError):
            content = self.storage.read(f"{kind.folder}/{name}")
            if kept.name_of_block(content) == name:
                return content
        return None

    def read_all(self, kind: Kind, names: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
        """Give blocks with what they hold, some of which are read at a time."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for first in range(0, len(names), AT_ONCE):
                some = names[first : first + AT_ONCE]
                contents = pool.map(lambda name: self.read(kind, name), some)
                yield from zip(some, contents, strict=True)

    def write(self, kind: Kind, table: pa.Table) -> str:
        """Write a block, which is there whole or not at all, and return its name."""
        name, content = packed(table)
        self.put(kind.folder, name, content)
        return name

    def put(self, folder: str, name: str, content: bytes) -> None:
        """Write what a block in a folder of the storage holds."""
        if self.storage.is_local:
            write_content(Path(self.storage.path(folder)), name, content)
            return
        # A store has the whole of a file, or nothing.
        with self.storage.open_output(f"{folder}/{name}") as stream:
            stream.write(content)

    def remove(self, kind: Kind, names: Iterable[str]) -> None:
        """Remove blocks; one that is gone already is no trouble."""
        self.storage.delete(f"{kind.folder}/{name}" for name in sorted(names))

    def held(self, kind: Kind) -> dict[str, Held]:
        """Return what the blocks are that are what was written, by name."""
        found = self.read_all(kind, self.names(kind))
        return {name: held_by(content) for name, content in found if content is not None}

    def put_together(self, kind: Kind, found: Mapping[str, Held]) -> Iterator[tuple[str, Held]]:
        """Put small blocks together; give each new one. ``StorageError`` where one has changed."""
        over = replaced(found.values())
        counting = {name: held for name, held in found.items() if name not in over}
        for names in portions(counting):
            tables = [self._table(kind, name) for name in names]
            replaces = {*names, *(found.keys() & replaced(found[name] for name in names))}
            rows = merged(tables, replaces)
            yield self.write(kind, rows), Held(len(rows), frozenset(replaces))

    def _table(self, kind: Kind, name: str) -> pa.Table:
        content = self.read(kind, name)
        if content is None:
            raise StorageError(
                f"{self.place(kind)}/{name} changed while it was read. Nothing is lost: do the "
                "same again."
            )
        return pq.read_table(pa.BufferReader(content))

    def copy_to(self, other: Blocks, kind: Kind) -> set[str]:
        """Have another storage keep what is kept here and sound; return the names of that."""
        copied = set()
        for name, content in self.read_all(kind, self.names(kind)):
            if content is not None:
                other.put(kind.folder, name, content)
                copied.add(name)
        return copied

    def troubles(self) -> Iterator[tuple[str, str, str]]:
        """Give the blocks that are not what was written: the file, a sentence, what to do."""
        for kind in kept.KINDS:
            for name, content in self.read_all(kind, self.names(kind)):
                file = f"{kind.folder}/{name}"
                # A run that ends meanwhile puts blocks together, and removes those it has.
                if content is None and self.storage.exists(file):
                    yield file, kept.CHANGED, kept.AGAIN


def of_folder(db: Path) -> Blocks:
    """Return the blocks in the folder of a warehouse."""
    return Blocks(Storage("file", str(db.absolute())))


def packed(table: pa.Table) -> tuple[str, bytes]:
    """Return the name of a block, and what it holds."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    content = sink.getvalue().to_pybytes()
    return kept.name_of_block(content), content


def write_content(folder: Path, name: str, content: bytes) -> None:
    """Write a block, which gets its name when it is on the disk; raises ``OSError``."""
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f"{secrets.token_hex(8)}{PART}"
    with disk.drafted(folder / name, part):
        part.write_bytes(content)


def clear(folder: Path, older_than: float = 0.0) -> None:
    """Remove what runs that were killed have left behind, written so many seconds ago or more.

    Meant for the one run that solves; where several may, what is younger may be theirs.
    """
    with suppress(OSError):
        for part in folder.glob(f"*{PART}"):
            if time.time() - part.stat().st_mtime >= older_than:
                part.unlink(missing_ok=True)


# --- Putting together


def held_by(content: bytes) -> Held:
    """Return what a block with this content says about itself. Raises ``pa.ArrowException``."""
    found = pq.read_metadata(pa.BufferReader(content))
    names = (found.metadata or {}).get(_REPLACES, b"")
    return Held(found.num_rows, frozenset(names.decode().split()))


def replaced(blocks: Iterable[Held]) -> frozenset[str]:
    """Return the names of all blocks whose rows others have."""
    return frozenset().union(*(each.replaces for each in blocks))


def portions(blocks: Mapping[str, Held]) -> Iterator[list[str]]:
    """Give the names of blocks less than half full, worth being put together, by portion."""
    small = {name: held.rows for name, held in blocks.items() if held.rows < FULL // 2}
    if len(small) <= FEW:
        return
    portion: list[str] = []
    rows = 0
    # The smallest first, so that what has grown is written again last and least.
    for name in sorted(small, key=lambda each: (small[each], each)):
        if rows + small[name] > FULL:
            yield portion
            portion, rows = [], 0
        portion.append(name)
        rows += small[name]
    if len(portion) > 1:
        yield portion


def merged(tables: Sequence[pa.Table], replaces: Collection[str]) -> pa.Table:
    """Return the rows of blocks as one table, each hand once: by the most that was asked of it."""
    table = pa.concat_tables([each.replace_schema_metadata() for each in tables])
    keys = {
        "content": table["content_hash"].combine_chunks().storage,
        "ruleset": table["ruleset"],
        "place": pa.array(range(len(table)), pa.int64()),
    }
    if ASKED in table.column_names:
        keys[ASKED] = table[ASKED]
    order = [("content", "ascending"), ("ruleset", "ascending")]
    order += [(ASKED, "descending")] if ASKED in keys else []
    places = pa.table(keys).sort_by([*order, ("place", "ascending")])
    first = places.group_by(["content", "ruleset"], use_threads=False).aggregate(
        [("place", "first")]
    )
    rows = table.take(first["place_first"])
    names = " ".join(sorted(replaces)).encode()
    return rows.replace_schema_metadata({_REPLACES: names})
