"""What was found out about hands: it is kept for their new records, and gone for the old ones.

A block names hands by the hashes of their records. With the rest of a record anybody could try
names until its hash is met, so the hashes of old records go as well.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from tricklog.ingest.facts import kept
from tricklog.ingest.facts.kept import Listed
from tricklog.ingest.study import blocks
from tricklog.ingest.study.blocks import Blocks

_HASH: Final = "content_hash"


def rewrite(found: Blocks, hashes: Mapping[str, str]) -> dict[str, str]:
    """Write blocks with new hashes in the place of old ones beside those that have the old.

    ``hashes``: the hash of the new record by that of the old one. Blocks of other versions become
    others as well. Returns the name of the new block by the place of the old one in the storage.
    Raises ``OSError``.
    """
    renamed: dict[str, str] = {}
    for entry in list(found.storage.list(kept.FOLDER)):
        folder, _, name = entry.name.rpartition("/")
        if not kept.is_block(name):
            continue
        table = pq.read_table(pa.BufferReader(found.storage.read(entry.name)))
        if _HASH not in table.column_names:
            continue
        field = table.schema.field(_HASH)
        old = [value.hex() for value in table[_HASH].cast(pa.binary(16)).to_pylist()]
        new = [hashes.get(value, value) for value in old]
        if new != old:
            column = pa.array(map(bytes.fromhex, new), field.type)
            changed = table.set_column(table.column_names.index(_HASH), field, column)
            renamed[entry.name], content = blocks.packed(changed)
            found.put(folder, renamed[entry.name], content)
    return renamed


def put_on_list(db: Path, renamed: Mapping[str, str], *, without: Collection[str] = ()) -> None:
    """Have new blocks count in a folder, beside the old ones or ``without`` these.

    Both are said as ``rewrite`` gives them. Raises ``OSError``.
    """
    try:
        listed = kept.read_list(db)
    except ValueError:
        # Without a list that can be trusted all blocks count.
        return
    if listed and renamed:
        new = {place.rpartition("/")[2]: name for place, name in renamed.items()}
        gone = {place.rpartition("/")[2] for place in without}
        counting = {
            digest: sorted({*names, *(new[name] for name in names if name in new)} - gone)
            for digest, names in listed.blocks.items()
        }
        kept.put_on_list(db, Listed(counting))


def clear_drafts(db: Path) -> None:
    """Remove what runs that were killed have left among the blocks, those of other versions too."""
    for folder in (db / kept.FOLDER).glob("*"):
        blocks.clear(folder)
    for draft in (db / kept.FOLDER).glob("*.draft"):
        draft.unlink()
