"""Whether anything names somebody who was forgotten: every byte that is kept is searched.

Each file is read as what it is: all columns of all tables of a database or a Parquet file, the
texts that it packs unpacked, JSON and logs as text, archives unpacked. Whole words count in texts,
and the whole value where a column holds nothing but an id. Then the bytes of the file as they lie
on the disk are searched.
"""

import gzip
import io
import re
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import IntEnum, auto
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

import duckdb
import msgspec
import pyarrow.parquet as pq
import zstandard

from tricklog.ingest.forgetting.whom import people, people_of
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

_GZIP: Final = b"\x1f\x8b"
_OWN_FILES: Final = ("CURRENT", "PUBLISHED", "forgotten.json", "forgotten-copy.json")
_NO_JSON: Final = (msgspec.DecodeError, UnicodeError)


class Cell(NamedTuple):
    text: str
    where: str
    column: str = ""
    """The column, or the field within one, that holds it and nothing else."""
    is_key: bool = False
    """Whether it is a key of JSON or of a struct."""


def cells_of(path: Path) -> Iterator[Cell]:
    """Return every text in a file.

    Raises ``OSError``, and ``ValueError`` for a file that is not what it seems to be.
    """
    content = path.read_bytes()
    try:
        if content[8:12] == b"DUCK":
            yield from _of_duckdb(path)
        elif content.startswith(b"SQLite format 3\x00"):
            yield from _of_sqlite(path)
        elif content.startswith(b"PAR1"):
            for name, column in pq.ParquetFile(path).read().to_pydict().items():
                yield from _of_value(column, name, name)
        elif content.startswith(_GZIP):
            yield from _lines_of(gzip.decompress(content))
        elif content.startswith(b"\x28\xb5\x2f\xfd"):
            with zstandard.open(path) as file:
                yield from _lines_of(file.read())
        elif path.name in _OWN_FILES or path.suffix == ".seal":
            yield from _of_own(content)
        else:
            yield from _lines_of(content)
            if path.suffix == ".json":
                yield from _of_json(content)
    except (duckdb.Error, sqlite3.Error, EOFError, zlib.error, zstandard.ZstdError) as error:
        raise ValueError(str(error)) from error


def _of_duckdb(path: Path) -> Iterator[Cell]:
    with closing(database.connect(memory_limit=database.READING_LIMIT)) as connection:
        database.attach(connection, "file", path)
        for table, column in connection.execute(_COLUMNS).fetchall():
            whole = (table, column) == ("long_texts", "content")
            # A name may lie across two pieces of a long text.
            asked = "list(content ORDER BY piece)" if whole else f'"{column}"'
            grouped = "GROUP BY text_hash" if whole else ""
            found = connection.execute(f'SELECT {asked} FROM file."{table}" {grouped}')  # noqa: S608 - names of our own
            for (value,) in found.fetchall():
                text = b"".join(value) if whole else value
                yield from _of_value(text, f"{table}.{column}", "" if whole else column)


_COLUMNS: Final = """
SELECT table_name, column_name FROM duckdb_columns()
WHERE database_name = 'file' AND NOT internal
    AND table_name IN (SELECT table_name FROM duckdb_tables() WHERE database_name = 'file')
    AND regexp_matches(data_type, 'VARCHAR|BLOB|JSON|BIT')
ORDER BY ALL
"""


def _of_sqlite(path: Path) -> Iterator[Cell]:
    address = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as connection:
        connection.text_factory = _decoded
        tables = "SELECT name FROM sqlite_master WHERE type = 'table'"
        for (table,) in connection.execute(tables).fetchall():
            found = connection.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - names of our own
            names = [each[0] for each in found.description]
            for name, value in (each for row in found for each in zip(names, row, strict=True)):
                yield from _of_value(value, f"{table}.{name}", name)


def _of_own(content: bytes) -> Iterator[Cell]:
    """Return the values of a small file that Tricklog has written, whose keys are its own words."""
    for number, line in enumerate(content.split(b"\n"), 1):
        try:
            value = msgspec.json.decode(line)
        except _NO_JSON:
            value = _decoded(line)
        for each in _of_value(value, f"line {number:,}", ""):
            if not each.is_key:
                yield each._replace(column="")


def _of_json(content: bytes) -> Iterator[Cell]:
    try:
        value = msgspec.json.decode(content)
    except _NO_JSON:
        return
    yield from _of_value(value, "", "")


def _lines_of(content: bytes) -> Iterator[Cell]:
    for number, text in enumerate(io.BytesIO(content), 1):
        yield from _of_value(text, f"line {number:,}", "")


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
            yield Cell(str(key), where, is_key=True)
            yield from _of_value(each, f"{where}.{key}" if where else str(key), str(key))


def read_out(cell: Cell) -> Iterator[Cell]:
    """Return what the escapes of a text stand for: as JSON where it is JSON."""
    if "\\" not in cell.text and not cell.text.startswith(("{", "[")):
        return
    try:
        value = msgspec.json.decode(cell.text)
    except _NO_JSON:
        if (plain := unescaped(cell.text)[0]) != cell.text:
            yield cell._replace(text=plain)
    else:
        # A single letter stands for too much else.
        cells = _of_value(value, cell.where, "")
        yield from (each for each in cells if len(each.text) >= LEAST)


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


# --- Whether anything names somebody
RAW_LEAST: Final = 5
"""Bytes of a name that is looked for in packed bytes, where shorter ones turn up by chance."""
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
_LOG: Final = re.compile(r"\.(jsonl|ndjson|trick)(\.gz|\.zst)?$")
"""How the names of logs end, which stay as they are."""


class Kind(IntEnum):
    """What a text holds: no name, one that is no forgotten person there, or somebody by name."""

    NOTHING = auto()
    OTHER = auto()
    NAME = auto()


class Place(NamedTuple):
    """Where something that was to be forgotten is still to be found."""

    file: str
    where: str
    """Table and column, the line, or the byte."""


@dataclass(slots=True)
class Searched:
    places: list[Place] = field(default_factory=list)
    logs: list[str] = field(default_factory=list)
    """Logs that are kept below the warehouse, and still name the player."""
    unread: list[str] = field(default_factory=list)
    """Files that could not be read as what they are; their bytes were searched all the same."""

    @property
    def hits(self) -> int:
        return len(self.places)

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found, in files that could all be read."""
        return not (self.places or self.unread)


def searched(db: Path, *needles: str) -> Searched:
    """Search a warehouse in a folder, or a lake there, for those who were forgotten in it.

    ``needles`` are their ids and names as they were.
    """
    listed = lists.read(db)
    assert listed
    with open_snapshot(db, once=True) as tables:
        here = people(people_of(tables))
    called = {name_key(name) for each, names in here.items() for name in (each, *names)}
    return _Search(Forgotten(listed), needles, frozenset(called - {""})).files(db)


class _Search:
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
        self._is_explained = False
        """Whether a name stands in the file as something else, whose bytes say no more."""

    def files(self, root: Path) -> Searched:
        found = Searched()
        for path in sorted(each for each in root.rglob("*") if each.is_file()):
            name = str(path.relative_to(root))
            try:
                places = [Place(name, where) for where in self._places(path, name)]
            except (OSError, ValueError) as error:
                found.unread.append(f"{name}: {first_line(error)}")
                places = [Place(name, where) for where in self._raw_places(path)]
            if places and _LOG.search(name):
                found.logs.append(name)
            else:
                found.places += places
        return found

    def _places(self, path: Path, name: str) -> list[str]:
        self._is_explained = False
        found = ["the name of the file"] if self._kind(name) is Kind.NAME else []
        found += [where for cell in cells_of(path) for where in self._cell(cell)]
        return found or ([] if self._is_explained else self._raw_places(path))

    def _raw_places(self, path: Path) -> list[str]:
        """Return where the bytes of a file hold a name, whatever they mean there."""
        content = path.read_bytes()
        hits = (hit for pattern in self._raw for hit in pattern.finditer(content))
        return [f"byte {hit.start():,}" for hit in hits]

    def _cell(self, cell: Cell, nested: int = 0) -> Iterator[str]:
        text, where, column, _ = cell
        if column in OWN_COLUMNS or (column in NAMES_OF_RULES and text in names_of_rules()):
            self._note_own(text)
            return
        for each in read_out(cell) if nested <= MOST_NESTED else ():
            yield from self._cell(each, nested + 1)
        if self._is_id(text, column):
            yield where
            return
        kind = self._kind_in(text, column)
        if kind is Kind.NAME:
            yield where
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
        read = text.encode("utf-8", "surrogateescape")
        self._is_explained |= any(pattern.search(read) for pattern in self._raw)

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
