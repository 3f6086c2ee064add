"""The next snapshot: all rows of the one before, with those in their places that are other ones.

It is written into an empty file, so that nothing of what was there before is left in it. Sentences
that name players are taken from replaying the new records, as far as the rules still find the same;
all numbers stay as they are stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from duckdb import DuckDBPyConnection

from tricklog.ingest.following import marks
from tricklog.ingest.forgetting import changes
from tricklog.ingest.forgetting.changes import Changes, in_finding, player_of
from tricklog.ingest.loading import games
from tricklog.ingest.reading.forgotten import AtTable, Forgotten
from tricklog.ingest.reading.forgotten_hands import in_message, of_hand, table_of
from tricklog.ingest.reading.rejects import Part
from tricklog.ingest.store import database, long_texts, quarantine, record_codec, rows, warehouse
from tricklog.ingest.store.warehouse import RecordError, WarehouseError
from tricklog.ingest.upkeep import rederive
from tricklog.schemas.hand import Hand, encode_hand

_KNOWN: Final = frozenset({*rederive.KEYS, *rederive.MADE_LATER, "warehouse"})
_BATCH: Final = 1_000
_FINDINGS: Final = {
    "hand_id": pa.string(),
    "scope": pa.string(),
    "ordinal": pa.uint16(),
    "code": pa.string(),
    "pointer": pa.string(),
    "message": pa.string(),
    "facts": pa.string(),
}
_DOUBTS: Final = {"hand_no": pa.int64(), "hand_id": pa.string(), "doubts": pa.list_(pa.string())}


def assemble(
    connection: DuckDBPyConnection,
    stored: Path,
    found: Changes,
    forgotten: Forgotten,
    scratch: Path,
) -> None:
    """Fill an empty draft with what a snapshot says when somebody is forgotten.

    Raises ``WarehouseError`` for a snapshot with tables of another version, and what
    ``rederive.derive`` raises.
    """
    database.attach(connection, "stored", stored)
    database.attach(connection, changes.DATABASE, found.path)
    _require_known_tables(connection)
    _sentences(connection, forgotten, scratch)
    connection.execute(_ROWS)
    _put_texts(connection)
    _reject_parts(connection, forgotten)
    _marks(connection, stored, forgotten)
    games.refresh(connection)


def _require_known_tables(connection: DuckDBPyConnection) -> None:
    found = connection.execute(
        "SELECT table_name FROM duckdb_tables() WHERE database_name = 'stored' ORDER BY ALL"
    ).fetchall()
    others = sorted({name for (name,) in found} - _KNOWN)
    if others:
        raise WarehouseError(
            f"The warehouse has tables that this version does not know: {', '.join(others)}. "
            "Nobody was forgotten. Remove them, or use the version that made them."
        )


def _put_texts(connection: DuckDBPyConnection) -> None:
    found = connection.cursor().execute("SELECT content FROM changes.texts")
    while row := found.fetchone():
        long_texts.insert(connection, [row[0]])
    long_texts.insert_used(connection, "stored")


# --- Sentences


def _sentences(connection: DuckDBPyConnection, forgotten: Forgotten, scratch: Path) -> None:
    """Make the tables of sentences that are other ones, before any of them gets into the file."""
    connection.execute(_TOUCHED)
    found = connection.execute(_TOUCHED_FINDINGS).fetchall()
    told = rows.to_table(_FINDINGS, [_new_finding(row, forgotten) for row in found])  # noqa: F841 - DuckDB finds it by its name
    connection.execute("CREATE TEMP TABLE told AS FROM told")
    found = connection.execute(_TOUCHED_DOUBTS).fetchall()
    doubted = rows.to_table(_DOUBTS, [_new_doubts(row, forgotten) for row in found])  # noqa: F841 - DuckDB finds it by its name
    connection.execute("CREATE TEMP TABLE doubted AS FROM doubted")
    if derived := _replayed(connection, forgotten, scratch):
        database.attach(connection, "derived", derived)
        connection.execute(_TOLD_AGAIN)


def _replayed(connection: DuckDBPyConnection, forgotten: Forgotten, scratch: Path) -> Path | None:
    """Replay the new records of games with sentences about them; ``None`` where there are none."""
    ((count,),) = connection.execute("SELECT count(*) FROM retold").fetchall()
    if not count:
        return None
    log = scratch / rederive.STORED_LOG
    with log.open("wb") as lines:
        for hand in _records(connection):
            lines.write(encode_hand(of_hand(hand, forgotten)) + b"\n")
    with rederive.out_of_sight():
        return rederive.load_separately(scratch / "retold", log, forgotten=forgotten)


def _records(connection: DuckDBPyConnection) -> Iterator[Hand]:
    places = list(record_codec.LONG_PLACES)
    # Temporary tables are seen by their own connection alone.
    found = connection.execute(
        f"SELECT {record_codec.COLUMNS} FROM stored.hands JOIN stored.seatings USING (seating_id) "  # noqa: S608 - names of our own
        "WHERE hand_no IN (FROM retold) ORDER BY hand_no"
    )
    reading = connection.cursor()
    while batch := found.fetchmany(_BATCH):
        for row in long_texts.with_texts(reading, batch, places, "stored."):
            try:
                yield warehouse.read_record(row)[1]
            except RecordError:
                continue


def _new_finding(row: rows.Row, forgotten: Forgotten) -> rows.Row:
    *key, message, facts, people = row
    return (*key, *in_finding(message, facts, forgotten, _table(people, forgotten)))


def _new_doubts(row: rows.Row, forgotten: Forgotten) -> rows.Row:
    number, hand_id, doubts, people = row
    table = _table(people, forgotten)
    return number, hand_id, [in_message(each, forgotten, table) for each in doubts]


def _table(people: list[dict[str, Any]], forgotten: Forgotten) -> AtTable:
    return table_of([player_of(each) for each in people], forgotten)


# --- Tables that not every warehouse has


def _reject_parts(connection: DuckDBPyConnection, forgotten: Forgotten) -> None:
    """Copy where lines of rejects stand, under the keys and paths that they have now."""
    if not database.has_table(connection, quarantine.PARTS, "stored"):
        return
    found = connection.cursor().execute(_PARTS).fetchall()
    parts = {
        key: [Part(forgotten.in_text(each["file"]), each["line"], each["byte"]) for each in told]
        for key, told in found
    }
    quarantine.write_parts(connection, parts)


def _marks(connection: DuckDBPyConnection, stored: Path, forgotten: Forgotten) -> None:
    """Copy how far logs were followed, with other words in what they are called."""
    with closing(warehouse.open_file(stored, once=True)) as before:
        if not database.has_table(before, marks.TABLE):
            return
        adapters = [name for (name,) in before.execute(_ADAPTERS).fetchall()]
        for name in adapters:
            found = marks.read(before, name).values()
            marks.write(connection, name, [marks.without_names(each, forgotten) for each in found])


_ROWS: Final = """
INSERT INTO imports BY NAME
    SELECT s.* REPLACE (coalesce(c.paths, s.paths) AS paths)
    FROM stored.imports AS s LEFT JOIN changes.imports AS c USING (import_id);
INSERT INTO hands BY NAME
    SELECT s.* REPLACE (
        coalesce(c.hand_id, s.hand_id) AS hand_id,
        coalesce(c.content_hash::UUID, s.content_hash) AS content_hash,
        coalesce(f.new, s.file) AS file,
        CASE WHEN c.hand_no IS NULL THEN s.game ELSE c.game END AS game,
        coalesce(c.tail, s.tail) AS tail,
        coalesce(d.doubts, s.doubts) AS doubts
    )
    FROM stored.hands AS s
    LEFT JOIN changes.hands AS c USING (hand_no)
    LEFT JOIN changes.files AS f ON f.old = s.file
    LEFT JOIN doubted AS d USING (hand_no);
INSERT INTO findings BY NAME
    SELECT f.* REPLACE (
        coalesce(c.hand_id, f.hand_id) AS hand_id,
        coalesce(t.message, f.message) AS message,
        coalesce(t.facts, f.facts) AS facts
    )
    FROM stored.findings AS f
    LEFT JOIN changes.hands AS c ON c.old_id = f.hand_id
    LEFT JOIN told AS t
        ON t.hand_id = coalesce(c.hand_id, f.hand_id)
        AND t.scope = f.scope
        AND t.ordinal = f.ordinal;
INSERT INTO seatings BY NAME
    FROM stored.seatings ANTI JOIN changes.seatings USING (seating_id);
INSERT INTO seatings BY NAME FROM changes.seatings;
INSERT INTO rulesets BY NAME
    SELECT s.* REPLACE (
        coalesce(c.title, s.title) AS title, coalesce(c.family, s.family) AS family
    )
    FROM stored.rulesets AS s LEFT JOIN changes.rulesets AS c USING (ruleset);
INSERT INTO rejects BY NAME
    SELECT s.* REPLACE (
        coalesce(c.reject, s.reject) AS reject,
        coalesce(c.file, f.new, s.file) AS file,
        coalesce(c.pointer, s.pointer) AS pointer,
        coalesce(c.message, s.message) AS message,
        coalesce(c.text, s.text) AS text
    )
    FROM stored.rejects AS s
    LEFT JOIN changes.rejects AS c ON c.old = s.reject
    LEFT JOIN changes.files AS f ON f.old = s.file
    QUALIFY row_number() OVER (PARTITION BY coalesce(c.reject, s.reject) ORDER BY s.reject) = 1;
"""
_TOUCHED: Final = """
CREATE TEMP TABLE touched AS
SELECT hand_no, hand_id, game FROM stored.hands
WHERE hand_no IN (SELECT hand_no FROM changes.hands)
    OR game IN (
        SELECT s.game FROM stored.hands AS s JOIN changes.hands USING (hand_no)
        WHERE s.game IS NOT NULL
    );
CREATE TEMP TABLE retold AS
SELECT hand_no FROM touched
WHERE game IN (SELECT game FROM touched JOIN stored.findings USING (hand_id))
    OR hand_id IN (SELECT hand_id FROM stored.findings)
    OR hand_no IN (SELECT hand_no FROM stored.hands WHERE len(doubts) > 0)
"""
_TOUCHED_FINDINGS: Final = """
SELECT coalesce(c.hand_id, f.hand_id), scope, ordinal, code, pointer, message, facts, players
FROM stored.findings AS f
JOIN touched ON touched.hand_id = f.hand_id
JOIN stored.hands AS s USING (hand_no)
JOIN stored.seatings USING (seating_id)
LEFT JOIN changes.hands AS c USING (hand_no)
"""
_TOUCHED_DOUBTS: Final = """
SELECT hand_no, coalesce(c.hand_id, s.hand_id), doubts, players
FROM touched
JOIN stored.hands AS s USING (hand_no)
JOIN stored.seatings USING (seating_id)
LEFT JOIN changes.hands AS c USING (hand_no)
WHERE len(doubts) > 0
"""
_TOLD_AGAIN: Final = """
UPDATE told SET message = d.message, facts = d.facts
FROM derived.findings AS d
WHERE told.hand_id = d.hand_id AND told.scope = d.scope AND told.ordinal = d.ordinal
    AND told.code = d.code AND told.pointer = d.pointer;
UPDATE doubted SET doubts = d.doubts
FROM derived.hands AS d
WHERE doubted.hand_id = d.hand_id AND len(doubted.doubts) = len(d.doubts)
"""
_PARTS: Final = """
SELECT coalesce(c.reject, p.reject), parts
FROM stored.reject_parts AS p LEFT JOIN changes.rejects AS c ON c.old = p.reject
"""
_ADAPTERS: Final = f"SELECT DISTINCT adapter FROM {marks.TABLE} ORDER BY ALL"  # noqa: S608 - our own name
