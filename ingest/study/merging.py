"""Putting small blocks together, so that many short runs leave as few files as one long run.

A block names those whose rows it has taken over. So whoever finds both, where a run was killed
in between, knows which of them counts, and no hand is ever without its row: the new block is on
the disk before anybody forgets the old ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from tricklog.ingest.study.homes import ASKED

FULL: Final = 2_000
"""Hands of a block at the most, however it came to be: memory for a block is bounded by it."""
FEW: Final = 8
"""So many small blocks of a kind stay as they are: to put each into the next would write every hand
again with every run."""
_REPLACES: Final = b"replaces"
"""What the metadata of a block call the names of those whose rows it has."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a block says about itself."""

    rows: int
    replaces: frozenset[str] = frozenset()
    """The names of the blocks whose rows it has."""


def held_by(content: bytes) -> Held:
    """Return what a block with this content says about itself. Raises ``pa.ArrowException``."""
    found = pq.read_metadata(pa.BufferReader(content))
    names = (found.metadata or {}).get(_REPLACES, b"")
    return Held(found.num_rows, frozenset(names.decode().split()))


def replaced(blocks: Iterable[Held]) -> frozenset[str]:
    """Return the names of all blocks whose rows others have."""
    return frozenset().union(*(each.replaces for each in blocks))


def portions(blocks: Mapping[str, Held]) -> Iterator[list[str]]:
    """Give the names of small blocks that are worth being put together, by portion.

    ``blocks`` are those that count. A block is small that is less than half full.
    """
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
