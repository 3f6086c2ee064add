"""What was found out about hands, as it is kept: in blocks, of which a list says which count.

A block is a file with what was found of some hands, by the content of each and the hash of its
rules, so that it outlasts every snapshot. Blocks lie below the folder ``study`` of a warehouse, or
of a lake, under a digest of all that decides what they say: another version of it has another
folder. In a warehouse of one machine a list says which blocks count; a lake has tables instead.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from tricklog.core.native.sources import digest, sources
from tricklog.ingest.sql import sql_text
from tricklog.ingest.store import disk, seals

FOLDER: Final = "study"
LIST: Final = "PUBLISHED"
BLOCK: Final = "block-*.parquet"


@dataclass(frozen=True, slots=True)
class Kind:
    """Something that is found out about hands."""

    name: str
    entries: tuple[str, ...]
    """Modules that decide what is found, with whatever of ours they import."""
    tables: tuple[str, ...]
    """Tables that readers see, that with a row a hand first."""
    chunk: str
    """The SQL that puts the rows of some blocks into these tables."""
    definitions: str = "solved.sql"
    """The SQL that makes them."""
    grows: bool = True
    """Whether what was found of a hand stays, so that rows are only ever added."""

    @property
    def digest(self) -> str:
        """16 hex digits over all of ours that decides what is found."""
        return _digest_of(self.entries)

    @property
    def definition(self) -> str:
        """16 hex digits over that, and over the way in which tables are made of it."""
        texts = [sql_text("tricklog.ingest.facts", name) for name in (self.definitions, self.chunk)]
        return hashlib.sha256("\n".join([self.digest, *texts]).encode()).hexdigest()[:16]

    @property
    def folder(self) -> str:
        """The folder of the blocks, below that of the warehouse."""
        return f"{FOLDER}/{self.digest}"


OPEN: Final = Kind(
    "open",
    ("tricklog.core.solver.answer", "tricklog.core.study.open_cards"),
    ("solved_hands", "decision_rows"),
    "solve_chunk.sql",
)
"""What hands are worth with all cards open."""
HIDDEN: Final = Kind(
    "hidden",
    ("tricklog.core.study.hidden",),
    ("hidden_hands", "hidden_rows"),
    "hidden_chunk.sql",
    grows=False,
)
"""What decisions were worth by what their players knew; a later run may have asked for more."""
PAR: Final = Kind(
    "par",
    ("tricklog.core.study.ledger", "tricklog.core.study.averages"),
    ("par_hands", "par_sides", "ledger_rows", "ledger_seats"),
    "par_chunk.sql",
    "par.sql",
    grows=False,
)
"""What auctions could have brought, and where results came from; a later run may ask for more."""
KINDS: Final = (OPEN, HIDDEN, PAR)
DEFINITIONS: Final = ("solved.sql", "par.sql")
TABLES: Final = tuple(table for kind in KINDS for table in kind.tables)


@cache
def _digest_of(entries: tuple[str, ...]) -> str:
    return digest(sources(entries))


# --- Blocks


def blocks_folder(db: Path, kind: Kind = OPEN) -> Path:
    """Return where the blocks of this version lie."""
    return db / FOLDER / kind.digest


def blocks_in(db: Path, kind: Kind = OPEN) -> list[Path]:
    """Return the complete blocks of this version, by name."""
    return sorted(blocks_folder(db, kind).glob(BLOCK))


def name_of_block(content: bytes) -> str:
    """Return the name that the block with this content has."""
    return BLOCK.replace("*", seals.digest_of(content))


def is_block(name: str) -> bool:
    """Return whether a file of this name is a complete block."""
    first, _, last = BLOCK.partition("*")
    return name.startswith(first) and name.endswith(last)


# --- The list


class Listed(msgspec.Struct, frozen=True):
    """The blocks that count."""

    blocks: Mapping[str, Sequence[str]]
    """Their names by the digest of their kind."""

    @property
    def key(self) -> str:
        """What names these blocks and the way in which tables are made of them."""
        said = [
            "\n".join([kind.definition, *sorted(self.blocks.get(kind.digest, ()))])
            for kind in KINDS
        ]
        return hashlib.sha256("\n\n".join(said).encode()).hexdigest()[:12]

    def of(self, kind: Kind) -> Sequence[str]:
        """Return the names of the blocks of a kind, of this version."""
        return self.blocks.get(kind.digest, ())

    def paths(self, db: Path, kind: Kind) -> list[Path]:
        """Return where the blocks of a kind lie."""
        return [blocks_folder(db, kind) / name for name in self.of(kind)]


def listed(db: Path) -> Listed | None:
    """Return the blocks that count, of a damaged list all; ``None`` without any of this version."""
    try:
        found = read_list(db)
    except (OSError, ValueError):
        found = Listed({k.digest: [block.name for block in blocks_in(db, k)] for k in KINDS})
    if found is None:
        return None
    ours = {kind.digest: found.of(kind) for kind in KINDS if found.of(kind)}
    return Listed(ours) if ours else None


def read_list(db: Path) -> Listed | None:
    """Return the list as it is stored, with blocks of other versions; ``None`` where there is none.

    Raises ``OSError`` and ``ValueError`` for one that cannot be read or is damaged.
    """
    try:
        content = (db / FOLDER / LIST).read_bytes()
    except FileNotFoundError:
        return None
    return msgspec.json.decode(seals.without_digest(content), type=Listed)


def put_on_list(db: Path, new: Listed) -> None:
    """Make the blocks of a list the ones that count, in one step; raises ``OSError``."""
    place = db / FOLDER / LIST
    place.parent.mkdir(exist_ok=True)
    disk.put(place, seals.with_digest(msgspec.json.encode(new)))


CHANGED: Final = "Its bytes are others than written."
AGAIN: Final = "tricklog solve solves its hands again and writes them in its place."
"""What to do about a block that is damaged or missing."""
