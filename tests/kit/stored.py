"""What a warehouse of tests holds, and warehouses that are damaged or of other rules."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest
from duckdb import DuckDBPyConnection

from tricklog.core import RulesetError
from tricklog.core.engine.rules import scoring
from tricklog.core.native import library
from tricklog.core.rulesets import ruleset
from tricklog.ingest.facts.files import open_scope_of
from tricklog.ingest.store import seals, warehouse
from tricklog.ingest.store.scopes import Scope
from tricklog.ingest.store.warehouse import current_snapshot, facts_file
from tricklog.ingest.warehouses import open_snapshot

HEADERS = 3 * 4096
"""Bytes with which a DuckDB file begins before its blocks."""
BLOCK = 256 * 1024


def damage_table(file: Path, table: str) -> None:
    """Flip one bit in a block of a table of a DuckDB file, so that the table cannot be read."""
    with duckdb.connect(str(file), read_only=True) as connection:
        ((block, offset),) = connection.execute(
            "SELECT block_id, block_offset FROM pragma_storage_info($1) "
            "WHERE block_id >= 0 LIMIT 1",
            [table],
        ).fetchall()
    data = bytearray(file.read_bytes())
    data[HEADERS + block * BLOCK + offset] ^= 1
    file.write_bytes(data)


def snapshot_of(db: Path) -> Path:
    """Return the snapshot that is published now."""
    snapshot = current_snapshot(db)
    assert snapshot
    return snapshot


def facts_file_of(db: Path) -> Path:
    """Return the file of facts beside it, whether it is there or not."""
    return facts_file(snapshot_of(db))


def alter(db: Path, *statements: str) -> None:
    """Change what stands in the current snapshot; its seal stays."""
    with duckdb.connect(str(snapshot_of(db))) as connection:
        for statement in statements:
            connection.execute(statement)


def reseal(db: Path) -> None:
    """Seal the current snapshot as it is now, as if it had been published so."""
    snapshot = snapshot_of(db)
    seal = seals.read(snapshot)
    assert seal
    seals.write(snapshot, snapshot.name, seals.seal_of(snapshot), seal.loads)


# --- What it holds
def content(db: object) -> str:
    """Return the checksum of a folder or a lake."""
    with open_snapshot(str(db)) as connection:
        return warehouse.checksum(connection)


def open_scope(
    db: Path, *, variants: tuple[str, ...] = (), people: tuple[str, ...] = ()
) -> DuckDBPyConnection:
    """Open the facts of some tables of a warehouse."""
    return open_scope_of(snapshot_of(db), Scope(variants=variants, people=people))


def content_or_none(db: object) -> str | None:
    """Return the checksum of a folder or a lake, ``None`` when nothing is published."""
    try:
        return content(db)
    except (warehouse.NoSnapshotError, warehouse.LostPointerError):
        # A first load that was killed may have left a snapshot that no pointer names yet.
        return None


def rows(db: object, query: str, *values: object) -> list[tuple[Any, ...]]:
    """Return what a query finds in a folder or a lake."""
    with open_snapshot(str(db)) as connection:
        return connection.execute(query, values or None).fetchall()


def where(db: object) -> str | None:
    """Where the work on a lake is done, which of a folder is not said: in this process."""
    return "here" if str(db).startswith("lake:") else None


_NUMBERED = {
    "seat_facts": "hand_no, game_no, seating_id",
    "card_facts": "hand_no, game_no, seating_id",
    "finding_facts": "hand_no, game_no, seating_id",
    "game_facts": "game_no",
    "tallies": "game_no, seating_id",
}
"""Tables of facts, and the columns in which they have numbers that loads have given."""


def facts_checksum(facts: DuckDBPyConnection) -> str:
    """Return 32 hex digits over all facts, in whatever order and parts hands were loaded.

    ``facts`` is a connection of ``open_facts``.
    """
    digest = hashlib.sha256()
    for table, numbers in _NUMBERED.items():
        # A row may be there twice, such as two findings of a kind, and two alike must not cancel
        # each other out.
        (found,) = facts.execute(
            f"SELECT count(*), coalesce(sum(md5_number_lower(to_json(item)::VARCHAR)), 0) "  # noqa: S608 - names of our own
            f"FROM ({_named(table, numbers)}) AS item"
        ).fetchall()
        digest.update(f"{table} {found}\n".encode())
    names = "SELECT list(name ORDER BY session) FROM session_names"
    digest.update(str(facts.execute(names).fetchall()).encode())
    return digest.hexdigest()[:32]


def _named(table: str, numbers: str) -> str:
    """Return the query for the rows of a table, with the names of hands and games for numbers."""
    hand = "hands.hand_id AS of_hand, " if "hand_no" in numbers.split(", ") else ""
    join = f"JOIN games.hands ON hands.hand_no = {table}.hand_no " if hand else ""
    return (
        f"SELECT {hand}coalesce(whole.game, alone.hand_id) AS of_game, "  # noqa: S608 - names of our own
        f"{table}.* EXCLUDE ({numbers}) FROM {table} {join}"
        f"LEFT JOIN games.games AS whole ON whole.game_no = {table}.game_no "
        f"LEFT JOIN games.hands AS alone ON alone.hand_no = {table}.game_no"
    )


SILENT = """
SELECT concat_ws('.', database_name, schema_name, table_name, column_name) AS place
FROM duckdb_columns() WHERE NOT internal AND coalesce(comment, '') = ''
UNION ALL
SELECT concat_ws('.', database_name, schema_name, table_name)
FROM duckdb_tables() WHERE NOT internal AND coalesce(comment, '') = ''
UNION ALL
SELECT concat_ws('.', database_name, schema_name, view_name)
FROM duckdb_views() WHERE NOT internal AND coalesce(comment, '') = ''
ORDER BY place
"""


def uncommented_in(path: str) -> list[str]:
    with duckdb.connect(path, read_only=True) as connection:
        return [place for (place,) in connection.execute(SILENT).fetchall()]


def wrong_scores(patch: pytest.MonkeyPatch) -> None:
    """Have a made contract change the scores by 3."""
    patch.setattr(scoring, "change_when_made", lambda *_: 3)
    # The library has the right rules.
    patch.setattr(library, "is_there", lambda: False)


@contextmanager
def other_rules() -> Iterator[pytest.MonkeyPatch]:
    """Have rules resolved again in the block, where they can be patched, and after it."""
    _forget_rules()
    try:
        with pytest.MonkeyPatch.context() as patch:
            yield patch
    finally:
        _forget_rules()


@contextmanager
def without_rules(*variants: str) -> Iterator[None]:
    """Have the rules of some games unknown in the block."""
    resolve = ruleset.resolve

    def forgetful(reference: object) -> ruleset.Ruleset:
        if (variant := getattr(reference, "variant", "")) in variants:
            raise RulesetError("the log", "/rules/variant", f"is {variant!r}, which is not known")
        return resolve(reference)  # type: ignore[arg-type]  # as resolve is called

    with other_rules() as patch:
        patch.setattr(ruleset, "resolve", forgetful)
        yield


def _forget_rules() -> None:
    ruleset._resolved.clear()
    ruleset.load_variant.cache_clear()
