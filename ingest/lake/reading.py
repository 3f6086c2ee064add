"""Reading a lake: one snapshot of it as a database that asks its files, with the usual names.

What is opened has the tables, views and macros of ``warehouse.open_snapshot`` and
``facts.open_facts``, so that whatever counts, lists or compares need not know of it. Some things
differ: numbers of seatings and chairs have 64 bits; what facts keep as an enum is a text, and their
small numbers are wider, as turning each value into the other takes as long as reading it. Rows of
games that a later load continued are left out, and what several loads brought is there once.

SQL on the connection reaches the files of the snapshot, to read, and nothing more.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import duckdb
from duckdb import DuckDBPyConnection

from tricklog.ingest.facts import aliased, kept, views
from tricklog.ingest.facts.build import FACTS_VERSION, definition
from tricklog.ingest.lake import tables
from tricklog.ingest.lake.closed_files import ClosedFiles, address, sizes_of
from tricklog.ingest.lake.words import damaged, damaged_file
from tricklog.ingest.loading.games import NAMED
from tricklog.ingest.sql import sql_text
from tricklog.ingest.store import database, long_texts
from tricklog.ingest.store import record_codec as lines
from tricklog.ingest.store.database import literal
from tricklog.ingest.store.lenses import NOTHING, Lens
from tricklog.ingest.store.scopes import Scope
from tricklog.ingest.store.warehouse import (
    SCHEMA_VERSION,
    DamagedError,
    is_trouble,
    read_record,
)
from tricklog.schemas.hand import Hand

if TYPE_CHECKING:
    from tricklog.ingest.lake.publish import Lake, Snapshot
    from tricklog.ingest.lake.tables import File

Files = dict[str, list["File"]]

HELD: Final = 400_000
"""Rows of a table up to which it is held in memory where that makes every query quicker."""
_OWN: Final = "lake"
"""Schema for what only this module asks."""
_NAMESPACE: Final = uuid.UUID("6f6c6b2e-6c61-6b65-8000-747269636b6c")
_REMEMBERED: Final = 4
"""Snapshots whose lists of files are kept."""
_known: dict[tuple[object, ...], tuple[Files, ClosedFiles]] = {}
_knowing: Final = threading.Lock()


def open_tables(
    lake: Lake, snapshot: Snapshot, *, once: bool = False, files: Files | None = None
) -> DuckDBPyConnection:
    """Open the tables of a snapshot, in the way of ``warehouse.open_snapshot``.

    With ``files`` as if it had no others. Raises ``WarehouseError`` when the lake cannot be read.
    """
    return _opened(lake, snapshot, lambda making: making.games("memory"), once=once, files=files)


def open_facts(lake: Lake, snapshot: Snapshot, lens: Lens = NOTHING) -> DuckDBPyConnection:
    """Open the facts of a snapshot and, as ``games``, its tables, in the way of ``open_facts``.

    Raises ``WarehouseError`` when the lake cannot be read.
    """

    def make(making: _Making) -> None:
        if lens.aliases:
            making.recorded()
            aliased.make(making.connection, lens, views.FACTS, "games")
            views.make_views(making.connection, "games", lens)
            return
        making.attach("games")
        making.games("games")
        making.facts("memory", "games", lens)

    return _opened(lake, snapshot, make)


def open_scope(
    lake: Lake, snapshot: Snapshot, scope: Scope, lens: Lens = NOTHING
) -> DuckDBPyConnection:
    """Open the facts of a snapshot as far as a scope goes, in the way of ``open_scope_of``.

    Raises what ``open_facts`` raises.
    """

    def make(making: _Making) -> None:
        if lens.aliases:
            making.recorded()
            aliased.make(making.connection, lens, views.FACTS, views.SNAPSHOT)
        else:
            for name in (views.SNAPSHOT, views.FACTS):
                making.attach(name)
            making.games(views.SNAPSHOT)
            making.facts(views.FACTS, views.SNAPSHOT)
        views.make_views_within(making.connection, scope, lens)

    return _opened(lake, snapshot, make)


def open_solved(lake: Lake, snapshot: Snapshot) -> DuckDBPyConnection:
    """Open the tables of a snapshot, and what is known of solved hands."""

    def make(making: _Making) -> None:
        making.games("memory")
        making.solved()

    return _opened(lake, snapshot, make, once=True)


def hand(connection: DuckDBPyConnection, hand_id: str) -> Hand:
    """Return a stored hand exactly as it was recorded, by the index of ids.

    ``connection`` is one of this module. Raises what ``warehouse.hand`` raises.
    """
    asking = connection.cursor()
    ((key,),) = asking.execute(f"SELECT {tables.signed_hash('$1::VARCHAR')}", [hand_id]).fetchall()
    found: list[tuple[Any, ...]] = []
    for (number,) in _with_key(asking, "ids", "id_hash", key, "hand_no"):
        for (seating,) in _with_key(asking, "hands", "hand_no", number, "seating_id"):
            found += asking.execute(
                f"SELECT {lines.COLUMNS} "  # noqa: S608 - names of our own
                f"FROM ({_where(asking, 'hands', 'hand_no', number)}) "
                f"JOIN ({_where(asking, 'seatings', 'seating_id', seating)}) USING (seating_id) "
                "WHERE hand_id = $1",
                [hand_id],
            ).fetchall()
    ((games,),) = asking.execute(f"SELECT games FROM {_OWN}.opened").fetchall()  # noqa: S608 - our own
    if not found and _is_small(asking):
        # An index that is damaged may not lead to the hand.
        found = asking.execute(
            f"SELECT {lines.COLUMNS} FROM {games}.main.hands "  # noqa: S608 - names of our own
            f"JOIN {games}.main.seatings USING (seating_id) WHERE hand_id = $1",
            [hand_id],
        ).fetchall()
    if not found:
        raise LookupError(f"There is no hand {hand_id!r} in this warehouse.")
    (columns,) = long_texts.with_texts(asking, found[:1], lines.LONG_PLACES, f"{games}.main.")
    return read_record(columns)[1]


def _is_small(asking: DuckDBPyConnection) -> bool:
    """Whether all hands are looked through in a moment."""
    query = f"SELECT coalesce(sum(rows), 0) FROM {_OWN}.files WHERE of_table = 'hands'"  # noqa: S608 - our own
    ((rows,),) = asking.execute(query).fetchall()
    return bool(rows <= HELD)


def _with_key(
    asking: DuckDBPyConnection, table: str, column: str, key: int, wanted: str
) -> list[tuple[Any, ...]]:
    """Return a column of the rows of a table that have a key by which it is sorted."""
    query = f"SELECT {wanted} FROM ({_where(asking, table, column, key)})"  # noqa: S608 - names of our own
    return asking.execute(query).fetchall()


def _where(asking: DuckDBPyConnection, table: str, column: str, key: int) -> str:
    """Return the query for the rows with a key, which looks into files that may have it alone."""
    paths = asking.execute(
        f"SELECT path FROM {_OWN}.files WHERE of_table = $1 AND $2 BETWEEN least AND most",  # noqa: S608 - our own
        [table, key],
    ).fetchall()
    return f"FROM ({_rows(table, [path for (path,) in paths])}) WHERE {column} = {int(key)}"


# --- Opening


def _opened(
    lake: Lake,
    snapshot: Snapshot,
    make: Callable[[_Making], None],
    *,
    once: bool = False,
    files: Files | None = None,
) -> DuckDBPyConnection:
    if files is None:
        files, closed = _files(lake, snapshot)
    else:
        closed = ClosedFiles(lake.storage, sizes_of(files))

    def make_all(connection: DuckDBPyConnection) -> None:
        connection.register_filesystem(closed)
        making = _Making(connection, lake, snapshot, files)
        make(making)

    try:
        return database.open_views(make_all, once=once)
    except (duckdb.Error, UnicodeError) as error:
        from tricklog.ingest.lake.checking import damage_behind

        # A column that has another name or type now shows as a statement that is wrong.
        if wrong := damage_behind(lake, snapshot, error):
            raise DamagedError(damaged_file(str(lake.storage), *wrong)) from error
        if not is_trouble(error):
            raise
        raise DamagedError(damaged(lake.storage, "", error)) from error


def _files(lake: Lake, snapshot: Snapshot) -> tuple[Files, ClosedFiles]:
    """Return the files of the tables of a snapshot, which stay the same, and their file system."""
    from tricklog.ingest.lake.publish import in_words

    # A lake that was brought back from a copy counts its snapshots from there again.
    key = (str(lake.storage), snapshot.number, snapshot.at)
    with _knowing:
        found = _known.get(key)
    if found is None:
        files = lake.all_files(snapshot)
        with in_words(lake.storage):
            found = files, ClosedFiles(lake.storage, sizes_of(files))
        with _knowing:
            while len(_known) >= _REMEMBERED:
                del _known[next(iter(_known))]
            _known[key] = found
    return found


class _Making:
    """A database that is being filled with what asks the files of a snapshot."""

    def __init__(
        self, connection: DuckDBPyConnection, lake: Lake, snapshot: Snapshot, files: Files
    ) -> None:
        self.connection = connection
        self._lake = lake
        self._snapshot = snapshot
        self._files = {
            table: sorted((each for each in those if each.rows), key=lambda each: each.path)
            for table, those in files.items()
        }
        connection.execute(_SETTINGS)
        paths = [self._paths(table) for table in self._files]
        listed = ", ".join(literal(path) for each in paths for path in each)
        connection.execute(f"SET allowed_paths = [{listed}]")
        connection.execute(_OWN_TABLES)
        self._note_keys()
        self._hides = self._count("superseded") > 0
        if self._hides:
            rows = self._visible("superseded")
            connection.execute(f"INSERT INTO {_OWN}.superseded SELECT game_no FROM ({rows})")  # noqa: S608 - our own

    def attach(self, name: str) -> None:
        self.connection.execute(f"ATTACH ':memory:' AS {name}")

    def recorded(self) -> None:
        """Make the tables and facts as they were loaded, below those of merged players."""
        for name in (aliased.RECORDED_GAMES, aliased.RECORDED_FACTS):
            self.attach(name)
        self.games(aliased.RECORDED_GAMES)
        self.facts(aliased.RECORDED_FACTS, aliased.RECORDED_GAMES)

    def games(self, database: str) -> None:
        self.connection.execute(f"USE {database}")
        self.connection.execute(f"INSERT INTO memory.{_OWN}.opened VALUES ('{database}')")  # noqa: S608 - our own
        for table in ("hands", "seatings", "games", "findings", "imports", "long_texts"):
            self._view(table, self._visible(table))
        self._hold("rulesets", self._derived(_RULESETS, "rulesets"), "rulesets")
        self._hold("players", self._derived(_PLAYERS, "seatings", whole=True), "seatings")
        several = self._count("rejects") and len(self._files["rejects"]) > 1
        rejects = self._derived(_REJECTS, "rejects", whole=True)
        self._view("rejects", rejects if several else self._visible("rejects"))
        self.connection.execute(
            "CREATE TABLE warehouse AS SELECT $1::INTEGER AS schema_version, $2::UUID AS state",
            [SCHEMA_VERSION, str(self._state())],
        )
        self.connection.execute(sql_text("tricklog.ingest.store", "warehouse_views.sql"))
        self.connection.execute("USE memory")

    def facts(self, database: str, games: str, lens: Lens = NOTHING) -> None:
        self.connection.execute(f"USE {database}")
        # The types alone, which filters ask for their values.
        types, _, _ = sql_text("tricklog.ingest.facts", "tables.sql").partition("CREATE TABLE")
        self.connection.execute(types)
        self._hold("chairs", self._visible("chairs"), "chairs")
        for table in ("seat_rows", "card_rows", "game_facts", "finding_facts", "tallies"):
            self._view(table, self._visible(table))
        self.connection.execute(sql_text("tricklog.ingest.facts", "views.sql"))
        self.solved()
        views.make_tags(self.connection, games, lens)
        for name in ("study_views.sql", "par_views.sql"):
            self.connection.execute(sql_text("tricklog.ingest.facts", name))
        self._hold("sessions", self._derived(_SESSIONS, "sessions"), "sessions")
        names = _session_names(f"{database}.main", f"{games}.main")
        self._hold("session_names", names, "sessions")
        self.connection.execute(
            "CREATE TABLE facts AS SELECT $1::INTEGER AS facts_version, $2 AS fingerprint, "
            "$3::BIGINT AS last_hand, true AS tallied",
            [FACTS_VERSION, f"{definition()} {self._state()}", self._last_hand()],
        )
        self.connection.execute("USE memory")

    def solved(self) -> None:
        """Make the tables of solved hands, in the database in use; empty where they are outdated.

        All files of a table are of one version.
        """
        for name in kept.DEFINITIONS:
            types, _, _ = sql_text("tricklog.ingest.facts", name).partition("CREATE TABLE")
            self.connection.execute(types)
        for kind in kept.KINDS:
            for table in kind.tables:
                found = self._files.get(table, [])
                if any(each.low.get(tables.SOLVER) != kind.definition for each in found):
                    self._files[table] = []
                # A view: who asks for other figures is spared the reading, and the trouble of it.
                self._view(table, self._visible(table))

    def _state(self) -> uuid.UUID:
        """Return what names the snapshot, whoever opens it."""
        snapshot = self._snapshot
        said = f"{snapshot.number} {snapshot.load} {snapshot.at.isoformat()}"
        return uuid.uuid5(_NAMESPACE, said)

    def _last_hand(self) -> int:
        return max((each.high["hand_no"] for each in self._files.get("hands", ())), default=0)

    def _note_keys(self) -> None:
        rows = [
            (table, path, each.rows, each.low[column], each.high[column])
            for table, column in _KEYS.items()
            for each, path in zip(self._files.get(table, ()), self._paths(table), strict=True)
        ]
        if rows:
            self.connection.executemany(f"INSERT INTO {_OWN}.files VALUES (?, ?, ?, ?, ?)", rows)  # noqa: S608 - our own

    def _count(self, table: str) -> int:
        return sum(each.rows for each in self._files.get(table, ()))

    def _paths(self, table: str) -> list[str]:
        return [address(each.name) for each in self._files.get(table, ())]

    def _visible(self, table: str, *, whole: bool = False) -> str:
        """Return the query for the rows of a table that count."""
        former = tables.former_names(self._snapshot.tables).get(table, {})
        rows = _rows(table, self._paths(table), former, whole=whole)
        if self._hides and table in tables.BY_GAME and self._count(table):
            return f"{rows} ANTI JOIN memory.{_OWN}.superseded USING (game_no)"
        return rows

    def _derived(self, query: str, table: str, *, whole: bool = False) -> str:
        rows, sessions = self._visible(table, whole=whole), self._visible("sessions")
        return query.format(files=f"({rows})", sessions=f"({sessions})")

    def _view(self, name: str, query: str) -> None:
        self.connection.execute(f"CREATE VIEW {name} AS {query}")

    def _hold(self, name: str, query: str, source: str) -> None:
        """Make what is asked for often a table, unless what it is made from is large."""
        kind = "TABLE" if self._count(source) <= HELD else "VIEW"
        self.connection.execute(f"CREATE {kind} {name} AS {query}")


def _rows(
    table: str,
    paths: Sequence[str],
    former: Mapping[str, str] | None = None,
    *,
    whole: bool = False,
) -> str:
    """Return the query for the rows of files of a table as a warehouse has them.

    With ``whole`` they have what a lake alone has of them, too. ``former`` says what columns are
    called in the files that have another name there.
    """
    layout = tables.LAYOUTS[table]
    of_warehouse = tables.of_warehouse(table)
    called = former or {}
    kinds = {name: _shown(kind) for name, kind in (of_warehouse | tables.columns_of(table)).items()}
    columns = {
        name: layout.left_out.get(name) or _value(f'"{called.get(name, name)}"', kinds[name])
        for name in of_warehouse
    }
    if whole or not of_warehouse:
        columns |= {name: f'"{name}"' for name in layout.extra} | _PLACES.get(table, {})
        kinds |= {name: tables.stored_type(kind) for name, kind in layout.extra.items()}
    if table == "long_texts":
        columns |= _PLACES[table]
    if not paths:
        columns = {name: f"NULL::{kinds.get(name, 'BIGINT')}" for name in columns}
    listed = ", ".join(f'{value} AS "{name}"' for name, value in columns.items())
    if not paths:
        return f"SELECT {listed} WHERE false"
    return f"SELECT {listed} FROM read_parquet([{', '.join(map(literal, paths))}])"  # noqa: S608 - names of our own


def _shown(kind: str) -> str:
    return "VARCHAR" if kind.startswith("ENUM") else kind


def _value(column: str, kind: str) -> str:
    if kind == "UBIGINT":
        return tables.unsigned(column)
    if kind == "TIMESTAMP":
        return f"make_timestamp(epoch_us({column}))"
    return column if tables.stored_type(kind) == kind else f"{column}::{kind}"


_SETTINGS: Final = """
SET parquet_metadata_cache = true;
SET validate_external_file_cache = 'NO_VALIDATION';
"""
"""Files of a snapshot are never changed, so what is known of them need not be asked again."""
_OWN_TABLES: Final = f"""
CREATE SCHEMA {_OWN};
CREATE TABLE {_OWN}.opened (games VARCHAR);
CREATE TABLE {_OWN}.files (
    of_table VARCHAR, path VARCHAR, rows BIGINT, least BIGINT, most BIGINT
);
CREATE TABLE {_OWN}.superseded (game_no BIGINT);
"""
"""Which database has the snapshot; which file may have a key; which games are hidden."""
_KEYS: Final = {"ids": "id_hash", "hands": "hand_no", "seatings": "seating_id"}
"""Tables in which one row is looked for, and by which column they are sorted."""
_PLACES: Final = {
    "rejects": {"row_in": "file_index", "row_no": "file_row_number"},
    "long_texts": {"rowid": "(file_index::BIGINT << 40) | file_row_number"},
}
"""Columns that say which row of which file this is, by table."""

# --- What is not stored, as it follows from rows: SQL with ``{files}`` in the place of these

_RULESETS: Final = """
SELECT DISTINCT ON (ruleset) *
FROM {files}
ORDER BY ruleset, length(options), options, title, family
"""
"""Hands of several loads bring the same rules; of several ways to put them the least stays."""

_REJECTS: Final = """
SELECT * EXCLUDE (row_in, row_no)
FROM {files}
SEMI JOIN (
    SELECT kept.row_in, kept.row_no
    FROM (
        SELECT arg_min({{'row_in': row_in, 'row_no': row_no}}, (import_id, file, line)) AS kept
        FROM {files}
        GROUP BY reject
    )
) USING (row_in, row_no)
"""
"""The same line with the same trouble stays as the first load met it."""

_SESSIONS: Final = """
SELECT session, any_value(day) AS day, min(player_ids) AS player_ids
FROM {files}
GROUP BY session
"""
"""Of several tables of a session the first, as ``ingest/facts/finish.sql`` has it."""

_PLAYERS: Final = f"""
WITH seats AS (
    SELECT
        hands, latest, unnest(players) AS player
    FROM {{files}}
    WHERE hands > 0
), days AS (
    SELECT id, min(day) AS first_day, max(day) AS last_day
    FROM (SELECT day, unnest(player_ids) AS id FROM {{sessions}})
    GROUP BY id
), {NAMED}
SELECT
    player.id AS player,
    coalesce(
        arg_max(player.name, (latest."at", player.name)) FILTER (player.name IS NOT NULL), player.id
    ) AS name,
    coalesce(any_value(aliases.names), []) AS aliases,
    arg_max(player.kind, (latest."at", player.kind)) FILTER (player.kind IS NOT NULL) AS kind,
    sum(hands)::INTEGER AS hands,
    any_value(first_day) AS first_day,
    any_value(last_day) AS last_day
FROM seats
LEFT JOIN days ON days.id = player.id
LEFT JOIN aliases ON aliases.id = player.id
GROUP BY player.id
"""  # noqa: S608 - names of our own
"""From what each load noted of each seating, and from the sessions, in the place of ``{sessions}``;
as ``ingest/loading/games.py`` makes it from hands."""


def _session_names(facts: str, games: str) -> str:
    """Return the query for the names of sessions, with the databases of facts and snapshot."""
    query = sql_text("tricklog.ingest.facts", "session_names.sql").rstrip().rstrip(";")
    return query.replace("facts.sessions", f"{facts}.sessions").replace(
        "games.players", f"{games}.players"
    )
