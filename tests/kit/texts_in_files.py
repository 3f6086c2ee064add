"""Every text in a file, whatever holds it: databases, Parquet files, archives, JSON, plain text."""

from __future__ import annotations

import gzip
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import duckdb
import msgspec
import pyarrow.parquet as pq

from tricklog.ingest.reading.forgotten import unescaped
from tricklog.ingest.reading.spoken_words import LEAST
from tricklog.ingest.store import database

DUCKDB: Final = b"DUCK"
_DUCKDB_AT: Final = 8
SQLITE: Final = b"SQLite format 3\x00"
PARQUET: Final = b"PAR1"
ARCHIVES: Final = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")
"""How files begin that gzip and Zstandard have packed."""
_OWN_FILES: Final = ("CURRENT", "PUBLISHED", "forgotten.json", "forgotten-copy.json")
_OWN_ENDINGS: Final = (".seal",)
_BATCH: Final = 2_000
_LINE: Final = 1 << 20
"""Characters of a line that are read at a time."""
_TEXTUAL: Final = ("VARCHAR", "BLOB", "JSON", "BIT")


class Cell(NamedTuple):
    """A text, and where it stands in its file."""

    text: str
    where: str
    column: str = ""
    """The column, or the field within one, that holds it and nothing else."""


class _Lines(Protocol):
    """A file, or what unpacks one."""

    def readline(self, size: int, /) -> bytes: ...


def cells_of(path: Path) -> Iterator[Cell]:
    """Return every text in a file.

    Raises ``OSError``, and ``ValueError`` for a file that is not what it seems to be.
    """
    with path.open("rb") as file:
        head = file.read(16)
    try:
        if head[_DUCKDB_AT : _DUCKDB_AT + len(DUCKDB)] == DUCKDB:
            yield from _of_duckdb(path)
        elif head.startswith(SQLITE):
            yield from _of_sqlite(path)
        elif head.startswith(PARQUET):
            yield from _of_parquet(path)
        elif head.startswith(ARCHIVES):
            yield from _of_archive(path, head)
        else:
            yield from _of_text(path)
    except (duckdb.Error, sqlite3.Error) as error:
        raise ValueError(str(error)) from error


def _of_duckdb(path: Path) -> Iterator[Cell]:
    with closing(database.connect(memory_limit=database.READING_LIMIT)) as connection:
        database.attach(connection, "file", path)
        columns = connection.execute(_COLUMNS).fetchall()
        by_table: dict[str, list[str]] = {}
        for table, column, kind in columns:
            if any(each in kind for each in _TEXTUAL):
                by_table.setdefault(table, []).append(column)
        for table, names in by_table.items():
            if table == "long_texts":
                yield from _of_long_texts(connection)
                continue
            listed = ", ".join(f'"{name}"' for name in names)
            found = connection.execute(f'SELECT {listed} FROM file."{table}"')  # noqa: S608 - names of our own
            while rows := found.fetchmany(_BATCH):
                for row in rows:
                    for name, value in zip(names, row, strict=True):
                        yield from _of_value(value, f"{table}.{name}", name)


def _of_long_texts(connection: duckdb.DuckDBPyConnection) -> Iterator[Cell]:
    """Return long texts whole: a name may lie across two pieces."""
    found = connection.execute(
        "SELECT text_hash, content FROM file.long_texts ORDER BY text_hash, piece"
    )
    last, parts = None, b""
    while rows := found.fetchmany(_BATCH):
        for key, content in rows:
            if key != last and parts:
                yield from _of_value(parts, "long_texts.content", "")
                parts = b""
            last, parts = key, parts + content
    if parts:
        yield from _of_value(parts, "long_texts.content", "")


def _of_sqlite(path: Path) -> Iterator[Cell]:
    address = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as connection:
        connection.text_factory = _decoded
        tables = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'"
        ).fetchall()
        for (table,) in tables:
            found = connection.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - names of our own
            names = [each[0] for each in found.description]
            for row in found:
                for name, value in zip(names, row, strict=True):
                    yield from _of_value(value, f"{table}.{name}", name)


def _of_parquet(path: Path) -> Iterator[Cell]:
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(_BATCH):
            for name in batch.schema.names:
                for value in batch.column(name).to_pylist():
                    yield from _of_value(value, name, name)


def _of_archive(path: Path, head: bytes) -> Iterator[Cell]:
    import zstandard

    try:
        with gzip.open(path) if head.startswith(ARCHIVES[0]) else zstandard.open(path) as file:
            yield from _lines_of(file)
    except (EOFError, zlib.error, zstandard.ZstdError) as error:
        raise ValueError(f"an archive that cannot be unpacked: {error}") from error


def _of_text(path: Path) -> Iterator[Cell]:
    with path.open("rb") as file:
        if path.name in _OWN_FILES or path.suffix in _OWN_ENDINGS:
            yield from _of_own(file.read())
        else:
            yield from _lines_of(file)
    if path.suffix == ".json" and path.name not in _OWN_FILES:
        yield from _of_json(path)


def _of_own(content: bytes) -> Iterator[Cell]:
    """Return the values of a small file that Tricklog has written, whose keys are its own words."""
    for number, line in enumerate(content.split(b"\n"), 1):
        try:
            value = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            value = _decoded(line)
        yield from _without_keys(value, f"line {number:,}")


def _without_keys(value: Any, where: str) -> Iterator[Cell]:  # noqa: ANN401 - any JSON
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _without_keys(each, f"{where}, {key}")
    elif isinstance(value, list):
        for each in value:
            yield from _without_keys(each, where)
    elif isinstance(value, str):
        yield Cell(value, where)


def _of_json(path: Path) -> Iterator[Cell]:
    try:
        value = msgspec.json.decode(path.read_bytes())
    except (msgspec.DecodeError, UnicodeDecodeError):
        return
    yield from _of_value(value, "", "")


def _lines_of(file: _Lines) -> Iterator[Cell]:
    number = 0
    while text := file.readline(_LINE):
        number += 1
        yield from _of_value(_decoded(text), f"line {number:,}", "")


def _of_value(value: Any, where: str, column: str) -> Iterator[Cell]:  # noqa: ANN401 - any value of a database
    if isinstance(value, bytes | bytearray | memoryview):
        value = _decoded(bytes(value))
    if isinstance(value, str):
        yield Cell(value, where, column)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _of_value(each, where, column)
    elif isinstance(value, dict):
        for key, each in value.items():
            yield Cell(str(key), where)
            yield from _of_value(each, f"{where}.{key}" if where else str(key), str(key))


def read_out(cell: Cell) -> Iterator[Cell]:
    """Return what the escapes of a text stand for: as JSON where it is JSON."""
    text, where, column = cell
    if "\\" not in text and not text.startswith(("{", "[")):
        return
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError):
        if (plain := unescaped(text)[0]) != text:
            yield Cell(plain, where, column)
    else:
        # A single letter stands for too much else.
        cells = _of_value(value, where, "")
        yield from (each for each in cells if len(each.text) >= LEAST)


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


_COLUMNS: Final = """
SELECT table_name, column_name, data_type FROM duckdb_columns()
WHERE database_name = 'file' AND NOT internal
    AND table_name IN (SELECT table_name FROM duckdb_tables() WHERE database_name = 'file')
ORDER BY ALL
"""
