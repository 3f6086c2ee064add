"""Whether anything names somebody who was forgotten: every byte that is kept is searched.

Each file is read as what it is: all columns of all tables of a database or a Parquet file, the
texts that it packs unpacked, JSON and logs as text, archives unpacked. Whole words count in texts,
and the whole value where a column holds nothing but an id. Then the bytes of the file as they lie
on the disk are searched.
"""

from __future__ import annotations

import gzip
import re
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import IntEnum, auto
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import duckdb
import msgspec
import pyarrow.parquet as pq

from tricklog.ingest.forgetting.whom import people_of
from tricklog.ingest.reading.forgotten import (
    LEAST,
    MOST_NESTED,
    Forgotten,
    folded,
    length_of,
    name_key,
    runs_at,
    signs_of,
    unescaped,
    words_of,
)
from tricklog.ingest.reading.forgotten_hands import (
    around_rules,
    names_of_rules,
    own_words,
    parts_of,
)
from tricklog.ingest.store import database
from tricklog.ingest.store import forgotten as lists
from tricklog.ingest.store.warehouse import first_line
from tricklog.ingest.warehouses import open_snapshot
from tricklog.schemas.limits import MAX_NAME

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
    text: str
    where: str
    column: str = ""
    """The column, or the field within one, that holds it and nothing else."""


class _Lines(Protocol):
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


# --- Whether anything names somebody
RAW_LEAST: Final = 5
"""Bytes of a name that is looked for in packed bytes, where shorter ones turn up by chance."""
_PIECE: Final = 1 << 22
"""Bytes of a file that are searched at a time."""
MOST_PLACES: Final = 50
"""Places that are told one by one."""
ID_COLUMNS: Final = frozenset(
    {"id", "player", "players", "partner", "opponent", "people", "subject", "stands_for"}
)
"""Columns and fields that hold ids of players."""
OWN_COLUMNS: Final = frozenset(
    {
        *("alone_by", "code", "deal", "deeds", "details", "digest", "fingerprint", "hint", "kind"),
        *("legal", "options", "policies", "reason", "result", "rule", "ruleset", "scored_in"),
        *("scope", "status", "tricklog", "unit", "variant", "verdict", "no_score", "page"),
    }
)
"""Columns and fields in which only words of Tricklog's can stand: codes, rules, cards."""
SENTENCES: Final = frozenset({"doubts", "facts", "message"})
"""Columns with sentences of Tricklog's, which name players."""
NAMES_OF_RULES: Final = frozenset({"title", "family", "extends"})
"""Columns with names of rules, those that come with Tricklog or a table's own."""
WITH_RULES: Final = frozenset({"rules", "text", "content"})
"""Columns with rules or whole lines as JSON."""
LOGS: Final = tuple(
    f"{ending}{packed}"
    for ending in (".jsonl", ".ndjson", ".trick")
    for packed in ("", ".gz", ".zst")
)
"""How the names of logs end, which stay as they are."""


class Kind(IntEnum):
    """What a text holds: no name, one that is no forgotten person there, or somebody by name."""

    NOTHING = auto()
    OTHER = auto()
    NAME = auto()


@dataclass(frozen=True, slots=True)
class Place:
    """Where something that was to be forgotten is still to be found."""

    file: str
    where: str
    """Table and column, the line, or the byte."""
    what: str
    """``id``, ``name`` or ``bytes``."""


@dataclass(slots=True)
class Searched:
    hits: int = 0
    places: list[Place] = field(default_factory=list)
    """The first of them."""
    logs: list[str] = field(default_factory=list)
    """Logs that are kept below the warehouse, and still name the player."""
    unread: list[str] = field(default_factory=list)
    """Files that could not be read as what they are; their bytes were searched all the same."""

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found, in files that could all be read."""
        return not (self.hits or self.unread)

    def add(self, other: Searched) -> None:
        self.hits += other.hits
        self.places += other.places[: MOST_PLACES - len(self.places)]

    def note(self, place: Place) -> None:
        self.hits += 1
        if len(self.places) < MOST_PLACES:
            self.places.append(place)


def searched(db: Path, *needles: str) -> Searched:
    """Search a warehouse in a folder, or a lake there, for those who were forgotten in it.

    ``needles`` are their ids and names as they were.
    """
    listed = lists.read(db)
    assert listed
    with open_snapshot(db, once=True) as tables:
        people = people_of(tables)
    called = {name_key(name) for each, names in people.names.items() for name in (each, *names)}
    return Search(Forgotten(listed), needles, frozenset(called - {""})).files(db)


class Search:
    """What is searched for: all on a list, and names in plain where these are known."""

    def __init__(
        self, forgotten: Forgotten, needles: Sequence[str], called_alike: frozenset[str]
    ) -> None:
        """``called_alike``: folded names of those who are not forgotten."""
        self._forgotten = forgotten
        self._called_alike = called_alike
        keys = [name_key(each) for each in needles]
        self._longest = max([forgotten.listed.longest, *map(length_of, keys)])
        self._whole = [folded(each) for each in needles]
        raw = {each.encode() for each in needles if len(each.encode()) >= RAW_LEAST}
        self._raw = [re.compile(re.escape(each), re.IGNORECASE) for each in sorted(raw)]
        self._overlap = max(map(len, raw), default=1)
        self._is_explained = False
        """Whether a name stands in the file as something else, whose bytes say no more."""

    def files(self, root: Path) -> Searched:
        found = Searched()
        for path in sorted(each for each in root.rglob("*") if each.is_file()):
            self._file(path, str(path.relative_to(root)), found)
        return found

    def _file(self, path: Path, name: str, found: Searched) -> None:
        own = Searched()
        self._is_explained = False
        if self._kind(name) is Kind.NAME:
            own.note(Place(name, "the name of the file", "name"))
        try:
            for cell in cells_of(path):
                self._cell(cell, name, own)
        except (OSError, ValueError) as error:
            found.unread.append(f"{name}: {first_line(error)}")
        if not (own.hits or self._is_explained):
            for place in self._raw_places(path):
                own.note(Place(name, f"byte {place:,}", "bytes"))
        if own.hits and name.endswith(LOGS):
            found.logs.append(name)
            own.hits, own.places = 0, []
        found.add(own)

    def _cell(self, cell: Cell, file: str, found: Searched, nested: int = 0) -> None:
        text, where, column = cell
        if column in OWN_COLUMNS or (column in NAMES_OF_RULES and text in names_of_rules()):
            self._note_own(text)
            return
        for each in read_out(cell) if nested <= MOST_NESTED else ():
            self._cell(each, file, found, nested + 1)
        if self._is_id(text, column):
            found.note(Place(file, where, "id"))
            return
        kind = self._kind_in(text, column)
        if kind is Kind.NAME:
            found.note(Place(file, where, "name"))
        self._is_explained |= kind is Kind.OTHER

    def _is_id(self, text: str, column: str) -> bool:
        if len(text) > MAX_NAME or self._forgotten.number_of(text) is None:
            return False
        # What is an id of one may be the name of another: then only the column tells.
        return column in ID_COLUMNS or not self._is_of_others(name_key(text))

    def _is_of_others(self, key: str) -> bool:
        word = self._forgotten.word(key)
        return key in self._called_alike or (word is not None and word.is_shared)

    def _kind_in(self, text: str, column: str) -> Kind:
        """Return what the value of a column holds, beside what is Tricklog's own in it."""
        if column in WITH_RULES:
            found = Kind.NOTHING
            for part, is_own in around_rules(text):
                if is_own:
                    self._note_own(part)
                else:
                    found = max(found, self._kind(part))
            return found
        if column not in SENTENCES:
            return self._kind(text)
        own = own_words()
        if column == "facts":
            return self._kind(text, own)
        parts = parts_of(text)
        kinds = (self._kind(part, frozenset() if filled else own) for part, filled in parts)
        return max(kinds, default=Kind.NOTHING)

    def _note_own(self, text: str) -> None:
        if not self._is_explained and self._raw:
            read = text.encode("utf-8", "surrogateescape")
            self._is_explained = any(pattern.search(read) for pattern in self._raw)

    def _kind(self, text: str, own: frozenset[str] = frozenset()) -> Kind:
        """Return what a text holds beside words of ``own``; part of a name is no name."""
        found = Kind.NOTHING
        for words in (words_of(text), signs_of(text)):
            runs = (runs_at(words, place, self._longest) for place in range(len(words)))
            for run in chain.from_iterable(runs):
                if self._forgotten.word(run.folded) is None:
                    continue
                if not (
                    run.folded in own
                    or self._is_of_others(run.folded)
                    or self._forgotten.is_of_longer(text, run.start, run.end)
                ):
                    return Kind.NAME
                found = Kind.OTHER
        plain = folded(text)
        if any(each in plain for each in self._whole if len(each) >= LEAST):
            found = Kind.OTHER
        return found

    def _raw_places(self, path: Path) -> Iterator[int]:
        """Return where the bytes of a file hold a name, whatever they mean there."""
        if not self._raw:
            return
        with path.open("rb") as file:
            at, before = 0, b""
            while piece := file.read(_PIECE):
                text = before + piece
                for pattern in self._raw:
                    yield from (at - len(before) + hit.start() for hit in pattern.finditer(text))
                before, at = (
                    text[-(self._overlap - 1) :] if self._overlap > 1 else b"",
                    at + len(piece),
                )
