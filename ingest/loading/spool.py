"""The hands of a load, set aside on disk until it is known which of them are new.

Valid hands lie in an Arrow file as they will be stored, all others in another one as lines that
are yet to be judged in their games. A question reads only the columns that it needs.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Self

import pyarrow as pa
import pyarrow.compute as pc
from duckdb import DuckDBPyConnection

from tricklog.ingest.loading.bulk import ValidHands
from tricklog.ingest.loading.settling import CLAIM, MEMORY_LIMIT, Claims
from tricklog.ingest.reading.intake import Entry
from tricklog.ingest.reading.reader import LogLine
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.store import database, long_texts, publishing, record_codec, rows

ROW_GROUP: Final = 122_880
"""Hands that DuckDB stores together."""
STAGED: Final = 1 << 27
"""Bytes of hands that are kept waiting until there are enough for a row group."""
STORERS: Final = 2
"""Threads that store hands. Each keeps a row group in memory, of some 180 MB."""
_BATCH: Final = 100
PORTION: Final = 1 << 22
"""Bytes of lines yet to be judged that are held at a time, about."""
_LINE: Final = {
    **dict(zip(CLAIM.names, CLAIM.types, strict=True)),
    "byte": pa.int64(),
    "text": pa.binary(),
    "game": pa.string(),
    "place": pa.string(),
}


class Spool:
    """The hands of a load in a temporary folder, in the order in which they were read.

    First they are added, then asked for: once one was asked for no more can be added.
    """

    def __init__(self) -> None:
        self.valid = 0
        """How many valid hands there are; those yet to be judged are numbered after them."""
        self.lines = 0
        """How many hands are yet to be judged."""
        self.next_seating = 0
        """A number that no seating has that was added, nor any greater one."""
        self._lines: list[tuple[Any, ...]] = []
        self._lines_size = 0
        self._files: dict[str, int] = {}
        self._writers: dict[str, pa.ipc.RecordBatchStreamWriter] = {}
        self._waiting: list[pa.Table] = []
        self._texts = long_texts.Aside()

    def __enter__(self) -> Self:
        self._folder = Scratch()
        return self

    def __exit__(self, *_: object) -> None:
        while self._writers:
            # What a full disk had to say was said when something was written.
            with suppress(OSError):
                self._writers.popitem()[1].close()
        self._texts.close()
        self._folder.cleanup()

    @property
    def folder(self) -> str:
        """Where the hands lie."""
        return self._folder.name

    # --- Adding

    def file_number(self, file: str) -> int:
        """Return the number of a log; logs are numbered in the order in which they are read."""
        return self._files.setdefault(file, len(self._files))

    def files(self) -> list[str]:
        """Return the logs by their numbers."""
        return list(self._files)

    def add(self, part: ValidHands) -> None:
        """Set the hands of a block aside."""
        number = pa.array([self.file_number(part.file)] * len(part.hands), pa.int32())
        self.add_seatings(part.seatings)
        self.add_hands(part.hands.append_column("file_no", number))

    def add_hands(self, hands: pa.Table) -> None:
        """Set hands aside whose column ``file_no`` has what ``file_number`` says of their logs."""
        hands = long_texts.with_references(hands, ["text"], self._texts.keep)
        places = pa.array(range(self.valid, self.valid + len(hands)), pa.int64())
        self._waiting.append(hands.append_column("hand_no", places))
        self._write_hands(least=ROW_GROUP)
        self.valid += len(hands)

    def add_seatings(self, seatings: pa.Table) -> None:
        """Set seatings aside; their numbers are those that hands give."""
        if len(seatings):
            self.next_seating = max(self.next_seating, 1 + pc.max(seatings["seating_id"]).as_py())
        self._write("seatings", long_texts.with_references(seatings, ["rules"], self._texts.keep))

    def add_line(self, line: LogLine, entry: Entry) -> None:
        """Set a hand aside that is yet to be judged."""
        content, file_no = bytes.fromhex(entry.content), self.file_number(line.file)
        claim = (entry.hand_id, content, file_no, line.line, self.lines)
        self._lines.append((*claim, line.byte, line.text, entry.game, entry.place))
        self.lines += 1
        self._lines_size += len(line.text)
        if self._lines_size >= PORTION:
            self._write_lines()

    def _finish(self) -> None:
        """Write what is waiting."""
        self._write_hands(least=1)
        self._write_lines()
        with self._in_words():
            while self._writers:
                self._writers.popitem()[1].close()

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

    def _write_lines(self) -> None:
        if self._lines:
            self._write("lines", rows.to_table(_LINE, self._lines))
            self._lines, self._lines_size = [], 0

    def _path(self, name: str) -> str:
        return str(Path(self.folder) / f"{name}.arrow")

    def _write(self, name: str, table: pa.Table) -> None:
        with self._in_words():
            if name not in self._writers:
                self._writers[name] = pa.ipc.new_stream(self._path(name), table.schema)
            self._writers[name].write_table(table)

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """Raise trouble with the disk as a sentence about temporary files."""
        try:
            yield
        except OSError as error:
            raise publishing.no_room_for_temporary_files(self.folder, error) from error

    # --- Asking

    def _mapped(self, name: str) -> pa.Table:
        """Return a table of which memory holds what a question touches."""
        self._finish()
        return pa.ipc.open_stream(pa.memory_map(self._path(name))).read_all()

    def _batches(self, name: str) -> pa.RecordBatchReader:
        """Return what is read batch by batch, so that memory holds those being stored."""
        self._finish()
        return pa.ipc.open_stream(pa.OSFile(self._path(name)))

    def claims(self) -> Claims:
        """Return which hand claims which id."""
        claims = [CLAIM.empty_table()]
        if self.valid:
            claims.append(self._mapped("hands").select(CLAIM.names))
        if self.lines:
            claims.append(self._numbered(self._mapped("lines").select(CLAIM.names)))
        return Claims(pa.concat_tables(claims), self._file_names())

    def _file_names(self) -> pa.Table:
        names = {"file_no": pa.array(self._files.values(), pa.int32()), "file": list(self._files)}
        return pa.table(names)

    def _numbered(self, lines: pa.Table) -> pa.Table:
        """Return hands that are yet to be judged with their numbers among all."""
        numbers = pc.add(lines["hand_no"], pa.scalar(self.valid, pa.int64()))
        return with_column(lines, "hand_no", numbers)

    def tables_of_lines(self) -> Iterator[pa.Table]:
        """Return the hands yet to be judged, some megabytes at a time, as they were read."""
        if self.lines:
            for batch in self._batches("lines"):
                yield self._numbered(pa.table(batch))

    def lines_without(self, lost: pa.Array) -> Iterator[tuple[int, LogLine, Entry]]:
        """Return the hands that are yet to be judged but for some: place among them, line, entry.

        ``lost``: numbers of hands that are left out.
        """
        files = self.files()
        for lines in self.tables_of_lines():
            kept = lines.filter(pc.invert(pc.is_in(lines["hand_no"], value_set=lost)))
            for row in kept.to_pylist():
                yield row["hand_no"] - self.valid, _line_of(row, files), entry_in(row)

    def tables(self) -> Iterator[pa.Table]:
        """Return the valid hands a row group at a time, long texts in their places.

        Columns are those of ``add_hands``.
        """
        if self.valid:
            for batch in self._batches("hands"):
                hands = pa.table(batch).drop_columns("hand_no")
                stored = hands["text"]
                apart = pc.starts_with(stored, pattern=long_texts.MARK).fill_null(False)  # noqa: FBT003 - has no name
                if pc.any(apart).as_py():
                    texts = [self._texts.content(each) for each in stored.filter(apart).to_pylist()]
                    whole = pc.replace_with_mask(
                        stored.combine_chunks(),
                        apart.combine_chunks(),
                        pa.array(texts, pa.binary()),
                    )
                    hands = with_column(hands, "text", whole)
                yield hands

    def seatings(self, base: int = 0, used: pa.ChunkedArray | None = None) -> Iterator[pa.Table]:
        """Return the seatings whose numbers, which count from ``base``, are ``used``; or all.

        They come a few at a time, as many as their rules are short, which are whole.
        """
        for batch in self._batches("seatings") if self.valid else ():
            seatings = pa.table(batch)
            numbers = pc.add(seatings["seating_id"], pa.scalar(base, pa.int32()))
            seatings = with_column(seatings, "seating_id", numbers)
            if used is not None:
                is_used = pc.is_in(numbers, value_set=used.combine_chunks())
                seatings = seatings.filter(is_used)
            first, size = 0, 0
            rules: list[str] = []
            for stored in seatings["rules"].to_pylist():
                rules.append(self._whole(stored))
                size += len(rules[-1])
                if size > long_texts.PORTION or first + len(rules) == len(seatings):
                    part = seatings.slice(first, len(rules))
                    yield with_column(part, "rules", pa.array(rules, pa.string()))
                    first, size, rules = first + len(rules), 0, []

    def games(self, dropped: pa.Array) -> list[str]:
        """Return the names of the games of valid hands, but for those numbered ``dropped``."""
        names: set[str] = set()
        for batch in self._batches("hands") if self.valid else ():
            kept = pc.invert(pc.is_in(batch["hand_no"], value_set=dropped))
            names.update(batch["game"].filter(kept).drop_null().unique().to_pylist())
        return sorted(names)

    def lines_in_conflict(self, conflicts: pa.Table) -> Iterator[tuple[LogLine, str, str]]:
        """Return hands in conflict: the line of each, its id, and where the id's own hand is.

        Valid hands come first. ``conflicts``: their numbers and places, as in ``Fates.lost``.
        """
        is_valid = pc.less(conflicts["hand_no"], self.valid)
        valid, others = conflicts.filter(is_valid), conflicts.filter(pc.invert(is_valid))
        if len(valid):
            for file, _, number, byte, read, place, record in self._joined(_CONFLICTS, valid):
                if read is None:
                    text = record_codec.line_of(record)
                else:
                    text = self._texts.content(read) if long_texts.is_reference(read) else read
                yield LogLine(file, number, byte, text=text), record[0], place
        if len(others):
            files, lines = self.files(), self._mapped("lines")
            for batch in others.to_batches(max_chunksize=_BATCH):
                for lost in batch.to_pylist():
                    (row,) = lines.slice(lost["hand_no"] - self.valid, 1).to_pylist()
                    yield _line_of(row, files), row["hand_id"], lost["place"]

    def lines_of(self, ids: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Return the hands with some ids: id and a text that is read.

        They come by id, and as they were read.
        """
        wanted = pa.array(ids, pa.string())
        both = self._valid_of(wanted), self._lines_of(wanted)
        for (hand_id, *_), text in heapq.merge(*both, key=lambda found: found[0]):
            yield hand_id, text

    def _lines_of(self, ids: pa.Array) -> Iterator[tuple[tuple[str, int, int], bytes]]:
        if self.lines:
            lines = self._mapped("lines")
            # The texts stay on disk until they are asked for.
            claims = lines.select(CLAIM.names)
            found = claims.filter(pc.is_in(claims["hand_id"], value_set=ids))
            order = [(name, "ascending") for name in ("hand_id", "file_no", "line", "hand_no")]
            for row in found.sort_by(order).to_pylist():
                text = lines["text"][row["hand_no"]].as_py()
                yield (row["hand_id"], row["file_no"], row["line"]), text

    def _valid_of(self, ids: pa.Array) -> Iterator[tuple[tuple[str, int, int], bytes]]:
        if self.valid:
            wanted = pa.table({"hand_id": ids, "place": pa.nulls(len(ids), pa.string())})
            for _, file_no, number, *_, record in self._joined(_OF_IDS, wanted):
                yield (record[0], file_no, number), record_codec.line_of(record)

    def _joined(self, query: str, wanted: pa.Table) -> Iterator[tuple[Any, ...]]:
        """Return what ``query`` finds of hands that are ``wanted``, the record of each whole."""
        with database.connect(memory_limit=MEMORY_LIMIT, temp_directory=self.folder) as connection:
            connection.register("wanted", wanted)
            connection.register("files", self._file_names())
            connection.register("valid", self._batches("hands"))
            connection.register("new_seatings", self._batches("seatings"))
            found = connection.execute(query)
            while batch := found.fetchmany(_BATCH):
                for file, file_no, number, byte, read, place, *stored in batch:
                    record = tuple(
                        self._whole(value) if index in record_codec.LONG_PLACES else value
                        for index, value in enumerate(stored)
                    )
                    yield file, file_no, number, byte, read, place, record

    def _whole(self, stored: str) -> str:
        is_long = long_texts.is_reference(stored)
        return self._texts.content(stored).decode() if is_long else stored

    def insert(
        self,
        connection: DuckDBPyConnection,
        import_id: int,
        first: int,
        base: int,
        dropped: pa.Array,
    ) -> None:
        """Insert the valid hands into a draft, but for those numbered ``dropped``.

        The numbers of hands count from ``first``, those of seatings from ``base``.
        """
        connection.execute(f"SET threads = {STORERS}")
        connection.execute("SET preserve_insertion_order = false")
        # The hands can be read once, which is what inserting them takes.
        stage = self._batches("hands")
        if len(dropped):
            batches = _row_groups_without(stage, dropped)
            stage = pa.RecordBatchReader.from_batches(stage.schema, batches)
        frames = {"files": self._file_names(), "stage": stage}
        for name, frame in frames.items():
            connection.register(name, frame)
        values = {"import_id": import_id, "first": first, "base": base}
        connection.execute(_INSERT_HANDS, values)
        connection.execute("RESET threads")
        connection.execute("RESET preserve_insertion_order")
        for name in frames:
            connection.unregister(name)


def with_column(table: pa.Table, name: str, column: pa.Array | pa.ChunkedArray) -> pa.Table:
    """Return a table with another column in the place of that of the same name."""
    return table.set_column(table.schema.get_field_index(name), name, column)


def _line_of(row: dict[str, Any], files: list[str]) -> LogLine:
    return LogLine(files[row["file_no"]], row["line"], row["byte"], text=row["text"])


def entry_in(row: dict[str, Any]) -> Entry:
    """Return what is noted of a hand in a row of ``tables_of_lines``."""
    return Entry(row["hand_id"], row["game"], row["content_hash"].hex, row["place"])


def _row_groups_without(hands: pa.RecordBatchReader, dropped: pa.Array) -> Iterator[pa.RecordBatch]:
    """Return hands without those dropped, a row group at a time.

    Batches with gaps DuckDB would put together again, and hold several of them meanwhile.
    """
    waiting = hands.schema.empty_table()
    for batch in hands:
        kept = batch.filter(pc.invert(pc.is_in(batch["hand_no"], value_set=dropped)))
        waiting = pa.concat_tables([waiting, pa.table(kept)])
        while len(waiting) >= ROW_GROUP:
            yield from waiting.slice(0, ROW_GROUP).combine_chunks().to_batches()
            waiting = waiting.slice(ROW_GROUP)
    yield from waiting.combine_chunks().to_batches()


_ROWS: Final = f"""
SELECT file, file_no, line, byte, text, place, {record_codec.COLUMNS}
FROM valid
JOIN files USING (file_no)
JOIN new_seatings USING (seating_id)
"""  # noqa: S608 - names of our own
_CONFLICTS: Final = f"{_ROWS} JOIN wanted USING (hand_no) ORDER BY file_no, line"
_OF_IDS: Final = f"{_ROWS} JOIN wanted USING (hand_id) ORDER BY hand_id, file_no, line"
_INSERT_HANDS: Final = """
INSERT INTO hands BY NAME
SELECT
    $import_id AS import_id,
    file,
    * EXCLUDE (file_no, file, byte, text)
        REPLACE (seating_id + $base AS seating_id, hand_no + $first AS hand_no)
FROM stage
JOIN files USING (file_no)
"""
