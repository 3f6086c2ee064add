"""Whether what a snapshot of a lake names is there, and whole."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from duckdb import DuckDBPyConnection

from tricklog.ingest.lake.publish import Lake, Snapshot, in_words
from tricklog.ingest.lake.storage import Storage, at_once
from tricklog.ingest.lake.tables import File
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.store import database
from tricklog.ingest.store.warehouse import DamagedError, first_line

if TYPE_CHECKING:
    from tricklog.ingest.lake.engines import Engine

FILE_MEMORY: Final = 700_000_000
"""Bytes that reading a file as a whole needs, at most."""
_SMALL: Final = 256_000_000
"""Bytes of a lake of which every file is read to find out why it cannot be read."""
_MEMORY_LIMIT: Final = "300MB"


def damage_behind(lake: Lake, snapshot: Snapshot, error: Exception) -> tuple[str, str] | None:
    """Return a damaged file that an error in reading a snapshot comes of, and what is wrong.

    That is one that is missing or not as long as it was. Else files that the error names are read
    as a whole; where it names none, all files of a small lake. Names are below the root of the
    lake. Raises ``DamagedError`` when it cannot be told which files there are, and ``StorageError``
    when the store fails.
    """

    def sizes(table: str) -> dict[str, int]:
        with in_words(lake.storage):
            return {entry.name: entry.size for entry in lake.storage.list(table)}

    files = lake.all_files(snapshot)
    every = [file for those in files.values() for file in those]
    found = {name: size for there in at_once(sizes, files) for name, size in there.items()}
    for file in every:
        if wrong := _wrong_length(file, found.get(file.name)):
            return file.name, wrong
    named = [file for file in every if file.name in str(error)]
    if not named and sum(file.size for file in every) > _SMALL:
        return None
    for file in named or every:
        with in_words(lake.storage, file.table):
            task = FileTask(lake.storage, file, lake.schema(snapshot, file.table))
            if found_wrong := check_file(task):
                return found_wrong
    return None


def _wrong_length(file: File, length: int | None) -> str:
    if length is None:
        return f"{file.name} is missing."
    if length != file.size:
        return f"{file.name} has {length} bytes in the place of {file.size}."
    return ""


@dataclass(frozen=True, slots=True)
class FileTask:
    """A file to be read as a whole."""

    storage: Storage
    file: File
    schema: pa.Schema | None = None
    """The columns of the table."""


def damaged(
    lake: Lake, snapshot: Snapshot, tables: Iterable[str], engine: Engine
) -> Iterator[tuple[str, str]]:
    """Read every file of some tables as a whole; give the name of what is damaged, and how.

    That is a file, or a table of which it cannot be told which files it has. Raises as ``map`` of
    the engine does.
    """
    tasks: list[FileTask] = []
    for table in sorted(snapshot.versions.keys() & set(tables)):
        try:
            files, schema = lake.files(snapshot, table), lake.schema(snapshot, table)
        except DamagedError as error:
            yield table, str(error)
        else:
            tasks += [FileTask(lake.storage, file, schema) for file in files]
    yield from sorted(filter(None, engine.map(check_file, tasks, memory=FILE_MEMORY)))


def check_file(task: FileTask) -> tuple[str, str] | None:
    """Read a file as a whole, every page of every column; return its name and what is wrong.

    Nothing where it is what was published: as long, with as many rows, the columns of the table,
    and the checksums and bounds that were written with it. Files of before there were checksums
    have none. Raises ``OSError`` when the store fails.
    """
    name = task.file.name
    content: bytes | None
    try:
        content = task.storage.read(name)
    except FileNotFoundError:
        content = None
    wrong = _wrong_length(task.file, None if content is None else len(content))
    if content is not None and not wrong:
        try:
            found = pq.ParquetFile(pa.BufferReader(content), page_checksum_verification=True)
            wrong = _wrong_within(found, task.file, task.schema)
            del found
        # Whatever is read here lies in memory, so nothing of this is the store's.
        except (OSError, pa.ArrowException, ValueError, LookupError, OverflowError) as error:
            wrong = f"{name} cannot be read: {first_line(error)}."
        wrong = wrong or _wrong_to_duckdb(content, name)
    return (name, wrong) if wrong else None


def _wrong_to_duckdb(content: bytes, name: str) -> str:
    """Read a file as whoever asks for figures does: each reader passes over what others do not."""
    with Scratch() as folder:
        copy = Path(folder) / "copy.parquet"
        copy.write_bytes(content)
        try:
            with _READER.held() as connection:
                query = "SELECT max(hash(item)) FROM read_parquet($1) AS item"
                connection.execute(query, [str(copy)]).fetchall()
        except (duckdb.IOException, duckdb.OutOfMemoryException):
            raise
        except (duckdb.Error, UnicodeError) as error:
            says = first_line(error).replace(str(copy), name)
            return f"{name} cannot be read: {says}."
    return ""


class _Reader(threading.local):
    """A database for each thread, kept for the next file: to open one takes longer than most files.

    One in which anything went wrong is not used again, as that may have left it dead.
    """

    def __init__(self) -> None:
        self._kept: DuckDBPyConnection | None = None

    @contextmanager
    def held(self) -> Iterator[DuckDBPyConnection]:
        # What it would remember of a file is of no use for the next.
        settings = {"memory_limit": _MEMORY_LIMIT, "enable_external_file_cache": "false"}
        connection = self._kept or database.connect(None, threads="1", **settings)
        self._kept = None
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        self._kept = connection


_READER: Final = _Reader()


def _wrong_within(found: pq.ParquetFile, file: File, schema: pa.Schema | None) -> str:
    name = file.name
    columns = dict(zip(found.schema_arrow.names, found.schema_arrow.types, strict=True))
    if schema is not None and columns != dict(zip(schema.names, schema.types, strict=True)):
        return f"{name} has other columns than the table."
    rows = 0
    bounds: dict[str, list[Any]] = {}
    for number in range(found.num_row_groups):
        group = found.read_row_group(number)
        group.validate(full=True)
        rows += len(group)
        about = found.metadata.row_group(number)
        said = {about.column(place).path_in_schema: place for place in range(about.num_columns)}
        for column in said.keys() & columns:
            statistics = about.column(said[column]).statistics
            if not (statistics and statistics.has_min_max):
                continue
            there = pc.min_max(group[column]).as_py()
            if there != {"min": statistics.min, "max": statistics.max}:
                return f"{name} says other bounds of {column} than there are."
            bounds.setdefault(column, []).extend(there.values())
    if rows != file.rows:
        return f"{name} has {rows:,} rows in the place of {file.rows:,}."
    for column, values in bounds.items():
        told = file.low.get(column), file.high.get(column)
        if None not in told and told != (min(values), max(values)):
            return f"{name} has other bounds of {column} than were published."
    return ""
