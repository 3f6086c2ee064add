"""The lines in quarantine of a snapshot, which ``warehouse.open_snapshot`` opens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.reading.rejects import Part, Reject, RejectCode
from tricklog.ingest.sql import run, sql_text
from tricklog.ingest.store import long_texts
from tricklog.ingest.store.database import has_table
from tricklog.ingest.store.warehouse import DamagedError
from tricklog.ingest.text_form.problems import problems_in

if TYPE_CHECKING:
    import polars as pl

PARTS: Final = "reject_parts"
"""Where the lines of rejected records stand that take several: a table that is made for the first
of them, so that a warehouse without any, or of before there were any, does without it."""
MAKE_PARTS: Final = sql_text("tricklog.ingest.store", "reject_parts.sql")


def write_parts(connection: DuckDBPyConnection, parts: Mapping[str, Sequence[Part]]) -> None:
    """Write down where the lines of rejects stand, by the keys of the rejects."""
    if not parts:
        return
    connection.execute(MAKE_PARTS)
    for key, of_reject in parts.items():
        told = [each._asdict() for each in of_reject]
        connection.execute(f"INSERT OR REPLACE INTO {PARTS} VALUES (?, ?)", [key, told])  # noqa: S608 - our own name


def parts_of(connection: DuckDBPyConnection, keys: Iterable[str]) -> dict[str, tuple[Part, ...]]:
    """Return where the lines of rejects stand, as far as they take several lines."""
    if not has_table(connection, PARTS):
        return {}
    found = connection.execute(
        f"SELECT reject, parts FROM {PARTS} WHERE reject IN (SELECT unnest($1::VARCHAR[]))",  # noqa: S608 - our own name
        [list(keys)],
    ).fetchall()
    return {key: tuple(Part(**each) for each in parts) for key, parts in found}


def take_over_parts(connection: DuckDBPyConnection, database: str) -> None:
    """Copy what an attached warehouse says of rejects that are stored here, too."""
    if not has_table(connection, PARTS, database):
        return
    connection.execute(MAKE_PARTS)
    connection.execute(
        f"INSERT OR IGNORE INTO {PARTS} FROM {database}.{PARTS} SEMI JOIN rejects USING (reject)"
    )


def tidy_parts(connection: DuckDBPyConnection) -> None:
    """Leave out what is said of rejects that are not stored any more."""
    if has_table(connection, PARTS):
        connection.execute(f"DELETE FROM {PARTS} WHERE reject NOT IN (SELECT reject FROM rejects)")  # noqa: S608 - our own name


_AT_ONCE: Final = 100
"""Lines that are read at a time."""
_CODES: Final = (
    "SELECT code, count(*) AS lines FROM rejects "
    "WHERE $load::INTEGER IS NULL OR import_id = $load GROUP BY code ORDER BY lines DESC, code"
)
CHOSEN: Final = (
    "($code::VARCHAR IS NULL OR code = $code) AND ($load::INTEGER IS NULL OR import_id = $load) "
    "AND ($log::VARCHAR IS NULL OR file = $log OR starts_with(file, rtrim($log, '/') || '/'))"
)
"""The condition for lines with a code, of a load, and of a log or of logs in a folder."""


def codes(connection: DuckDBPyConnection, load: int | None = None) -> pl.DataFrame:
    """Return how many lines are in quarantine with each code, of one load or of all."""
    return run(connection, _CODES, {"load": load})


def lines(
    connection: DuckDBPyConnection,
    *,
    code: str | None = None,
    load: int | None = None,
    log: str | None = None,
    limit: int | None = None,
    offset: int = 0,
) -> Iterator[Reject]:
    """Return the lines in quarantine by file and line, or those of one code, load or ``log``.

    ``log`` is a file as lines name it, or a folder of such files. ``limit`` and ``offset`` choose a
    part of the list.

    Raises ``DamagedError`` where a line is lost.
    """
    reading = connection.cursor()
    chosen = connection.cursor().execute(
        "SELECT reject, file, line, byte, code, pointer, message, hint, text FROM rejects "  # noqa: S608 - our own
        f"WHERE {CHOSEN} ORDER BY file, line, code LIMIT $limit OFFSET $offset",
        {"code": code, "load": load, "log": log, "limit": limit, "offset": offset},
    )
    while batch := chosen.fetchmany(_AT_ONCE):
        parts = parts_of(reading, (row[0] for row in batch))
        for row in long_texts.with_texts(reading, batch, [-1]):
            key, file, line, byte, code_, pointer, message, hint, text = row
            if text is None:
                raise DamagedError(
                    f"What is stored of {file}:{line} is damaged: the line is lost. tricklog db "
                    "rebuild rebuilds the warehouse from its logs."
                )
            yield Reject(
                file=file,
                line=line,
                byte=byte,
                code=RejectCode(code_),
                pointer=pointer,
                message=message,
                hint=hint,
                text=text,
                parts=parts.get(key, ()),
                problems=problems_in(message) if code_ == RejectCode.BAD_TEXT else (),
            )
