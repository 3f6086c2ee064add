"""What a lake has stored, a portion of whole games at a time, each as a warehouse of its own.

Whoever has to look at every stored hand does so in portions: each fits into a file on one machine,
and all of them together are the lake. A portion is a range of numbers. It holds the games whose
numbers are in it, with all their hands, and the hands without a game whose numbers are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
from duckdb import DuckDBPyConnection
from pyarrow.dataset import ParquetFileFormat

from tricklog.ingest.lake import compaction, index, reading, recalling
from tricklog.ingest.lake.publish import Lake, Snapshot
from tricklog.ingest.lake.staging import BUCKETS
from tricklog.ingest.lake.storage import Storage, at_once
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.store import database, publishing

PORTION: Final = 60_000
"""Hands of a portion, about."""
IDS: Final = 2_000_000
"""Ids of a portion, about."""
MEMORY: Final = 900_000_000
"""Bytes that a task needs that works on a portion, at most."""
_BEHIND: Final = 1 << 62
"""A number that no hand has, nor any later one."""
_FEW: Final = 5_000
"""Hands from elsewhere that are looked up at a time."""


@dataclass(frozen=True, slots=True)
class Portion:
    """A range of numbers of games and hands, or of hashes of ids."""

    storage: Storage
    snapshot: Snapshot
    first: int
    behind: int
    """The number from which on the next portion is."""

    def opened(self) -> tuple[Lake, Snapshot]:
        """Return the lake, and the snapshot that this is a portion of."""
        return Lake(self.storage), self.snapshot

    def rows(self, table: str, by: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the rows of a table whose numbers ``by`` are in it. Raises as ``portions``."""
        return index.rows(*self.opened(), table, columns, within=(by, self.first, self.behind - 1))


def portions(lake: Lake, snapshot: Snapshot, size: int = PORTION) -> list[Portion]:
    """Divide all hands of a snapshot into portions of about ``size`` hands.

    Raises ``WarehouseError`` when it cannot be told which files there are, and ``OSError`` for one.
    """
    paths = [lake.storage.path(file.name) for file in lake.files(snapshot, "hands")]
    found = at_once(partial(_row_groups, lake.storage), paths)
    groups = sorted(group for those in found for group in those)
    ends, count = [], size
    for first, rows in groups:
        if count >= size:
            ends.append(first)
            count = 0
        count += rows
    ends.append(_BEHIND)
    return [Portion(lake.storage, snapshot, first, behind) for first, behind in pairwise(ends)]


def buckets(lake: Lake, snapshot: Snapshot) -> list[Portion]:
    """Divide all hands into portions, of which each can be a bucket of a load."""
    hands = sum(file.rows for file in lake.files(snapshot, "hands"))
    return portions(lake, snapshot, max(PORTION, hands // (BUCKETS - 1) + 1)) if hands else []


def portions_of_ids(lake: Lake, snapshot: Snapshot) -> list[Portion]:
    """Divide all hashes of ids, which lie evenly over their numbers."""
    count = max(1, -(-sum(file.rows for file in lake.files(snapshot, "ids")) // IDS))
    ends = [-(1 << 63) + (1 << 64) * number // count for number in range(count + 1)]
    return [Portion(lake.storage, snapshot, first, behind) for first, behind in pairwise(ends)]


def _row_groups(storage: Storage, path: str) -> list[tuple[int, int]]:
    """Return the least number of each row group of a file of hands, and how many it has."""
    fragment = ParquetFileFormat().make_fragment(path, storage.filesystem)
    return [(each.statistics["hand_no"]["min"], each.num_rows) for each in fragment.row_groups]


@contextmanager
def extracted(portion: Portion) -> Iterator[Path]:
    """Give the portion as the snapshot of a warehouse with these hands alone, in a new folder.

    Numbers of hands and games are those of the lake, those of seatings are not. Players and lines
    in quarantine belong to no portion. Raises as ``portions`` does.
    """
    lake, snapshot = portion.opened()
    with Scratch() as folder:
        path = Path(folder) / "games.duckdb"
        gone = pa.array(compaction.dead_games(lake, snapshot))
        games, findings = (
            rows.filter(pc.invert(pc.is_in(rows["game_no"], value_set=gone)))
            for rows in (portion.rows(table, "game_no") for table in ("games", "findings"))
        )
        publishing.put_empty(path)
        with (
            reading.open_tables(lake, snapshot, once=True) as stored,
            database.connect(path, memory_limit=publishing.MEMORY_LIMIT) as made,
        ):
            hands = _hands(stored, portion, pc.list_flatten(games["hand_nos"]))
            findings = findings.drop_columns(["hand_no", "game_no"])
            recalling.insert(stored, hands, findings, made)
            made.register("stored_games", games.drop_columns(["hand_nos", "game_hash"]))
            made.execute("INSERT INTO games BY NAME FROM stored_games")
            made.register("stored_imports", stored.sql("FROM imports").to_arrow_table())
            made.execute("INSERT INTO imports BY NAME FROM stored_imports")
        yield path


def _hands(stored: DuckDBPyConnection, portion: Portion, wanted: pa.ChunkedArray) -> pa.Table:
    """Return the hands in range but of other games, and those ``wanted`` by its games elsewhere."""
    near = stored.sql(_HANDS_NEAR, params=[portion.first, portion.behind]).to_arrow_table()
    mine = pc.or_(pc.is_null(near["game"]), pc.is_in(near["hand_no"], value_set=wanted))
    far = wanted.filter(pc.invert(pc.is_in(wanted, value_set=near["hand_no"])))
    some = (far.slice(first, _FEW).to_pylist() for first in range(0, len(far), _FEW))
    found = (recalling.hands_numbered(stored, numbers) for numbers in some)
    return pa.concat_tables([near.filter(mine), *found])


_HANDS_NEAR: Final = "FROM hands WHERE hand_no >= $1 AND hand_no < $2"
