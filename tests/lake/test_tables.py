"""The files of a lake: their columns, their order, what is said of them."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from tests.kit.lake_rows import BASE, BUCKET, LOAD
from tricklog.ingest.lake import tables
from tricklog.ingest.lake.storage import Storage, storage_of


@pytest.fixture
def draft(drafted: Path, tmp_path: Path) -> Path:
    """A draft with numbers of a lake."""
    return Path(shutil.copy(drafted / "draft.duckdb", tmp_path))


def test_a_file_is_sorted_and_says_what_it_holds(tmp_path: Path) -> None:
    """Rows come in batches of any size; the file has row groups of one size, and no empty one."""
    storage = storage_of(tmp_path)
    size = tables.LAYOUTS["superseded"].row_group

    def batches() -> Iterator[pa.RecordBatch]:
        for first in range(0, 2 * size, size // 3):
            rows = min(size // 3, 2 * size - first)
            yield pa.record_batch(
                {"load": pa.array([7] * rows), "game_no": pa.array(range(first, first + rows))}
            )

    added = tables.write(storage, "superseded", batches(), LOAD, BUCKET)
    assert added
    file = pq.ParquetFile(tmp_path / "superseded" / added.path)
    groups = [file.metadata.row_group(each).num_rows for each in range(file.num_row_groups)]
    assert groups == [size, size]
    assert file.schema_arrow.equals(tables.schema_of("superseded"))
    assert file.read()["game_no"].to_pylist() == list(range(2 * size))
    assert added.size == (tmp_path / "superseded" / added.path).stat().st_size
    assert json.loads(added.stats) == {
        "numRecords": 2 * size,
        "minValues": {"game_no": 0, "load": 7},
        "maxValues": {"game_no": 2 * size - 1, "load": 7},
        "nullCount": {"game_no": 0, "load": 0},
    }


def test_two_attempts_write_two_files_and_no_rows_none(tmp_path: Path) -> None:
    """A table to which a bucket adds nothing gets no file."""
    empty = tables.schema_of("games").empty_table()
    assert tables.write(storage_of(tmp_path), "games", empty, LOAD, BUCKET) is None
    assert not list(tmp_path.iterdir())
    # What an attempt that was given up left behind is not what the next one writes.
    rows = pa.table({"game_no": [1], "load": [1]})
    storage = storage_of(tmp_path)
    paths = {tables.write(storage, "superseded", rows, 1, 1).path for _ in range(2)}  # type: ignore[union-attr]
    assert len(paths) == 2


def test_all_that_a_draft_says_is_exported(draft: Path, tmp_path: Path) -> None:
    """Each table has one file, in its order, with numbers that are those of the lake."""
    storage = storage_of(tmp_path / "lake")
    facts = draft.with_name("facts.duckdb")
    added = tables.export(draft, storage, LOAD, BUCKET, 1)
    by_table = {each.table: _read(storage, each) for each in added}
    assert len(by_table) == len(added)
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{draft}' AS games (READ_ONLY)")
        connection.execute(f"ATTACH '{facts}' AS facts (READ_ONLY)")
        found = connection.execute(
            "SELECT table_name FROM duckdb_tables() WHERE database_name = 'facts'"
        ).fetchall()
        for table, rows in by_table.items():
            place = "facts" if (table,) in found else "games"
            count = connection.table(f"{place}.{table}").count("*").fetchall()
            assert count == [(len(rows),)], table
            assert rows.schema.equals(tables.schema_of(table)), table
            order = [(name, "ascending") for name in tables.LAYOUTS[table].sorted_by]
            columns = [name for name, _ in order]
            assert rows.select(columns).equals(rows.sort_by(order).select(columns)), table
        wanted = connection.execute(
            "SELECT hand_id, content_hash::BLOB, started_at, seating_id + $base "
            "FROM games.hands ORDER BY hand_no",
            {"base": BASE},
        ).fetchall()
        sessions = connection.execute("SELECT session FROM facts.sessions").fetchall()
    hands = by_table["hands"]
    told = hands.select(["hand_id", "content_hash", "started_at", "seating_id"])
    times = told["started_at"].cast(pa.timestamp("us"))
    told = told.set_column(2, "started_at", times)
    assert [tuple(row.values()) for row in told.to_pylist()] == wanted
    assert set(hands["import_id"].to_pylist()) == {LOAD}
    assert {each % 2**64 for each in by_table["sessions"]["session"].to_pylist()} == {
        session for (session,) in sessions
    }
    chairs = by_table["chairs"]["chair"].to_pylist()
    assert set(by_table["seat_rows"]["chair"].to_pylist()) <= set(chairs)
    assert min(chairs) >= 8 * BASE
    assert sum(by_table["seatings"]["hands"].to_pylist()) == len(hands)
    numbers = pc.list_flatten(by_table["games"]["hand_nos"]).to_pylist()
    assert sorted(numbers) == hands.filter(hands["game"].is_valid())["hand_no"].to_pylist()


def test_hands_of_other_imports_are_not_written_again(draft: Path, tmp_path: Path) -> None:
    """Of stored hands that were recalled, everything is written but themselves."""
    storage = storage_of(tmp_path / "lake")
    added = tables.export(draft, storage, LOAD, BUCKET, 2)
    written = {each.table: each for each in added}
    assert "hands" not in written
    assert {"games", "seatings", "rulesets"} <= set(written)
    assert set(_read(storage, written["seatings"])["hands"].to_pylist()) == {0}


def _read(storage: Storage, added: tables.File) -> pa.Table:
    return pq.read_table(Path(storage.root, added.table, added.path))
