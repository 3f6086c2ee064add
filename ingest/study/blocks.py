"""Blocks of solved hands: files of some thousand hands each, that are never changed."""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.facts import solved
from ingest.store import publishing

_PART: Final = ".part"
_DECISION: Final[dict[str, pa.DataType]] = {
    "action": pa.int16(),
    "seat": pa.int8(),
    "trick": pa.int8(),
    "turn": pa.int8(),
    "kind": pa.int8(),
    "cards": pa.int64(),
    "showed": pa.bool_(),
    "by_makers": pa.bool_(),
    "before": pa.int16(),
    "after": pa.int16(),
    "loss": pa.int16(),
    "score_loss": pa.int32(),
    "choice_count": pa.uint8(),
    "loss_kind": pa.int8(),
}
SCHEMA: Final = pa.schema(
    {
        "content_hash": pa.uuid(),
        "ruleset": pa.string(),
        "status": pa.string(),
        "reason": pa.string(),
        "unit": pa.string(),
        "need": pa.int16(),
        "par_low": pa.int16(),
        "par_high": pa.int16(),
        "outcome": pa.int16(),
        "made_open": pa.bool_(),
        "losses_makers": pa.int16(),
        "losses_others": pa.int16(),
        "score_par": pa.int32(),
        "score_outcome": pa.int32(),
        "no_score": pa.string(),
        "decisions": pa.uint8(),
        "choices": pa.uint8(),
        **{name: pa.list_(kind) for name, kind in _DECISION.items()},
    }
)
"""A row is a hand; each list has an entry for every decision. Words are those of ``solved.sql``;
cards are a set as in ``schemas.cards``, kinds are numbers of ``facts.solved``."""
DECISION: Final = tuple(_DECISION)


def write(db: Path, table: pa.Table) -> str:
    """Write a block, which gets its name when it is complete and on the disk; return the name.

    Raises ``OSError`` when it cannot be written.
    """
    folder = solved.blocks_folder(db)
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f"{secrets.token_hex(8)}{_PART}"
    try:
        pq.write_table(table, part, compression="zstd")
        name = solved.name_of_block(part.read_bytes())
        publishing.flush(part)
        part.replace(folder / name)
        publishing.flush(folder)
    finally:
        part.unlink(missing_ok=True)
    return name


def clear(db: Path) -> None:
    """Remove what runs that were killed have left behind. Meant for the one run that solves."""
    with suppress(OSError):
        for part in solved.blocks_folder(db).glob(f"*{_PART}"):
            part.unlink(missing_ok=True)


def sound(db: Path) -> list[Path]:
    """Return the blocks that are what was written. Others go: their hands are solved once more."""
    found = []
    for path in solved.blocks_in(db):
        with suppress(OSError):
            if solved.is_whole(path):
                found.append(path)
            else:
                path.unlink()
    return found
