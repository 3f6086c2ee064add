"""Long texts of a snapshot: in pieces, in a table of their own, once each.

DuckDB stores a text of 4 KB and more as a block by itself. It holds those of 2,048 neighbouring
rows at once and, while they are written, all of them until the transaction has ended, outside the
memory it was allowed. So a long text is cut into pieces, and its row holds a reference: a mark, the
hash of the text and its size. A short text that begins with the mark is stored in the same way, so
no text is ever taken for a reference.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from duckdb import DuckDBPyConnection

LONG: Final = 4_080
"""Bytes of the longest text that a row holds itself; at 4,096 DuckDB gives it a block."""
PIECE: Final = 3_000
"""Bytes of a piece."""
PORTION: Final = 1 << 23
"""Bytes of long texts that are held at a time, about."""
MARK: Final = "~"
COLUMNS: Final = {"hands": ("tail",), "seatings": ("rules",), "rejects": ("text",)}
"""Columns that hold a text or a reference to one."""

_HASH: Final = slice(1, 33)
_SIZE: Final = slice(34, None)
_TYPES: Final = {"text_hash": pa.string(), "piece": pa.int32(), "content": pa.binary()}

Row = tuple[Any, ...]


def reference_to(text: bytes) -> str:
    """Return the reference to a text: mark, 32 hex digits of its hash, a colon, its bytes."""
    return f"{MARK}{hashlib.sha256(text).hexdigest()[:32]}:{len(text)}"


def stored_form(text: bytes) -> bytes:
    """Return what a row of bytes holds of a text: the text itself, or a reference to it."""
    is_short = len(text) <= LONG and not text.startswith(MARK.encode())
    return text if is_short else reference_to(text).encode()


def is_reference(stored: object) -> bool:
    """Whether what a row holds is a reference."""
    return isinstance(stored, str | bytes) and stored[:1] in (MARK, MARK.encode())


# --- Writing


def with_references(
    table: pa.Table, columns: Iterable[str], keep: Callable[[list[bytes]], None]
) -> pa.Table:
    """Return a table with references for long texts; ``keep`` gets a ``PORTION`` at a time."""
    for name in columns:
        texts = table[name]
        if texts.null_count == len(texts):
            continue
        apart = pc.or_(
            pc.greater(pc.binary_length(texts), LONG), pc.starts_with(texts, pattern=MARK)
        ).fill_null(False)  # noqa: FBT003 - has no name
        if not pc.any(apart).as_py():
            continue
        references = []
        portion: list[bytes] = []
        for text in texts.filter(apart):
            content = text.cast(pa.binary()).as_py()
            references.append(reference_to(content))
            portion.append(content)
            if sum(map(len, portion)) >= PORTION:
                keep(portion)
                portion = []
        keep(portion)
        replaced = pc.replace_with_mask(
            texts.combine_chunks(), apart.combine_chunks(), pa.array(references, texts.type)
        )
        table = table.set_column(table.schema.get_field_index(name), name, replaced)
    return table


def insert(connection: DuckDBPyConnection, texts: Iterable[bytes]) -> None:
    """Insert long texts into a draft, but for those that it has already."""
    by_hash = {reference_to(text)[_HASH]: text for text in texts}
    if not by_hash:
        return
    # DuckDB finds tables by the names of variables.
    wanted = pa.table({"text_hash": pa.array(by_hash, pa.string())})  # noqa: F841 - DuckDB finds it by its name
    for (known,) in connection.execute(_KNOWN).fetchall():
        del by_hash[known]
    rows = [
        (key, number, text[start : start + PIECE])
        for key, text in by_hash.items()
        for number, start in enumerate(range(0, len(text), PIECE))
    ]
    if rows:
        columns = zip(*rows, strict=True)
        arrays = [pa.array(each, kind) for each, kind in zip(columns, _TYPES.values(), strict=True)]
        pieces = pa.table(arrays, names=list(_TYPES))  # noqa: F841 - DuckDB finds it by its name
        connection.execute("INSERT INTO long_texts BY NAME SELECT * FROM pieces")


_KNOWN: Final = """
SELECT DISTINCT replace(text_hash::VARCHAR, '-', '')
FROM long_texts WHERE text_hash IN (SELECT text_hash::UUID FROM wanted)
"""


class Aside:
    """Long texts that wait in a temporary file, by their references."""

    def __init__(self) -> None:
        self._db: sqlite3.Connection | None = None

    def keep(self, texts: Iterable[bytes]) -> None:
        """Set texts aside."""
        if self._db is None:
            # The empty name is a private file that is removed when it is closed.
            self._db = sqlite3.connect("", isolation_level=None)
            self._db.executescript(_ASIDE)
        rows = ((reference_to(text), text) for text in texts)
        self._db.executemany("INSERT OR IGNORE INTO text VALUES (?, ?)", rows)

    def content(self, reference: str | bytes) -> bytes:
        """Return a text that was set aside."""
        assert self._db
        query = "SELECT content FROM text WHERE key = ?"
        ((content,),) = self._db.execute(query, (_text_of(reference),))
        assert isinstance(content, bytes)
        return content

    def close(self) -> None:
        """Forget all texts."""
        if self._db:
            self._db.close()


_ASIDE: Final = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE text (key TEXT PRIMARY KEY, content BLOB NOT NULL);
BEGIN;
"""


# --- Reading


def with_texts(
    connection: DuckDBPyConnection, rows: Sequence[Row], places: Sequence[int], of: str = ""
) -> Iterator[Row]:
    """Return rows with texts in the place of references, about ``PORTION`` bytes of them at a time.

    ``places`` are those of columns that hold texts or references. A result that the connection has
    still to give is lost: give it a cursor of its own. ``of`` is the name of an attached snapshot
    and a dot. A text is ``None`` that is lost, or not the one that was stored.
    """
    for portion, wanted in _portions(rows, places):
        texts = _fetched(connection, wanted, of)
        for row in portion:
            filled = list(row)
            for place in places:
                stored = row[place]
                if is_reference(stored):
                    content = texts.get(_text_of(stored))
                    filled[place] = (
                        content.decode() if content and isinstance(stored, str) else content
                    )
            yield tuple(filled)


def lost(connection: DuckDBPyConnection, of: str = "") -> Iterator[str]:
    """Return the references to texts that are lost, or not those that were stored, sorted."""
    rows = connection.cursor().execute(f"FROM ({references(of)}) ORDER BY ALL")
    reading = connection.cursor()
    while batch := rows.fetchmany(_BATCH):
        for _, wanted in _portions(batch, [0]):
            yield from sorted(wanted - _fetched(reading, wanted, of).keys())


def references(of: str = "", tables: Iterable[str] = COLUMNS, where: str = "true") -> str:
    """Return the query for the references in ``tables``, each once, in column ``reference``."""
    return " UNION ".join(
        f"SELECT {_AS_TEXT.get(column, column)} AS reference FROM {of}{table} "  # noqa: S608 - names of our own
        f"WHERE {column} >= '{MARK}' AND {column} < '{_BEYOND}' AND {where}"
        for table in tables
        for column in COLUMNS[table]
    )


def insert_used(connection: DuckDBPyConnection, of: str) -> None:
    """Insert the texts of attached snapshot ``of`` that the rows of a draft refer to."""
    connection.execute(
        f"CREATE TEMP TABLE used AS SELECT DISTINCT {HASH_OF} AS text_hash "  # noqa: S608 - names of our own
        f"FROM ({references()}) WHERE text_hash NOT IN (SELECT text_hash FROM long_texts)"
    )
    if connection.execute("SELECT count(*) FROM used").fetchall() != [(0,)]:
        # One thread: each keeps a row group of pieces, of some 370 MB.
        connection.execute("SET threads = 1")
        connection.execute(
            f"INSERT INTO long_texts BY NAME FROM {of}.long_texts "  # noqa: S608 - names of our own
            "WHERE text_hash IN (SELECT text_hash FROM used)"
        )
        connection.execute("RESET threads")
    connection.execute("DROP TABLE used")


def leave_out_lost(connection: DuckDBPyConnection, of: str) -> None:
    """Delete the rows of an attached snapshot that refer to a text that is lost."""
    without = list(lost(connection, of))
    for table, columns in COLUMNS.items():
        for column in columns:
            reference = _AS_STORED.get(column, "reference")
            connection.execute(
                f"DELETE FROM {of}{table} WHERE {column} IN "  # noqa: S608 - names of our own
                f"(SELECT {reference} FROM (SELECT unnest($1::VARCHAR[]) AS reference))",
                [without],
            )


HASH_OF: Final = f"try_cast(reference[{_HASH.start + 1}:{_HASH.stop}] AS UUID)"
"""The hash in a reference."""
_BATCH: Final = 1_000
_AS_TEXT: Final = {"text": "decode(text)"}
_AS_STORED: Final = {"text": "encode(reference)"}
_BEYOND: Final = chr(ord(MARK) + 1)
_REFERENCE: Final = re.compile(rf"{MARK}[0-9a-f]{{32}}:\d{{1,9}}")
# Rows are found by their hashes first, so that the pieces of no others are decompressed.
_PIECES: Final = """
SELECT replace(text_hash::VARCHAR, '-', ''), piece, content
FROM {of}long_texts
WHERE rowid IN (
    SELECT rowid FROM {of}long_texts WHERE text_hash IN (SELECT unnest($1::VARCHAR[])::UUID)
)
"""


def _text_of(reference: str | bytes) -> str:
    return reference.decode("utf-8", "replace") if isinstance(reference, bytes) else reference


def _portions(rows: Sequence[Row], places: Sequence[int]) -> Iterator[tuple[list[Row], set[str]]]:
    """Return rows a few at a time, and the references in them."""
    portion: list[Row] = []
    wanted: set[str] = set()
    size = 0
    for row in rows:
        here = {_text_of(row[place]) for place in places if is_reference(row[place])} - wanted
        more = sum(int(each[_SIZE]) for each in here if _REFERENCE.fullmatch(each))
        if size + more > PORTION:
            yield portion, wanted
            portion, wanted, size = [], set(), 0
        portion.append(row)
        wanted |= here
        size += more
    yield portion, wanted


def _fetched(connection: DuckDBPyConnection, wanted: set[str], of: str) -> dict[str, bytes]:
    """Return texts by their references, those that are whole."""
    hashes = [reference[_HASH] for reference in wanted if _REFERENCE.fullmatch(reference)]
    if not hashes:
        return {}
    # In a lake several loads may have brought the same text.
    pieces: dict[str, dict[int, bytes]] = {}
    for key, piece, content in connection.execute(_PIECES.format(of=of), [hashes]).fetchall():
        pieces.setdefault(key, {})[piece] = content
    whole = (b"".join(parts[piece] for piece in sorted(parts)) for parts in pieces.values())
    return {reference_to(text): text for text in whole}
