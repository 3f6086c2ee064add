"""Files of a warehouse that change on the disk: bits that flip, ends that are cut off."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb

from ingest.store import seals
from ingest.store.warehouse import current_snapshot

HEADERS = 3 * 4096
"""Bytes with which a DuckDB file begins before its blocks."""


BLOCK = 256 * 1024


@dataclass(frozen=True)
class Mutation:
    """One change of one file."""

    file: str
    at: int
    """Byte whose bit flips or, at the end of an empty file, is added; or where the file is cut."""
    bit: int | None
    """The bit, ``None`` for a file that is cut off."""

    def __str__(self) -> str:
        what = "cut off" if self.bit is None else f"bit {self.bit} flipped"
        return f"{self.file} {what} at byte {self.at}"

    def apply(self, folder: Path) -> None:
        """Change the file in ``folder``."""
        path = folder / self.file
        data = bytearray(path.read_bytes())
        if self.bit is None:
            del data[self.at :]
        elif self.at == len(data):
            data.append(1 << self.bit)
        else:
            data[self.at] ^= 1 << self.bit
        path.write_bytes(data)


def mutations(path: Path, count: int, seed: object) -> Iterator[Mutation]:
    """Return changes of a file: three flips for each cut, some of both near its beginning.

    An empty file gets one byte instead.
    """
    dice = random.Random(f"{seed}/{path.name}")
    size = path.stat().st_size
    for number in range(count):
        at = dice.randrange(min(size, HEADERS) if number % 4 == 1 else size) if size else 0
        is_cut = size and number % 4 == 3
        yield Mutation(path.name, at, None if is_cut else dice.randrange(8))


def damage_table(file: Path, table: str) -> None:
    """Flip one bit in a block of a table of a DuckDB file, so that the table cannot be read."""
    with duckdb.connect(str(file), read_only=True) as connection:
        ((block, offset),) = connection.execute(
            "SELECT block_id, block_offset FROM pragma_storage_info($1) "
            "WHERE block_id >= 0 LIMIT 1",
            [table],
        ).fetchall()
    data = bytearray(file.read_bytes())
    data[HEADERS + block * BLOCK + offset] ^= 1
    file.write_bytes(data)


def reseal(db: Path) -> None:
    """Seal the current snapshot as it is now, as if it had been published so."""
    snapshot = current_snapshot(db)
    assert snapshot
    seal = seals.read(snapshot)
    assert seal
    seals.write(snapshot, snapshot.name, seals.seal_of(snapshot), seal.loads)
