"""Lakes with rows of real hands: the same evenings again, each load with numbers of its own."""

import shutil
import uuid
from collections.abc import Iterable
from datetime import date
from pathlib import Path

import duckdb
import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tests.kit.evening_logs import two_evenings
from tests.kit.log_lines import write_lines
from tricklog import ingest
from tricklog.ingest.lake import tables
from tricklog.ingest.lake.publish import Lake, Snapshot
from tricklog.ingest.lake.storage import Storage, storage_of
from tricklog.ingest.lake.tables import File

NUMBERS = ("hand_no", "game_no", "seating_id", "chair")
"""Columns whose numbers begin again with each load."""
LOAD, BUCKET = 3, 5
BASE = tables.first_number(LOAD, BUCKET)
"""From where on the hands and games of the draft are numbered."""
Tables = dict[str, pa.Table]


def make_draft(folder: Path) -> None:
    """Load two evenings into a draft with numbers of a lake, and write the files it brings."""
    log = write_lines(folder / "log.jsonl", map(msgspec.json.encode, two_evenings()))
    report = ingest.load(log, db=folder / "db", facts=False)
    draft = folder / "draft.duckdb"
    assert report.snapshot
    shutil.copyfile(report.snapshot, draft)
    with duckdb.connect(str(draft)) as connection:
        connection.execute("UPDATE hands SET hand_no = hand_no + $1", [BASE])
        connection.execute("UPDATE games SET game_no = game_no + $1", [BASE])
    tables.export(draft, storage_of(folder / "files"), LOAD, BUCKET, 1)


def rows_of_a_load(folder: Path) -> Tables:
    """Return the rows of the tables of a lake that such a load brings."""
    files = (folder / "files").glob("*/*.parquet")
    found = {path.parent.name: pq.read_table(path) for path in sorted(files)}
    hashes = pa.array(range(-500, 500, 7), pa.int64())
    ids = {
        "id_hash": hashes,
        "content": pa.array([b"0" * 16] * len(hashes)),
        "hand_no": pa.array([BASE] * len(hashes)),
    }
    found["ids"] = pa.table(ids, tables.schema_of("ids"))
    # Lines that cannot be read, and long texts, are the same in every load.
    return found | {table: _same_in_all(table) for table in ("rejects", "long_texts")}


def _same_in_all(table: str) -> pa.Table:
    """Return some rows of a table that differ in its first column."""
    schema = tables.schema_of(table)
    columns: dict[str, pa.Array] = {}
    for field in schema:
        is_number = pa.types.is_integer(field.type)
        columns[field.name] = pa.array([1 if is_number else b"text"] * 3).cast(field.type)
    first = schema.field(0)
    columns[first.name] = pa.array([b"one", b"three", b"two"]).cast(first.type)
    return pa.table(columns, schema)


def files_of_a_load(storage: Storage, rows: Tables, load: int) -> list[File]:
    """Write what such a load brings under another number."""
    step = tables.first_number(load, 0) - BASE
    found = []
    for table, stored in rows.items():
        shifted = stored
        for place, name in enumerate(stored.schema.names):
            if name in NUMBERS:
                numbers = pc.add(stored[name], step * (8 if name == "chair" else 1))
                shifted = shifted.set_column(place, stored.schema.field(name), numbers)
            elif name == "id_hash":
                shifted = shifted.set_column(place, name, pc.add(stored[name], load % 7))
            elif name == "import_id" and table == "rejects":
                shifted = shifted.set_column(place, name, pa.array([load] * len(stored)))
        file = tables.write(storage, table, shifted, load, 0)
        assert file
        found.append(file)
    return found


def publish_load(lake: Lake, rows: Tables, superseded: Iterable[int] = ()) -> Snapshot:
    """Publish such a load; games of others may end with it."""
    with lake.begin("load") as begun:
        files = files_of_a_load(lake.storage, rows, begun.number)
        if gone := sorted(superseded):
            ends = pa.table({"game_no": gone, "load": [begun.number] * len(gone)})
            file = tables.write(lake.storage, "superseded", ends, begun.number, 0)
            assert file
            files.append(file)
        count = len(rows["hands"]) if "hands" in rows else 0
        before = begun.before.counts["hands"] if begun.before else 0
        return begun.publish(files, {"hands": before + count, "accepted": count})


def game_numbers(rows: Tables, load: int) -> list[int]:
    step = tables.first_number(load, 0) - BASE
    return [number + step for number in rows["games"]["game_no"].to_pylist()]


def digests(lake: Lake, snapshot: Snapshot | None = None) -> dict[str, tuple[int, str]]:
    """Return of each table how many rows a reader sees, and what they say, in whatever order."""
    snapshot = snapshot or lake.opened()
    seen = {}
    with duckdb.connect() as connection:
        gone = _rows(lake, snapshot, "superseded")
        connection.register("gone", gone)
        for table in snapshot.versions:
            if table == "superseded":
                continue
            connection.register("rows", _rows(lake, snapshot, table))
            hidden = table in tables.BY_GAME and len(gone)
            columns = "* EXCLUDE (import_id)" if table == "rejects" else "*"
            where = " ANTI JOIN gone USING (game_no)" if hidden else ""
            query = f"SELECT DISTINCT {columns} FROM rows{where}"  # noqa: S608 - our own names
            if table not in ("rulesets", "rejects", "long_texts"):
                query = query.replace("DISTINCT ", "")
            found = connection.execute(
                f"SELECT count(*), sum(hash(each))::VARCHAR FROM ({query}) AS each"  # noqa: S608
            ).fetchall()
            seen[table] = found[0]
    return seen


def _rows(lake: Lake, snapshot: Snapshot, table: str) -> pa.Table:
    found = [tables.schema_of(table).empty_table()]
    found += [read_rows(lake, file) for file in lake.files(snapshot, table)]
    return pa.concat_tables(found)


def read_rows(lake: Lake, file: File) -> pa.Table:
    with lake.storage.open_input(f"{file.table}/{file.path}") as stream:
        return pq.read_table(stream)


def data_files(lake: Lake) -> set[str]:
    """Return the names of all files of tables, whether anybody needs them or not."""
    names = {entry.name for entry in lake.storage.list() if "_delta_log" not in entry.name}
    return {name for name in names if not name.startswith("snapshots/")}


def named_files(lake: Lake) -> set[str]:
    """Return the names of those that the newest snapshot names."""
    listed = lake.all_files(lake.opened()).items()
    return {f"{table}/{file.path}" for table, files in listed for file in files}


# --- Files of small tables, published into a lake and read again
HANDS = pa.schema({"hand_no": pa.int64(), "day": pa.date32()})
GAMES = pa.schema({"game": pa.string()})


def write(storage: Storage, table: str, rows: pa.Table) -> File:
    """Write a file with statistics of its plain columns; nobody sees it until it is published."""
    path = f"{uuid.uuid4().hex}.parquet"
    name = f"{table}/{path}"
    with storage.open_output(name) as stream:
        pq.write_table(rows, stream)
    bounds: tuple[dict[str, object], dict[str, object]] = {}, {}
    for column in rows.schema.names:
        found = pc.min_max(rows[column]).as_py()
        for kind, value in zip(bounds, found.values(), strict=True):
            if value is not None:
                kind[column] = value
    return File(table, path, storage.size(name), len(rows), *bounds)


def hands(storage: Storage, *numbers: int) -> File:
    days = [date(2026, 1, 1 + number % 28) for number in numbers]
    return write(storage, "hands", pa.table({"hand_no": numbers, "day": days}, HANDS))


def games(storage: Storage, *names: str) -> File:
    return write(storage, "games", pa.table({"game": list(names)}, GAMES))


def rows_of(lake: Lake, table: str, column: str) -> list[object]:
    """What a reader of the newest snapshot sees in a column."""
    found = []
    for file in lake.files(lake.opened(), table):
        found += read_rows(lake, file)[column].to_pylist()
    return sorted(found, key=str)


def publish_hands(lake: Lake, *numbers: int, load: str = "load") -> Snapshot:
    with lake.begin(load) as begun:
        return begun.publish([hands(lake.storage, *numbers)], {"accepted": len(numbers)})


def texts(storage: Storage, table: str, *words: str) -> File:
    return write(storage, table, pa.table({"text": list(words)}))
