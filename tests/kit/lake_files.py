"""Files of small tables, published into a lake and read again."""

import uuid
from datetime import date

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tricklog.ingest.lake.publish import Lake, Snapshot
from tricklog.ingest.lake.storage import Storage
from tricklog.ingest.lake.tables import File

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
    snapshot = lake.opened()
    found: list[object] = []
    for file in lake.files(snapshot, table):
        with lake.storage.open_input(f"{table}/{file.path}") as stream:
            found += pq.read_table(stream, columns=[column])[column].to_pylist()
    return sorted(found, key=str)


def publish_hands(lake: Lake, *numbers: int, load: str = "load") -> Snapshot:
    with lake.begin(load) as begun:
        return begun.publish([hands(lake.storage, *numbers)], {"accepted": len(numbers)})


def texts(storage: Storage, table: str, *words: str) -> File:
    return write(storage, table, pa.table({"text": list(words)}))
