"""Valid hands of one load, set aside on disk until it is known which of them are new.

They lie in an Arrow file, from which DuckDB reads only the columns that a question needs. An id
belongs to the hand read first; the same hand again is a duplicate, another one a conflict.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

import pyarrow as pa
import pyarrow.compute as pc
from duckdb import DuckDBPyConnection

from ingest.loading.bulk import ValidHands
from ingest.reading.reader import LogLine
from ingest.store import database, long_texts, record_codec, rows

_MEMORY_LIMIT: Final = "400MB"
ROW_GROUP: Final = 122_880
"""Hands that DuckDB stores together."""
STAGED: Final = 1 << 27
"""Bytes of hands that are kept waiting until there are enough for a row group."""
STORERS: Final = 2
"""Threads that store hands. Each keeps a row group in memory, of some 180 MB."""
SPOOLED: Final = {
    "id": pa.string(),
    "content": pa.string(),
    "file_no": pa.int32(),
    "line": pa.int64(),
}
"""Columns of the hands that did not go through the bulk lane; ``content`` in hex."""
_BATCH: Final = 100
PLACES: Final = pa.schema([("file_no", pa.int32()), ("line", pa.int64())])


@dataclass(slots=True)
class Fates:
    """What becomes of staged hands whose id another one has, too."""

    duplicates: int = 0
    """Staged hands that are there already."""
    dropped: pa.Table = field(default_factory=PLACES.empty_table)
    """Places of these, and of those that are in conflict."""


OnConflict = Callable[[LogLine, str, str], None]
"""Called for a staged hand whose id another record has: its line, the id, ``file:line`` of the
other one."""
OnSpooled = Callable[[str, bool, str], None]
"""Called for a spooled hand whose id another one has: the id, whether both are the same record,
and the place of the other one."""


class ValidHandsBuffer:
    """The valid hands of one load, in a temporary folder."""

    def __init__(self) -> None:
        self.hands = 0
        self._files: dict[str, int] = {}
        self._writers: dict[str, pa.ipc.RecordBatchStreamWriter] = {}
        self._waiting: list[pa.Table] = []
        self._texts = long_texts.Aside()

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="tricklog-", ignore_cleanup_errors=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._close()
        self._texts.close()
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

    def add(self, part: ValidHands) -> None:
        """Set the hands of a block aside."""
        number = pa.array([self.file_number(part.file)] * len(part.hands), pa.int32())
        hands = long_texts.with_references(part.hands, ["text"], self._texts.keep)
        self._waiting.append(hands.append_column("file_no", number))
        self._write_hands(least=ROW_GROUP)
        seatings = long_texts.with_references(part.seatings, ["rules"], self._texts.keep)
        self._write("seatings", seatings)
        self.hands += len(part.hands)

    def add_spooled(self, places: list[tuple[str, str, str, int]]) -> None:
        """Note hands that lie elsewhere: id, content hash, file and line of each."""
        noted = [(name, content, self.file_number(file), n) for name, content, file, n in places]
        self._write("spooled", rows.to_table(SPOOLED, noted))

    def _write_hands(self, least: int) -> None:
        """Write row group by row group, as long as ``least`` hands or many bytes are waiting.

        A batch of the Arrow file is then a row group, which a thread of DuckDB stores as it is.
        """
        while self._waiting and (
            sum(map(len, self._waiting)) >= least
            or sum(table.nbytes for table in self._waiting) > STAGED
        ):
            waiting = pa.concat_tables(self._waiting)
            self._write("hands", waiting.slice(0, ROW_GROUP).combine_chunks())
            left = waiting.slice(ROW_GROUP)
            self._waiting = [left] if len(left) else []

    def decide(self, current: Path | None, on_conflict: OnConflict, on_spooled: OnSpooled) -> Fates:
        """Find the hands whose id another one has: of this load, or of the snapshot ``current``.

        None of the spooled hands may be in ``current``.
        """
        fates = Fates()
        self.add_spooled([])
        self._close()
        with database.connect(
            memory_limit=_MEMORY_LIMIT, temp_directory=self._folder.name
        ) as connection:
            connection.register("stage", self._table("hands"))
            connection.register("files", self._file_names())
            connection.register("spooled", self._table("spooled"))
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
            # All columns are asked for from here on.
            connection.register("stage", self._batches("hands"))
            connection.register("new_seatings", self._batches("seatings"))
            found = connection.execute(_CONFLICTS)
            while batch := found.fetchmany(_BATCH):
                for file, number, byte, read, place, *stored in batch:
                    record = [
                        self._whole(value) if index in record_codec.LONG_PLACES else value
                        for index, value in enumerate(stored)
                    ]
                    if read is None:
                        text = record_codec.line_of(tuple(record))
                    else:
                        is_long = long_texts.is_reference(read)
                        text = self._texts.content(read) if is_long else read
                    line = LogLine(file, number, byte, text=text)
                    on_conflict(line, record[0], place)
            spooled = connection.execute(_SPOOLED_FATES)
            while batch := spooled.fetchmany(_BATCH):
                for fate in batch:
                    on_spooled(*fate)
        return fates

    def _whole(self, stored: str) -> str:
        """Return the text that a row stands for."""
        is_long = long_texts.is_reference(stored)
        return self._texts.content(stored).decode() if is_long else stored

    def _file_names(self) -> pa.Table:
        names = {"file_no": pa.array(self._files.values(), pa.int32()), "file": list(self._files)}
        return pa.table(names)

    def insert(
        self, connection: DuckDBPyConnection, import_id: int, base: int, fates: Fates
    ) -> None:
        """Insert the new hands into a draft; the numbers of seatings count from ``base``."""
        dropped = fates.dropped
        anti = "ANTI JOIN dropped USING (file_no, line)" if len(dropped) else ""
        # Row groups with hands left out are rebuilt, and what several threads have stored
        # of them already would stay in the file as holes.
        connection.execute(f"SET threads = {1 if anti else STORERS}")
        connection.execute("SET preserve_insertion_order = false")
        # The hands can be read once, which is what inserting them takes.
        stage = self._batches("hands")
        frames = {"files": self._file_names(), "dropped": dropped, "stage": stage}
        for name, frame in frames.items():
            connection.register(name, frame)
        values = {"import_id": import_id, "base": base}
        connection.execute(_INSERT_HANDS.format(anti=anti), values)
        connection.execute("RESET threads")
        connection.execute("RESET preserve_insertion_order")
        for name in frames:
            connection.unregister(name)

    def seatings(self, base: int, used: pa.ChunkedArray) -> Iterator[pa.Table]:
        """Return the seatings whose numbers, which count from ``base``, are ``used``.

        They come a few at a time, as many as their rules are short.
        """
        for batch in self._batches("seatings"):
            seatings = pa.table(batch)
            numbers = pc.add(seatings["seating_id"], pa.scalar(base, pa.int32()))
            place = seatings.schema.get_field_index("seating_id")
            numbered = seatings.set_column(place, "seating_id", numbers)
            chosen = numbered.filter(pc.is_in(numbers, value_set=used.combine_chunks()))
            if len(chosen):
                yield from self._with_rules(chosen)

    def _with_rules(self, seatings: pa.Table) -> Iterator[pa.Table]:
        """Return seatings with their rules in the place of references."""
        place = seatings.schema.get_field_index("rules")
        first, size = 0, 0
        rules: list[str] = []
        for stored in seatings["rules"].to_pylist():
            rules.append(self._whole(stored))
            size += len(rules[-1])
            if size > long_texts.PORTION or first + len(rules) == len(seatings):
                part = seatings.slice(first, len(rules))
                yield part.set_column(place, "rules", pa.array(rules, pa.string()))
                first, size, rules = first + len(rules), 0, []


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
