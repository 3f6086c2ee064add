"""Deriving again: stored hands loaded again, to see what the rules make of them now.

The hands are written to a log and loaded like any other log, into a warehouse of its own, so that
there is one way only in which facts come out of records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import duckdb
from duckdb import DuckDBPyConnection

from tricklog.ingest.following import marks
from tricklog.ingest.loading import loading
from tricklog.ingest.loading.report import OnReject
from tricklog.ingest.reading.forgotten import Forgotten
from tricklog.ingest.reading.progress import OnProgress
from tricklog.ingest.reading.rejects import Reject, RejectCode
from tricklog.ingest.store import database, long_texts, publishing, quarantine, warehouse
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.store.warehouse import RecordError, StoredHand
from tricklog.schemas.hand import encode_hand

STORED_LOG: Final = "stored.jsonl"
KEYS: Final = {
    "imports": ("import_id",),
    "rulesets": ("ruleset",),
    "seatings": ("seating_id",),
    "hands": ("hand_id",),
    "games": ("game",),
    "players": ("player",),
    "findings": ("hand_id", "scope", "ordinal"),
    "rejects": ("reject",),
    "long_texts": ("text_hash", "piece"),
}
"""What identifies a row of each table."""
MADE_LATER: Final = {marks.TABLE: marks.MAKE, quarantine.PARTS: quarantine.MAKE_PARTS}
"""Tables that are made when they are first needed, and how."""
NEXT_HAND_NO: Final = """
(SELECT coalesce(max(hand_no), 0) FROM hands) + row_number() OVER (ORDER BY kept.hand_no)
"""
"""The number after the highest that there is, in the order of those it has."""
OWN_HAND_NO: Final = "kept.hand_no"
"""The number that it has."""
_BATCH: Final = 1_000


def write_log(hands: Iterable[StoredHand], path: Path) -> None:
    """Write stored hands as a hand log; one whose columns make no record is left out."""
    with path.open("wb") as log:
        for stored in hands:
            with suppress(RecordError):
                log.write(encode_hand(stored.hand) + b"\n")


def derive(
    hands: Iterable[StoredHand],
    folder: Path,
    on_progress: OnProgress | None = None,
    *,
    cores: int | None = None,
) -> Path:
    """Load stored hands into a warehouse of their own below ``folder`` and return its snapshot.

    Where each row came from is ``STORED_LOG`` in ``folder``. A hand that cannot be loaded any more
    is in the rejects, and one whose columns make no record is in no table.

    Raises ``StorageError`` when the log cannot be read again.
    """
    log = folder / STORED_LOG
    write_log(hands, log)
    return load_separately(
        folder / "derived", log, on_progress=on_progress, on_reject=_require_read, cores=cores
    )


def _require_read(reject: Reject) -> None:
    if reject.code is RejectCode.UNREADABLE_FILE:
        raise StorageError(f"{reject.message} Check the disk, then do the same again.")


def load_separately(
    db: Path,
    *paths: Path | str,
    on_progress: OnProgress | None = None,
    on_reject: OnReject | None = None,
    cores: int | None = None,
    adapter: str | None = None,
    forgotten: Forgotten | None = None,
) -> Path:
    """Load logs into a warehouse that nobody else knows, and return its snapshot."""
    report = loading.load(
        *paths,
        db=db,
        on_progress=on_progress,
        on_reject=on_reject,
        facts=False,
        cores=cores,
        adapter=adapter,
        forgotten=forgotten,
    )
    if report.snapshot is None:
        with publishing.writing(db, wait=0), publishing.draft(db):
            pass
    snapshot = warehouse.current_snapshot(db)
    assert snapshot
    return snapshot


@contextmanager
def out_of_sight() -> Iterator[None]:
    """Raise trouble of the system in its own words, when it meets a warehouse made on the side.

    Nobody knows that warehouse: who holds the lock of the one that all this is for names that.
    """
    try:
        yield
    except StorageError as error:
        if isinstance(error.__cause__, (OSError, MemoryError, duckdb.Error)):
            raise error.__cause__ from error
        raise


def attach(connection: DuckDBPyConnection, **snapshots: Path) -> None:
    """Attach snapshots, read-only, under the names given."""
    for name, path in snapshots.items():
        database.attach(connection, name, path)


def side_by_side(stored: Path, derived: Path) -> DuckDBPyConnection:
    """Open two snapshots in one connection, as ``stored`` and ``derived``."""
    connection = database.connect(memory_limit=publishing.MEMORY_LIMIT)
    attach(connection, stored=stored, derived=derived)
    return connection


def differing(
    connection: DuckDBPyConnection, table: str, among: str = "true"
) -> Iterator[tuple[tuple[Any, ...], bool, bool]]:
    """Return the rows of a table that two attached snapshots do not say alike.

    Each is its key, and whether ``stored`` and ``derived`` have a row with it. ``among`` is a
    condition that chooses rows of ``stored``.
    """
    key = ", ".join(KEYS[table])

    def digests(of: str, chosen: str) -> str:
        return (
            f"SELECT {key}, md5_number(to_json(item)::VARCHAR) AS digest "  # noqa: S608 - names of our own
            f"FROM ({warehouse.content(table, of)}) AS item WHERE {chosen}"
        )

    rows = connection.cursor().execute(
        f"SELECT {key}, old.digest IS NOT NULL, new.digest IS NOT NULL "  # noqa: S608 - names of our own
        f"FROM ({digests('stored.', among)}) AS old "
        f"FULL JOIN ({digests('derived.', 'true')}) AS new USING ({key}) "
        f"WHERE old.digest IS DISTINCT FROM new.digest ORDER BY {key}"
    )
    while batch := rows.fetchmany(_BATCH):
        for row in batch:
            yield row[:-2], row[-2], row[-1]


def rows_of(
    connection: DuckDBPyConnection, query: str, column: str, values: Sequence[Any]
) -> list[dict[str, Any]]:
    """Return the rows of a query in which a column has one of ``values``, by column name."""
    found = connection.cursor().execute(
        f"FROM ({query}) WHERE {column} IN (SELECT unnest($1)) ORDER BY ALL",
        [list(values)],
    )
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def insert_used(connection: DuckDBPyConnection, of: str) -> None:
    """Insert the seatings of attached snapshot ``of`` that stored hands have, rules and texts."""
    connection.execute(
        f"INSERT INTO seatings BY NAME FROM {of}.seatings "  # noqa: S608 - names of our own
        "WHERE seating_id IN (SELECT seating_id FROM hands)"
    )
    connection.execute(
        f"INSERT INTO rulesets BY NAME FROM {of}.rulesets "  # noqa: S608 - names of our own
        "WHERE ruleset IN (SELECT ruleset FROM seatings)"
    )
    long_texts.insert_used(connection, of)


def keep_hands(
    connection: DuckDBPyConnection,
    chosen: str,
    parameters: dict[str, Any],
    *,
    hand_no: str = NEXT_HAND_NO,
) -> None:
    """Insert hands of the attached snapshot ``stored`` as they are, with all that belongs to them.

    Their findings, seatings and rules come along. ``chosen`` is a query for rows of
    ``stored.hands``; seatings get numbers that the snapshot being written does not have yet.
    ``hand_no`` is the SQL for the number that a hand of ``kept`` gets.
    """
    connection.execute(f"CREATE TEMP TABLE kept AS {chosen}", parameters)
    connection.execute(_KEEP.format(hand_no=hand_no))
    long_texts.insert_used(connection, "stored")


_KEEP: Final = """
CREATE TEMP TABLE kept_seatings AS
    SELECT
        seating_id AS stored_id,
        row_number() OVER (ORDER BY seating_id)
            + (SELECT coalesce(max(seating_id), 0) FROM seatings) AS kept_id
    FROM (SELECT DISTINCT seating_id FROM kept);
INSERT INTO hands BY NAME
    SELECT kept.* REPLACE (
        kept_id AS seating_id,
        {hand_no} AS hand_no
    )
    FROM kept JOIN kept_seatings ON seating_id = stored_id;
INSERT INTO seatings BY NAME
    SELECT s.* REPLACE (kept_id AS seating_id)
    FROM stored.seatings AS s JOIN kept_seatings ON seating_id = stored_id;
INSERT INTO findings BY NAME
    FROM stored.findings WHERE hand_id IN (SELECT hand_id FROM kept);
INSERT INTO rulesets BY NAME
    FROM stored.rulesets WHERE ruleset IN (SELECT ruleset FROM seatings)
    ON CONFLICT DO NOTHING;
DROP TABLE kept;
DROP TABLE kept_seatings;
"""
