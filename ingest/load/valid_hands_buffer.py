"""Clean hands of one load, set aside on disk until it is known which of them are new.

They lie in an Arrow file, from which DuckDB reads only the columns that a question needs. An id
belongs to the hand read first; the same hand again is a duplicate, another one a conflict.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import pyarrow as pa
from duckdb import DuckDBPyConnection

from ingest.load.bulk import Clean
from ingest.reading.reader import LogLine
from ingest.store import database, record_codec, rows
from replay import Ruleset

_MEMORY_LIMIT: Final = "600MB"
ROW_GROUP: Final = 122_880
"""Hands that DuckDB stores together."""
STORERS: Final = 2
"""Threads that store hands. Each keeps a row group in memory, of some 180 MB."""
SPOOLED: Final = {
    "id": pa.string(),
    "content": pa.string(),
    "file_no": pa.int32(),
    "line": pa.int64(),
}
"""Columns of the hands that did not go through the bulk lane; ``content`` in hex."""
PLACES: Final = pa.schema([("file_no", pa.int32()), ("line", pa.int64())])


@dataclass(frozen=True, slots=True)
class Conflict:
    """A staged hand whose id belongs to another one."""

    line: LogLine
    id: str
    place: str
    """``file:line`` of the hand that has the id."""


@dataclass(slots=True)
class Fates:
    """What becomes of hands whose id another one has, too."""

    duplicates: int = 0
    """Staged hands that are there already."""
    conflicts: list[Conflict] = field(default_factory=list)
    dropped: pa.Table = field(default_factory=PLACES.empty_table)
    """Places of all of these."""
    spooled_duplicates: list[str] = field(default_factory=list)
    spooled_conflicts: list[tuple[str, str]] = field(default_factory=list)
    """Id, and the place of the hand that has it."""


class Staging:
    """The clean hands of one load, in a temporary folder."""

    def __init__(self) -> None:
        self.hands = 0
        self.rulesets: dict[str, Ruleset] = {}
        self._files: dict[str, int] = {}
        self._writers: dict[str, pa.ipc.RecordBatchStreamWriter] = {}
        self._waiting: list[pa.Table] = []

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="tricklog-", ignore_cleanup_errors=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._close()
        self._folder.cleanup()

    def _close(self) -> None:
        self._write_hands(least=1)
        while self._writers:
            self._writers.popitem()[1].close()

    def _path(self, name: str) -> str:
        return str(Path(self._folder.name) / f"{name}.arrow")

    def _table(self, name: str) -> pa.Table:
        # Mapped, not read: memory holds what a question touches.
        return pa.ipc.open_stream(pa.memory_map(self._path(name))).read_all()

    def _batches(self, name: str) -> pa.RecordBatchReader:
        # Read, not mapped: memory holds the batches that are being stored.
        return pa.ipc.open_stream(pa.OSFile(self._path(name)))

    def _write(self, name: str, table: pa.Table) -> None:
        if name not in self._writers:
            self._writers[name] = pa.ipc.new_stream(self._path(name), table.schema)
        self._writers[name].write_table(table)

    def file_number(self, file: str) -> int:
        """Return the number of a log; logs are numbered in the order in which they are read."""
        return self._files.setdefault(file, len(self._files))

    def add(self, clean: Clean) -> None:
        """Set the hands of a block aside."""
        number = pa.array([self.file_number(clean.file)] * len(clean.hands), pa.int32())
        self._waiting.append(clean.hands.append_column("file_no", number))
        self._write_hands(least=ROW_GROUP)
        self._write("seatings", clean.seatings)
        self.hands += len(clean.hands)
        self.rulesets |= {ruleset.hash: ruleset for ruleset in clean.rulesets}

    def _write_hands(self, least: int) -> None:
        """Write row group by row group, as long as ``least`` hands are waiting.

        A batch of the Arrow file is then a row group, which a thread of DuckDB stores as it is.
        """
        while sum(map(len, self._waiting)) >= least:
            waiting = pa.concat_tables(self._waiting)
            self._write("hands", waiting.slice(0, ROW_GROUP).combine_chunks())
            self._waiting = [waiting.slice(ROW_GROUP)]

    def _register(
        self, connection: DuckDBPyConnection, hands: pa.Table | pa.RecordBatchReader
    ) -> None:
        """Make hands known to a connection as ``stage``, and ``files`` and ``new_seatings``."""
        names = pa.table(
            {"file_no": pa.array(self._files.values(), pa.int32()), "file": list(self._files)}
        )
        connection.register("stage", hands)
        connection.register("files", names)
        connection.register("new_seatings", self._table("seatings"))

    def decide(self, spooled: pa.Table, current: Path | None) -> Fates:
        """Find the hands whose id another one has: of this load, or of the snapshot ``current``.

        ``spooled``: hands of the load that lie elsewhere, none of which is in ``current``.
        """
        fates = Fates()
        self._close()
        with database.connect(
            memory_limit=_MEMORY_LIMIT, temp_directory=self._folder.name
        ) as connection:
            self._register(connection, self._table("hands"))
            connection.register("spooled", spooled)
            if current:
                database.attach(connection, "current", current)
            else:
                connection.execute("ATTACH ':memory:' AS current")
                connection.execute(_NO_HANDS)
            connection.execute(_DOUBT)
            if connection.execute("SELECT count(*) FROM doubt").fetchall() == [(0,)]:
                return fates
            connection.execute(_FATES)
            fates.duplicates = connection.execute(_DUPLICATES).fetchall()[0][0]
            fates.dropped = connection.sql(_DROPPED).to_arrow_table()
            found = connection.execute(_CONFLICTS).fetchall()
            for file, number, byte, text, place, *record in found:
                text_read = text or record_codec.line_of(tuple(record))
                line = LogLine(file, number, byte, text=text_read)
                fates.conflicts.append(Conflict(line, record[0], place))
            for hand_id, same, place in connection.execute(_SPOOLED_FATES).fetchall():
                if same:
                    fates.spooled_duplicates.append(hand_id)
                else:
                    fates.spooled_conflicts.append((hand_id, place))
        return fates

    def insert(self, connection: DuckDBPyConnection, import_id: int, fates: Fates) -> None:
        """Insert the new hands, with their seatings and rules, into a draft."""
        # These can be read once, which is what inserting them takes.
        self._register(connection, self._batches("hands"))
        connection.register("dropped", fates.dropped)
        rulesets = [rows.ruleset_row(each) for each in self.rulesets.values()]
        connection.register("new_rulesets", rows.to_table(rows.RULESET_TYPES, rulesets))
        values: dict[str, Any] = {"import_id": import_id}
        base = connection.execute("SELECT coalesce(max(seating_id), 0) + 1 FROM seatings")
        values["base"] = base.fetchall()[0][0]
        anti = "ANTI JOIN dropped USING (file_no, line)" if len(fates.dropped) else ""
        # Row groups with hands left out are put together anew, and what several threads have stored
        # of them already would stay in the file as holes.
        connection.execute(f"SET threads = {1 if anti else STORERS}")
        connection.execute("SET preserve_insertion_order = false")
        connection.execute(_INSERT_HANDS.format(anti=anti), values)
        connection.execute("RESET threads")
        connection.execute("RESET preserve_insertion_order")
        connection.execute(_INSERT_SEATINGS, values)
        connection.execute(_INSERT_RULESETS)
        for name in ("stage", "files", "new_seatings", "dropped", "new_rulesets"):
            connection.unregister(name)


_NO_HANDS: Final = (
    "CREATE TABLE current.hands (id VARCHAR, content_hash UUID, file VARCHAR, line BIGINT)"
)
# Grouping by hashes takes two thirds of the memory that ids take; few ids share a hash.
_DOUBT: Final = """
CREATE VIEW ids AS SELECT id FROM stage UNION ALL SELECT id FROM spooled;
CREATE TABLE doubt AS
WITH suspects AS MATERIALIZED (SELECT hash(id) AS mixed FROM ids GROUP BY ALL HAVING count(*) > 1)
SELECT id FROM ids WHERE hash(id) IN (FROM suspects) GROUP BY id HAVING count(*) > 1
UNION
SELECT id FROM stage SEMI JOIN current.hands USING (id)
"""
_FATES: Final = """
CREATE TABLE fates AS
WITH rivals AS (
    SELECT id, content_hash, file_no, line, true AS staged FROM stage SEMI JOIN doubt USING (id)
    UNION ALL
    SELECT id, content::UUID, file_no, line, false FROM spooled SEMI JOIN doubt USING (id)
), known AS (
    SELECT id, content_hash, file || ':' || line AS place
    FROM current.hands SEMI JOIN doubt USING (id)
)
SELECT
    rivals.id,
    rivals.file_no,
    rivals.line,
    staged,
    rivals.content_hash
        = coalesce(known.content_hash, first_value(rivals.content_hash) OVER read) AS same,
    coalesce(known.place, first_value(file || ':' || rivals.line) OVER read) AS place,
    known.id IS NULL AND row_number() OVER read = 1 AS stays
FROM rivals
JOIN files USING (file_no)
LEFT JOIN known USING (id)
WINDOW read AS (PARTITION BY rivals.id ORDER BY rivals.file_no, rivals.line)
"""
_DUPLICATES: Final = "SELECT count(*) FROM fates WHERE staged AND NOT stays AND same"
_DROPPED: Final = "SELECT file_no, line FROM fates WHERE staged AND NOT stays"
_CONFLICTS: Final = f"""
SELECT file, line, byte, text, place, {record_codec.COLUMNS}
FROM stage
JOIN (SELECT file_no, line, place FROM fates WHERE staged AND NOT stays AND NOT same)
    USING (file_no, line)
JOIN files USING (file_no)
JOIN new_seatings USING (seating_id)
ORDER BY file_no, line
"""  # noqa: S608 - names of our own
_SPOOLED_FATES: Final = "SELECT id, same, place FROM fates WHERE NOT staged AND NOT stays"
_INSERT_HANDS: Final = """
INSERT INTO hands BY NAME
SELECT
    $import_id AS import_id,
    file,
    * EXCLUDE (file_no, file, byte, text) REPLACE (seating_id + $base AS seating_id)
FROM stage
JOIN files USING (file_no)
{anti}
"""
_INSERT_SEATINGS: Final = """
INSERT INTO seatings BY NAME
SELECT * REPLACE (seating_id + $base AS seating_id)
FROM new_seatings
WHERE seating_id + $base IN (SELECT seating_id FROM hands WHERE import_id = $import_id)
"""
_INSERT_RULESETS: Final = """
INSERT INTO rulesets BY NAME
SELECT * FROM new_rulesets SEMI JOIN seatings USING (ruleset)
ON CONFLICT DO NOTHING
"""
