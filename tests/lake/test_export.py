"""The files of a lake and what is said of them, and exports: file by file, all or nothing."""

import csv
import json
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from duckdb import DuckDBPyConnection

import tricklog
from tests.cli.command_line import CommandLine
from tests.kit.facts import facts_in
from tests.kit.lake_rows import BASE, BUCKET, LOAD
from tests.kit.stored import content, rows
from tests.lake.conftest import Both
from tricklog.ingest.exporting import (
    GROUPS,
    NAMES,
    ExportError,
    UnknownTableError,
    checksum_of_export,
    chosen_tables,
    export,
    place_of,
)
from tricklog.ingest.frames import COLUMNS
from tricklog.ingest.lake import tables
from tricklog.ingest.lake.storage import Storage, storage_of
from tricklog.ingest.metrics.tallies import about
from tricklog.ingest.store.columns import about_table, meaning


@pytest.fixture(
    scope="module",
    params=["folder", pytest.param("lake", marks=pytest.mark.thorough("the same statements"))],
)
def db(request: pytest.FixtureRequest, both: Both) -> str:
    """With hands of every verdict, findings, rejects, texts of every kind."""
    return str(both.folder) if request.param == "folder" else f"lake:{both.lake}"


facts = facts_in("db")


@pytest.fixture(scope="module")
def exported(db: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("to") / "export"
    export(db, folder, ["all"])
    return folder


def rows_of(folder: Path, name: str) -> list[Any]:
    path = folder / f"{name}.parquet"
    if not path.exists():
        return []
    query = "SELECT to_json(item)::VARCHAR FROM read_parquet($1) AS item"
    return duckdb.execute(query, [str(path)]).fetchall()


# --- What it says
def test_every_row_of_every_table_is_in_its_file(
    db: str, exported: Path, facts: DuckDBPyConnection
) -> None:
    told = json.loads((exported / "export.json").read_bytes())
    assert checksum_of_export(exported) == told["checksum"] == content(db)
    for name in ("hands", "findings", "rejects", "plays", "card_facts", "finding_facts"):
        assert rows_of(exported, name)
    for name in NAMES:
        place = place_of(name)
        stored = facts.execute(f"SELECT to_json(item)::VARCHAR FROM {place} AS item").fetchall()  # noqa: S608 - our own
        assert sorted(rows_of(exported, name)) == sorted(stored), name
        manifest = told["tables"][name]
        assert manifest["rows"] == len(stored), name
        assert (manifest["file"] is None) == (not stored), name
        if not stored:
            continue
        path = str(exported / manifest["file"])
        described = duckdb.execute("DESCRIBE FROM read_parquet($1)", [path]).fetchall()
        assert [each["name"] for each in manifest["columns"]] == [row[0] for row in described]


def test_hands_can_be_read_in_words(exported: Path) -> None:
    hands = pl.read_parquet(exported / "readable_hands.parquet")
    assert hands.height == len(rows_of(exported, "hands"))
    plays = pl.read_parquet(exported / "plays.parquet").sort("hand_id", "action")
    played = plays.group_by("hand_id").agg(pl.col("card").alias("cards_played"))
    held = pl.read_parquet(exported / "holdings.parquet").sort("hand_id", "seat")
    dealt = held.group_by("hand_id").agg(pl.col("dealt").list.join(" "))
    again = hands.select("hand_id", "dealt_by_seat", "cards_played").sort("hand_id")
    joined = dealt.join(played, on="hand_id", how="left").sort("hand_id")
    assert again["dealt_by_seat"].to_list() == joined["dealt"].to_list()
    cards = [each or [] for each in joined["cards_played"].to_list()]
    assert again["cards_played"].to_list() == cards
    made = hands.filter(pl.col("result") == "made")
    assert made["trump"].is_in(["S", "H", "D", "C", "NT"]).any()
    assert all(maker in sitting for maker, sitting in made.select("maker_id", "player_ids").rows())


def test_each_column_says_what_it_means(db: str, facts: DuckDBPyConnection, exported: Path) -> None:
    columns = "FROM duckdb_columns() WHERE NOT internal AND database_name <> 'memory'"
    listed = facts.execute(f"SELECT table_name, column_name, comment {columns}").fetchall()
    assert [row[:2] for row in listed if not about(*row[:2])] == []
    assert {table for table, *_ in listed if not about_table(table)} == set()
    if not db.startswith("lake:"):
        assert [row for row in listed if row[2] != about(*row[:2])] == []
    tables = json.loads((exported / "export.json").read_bytes())["tables"]
    for name, table in tables.items():
        assert table["about"] == about_table(name)
        assert all(each["about"] == about(name, each["name"]) != "" for each in table["columns"])
    said = tricklog.sql(facts, "DESCRIBE games.plays").rows_by_key("column_name", named=True)
    assert said["card"][0]["about"] == about("plays", "card")
    assert "Numerator of the metric made-rate" in about("tallies", "made_rate_amount")


KINDS = {
    "number": r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|DECIMAL.*|U?Int\d+|int|float",
    "text": "VARCHAR|ENUM.*|String|str",
    "yes or no": "BOOLEAN|Boolean|bool",
    "day": "DATE|Date",
    "time": "TIMESTAMP.*|Datetime.*",
    "record": r"(STRUCT|Struct)\(.*\)|dict",
}
IN_RECORDS = frozenset(
    {
        *("id", "hand", "hand_id", "game", "dealer", "maker", "dealer_id", "dealer_name"),
        *("bid", "bid_name", "trump", "alone", "alone_by", "side", "side_no"),
        *("points", "change", "scores"),
    }
)
"""What logs and JSON say of a hand, and columns too."""


def kind_of(type_: str) -> str:
    """Return what values of a type are, whatever room they take."""
    listed = re.fullmatch(r"(?:List\()?(.*?)(?:\[\]|\))", type_)
    if listed and (type_.endswith("[]") or type_.startswith("List(")):
        return f"list of {kind_of(listed[1])}"
    return next((kind for kind, types in KINDS.items() if re.fullmatch(types, type_)), type_)


def kinds_in(item: dict[str, Any] | list[Any]) -> Iterator[tuple[str, str]]:
    """Yield each key of a JSON document that says something, and what its value is.

    The facts of a finding are left out: they are the words of its sentence.
    """
    for key, value in item.items() if isinstance(item, dict) else ():
        first = next(iter(value), None) if isinstance(value, list) else value
        if first is not None:
            kind = kind_of(type(first).__name__)
            yield key, f"list of {kind}" if isinstance(value, list) else kind
    within = [item[key] for key in item if key != "facts"] if isinstance(item, dict) else item
    for each in within:
        if isinstance(each, dict | list):
            yield from kinds_in(each)


def test_a_name_has_one_type_and_one_meaning(
    db: str, both: Both, facts: DuckDBPyConnection, tricklog: CommandLine
) -> None:
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    described = facts.execute(f"DESCRIBE FROM {place_of('readable_hands')}").fetchall()
    columns = "FROM duckdb_columns() WHERE NOT internal AND database_name <> 'memory'"
    for table, name, type_ in [
        *facts.execute(f"SELECT table_name, column_name, data_type {columns}").fetchall(),
        *(("readable_hands", *row[:2]) for row in described),
        *((table, *each) for table, frame in COLUMNS.items() for each in frame.items()),
    ]:
        found[name].add((kind_of(str(type_)), meaning(name) or about(table, name)))
    assert {name: said for name, said in found.items() if len(said) > 1} == {}
    hand, game = rows(db, "SELECT min(hand_id), min(game) FROM hands WHERE verdict = 'valid'")[0]
    log = next(both.logs.glob("**/*.jsonl"))
    told = [json.loads(line) for line in log.read_bytes().splitlines()[:1]]
    for command in (
        *(("list", what, "--db", db) for what in ("hands", "games", "players")),
        *(("show", hand, "--db", db), ("show", "game", game, "--db", db)),
        ("list", "deals", "--db", db),
        ("audit", log),
    ):
        told += tricklog(*command, "--json").objects
    said = {key: kind for item in told for key, kind in kinds_in(item) if key in IN_RECORDS}
    for name, kind in {each for item in told for each in kinds_in(item)}:
        if name in IN_RECORDS:
            of_columns = {known for known, _ in found[name]} or {said[name]}
            assert of_columns == {kind}, name


def test_csv_has_the_same_rows_and_no_formulas(db: str, exported: Path, tmp_path: Path) -> None:
    export(db, tmp_path / "to", ["hands", "plays", "rejects"], "csv")
    for name in ("hands", "plays", "rejects"):
        with (tmp_path / "to" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == len(rows_of(exported, name))
        cells = [cell for row in rows for cell in row.values()]
        assert not any(cell.startswith(("=", "@")) for cell in cells)
        assert all(cell[1:2].isdigit() for cell in cells if cell and cell[0] in "+-")
        if name == "hands":
            assert json.loads(next(row["points"] for row in rows if row["points"]))


# --- What is chosen
def test_what_can_be_chosen() -> None:
    assert chosen_tables() == (*GROUPS["tables"], "readable_hands", *GROUPS["facts"])
    assert chosen_tables(["all"]) == NAMES
    assert chosen_tables(["plays", "hands"]) == ("hands", "plays")
    assert chosen_tables(["views", "calls"]) == GROUPS["views"]
    with pytest.raises(UnknownTableError, match="did you mean 'plays'"):
        chosen_tables(["play"])


# --- All or nothing
def test_an_earlier_export_is_replaced_whole(both: Both, tmp_path: Path) -> None:
    to = tmp_path / "to"
    export(both.folder, to, ["plays"])
    export(both.folder, to, ["tricks"])
    assert sorted(path.name for path in to.iterdir()) == ["export.json", "tricks.parquet"]
    assert [path.name for path in tmp_path.iterdir()] == ["to"]


def test_a_folder_with_anything_else_is_refused(both: Both, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ExportError, match="holds something that is no export"):
        export(both.folder, tmp_path)
    with pytest.raises(ExportError, match="is not a folder"):
        export(both.folder, tmp_path / "notes.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_failure_leaves_all(both: Both, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    to = tmp_path / "to"
    export(both.folder, to, ["plays"])
    before = (to / "plays.parquet").read_bytes()
    written: Iterator[int] = iter([1])

    def failing(*_: object) -> None:
        if next(written, None) is None:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("tricklog.ingest.exporting.flush", failing)
    with pytest.raises(OSError, match="No space left"):
        export(both.folder, to, ["plays", "tricks"])
    assert (to / "plays.parquet").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["to"]


# --- The command
def test_the_command_tells_it(tricklog: CommandLine, both: Both, tmp_path: Path) -> None:
    to, lake = tmp_path / "to", f"lake:{both.lake}"
    ran = tricklog("export", "--db", lake, "--output", to, "--tables", "plays, tricks")
    assert ran.status == 0
    assert "Wrote 2 Parquet files and export.json" in ran.text
    for name in ("plays", "tricks"):
        ((count,),) = rows(both.folder, f"SELECT count(*) FROM {name}")  # noqa: S608 - our own
        assert len(rows_of(to, name)) == count > 0
    told = tricklog("export", "--db", both.folder, "--output", to, "--json").objects[0]
    assert told["checksum"] == checksum_of_export(to) == content(lake)
    ran = tricklog("export", "--db", both.folder, "--output", to, "--tables", "play")
    assert ran.status == 2
    assert "did you mean 'plays'" in ran.stderr
    ran = tricklog("export", "--db", tmp_path / "none", "--output", to)
    assert ran.status == 2
    assert "Nothing has been loaded" in ran.stderr or "no warehouse" in ran.stderr


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
    kept = {(each % 2**64,) for each in by_table["sessions"]["session"].to_pylist()}
    assert kept == {*sessions}
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
