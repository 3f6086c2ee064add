"""Blocks of solved hands: files of some thousand hands each, that are never changed."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from tricklog.ingest.facts import kept
from tricklog.ingest.store import disk
from tricklog.ingest.study import merging
from tricklog.ingest.study.merging import Held

PART: Final = ".part"
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
cards are a set as in ``tricklog.schemas.cards``, kinds are numbers of ``facts.solved``."""
DECISION: Final = tuple(_DECISION)


def write(folder: Path, table: pa.Table) -> str:
    """Write a block, and return its name. Raises ``OSError`` when it cannot be written."""
    name, content = packed(table)
    write_content(folder, name, content)
    return name


def packed(table: pa.Table) -> tuple[str, bytes]:
    """Return the name of a block, and what it holds."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    content = sink.getvalue().to_pybytes()
    return kept.name_of_block(content), content


def write_content(folder: Path, name: str, content: bytes) -> None:
    """Write what a block holds; it gets its name when it is complete and on the disk.

    Raises ``OSError`` when it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f"{secrets.token_hex(8)}{PART}"
    try:
        part.write_bytes(content)
        disk.flush(part)
        part.replace(folder / name)
        disk.flush(folder)
    finally:
        part.unlink(missing_ok=True)


def clear(folder: Path, older_than: float = 0.0) -> None:
    """Remove what runs that were killed have left behind, written so many seconds ago or more.

    Meant for the one run that solves; where several may, what is younger may be theirs.
    """
    with suppress(OSError):
        for part in folder.glob(f"*{PART}"):
            if time.time() - part.stat().st_mtime >= older_than:
                part.unlink(missing_ok=True)


def sound(folder: Path) -> dict[str, Held]:
    """Return the blocks that are what was written, by name.

    Others go: their hands are solved once more.
    """
    found = {}
    for path in sorted(folder.glob(kept.BLOCK)):
        with suppress(OSError):
            content = path.read_bytes()
            if kept.name_of_block(content) == path.name:
                found[path.name] = merging.held_by(content)
            else:
                path.unlink()
    return found


def remove(folder: Path, names: Iterable[str]) -> None:
    """Remove blocks whose rows others have, as far as that can be done."""
    for name in names:
        with suppress(OSError):
            (folder / name).unlink(missing_ok=True)
