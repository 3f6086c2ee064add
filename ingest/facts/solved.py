"""Solved hands beside the facts: where they are kept, and the file that readers see.

What was solved is kept in blocks below the folder ``study`` of a warehouse, by the content of each
hand and the hash of its rules, so that it outlasts every snapshot. A run that solves hands puts the
blocks on a list when it is done. Of the blocks on the list a file is made for each snapshot, with
the tables of ``solved.sql`` and the numbers that the snapshot gives to hands. Both list and file
get their names when they are complete, so that readers see the one before or the new one.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, get_args

import duckdb
import msgspec
from duckdb import DuckDBPyConnection

from ingest.facts.build import MEMORY_LIMIT, spill_folder
from ingest.reading.progress import OnProgress, Progress, Stage
from ingest.store import database, publishing, seals
from replay.compiled.kernel import sources
from schemas.sql import sql_text
from schemas.words import counted

FOLDER: Final = "study"
LIST: Final = "PUBLISHED"
TABLES: Final = ("solved_hands", "decision_rows")
BLOCK: Final = "block-*.parquet"
DATABASE: Final = "solved"
"""The database with the tables, beside facts and snapshot."""
_ENTRIES: Final = ("replay.solver.answer", "replay.study.decisions")
_AT_ONCE: Final = 64
"""Blocks whose rows are made at a time."""
_KEPT: Final = 2
"""Files of solved hands kept of a snapshot: the older one for readers that are about to open it."""


class Listed(msgspec.Struct, frozen=True):
    """The blocks that count."""

    solver: str
    """``solver_digest`` of the version that has solved them."""
    blocks: list[str]
    """Their names, sorted."""

    @property
    def key(self) -> str:
        """What names these blocks and the way in which tables are made of them."""
        said = "\n".join([_definition(), self.solver, *self.blocks])
        return hashlib.sha256(said.encode()).hexdigest()[:12]


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


@cache
def solver_digest() -> str:
    """Return 16 hex digits over all of ours that decides what comes of solving a hand."""
    mixed = hashlib.sha256()
    for source in sources(_ENTRIES):
        mixed.update(f"{source.name}\n".encode() + source.read_bytes())
    return mixed.hexdigest()[:16]


@cache
def _definition() -> str:
    return "".join(sql_text("ingest.facts", name) for name in ("solved.sql", "solve_chunk.sql"))


# --- Blocks


def blocks_folder(db: Path) -> Path:
    """Return where the blocks of this version of the solver lie."""
    return db / FOLDER / solver_digest()


def blocks_in(db: Path) -> list[Path]:
    """Return the complete blocks of this version of the solver, by name."""
    return sorted(blocks_folder(db).glob(BLOCK))


def name_of_block(content: bytes) -> str:
    """Return the name that the block with this content has."""
    return BLOCK.replace("*", seals.digest_of(content))


def is_whole(block: Path) -> bool:
    """Return whether a block is what was written. Raises ``OSError`` when it cannot be read."""
    return name_of_block(block.read_bytes()) == block.name


def listed(db: Path) -> Listed | None:
    """Return the blocks that count, ``None`` without any of this version of the solver.

    Where the list is damaged all that are there count, as each of them is complete.
    """
    try:
        found = _read_list(db)
    except (OSError, ValueError):
        found = Listed(solver_digest(), [each.name for each in blocks_in(db)])
    return found if found and found.solver == solver_digest() and found.blocks else None


def is_list_damaged(db: Path) -> bool:
    """Return whether there is a list that cannot be trusted."""
    try:
        _read_list(db)
    except (OSError, ValueError):
        return True
    return False


def _read_list(db: Path) -> Listed | None:
    """Return what is on the list, ``None`` where there is none.

    Raises ``OSError`` and ``ValueError`` for one that cannot be read or is damaged.
    """
    try:
        line, digest, rest = (db / FOLDER / LIST).read_bytes().split(b"\n")
    except FileNotFoundError:
        return None
    if rest or seals.digest_of(line).encode() != digest:
        raise ValueError(f"{FOLDER}/{LIST} is damaged")
    return msgspec.json.decode(line, type=Listed)


def put_on_list(db: Path, names: Sequence[str]) -> Listed:
    """Make the blocks of these names the ones that count, in one step.

    Raises ``OSError`` where that cannot be written.
    """
    new = Listed(solver_digest(), sorted(names))
    line = msgspec.json.encode(new)
    place = db / FOLDER / LIST
    draft = place.with_name(f"{LIST}.draft")
    draft.write_bytes(line + b"\n" + seals.digest_of(line).encode() + b"\n")
    publishing.flush(draft)
    draft.replace(place)
    publishing.flush(place.parent)
    return new


# --- The file of a snapshot


def solved_file(snapshot: Path, found: Listed) -> Path:
    """Return where the tables of a snapshot and the blocks of a list are kept."""
    name = snapshot.name.replace("games-", "solved-", 1).removesuffix(".duckdb")
    return snapshot.with_name(f"{name}-{found.key}.duckdb")


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
    snapshot: Path,
    path: Path,
    blocks: Sequence[Path],
    state: str,
    on_progress: OnProgress | None = None,
) -> None:
    """Make the file of solved hands of a snapshot at ``path``, which it gets when it is complete.

    Meant to be called by one run at a time. A block that is damaged or lost is left out. Raises
    ``OSError`` and ``duckdb.Error`` when a file cannot be read or written.
    """
    draft = path.with_name(f"{path.name}.draft")
    remove(draft)
    try:
        with (
            database.connect(
                memory_limit=MEMORY_LIMIT, temp_directory=spill_folder(draft)
            ) as connection,
            database.interruptible(connection),
        ):
            database.attach(connection, "games", snapshot)
            database.attach(connection, DATABASE, draft, read_only=False)
            _fill(connection, [each for each in blocks if _can_be_read(each)], state, on_progress)
        publishing.flush(draft)
        publishing.put_seal(draft, path)
        draft.replace(path)
    finally:
        remove(draft)
    _remove_older(path)


def _can_be_read(block: Path) -> bool:
    with suppress(OSError):
        return is_whole(block)
    return False


def _fill(
    connection: DuckDBPyConnection,
    blocks: Sequence[Path],
    state: str,
    on_progress: OnProgress | None,
) -> None:
    # Only who makes the tables needs to know them.
    from replay.open_cards.answers import Kind
    from replay.study.loss_kinds import LOSS_KINDS

    make_tables(connection, DATABASE)
    connection.execute("CREATE TABLE solved.made_of AS SELECT $1 AS state", [state])
    connection.execute("SET preserve_insertion_order = false")
    connection.execute("SET VARIABLE kinds = $1", [list(get_args(Kind))])
    connection.execute("SET VARIABLE losses = $1::VARCHAR[]", [list(LOSS_KINDS)])
    connection.execute(
        "CREATE TABLE wanted AS SELECT hand_no, content_hash, ruleset "
        "FROM games.hands JOIN games.seatings USING (seating_id) WHERE verdict = 'valid'"
    )
    for first in range(0, len(blocks), _AT_ONCE):
        if on_progress:
            on_progress(Progress(Stage.PUTTING, done=first, total=len(blocks)))
        paths = [str(path) for path in blocks[first : first + _AT_ONCE]]
        named = ", ".join(_literal(path) for path in paths)
        connection.execute(f"CREATE OR REPLACE VIEW found AS FROM read_parquet([{named}])")
        connection.execute(sql_text("ingest.facts", "solve_chunk.sql"))
    connection.execute("CHECKPOINT solved")
    connection.execute("DETACH solved")


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def make_tables(connection: DuckDBPyConnection, name: str) -> None:
    """Make the tables of solved hands, empty, in an attached database."""
    connection.execute(f"USE {name}")
    connection.execute(sql_text("ingest.facts", "solved.sql"))
    connection.execute("USE memory")


def remove(path: Path) -> None:
    """Remove a file of solved hands, or what is left of a draft of one."""
    for each in (path, path.with_name(f"{path.name}.wal"), seals.seal_of(path)):
        with suppress(OSError):
            each.unlink(missing_ok=True)
    shutil.rmtree(spill_folder(path), ignore_errors=True)


def _remove_older(path: Path) -> None:
    """Remove the files of the same snapshot but for the newest ones."""
    number, _, _ = path.name.rpartition("-")
    others = [each for each in path.parent.glob(f"{number}-*.duckdb") if each != path]
    with suppress(OSError):
        others.sort(key=lambda each: each.stat().st_mtime)
        for each in others[: -(_KEPT - 1)]:
            remove(each)


def files_of(snapshot: Path) -> Iterator[Path]:
    """Give the files of solved hands of a snapshot."""
    name = snapshot.name.replace("games-", "solved-", 1).removesuffix(".duckdb")
    yield from snapshot.parent.glob(f"{name}-*.duckdb")


def troubles(snapshot: Path) -> Iterator[tuple[str, str, str]]:
    """Give what is wrong with the files of solved hands: the file, a sentence, what to do.

    Reads them whole. Raises ``OSError`` when one cannot be read.
    """
    db = snapshot.parent
    if is_list_damaged(db):
        says = "It is damaged, so that all blocks that are there count."
        yield f"{FOLDER}/{LIST}", says, "tricklog solve writes it again; no value is lost."
    again = "tricklog solve solves its hands again and writes them in its place."
    found = listed(db)
    names = set(found.blocks) if found else set()
    for block in blocks_in(db):
        names.discard(block.name)
        if not is_whole(block):
            says = "Its bytes are others than written."
            yield f"{FOLDER}/{block.parent.name}/{block.name}", says, again
    for name in sorted(names):
        yield f"{FOLDER}/{solver_digest()}/{name}", "It is missing.", again
    for path in files_of(snapshot):
        if wrong := seals.difference(path, seals.read(path)):
            hint = "Remove it: it is made again of what is below study when somebody asks."
            yield path.name, f"It is damaged: {wrong}.", hint


# --- Asking


def counts_of(snapshot: Path) -> Counts | None:
    """Return ``counts`` of a snapshot from files that are there; ``None`` where nothing is solved.

    Nothing is made. Raises ``duckdb.Error`` for a file that cannot be read.
    """
    found = listed(snapshot.parent)
    path = solved_file(snapshot, found) if found else None
    if path is None or not path.exists():
        return None

    def make_view(connection: DuckDBPyConnection) -> None:
        connection.execute(f"CREATE VIEW solved_hands AS FROM {DATABASE}.main.solved_hands")

    with database.open_views(make_view, {"games": snapshot, DATABASE: path}) as facts:
        return counts(facts)


def counts(facts: DuckDBPyConnection) -> Counts:
    """Return how many valid hands there are and what is known of them; ``facts`` as opened."""
    asking = facts.cursor()
    ((hands,),) = asking.execute(
        "SELECT count(*) FROM games.hands WHERE verdict = 'valid'"
    ).fetchall()
    found = dict(
        asking.execute(
            "SELECT status::VARCHAR, count(*) FROM solved_hands "
            "SEMI JOIN games.hands USING (hand_no) GROUP BY ALL"
        ).fetchall()
    )
    return Counts(hands, *(found.get(name, 0) for name in ("solved", "limits", "refused")))
