"""Deriving the facts of a snapshot, in chunks of hands and bounded memory."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
import pyarrow as pa
from duckdb import DuckDBPyConnection

from ingest.metrics import tallies
from ingest.reading.progress import OnProgress, Progress, Stage
from ingest.store import database
from replay.engine.records import NO_TRUMPS, TRUMPS, Rules
from replay.rulesets.ruleset import make_rules
from schemas.cards import CARD_COUNT, RANKS
from schemas.sql import sql_text

FACTS_VERSION: Final = 1
"""Counted up when this module derives something else; SQL that changes is noticed by itself."""
CHUNK: Final = 61_440
"""Hands derived at a time: half a row group, which keeps the lists of all their plays small."""
MEMORY_LIMIT: Final = "1GB"
_FIVE: Final = RANKS.index("5")

_ENUMERATIONS: Final = {
    "source": "SELECT DISTINCT file FROM games.hands ORDER BY ALL",
    "family": "SELECT DISTINCT family FROM games.rulesets ORDER BY ALL",
    "variant": "SELECT DISTINCT variant FROM games.rulesets ORDER BY ALL",
    "ruleset": "SELECT ruleset FROM games.rulesets ORDER BY ALL",
    "seating": "SELECT DISTINCT games.seating(seat_sides) FROM games.seatings ORDER BY ALL",
    "player": "SELECT player FROM games.players ORDER BY hands DESC, player",
    "kind": (
        "SELECT DISTINCT player.kind FROM (SELECT unnest(players) AS player FROM games.seatings) "
        "WHERE player.kind IS NOT NULL ORDER BY ALL"
    ),
}
"""Values that differ from one snapshot to the next."""


def derive(
    snapshot: Path, path: Path, fingerprint: str = "", on_progress: OnProgress | None = None
) -> None:
    """Write the facts of ``snapshot`` into the new file ``path``, and its fingerprint.

    Raises ``duckdb.Error`` when a file cannot be read or written, and ``KeyboardInterrupt``.
    """
    # What does not fit into memory goes beside the file, not into the folder the user is in.
    with (
        database.connect(
            memory_limit=MEMORY_LIMIT, temp_directory=spill_folder(path)
        ) as connection,
        database.interruptible(connection),
    ):
        database.attach(connection, "games", snapshot)
        database.attach(connection, "facts", path, read_only=False)
        _make_tables(connection)
        total = _count(connection, "games.hands")
        tallied = _has_long_games(connection, total)
        if on_progress:
            on_progress(Progress(Stage.DERIVING, total=total))
        for first in range(0, total, CHUNK):
            _derive_chunk(connection, first)
            if tallied:
                connection.execute(
                    f"INSERT INTO facts.tallies BY NAME {tallies.query()}", {"first": first}
                )
            if on_progress:
                done = min(first + CHUNK, total)
                on_progress(Progress(Stage.DERIVING, hands=done, done=done, total=total))
        connection.execute(sql_text("ingest.facts", "finish.sql"))
        connection.execute(tallies.MARK_ALONE)
        connection.execute(
            "INSERT INTO facts.facts VALUES (?, ?, ?)", [FACTS_VERSION, fingerprint, tallied]
        )
        connection.execute("CHECKPOINT facts")
        connection.execute("DETACH facts")


@cache
def definition() -> str:
    """Return 16 digits that change with the SQL by which facts are derived."""
    names = ("tables.sql", "hands.sql", "setup.sql", "chunk.sql", "finish.sql")
    texts = [sql_text("ingest.facts", name) for name in names]
    texts += [sql_text("schemas", "warehouse_views.sql"), tallies.query(), tallies.MARK_ALONE]
    return hashlib.sha256("".join(texts).encode()).hexdigest()[:16]


def spill_folder(path: Path) -> str:
    """Return the folder beside ``path`` for what does not fit into memory on the way."""
    return f"{path}.tmp"


def _make_tables(connection: DuckDBPyConnection) -> None:
    """Make the empty facts, and beside them what hands are looked up in."""
    connection.execute("USE facts")
    for name, query in _ENUMERATIONS.items():
        connection.execute(f"CREATE TYPE {name}_key AS ENUM ({query})")
    connection.execute(sql_text("ingest.facts", "tables.sql"))
    connection.execute("USE memory")
    connection.execute(f"CREATE TABLE facts.tallies AS {tallies.query()} LIMIT 0", {"first": 0})
    connection.execute(sql_text("ingest.facts", "hands.sql"))
    connection.execute(sql_text("schemas", "warehouse_views.sql"))
    _insert_rules(connection)
    connection.execute(sql_text("ingest.facts", "setup.sql"))


def _count(connection: DuckDBPyConnection, table: str) -> int:
    query = f"SELECT count(*) FROM {table}"  # noqa: S608 - names of our own
    return int(connection.execute(query).fetchall()[0][0])


def _has_long_games(connection: DuckDBPyConnection, hands: int) -> bool:
    """Return whether games have so many hands that what is counted can be added up by game."""
    query = "SELECT count(*) FROM games.hands WHERE game IS NULL"
    alone = int(connection.execute(query).fetchall()[0][0])
    return hands >= tallies.FEWEST_HANDS * (_count(connection, "games.games") + alone)


def _insert_rules(connection: DuckDBPyConnection) -> None:
    """Insert what each card is by ruleset, number of seats and trump, from the rules themselves."""
    found = connection.execute(
        "SELECT DISTINCT ruleset, len(players), policies "
        "FROM games.seatings JOIN games.rulesets USING (ruleset)"
    ).fetchall()
    rows = []
    for ruleset, seats, policies in found:
        rules = make_rules(msgspec.json.decode(policies), seats)
        rows += [_cards_under(rules, trump) | {"ruleset": ruleset} for trump in range(TRUMPS)]
    connection.register("rows", pa.Table.from_pylist(rows, _RULE_CARDS))
    connection.execute("CREATE TABLE rule_cards AS FROM rows")
    connection.unregister("rows")


_RULE_CARDS: Final = pa.schema(
    {
        "ruleset": pa.string(),
        "seats": pa.int64(),
        "packet": pa.int64(),
        "suit": pa.int32(),
        "trumps": pa.uint64(),
        "fives": pa.int64(),
        "worth": pa.list_(pa.struct({"points": pa.int64(), "cards": pa.uint64()})),
        "cards": pa.list_(
            pa.struct(
                {
                    "trump": pa.bool_(),
                    "points": pa.uint8(),
                    "five": pa.bool_(),
                    "above_five": pa.bool_(),
                }
            )
        ),
    }
)


def _cards_under(rules: Rules, trump: int) -> dict[str, Any]:
    """Return one row of ``rule_cards``: what the cards are when ``trump`` is trumps."""
    trumps = rules.trump_cards[trump] if trump < NO_TRUMPS else 0
    points = rules.points[trump]
    fives = [
        card
        for card in range(CARD_COUNT)
        if trumps >> card & 1 and points[card] and card % len(RANKS) == _FIVE
    ]
    highest = max((rules.strength[trump][card] for card in fives), default=0)
    worth = sorted(
        {points[card] for card in range(CARD_COUNT) if trumps >> card & 1 and points[card]}
    )
    return {
        "seats": rules.seats,
        "packet": rules.packet,
        "suit": trump,
        "trumps": trumps,
        "fives": len(fives),
        "worth": [
            {
                "points": each,
                "cards": sum(
                    1 << card
                    for card in range(CARD_COUNT)
                    if trumps >> card & 1 and points[card] == each
                ),
            }
            for each in worth
        ],
        "cards": [
            {
                "trump": bool(trumps >> card & 1),
                "points": points[card],
                "five": card in fives,
                "above_five": bool(trumps >> card & 1)
                and bool(fives)
                and rules.strength[trump][card] > highest,
            }
            for card in range(CARD_COUNT)
        ],
    }


def _derive_chunk(connection: DuckDBPyConnection, first: int) -> None:
    """Insert the facts of the hands from row ``first`` on.

    Of a hand without an outcome the tricks are left out: what was trumps is not stored with it.
    """
    connection.execute("DELETE FROM hands")
    connection.execute(
        "INSERT INTO hands BY NAME SELECT * EXCLUDE (content_hash, import_id, line, started_at, "
        "tail, doubts, winner_side) REPLACE (rowid AS id, "
        "CASE WHEN result IS NULL THEN [] ELSE tricks END AS tricks, "
        "CASE WHEN result IS NULL THEN [] ELSE captures END AS captures) "
        "FROM games.hands WHERE rowid >= $first AND rowid < $first + $chunk",
        {"first": first, "chunk": CHUNK},
    )
    connection.execute(sql_text("ingest.facts", "chunk.sql"))
