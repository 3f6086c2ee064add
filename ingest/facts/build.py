"""Deriving the facts of a snapshot: of all its hands, or of those that a load has added.

What is known of a hand was noted when it was replayed and lies in the snapshot. What is left to do
is to put it beside game, table and players, in chunks of games and in bounded memory.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

import duckdb
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import tallies
from tricklog.ingest.metrics.tallies import about
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.sql import sql_text
from tricklog.ingest.store import columns, database

FACTS_VERSION: Final = 7
"""Counted up when this module derives something else; SQL that changes is noticed by itself."""
CHUNK: Final = 245_760
"""Hands derived at a time, about: row groups for two threads. The hands of a game stay together."""
MEMORY_LIMIT: Final = "400MB"
_PASSING_LIMIT: Final = "300MB"
_TABLES: Final = ("tables.sql", "views.sql", "more_tables.sql")
_SOLVED: Final = ("solved.sql", "par.sql", "study_views.sql", "par_views.sql", "marks.sql")
"""Tables that are empty here, and views of them; they say nothing of how facts are derived."""
_FILES: Final = (
    *_TABLES, "work.sql", "chunk.sql", "games.sql", "finish.sql", "session_names.sql"
)  # fmt: skip


def derive(
    snapshot: Path,
    path: Path,
    on_progress: OnProgress | None = None,
    *,
    tallied: bool | None = None,
    passing: bool = False,
) -> None:
    """Write the facts of ``snapshot`` into the new file ``path``, and what names them.

    Tallies are kept where games are long enough, or as ``tallied`` says. A file that is only
    ``passing`` is not packed, says nothing of its columns, and takes less memory. Raises
    ``duckdb.Error`` when a file cannot be read or written, and ``KeyboardInterrupt``.
    """
    with work_place(path, _PASSING_LIMIT if passing else MEMORY_LIMIT) as connection:
        if passing:
            connection.execute(database.UNPACKED)
        database.attach(connection, "games", snapshot)
        write(connection, path, on_progress, tallied=tallied, passing=passing)


def extend(before: Path, snapshot: Path, path: Path, on_progress: OnProgress | None = None) -> bool:
    """Bring facts up to ``snapshot``: a copy, at ``path``, of those of ``before``, as it was then.

    Only games with hands that came since are looked at. Returns whether that could be done; when it
    could not, as they are of another version, or there are tallies now or are no more, the facts
    have to be derived. Raises what ``derive`` raises.
    """
    with work_place(path) as connection:
        found = []
        with suppress(duckdb.Error):
            database.attach(connection, "before", before)
            database.attach(connection, "facts", path, read_only=False)
            found = connection.execute(
                "SELECT state::VARCHAR, facts_version, fingerprint "
                "FROM before.warehouse, facts.facts"
            ).fetchall()
        if not any(row[1:] == (FACTS_VERSION, fingerprint_of(row[0])) for row in found):
            return False
        database.attach(connection, "games", snapshot)
        return write(connection, path, on_progress, is_new=False)


def work_place(path: Path, memory_limit: str = MEMORY_LIMIT) -> DuckDBPyConnection:
    """Open a database to write the facts ``path`` in; what memory does not hold goes beside it."""
    connection = database.connect(memory_limit=memory_limit, temp_directory=spill_folder(path))
    # Rows come as two threads make them; with their order kept, one makes them all.
    connection.execute("SET preserve_insertion_order = false")
    return connection


def write(
    connection: DuckDBPyConnection,
    path: Path,
    on_progress: OnProgress | None,
    *,
    is_new: bool = True,
    tallied: bool | None = None,
    passing: bool = False,
) -> bool:
    """Write the facts of the snapshot attached as ``games``, as ``derive`` and ``extend`` do."""
    with database.interruptible(connection):
        if tallied is None:
            tallied = _has_long_games(connection)
        if is_new:
            make = make_tables if passing else _make_facts
            database.lay_out(path, "facts", make, connection, tallied=tallied)
            database.attach(connection, "facts", path, read_only=False)
        connection.execute(_NOBODY if is_new else _CALLED_OTHERWISE)
        (last, was_tallied), *_ = connection.execute(
            "SELECT last_hand, tallied FROM facts.facts"
        ).fetchall()
        if tallied != was_tallied:
            return False
        _derive_new(connection, last, on_progress, tallied=tallied)
        ((state,),) = connection.execute("SELECT state::VARCHAR FROM games.warehouse").fetchall()
        connection.execute(
            "UPDATE facts.facts SET facts_version = ?, fingerprint = ?, "
            "last_hand = (SELECT coalesce(max(hand_no), 0) FROM games.hands)",
            [FACTS_VERSION, fingerprint_of(state)],
        )
        connection.execute("CHECKPOINT facts")
        connection.execute("DETACH facts")
    return True


_NOBODY: Final = "CREATE TABLE called_otherwise (player VARCHAR)"
_CALLED_OTHERWISE: Final = """
CREATE TABLE called_otherwise AS
SELECT player
FROM games.players
JOIN before.players AS earlier USING (player)
WHERE players.name <> earlier.name
"""
"""Those who have another name than in the snapshot from which facts grow."""


def fingerprint_of(state: str) -> str:
    """Return what names a snapshot, by its state, and the way in which facts are derived."""
    return f"{definition()} {state}"


@cache
def definition() -> str:
    """Return 16 digits that change with the SQL by which facts are derived."""
    texts = [sql_text("tricklog.ingest.facts", name) for name in _FILES]
    texts += [
        sql_text("tricklog.ingest.store", "warehouse_views.sql"),
        tallies.query(),
        tallies.MARK_ALONE,
    ]
    return hashlib.sha256("".join(texts).encode()).hexdigest()[:16]


def spill_folder(path: Path) -> str:
    """Return the folder beside ``path`` for what does not fit into memory on the way."""
    return f"{path}.tmp"


def _make_facts(connection: DuckDBPyConnection, *, tallied: bool) -> None:
    make_tables(connection, tallied=tallied)
    connection.execute("USE facts; BEGIN")
    columns.comment(connection, about)
    connection.execute("COMMIT; USE memory")


def make_tables(connection: DuckDBPyConnection, *, tallied: bool) -> None:
    """Make the tables of facts in the attached, empty ``facts``, with no word on their columns."""
    connection.execute("CREATE TABLE counted (game_no BIGINT)")
    connection.execute("USE facts")
    # Of one transaction the disk is waited for once.
    connection.execute("BEGIN")
    for name in (*_TABLES, *_SOLVED):
        connection.execute(sql_text("tricklog.ingest.facts", name))
    connection.execute("USE memory")
    connection.execute(f"CREATE TABLE facts.tallies AS {tallies.query()} LIMIT 0")
    connection.execute("INSERT INTO facts.facts VALUES (0, '', 0, ?)", [tallied])
    connection.execute("COMMIT")


def _derive_new(
    connection: DuckDBPyConnection, last: int, on_progress: OnProgress | None, *, tallied: bool
) -> None:
    """Insert the facts of hands that came after ``last``, and all others of their games."""
    # The macros of the snapshot are found in it.
    connection.execute("SET search_path = 'memory.main,games.main'")
    connection.execute("SET VARIABLE last = $1", [last])
    connection.execute(sql_text("tricklog.ingest.facts", "work.sql"))
    total = _number(connection, "SELECT count(*) FROM work")
    done = 0
    if on_progress:
        on_progress(Progress(Stage.DERIVING, total=total))
    for first, end, hands in _chunks(connection):
        _derive_chunk(connection, first, end, tallied=tallied)
        done += hands
        if on_progress:
            on_progress(Progress(Stage.DERIVING, hands=done, done=done, total=total))
    connection.execute(sql_text("tricklog.ingest.facts", "finish.sql"))
    names = sql_text("tricklog.ingest.facts", "session_names.sql").replace(
        "facts.sessions", "called_anew"
    )
    connection.execute(f"INSERT INTO facts.session_names {names}")


def _derive_chunk(connection: DuckDBPyConnection, first: int, end: int, *, tallied: bool) -> None:
    """Insert the facts of the games at work with numbers from ``first`` on and below ``end``."""
    connection.execute("SET VARIABLE first = $1", [first])
    connection.execute("SET VARIABLE behind = $1", [end])
    connection.execute(sql_text("tricklog.ingest.facts", "chunk.sql"))
    connection.execute(sql_text("tricklog.ingest.facts", "games.sql"))
    if tallied:
        connection.execute(f"INSERT INTO facts.tallies BY NAME {tallies.query()}")
        connection.execute(tallies.MARK_ALONE)


def _number(connection: DuckDBPyConnection, query: str) -> int:
    return int(connection.execute(query).fetchall()[0][0])


def _chunks(connection: DuckDBPyConnection) -> list[tuple[int, int, int]]:
    """Return the games at work in chunks: first number, that behind the last, how many hands."""
    return connection.execute(
        "SELECT min(game_no), max(game_no) + 1, sum(hands)::BIGINT FROM ("
        "SELECT game_no, hands, (sum(hands) OVER (ORDER BY game_no) - hands) // $chunk AS chunk "
        "FROM (SELECT game_no, count(*) AS hands FROM work GROUP BY game_no)"
        ") GROUP BY chunk ORDER BY chunk",
        {"chunk": CHUNK},
    ).fetchall()


def _has_long_games(connection: DuckDBPyConnection) -> bool:
    """Return whether games have so many hands that what is counted can be added up by game."""
    hands = _number(connection, "SELECT count(*) FROM games.hands")
    alone = _number(connection, "SELECT count(*) FROM games.hands WHERE game IS NULL")
    games = _number(connection, "SELECT count(*) FROM games.games")
    return hands >= tallies.FEWEST_HANDS * (games + alone)
