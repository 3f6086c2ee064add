"""Damage to the files of a lake is noticed, told in a sentence, and never stored again as sound."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.command_line import CommandLine
from tests.kit.log_lines import generated, write_lines
from tests.kit.made_once import copied, once
from tests.kit.stored import rows, without_rules
from tests.kit.tiers import is_thorough, some
from tricklog.ingest.lake import tables
from tricklog.ingest.lake.checking import FileTask, check_file
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.store.warehouse import WarehouseError
from tricklog.ingest.upkeep.rebuilding import rebuild
from tricklog.ingest.upkeep.verifying import verify
from tricklog.ingest.warehouses import load, open_facts, open_snapshot, stored_hand, warehouse_at
from tricklog.schemas.hand import Hand, encode_hand


def pedro_hands() -> tuple[Hand, ...]:
    return generated("pedro", 1)


@once("lake")
def sound(place: Path) -> None:
    """A lake of one load, of which there is no log any more; to be copied."""
    log = write_lines(place / "log.jsonl", [*map(encode_hand, pedro_hands()), b"oops"])
    load(log, db=f"lake:{place / 'lake'}", on="here")
    log.unlink()


lake = copied("sound", to="lake")


def files_of(lake: Path) -> dict[str, Path]:
    """Return a file of each table."""
    paths = (*lake.glob("[!s]*/*.parquet"), *lake.glob("se*/*.parquet"))
    return {path.parent.name: path for path in paths}


def flip(path: Path, at: int, bit: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1 << bit
    path.write_bytes(content)


def data_of(path: Path) -> list[range]:
    """Return where the pages of a file lie."""
    metadata = pq.read_metadata(path)
    found = []
    for group, column in product(range(metadata.num_row_groups), range(metadata.num_columns)):
        chunk = metadata.row_group(group).column(column)
        start = min(filter(None, (chunk.dictionary_page_offset, chunk.data_page_offset)))
        found.append(range(start, start + chunk.total_compressed_size))
    return found


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
    dice, storage = random.Random("pages"), storage_of(f"lake:{lake}")
    snapshot = Lake(storage).opened()
    for table, path in files_of(lake).items():
        (file,) = Lake(storage).files(snapshot, table)
        whole = path.read_bytes()
        assert check_file(FileTask(storage, file)) is None
        for place in some(data_of(path), 3):
            # The last byte of a column chunk is of the content of its last page.
            flip(path, place[-1], dice.randrange(8))
            wrong = check_file(FileTask(storage, file))
            assert wrong
            assert file.name in wrong[1]
            path.write_bytes(whole)


@pytest.mark.thorough("damaged files are named in the first tier")
@pytest.mark.parametrize(
    "everywhere", [False, pytest.param(True, marks=pytest.mark.thorough("files of every table"))]
)
def test_what_reads_a_damaged_file_says_so(lake: Path, *, everywhere: bool) -> None:
    dice = random.Random("flips")
    files = files_of(lake)
    told = []
    for table in files if everywhere else ("hands", "seat_rows", "tallies"):
        path, whole = files[table], files[table].read_bytes()
        for place in [dice.choice(data_of(path))] if everywhere else data_of(path):
            flip(path, dice.choice(place[-40:]) if everywhere else place[-1], dice.randrange(8))
        # Not every table is looked at by who reads, nor is every byte of a page.
        if said := what_is_said(f"lake:{lake}"):
            assert "is damaged" in said
            assert path.name in said
            told.append(table)
        path.write_bytes(whole)
    assert len(told) > 3 if everywhere else told == ["hands", "seat_rows", "tallies"]


def test_commands_name_damaged_files(tricklog: CommandLine, lake: Path) -> None:
    """Changed in each page, gone, or cut off."""
    files = files_of(lake)
    tallies = files["tallies"].read_bytes()
    for place in data_of(files["tallies"]):
        flip(files["tallies"], place[-1], 3)
    ran = tricklog("stats", "points-share", "--by", "player", "--db", str(lake))
    assert ran.status == 3
    assert "is damaged" in ran.stderr
    assert files["tallies"].name in ran.stderr
    files["seat_rows"].unlink()
    files["games"].write_bytes(files["games"].read_bytes()[:-1])
    ran = tricklog("db", "verify", "--db", str(lake), "--on", "here", "--json")
    assert ran.status == 1
    (told,) = ran.objects
    found = {each["table"]: each["message"] for each in told["problems"]}
    named = [f"{table}/{files[table].name}" for table in ("games", "seat_rows", "tallies")]
    assert sorted(found) == named
    assert {each["check"] for each in told["problems"]} == {"file"}
    assert "is missing" in found[named[1]]
    # The first file of a table is where its columns are looked up, so every figure needs it.
    files["tallies"].write_bytes(tallies)
    ran = tricklog("stats", "points-share", "--by", "player", "--db", str(lake))
    assert ran.status == 3
    assert "is damaged" in ran.stderr


@pytest.mark.thorough("damaged files are named in the first tier")
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


def test_verify_names_every_damaged_file_and_table(lake: Path) -> None:
    dice = random.Random("all")
    flipped = files_of(lake)
    del flipped["games"], flipped["chairs"]
    for path in flipped.values():
        flip(path, dice.choice(data_of(path))[-1], dice.randrange(8))
    (lake / "games" / "_delta_log" / f"{1:020d}.json").unlink()
    empty = lake / "chairs" / "_delta_log" / f"{1:020d}.json"
    empty.write_bytes(b"")
    found = verify(f"lake:{lake}", on="here")
    assert {each.check for each in found.problems} == {"file"}
    others = {f"{table}/{path.name}" for table, path in flipped.items()}
    assert {each.table for each in found.problems} == {
        *("games", str(empty.relative_to(lake)), *others)
    }


# --- Rows that are not what was loaded
Change = Callable[[pa.Table], pa.Table]
ROW = 2
"""Which hand is changed."""


def changed(hands: pa.Table, column: str, change: Callable[[int], int]) -> pa.Table:
    numbers = hands[column].to_pylist()
    numbers[ROW] = change(numbers[ROW])
    place = hands.schema.get_field_index(column)
    return hands.set_column(place, column, pa.array(numbers, hands[column].type))


def altered(hands: pa.Table) -> pa.Table:
    return changed(hands, "dealer", lambda dealer: 1 - min(dealer, 1))


def renumbered(hands: pa.Table) -> pa.Table:
    return changed(hands, "seating_id", lambda number: number + 1_000_000)


def replace_file(lake: Path, table: str, change: Change) -> pa.Table:
    """Publish a table of which the one file is another now; return what it held."""
    opened = Lake(storage_of(f"lake:{lake}"))
    (file,) = opened.files(opened.opened(), table)
    held = pq.read_table(lake / table / file.path)
    with opened.begin("a test") as begun:
        added = tables.write(opened.storage, table, change(held), begun.number, 0)
        assert added
        begun.publish([added], {}, gone=[file])
    return held


@pytest.mark.thorough("files of an older version")
def test_a_file_without_checksums_is_in_order(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options, without = tables._options, {"write_page_checksum": False}
    monkeypatch.setattr(tables, "_options", lambda table: options(table) | without)
    replace_file(lake, "hands", lambda hands: hands)
    assert verify(lake, on="here").problems == ()


def test_rows_that_are_not_what_was_loaded_are_named(lake: Path) -> None:
    hand_id = replace_file(lake, "hands", altered)["hand_id"][ROW].as_py()
    replace_file(lake, "ids", lambda ids: pa.concat_tables([ids[:1], ids[:-1]]))
    replace_file(lake, "seat_rows", lambda seats: seats[1:])
    told = {(each.check, each.table): each.row for each in verify(lake, on="here").problems}
    assert told["hash", "hands"] == hand_id
    assert ("reference", "ids") in told
    assert ("key", "hands") not in told
    if is_thorough():
        first = replace_file(lake, "hands", lambda hands: pa.concat_tables([hands[:1], hands]))
        told = {(each.check, each.table): each.row for each in verify(lake, on="here").problems}
        assert told["key", "hands"] == first["hand_id"][0].as_py()


PLACES = "SELECT hand_id, file, line FROM hands ORDER BY hand_id"
REJECTS = "SELECT reject, file, line, code FROM rejects"


@pytest.mark.parametrize(
    ("change", "is_logged"),
    [
        (altered, False),
        pytest.param(renumbered, False, marks=pytest.mark.thorough("a second kind")),
        pytest.param(altered, True, marks=pytest.mark.thorough("loads read what is logged")),
    ],
)
def test_an_altered_hand_in_no_log_is_lost_and_others_are_kept(
    lake: Path, tmp_path: Path, change: Change, *, is_logged: bool
) -> None:
    stood, rejects, count = rows(lake, PLACES), rows(lake, REJECTS), len(pedro_hands())
    hand_id = replace_file(lake, "hands", change)["hand_id"][ROW].as_py()
    log = write_lines(tmp_path / "again.jsonl", map(encode_hand, pedro_hands()))
    report = rebuild(*([log] if is_logged else []), db=f"lake:{lake}", on="here")
    told = report.hands, report.lost, report.from_logs
    assert told == ((count, 0, count) if is_logged else (count - 1, 1, 0))
    if not is_logged:
        assert (report.kept, report.new, report.complete) == (count - 1, 0, False)
        assert report.unreadable == [f"hand {hand_id} of lake:{lake}"]
        assert rows(lake, PLACES) == [row for row in stood if row[0] != hand_id]
        assert (rows(lake, REJECTS), report.kept_rejects) == (rejects, 1)
    assert verify(f"lake:{lake}", everything=is_logged, on="here").problems == ()


def test_hands_without_rules_are_not_lost(lake: Path) -> None:
    before = Lake(storage_of(lake)).opened()
    with without_rules("pedro"), pytest.raises(WarehouseError, match="cannot be replayed any more"):
        rebuild(db=f"lake:{lake}", on="here")
    assert Lake(storage_of(lake)).opened() == before


def test_a_hand_is_found_that_the_index_does_not_lead_to(lake: Path) -> None:
    def elsewhere(ids: pa.Table) -> pa.Table:
        others = pa.array([number ^ 1 for number in ids["id_hash"].to_pylist()], pa.int64())
        return ids.set_column(0, "id_hash", others)

    replace_file(lake, "ids", elsewhere)
    with open_snapshot(f"lake:{lake}") as connection:
        assert stored_hand(connection, pedro_hands()[0].id) == pedro_hands()[0]
        with pytest.raises(LookupError, match="There is no hand 'another'"):
            stored_hand(connection, "another")
