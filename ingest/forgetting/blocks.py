"""What was found out about hands: it is kept for their new records, and gone for the old ones.

A block names hands by the hashes of their records. With the rest of a record anybody could try
names until its hash is met, so the hashes of old records go as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from tricklog.ingest.facts import kept
from tricklog.ingest.facts.kept import Listed
from tricklog.ingest.study import blocks

_HASH: Final = "content_hash"


def rewrite(db: Path, hashes: Mapping[str, str]) -> dict[str, str]:
    """Write blocks with new hashes in the place of old ones beside those that have the old.

    ``hashes``: the hash of the new record by that of the old one. Both kinds count from then on.
    Returns the name of the new block by that of the old one. Raises ``OSError``.
    """
    renamed: dict[str, str] = {}
    for block in _all_blocks(db):
        table = pq.read_table(block)
        changed = with_hashes(table, hashes)
        if changed is not None:
            name, content = blocks.packed(changed)
            blocks.write_content(block.parent, name, content)
            renamed[block.name] = name
    listed = kept.stored_list(db)
    if listed and renamed:
        both = {
            digest: sorted({*names, *(renamed[name] for name in names if name in renamed)})
            for digest, names in listed.blocks.items()
        }
        kept.put_on_list(db, Listed(both))
    return renamed


def remove_old(db: Path, renamed: Mapping[str, str]) -> int:
    """Remove the blocks that others have taken the place of; return how many there were.

    Raises ``OSError``.
    """
    listed = kept.stored_list(db)
    if listed and renamed:
        left = {
            digest: [name for name in names if name not in renamed]
            for digest, names in listed.blocks.items()
        }
        kept.put_on_list(db, Listed(left))
    removed = 0
    for block in _all_blocks(db):
        if block.name in renamed and renamed[block.name] != block.name:
            block.unlink()
            removed += 1
    return removed


def clear_drafts(db: Path) -> None:
    """Remove what runs that were killed have left among the blocks."""
    for folder in _folders(db):
        blocks.clear(folder)
    for draft in (db / kept.FOLDER).glob("*.draft"):
        draft.unlink()


def _folders(db: Path) -> Iterator[Path]:
    """Return the folders of blocks, those of other versions as well."""
    yield from (path for path in sorted((db / kept.FOLDER).glob("*")) if path.is_dir())


def _all_blocks(db: Path) -> list[Path]:
    return [block for folder in _folders(db) for block in sorted(folder.glob(kept.BLOCK))]


def with_hashes(table: pa.Table, hashes: Mapping[str, str]) -> pa.Table | None:
    """Return a table of hands with other hashes; ``None`` where none of them is another."""
    if _HASH not in table.column_names:
        return None
    column = table[_HASH].combine_chunks()
    storage = column.storage if isinstance(column, pa.ExtensionArray) else column
    old = [value.hex() for value in storage.to_pylist()]
    new = [hashes.get(value, value) for value in old]
    if new == old:
        return None
    stored = pa.array([bytes.fromhex(value) for value in new], storage.type)
    changed = (
        pa.ExtensionArray.from_storage(column.type, stored) if storage is not column else stored
    )
    place = table.schema.get_field_index(_HASH)
    return table.set_column(place, table.schema.field(place), changed)
