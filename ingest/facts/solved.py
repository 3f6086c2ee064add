"""Solved hands beside the facts: the file that readers see, made of the blocks on a list.

A run that solves hands puts its blocks on the list when it is done, see
``tricklog.ingest.facts.kept``. Of these a file is made for each snapshot, with the tables of
``solved.sql`` and the numbers that the snapshot gives to hands. Both list and file get their names
when they are complete, so that readers see the one before or the new one.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import duckdb
from duckdb import DuckDBPyConnection

from tricklog.ingest.facts import kept
from tricklog.ingest.facts.build import MEMORY_LIMIT, spill_folder
from tricklog.ingest.facts.kept import Kind, Listed
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.sql import sql_text
from tricklog.ingest.store import columns, database, disk, publishing, seals
from tricklog.ingest.store.database import literal
from tricklog.schemas.words import counted

Found = TypeVar("Found")
DATABASE: Final = "solved"
"""The database with the tables, beside facts and snapshot."""
AT_ONCE: Final = 64
"""Blocks whose rows are made at a time."""
_KEPT: Final = 2
"""Files of solved hands kept of a snapshot."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many valid hands a snapshot has, and what is known of them."""

    hands: int
    solved: int
    limits: int
    refused: int

    def __str__(self) -> str:
        others = [(self.limits, "within limits"), (self.refused, "refused")]
        also = [f"{count:,} {name}" for count, name in others if count]
        first = f"{self.solved:,} of {counted(self.hands, 'valid hand')} solved with open cards"
        return ", ".join([first, *also])

    @property
    def left(self) -> int:
        """How many have not been looked at."""
        return self.hands - self.solved - self.limits - self.refused


# --- The file of a snapshot


def solved_file(snapshot: Path, found: Listed) -> Path:
    """Return where the tables of a snapshot and the blocks of a list are kept."""
    return snapshot.with_name(f"{_stem_of(snapshot)}-{found.key}.duckdb")


def files_of(snapshot: Path) -> Iterator[Path]:
    """Give the files of solved hands of a snapshot."""
    return snapshot.parent.glob(f"{_stem_of(snapshot)}-*.duckdb")


def _stem_of(snapshot: Path) -> str:
    return snapshot.name.replace("games-", "solved-", 1).removesuffix(".duckdb")


def is_current(path: Path, state: str) -> bool:
    """Return whether a file has the solved hands of the snapshot of this state."""
    if not path.exists():
        return False
    try:
        with database.connect() as connection:
            database.attach(connection, DATABASE, path)
            return connection.execute("SELECT state FROM solved.made_of").fetchall() == [(state,)]
    except duckdb.Error:
        return False


def make(
    snapshot: Path, path: Path, found: Listed, state: str, on_progress: OnProgress | None = None
) -> None:
    """Make the file of solved hands of a snapshot at ``path``, which it gets when it is complete.

    The blocks on the list ``found`` lie beside ``path``. Meant to be called by one run at a time. A
    block that is damaged or lost is left out. Raises ``OSError`` and ``duckdb.Error`` when a file
    cannot be read or written.
    """
    with (
        made(path) as draft,
        database.connect(
            memory_limit=MEMORY_LIMIT, temp_directory=spill_folder(draft)
        ) as connection,
        database.interruptible(connection),
    ):
        database.attach(connection, "games", snapshot)
        database.attach(connection, DATABASE, draft, read_only=False)
        connection.execute("CREATE TABLE solved.made_of AS SELECT $1 AS state", [state])
        make_tables(connection, DATABASE)
        connection.execute(f"CREATE TABLE wanted AS {VALID}")
        parts: list[tuple[Kind, list[Path]]] = []
        for kind in kept.KINDS:
            blocks = [each for each in found.paths(path.parent, kind) if _can_be_read(each)]
            parts += [
                (kind, blocks[first : first + AT_ONCE]) for first in range(0, len(blocks), AT_ONCE)
            ]
        total, done = sum(len(blocks) for _, blocks in parts), 0
        for kind, blocks in parts:
            if on_progress:
                on_progress(Progress(Stage.PUTTING, done=done, total=total))
            add_rows(connection, kind, blocks)
            done += len(blocks)
        connection.execute("CHECKPOINT solved")
        connection.execute("DETACH solved")
    # Of the same snapshot the newest ones stay, for readers that are about to open them.
    number, _, _ = path.name.rpartition("-")
    others = [each for each in path.parent.glob(f"{number}-*.duckdb") if each != path]
    with suppress(OSError):
        others.sort(key=lambda each: each.stat().st_mtime)
        for each in others[: -(_KEPT - 1)]:
            remove(each)


@contextmanager
def made(path: Path) -> Iterator[Path]:
    """Give a draft to write; it gets its seal and the name ``path`` once it is complete."""
    draft = path.with_name(f"{path.name}.draft")
    remove(draft)
    try:
        yield draft
        disk.flush(draft)
        publishing.put_seal(draft, path)
        draft.replace(path)
    finally:
        remove(draft)


def _can_be_read(block: Path) -> bool:
    with suppress(OSError):
        return kept.name_of_block(block.read_bytes()) == block.name
    return False


VALID: Final = """
SELECT hand_no, content_hash, ruleset
FROM games.hands
JOIN games.seatings USING (seating_id)
WHERE verdict = 'valid'
"""
"""The query for the hands that count, and by what blocks name them."""


def add_rows(connection: DuckDBPyConnection, kind: Kind, blocks: Sequence[Path]) -> None:
    """Put the rows of some blocks about hands of table ``wanted`` into the tables of ``solved``."""
    # Only who makes the tables needs to know them.
    from tricklog.core.study.open_cards import KINDS, LOSS_KINDS

    connection.execute("SET preserve_insertion_order = false")
    connection.execute("SET VARIABLE kinds = $1", [list(KINDS)])
    connection.execute("SET VARIABLE losses = $1::VARCHAR[]", [list(LOSS_KINDS)])
    named = ", ".join(map(literal, blocks))
    connection.execute(f"CREATE OR REPLACE VIEW found AS FROM read_parquet([{named}])")
    connection.execute(sql_text("tricklog.ingest.facts", kind.chunk))


def make_tables(connection: DuckDBPyConnection, name: str) -> None:
    """Make the tables of solved hands, empty, in an attached database."""
    connection.execute(f"USE {name}")
    for each in kept.DEFINITIONS:
        connection.execute(sql_text("tricklog.ingest.facts", each))
    columns.comment(connection)
    connection.execute("USE memory")


def remove(path: Path) -> None:
    """Remove a file that was made beside a snapshot, or a draft, with all that goes with it."""
    for each in (path, path.with_name(f"{path.name}.wal"), seals.seal_of(path)):
        with suppress(OSError):
            each.unlink(missing_ok=True)
    shutil.rmtree(spill_folder(path), ignore_errors=True)


# --- Asking


def asked_of(
    snapshot: Path, table: str, ask: Callable[[DuckDBPyConnection], Found]
) -> Found | None:
    """Return what ``ask`` finds in one of the tables of what is solved, beside ``games``.

    ``None`` where nothing is solved. Nothing is made. Raises ``duckdb.Error`` for a file that
    cannot be read.
    """
    found = kept.listed(snapshot.parent)
    path = solved_file(snapshot, found) if found else None
    if path is None or not path.exists():
        return None

    def make_view(connection: DuckDBPyConnection) -> None:
        connection.execute(f"CREATE VIEW {table} AS FROM {DATABASE}.main.{table}")

    with database.open_views(make_view, {"games": snapshot, DATABASE: path}) as facts:
        return ask(facts)


def counts(facts: DuckDBPyConnection) -> Counts:
    """Return how many valid hands there are and what is known of them; ``facts`` as opened."""
    (found,) = facts.cursor().execute(_COUNTS).fetchall()
    return Counts(*found)


@dataclass(frozen=True, slots=True)
class ParCounts:
    """How many valid hands a snapshot has, and of how many the auction was valued."""

    hands: int
    valued: int
    refused: int
    ledgers: int
    """Those of them with a ledger in score."""

    @property
    def is_any(self) -> bool:
        """Whether any auction was looked at."""
        return self.valued + self.refused > 0

    def __str__(self) -> str:
        also = f", {self.refused:,} refused" if self.refused else ""
        return f"{self.valued:,} of {counted(self.hands, 'auction')} held against par{also}"


def par_counts(facts: DuckDBPyConnection) -> ParCounts:
    """Return how many valid hands there are and what is known of their auctions."""
    (found,) = facts.cursor().execute(_COUNTS_OF_PAR).fetchall()
    return ParCounts(*found)


_COUNTS: Final = """
SELECT
    (SELECT count(*) FROM games.hands WHERE verdict = 'valid'),
    count(*) FILTER (status = 'solved'),
    count(*) FILTER (status = 'limits'),
    count(*) FILTER (status = 'refused')
FROM solved_hands
SEMI JOIN games.hands USING (hand_no)
"""
_COUNTS_OF_PAR: Final = """
SELECT
    (SELECT count(*) FROM games.hands WHERE verdict = 'valid'),
    count(*) FILTER (status = 'valued'),
    count(*) FILTER (status = 'refused'),
    count(*) FILTER (status = 'valued' AND no_ledger IS NULL AND no_score IS NULL)
FROM par_hands
SEMI JOIN games.hands USING (hand_no)
"""
