"""Bringing back what is stored: hands, with all that belongs to them, and which rejects there are.

They come into a draft, where the code of a warehouse of one machine works on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from duckdb import DuckDBPyConnection

from tricklog.ingest.lake import compaction, index, reading
from tricklog.ingest.lake.groups import hashes_of
from tricklog.ingest.lake.publish import Lake, Snapshot
from tricklog.ingest.store import database, long_texts, publishing, warehouse
from tricklog.ingest.store.warehouse import StoredHand

_FEW: Final = 2_000
"""Hands that are brought back at a time, as their tables are held meanwhile."""


def bring_back(
    lake: Lake, snapshot: Snapshot, names: Iterable[str], draft: DuckDBPyConnection
) -> pa.Table:
    """Put the stored hands of games into a draft, with all that belongs to them.

    Returns the games among ``names`` that are stored: ``game``, ``game_no``, ``first_day`` and
    ``hand_nos``. Raises ``WarehouseError`` when what is stored cannot be read.
    """
    wanted = pa.table({"game": pa.array(sorted(set(names)), pa.string())})
    with database.connect(threads="1") as looking:
        hashes = hashes_of(looking, wanted["game"]).view(np.int64)
        columns = NO_GAMES.column_names
        found = index.rows_with(lake, snapshot, "games", "game_hash", np.unique(hashes), columns)
        if not len(found):
            return NO_GAMES
        gone = pa.table({"game_no": compaction.dead_games(lake, snapshot)})
        for name, frame in {"found": found, "wanted": wanted, "gone": gone}.items():
            looking.register(name, frame)
        stored = looking.sql(_CURRENT).to_arrow_table()
    hand_nos = [number for numbers in stored["hand_nos"].to_pylist() for number in numbers]
    with reading.open_tables(lake, snapshot) as tables:
        for first in range(0, len(hand_nos), _FEW):
            copy_hands(tables, hand_nos[first : first + _FEW], draft)
    return stored


def copy_hands(tables: DuckDBPyConnection, hand_nos: list[int], draft: DuckDBPyConnection) -> None:
    """Insert stored hands into a draft, and what was found in each of them; see ``insert``."""
    hands = hands_numbered(tables, hand_nos)
    findings = tables.sql(_FINDINGS, params=[hands["hand_id"].to_pylist()]).to_arrow_table()
    insert(tables, hands, findings, draft)


def hands_numbered(tables: DuckDBPyConnection, hand_nos: list[int]) -> pa.Table:
    """Return stored hands by their numbers."""
    return tables.sql(_HANDS, params=[hand_nos]).to_arrow_table()


def insert(
    tables: DuckDBPyConnection, hands: pa.Table, findings: pa.Table, draft: DuckDBPyConnection
) -> None:
    """Insert stored hands and findings into a draft, with the seatings, rules and texts of these.

    Seatings get numbers of the draft's own.
    """
    seatings = tables.sql(
        _SEATINGS, params=[hands["seating_id"].unique().to_pylist()]
    ).to_arrow_table()
    rulesets = tables.sql(
        _RULESETS, params=[seatings["ruleset"].unique().to_pylist()]
    ).to_arrow_table()
    frames = {"hands": hands, "seatings": seatings, "rulesets": rulesets, "findings": findings}
    for name, frame in frames.items():
        draft.register(f"stored_{name}", frame)
    draft.execute(_NUMBERS, {"first": first_seating(draft)})
    draft.execute(_INSERT)
    for name in frames:
        draft.unregister(f"stored_{name}")
    insert_texts(tables, draft)


def first_seating(draft: DuckDBPyConnection) -> int:
    """Return the number of the first new seating of a draft."""
    ((number,),) = draft.execute(
        "SELECT coalesce(max(seating_id), -1) + 1 FROM seatings"
    ).fetchall()
    return int(number)


def insert_texts(tables: DuckDBPyConnection, draft: DuckDBPyConnection) -> None:
    """Insert the long texts into a draft that its rows refer to and that it lacks."""
    lacking = draft.execute(
        f"SELECT DISTINCT {long_texts.HASH_OF}::VARCHAR AS text_hash "  # noqa: S608 - names of our own
        f"FROM ({long_texts.references()}) "
        "WHERE text_hash::UUID NOT IN (SELECT text_hash FROM long_texts)"
    ).fetchall()
    texts = tables.sql(_TEXTS, params=[[each for (each,) in lacking]]).to_arrow_table()
    draft.register("stored_texts", texts)
    draft.execute("INSERT INTO long_texts BY NAME FROM stored_texts")
    draft.unregister("stored_texts")


def stored_hands(
    tables: DuckDBPyConnection, hand_nos: list[int]
) -> Iterator[tuple[int, StoredHand]]:
    """Return stored hands with their numbers; those are left out that have no seating."""
    for first in range(0, len(hand_nos), _FEW):
        with database.connect(memory_limit=publishing.MEMORY_LIMIT) as draft:
            publishing.create_tables(draft)
            copy_hands(tables, hand_nos[first : first + _FEW], draft)
            numbers = dict(draft.execute("SELECT hand_id, hand_no FROM hands").fetchall())
            for hand in warehouse.hands(draft):
                yield numbers[hand.id], hand


def stored_rejects(lake: Lake, snapshot: Snapshot, keys: set[str]) -> set[str]:
    """Return of keys of rejects those that are stored."""
    wanted = pc.field("reject").isin(pa.array(sorted(keys), pa.string()))
    found = index.rows(lake, snapshot, "rejects", ["reject"], where=wanted)
    return set(found["reject"].to_pylist())


NO_GAMES: Final = pa.schema(
    {
        "game": pa.string(),
        "game_no": pa.int64(),
        "first_day": pa.date32(),
        "hand_nos": pa.list_(pa.int64()),
    }
).empty_table()
_CURRENT: Final = """
SELECT game, game_no, first_day, hand_nos
FROM found SEMI JOIN wanted USING (game) ANTI JOIN gone USING (game_no)
ORDER BY game_no
"""
_HANDS: Final = "FROM hands WHERE hand_no IN (SELECT unnest($1::BIGINT[]))"
_SEATINGS: Final = "FROM seatings WHERE seating_id IN (SELECT unnest($1::BIGINT[]))"
_RULESETS: Final = "FROM rulesets WHERE ruleset IN (SELECT unnest($1::VARCHAR[]))"
# What is found in a game is found again.
_FINDINGS: Final = """
FROM findings WHERE scope = 'hand' AND hand_id IN (SELECT unnest($1::VARCHAR[]))
"""
_TEXTS: Final = """
SELECT DISTINCT text_hash, piece, content
FROM long_texts
WHERE text_hash IN (SELECT unnest($1::VARCHAR[])::UUID)
"""
_NUMBERS: Final = """
CREATE OR REPLACE TEMP TABLE numbers AS
SELECT seating_id, ($first + row_number() OVER (ORDER BY seating_id) - 1)::INTEGER AS there
FROM (SELECT DISTINCT seating_id FROM stored_hands)
"""
_INSERT: Final = """
INSERT INTO seatings BY NAME
SELECT DISTINCT ON (there) * EXCLUDE (there) REPLACE (there AS seating_id)
FROM stored_seatings JOIN numbers USING (seating_id);
INSERT INTO hands BY NAME
SELECT * EXCLUDE (there) REPLACE (there AS seating_id)
FROM stored_hands JOIN numbers USING (seating_id)
ORDER BY hand_no;
INSERT INTO rulesets BY NAME FROM stored_rulesets ON CONFLICT DO NOTHING;
INSERT INTO findings BY NAME FROM stored_findings;
DROP TABLE numbers;
"""
