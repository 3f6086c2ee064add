"""Damage to the files of a lake is noticed, told in a sentence, and never stored again as sound."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest.lake import tables
from ingest.lake.checking import wrong_with
from ingest.lake.publish import Lake
from ingest.lake.storage import storage_of
from ingest.store.warehouse import WarehouseError
from ingest.upkeep.rebuilding import rebuild
from ingest.upkeep.verifying import verify
from ingest.warehouses import load, open_facts, open_snapshot, stored_hand, warehouse_at
from schemas.hand import encode_hand
from tests.cli.command_line import CommandLine
from tests.kit.log_lines import generated, write_lines

HANDS = generated("pedro", 1)
FLIPS = 1
"""Bits flipped of each table; that a flip in any page is found is proved apart."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of one load; to be copied."""
    place = tmp_path_factory.mktemp("sound")
    log = write_lines(place / "log.jsonl", [*map(encode_hand, HANDS), b"oops"])
    load(log, db=f"lake:{place / 'lake'}", on="here")
    log.unlink()
    return place / "lake"


@pytest.fixture
def lake(sound: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sound, tmp_path / "lake")


@pytest.fixture
def tricklog(
    capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return CommandLine(capsysbinary, monkeypatch)


def files_of(lake: Path) -> dict[str, Path]:
    """Return a file of each table."""
    return {path.parent.name: path for path in lake.glob("[!s]*/*.parquet")} | {
        path.parent.name: path for path in lake.glob("se*/*.parquet")
    }


def flip(path: Path, at: int, bit: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1 << bit
    path.write_bytes(content)


def data_of(path: Path) -> list[range]:
    """Return where the pages of a file lie."""
    metadata = pq.read_metadata(path)
    chunks = [
        metadata.row_group(group).column(column)
        for group in range(metadata.num_row_groups)
        for column in range(metadata.num_columns)
    ]
    starts = [
        min(filter(None, (chunk.dictionary_page_offset, chunk.data_page_offset)))
        for chunk in chunks
    ]
    return [
        range(start, start + chunk.total_compressed_size)
        for start, chunk in zip(starts, chunks, strict=True)
    ]


def ask_everything(db: str) -> None:
    """Read every column of every table and of all facts."""
    with open_facts(db) as facts:
        named = facts.execute(
            "SELECT database_name, view_name FROM duckdb_views() WHERE NOT internal"
        ).fetchall()
        for database, view in named:
            facts.execute(f"SELECT max(hash(item)) FROM {database}.{view} AS item").fetchall()  # noqa: S608


def what_is_said(db: str) -> str:
    """Return the sentence that a reader of everything gets, nothing where all can be read."""
    try:
        ask_everything(db)
    except WarehouseError as error:
        return str(error)
    except (duckdb.Error, UnicodeError) as error:
        return str(warehouse_at(db).explained(error))
    return ""


def test_every_page_has_a_checksum_that_finds_a_flip(lake: Path) -> None:
    dice = random.Random("pages")
    snapshot = Lake(storage_of(f"lake:{lake}")).opened()
    for table, path in files_of(lake).items():
        (file,) = Lake(storage_of(f"lake:{lake}")).files(snapshot, table)
        name, whole = f"{table}/{file.path}", path.read_bytes()
        assert wrong_with(storage_of(f"lake:{lake}"), name, file) == ""
        for place in data_of(path):
            # The last byte of a column chunk is of the content of its last page.
            flip(path, place[-1], dice.randrange(8))
            assert name in wrong_with(storage_of(f"lake:{lake}"), name, file)
            path.write_bytes(whole)


def test_what_reads_a_damaged_file_says_so(lake: Path) -> None:
    dice = random.Random("flips")
    told = 0
    for path in files_of(lake).values():
        whole = path.read_bytes()
        for place in dice.sample(data_of(path), min(FLIPS, len(data_of(path)))):
            flip(path, dice.choice(place[-40:]), dice.randrange(8))
            if said := what_is_said(f"lake:{lake}"):
                assert "is damaged" in said
                assert path.name in said
                told += 1
            path.write_bytes(whole)
    assert told > 3


def test_commands_name_the_damaged_file(tricklog: CommandLine, lake: Path) -> None:
    path = files_of(lake)["tallies"]
    for place in data_of(path):
        flip(path, place[-1], 3)
    ran = tricklog("stats", "points-share", "--by", "player", "--db", str(lake))
    assert ran.status == 3
    assert "is damaged" in ran.stderr
    assert path.name in ran.stderr
    ran = tricklog("verify", "--db", str(lake), "--on", "here", "--json")
    assert ran.status == 1
    (told,) = ran.objects
    assert [(each["check"], each["table"]) for each in told["problems"]] == [
        ("file", f"tallies/{path.name}")
    ]


def test_a_value_no_statement_can_use_is_damage_only_where_a_file_is(lake: Path) -> None:
    errors = (
        duckdb.ConversionException("Conversion Error: date field value out of range"),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
    )
    assert [warehouse_at(f"lake:{lake}").explained(error) for error in errors] == [None, None]
    path = files_of(lake)["hands"]
    flip(path, data_of(path)[0][-1], 3)
    for error in errors:
        assert path.name in str(warehouse_at(f"lake:{lake}").explained(error))


def test_a_command_names_the_file_behind_a_value_it_cannot_use(
    tricklog: CommandLine, lake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise duckdb.ConversionException("Conversion Error: date field value out of range")

    path = files_of(lake)["hands"]
    flip(path, data_of(path)[0][-1], 3)
    monkeypatch.setattr("ingest.metrics.measure", fails)
    ran = tricklog("stats", "points-share", "--by", "player", "--db", str(lake))
    assert ran.status == 3
    assert path.name in ran.stderr


def test_verify_names_every_damaged_file_and_table(lake: Path) -> None:
    dice = random.Random("all")
    for table, path in files_of(lake).items():
        if table not in {"games", "chairs"}:
            flip(path, dice.choice(data_of(path))[-1], dice.randrange(8))
    (lake / "games" / "_delta_log" / f"{1:020d}.json").unlink()
    empty = lake / "chairs" / "_delta_log" / f"{1:020d}.json"
    empty.write_bytes(b"")
    found = verify(f"lake:{lake}", on="here")
    assert {each.check for each in found.problems} == {"file"}
    assert {each.table for each in found.problems} == {
        "games",
        str(empty.relative_to(lake)),
        *(
            f"{table}/{path.name}"
            for table, path in files_of(lake).items()
            if table not in {"games", "chairs"}
        ),
    }


def test_a_file_without_checksums_is_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = tables._options
    monkeypatch.setattr(
        tables, "_options", lambda table: options(table) | {"write_page_checksum": False}
    )
    log = write_lines(tmp_path / "log.jsonl", map(encode_hand, HANDS))
    load(log, db=f"lake:{tmp_path / 'old'}", on="here")
    assert verify(f"lake:{tmp_path / 'old'}", on="here").problems == ()


def altered(hands: pa.Table, row: int) -> pa.Table:
    place = hands.schema.get_field_index("dealer")
    dealers = hands["dealer"].to_pylist()
    dealers[row] = 1 - min(dealers[row], 1)
    return hands.set_column(place, "dealer", pa.array(dealers, hands["dealer"].type))


def renumbered(hands: pa.Table, row: int) -> pa.Table:
    place = hands.schema.get_field_index("seating_id")
    numbers = hands["seating_id"].to_pylist()
    numbers[row] += 1_000_000
    return hands.set_column(place, "seating_id", pa.array(numbers, hands["seating_id"].type))


def replace_hands(lake: Path, change: Callable[[pa.Table, int], pa.Table]) -> str:
    """Publish the hands with one that is another now; return its id."""
    opened = Lake(storage_of(f"lake:{lake}"))
    (file,) = opened.files(opened.opened(), "hands")
    rows = pq.read_table(lake / "hands" / file.path)
    with opened.begin("a test") as begun:
        added = tables.write(opened.storage, "hands", change(rows, 2), begun.number, 0)
        assert added
        begun.publish([added], {}, gone={"hands": [file.path]})
    return str(rows["id"][2].as_py())


@pytest.mark.parametrize("change", [altered, renumbered])
def test_a_hand_that_is_altered_and_in_no_log_is_lost(
    lake: Path, change: Callable[[pa.Table, int], pa.Table]
) -> None:
    hand_id = replace_hands(lake, change)
    assert any(each.row == hand_id for each in verify(f"lake:{lake}", on="here").problems)
    report = rebuild(db=f"lake:{lake}", on="here")
    assert (report.hands, report.kept, report.lost) == (len(HANDS) - 1, len(HANDS) - 1, 1)
    assert (report.from_logs, report.new, report.complete) == (0, 0, False)
    assert report.unreadable == [f"hand {hand_id} of lake:{lake}"]
    with open_snapshot(f"lake:{lake}") as connection:
        stored = {
            stored_id for (stored_id,) in connection.execute("SELECT id FROM hands").fetchall()
        }
    assert stored == {hand.id for hand in HANDS} - {hand_id}
    assert verify(f"lake:{lake}", everything=True, on="here").problems == ()


def test_a_hand_that_is_altered_comes_from_its_log(lake: Path, tmp_path: Path) -> None:
    replace_hands(lake, altered)
    log = write_lines(tmp_path / "again.jsonl", map(encode_hand, HANDS))
    report = rebuild(log, db=f"lake:{lake}", on="here")
    assert (report.hands, report.lost, report.from_logs) == (len(HANDS), 0, len(HANDS))
    assert verify(f"lake:{lake}", everything=True, on="here").problems == ()


def test_a_hand_is_found_that_the_index_does_not_lead_to(lake: Path) -> None:
    opened = Lake(storage_of(f"lake:{lake}"))
    (file,) = opened.files(opened.opened(), "ids")
    rows = pq.read_table(lake / "ids" / file.path)
    others = pa.array([number ^ 1 for number in rows["id_hash"].to_pylist()], pa.int64())
    with opened.begin("a test") as begun:
        added = tables.write(
            opened.storage, "ids", rows.set_column(0, "id_hash", others), begun.number, 0
        )
        assert added
        begun.publish([added], {}, gone={"ids": [file.path]})
    with open_snapshot(f"lake:{lake}") as connection:
        assert stored_hand(connection, HANDS[0].id) == HANDS[0]
        with pytest.raises(LookupError, match="There is no hand 'another'"):
            stored_hand(connection, "another")
    problems = verify(f"lake:{lake}", on="here").problems
    assert [(each.check, each.table) for each in problems] == [("reference", "ids")]
